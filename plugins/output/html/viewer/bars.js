/* Builds the bars above and below the picture: views, weights, search, filters; status line and
 * path. */
panes.graph = html("div", {id: "graph", class: "view"}, main.scroller);

const bar = {
    title: html("span", {id: "title"}, title),
    views: html("span", {id: "views", role: "group", "aria-label": "View"}),
    weight: html("select", {id: "weight", title: "What is counted (w)", "aria-label": "What is counted"}),
    delta: button("delta", "Difference", "Colours by difference (x)", () => toggleDelta()),
    merge: button("merge", "Merge recursion", "A function that calls itself is one frame (m)",
                  () => toggleMerging()),
    reset: button("reset", "Reset zoom", "Show everything (0)", () => resetZoom()),
    input: html("input", {id: "search", type: "search", size: "26", placeholder: "search: regular expression",
                          "aria-label": "Search for a regular expression", spellcheck: "false",
                          autocomplete: "off", autocapitalize: "off"}),
    previous: button("previous", "‹", "Previous match (N, Shift-Enter)", () => goToMatch(-1)),
    next: button("next", "›", "Next match (n, Enter)", () => goToMatch(1)),
    ignoreCase: button("ignore-case", "a=A", "Ignore case (Ctrl-I)", () => toggleCase()),
    theme: button("theme", "◐", "Light or dark (t)", () => toggleTheme()),
    help: button("help-button", "?", "Keys (?)", () => toggleHelp()),
    chips: html("div", {id: "chips", class: "line", hidden: ""}),
    path: html("nav", {id: "path", "aria-label": "Zoomed path"}),
    details: html("span", {id: "details", class: "wide"}),
    matched: html("span", {id: "matched", "aria-live": "polite"}),
    legend: html("span", {id: "legend"}),
};
const viewButtons = new Map(Object.entries(viewNames).map(([kind, name], i) =>
    [kind, button(`view-${kind}`, name, `${name} (${i + 1})`, () => setKind(kind))]));

function makeBars() {
    bar.views.append(...viewButtons.values());
    data.weights.forEach((w, i) => bar.weight.append(html("option", {value: i}, w.name)));
    bar.weight.hidden = data.weights.length < 2;
    bar.delta.hidden = !isComparison;
    bar.weight.addEventListener("change", () => setWeight(Number(bar.weight.value)));
    bar.input.addEventListener("input", () => searchFor(bar.input.value));
    document.body.append(
        html("div", {class: "line"}, bar.title, bar.views, bar.weight, bar.delta, bar.merge, bar.reset,
             html("span", {class: "wide"}),
             html("span", {class: "search"}, bar.input, bar.ignoreCase, bar.previous, bar.next),
             bar.theme, bar.help),
        bar.chips, bar.path,
        html("div", {id: "main"}, panes.graph, panes.sandwich, panes.table),
        sourcePane,
        html("div", {id: "status", class: "line"}, bar.details, bar.legend, bar.matched),
        tooltip);
}

/* ---- showing ---- */

/* Shows the meaning of the colours in use. */
function showLegend() {
    const differences = [[HEAVIER, "heavier"], [UNCHANGED, "as before"], [LIGHTER, "lighter"]];
    const entries = !view.showsDelta ? data.legend : differences;
    bar.legend.replaceChildren(...entries.flatMap(([color, name]) => {
        const swatch = html("span", {class: "swatch"});
        swatch.style.background = cssColor(color);
        return [html("span", {class: "entry"}, swatch, html("bdi", {}, name)), " "];
    }));
}

function showBars() {
    for (const [kind, element] of viewButtons) press(element, kind === view.kind);
    bar.weight.value = String(view.weight);
    bar.weight.disabled = view.kind === "time";
    press(bar.delta, view.showsDelta);
    press(bar.merge, view.filters.some(f => f.kind === "merge"));
    bar.reset.hidden = view.kind === "table" ||
        !charts.some(c => c.tree !== null && c.window().span < c.tree.total[0]);
    bar.chips.hidden = view.filters.length === 0;
    bar.chips.replaceChildren(...view.filters.map(chipOf));
    showLegend();
    showPath();
    showMatched();
    showDetails();
}

function chipOf(filter) {
    const chip = button("", "", "Undo (u: the last one)", () => removeFilter(filter));
    chip.className = "chip";
    const name = filter.fn < 0 ? "" : functions.names[filter.fn];
    chip.append(html("bdi", {}, filterKinds[filter.kind].says(name)), " ×");
    return chip;
}

/* Longer paths keep only their ends. */
const LONGEST_PATH = 200;

function showPath() {
    const path = isGraph() && main.tree !== null ? pathOf(main.tree, main.zoomed) : [];
    bar.path.hidden = !isGraph();
    bar.path.replaceChildren(...path.slice(-LONGEST_PATH).flatMap((node, i) => {
        const crumb = button("", "", "Zoom out to it", () => zoomTo(main, node));
        crumb.append(shownName(nameOf(main.tree, node)));
        return i > 0 ? ["›", crumb] : [crumb];
    }));
    bar.path.scrollLeft = 1e6;
}

function showMatched() {
    bar.input.classList.toggle("invalid", search.problem !== "");
    press(bar.ignoreCase, search.ignoresCase);
    bar.matched.textContent = isSearching() ? "Searching…" : search.problem;
    for (const b of [bar.previous, bar.next]) b.hidden = search.answers === null || view.kind === "table";
    if (search.answers === null || view.tree === null) return;
    const chart = isGraph() ? main : null, {from, span} = chart === null
        ? {from: 0, span: view.tree.total[0]} : chart.window();
    const {total} = weighMatches(view.tree, from, from + span);
    const all = weighMatches(view.tree, 0, view.tree.total[0]);
    bar.matched.textContent = `Matched: ${percent(span > 0 ? total / span : 0)} ` +
        `(${all.frames.toLocaleString("en-US")} ${all.frames === 1 ? "frame" : "frames"}, ` +
        `total ${weightText(all.total, view.weight)}, self ${weightText(all.self, view.weight)})`;
}

/* Returns the properties of a node as lines of text, without its name. */
function figuresOf(tree, i) {
    const total = tree.total[i], self = tree.selves[tree.weight][i], frame = tree.frame[i];
    const text = v => weightText(v, view.weight);
    const lines = [`${text(total)}, ${percent(total / tree.total[0])}`,
                   `self ${text(self)}, ${percent(self / tree.total[0])}`];
    if (isComparison) {
        const delta = tree.after[i] - tree.before[i];
        lines.push(`${signed(weightText(delta, data.after))} ` +
            `(${weightText(tree.before[i], data.before)} → ${weightText(tree.after[i], data.after)})`);
    }
    if (i === 0 || frame >= rootFrame) return lines;
    const more = [data.texts[frameTable.module[frame]], placeOf(frame),
                  kindNames[frameTable.kind[frame]] || ""];
    return [...lines, ...more.filter(t => t !== "")];
}

/* Shows the properties of the frame that keys act on. */
function showDetails() {
    const at = subject();
    if (at === null) {
        const total = view.tree === null ? 0 : view.tree.total[0];
        bar.details.textContent = total > 0 ? weightText(total, view.weight) : "There is nothing to draw.";
        return;
    }
    const [first, second] = figuresOf(at.chart.tree, at.node);
    bar.details.replaceChildren(shownName(nameOf(at.chart.tree, at.node)), ` (${first}; ${second})`);
}

function say(text) {
    bar.details.textContent = text;
}

/* ---- search ---- */

function showMatches() {
    if (view.kind === "table") showTable();
    for (const chart of charts) chart.drawSoon();
    showMatched();
}

function searchFor(text, ignoresCase = search.ignoresCase) {
    setPattern(text, ignoresCase, showMatches);
    if (bar.input.value !== text) bar.input.value = text;
    showMatches();
    remember();
}

const toggleCase = () => searchFor(search.text, !search.ignoresCase);

/* ---- theme ---- */

function setTheme(name) {
    page.dataset.theme = name;
    themeColors = new Map();
    for (const chart of charts) chart.drawSoon();
}

/* Printed pages use the light theme. */
let themeOnScreen = usualTheme;

function toPaper() {
    themeOnScreen = page.dataset.theme;
    setTheme("light");
    for (const chart of charts) chart.draw();
}

function toggleTheme() {
    setTheme(isDarkTheme() ? "light" : "dark");
    remember();
}

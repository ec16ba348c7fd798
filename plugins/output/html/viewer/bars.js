/* SPDX-License-Identifier: MIT */
/* Builds the bars above and below the picture: views, weights, search, filters; status line and
 * path. */
panes.graph = html("div", {id: "graph", class: "view"}, main.scroller, ruler);

const bar = {
    title: html("h1", {id: "title"}, title),
    views: html("span", {id: "views", role: "group", "aria-label": "View"}),
    weight: html("select", {id: "weight", title: "What is counted (w)", "aria-label": "What is counted"}),
    delta: button("delta", "Difference", "Colours by difference (x)", () => toggleDelta()),
    merge: button("merge", "Merge recursion", "A function that calls itself is one frame (m)",
                  () => toggleMerging()),
    order: button("order", "Heaviest first", "Order by weight, or by name (o)", () => toggleOrder()),
    runs: button("runs", "Fold unnamed", "Unnamed frames of a module that call each other are one frame (z)",
                 () => toggleRuns()),
    reset: button("reset", "Reset zoom", "Show everything (0)", () => resetZoom()),
    beside: button("beside", "Table beside", "Table beside the picture (b)", () => toggleBeside()),
    link: button("link", "Link", "Copy the address of this view (l)", () => copyAddress()),
    save: button("save", "Save", `${savingLabel} (e)`, () => openExports()),
    more: button("more", "☰", "More", () => toggleMore()),
    input: html("input", {id: "search", type: "search", size: "26", placeholder: "search: regex",
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
    live: html("span", {class: "unseen", role: "status", "aria-live": "polite"}),
    legend: html("span", {id: "legend"}),
    colors: button("colors", "", "", () => toggleLegend()),
};
const viewButtons = new Map(Object.entries(viewNames).map(([kind, name]) =>
    [kind, button(`view-${kind}`, name, `${name} (${viewKeys[kind]})`, () => setKind(kind))]));

function makeBars() {
    bar.views.append(...viewButtons.values());
    data.weights.forEach((w, i) => { if (isShown(w)) bar.weight.append(html("option", {value: i}, w.name)); });
    bar.weight.hidden = bar.weight.children.length < 2;
    bar.weight.addEventListener("change", () => setWeight(Number(bar.weight.value)));
    bar.input.addEventListener("input", () => searchFor(bar.input.value));
    document.body.append(
        html("header", {}, html("div", {class: "line"}, bar.title,
             html("span", {class: "search"}, bar.more, bar.input, bar.ignoreCase, bar.previous, bar.next),
             html("span", {class: "wide"}), bar.save, bar.link, bar.theme, bar.help,
             html("span", {id: "modes"}, bar.views, bar.beside, bar.weight, bar.delta, bar.order, bar.merge, bar.runs)),
             bar.chips, html("div", {id: "trail"}, bar.path, bar.reset)),
        ...timePane === null ? [] : [timePane],
        html("main", {id: "main"}, panes.table, panes.graph, panes.sandwich),
        html("div", {id: "panes"}, sourcePane, codePane),
        html("footer", {id: "status", class: "line"}, bar.details, bar.matched, html("div", {id: "meanings"}, bar.legend, bar.colors), bar.live),
        tooltip);
}

/* Small windows hide most of the bar until it is asked for. */
function toggleMore() {
    const isOpen = page.dataset.more === undefined;
    if (isOpen) page.dataset.more = "";
    else delete page.dataset.more;
    bar.more.setAttribute("aria-expanded", String(isOpen));
}

/* ---- showing ---- */

/* Shows the meaning of the colours in use. */
function showLegend() {
    const words = isComparison ? ["heavier", "as before", "lighter"] : ["gains", "as many losses", "losses"];
    const changes = [HEAVIER, UNCHANGED, LIGHTER].map((color, i) => [color, words[i]]);
    const isOfChanges = mayShowChanges() || !data.legend.some(([, name]) => ["heavier", "gains"].includes(name));
    const entries = showsChanges() ? changes : isOfChanges ? data.legends?.[view.weight] || data.legend : [];
    const shown = `${isDarkTheme()} ${entries.flat().join()}`;
    if (shown === shownLegend) return;
    shownLegend = shown;
    bar.legend.replaceChildren(...entries.map(([color, name]) => {
        const swatch = html("span", {class: "swatch"});
        swatch.style.background = cssColor(themed(color));
        return html("span", {class: "entry"}, swatch, isolated(name));
    }));
    fitLegend();
}

let shownLegend = "";
let isLegendOpen = false; /* the reader wants to see all entries */

/* In a small window the legend is a line; a button shows the entries for which that has no room. */
function fitLegend() {
    bar.legend.classList.toggle("closed", !isLegendOpen);
    bar.colors.hidden = !smallWindow.matches;
    if (bar.colors.hidden) return;
    const entries = Array.from(bar.legend.children), top = entries[0]?.offsetTop;
    const rest = entries.filter(entry => entry.offsetTop > top + 4).map(entry => entry.textContent);
    bar.colors.hidden = rest.length === 0;
    bar.colors.textContent = isLegendOpen ? "less" : `+${rest.length}`;
    bar.colors.title = isLegendOpen ? "One line" : rest.join("\n");
    bar.colors.setAttribute("aria-expanded", String(isLegendOpen));
}

function toggleLegend() {
    isLegendOpen = !isLegendOpen;
    fitLegend();
}

function showBars() {
    for (const [kind, element] of viewButtons) press(element, kind === view.kind);
    bar.weight.value = String(view.weight);
    bar.weight.disabled = view.kind === "time" || isChosen();
    bar.delta.hidden = !mayShowChanges();
    bar.delta.textContent = isComparison ? "Difference" : "Gains and losses";
    bar.delta.title = isComparison ? "Colours by difference (x)" : "Colours by gains and losses (x)";
    press(bar.delta, showsChanges());
    press(bar.beside, view.isBeside && isGraph());
    press(bar.order, orderNow() === "weight");
    bar.order.hidden = view.kind === "time" || view.kind === "table";
    press(bar.runs, !view.isRunOpen);
    bar.runs.hidden = view.tree === null || !hasRuns(view.tree);
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
    const fn = filter.fn < 0 ? filter.path?.at(-1) ?? -1 : filter.fn, name = fn < 0 ? "" : functions.names[fn];
    chip.append(isolated(filterKinds[filter.kind].says(name)), " ×");
    return chip;
}

/* Longer paths keep only their ends. */
const LONGEST_PATH = 200;

function showPath() {
    const path = isGraph() && main.tree !== null ? pathOf(main.tree, main.zoomed) : [];
    bar.path.hidden = !isGraph();
    bar.path.replaceChildren(...path.slice(-LONGEST_PATH).flatMap((node, i) => {
        const crumb = button("", "", "Zoom out to it", () => zoomTo(main, node));
        crumb.append(shownName(titleOf(main.tree, node)));
        return i > 0 ? ["›", crumb] : [crumb];
    }));
    bar.path.scrollLeft = 1e6;
}

function showMatched() {
    bar.input.classList.toggle("invalid", search.problem !== "");
    press(bar.ignoreCase, search.ignoresCase);
    bar.matched.textContent = isSearching() ? "Searching…" : search.problem;
    for (const b of [bar.previous, bar.next]) b.disabled = matches() === null || view.kind === "table";
    if (matches() === null || view.tree === null) return;
    const {tree} = isGraph() ? main : view, {from, span} = isGraph() ? main.window() : {from: 0, span: tree.total[0]};
    const all = weighAll(view.tree);
    const weight = tree === view.tree && span >= tree.total[0] ? all.total : weightOfMatches(tree, from, from + span);
    const share = percent(span > 0 ? weight / span : 0) + (isSigned(view.weight) ? " of the width" : "");
    bar.matched.textContent = `${search.text === "" ? "Highlighted" : "Matched"}: ${share} ` +
        `(${all.frames.toLocaleString("en-US")} ${all.frames === 1 ? "frame" : "frames"}, ` +
        `total ${weightText(all.net, view.weight)}, self ${weightText(all.self, view.weight)})`;
}

/* Weighs the matches of a whole tree, and remembers it until the next search. */
function weighAll(tree) {
    const answers = matches(), {weight} = tree;
    if (weighed.tree !== tree || weighed.answers !== answers || weighed.weight !== weight)
        weighed = {tree, answers, weight, sums: weighMatches(tree)};
    return weighed.sums;
}

let weighed = {};

/* Returns the number of samples of a node as text, if it is known besides its weight. */
function samplesText(tree, i) {
    if (isChosen()) return "";
    const beside = samplesBeside(data.weights, view.weight), selves = beside < 0 ? null : tree.selves[beside];
    if (selves === null || selves === undefined) return "";
    let sum = 0;
    const losses = tree.selves[lossesOf.get(beside)];
    for (let k = i; k < tree.end[i]; k++) sum += selves[k] - 2 * (losses?.[k] ?? 0);
    return ` in ${weightText(sum, beside)}`;
}

/* Formats the gains and losses of which `net` is the difference and `size` the sum; empty unless there are
 * both. */
function signsText(net, size) {
    const losses = (size - net) / 2;
    if (!isSigned(view.weight) || losses === 0 || losses === size) return "";
    return ` (gains ${weightText(size - losses, view.weight)}, losses ${weightText(losses, view.weight)})`;
}

/* Returns the weight of the whole file. Single samples with signs may add up to more. */
function wholeTotal() {
    const {file, weight} = view;
    if (view.kind === "time") return view.timeline.total[0];
    if (isChosen() && isSigned(weight)) return view.base.total[0];
    if (whole.weight !== weight) whole = {weight, total: file.selves[weight].reduce((sum, self) => sum + self, 0)};
    return whole.total;
}

let whole = {};

/* Formats the share of a node in the whole file, and that in the selection if it differs: in the zoomed frame,
 * or in what passes the filters. */
function sharesText(value, tree, i) {
    const chart = charts.find(c => c.tree === tree), z = chart === undefined ? 0 : chart.zoomed;
    const part = tree.total[i >= z && i < tree.end[z] ? z : 0], all = wholeTotal();
    if (part === all) return percent(value / all);
    return `${percent(value / all)} of all, ${percent(value / part)} of the selection`;
}

/* Returns the properties of a node as lines of text, without its name. */
function figuresOf(tree, i) {
    const nets = netsOf(tree), total = nets.total[i], self = nets.self[i], frame = tree.frame[i];
    const text = v => weightText(v, view.weight);
    const lines = [`${text(total)}${samplesText(tree, i)}, ${sharesText(total, tree, i)}${signsText(total, tree.total[i])}`,
                   `self ${text(self)}, ${sharesText(self, tree, i)}${signsText(self, tree.selves[tree.weight][i])}`];
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

/* Explains the view as long as the line has no other use. */
function hintText() {
    if (view.kind === "table") return "click: callers and callees · /: search · ?: help";
    if (touchOnly.matches) return "tap: zoom · hold: more";
    return smallWindow.matches ? "click: zoom · ?: help" : "click: zoom · right click: more · /: search · ?: help";
}

const touchOnly = matchMedia("(hover: none)");

/* Returns a text of the status that is not cut while a name is beside it. */
const figures = text => html("span", {class: "figures"}, text);

/* Formats the share of what is shown in the recording, if it is a part. */
const partText = total => total === wholeTotal() ? ""
    : `, ${percent(total / wholeTotal())} of ${isChosen() ? "the recording" : "all"}`;

/* Shows the total, and a hint while nothing is searched. */
function showTotal() {
    const total = view.tree === null ? 0 : view.tree.total[0];
    if (!(total > 0)) {
        bar.details.textContent = "There is nothing to draw.";
        return;
    }
    const net = netsOf(view.tree).total[0];
    bar.details.replaceChildren(
        figures(weightText(net, view.weight) + samplesText(view.tree, 0) + partText(total) + signsText(net, total)));
    if (matches() === null && search.text === "") bar.details.append(html("span", {id: "hint"}, ` · ${hintText()}`));
}

/* Shows the properties of the frame that keys act on. */
function showDetails() {
    const at = subject();
    if (at === null) return showTotal();
    const [first, second] = figuresOf(at.chart.tree, at.node);
    bar.details.replaceChildren(shownName(titleOf(at.chart.tree, at.node)), figures(` (${first}; ${second})${runOf(at.chart.tree, at.node) > 1 ? ` · ${openHint}` : ""}`));
}

function say(text) {
    bar.details.textContent = text;
    bar.live.textContent = text;
}

/* Announces the frame that the keys moved to. */
function announce(tree, node) {
    const frame = inert(titleOf(tree, node)), total = netsOf(tree).total[node], share = percent(total / tree.total[0]);
    bar.live.textContent = `${frame}, ${weightText(total, view.weight)}, ${share}, level ${tree.depth[node]}`;
}

/* ---- search ---- */

function showMatches() {
    if (hasTable()) showTable();
    for (const chart of charts) chart.drawSoon();
    showMatched();
    showDetails();
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
    if (view.tree !== null) showBars();
    if (view.tree !== null && hasTable()) showRows();
    showTime();
}

/* Printed pages use the light theme, and contain the whole picture or table. */
let themeOnScreen = usualTheme;

function toPaper() {
    themeOnScreen = page.dataset.theme;
    setTheme("light");
    for (const chart of charts) chart.unroll();
    unrollTable(true);
}

function toScreen() {
    setTheme(themeOnScreen);
    for (const chart of charts) chart.resized();
    unrollTable(false);
}

function toggleTheme() {
    setTheme(isDarkTheme() ? "light" : "dark");
    remember();
}

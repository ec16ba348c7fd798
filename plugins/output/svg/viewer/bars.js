/* SPDX-License-Identifier: MIT */
/* Builds the bars above and below the picture: buttons, search, filters; status line and path.
 *
 * They stay visible when the picture is taller than the window.
 */

/* ---- construction ---- */

function button(id, label, hint, run) {
    const element = html("button", {type: "button", title: hint}, label);
    if (id) element.id = id;
    element.addEventListener("click", run);
    return element;
}

/* Replaces a text of the file by an element of a bar. */
function retake(element) {
    const old = part(element.id);
    if (old) old.remove();
    return element;
}

const bar = {
    unzoom: retake(button("unzoom", "Reset Zoom", "Show everything (0)", () => reset())),
    chips: html("span", {class: "chips"}),
    title: retake(html("span", {id: "title", title: picture.title}, picture.title)),
    search: retake(button("search", "Search", "Search (Ctrl-F)", () => openSearch())),
    field: html("span", {class: "field"}),
    input: html("input", {type: "text", size: "24", placeholder: "regular expression",
                          "aria-label": "Search for a regular expression", spellcheck: "false",
                          autocomplete: "off", autocapitalize: "off"}),
    ignoreCase: button("", "a=A", "Ignore case (Ctrl-I)", () => toggleCase()),
    count: html("span", {class: "count"}),
    previous: button("", "‹", "Previous match (N, Shift-Enter)", () => goToHit(-1)),
    next: button("", "›", "Next match (n, Enter)", () => goToHit(1)),
    clear: button("", "×", "Reset search (Esc)", () => closeSearch()),
    flip: button("flip", "Invert", "Turn upside down (i)", () => toggleFlipped()),
    callers: button("callers", "Callers", "Merge from the leaves: who calls what (r)",
                    () => toggleCallers()),
    order: button("order", "Heaviest first", "Order by weight, or by name (o)", () => toggleOrder()),
    merge: button("merge", "Merge recursion", "A function that calls itself is one frame (m)",
                  () => toggleMerging()),
    runs: button("runs", "Fold unnamed", "Unnamed frames of a module that call each other are one frame (z)",
                 () => toggleRuns()),
    help: button("help-button", "?", "What can be done, and keys (?)", () => toggleHelp()),
    more: button("more", "⋯", "More", event => openViewMenu(event)),
};

const status = {
    details: retake(html("span", {id: "details"})),
    matched: retake(html("span", {id: "matched"})),
    path: html("nav", {id: "path", "aria-label": "Zoomed path"}),
    sums: html("span", {id: "sums"}),
    hint: html("span", {id: "hint"}),
    axis: html("div", {id: "axis", "aria-hidden": "true"}),
};

bar.field.append(bar.input, bar.ignoreCase, bar.count, bar.previous, bar.next, bar.clear);
for (const id of ["details", "matched"]) status[id].setAttribute("aria-live", "polite");

const barFrame = overlay("bar", html("div", {class: "bar"},
    html("div", {class: "side"}, bar.unzoom, bar.chips),
    bar.title,
    html("div", {class: "side end"}, bar.search, bar.field, bar.flip, bar.callers, bar.order, bar.merge,
         bar.runs, bar.help, bar.more)));

const statusFrame = overlay("status", html("div", {class: "status"}, status.axis,
    html("div", {class: "line"}, status.details, status.hint, status.matched),
    html("div", {class: "line"}, status.path, status.sums)));

/* Below the bar are the subtitle and the legend; both stay visible, too. */
const subtitle = part("subtitle");
const dockedParts = [subtitle, part("legend")].filter(element => element !== null);
const dockPaper = make("rect");
dockPaper.id = "dock";
barFrame.before(dockPaper, ...dockedParts);

/* ---- display ---- */

const press = (element, isOn) => put(element, "aria-pressed", isOn);

function showChips() {
    bar.chips.replaceChildren(...filters.map(f => {
        const chip = button("", "", "Undo (u: the last one)", () => removeFilter(f));
        chip.className = "chip";
        chip.append(isolated(kinds[f.kind].says(f)), " ×");
        return chip;
    }));
}

function showPath() {
    const nodes = zoomed === display.root ? [] : [zoomed, ...around].reverse();
    status.path.replaceChildren(...nodes.flatMap((n, i) => {
        const crumb = html("button", {type: "button", title: titleOf(n)},
                           shownName(nameOfRun(n.name, n.run)));
        crumb.addEventListener("click", () => zoom(n));
        return i > 0 ? ["›", crumb] : [crumb];
    }));
    showPathEnd();
}

let isPathEndDue = false;

/* Scrolls the path to its end after the next layout. */
function showPathEnd() {
    if (isPathEndDue || status.path.firstChild === null) return;
    isPathEndDue = true;
    requestAnimationFrame(() => {
        isPathEndDue = false;
        status.path.scrollLeft = 1e6;
    });
}

function showSearch() {
    const hits = hitsInSight(), n = hits.length;
    let matched = "";
    if (search.isPending || search.problem !== "") matched = search.problem || "Searching…";
    else if (hasMatches()) matched = matchedText(weighShown());
    status.matched.textContent = matched;
    bar.count.textContent = !hasMatches() ? "" : `${rankOfHit(hits) || "–"}/${n}`;
    bar.input.classList.toggle("invalid", search.problem !== "");
    put(bar.input, "aria-invalid", search.problem !== "");
    press(bar.ignoreCase, search.ignoresCase);
    for (const b of [bar.previous, bar.next]) b.disabled = n === 0;
}

/* Marks a sum to which frames that the file does not list may add. */
const atLeast = isLeast => isLeast ? "at least " : "";

const matchedText = sum => `${isMarking() ? "Highlighted" : "Matched"}: ${atLeast(sum.isLeast)}${percent(sum.total / span)}` +
    (picture.isSigned ? " of the width" : "");

const percent = share => percentText(share, share > 0.9995 ? 0 : 1);

/* Updates everything in the bars that depends on the drawing. */
function showBars() {
    bar.unzoom.classList.toggle("out", !isZoomed());
    press(bar.flip, isFlipped !== picture.isInverted);
    press(bar.callers, showsCallers);
    press(bar.order, orderNow() === "weight");
    bar.order.classList.toggle("out", display.isTimed);
    press(bar.merge, merging() !== undefined);
    press(bar.runs, !isRunOpen);
    bar.runs.classList.toggle("out", !hasRuns(forward));
    showChips();
    showPath();
    showSearch();
    showDetails();
    showAxis();
}

/* ---- the status line ---- */

const notDrawn = () => [picture.note, display.leftOut === 0 ? "" :
    `${plural(display.leftOut, "branch", "branches")} under ${Number(picture.minwidth.toPrecision(4))} % not drawn`]
    .filter(text => text !== "").join(", ");

/* Narrow windows show only percentages. */
const sumText = (w, total) =>
    svg.classList.contains("small") ? shareText(w, total) : weightText(w, total);

function sumsText(node) {
    if (hasMatches()) {
        const sum = weighAll(), narrow = sum.narrow === 0 ? "" : ` and ${grouped(sum.narrow)} not drawn`;
        const [total, self] = picture.isSigned ? [sum.net, sum.selfNet] : [sum.total, sum.self];
        return `${plural(sum.frames, "frame", "frames")}${narrow}, ` +
            `total ${atLeast(sum.isLeast)}${sumText(total, forward.total)}, ` +
            `self ${atLeast(sum.isSelfLeast)}${sumText(self, forward.total)}`;
    }
    if (node === null || showsCallers) return "";
    return `self ${weightText(picture.isSigned ? node.ownNet : node.self, display.total)}`;
}

/* Returns the weight of the visible part, and its samples if they are known. */
const totalText = () => amountText(display.total) + samplesText(display.root) +
    (picture.isSigned ? " gained and lost" : "");

/* Explains the picture as long as the line has no other use. */
const hintText = () => [
    display.isTimed ? "Left to right: order in time" : `Width: share of ${totalText()}`,
    picture.comparison !== null ? "colour: change" : picture.isSigned ? "colour: gains or losses" : "",
    ...matchMedia("(hover: none)").matches ? ["tap: zoom", "hold: more"]
        : ["click: zoom", "right click: more", "/: search", "?: help"],
].filter(text => text !== "").join(" · ");

/* Shows the frame that keys act on, or else what the picture leaves out. */
function showDetails() {
    const node = subject();
    status.sums.textContent = sumsText(node);
    const isIdle = picture.hasAxis && node === null && search.text === "" && search.mark === null && !isZoomed();
    status.hint.textContent = isIdle ? hintText() : "";
    showPathEnd();
    if (node === null) {
        status.details.textContent = notDrawn();
        return;
    }
    const figures = figuresText(node, base.total);
    status.details.replaceChildren(html("span", {class: "name"}, `${picture.nametype} `,
                                        isolated(nameOfRun(node.name, node.run))), figures + (node.run > 1 ? ` · ${openHint}` : ""));
}

/* Shows a message until the mouse points at another frame. */
function say(text) {
    status.details.textContent = text;
}

/* ---- position ---- */

const DOCKED = 0.4; /* maximum height of bar, subtitle and legend, as a share of the window's */
const barHeight = Math.max(3 * picture.fontSize, 32);

/* Places subtitle and legend below the bar. */
function placeDock(seen, isTall, x) {
    const isDocked = isTall && dockedParts.length > 0 && top() <= DOCKED * seen.height;
    put(dockPaper, "class", isDocked ? "" : "out");
    put(dockPaper, "y", seen.y + barHeight);
    put(dockPaper, "width", boxWidth + 2 * SIDE);
    put(dockPaper, "height", top() - barHeight);
    for (const element of dockedParts)
        put(element, "transform", `translate(${element === subtitle ? 0 : x} ${isDocked ? seen.y : 0})`);
}

function placeBars() {
    const seen = sight();
    const isTall = isAlone && !isPrinting && pictureHeight() > seen.height;
    const isWide = isAlone && !isPrinting && seen.width < boxWidth;
    const [x, width] = isWide ? [seen.x, seen.width] : [0, "100%"];
    const end = isTall ? Math.min(seen.y + seen.height, pictureHeight()) : pictureHeight();
    put(barFrame, "y", isTall ? seen.y : 0);
    for (const frame of [barFrame, statusFrame]) {
        put(frame, "x", x);
        put(frame, "width", width);
    }
    put(barFrame, "height", barHeight);
    placeDock(seen, isTall, x);
    put(statusFrame, "y", end - bottom);
    put(statusFrame, "height", bottom);
    barFrame.firstChild.classList.toggle("floats", isTall);
    statusFrame.firstChild.classList.toggle("floats", isTall);
    svg.classList.toggle("small", (isWide ? seen.width : boxWidth + 2 * SIDE) < NARROW_WINDOW);
}

/* ---- the subtitle ---- */

const wholeSubtitle = subtitle && wholeText(subtitle);

function fitSubtitle() {
    if (subtitle === null) return;
    const text = fit(wholeSubtitle, boxWidth, true);
    subtitle.replaceChildren(text);
    if (text === wholeSubtitle) return;
    const title = document.createElementNS(SVG, "title");
    title.textContent = wholeSubtitle;
    subtitle.append(title);
}

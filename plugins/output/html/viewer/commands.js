/* SPDX-License-Identifier: MIT */
/* Defines the commands of keys and menus. Commands with `forFrame` receive {chart, node}. */
const functionAt = ({chart, node}) => chart.tree.fn[node];
const nameAt = at => functions.names[functionAt(at)];

/* Commands that the viewer of the SVG has too have the same keys and labels there. */
const commands = [
    {keys: Object.keys(viewNames).map(kind => viewKeys[kind]).sort(),
     label: Object.keys(viewNames).sort((a, b) => viewKeys[a] - viewKeys[b]).map(kind => viewNames[kind])
         .join(", ").replace(/(?<=, )./g, c => c.toLowerCase()),
     run: key => setKind(Object.keys(viewKeys).find(kind => viewKeys[kind] === key))},
    {keys: ["b"], label: "Table beside the picture", run: () => toggleBeside()},
    {keys: ["Enter", "Ctrl-Enter"], label: "Zoom to the frame", forFrame: true, run: at => zoomTo(at.chart, at.node)},
    {keys: ["Backspace"], label: "Zoom out by one frame", run: () => zoomOut()},
    {keys: ["0"], label: "Reset zoom", run: () => resetZoom()},
    {keys: ["←", "→", "↑", "↓"], label: "Go from frame to frame", run: key => moveCursor(key)},
    {keys: ["Shift-←", "Shift-→"], label: "Move the picture", run: key => shift(key === "Shift-←" ? -1 / 8 : 1 / 8)},
    {keys: ["/", "Ctrl-F", "F3"], label: "Search for a regular expression",
     run: () => { bar.input.focus(); bar.input.select(); }},
    {keys: ["n", "N"], label: "Next match, previous match, by weight", run: key => goToMatch(key === "n" ? 1 : -1)},
    {keys: ["Ctrl-I"], label: "Ignore case", run: () => toggleCase()},
    {keys: ["a"], label: "Highlight all of this name", forFrame: true,
     run: at => highlight(functionAt(at))},
    {keys: ["s"], label: "Callers and callees", forFrame: true, run: at => showFunction(functionAt(at))},
    {keys: ["f"], label: "Focus on this frame", forFrame: true, run: at => focusOn(at)},
    {keys: ["F"], label: "Focus on all of this name", forFrame: true, run: at => addFilter("focus", functionAt(at))},
    {keys: ["h"], label: "Hide frames of this name", forFrame: true, run: at => addFilter("hide", functionAt(at))},
    {keys: ["d"], label: "Drop stacks with this name", forFrame: true, run: at => addFilter("drop", functionAt(at))},
    {keys: ["k"], label: "Keep stacks with this name", forFrame: true, run: at => addFilter("keep", functionAt(at))},
    {keys: ["u", "Ctrl-Z"], label: "Undo the last of these", run: () => removeFilter(view.filters.at(-1))},
    {keys: ["i"], label: "Invert: upside down", run: () => flip()},
    {keys: ["r"], label: "Callers: merge from the leaves", run: () => toggleCallers()},
    {keys: ["o"], label: "Order by weight, or by name", run: () => toggleOrder()},
    {keys: ["m"], label: "Merge recursion", run: () => toggleMerging()},
    {keys: ["z"], label: "Fold runs of unnamed frames", run: () => toggleRuns()},
    {keys: ["w"], label: "Next weight", run: () => setWeight(nextWeight())},
    {keys: ["x"], label: "Colours by difference, or gains and losses", run: () => toggleDelta()},
    {keys: ["t"], label: "Light or dark", run: () => toggleTheme()},
    {keys: ["l"], label: "Copy the address of this view", run: () => copyAddress()},
    {keys: ["e"], label: savingLabel, run: () => openExports()},
    {keys: ["c"], label: "Copy the name", forFrame: true, run: at => copy(nameAt(at))},
    {keys: ["C"], label: "Copy the stack", forFrame: true, run: at => copy(stackText(at))},
    {keys: ["."], label: "Menu of the frame", run: () => openMenuByKey()},
    {keys: ["Esc"], label: "Close, end the search, reset zoom", run: () => escape()},
    {keys: ["?"], label: "This help", run: () => toggleHelp()},
];

/* Returns the next weight that is shown. */
function nextWeight() {
    const n = data.weights.length;
    let w = (view.weight + 1) % n;
    while (!isShown(data.weights[w])) w = (w + 1) % n;
    return w;
}

const stackText = ({chart, node}) => {
    const path = pathOf(chart.tree, node).slice(1).map(i => nameOf(chart.tree, i));
    const isReversed = chart === callers || chart === main && view.kind === "callers";
    return (isReversed ? path.reverse() : path).join(";");
};

/* ---- keys ---- */

function runKey(event) {
    const isTyping = ["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName);
    const key = keyOf(event), command = commands.find(c => c.keys.includes(key));
    if (isTyping && key === "Enter") goToMatch(event.shiftKey ? -1 : 1);
    if (command === undefined || isTyping && !keysInFields.includes(key)) return;
    if (event.target.tagName === "BUTTON" && ["Enter", " "].includes(key)) return;
    if (event.key.startsWith("Arrow") && view.kind === "table") return;
    event.preventDefault();
    hideTooltip();
    if (!command.forFrame) return command.run(key);
    const at = subject();
    if (at !== null && (at.node !== 0 || key.endsWith("Enter"))) command.run(at);
}

function escape() {
    if (popup !== null) return closePopup();
    if (search.text !== "") searchFor("");
    else if (view.marked >= 0) highlight(view.marked);
    else resetZoom();
    bar.input.blur();
}

/* ---- the cursor ---- */

/* Moves the keyboard cursor to a frame and makes it visible; does not zoom if told not to. */
function setCursor(chart, node, mayZoom = true) {
    const {tree} = chart, {from, span} = chart.window();
    chart.pointed = null;
    chart.cursor = node;
    const isOutside = tree.x[node] >= from + span || tree.x[node] + tree.total[node] <= from;
    if (mayZoom && (isOutside || tree.total[node] * chart.width < span * NARROW)) chart.zoom(node);
    chart.readScroll();
    const top = chart.topOf(tree.depth[node]);
    if (top < 0 || top + ROW > chart.height) chart.scroller.scrollTop += top - chart.height / 2;
    chart.drawSoon();
    announce(tree, node);
    showBars();
}

/* Moves the picture by a share of what is visible. */
function shift(share) {
    const {from, span} = active.window();
    if (active.tree === null) return;
    active.move(from + share * span, span);
    showBars();
    remember();
}

/* Returns the previous or next sibling with a positive weight, or -1. */
function brother(tree, node, step) {
    const p = tree.parent[node];
    let before = -1;
    if (node === 0) return -1;
    for (let i = p + 1; i < tree.end[p]; i = tree.end[i]) {
        if (tree.total[i] === 0) continue;
        if (step < 0 && i === node) return before;
        if (step > 0 && i > node) return i;
        before = i;
    }
    return -1;
}

function heaviestChild(tree, node) {
    let best = -1;
    for (let i = node + 1; i < tree.end[node]; i = tree.end[i])
        if (tree.total[i] > 0 && (best < 0 || tree.total[i] > tree.total[best])) best = i;
    return best;
}

/* Moves the cursor to a node, or to the first row above it that is shown. */
function setFirstCursor(chart, node = chart.zoomed) {
    while (node >= 0 && chart.tree.depth[node] < chart.least) node = heaviestChild(chart.tree, node);
    if (node >= 0) setCursor(chart, node);
    return node >= 0;
}

/* Moves the cursor out of the first row of callers into that of callees, or back. */
function crossOver(chart) {
    const other = chart === callers ? callees : callers;
    if (view.kind !== "sandwich" || !setFirstCursor(other, 0)) return;
    chart.pointed = chart.cursor = null;
    chart.drawSoon();
    active = other;
    if (document.activeElement === chart.canvas) other.canvas.focus({preventScroll: true});
    showBars();
}

function moveCursor(key) {
    const at = subject(), chart = at === null ? active : at.chart, {tree} = chart;
    if (tree === null || tree.total[0] === 0) return;
    if (at === null) return setFirstCursor(chart);
    const outward = chart.isUp ? "↓" : "↑";
    if (key === outward && tree.depth[at.node] <= chart.least) return crossOver(chart);
    const next = key === "←" ? brother(tree, at.node, -1)
        : key === "→" ? brother(tree, at.node, 1)
        : key === outward ? tree.parent[at.node] : heaviestChild(tree, at.node);
    if (next >= 0) setCursor(chart, next);
}

/* Outlines the next or previous match in the visible part, by weight. */
function goToMatch(step) {
    const chart = active, {tree} = chart, {from, span} = chart.window(), start = chart.zoomed;
    const answers = matches();
    if (tree === null || answers === null || view.kind === "table") return;
    const {x, total, fn, depth} = tree, to = from + span, least = chart.least;
    const weightOf = k => {
        const i = start + k, isSeen = x[i] < to && x[i] + total[i] > from;
        return answers[fn[i]] === 1 && isSeen && depth[i] >= least ? total[i] : -1;
    };
    const next = nextByWeight(tree.end[start] - start, weightOf, (chart.cursor ?? -1) - start, step);
    if (next >= 0) setCursor(chart, start + next, false);
}

/* ---- popups: at most one is open ---- */

let popup = null;
let focusBefore = null;

function closePopup() {
    if (popup === null) return;
    popup.remove();
    popup = null;
    focusBefore?.focus({preventScroll: true});
    focusBefore = null;
}

function openPopup(content) {
    closePopup();
    focusBefore = document.activeElement;
    popup = content;
    document.body.append(content);
}

/* Moves the focus between the buttons of a menu with the arrow keys. */
function moveInMenu(event) {
    const buttons = Array.from(event.currentTarget.querySelectorAll("button"));
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = buttons.indexOf(document.activeElement) + step;
    buttons[(next + buttons.length) % buttons.length].focus();
}

function openFrameMenu(chart, node, x, y) {
    chart.cursor = node;
    const items = commands.filter(c => c.forFrame && (node !== 0 || c.keys[0] === "Enter"));
    const menu = html("div", {id: "menu", class: "popup", role: "menu"},
        html("div", {class: "heading"}, shownName(titleOf(chart.tree, node))), ...items.map(c => {
            const item = html("button", {type: "button", role: "menuitem"}, c.label,
                              html("kbd", {}, c.keys[0]));
            item.addEventListener("click", () => {
                closePopup();
                c.run({chart, node});
            });
            return item;
        }));
    menu.addEventListener("keydown", moveInMenu);
    openPopup(menu);
    const {width, height} = menu.getBoundingClientRect();
    menu.style.left = Math.max(0, Math.min(x, innerWidth - width)) + "px";
    menu.style.top = Math.max(0, Math.min(y, innerHeight - height)) + "px";
    menu.querySelector("button").focus();
}

function openMenuByKey() {
    const at = subject();
    if (at === null) return;
    const box = at.chart.boxOf(at.node), canvas = at.chart.canvas.getBoundingClientRect();
    openFrameMenu(at.chart, at.node, canvas.left + box.left, canvas.top + box.top + ROW);
}

const gestures = [[["Click", "tap"], "Zoom to a frame; an outer one zooms out"],
                  [["Right click", "long press"], "What can be done with a frame"],
                  [["Drag", "Shift-wheel"], "Move the picture"],
                  [["Ctrl-wheel", "two fingers"], "Zoom"]];

function toggleHelp() {
    if (popup !== null && popup.id === "help") return closePopup();
    const lines = [...gestures, ...commands.map(c => [c.keys, c.label])];
    openPopup(html("div", {id: "help", class: "popup", role: "dialog", "aria-label": "Help"},
        html("div", {class: "heading"}, "Keys", button("", "×", "Close (Escape)", () => closePopup())),
        html("dl", {}, ...lines.flatMap(([keys, label]) => [
            html("dt", {}, ...keys.map(key => html("kbd", {}, key))),
            html("dd", {}, label)]))));
}

/* Copies a text; if the clipboard is not available, shows it selected instead. */
async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
        say(`Copied: ${text}`);
    } catch {
        const area = html("textarea", {readonly: "", rows: "6", cols: "60"});
        area.value = text;
        openPopup(html("div", {id: "copy", class: "popup"},
                       html("div", {class: "heading"}, "Copy with Ctrl-C"), area));
        area.select();
    }
}

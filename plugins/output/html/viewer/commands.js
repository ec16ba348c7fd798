/* Defines the commands of keys and menus. Commands with `forFrame` receive {chart, node}. */
const functionAt = ({chart, node}) => chart.tree.fn[node];
const nameAt = at => functions.names[functionAt(at)];

const commands = [
    {keys: Object.keys(viewNames).map((_, i) => String(i + 1)),
     label: Object.values(viewNames).join(", ").replace(/(?<=, )./g, c => c.toLowerCase()),
     run: key => setKind(Object.keys(viewNames)[Number(key) - 1])},
    {keys: ["Enter"], label: "Zoom to it", forFrame: true, run: at => zoomTo(at.chart, at.node)},
    {keys: ["Backspace"], label: "Zoom out by one frame", run: () => zoomOut()},
    {keys: ["0"], label: "Zoom out to everything", run: () => resetZoom()},
    {keys: ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"], label: "Go from frame to frame",
     run: key => moveCursor(key)},
    {keys: ["/", "Ctrl-F", "F3"], label: "Search", run: () => { bar.input.focus(); bar.input.select(); }},
    {keys: ["n", "N"], label: "Next match, previous match", run: key => goToMatch(key === "n" ? 1 : -1)},
    {keys: ["Ctrl-I"], label: "Ignore case", run: () => toggleCase()},
    {keys: ["a"], label: "Highlight all of this name", forFrame: true,
     run: at => searchFor(`^${escaped(nameAt(at))}$`, false)},
    {keys: ["s"], label: "Callers and callees", forFrame: true, run: at => showFunction(functionAt(at))},
    {keys: ["k"], label: "Keep the stacks that have it", forFrame: true, run: at => addFilter("keep", functionAt(at))},
    {keys: ["d"], label: "Drop the stacks that have it", forFrame: true, run: at => addFilter("drop", functionAt(at))},
    {keys: ["h"], label: "Hide frames of this name", forFrame: true, run: at => addFilter("hide", functionAt(at))},
    {keys: ["f"], label: "Only what is in it", forFrame: true, run: at => addFilter("focus", functionAt(at))},
    {keys: ["m"], label: "Merge recursion", run: () => toggleMerging()},
    {keys: ["u"], label: "Undo the last filter", run: () => removeFilter(view.filters[view.filters.length - 1])},
    {keys: ["w"], label: "Next weight", run: () => setWeight((view.weight + 1) % data.weights.length)},
    {keys: ["x"], label: "Colours by difference", run: () => toggleDelta()},
    {keys: ["t"], label: "Light or dark", run: () => toggleTheme()},
    {keys: ["c"], label: "Copy the name", forFrame: true, run: at => copy(nameAt(at))},
    {keys: ["C"], label: "Copy the stack", forFrame: true, run: at => copy(stackText(at))},
    {keys: ["."], label: "What can be done with a frame", run: () => openMenuByKey()},
    {keys: ["Escape"], label: "Close, end the search", run: () => escape()},
    {keys: ["?"], label: "This list", run: () => toggleHelp()},
];

const stackText = ({chart, node}) => {
    const path = pathOf(chart.tree, node).slice(1).map(i => nameOf(chart.tree, i));
    return (chart === callers ? path.reverse() : path).join(";");
};

/* ---- keys ---- */

function runKey(event) {
    const isTyping = ["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName);
    const key = event.ctrlKey || event.metaKey ? "Ctrl-" + event.key.toUpperCase() : event.key;
    const command = commands.find(c => c.keys.includes(key));
    if (event.altKey || (key.startsWith("Ctrl-") && command === undefined)) return;
    if (key.startsWith("Ctrl-")) {
        event.preventDefault();
        return command.run(key);
    }
    if (isTyping && event.key === "Enter") goToMatch(event.shiftKey ? -1 : 1);
    if (isTyping && event.key !== "Escape") return;
    if (event.target.tagName === "BUTTON" && ["Enter", " "].includes(event.key)) return;
    if (command === undefined) return;
    if (event.key.startsWith("Arrow") && view.kind === "table") return;
    event.preventDefault();
    hideTooltip();
    if (!command.forFrame) return command.run(event.key);
    const at = subject();
    if (at !== null && at.node !== 0 || at !== null && event.key === "Enter") command.run(at);
}

function escape() {
    if (popup !== null) return closePopup();
    if (search.text !== "") searchFor("");
    else resetZoom();
    bar.input.blur();
}

/* ---- the cursor ---- */

/* Moves the keyboard cursor to a frame and makes it visible. */
function setCursor(chart, node) {
    const {tree} = chart, {from, span} = chart.window();
    chart.pointed = null;
    chart.cursor = node;
    if (tree.x[node] >= from + span || tree.x[node] + tree.total[node] <= from ||
        tree.total[node] * chart.width < span * NARROW)
        chart.zoom(node);
    const top = chart.topOf(tree.depth[node]);
    if (top < 0 || top + ROW > chart.height) chart.scroller.scrollTop += top - chart.height / 2;
    chart.drawSoon();
    showBars();
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

function moveCursor(key) {
    const at = subject(), chart = at === null ? active : at.chart, {tree} = chart;
    if (tree === null || tree.total[0] === 0) return;
    if (at === null) return setCursor(chart, chart.zoomed);
    const outward = chart.isUp ? "ArrowDown" : "ArrowUp";
    const next = key === "ArrowLeft" ? brother(tree, at.node, -1)
        : key === "ArrowRight" ? brother(tree, at.node, 1)
        : key === outward ? (at.node === 0 ? -1 : tree.parent[at.node]) : heaviestChild(tree, at.node);
    if (next >= 0) setCursor(chart, next);
}

function goToMatch(step) {
    const chart = active, {tree} = chart, now = chart.cursor ?? 0;
    if (tree === null || search.answers === null || view.kind === "table") return;
    for (let k = 1; k <= tree.n; k++) {
        const i = (now + step * k + 2 * tree.n) % tree.n;
        if (!isMatch(tree.fn[i]) || tree.total[i] === 0) continue;
        return setCursor(chart, i);
    }
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
        html("div", {class: "heading"}, shownName(nameOf(chart.tree, node))), ...items.map(c => {
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
    const at = subject(), box = at && at.chart.drawn.find(d => d.node === at.node);
    if (!box) return;
    const canvas = at.chart.canvas.getBoundingClientRect();
    openFrameMenu(at.chart, at.node, canvas.left + box.left, canvas.top + box.top + ROW);
}

const keySigns = {ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc"};
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
            html("dt", {}, ...keys.map(key => html("kbd", {}, keySigns[key] || key))),
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

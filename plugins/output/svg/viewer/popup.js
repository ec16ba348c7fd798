/* SPDX-License-Identifier: MIT */
/* Opens menus, the help, and text to be copied by hand over the picture; at most one at a time. */
let popup = null;
let focusBefore = null;

function closePopup() {
    if (popup === null) return;
    popup.remove();
    popup = null;
    if (focusBefore !== null) focusBefore.focus({preventScroll: true});
    focusBefore = null;
}

/* Shows content at a point of the window, moved so that all of it is visible; without a point, at
 * the centre of the picture's visible part. */
function openPopup(id, content, x, y) {
    closePopup();
    focusBefore = document.activeElement;
    popup = overlay(id, content);
    const seen = sight(), {left, top} = edges();
    const within = (at, least, room) => Math.min(Math.max(at, least), least + Math.max(room, 0));
    put(popup, "width", seen.width - 2 * SIDE);
    put(popup, "height", seen.height);
    const size = content.getBoundingClientRect();
    const w = Math.ceil(size.width), h = Math.min(Math.ceil(size.height), seen.height);
    put(popup, "x", within(x === undefined ? seen.x + (seen.width - w) / 2 : x - left, seen.x, seen.width - w));
    put(popup, "y", within(y === undefined ? seen.y + (seen.height - h) / 2 : y - top, seen.y, seen.height - h));
    put(popup, "width", w);
    put(popup, "height", h);
}

/* ---- the tooltip ---- */

const hasTooltips = picture.hasAxis; /* pictures in the style of other tools have titles */
const tooltip = html("div", {class: "tooltip", role: "tooltip"});
let tooltipFrame = null; /* made when it is needed first */
let explained = null;    /* the frame in it */

function hideTooltip() {
    explained = null;
    if (tooltipFrame !== null) put(tooltipFrame, "class", "out");
}

/* Shows the properties of a frame beside a point of the window. */
function showTooltip(node, x, y) {
    if (node === null || !hasTooltips || node.known.title !== null) return hideTooltip();
    if (node !== explained)
        fillTooltip(tooltip, nameOfRun(node.name, node.run), [...node.run > 1 ? [openHint] : [], ...figuresLines(node)]);
    explained = node;
    tooltipFrame ??= overlay("tooltip", tooltip);
    put(tooltipFrame, "class", "");
    const {left, top} = edges(), {width, height} = tooltip.getBoundingClientRect(), place = besidePoint(x, y, width, height);
    put(tooltipFrame, "x", place.x - left);
    put(tooltipFrame, "y", place.y - top);
}

/* ---- menus ---- */

/* Opens a menu. Items are {label, keys, run}; null is a separator line. Arrow keys move between
 * items. */
function openMenu(heading, items, x, y) {
    const entries = items.map(item => item === null ? html("hr", {}) : menuItem(item));
    const menu = html("div", {class: "popup menu", role: "menu", tabindex: "-1"}, ...heading,
                      ...entries);
    menu.addEventListener("keydown", event => {
        const buttons = entries.filter(e => e.localName === "button");
        const now = buttons.indexOf(document.activeElement);
        const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
        if (step === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        buttons[(now + step + buttons.length) % buttons.length].focus();
    });
    openPopup("menu", menu, x, y);
    entries.find(e => e.localName === "button")?.focus({preventScroll: true});
}

function menuItem({label, keys, run, isOn}) {
    const item = html("button", {type: "button", role: "menuitem"}, html("span", {}, label),
                      html("kbd", {}, keys));
    if (isOn) item.classList.add("on");
    item.addEventListener("click", () => {
        closePopup();
        run();
    });
    return item;
}

/* Opens the menu of a frame. */
function openFrameMenu(node, x, y) {
    const items = commands.filter(c => c.forFrame && (node.parent !== null || !c.needsName));
    cursor = node;
    isByKeys = true;
    showCursor();
    showDetails();
    openMenu([html("div", {class: "heading"}, shownName(nameOfRun(node.name, node.run)))],
             items.map(c => ({label: c.label, keys: c.keys[0], run: () => c.run(node)})), x, y);
}

/* Opens the menu with the bar's switches, if the bar has no room for them. */
function openViewMenu(event) {
    const at = event.currentTarget.getBoundingClientRect();
    const items = commands.filter(c => c.isView);
    openMenu([], items.map(c => ({label: c.label, keys: c.keys[0], run: c.run, isOn: c.isOn?.()})),
             at.left, at.bottom);
}

/* ---- help ---- */

const gestures = [
    ["Click", "Zoom to a frame; a faded one zooms out"],
    ["Right click, long press", "What can be done with a frame"],
    ["Drag", "Move the picture"],
    ["Ctrl-wheel", "Zoom"],
];

function toggleHelp() {
    if (popup !== null && popup.id === "help") return closePopup();
    const line = (keys, label) => html("div", {class: "row"},
        html("dt", {}, ...keys.map(k => html("kbd", {}, k))), html("dd", {}, label));
    const help = html("div", {class: "popup help", role: "dialog", "aria-label": "Help",
                              tabindex: "-1"},
        html("div", {class: "heading"}, "Keys", button("", "×", "Close (Esc)", closePopup)),
        html("dl", {}, ...gestures.map(([what, label]) => line([what], label)),
             ...commands.map(c => line(c.keys, c.label))));
    openPopup("help", help);
    help.focus({preventScroll: true});
}

/* ---- the clipboard ---- */

/* Copies a text; if the clipboard is not available, shows it selected instead. */
async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
        say(`Copied: ${text}`);
    } catch {
        const area = html("textarea", {readonly: "", rows: "6", cols: "48"});
        area.value = text;
        openPopup("copy", html("div", {class: "popup"},
                               html("div", {class: "heading"}, "Copy with Ctrl-C"), area));
        area.select();
    }
}

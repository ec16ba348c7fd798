/* SPDX-License-Identifier: MIT */
/* Defines the commands of keys, menus and the help.
 *
 * A command is {keys, label, run}: `run` receives the frame under the mouse and the key. Commands
 * with `forFrame` need a frame, those with `needName` one other than the root. Commands with
 * `isView` are switches.
 */
function reset() {
    zoom(display.root);
}

function zoomOut() {
    zoom(zoomed.parent === null ? display.root : zoomed.parent);
}

function openSearch() {
    svg.classList.add("searching");
    bar.input.focus({preventScroll: true});
    bar.input.select();
}

function closeSearch() {
    svg.classList.remove("searching");
    bar.input.value = "";
    bar.input.blur();
    searchFor("");
}

function toggleCase() {
    searchFor(search.text, !search.ignoresCase);
}

/* Reverts one step: closes the popup, ends the search or highlighting, hides the cursor, or resets the zoom. */
function escape() {
    if (popup !== null) closePopup();
    else if (search.text !== "" || svg.classList.contains("searching")) closeSearch();
    else if (search.mark !== null) highlight(search.mark);
    else if (isByKeys) forgetCursor();
    else reset();
}

const copyName = node => copy(node.name);
const copyStack = node => copy(stackOf(node).join(";"));

/* Returns the names of a frame's stack, outermost first, in either merge direction. */
const stackOf = node => showsCallers ? pathOf(node).reverse() : pathOf(node);

const commands = [
    {keys: ["Enter", "Ctrl-Enter"], label: "Zoom to the frame", forFrame: true, run: zoom},
    {keys: ["Backspace"], label: "Zoom out by one frame", run: zoomOut},
    {keys: ["0"], label: "Reset zoom", run: reset},
    {keys: ["←", "→", "↑", "↓"], label: "Go from frame to frame", run: goTowards},
    {keys: ["Shift-←", "Shift-→"], label: "Move the picture",
     run: (node, key) => pan(key === "Shift-←" ? -boxWidth / 8 : boxWidth / 8)},
    {keys: ["/", "Ctrl-F", "F3"], label: "Search for a regular expression", run: openSearch},
    {keys: ["n", "N"], label: "Next match, previous match, by weight",
     run: (node, key) => goToHit(key === "n" ? 1 : -1)},
    {keys: ["Ctrl-I"], label: "Ignore case", run: toggleCase},
    {keys: ["a"], label: "Highlight all of this name", forFrame: true, needsName: true,
     run: node => highlight(node.known)},
    {keys: ["f"], label: "Focus on this frame", forFrame: true, needsName: true, run: focusPart},
    {keys: ["F"], label: "Focus on all of this name", forFrame: true, needsName: true,
     run: focusName},
    {keys: ["h"], label: "Hide frames of this name", forFrame: true, needsName: true, run: hide},
    {keys: ["d"], label: "Drop stacks with this name", forFrame: true, needsName: true, run: drop},
    {keys: ["u", "Ctrl-Z"], label: "Undo the last of these", run: undo},
    {keys: ["c"], label: "Copy the name", forFrame: true, needsName: true, run: copyName},
    {keys: ["C"], label: "Copy the stack", forFrame: true, needsName: true, run: copyStack},
    {keys: ["i"], label: "Invert: upside down", isView: true, run: toggleFlipped,
     isOn: () => isFlipped !== picture.isInverted},
    {keys: ["r"], label: "Callers: merge from the leaves", isView: true, run: toggleCallers,
     isOn: () => showsCallers},
    {keys: ["o"], label: "Order by weight, or by name", isView: true, run: toggleOrder,
     isOn: () => orderNow() === "weight"},
    {keys: ["m"], label: "Merge recursion", isView: true, run: toggleMerging,
     isOn: () => merging() !== undefined},
    {keys: ["z"], label: "Fold runs of unnamed frames", isView: true, run: toggleRuns, isOn: () => !isRunOpen},
    {keys: ["e"], label: savingLabel, isView: true, run: openExports},
    {keys: ["t"], label: "Light or dark", isView: true, run: toggleTheme},
    {keys: ["."], label: "Menu of the frame", run: openMenuByKey},
    {keys: ["Esc"], label: "Close, end the search, reset zoom", run: escape},
    {keys: ["?"], label: "This help", isView: true, run: toggleHelp},
];

/* Opens the menu below the frame, as a click there would. */
function openMenuByKey() {
    const node = subject() || zoomed;
    const {left, top} = edges();
    openFrameMenu(node, left + SIDE + Math.max(node.x - from, 0) * boxWidth / span,
                  top + rowTop(node.depth) + picture.rowHeight);
}

/* ---- keys ---- */

function runKey(event) {
    const key = keyOf(event), node = subject();
    const command = commands.find(c => c.keys.includes(key));
    if (command === undefined || event.defaultPrevented) return;
    if (isTyping(event) && !keysInFields.includes(key)) return;
    if (key === "Enter" && event.target.localName === "button") return;
    if (command.forFrame && node === null) return;
    if (command.needsName && node.parent === null) return;
    event.preventDefault();
    command.run(node, key);
}

const isTyping = event => ["input", "textarea"].includes(event.target.localName);

bar.input.addEventListener("input", () => searchFor(bar.input.value));

bar.input.addEventListener("keydown", event => {
    if (event.key === "Enter" && keyOf(event) === "Enter") goToHit(event.shiftKey ? -1 : 1);
});

(isAlone ? window : svg).addEventListener("keydown", runKey);

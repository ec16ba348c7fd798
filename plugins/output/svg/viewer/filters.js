/* SPDX-License-Identifier: MIT */
/* Applies filters to the file's tree, one after the other, then merges it by callers if chosen.
 *
 * A filter is {kind, name, tree}, where `tree` is its result. A part of a tree of callers is
 * identified by its path, any other part by its node.
 */
let base = null;       /* the file's tree */
let forward = null;    /* the filtered tree */
let filters = [];
let showsCallers = false;

const kinds = {
    hide: {made: (tree, f) => hidden(tree, f.name), says: f => `hidden: ${f.name}`},
    drop: {made: (tree, f) => dropped(tree, f.name), says: f => `dropped: ${f.name}`},
    focus: {made: (tree, f) => focused(tree, f.name), says: f => `all ${f.name}`},
    part: {made: (tree, f) => partOf(tree, f), says: f => `only ${f.name}`},
    merge: {made: tree => withoutRecursion(tree), says: () => "recursion merged"},
};

/* Returns the part at a position {x, depth, callers, isOpen}, or the whole tree if there is nothing. */
function partOf(tree, filter) {
    const shown = withRuns(filter.callers ? reversed(tree) : tree, filter.isOpen);
    const node = nodeAt(shown, filter.x, filter.depth);
    if (node === undefined || node.parent === null) return tree;
    filter.name = node.name;
    return filter.callers ? stacksEnding(tree, pathOf(node), !filter.isOpen) : subtree(tree, node);
}

let isUsed = false;

/* Prepares searches and callers while the browser is idle, unless the picture is only looked at: that is a fifth of the work
 * of opening it. */
function prepare() {
    if (!isUsed) return;
    countWhenIdle(forward);
    reverseWhenIdle(forward);
}

function startUse() {
    if (isUsed) return;
    isUsed = true;
    prepare();
}

for (const sign of ["pointermove", "pointerdown", "keydown", "focusin"])
    svg.addEventListener(sign, startUse, {capture: true, once: true, passive: true});

/* Recomputes the results of the filters from the i-th on. */
function refilter(i) {
    for (; i < filters.length; i++) {
        const before = i === 0 ? base : filters[i - 1].tree;
        filters[i].tree = kinds[filters[i].kind].made(before, filters[i]);
    }
    forward = filters.length === 0 ? base : filters[filters.length - 1].tree;
    prepare();
}

/* Shows the tree that filters and view result in, zoomed to the node of `path`. */
function showFiltered(path) {
    const tree = shownTree();
    cursor = pointed = null;
    const node = follow(tree, path);
    show(tree, node.w > 0 ? node : tree.root);
}

function changeFilters(i) {
    const path = pathOf(zoomed);
    refilter(i);
    showFiltered(path);
    rememberStep();
}

function addFilter(filter) {
    filters.push(filter);
    changeFilters(filters.length - 1);
}

function removeFilter(filter) {
    const i = filters.indexOf(filter);
    if (i < 0) return;
    filters.splice(i, 1);
    changeFilters(i);
}

const undo = () => removeFilter(filters[filters.length - 1]);

/* ---- commands ---- */

const hide = node => addFilter({kind: "hide", name: node.name});
const drop = node => addFilter({kind: "drop", name: node.name});
const focusName = node => addFilter({kind: "focus", name: node.name});
const focusPart = node => addFilter(
    {kind: "part", x: (node.origin ?? node).x, depth: node.depth, callers: showsCallers, isOpen: isRunOpen});

const merging = () => filters.find(f => f.kind === "merge");

function toggleMerging() {
    const filter = merging();
    if (filter) removeFilter(filter);
    else addFilter({kind: "merge"});
}

function toggleCallers() {
    showsCallers = !showsCallers;
    showFiltered([]);
    if (isAlone) scrollTo(zoomed);
    rememberStep();
}

function toggleFlipped() {
    isFlipped = !isFlipped;
    fitHeight();
    if (isAlone) scrollTo(zoomed);
    draw();
    rememberStep();
}

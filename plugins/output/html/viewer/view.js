/* SPDX-License-Identifier: MIT */
/* Holds the state of the view (weight, filters, view) and the trees that follow from it. */
const view = {
    kind: page.dataset.view, /* a key of viewNames */
    weight: data.weight,
    filters: [],             /* in the order of application: {kind, fn, place, tree, before} */
    isFlipped: false,        /* the views of time and callers are turned upside down */
    isRunOpen: false,        /* each of the unnamed frames in a run is shown */
    isBeside: false,         /* the table is beside the picture */
    order: null,             /* of siblings: "name" or "weight"; null: as usual */
    fn: -1,                  /* function whose callers and callees are shown; -1: none */
    showsFile: false,        /* the colours are those of the file in place of changes */
    marked: -1,              /* function whose frames are highlighted; -1: none */
    file: null,              /* the file's tree */
    base: null,              /* the same with the chosen samples only */
    spans: [],               /* chosen ranges of time, in seconds; two are compared */
    who: "",                 /* chosen process, thread, processor or label: see keyOfGroup() */
    timeline: null,          /* the file's tree in chronological order, if known */
    tree: null,              /* the filtered tree */
    chosen: null,            /* subject of the source pane: {fn, frame} */
};
const viewNames = {flame: "Flame graph", icicle: "Icicle", callers: "Bottom-up",
                   sandwich: "Callers and callees", table: "Table",
                   ...data.time === undefined ? {} : {time: "Time order"}};
const viewKeys = {flame: "1", icicle: "2", sandwich: "3", table: "4", time: "5", callers: "6"};

const filterKinds = {
    hide: {made: hidden, says: name => `hidden: ${name}`},
    drop: {made: dropped, says: name => `dropped: ${name}`},
    keep: {made: kept, says: name => `kept: ${name}`},
    focus: {made: focused, says: name => `only in: ${name}`},
    part: {made: focusedPart, says: name => `only in this ${name}`},
    merge: {made: withoutRecursion, says: () => "recursion merged"},
};

/* Returns whether colours show changes: those of a comparison, or gains and losses. */
const mayShowChanges = () => isComparison || isSigned(view.weight);
const showsChanges = () => mayShowChanges() && !view.showsFile;

/* Applies the filters; reuses the results of unchanged ones. */
function refilter() {
    if (view.kind === "time" && view.spans.length === 2) { /* the timeline has no ranges to compare */
        view.spans = [];
        view.base = chosenTree();
    }
    /* The timeline and single samples have no other weight. */
    if (view.kind === "time" || isChosen()) view.weight = data.weight;
    let tree = view.kind === "time" ? view.timeline : measure(view.base, view.weight);
    for (const f of view.filters) {
        if (f.before !== tree || f.weight !== view.weight)
            Object.assign(f, {before: tree, weight: view.weight,
                              tree: measure(filterKinds[f.kind].made(tree, f.fn, f), view.weight)});
        tree = f.tree;
    }
    view.tree = tree;
    countSoon();
}

/* ---- the views ---- */

const main = new Chart(true, "Flame graph");
/* The function itself has a row between its callers and callees: the first row of the latter. */
const callers = new Chart(true, "Callers", 2);
const callees = new Chart(false, "Callees", 1);
const charts = [main, callers, callees];
const panes = {};
let active = main; /* the chart that keys act on */

const isGraph = () => ["flame", "icicle", "time", "callers"].includes(view.kind);
const isUpright = () => view.kind === "flame" ||
    view.kind !== "icicle" && (page.dataset.inverted === undefined) !== view.isFlipped;
const hasTable = () => view.kind === "table" || view.isBeside && isGraph();

/* Returns the order of siblings: by name, except that merged callers and callees are by weight. */
const orderNow = () => view.order ?? page.dataset.sort ?? (["callers", "sandwich"].includes(view.kind) ? "weight" : "name");

/* Returns a tree as it is shown: with folded runs of unnamed frames, unless they are open, in the order of the view. */
function asShown(tree) {
    const folded = view.isRunOpen ? tree : foldRuns(tree);
    return orderNow() === "weight" ? byWeight(folded) : folded;
}

function toggleRuns() {
    view.isRunOpen = !view.isRunOpen;
    changed();
}

function toggleOrder() {
    view.order = orderNow() === "weight" ? "name" : "weight";
    changed();
}

function showGraph(path) {
    const tree = asShown(view.kind === "callers" ? bottomUp(view.tree) : view.tree);
    active = main;
    main.turn(isUpright());
    main.canvas.setAttribute("aria-label", viewNames[view.kind]);
    const node = follow(tree, path);
    main.show(tree, tree.total[node] > 0 ? node : 0);
}

/* Updates the whole page from the state; `path` lists the functions to zoom to. */
function showAll(path = []) {
    refilter();
    page.dataset.view = view.kind;
    panes.graph.hidden = !isGraph();
    panes.sandwich.hidden = view.kind !== "sandwich";
    panes.table.hidden = !hasTable();
    if (isGraph()) showGraph(path);
    else if (view.kind === "sandwich") showSandwich();
    if (hasTable()) showTable();
    showBars();
    showWeightBeside();
}

/* The weight that instructions and lines show. */
let weightBeside = data.weight;

/* Shows them again if another weight was chosen. */
function showWeightBeside() {
    if (weightBeside === view.weight) return;
    weightBeside = view.weight;
    if (!sourcePane.hidden) showSource();
    if (!codePane.hidden) showCode();
}

/* Returns the functions on the path to the zoomed frame. */
const zoomedPath = () => main.tree === null ? [] :
    pathOf(main.tree, main.zoomed).slice(1).map(i => main.tree.fn[i]);

function changed() {
    showAll(zoomedPath());
    rememberStep();
}

function setKind(kind) {
    view.kind = kind;
    changed();
}

/* Turns the picture upside down. */
function flip() {
    if (view.kind === "flame" || view.kind === "icicle") return setKind(view.kind === "flame" ? "icicle" : "flame");
    view.isFlipped = !view.isFlipped;
    changed();
}

const toggleCallers = () => setKind(view.kind !== "callers" ? "callers" : usualView === "icicle" ? "icicle" : "flame");

/* Shows the table beside the picture, or alone again. */
function toggleBeside() {
    view.isBeside = !(view.isBeside && isGraph());
    if (!view.isBeside) view.marked = -1;
    if (!isGraph()) view.kind = "flame";
    changed();
}

/* Highlights the frames of a function, or none any more; leaves the search as it is. */
function highlight(fn) {
    view.marked = view.marked === fn ? -1 : fn;
    showRows();
    for (const chart of charts) chart.drawSoon();
    showMatched();
    showDetails();
    remember();
}

/* Does it from the table beside the picture. */
function markFunction(fn) {
    chooseFunction(fn);
    highlight(fn);
}

function setWeight(weight) {
    view.weight = weight;
    changed();
}

function toggleDelta() {
    if (!mayShowChanges()) return;
    view.showsFile = !view.showsFile;
    changed();
}

/* ---- filters ---- */

function addFilter(kind, fn = -1) {
    if (kind !== "merge" && fn === rootFunction) return;
    view.filters.push({kind, fn});
    changed();
}

/* Keeps only the callees of one frame. Where frames of many stacks are merged, keeps those of all
 * frames of its name. */
function focusOn({chart, node}) {
    if (chart !== main || view.kind === "callers") return addFilter("focus", chart.tree.fn[node]);
    const {isRunOpen: isOpen} = view, tree = isOpen ? view.tree : foldRuns(view.tree), at = chart.tree.origin?.[node] ?? node;
    view.filters.push({kind: "part", fn: -1, place: [tree.x[at], tree.depth[at]], isOpen});
    changed();
}

function removeFilter(filter) {
    const i = view.filters.indexOf(filter);
    if (i < 0) return;
    view.filters.splice(i, 1);
    changed();
}

function toggleMerging() {
    const merging = view.filters.find(f => f.kind === "merge");
    if (merging) removeFilter(merging);
    else addFilter("merge");
}

/* ---- zooming ---- */

function zoomTo(chart, node) {
    if (node === null) return;
    chart.zoom(node);
    chart.cursor = null;
    choose(chart.tree, node);
    showBars();
    rememberStep();
}

function resetZoom() {
    for (const chart of charts) if (chart.tree !== null) zoomTo(chart, 0);
}

function zoomOut() {
    if (active.tree !== null) zoomTo(active, active.tree.parent[active.zoomed]);
}

/* Shows each frame of a run, and zooms to it. */
function openRun(chart, node) {
    view.isRunOpen = true;
    showAll(chart === main ? pathOf(chart.tree, node).slice(1).map(i => chart.tree.fn[i]) : []);
    rememberStep();
}

/* Zooms to the object at a point: a frame, a run, or a merged bar. */
function openAt(chart, hit) {
    if (hit === null) return;
    active = chart;
    if (!hit.isMerged && runOf(chart.tree, hit.node) > 1) return openRun(chart, hit.node);
    if (!hit.isMerged) return zoomTo(chart, hit.node);
    chart.lookAt(hit.parent, hit.from, hit.span, true);
    showBars();
    rememberStep();
}

function choose(tree, node) {
    if (node === 0) return;
    view.chosen = {fn: tree.fn[node], frame: tree.frame[node]};
    showSource();
    showCode();
}

function chooseFunction(fn) {
    view.chosen = {fn, frame: functions.frames[fn].find(hasSource) ?? functions.frames[fn][0]};
    showSource();
    showCode();
}

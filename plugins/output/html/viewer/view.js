/* Holds the state of the view (weight, filters, view) and the trees that follow from it. */
const view = {
    kind: page.dataset.view, /* flame, icicle, sandwich, table, time */
    weight: data.weight,
    filters: [],             /* in the order of application: {kind, fn, tree, before} */
    fn: -1,                  /* function whose callers and callees are shown; -1: none */
    showsDelta: isComparison,
    base: null,              /* the file's tree */
    timeline: null,          /* the file's tree in chronological order, if known */
    tree: null,              /* the filtered tree */
    chosen: null,            /* subject of the source pane: {fn, frame} */
};
const viewNames = {flame: "Flame graph", icicle: "Icicle", sandwich: "Callers and callees",
                   table: "Table", ...data.time === undefined ? {} : {time: "Time order"}};

const filterKinds = {
    hide: {made: hidden, says: name => `hidden: ${name}`},
    drop: {made: dropped, says: name => `dropped: ${name}`},
    keep: {made: kept, says: name => `kept: ${name}`},
    focus: {made: focused, says: name => `only in: ${name}`},
    merge: {made: withoutRecursion, says: () => "recursion merged"},
};

/* Applies the filters; reuses the results of unchanged ones. */
function refilter() {
    if (view.kind === "time") view.weight = data.weight; /* the timeline has no other weight */
    let tree = view.kind === "time" ? view.timeline : measure(view.base, view.weight);
    for (const f of view.filters) {
        if (f.before !== tree || f.weight !== view.weight)
            Object.assign(f, {before: tree, weight: view.weight,
                              tree: measure(filterKinds[f.kind].made(tree, f.fn), view.weight)});
        tree = f.tree;
    }
    view.tree = tree;
}

/* ---- the views ---- */

const main = new Chart(true, "Flame graph");
const callers = new Chart(true, "Callers");
const callees = new Chart(false, "Callees");
const charts = [main, callers, callees];
const panes = {};
let active = main; /* the chart that keys act on */

const isGraph = () => ["flame", "icicle", "time"].includes(view.kind);
const isUpright = () => view.kind === "flame" || view.kind === "time" && page.dataset.inverted === undefined;

/* Updates the whole page from the state; `path` lists the functions to zoom to. */
function showAll(path = []) {
    refilter();
    page.dataset.view = view.kind;
    panes.graph.hidden = !isGraph();
    panes.sandwich.hidden = view.kind !== "sandwich";
    panes.table.hidden = view.kind !== "table";
    if (isGraph()) {
        active = main;
        main.turn(isUpright());
        main.canvas.setAttribute("aria-label", viewNames[view.kind]);
        const node = follow(view.tree, path);
        main.show(view.tree, view.tree.total[node] > 0 ? node : 0);
    } else if (view.kind === "sandwich") showSandwich();
    else showTable();
    showBars();
}

/* Returns the functions on the path to the zoomed frame. */
const zoomedPath = () => main.tree === null ? [] :
    pathOf(main.tree, main.zoomed).slice(1).map(i => main.tree.fn[i]);

function changed() {
    showAll(zoomedPath());
    remember();
}

function setKind(kind) {
    view.kind = kind;
    changed();
}

function setWeight(weight) {
    view.weight = weight;
    changed();
}

function toggleDelta() {
    view.showsDelta = isComparison && !view.showsDelta;
    changed();
}

/* ---- filters ---- */

function addFilter(kind, fn = -1) {
    if (kind !== "merge" && fn === rootFunction) return;
    view.filters.push({kind, fn});
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
    remember();
}

function resetZoom() {
    for (const chart of charts) if (chart.tree !== null) zoomTo(chart, 0);
}

function zoomOut() {
    if (active.tree !== null) zoomTo(active, active.tree.parent[active.zoomed]);
}

/* Zooms to the object at a point: a frame or a merged bar. */
function openAt(chart, hit) {
    if (hit === null) return;
    active = chart;
    if (!hit.isMerged) return zoomTo(chart, hit.node);
    chart.lookAt(hit.parent, hit.from, hit.span, true);
    showBars();
    remember();
}

function choose(tree, node) {
    if (node === 0) return;
    view.chosen = {fn: tree.fn[node], frame: tree.frame[node]};
    showSource();
}

function chooseFunction(fn) {
    view.chosen = {fn, frame: functions.frames[fn].find(hasSource) ?? functions.frames[fn][0]};
    showSource();
}

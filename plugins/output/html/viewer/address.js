/* SPDX-License-Identifier: MIT */
/* Keeps the state of the view in the address, so that it can be sent to somebody who has the same
 * file.
 *
 *     view, w                        the view, the weight's name
 *     time, who                      the chosen samples: FROM,TO in seconds, twice to compare; a group
 *     hide, drop, keep, focus, part, merge
 *                                    filters in their order: names; for `part`, a frame like `at`
 *     at                             the zoomed frame: WEIGHT-TO-ITS-LEFT,DEPTH
 *     window                         FROM,SPAN, if it differs from that frame
 *     fn                             the function whose callers and callees are shown
 *     s, case=ignore                 the search expression
 *     sort                           the table's sort column, after "-" in descending order
 *     invert=1                       the views of time and callers are turned upside down
 *     runs=open                      each of the unnamed frames in a run is shown
 *     order                          "name" or "weight", if chosen
 *     beside=1                       the table is beside the picture
 *     mark                           the function whose frames are highlighted
 *     theme, colors=file             if the reader chose them
 *
 * The state follows the "#", which browsers do not send to servers.
 */
let written = null; /* the last value written */

function stateText() {
    const state = new URLSearchParams(), usual = usualView;
    if (view.kind !== usual) state.append("view", view.kind);
    if (view.weight !== data.weight) state.append("w", data.weights[view.weight].name);
    for (const span of view.spans) state.append("time", span.join());
    if (view.who !== "") state.append("who", view.who);
    for (const f of view.filters)
        state.append(f.kind, f.place !== undefined ? f.place.join() + (f.isOpen ? ",open" : "") : f.fn < 0 ? "1" : functions.names[f.fn]);
    if (main.tree !== null && isGraph()) {
        const {from, span} = main.window(), {x, total, depth} = main.tree, z = main.zoomed;
        if (z !== 0) state.append("at", `${x[z]},${depth[z]}`);
        if (from !== x[z] || span !== total[z]) state.append("window", `${from},${span}`);
    }
    if (view.kind === "sandwich" && view.fn >= 0) state.append("fn", functions.names[view.fn]);
    if (search.text !== "") state.append("s", search.text);
    if (search.text !== "" && search.ignoresCase) state.append("case", "ignore");
    if (table.by !== null && table.by !== usualColumn() || !table.isDown) state.append("sort", (table.isDown ? "-" : "") + table.by);
    if (view.order !== null) state.append("order", view.order);
    if (view.isRunOpen) state.append("runs", "open");
    if (view.isFlipped) state.append("invert", "1");
    if (view.isBeside) state.append("beside", "1");
    if (view.marked >= 0) state.append("mark", functions.names[view.marked]);
    if (page.dataset.theme !== usualTheme) state.append("theme", page.dataset.theme);
    if (view.showsFile) state.append("colors", "file");
    return state.toString();
}

/* Writes the state to the address. A step can be taken back with the browser's Back button; anything
 * else changes the current step. */
function remember(isStep = false) {
    clearTimeout(writeDue);
    const text = stateText();
    if (text === written) return;
    written = text;
    const address = location.pathname + location.search + (text === "" ? "" : "#" + text);
    try {
        if (isStep) history.pushState(null, "", address);
        else history.replaceState(null, "", address);
    } catch {
        /* Some pages may not change their address. */
    }
}

const rememberStep = () => remember(true);

/* Copies the address of the current view. */
function copyAddress() {
    remember();
    copy(location.href);
}

/* Browsers accept only a few changes per second. */
const WRITE_LATER = 200; /* milliseconds */
let writeDue = 0;

function rememberSoon() {
    clearTimeout(writeDue);
    writeDue = setTimeout(remember, WRITE_LATER);
}

/* ---- reading ---- */

const usualView = page.dataset.view;
const numbersIn = text => (text || "").split(",").map(Number);

function readFilters(state) {
    view.filters = [];
    for (const [kind, name] of state) {
        if (!Object.hasOwn(filterKinds, kind)) continue;
        if (kind === "part") {
            const isOpen = name.endsWith(",open"), place = numbersIn(name.replace(",open", ""));
            if (place.length === 2 && place.every(v => v >= 0)) view.filters.push({kind, fn: -1, place, isOpen});
            continue;
        }
        const fn = kind === "merge" ? -1 : functions.byName.get(name);
        if (fn !== undefined) view.filters.push({kind, fn});
    }
}

/* Chooses the samples that the address names. */
function readChoice(state) {
    if (samples === null) return;
    view.spans = !hasTimes ? [] : state.getAll("time").slice(0, 2).map(numbersIn)
        .filter(span => span.length === 2 && span[0] >= 0 && span[1] > span[0]);
    view.who = groupsOfTags.some(groups => groups.some(g => keyOfGroup(g) === state.get("who"))) ? state.get("who") : "";
    view.base = chosenTree();
    showTime();
}

function readSort(text) {
    const by = text.replace(/^-/, "");
    table.by = knownColumns().includes(by) ? by : usualColumn();
    table.isDown = text.startsWith("-") || table.by !== by;
}

function readZoom(state) {
    if (!isGraph()) return;
    const [x, depth] = numbersIn(state.get("at")), {tree} = main;
    const node = state.has("at") && depth >= 0 ? nodeAt(tree, x, depth) : 0;
    if (node > 0 && tree.total[node] > 0) main.lookAt(node, tree.x[node], tree.total[node], false);
    const [from, span] = numbersIn(state.get("window"));
    if (state.has("window") && Number.isFinite(from) && span > 0) main.move(from, span);
}

/* Restores the state from the address. */
function restore() {
    const state = new URLSearchParams(location.hash.slice(1)), kind = state.get("view");
    view.kind = kind !== null && Object.hasOwn(viewNames, kind) ? kind : usualView;
    const weight = data.weights.findIndex(w => isShown(w) && w.name === state.get("w"));
    view.weight = weight < 0 ? data.weight : weight;
    view.fn = functions.byName.get(state.get("fn")) ?? -1;
    readChoice(state);
    view.showsFile = state.get("colors") === "file";
    view.order = ["name", "weight"].find(order => order === state.get("order")) ?? null;
    view.isRunOpen = state.get("runs") === "open";
    view.isFlipped = state.has("invert");
    view.isBeside = state.has("beside");
    view.marked = functions.byName.get(state.get("mark")) ?? -1;
    readFilters(state);
    readSort(state.get("sort") || `-${usualColumn()}`);
    setTheme(["light", "dark"].includes(state.get("theme")) ? state.get("theme") : usualTheme);
    setPattern(state.get("s") || "", state.get("case") === "ignore", showMatches);
    bar.input.value = search.text;
    if (view.fn >= 0) chooseFunction(view.fn);
    showAll();
    readZoom(state);
    showBars();
    written = stateText();
}

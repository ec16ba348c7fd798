/* SPDX-License-Identifier: MIT */
/* Keeps the state of the view in the address, so that it can be sent to somebody.
 *
 *     at               the zoomed frame: WEIGHT-TO-ITS-LEFT,DEPTH
 *     window           FROM,SPAN, if it differs from that frame
 *     s, case=ignore   the search expression
 *     mark             the name whose frames are highlighted
 *     view             "callers", "flame" or "icicle", if not as the file says
 *     invert=1         callers, and calls in the order of time, are upside down
 *     order            "name" or "weight", if chosen
 *     runs             "open" or "folded": runs of unnamed frames, if not as usual
 *     theme            "light" or "dark", if chosen
 *     hide, drop, focus, part, merge   filters in their order; part is X,DEPTH, with
 *                      ",callers", ",open" or ",folded"
 *
 * The state follows the "#", which browsers do not send to servers and signatures do not cover. A page has the same
 * keys. Other flame graphs write x, y, which is that of the file, and s after the "?"; they are read from there, too.
 */
const KEYS = ["x", "y", "at", "window", "s", "case", "mark", "order", "runs", "theme", "invert", "view", ...Object.keys(kinds)];

let written = null; /* the last value written */

/* ---- rows ---- */

/* Returns the depth of a row by the y that the file gives it, regardless of the picture's current orientation. */
const depthOf = y => Math.round(Math.abs(y - picture.edge) / picture.rowHeight);

/* ---- writing ---- */

function partText(filter) {
    const runs = filter.isOpen === usuallyOpen ? "" : filter.isOpen ? ",open" : ",folded";
    return `${filter.x},${filter.depth}${filter.callers ? ",callers" : ""}${runs}`;
}

function stateText() {
    const state = new URLSearchParams();
    const isTurned = isFlipped !== picture.isInverted, hasTwoViews = !showsCallers && !picture.isTimed;
    if (showsCallers) state.append("view", "callers");
    else if (isTurned && hasTwoViews) state.append("view", isFlipped ? "icicle" : "flame");
    for (const f of filters)
        state.append(f.kind, f.kind === "merge" ? "1" : f.kind === "part" ? partText(f) : f.name);
    if (zoomed !== display.root) state.append("at", `${zoomed.x},${zoomed.depth}`);
    if (display.total > 0 && (from !== zoomed.x || span !== zoomed.w)) state.append("window", `${from},${span}`);
    if (search.text !== "") state.append("s", search.text);
    if (search.text !== "" && search.ignoresCase) state.append("case", "ignore");
    if (chosenOrder !== null) state.append("order", chosenOrder);
    if (isRunOpen !== usuallyOpen) state.append("runs", isRunOpen ? "open" : "folded");
    if (isTurned && !hasTwoViews) state.append("invert", "1");
    if (search.mark !== null) state.append("mark", search.mark.text);
    if (chosenTheme !== null) state.append("theme", chosenTheme);
    return state.toString();
}

/* Returns the part after the "?" without the keys that now follow the "#". */
function otherQuery() {
    const query = new URLSearchParams(location.search);
    if (!KEYS.some(key => query.has(key))) return location.search;
    for (const key of KEYS) query.delete(key);
    return String(query) === "" ? "" : "?" + query;
}

let isStepDue = false; /* what is to be written can be taken back with the browser's Back button */

/* Writes the address. A picture inside a page does not change the address of that page. */
function writeAddress() {
    cancelWriting();
    const text = stateText(), write = isStepDue ? "pushState" : "replaceState";
    isStepDue = false;
    if (text === written || !isAlone) return;
    written = text;
    const hash = text === "" ? "" : "#" + text;
    try {
        history[write](null, "", location.pathname + otherQuery() + hash);
    } catch {
        /* Some pages may not change their address. */
    }
}

/* Writing an address takes browsers as long as drawing a picture, and they accept only a few
 * changes per second. */
const WRITE_LATER = 200; /* milliseconds */
let writeDue = 0, writeFrame = 0;

function cancelWriting() {
    clearTimeout(writeDue);
    cancelAnimationFrame(writeFrame);
}

/* Writes the address after the next drawing. */
function remember() {
    cancelWriting();
    writeFrame = requestAnimationFrame(() => { writeDue = setTimeout(writeAddress); });
}

function rememberStep() {
    isStepDue = true;
    remember();
}

/* Writes the address once changes stop. */
function rememberSoon() {
    cancelWriting();
    writeDue = setTimeout(writeAddress, WRITE_LATER);
}

/* ---- reading ---- */

function readState() {
    if (!isAlone) return new URLSearchParams();
    const hash = new URLSearchParams(location.hash.slice(1));
    return KEYS.some(key => hash.has(key)) ? hash : new URLSearchParams(location.search);
}

/* Returns whether one of some words opens runs of unnamed frames. */
const runsIn = words => words.includes("open") ? true : words.includes("folded") ? false : null;

function readFilter([kind, value]) {
    if (kind !== "part") return {kind, name: value};
    const [x, depth, ...more] = value.split(",");
    return {kind, name: "", x: Number(x), depth: Number(depth), callers: more.includes("callers"), isOpen: runsIn(more) ?? usuallyOpen};
}

const numbersOf = text => (text ?? "").split(",").map(Number);

function readZoom(state, tree) {
    const [x, depth] = state.has("at") ? numbersOf(state.get("at"))
        : state.has("x") && state.has("y") ? [Number(state.get("x")), depthOf(Number(state.get("y")))] : [];
    if (!(depth >= 0)) return tree.root;
    const node = nodeAt(tree, x, depth);
    return node !== undefined && node.x === x && node.w > 0 ? node : tree.root;
}

/* Restores the state from the address. */
function restore() {
    cancelWriting();
    isStepDue = false;
    const state = readState();
    filters = [...state].filter(([key]) => key in kinds).map(readFilter);
    refilter(0);
    showsCallers = state.get("view") === "callers";
    isFlipped = ["flame", "icicle"].includes(state.get("view")) && !picture.isTimed ? state.get("view") === "icicle"
        : picture.isInverted !== (state.get("invert") === "1");
    setPattern(state.get("s") || "", state.get("case") === "ignore");
    search.mark = names.get(state.get("mark")) ?? null;
    bar.input.value = search.text;
    svg.classList.toggle("searching", search.text !== "");
    isRunOpen = runsIn([state.get("runs")]) ?? usuallyOpen;
    chosenOrder = ["name", "weight"].find(order => order === state.get("order")) ?? null;
    setTheme(["light", "dark"].find(theme => theme === state.get("theme")) ?? null);
    const tree = shownTree();
    cursor = pointed = null;
    show(tree, readZoom(state, tree));
    const [start, width] = numbersOf(state.get("window"));
    if (Number.isFinite(start) && width > 0) moveWindow(start, width);
    written = stateText();
}

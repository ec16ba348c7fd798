/* SPDX-License-Identifier: MIT */
/* Searches by regular expression and computes the weight of the matches.
 *
 * Each name is tested once; titles are not, so numbers never match. The root has no name. Nested
 * matches count once. Frames that are too narrow to be drawn count, too; if the file does not list
 * all of them, a sum may be too small and says so.
 */
const search = {
    text: "",
    ignoresCase: false,
    pattern: null,    /* null: no search */
    isPending: false, /* the matches are not known yet */
    problem: "",      /* why there are no matches */
    stops: [],        /* matching nodes of the shown tree that are drawn, in pre-order */
    mark: null,       /* the name whose frames are highlighted besides */
};

/* Returns whether the matches are the frames of the highlighted name, for want of a search. */
const isMarking = () => search.text === "" && search.mark !== null;
const hasMatches = () => search.pattern !== null || isMarking();

const isMatch = known => isMarking() ? known === search.mark : known.isHit;
const isHit = n => n.parent !== null && isMatch(n.known);

/* Returns whether a frame has the colour of matches. */
const isColored = n => n.parent !== null && (n.known.isHit || n.known === search.mark);

/* The properties of all names, and the names. */
let searched = {all: [], texts: []};

function searchedNames() {
    if (searched.all.length !== names.size) {
        const all = [...names.values()];
        searched = {all, texts: all.map(known => known.text)};
    }
    return searched;
}

/* Sets the expression and finds what it matches. Calls `showMatches` if that is known only later. */
function setPattern(text, ignoresCase) {
    stopMatching();
    Object.assign(search, {text, ignoresCase, pattern: null, isPending: false, problem: ""});
    const {all, texts} = searchedNames();
    for (const known of all) known.isHit = false;
    if (text === "") return;
    let pattern;
    try {
        pattern = new RegExp(text, ignoresCase ? "i" : "");
    } catch (error) {
        search.problem = invalidProblem(error.message);
        return;
    }
    search.isPending = true;
    let isLate = false;
    matchNames(pattern, texts, ({answers, problem}) => {
        Object.assign(search, {pattern: answers === null ? null : pattern, isPending: false, problem});
        answers?.forEach((answer, i) => { all[i].isHit = answer === 1; });
        if (isLate) showMatches();
    });
    isLate = true;
}

/* Finds the drawn matches. A frame that is not drawn contains none. */
function findHits() {
    search.stops = [];
    if (!hasMatches()) return;
    const {nodes} = display;
    for (let i = 0; i < nodes.length; i++) {
        const n = nodes[i];
        if (n.isNarrow) i = n.end - 1;
        else if (isHit(n)) search.stops.push(n);
    }
}

function showMatches() {
    findHits();
    draw();
}

function searchFor(text, ignoresCase = search.ignoresCase) {
    setPattern(text, ignoresCase);
    showMatches();
    remember();
}

/* Highlights all frames of a name, or none any more; leaves the search as it is. */
function highlight(known) {
    search.mark = search.mark === known ? null : known;
    showMatches();
    remember();
}

/* ---- sums ---- */

/* Returns whether a node or one around it matches. */
function isInHit(node) {
    for (let n = node; n !== null; n = n.parent) if (isHit(n)) return true;
    return false;
}

/* Returns what the names of a tree weigh, and remembers it: `names` has the id of each node's name; the
 * others are indexed by it. */
function countsOf(tree) {
    if (tree.counts !== undefined) return tree.counts;
    const {nodes} = tree, n = names.size;
    const counts = {names: new Uint32Array(nodes.length), selves: new Float64Array(n),
                    nets: new Float64Array(n), frames: new Uint32Array(n), narrow: new Uint32Array(n)};
    for (let i = 1; i < nodes.length; i++) {
        const {known: {id}, isNarrow, self, ownNet, w} = nodes[i];
        counts.names[i] = id;
        if (w === 0) continue;
        counts[isNarrow ? "narrow" : "frames"][id]++;
        counts.selves[id] += self;
        counts.nets[id] += ownNet;
    }
    return tree.counts = counts;
}

/* Prepares the first search while the browser is idle. */
const countWhenIdle = tree => globalThis.requestIdleCallback?.(() => countsOf(tree));

/* Returns the total weight of the outermost matches between two positions, and whether unlisted frames
 * may add to it. `net` is that weight with its sign, without regard to the positions. */
function weighHits(tree, start, end, skipped) {
    const {nodes} = tree, ids = countsOf(tree).names, clip = (a, b) => Math.max(0, Math.min(b, end) - Math.max(a, start));
    const sum = {total: 0, net: 0, isLeast: false}, isWhole = start <= 0 && end >= tree.total;
    const isFound = Uint8Array.from(searchedNames().all, known => isMatch(known) ? 1 : 0);
    for (let i = 1; i < nodes.length; i++) {
        if (isWhole && isFound[ids[i]] === 0) continue;
        const n = nodes[i], isOutside = n.x >= end || n.x + n.w <= start;
        if (!isOutside && (isFound[ids[i]] === 0 || skipped.has(n))) continue;
        sum.total += clip(n.x, n.x + n.w);
        sum.net += n.net;
        i = n.end - 1;
    }
    sum.isLeast = tree.lossy.some(n => clip(n.x, n.x + n.w) > 0 && !isInHit(n));
    return sum;
}

/* Adds the self weight of all matches, and the numbers of drawn and other ones. */
function weighEach(tree) {
    const {selves, nets, frames, narrow} = countsOf(tree);
    const sum = {self: 0, selfNet: 0, frames: 0, narrow: 0, isSelfLeast: tree.lossy.some(n => n.w > 0)};
    searchedNames().all.forEach((known, id) => {
        if (!isMatch(known)) return;
        sum.self += selves[id];
        sum.selfNet += nets[id];
        sum.frames += frames[id];
        sum.narrow += narrow[id];
    });
    return sum;
}

let weighed = {}; /* the result of the last weighAll() */

/* Returns the weight of matches among all samples that pass the filters, in either merge
 * direction. */
function weighAll() {
    const {pattern, mark} = search, tree = forward;
    if (weighed.tree !== tree || weighed.pattern !== pattern || weighed.mark !== mark)
        weighed = {tree, pattern, mark, sums: {...weighHits(tree, 0, tree.total, new Set()), ...weighEach(tree)}};
    return weighed.sums;
}

/* Returns the weight of matches in the visible part, without faded frames. The tree of callers lacks
 * narrow branches, so everything is weighed in the other one. */
const weighShown = () => isZoomed() ? weighHits(display, from, from + span, around) : weighAll();

/* ---- movement ---- */

/* Returns the drawn matches in the visible part. */
const hitsInSight = () => search.stops.filter(n => n.x < from + span && n.x + n.w > from);

/* Returns which of some matches the cursor is at, by weight; 0: none. */
const rankOfHit = hits => hits.includes(cursor)
    ? hits.reduce((rank, n) => rank + (n.w > cursor.w || n.w === cursor.w && n.x <= cursor.x && n.depth <= cursor.depth), 0) : 0;

/* Outlines the next or previous match in the visible part, by weight. */
function goToHit(step) {
    const hits = hitsInSight(), next = nextByWeight(hits.length, i => hits[i].w, hits.indexOf(cursor), step);
    if (next >= 0) moveCursor(hits[next], false);
}

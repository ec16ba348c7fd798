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
    hits: [],         /* nodes of the shown tree, in pre-order */
    stops: [],        /* those of them that are drawn */
};

const isHit = n => n.known.isHit && n.parent !== null;

/* Sets the expression and finds what it matches. Calls `showMatches` if that is known only later. */
function setPattern(text, ignoresCase) {
    stopMatching();
    Object.assign(search, {text, ignoresCase, pattern: null, isPending: false, problem: ""});
    const all = [...names.values()];
    for (const known of all) known.isHit = false;
    if (text === "") return;
    let pattern;
    try {
        pattern = new RegExp(text, ignoresCase ? "i" : "");
    } catch (error) {
        search.problem = invalidProblem(error);
        return;
    }
    search.isPending = true;
    let isLate = false;
    matchNames(pattern, all.map(known => known.text), ({answers, problem}) => {
        Object.assign(search, {pattern: answers === null ? null : pattern, isPending: false, problem});
        answers?.forEach((answer, i) => { all[i].isHit = answer === 1; });
        if (isLate) showMatches();
    });
    isLate = true;
}

function findHits() {
    search.hits = search.pattern === null ? [] : display.nodes.filter(isHit);
    search.stops = search.hits.filter(n => !n.isNarrow);
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

const escaped = name => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/* Marks all frames of a name. */
const highlight = name => searchFor(`^${escaped(name)}$`, false);

/* ---- sums ---- */

/* Returns whether a node or one around it matches. */
function isInHit(node) {
    for (let n = node; n !== null; n = n.parent) if (isHit(n)) return true;
    return false;
}

/* Returns the total weight of the outermost matches between two positions, the self weight of all
 * matches, and the numbers of drawn and other matches; isLeast and isSelfLeast if unlisted frames
 * may add to them. */
function weighHits(tree, hits, start, end, skipped) {
    const clip = (a, b) => Math.max(0, Math.min(b, end) - Math.max(a, start));
    const sum = {total: 0, self: 0, frames: 0, narrow: 0, isLeast: false, isSelfLeast: false};
    let covered = -Infinity;
    for (const n of hits) {
        if (skipped.has(n)) continue;
        const w = clip(n.x, n.x + n.w);
        if (w === 0) continue;
        if (n.isNarrow) sum.narrow++;
        else sum.frames++;
        sum.self += clip(n.x, n.x + n.self);
        if (n.x + n.w <= covered) continue;
        sum.total += w;
        covered = n.x + n.w;
    }
    const lossy = tree.lossy.filter(n => clip(n.x, n.x + n.w) > 0);
    sum.isSelfLeast = lossy.length > 0;
    sum.isLeast = lossy.some(n => !isInHit(n));
    return sum;
}

/* Returns the weight of matches among all samples that pass the filters, in either merge
 * direction. */
const weighAll = () =>
    weighHits(forward, forward.nodes.filter(isHit), 0, forward.total, new Set());

/* Returns the weight of matches in the visible part, without faded frames. The tree of callers lacks
 * narrow branches, so everything is weighed in the other one. */
const weighShown = () => showsCallers && !isZoomed() ? weighAll()
    : weighHits(display, search.hits, from, from + span, around);

/* ---- movement ---- */

/* Goes to the next or previous match, which may lie outside the zoomed frame. */
function goToHit(step) {
    const hits = search.stops, now = hits.indexOf(cursor);
    if (hits.length === 0) return;
    const next = now >= 0 ? now + step : step > 0 ? 0 : -1;
    moveCursor(hits[(next + hits.length) % hits.length]);
}

/* Searches by regular expression and computes the weight of the matches.
 *
 * Each name is tested once; titles are not, so numbers never match. The root has no name. Nested
 * matches count once.
 */
const search = {
    text: "",
    ignoresCase: false,
    pattern: null,    /* null: no search */
    isPending: false, /* the matches are not known yet */
    problem: "",      /* why there are no matches */
    hits: [],         /* nodes of the shown tree, in pre-order */
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
        search.problem = `Invalid expression: ${error.message.replace(/^Invalid regular expression: (\/.*\/\w*: )?/s, "")}`;
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

/* Returns the total weight of the outermost matches between two positions, and the self weight of
 * all matches. */
function weighHits(nodes, start, end, skipped) {
    const clip = (a, b) => Math.max(0, Math.min(b, end) - Math.max(a, start));
    const sum = {total: 0, self: 0, frames: 0};
    let covered = -Infinity;
    for (const n of nodes) {
        if (skipped.has(n) || !isHit(n)) continue;
        const w = clip(n.x, n.x + n.w);
        if (w === 0) continue;
        sum.frames++;
        sum.self += clip(n.x, n.x + n.self);
        if (n.x + n.w <= covered) continue;
        sum.total += w;
        covered = n.x + n.w;
    }
    return sum;
}

/* Returns the weight of matches in the visible part, without faded frames. */
const weighShown = () => weighHits(search.hits, from, from + span, around);

/* Returns the weight of matches among all samples that pass the filters, in either merge
 * direction. */
const weighAll = () => weighHits(forward.nodes, 0, forward.total, new Set());

/* ---- movement ---- */

/* Goes to the next or previous match, which may lie outside the zoomed frame. */
function goToHit(step) {
    const hits = search.hits, now = hits.indexOf(cursor);
    if (hits.length === 0) return;
    const next = now >= 0 ? now + step : step > 0 ? 0 : -1;
    moveCursor(hits[(next + hits.length) % hits.length]);
}

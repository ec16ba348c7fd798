/* SPDX-License-Identifier: MIT */
/* Searches by regular expression and computes the weight of the matches.
 *
 * Each name is tested once. The root has no name. Nested matches count once.
 */
const search = {text: "", ignoresCase: false, pattern: null, problem: "", answers: null};

const isSearching = () => search.pattern !== null && search.answers === null;

/* Sets the expression and finds what it matches. Calls `later` if that is known only later. */
function setPattern(text, ignoresCase, later) {
    stopMatching();
    Object.assign(search, {text, ignoresCase, pattern: null, problem: "", answers: null});
    if (text === "") return;
    try {
        search.pattern = new RegExp(text, ignoresCase ? "iu" : "u");
    } catch {
        try {
            search.pattern = new RegExp(text, ignoresCase ? "i" : "");
        } catch (error) {
            search.problem = invalidProblem(error.message);
            return;
        }
    }
    let isLate = false;
    matchNames(search.pattern, functions.names, ({answers, problem}) => {
        if (answers === null) search.pattern = null;
        else answers[rootFunction] = 0;
        Object.assign(search, {answers, problem});
        if (isLate) later();
    });
    isLate = true;
}

const isMatch = fn => search.answers !== null && search.answers[fn] === 1;

let marking = {fn: -1, answers: null};

/* Returns which functions are matches, as `search.answers` does, or null: those of the search, or for want
 * of one the highlighted function. */
function matches() {
    const fn = view.marked;
    if (search.text !== "" || fn < 0) return search.answers;
    if (marking.fn !== fn) {
        marking = {fn, answers: new Uint8Array(functions.names.length)};
        marking.answers[fn] = 1;
    }
    return marking.answers;
}

/* Returns the weight of the outermost matches between two positions. */
function weightOfMatches(tree, start, end) {
    const {x, total, fn, n} = tree, answers = matches();
    let weight = 0;
    if (answers === null) return weight;
    for (let i = 1; i < n; i++) {
        const isHit = answers[fn[i]] === 1, to = x[i] + total[i];
        if (!isHit && x[i] < end && to > start) continue;
        weight += Math.max(0, Math.min(end, to) - Math.max(start, x[i]));
        i = tree.end[i] - 1;
    }
    return weight;
}

/* Returns the weight of the outermost matches with its sign. */
function netOfMatches(tree) {
    const {total} = netsOf(tree), {fn, end, n} = tree, answers = matches();
    let net = 0;
    for (let i = 1; i < n; i++) {
        if (answers[fn[i]] !== 1) continue;
        net += total[i];
        i = end[i] - 1;
    }
    return net;
}

/* Returns the self weight and the number of frames of each function, and remembers them. */
function countsOf(tree) {
    const {total, fn, n, weight} = tree, {self} = netsOf(tree);
    if (tree.counts?.weight === weight) return tree.counts;
    const counts = {weight, selves: new Float64Array(rootFunction + 1), frames: new Uint32Array(rootFunction + 1)};
    for (let i = 1; i < n; i++) {
        if (total[i] === 0) continue;
        counts.selves[fn[i]] += self[i];
        counts.frames[fn[i]]++;
    }
    return tree.counts = counts;
}

/* Counts while the browser is idle, so that the first search is quick. */
const countSoon = () => globalThis.requestIdleCallback?.(() => countsOf(view.tree));

/* Weighs all matches: returns the total width of the outermost ones, their weight with its sign, the self
 * weight of all, and their number. */
function weighMatches(tree) {
    const {selves, frames} = countsOf(tree), answers = matches();
    const sums = {total: weightOfMatches(tree, 0, tree.total[0]), net: 0, self: 0, frames: 0};
    sums.net = isSigned(tree.weight) && answers !== null ? netOfMatches(tree) : sums.total;
    for (let f = 0; answers !== null && f < rootFunction; f++) {
        if (answers[f] !== 1) continue;
        sums.self += selves[f];
        sums.frames += frames[f];
    }
    return sums;
}

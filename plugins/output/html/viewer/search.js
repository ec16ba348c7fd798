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
            search.problem = invalidProblem(error);
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

/* Returns the total weight of the outermost matches between two positions, the self weight of all
 * matches, and their number. */
function weighMatches(tree, start, end) {
    const {x, total, fn, n} = tree, self = tree.selves[tree.weight], {answers} = search;
    let weight = 0, own = 0, frames = 0;
    let covered = 0; /* nodes before this one are within a match */
    for (let i = 1; i < n; i++) {
        if (x[i] >= end || x[i] + total[i] <= start) {
            if (total[i] > 0) i = tree.end[i] - 1;
            continue;
        }
        if (answers === null || answers[fn[i]] !== 1) continue;
        frames++;
        own += self[i];
        if (i < covered) continue;
        weight += Math.min(end, x[i] + total[i]) - Math.max(start, x[i]);
        covered = tree.end[i];
    }
    return {total: weight, self: own, frames};
}

const escaped = name => name.replace(/[\\^$.+?()[\]{}|]|\x2a/g, "\\$&");

/* SPDX-License-Identifier: MIT */
/* Tests names against a regular expression and leaves the page responsive.
 *
 * A script cannot interrupt a match. An expression with a small bound on its steps is tested on the
 * spot. Any other is tested by a worker, which is terminated when one name takes too long. Both stop
 * after PATIENCE if they need more than a microsecond per character, as only backtracking does.
 */
const PATIENCE = 250;   /* milliseconds */
const FEW_STEPS = 2e6;  /* for one name: some milliseconds */
const MANY_STEPS = 1e9; /* for one name, where workers are forbidden */

const slowProblem = `Stopped after ${PATIENCE} ms: the expression backtracks too much`;
const costlyProblem = "Not searched: the expression could backtrack too much";

/* Returns an upper bound on the steps of a backtracking matcher in a name of that length: places to
 * start, times the ways through the expression, times the cost of a way. What can match in several
 * ways has no bound when it is repeated. */
function mostSteps(source, length) {
    const tokens = source.match(/\\.|\[(?:\\.|[^\]\\])*\]|\(\?<?|\{\d+(?:,\d*)?\}|./gsu) || [];
    const outer = [], start = () => ({sum: 0, product: 1, last: 1});
    const all = ways => ways.sum + ways.product * ways.last;
    let ways = start(), cost = tokens.length;
    const repeat = (least, most) => {
        if (most <= 1) ways.last += most - least;
        else ways.last = ways.last === 1 ? most - least + 1 : Infinity;
    };
    for (const token of tokens) {
        if (token[0] === "(") {
            outer.push(ways);
            ways = start();
        } else if (token === ")") {
            const inside = all(ways), {sum, product, last} = outer.pop();
            ways = {sum, product: product * last, last: inside};
        } else if (token === "|") {
            ways = {sum: all(ways), product: 1, last: 1};
        } else if (token === "?") {
            repeat(0, 1);
        } else if (token === "*" || token === "+") {
            repeat(0, length);
        } else if (/^\{\d/.test(token)) {
            const [least, most = least] = token.slice(1, -1).split(",");
            repeat(Number(least), most === "" ? Number(least) + length : Number(most));
        } else {
            if (/^\\[1-9k]/.test(token)) cost += length;
            ways = {sum: ways.sum, product: ways.product * ways.last, last: 1};
        }
    }
    const isAnchored = source[0] === "^" && ways.sum === 0;
    return (isAnchored ? 1 : length + 1) * all(ways) * cost;
}

/* Tests all names and calls `beat` at the start and from time to time. Returns the answers, 1 or 0
 * each; null if it was too slow. Looks at the clock after some characters, since that takes as long as
 * a test. A pause of the whole page, as on a busy machine, counts as a fifth of the patience at most.
 * Uses nothing but its arguments: the worker runs it too. */
function testNames(pattern, names, patience, beat) {
    const answers = new Uint8Array(names.length), pause = patience / 5, unwatched = 200;
    let length = 0, spent = 0, last = performance.now(), next = last, watched = 0;
    for (let i = 0; i < names.length; i++) {
        if (length >= watched) {
            const now = performance.now();
            spent += Math.min(now - last, pause);
            last = now;
            watched = length + unwatched;
            if (spent > patience && 1000 * spent > length) return null;
            if (now >= next) {
                next = now + pause;
                beat();
            }
        }
        answers[i] = pattern.test(names[i]) ? 1 : 0;
        length += names[i].length + 1;
    }
    return answers;
}

/* Describes an invalid expression in the same way in all browsers, without repeating it. */
const LONGEST_PROBLEM = 100; /* characters */
const invalidProblem = message => {
    const problem = message.replace(/^Invalid regular expression: (\/.*\/\w*: )?/s, "");
    return `Invalid expression: ${problem.length > LONGEST_PROBLEM ? problem.slice(0, LONGEST_PROBLEM) + "…" : problem}`;
};

/* Returns {answers, problem} of a test: the answers are null if there is a problem. */
function outcomeOf(answers) {
    return {answers, problem: answers === null ? slowProblem : ""};
}

/* Tests names here. */
function matchHere(pattern, names) {
    try {
        return outcomeOf(testNames(pattern, names, PATIENCE, () => {}));
    } catch (error) { /* some expressions turn out to be too large when they are used */
        return {answers: null, problem: invalidProblem(error.message)};
    }
}

const workerScript = () => `const testNames = ${testNames};
onmessage = ({data: [pattern, names, patience]}) => {
    try {
        postMessage({answers: testNames(pattern, names, patience, () => postMessage(null))});
    } catch (error) {
        postMessage({problem: error.message});
    }
};`;

let stopMatching = () => {}; /* ends what a worker is doing */

/* Tests names in a worker and calls `done` with the outcome, or with null where there are no
 * workers. */
function matchInWorker(pattern, names, done) {
    const url = URL.createObjectURL(new Blob([workerScript()], {type: "text/javascript"}));
    let worker = null, timer = 0;
    stopMatching = () => {
        clearTimeout(timer);
        worker?.terminate();
        URL.revokeObjectURL(url);
        stopMatching = () => {};
    };
    const end = outcome => {
        stopMatching();
        done(outcome);
    };
    try {
        worker = new Worker(url);
    } catch {
        end(null);
        return;
    }
    worker.onerror = event => {
        event.preventDefault();
        end(null);
    };
    worker.onmessage = ({data}) => {
        clearTimeout(timer);
        if (data === null) timer = setTimeout(() => end(outcomeOf(null)), PATIENCE);
        else end(data.problem === undefined ? outcomeOf(data.answers) : {answers: null, problem: invalidProblem(data.problem)});
    };
    worker.postMessage([pattern, names, PATIENCE]);
}

let lengths = {names: null, longest: 0}; /* the last result of longestOf() */

function longestOf(names) {
    if (lengths.names === names) return lengths.longest;
    let longest = 0;
    for (const name of names) longest = Math.max(longest, name.length);
    lengths = {names, longest};
    return longest;
}

/* Tests names and calls `done` with {answers, problem}: at once, or later for an expression that may
 * take long. A call ends an earlier one, whose `done` is not called any more. */
function matchNames(pattern, names, done) {
    stopMatching();
    const steps = mostSteps(pattern.source, longestOf(names));
    if (steps <= FEW_STEPS) {
        done(matchHere(pattern, names));
        return;
    }
    matchInWorker(pattern, names, outcome => {
        if (outcome !== null) done(outcome);
        else done(steps <= MANY_STEPS ? matchHere(pattern, names) : {answers: null, problem: costlyProblem});
    });
}

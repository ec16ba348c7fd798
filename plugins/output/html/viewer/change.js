/* SPDX-License-Identifier: MIT */
/* Derives trees from trees: hides frames, keeps or drops stacks, merges recursion, collects callers
 * and callees.
 *
 * The given tree is already measured and never changes. Samples are conserved: each one that is not
 * dropped is counted exactly once in the result.
 */
const NOWHERE = -1;

/* Moves the samples of a tree to other nodes. Calls `place` for each node below the root, outer
 * nodes first, with the node, the target of its parent's samples and the builder; it returns the
 * target of the node's samples, or NOWHERE. `counts` returns whether a node's self samples are
 * kept. */
function moved(tree, place, start = 0, counts = () => true) {
    if (tree.isTimed) return movedInTime(tree, place, start, counts);
    const builder = new Builder(tree.selves.length), to = new Int32Array(tree.n);
    to[0] = start;
    if (start !== NOWHERE && counts(0)) builder.add(0, tree.selves, 0);
    for (let i = 1; i < tree.n; i++) {
        to[i] = place(i, to[tree.parent[i]], builder);
        if (to[i] !== NOWHERE && counts(i)) builder.add(to[i], tree.selves, i);
    }
    return builder.done();
}

/* Does the same for a tree in chronological order; consecutive samples stay consecutive. */
function movedInTime(tree, place, start, counts) {
    const builder = new TimeBuilder(), to = new Int32Array(tree.n), open = [0];
    const told = Float64Array.from(tree.x); /* by node: how far its time is used up */
    const spend = (i, until) => {
        if (until > told[i] && to[i] !== NOWHERE && counts(i)) builder.spend(to[i], until - told[i]);
        told[i] = until;
    };
    const close = i => {
        const end = tree.x[i] + tree.total[i];
        spend(i, end);
        if (hasChanges(tree) && to[i] !== NOWHERE && counts(i)) builder.addMore(to[i], tree, i);
        told[tree.parent[i]] = end;
    };
    to[0] = start;
    for (let i = 1; i < tree.n; i++) {
        while (tree.end[open[open.length - 1]] <= i) close(open.pop());
        spend(tree.parent[i], tree.x[i]);
        to[i] = place(i, to[tree.parent[i]], builder);
        open.push(i);
    }
    while (open.length > 0) close(open.pop());
    return builder.done();
}

/* Removes the frames of a function from their stacks. */
const hidden = (tree, fn) => moved(tree, (i, above, b) =>
    tree.fn[i] === fn ? above : b.child(above, tree, i));

/* Drops the stacks that contain a function. */
const dropped = (tree, fn) => moved(tree, (i, above, b) =>
    above === NOWHERE || tree.fn[i] === fn ? NOWHERE : b.child(above, tree, i));

/* Keeps only the stacks that contain a function, with all their frames. */
function kept(tree, fn) {
    const within = new Uint8Array(tree.n), around = new Uint8Array(tree.n);
    for (let i = 1; i < tree.n; i++)
        within[i] = tree.fn[i] === fn || within[tree.parent[i]] === 1 ? 1 : 0;
    for (let i = tree.n - 1; i > 0; i--)
        if (within[i] === 1 || around[i] === 1) around[tree.parent[i]] = 1;
    return moved(tree, (i, above, b) =>
        within[i] + around[i] === 0 ? NOWHERE : b.child(above, tree, i), 0, i => within[i] === 1);
}

/* Keeps only the callees of a function; its outermost frame becomes the first frame of the
 * stack. */
const focused = (tree, fn) => moved(tree, (i, above, b) =>
    above !== NOWHERE ? b.child(above, tree, i) : tree.fn[i] === fn ? b.child(0, tree, i) : NOWHERE,
    NOWHERE);

/* ---- runs of unnamed frames ---- */

const isNextInRun = (tree, i) => {
    const p = tree.parent[i];
    return p !== 0 && tree.fn[p] === tree.fn[i] && functions.unnamed[tree.fn[i]];
};

function hasRuns(tree) {
    if (tree.hasRuns === undefined) {
        tree.hasRuns = false;
        for (let i = 1; i < tree.n && !tree.hasRuns; i++) tree.hasRuns = isNextInRun(tree, i);
    }
    return tree.hasRuns;
}

/* Returns a tree in which unnamed frames of a module that call each other are one frame, which knows the number of its
 * longest run. */
function foldRuns(tree) {
    if (!hasRuns(tree)) return tree;
    if (tree.folded?.weight === tree.weight) return tree.folded;
    const runs = new Uint32Array(tree.n); /* length so far, by node */
    const made = moved(tree, (i, above, b) => {
        const isNext = isNextInRun(tree, i), to = isNext ? above : b.child(above, tree, i);
        runs[i] = isNext ? runs[tree.parent[i]] + 1 : 1;
        b.runs ??= [];
        b.runs[to] = Math.max(b.runs[to] ?? 1, runs[i]);
        return to;
    });
    return tree.folded = measure(made, tree.weight);
}

/* Returns which nodes have a path in which runs are folded: by node, how many of its functions lead there, or -1. In
 * the order of time, only the calls from `start` to `end` count. */
function progressOf(tree, path, start, end) {
    const progress = new Int32Array(tree.n).fill(-1);
    progress[0] = 0;
    for (let i = 1; i < tree.n; i++) {
        const before = progress[tree.parent[i]];
        if (before < 0 || tree.isTimed && (tree.x[i] >= end || tree.x[i] + tree.total[i] <= start)) continue;
        if (isNextInRun(tree, i)) progress[i] = before;
        else if (tree.fn[i] === path[before]) progress[i] = before + 1;
    }
    return progress;
}

/* Keeps the nodes for which one node stands in a tree with folded runs, and their descendants. */
function focusedRuns(tree, filter) {
    const folded = foldRuns(tree);
    if (filter.path === undefined || tree.isTimed) {
        const node = Math.max(0, nodeAt(folded, ...filter.place));
        Object.assign(filter, {path: pathOf(folded, node).slice(1).map(i => folded.fn[i]),
                               start: folded.x[node], end: folded.x[node] + folded.total[node]});
    }
    const {path, start, end} = filter, progress = progressOf(tree, path, start, end);
    return moved(tree, (i, above, b) => above !== NOWHERE ? b.child(above, tree, i)
        : progress[i] === path.length ? b.child(0, tree, i) : NOWHERE, path.length === 0 ? 0 : NOWHERE);
}

/* Keeps only one node, found by its place, and its descendants; it becomes the first frame. The place
 * is found once and then known by names, since it differs between weights. */
function focusedPart(tree, _, filter) {
    if (!filter.isOpen && hasRuns(tree)) return focusedRuns(tree, filter);
    if (filter.path === undefined) {
        const node = nodeAt(tree, ...filter.place);
        filter.path = node < 0 ? [] : pathOf(tree, node).slice(1).map(i => tree.fn[i]);
    }
    const root = follow(tree, filter.path);
    return moved(tree, (i, above, b) =>
        above !== NOWHERE ? b.child(above, tree, i) : i === root ? b.child(0, tree, i) : NOWHERE,
        root === 0 ? 0 : NOWHERE);
}

/* Merges directly recursive calls of a function into one frame. */
const withoutRecursion = tree => moved(tree, (i, above, b) =>
    above !== 0 && b.fn[above] === tree.fn[i] ? above : b.child(above, tree, i));

/* ---- callers and callees ---- */

/* Returns the outermost nodes of a function. */
function* outermost(tree, fn) {
    for (let i = 1; i < tree.n; i++) {
        if (tree.fn[i] !== fn) continue;
        yield i;
        i = tree.end[i] - 1;
    }
}

/* Returns the tree of a function's callers: child nodes are callers. */
function callersOf(tree, fn) {
    const builder = new Builder(tree.selves.length);
    const totals = tree.selves.map((self, w) => w === tree.weight ? tree.total : totalsOf(tree, self));
    for (const node of outermost(tree, fn)) {
        let at = 0;
        for (let i = node; i !== 0; i = tree.parent[i]) at = builder.child(at, tree, i);
        builder.add(at, totals, node);
    }
    return builder.done();
}

/* Stacks lighter than this share of the total end early in a bottom-up tree of a large profile. */
const LEAST_SHARE = 1 / 20000;
const FEW_FRAMES = 4e6; /* of all stacks together */

/* Returns the tree of all stacks from their leaves: child nodes are callers. Goes up all stacks at
 * once, by one frame in each round, and so knows what a node weighs before it goes on. */
function bottomUp(tree) {
    if (tree.bottomUp?.weight === tree.weight) return tree.bottomUp;
    const builder = new Builder(tree.selves.length), self = tree.selves[tree.weight], {parent, depth} = tree;
    builder.add(0, tree.selves, 0);
    const weights = []; /* by node of the result */
    const leaves = [];
    let frames = 0;
    for (let i = 1; i < tree.n; i++) {
        if (tree.selves.every(column => column === null || column[i] === 0)) continue;
        leaves.push(i);
        frames += depth[i];
    }
    const least = frames > FEW_FRAMES ? tree.total[0] * LEAST_SHARE : 0;
    const at = new Uint32Array(leaves.length), frame = Uint32Array.from(leaves);
    for (let n = leaves.length, kept; n > 0; n = kept) {
        for (let k = 0; k < n; k++) {
            at[k] = builder.child(at[k], tree, frame[k]);
            weights[at[k]] = (weights[at[k]] ?? 0) + self[leaves[k]];
        }
        kept = 0;
        for (let k = 0; k < n; k++) {
            const outer = parent[frame[k]];
            if (outer === 0 || weights[at[k]] < least) {
                builder.add(at[k], tree.selves, leaves[k]);
                continue;
            }
            leaves[kept] = leaves[k];
            at[kept] = at[k];
            frame[kept++] = outer;
        }
    }
    return tree.bottomUp = measure(builder.done(), tree.weight);
}

/* ---- functions ---- */

const SIZE = 3; /* index of sizes in the sums */

/* Returns self and total weights of each function: with their signs, before and after, and as sizes.
 * Recursive calls count once. */
function sumsOf(tree) {
    const n = functions.names.length, nets = netsOf(tree);
    const weights = [nets.self], totals = [nets.total], kinds = [0];
    if (isComparison) {
        weights.push(netSelf(tree, data.before), netSelf(tree, data.after));
        totals.push(tree.before, tree.after);
        kinds.push(1, 2);
    }
    if (isSigned(tree.weight)) {
        weights.push(tree.selves[tree.weight]);
        totals.push(tree.total);
        kinds.push(SIZE);
    }
    const sums = {self: weights.map(() => new Float64Array(n)),
                  total: weights.map(() => new Float64Array(n))};
    const open = new Uint32Array(n), met = new Uint8Array(n);
    for (let i = 1; i < tree.n; i++) {
        const fn = tree.fn[i], isOuter = i >= open[fn];
        if (tree.total[i] > 0 || !tree.isPart) met[fn] = 1;
        if (isOuter) open[fn] = tree.end[i];
        for (let k = 0; k < weights.length; k++) {
            sums.self[k][fn] += weights[k][i];
            if (isOuter) sums.total[k][fn] += totals[k][i];
        }
    }
    const byKind = columns => [0, 1, 2, SIZE].map(kind => columns[Math.max(0, kinds.indexOf(kind))]);
    return {self: byKind(sums.self), total: byKind(sums.total), met};
}

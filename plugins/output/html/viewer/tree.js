/* SPDX-License-Identifier: MIT */
/* Represents call trees as columns: a million nodes take only a few arrays.
 *
 * Nodes are in pre-order: the descendants of node i are i + 1 … end[i] - 1. Node 0 is the root.
 * `selves` has a column for each weight. `measure` computes everything that depends on the chosen
 * weight: x is the weight to the left of a node; its self weight comes before its children's. Weights
 * with signs are there as sizes; netsOf() has them with their signs, as have `before` and `after`.
 */
function newTree(n) {
    return {n, frame: new Uint32Array(n), fn: new Uint32Array(n), parent: new Uint32Array(n),
            depth: new Uint32Array(n), end: new Uint32Array(n), color: new Uint32Array(n),
            selves: [], weight: -1, total: null, x: null, height: null, before: null, after: null,
            run: null}; /* by node: number of unnamed frames that it stands for, if there are any such */
}

const rootColor = data.colors[0];

/* ---- the file's tree ---- */

function readTree() {
    const up = column(data.calls.up, Uint32Array, 1), n = up.length, frame = column(data.calls.frame, Uint32Array, 1, n);
    const colors = data.callColors === undefined ? null : column(data.callColors, Uint32Array, 1, n);
    const tree = newTree(frame.length), open = [0];
    tree.frame = frame;
    frame[0] = rootFrame;
    for (let i = 0, depth = 0; i < tree.n; i++) {
        depth = i === 0 ? 0 : depth + 1 - up[i];
        tree.depth[i] = depth;
        tree.parent[i] = depth > 0 ? open[depth - 1] : 0;
        open[depth] = i;
        tree.fn[i] = functions.ofFrame[frame[i]];
        const own = colors === null ? 0 : colors[i];
        tree.color[i] = data.colors[own > 0 ? own - 1 : frameTable.color[frame[i]] ?? 0];
    }
    if (tree.n > 0) tree.color[0] = rootColor;
    tree.selves = data.selves.map(text => column(text, Float64Array, 0, n));
    return closed(tree);
}

/* Fills in the end of each node's descendants. */
function closed(tree) {
    for (let i = tree.n - 1; i >= 0; i--) {
        if (tree.end[i] === 0) tree.end[i] = i + 1;
        const p = tree.parent[i];
        if (i > 0 && tree.end[p] < tree.end[i]) tree.end[p] = tree.end[i];
    }
    return tree;
}

/* Decodes the tree in chronological order, or returns null. It has only the file's weight, and the
 * file gives x and totals. */
function readTimeline() {
    if (data.time === undefined) return null;
    const frame = column(data.time.frame, Uint32Array, 1), up = column(data.time.up, Uint32Array, 1);
    const later = column(data.time.start, Float64Array, 1);
    const tree = newTree(frame.length), open = [0];
    tree.frame = frame;
    frame[0] = rootFrame;
    tree.x = new Float64Array(tree.n);
    tree.total = column(data.time.total, Float64Array, 1);
    for (let i = 0, depth = 0; i < tree.n; i++) {
        depth = i === 0 ? 0 : depth + 1 - up[i];
        tree.depth[i] = depth;
        tree.parent[i] = depth > 0 ? open[depth - 1] : 0;
        open[depth] = i;
        tree.fn[i] = functions.ofFrame[frame[i]];
        tree.color[i] = data.colors[frameTable.color[frame[i]] ?? 0];
        tree.x[i] = i === 0 ? 0 : tree.x[i - 1] + later[i];
    }
    tree.color[0] = rootColor;
    tree.total[0] = data.time.root?.total ??
        column(data.selves[data.weight], Float64Array).reduce((sum, self) => sum + self, 0);
    return timed(closed(tree), timeColumns());
}

/* Returns a function that returns the columns of the file's timeline. A call of a comparison has either a
 * gain or a loss on each side. */
function timeColumns() {
    const columns = new Map(), read = (name, first) => {
        const self = column(data.time[name], Float64Array, 1);
        self[0] = first;
        return self;
    };
    if (!isComparison && isSigned(data.weight))
        columns.set(lossesOf.get(data.weight), read("losses", data.time.root.losses));
    for (const side of isComparison ? ["before", "after"] : []) {
        const w = data[side], l = lossesOf.get(w), first = weight => column(data.selves[weight], Float64Array)[0];
        const size = read(side, first(w));
        columns.set(w, size);
        if (l === undefined) continue;
        const losses = read({before: "lossesBefore", after: "lossesAfter"}[side], first(l));
        columns.set(l, losses);
        losses.forEach((loss, i) => { if (i > 0) size[i] += loss; });
    }
    return w => columns.get(w);
}

/* Returns the columns of a timeline beside its own weight: both sides of a comparison, and losses. */
function columnsBesideTime() {
    const weights = isComparison ? [data.before, data.after] : [];
    const signed = (isComparison ? weights : [data.weight]).filter(w => isSigned(w));
    return [...weights, ...signed.map(w => lossesOf.get(w))];
}

/* Computes everything that follows from x and totals, and from the columns that `selfOf` returns. */
function timed(tree, selfOf) {
    const self = Float64Array.from(tree.total);
    for (let i = 1; i < tree.n; i++) self[tree.parent[i]] -= tree.total[i];
    tree.selves = data.weights.map(() => null);
    for (const w of columnsBesideTime()) tree.selves[w] = selfOf(w);
    if (isComparison) compareInTime(tree, self);
    tree.selves[data.weight] = self;
    return Object.assign(tree, {isTimed: true, weight: data.weight, height: heightsOf(tree)});
}

/* Computes the totals of both sides, and the losses in the tree's weight, whose sizes are known. */
function compareInTime(tree, size) {
    const before = netSelf(tree, data.before), after = netSelf(tree, data.after);
    tree.before = totalsOf(tree, before);
    tree.after = totalsOf(tree, after);
    if (!isSigned(data.weight)) return;
    const net = data.weight === data.before ? before : data.weight === data.after ? after
        : before.map((value, i) => value + after[i]);
    tree.selves[lossesOf.get(data.weight)] = size.map((v, i) => (v - net[i]) / 2);
}

/* ---- measurement ---- */

function totalsOf(tree, self) {
    const total = Float64Array.from(self);
    for (let i = tree.n - 1; i > 0; i--) total[tree.parent[i]] += total[i];
    return total;
}

/* ---- signs ---- */

const isSigned = weight => lossesOf.has(weight);

/* Returns the self weights of nodes with their signs. */
function netSelf(tree, weight) {
    const losses = isSigned(weight) ? tree.selves[lossesOf.get(weight)] : null;
    return losses === null ? tree.selves[weight] : tree.selves[weight].map((size, i) => size - 2 * losses[i]);
}

/* Returns the weights {self, total} of nodes in the tree's weight with their signs, and remembers
 * them. */
function netsOf(tree) {
    const {weight} = tree;
    if (!isSigned(weight)) return {self: tree.selves[weight], total: tree.total};
    if (tree.nets?.weight === weight) return tree.nets;
    const self = netSelf(tree, weight);
    return tree.nets = {weight, self, total: totalsOf(tree, self)};
}

/* Returns whether nodes have changes: those of a comparison, or gains and losses. */
const hasChanges = tree => isComparison || isSigned(tree.weight);

/* Returns the change of a node: after less before, or gains less losses. */
function changesOf(tree) {
    if (!isComparison) return netsOf(tree).total;
    return tree.after.map((after, i) => after - tree.before[i]);
}

/* Returns the change of one node. */
const changeOf = (tree, i) => isComparison ? tree.after[i] - tree.before[i] : netsOf(tree).total[i];

/* Returns the number of rows with positive weight above each node. */
function heightsOf({n, parent, total}) {
    const height = new Uint32Array(n);
    for (let i = n - 1; i > 0; i--)
        if (total[i] > 0 && height[parent[i]] <= height[i]) height[parent[i]] = height[i] + 1;
    return height;
}

/* Computes everything that depends on a weight. */
function measure(tree, weight) {
    if (tree.weight === weight) return tree;
    const {n, parent} = tree, self = tree.selves[weight];
    const total = totalsOf(tree, self), x = new Float64Array(n), next = new Float64Array(n);
    next[0] = self[0];
    for (let i = 1; i < n; i++) {
        const p = parent[i];
        x[i] = next[p];
        next[p] += total[i];
        next[i] = x[i] + self[i];
    }
    Object.assign(tree, {weight, total, x, deltaColors: undefined, changeScale: undefined});
    tree.height = heightsOf(tree);
    if (isComparison && tree.before === null) {
        tree.before = totalsOf(tree, netSelf(tree, data.before));
        tree.after = totalsOf(tree, netSelf(tree, data.after));
    }
    return tree;
}

/* Returns a measured tree with its siblings by weight, heaviest first; equal ones stay in their order. `origin`
 * has the nodes of the given tree. */
function byWeight(tree) {
    if (tree.isTimed) return tree;
    if (tree.byWeight?.weight === tree.weight) return tree.byWeight;
    const {n, end, total} = tree, origin = new Uint32Array(n), place = new Uint32Array(n), todo = [0], made = newTree(n);
    for (let at = 0; todo.length > 0; at++) {
        const i = todo.pop(), children = [];
        origin[at] = i;
        place[i] = at;
        for (let c = i + 1; c < end[i]; c = end[c]) children.push(c);
        children.sort((a, b) => total[a] - total[b] || b - a);
        for (const c of children) todo.push(c);
    }
    const turned = column => column === null ? null : column.map((_, at) => column[origin[at]]);
    for (const key of ["frame", "fn", "depth", "color"]) made[key] = turned(tree[key]);
    made.parent = made.parent.map((_, at) => place[tree.parent[origin[at]]]);
    made.run = turned(tree.run);
    made.selves = tree.selves.map(turned);
    return tree.byWeight = measure(Object.assign(closed(made), {origin, isPart: tree.isPart}), tree.weight);
}

/* ---- construction ---- */

/* Builds a tree from nodes in any order that puts callers before callees. */
class Builder {
    constructor(weights) {
        this.parent = [0];
        this.frame = [rootFrame];
        this.fn = [rootFunction];
        this.color = [rootColor];
        this.widest = [-1];
        this.selves = Array.from({length: weights}, () => [0]);
        this.slots = new Uint32Array(1 << 12); /* hash table of nodes; 0: free */
        this.runs = null; /* by node: see Tree.run */
    }

    /* Returns the slot of a child, or the free slot where it belongs. */
    slotOf(parent, fn) {
        const {slots} = this, mask = slots.length - 1;
        let hash = Math.imul(parent, 0x9e3779b1) ^ Math.imul(fn, 0x85ebca6b);
        hash ^= hash >>> 15;
        for (let slot = hash & mask;; slot = slot + 1 & mask) {
            const at = slots[slot];
            if (at === 0 || this.parent[at] === parent && this.fn[at] === fn) return slot;
        }
    }

    /* Keeps more than half of the hash table free. */
    growTable() {
        const n = this.parent.length;
        if (2 * n < this.slots.length) return;
        this.slots = new Uint32Array(4 * this.slots.length);
        for (let at = 1; at < n; at++) this.slots[this.slotOf(this.parent[at], this.fn[at])] = at;
    }

    /* Returns the child for a node of another tree, adding it if needed. Its colour and frame are
     * those of the widest such node. */
    child(parent, tree, i) {
        const fn = tree.fn[i], slot = this.slotOf(parent, fn);
        let at = this.slots[slot];
        if (at === 0) {
            at = this.slots[slot] = this.parent.length;
            this.parent.push(parent);
            this.fn.push(fn);
            this.frame.push(0);
            this.color.push(0);
            this.widest.push(-1);
            for (const self of this.selves) self.push(0);
            this.growTable();
        }
        if (tree.total[i] > this.widest[at]) {
            this.widest[at] = tree.total[i];
            this.frame[at] = tree.frame[i];
            this.color[at] = tree.color[i];
        }
        return at;
    }

    add(at, columns, i) {
        for (let w = 0; w < columns.length; w++) this.selves[w][at] += columns[w][i];
    }

    /* Returns the first child and the next sibling of each node; siblings are sorted by name. */
    brothers() {
        const n = this.parent.length, first = new Uint32Array(n), next = new Uint32Array(n);
        const start = new Uint32Array(functions.names.length + 1), byRank = new Uint32Array(n);
        for (let i = 1; i < n; i++) start[functions.rank[this.fn[i]] + 1]++;
        for (let r = 1; r < start.length; r++) start[r] += start[r - 1];
        for (let i = 1; i < n; i++) byRank[start[functions.rank[this.fn[i]]]++] = i;
        for (let k = n - 2; k >= 0; k--) {
            const i = byRank[k];
            next[i] = first[this.parent[i]];
            first[this.parent[i]] = i;
        }
        return {first, next};
    }

    /* Returns the tree with its nodes in pre-order. */
    done() {
        const n = this.parent.length, tree = newTree(n), {first, next} = this.brothers();
        const place = new Uint32Array(n);
        if (this.runs !== null) tree.run = new Uint32Array(n);
        tree.selves = this.selves.map(() => new Float64Array(n));
        let from = 0;
        for (let i = 0; i < n; i++) {
            place[from] = i;
            tree.parent[i] = from === 0 ? 0 : place[this.parent[from]];
            tree.depth[i] = from === 0 ? 0 : tree.depth[tree.parent[i]] + 1;
            tree.frame[i] = this.frame[from];
            tree.fn[i] = this.fn[from];
            tree.color[i] = this.color[from];
            if (this.runs !== null) tree.run[i] = this.runs[from] ?? 1;
            for (let w = 0; w < this.selves.length; w++) tree.selves[w][i] = this.selves[w][from];
            if (first[from] !== 0) {
                from = first[from];
                continue;
            }
            while (from !== 0 && next[from] === 0) from = this.parent[from];
            from = next[from];
        }
        return closed(tree);
    }
}

/* Builds a tree in chronological order from samples in that order. Callers name the calls that may
 * spend time; a node is created only when its call spends time, and is extended while no other call
 * does. Nodes are created in pre-order. */
class TimeBuilder {
    constructor() {
        this.now = 0;
        this.fn = [rootFunction]; /* functions of the named calls */
        this.named = [{parent: -1, tree: null, i: 0, node: 0}];
        this.nodes = [{parent: 0, tree: null, i: 0, start: 0, end: 0, last: 0, more: null}]; /* last: child */
        this.runs = null; /* by named call */
        this.beside = columnsBesideTime();
    }

    child(parent, tree, i) {
        this.fn.push(tree.fn[i]);
        return this.named.push({parent, tree, i, node: -1}) - 1;
    }

    /* Returns the node of a named call; creates it and its parents if needed. */
    nodeOf(at) {
        const way = [];
        let around = at;
        for (; this.named[around].node < 0; around = this.named[around].parent) way.push(around);
        let node = this.named[around].node;
        while (way.length > 0) {
            const next = this.named[way.pop()], {last} = this.nodes[node], before = this.nodes[last];
            const goesOn = last > 0 && before.end === this.now &&
                before.tree.fn[before.i] === next.tree.fn[next.i];
            node = next.node = goesOn ? last : this.added(node, next.tree, next.i);
        }
        return node;
    }

    added(parent, tree, i) {
        const {now} = this;
        const node = this.nodes.push({parent, tree, i, start: now, end: now, last: 0, more: null}) - 1;
        this.nodes[parent].last = node;
        return node;
    }

    spend(at, time) {
        let node = this.nodeOf(at);
        this.now += time;
        for (; node !== 0; node = this.nodes[node].parent) this.nodes[node].end = this.now;
    }

    /* Adds what a call weighs itself in other columns. */
    addMore(at, tree, i) {
        const {beside} = this;
        if (beside.every(w => tree.selves[w][i] === 0)) return;
        const node = this.nodes[this.nodeOf(at)];
        node.more ??= beside.map(() => 0);
        beside.forEach((w, k) => { node.more[k] += tree.selves[w][i]; });
    }

    done() {
        const {nodes} = this, n = nodes.length, tree = newTree(n);
        tree.x = new Float64Array(n);
        tree.total = new Float64Array(n);
        nodes[0].end = this.now;
        nodes.forEach((node, k) => {
            tree.parent[k] = node.parent;
            tree.depth[k] = k === 0 ? 0 : tree.depth[node.parent] + 1;
            tree.frame[k] = k === 0 ? rootFrame : node.tree.frame[node.i];
            tree.fn[k] = k === 0 ? rootFunction : node.tree.fn[node.i];
            tree.color[k] = k === 0 ? rootColor : node.tree.color[node.i];
            tree.x[k] = node.start;
            tree.total[k] = node.end - node.start;
        });
        if (this.runs !== null) {
            tree.run = new Uint32Array(n).fill(1);
            this.named.forEach(({node}, at) => { if (node > 0) tree.run[node] = Math.max(tree.run[node], this.runs[at] ?? 1); });
        }
        return timed(closed(tree), w => {
            const k = this.beside.indexOf(w);
            return Float64Array.from(nodes, ({more}) => more === null ? 0 : more[k]);
        });
    }
}

/* ---- search ---- */

/* Returns the child of a node at a position, or -1. */
function childAt(tree, parent, x) {
    let i = parent + 1;
    while (i < tree.end[parent] && !(tree.x[i] <= x && x < tree.x[i] + tree.total[i])) i = tree.end[i];
    return i < tree.end[parent] ? i : -1;
}

/* Returns the node at a position and depth, or -1. */
function nodeAt(tree, x, depth) {
    let at = 0;
    while (at >= 0 && tree.depth[at] < depth) at = childAt(tree, at, x);
    return at;
}

/* Returns the nodes on the path from the root to a node. */
function pathOf(tree, node) {
    const path = [node];
    while (node !== 0) path.unshift(node = tree.parent[node]);
    return path;
}

/* Returns the first child of a function, or -1. */
function childOf(tree, node, fn) {
    let i = node + 1;
    while (i < tree.end[node] && tree.fn[i] !== fn) i = tree.end[i];
    return i < tree.end[node] ? i : -1;
}

/* Returns the node that a path of functions leads to, or the last existing node on that path; runs of unnamed frames may
 * be folded in one of both. */
function follow(tree, path) {
    let node = 0;
    for (const fn of path) {
        const own = tree.fn[node], mayBeFolded = functions.unnamed[own];
        let next = childOf(tree, node, fn);
        for (let at = node; next < 0 && mayBeFolded && fn !== own;) {
            at = childOf(tree, at, own);
            if (at < 0) break;
            next = childOf(tree, at, fn);
        }
        if (next < 0 && !(mayBeFolded && fn === own)) break;
        if (next >= 0) node = next;
    }
    return node;
}

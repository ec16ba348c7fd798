/* SPDX-License-Identifier: MIT */
/* Represents trees of frames.
 *
 * A tree is {root, nodes, total, depth, lossy, leftOut, isTimed}. Its nodes are in pre-order: the
 * descendants of a node are those up to its `end`. Nodes that are too narrow are not drawn, but
 * count; `depth` is that of the drawn ones. Weights are those of the file: `self` is the
 * node's self weight, `lost` the weight of children of which the file has only that, and w = self +
 * lost + the children's w. `lossy` are the nodes that lost weight. selfCount, lostCount and count
 * are the same for the number of samples; 0 if the file does not have it. x is the weight to the left; the self weight of a node comes before its
 * children's. In comparisons, `change` is the change in a node's weight, and `ownChange` the part
 * of it that is not in its children. With signed weights, w is a sum of sizes; `net` and `ownNet`
 * are the same with signs: gains less losses.
 */
class Node {
    constructor(known, parent) {
        this.known = known; /* properties of its name */
        this.name = known.text;
        this.parent = parent;
        this.depth = parent === null ? 0 : parent.depth + 1;
        this.children = [];
        this.byName = null; /* children by name properties, during construction */
        this.x = this.w = this.self = this.lost = this.change = this.ownChange = 0;
        this.selfCount = this.lostCount = this.count = this.net = this.ownNet = 0;
        this.widest = -1; /* width of the widest frame merged so far */
        this.end = 0;
        this.cursor = 0;   /* end of the last child, while the tree is read */
        this.fill = -1;    /* colour as a number */
        this.isNarrow = false;
        this.origin = null; /* the node of which it is a copy in another order */
        this.run = 1;      /* number of unnamed frames that it stands for: see runs.js */
        this.folded = null; /* the node that stands for it */
        this.shape = null; /* the element that draws it, if it has one: see shapes.js */
    }
}

/* ---- names ---- */

/* Properties of each name: {text, id, rank, isUnnamed, isHit, slot, color, model, shapes, title}. `id` numbers
 * the names; `rank` is its position in the order of folded lines, where ";" ends a name; `slot` is a
 * number for temporary use; `color` is that of its first drawn frame. If the name has attributes of its own, `model` is an element with them, `shapes` are those of its
 * elements that are not lent, and `title` may replace titles. */
const names = new Map();

function knownName(text) {
    let known = names.get(text);
    if (known === undefined) {
        known = {text, id: names.size, rank: -1, isUnnamed: isUnnamed(text), isHit: false, slot: -1, color: -1, model: null, shapes: null, title: null};
        names.set(text, known);
    }
    return known;
}

/* Ranks the names when that is needed first: it takes long if there are many. */
function rankNames() {
    if (names.values().next().value.rank >= 0) return;
    const lines = Array.from(names.values(), known => ({known, line: known.text + ";"}));
    lines.sort((a, b) => a.line < b.line ? -1 : 1);
    lines.forEach(({known}, i) => { known.rank = i; });
}

/* ---- colours of differences ---- */

/* [change, fill], sorted by change, if the file's colours show differences, or gains and losses; else
 * null. */
let changeColors = null;

/* Returns what colours show: the change in a node's weight, or else its weight with its sign. */
const shownChange = n => picture.comparison === null ? n.net : n.change;

function colorsByChange(nodes) {
    const colors = new Map();
    for (const n of nodes) {
        const change = shownChange(n), {fill} = n;
        if ((colors.get(change) ?? fill) !== fill) return null;
        colors.set(change, fill);
    }
    return [...colors].sort((a, b) => a[0] - b[0]);
}

const colorTexts = new Map();

/* Returns a colour as an attribute's value. */
function colorText(color) {
    let text = colorTexts.get(color);
    if (text === undefined) colorTexts.set(color, text = "#" + color.toString(16).padStart(6, "0"));
    return text;
}

/* Returns the colour of the file's frame with the most similar change. */
function colorOfChange(change) {
    const at = largest(changeColors.length - 1, i => changeColors[i][0] <= change);
    const [a, b] = [changeColors[at], changeColors[at + 1] ?? changeColors[at]];
    return Math.abs(b[0] - change) < Math.abs(change - a[0]) ? b[1] : a[1];
}

/* ---- measurement ---- */

/* Returns the weight of the narrowest frame that is drawn, as the program computes it. */
const leastOf = total => Math.min(picture.minwidth / (100 / total), total);

const PART_OF_WORK = 4096; /* nodes or samples between two pauses of a generator */

/* Runs a generator to its end. Returns its result. */
function completed(steps) {
    let step = steps.next();
    while (!step.done) step = steps.next();
    return step.value;
}

/* Computes everything that follows from the nodes: the end of each one's descendants, what is
 * narrow, total and depth. Pauses from time to time. */
function* measuring(tree) {
    const {nodes, root} = tree, least = leastOf(root.w);
    tree.depth = 0;
    tree.lossy = [];
    for (let i = 0; i < nodes.length; i++) nodes[i].end = i + 1;
    for (let i = nodes.length - 1; i >= 0; i--) {
        if (i % PART_OF_WORK === 0) yield;
        const n = nodes[i];
        n.isNarrow = n.w < least && n !== root;
        if (!n.isNarrow && n.depth > tree.depth) tree.depth = n.depth;
        if (n.lost > 0) tree.lossy.push(n);
        if (n.parent !== null && n.end > n.parent.end) n.parent.end = n.end;
    }
    tree.total = root.w;
    return tree;
}

const measured = tree => completed(measuring(tree));

const byLine = (a, b) => a.known.rank - b.known.rank;

/* Builds a tree from a root whose nodes have `self`, `lost`, `ownChange`, `ownNet` and children. Orders
 * siblings as the program does: chronologically, or else sorted. Pauses from time to time. */
function* layingOut(root, more) {
    const nodes = [], todo = [root];
    if (!more.isTimed) rankNames();
    while (todo.length > 0) {
        const n = todo.pop();
        if (nodes.push(n) % PART_OF_WORK === 0) yield;
        n.byName = null;
        if (!more.isTimed && n.children.length > 1) n.children.sort(byLine);
        for (let i = n.children.length - 1; i >= 0; i--) todo.push(n.children[i]);
    }
    for (const n of nodes) {
        n.w = n.self + n.lost;
        n.count = n.selfCount + n.lostCount;
        n.change = n.ownChange;
        n.net = n.ownNet;
    }
    yield;
    for (let i = nodes.length - 1; i > 0; i--) {
        if (i % PART_OF_WORK === 0) yield;
        const n = nodes[i];
        n.parent.w += n.w;
        n.parent.count += n.count;
        n.parent.net += n.net;
        if (picture.comparison === "total") n.parent.change += n.change;
    }
    for (let i = 0; i < nodes.length; i++) {
        if (i % PART_OF_WORK === 0) yield;
        const n = nodes[i];
        if (changeColors !== null) n.fill = colorOfChange(shownChange(n));
        placeChildren(n);
    }
    return yield* measuring({root, nodes, leftOut: 0, ...more});
}

/* Places the children of a node after its self weight. */
function placeChildren(n) {
    let x = n.x + n.self;
    for (const child of n.children) {
        child.x = x;
        x += child.w;
    }
}

const laidOut = (root, more) => completed(layingOut(root, more));

/* ---- paths ---- */

/* Returns the names from the outermost frame to the node, without the root. */
function pathOf(node) {
    const names = [];
    for (let n = node; n.parent !== null; n = n.parent) names.unshift(n.name);
    return names;
}

/* Returns the node that a path leads to, or the last existing node on that path; runs of unnamed frames may be folded
 * in one of both. */
function follow(tree, path) {
    let node = tree.root;
    const next = name => node.children.find(c => c.name === name && !c.isNarrow);
    for (const name of path) {
        let to = next(name);
        while (to === undefined && node.known.isUnnamed && name !== node.name && next(node.name) !== undefined) {
            node = next(node.name);
            to = next(name);
        }
        if (to === undefined && !(node.known.isUnnamed && name === node.name)) break;
        node = to ?? node;
    }
    return node;
}

/* Returns the node at a position of a tree: x as in Node, depth counted from the root. */
function nodeAt(tree, x, depth) {
    let node = tree.root;
    while (node !== undefined && node.depth < depth)
        node = node.children.find(c => c.x <= x && (x < c.x + c.w || x === c.x) && !c.isNarrow);
    return node;
}

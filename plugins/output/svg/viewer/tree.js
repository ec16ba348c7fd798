/* Trees of frames.
 *
 * A tree is {root, nodes, total, depth, leftOut, isTimed}. Its nodes are in pre-order, so that a node's
 * descendants are those up to its `end`. Weights are as the file has them: `self` is the node's
 * own, `lost` lies in children that are too narrow to be drawn, and w = self + lost + the
 * children's. x is the weight to the left; a node's own weight comes before its children's.
 * `change` is by how much a node became heavier where profiles are compared, `ownChange` the part of
 * that which its children do not have.
 */
class Node {
    constructor(known, parent) {
        this.known = known; /* of its name */
        this.name = known.text;
        this.parent = parent;
        this.depth = parent === null ? 0 : parent.depth + 1;
        this.children = [];
        this.byName = null; /* the same by what is known of names, while a tree is made */
        this.x = this.w = this.self = this.lost = this.change = this.ownChange = 0;
        this.widest = -1; /* of the frames that become one, so far */
        this.end = 0;
        this.fill = "";
        this.title = null; /* if the file has one */
        this.own = null;   /* the element that the file has for it */
        this.shape = null; /* the element that it is drawn with, if it is drawn: see shapes.js */
    }
}

/* ---- names ---- */

/* What is known of each name: {text, rank, isHit, slot, model, shapes, title}. `rank` is its place in
 * the order of lines of folded text, where a name ends with a ";"; `slot` is for whoever needs a number
 * for a while. If it has attributes of its own, `model` is an element with them, `shapes` are those
 * of its shapes that are not lent, and `title` may replace what titles tell. */
const names = new Map();

function knownName(text) {
    let known = names.get(text);
    if (known === undefined) {
        known = {text, rank: 0, isHit: false, slot: -1, model: null, shapes: null, title: null};
        names.set(text, known);
    }
    return known;
}

function rankNames() {
    const lines = Array.from(names.values(), known => ({known, line: known.text + ";"}));
    lines.sort((a, b) => a.line < b.line ? -1 : 1);
    lines.forEach(({known}, i) => { known.rank = i; });
}

/* ---- the file's tree ---- */

/* The name in a title "NAME (COUNT COUNTNAME, SHARE)". No share holds a comma and no count a blank,
 * so whatever a name pretends to be, the last ", " ends the count and the " (" before it the name. */
function nameIn(title) {
    const after = title.lastIndexOf(picture.units === null ? ` ${picture.countname}, ` : ", ");
    const end = after < 0 ? -1 : title.lastIndexOf(" (", after);
    return end < 0 ? title : title.slice(0, end);
}

function readFrame(group) {
    const shape = shapeOf(group);
    const title = shape.title.textContent;
    const node = new Node(shape.owner ?? knownName(nameIn(title)), null);
    if (shape.owner !== null && nameIn(title) !== node.name) node.known.title = title;
    node.title = title;
    node.own = shape;
    node.x = Number(shape.rect.getAttribute("fg:x"));
    node.w = Number(shape.rect.getAttribute("fg:w"));
    node.lost = Number(shape.rect.getAttribute("fg:u"));
    node.change = node.ownChange = Number(shape.rect.getAttribute("fg:d"));
    node.fill = shape.fill;
    shape.titled = lend(shape, node).node;
    return node;
}

/* The outermost frame that is open so far is a frame's parent if they come by place, then depth. */
function readTree() {
    const nodes = Array.from(box.children, readFrame);
    const outermost = picture.isInverted ? Math.min : Math.max;
    const edge = nodes.reduce((y, n) => outermost(y, n.shape.y), nodes[0].shape.y);
    for (const n of nodes) n.depth = Math.round(Math.abs(n.shape.y - edge) / picture.rowHeight);
    nodes.sort((a, b) => a.x - b.x || a.depth - b.depth);
    const open = [];
    for (const n of nodes) {
        n.self = n.w - n.lost;
        if (n.depth > 0) {
            n.parent = open[n.depth - 1];
            n.parent.children.push(n);
            n.parent.self -= n.w;
            if (picture.comparison === "total") n.parent.ownChange -= n.change;
        }
        open[n.depth] = n;
        open.length = n.depth + 1;
    }
    rankNames();
    changeColors = picture.comparison === null ? null : colorsByChange(nodes);
    return measured({root: nodes[0], nodes, edge, leftOut: 0, isTimed: isTimed(nodes)});
}

/* True if brothers stand in the order of time: names come again, and are not sorted. In sorted text
 * names come again, too: "a 1", "a-b;c 1", "a;b 1" begin with a, a-b and a. */
function isTimed(nodes) {
    const firstLine = n => n.name + (n.self > 0 ? " " : ";");
    return nodes.some(({children}) => new Set(children.map(c => c.name)).size < children.length &&
        children.some((c, i) => i > 0 && firstLine(c) < firstLine(children[i - 1])));
}

/* ---- colours of differences ---- */

/* If the file's colours tell differences: [change, fill], sorted by change; else null. */
let changeColors = null;

function colorsByChange(nodes) {
    const colors = new Map();
    for (const {change, fill} of nodes) {
        if ((colors.get(change) ?? fill) !== fill) return null;
        colors.set(change, fill);
    }
    return [...colors].sort((a, b) => a[0] - b[0]);
}

/* The colour of the file's frame that differs most nearly by so much. */
function colorOfChange(change) {
    const at = largest(changeColors.length - 1, i => changeColors[i][0] <= change);
    const [a, b] = [changeColors[at], changeColors[at + 1] ?? changeColors[at]];
    return Math.abs(b[0] - change) < Math.abs(change - a[0]) ? b[1] : a[1];
}

/* ---- measures ---- */

/* Fills in what follows from the nodes: where each one's descendants end, total and depth. */
function measured(tree) {
    const {nodes} = tree;
    tree.depth = 0;
    for (let i = 0; i < nodes.length; i++) nodes[i].end = i + 1;
    for (let i = nodes.length - 1; i >= 0; i--) {
        const n = nodes[i];
        if (n.depth > tree.depth) tree.depth = n.depth;
        if (n.parent !== null && n.end > n.parent.end) n.parent.end = n.end;
    }
    tree.total = tree.root.w;
    return tree;
}

const byLine = (a, b) => a.known.rank - b.known.rank;

/* The tree of a root whose nodes have `self`, `lost`, `ownChange` and children: all else is worked out.
 * Brothers come as a program would write them: in the order of time, or else sorted. */
function laidOut(root, more) {
    const nodes = [], todo = [root];
    while (todo.length > 0) {
        const n = todo.pop();
        nodes.push(n);
        n.byName = null;
        if (!more.isTimed && n.children.length > 1) n.children.sort(byLine);
        for (let i = n.children.length - 1; i >= 0; i--) todo.push(n.children[i]);
    }
    for (const n of nodes) {
        n.w = n.self + n.lost;
        n.change = n.ownChange;
    }
    for (let i = nodes.length - 1; i > 0; i--) {
        const n = nodes[i];
        n.parent.w += n.w;
        if (picture.comparison === "total") n.parent.change += n.change;
    }
    if (changeColors !== null) for (const n of nodes) n.fill = colorOfChange(n.change);
    for (const n of nodes) {
        let x = n.x + n.self;
        for (const child of n.children) {
            child.x = x;
            x += child.w;
        }
    }
    return measured({root, nodes, leftOut: 0, ...more});
}

/* ---- paths ---- */

/* The names from the outermost frame to the node, without the root. */
function pathOf(node) {
    const names = [];
    for (let n = node; n.parent !== null; n = n.parent) names.unshift(n.name);
    return names;
}

/* The node that a path leads to, or the last one on the way that is there. */
function follow(tree, path) {
    let node = tree.root;
    for (const name of path) {
        const next = node.children.find(c => c.name === name);
        if (next === undefined) break;
        node = next;
    }
    return node;
}

/* The node at a place of a tree: x as in Node, depth counted from the root. */
function nodeAt(tree, x, depth) {
    let node = tree.root;
    while (node !== undefined && node.depth < depth)
        node = node.children.find(c => c.x <= x && (x < c.x + c.w || x === c.x));
    return node;
}

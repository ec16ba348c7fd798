/* Represents trees of frames.
 *
 * A tree is {root, nodes, total, depth, leftOut, isTimed}. Its nodes are in pre-order: the
 * descendants of a node are those up to its `end`. Weights are those of the file: `self` is the
 * node's self weight, `lost` the weight of children that are too narrow to be drawn, and w = self +
 * lost + the children's w. x is the weight to the left; the self weight of a node comes before its
 * children's. In comparisons, `change` is the change in a node's weight, and `ownChange` the part
 * of it that is not in its children.
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
        this.widest = -1; /* width of the widest frame merged so far */
        this.end = 0;
        this.fill = "";
        this.title = null; /* the file's title, if any */
        this.own = null;   /* the file's element for it */
        this.shape = null; /* the element that draws it, if drawn: see shapes.js */
    }
}

/* ---- names ---- */

/* Properties of each name: {text, rank, isHit, slot, model, shapes, title}. `rank` is its position
 * in the order of folded lines, where ";" ends a name; `slot` is a number for temporary use. If the
 * name has attributes of its own, `model` is an element with them, `shapes` are those of its
 * elements that are not lent, and `title` may replace titles. */
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

/* Extracts the name from a title "NAME (COUNT COUNTNAME, SHARE)". A share contains no comma and a
 * count no space, so for any name, the last ", " ends the count and the " (" before it ends the
 * name. */
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

/* Reads the file's tree. Frames are sorted by position, then depth, so the parent of a frame is the
 * last open frame that is one level further out. */
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

/* Returns whether siblings are in chronological order: then names occur repeatedly and are not
 * sorted. Names also repeat in sorted text: "a 1", "a-b;c 1", "a;b 1" begin with a, a-b and a. */
function isTimed(nodes) {
    const firstLine = n => n.name + (n.self > 0 ? " " : ";");
    return nodes.some(({children}) => new Set(children.map(c => c.name)).size < children.length &&
        children.some((c, i) => i > 0 && firstLine(c) < firstLine(children[i - 1])));
}

/* ---- colours of differences ---- */

/* [change, fill], sorted by change, if the file's colours show differences; else null. */
let changeColors = null;

function colorsByChange(nodes) {
    const colors = new Map();
    for (const {change, fill} of nodes) {
        if ((colors.get(change) ?? fill) !== fill) return null;
        colors.set(change, fill);
    }
    return [...colors].sort((a, b) => a[0] - b[0]);
}

/* Returns the colour of the file's frame with the most similar change. */
function colorOfChange(change) {
    const at = largest(changeColors.length - 1, i => changeColors[i][0] <= change);
    const [a, b] = [changeColors[at], changeColors[at + 1] ?? changeColors[at]];
    return Math.abs(b[0] - change) < Math.abs(change - a[0]) ? b[1] : a[1];
}

/* ---- measurement ---- */

/* Computes everything that follows from the nodes: the end of each one's descendants, total and
 * depth. */
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

/* Builds a tree from a root whose nodes have `self`, `lost`, `ownChange` and children. Orders
 * siblings as the program does: chronologically, or else sorted. */
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

/* Returns the names from the outermost frame to the node, without the root. */
function pathOf(node) {
    const names = [];
    for (let n = node; n.parent !== null; n = n.parent) names.unshift(n.name);
    return names;
}

/* Returns the node that a path leads to, or the last existing node on that path. */
function follow(tree, path) {
    let node = tree.root;
    for (const name of path) {
        const next = node.children.find(c => c.name === name);
        if (next === undefined) break;
        node = next;
    }
    return node;
}

/* Returns the node at a position of a tree: x as in Node, depth counted from the root. */
function nodeAt(tree, x, depth) {
    let node = tree.root;
    while (node !== undefined && node.depth < depth)
        node = node.children.find(c => c.x <= x && (x < c.x + c.w || x === c.x));
    return node;
}

/* SPDX-License-Identifier: MIT */
/* Orders the frames beside each other: by name, or by weight with the heaviest first. Frames in chronological
 * order keep it. */
let chosenOrder = null; /* "name" or "weight"; null: as the file says, and callers by weight */

const fileOrder = about("order") ?? "name";
const orderNow = () => chosenOrder ?? (showsCallers ? "weight" : fileOrder);

/* Returns the shown tree in its order. */
const shownTree = () => ordered(withRuns(showsCallers ? reversed(forward) : forward, isRunOpen), orderNow());

/* Returns a tree in an order. Copies refer to the nodes of the tree as `origin`. */
function ordered(tree, order) {
    if (tree.isTimed || (tree.order ?? "name") === order) return tree;
    return tree.turned ??= turned(tree, order);
}

function turned(tree, order) {
    const nodes = [], todo = [[tree.root, null]];
    if (order === "name") rankNames();
    const compare = order === "name" ? byLine : (a, b) => b.w - a.w;
    while (todo.length > 0) {
        const [n, parent] = todo.pop(), copy = Object.assign(new Node(n.known, parent), n,
            {parent, children: [], byName: null, shape: null, origin: n});
        if (parent !== null) {
            copy.x = parent.cursor;
            parent.cursor += copy.w;
            parent.children.push(copy);
        }
        copy.cursor = copy.x + copy.self;
        nodes.push(copy);
        for (const child of [...n.children].sort(compare).reverse()) todo.push([child, copy]);
    }
    return measured({root: nodes[0], nodes, leftOut: tree.leftOut, isTimed: false, order});
}

function toggleOrder() {
    const path = pathOf(zoomed);
    chosenOrder = orderNow() === "weight" ? "name" : "weight";
    showFiltered(path);
    rememberStep();
}

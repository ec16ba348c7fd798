/* Trees made of trees: frames hidden, stacks dropped, a part focused, recursion merged, callers.
 *
 * None of it changes the tree it is given. Samples stay samples: what is not dropped is counted
 * once, wherever it goes.
 */

/* ---- building ---- */

/* The child of that name, added if there is none. In the order of time only the last child goes on:
 * the same call made later is another one. */
function childOf(parent, name, isTimed) {
    if (parent.byName === undefined) parent.byName = new Map();
    const last = parent.children[parent.children.length - 1];
    let child = isTimed && last !== undefined && last.name !== name ? undefined
                                                                    : parent.byName.get(name);
    if (child === undefined) {
        child = new Node(name, parent);
        child.widest = -1;
        parent.byName.set(name, child);
        parent.children.push(child);
    }
    return child;
}

/* Colours are the widest frame's of those that become one. */
function takeColor(to, from) {
    if (from.w > to.widest) {
        to.widest = from.w;
        to.fill = from.fill;
    }
}

function newRoot(tree) {
    const root = new Node(tree.root.name, null);
    root.widest = -1;
    takeColor(root, tree.root);
    return root;
}

/* The samples of a tree put elsewhere. `place` is asked for each node below the root, outer ones
 * first: it is given the node, where its parent's samples went, and what makes children; it returns
 * where the node's samples go, a new node, or null: nowhere. `start` is where the root's go. */
function moved(tree, place, start) {
    const root = newRoot(tree);
    const child = (parent, name) => childOf(parent, name, tree.isTimed);
    const to = new Map();
    for (const n of tree.nodes) {
        const above = n.parent === null ? null : to.get(n.parent);
        const target = n.parent === null ? (start === "nowhere" ? null : root)
                                         : place(n, above, child, root);
        to.set(n, target);
        if (target === null) continue;
        target.self += n.self;
        target.lost += n.lost;
        if (target.name === n.name) takeColor(target, n);
    }
    return laidOut(root, {isTimed: tree.isTimed});
}

/* ---- filters ---- */

/* Takes the frames of a name out of their stacks. */
const hidden = (tree, name) => moved(tree, (n, above, child) =>
    n.name === name ? above : child(above, n.name));

/* Takes the stacks away that have a frame of that name. */
const dropped = (tree, name) => moved(tree, (n, above, child) =>
    above === null || n.name === name ? null : child(above, n.name));

/* Keeps what frames of that name call; the outermost of a stack becomes its beginning. */
const focused = (tree, name) => moved(tree, (n, above, child, root) =>
    above !== null ? child(above, n.name) : n.name === name ? child(root, name) : null, "nowhere");

/* Keeps one node with all that is in it. */
const subtree = (tree, node) => moved(tree, (n, above, child, root) =>
    above !== null ? child(above, n.name) : n === node ? child(root, n.name) : null, "nowhere");

/* Makes one frame of a function that calls itself. */
const withoutRecursion = tree => moved(tree, (n, above, child, root) =>
    above !== root && above.name === n.name ? above : child(above, n.name));

/* Keeps the stacks that end with `path`, innermost name first, and of these all but the frames
 * inside the last one of the path: what the subtree of a node is in a tree of callers. */
function stacksEnding(tree, path) {
    const root = newRoot(tree);
    const to = new Map([[tree.root, root]]);
    for (const leaf of tree.nodes) {
        let n = leaf;
        for (let i = 0; i + 1 < path.length && n.name === path[i] && n.parent !== null; i++)
            n = n.parent;
        const depth = leaf.depth - n.depth;
        if (leaf.self === 0 || leaf.parent === null || n.parent === null) continue;
        if (depth !== path.length - 1 || n.name !== path[depth]) continue;
        copied(n, to, tree.isTimed).self += leaf.self;
    }
    return laidOut(root, {isTimed: tree.isTimed});
}

/* The new node for a node of a tree, made with the way to it. `to` has the root's. */
function copied(node, to, isTimed) {
    const way = [];
    let n = node;
    for (; !to.has(n); n = n.parent) way.push(n);
    let target = to.get(n);
    for (n = way.pop(); n !== undefined; n = way.pop()) {
        target = childOf(target, n.name, isTimed);
        takeColor(target, n);
        to.set(n, target);
    }
    return target;
}

/* ---- callers ---- */

/* The tree merged from the leaves: children are callers. Samples whose leaf is not drawn have no
 * place in it but count. As a program would do, branches narrower than minwidth are left out. */
function reversed(tree) {
    const root = newRoot(tree), least = tree.total * picture.minwidth / 100;
    const samples = tree.nodes.filter(n => n.self > 0).map(n => ({at: n, w: n.self}));
    for (const n of tree.nodes) root.lost += n.lost;
    const todo = [{node: root, samples}];
    let leftOut = 0;
    while (todo.length > 0) {
        const {node, samples} = todo.pop();
        for (const [name, group] of callersByName(node, samples)) {
            const w = group.reduce((sum, s) => sum + s.w, 0);
            if (w < least) {
                node.lost += w;
                leftOut++;
                continue;
            }
            const child = new Node(name, node);
            child.fill = group.reduce((a, b) => b.w > a.w ? b : a).fill;
            node.children.push(child);
            todo.push({node: child, samples: group});
        }
    }
    return laidOut(root, {leftOut, isTimed: false});
}

/* Groups samples by the frame they are at, and moves each to the one around it. Those that are at
 * the root end here: they are the node's own. */
function callersByName(node, samples) {
    const groups = new Map();
    for (const s of samples) {
        if (s.at.parent === null) {
            node.self += s.w;
            continue;
        }
        const group = groups.get(s.at.name);
        if (group === undefined) groups.set(s.at.name, [s]);
        else group.push(s);
        s.fill = s.at.fill;
        s.at = s.at.parent;
    }
    return groups;
}

/* Trees made of trees: frames hidden, stacks dropped, a part focused, recursion merged, callers.
 *
 * None of it changes the tree it is given. Samples stay samples: what is not dropped is counted
 * once, wherever it goes.
 */

/* ---- building ---- */

/* The child of that name, if there is one that goes on. In the order of time only the last child
 * does: the same call made later is another one. A few children are found faster without a map. */
function openChild(parent, known, isTimed) {
    const {children} = parent;
    const last = children[children.length - 1];
    if (last === undefined || last.known === known) return last;
    if (isTimed) return undefined;
    if (children.length < 8) return children.find(c => c.known === known);
    if (parent.byName === null) parent.byName = new Map(children.map(c => [c.known, c]));
    return parent.byName.get(known);
}

/* The child of that name, added if there is none. */
function childOf(parent, known, isTimed) {
    let child = openChild(parent, known, isTimed);
    if (child === undefined) {
        child = new Node(known, parent);
        parent.children.push(child);
        if (parent.byName !== null) parent.byName.set(known, child);
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
    const root = new Node(tree.root.known, null);
    takeColor(root, tree.root);
    return root;
}

/* The samples of a tree put elsewhere. `place` is asked for each node below the root, outer ones
 * first: it is given the node, where its parent's samples went, and what makes children; it returns
 * where the node's samples go, a new node, or null: nowhere. `start` is where the root's go. */
function moved(tree, place, start) {
    const root = newRoot(tree);
    const child = (parent, known) => childOf(parent, known, tree.isTimed);
    const open = []; /* where the samples of a node and of those around it went, by depth */
    for (const n of tree.nodes) {
        const target = n.parent === null ? (start === "nowhere" ? null : root)
                                         : place(n, open[n.depth - 1], child, root);
        open[n.depth] = target;
        if (target === null) continue;
        target.self += n.self;
        target.lost += n.lost;
        target.ownChange += n.ownChange;
        if (target.known === n.known) takeColor(target, n);
    }
    return laidOut(root, {isTimed: tree.isTimed});
}

/* ---- filters ---- */

/* Takes the frames of a name out of their stacks. */
const hidden = (tree, name) => moved(tree, (n, above, child) =>
    n.name === name ? above : child(above, n.known));

/* Takes the stacks away that have a frame of that name. */
const dropped = (tree, name) => moved(tree, (n, above, child) =>
    above === null || n.name === name ? null : child(above, n.known));

/* Keeps what frames of that name call; the outermost of a stack becomes its beginning. */
const focused = (tree, name) => moved(tree, (n, above, child, root) =>
    above !== null ? child(above, n.known) : n.name === name ? child(root, n.known) : null, "nowhere");

/* Keeps one node with all that is in it. */
const subtree = (tree, node) => moved(tree, (n, above, child, root) =>
    above !== null ? child(above, n.known) : n === node ? child(root, n.known) : null, "nowhere");

/* Makes one frame of a function that calls itself. */
const withoutRecursion = tree => moved(tree, (n, above, child, root) =>
    above !== root && above.known === n.known ? above : child(above, n.known));

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
        if (leaf.self === 0 && leaf.ownChange === 0) continue;
        if (leaf.parent === null || n.parent === null) continue;
        if (depth !== path.length - 1 || n.name !== path[depth]) continue;
        const target = copied(n, to, tree.isTimed);
        target.self += leaf.self;
        target.ownChange += leaf.ownChange;
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
        target = childOf(target, n.known, isTimed);
        takeColor(target, n);
        to.set(n, target);
    }
    return target;
}

/* ---- callers ---- */

/* The tree merged from the leaves: children are callers. Samples whose leaf is not drawn have no
 * place in it but count. As a program would do, branches narrower than minwidth are left out. A tree
 * is reversed once. */
function reversed(tree) {
    while (tree.reversed === undefined) reverseMore(tree);
    return tree.reversed;
}

/* It is the one tree that takes long to make: a part of the work at a time. */
function reverseMore(tree) {
    tree.reversing ??= reversing(tree);
    const {done, value} = tree.reversing.next();
    if (!done) return;
    tree.reversed = value;
    tree.reversing = null;
}

/* Works while nobody waits, for as long as the tree is the one to be shown. */
function reverseWhenIdle(tree) {
    if (tree !== forward || tree.reversed !== undefined) return;
    globalThis.requestIdleCallback?.(deadline => {
        while (tree.reversed === undefined && deadline.timeRemaining() > 2) reverseMore(tree);
        reverseWhenIdle(tree);
    });
}

const PART_OF_WORK = 64; /* groups */

function* reversing(tree) {
    const root = newRoot(tree), least = tree.total * picture.minwidth / 100;
    const samples = [];
    for (const n of tree.nodes) {
        root.lost += n.lost;
        if (n.self > 0 || n.ownChange !== 0) samples.push({at: n, w: n.self, change: n.ownChange});
    }
    const todo = [{node: root, samples}];
    let leftOut = 0;
    for (let i = 1; todo.length > 0; i++) {
        if (i % PART_OF_WORK === 0) yield;
        const {node, samples} = todo.pop();
        for (const group of groupsOf(node, samples, least)) {
            if (group.samples === null) {
                node.lost += group.w;
                node.ownChange += group.change;
                leftOut += group.w > 0 ? 1 : 0;
                continue;
            }
            const child = new Node(group.known, node);
            child.fill = group.fill;
            node.children.push(child);
            todo.push({node: child, samples: group.samples});
        }
    }
    return laidOut(root, {leftOut, isTimed: false});
}

/* Groups samples by the name of the frame they are at, and moves each to the frame around it. Those
 * that are at the root end here: they are the node's own. What weighs less than `least` loses its
 * samples. The colour is the heaviest sample's. */
function groupsOf(node, samples, least) {
    const groups = [];
    for (const s of samples) {
        if (s.at.parent === null) {
            node.self += s.w;
            node.ownChange += s.change;
            continue;
        }
        const {known, fill} = s.at;
        if (known.slot < 0) {
            known.slot = groups.length;
            groups.push({known, w: 0, change: 0, heaviest: -1, fill, samples: null});
        }
        const group = groups[known.slot];
        group.w += s.w;
        group.change += s.change;
        if (s.w <= group.heaviest) continue;
        group.heaviest = s.w;
        group.fill = fill;
    }
    for (const g of groups) if (g.w > 0 && g.w >= least) g.samples = [];
    for (const s of samples) {
        if (s.at.parent === null) continue;
        const group = groups[s.at.known.slot];
        s.at = s.at.parent;
        if (group.samples !== null) group.samples.push(s);
    }
    for (const g of groups) g.known.slot = -1;
    return groups;
}

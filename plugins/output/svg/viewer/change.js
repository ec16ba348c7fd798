/* SPDX-License-Identifier: MIT */
/* Derives trees from trees: hides frames, drops stacks, focuses on a part, merges recursion,
 * collects callers.
 *
 * The given tree never changes. Samples are conserved: each one that is not dropped is counted
 * exactly once in the result.
 */

/* ---- construction ---- */

/* Returns the child of a name to which samples can be added, if there is one. In chronological
 * order that is only the last child: a later call of the same name is a new child. Short lists of
 * children are searched without a map, which is faster. */
function openChild(parent, known, isTimed) {
    const {children} = parent;
    const last = children[children.length - 1];
    if (last === undefined || last.known === known) return last;
    if (isTimed) return undefined;
    if (children.length < 8) return children.find(c => c.known === known);
    if (parent.byName === null) parent.byName = new Map(children.map(c => [c.known, c]));
    return parent.byName.get(known);
}

/* Returns the child of a name, adding it if needed. */
function childOf(parent, known, isTimed) {
    let child = openChild(parent, known, isTimed);
    if (child === undefined) {
        child = new Node(known, parent);
        parent.children.push(child);
        if (parent.byName !== null) parent.byName.set(known, child);
    }
    return child;
}

/* Takes the colour of the widest among merged frames. */
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

/* Moves the samples of a tree to other nodes. Calls `place` for each node below the root, outer
 * nodes first, with the node, the target of its parent's samples and a function that adds children;
 * it returns the target of the node's samples, which may be a new node, or null to drop them.
 * `start` is the target of the root's samples. */
function moved(tree, place, start) {
    const root = newRoot(tree);
    const child = (parent, known) => childOf(parent, known, tree.isTimed);
    const open = []; /* targets of a node and its ancestors, by depth */
    for (const n of tree.nodes) {
        const target = n.parent === null ? (start === "nowhere" ? null : root)
                                         : place(n, open[n.depth - 1], child, root);
        open[n.depth] = target;
        if (target === null) continue;
        target.self += n.self;
        target.lost += n.lost;
        target.selfCount += n.selfCount;
        target.lostCount += n.lostCount;
        target.ownChange += n.ownChange;
        target.ownNet += n.ownNet;
        if (target.known === n.known) takeColor(target, n);
    }
    return laidOut(root, {isTimed: tree.isTimed});
}

/* ---- filters ---- */

/* Removes the frames of a name from their stacks. */
const hidden = (tree, name) => moved(tree, (n, above, child) =>
    n.name === name ? above : child(above, n.known));

/* Drops the stacks that contain a frame of a name. */
const dropped = (tree, name) => moved(tree, (n, above, child) =>
    above === null || n.name === name ? null : child(above, n.known));

/* Keeps only the callees of frames of a name; the outermost such frame becomes the first frame of
 * the stack. */
const focused = (tree, name) => moved(tree, (n, above, child, root) =>
    above !== null ? child(above, n.known) : n.name === name ? child(root, n.known) : null, "nowhere");

/* Keeps one node with its descendants, or all nodes for which it stands. */
const subtree = (tree, node) => moved(tree, (n, above, child, root) => above !== null ? child(above, n.known)
    : n === node || n.folded === node ? child(root, n.known) : null, "nowhere");

/* Merges directly recursive calls of a function into one frame. */
const withoutRecursion = tree => moved(tree, (n, above, child, root) =>
    above !== root && above.known === n.known ? above : child(above, n.known));

/* Returns the node at which a stack has the last name of `path`, or null if it does not end with that, innermost name
 * first. */
function endOf(leaf, path, isFolded) {
    let n = leaf;
    for (let i = 0; n.parent !== null && n.name === path[i]; i++) {
        if (i + 1 === path.length) return n;
        do n = n.parent;
        while (isFolded && n.name === path[i] && n.known.isUnnamed);
    }
    return null;
}

/* Keeps the stacks that end with `path`, in which runs may be folded, without the frames inside the last
 * one of the path. This corresponds to the subtree of a node in a tree of callers. */
function stacksEnding(tree, path, isFolded) {
    const root = newRoot(tree);
    const to = new Map([[tree.root, root]]);
    for (const leaf of tree.nodes) {
        if (leaf.self === 0 && leaf.ownChange === 0 && leaf.ownNet === 0) continue;
        const n = endOf(leaf, path, isFolded);
        if (n === null) continue;
        const target = copied(n, to, tree.isTimed);
        target.self += leaf.self;
        target.selfCount += leaf.selfCount;
        target.ownChange += leaf.ownChange;
        target.ownNet += leaf.ownNet;
    }
    return laidOut(root, {isTimed: tree.isTimed});
}

/* Returns the new node for a node of a tree and creates the path to it. `to` maps old nodes to new
 * ones and contains the root. */
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

/* Returns the tree of callers, merged from the leaves: child nodes are callers. Samples whose leaf
 * is not drawn have no node in it but count. Branches narrower than minwidth are left out, as the
 * program does. The result is cached. */
function reversed(tree) {
    while (tree.reversed === undefined) reverseMore(tree);
    return tree.reversed;
}

/* Does a part of the work, since this tree takes long to build. */
function reverseMore(tree) {
    tree.reversing ??= reversing(tree);
    const {done, value} = tree.reversing.next();
    if (!done) return;
    tree.reversed = value;
    tree.reversing = null;
}

/* Continues the work while the browser is idle, as long as the tree is still needed. */
function reverseWhenIdle(tree) {
    if (tree !== forward || tree.reversed !== undefined) return;
    globalThis.requestIdleCallback?.(deadline => {
        while (tree.reversed === undefined && deadline.timeRemaining() > 2) reverseMore(tree);
        reverseWhenIdle(tree);
    });
}

function* reversing(tree) {
    const root = newRoot(tree), least = tree.total * picture.minwidth / 100;
    const samples = [];
    for (const n of tree.nodes) {
        root.lost += n.lost;
        root.lostCount += n.lostCount;
        if (n.self > 0 || n.ownChange !== 0 || n.ownNet !== 0)
            samples.push({at: n, w: n.self, count: n.selfCount, change: n.ownChange, net: n.ownNet});
    }
    const todo = [{node: root, samples}];
    let leftOut = 0, work = 0; /* samples since the last pause */
    while (todo.length > 0) {
        const {node, samples} = todo.pop();
        if ((work += samples.length + 1) > PART_OF_WORK) {
            yield;
            work = 0;
        }
        for (const group of groupsOf(node, samples, least)) {
            if (group.samples === null) {
                node.lost += group.w;
                node.lostCount += group.count;
                node.ownChange += group.change;
                node.ownNet += group.net;
                leftOut += group.w > 0 ? 1 : 0;
                continue;
            }
            const child = new Node(group.known, node);
            child.fill = group.fill;
            node.children.push(child);
            todo.push({node: child, samples: group.samples});
        }
    }
    return yield* layingOut(root, {leftOut, isTimed: false});
}

/* Groups samples by the name of their current frame and moves each to the enclosing frame. Samples
 * at the root end here: they are the node's self weight. Groups that weigh less than `least` lose
 * their samples. A group takes the colour of its heaviest sample. */
function groupsOf(node, samples, least) {
    const groups = [];
    for (const s of samples) {
        if (s.at.parent === null) {
            node.self += s.w;
            node.selfCount += s.count;
            node.ownChange += s.change;
            node.ownNet += s.net;
            continue;
        }
        const {known, fill} = s.at;
        if (known.slot < 0) {
            known.slot = groups.length;
            groups.push({known, w: 0, count: 0, change: 0, net: 0, heaviest: -1, fill, samples: null});
        }
        const group = groups[known.slot];
        group.w += s.w;
        group.count += s.count;
        group.change += s.change;
        group.net += s.net;
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

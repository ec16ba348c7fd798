/* SPDX-License-Identifier: MIT */
/* Reads the tree from the file's data; data.c documents its records. */
const [OWN, MOVED, LOST, COLOR, FLAGS] = [1, 2, 4, 8, 16];

/* Returns a text that may be divided among several elements. */
const dataText = kind => Array.from(svg.querySelectorAll(`metadata.${kind}`), e => e.textContent).join("");

/* Returns functions that read the numbers of a text, and whether it has ended. */
function numbersIn(text) {
    let at = 0;
    const next = () => {
        let v = 0, digit;
        do {
            digit = text.charCodeAt(at++) - 63;
            v = v * 32 + (digit & 31);
        } while (digit >= 32);
        return v;
    };
    const signed = () => {
        const v = next();
        return v % 2 === 0 ? v / 2 : -(v + 1) / 2;
    };
    return {next, signed, isAtEnd: () => at >= text.length};
}

/* Completes a node, whose children are known. */
function closeNode(n) {
    if (n.parent === null) return;
    n.parent.w += n.w;
    n.parent.count += n.count;
    n.parent.cursor = n.x + n.w;
    if (picture.comparison === "total") n.parent.ownChange -= n.change;
    n.parent.ownNet -= n.net;
}

function readNode(flags, parent, names, {next, signed}) {
    const known = names[next()], n = new Node(known, parent);
    if (flags & OWN) {
        n.w = n.self = next();
        if (picture.counts !== null) n.count = n.selfCount = next();
    }
    n.x = parent === null ? 0 : parent.cursor;
    if (flags & MOVED) n.x += signed();
    if (flags & COLOR) {
        n.fill = next();
        if (known.color < 0) known.color = n.fill;
    } else {
        n.fill = known.color >= 0 || parent === null ? known.color : parent.fill;
    }
    if (picture.comparison !== null) n.change = n.ownChange = signed();
    if (picture.isSigned) n.net = n.ownNet = signed();
    n.cursor = n.x + (picture.isTimed ? 0 : n.self);
    if (parent !== null) parent.children.push(n);
    return n;
}

function addLostCount(n, count) {
    n.lostCount += count;
    n.count += count;
}

/* Reads the file's tree. The root's weight may be greater than that of all samples. */
function readTree() {
    const numbers = numbersIn(dataText("tree")), names = dataText("names").split("\n").map(knownName);
    const nodes = [], open = [];
    while (!numbers.isAtEnd()) {
        const head = numbers.next(), depth = open.length - Math.floor(head / FLAGS);
        while (open.length > depth) closeNode(open.pop());
        const parent = open[depth - 1] ?? null;
        if (head & LOST) {
            const weight = numbers.next();
            parent.lost += weight;
            parent.w += weight;
            parent.cursor += weight;
            if (picture.counts !== null) addLostCount(parent, numbers.next());
        } else {
            open.push(readNode(head, parent, names, numbers));
            nodes.push(open[depth]);
        }
    }
    while (open.length > 0) closeNode(open.pop());
    nodes[0].self += picture.total - nodes[0].w;
    nodes[0].w = picture.total;
    const tree = measured({root: nodes[0], nodes, leftOut: 0, isTimed: picture.isTimed, order: fileOrder});
    changeColors = picture.comparison === null && !picture.isSigned ? null
        : colorsByChange(nodes.filter(n => !n.isNarrow));
    if (changeColors !== null) for (const n of nodes) if (n.isNarrow) n.fill = colorOfChange(shownChange(n));
    return tree;
}

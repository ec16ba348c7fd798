/* The elements that frames are drawn with: a group of a title, a rectangle and a label.
 *
 * The file has one for each of its frames. Frames of trees that are made here are drawn with the
 * same elements, which are lent to them. What an element was told last is kept beside it, so that
 * the page is told changes alone.
 */
const allShapes = [];
const shapeByGroup = new Map();
let spare = []; /* lent to nobody, and nobody's own */

function shapeOf(group) {
    const [title, rect, label] = group.children;
    const shape = {
        group, title, rect, label,
        ownClass: group.getAttribute("class") || "",
        owner: null,  /* what is known of the name that alone may have it: see nameattr */
        node: null,   /* the frame that it is lent to */
        titled: null, /* the frame whose title it has */
        drawn: 0,     /* in which drawing it was last */
        x: parseFloat(rect.getAttribute("x")), width: parseFloat(rect.getAttribute("width")),
        y: Number(rect.getAttribute("y")),
        labelX: parseFloat(label.getAttribute("x")), labelY: Number(label.getAttribute("y")),
        text: label.textContent,
        fill: rect.getAttribute("fill"),
        state: "",
    };
    if (group.hasAttribute("fg:name")) {
        shape.owner = knownName(group.getAttribute("fg:name"));
        shape.owner.model ??= group;
        shape.owner.shapes ??= [];
    }
    allShapes.push(shape);
    shapeByGroup.set(group, shape);
    return shape;
}

/* An element like the file's, of which one is copied; for names with attributes of their own, one
 * of theirs. */
function makeShape({model}) {
    const group = model === null ? document.createElementNS(SVG, "g") : model.cloneNode(false);
    const {children} = model ?? box.firstElementChild;
    group.removeAttribute("id");
    group.append(...Array.from(children, part => part.cloneNode(true)));
    box.append(group);
    return shapeOf(group);
}

/* ---- lending ---- */

function lend(shape, node) {
    shape.node = node;
    node.shape = shape;
    return shape;
}

const sparesFor = known => known === null || known.shapes === null ? spare : known.shapes;

const shapeFor = node =>
    node.shape || lend(sparesFor(node.known).pop() || makeShape(node.known), node);

/* Puts out of sight what nothing was drawn with. The file's frames keep their own. */
function takeAway(shape) {
    setState(shape, "out");
    if (shape.node === null || shape.node.own === shape) return;
    shape.node.shape = null;
    shape.node = null;
    sparesFor(shape.owner).push(shape);
}

/* Takes all back to lend them to the frames of another tree; the file's get their own. Those that
 * can be seen are lent first: they are told the least. */
function lendAnew(tree) {
    for (const shape of allShapes) {
        if (shape.node !== null) shape.node.shape = null;
        shape.node = null;
        if (shape.owner !== null) shape.owner.shapes = [];
    }
    for (const n of tree.nodes) if (n.own !== null) lend(n.own, n);
    const free = allShapes.filter(shape => shape.node === null);
    spare = [];
    for (const s of free) if (s.state === "out") sparesFor(s.owner).push(s);
    for (const s of free) if (s.state !== "out") sparesFor(s.owner).push(s);
}

/* ---- telling ---- */

function setState(shape, state) {
    if (shape.state === state) return;
    shape.state = state;
    shape.group.setAttribute("class", `${shape.ownClass} ${state}`.trim());
}

function setFill(shape, fill) {
    if (shape.fill === fill) return;
    shape.fill = fill;
    shape.rect.setAttribute("fill", fill);
}

function setTitle(shape) {
    if (shape.titled === shape.node) return;
    shape.titled = shape.node;
    shape.title.textContent = titleOf(shape.node, display.total);
}

/* Percents have four decimals. */
const isSame = (a, b) => Math.abs(a - b) < 6e-5;

/* In percent of the box's width; y in pixels. */
function setPlace(shape, x, width, y) {
    const {rect} = shape;
    if (!isSame(shape.x, x)) rect.setAttribute("x", (shape.x = x).toFixed(4) + "%");
    if (!isSame(shape.width, width))
        rect.setAttribute("width", (shape.width = width).toFixed(4) + "%");
    if (shape.y !== y) rect.setAttribute("y", shape.y = y);
}

function setLabel(shape, text, x, y) {
    const {label} = shape;
    if (shape.text !== text) label.textContent = shape.text = text;
    if (text === "") return;
    const middle = 3 + y + (picture.rowHeight - 1) / 2;
    if (!isSame(shape.labelX, x)) label.setAttribute("x", (shape.labelX = x).toFixed(4) + "%");
    if (shape.labelY !== middle) label.setAttribute("y", (shape.labelY = middle).toFixed(2));
}

/* The frame that an element is part of, or null. */
function shapeAround(element) {
    const group = element.closest ? element.closest("#frames>*") : null;
    return group === null ? null : shapeByGroup.get(group) || null;
}

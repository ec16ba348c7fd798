/* Manages the elements that draw frames: a group of a title, a rectangle and a label.
 *
 * The file has one for each of its frames. Derived trees are drawn with the same elements, which
 * are lent to their frames. The last values of an element are cached beside it, so that only
 * changes reach the page.
 */
const allShapes = [];
const shapeByGroup = new Map();
let spare = []; /* not lent and without owner */

function shapeOf(group) {
    const [title, rect, label] = group.children;
    const shape = {
        group, title, rect, label,
        ownClass: group.getAttribute("class") || "",
        owner: null,  /* the only name that may use it: see nameattr */
        node: null,   /* frame that it is lent to */
        titled: null, /* frame of its current title */
        drawn: 0,     /* number of the last drawing that used it */
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

/* Creates an element like those of the file; for names with attributes of their own, copies one of
 * theirs. */
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

/* Hides an element that the drawing did not use. The file's frames keep theirs. */
function takeAway(shape) {
    setState(shape, "out");
    if (shape.node === null || shape.node.own === shape) return;
    shape.node.shape = null;
    shape.node = null;
    sparesFor(shape.owner).push(shape);
}

/* Takes all elements back to lend them to the frames of another tree; the file's frames get their
 * own. Visible elements are lent first, since they need the fewest changes. */
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

/* ---- updates ---- */

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

/* Compares percentages, which have four decimals. */
const isSame = (a, b) => Math.abs(a - b) < 6e-5;

/* Positions an element: x and width in percent of the box's width, y in pixels. */
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

/* Returns the shape that an element is part of, or null. */
function shapeAround(element) {
    const group = element.closest ? element.closest("#frames>*") : null;
    return group === null ? null : shapeByGroup.get(group) || null;
}

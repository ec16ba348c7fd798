/* SPDX-License-Identifier: MIT */
/* Manages the elements that draw frames: a group of a rectangle, a label if it has one, and a title
 * once it is needed.
 *
 * An element is lent to a frame as long as the frame is drawn. The last values of an element are
 * cached beside it, so that only changes reach the page. Names with attributes of their own have
 * elements in the file, which only they use, and copies of these.
 */
const shapeByGroup = new Map();
const spare = []; /* not lent and without owner */

function shapeOf(group, owner) {
    const shape = {
        group, owner, /* the only name that may use it, or null */
        rect: group.querySelector("rect") ?? group.appendChild(make("rect")),
        label: group.querySelector("text"), title: group.querySelector("title"),
        ownClass: group.getAttribute("class") || "",
        node: null,   /* frame that it is lent to */
        titled: null, /* frame of its current title */
        titledIn: null, /* frame that was zoomed to then */
        drawn: 0,     /* number of the last drawing that used it */
        x: NaN, width: NaN, y: NaN, labelX: NaN, labelY: NaN, fill: NaN,
        text: null, state: "", outline: "",
        fitted: {node: null, room: NaN, text: ""}, /* the last result of labelOf() */
    };
    shape.rect.setAttribute("height", picture.rowHeight - 1);
    shapeByGroup.set(group, shape);
    return shape;
}

/* Takes over the file's elements of names with attributes, and removes its picture of the others. */
function takePicture() {
    const own = Array.from(box.children).filter(e => e.hasAttribute("fg:name"));
    box.replaceChildren(...own);
    box.removeAttribute("color"); /* the script paints the dark theme itself */
    for (const group of own) {
        const known = knownName(group.getAttribute("fg:name"));
        known.model ??= group;
        known.shapes ??= [];
        if (group.hasAttribute("fg:titled")) known.title = group.querySelector("title").textContent;
        const shape = shapeOf(group, known), node = fileNode(shape.rect);
        if (node?.known === known && node.shape === null) {
            lend(shape, node);
            shown.push(shape);
        } else {
            known.shapes.push(shape);
            setState(shape, "out");
        }
    }
}

/* Returns the frame that an element of the file draws. */
const fileNode = rect =>
    nodeAt(base, Number(rect.getAttribute("fg:x")), depthOf(Number(rect.getAttribute("y"))));

/* Creates an element, as a copy of the file's if the name has attributes. */
function makeShape(known) {
    const group = known.model === null ? make("g") : known.model.cloneNode(true);
    group.removeAttribute("id");
    box.append(group);
    return shapeOf(group, known.model === null ? null : known);
}

/* ---- lending ---- */

const sparesFor = known => known === null || known.shapes === null ? spare : known.shapes;

function lend(shape, node) {
    shape.node = node;
    node.shape = shape;
    return shape;
}

/* Returns the element of a frame, lending it one if needed. */
function shapeFor(node) {
    if (node.shape !== null) return node.shape;
    const shape = lend(sparesFor(node.known).pop() || makeShape(node.known), node);
    if (shape.owner !== null) setTitle(shape);
    return shape;
}

function takeBack(shape) {
    shape.node.shape = shape.node = null;
    if (shape.owner === null && shape.title !== null) {
        shape.title.remove();
        shape.title = shape.titled = null;
    }
    sparesFor(shape.owner).push(shape);
}

/* ---- updates ---- */

function setState(shape, state) {
    if (shape.state === state) return;
    shape.state = state;
    const text = `${shape.ownClass} ${state}`.trim();
    if (text === "") shape.group.removeAttribute("class");
    else shape.group.setAttribute("class", text);
}

/* Makes the label black or white, whichever reads better on the frame. */
function setInk({label, fill}) {
    if (label === null || picture.hasBlackLabels) return;
    if (isBlackInk(fill)) label.removeAttribute("fill");
    else label.setAttribute("fill", "#fff");
}

function setFill(shape, fill) {
    if (shape.fill === fill) return;
    shape.fill = fill;
    shape.rect.setAttribute("fill", colorText(fill));
    setInk(shape);
}

const OUTLINED = 0.01; /* share of the picture: svg.c has the same number */
const NARROWEST_OUTLINE = 4; /* pixels */
const hasOutlines = picture.hasAxis && (picture.comparison !== null || picture.isSigned);

/* Returns the colour of a frame's outline, or "": in a picture of changes unchanged frames visibly are frames, and changed
 * ones differ. */
function outlineOf(node, width) {
    if (!hasOutlines || width < NARROWEST_OUTLINE) return "";
    const isChanged = Math.abs(shownChange(node)) >= OUTLINED * display.total;
    return paintsDark ? isChanged ? "#fff" : "#6c7078" : isChanged ? "#303030" : "#b0b0b0";
}

function setOutline(shape, node, width) {
    const outline = outlineOf(node, width);
    if (shape.outline === outline) return;
    shape.outline = outline;
    if (outline === "") shape.rect.removeAttribute("stroke");
    else shape.rect.setAttribute("stroke", outline);
}

function setTitle(shape) {
    if (shape.titled === shape.node && shape.titledIn === zoomed) return;
    if (shape.title === null) shape.group.prepend(shape.title = make("title"));
    shape.titled = shape.node;
    shape.titledIn = zoomed;
    shape.title.textContent = titleOf(shape.node);
}

const isSame = (a, b) => Math.abs(a - b) < 0.005;

/* Positions an element, in pixels. */
function setPlace(shape, x, width, y) {
    const {rect} = shape;
    if (!isSame(shape.x, x)) rect.setAttribute("x", (shape.x = x).toFixed(2));
    if (!isSame(shape.width, width)) rect.setAttribute("width", (shape.width = width).toFixed(2));
    if (shape.y !== y) rect.setAttribute("y", shape.y = y);
}

/* Returns as much of the name of an element's frame as fits into `room` pixels. */
function labelOf(shape, room) {
    const {node, fitted} = shape;
    if (fitted.node !== node || fitted.room !== room)
        Object.assign(fitted, {node, room, text: fit(readable(nameOfRun(node.name, node.run)), room)});
    return fitted.text;
}

function setLabel(shape, text, x, y) {
    if (text === "" && shape.label === null) return;
    if (shape.label === null) {
        shape.group.append(shape.label = make("text"));
        setInk(shape);
    }
    const {label} = shape;
    if (shape.text !== text) label.textContent = shape.text = text;
    if (text === "") return;
    const middle = 3 + y + (picture.rowHeight - 1) / 2;
    if (!isSame(shape.labelX, x)) label.setAttribute("x", (shape.labelX = x).toFixed(2));
    if (shape.labelY !== middle) label.setAttribute("y", (shape.labelY = middle).toFixed(2));
}

/* Returns the shape that an element is part of, or null. */
function shapeAround(element) {
    const group = element.closest ? element.closest("#frames>*") : null;
    return group === null ? null : shapeByGroup.get(group) || null;
}

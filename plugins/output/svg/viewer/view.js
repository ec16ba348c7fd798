/* SPDX-License-Identifier: MIT */
/* Draws the visible part of a tree.
 *
 * A window [from, from + span) of weights fills the width. Zooming sets the window to a node's
 * extent and fades its ancestors. Dragging moves the window. A frame is drawn if it overlaps the
 * window.
 *
 * The amount of drawing is bounded: frames narrower than a few pixels, in crowded pictures wider
 * ones too, have no shapes but are painted pixel by pixel; rows far outside of the window are not
 * drawn.
 */
const NARROWEST = 4; /* minimum width of a shape, in pixels */
const NARROWEST_OWN = 1; /* the same for names with attributes of their own */
const WIDEST = 100;  /* wider frames always have a shape, in pixels */
const MOST = 3000;   /* maximum number of shapes per height of the window */
const PARTING = 1;   /* gap between same-coloured neighbours with shapes, in pixels */
const MARGIN = 0.5;  /* drawn height above and below the window, as a share of its height */

let display = null;  /* the tree that is shown */
let zoomed = null;   /* a node of it; the root if everything is shown */
let around = new Set(); /* ancestors of `zoomed` */
let from = 0, span = 1;
let isFlipped = picture.isInverted; /* the root is on top */
let boxWidth = Number(box.getAttribute("width"));

let drawing = 0; /* number of the current drawing */
let shown = [];  /* shapes of that drawing */
let drawnRange = [0, 0]; /* what it covers, in pixels of the picture */
let drawsAll = false;    /* draw all rows */

/* ---- layout ---- */

const titles = Math.max(3 * picture.fontSize, 32) + (part("subtitle") ? 2 * picture.fontSize : 0);
const top = () => titles + legendHeight;
const axisHeight = picture.hasAxis ? 20 : 0;
const bottom = Math.max(2 * picture.fontSize + 10, 34) + axisHeight;

/* A tree that is only slightly lower than the file's keeps the picture's height: a new layout of
 * everything is slow in browsers, and the root keeps its place. */
const LOWER = 0.8; /* as a share of the file's rows */

function roomyRows() {
    const rows = display.depth + 1, most = withRuns(base, isRunOpen).depth + 1;
    return rows < most && rows >= LOWER * most ? most : rows;
}

const pictureHeight = () => roomyRows() * picture.rowHeight + top() + bottom;

function rowTop(depth) {
    if (isFlipped) return top() + depth * picture.rowHeight;
    return pictureHeight() - bottom - (depth + 1) * picture.rowHeight + 1;
}

function depthAt(y) {
    const rows = (isFlipped ? y - top() : pictureHeight() - bottom - y) / picture.rowHeight;
    return Math.floor(rows);
}

/* Returns the visible part of the picture, in its own pixels. */
function sight() {
    const {left, right, top, bottom} = edges();
    const wide = Math.min(document.documentElement.clientWidth, right) - Math.max(0, left);
    return {x: Math.max(0, -left), width: wide, ...sightOf(top, bottom)};
}

const sightOf = (top, bottom) =>
    ({y: Math.max(0, -top), height: Math.min(innerHeight, bottom) - Math.max(0, top)});

/* ---- drawing ---- */

const colorNow = n => isColored(n) ? picture.searchColor : painted(n.fill);

/* Draws a node from pixel `left` to pixel `right` of the box. */
function drawNode(n, left, right, isHit) {
    const shape = shapeFor(n), y = rowTop(n.depth);
    setState(shape, around.has(n) ? "faded" : "");
    setPlace(shape, left, right - left, y);
    setLabel(shape, labelOf(shape, right - left - 6), left + 3, y);
    setFill(shape, isHit ? picture.searchColor : painted(n.fill));
    if (hasOutlines) setOutline(shape, n, right - left);
    shown.push(shape);
}

/* A flat list of frames with shapes: a node, two positions in pixels, and whether it is a match. */
class Pieces {
    constructor() {
        this.list = [];
        this.last = []; /* indexed by depth: list position of the row's last frame */
        this.cover = new Cover();
    }

    add(n, left, right, isHit) {
        const {list, last} = this, i = last[n.depth];
        if (i !== undefined && left - list[i + 2] < PARTING && list[i + 3] === isHit &&
            (isHit || hasOutlines || list[i].fill === n.fill))
            list[i + 2] -= PARTING;
        last[n.depth] = list.length;
        list.push(n, left, right, isHit);
    }

    /* Adds a frame without a shape. */
    addNarrow(n, left, right, isHit) {
        this.last[n.depth] = undefined;
        this.cover.add(n.depth, left, right, isHit ? picture.searchColor : painted(n.fill));
    }

    get count() { return this.list.length / 4; }

    /* Draws the frames; takes back shapes of others first, which are then used for new ones. */
    draw() {
        const {list} = this, before = shown;
        drawing++;
        shown = [];
        for (let i = 0; i < list.length; i += 4) if (list[i].shape !== null) list[i].shape.drawn = drawing;
        for (const shape of before) if (shape.drawn !== drawing) takeBack(shape);
        for (let i = 0; i < list.length; i += 4)
            drawNode(list[i], list[i + 1], list[i + 2], list[i + 3]);
        for (const shape of before) if (shape.node === null) setState(shape, "out");
        this.cover.paint();
    }
}

const isShaped = (n, width, narrowest) =>
    width >= narrowest || (n.known.model !== null && width >= NARROWEST_OWN);

/* Returns the pieces of the `wanted` rows, with shapes for frames of at least `narrowest` pixels;
 * returns null if these are more than `most`. */
function piecesOf(wanted, narrowest, most) {
    const pieces = new Pieces(), nodes = display.nodes, scale = boxWidth / span;
    if (display.total === 0) { /* the filters dropped everything */
        pieces.add(display.root, 0, boxWidth, false);
        return pieces;
    }
    for (let i = 0; i < nodes.length; i++) {
        const n = nodes[i];
        const left = Math.max(n.x - from, 0) * scale;
        const right = Math.min(n.x + n.w - from, span) * scale;
        if (right <= left || n.isNarrow) {
            i = n.end - 1; /* its descendants are invisible, too */
        } else if (wanted[n.depth]) {
            if (isShaped(n, right - left, narrowest)) pieces.add(n, left, right, isColored(n));
            else pieces.addNarrow(n, left, right, isColored(n));
        }
        if (pieces.count > most && narrowest < WIDEST) return null;
    }
    return pieces;
}

/* Draws the frames in the window and near it. */
function drawFrames(seen) {
    paintsDark = hasDarkColors && isDark();
    const margin = drawsAll ? Infinity : MARGIN * innerHeight + picture.rowHeight;
    const [low, high] = drawnRange = [seen.y - margin, seen.y + seen.height + margin];
    const wanted = Array.from({length: display.depth + 1},
                              (_, depth) => rowTop(depth) >= low && rowTop(depth) <= high);
    const most = MOST * Math.max(1, wanted.filter(Boolean).length * picture.rowHeight / innerHeight);
    let narrowest = NARROWEST, pieces = piecesOf(wanted, narrowest, most);
    while (pieces === null) pieces = piecesOf(wanted, narrowest *= 1.3, most);
    pieces.draw();
}

let isOpening = true; /* nothing is drawn until the place of the first view is known */

function draw(seen = sight()) {
    if (isOpening) return;
    drawFrames(seen);
    showBars();
    showCursor();
}

function isSightDrawn() {
    const {y, height} = sight();
    return y >= drawnRange[0] && y + height <= drawnRange[1];
}

/* Draws all rows, for readers of the whole picture. */
function finishDrawing() {
    drawsAll = true;
    drawFrames(sight());
    drawsAll = false;
    for (const shape of shown) setTitle(shape);
}

let isDrawingDue = false;

/* Draws before the next frame; repeated requests cause one drawing. */
function drawSoon() {
    if (isDrawingDue) return;
    isDrawingDue = true;
    requestAnimationFrame(() => {
        isDrawingDue = false;
        draw();
    });
}

/* ---- zoom ---- */

function ancestors(node) {
    const list = [];
    for (let n = node.parent; n !== null; n = n.parent) list.push(n);
    return list;
}

function setWindow(node) {
    zoomed = node;
    around = new Set(ancestors(node));
    from = node.x;
    span = node.w || 1;
}

function zoom(node) {
    setWindow(node.w > 0 ? node : display.root);
    draw();
    rememberStep();
}

const isZoomed = () => zoomed !== display.root || span < display.total;

/* Shows a part of the whole; zooms out to a frame that contains it. */
function moveWindow(start, width) {
    span = Math.min(display.total, Math.max(width, display.total * 1e-12));
    from = Math.max(0, Math.min(start, display.total - span));
    while (zoomed.parent !== null && (from < zoomed.x || from + span > (zoomed.x + zoomed.w) * (1 + 1e-15))) zoomed = zoomed.parent;
    around = new Set(ancestors(zoomed));
    drawSoon();
    rememberSoon();
}

/* Zooms around a point, in pixels of the box. */
function zoomAround(x, factor) {
    const next = Math.min(display.total, span * factor);
    moveWindow(from + x / boxWidth * (span - next), next);
}

/* Moves the window by a distance in pixels. */
const pan = pixels => moveWindow(from + pixels * span / boxWidth, span);

/* Shows another tree; `node` fills the width. The visible part keeps its distance from the root.
 *
 * After a change of height, the first request for a position causes a new layout of the whole
 * picture, so everything that needs no position is drawn first.
 */
function show(tree, node) {
    const place = scrolledBy(), at = edges();
    const height = display === null ? null : pictureHeight();
    display = tree;
    setWindow(node);
    findHits();
    fitHeight(at.width);
    let by = 0;
    if (isAlone && !isFlipped && height !== null)
        by = Math.max(-place, Math.min(pictureHeight() - height, svgHeight() - innerHeight - place));
    draw(sightOf(at.top - by, at.top + svgHeight() - by));
    if (by !== 0) scrollPictureTo(place + by);
    findShift();
    if (fitWidth()) draw();
}

/* ---- size ---- */

/* Returns the height: at least that of the window if the picture is alone in it. */
const svgHeight = () => isAlone ? Math.max(pictureHeight(), innerHeight) : pictureHeight();

function fitHeight(width = svg.getBoundingClientRect().width) {
    fitLegend(width || innerWidth);
    put(svg, "height", svgHeight());
    put(part("backdrop"), "height", svgHeight());
}

/* Adapts to the window's width. Returns true if the width has changed. */
function fitWidth() {
    const before = boxWidth, width = svg.getBoundingClientRect().width || innerWidth;
    boxWidth = Math.max(width - 2 * SIDE, 100);
    put(box, "width", boxWidth);
    fitSubtitle();
    placeBars();
    return boxWidth !== before;
}

/* ---- hit testing ---- */

/* Returns the frame at a point of the window, or null. A gap between frames belongs to the frame
 * before it. */
function nodeAtPoint(clientX, clientY) {
    const at = box.getScreenCTM();
    const px = clientX - at.e, depth = depthAt(clientY - at.f);
    if (depth < 0 || px < 0 || px > boxWidth) return null;
    const x = from + px * span / boxWidth;
    const node = nodeAt(display, x, depth);
    return node !== undefined && node.depth === depth ? node : null;
}

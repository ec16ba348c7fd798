/* Draws the visible part of a tree.
 *
 * A window [from, from + span) of weights fills the width. Zooming sets the window to a node's
 * extent and fades its ancestors. Dragging moves the window. A frame is drawn if it overlaps the
 * window.
 *
 * The amount of drawing is bounded: neighbours in a row that are narrower than a pixel are drawn as
 * one shape, in crowded pictures those narrower than a few pixels; invisible rows are drawn later.
 */
const NARROWEST = 1; /* minimum width of a separate shape, in pixels */
const WIDEST = 100;  /* wider frames always have a shape of their own, in pixels */
const GAP = 0.3;     /* gap between merged neighbours, as a share of their width */
const MOST = 3000;   /* maximum number of shapes drawn at once */
const PARTED = 4;    /* same-coloured neighbours of this width, in pixels, are separated ... */
const PARTING = 1;   /* ... by this gap */
const SLOP = 16;     /* margin around the window that counts as visible, in pixels */
const LATER = 60;    /* delay before invisible rows are drawn, in milliseconds */

let display = null;  /* the tree that is shown */
let zoomed = null;   /* a node of it; the root if everything is shown */
let around = new Set(); /* ancestors of `zoomed` */
let from = 0, span = 1;
let isFlipped = picture.isInverted; /* the root is on top */
let boxWidth = Number(box.getAttribute("width"));

let drawing = 0; /* number of the current drawing */
let shown = [];  /* shapes that are not hidden; some may wait to be drawn */

/* ---- layout ---- */

const titles = Math.max(3 * picture.fontSize, 32) + (part("subtitle") ? 2 * picture.fontSize : 0);
const top = () => titles + legendHeight;
const bottom = Math.max(2 * picture.fontSize + 10, 34);

/* A tree that is only slightly lower than the file's keeps the picture's height: a new layout of
 * everything is slow in browsers, and the root keeps its place. */
const LOWER = 0.8; /* as a share of the file's rows */

function roomyRows() {
    const rows = display.depth + 1, most = base.depth + 1;
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
    const {left, right, top, bottom} = svg.getBoundingClientRect();
    const wide = Math.min(document.documentElement.clientWidth, right) - Math.max(0, left);
    return {x: Math.max(0, -left), width: wide, ...sightOf(top, bottom)};
}

const sightOf = (top, bottom) =>
    ({y: Math.max(0, -top), height: Math.min(innerHeight, bottom) - Math.max(0, top)});

/* ---- drawing ---- */

/* Draws a node from pixel `left` to pixel `right` of the box. */
function drawNode(n, left, right, isHit) {
    const shape = shapeFor(n);
    const y = rowTop(n.depth), percent = 100 / boxWidth;
    setState(shape, around.has(n) ? "faded" : "");
    setPlace(shape, left * percent, (right - left) * percent, y);
    setLabel(shape, fit(n.name, right - left - 6), (left + 3) * percent, y);
    setFill(shape, isHit ? picture.searchColor : n.fill);
    shape.drawn = drawing;
    shown.push(shape);
}

/* A flat list of pieces to draw: a node, two positions in pixels, and whether it is a match. */
class Pieces {
    constructor() {
        this.list = [];
        this.wide = []; /* indexed by depth: list position of the row's last wide frame */
    }

    add(n, left, right, isHit) { this.list.push(n, left, right, isHit); }

    /* Adds a frame that has a shape of its own. */
    addFrame(n, left, right, isHit) {
        const {list, wide} = this, i = wide[n.depth], isWide = right - left >= PARTED;
        wide[n.depth] = isWide ? list.length : -1;
        if (isWide && i >= 0 && left - list[i + 2] < PARTING && list[i + 3] === isHit &&
            (isHit || list[i].fill === n.fill))
            list[i + 2] -= PARTING;
        list.push(n, left, right, isHit);
    }

    get count() { return this.list.length / 4; }

    draw() {
        const {list} = this;
        for (let i = 0; i < list.length; i += 4)
            drawNode(list[i], list[i + 1], list[i + 2], list[i + 3]);
    }
}

/* Collects narrow neighbours of each row, which are drawn as one; the widest represents them
 * all. */
class NarrowOnes {
    constructor(narrowest, pieces) {
        this.narrowest = narrowest;
        this.pieces = pieces;
        this.rows = [];
    }

    add(n, left, right, isHit) {
        const run = this.rows[n.depth], narrowest = this.narrowest;
        if (run === undefined || left - run.right > GAP * narrowest ||
            run.right - run.left >= narrowest) {
            this.flush(n.depth);
            this.rows[n.depth] = {node: n, left, right, isHit};
            return;
        }
        run.right = right;
        if (isHit === run.isHit ? n.w > run.node.w : isHit) run.node = n;
        run.isHit = run.isHit || isHit;
    }

    flush(depth) {
        const run = this.rows[depth];
        if (run === undefined) return;
        this.pieces.add(run.node, run.left, Math.max(run.right, run.left + NARROWEST), run.isHit);
        this.rows[depth] = undefined;
    }

    flushAll() { this.rows.forEach((_, depth) => this.flush(depth)); }
}

/* Returns the pieces of the `wanted` rows, merging frames narrower than `narrowest`; returns null
 * if there are too many pieces. */
function piecesOf(wanted, narrowest) {
    const pieces = new Pieces(), narrow = new NarrowOnes(narrowest, pieces);
    if (display.total === 0) { /* the filters dropped everything */
        pieces.add(display.root, 0, boxWidth, false);
        return pieces;
    }
    const nodes = display.nodes, scale = boxWidth / span;
    for (let i = 0; i < nodes.length; i++) {
        const n = nodes[i];
        const left = Math.max(n.x - from, 0) * scale;
        const right = Math.min(n.x + n.w - from, span) * scale;
        if (right <= left) {
            i = n.end - 1; /* its descendants are invisible, too */
        } else if (!wanted[n.depth]) {
            continue;
        } else if (right - left < narrowest) {
            narrow.add(n, left, right, isHit(n));
        } else {
            narrow.flush(n.depth);
            pieces.addFrame(n, left, right, isHit(n));
        }
        if (pieces.count > MOST && narrowest < WIDEST) return null;
    }
    narrow.flushAll();
    return pieces;
}

/* Draws the rows that `wanted` marks by depth. */
function drawRows(wanted) {
    let narrowest = NARROWEST, pieces = piecesOf(wanted, narrowest);
    while (pieces === null) pieces = piecesOf(wanted, narrowest *= 1.3);
    pieces.draw();
}

/* Visible rows are drawn at once, the others a little later, so that even tall pictures respond
 * quickly. Until then these rows keep their old content. */
let restDue = 0;
let rowsInSight = []; /* indexed by depth: whether the row is visible */
let drawnFrom = 0;    /* top of the visible part at the last drawing */

function draw(seen = sight()) {
    const before = shown, low = seen.y - SLOP, high = seen.y + seen.height + SLOP;
    drawnFrom = seen.y;
    drawing++;
    shown = [];
    rowsInSight = Array.from({length: display.depth + 1},
                             (_, depth) => rowTop(depth) >= low && rowTop(depth) <= high);
    drawRows(rowsInSight);
    for (const shape of before) {
        if (shape.drawn === drawing) continue;
        if (shape.y >= low && shape.y <= high) takeAway(shape);
        else shown.push(shape);
    }
    clearTimeout(restDue);
    clearTimeout(titlesDue);
    restDue = setTimeout(drawRest, LATER);
    showBars();
    showCursor();
}

function drawRest() {
    const before = shown;
    clearTimeout(restDue);
    restDue = 0;
    shown = before.filter(shape => shape.drawn === drawing);
    drawRows(rowsInSight.map(isInSight => !isInSight));
    for (const shape of before) if (shape.drawn !== drawing) takeAway(shape);
    titlesDue = setTimeout(setTitles, LATER, 0);
}

/* Titles of shapes that the mouse is not over matter only to assistive technology: they are set
 * last, a few at a time. */
const TITLES = 200;
let titlesDue = 0;

function setTitles(first) {
    const end = Math.min(first + TITLES, shown.length);
    clearTimeout(titlesDue);
    for (let i = first; i < end; i++) setTitle(shown[i]);
    titlesDue = end < shown.length ? setTimeout(setTitles, 0, end) : 0;
}

/* Completes the drawing for readers of the whole picture. */
function finishDrawing() {
    if (restDue !== 0) drawRest();
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

function setWindow(node) {
    zoomed = node;
    around = new Set();
    for (let n = node.parent; n !== null; n = n.parent) around.add(n);
    from = node.x;
    span = node.w || 1;
}

function zoom(node) {
    setWindow(node.w > 0 ? node : display.root);
    draw();
    remember();
}

const isZoomed = () => zoomed !== display.root || from !== 0;

/* Moves the window by a distance in pixels. */
function pan(pixels) {
    const most = display.total - span;
    from = Math.min(Math.max(from + pixels * span / boxWidth, 0), most);
    drawSoon();
    rememberSoon();
}

/* Shows another tree; `node` fills the width. The visible part keeps its distance from the root.
 *
 * After a change of height, the first request for a position causes a new layout of the whole
 * picture, so everything that needs no position is drawn first.
 */
function show(tree, node) {
    const place = globalThis.scrollY, at = svg.getBoundingClientRect();
    const height = display === null ? null : pictureHeight();
    if (tree !== display) lendAnew(tree);
    display = tree;
    setWindow(node);
    findHits();
    fitHeight(at.width);
    let by = 0;
    if (isAlone && !isFlipped && height !== null)
        by = Math.max(-place, Math.min(pictureHeight() - height, svgHeight() - innerHeight - place));
    draw(sightOf(at.top - by, at.top + svgHeight() - by));
    if (by !== 0) globalThis.scrollTo(0, place + by);
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

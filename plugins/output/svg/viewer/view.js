/* What is seen of a tree, and its drawing.
 *
 * A window [from, from + span) of weights fills the width. Zooming makes a node's width the window;
 * what is around the node is drawn faded. Dragging moves the window. A frame is drawn if the window
 * meets it.
 *
 * There is never more to draw than a browser can do at once: neighbours in a row that are narrower
 * than a pixel are drawn as one, in a picture that is full of them than a few pixels; and rows out
 * of sight wait.
 */
const NARROWEST = 1; /* of what is drawn alone, in pixels */
const WIDEST = 100;  /* what is wider is drawn alone, however much there is, in pixels */
const GAP = 0.3;     /* between neighbours that are drawn as one, as a share of that */
const MOST = 3000;   /* shapes that are drawn at once */
const PARTED = 4;    /* neighbours of one colour that are as wide as that, in pixels, are parted ... */
const PARTING = 1;   /* ... by so many */
const SLOP = 16;     /* what counts as in sight beyond the window's edge, in pixels */
const LATER = 60;    /* milliseconds until the rows out of sight are drawn */

let display = null;  /* the tree that is shown */
let zoomed = null;   /* a node of it; the root: all is shown */
let around = new Set(); /* the nodes that zoomed is in */
let from = 0, span = 1;
let isFlipped = picture.isInverted; /* the root is on top */
let boxWidth = Number(box.getAttribute("width"));

let drawing = 0; /* number of the drawing */
let shown = [];  /* the shapes that are not out of sight; some may wait to be drawn */

/* ---- places ---- */

const titles = Math.max(3 * picture.fontSize, 32) + (part("subtitle") ? 2 * picture.fontSize : 0);
const top = () => titles + legendHeight;
const bottom = Math.max(2 * picture.fontSize + 10, 34);

/* How many rows there is room for. Trees that are a little lower than the file's leave its picture as
 * high as it is: browsers take long to lay out all of it anew, and the root stays in its place. */
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

/* The part of the picture that is in sight, in its own pixels. */
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

/* What is to be drawn: a node, two places in pixels, and whether it is a hit, one after the other. */
class Pieces {
    constructor() {
        this.list = [];
        this.wide = []; /* by depth: where the last wide frame of the row stands in the list */
    }

    add(n, left, right, isHit) { this.list.push(n, left, right, isHit); }

    /* Adds a frame that is drawn alone. */
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

/* Narrow neighbours of each row that wait to be drawn as one; the widest stands for all. */
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

/* What is to be drawn of the rows that are `wanted`, if nothing is drawn alone that is narrower; null
 * if that is too much. */
function piecesOf(wanted, narrowest) {
    const pieces = new Pieces(), narrow = new NarrowOnes(narrowest, pieces);
    if (display.total === 0) { /* all is filtered away */
        pieces.add(display.root, 0, boxWidth, false);
        return pieces;
    }
    const nodes = display.nodes, scale = boxWidth / span;
    for (let i = 0; i < nodes.length; i++) {
        const n = nodes[i];
        const left = Math.max(n.x - from, 0) * scale;
        const right = Math.min(n.x + n.w - from, span) * scale;
        if (right <= left) {
            i = n.end - 1; /* nor is what is in it */
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

/* `wanted` tells for each depth whether its row is to be drawn. */
function drawRows(wanted) {
    let narrowest = NARROWEST, pieces = piecesOf(wanted, narrowest);
    while (pieces === null) pieces = piecesOf(wanted, narrowest *= 1.3);
    pieces.draw();
}

/* Rows in sight are drawn at once, the others a little later: however high the picture is, it
 * answers. Until then these rows are as they were. */
let restDue = 0;
let rowsInSight = []; /* by depth: whether they are */
let drawnFrom = 0;    /* the y where what was in sight began */

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

/* Titles of shapes that the mouse is not over are for those who read the page in other ways: they
 * come last, some at a time. */
const TITLES = 200;
let titlesDue = 0;

function setTitles(first) {
    const end = Math.min(first + TITLES, shown.length);
    clearTimeout(titlesDue);
    for (let i = first; i < end; i++) setTitle(shown[i]);
    titlesDue = end < shown.length ? setTimeout(setTitles, 0, end) : 0;
}

/* For those who look at all of it. */
function finishDrawing() {
    if (restDue !== 0) drawRest();
    for (const shape of shown) setTitle(shape);
}

let isDrawingDue = false;

/* Draws before the next frame; several wishes are one drawing. */
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

/* Moves the window by so many pixels. */
function pan(pixels) {
    const most = display.total - span;
    from = Math.min(Math.max(from + pixels * span / boxWidth, 0), most);
    drawSoon();
    rememberSoon();
}

/* Shows a tree in place of another; `node` of it fills the width. What is in sight stays as far from
 * the root as it was.
 *
 * Once its height is another, a picture is laid out anew, all of it, as soon as somebody asks where
 * anything is: what is known without asking is drawn first. */
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

/* As high as the window at least, where the picture is alone in it. */
const svgHeight = () => isAlone ? Math.max(pictureHeight(), innerHeight) : pictureHeight();

function fitHeight(width = svg.getBoundingClientRect().width) {
    fitLegend(width || innerWidth);
    put(svg, "height", svgHeight());
    put(part("backdrop"), "height", svgHeight());
}

/* Returns true if the width is another. */
function fitWidth() {
    const before = boxWidth, width = svg.getBoundingClientRect().width || innerWidth;
    boxWidth = Math.max(width - 2 * SIDE, 100);
    put(box, "width", boxWidth);
    fitSubtitle();
    placeBars();
    return boxWidth !== before;
}

/* ---- what is where ---- */

/* The frame at a point of the window, or null. What is between frames belongs to the one before it. */
function nodeAtPoint(clientX, clientY) {
    const at = box.getScreenCTM();
    const px = clientX - at.e, depth = depthAt(clientY - at.f);
    if (depth < 0 || px < 0 || px > boxWidth) return null;
    const x = from + px * span / boxWidth;
    const node = nodeAt(display, x, depth);
    return node !== undefined && node.depth === depth ? node : null;
}

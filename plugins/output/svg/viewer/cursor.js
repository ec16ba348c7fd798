/* SPDX-License-Identifier: MIT */
/* Tracks the frame that keys act on: the one under the mouse or the one the keys moved to,
 * whichever changed last. */
let cursor = null;  /* keyboard cursor: outlined */
let pointed = null; /* frame under the mouse */
let isByKeys = false;

const subject = () => isByKeys && cursor !== null ? cursor : pointed || cursor;

const outline = document.createElementNS(SVG, "rect");
outline.id = "cursor";

function showCursor() {
    const isSeen = cursor !== null && cursor.x < from + span && cursor.x + cursor.w > from;
    put(outline, "class", isSeen ? "" : "out");
    if (!isSeen) return;
    const left = Math.max(cursor.x - from, 0) * boxWidth / span;
    const right = Math.min(cursor.x + cursor.w - from, span) * boxWidth / span;
    put(outline, "x", SIDE + left);
    put(outline, "y", rowTop(cursor.depth));
    put(outline, "width", Math.max(right - left, 2));
    put(outline, "height", picture.rowHeight - 1);
}

function forgetCursor() {
    cursor = null;
    isByKeys = false;
    showCursor();
    showDetails();
}

/* ---- movement ---- */

/* Returns the node to zoom to so that a node is wide enough to be seen: its outermost ancestor in
 * which it is, or the node itself. */
function roomFor(node) {
    const WIDE = 24; /* pixels */
    let room = node;
    while (room.parent !== null && node.w / room.parent.w * boxWidth >= WIDE) room = room.parent;
    return room;
}

/* Returns the scroll distance that makes a node's row visible. */
function wayTo(node) {
    const seen = sight(), y = rowTop(node.depth);
    const over = seen.y + top() - y, under = y + picture.rowHeight + bottom - seen.y - seen.height;
    if (over > 0) return -over - picture.rowHeight;
    return under > 0 ? under + picture.rowHeight : 0;
}

const scrollTo = node => scrollPicture(wayTo(node));

/* Moves the cursor to a node and scrolls to it; zooms if it is outside or too narrow to be seen, unless
 * told not to. */
function moveCursor(node, mayZoom = true) {
    cursor = node;
    isByKeys = true;
    const isOutside = node.x >= from + span || node.x + node.w <= from;
    const isZoomedTo = mayZoom && (isOutside || node.w / span * boxWidth < 3);
    if (isZoomedTo) setWindow(roomFor(node));
    scrollTo(node);
    if (isZoomedTo || !isSightDrawn()) return draw();
    showBars();
    showCursor();
}

const heaviest = nodes => nodes.reduce((a, b) => a !== undefined && a.w >= b.w ? a : b, undefined);

/* Returns the next visible frame of the row to the right or to the left; passes over those that are
 * narrower than a pixel. */
function neighbour(node, isRight) {
    const least = span / boxWidth;
    const row = display.nodes.filter(n => n.depth === node.depth && !n.isNarrow && n.w >= least &&
        n.x < from + span && n.x + n.w > from && (isRight ? n.x > node.x : n.x < node.x));
    return row[isRight ? 0 : row.length - 1];
}

/* Moves the cursor by an arrow key: up and down as the picture is drawn, left and right within the
 * row. */
function goTowards(start, arrow) {
    if (start === null) return moveCursor(zoomed);
    const isInward = arrow === (isFlipped ? "↓" : "↑");
    let next;
    if (arrow === "←") next = neighbour(start, false);
    else if (arrow === "→") next = neighbour(start, true);
    else if (!isInward) next = start.parent;
    else next = heaviest(start.children.filter(n => !n.isNarrow));
    if (next) moveCursor(next);
}

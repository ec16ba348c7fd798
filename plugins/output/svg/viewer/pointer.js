/* SPDX-License-Identifier: MIT */
/* Handles mouse and touch input: pointing, clicking, dragging, long presses. */
const SLACK = 4;        /* movement allowed during a click, in pixels */
const LONG_PRESS = 500; /* milliseconds */

let held = null;         /* while a button or finger is down: {x, y, hasMoved, timer} */
let ignoresClick = false; /* the next click ends a drag or a long press */

/* Returns the frame of an event. Narrow frames have no elements, and there are gaps between frames,
 * so the position of the event decides. */
function nodeOf(event) {
    const shape = shapeAround(event.target), isBetween = event.target.id === "backdrop";
    if (!isBetween && (shape === null || shape.node === null)) return null;
    const exact = nodeAtPoint(event.clientX, event.clientY);
    if (isBetween) return exact;
    const isCovered = exact !== null && exact.depth === shape.node.depth && exact.shape === null;
    return isCovered ? exact : shape.node;
}

function pointAt(node) {
    if (node === pointed && !isByKeys) return;
    pointed = node;
    if (node !== null) {
        isByKeys = false;
        if (node.shape !== null && !hasTooltips) setTitle(node.shape);
    }
    showDetails();
}

/* ---- dragging ---- */

function startHold(event) {
    ignoresClick = false;
    if (event.button !== 0 || !event.target.closest("#frames, #backdrop, #cursor")) return;
    const node = nodeOf(event);
    held = {x: event.clientX, y: event.clientY, id: event.pointerId, hasMoved: false};
    if (event.pointerType === "mouse" || node === null) return;
    pointAt(node);
    held.timer = setTimeout(() => {
        held = null;
        ignoresClick = true;
        openFrameMenu(node, event.clientX, event.clientY);
    }, LONG_PRESS);
}

function moveHeld(event) {
    if (held === null || event.pointerId !== held.id) return;
    const dx = event.clientX - held.x, dy = event.clientY - held.y;
    if (!held.hasMoved && Math.hypot(dx, dy) < SLACK) return;
    clearTimeout(held.timer);
    if (!held.hasMoved) svg.setPointerCapture(event.pointerId);
    held.hasMoved = true;
    svg.classList.add("dragging");
    pan(-dx);
    if (event.pointerType === "mouse" || shift !== null) scrollPicture(-dy);
    held.x = event.clientX;
    held.y = event.clientY;
}

function endHold() {
    if (held === null) return;
    clearTimeout(held.timer);
    if (held.hasMoved) ignoresClick = true;
    held = null;
    svg.classList.remove("dragging");
}

svg.addEventListener("pointerdown", startHold);
svg.addEventListener("pointermove", moveHeld);
svg.addEventListener("pointerup", endHold);
svg.addEventListener("pointercancel", endHold);

/* ---- clicks ---- */

svg.addEventListener("click", event => {
    if (!ignoresClick) return;
    ignoresClick = false;
    event.preventDefault();
    event.stopPropagation(); /* a menu may have opened under the finger */
}, {capture: true});

svg.addEventListener("click", event => {
    const isInPopup = popup !== null && popup.contains(event.target);
    const node = nodeOf(event);
    if (popup !== null && !isInPopup && !event.target.closest("#bar")) return closePopup();
    if (node === null) return;
    if (event.target.closest("a") && !event.ctrlKey) return; /* follows a link */
    event.preventDefault();
    forgetCursor();
    pointed = node;
    if (node.run > 1) openRun(node);
    else zoom(node);
});

svg.addEventListener("contextmenu", event => {
    const node = nodeOf(event);
    if (node === null || event.shiftKey) return;
    event.preventDefault();
    openFrameMenu(node, event.clientX, event.clientY);
});

/* ---- pointing ---- */

svg.addEventListener("mousemove", event => {
    if (held !== null || popup !== null) return hideTooltip();
    const node = nodeOf(event);
    pointAt(node);
    showTooltip(node, event.clientX, event.clientY);
});

svg.addEventListener("mouseleave", () => {
    pointAt(null);
    hideTooltip();
});
for (const type of ["pointerdown", "wheel", "keydown"]) addEventListener(type, hideTooltip, {passive: true});

/* Zooms around the mouse with Ctrl, pans with wheels that turn sideways, and scrolls where the browser does not. */
svg.addEventListener("wheel", event => {
    const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
    if (event.ctrlKey) {
        event.preventDefault();
        zoomAround(event.clientX - box.getScreenCTM().e, Math.exp(event.deltaY / 300));
        return;
    }
    if (sideways === 0 && scrollBoxed(event.deltaY * (event.deltaMode === 1 ? picture.rowHeight : 1))) event.preventDefault();
    if (sideways === 0 || !isZoomed()) return;
    event.preventDefault();
    pan(sideways);
}, {passive: false});

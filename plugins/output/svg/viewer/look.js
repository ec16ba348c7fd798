/* SPDX-License-Identifier: MIT */
/* Prepares the initial view of the picture, and the view for printing. */

/* ---- initial view ---- */

/* The outermost frames of a picture that is taller than the window are at its bottom. Programs that
 * take screenshots ignore the scroll position and would show only the top. The picture is therefore
 * moved up by its margin at first; it is scrolled by the same distance after the first input or a
 * delay. */
const FIRST_LOOK = 1000; /* milliseconds after the page is loaded */
let raised = null;       /* distance in pixels; null: no longer moved */

function raise() {
    svg.style.marginTop = "";
    const most = Math.max(0, svg.getBoundingClientRect().height - innerHeight);
    raised = Math.min(Math.max(wayTo(zoomed), 0), most);
    svg.style.marginTop = `${-raised}px`;
    svg.style.overflowY = raised > 0 ? "scroll" : ""; /* keeps the width when it is scrolled */
    placeBars();
    draw();
}

function endFirstLook() {
    if (raised === null) return;
    const by = raised;
    raised = null;
    svg.style.marginTop = svg.style.overflowY = "";
    scrollBy(0, by);
}

function startFirstLook() {
    const signs = ["pointermove", "pointerdown", "touchstart", "wheel", "keydown", "hashchange", "beforeprint"];
    for (const sign of signs) addEventListener(sign, endFirstLook, {capture: true, once: true, passive: true});
    addEventListener("load", () => setTimeout(endFirstLook, FIRST_LOOK));
    raise();
}

/* Adapts the picture to another size of the window, or of the legend. */
function fitWindow() {
    if (isPrinting) return;
    fitHeight();
    fitWidth();
    findShift();
    if (raised !== null) raise();
    drawSoon();
}

/* ---- printing ---- */

/* Shows the whole picture, as wide as the paper, with its bars at their places. */
function toPaper() {
    isPrinting = true;
    finishDrawing();
    if (!isAlone) return;
    placeBars();
    put(svg, "viewBox", `0 0 ${boxWidth + 2 * SIDE} ${pictureHeight()}`);
}

function fromPaper() {
    isPrinting = false;
    svg.removeAttribute("viewBox");
    if (shift !== null) setShift(shift);
    placeBars();
    followTheme();
}

/* The picture as somebody sees it first, and on paper. */

/* ---- the first look ---- */

/* The outermost frames are below in a picture that is taller than the window. Programs that take a
 * picture of a page take it as if it were not scrolled, and would take one of nothing: until somebody is
 * there, or a while has passed, the picture is moved up by its margin, and then scrolled by as much. */
const FIRST_LOOK = 1000; /* milliseconds after the page is loaded */
let raised = null;       /* by how many pixels; null: no longer */

function raise() {
    svg.style.marginTop = "";
    const most = Math.max(0, svg.getBoundingClientRect().height - innerHeight);
    raised = Math.min(Math.max(wayTo(zoomed), 0), most);
    svg.style.marginTop = `${-raised}px`;
    svg.style.overflowY = raised > 0 ? "scroll" : ""; /* the width stays when it is scrolled */
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

/* ---- on paper ---- */

let isPrinting = false;

/* All of the picture, as wide as the paper, with its bars in their places. */
function toPaper() {
    finishDrawing();
    if (!isAlone) return;
    isPrinting = true;
    placeBars();
    put(svg, "viewBox", `0 0 ${boxWidth + 2 * SIDE} ${pictureHeight()}`);
}

function fromPaper() {
    isPrinting = false;
    svg.removeAttribute("viewBox");
    placeBars();
}

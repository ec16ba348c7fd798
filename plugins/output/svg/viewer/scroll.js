/* SPDX-License-Identifier: MIT */
/* Scrolls the picture. Browsers do not scroll one in an <object> or <embed> that is lower, but cut it off; there
 * the viewBox shows a part of it. */
let shift = null; /* distance of that part from the top, in pixels; null: the browser scrolls */

/* Returns the edges of the picture, in pixels of the window. */
function edges() {
    const at = svg.getBoundingClientRect(), {left, right, width} = at;
    return shift === null ? at : {left, right, width, top: -shift, bottom: svgHeight() - shift};
}

const thumb = make("rect");
thumb.id = "thumb";

function setShift(to) {
    const {width, height} = svg.getBoundingClientRect(), whole = svgHeight();
    shift = Math.max(0, Math.min(to, whole - height));
    put(svg, "viewBox", `0 ${shift} ${width} ${height}`);
    put(thumb, "x", width - 5);
    put(thumb, "y", shift + shift * height / whole);
    put(thumb, "height", height * height / whole);
}

/* Finds out whether the picture is cut off, and shows the part with the root at first. */
function findShift() {
    const {height} = svg.getBoundingClientRect();
    if (!isAlone || isPrinting || height === 0) return;
    if (height < svgHeight() - 1) {
        svg.append(thumb);
        setShift(shift ?? (isFlipped ? 0 : Infinity));
    } else if (shift !== null) {
        shift = null;
        svg.removeAttribute("viewBox");
        thumb.remove();
    }
    svg.classList.toggle("boxed", shift !== null);
}

function scrolled() {
    if (!isSightDrawn()) drawSoon();
    placeBars();
}

const scrolledBy = () => shift ?? globalThis.scrollY;

function scrollPictureTo(place) {
    if (shift === null) return globalThis.scrollTo(0, place);
    setShift(place);
    scrolled();
}

const scrollPicture = by => shift === null ? scrollBy(0, by) : scrollPictureTo(shift + by);

/* Scrolls by a wheel or a key. Returns whether the picture has moved. */
function scrollBoxed(by) {
    const before = shift;
    if (shift === null || !by) return false;
    scrollPicture(by);
    return shift !== before;
}

addEventListener("scroll", scrolled, {passive: true});
addEventListener("keydown", event => {
    const pages = {PageDown: 0.9, PageUp: -0.9, Home: -Infinity, End: Infinity}[event.key];
    if (!isTyping(event) && scrollBoxed(pages * innerHeight)) event.preventDefault();
});

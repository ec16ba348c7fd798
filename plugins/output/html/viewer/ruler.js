/* SPDX-License-Identifier: MIT */
/* Draws a map of the whole time and a ruler of the visible part below calls in the order of time. A
 * drag on the map moves the visible part. */
const MAP_HEIGHT = 28, SCALE_HEIGHT = 16; /* pixels */
const ruler = html("canvas", {id: "ruler", hidden: "", "aria-hidden": "true"});
const rulerContext = ruler.getContext("2d", {alpha: false});
let mapped = {}; /* the last result of depthsOf(): {tree, width, depths} */

/* Returns the depth of the calls in each pixel of the map. */
function depthsOf(tree, width) {
    if (mapped.tree === tree && mapped.width === width) return mapped.depths;
    const depths = new Uint32Array(width), scale = width / tree.total[0];
    for (let i = 1; i < tree.n; i++) {
        const last = Math.min(width, Math.ceil((tree.x[i] + tree.total[i]) * scale));
        for (let pixel = Math.floor(tree.x[i] * scale); pixel < last; pixel++)
            if (depths[pixel] < tree.depth[i]) depths[pixel] = tree.depth[i];
    }
    mapped = {tree, width, depths};
    return depths;
}

/* Draws the depth of the calls, and the visible part. */
function drawMap(c, {tree, from, span}, width) {
    const depths = depthsOf(tree, width), most = depths.reduce((a, b) => Math.max(a, b), 1), scale = width / tree.total[0];
    c.fillStyle = theme("--line");
    depths.forEach((depth, x) => {
        const height = depth / most * (MAP_HEIGHT - 4);
        c.fillRect(x, MAP_HEIGHT - height, 1, height);
    });
    c.fillStyle = theme("--mark");
    c.globalAlpha = 0.25;
    c.fillRect(from * scale, 0, Math.max(2, span * scale), MAP_HEIGHT);
    c.globalAlpha = 1;
    c.fillRect(from * scale, MAP_HEIGHT - 2, Math.max(2, span * scale), 2);
}

/* Returns the least of 1, 2 and 5 times a power of ten that is not smaller than a number. */
function roundStep(least) {
    const power = 10 ** Math.floor(Math.log10(least));
    return [1, 2, 5, 10].find(n => n * power >= least * (1 - 1e-9)) * power;
}

/* Formats a time for a label: large counts are short, as "20M samples". */
function tickText(amount, {word}) {
    const notation = amount >= 1e5 ? "compact" : "standard";
    return `${Number(amount.toPrecision(12)).toLocaleString("en-US", {notation, maximumFractionDigits: 6})} ${word}`;
}

/* Writes a label that fits into the canvas. */
function tickLabel(c, text, x, y) {
    if (x + c.measureText(text).width <= c.canvas.clientWidth) c.fillText(text, x, y);
}

/* Draws ticks and labels of the visible part. */
function drawScale(c, {from, span}, width) {
    const unit = unitFor(data.weight, from + span), text = n => tickText(n, unit);
    c.fillStyle = theme("--ink");
    c.font = "11px system-ui, sans-serif";
    c.textBaseline = "top";
    const room = Math.max(60, c.measureText(text(roundStep((from + span) / unit.scale))).width + 24);
    const step = roundStep(span / unit.scale * room / width);
    for (let n = Math.ceil(from / unit.scale / step); n * step * unit.scale < from + span; n++) {
        const x = (n * step * unit.scale - from) / span * width;
        c.fillRect(x, MAP_HEIGHT, 1, 4);
        tickLabel(c, text(n * step), x + 3, MAP_HEIGHT + 3);
    }
}

/* Draws both after each drawing of the picture. */
function showRuler() {
    ruler.hidden = view.kind !== "time" || main.tree === null || !(main.span > 0);
    if (ruler.hidden) return;
    const {width, ratio} = main, c = rulerContext;
    ruler.width = Math.round(width * ratio);
    ruler.height = Math.round((MAP_HEIGHT + SCALE_HEIGHT) * ratio);
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.fillStyle = theme("--paper");
    c.fillRect(0, 0, width, MAP_HEIGHT + SCALE_HEIGHT);
    drawMap(c, main, Math.floor(width));
    drawScale(c, main, width);
}

/* Moves the middle of the visible part to a point of the map. */
function lookThere(event) {
    const {left, width} = ruler.getBoundingClientRect(), {span} = main.window();
    main.move((event.clientX - left) / width * main.tree.total[0] - span / 2, span);
    showBars();
    rememberSoon();
}

ruler.addEventListener("pointerdown", event => {
    ruler.setPointerCapture(event.pointerId);
    lookThere(event);
});
ruler.addEventListener("pointermove", event => {
    if (event.buttons === 1) lookThere(event);
});

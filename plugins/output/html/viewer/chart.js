/* SPDX-License-Identifier: MIT */
/* Draws a tree on a canvas.
 *
 * The canvas covers only the visible part of the picture: it sticks to the top of its scroller, and
 * an empty element gives the scroller the height of the picture. See coverage.js for frames narrower
 * than a pixel.
 */
const ROW = 18;              /* height of a row, in pixels */
const NARROW = 1;            /* pixels */
const LABELLED = 24;         /* frames narrower than this have no label, in pixels */
const NARROWEST_OUTLINE = 4; /* pixels */
const ANIMATION = 80;        /* milliseconds */
const FIRST_STEP = 16;       /* milliseconds */
const TALLEST_CANVAS = 16000; /* pixels */

/* Returns a colour in the syntax of the canvas. */
const cssColors = new Map();
function cssColor(rgb) {
    let text = cssColors.get(rgb);
    if (text === undefined) {
        text = "#" + rgb.toString(16).padStart(6, "0");
        cssColors.set(rgb, text);
    }
    return text;
}

/* Returns a colour of the profile in the theme; those of nodes, of which many are equal in succession. */
const themed = rgb => isDarkTheme() ? darkColor(rgb) : rgb;
function inTheme(colors) {
    let rgb = -1, dark = 0;
    return !isDarkTheme() ? colors : colors.map(color => {
        if (color !== rgb) dark = darkColor(rgb = color);
        return dark;
    });
}

const MATCH = 0xe600e6;
const paper = () => parseInt(theme("--paper").slice(1), 16); /* #rrggbb */

class Chart {
    /* Rows above depth `least` are left out. */
    constructor(isUp, label, least = 0) {
        this.isUp = isUp; /* the root is at the bottom */
        this.least = least; /* depth of the first row */
        this.canvas = html("canvas", {tabindex: "0", role: "application", "aria-roledescription": "flame graph", "aria-label": label});
        this.spacer = html("div", {class: "spacer"}, this.canvas);
        this.scroller = html("div", {class: "scroller"}, this.spacer);
        this.context = this.canvas.getContext("2d", {alpha: false});
        this.tree = null;
        this.zoomed = this.from = this.span = 0;
        this.goal = null; /* target of the running animation: {from, span, start, from0, span0} */
        this.drawn = [];  /* frames of the last drawing: [{node, left, right, top, isMerged}] */
        this.coverage = new Coverage(); /* of narrower ones */
        this.covers = null; /* what it covers: {first, step, from, span}: rows and window */
        this.painted = {}; /* see colors() */
        this.isDue = false;
        this.scrolled = 0; /* as of the last readScroll() */
        this.drawings = 0; /* number of drawings so far */
        this.scroller.addEventListener("scroll", () => this.drawSoon(), {passive: true});
        new ResizeObserver(() => {
            if (!this.isWhole) this.resized();
        }).observe(this.scroller);
    }

    /* ---- visible part ---- */

    show(tree, zoomed = 0) {
        this.tree = tree;
        this.covers = null;
        this.goal = null;
        this.pointed = this.cursor = null;
        this.lookAt(zoomed, tree.x[zoomed], tree.total[zoomed], false);
    }

    /* Shows a part of a node's width, by default all of it. */
    lookAt(node, from, span, isSmooth) {
        this.zoomed = node;
        if (isSmooth && this.width > 0 && this.span > 0 && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
            this.goal = {from, span, start: 0, from0: this.from, span0: this.span};
        } else {
            this.goal = null;
            Object.assign(this, {from, span});
        }
        const place = this.fromRoot();
        this.measure();
        this.scrollTo(node, place);
        this.drawSoon();
    }

    /* Returns the scroll distance from the picture's root edge, in pixels. */
    fromRoot() {
        if (this.tall === undefined || !(this.height > 0)) return 0;
        const {scrollTop} = this.scroller;
        return this.isUp ? this.tall - this.height - scrollTop : scrollTop;
    }

    /* Puts the root at the bottom or at the top. */
    turn(isUp) {
        if (isUp === this.isUp) return;
        const place = this.fromRoot();
        this.isUp = isUp;
        if (this.tall !== undefined) this.scrollTo(0, place);
    }

    /* Restores a scroll distance if it leaves the zoomed frame and some of its callees visible;
     * otherwise scrolls to the zoomed frame. */
    scrollTo(node, place) {
        const row = (this.tree.depth[node] - this.least) * ROW;
        const isSeen = row >= place && row + 4 * ROW <= place + this.height;
        const at = node === 0 || isSeen ? place : Math.max(0, row - 3 * ROW);
        this.scroller.scrollTop = this.isUp ? this.tall - this.height - at : at;
    }

    zoom(node) {
        if (this.tree.total[node] > 0)
            this.lookAt(node, this.tree.x[node], this.tree.total[node], true);
    }

    /* Returns the shown window, or the target window of a running animation. */
    window() {
        const {from, span} = this.goal || this;
        return {from, span};
    }

    /* Moves the window and keeps it within the whole. */
    move(from, span) {
        const whole = this.tree.total[0];
        span = Math.min(whole, Math.max(span, whole * 1e-12));
        from = Math.max(0, Math.min(from, whole - span));
        let node = this.zoomed;
        while (node !== 0 && (from < this.tree.x[node] ||
               from + span > (this.tree.x[node] + this.tree.total[node]) * (1 + 1e-15)))
            node = this.tree.parent[node];
        this.goal = null;
        Object.assign(this, {zoomed: node, from, span});
        this.measure();
        this.drawSoon();
    }

    /* ---- positions ---- */

    /* Adapts to the scroller's size. Returns whether it has changed. */
    fit() {
        const {clientWidth, clientHeight} = this.scroller, ratio = Math.min(devicePixelRatio || 1, 3);
        const isSame = this.width === clientWidth && this.height === clientHeight && this.ratio === ratio;
        if (isSame && !this.isWhole) return false;
        Object.assign(this, {width: clientWidth, height: clientHeight, isWhole: false});
        this.canvas.width = Math.max(1, Math.round(this.width * ratio));
        this.canvas.height = Math.max(1, Math.round(this.height * ratio));
        this.canvas.style.width = this.width + "px";
        this.canvas.style.height = this.height + "px";
        this.ratio = ratio;
        const isNew = this.lastBottom === undefined;
        const atEnd = this.isUp && (isNew || this.scroller.scrollTop + 2 >= this.lastBottom);
        this.measure();
        if (atEnd) this.scroller.scrollTop = this.scroller.scrollHeight;
        return true;
    }

    resized() {
        if (this.fit()) this.draw();
    }

    /* Makes the canvas as tall as the picture, or as a canvas may be, until the next resized(). */
    unroll() {
        if (this.tree === null) return;
        this.fit(); /* the view may have opened just now */
        if (this.width === 0) return;
        this.height = this.tall;
        this.ratio = Math.min(this.ratio, TALLEST_CANVAS / this.tall);
        this.canvas.width = Math.round(this.width * this.ratio);
        this.canvas.height = Math.round(this.tall * this.ratio);
        this.canvas.style.height = this.tall + "px";
        this.isWhole = true;
        this.draw();
    }

    measure() {
        if (this.tree === null || this.height === undefined) return;
        const rows = this.tree.depth[this.zoomed] + this.tree.height[this.zoomed] + 1 - this.least;
        this.tall = Math.max(rows * ROW, this.height);
        this.spacer.style.height = this.tall + "px";
        this.lastBottom = this.tall - this.height;
    }

    /* Reads how far the picture is scrolled; the browser's answer may take long. */
    readScroll() {
        this.scrolled = this.isWhole ? 0 : this.scroller.scrollTop;
    }

    /* Returns the top of a row, in pixels of the canvas. */
    topOf(depth) {
        const row = depth - this.least, y = this.isUp ? this.tall - (row + 1) * ROW : row * ROW;
        return y - this.scrolled;
    }

    depthAt(y) {
        const inPicture = y + this.scrolled;
        return this.least + Math.floor((this.isUp ? this.tall - inPicture - 0.001 : inPicture) / ROW);
    }

    /* Returns the object at a point: {node, isMerged, parent, from, span}, or null. Where frames are
     * narrower than a pixel, `node` is the widest of them, and `parent`, `from` and `span` describe
     * their surroundings. */
    at(x, y) {
        if (this.tree === null) return null;
        this.readScroll();
        const {tree} = this, depth = this.depthAt(y), perPixel = this.span / this.width;
        const place = this.from + x * perPixel, zoomedDepth = tree.depth[this.zoomed];
        if (depth < this.least) return null;
        if (depth <= zoomedDepth) return {node: pathOf(tree, this.zoomed)[depth], isMerged: false};
        for (let at = this.zoomed;;) {
            const i = childAt(tree, at, place);
            if (i < 0 || tree.total[i] < NARROW * perPixel) return this.narrowAt(at, Math.floor(x), depth);
            if (tree.depth[i] === depth) return {node: i, isMerged: false};
            at = i;
        }
    }

    /* Returns the object for the narrow frames in a pixel of a row, below a node. */
    narrowAt(parent, pixel, depth) {
        const {tree} = this, perPixel = this.span / this.width, least = NARROW * perPixel;
        const from = this.from + pixel * perPixel, to = from + perPixel;
        let node = -1;
        for (let i = parent + 1; i < tree.end[parent];) {
            const isThere = tree.x[i] < to && tree.x[i] + tree.total[i] > from && tree.total[i] < least;
            if (isThere && tree.depth[i] === depth && (node < 0 || tree.total[i] > tree.total[node])) node = i;
            i = isThere && tree.depth[i] < depth ? i + 1 : tree.end[i];
        }
        return node < 0 ? null : {node, isMerged: true, parent, ...this.runAround(parent, node)};
    }

    /* Returns the range of narrow siblings around a node below `parent`. */
    runAround(parent, node) {
        const {tree} = this, least = NARROW * this.span / this.width;
        let first = -1, last = -1;
        for (let i = parent + 1; i < tree.end[parent]; i = tree.end[i]) {
            if (tree.total[i] === 0) continue;
            if (tree.total[i] < least) {
                if (first < 0) first = i;
                last = i;
            } else if (i > node) break;
            else first = -1;
        }
        return {from: tree.x[first], span: tree.x[last] + tree.total[last] - tree.x[first]};
    }

    /* ---- drawing ---- */

    drawSoon() {
        if (this.isDue) return;
        this.isDue = true;
        requestAnimationFrame(() => {
            this.isDue = false;
            if (!this.isWhole) this.fit(); /* spares a second drawing after the layout */
            this.draw();
        });
    }

    step() {
        if (this.goal === null) return;
        const g = this.goal, now = performance.now();
        if (g.start === 0) g.start = now - FIRST_STEP;
        const t = Math.min(1, (now - g.start) / ANIMATION);
        const e = 1 - (1 - t) ** 3;
        this.from = g.from0 + (g.from - g.from0) * e;
        this.span = g.span0 + (g.span - g.span0) * e;
        if (t < 1) return this.drawSoon();
        this.from = g.from;
        this.span = g.span;
        this.goal = null;
    }

    draw() {
        if (this.tree === null) return;
        this.step();
        if (!(this.width > 0)) return;
        this.readScroll();
        this.drawings++;
        const c = this.context;
        c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
        c.fillStyle = theme("--paper");
        c.fillRect(0, 0, this.width, this.height);
        this.drawn.length = 0;
        if (!(this.span > 0)) return;
        this.drawFrames();
        this.drawMarks();
        if (this === main) showRuler();
    }

    /* Returns the range of visible rows. */
    rows() {
        const a = this.depthAt(0), b = this.depthAt(this.height - 1);
        return {first: Math.max(this.least, Math.min(a, b)), last: Math.max(a, b)};
    }

    /* Draws all frames in sight. On the way to another window, stretches the narrow frames of the last
     * complete drawing. In the same window, a search changes only the colours of narrow matches. */
    drawFrames() {
        const {tree, from, span, width, ratio} = this, {x, total, end, depth} = tree;
        const scale = width / span, rows = this.rows(), start = this.zoomed, stop = end[start];
        const labels = [], {usual, matches} = this.colors(), {coverage, isUp} = this, isComplete = this.goal === null;
        const last = Math.min(rows.last, depth[start] + tree.height[start]), step = isUp ? -1 : 1;
        const sight = [tree, total, usual, start, from, span, width, ratio, rows.first, last, isUp];
        const isNew = isComplete && !coverage.restore(sight);
        if (isNew) coverage.clear(this.canvas.width, Math.max(0, last - rows.first + 1));
        if (isComplete) this.covers = {first: isUp ? last : rows.first, step, from, span};
        for (const node of pathOf(tree, start).slice(0, -1))
            if (depth[node] >= rows.first && depth[node] <= last)
                this.drawFrame(node, 0, width, labels, mixed(this.colorOf(node), paper(), 0.5));
        for (let i = start; i < stop;) {
            const left = (x[i] - from) * scale, w = total[i] * scale, row = depth[i];
            if (w === 0 || left >= width || left + w <= 0 || row > last) {
                i = end[i];
                continue;
            }
            if (row < rows.first) {
                i++;
                continue;
            }
            const isNarrow = w < NARROW && i !== start;
            if (!isNarrow) this.drawFrame(i, Math.max(0, left), Math.min(width, left + w), labels, this.colorOf(i));
            else if (isNew)
                coverage.add(isUp ? last - row : row - rows.first, left * ratio, (left + w) * ratio, usual[i], i);
            i = row < last && (isNew || !isNarrow) ? i + 1 : end[i];
        }
        if (isNew) coverage.keep(sight);
        if (isComplete && matches !== null) this.paintNarrowMatches(scale, rows.first, last);
        this.drawCoverage(scale, isComplete);
        this.drawLabels(labels);
    }

    /* Changes the colours of matches in a coverage that has the usual ones. */
    paintNarrowMatches(scale, first, last) {
        const {tree, from, width, ratio, coverage, isUp, zoomed} = this, {x, total, fn, depth} = tree;
        const {matches, usual} = this.colors(), stop = tree.end[zoomed];
        for (let i = zoomed + 1; i < stop; i++) {
            if (matches[fn[i]] !== 1) continue;
            const left = (x[i] - from) * scale, w = total[i] * scale, row = depth[i];
            if (w === 0 || w >= NARROW || left >= width || left + w <= 0 || row < first || row > last) continue;
            coverage.recolor(isUp ? last - row : row - first, left * ratio, (left + w) * ratio, usual[i], MATCH);
        }
    }

    drawCoverage(scale, isNew) {
        const {coverage, covers} = this;
        if (covers === null) return;
        if (isNew) coverage.fill();
        coverage.draw(this.context, (covers.from - this.from) * scale, covers.span * scale,
                      row => this.topOf(covers.first + covers.step * row));
    }

    drawFrame(node, left, right, labels, color) {
        const c = this.context, top = this.topOf(this.tree.depth[node]);
        const gap = right - left > 3 ? 0.5 : 0;
        c.fillStyle = cssColor(color);
        c.fillRect(left, top, right - left - gap, ROW - 1);
        if (right - left > NARROWEST_OUTLINE && this.colors().isByChange) this.outline(node, left, right, top);
        this.drawn.push({node, left, right, top, isMerged: false});
        if (right - left >= LABELLED) labels.push(node, left, right, top, color);
    }

    /* Outlines a frame of a picture of changes: unchanged ones visibly are frames, changed ones differ. */
    outline(node, left, right, top) {
        const c = this.context, isChanged = isOutlined(this.tree, node);
        c.strokeStyle = theme(isChanged ? "--changed" : "--unchanged");
        c.lineWidth = 1;
        c.strokeRect(left + 0.5, top + 0.5, right - left - 1.5, ROW - 2);
    }

    /* Returns the drawn frames and the pixels with narrow ones: [{node, left, right, top,
     * isMerged}]. */
    shown() {
        const {ratio, covers} = this;
        if (covers === null) return this.drawn;
        return [...this.drawn, ...this.coverage.covered().map(({node, row, cell}) => ({
            node, left: cell / ratio, right: (cell + 1) / ratio,
            top: this.topOf(covers.first + covers.step * row), isMerged: true}))];
    }

    /* Returns {usual, matches}: `usual` has the colours of all nodes without a search, in the theme; `matches` says
     * which functions are highlighted, or is null. */
    colors() {
        const {tree, painted} = this, {weight} = tree, {answers} = search, {marked} = view, isByChange = showsChanges();
        const isDark = isDarkTheme(), isSame = painted.tree === tree && painted.weight === weight &&
            painted.isByChange === isByChange && painted.isDark === isDark;
        if (isSame && painted.answers === answers && painted.marked === marked) return painted;
        const usual = isSame ? painted.usual : inTheme(isByChange ? deltaColors(tree) : tree.color);
        let matches = answers;
        if (marked >= 0) {
            matches = answers === null ? new Uint8Array(functions.names.length) : Uint8Array.from(answers);
            matches[marked] = 1;
        }
        return this.painted = {tree, weight, answers, isByChange, isDark, marked, usual, matches};
    }

    colorOf(node) {
        const {usual, matches} = this.colors();
        return matches !== null && matches[this.tree.fn[node]] === 1 ? MATCH : usual[node];
    }

    drawLabels(labels) {
        const c = this.context;
        c.font = LABEL_FONT;
        c.textBaseline = "middle";
        const letter = letterWidth(c);
        for (let k = 0; k < labels.length; k += 5) {
            const [node, left, right, top, color] = labels.slice(k, k + 5);
            const text = fitted(c, titleOf(this.tree, node), right - left - 6, letter);
            if (text === "") continue;
            c.fillStyle = isBlackInk(color) ? "#000" : "#fff";
            c.fillText(text, left + 3, top + ROW / 2);
        }
    }

    /* Returns the place of a node in pixels of the canvas: {left, right, top}. */
    boxOf(node) {
        const {tree, zoomed} = this, scale = this.width / this.span, left = (tree.x[node] - this.from) * scale;
        const isAround = node < zoomed && tree.end[node] > zoomed, top = this.topOf(tree.depth[node]);
        if (isAround) return {left: 0, right: this.width, top};
        return {left: Math.max(0, left), right: Math.min(this.width, left + tree.total[node] * scale), top};
    }

    /* Outlines the frames under the mouse and under the keyboard cursor. */
    drawMarks() {
        const c = this.context;
        for (const [node, style] of [[this.pointed, "--mark"], [this.cursor, "--ink"]]) {
            if (node === null || node === undefined) continue;
            const {left, right, top} = this.boxOf(node);
            if (right < left) continue;
            c.strokeStyle = theme(style);
            c.lineWidth = 2;
            c.strokeRect(left + 1, top + 1, Math.max(1, right - left - 2), ROW - 3);
        }
    }
}

/* ---- labels ---- */

const LABEL_FONT = "12px ui-monospace, monospace";
let letter = 0;

function letterWidth(context) {
    if (letter === 0) letter = context.measureText("M".repeat(50)).width / 50;
    return letter;
}

/* Returns as much of a name as fits, or ""; keeps the function's own name. */
function fitted(context, name, room, letter) {
    const most = Math.floor(room / letter);
    if (most < 2) return "";
    const isPlain = /^[\x20-\x7e]*$/.test(name);
    const text = shortName(name, isPlain ? part => part.length <= most
        : part => part.length <= 2 * most && context.measureText(part).width <= room);
    return inert(text).replace(/[\0-\x1f\x7f]/g, "\ufffd");
}

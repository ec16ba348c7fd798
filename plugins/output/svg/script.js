/* Zoom, search and status line of a flame graph.
 *
 * Every frame is a <g> with a <title>, a <rect> and a <text> in #frames; its place is told by the
 * weights fg:x (to its left) and fg:w (its own) and by the rect's y, which is its depth. Nothing is
 * measured in a loop that also changes the page: sizes are read once, then everything is written.
 */
"use strict";
(() => {
const byId = id => document.getElementById(id);
const svg = document.documentElement;
const box = byId("frames");
const details = byId("details");
const matched = byId("matched");
const searchButton = byId("search");
const unzoomButton = byId("unzoom");
const total = Number(box.getAttribute("total_samples"));
const padding = 10;

/* What is known of a frame, read from the page once. */
const frames = Array.from(box.children, group => {
    const [title, rect, label] = group.children;
    const text = title.textContent;
    return {
        group, rect, label, text,
        name: text.slice(0, text.lastIndexOf(" (")),
        x: Number(rect.getAttribute("fg:x")),
        w: Number(rect.getAttribute("fg:w")),
        y: Number(rect.getAttribute("y")),
        fill: rect.getAttribute("fill"),
    };
});
const frameOf = new Map(frames.map(f => [f.group, f]));

let zoomed = null;  /* the frame that fills the picture; null: all of them as drawn */
let pattern = null; /* what is searched for */
let boxWidth = Number(box.getAttribute("width"));
let charWidth = settings.fontSize * settings.fontWidth;

/* ---- labels ---- */

/* As much of a name as fits into `room` pixels. */
function fit(name, room) {
    const n = Math.floor(room / charWidth);
    if (n < 3) return "";
    if (name.length <= n) return name;
    return settings.truncateRight ? name.slice(0, n - 2) + ".." : ".." + name.slice(2 - n);
}

/* The width of a character, if the font is one of equal widths. */
function measureFont() {
    const probe = matched, before = probe.textContent;
    probe.textContent = "MMMMMMMMMM";
    const width = probe.getComputedTextLength() / 10;
    probe.textContent = before;
    if (width > 0) charWidth = width;
}

/* ---- zoom ---- */

const below = (a, b) => settings.inverted ? a.y > b.y : a.y < b.y;

/* Where a frame is while another fills the picture: "in" it, "on" the way to it, or "out". */
function placeOf(f, focus) {
    if (focus === null) return "in";
    const inside = f.x >= focus.x && f.x + f.w <= focus.x + focus.w;
    if (inside && (f === focus || below(f, focus))) return "in";
    const around = f.x <= focus.x && f.x + f.w >= focus.x + focus.w;
    return around && !below(f, focus) && f.y !== focus.y ? "on" : "out";
}

function draw() {
    const from = zoomed === null ? 0 : zoomed.x, span = zoomed === null ? total : zoomed.w;
    const indent = 300 / boxWidth;
    for (const f of frames) {
        const place = placeOf(f, zoomed);
        f.shown = place !== "out";
        f.group.setAttribute("class", place === "out" ? "out" : place === "on" ? "faded" : "");
        if (!f.shown) continue;
        const left = place === "on" ? 0 : 100 * (f.x - from) / span;
        const width = place === "on" ? 100 : 100 * f.w / span;
        f.rect.setAttribute("x", left.toFixed(4) + "%");
        f.rect.setAttribute("width", width.toFixed(4) + "%");
        f.label.setAttribute("x", (left + indent).toFixed(4) + "%");
        f.label.textContent = fit(f.name, width * boxWidth / 100 - 6);
    }
    unzoomButton.setAttribute("class", zoomed === null ? "" : "on");
    showMatches();
}

function zoom(frame) {
    zoomed = frame !== null && frame.w < total ? frame : null;
    draw();
    remember();
}

/* ---- search ---- */

/* The share of the picture that matching frames cover; what stands on a match counts once. */
function coverage() {
    const hits = frames.filter(f => f.hit && f.shown && f.group.getAttribute("class") !== "faded");
    hits.sort((a, b) => a.x - b.x || b.w - a.w);
    let covered = 0, end = -1;
    for (const f of hits) {
        if (f.x + f.w <= end) continue;
        covered += f.x + f.w - Math.max(f.x, end);
        end = f.x + f.w;
    }
    return 100 * covered / (zoomed === null ? total : zoomed.w);
}

function showMatches() {
    for (const f of frames) {
        f.hit = pattern !== null && pattern.test(f.name);
        const fill = f.hit ? settings.searchColor : f.fill;
        if (f.rect.getAttribute("fill") !== fill) f.rect.setAttribute("fill", fill);
    }
    const share = pattern === null ? 0 : coverage();
    const digits = share > 99.95 ? 0 : 1;
    matched.textContent = pattern === null ? " " : "Matched: " + share.toFixed(digits) + "%";
    searchButton.textContent = pattern === null ? "Search" : "Reset Search";
    searchButton.setAttribute("class", pattern === null ? "" : "on");
}

/* Searches for a regular expression; an empty one ends the search. */
function search(text) {
    pattern = null;
    let problem = "";
    if (text) {
        try { pattern = new RegExp(text); } catch (e) { problem = e.message; }
    }
    showMatches();
    if (problem) matched.textContent = problem;
    remember();
}

function askForSearch() {
    if (pattern !== null) return search("");
    const text = prompt("Search for a regular expression", "");
    if (text !== null) search(text);
}

/* ---- the address ---- */

/* What is seen can be sent to somebody: x and y of the zoomed frame, s what is searched for. */
function remember() {
    const url = new URL(location.href);
    const set = (key, value) =>
        value === null ? url.searchParams.delete(key) : url.searchParams.set(key, value);
    set("x", zoomed === null ? null : zoomed.x);
    set("y", zoomed === null ? null : zoomed.y);
    set("s", pattern === null ? null : pattern.source);
    try { history.replaceState(null, "", url); } catch (e) { /* not allowed here: no matter */ }
}

function restore() {
    const query = new URL(location.href).searchParams;
    const x = query.get("x"), y = query.get("y"), s = query.get("s");
    if (x !== null && y !== null)
        zoomed = frames.find(f => f.x === Number(x) && f.y === Number(y)) || null;
    if (s) {
        try { pattern = new RegExp(s); } catch (e) { pattern = null; }
    }
}

/* ---- events ---- */

const frameAt = target => {
    const group = target.closest ? target.closest("#frames > g") : null;
    return group === null ? null : frameOf.get(group);
};

svg.addEventListener("click", event => {
    const frame = frameAt(event.target);
    if (frame !== null) zoom(frame);
    else if (event.target === unzoomButton) zoom(null);
    else if (event.target === searchButton) askForSearch();
});

svg.addEventListener("mouseover", event => {
    const frame = frameAt(event.target);
    details.textContent = frame === null ? " " : settings.nametype + " " + frame.text;
});

svg.addEventListener("mouseleave", () => { details.textContent = " "; });

window.addEventListener("keydown", event => {
    if (event.key === "F3" || ((event.ctrlKey || event.metaKey) && event.key === "f")) {
        event.preventDefault();
        askForSearch();
    } else if (event.key === "Escape") {
        if (pattern !== null) search("");
        else zoom(null);
    }
});

/* ---- width ---- */

function resize() {
    if (settings.fluid) {
        const width = svg.getBoundingClientRect().width || window.innerWidth;
        boxWidth = Math.max(width - 2 * padding, 100);
        box.setAttribute("width", boxWidth);
        for (const text of [searchButton, matched]) text.setAttribute("x", width - padding);
    }
    draw();
}

if (settings.fluid) {
    svg.removeAttribute("viewBox");
    svg.setAttribute("width", "100%");
    window.addEventListener("resize", resize);
}
measureFont();
restore();
resize();
})();

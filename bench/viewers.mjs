/* SPDX-License-Identifier: MIT */
/* Measures how long users wait for pictures and pages of 20,000, 100,000 and a million frames, in Chromium.
 *
 * Prints a line for each figure: its name, its milliseconds, and those of its yardstick; the sizes of
 * the file and of its yardstick instead, in bytes per frame. All figures except opening are processor
 * time of the page's thread. Another line names the yardstick.
 *
 * The yardstick of a picture is that of FlameGraph if FLAMEGRAPH is the path of its flamegraph.pl; that of
 * an earlier brazier if BEFORE is its program; else a picture with a group of elements per frame and no
 * script: opened, or drawn by the browser. The yardstick of a page is the browser parsing the same bytes
 * as JSON, or the page of an earlier brazier.
 *
 * usage: BRAZIER=PROGRAM node viewers.mjs SUBJECT
 */
import {execFileSync} from "node:child_process";
import {test} from "node:test";

import {bigFolded} from "../tests/browser/fixtures/big.mjs";
import {millionFolded} from "../tests/browser/fixtures/million.mjs";
import * as html from "../tests/browser/lib/html.mjs";
import {fileWith, picture} from "../tests/browser/lib/picture.mjs";
import {frames, openFile, press, search, settled} from "../tests/browser/lib/viewer.mjs";
import {painted, workOf} from "../tests/browser/lib/work.mjs";

const median = figures => figures.sort((a, b) => a - b)[Math.floor(figures.length / 2)];
const tell = (name, ours, yardstick) =>
    console.log(`figure ${name} ${median(ours).toFixed(2)} ${median(yardstick).toFixed(2)}`);

/* Opens a file some times. Returns how long that takes until the first drawing is complete. */
async function openings(t, file, {times = 3, settled: ready = painted} = {}) {
    const opened = [];
    let page;
    for (let i = 0; i < times; i++) {
        const start = performance.now();
        page = await openFile(t, file);
        await ready(page);
        opened.push(performance.now() - start);
    }
    return {page, opened};
}

/* Returns what `act` returns while another program draws. */
function drawnBy(program, act) {
    const own = process.env.BRAZIER;
    process.env.BRAZIER = program;
    try {
        return act();
    } finally {
        process.env.BRAZIER = own;
    }
}

const framesIn = text => String(text).split("<title>").length - 1;

/* ---- pictures ---- */

/* Returns frames to zoom to, from the widest rows of the window. */
const wideFrames = async page =>
    (await frames(page)).filter(f => f.name !== "all" && f.bottom < 630 && f.top > 50 && f.right - f.left > 200);

/* Zooms, searches and hides in a picture of brazier. Returns the work of each. */
async function workIn(page) {
    const wide = await wideFrames(page), work = {zoom: [], search: [], hide: []};
    for (const {left, top} of [wide[0], wide.at(-1), wide[0], wide.at(-1), wide[0]]) {
        work.zoom.push(await workOf(page, () => page.mouse.click(left + 9, top + 5)));
        await press(page, "0");
        work.search.push(await workOf(page, () => search(page, "1")));
        await press(page, "Escape");
        await page.mouse.move(left + 8, top + 5);
        work.hide.push(await workOf(page, () => press(page, "h")));
        await press(page, "u");
        await settled(page);
    }
    return work;
}

/* Does the same with the functions of FlameGraph's script. It cannot hide; zooming stands for that. */
async function workInFlameGraph(page) {
    const work = {zoom: [], search: []};
    for (let i = 0; i < 3; i++) {
        work.zoom.push(await workOf(page, () => page.evaluate(i => {
            const wide = Array.from(document.querySelectorAll("#frames > g")).filter(g =>
                g.querySelector("rect").getBoundingClientRect().width > 200);
            globalThis.zoom(wide[wide.length >> i + 1]);
        }, i)));
        await page.evaluate(() => globalThis.unzoom());
        work.search.push(await workOf(page, () => page.evaluate(() => globalThis.search("1"))));
        await page.evaluate(() => globalThis.reset_search());
    }
    return {...work, hide: work.zoom};
}

/* Shows a picture without a script again. */
async function workInGroups(page) {
    const redraws = [], show = shown => page.evaluate(shown => {
        document.querySelector("#frames").style.display = shown ? "" : "none";
    }, shown);
    for (let i = 0; i < 3; i++) {
        await show(false);
        redraws.push(await workOf(page, () => show(true)));
    }
    return {zoom: redraws, search: redraws, hide: redraws};
}

/* Returns the yardstick of a picture. */
function yardstickOf(folded, options) {
    const {FLAMEGRAPH: script, BEFORE: before} = process.env, all = options.filter(o => o.startsWith("--minwidth"));
    if (script)
        return {name: "flamegraph.pl's", work: workInFlameGraph,
                made: execFileSync("perl", [script, ...all], {input: folded, maxBuffer: 1 << 30})};
    if (before)
        return {name: "the earlier one", work: workIn, made: drawnBy(before, () => picture(folded, options))};
    return {name: "a picture with a group of elements per frame", work: workInGroups,
            made: picture(folded, [...options, "--no-compact", "--no-javascript"])};
}

/* Measures the picture of some folded stacks. Counts the frames that a picture shows. */
async function measurePicture(t, folded, options) {
    const made = picture(folded, options), {name, made: other, work} = yardstickOf(folded, options);
    const n = framesIn(picture(folded, [...options, "--no-compact", "--no-javascript"]));
    console.log(`yardstick ${name}`);
    const ours = await openings(t, fileWith(made)), theirs = await openings(t, fileWith(other), {times: 1});
    tell("open", ours.opened, theirs.opened);
    tell("bytes", [made.length / n], [other.length / n]);
    const [our, their] = [await workIn(ours.page), await work(theirs.page)];
    for (const what of ["zoom", "search", "hide"]) tell(what, our[what], their[what]);
}

/* ---- pages ---- */

/* Zooms from frame to frame and searches in a page. Returns the work of each. */
async function workInPage(page) {
    const drawings = () => page.evaluate(() => globalThis.brazier.drawings());
    const work = {drawing: [], zoom: [], search: []};
    for (let depth = 2; depth < 7; depth++) {
        const {left, right, top} = (await html.frames(page)).filter(f => !f.isMerged && f.depth === depth)
            .reduce((a, b) => b.right - b.left > a.right - a.left ? b : a);
        const first = await drawings();
        const zoom = await workOf(page, () => page.mouse.click((left + right) / 2, top + 8), html.settled);
        work.drawing.push(zoom / (await drawings() - first));
        work.zoom.push(zoom);
    }
    await press(page, "0");
    for (const pattern of ["f1", "^f2\\d*$", "f.*3"]) {
        await html.settled(page);
        work.search.push(await workOf(page, () => search(page, pattern), html.settled)); /* fill() would work in the page itself */
        await press(page, "Escape", "Escape");
    }
    return work;
}

/* Returns how long the browser parses the data of a page. */
const parseTime = page => page.evaluate(() => {
    const text = document.querySelector("#profile").textContent, start = performance.now();
    JSON.parse(text);
    return performance.now() - start;
});

async function measurePage(t, folded) {
    const made = html.htmlOf(folded), before = process.env.BEFORE;
    const other = before ? drawnBy(before, () => html.htmlOf(folded)) : null;
    console.log(`yardstick ${before ? "the earlier one" : "the browser's parsing of its data"}`);
    const ours = await openings(t, fileWith(made, ".html"), html);
    const parses = [await parseTime(ours.page), await parseTime(ours.page), await parseTime(ours.page)];
    const theirs = before ? await openings(t, fileWith(other, ".html"), html) : {opened: parses};
    const size = await ours.page.evaluate(() => globalThis.brazier.size);
    tell("open", ours.opened, theirs.opened);
    tell("bytes", [made.length / size], [(other ?? folded).length / size]);
    const our = await workInPage(ours.page), their = before ? await workInPage(theirs.page) : null;
    for (const what of ["drawing", "zoom", "search"]) tell(what, our[what], their?.[what] ?? parses);
}

const many = () => millionFolded(108_000), million = () => millionFolded(1_080_000);
const measures = {
    picture: t => measurePicture(t, bigFolded(20_000), []),
    "big-picture": t => measurePicture(t, many(), ["--minwidth=0"]),
    "million-picture": t => measurePicture(t, million(), []),
    "small-page": t => measurePage(t, bigFolded(20_000)),
    "big-page": t => measurePage(t, many()),
    page: t => measurePage(t, million()),
};
test(process.argv[2], measures[process.argv[2]]);

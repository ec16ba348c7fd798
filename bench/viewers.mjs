/* Measures how long users wait for pictures of 20,000 and 100,000 frames and a page of a million, in
 * Chromium.
 *
 * Prints a line for each figure: its name, its milliseconds, and those of its yardstick; the sizes of
 * the file and of its yardstick instead, in bytes per frame. All figures except opening are processor
 * time of the page's thread. The yardstick of a picture is one with a group of elements per frame and
 * no script: opened, or drawn by the browser; that of a page is the browser parsing the same bytes as
 * JSON.
 *
 * usage: BRAZIER=PROGRAM node viewers.mjs picture|big-picture|page
 */
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

/* Returns how long a file takes to open: until its first drawing is complete. */
async function openings(t, file) {
    const times = [];
    let page;
    for (let i = 0; i < 3; i++) {
        const start = performance.now();
        page = await openFile(t, file);
        await painted(page);
        times.push(performance.now() - start);
    }
    return {page, times};
}

/* Measures the picture of some folded stacks. The yardstick is a picture with a group of elements per
 * frame, as other tools write it, without a script. */
async function measurePicture(t, folded, options) {
    const made = picture(folded, options), groups = picture(folded, [...options, "--no-compact", "--no-javascript"]);
    const [ours, plain] = [await openings(t, fileWith(made)), await openings(t, fileWith(groups))];
    const {page} = ours, n = String(groups).split("<title>").length - 1;
    tell("open", ours.times, plain.times);
    tell("bytes", [made.length / n], [groups.length / n]);
    const wide = (await frames(page)).filter(f => f.name !== "all" && f.bottom < 630 && f.top > 50 && f.right - f.left > 200);
    const show = shown => plain.page.evaluate(shown => {
        document.querySelector("#frames").style.display = shown ? "" : "none";
    }, shown);
    const [zooms, searches, hides, redraws] = [[], [], [], []];
    for (const {left, top} of [wide[0], wide.at(-1), wide[0], wide.at(-1), wide[0]]) {
        await show(false);
        redraws.push(await workOf(plain.page, () => show(true)));
        zooms.push(await workOf(page, () => page.mouse.click(left + 9, top + 5)));
        await press(page, "0");
        searches.push(await workOf(page, () => search(page, "1")));
        await press(page, "Escape");
        await page.mouse.move(left + 8, top + 5);
        hides.push(await workOf(page, () => press(page, "h")));
        await press(page, "u");
        await settled(page);
    }
    tell("zoom", zooms, redraws);
    tell("search", searches, redraws);
    tell("hide", hides, redraws);
}

async function measurePage(t) {
    const folded = millionFolded(1_080_000), made = html.htmlOf(folded);
    const file = fileWith(made, ".html"), [openings, parses] = [[], []];
    let page;
    for (let i = 0; i < 3; i++) {
        const start = performance.now();
        page = await openFile(t, file);
        await html.settled(page);
        openings.push(performance.now() - start);
        parses.push(await page.evaluate(() => {
            const text = document.querySelector("#profile").textContent, start = performance.now();
            JSON.parse(text);
            return performance.now() - start;
        }));
    }
    tell("open", openings, parses);
    const size = await page.evaluate(() => globalThis.brazier.size);
    tell("bytes", [made.length / size], [folded.length / size]);
    const drawings = () => page.evaluate(() => globalThis.brazier.drawings()), [each, zooms, searches] = [[], [], []];
    for (let depth = 2; depth < 7; depth++) {
        const {left, right, top} = (await html.frames(page)).filter(f => !f.isMerged && f.depth === depth)
            .reduce((a, b) => b.right - b.left > a.right - a.left ? b : a);
        const first = await drawings();
        const work = await workOf(page, () => page.mouse.click((left + right) / 2, top + 8), html.settled);
        each.push(work / (await drawings() - first));
        zooms.push(work);
    }
    await press(page, "0");
    for (const pattern of ["f1", "^f2\\d*$", "f.*3"]) {
        await html.settled(page);
        searches.push(await workOf(page, () => page.locator("#search").fill(pattern), html.settled));
    }
    tell("drawing", each, parses);
    tell("zoom", zooms, parses);
    tell("search", searches, parses);
}

const measures = {
    picture: t => measurePicture(t, bigFolded(20_000), []),
    "big-picture": t => measurePicture(t, millionFolded(108_000), ["--minwidth=0"]),
    page: measurePage,
};
test(process.argv[2], measures[process.argv[2]]);

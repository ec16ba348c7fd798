/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";

import {seeds, tangledFolded} from "./fixtures/random.mjs";
import {clickAt, frames, openHtml, pointAt, rows} from "./lib/html.mjs";
import {test} from "./lib/tests.mjs";
import {press, text} from "./lib/viewer.mjs";

/* Stacks in chronological order, as a sampling profiler writes them. */
const inTime = "main;load;read 3\nmain;load 2\nmain;load;read 4\nmain;run;step 5\nmain;load;read 1\nidle 5\n";
const options = ["--flamechart"];
const places = found => found.filter(f => !f.isMerged)
    .map(f => `${f.depth} ${f.name} ${f.total} @${Math.round(f.left)}`).sort();

test("the page opens with the chronological order if known; other views merge it", async t => {
    const page = await openHtml(t, inTime, {options});
    assert.equal(await page.getAttribute("#view-time", "aria-pressed"), "true");
    assert.equal(await text(page, "#title"), "Flame Chart");
    assert.deepEqual(await rows(page), [
        "all 20", "main 15 | idle 5", "load 9 | run 5 | load 1", "read 3 | read 4 | step 5 | read 1",
    ]);
    const [first, second] = (await frames(page)).filter(f => f.name === "read");
    assert.ok(Math.abs(second.left - first.right - 1220 * 2 / 20) < 2, "time between two calls stays");
    await press(page, "1");
    assert.deepEqual(await rows(page), ["all 20", "idle 5 | main 15", "load 10 | run 5", "read 8 | step 5"]);
    await press(page, "5");
    assert.equal((await rows(page))[3], "read 3 | read 4 | step 5 | read 1");
    assert.equal(await page.evaluate(() => location.hash), "");
});

test("time can run from right to left", async t => {
    const page = await openHtml(t, inTime, {options: ["--flamechart-back"]});
    assert.equal((await rows(page))[1], "idle 5 | main 15");
});

test("without chronological order there is no time view", async t => {
    const page = await openHtml(t, inTime);
    assert.equal(await page.locator("#view-time").count(), 0);
    await press(page, "5");
    assert.equal(await page.getAttribute("#view-flame", "aria-pressed"), "true");
});

/* The page's filters must give the picture that the program draws of filtered samples. */
const filters = [
    {key: "h", options: ["--hide=^b$"]},
    {key: "d", options: ["--drop=^b$"]},
    {key: "k", options: ["--keep=^b$"]},
    {key: "m", options: ["--merge-recursion"]},
];
for (const {key, options: more} of filters)
    test(`in the order of time ${more} of the page is that of the program`, async t => {
        for (const seed of seeds(2)) {
            const folded = tangledFolded(seed);
            const page = await openHtml(t, folded, {options});
            const expected = await openHtml(t, folded, {options: [...options, ...more]});
            await pointAt(page, "b");
            await press(page, key);
            await page.mouse.move(600, 3);
            assert.deepEqual(places(await frames(page)), places(await frames(expected)));
            await press(page, "u");
            assert.equal(await text(page, "#chips"), "");
        }
    });

/* The same, with a count before and one after. */
const comparedFolded = seed => tangledFolded(seed).replace(/ (\d+)$/gm, (_, n) => ` ${n * 7 % 11} ${n}`);
const compared = "main;load 3 1\nmain;run 0 4\ngone 2 0\nmain;load 1 5\n";

test("in a comparison calls in the order of time have their own differences", async t => {
    const page = await openHtml(t, compared, {options});
    assert.deepEqual(await rows(page), ["all 10", "main 5 | main 5", "load 1 | run 4 | load 5"]);
    await pointAt(page, "run");
    assert.match(await text(page, "#tooltip"), /\+4 samples \(0 samples → 4 samples\)/);
    const colors = async () => (await frames(page)).filter(f => f.name === "load").map(f => f.color);
    const [lighter, heavier] = await colors();
    assert.notEqual(lighter, heavier);
    await press(page, "1");
    assert.deepEqual(await rows(page), ["all 10", "main 10", "load 6 | run 4"]);
});

for (const {key, options: more} of filters)
    test(`in a comparison in the order of time ${more} of the page is that of the program`, async t => {
        const shown = async page => (await frames(page)).filter(f => !f.isMerged)
            .map(f => `${f.depth} ${f.name} ${f.total} ${f.color} @${Math.round(f.left)}`).sort();
        const folded = comparedFolded(1);
        const page = await openHtml(t, folded, {options});
        const expected = await openHtml(t, folded, {options: [...options, ...more]});
        await pointAt(page, "b");
        await press(page, key);
        await page.mouse.move(600, 3);
        assert.deepEqual(await shown(page), await shown(expected));
    });

test("zoom, search and address work in the order of time", async t => {
    const page = await openHtml(t, inTime, {options});
    await clickAt(page, "run");
    assert.equal(await text(page, "#path"), "all›main›run");
    const hash = await page.evaluate(() => location.hash);
    const again = await openHtml(t, inTime, {options, hash});
    assert.deepEqual(await frames(again), await frames(page));
    await press(page, "0");
    await page.locator("#search").fill("^read$");
    assert.match(await text(page, "#matched"), /^Matched: 40.00% \(3 frames/);
});

test("an icicle in the order of time has the root on top", async t => {
    const page = await openHtml(t, inTime, {options: [...options, "--set=html.inverted=true"]});
    const found = await frames(page);
    assert.ok(found.find(f => f.name === "all").top < found.find(f => f.name === "main").top);
    assert.equal(await page.getAttribute("#view-time", "aria-pressed"), "true");
});

test("a ruler and a map of the whole time are below; the map moves the visible part", async t => {
    const page = await openHtml(t, inTime, {options});
    const box = await page.locator("#ruler").boundingBox();
    assert.ok(box.width === 1220 && box.height >= 40, JSON.stringify(box));
    await clickAt(page, "run");
    await page.mouse.click(box.x + 0.9 * box.width, box.y + 10);
    const window = async () => new URLSearchParams((await page.evaluate(() => location.hash)).slice(1)).get("window");
    await page.waitForFunction(() => location.hash.includes("window="));
    assert.equal(await window(), "15,5");
    await press(page, "1");
    await page.locator("#ruler").waitFor({state: "hidden"});
});

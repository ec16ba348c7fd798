/* SPDX-License-Identifier: MIT */
/* Fingers in Firefox: taps, long presses, drags and pinches on pictures, pages and the heat map. */
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";

import {small} from "./fixtures/small.mjs";
import {missing} from "./lib/browsers.mjs";
import {openTouched} from "./lib/fingers.mjs";
import * as html from "./lib/html.mjs";
import {fileWith, picture} from "./lib/picture.mjs";
import {test} from "./lib/tests.mjs";
import * as svg from "./lib/viewer.mjs";

const {assertNear, text} = svg;
const skip = missing("firefox");

/* The viewers, with the box of a frame. */
const viewers = {
    svg: {file: () => fileWith(picture(small)), settled: svg.settled, whole: "", box: svg.frame},
    page: {file: () => fileWith(html.htmlOf(small), ".html"), settled: html.settled, whole: "all", box: async (page, name) => {
        const {left, right, top} = (await html.frames(page)).find(f => f.name === name);
        return {left, right, top, bottom: top + 16};
    }},
};

for (const [name, {file, settled, whole, box}] of Object.entries(viewers))
    test(`firefox, ${name}: a tap zooms in and out, a long press opens the menu, a drag moves`, {skip}, async t => {
        const page = await openTouched(t, file());
        const middle = async name => {
            const {left, right, top, bottom} = await box(page, name);
            return [(left + right) / 2, (top + bottom) / 2];
        };
        await page.tap(...await middle("parse"));
        await settled(page);
        assert.equal(await text(page, "#path"), "all›main›parse");
        await page.tap(...await middle("all"));
        await settled(page);
        assert.equal(await text(page, "#path"), whole);
        const at = await middle("parse");
        await page.touch([[at, at]], {milliseconds: 800});
        assert.equal(await text(page, "#menu .heading"), "parse");
        assert.equal(await text(page, "#path"), whole);
        await page.tap(...await page.evaluate(() => {
            const item = Array.from(document.querySelectorAll("#menu button")).find(e => e.textContent.startsWith("Zoom"));
            const {left, top, width, height} = item.getBoundingClientRect();
            return [left + width / 2, top + height / 2];
        }));
        await settled(page);
        assert.equal(await text(page, "#path"), "all›main›parse");
        await page.tap(...await middle("lex"));
        await settled(page);
        const before = await box(page, "lex"), [x, y] = await middle("lex");
        await page.touch([[[x, y], [x - 100, y]]]);
        await settled(page);
        assertNear((await box(page, "lex")).right, before.right - 100, "right edge", 20);
        assert.equal(await text(page, "#path"), "all›main›parse");
    });

test("firefox, page: two fingers zoom, and the points under them stay there", {skip}, async t => {
    const page = await openTouched(t, viewers.page.file()), {left, right, top} = await viewers.page.box(page, "main");
    const middle = (left + right) / 2, y = top + 8;
    await page.touch([[[middle - 40, y], [middle - 80, y]], [[middle + 40, y], [middle + 80, y]]]);
    await html.settled(page);
    const windowOf = () => page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("window"));
    while (await windowOf() === null) await html.settled(page); /* the address follows later */
    const [start, width] = (await windowOf()).split(",").map(Number);
    assertNear(width, 60, "what is in sight", 4);
    assertNear((middle / 820 * 120 - start) / width * 820, middle, "the middle", 8);
    assert.equal(await text(page, "#menu"), "");
});

/* Samples of two threads in turn, one each 10 ms for 40 seconds. */
const perf = Array.from({length: 4000}, (_, i) => `w${i % 2} 10/${10 + i % 2} [000] ${(500 + i / 100).toFixed(6)}: 1000 cycles:\n` +
    `\t1000 ${i < 2000 ? "load" : "run"} (/bin/app)\n\t1000 main (/bin/app)\n\n`).join("");

test("firefox, page: a finger chooses two ranges of time", {skip}, async t => {
    const made = execFileSync(process.env.BRAZIER, ["-q", "run", "--from", "perf", "--to", "timeline", "-o", "-", "-"],
                              {input: perf, maxBuffer: 1 << 28});
    const page = await openTouched(t, fileWith(made, ".html"));
    const boxOf = id => page.evaluate(id => document.querySelector(id).getBoundingClientRect().toJSON(), id);
    const swipe = async (from, to) => {
        const {left, top, width} = await boxOf("#heat"), at = (second, height) => [left + second / 40 * width, top + height];
        await page.touch([[at(from + 0.5, 78), at(to - 0.5, 3)]]);
        await html.settled(page);
    };
    await swipe(5, 7);
    assert.equal(await text(page, "#time-note"), "5–7 s");
    const {left, top} = await boxOf("#time-second");
    await page.tap(left + 8, top + 8);
    assert.equal(await text(page, "#time-note"), "5–7 s; drag the time to compare it with");
    await swipe(30, 33);
    assert.equal(await text(page, "#time-note"), "5–7 s compared with 30–33 s");
});

/* SPDX-License-Identifier: MIT */
/* The same steps in a picture and in a page: both say the same and have the same address. */
import assert from "node:assert/strict";

import {viewers} from "./lib/both.mjs";
import {small} from "./fixtures/small.mjs";
import {test} from "./lib/tests.mjs";
import {hash, passed, press, search, text} from "./lib/viewer.mjs";

/* Returns what each viewer shows after each of some steps: functions of the viewer and its page. */
async function told(t, steps, tell, options) {
    const all = [];
    for (const viewer of viewers) {
        const page = await viewer.open(t, small, options), list = [];
        for (const step of steps) {
            await step(viewer, page);
            list.push(await tell(viewer, page));
        }
        all.push(list);
    }
    return all;
}

const tooltipOf = (viewer, page) => page.evaluate(() => {
    const tooltip = document.querySelector("[role=tooltip]");
    return tooltip?.checkVisibility() ? Array.from(tooltip.children, line => line.textContent) : [];
});
const pointing = name => (viewer, page) => viewer.pointAt(page, name);
const clicking = name => (viewer, page) => viewer.clickAt(page, name);
const pressing = (...keys) => (viewer, page) => press(page, ...keys);

test("tooltips have the same words, among them self and total, and go when the picture changes", async t => {
    const steps = [pointing("parse"), pointing("lex"), clicking("parse"), pointing("lex"), pressing("m"), (viewer, page) => page.mouse.move(3, 3)];
    const [picture, page] = await told(t, steps, tooltipOf);
    assert.deepEqual(picture, page);
    assert.deepEqual(picture[0], ["parse", "60 samples, 50.00%", "self 20 samples, 16.67%"]);
    assert.deepEqual(picture[3].slice(1), ["30 samples, 25.00% of all, 50.00% of the selection", "self 0 samples, 0.00% of all, 0.00% of the selection"]);
    assert.deepEqual([picture[2], picture[4], picture[5]], [[], [], []]);
});

test("addresses are the same, and one viewer understands those of the other", async t => {
    const steps = [clicking("parse"), pressing("0", "i"), pressing("i", "r"), pressing("i"), pressing("i", "r", "o"), pressing("o", "m"), pressing("u", "t"),
                   pressing("t"), pointing("run"), pressing("h"), pressing("u"), pointing("step"), pressing("f"), pressing("u"), pressing("a"),
                   (viewer, page) => search(page, "le"), pressing("Control+I"), pressing("Escape", "Escape")];
    const told0 = await told(t, steps, async (viewer, page) => decodeURIComponent(await hash(page)));
    assert.deepEqual(told0[0], told0[1]);
    assert.ok(new Set(told0[0]).size > 10, told0[0].join(" "));
    for (const address of ["at=0,1", "hide=run&view=callers", "order=weight&mark=lex", "part=0,2", "window=10,40"]) {
        const [a, b] = await told(t, [() => {}], (viewer, page) => viewer.rows(page), {hash: `#${address}`});
        assert.deepEqual(a, b, address);
    }
});

test("Back takes the same steps back", async t => {
    const back = (viewer, page) => page.goBack();
    const steps = [clicking("parse"), pointing("lex"), pressing("h"), pressing("r"), back, back, back];
    const [picture, page] = await told(t, steps, (viewer, page) => viewer.rows(page));
    assert.deepEqual(picture.at(-1), page.at(-1));
    assert.deepEqual(picture, page);
});

test("a wheel with Ctrl zooms around the mouse, and the address keeps it", async t => {
    const seen = [];
    for (const viewer of viewers) {
        const page = await viewer.open(t, small);
        const {x, y} = await page.evaluate(() => ({x: innerWidth / 4, y: innerHeight / 2}));
        await page.mouse.move(x, y);
        await page.keyboard.down("Control");
        await page.mouse.wheel(0, -300);
        await page.keyboard.up("Control");
        await passed(page, 400);
        const [from, span] = new URLSearchParams((await hash(page)).slice(1)).get("window").split(",").map(Number);
        seen.push([from, span]);
        const before = await viewer.rows(page);
        await page.reload();
        assert.deepEqual(await viewer.rows(page), before);
        await press(page, "0");
        assert.equal((await viewer.rows(page))[0], "all 120");
    }
    for (const [from, span] of seen) assert.ok(Math.abs(span - 120 / Math.E) < 0.1 && Math.abs(from - (120 - span) / 4) < 1, `${from} ${span}`);
});

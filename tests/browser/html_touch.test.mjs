/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";

import {small} from "./fixtures/small.mjs";
import {frames, middle, openHtml, settled, table} from "./lib/html.mjs";
import {test} from "./lib/tests.mjs";
import {assertNear, passed, press, text} from "./lib/viewer.mjs";

const phone = {hasTouch: true, isMobile: true, viewport: {width: 390, height: 700}};

/* Puts fingers down, moves them in steps, holds them for `milliseconds`, and lifts them; each is
 * [from x, to x] on a frame's row. */
async function touch(page, name, fingers, {milliseconds = 0} = {}) {
    const cdp = await page.context().newCDPSession(page), y = (await middle(page, name))[1];
    const send = (type, share) => cdp.send("Input.dispatchTouchEvent", {type, touchPoints: share === null ? []
        : fingers.map(([from, to], id) => ({x: from + (to - from) * share, y, id}))});
    await send("touchStart", 0);
    for (let i = 1; i <= 10; i++) if (fingers.some(([a, b]) => a !== b)) await send("touchMove", i / 10);
    await passed(page, milliseconds);
    await send("touchEnd", null);
    await settled(page);
}

const frame = async (page, name) => (await frames(page)).find(f => f.name === name);

test("all views fit the width of a phone", async t => {
    for (const key of ["1", "2", "3", "4"]) {
        const page = await openHtml(t, small, phone);
        await press(page, key);
        const wide = await page.evaluate(() => Array.from(document.querySelectorAll("button, .grid, input"))
            .filter(e => e.checkVisibility() && e.getBoundingClientRect().right > 391).map(e => e.outerHTML));
        assert.deepEqual(wide, [], key);
    }
});

test("the table has shares and names on a phone, and all columns in wide windows", async t => {
    const page = await openHtml(t, small, phone);
    await press(page, "4");
    assert.deepEqual((await table(page))[0], ["25.00", "25.00", "next"]);
    await page.setViewportSize({width: 1000, height: 700});
    await settled(page);
    assert.equal((await table(page))[0].length, 6);
    await page.setViewportSize({width: 390, height: 700});
    await settled(page);
    assert.equal((await table(page))[0].length, 3);
});

test("long names in a narrow table keep the function's own name, and show all of it in a tooltip", async t => {
    const names = ["company::product::internal::compiler::Parser<int>::read_all(char const*)",
                   "org.apache.company.product.internal.Session.openConnection"];
    const page = await openHtml(t, names.map((name, i) => `main;${name} ${4 - i}\n`).join(""), phone);
    await press(page, "4");
    await settled(page);
    const cells = (await table(page)).map(cells => cells.at(-1));
    assert.match(cells[0], /read_all/);
    assert.match(cells[1], /openConnection$/);
    assert.deepEqual(await page.evaluate(() => Array.from(document.querySelectorAll("#table bdi[title]"), e => e.title)), names);
    const wide = await page.evaluate(() => Array.from(document.querySelectorAll("#table button"))
        .filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent));
    assert.deepEqual(wide, []);
});

test("a tap zooms, a long press opens the menu and does not zoom", async t => {
    const page = await openHtml(t, small, phone), x = (await middle(page, "parse"))[0];
    await page.touchscreen.tap(...await middle(page, "parse"));
    await settled(page);
    assert.equal(await text(page, "#path"), "all›main›parse");
    await press(page, "0");
    await touch(page, "parse", [[x, x]], {milliseconds: 700});
    assert.equal(await text(page, "#menu .heading"), "parse");
    assert.equal(await text(page, "#path"), "all");
    await page.getByRole("menuitem", {name: "Drop"}).tap();
    assert.equal(await text(page, "#chips"), "dropped: parse ×");
});

test("two fingers zoom, and the points under them stay there", async t => {
    const page = await openHtml(t, small, phone), before = await frame(page, "main");
    const middle = (before.left + before.right) / 2;
    await touch(page, "main", [[middle - 40, middle - 80], [middle + 40, middle + 80]]);
    await passed(page, 300);
    const [start, width] = new URLSearchParams((await page.evaluate(() => location.hash)).slice(1))
        .get("window").split(",").map(Number);
    assertNear(width, 60, "what is in sight", 2);
    assertNear((middle / 390 * 120 - start) / width * 390, middle, "the middle", 4);
    assert.equal(await text(page, "#menu"), "");
});

test("dragging a finger moves a zoomed picture and is not a tap", async t => {
    const page = await openHtml(t, small, phone);
    await page.touchscreen.tap(...await middle(page, "lex"));
    await settled(page);
    const x = (await middle(page, "lex"))[0];
    await touch(page, "lex", [[x, x - 100]]);
    assertNear((await frame(page, "lex")).right, 290, "right edge", 16);
});

test("buttons move between matches", async t => {
    const page = await openHtml(t, small, phone);
    assert.equal(await page.locator("#next").isDisabled(), true);
    await page.locator("#search").fill("^(step|lex)$");
    for (const [id, name] of [["next", "step"], ["next", "lex"], ["previous", "step"]]) {
        await page.locator(`#${id}`).tap();
        assert.equal((await text(page, "#details")).split(" ")[0], name);
    }
    assert.match(await text(page, "#matched"),
                 /^Matched: 58.33% \(2 frames, total 70 samples, self 0 samples\)$/);
});

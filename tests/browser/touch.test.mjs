/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";

import {small} from "./fixtures/small.mjs";
import {test} from "./lib/tests.mjs";
import {assertNear, frame, frames, middle, open, passed, press, search, settled, text} from "./lib/viewer.mjs";

const phone = {hasTouch: true, isMobile: true, viewport: {width: 390, height: 700}};

async function tap(page, name) {
    const {x, y} = await middle(page, name);
    await page.touchscreen.tap(x, y);
}

/* Puts a finger down, moves it by `dx`, holds it for `milliseconds`, and lifts it. */
async function drag(page, name, dx, {milliseconds = 0} = {}) {
    const cdp = await page.context().newCDPSession(page), {x, y} = await middle(page, name);
    const touch = (type, points) => cdp.send("Input.dispatchTouchEvent", {type, touchPoints: points});
    await touch("touchStart", [{x, y}]);
    if (dx !== 0) for (let i = 1; i <= 10; i++) await touch("touchMove", [{x: x + (dx * i) / 10, y}]);
    await passed(page, milliseconds);
    await touch("touchEnd", []);
    await settled(page);
}

test("the picture is as wide as a phone", async t => {
    const page = await open(t, small, phone), all = await frame(page, "all");
    assertNear(all.left, 10, "left");
    assertNear(all.right, 380, "right");
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
});

test("a tap zooms, and one on a faded frame zooms out", async t => {
    const page = await open(t, small, phone);
    await tap(page, "parse");
    assert.equal(await text(page, "#path"), "all›main›parse");
    await tap(page, "all");
    assert.equal(await text(page, "#path"), "");
});

test("a tap shows the properties of the frame", async t => {
    const page = await open(t, small, phone);
    await tap(page, "parse");
    assert.match(await text(page, "#details"), /^Function: parse \(60 samples, 50\.00% of all\)/);
});

test("a long press opens the menu of the frame, and does not zoom", async t => {
    const page = await open(t, small, phone);
    await drag(page, "parse", 0, {milliseconds: 700});
    assert.equal(await text(page, "#menu .heading"), "parse");
    assert.equal(await text(page, "#path"), "");
    await page.touchscreen.tap(...await page.evaluate(() => {
        const item = Array.from(document.querySelectorAll("#menu button"))
            .find(e => e.textContent.startsWith("Drop"));
        const {left, top, width, height} = item.getBoundingClientRect();
        return [left + width / 2, top + height / 2];
    }));
    assert.equal(await text(page, ".chips"), "dropped: parse ×");
});

test("dragging a finger moves a zoomed picture", async t => {
    const page = await open(t, small, phone);
    await tap(page, "lex");
    const before = await frame(page, "lex");
    await drag(page, "lex", -100);
    assertNear((await frame(page, "lex")).right, before.right - 100, "right edge", 16);
    assert.equal(await text(page, "#path"), "all›main›parse");
});

test("buttons that do not fit into the bar are in a menu", async t => {
    const page = await open(t, small, phone);
    assert.equal(await text(page, "#callers"), "");
    await page.tap("#more");
    await page.tap("#menu button:has-text('Callers')");
    assert.equal(await text(page, "#path"), "");
    assert.ok((await frame(page, "add")).top < (await frame(page, "all")).top);
    assertNear((await frame(page, "add")).bottom, (await frame(page, "all")).top - 1, "add is next to all");
});

test("lifting the finger that opened a menu selects nothing in it", async t => {
    const page = await open(t, small, {...phone, viewport: {width: 390, height: 330}});
    await drag(page, "main", 0, {milliseconds: 700});
    assert.equal(await text(page, "#menu .heading"), "main");
    assert.equal(await text(page, "#path"), "");
    await page.tap("#menu button:has-text('Zoom')");
    assert.equal(await text(page, "#path"), "all›main");
});

test("a phone shows the sums of matches, too", async t => {
    const page = await open(t, small, phone);
    await search(page, "^parse$");
    assert.match(await text(page, "#sums"), /^1 frame, total 50\.00%, self 16\.67%$/);
    const {left, right} = await page.locator("#sums").evaluate(e => e.getBoundingClientRect().toJSON());
    assert.ok(left >= 0 && right <= 390, `${left} to ${right}`);
    const [above, below] = await page.evaluate(() => ["#matched", "#sums"].map(selector => {
        const range = document.createRange();
        range.selectNodeContents(document.querySelector(selector));
        return range.getBoundingClientRect().toJSON();
    }));
    assert.ok(below.top >= above.top + 12, `lines at ${above.top} and ${below.top}`);
    await press(page, "Escape");
    assert.equal(await text(page, "#sums"), "");
});

test("an opened legend wraps to several rows above the frames, and filters and search fit side by side", async t => {
    const rules = ["read", "lex", "parse", "step", "idle", "jump"].map((name, i) => `--rules=^${name}|with a long name$ = #a0a0a${i}`);
    const page = await open(t, small, {...phone, options: ["--palette=rules,hot", ...rules], hash: "#hide=step&drop=idle&s=read"});
    await page.locator("#legend button").tap();
    await settled(page);
    const places = await page.evaluate(() => ({
        legend: Array.from(document.querySelectorAll("#legend text"), e => e.getBoundingClientRect().toJSON()),
        chips: document.querySelector(".chips").parentElement.getBoundingClientRect().right,
        field: document.querySelector(".field").getBoundingClientRect().left,
        bar: document.querySelector("#bar").getBoundingClientRect().bottom,
    }));
    const top = Math.min(...(await frames(page)).map(f => f.top));
    assert.equal(places.legend.length, 6);
    assert.ok(new Set(places.legend.map(r => r.top)).size > 2, "several rows");
    for (const r of places.legend) assert.ok(r.right <= 390 && r.bottom <= top + 1, JSON.stringify(r));
    await page.locator("#legend button").tap();
    await settled(page);
    assert.ok(Math.max(...(await frames(page)).map(f => f.bottom - f.top)) > 10);
    assert.ok(places.chips <= places.field, `${places.chips} ${places.field}`);
    await page.setViewportSize({width: 1220, height: 700});
    await settled(page);
    const wide = await open(t, small, {options: ["--palette=rules,hot", ...rules]});
    const at = async page => page.evaluate(() => Array.from(document.querySelectorAll("#legend text"), e => e.getAttribute("x")));
    assert.equal((await at(page)).length, (await at(wide)).length);
});

test("a legend is a line on a phone, says how much it leaves out, and opens by tap and key", async t => {
    const names = Array.from({length: 9}, (_, i) => `meaning_of_a_colour_${i}`), deep = Array(60).fill("f").join(";");
    const rules = names.map((name, i) => `--rules=${name} = #00${i}0ff`);
    const page = await open(t, `${deep} 1\n${names.map(name => `${name} 1\n`).join("")}`,
                            {...phone, colorScheme: "dark", options: ["--palette=rules,hot", ...rules]});
    const seen = () => page.evaluate(() => ({
        names: Array.from(document.querySelectorAll("#legend text:not(.out)"), e => e.firstChild.data),
        rest: document.querySelector("#legend foreignObject:not(.out) button")?.title.split("\n") ?? [],
        more: document.querySelector("#legend button").textContent,
        lines: new Set(Array.from(document.querySelectorAll("#legend text:not(.out)"), e => e.getAttribute("y"))).size,
        tall: document.querySelector("#status").getBoundingClientRect().top -
            document.querySelector("#legend").getBoundingClientRect().bottom,
    }));
    const {names: shown, rest, more, lines, tall} = await seen();
    assert.equal(lines, 1);
    assert.deepEqual([...shown, ...rest], names);
    assert.equal(more, `+${rest.length}`);
    assert.ok(rest.length > 0 && tall >= 0.74 * 700, `${rest.length} left out, ${tall} pixels`);
    await page.locator("#legend button").tap();
    await settled(page);
    const opened = await seen();
    assert.deepEqual([opened.names, opened.more], [names, "less"]);
    await page.locator("#legend button").press("Enter");
    await settled(page);
    assert.deepEqual((await seen()).names, shown);
    await page.setViewportSize({width: 1200, height: 900});
    await settled(page);
    assert.deepEqual((await seen()).names, names);
});

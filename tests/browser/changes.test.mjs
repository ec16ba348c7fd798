/* SPDX-License-Identifier: MIT */
/* Comparisons that one can see: colours, outlines and the table of changes. */
import assert from "node:assert/strict";

import {frames as pageFrames, openHtml, settled, table} from "./lib/html.mjs";
import {test} from "./lib/tests.mjs";
import {finish, frames, open, press, state} from "./lib/viewer.mjs";

/* One function changed by 5 per cent of the whole; others vanished, are new, or changed by more. */
const five = "main;a 300 300\nmain;five 100 150\nmain;less 150 100\nmain;b 450 450\n";
const many = "main;gone 60 0\nmain;new 0 90\nmain;same 300 300\nmain;up 10 400\nmain;slow 100 101\nmain;down 500 109\n";

const luminance = color => [1, 3, 5].map(at => parseInt(color.slice(at, at + 2), 16) / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);

function contrast(a, b) {
    const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (light + 0.05) / (dark + 0.05);
}

/* Returns the colours of a page's frames by name. */
const colorsIn = async page => Object.fromEntries((await pageFrames(page)).map(f => [f.name, f.color]));
const colorsInPicture = async page => Object.fromEntries((await frames(page)).map(f => [f.title.replace(/ \(.*/s, ""), f.fill]));

for (const colors of ["red-blue", "orange-blue"])
    test(`a change of 5 per cent has a contrast of 1.5 with unchanged frames: ${colors}`, async t => {
        const page = await openHtml(t, five, {options: [`--set=diff.colors=${colors}`]});
        const c = await colorsIn(page);
        assert.ok(contrast(c.five, c.a) >= 1.5, `${contrast(c.five, c.a)}`);
        assert.ok(contrast(c.less, c.a) >= 1.5, `${contrast(c.less, c.a)}`);
        assert.ok(contrast(c.a, "#ffffff") >= 1.15 && contrast(c.a, "#f4f4f4") >= 1.15, "unchanged frames are visible");
        const large = await openHtml(t, "main;five 100 150\nmain;a 1000 450\nmain;b 1 400\n", {options: [`--set=diff.colors=${colors}`]});
        assert.ok(contrast((await colorsIn(large)).five, c.a) >= 1.5, "beside larger changes, too");
    });

for (const [name, input] of Object.entries({five, many}))
    for (const options of [[], ["--set=diff.colors=orange-blue"], ["--set=diff.scale=linear"], ["--set=diff.colors=red-white-blue"],
                           ["--base-on=both"], ["--negate"]])
        test(`changes have the same colours in page and picture: ${name} ${options}`, async t => {
            const page = await openHtml(t, input, {options}), ofPage = await colorsIn(page);
            await finish(page);
            const picture = await open(t, input, {options});
            assert.deepEqual(ofPage, await colorsInPicture(picture));
        });

test("the change of the root does not count for the scale", async t => {
    const input = Array.from({length: 12}, (_, i) => `f${i} 100 200\n`).join("");
    assert.equal((await colorsIn(await openHtml(t, input))).f0, "#ff4646");
});

/* Returns the outlines of a picture's frames by name. */
const outlines = page => page.evaluate(() => Object.fromEntries(Array.from(document.querySelectorAll("#frames > g:not(.out)"),
    g => [g.querySelector("text")?.textContent ?? "", g.querySelector("rect").getAttribute("stroke")])));

test("an outline tells changed frames from unchanged ones", async t => {
    const page = await open(t, five, {options: ["--compact"]}), got = await outlines(page);
    assert.equal(got.a, "#b0b0b0");
    assert.equal(got.five, "#303030");
    assert.equal(got.less, "#303030");
    await finish(page);
    const still = await open(t, five, {options: ["--compact"], javaScriptEnabled: false});
    assert.equal(await still.locator("#frames path[fill=none]").count(), 2, "without a script, too");
    await finish(still);
    const plain = await open(t, five, {options: ["--no-compact"]});
    assert.deepEqual(new Set(Object.values(await outlines(plain))), new Set([null]), "pictures in the style of other tools have none");
});

test("the page outlines frames, and not where colours are those of the file", async t => {
    const page = await openHtml(t, five);
    const strokes = () => page.evaluate(() => {
        const canvas = document.querySelector("#graph canvas"), context = canvas.getContext("2d"), drawn = new Set();
        const {strokeRect} = context;
        context.strokeRect = function (...box) {
            drawn.add(context.strokeStyle);
            strokeRect.apply(context, box);
        };
        dispatchEvent(new Event("beforeprint")); /* draws everything */
        dispatchEvent(new Event("afterprint"));
        context.strokeRect = strokeRect;
        return [...drawn].sort();
    });
    assert.deepEqual(await strokes(), ["#303030", "#b0b0b0"]);
    await press(page, "x");
    await settled(page);
    assert.deepEqual(await strokes(), []);
});

test("the table of a comparison is ordered by change, and marks what is new and what vanished", async t => {
    const page = await openHtml(t, many, {hash: "#view=table"});
    assert.deepEqual((await table(page)).map(r => r.slice(0, 6)), [
        ["500", "109", "−391", "−78.20%", "−391", "down"], ["10", "400", "+390", "+3900.00%", "+390", "up"],
        ["0", "90", "+90", "new", "+90", "new"], ["60", "0", "−60", "vanished", "−60", "gone"],
        ["970", "1,000", "+30", "+3.09%", "0", "main"], ["100", "101", "+1", "+1.00%", "+1", "slow"],
        ["300", "300", "0", "0%", "0", "same"]]);
    assert.deepEqual(await state(page), [["view", "table"]]);
    await page.locator("[data-key=changeShare] button").click();
    assert.deepEqual((await table(page)).map(r => r[5]).slice(0, 3), ["new", "up", "gone"]);
    assert.deepEqual(await state(page), [["view", "table"], ["sort", "-changeShare"]]);
    for (const width of [1220, 900, 390]) {
        await page.setViewportSize({width, height: 700});
        await page.waitForFunction(width => innerWidth === width, width);
        await settled(page);
        const cut = await page.locator("#table .head [role=columnheader]").evaluateAll(cells =>
            cells.filter(cell => cell.scrollWidth > cell.clientWidth).map(cell => cell.textContent));
        assert.deepEqual(cut, [], `heads are cut at ${width} px`);
    }
});

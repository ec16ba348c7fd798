/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";

import {clickAt, frames, matched, openHtml, pointAt, rows} from "./lib/html.mjs";
import {test} from "./lib/tests.mjs";
import {finish, press, state, text} from "./lib/viewer.mjs";

const folded = "main;parse;lex 25\nmain;parse;read 40\nmain;parse;read;parse 5\nmain;emit;write 20\nmain;emit 10\n";
const all = ["all 100", "main 100", "emit 30 | parse 70", "write 20 | lex 25 | read 45", "parse 5"];

test("a flame graph is drawn with the outermost frame at the bottom", async t => {
    const page = await openHtml(t, folded);
    assert.deepEqual(await rows(page), all);
    const [root, ...rest] = (await frames(page)).sort((a, b) => a.depth - b.depth);
    assert.ok(rest.every(f => f.top < root.top));
    const main = rest.find(f => f.name === "main"), lex = rest.find(f => f.name === "lex");
    assert.ok(Math.abs((lex.right - lex.left) / (main.right - main.left) - 0.25) < 0.01);
    const painted = await page.evaluate(({x, y}) => {
        const canvas = document.querySelector("#graph canvas"), box = canvas.getBoundingClientRect();
        const [r, g, b] = canvas.getContext("2d").getImageData(x - box.left, y - box.top, 1, 1).data;
        return "#" + [r, g, b].map(v => v.toString(16).padStart(2, "0")).join("");
    }, {x: lex.right - 6, y: lex.top + 4});
    assert.equal(painted, lex.color);
});

test("a click zooms; the path, keys and outer frames zoom out", async t => {
    const page = await openHtml(t, folded);
    await clickAt(page, "parse");
    assert.deepEqual(await rows(page), ["all 100", "main 100", "parse 70", "lex 25 | read 45", "parse 5"]);
    assert.equal(await text(page, "#path"), "all›main›parse");
    await clickAt(page, "main");
    assert.deepEqual(await rows(page), all);
    await clickAt(page, "lex");
    await press(page, "Backspace");
    assert.equal(await text(page, "#path"), "all›main›parse");
    await press(page, "0");
    assert.equal(await text(page, "#path"), "all");
});

test("pointing at a frame shows its properties", async t => {
    const page = await openHtml(t, folded);
    await pointAt(page, "emit");
    assert.equal(await text(page, "#tooltip"), "emit30 samples, 30.00%self 10 samples, 10.00%");
    assert.equal(await text(page, "#details"), "emit (30 samples, 30.00%; self 10 samples, 10.00%)");
});

test("a search marks matches and counts nested ones once", async t => {
    const page = await openHtml(t, folded);
    await press(page, "/");
    await page.keyboard.insertText("parse|read");
    assert.equal(await text(page, "#matched"), "Matched: 70.00% (3 frames, total 70 samples, self 45 samples)");
    assert.deepEqual((await matched(page)).sort(), ["parse", "parse", "read"]);
    await page.keyboard.insertText("(");
    assert.match(await text(page, "#matched"), /^Invalid expression: \w+/);
    await page.locator("#search").fill("PARSE");
    assert.equal(await text(page, "#matched"), "Matched: 0.00% (0 frames, total 0 samples, self 0 samples)");
    await press(page, "Control+i");
    assert.equal(await text(page, "#matched"), "Matched: 70.00% (2 frames, total 70 samples, self 5 samples)");
    assert.deepEqual(await state(page), [["s", "PARSE"], ["case", "ignore"]]);
    await press(page, "Escape");
    assert.deepEqual(await matched(page), []);
});

/* The status line of a narrow window grows. */
/* Folded text with a legend of many entries. */
const packages = Array.from({length: 14}, (_, i) => `main;package_${i}::function_of_it ${20 - i}`).join("\n") + "\nmain;lex 25\n";

test("a search draws once, and moves nothing", async t => {
    for (const width of [1220, 900, 701, 390]) {
        const page = await openHtml(t, packages, {viewport: {width, height: 700}, options: ["--palette=package,hot"]});
        const place = async () => (await frames(page)).map(f => f.top);
        const drawings = () => page.evaluate(() => globalThis.brazier.drawings());
        const [before, drawn] = [await place(), await drawings()];
        await page.locator("#search").fill("lex");
        assert.deepEqual(await place(), before);
        assert.equal(await drawings() - drawn, 1);
        assert.deepEqual(await matched(page), ["lex"]);
        await finish(page);
    }
});

test("a long name is cut in the status, the numbers after it are not", async t => {
    const name = "a_long_name_of_a_function_".repeat(9), page = await openHtml(t, `main;${name} 3\nmain;b 7\n`);
    await page.locator("#search").fill("main");
    await pointAt(page, name);
    const [details, figures, bdi] = await page.evaluate(() => ["#details", "#details .figures", "#details bdi"].map(selector => {
        const e = document.querySelector(selector);
        return {right: e.getBoundingClientRect().right, isCut: e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0, text: e.textContent};
    }));
    assert.equal(figures.text, " (3 samples, 30.00%; self 3 samples, 30.00%)");
    assert.ok(figures.right <= details.right + 1, `${figures.right} of ${details.right}`);
    assert.ok(bdi.isCut);
});

test("a picture taller than the window opens with a visible root and can be scrolled", async t => {
    const deep = Array.from({length: 5000}, (_, i) => `f${i}`).join(";");
    const page = await openHtml(t, `${deep} 3\nf0;other 1\n`);
    const shown = async () => (await frames(page)).filter(f => f.top >= 0 && f.top < 700).map(f => f.name);
    assert.ok((await shown()).includes("all"));
    await page.locator("#search").fill("^f4999$");
    await press(page, "Enter");
    assert.ok((await shown()).includes("f4999"));
});

/* Two stacks of 80 frames: taller than the window. */
const tall = ["a", "b"].map(name => Array.from({length: 80}, (_, i) => `${name}${i}`).join(";") + " 10\n").join("") +
    "a0;c 5\n";
const inSight = async page => (await frames(page)).filter(f => f.top >= 60 && f.top < 660).map(f => f.name);

for (const [key, what] of [["1", "flame graph"], ["2", "icicle"]])
    test(`in a tall ${what} what is zoomed stays in sight, and filters leave the place`, async t => {
        const page = await openHtml(t, tall);
        await press(page, key);
        await page.locator("#search").fill("^a60$");
        await press(page, "Enter", "Escape");
        const before = await inSight(page);
        assert.ok(before.includes("a60") && !before.includes("all"));
        await clickAt(page, "a60");
        assert.ok((await inSight(page)).includes("a60"));
        assert.deepEqual((await text(page, "#path")).split("›").slice(-1), ["a60"]);
        await press(page, "0");
        assert.ok((await inSight(page)).includes("a60"));
        await pointAt(page, "b60");
        await press(page, "d");
        assert.ok((await inSight(page)).includes("a60"), "the frame that was looked at");
        await press(page, "u");
        assert.ok((await inSight(page)).includes("a60"));
        await press(page, key === "1" ? "2" : "1");
        assert.ok((await inSight(page)).includes("a60"), "the same rows, turned around");
    });

test("a printed page is light, and its chart as wide as the sheet", async t => {
    const page = await openHtml(t, "main;a 3\nmain;b 2\n", {colorScheme: "dark"});
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({media: "print", colorScheme: "dark"});
    const [width, paper, inked] = await page.evaluate(() => {
        document.body.style.width = "600px";
        const canvas = document.querySelector("canvas");
        const [r] = canvas.getContext("2d").getImageData(5, 5, 1, 1).data;
        return [canvas.getBoundingClientRect().width, getComputedStyle(document.body).backgroundColor, r];
    });
    assert.ok(width <= 600, `${width}`);
    assert.equal(paper, "rgb(255, 255, 255)");
    assert.equal(inked, 255);
    await page.emulateMedia({media: "screen", colorScheme: "dark"});
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(30, 31, 34)");
});

test("a name that is too long for the table is shortened with dots", async t => {
    const page = await openHtml(t, `${"long_".repeat(90)} 3\nmain;b 2\n`);
    await page.keyboard.press("4");
    const [overflow, width, cell] = await page.evaluate(() => {
        const name = Array.from(document.querySelectorAll("#table .rows button")).find(e => e.textContent.startsWith("long_"));
        return [getComputedStyle(name).textOverflow, name.getBoundingClientRect().width,
                name.parentElement.getBoundingClientRect().width];
    });
    assert.equal(overflow, "ellipsis");
    assert.ok(width <= cell, `${width} in ${cell}`);
});

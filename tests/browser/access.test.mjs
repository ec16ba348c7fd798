/* SPDX-License-Identifier: MIT */
/* Pictures for everybody: accessibility. */
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";

import {small} from "./fixtures/small.mjs";
import {fileWith, picture} from "./lib/picture.mjs";
import {test} from "./lib/tests.mjs";
import {open, openFile, pointAt, press, settled, text} from "./lib/viewer.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/* Returns what axe reports: the rule, and the elements that break it. */
async function faults(page) {
    if (await page.evaluate(() => globalThis.axe === undefined)) await page.evaluate(axe);
    return page.evaluate(() => globalThis.axe.run(document, {preload: false, resultTypes: ["violations"], rules: {"target-size": {enabled: true}}})
        .then(({violations}) => violations.map(v => `${v.id}: ${v.nodes.map(n => n.html).join(" ")}`)));
}

const rules = ["--palette=rules,hot", "--rules=^re|reading, which is a long name of a colour = #e69f00", "--rules=^l|with a name as long as that = #56b4e9"];
for (const colorScheme of ["light", "dark"]) for (const width of [390, 1280])
    test(`axe reports nothing in any state of a ${colorScheme} picture in ${width} pixels`, async t => {
        const page = await open(t, small, {colorScheme, options: rules, viewport: {width, height: 700}});
        for (const keys of [[], ["/", "l"], ["Escape", "r"], ["r", "i", "m"], ["?"]]) {
            await press(page, ...keys);
            await settled(page);
            assert.deepEqual(await faults(page), [], keys.join());
        }
        await press(page, "Escape");
        await pointAt(page, "lex");
        await press(page, "h");
        await pointAt(page, "parse");
        await press(page, "Enter", ".");
        assert.deepEqual(await faults(page), [], "a filter, a zoom and a menu");
    });

test("every button of the bar, of filters, of the path and of menus is at least 24 pixels wide and high", async t => {
    const page = await open(t, small, {options: rules});
    await pointAt(page, "lex");
    await press(page, "h");
    await pointAt(page, "parse");
    await press(page, "Enter", "/", "l", "Escape", ".");
    assert.match(await text(page, "#path"), /parse/);
    const little = await page.evaluate(() => Array.from(document.querySelectorAll("#bar button, #bar input, #path button, #menu button"))
        .filter(e => e.checkVisibility()).map(e => [e.textContent, e.getBoundingClientRect()])
        .filter(([, {width, height}]) => width < 24 || height < 24).map(([text]) => text));
    assert.deepEqual(little, []);
    const shown = await page.evaluate(() => ["#status", "#path button", "#details"].map(selector =>
        document.querySelector(selector).getBoundingClientRect().toJSON()));
    assert.ok(shown[1].bottom <= shown[0].bottom + 0.5, "the whole button is in the status line");
    assert.ok(shown[1].top >= shown[2].top + 8, "it leaves the text above it readable");
});

test("a live region announces the frame that the arrow keys reach", async t => {
    const page = await open(t, small);
    await press(page, "ArrowUp", "ArrowUp");
    assert.equal(await page.textContent("[aria-live=polite]"), "Function: main (100 samples, 83.33%)");
});

test("axe reports nothing in a picture within a page", async t => {
    const inline = String(picture(small, rules)).replace(/^[^]*?(?=<svg)/, "");
    const page = await openFile(t, fileWith(
        `<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title><main><h1>t</h1>${inline}</main>`, ".html"));
    assert.deepEqual(await faults(page), []);
});

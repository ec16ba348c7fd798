/* SPDX-License-Identifier: MIT */
/* A label that lacks a part of its name says so, at every width of a frame. tests/view/labels.py tests the other viewers. */
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {pathToFileURL} from "node:url";

import {htmlOf, settled as drawn} from "./lib/html.mjs";
import {fileWith, picture} from "./lib/picture.mjs";
import {test} from "./lib/tests.mjs";
import {newPage, open, settled} from "./lib/viewer.mjs";

const names = JSON.parse(readFileSync(new URL("fixtures/long_names.json", import.meta.url)));

/* Frames that call each other, each a hundredth of the picture narrower than its caller. */
const stack = Array.from({length: 100}, (_, i) => names[i % names.length]);
const folded = stack.map((_, i) => `${stack.slice(0, i + 1).join(";")} 1\n`).join(""), height = 1900;

/* Fails unless each label is a name, or has the sign. */
function assertSigned(labels, sign) {
    const cut = labels.filter(label => label !== "" && label !== "all" && !names.includes(label));
    assert.ok(cut.length > 9, `${cut.length} labels of ${labels.length} are cut`);
    assert.deepEqual(cut.filter(label => !label.includes(sign)), []);
}

for (const width of [1220, 600])
    for (const [label, sign] of [["smart", "…"], ["tail", ".."]])
        test(`picture: a cut label has a sign, with ${label} labels in ${width} pixels`, async t => {
            const page = await open(t, folded, {options: [`--set=svg.label=${label}`], viewport: {width, height}});
            await settled(page);
            assertSigned(await page.evaluate(() => Array.from(document.querySelectorAll("#frames > g:not(.out) > text"), e => e.textContent)), sign);
        });

test("picture without a script: a cut label has a sign", () => {
    const made = String(picture(folded, ["--set=svg.javascript=false"]));
    const texts = Array.from(made.slice(made.indexOf('id="frames"')).matchAll(/<text[^>]*>([^<]*)</g), ([, text]) =>
        text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"));
    assertSigned(texts.filter(text => !/^[0-9,]+ frames? under/.test(text)), "…");
});

test("page: a cut label has a sign", async t => {
    const page = await newPage(t, {viewport: {width: 1220, height}});
    await page.addInitScript(() => {
        const {fillText} = CanvasRenderingContext2D.prototype;
        globalThis.labels = [];
        CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
            globalThis.labels.push(text);
            return fillText.call(this, text, ...more);
        };
    });
    await page.goto(String(pathToFileURL(fileWith(htmlOf(folded), ".html"))));
    await drawn(page);
    assertSigned(await page.evaluate(() => globalThis.labels), "…");
});

/* SPDX-License-Identifier: MIT */
/* Saving what a viewer shows: the same files by the same keys, without a network. */
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {readFileSync} from "node:fs";

import {viewers} from "./lib/both.mjs";
import {test} from "./lib/tests.mjs";
import {finish, open, press, settled} from "./lib/viewer.mjs";

const input = "main;parse;lex 30\nmain;parse 10\nmain;run;\"a,b\" 50\nidle 10\n";

/* Saves by keys: the menu's item of this number. Returns {name, bytes}. */
async function saved(page, item) {
    const download = page.waitForEvent("download");
    await press(page, "e", ...Array.from({length: item}, () => "ArrowDown"), "Enter");
    const file = await download;
    return {name: file.suggestedFilename(), bytes: readFileSync(await file.path())};
}

/* Returns the size of an image, and the share of its pixels that are coloured. */
const pixelsOf = (page, type, bytes) => page.evaluate(async ([type, text]) => {
    const image = document.createElementNS("http://www.w3.org/1999/xhtml", "img");
    image.src = `data:${type};base64,${text}`;
    await image.decode();
    const canvas = document.createElementNS("http://www.w3.org/1999/xhtml", "canvas");
    Object.assign(canvas, {width: image.naturalWidth, height: image.naturalHeight});
    const c = canvas.getContext("2d");
    c.drawImage(image, 0, 0);
    const {data} = c.getImageData(0, 0, canvas.width, canvas.height);
    let colored = 0;
    for (let i = 0; i < data.length; i += 4)
        if (Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 40) colored++;
    return {width: canvas.width, height: canvas.height, colored: colored / (data.length / 4)};
}, [type, bytes.toString("base64")]);

for (const viewer of viewers) {
    test(`a ${viewer.name} is saved as SVG and PNG, which show the same`, async t => {
        const page = await viewer.open(t, input), svg = await saved(page, 0), text = svg.bytes.toString();
        assert.match(svg.name, /^Flame-Graph\.svg$/);
        assert.match(text, /<title>lex \(30 samples, 30.00%\)<\/title>/);
        assert.equal(text.match(/<g>/g).length, 7);
        assert.ok(await page.evaluate(text => new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror") === null, text));
        await settled(page);
        const png = await saved(page, 1);
        assert.match(png.name, /^Flame-Graph\.png$/);
        const a = await pixelsOf(page, "image/svg+xml", svg.bytes), b = await pixelsOf(page, "image/png", png.bytes);
        assert.ok(a.width === b.width && a.colored > 0.3, JSON.stringify([a, b]));
        assert.ok(Math.abs(a.colored * a.height - b.colored * b.height) < 0.05 * a.colored * a.height, JSON.stringify([a, b]));
    });

    test(`the stacks of a ${viewer.name} are saved with filters and zoom, and can be read again`, async t => {
        const page = await viewer.open(t, input);
        assert.equal((await saved(page, 2)).bytes.toString(), "idle 10\nmain;parse 10\nmain;parse;lex 30\nmain;run;\"a,b\" 50\n");
        await viewer.clickAt(page, "parse");
        const {name, bytes} = await saved(page, 2);
        assert.equal(name, "Flame-Graph.folded");
        assert.equal(bytes.toString(), "main;parse 10\nmain;parse;lex 30\n");
        assert.equal(execFileSync(process.env.BRAZIER, ["-q", "collapse", "folded", "-"], {input: bytes}).toString(), bytes.toString());
        await press(page, "0");
        await viewer.pointAt(page, "parse");
        await press(page, "h");
        assert.equal((await saved(page, 2)).bytes.toString(), "idle 10\nmain 10\nmain;lex 30\nmain;run;\"a,b\" 50\n");
    });

    test(`a saved picture of a ${viewer.name} has the colours of its theme`, async t => {
        const [dark, light] = [await viewer.open(t, input, {colorScheme: "dark"}), await viewer.open(t, input)];
        const [a, b] = [(await saved(dark, 0)).bytes.toString(), (await saved(light, 0)).bytes.toString()];
        assert.match(a, /height="100%" fill="#1[be]/);
        assert.equal((a.match(/fill="#fff">/g) ?? []).length, 7);
        assert.notEqual(a, b);
    });
}

test("a picture is saved with the frames that no shape draws", async t => {
    const folded = Array.from({length: 600}, (_, i) => `main;f${i} 1\n`).join("");
    const page = await open(t, folded, {viewport: {width: 620, height: 400}});
    const {colored, height} = await pixelsOf(page, "image/png", (await saved(page, 1)).bytes);
    assert.ok(height === 48 && colored > 0.8, `${colored}`);
    assert.equal((await saved(page, 0)).bytes.toString().match(/<g>/g).length, 602);
    await finish(page);
});

test("names cannot leave the text of a saved picture", async t => {
    const page = await open(t, "<script>alert(1)</script>;a\u0001&b\u202e 1\n");
    const text = (await saved(page, 0)).bytes.toString();
    assert.ok(!text.includes("<script>") && text.includes("&lt;script&gt;"));
    assert.ok(await page.evaluate(text => new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror") === null, text));
});

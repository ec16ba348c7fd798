/* Saving what a page shows, by keyboard and without a network. */
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {readFileSync} from "node:fs";

import {clickAt, openHtml, settled} from "./lib/html.mjs";
import {test} from "./lib/tests.mjs";
import {press} from "./lib/viewer.mjs";

const input = "main;parse;lex 30\nmain;parse 10\nmain;run;\"a,b\" 50\nidle 10\n";

/* Saves by keys: the menu's item of this number. Returns {name, bytes}. */
async function saved(page, item) {
    const download = page.waitForEvent("download");
    await press(page, "e", ...Array.from({length: item}, () => "ArrowDown"), "Enter");
    const file = await download;
    return {name: file.suggestedFilename(), bytes: readFileSync(await file.path())};
}

test("the picture is saved as SVG and PNG", async t => {
    const page = await openHtml(t, input);
    const svg = (await saved(page, 0)).bytes.toString();
    assert.match(svg, /<title>lex \(30 samples, 30.00%\)<\/title>/);
    assert.equal(svg.match(/<g>/g).length, 7);
    const isWellFormed = await page.evaluate(text =>
        new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror") === null, svg);
    assert.ok(isWellFormed);
    await settled(page);
    const png = await saved(page, 1);
    assert.match(png.name, /\.png$/);
    assert.equal(png.bytes.toString("latin1", 1, 4), "PNG");
});

test("stacks are saved with filters and zoom, and can be read again", async t => {
    const page = await openHtml(t, input);
    assert.equal((await saved(page, 2)).bytes.toString(), "idle 10\nmain;parse 10\nmain;parse;lex 30\nmain;run;\"a,b\" 50\n");
    await clickAt(page, "parse");
    assert.equal((await saved(page, 2)).bytes.toString(), "main;parse 10\nmain;parse;lex 30\n");
    const speedscope = (await saved(page, 4)).bytes;
    const folded = execFileSync(process.env.BRAZIER, ["-q", "collapse", "speedscope", "-"], {input: speedscope});
    assert.equal(folded.toString(), "main;parse 10\nmain;parse;lex 30\n");
});

test("comparisons have both counts, weights with losses no speedscope", async t => {
    const page = await openHtml(t, "main;a 10 20\nmain;b 5 0\n");
    assert.equal((await saved(page, 2)).bytes.toString(), "main;a 10 20\nmain;b 5 0\n");
    const signed = await openHtml(t, "main;a 40\nmain;b -15\n");
    await press(signed, "e");
    assert.equal(await signed.locator("#exports button").count(), 4);
});

test("the table is saved as CSV, which a search limits", async t => {
    const page = await openHtml(t, input, {hash: "#view=table&s=a,b|lex"});
    const csv = (await saved(page, 0)).bytes.toString().split("\r\n");
    assert.match(csv[0], /^Self( \(samples\))?,Self %,Total( \(samples\))?,Total %,Name,Module$/);
    assert.deepEqual(csv.slice(1), ['50,50,50,50,"""a,b""",', "30,30,30,30,lex,", ""]);
});

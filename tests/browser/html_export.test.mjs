/* SPDX-License-Identifier: MIT */
/* Saving what only a page saves: the table, comparisons, speedscope; by keyboard and without a network. */
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {readFileSync} from "node:fs";

import {clickAt, openHtml} from "./lib/html.mjs";
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

test("speedscope's files have filters and zoom, and can be read again", async t => {
    const page = await openHtml(t, input);
    await clickAt(page, "parse");
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

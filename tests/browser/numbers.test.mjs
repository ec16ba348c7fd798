/* SPDX-License-Identifier: MIT */
/* Pictures and pages have the numbers of numbers.json; tests/view/numbers.py tests them in the other viewers. */
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";

import {viewers} from "./lib/both.mjs";
import {openHtml, table} from "./lib/html.mjs";
import {test} from "./lib/tests.mjs";
import {press, search, text} from "./lib/viewer.mjs";

const {stacks, search: found, zoom, table: rows} = JSON.parse(readFileSync(new URL("fixtures/numbers.json", import.meta.url)));

/* What the viewers say of a search, in their order. */
const sums = [
    async page => text(page, "#sums"),
    async page => (await text(page, "#matched")).replace(/^Matched: ([^ ]+) \(|\)$/g, ""),
];
const shares = [
    s => `${s.frames} frame${s.frames === 1 ? "" : "s"}, total ${s.total} samples (${s.totalShare}), self ${s.self} samples (${s.selfShare})`,
    s => `${s.frames} frame${s.frames === 1 ? "" : "s"}, total ${s.total} samples, self ${s.self} samples`,
];

for (const [i, viewer] of viewers.entries()) {
    test(`a search, a zoom and the functions have the numbers of all viewers: ${i === 0 ? "picture" : "page"}`, async t => {
        const page = await viewer.open(t, stacks);
        await search(page, found.pattern);
        assert.equal(await sums[i](page), shares[i](found));
        assert.match(await text(page, "#matched"), new RegExp(`^Matched: ${parseFloat(found.totalShare)}`));
        for (const [name, self, , total] of rows) {
            await press(page, "Escape", "Escape");
            await search(page, `^${name}$`);
            assert.match(await sums[i](page), new RegExp(`total ${total} samples\\b.*self ${self} samples\\b`), name);
        }
        await press(page, "Escape", "Escape");
        await viewer.clickAt(page, zoom.to);
        await viewer.pointAt(page, zoom.point);
        const tip = await page.evaluate(() => document.querySelector("[role=tooltip]").children[1].textContent);
        assert.equal(tip, `${zoom.total} samples, ${zoom.ofAll} of all, ${zoom.ofSelection} of the selection`);
    });
}

test("the table of a page has the numbers of all viewers", async t => {
    const page = await openHtml(t, stacks, {hash: "#view=table"});
    const shown = (await table(page)).map(row => row.map(cell => cell.trim()));
    for (const [name, self, selfShare, total, totalShare] of rows) {
        const row = shown.find(cells => cells.includes(name));
        assert.deepEqual(row.slice(0, 5), [String(self), selfShare.slice(0, -1), String(total), totalShare.slice(0, -1), name]);
    }
    assert.equal(shown.length, rows.length);
});

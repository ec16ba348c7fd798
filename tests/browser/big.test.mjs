/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";

import {bigFolded} from "./fixtures/big.mjs";
import {fileWith, picture} from "./lib/picture.mjs";
import {test} from "./lib/tests.mjs";
import {assertNear, frames, open, openFile, painted, press, search, settled, text} from "./lib/viewer.mjs";
import * as work from "./lib/work.mjs";

const FRAMES = 20_000;
const folded = bigFolded(FRAMES);
const MOST_DRAWN = 3000;

/* Fails if `act` changes more elements than a few times those that are drawn: this is what makes a
 * picture slow on any machine. bench/viewers.mjs measures the time. */
async function assertFew(page, act, what) {
    await page.evaluate(() => {
        globalThis.changed = new Set();
        globalThis.observer = new MutationObserver(records => {
            for (const {target} of records) globalThis.changed.add(target);
        });
        globalThis.observer.observe(document.querySelector("#frames"),
                                    {subtree: true, childList: true, attributes: true});
    });
    await act();
    await work.painted(page);
    const changed = await page.evaluate(() => {
        globalThis.observer.disconnect();
        return globalThis.changed.size;
    });
    assert.ok(changed < 8 * MOST_DRAWN, `${what} changes ${changed} elements`);
}

/* Returns the share of samples in each row of a picture, that of the root first. */
function widths(folded) {
    const sums = [];
    for (const line of folded.trim().split("\n")) {
        const [stack, count] = [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))];
        for (let depth = stack.split(";").length; depth >= 0; depth--)
            sums[depth] = (sums[depth] ?? 0) + count;
    }
    return sums.map(sum => sum / sums[0]);
}

async function openBig(t) {
    const page = await openFile(t, fileWith(picture(folded)));
    await settled(page);
    return page;
}

test("zooming and searching 20,000 frames changes few elements beyond those drawn", async t => {
    const page = await openBig(t);
    const widest = (await frames(page)).filter(f => f.bottom < 630 && f.top > 50 && f.right - f.left > 200);
    assert.ok(widest.length > 3);
    for (const {name, left, top} of [widest[0], widest[widest.length - 1]]) {
        await assertFew(page, () => page.mouse.click(left + 9, top + 5), `zooming to ${name}`);
        assert.notEqual(await text(page, "#path"), "");
        await assertFew(page, () => press(page, "0"), "zooming out");
    }
    await assertFew(page, () => search(page, "function_1"), "a search");
    assert.match(await text(page, "#matched"), /^Matched: \d/);
    await assertFew(page, () => press(page, "Enter"), "going to a match");
    await assertFew(page, () => press(page, "Escape"), "ending the search");
    for (const key of ["r", "r", "i", "i", "m", "m"]) {
        await assertFew(page, () => press(page, key), key);
        await settled(page);
    }
    const {left, top} = widest[widest.length - 1];
    for (const key of ["h", "u", "d", "u", "f", "u"]) {
        await page.mouse.move(left + (key === "u" ? 8 : 9), top + 5);
        await assertFew(page, () => press(page, key), key);
        await settled(page);
    }
});

test("the number of shapes is bounded, and each row is painted as far as its frames reach", async t => {
    const page = await openBig(t);
    const drawn = () => page.evaluate(() => document.querySelectorAll("#frames > :not(.out)").length);
    const rows = (await painted(page)).reverse(), expected = widths(folded);
    assert.equal(rows.length, expected.length);
    for (const [depth, share] of expected.entries())
        assertNear(rows[depth].width, 1200 * share, `width of row ${depth}`, 2 + 12 * share);
    for (const key of ["r", "i", "m", "r"]) {
        assert.ok(await drawn() <= 2 * MOST_DRAWN);
        await press(page, key);
        await settled(page);
    }
    assert.ok(await drawn() <= 2 * MOST_DRAWN);
});

test("a stack 5,000 deep is drawn, zoomed and scrolled", async t => {
    const deep = Array.from({length: 5000}, (_, i) => `f${i}`).join(";");
    const page = await open(t, `${deep} 3\nf0;other 1\n`);
    await settled(page);
    assert.equal((await frames(page)).length, 5002);
    await search(page, "^f4999$");
    await assertFew(page, () => press(page, "Enter"), "going to the last");
    assert.ok((await frames(page)).some(f => f.name === "f4999" && f.top > 30 && f.bottom < 670));
    for (const key of ["Escape", "r", "i", "m", "i", "r"])
        await assertFew(page, () => press(page, key), key);
});

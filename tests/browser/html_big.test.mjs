/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";

import {millionFolded} from "./fixtures/million.mjs";
import {htmlOf, settled, table} from "./lib/html.mjs";
import {fileWith} from "./lib/picture.mjs";
import {test} from "./lib/tests.mjs";
import {openFile, press, text} from "./lib/viewer.mjs";

const FRAMES = 1_000_000;

/* Returns what a function makes of all frames that are drawn; they stay in the page, since there are many. */
async function ofFrames(page, make, word) {
    await settled(page);
    return page.evaluate(`(${make})(globalThis.brazier.frames(), ${word})`);
}

const drawings = page => page.evaluate(() => globalThis.brazier.drawings());

/* Uses one page for all tests, since it takes long to open. */
test("a profile of a million frames", async t => {
    const page = await openFile(t, fileWith(htmlOf(millionFolded(1.08 * FRAMES)), ".html"));
    await settled(page);

    await t.test("it opens, and few of its frames are drawn", async () => {
        assert.ok(await page.evaluate(() => globalThis.brazier.size) >= FRAMES);
        const drawn = await ofFrames(page, found => found.length);
        assert.ok(drawn > 1000 && drawn < 60_000, `${drawn} drawn`);
        assert.ok(await ofFrames(page, found => found.some(f => f.isMerged)));
    });

    await t.test("zooming takes several drawings of few frames and shows more detail", async () => {
        for (let depth = 2; depth < 7; depth++) {
            const wide = await ofFrames(page, (found, depth) => found.filter(f => !f.isMerged && f.depth === depth)
                .sort((a, b) => b.right - b.left - (a.right - a.left))[0], depth);
            const before = await drawings(page);
            await page.mouse.click((wide.left + wide.right) / 2, wide.top + 8);
            const drawn = await ofFrames(page, found => found.length);
            assert.ok(await drawings(page) > before + 1, "it moves there");
            assert.ok(drawn > 100 && drawn < 60_000, `${drawn} drawn at depth ${depth}`);
            assert.equal((await text(page, "#path")).split("›").length, depth + 1);
        }
        await press(page, "0");
        assert.equal(await text(page, "#path"), "all");
    });

    await t.test("search, table, callers and filters respond", async () => {
        const works = {
            search: () => page.locator("#search").fill("^f1\\d*$"),
            table: () => page.locator("#view-table").click(),
            callers: () => page.locator("#table .rows button").first().click(),
            graph: () => page.locator("#view-flame").click(),
            drop: async () => {
                const f = await ofFrames(page, found => found.find(f => f.depth === 3 && !f.isMerged));
                await page.mouse.click((f.left + f.right) / 2, f.top + 8, {button: "right"});
                await settled(page);
                await page.getByRole("menuitem", {name: "Hide frames"}).click();
            },
        };
        for (const [name, act] of Object.entries(works)) {
            await act();
            await settled(page);
            if (name === "table") assert.ok((await table(page)).length < 200);
        }
        assert.match(await text(page, "#matched"), /^Matched: \d/);
        assert.match(await text(page, "#chips"), /^hidden: f\d+ ×$/);
    });
});

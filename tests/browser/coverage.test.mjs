/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";

import {randomNumbers} from "./fixtures/random.mjs";
import {test} from "./lib/tests.mjs";
import {assertNear, click, finish, open, painted, press, search} from "./lib/viewer.mjs";

/* Frames black, matches white: the red part of a colour is the share of matches. */
const options = ["--palette=rules", "--rules=. = #000000", "--search-color=#ffffff", "--minwidth=0"];

/* Returns folded stacks whose second row has many narrow frames of different density: leaves of
 * name "hit" or "miss", and gaps where the caller itself was sampled. */
function sparse(n, share) {
    const random = randomNumbers(5), lines = [];
    for (let i = 0; i < n; i++) {
        const name = random() < 0.1 ? "hit" : "miss";
        lines.push(`main;caller${String(i).padStart(6, "0")};${name} ${Math.round(100 * share)}`,
                   `main;caller${String(i).padStart(6, "0")} ${Math.round(100 * (1 - share))}`);
    }
    return lines.join("\n") + "\n";
}

const weightOf = (folded, pattern) => folded.trim().split("\n").filter(line => pattern.test(line))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);

test("narrow frames paint as much as they weigh, also if they are far apart", async t => {
    for (const share of [0.9, 0.1])
        for (const deviceScaleFactor of [1, 2]) {
            const page = await open(t, sparse(2000, share), {options, deviceScaleFactor});
            const [leaves, callers, main] = await painted(page);
            assertNear(main.width, 1200, "main");
            assertNear(callers.width, 1200, "callers", 6);
            assertNear(leaves.width, 1200 * share, "leaves", 12);
            await finish(page);
        }
});

test("matches paint their share of the picture, however narrow they are", async t => {
    for (const n of [100, 1000, 8000]) {
        const folded = sparse(n, 0.8), page = await open(t, folded, {options});
        await search(page, "^hit$");
        const [leaves] = await painted(page);
        const share = weightOf(folded, /;hit /) / weightOf(folded, /./);
        assertNear(leaves.red / 1200, share, `share of matches among ${n} frames`, 0.004);
        await press(page, "Escape");
        assert.equal((await painted(page))[0].red, 0);
        await finish(page);
    }
});

test("zooming shows narrow frames as wide as they are", async t => {
    const page = await open(t, `other 99000\n${sparse(10, 0.5)}`, {options});
    await click(page, "main");
    const [leaves, callers] = await painted(page);
    assertNear(callers.width, 1200, "callers", 12);
    assertNear(leaves.width, 600, "leaves", 12);
});

test("without a script narrow frames paint as much as they weigh", async t => {
    const page = await open(t, sparse(2000, 0.5), {options, javaScriptEnabled: false});
    const lengths = await page.evaluate(() => {
        const rows = new Map();
        for (const path of document.querySelectorAll("#frames path"))
            for (const [, y, length] of path.getAttribute("d").matchAll(/M\S+ (\S+)h([^M]+)/g))
                rows.set(y, (rows.get(y) ?? 0) + Number(length));
        return [...rows].sort((a, b) => a[0] - b[0]).map(([, length]) => length);
    });
    const [leaves, callers, main, all] = lengths;
    assertNear(all, 1180, "the root");
    assertNear(main, 1180, "main");
    assertNear(callers, 1180, "callers", 6);
    assertNear(leaves, 590, "leaves", 6);
});

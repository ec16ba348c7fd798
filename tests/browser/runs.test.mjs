/* SPDX-License-Identifier: MIT */
/* Runs of unnamed frames, which pictures and pages fold in the same way. */
import assert from "node:assert/strict";

import {viewers} from "./lib/both.mjs";
import {test} from "./lib/tests.mjs";
import {finish, open, press, rows, state, text} from "./lib/viewer.mjs";

const runs = "main;[cc1plus];[cc1plus];[cc1plus];f 10\nmain;[cc1plus];f 5\nmain;[cc1plus];[cc1plus] 3\nmain;g 2\n";
const folded = ["all 20", "main 20", "[cc1plus] ×3 18 | g 2", "f 15"];
const opened = ["all 20", "main 20", "[cc1plus] 18 | g 2", "[cc1plus] 13 | f 5", "[cc1plus] 10", "f 10"];

for (const viewer of viewers) {
    test(`a ${viewer.name} folds runs of unnamed frames, and a click opens them`, async t => {
        const page = await viewer.open(t, runs);
        assert.deepEqual(await viewer.rows(page), folded);
        await viewer.pointAt(page, "[cc1plus] ×3");
        assert.match(await text(page, "#details"), /\[cc1plus\] ×3 \(18 samples, 90\.00%.*\) · click: open$/);
        await viewer.clickAt(page, "[cc1plus] ×3");
        assert.deepEqual(await state(page).then(pairs => pairs.find(([key]) => key === "runs")), ["runs", "open"]);
        await press(page, "0");
        assert.deepEqual(await viewer.rows(page), opened);
        await page.goBack();
        await page.goBack();
        assert.deepEqual(await viewer.rows(page), folded);
    });

    test(`key and button fold and open runs in a ${viewer.name}, and the address keeps it`, async t => {
        const page = await viewer.open(t, runs);
        await press(page, "z");
        assert.deepEqual(await viewer.rows(page), opened);
        await page.reload();
        assert.deepEqual(await viewer.rows(page), opened);
        await page.click("#runs");
        assert.deepEqual(await viewer.rows(page), folded);
        const without = await viewer.open(t, "main;[a];[b] 1\nmain;f;f 1\n");
        assert.equal(await without.evaluate(() => document.querySelector("#runs").checkVisibility()), false);
        assert.deepEqual(await viewer.rows(without), ["all 2", "main 2", "[a] 1 | f 1", "[b] 1 | f 1"]);
    });

    test(`a ${viewer.name} focuses on frames above folded runs, in each direction`, async t => {
        const page = await viewer.open(t, runs);
        await viewer.pointAt(page, "f");
        await press(page, "f");
        assert.deepEqual(await viewer.rows(page), ["all 15", "f 15"]);
        await page.reload();
        assert.deepEqual(await viewer.rows(page), ["all 15", "f 15"]);
        await press(page, "u");
        await viewer.pointAt(page, "[cc1plus] ×3");
        await press(page, "f");
        assert.deepEqual(await viewer.rows(page), ["all 18", "[cc1plus] ×3 18", "f 15"]);
        await press(page, "z");
        assert.deepEqual(await viewer.rows(page), ["all 18", "[cc1plus] 18", "[cc1plus] 13 | f 5", "[cc1plus] 10", "f 10"]);
        await press(page, "z", "u", "r");
        assert.deepEqual(await viewer.rows(page), ["all 20", "f 15 | [cc1plus] ×2 3 | g 2", "[cc1plus] ×3 15 | main 3 | main 2", "main 15"]);
    });

    test(`a ${viewer.name} in the order of time folds runs that belong together`, async t => {
        const page = await viewer.open(t, "[x];f 1\ng 1\n[x];[x];f 2\n", {options: ["--flamechart"]});
        assert.deepEqual(await viewer.rows(page), ["all 4", "[x] 1 | g 1 | [x] ×2 2", "f 1 | f 2"]);
        await viewer.pointAt(page, "[x] ×2");
        await press(page, "f");
        assert.deepEqual(await viewer.rows(page), ["all 2", "[x] ×2 2", "f 2"]);
        await press(page, "u", "z");
        assert.deepEqual(await viewer.rows(page), ["all 4", "[x] 1 | g 1 | [x] 2", "f 1 | [x] 2", "f 2"]);
    });
}

test("a part of the callers of folded runs keeps its weight", async t => {
    const page = await open(t, runs, {hash: "#view=callers"});
    await viewers[0].pointAt(page, "[cc1plus] ×3");
    await press(page, "f");
    assert.deepEqual(await rows(page), ["all 15", "[cc1plus] ×3 15", "main 15"]);
    await finish(page);
    const again = await open(t, runs, {hash: "#view=callers"});
    await viewers[0].pointAt(again, "main", 2);
    await press(again, "f", "r");
    assert.deepEqual(await rows(again), ["all 15", "main 15"]);
});

test("pictures in the style of other tools show each frame of a run", async t => {
    const page = await open(t, runs, {options: ["--no-compact"]});
    assert.deepEqual(await rows(page), opened);
    await press(page, "z");
    assert.deepEqual(await rows(page), folded);
    assert.deepEqual(await state(page), [["runs", "folded"]]);
});

/* SPDX-License-Identifier: MIT */
/* The order of frames beside each other, by option, button and key, in pictures and pages. */
import assert from "node:assert/strict";

import {viewers} from "./lib/both.mjs";
import {test} from "./lib/tests.mjs";
import {press, state} from "./lib/viewer.mjs";

const input = "main;a;x 1\nmain;a;y 2\nmain;b 7\nmain;c 5\n";
const byName = ["all 15", "main 15", "a 3 | b 7 | c 5", "x 1 | y 2"];
const byWeight = ["all 15", "main 15", "b 7 | c 5 | a 3", "y 2 | x 1"];

for (const viewer of viewers) {
    test(`a button and a key order the frames of a ${viewer.name}`, async t => {
        const page = await viewer.open(t, input, {viewport: {width: 1500, height: 700}});
        const isPressed = () => page.getAttribute("#order", "aria-pressed");
        assert.deepEqual([await viewer.rows(page), await isPressed()], [byName, "false"]);
        await page.click("#order");
        assert.deepEqual([await viewer.rows(page), await isPressed()], [byWeight, "true"]);
        assert.deepEqual(await state(page), [["order", "weight"]]);
        await press(page, "o");
        assert.deepEqual([await viewer.rows(page), await isPressed()], [byName, "false"]);
    });

    test(`an option orders the frames of a ${viewer.name}, and callers are by weight`, async t => {
        const page = await viewer.open(t, input, {options: ["--sort=weight"]});
        assert.deepEqual(await viewer.rows(page), byWeight);
        const usual = await viewer.open(t, "c;f 1\na;f 2\nb;f 3\nd;g 9\n");
        await press(usual, "r");
        assert.deepEqual(await viewer.rows(usual), ["all 15", "g 9 | f 6", "d 9 | b 3 | a 2 | c 1"]);
    });

    test(`a ${viewer.name} in the order of time has no button for another order`, async t => {
        const page = await viewer.open(t, input, {options: ["--flamechart"], viewport: {width: 1500, height: 700}});
        assert.equal(await page.evaluate(() => document.querySelector("#order").checkVisibility()), false);
        const before = await viewer.rows(page);
        await press(page, "o");
        assert.deepEqual(await viewer.rows(page), before);
    });
}

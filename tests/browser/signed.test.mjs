/* SPDX-License-Identifier: MIT */
/* Pictures of weights with negative values: widths are gains and losses together, numbers have their signs. */
import assert from "node:assert/strict";

import {test} from "./lib/tests.mjs";
import {open, finish, frames, pointAt, press, search, text} from "./lib/viewer.mjs";

const signed = "main;a 40\nmain;a;b -15\nmain;c -30\nfree -9\n";
const two = "main;a 40 -10\nmain;a;b -15 20\nmain;c -30 -30\nfree -9 0\nfresh 0 5\n";
const counts = ["--set", "folded.counts=2"];

/* Returns the frames of a picture: titles, places and colours. */
const shown = async page => (await frames(page)).map(f => `${f.title} ${f.left} ${f.right} ${f.fill}`).sort();

test("titles, the status and a search have signed amounts", async t => {
    const page = await open(t, signed);
    assert.deepEqual((await frames(page)).map(f => f.title).sort(), [
        "a (25 samples, 26.60%; gains 40, losses 15)", "all (-14 samples, -14.89%; gains 40, losses 54)",
        "b (-15 samples, -15.96%)", "c (-30 samples, -31.91%)", "free (-9 samples, -9.57%)",
        "main (-5 samples, -5.32%; gains 40, losses 45)"]);
    assert.match(await text(page, "#hint"), /^Width: share of 94 samples gained and lost · colour: gains or losses/);
    await pointAt(page, "b");
    assert.equal(await text(page, "#sums"), "self -15 samples (-15.96%)");
    await search(page, "^(a|b|c)$");
    assert.equal(await text(page, "#matched"), "Matched: 90.4% of the width");
    assert.equal(await text(page, "#sums"), "3 frames, total -5 samples (-5.32%), self -5 samples (-5.32%)");
});

/* The filters of the viewer must give the picture that the program draws of filtered stacks, where no gain and
 * loss meet in one stack. */
for (const [input, options] of [[signed, []], [two, counts], [two, [...counts, "--base-on=both"]]])
    test(`filters and the merge direction keep signs: ${input === two ? "comparison" : "profile"} ${options.at(-1) ?? ""}`, async t => {
        for (const [key, ...more] of [["d", "--drop=^c$"], ["r", "--reverse", "--sort=weight"]]) {
            const page = await open(t, input, {options});
            const expected = await open(t, input, {options: [...options, ...more]});
            if (key !== "r") await pointAt(page, "c");
            await press(page, key);
            await page.mouse.move(600, 3);
            const titles = async p => (await frames(p)).map(f => `${f.title} ${Math.round(f.left)} ${Math.round(f.right)}`).sort();
            assert.deepEqual(await titles(page), await titles(expected), key);
            await finish(page);
            await finish(expected);
        }
    });

test("a hidden frame leaves its gains and losses to its caller", async t => {
    const page = await open(t, signed), before = await shown(page);
    await pointAt(page, "b");
    await press(page, "h");
    assert.ok((await frames(page)).some(f => f.title === "a (25 samples, 26.60%; gains 40, losses 15)"));
    await press(page, "u");
    assert.deepEqual(await shown(page), before);
});

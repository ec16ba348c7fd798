/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";

import {seeds, tangledChanges, tangledFolded} from "./fixtures/random.mjs";
import {small} from "./fixtures/small.mjs";
import {test} from "./lib/tests.mjs";
import {click, frame, frames, open, pointAt, press, rows, text} from "./lib/viewer.mjs";

/* Ways to change a plain picture in the viewer; each must match what the program draws with
 * `options`. */
const ways = [
    {what: "hiding frames", key: "h", options: ["--hide=^b$"], at: "b"},
    {what: "dropping stacks", key: "d", options: ["--drop=^b$"], at: "b"},
    {what: "merging recursion", key: "m", options: ["--merge-recursion"]},
    {what: "the tree of callers", key: "r", options: ["--reverse", "--sort=weight"]},
    {what: "ordering by weight", key: "o", options: ["--sort=weight"]},
    {what: "turning it upside down", key: "i", options: ["--inverted"]},
];
for (const {what, key, options, at} of ways)
    test(`${what} gives what the program draws with ${options}`, async t => {
        for (const seed of seeds(3)) {
            const folded = tangledFolded(seed);
            const page = await open(t, folded), expected = await open(t, folded, {options});
            if (at) await pointAt(page, at);
            await press(page, key);
            await page.mouse.move(600, 3);
            assert.deepEqual(await rows(page), await rows(expected));
            assert.deepEqual((await frames(page)).map(places), (await frames(expected)).map(places));
        }
    });

for (const {what, key, options, at} of ways)
    for (const deltas of ["total", "self"])
        test(`in a comparison ${what} leaves differences (${deltas}) in titles`, async t => {
            for (const seed of seeds(3)) {
                const folded = tangledChanges(seed), given = [`--deltas=${deltas}`];
                const page = await open(t, folded, {options: given});
                const expected = await open(t, folded, {options: [...given, ...options]});
                if (at) await pointAt(page, at);
                await press(page, key);
                await page.mouse.move(600, 3);
                assert.deepEqual((await frames(page)).map(titled), (await frames(expected)).map(titled));
                assert.ok((await frames(page)).some(f => /; -/.test(f.title)));
            }
        });

const titled = f => [f.title, Math.round(f.left), f.top];

test("in a comparison merged frames have the colour of their difference", async t => {
    const folded = "x;a 10 40\nx;b;a 40 10\ny;c 10 10\n";
    const page = await open(t, folded), fills = new Map();
    for (const f of await frames(page)) fills.set(/; (.*)\)/.exec(f.title)?.[1], f.fill);
    await pointAt(page, "b");
    await press(page, "h");
    const {title, fill} = await frame(page, "a");
    assert.equal(title, "a (50 samples, 83.33%; 0.00%)");
    assert.equal(fill, fills.get("0.00%"));
    assert.notEqual(fill, fills.get("+50.00%"));
});

const places = f => [f.name, f.label, f.fill, Math.round(f.left), Math.round(f.right), f.top, f.bottom];

test("the orientation toggles, also for pictures that start as icicle graphs", async t => {
    const page = await open(t, small), icicle = await open(t, small, {options: ["--inverted"]});
    const before = (await frames(page)).map(places);
    await press(page, "i");
    assert.equal(await page.getAttribute("#flip", "aria-pressed"), "true");
    await page.click("#flip");
    assert.deepEqual((await frames(page)).map(places), before);
    assert.ok((await frame(icicle, "all")).top < (await frame(icicle, "main")).top);
    await press(icicle, "i");
    assert.ok((await frame(icicle, "all")).top > (await frame(icicle, "main")).top);
});

test("the button shows and hides callers; titles give shares of the whole", async t => {
    const page = await open(t, small);
    await page.click("#callers");
    assert.deepEqual(await rows(page), [
        "all 120", "next 30 | add 25 | idle 20 | parse 20 | jump 15 | read 10",
        "lex 30 | step 25 | main 20 | step 15 | parse 10", "parse 30 | run 25 | run 15 | main 10",
        "main 30 | main 25 | main 15",
    ]);
    assert.equal((await frame(page, "lex")).title, "lex (30 samples, 25.00%)");
    await page.click("#callers");
    assert.equal((await rows(page))[1], "idle 20 | main 100");
});

test("the stacks of a frame of callers can be focused, also after leaving callers", async t => {
    const page = await open(t, small);
    await press(page, "r");
    await pointAt(page, "run", 0);
    await press(page, "f");
    assert.deepEqual(await rows(page), ["all 25", "run 25", "main 25"]);
    await press(page, "r");
    assert.deepEqual(await rows(page), ["all 25", "main 25", "run 25"]);
});

test("a single frame with its descendants can be focused", async t => {
    const page = await open(t, "main;a;b 10\nmain;c;a;d 20\nmain;e 5\n");
    await pointAt(page, "a", 0);
    await press(page, "f");
    assert.deepEqual(await rows(page), ["all 10", "a 10", "b 10"]);
    await press(page, "u");
    await pointAt(page, "a", 0);
    await press(page, "F");
    assert.deepEqual(await rows(page), ["all 30", "a 30", "b 10 | d 20"]);
});

test("frames of a name are hidden; their callees take their place", async t => {
    const page = await open(t, "main;wrap;a 10\nmain;a 5\nmain;wrap 2\nwrap 3\n");
    await pointAt(page, "wrap", 0);
    await press(page, "h");
    assert.deepEqual(await rows(page), ["all 20", "main 17", "a 15"]);
});

test("frames that sorted text separates are merged when the picture changes", async t => {
    const page = await open(t, "a 1\na-b;c 2\na;b 4\nx 8\n");
    assert.equal((await rows(page))[1], "a 1 | a-b 2 | a 4 | x 8");
    await pointAt(page, "x");
    await press(page, "d");
    assert.deepEqual(await rows(page), ["all 7", "a-b 2 | a 5", "c 2 | b 4"]);
});

test("stacks with a name are dropped, and the rest counts as the whole", async t => {
    const page = await open(t, small);
    await pointAt(page, "step");
    await press(page, "d");
    assert.deepEqual(await rows(page), ["all 80", "idle 20 | main 60", "parse 60", "lex 30 | read 10", "next 30"]);
    assert.equal((await frame(page, "parse")).title, "parse (60 samples, 75.00%)");
});

test("the bar lists every filter; its button, u and Ctrl-Z undo it", async t => {
    const page = await open(t, small), before = await rows(page);
    const apply = async () => {
        for (const [name, key] of [["lex", "h"], ["step", "d"], ["parse", "f"]]) {
            await pointAt(page, name);
            await press(page, key);
        }
        await page.mouse.move(600, 3);
    };
    await apply();
    assert.deepEqual(await rows(page), ["all 60", "parse 60", "next 30 | read 10"]);
    assert.equal(await text(page, ".chips"), "hidden: lex ×dropped: step ×only parse ×");
    await page.click(".chip >> nth=0");
    assert.deepEqual(await rows(page), ["all 60", "parse 60", "lex 30 | read 10", "next 30"]);
    assert.equal(await text(page, ".chips"), "dropped: step ×only parse ×");
    await press(page, "u", "Control+z");
    assert.deepEqual(await rows(page), before);
    assert.equal(await text(page, ".chips"), "");
    await press(page, "u");
    assert.deepEqual(await rows(page), before);
});

test("merging recursion joins the frames of a function that calls itself", async t => {
    const page = await open(t, "main;f;f;f;g 10\nmain;f;f;g 5\nmain;f;h;f 1\n");
    await page.click("#merge");
    assert.deepEqual(await rows(page), ["all 16", "main 16", "f 16", "g 15 | h 1", "f 1"]);
    assert.equal(await page.getAttribute("#merge", "aria-pressed"), "true");
    await press(page, "m");
    assert.equal(await page.getAttribute("#merge", "aria-pressed"), "false");
    assert.equal((await rows(page)).length, 6);
});

test("the root can be neither hidden nor dropped", async t => {
    const page = await open(t, small), before = await rows(page);
    await pointAt(page, "all");
    await press(page, "h", "d", "f", "F", "a");
    assert.deepEqual(await rows(page), before);
});

test("when everything is dropped, the picture says so and comes back", async t => {
    const page = await open(t, small), before = await rows(page);
    for (const name of ["main", "idle"]) {
        await pointAt(page, name);
        await press(page, "d");
    }
    assert.deepEqual(await rows(page), ["all 0"]);
    assert.equal(await text(page, ".chips"), "dropped: main ×dropped: idle ×");
    await press(page, "i", "r", "m", "ArrowUp", "Enter", "r", "m", "i", "u", "u");
    assert.deepEqual(await rows(page), before);
});

test("filters keep the zoom as far as its frames remain", async t => {
    const page = await open(t, small);
    await click(page, "lex");
    await pointAt(page, "parse");
    await press(page, "h");
    assert.equal(await text(page, "#path"), "all›main");
    await press(page, "u");
    await click(page, "lex");
    await pointAt(page, "lex");
    await press(page, "m");
    assert.equal(await text(page, "#path"), "all›main›parse›lex");
});

test("the weight of frames that are not drawn stays with their callers", async t => {
    const tiny = Array.from({length: 50}, (_, i) => `main;f;tiny${i} 1\n`).join("");
    const page = await open(t, `main;f;big 99000\nmain;f 900\n${tiny}other 50\n`);
    assert.equal(await text(page, "#details"), "50 frames under 0.01 % not drawn");
    await pointAt(page, "f");
    assert.equal(await text(page, "#sums"), "self 900 samples (0.90%)");
    await pointAt(page, "big");
    await press(page, "h");
    assert.equal((await frame(page, "f")).count, 99950);
    await press(page, "u", "r");
    assert.equal((await frame(page, "all")).count, 100000);
});

test("in a tall picture filters keep the scroll position, and turning it shows its root", async t => {
    const stack = (name, n) => Array.from({length: n}, (_, i) => `${name}${i}`).join(";");
    const page = await open(t, `${stack("a", 60)} 10\n${stack("b", 90)} 10\n`);
    const inSight = async () => (await frames(page)).filter(f => f.top >= 36 && f.bottom <= 670).map(f => f.name);
    assert.ok((await inSight()).includes("all"));
    await page.evaluate(() => globalThis.scrollTo(0, 400));
    const before = await inSight(), {top} = await frame(page, "a59");
    assert.ok(before.includes("a59") && before.includes("b60") && !before.includes("all"));
    await pointAt(page, "b60");
    await press(page, "d");
    const after = (await frame(page, "a59")).top;
    assert.ok(Math.abs(after - top) < 2 || await page.evaluate(() => globalThis.scrollY) === 0, `${top} ${after}`);
    await press(page, "u");
    for (const key of ["i", "i", "r", "i", "r"]) {
        await press(page, key);
        assert.ok((await inSight()).includes("all"), key);
    }
});

test("the order can be chosen for callers, too; a part of an ordered picture is that part of the file", async t => {
    const page = await open(t, small), plain = await rows(page);
    await press(page, "o");
    assert.deepEqual(await rows(page), ["all 120", "main 100 | idle 20", "parse 60 | run 40", "lex 30 | read 10 | step 40",
                                       "next 30 | add 25 | jump 15"]);
    await pointAt(page, "parse");
    await press(page, "f");
    assert.deepEqual(await rows(page), ["all 60", "parse 60", "lex 30 | read 10", "next 30"]);
    await press(page, "o");
    assert.deepEqual(await rows(page), ["all 60", "parse 60", "lex 30 | read 10", "next 30"]);
    await press(page, "u");
    assert.deepEqual(await rows(page), plain);
    await press(page, "r");
    assert.match((await rows(page))[1], /^add 25 /, "the chosen order: by name");
    await press(page, "o");
    assert.match((await rows(page))[1], /^next 30 /);
});

/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";

import {small} from "./fixtures/small.mjs";
import {test} from "./lib/tests.mjs";
import {MATCHED, assertNear, click, finish, frame, frames, open, pointAt, press, rows, search, text} from "./lib/viewer.mjs";

const trace = `TRACE START [2026-01-01 00:00:00.000000]
    0.0001       1000     +1000   -> {main}() /app/index.php:0
    0.0002       1100      +100     -> first() /app/index.php:3
    0.0007       1100        +0     -> second() /app/index.php:4
    0.0008       1100        +0       -> third() /app/index.php:9
    0.0009       1000      -100        >=> 3
    0.0011       1000        +0      >=> 2
    0.0016       1000        +0    >=> 1
    0.0018        500
`;
const titles = async page => (await frames(page)).map(f => f.title).sort();

test("times are shown in readable units, wherever weights are shown", async t => {
    const options = ["--from=xdebug", "--unit=auto"], page = await open(t, trace, {options});
    const before = await titles(page);
    assert.ok(before.includes("all (1.5 ms, 100%)"), before.join());
    assert.ok(before.includes("second (400 µs, 26.67%)"), before.join());
    await pointAt(page, "second");
    assert.equal(await text(page, "#details"), "Function: second (400 µs, 26.67%)");
    assert.equal(await text(page, "#sums"), "self 300 µs (20.00%)");
    await press(page, "a");
    assert.equal(await text(page, "#sums"), "1 frame, total 400 µs (26.67%), self 300 µs (20.00%)");
    await press(page, "Escape", "r");
    assert.ok((await titles(page)).includes("third (100 µs, 6.67%)"));
    await press(page, "r", "m");
    assert.deepEqual(await titles(page), before);
});

/* Two stacks with a time and a number of samples, and one that is too narrow to be drawn. */
const sampled = `PeriodType: cpu nanoseconds
Period: 10000000
Samples:
samples/count cpu/nanoseconds
         65  650000000: 1 3
         34  340000000: 2 3
          7       1000: 4 2 3
Locations
     1: 0x1 M=1 main.alpha ./a.go:5 s=0
     2: 0x2 M=1 main.beta ./a.go:6 s=0
     3: 0x3 M=1 main.main ./a.go:7 s=0
     4: 0x4 M=1 main.tiny ./a.go:8 s=0
`;

test("the number of samples of a frame is beside its time, also in changed pictures", async t => {
    const page = await open(t, sampled, {options: ["--from=go", "--unit=auto", "--weight=cpu"]}), whole = await titles(page);
    const alpha = "main.alpha (650 ms in 65 samples, 65.66%)", beta = "main.beta (340 ms in 41 samples, 34.34%)";
    assert.deepEqual(whole, ["all (990 ms in 106 samples, 100%)", alpha, beta, "main.main (990 ms in 106 samples, 100.00%)"]);
    await pointAt(page, "main.beta");
    assert.equal(await text(page, "#details"), `Function: ${beta}`);
    await press(page, "r");
    assert.deepEqual((await titles(page)).slice(0, 3), [whole[0], alpha, "main.beta (340 ms in 34 samples, 34.34%)"]);
    await press(page, "r");
    await pointAt(page, "main.main");
    await press(page, "h");
    assert.deepEqual(await titles(page), [whole[0], alpha, beta]);
    await press(page, "u");
    await pointAt(page, "main.alpha");
    await press(page, "d");
    assert.deepEqual(await titles(page), ["all (340 ms in 41 samples, 100%)", beta.replace("34.34", "100.00"),
                                          "main.main (340 ms in 41 samples, 100.00%)"]);
});

test("only nothing has a share of zero, unless the picture is in the style of other tools", async t => {
    const folded = "main;a 1000000\nmain;b 1\n", options = ["--minwidth=0", "--unit=auto"];
    for (const [style, share] of [[[], "<0.01%"], [["--no-compact"], "0.00%"]]) {
        const page = await open(t, folded, {options: [...options, ...style]});
        await search(page, "^b$");
        await press(page, "Enter", "Control+Enter");
        assert.equal((await frame(page, "b")).title, style.length > 0 ? `b (1 samples, ${share})` : `b (1 sample, ${share} of all, 100.00% of the selection)`);
        await finish(page);
    }
});

test("without a known unit, or with plain units, weights are shown unchanged", async t => {
    const samples = await open(t, "main;a 5000\n", {options: ["--unit=auto"]});
    assert.equal((await frame(samples, "a")).title, "a (5,000 samples, 100.00%)");
    const plain = await open(t, trace, {options: ["--from=xdebug", "--countname=ns"]});
    assert.match((await frame(plain, "second")).title, /^second \([\d,.]+ ns, 26.67%\)$/);
});

test("the width can stand for a total larger than the measured one", async t => {
    const page = await open(t, small, {options: ["--total=240"]});
    const all = await frame(page, "all"), main = await frame(page, "main");
    assertNear((main.right - main.left) / (all.right - all.left), 100 / 240, "share of main", 0.002);
    assert.equal(main.title, "main (100 samples, 41.67%)");
    await press(page, "r", "r", "m");
    assert.equal((await frame(page, "main")).title, "main (100 samples, 41.67%)");
});

test("frames narrower than the option are left out, and the picture gives their number", async t => {
    for (const [minwidth, said] of [["20%", "3 frames under 20 % not drawn"], ["20", "3 frames under 20 % not drawn"],
                                    ["250px", "4 frames under 250 px not drawn"]]) {
        const page = await open(t, small, {options: [`--minwidth=${minwidth}`]});
        assert.equal(await text(page, "#details"), said);
        const least = minwidth === "250px" ? 250 : 240; /* of 1200 */
        for (const f of await frames(page)) assert.ok(f.right - f.left >= least - 1, f.name);
        await finish(page);
    }
});

test("the legend explains colours unless switched off, with and without JavaScript", async t => {
    const rules = ["--palette=rules,hot", "--rules=^re = #aa0000"];
    const legend = page => page.evaluate(() => Array.from(document.querySelectorAll("text"))
        .filter(e => e.textContent === "^re" && e.checkVisibility()).length);
    for (const javaScriptEnabled of [true, false]) {
        assert.equal(await legend(await open(t, small, {options: rules, javaScriptEnabled})), 1);
        const without = await open(t, small, {options: [...rules, "--no-legend"], javaScriptEnabled});
        assert.equal(await legend(without), 0);
    }
    const page = await open(t, small, {options: rules});
    const top = Math.min(...(await frames(page)).map(f => f.top));
    const bottom = await page.evaluate(() => Math.max(...Array.from(document.querySelectorAll("text"))
        .filter(e => e.textContent === "^re").map(e => e.getBoundingClientRect().bottom)));
    assert.ok(bottom <= top, "it stands above the frames");
});

const oneColor = ["--palette=rules", "--rules=. = #88aaff"];

test("neighbours of one colour can be distinguished and clicked", async t => {
    const page = await open(t, small, {options: oneColor});
    const add = await frame(page, "add"), jump = await frame(page, "jump");
    assert.equal(add.fill, jump.fill);
    assertNear(jump.left - add.right, 1, "gap", 0.5);
    await page.mouse.move(jump.left - 0.5, (jump.top + jump.bottom) / 2);
    assert.match(await text(page, "#details"), /^Function: (add|jump) /);
    await page.mouse.move(jump.left + 20, jump.bottom + 0.5);
    assert.match(await text(page, "#details"), /^Function: (step|jump) /);
    await click(page, "jump");
    assertNear((await frame(page, "jump")).right, 1210, "what stands alone is not cut");
});

test("adjacent matches can be distinguished", async t => {
    const page = await open(t, small), before = await rows(page);
    await search(page, "^(add|jump)$");
    const add = await frame(page, "add"), jump = await frame(page, "jump");
    assert.equal(add.fill, MATCHED);
    assertNear(jump.left - add.right, 1, "gap", 0.5);
    await press(page, "Escape");
    assertNear((await frame(page, "add")).right, (await frame(page, "jump")).left, "no gap", 0.1);
    assert.deepEqual(await rows(page), before);
});

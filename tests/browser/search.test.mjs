/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";

import {small} from "./fixtures/small.mjs";
import {test} from "./lib/tests.mjs";
import {MATCHED, click, frames, matched, open, pointAt, press, search, state, text} from "./lib/viewer.mjs";


/* Matches that are nested in each other, and a separate one; 100 samples in total. */
const nested = `
main;alloc;pool_alloc;alloc 20
main;alloc 10
main;work;alloc 30
main;work 25
idle 15
`;

test("matches of a regular expression are coloured, and their share is shown", async t => {
    const page = await open(t, small);
    await search(page, "^(lex|step)$");
    assert.deepEqual(await matched(page), ["lex", "step"]);
    assert.equal(await text(page, "#matched"), "Matched: 58.3%");
    assert.equal(await text(page, "#sums"), "2 frames, total 70 samples (58.33%), self 0 samples (0.00%)");
});

test("the search covers names, not the rest of titles", async t => {
    const page = await open(t, small);
    for (const pattern of ["all", "samples", "%", "\\(", "120"]) {
        await search(page, pattern);
        assert.deepEqual(await matched(page), [], pattern);
        assert.equal(await text(page, "#matched"), "Matched: 0.0%");
    }
});

test("nested matches count once in the total and each in the self weight", async t => {
    const page = await open(t, nested);
    await search(page, "alloc");
    assert.deepEqual(await matched(page), ["alloc", "pool_alloc", "alloc", "alloc"]);
    assert.equal(await text(page, "#matched"), "Matched: 60.0%");
    assert.equal(await text(page, "#sums"), "4 frames, total 60 samples (60.00%), self 60 samples (60.00%)");
});

test("in a zoomed picture the share refers to the visible part, the sums to everything", async t => {
    const page = await open(t, nested);
    await search(page, "alloc");
    await press(page, "Enter");
    await click(page, "work");
    assert.equal(await text(page, "#matched"), "Matched: 54.5%");
    assert.equal(await text(page, "#sums"), "4 frames, total 60 samples (60.00%), self 60 samples (60.00%)");
});

test("faded frames around a zoomed one do not count as visible", async t => {
    const page = await open(t, nested);
    await click(page, "pool_alloc");
    await search(page, "^main$");
    assert.equal(await text(page, "#matched"), "Matched: 0.0%");
});

test("the whole is 100%, without decimals", async t => {
    const page = await open(t, "main;a 3\n");
    await search(page, "main");
    assert.equal(await text(page, "#matched"), "Matched: 100%");
});

test("all frames of a name are marked at once, with the sums of them all", async t => {
    const page = await open(t, nested);
    await pointAt(page, "pool_alloc");
    await press(page, "a");
    assert.deepEqual(await matched(page), ["pool_alloc"]);
    await pointAt(page, "alloc", 2);
    await press(page, "a");
    assert.deepEqual(await matched(page), ["alloc", "alloc", "alloc"]);
    assert.equal(await text(page, "#sums"), "3 frames, total 60 samples (60.00%), self 60 samples (60.00%)");
});

test("highlighting a name leaves the search as it is", async t => {
    const page = await open(t, small);
    await pointAt(page, "lex");
    await press(page, "a");
    assert.deepEqual(await matched(page), ["lex"]);
    assert.equal(await text(page, "#matched"), "Highlighted: 25.0%");
    assert.deepEqual(await state(page), [["mark", "lex"]]);
    await page.reload();
    await search(page, "^add$");
    assert.deepEqual((await matched(page)).sort(), ["add", "lex"]);
    assert.equal(await text(page, "#matched"), "Matched: 20.8%");
    await page.evaluate(() => document.activeElement.blur());
    await pointAt(page, "step");
    await press(page, "a");
    assert.deepEqual((await matched(page)).sort(), ["add", "step"]);
    assert.equal(await page.evaluate(() => document.querySelector(".field input").value), "^add$");
    await press(page, "Escape");
    assert.deepEqual(await matched(page), ["step"]);
    await press(page, "Escape");
    assert.deepEqual(await matched(page), []);
    assert.deepEqual(await state(page), []);
});

test("the sums are the same when callers are shown", async t => {
    const page = await open(t, nested);
    await search(page, "alloc$");
    const sums = await text(page, "#sums");
    await press(page, "Escape", "r");
    await search(page, "alloc$");
    assert.equal(await text(page, "#sums"), sums);
});

test("the search is case-sensitive unless case is ignored", async t => {
    const page = await open(t, "Main;Read 1\nmain;read 2\n");
    await search(page, "read");
    assert.deepEqual(await matched(page), ["read"]);
    await press(page, "Control+i");
    assert.deepEqual((await matched(page)).sort(), ["Read", "read"]);
    assert.equal(await page.getAttribute("[title^='Ignore case']", "aria-pressed"), "true");
    await page.click("[title^='Ignore case']");
    assert.deepEqual(await matched(page), ["read"]);
});

test("the search moves to the next and previous match, and wraps around", async t => {
    const page = await open(t, nested), at = async () => text(page, ".count");
    const outlined = () => page.evaluate(() => {
        const {left, top} = document.querySelector("#cursor").getBoundingClientRect();
        return [left, top].map(Math.round);
    });
    await search(page, "alloc");
    const places = (await frames(page)).filter(f => f.fill === MATCHED)
        .map(f => [Math.round(f.left), Math.round(f.top)]);
    assert.equal(await at(), "–/4");
    await press(page, "Enter");
    assert.equal(await at(), "1/4");
    const first = await outlined();
    await press(page, "Enter", "Enter");
    assert.equal(await at(), "3/4");
    await press(page, "Shift+Enter");
    assert.equal(await at(), "2/4");
    await page.click("[title^='Previous match']");
    await page.click("[title^='Previous match']");
    assert.equal(await at(), "4/4");
    await page.click("[title^='Next match']");
    assert.equal(await at(), "1/4");
    assert.deepEqual(await outlined(), first);
    assert.ok(places.some(place => String(place) === String(first)), `${first} is among ${places.join("; ")}`);
    await page.evaluate(() => document.activeElement?.blur());
    await press(page, "n", "n", "N");
    assert.equal(await at(), "2/4");
});

test("going to matches keeps the picture and goes by weight; Ctrl-Enter zooms to one", async t => {
    const page = await open(t, "main;a;needle 1\nmain;a 5000\nmain;b;needle 2\nmain;b 5000\nmain;c;needle 3000\n",
                            {options: ["--minwidth=0"]});
    const places = async () => (await frames(page)).map(f => `${f.name} ${f.left} ${f.right}`), before = await places();
    const details = () => text(page, "#details"), count = () => text(page, ".count"), at = [];
    await search(page, "^needle$");
    const matched = await text(page, "#matched");
    for (const key of ["Enter", "Enter", "Enter", "Enter", "Shift+Enter"]) {
        await press(page, key);
        at.push(`${await count()} ${(await details()).replace(/^Function: /, "")}`);
        assert.deepEqual(await places(), before, key);
    }
    assert.deepEqual(at, ["1/3 needle (3,000 samples, 23.07%)", "2/3 needle (2 samples, 0.02%)", "3/3 needle (1 sample, 0.01%)",
                          "1/3 needle (3,000 samples, 23.07%)", "3/3 needle (1 sample, 0.01%)"]);
    assert.equal(await text(page, "#matched"), matched);
    await press(page, "Control+Enter");
    assert.equal(await text(page, "#path"), "all›main›a›needle");
    await click(page, "a");
    assert.equal(await count(), "–/1");
    await page.focus("input");
    await press(page, "Enter", "Enter");
    assert.equal(await count(), "1/1");
    assert.equal(await text(page, "#path"), "all›main›a");
});

test("moving to a match out of sight scrolls to it, and Ctrl-Enter zooms", async t => {
    const deep = Array.from({length: 200}, (_, i) => `f${i}`).join(";");
    const page = await open(t, `${deep};needle 1\nother 100000\n`, {options: ["--minwidth=0"]});
    await search(page, "^needle$");
    await press(page, "Enter");
    const outlined = await page.evaluate(() => document.querySelector("#cursor").getBoundingClientRect().top);
    assert.ok(outlined > 36 && outlined < 700 - 50, `in sight: ${outlined}`);
    await press(page, "Control+Enter");
    const needle = (await frames(page)).find(f => f.name === "needle");
    assert.ok(needle.right - needle.left >= 24, `${needle.right - needle.left} pixels wide`);
    assert.ok(needle.top > 36 && needle.bottom < 700 - 34, `in sight: ${needle.top}`);
});

test("an invalid regular expression is reported and matches nothing", async t => {
    const page = await open(t, small);
    await search(page, "lex(");
    assert.match(await text(page, "#matched"), /^Invalid expression: \w+/);
    assert.deepEqual(await matched(page), []);
    assert.equal(await page.getAttribute("input", "aria-invalid"), "true");
    await press(page, "Backspace");
    assert.deepEqual(await matched(page), ["lex"]);
    assert.equal(await page.getAttribute("input", "aria-invalid"), "false");
});

test("a button and three keys open the search; its button and Escape end it", async t => {
    const page = await open(t, small), before = (await frames(page)).map(f => f.fill);
    const opening = [() => page.click("#search"), () => press(page, "/"), () => press(page, "Control+f"),
                     () => press(page, "F3")];
    const ending = [() => page.click("[title^='Reset search']"), () => press(page, "Escape")];
    for (const [i, start] of opening.entries()) {
        await start();
        await page.keyboard.insertText("lex");
        assert.deepEqual(await matched(page), ["lex"]);
        await ending[i % 2]();
        assert.deepEqual((await frames(page)).map(f => f.fill), before);
        assert.equal(await text(page, "#matched"), "");
        assert.equal(await text(page, "#search"), "Search");
    }
});

test("matches have the colour of the option", async t => {
    const page = await open(t, small, {options: ["--search-color=#0a0b0c"]});
    await search(page, "lex");
    assert.equal((await frames(page)).find(f => f.name === "lex").fill, "#0a0b0c");
});

/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";

import {tangledFolded} from "./fixtures/random.mjs";
import {small} from "./fixtures/small.mjs";
import {fileWith, picture} from "./lib/picture.mjs";
import {test} from "./lib/tests.mjs";
import {click, frames, hash, open, openFile, passed, pointAt, press, rows, search, settled, state, text} from "./lib/viewer.mjs";

/* Returns everything visible: the position of each frame, and the content of the bars. */
async function everything(page) {
    await page.mouse.move(600, 3);
    await page.evaluate(() => document.activeElement?.blur());
    const drawn = (await frames(page)).map(f => [f.name, f.count, f.fill, f.isFaded,
        ...[f.left, f.right, f.top, f.bottom].map(Math.round)]);
    const bars = await page.evaluate(() => Array.from(document.querySelectorAll(
        "#path, #matched, #sums, .chips, .count, [aria-pressed]"))
        .map(e => [e.id || e.title, e.textContent, e.getAttribute("aria-pressed")]));
    return {drawn, bars};
}

/* Waits until a delayed change of the address has been written. */
const written = page => passed(page, 250);

async function focusOn(page, name, ...keys) {
    await pointAt(page, name);
    await press(page, ...keys);
}

const views = {
    "a zoom": page => click(page, "d"),
    "a search": page => search(page, "^[ab]$"),
    "a search that ignores case": async page => {
        await search(page, "f");
        await press(page, "Control+i");
    },
    "a search and a zoom": async page => {
        await click(page, "main");
        await search(page, "b|d");
    },
    "a picture upside down": page => press(page, "i"),
    "callers": page => press(page, "r"),
    "callers, zoomed": async page => {
        await press(page, "r");
        await click(page, "d");
    },
    "hidden frames": page => focusOn(page, "a", "h"),
    "dropped stacks": page => focusOn(page, "b", "d"),
    "all frames of a name": page => focusOn(page, "b", "F"),
    "a part": page => focusOn(page, "d", "f"),
    "a part of the callers": async page => {
        await press(page, "r");
        await focusOn(page, "d", "f");
    },
    "merged recursion": page => press(page, "m"),
    "a name with characters that are special in addresses": page => focusOn(page, "x&y=z#1+%41 ?/", "h"),
    "a moved window": async page => {
        await click(page, "d");
        await press(page, "Shift+ArrowRight");
    },
    "much of it together": async page => {
        await focusOn(page, "b", "h");
        await focusOn(page, "d", "d");
        await press(page, "m", "r", "i");
        await click(page, "a");
        await search(page, "F");
    },
};
for (const [what, change] of Object.entries(views))
    test(`the address keeps ${what}`, async t => {
        const path = fileWith(picture(tangledFolded(4) + "main;x&y=z#1+%41 ?/ 50\n"));
        const page = await openFile(t, path);
        const plain = await everything(page);
        await change(page);
        await settled(page);
        await written(page);
        const changed = await everything(page);
        assert.notDeepEqual(changed, plain);
        const again = await openFile(t, path, {hash: await hash(page)});
        assert.deepEqual(await everything(again), changed);
    });

test("undone filters are removed from the address", async t => {
    const page = await open(t, small);
    await click(page, "lex");
    await page.reload();
    await search(page, "read");
    await press(page, "Enter", "Escape", "i", "r", "m");
    assert.deepEqual((await state(page)).map(([key]) => key).sort(), ["invert", "merge", "view"]);
    await press(page, "i", "r", "m", "0");
    assert.equal(await hash(page), "");
});

test("Back and Forward take back and repeat zooms, filters and views, and leave searches alone", async t => {
    const page = await open(t, small), seen = [await rows(page)];
    for (const act of [() => click(page, "parse"), () => focusOn(page, "lex", "h"), () => press(page, "r")]) {
        await act();
        await settled(page);
        await written(page);
        seen.push(await rows(page));
    }
    await search(page, "read");
    await settled(page);
    await written(page);
    for (const i of [2, 1, 0]) {
        await page.goBack();
        assert.deepEqual(await rows(page), seen[i], `step ${i}`);
    }
    await page.goForward();
    assert.deepEqual(await rows(page), seen[1]);
});

test("a search that is over leaves nothing in the address", async t => {
    const page = await open(t, small);
    await search(page, "f");
    await press(page, "Control+i", "Escape");
    assert.equal(await hash(page), "");
});

test("x, y and s are also read from where other flame graphs write them", async t => {
    const page = await open(t, small);
    await click(page, "lex");
    await search(page, "next");
    const [, ...rect] = /<title>lex [^<]*<.title><rect [^>]* y="(\d+)"[^>]* fg:x="(\d+)"/.exec(
        String(picture(small, ["--no-compact"])));
    assert.deepEqual(await state(page), [["at", `${rect[1]},3`], ["s", "next"]]);
    const other = await open(t, small, {query: `?x=${rect[1]}&y=${rect[0]}&s=next`});
    assert.deepEqual(await rows(other), await rows(page));
    assert.equal(await text(other, "#matched"), await text(page, "#matched"));
});

test("the picture follows an address that is edited by hand", async t => {
    const page = await open(t, small);
    await page.evaluate(() => { location.hash = "#drop=step"; });
    await page.waitForFunction(() => document.querySelector(".chip"));
    assert.equal((await rows(page))[0], "all 80");
    await page.evaluate(() => { location.hash = ""; });
    await page.waitForFunction(() => !document.querySelector(".chip"));
    assert.equal((await rows(page))[0], "all 120");
});

test("invalid values in an address are ignored", async t => {
    const page = await open(t, small, {hash: "#hide=nobody&part=1&x=&s=("}), plain = await rows(page);
    assert.equal(plain[0], "all 120");
    const nonsense = ["#", "#x", "#x=1&y=1", "#x=NaN&y=-5", "#part=", "#part=9e99,1", "#part=-1,2,callers", "#at=1", "#at=x,y", "#at=1,1e9", "#view=x",
                      "#hide=", "#hide=nobody", "#focus=nobody&u=1", "#__proto__=1", "#toString=1&constructor=2",
                      "#window=0,1e9", "#window=x", "#window=5,0", "#window=NaN,1", "#invert=2", "#s=(", "#%E0%A4%A", "#s=%00%FF"];
    for (const part of nonsense) {
        await page.evaluate(part => { location.hash = part; }, part);
        const expected = part.startsWith("#focus") ? ["all 0"] : plain;
        assert.deepEqual(await rows(page), expected, part);
    }
});

test("text from an address is never interpreted as markup", async t => {
    const attack = encodeURIComponent("<img src=x onerror=alert(1)><script>alert(2)</script>");
    const page = await open(t, small, {hash: `#s=${attack}&hide=${attack}&drop=${attack}&focus=main`});
    assert.match(await text(page, ".chips"), /^hidden: <img/);
    assert.equal(await page.evaluate(() => document.querySelectorAll("img, script").length), 1);
});

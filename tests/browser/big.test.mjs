import assert from "node:assert/strict";
import {test} from "node:test";

import {bigFolded} from "./fixtures/big.mjs";
import {fileWith, picture} from "./lib/picture.mjs";
import {frames, open, openFile, press, search, settled, text} from "./lib/viewer.mjs";
import {painted} from "./lib/work.mjs";

const FRAMES = 20_000;
const path = fileWith(picture(bigFolded(FRAMES)));
const MOST_DRAWN = 3000;

/* Fails if `act` changes more elements than a few times those that are drawn: this is what makes a
 * picture slow on any machine. bench/viewers.mjs measures the time. */
async function assertFew(page, act, what) {
    await page.evaluate(() => {
        globalThis.told = new Set();
        globalThis.observer = new MutationObserver(records => {
            for (const {target} of records) globalThis.told.add(target);
        });
        globalThis.observer.observe(document.querySelector("#frames"),
                                    {subtree: true, childList: true, attributes: true});
    });
    await act();
    await painted(page);
    const told = await page.evaluate(() => {
        globalThis.observer.disconnect();
        return globalThis.told.size;
    });
    assert.ok(told < 8 * MOST_DRAWN, `${what} changes ${told} elements`);
}

async function openBig(t) {
    const page = await openFile(t, path);
    const all = await page.evaluate(() => document.querySelectorAll("#frames > *").length);
    assert.equal(all, FRAMES);
    await settled(page);
    return page;
}

test("zooming and searching 20,000 frames changes few elements beyond those drawn", async t => {
    const page = await openBig(t);
    const widest = (await frames(page)).filter(f => f.bottom < 650 && f.top > 50 && f.right - f.left > 200);
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

test("the number of shapes is bounded, and each frame is part of one", async t => {
    const page = await openBig(t);
    const drawn = () => page.evaluate(() => document.querySelectorAll("#frames > :not(.out)").length);
    const uncovered = await page.evaluate(() => {
        const spans = new Map(), all = Array.from(document.querySelectorAll("#frames > *"));
        const rowOf = group => group.children[1].getAttribute("y");
        for (const group of all.filter(g => !g.matches(".out"))) {
            const {left, right} = group.children[1].getBoundingClientRect();
            spans.set(rowOf(group), [...spans.get(rowOf(group)) || [], [left, right]]);
        }
        const total = Number(document.querySelector("#frames").getAttribute("total_samples"));
        return all.filter(group => {
            const [x, w] = ["fg:x", "fg:w"].map(name => Number(group.children[1].getAttribute(name)));
            const middle = 10 + (x + w / 2) / total * 1200;
            return !spans.get(rowOf(group)).some(([left, right]) => left - 1 <= middle && middle <= right + 1);
        }).map(group => group.textContent);
    });
    assert.deepEqual(uncovered, []);
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
    assert.equal(await page.evaluate(() => document.querySelectorAll("#frames > *").length), 5002);
    await search(page, "^f4999$");
    await assertFew(page, () => press(page, "Enter"), "going to the last");
    assert.ok((await frames(page)).some(f => f.name === "f4999" && f.top > 30 && f.bottom < 670));
    for (const key of ["Escape", "r", "i", "m", "i", "r"])
        await assertFew(page, () => press(page, key), key);
});

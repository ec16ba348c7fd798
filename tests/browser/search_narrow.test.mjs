/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";

import {millionFolded} from "./fixtures/million.mjs";
import {isExhaustive, seeds, tangledFolded} from "./fixtures/random.mjs";
import {test} from "./lib/tests.mjs";
import {click, finish, frames, open, press, search, text} from "./lib/viewer.mjs";

const parsed = folded => folded.trim().split("\n").map(line => {
    const at = line.lastIndexOf(" ");
    return {names: line.slice(0, at).split(";"), count: Number(line.slice(at + 1))};
});

/* Returns the weight of the stacks with a match, that of those whose leaf matches, and that of all
 * stacks. */
function truth(stacks, pattern) {
    const sum = wanted => stacks.filter(wanted).reduce((all, {count}) => all + count, 0);
    return {total: sum(({names}) => names.some(name => pattern.test(name))),
            self: sum(({names}) => pattern.test(names[names.length - 1])), all: sum(() => true)};
}

async function sums(page) {
    const [, least, total, self] =
        /total (at least )?([\d,]+) samples .* self (?:at least )?([\d,]+) samples/.exec(await text(page, "#sums"));
    return {isLeast: least !== undefined, total: Number(total.replaceAll(",", "")), self: Number(self.replaceAll(",", ""))};
}

const share = async page => /^Matched: ([\d.]+)%$/.exec(await text(page, "#matched"))[1];

test("matches count that are too narrow to be drawn, whatever is left out", async t => {
    const folded = millionFolded(isExhaustive ? 10_000 : 3000), stacks = parsed(folded);
    for (const minwidth of ["0", "0.01", "30"]) {
        const page = await open(t, folded, {options: [`--minwidth=${minwidth}`]});
        for (const pattern of ["^f1$", "7", "^f[0-9]{3}$", "f(12|9)"]) {
            await search(page, pattern);
            const {total, self, all} = truth(stacks, new RegExp(pattern));
            assert.deepEqual(await sums(page), {isLeast: false, total, self}, `${pattern} at ${minwidth}`);
            assert.ok(Math.abs(await share(page) - 100 * total / all) <= 0.051, `${pattern} at ${minwidth}`);
            await press(page, "Escape");
        }
        await finish(page);
    }
});

test("nested matches count once, wherever drawn frames end and narrow ones begin", async t => {
    for (const seed of seeds(2)) {
        const folded = tangledFolded(seed, 300), stacks = parsed(folded);
        for (const minwidth of [5, 20]) {
            const page = await open(t, folded, {options: [`--minwidth=${minwidth}`]});
            for (const pattern of ["^b$", "b|d", "^[abF]", "thread|bc"]) {
                await search(page, pattern);
                const {total, self} = truth(stacks, new RegExp(pattern));
                assert.deepEqual(await sums(page), {isLeast: false, total, self}, pattern);
                await press(page, "Escape", "r");
                await search(page, pattern);
                assert.equal((await sums(page)).total, total, `${pattern} among callers`);
                await press(page, "Escape", "r");
            }
            await finish(page);
        }
    }
});

test("in a zoomed picture the share of narrow matches refers to the visible part", async t => {
    const page = await open(t, "a;x 3\na;y 7\na;z 90\nb;x 900\n", {options: ["--minwidth=5"]});
    assert.deepEqual((await frames(page)).map(f => f.name), ["all", "a", "b", "z", "x"]);
    await search(page, "x");
    assert.equal(await share(page), "90.3");
    await click(page, "a");
    assert.equal(await share(page), "3.0");
    assert.match(await text(page, "#sums"), /^1 frame and 1 not drawn, total 903 samples/);
});

test("narrow matches are not gone to", async t => {
    const page = await open(t, "a;x 3\na;z 97\nb;x 900\n", {options: ["--minwidth=5"]});
    await search(page, "x");
    assert.equal(await text(page, ".count"), "–/1");
    await press(page, "Enter");
    assert.equal(await text(page, ".count"), "1/1");
    assert.match(await text(page, "#details"), /^Function: x \(900 samples/);
});

test("a flame chart counts narrow matches, too", async t => {
    const folded = Array.from({length: 400}, (_, i) => `main;f${i % 7};g${i % 3} ${1 + i % 5}`).join("\n") + "\n";
    const page = await open(t, folded, {options: ["--flamechart", "--minwidth=3"]}), stacks = parsed(folded);
    for (const pattern of ["f3", "g1", "f1|g2"]) {
        await search(page, pattern);
        const {total, self} = truth(stacks, new RegExp(pattern));
        assert.deepEqual(await sums(page), {isLeast: false, total, self}, pattern);
        await press(page, "Escape");
    }
});

test("a picture with too many narrow frames to list them all says that a sum may be greater", async t => {
    const folded = millionFolded(220_000), stacks = parsed(folded);
    const page = await open(t, folded, {options: ["--minwidth=1"]});
    for (const pattern of ["^f1$", "77", "^f"]) {
        await search(page, pattern);
        const found = await sums(page), {total} = truth(stacks, new RegExp(pattern));
        assert.ok(found.total <= total && found.total > total / 2, `${pattern}: ${found.total} of ${total}`);
        assert.ok(found.isLeast || found.total === total, pattern);
        assert.equal((await text(page, "#matched")).startsWith("Matched: at least "), found.isLeast);
        await press(page, "Escape");
    }
    await search(page, "^main$");
    assert.deepEqual((await sums(page)).total, truth(stacks, /^main$/).total);
    assert.equal(await text(page, "#matched"), "Matched: 100%");
});

test("filters keep the weight of narrow frames", async t => {
    const folded = tangledFolded(9, 300), options = ["--minwidth=10"];
    for (const [key, program, name] of [["h", "--hide=^b$", "b"], ["d", "--drop=^b$", "b"], ["r", ["--reverse", "--sort=weight"], ""], ["m", "--merge-recursion", ""]]) {
        const page = await open(t, folded, {options}), expected = await open(t, folded, {options: [...options, ...[program].flat()]});
        if (name !== "") {
            const {left, right, top} = (await frames(page)).find(f => f.name === name);
            await page.mouse.move((left + right) / 2, top + 8);
        }
        await press(page, key);
        await page.mouse.move(600, 3);
        assert.deepEqual((await frames(page)).map(f => f.title), (await frames(expected)).map(f => f.title), key);
        await finish(page);
        await finish(expected);
    }
});

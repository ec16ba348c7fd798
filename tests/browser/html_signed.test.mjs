/* SPDX-License-Identifier: MIT */
/* Pages of weights with negative values: widths are gains and losses together, numbers have their signs. */
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {writeFileSync} from "node:fs";

import {clickAt, frames, htmlOf, openHtml, pointAt, rows, settled, table} from "./lib/html.mjs";
import {fileWith} from "./lib/picture.mjs";
import {test} from "./lib/tests.mjs";
import {finish, openFile, press, state, text} from "./lib/viewer.mjs";

/* Time, and memory that is freed: only the second weight has losses. */
const xdebug = `version: 1
creator: xdebug 3.1.0 (PHP 8.1.0)
cmd: /app.php
part: 1
positions: line

events: Time_(10ns) Memory_(bytes)

fl=/app.php
fn=grow
2 7 300

fl=/app.php
fn=shrink
3 5 -250

fl=/app.php
fn={main}
1 10 -20
cfl=/app.php
cfn=grow
calls=1 0 0
1 7 300
cfl=/app.php
cfn=shrink
calls=1 0 0
2 5 -250

summary: 22 30
`;
const signed = "main;a 40\nmain;a;b -15\nmain;c -30\nfree -9\n";
const two = "main;a 40 -10\nmain;a;b -15 20\nmain;c -30 -30\nfree -9 0\nfresh 0 5\n";
const counts = ["--set", "folded.counts=2"];

/* Returns each drawn frame as "name width net", outermost first. */
const nets = async (page, chart) => (await frames(page, chart)).sort((a, b) => a.depth - b.depth || a.left - b.left)
    .map(f => `${f.name} ${f.total} ${f.net}`);
const tips = page => page.locator("#tooltip div").allTextContents();

test("a weight with losses that is chosen later shows them, too", async t => {
    const page = await openHtml(t, xdebug, {options: ["--from=callgrind"]});
    assert.deepEqual(await nets(page), ["all 220 220", "{main} 220 220", "grow 70 70", "shrink 50 50"]);
    assert.deepEqual(await page.locator("#weight option").allTextContents(), ["Time", "Memory"]);
    assert.equal(await page.locator("#delta").isVisible(), false);
    assert.equal(await text(page, "#legend"), "");
    await press(page, "w");
    assert.deepEqual(await nets(page), ["all 570 30", "{main} 570 30", "grow 300 300", "shrink 250 -250"]);
    const [grow, shrink] = (await frames(page)).filter(f => f.depth === 2);
    assert.deepEqual([grow.color, shrink.color], ["#ff4646", "#4646ff"]);
    assert.equal(await text(page, "#legend"), "gainsas many losseslosses");
    assert.match(await text(page, "#details"), /^30 B \(gains 300 B, losses 270 B\) /);
    await press(page, "x");
    assert.notEqual((await frames(page)).find(f => f.name === "grow").color, "#ff4646");
    assert.deepEqual(await state(page), [["w", "Memory"], ["colors", "file"]]);
    await press(page, "x", "w");
    assert.deepEqual(await nets(page), ["all 220 220", "{main} 220 220", "grow 70 70", "shrink 50 50"]);
    await press(page, "w", "w", "w");
    assert.deepEqual(await state(page), [["w", "Memory"]], "the columns of losses are no weights");
});

test("tooltips, the status and a search have signed amounts; shares are of gains and losses together", async t => {
    const page = await openHtml(t, signed);
    assert.deepEqual(await nets(page), ["all 94 -14", "free 9 -9", "main 85 -5", "a 55 25", "c 30 -30", "b 15 -15"]);
    await pointAt(page, "a");
    assert.deepEqual(await tips(page), ["25 samples, 26.60% (gains 40 samples, losses 15 samples)", "self 40 samples, 42.55%"]);
    await pointAt(page, "c");
    assert.deepEqual(await tips(page), ["−30 samples, −31.91%", "self −30 samples, −31.91%"]);
    await page.locator("#search").fill("^(a|b|c)$");
    assert.equal(await text(page, "#matched"),
                 "Matched: 90.43% of the width (3 frames, total −5 samples, self −5 samples)");
    await page.locator("#search").fill("^main$");
    assert.equal(await text(page, "#matched"),
                 "Matched: 90.43% of the width (1 frame, total −5 samples, self 0 samples)");
    await page.locator("#search").fill("");
    await clickAt(page, "a");
    assert.deepEqual(await nets(page), ["all 94 -14", "main 85 -5", "a 55 25", "b 15 -15"]);
});

test("the table has signed sums, and what functions gained and lost", async t => {
    const page = await openHtml(t, signed, {hash: "#view=table"});
    assert.deepEqual((await table(page)).map(cells => cells.slice(0, 7)), [
        ["40", "42.55", "25", "26.60", "40", "15", "a"], ["0", "0.00", "−5", "−5.32", "40", "45", "main"],
        ["−9", "−9.57", "−9", "−9.57", "0", "9", "free"], ["−15", "−15.96", "−15", "−15.96", "0", "15", "b"],
        ["−30", "−31.91", "−30", "−31.91", "0", "30", "c"]]);
    await page.locator("[data-key=losses] button").click();
    assert.deepEqual((await table(page)).map(cells => cells[6]), ["main", "c", "a", "b", "free"]);
    assert.deepEqual(await state(page), [["view", "table"], ["sort", "-losses"]]);
    const bar = await page.locator("#table .share.loss").first().evaluate(cell => cell.style.getPropertyValue("--share"));
    assert.match(bar, /^\d/);
    const heads = await page.locator("#table .head [role=columnheader]").evaluateAll(cells => cells.filter(cell =>
        cell.scrollWidth > cell.clientWidth).map(cell => cell.textContent));
    assert.deepEqual(heads, [], "no head is cut");
});

test("callers and callees of a function are as wide as it is", async t => {
    const page = await openHtml(t, signed, {hash: "#view=sandwich&fn=main"});
    assert.match(await text(page, "#sandwich h2"), /^Callers of main \(−5 samples, −5.32% \(gains 40 samples, losses 45 samples\)\)/);
    assert.deepEqual(await rows(page), ["main 85", "a 55 | c 30", "b 15"]);
    await finish(page);
    const up = await openHtml(t, signed, {hash: "#view=sandwich&fn=b"});
    assert.deepEqual(await nets(up, "callers"), ["a 15 -15", "main 15 -15"]);
});

test("bottom-up, filters and merged recursion keep gains and losses", async t => {
    const page = await openHtml(t, signed, {hash: "#view=callers"});
    assert.deepEqual((await nets(page)).slice(0, 5), ["all 94 -14", "a 40 40", "c 30 -30", "b 15 -15", "free 9 -9"]);
    await press(page, "1");
    await pointAt(page, "b");
    await press(page, "h");
    assert.deepEqual(await nets(page), ["all 94 -14", "free 9 -9", "main 85 -5", "a 55 25", "c 30 -30"]);
    await press(page, "u");
    await pointAt(page, "c");
    await press(page, "d");
    assert.deepEqual(await nets(page), ["all 64 16", "free 9 -9", "main 55 25", "a 55 25", "b 15 -15"]);
    await press(page, "m");
    assert.equal((await nets(page))[0], "all 64 16");
});

test("comparisons have the weights of both sides with their signs", async t => {
    const page = await openHtml(t, two, {options: counts, viewport: {width: 1400, height: 700}}); /* for all columns */
    assert.deepEqual(await nets(page), ["all 65 -15", "fresh 5 5", "main 60 -20", "a 30 10", "c 30 -30", "b 20 20"]);
    await pointAt(page, "a");
    assert.deepEqual(await tips(page), ["10 samples, 15.38% (gains 20 samples, losses 10 samples)",
                                       "self −10 samples, −15.38%", "−15 samples (25 samples → 10 samples)"]);
    assert.deepEqual((await frames(page)).filter(f => ["b", "c", "main"].includes(f.name)).map(f => f.color).sort(),
                     ["#4646ff", "#e0e0e0", "#ff4646"]);
    await press(page, "w");
    assert.deepEqual(await nets(page), ["all 94 -14", "free 9 -9", "main 85 -5", "a 55 25", "c 30 -30", "b 15 -15"]);
    await press(page, "4");
    const [a] = (await table(page)).filter(cells => cells.includes("a"));
    assert.deepEqual(a.slice(0, 8), ["25", "10", "−15", "−60.00%", "−50", "40", "15", "a"]);
    await finish(page);
    const both = await openHtml(t, two, {options: [...counts, "--base-on=both"]});
    assert.deepEqual(await nets(both), ["all 159 -29", "free 9 -9", "fresh 5 5", "main 145 -25", "a 85 35", "c 60 -60", "b 35 5"]);
});

test("a table leaves out columns for which names have no room", async t => {
    for (const [folded, options] of [["main;a 3\nmain;b 2\n", []], [signed, []], [two, counts], ["main;a 3 4\nb 1 0\n", counts]]) {
        const page = await openHtml(t, folded, {options, hash: "#view=table"});
        for (const width of [1400, 1220, 1000, 900, 800, 701, 700, 390]) {
            await page.setViewportSize({width, height: 700});
            await page.waitForFunction(width => innerWidth === width, width);
            await settled(page);
            const places = () => page.evaluate(() => Array.from(document.querySelectorAll("#table .head > *, #table .rows > :first-child > *"),
                cell => [cell.getBoundingClientRect().right, cell.getBoundingClientRect().width, cell.dataset.key]));
            const shown = await places(), name = shown.find(([, , key]) => key === "name");
            assert.ok(name[1] > 90, `names have ${name[1]} pixels of ${width}`);
            assert.deepEqual(shown.filter(([right]) => right > width), [], `in ${width} pixels`);
        }
        await finish(page);
    }
});

/* Filters in the order of time must give what the program draws of filtered samples. */
for (const input of ["main;a 40\nmain;a;b -15\nmain;c -30\nmain;a;b 20\nmain;a -5\nmain;c;b 7\nfree -9\n", two])
    test(`the order of time has gains and losses of ${input === two ? "comparisons" : "samples"}`, async t => {
        const options = ["--flamechart", ...input === two ? counts : []];
        for (const [key, more] of [["h", "--hide=^b$"], ["d", "--drop=^b$"], ["k", "--keep=^b$"]]) {
            const page = await openHtml(t, input, {options});
            const expected = await openHtml(t, input, {options: [...options, more]});
            await pointAt(page, "b");
            await press(page, key);
            assert.deepEqual(await nets(page), await nets(expected), key);
            await finish(page);
            await finish(expected);
        }
    });

test("samples of the order of time are gains or losses, each", async t => {
    const page = await openHtml(t, "main;a 40\nmain;a -15\nfree -9\n", {options: ["--flamechart"]});
    assert.deepEqual(await nets(page), ["all 64 16", "main 55 25", "free 9 -9", "a 55 25"]);
    await press(page, "1");
    assert.deepEqual(await nets(page), ["all 34 16", "free 9 -9", "main 25 25", "a 25 25"]);
});

test("gains and losses of chosen samples have their signs", async t => {
    const paths = ["main;a 40\nmain;b -15\n", "main;a -30\nmain;b -15\nmain;c 20\n"].map((folded, i) => {
        const path = fileWith("", `-${i}.folded`);
        writeFileSync(path, folded);
        return path;
    });
    const made = execFileSync(process.env.BRAZIER, ["-q", "run", ...paths, "--label", "host={name}", "-t", "timeline", "-o", "-"]);
    const page = await openFile(t, fileWith(made, ".html"));
    await settled(page);
    assert.deepEqual(await nets(page), ["all 60 0", "main 60 0", "a 10 10", "b 30 -30", "c 20 20"]);
    const options = await page.locator("#who optgroup option").allTextContents();
    assert.deepEqual(options.map(o => o.replace(/.*, /, "")), ["54.17%", "45.83%"]);
    await page.locator("#who").selectOption({index: 1});
    assert.deepEqual(await nets(page), ["all 65 -25", "main 65 -25", "a 30 -30", "b 15 -15", "c 20 20"]);
    await page.locator("#search").fill("^b$");
    assert.equal(await text(page, "#matched"), "Matched: 23.08% of the width (1 frame, total −15 samples, self −15 samples)");
    await page.locator("#who").selectOption({index: 2});
    assert.deepEqual(await nets(page), ["all 55 25", "main 55 25", "a 40 40", "b 15 -15"]);
});

test("a page without its script lists losses among the heaviest functions", async t => {
    const page = await openFile(t, fileWith(htmlOf(signed), ".html"), {javaScriptEnabled: false});
    assert.deepEqual((await page.locator("#fallback tr").allTextContents()).slice(1).map(row => row.trim()), [
        "4042.552526.60a", "-30-31.91-30-31.91c", "-15-15.96-15-15.96b", "-9-9.57-9-9.57free", "00.00-5-5.32main"]);
});

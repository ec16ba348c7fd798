/* SPDX-License-Identifier: MIT */
/* Work with a page: history, table beside the picture, bottom-up view, keys, painted area. */
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";

import {small} from "./fixtures/small.mjs";
import {clickAt, frames, htmlOf, matched, openHtml, pointAt, rows, settled, table} from "./lib/html.mjs";
import {fileWith} from "./lib/picture.mjs";
import {test} from "./lib/tests.mjs";
import {finish, open, openFile, press, state, text} from "./lib/viewer.mjs";

test("the painted area of narrow frames is that of their weight", async t => {
    const stacks = Array.from({length: 4000}, (_, i) =>
        `main;f${i}${i % 40 === 0 ? ";tower;tower" : ""} 1`).join("\n");
    const page = await openHtml(t, `${stacks}\nmain;wide 4000\n`, {colorScheme: "light"});
    await page.locator("#search").fill("^tower$");
    const found = (await frames(page)).filter(f => f.name === "tower" && f.depth === 4);
    assert.ok(found.length > 0 && found.every(f => f.isMerged));
    const painted = await page.evaluate(top => {
        const canvas = document.querySelector("#graph canvas"), box = canvas.getBoundingClientRect();
        const {data} = canvas.getContext("2d").getImageData(0, top - box.top + 5, canvas.width, 1);
        let sum = 0;
        for (let i = 0; i < data.length; i += 4) sum += (255 - data[i + 1]) / 255; /* magenta has no green */
        return sum;
    }, found[0].top);
    const expected = 1220 * 100 / 8000;
    assert.ok(Math.abs(painted - expected) < 0.05 * expected, `${painted} of ${expected} pixels`);
});

test("a search paints narrow frames as a page that opens with it does, and its end as before", async t => {
    const stacks = Array.from({length: 4000}, (_, i) => `main;f${i % 9};g${i};h${i % 50} ${1 + i % 3}`).join("\n");
    const pixels = page => page.evaluate(() => {
        const canvas = document.querySelector("#graph canvas");
        const copy = Object.assign(document.createElement("canvas"), {width: canvas.width, height: canvas.height});
        const context = copy.getContext("2d", {willReadFrequently: true});
        context.drawImage(canvas, 0, 0);
        const {data} = context.getImageData(0, 0, canvas.width, canvas.height);
        return data.reduce((bytes, byte) => bytes + String.fromCharCode(byte), ""); /* quick to hand over */
    });
    const seen = async page => (await settled(page), Buffer.from(await pixels(page), "latin1"));
    const assertSame = (a, b, what) => assert.ok(a.every((v, i) => Math.abs(v - b[i]) <= 1), what);
    const page = await openHtml(t, stacks + "\n", {viewport: {width: 500, height: 300}});
    const before = await seen(page);
    await page.locator("#search").fill("^[gh]1");
    const found = await seen(page);
    const fresh = await openHtml(t, stacks + "\n", {hash: "#s=^[gh]1", viewport: {width: 500, height: 300}});
    assertSame(found, await seen(fresh), "searched and opened with a search");
    assert.ok(found.some((v, i) => Math.abs(v - before[i]) > 20), "matches are visible");
    await page.locator("#search").fill("");
    assertSame(await seen(page), before, "without the search");
});

test("a pixel with several narrow frames names the widest, and a click opens all", async t => {
    const stacks = Array.from({length: 5000}, (_, i) => `main;f${i} ${i % 50 === 7 ? 5 : 1}`).join("\n");
    const page = await openHtml(t, stacks + "\n");
    const [{left, top}] = (await frames(page)).filter(f => f.isMerged && f.depth === 2);
    await page.mouse.move(left + 0.5, top + 5);
    assert.match(await text(page, "#tooltip"), /^f\d+.*several frames/);
    await page.mouse.click(left + 0.5, top + 5);
    assert.equal(await text(page, "#path"), "all›main");
});

test("Back and Forward of the browser take steps through zooms, filters and views", async t => {
    const page = await openHtml(t, small);
    const at = async () => {
        await settled(page);
        return [await text(page, "#path"), (await rows(page)).length, await text(page, "#chips")];
    };
    const steps = [await at()];
    for (const act of [() => clickAt(page, "run"), () => press(page, "0"), () => press(page, "2"),
                       async () => { await pointAt(page, "lex"); await press(page, "d"); }]) {
        await act();
        await page.mouse.move(600, 3);
        steps.push(await at());
    }
    for (let i = 3; i >= 0; i--) {
        await page.goBack();
        assert.deepEqual(await at(), steps[i], `back to ${i}`);
    }
    for (let i = 1; i <= 4; i++) {
        await page.goForward();
        assert.deepEqual(await at(), steps[i], `forward to ${i}`);
    }
    await page.reload();
    assert.deepEqual(await at(), steps[4]);
});

test("a search is not a step of the history", async t => {
    const page = await openHtml(t, small);
    await clickAt(page, "run");
    await page.locator("#search").pressSequentially("step");
    await page.goBack();
    await settled(page);
    assert.equal(await text(page, "#path"), "all");
});

test("a button copies the address of the view", async t => {
    const page = await openHtml(t, small, {permissions: ["clipboard-read", "clipboard-write"]});
    await clickAt(page, "run");
    await page.locator("#link").click();
    await page.waitForFunction(() => /Copied/.test(document.querySelector("#details").textContent) ||
        document.querySelector("#copy") !== null);
    const copied = await page.evaluate(() => document.querySelector("#copy textarea")?.value ??
        document.querySelector("#details").textContent);
    assert.match(copied, /\.html#at=/);
});

test("the table is beside the picture, highlights functions in it, and survives a reload", async t => {
    const page = await openHtml(t, small);
    await press(page, "b");
    const shown = await page.evaluate(() => ["#table", "#graph canvas"].map(s => document.querySelector(s).getBoundingClientRect())
        .map(({left, right, width}) => ({left, right, width})));
    assert.ok(shown[0].right <= shown[1].left && shown[0].width > 300 && shown[1].width > 600, JSON.stringify(shown));
    await page.getByRole("button", {name: "lex", exact: true}).click();
    assert.deepEqual(await matched(page), ["lex"]);
    assert.deepEqual(await state(page), [["beside", "1"], ["mark", "lex"]]);
    await page.reload();
    assert.deepEqual(await matched(page), ["lex"]);
    await press(page, "b");
    assert.deepEqual(await matched(page), []);
    assert.equal(await text(page, "#table"), "");
});

test("the table beside the picture shows how it is sorted, and each head turns the order around", async t => {
    const page = await openHtml(t, small), arrows = () => page.evaluate(() => Array.from(
        document.querySelectorAll("#table .arrow"), e => `${e.parentElement.textContent} ${e.closest("[aria-sort]").ariaSort}`));
    await press(page, "b");
    assert.deepEqual(await arrows(), ["Self % ▼ descending"]);
    await page.getByRole("columnheader", {name: "Self %"}).getByRole("button").click();
    assert.deepEqual(await arrows(), ["Self % ▲ ascending"]);
    await press(page, "4");
    assert.deepEqual(await arrows(), ["Self % ▲ ascending"]);
    await page.getByRole("columnheader", {name: "Total %"}).getByRole("button").click();
    assert.deepEqual(await arrows(), ["Total % ▼ descending"]);
});

test("rows of equal weight have the order of the output table, with and without scripts", async t => {
    const folded = "b;x 5\na;y 5\nb;c;z 5\na;x 2\nb;y 2\nb 5\na 5\n", page = await openHtml(t, folded);
    await press(page, "4");
    const ofPage = (await table(page)).map(cells => cells[4]);
    const program = ["-q", "run", "-", "-t", "table", "--set=table.columns=name"];
    const lines = String(execFileSync(process.env.BRAZIER, program, {input: folded})).trim().split("\n");
    assert.deepEqual(ofPage, ["x", "y", "b", "a", "z", "c"]);
    assert.deepEqual(lines.slice(-6), ofPage);
    const still = await openFile(t, fileWith(htmlOf(folded), ".html"), {javaScriptEnabled: false});
    assert.deepEqual(await still.locator("#fallback td:last-child").allInnerTexts(), ofPage);
});

test("callers and callees divide the height by their numbers of rows", async t => {
    const deep = Array.from({length: 40}, (_, i) => `f${i}`).join(";"), page = await openHtml(t, `${deep} 9\nf0;f1 1\n`);
    const heights = () => page.evaluate(() => Array.from(document.querySelectorAll("#sandwich .scroller"), e => e.clientHeight));
    await press(page, "3");
    const [above, below] = await heights();
    assert.ok(above > 3 * below && below >= 3 * 18, `${above}, ${below}`);
    await page.evaluate(() => { location.hash = "#view=sandwich&fn=f1"; });
    await page.waitForFunction(() => /^Callers of f1 /.test(document.querySelector("#sandwich h2").textContent));
    const [few, many] = await heights();
    assert.ok(many > 3 * few && few >= 3 * 18, `${few}, ${many}`);
});

test("the first view shows the total and what a click does, until there is something else to say", async t => {
    const page = await openHtml(t, small), details = () => text(page, "#details");
    assert.equal(await details(), "120 samples · click: zoom · right click: more · /: search · ?: help");
    await page.locator("#search").fill("lex");
    assert.equal(await details(), "120 samples");
    await page.locator("#search").fill("");
    await page.locator("#search").blur();
    await pointAt(page, "lex");
    assert.match(await details(), /^lex \(30 samples/);
    await press(page, "4");
    await page.mouse.move(600, 3);
    assert.equal(await details(), "120 samples · click: callers and callees · /: search · ?: help");
    const phone = await openHtml(t, small, {hasTouch: true, isMobile: true, viewport: {width: 390, height: 700}});
    assert.equal(await text(phone, "#details"), "120 samples · tap: zoom · hold: more");
});

test("callers and callees open with the heaviest function", async t => {
    const page = await openHtml(t, small);
    await press(page, "3");
    assert.match(await text(page, "#sandwich h2"), /^Callers of next \(30 samples/);
});

test("bottom-up shows what the program draws with --reverse", async t => {
    const page = await openHtml(t, small + "main;run 5\nrun;run 3\n");
    const expected = await openHtml(t, small + "main;run 5\nrun;run 3\n", {options: ["--reverse", "--sort=weight"]});
    await press(page, "r");
    assert.deepEqual(await rows(page), await rows(expected));
    await press(page, "i");
    const all = await frames(page);
    assert.ok(all.find(f => f.depth === 0).top < all.find(f => f.depth === 1).top);
    assert.deepEqual(await state(page), [["view", "callers"], ["invert", "1"]]);
    await pointAt(page, "lex");
    await press(page, "r", "f");
    assert.match((await rows(page))[0], /^all/);
});

test("focus shows one frame, or all of its name", async t => {
    const page = await openHtml(t, "main;a;x 3\nmain;b;a;y 4\n");
    const byDepth = async depth => (await frames(page)).find(f => f.name === "a" && f.depth === depth);
    const {left, right, top} = await byDepth(3);
    await page.mouse.move((left + right) / 2, top + 8);
    await press(page, "f");
    assert.deepEqual(await rows(page), ["all 4", "a 4", "y 4"]);
    await page.reload();
    assert.deepEqual(await rows(page), ["all 4", "a 4", "y 4"]);
    await press(page, "u");
    await pointAt(page, "a");
    await press(page, "F");
    assert.deepEqual(await rows(page), ["all 7", "a 7", "x 3 | y 4"]);
});

test("table heads have the unit and an arrow; shares are bars, functions have their colours", async t => {
    const page = await openHtml(t, small);
    await press(page, "4");
    const head = await page.evaluate(() => Array.from(document.querySelectorAll("#table .head > *"), e => e.textContent));
    assert.match(head[0], /^Self \(samples\) ▼$/);
    assert.match(head[1], /^Self %$/);
    const cells = (await table(page))[0];
    assert.match(cells[0], /^[\d.,]+$/);
    assert.match(cells[1], /^[\d.]+$/);
    const [share, swatch] = await page.evaluate(() => {
        const row = document.querySelector("#table .rows .grid");
        return [getComputedStyle(row.children[1]).backgroundImage, row.querySelector(".swatch").style.background];
    });
    assert.match(share, /linear-gradient/);
    assert.match(swatch, /rgb/);
});

test("self and total of a table have one unit, that of the largest total", async t => {
    const names = Array.from({length: 40}, (_, i) => `f${i}`);
    const perf = names.map((name, i) => `app 1/1 [000] ${(1 + i / 20).toFixed(6)}: 50000000 cpu-clock:\n\t1 ${name} (/app)\n\t1 main (/app)\n\n`);
    const made = execFileSync(process.env.BRAZIER, ["-q", "run", "--from", "perf", "--to", "html", "-o", "-", "-"],
                              {input: perf.join("")});
    const page = await openFile(t, fileWith(made, ".html"));
    await press(page, "4");
    const head = await page.evaluate(() => Array.from(document.querySelectorAll("#table .head > *"), e => e.textContent));
    assert.deepEqual([head[0], head[2]], ["Self (s) ▼", "Total (s)"]);
    assert.deepEqual((await table(page))[0].slice(0, 4), ["0.050", "2.50", "0.050", "2.50"]);
});

test("a table of differences has a unit for changes, and decimals of which small values leave something", async t => {
    const perf = ms => ms.map((n, i) => `app 1/1 [000] ${(1 + i / 20).toFixed(6)}: ${n * 1e6} cpu-clock:\n\t1 f${i} (/app)\n\t1 main (/app)\n\n`).join("");
    const [before, after] = [[1500, 30, 7], [1500, 34, 4]].map(ms => fileWith(perf(ms), ".txt"));
    const made = execFileSync(process.env.BRAZIER, ["-q", "diff", "--from", "perf", "--to", "html", "-o", "-", before, after]);
    const page = await openFile(t, fileWith(made, ".html"));
    await press(page, "4");
    const heads = await page.evaluate(() => Array.from(document.querySelectorAll("#table .head > *"), e => e.textContent));
    assert.deepEqual(heads.slice(0, 5), ["Before (s)", "After (s)", "Change (ms) ▼", "Change %", "Self change (ms)"]);
    const byName = Object.fromEntries((await table(page)).map(r => [r[5], r.slice(0, 5)]));
    assert.deepEqual(byName.f0, ["1.500", "1.500", "0", "0%", "0"]);
    assert.deepEqual(byName.f1, ["0.030", "0.034", "+4.000", "+13.33%", "+4.000"]);
    assert.deepEqual(byName.f2, ["0.007", "0.004", "−3.000", "−42.86%", "−3.000"]);
    await page.setViewportSize({width: 390, height: 700});
    await page.waitForFunction(() => innerWidth === 390);
    await settled(page);
    const right = await page.evaluate(() => Array.from(document.querySelectorAll("#table [role=gridcell]"), e => e.getBoundingClientRect().right));
    assert.ok(Math.max(...right) <= 390, `${Math.max(...right)}`);
    const searched = await openFile(t, fileWith(made, ".html"), {hash: "#view=table&s=f2"});
    assert.deepEqual((await table(searched)).map(r => r[2]), ["−3.000"]);
    await searched.locator("#search").fill("");
    assert.match((await searched.locator("#table .head").textContent()), /Self change \(ms\)/);
});

test("highlighting a name leaves the search as it is, and shows sums for want of one", async t => {
    const page = await openHtml(t, small);
    await pointAt(page, "lex");
    await press(page, "a");
    assert.deepEqual(await matched(page), ["lex"]);
    assert.equal(await text(page, "#matched"), "Highlighted: 25.00% (1 frame, total 30 samples, self 0 samples)");
    assert.deepEqual(await state(page), [["mark", "lex"]]);
    await page.reload();
    assert.deepEqual(await matched(page), ["lex"]);
    await page.locator("#search").fill("^add$");
    assert.deepEqual((await matched(page)).sort(), ["add", "lex"]);
    assert.match(await text(page, "#matched"), /^Matched: 20.83%/);
    await page.evaluate(() => document.activeElement.blur());
    await pointAt(page, "step");
    await press(page, "a");
    assert.deepEqual((await matched(page)).sort(), ["add", "step"]);
    assert.equal(await page.locator("#search").inputValue(), "^add$");
    await press(page, "Escape");
    assert.deepEqual(await matched(page), ["step"]);
    await press(page, "Escape");
    assert.deepEqual(await matched(page), []);
    assert.deepEqual(await state(page), []);
});

test("a zoomed or filtered page says shares of all and of the selection", async t => {
    const page = await openHtml(t, small), tip = () => text(page, "#tooltip div:first-of-type");
    await pointAt(page, "lex");
    assert.equal(await tip(), "30 samples, 25.00%");
    await clickAt(page, "parse");
    await pointAt(page, "lex");
    assert.equal(await tip(), "30 samples, 25.00% of all, 50.00% of the selection");
    assert.equal(await text(page, "#details"), "lex (30 samples, 25.00% of all, 50.00% of the selection; self 0 samples, 0.00% of all, 0.00% of the selection)");
    await press(page, "0");
    await pointAt(page, "parse");
    await press(page, "F");
    await page.mouse.move(3, 3);
    assert.match(await text(page, "#details"), /^60 samples, 50.00% of all/);
    await pointAt(page, "lex");
    assert.equal(await tip(), "30 samples, 25.00% of all, 50.00% of the selection");
});

test("siblings are ordered by weight or by name", async t => {
    const page = await openHtml(t, small), plain = await rows(page);
    const byWeight = ["all 120", "main 100 | idle 20", "parse 60 | run 40", "lex 30 | read 10 | step 40",
                      "next 30 | add 25 | jump 15"];
    await press(page, "o");
    assert.deepEqual(await rows(page), byWeight);
    assert.deepEqual(await state(page), [["order", "weight"]]);
    await page.reload();
    assert.deepEqual(await rows(page), byWeight);
    await pointAt(page, "parse");
    await press(page, "f");
    assert.deepEqual(await rows(page), ["all 60", "parse 60", "lex 30 | read 10", "next 30"]);
    await press(page, "u", "o");
    assert.deepEqual(await rows(page), plain);
    await press(page, "6");
    assert.match((await rows(page))[1], /^add 25 /, "the chosen order");
    await finish(page);
    const callers = await openHtml(t, small, {hash: "#view=callers"});
    assert.match((await rows(callers))[1], /^next 30 \| add 25/, "callers are by weight");
    await finish(callers);
    const chosen = await openHtml(t, small, {options: ["--sort=weight"]});
    assert.deepEqual(await rows(chosen), byWeight);
});

test("keys that SVG and page share mean the same", async t => {
    const list = async page => {
        await press(page, "?");
        return page.evaluate(() => Array.from(document.querySelectorAll("dt"), dt =>
            [Array.from(dt.querySelectorAll("kbd"), kbd => kbd.textContent).join(" "), dt.nextElementSibling.textContent]));
    };
    const ofSvg = new Map(await list(await open(t, small)));
    const shared = (await list(await openHtml(t, small))).filter(([keys]) => ofSvg.has(keys));
    assert.ok(shared.length > 20, `${shared.length} shared keys`);
    for (const [keys, label] of shared.filter(([keys]) => !/click|Drag/i.test(keys)))
        assert.equal(label, ofSvg.get(keys), keys);
});

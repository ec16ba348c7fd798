/* SPDX-License-Identifier: MIT */
/* Choosing samples by time and thread in a page of the output "timeline". */
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {join} from "node:path";

import {clickAt, rows, settled, table} from "./lib/html.mjs";
import {fileWith} from "./lib/picture.mjs";
import {test} from "./lib/tests.mjs";
import {openFile, press, text} from "./lib/viewer.mjs";

const sample = (thread, time, stack) => `worker${thread} 10/${10 + thread} [00${thread}] ${time.toFixed(6)}: 1000 cycles:\n` +
    stack.split(";").reverse().map(name => `\t1000 ${name} (/bin/app)\n`).join("") + "\n";

/* A sample each 10 ms for 40 seconds, on two threads in turn: "load", then "run" from second 20 on. */
const times = Array.from({length: 4000}, (_, i) => i);
const perf = times.map(i => sample(1 + i % 2, 500 + i / 100, i < 2000 ? "main;load" : "main;run")).join("");

const pageOf = (input, to = "timeline", from = "perf") => execFileSync(process.env.BRAZIER,
    ["-q", "run", "--from", from, "--to", to, "-o", "-", "-"], {input, maxBuffer: 1 << 28});

const path = fileWith(pageOf(perf), ".html");

async function openTime(t, wishes = {}) {
    const page = await openFile(t, path, wishes);
    await settled(page);
    return page;
}

/* Drags over the heat map from one second to another. */
async function drag(page, from, to) {
    const {x, y, width} = await page.locator("#heat").boundingBox(), at = second => x + second / 40 * width;
    await page.mouse.move(at(from) + 2, y + 78); /* the lowest cells come first */
    await page.mouse.down();
    await page.mouse.move(at(to) - 2, y + 3);
    await page.mouse.up();
    await settled(page);
}

test("a range dragged on the heat map gets its flame graph, which Back takes back", async t => {
    const page = await openTime(t), whole = await rows(page);
    assert.equal(whole.at(-1), "load 1000000 | run 1000000 | load 1000000 | run 1000000");
    await drag(page, 18, 21);
    assert.match(await text(page, "#time-note"), /^18–21 s$/);
    assert.deepEqual(await rows(page), ["all 300000", "worker1 150000 | worker2 150000", "main 150000 | main 150000",
                                       "load 100000 | run 50000 | load 100000 | run 50000"]);
    await page.mouse.move(3, 3);
    assert.match(await text(page, "#details"), /^300,000 cycles.*, 7\.50% of the recording/);
    await page.reload();
    assert.equal((await rows(page))[0], "all 300000");
    await page.goBack();
    assert.deepEqual(await rows(page), whole);
    await page.goForward();
    await page.locator("#time-clear").click();
    assert.deepEqual(await rows(page), whole);
});

test("a comparison keeps both sides, since it has no samples to choose from", async t => {
    const [before, after] = [perf, perf.slice(0, perf.indexOf("worker1 10/11 [001] 510."))].map(input => fileWith(input, ".perf"));
    const made = execFileSync(process.env.BRAZIER, ["-q", "diff", before, after, "-t", "timeline", "-o", "-"], {maxBuffer: 1 << 28});
    const page = await openFile(t, fileWith(made, ".html"));
    await settled(page);
    assert.equal(await page.locator("#time").count(), 0);
    assert.equal(await page.locator("#delta").isVisible(), true);
    await press(page, "4");
    assert.equal((await table(page)).find(cells => cells.includes("run"))[2], "−2,000,000");
});

test("two ranges are compared", async t => {
    const page = await openTime(t);
    await drag(page, 5, 7);
    await page.keyboard.down("Shift");
    await drag(page, 30, 33);
    await page.keyboard.up("Shift");
    assert.equal(await text(page, "#time-note"), "5–7 s compared with 30–33 s");
    await press(page, "4");
    const deltas = Object.fromEntries((await table(page)).map(cells => [cells[5], cells[2]]));
    assert.deepEqual([deltas.load, deltas.run, deltas.main], ["−200,000", "+300,000", "+100,000"]);
    await press(page, "1", "r", "3", "1");
    await clickAt(page, "worker1");
    await page.locator("#time-clear").click();
    assert.match((await rows(page))[0], /^all 4000000$/);
    await press(page, "4");
    assert.equal((await table(page))[0].length, 6);
});

/* Drags a finger over the heat map from one second to another. */
async function swipe(page, from, to) {
    const cdp = await page.context().newCDPSession(page), {x, y, width} = await page.locator("#heat").boundingBox();
    const touch = (type, points) => cdp.send("Input.dispatchTouchEvent", {type, touchPoints: points});
    const at = (second, height) => ({x: x + second / 40 * width, y: y + height});
    await touch("touchStart", [at(from + 0.5, 78)]);
    for (let i = 1; i <= 5; i++) await touch("touchMove", [at(from + 0.5 + (to - from - 1) * i / 5, 78 - 15 * i)]);
    await touch("touchEnd", []);
    await settled(page);
}

test("a finger chooses two ranges, and so do arrow keys", async t => {
    const page = await openTime(t, {hasTouch: true, isMobile: true, viewport: {width: 820, height: 700}});
    assert.equal(await text(page, "#time-second"), "");
    await swipe(page, 5, 7);
    assert.equal(await text(page, "#time-note"), "5–7 s");
    const button = await page.locator("#time-second").boundingBox();
    assert.ok(button.height >= 24 && button.width >= 24, JSON.stringify(button));
    await page.locator("#time-second").click();
    await page.locator("#time-second[aria-pressed=true]").waitFor();
    assert.equal(await text(page, "#time-note"), "5–7 s; drag the time to compare it with");
    await swipe(page, 30, 33);
    assert.equal(await text(page, "#time-note"), "5–7 s compared with 30–33 s");
    await swipe(page, 32, 36);
    assert.equal(await text(page, "#time-note"), "5–7 s compared with 32–36 s");
    await page.locator("#heat").focus();
    await press(page, "ArrowLeft", "Shift+ArrowRight");
    assert.equal(await text(page, "#time-note"), "5–7 s compared with 31–36 s");
    await page.locator("#time-second").click();
    await page.locator("#time-second[aria-pressed=false]").waitFor();
    await swipe(page, 0, 2);
    assert.equal(await text(page, "#time-note"), "0–2 s");
    await page.locator("#time-clear").click();
    await page.locator("#time-second").waitFor({state: "hidden"});
});

test("amounts of a chosen time whose samples have many weights are rounded, and the page says so", async t => {
    let period = 0;
    const odd = perf.replaceAll(": 1000 cycles", () => `: ${2_000_000 + (period = (period + 700_001) % 1_000_003)} cycles`);
    const page = await openFile(t, fileWith(pageOf(odd), ".html"));
    await settled(page);
    const exact = Number((await rows(page))[0].split(" ")[1]);
    await drag(page, 0, 40);
    const [, note, step] = /^0–40 s(; amounts rounded to ([\d,]+) cycles)$/.exec(await text(page, "#time-note"));
    assert.ok(note !== "" && Math.abs(Number((await rows(page))[0].split(" ")[1]) - exact) < 4 * Number(step.replaceAll(",", "")));
});

test("a list chooses a thread or a processor; both kinds of choice combine", async t => {
    const page = await openTime(t);
    const options = await page.locator("#who option").allTextContents();
    assert.ok(options.some(o => /^Thread: .*12.*, 50.00%$/.test(o)) && options.some(o => o.startsWith("CPU: 1, 50.00%")),
              options.join("; "));
    await page.locator("#who").selectOption({index: options.findIndex(o => o.startsWith("CPU: 2"))});
    assert.deepEqual(await rows(page), ["all 2000000", "worker2 2000000", "main 2000000", "load 1000000 | run 1000000"]);
    await drag(page, 20, 40);
    assert.deepEqual(await rows(page), ["all 1000000", "worker2 1000000", "main 1000000", "run 1000000"]);
    await press(page, "4");
    assert.deepEqual((await table(page)).map(cells => cells[4]).sort(), ["main", "run", "worker2"]);
});

test("the list has the labels of samples, also of those without times", async t => {
    const labels = readFileSync(join(process.env.BRAZIER_SOURCE, "tests/golden/collapse/pprof/labels.pprof"));
    const page = await openFile(t, fileWith(pageOf(labels, "timeline", "pprof"), ".html"));
    const options = await page.locator("#who optgroup[label=user] option").allTextContents();
    assert.deepEqual(options.map(o => o.split(",")[0]), ["user: alice", "user: bob"]);
    const whole = Number((await rows(page))[0].split(" ")[1]), shown = [];
    for (const name of ["alice", "bob"]) {
        await page.locator("#who").selectOption(`user: ${name}`);
        shown.push(Number((await rows(page))[0].split(" ")[1]));
    }
    assert.ok(shown.every(n => n > 0) && shown[0] + shown[1] === whole, `${shown} of ${whole}`);
    assert.deepEqual(options.map(o => o.split(", ")[1]), shown.map(n => `${(100 * n / whole).toFixed(2)}%`));
    assert.equal(await page.locator("#heat").isVisible(), false);
});

test("arrow keys choose ranges of the heat map", async t => {
    const page = await openTime(t);
    await page.locator("#heat").focus();
    for (const [key, note] of [["ArrowRight", "0–1 s"], ["ArrowRight", "1–2 s"], ["Shift+ArrowRight", "1–3 s"], ["ArrowLeft", "0–2 s"]]) {
        await press(page, key);
        assert.equal(await text(page, "#time-note"), note, key);
    }
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
    assert.deepEqual(await page.evaluate(() => globalThis.axe.run({preload: false}).then(r => r.violations.map(v => v.id))), []);
});

test("an odd address chooses nothing", async t => {
    const page = await openTime(t, {hash: "#time=9,1&time=x&time=1,2,3&who=nobody"});
    assert.equal((await rows(page))[0], "all 4000000");
});

test("a sample adds at most four bytes to the page, and profiles without times have no heat map", async t => {
    assert.ok((pageOf(perf).length - pageOf(perf, "html").length) / 4000 <= 4);
    const page = await openFile(t, fileWith(pageOf("main;a 3\nmain;b 4\n", "timeline", "folded"), ".html"));
    assert.equal(await page.locator("#time").isVisible(), false);
    assert.equal((await rows(page))[0], "all 7");
});

test("a cell of the heat map is not shorter than the time between samples", async t => {
    const few = Array.from({length: 1000}, (_, i) => sample(1, 500 + i / 500, "main;run")).join(""); /* 2 seconds */
    const page = await openFile(t, fileWith(pageOf(few), ".html"));
    await settled(page);
    const empty = await page.evaluate(() => {
        const heat = document.querySelector("#heat"), ratio = heat.width / heat.clientWidth;
        const {data} = heat.getContext("2d").getImageData(Math.round(heat.width / 2), 0, 1, Math.round(80 * ratio));
        return Array.from({length: 20}, (_, i) => data.slice(4 * Math.round((i * 4 + 1) * ratio)).slice(0, 3).join())
            .filter(color => color === "255,255,255").length;
    });
    assert.equal(empty, 0);
});

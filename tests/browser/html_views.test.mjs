/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";

import {clickAt, frames, openHtml, pointAt, rows, settled, table} from "./lib/html.mjs";
import {test} from "./lib/tests.mjs";
import {finish, press, state, text} from "./lib/viewer.mjs";

const folded = "main;parse;lex 25\nmain;parse;read 40\nmain;parse;read;parse 5\nmain;emit;write 20\n" +
    "main;emit 10\nidle;read 100\n";
const counts = ["--set", "folded.counts=2"];
const two = "main;a;x 10 40\nmain;b 30 10\nmain;a 10 10\nmain;old 5 0\n";

test("an icicle graph has the root on top", async t => {
    for (const act of [{hash: "#view=icicle"}, {options: ["--set", "html.inverted=true"]}]) {
        const page = await openHtml(t, folded, act);
        const found = (await frames(page)).sort((a, b) => a.depth - b.depth);
        assert.equal(found[0].name, "all");
        assert.ok(found.slice(1).every(f => f.top > found[0].top));
        const before = await rows(page);
        await press(page, "1");
        assert.deepEqual(await rows(page), before);
        assert.ok((await frames(page)).every(f => f.depth === 0 || f.top < found[0].top + 700));
        await finish(page);
    }
});

test("the table has each function once, counts recursion once, and is sorted by its headings", async t => {
    const page = await openHtml(t, folded);
    await press(page, "4");
    const got = await table(page);
    assert.deepEqual(got.map(r => [r[4], r[0], r[2]]), [
        ["read", "140", "145"], ["lex", "25", "25"],
        ["write", "20", "20"], ["emit", "10", "30"],
        ["parse", "5", "70"], ["idle", "0", "100"],
        ["main", "0", "100"]]);
    assert.equal(got[0][1], "70.00");
    assert.equal(await text(page, "[data-key=self]"), "Self (samples) ▼");
    await page.locator("[data-key=total] button").click();
    assert.deepEqual((await table(page)).map(r => r[4]), ["read", "idle", "main", "parse", "emit", "lex", "write"]);
    await page.locator("[data-key=name] button").click();
    assert.deepEqual((await table(page)).map(r => r[4]), ["emit", "idle", "lex", "main", "parse", "read", "write"]);
    await page.locator("[data-key=name] button").click();
    assert.equal((await table(page))[0][4], "write");
    await page.locator("#search").fill("^(lex|read)$");
    assert.deepEqual((await table(page)).map(r => r[4]), ["read", "lex"]);
    assert.equal(await text(page, "#matched"), "Matched: 85.00% (3 frames, total 170 samples, self 165 samples)");
    assert.deepEqual(await state(page), [["view", "table"], ["s", "^(lex|read)$"], ["sort", "-name"]]);
});

test("a function is shown with its callers and callees, from any view", async t => {
    const page = await openHtml(t, folded);
    await pointAt(page, "lex");
    await press(page, "4");
    await page.getByRole("button", {name: "read", exact: true}).click();
    assert.deepEqual(await rows(page, "callers"), ["idle 100 | parse 45", "main 45"]);
    assert.deepEqual(await rows(page), ["read 145", "parse 5"]);
    assert.match(await text(page, "#sandwich h2"), /Callers of read \(145 samples, 72.50%\)/);
    assert.deepEqual(await state(page), [["view", "sandwich"], ["fn", "read"]]);
    await clickAt(page, "parse", "callers");
    assert.deepEqual(await rows(page, "callers"), ["parse 45", "main 45"]);
});

test("the row of a function is between its callers and its callees, without a row for all", async t => {
    const page = await openHtml(t, folded);
    await press(page, "3");
    await page.evaluate(() => { location.hash = "#view=sandwich&fn=parse"; });
    await page.waitForFunction(() => /^Callers of parse /.test(document.querySelector("#sandwich h2").textContent));
    await settled(page);
    const callers = await frames(page, "callers"), callees = await frames(page);
    assert.deepEqual([...callers, ...callees].filter(f => ["all", "parse"].includes(f.name) && f.depth < 2).map(f => f.name), ["parse"]);
    const [itself] = callees.filter(f => f.name === "parse" && f.depth === 1);
    assert.ok(callers.every(f => f.top < itself.top), "callers are above");
    assert.ok(callees.every(f => f === itself || f.top > itself.top), "callees are below");
    const [caller] = callers.filter(f => f.depth === 2);
    assert.ok(itself.top - caller.top < 40, `${caller.top}, ${itself.top}`);
});

test("arrow keys move between the callers and the callees of a function, and take the focus along", async t => {
    const page = await openHtml(t, folded, {hash: "#view=sandwich&fn=parse"});
    await page.locator("#sandwich canvas").nth(1).focus();
    const seen = [];
    for (const key of ["ArrowDown", "ArrowUp", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp"]) {
        await press(page, key);
        const frame = (await page.textContent("[role=status]")).split(",")[0];
        seen.push(`${frame} of ${await page.evaluate(() => document.activeElement.getAttribute("aria-label"))}`);
    }
    assert.deepEqual(seen, ["parse of Callees", "main of Callers", "parse of Callees", "read of Callees",
                            "parse of Callees", "main of Callers"]);
    assert.match(await text(page, "#details"), /^main /);
});

test("filters keep, drop, hide and focus in sequence, and can be undone", async t => {
    const page = await openHtml(t, folded), before = await rows(page);
    const cases = {
        k: ["all 70", "main 70", "parse 70", "lex 25 | read 45", "parse 5"],
        d: ["all 130", "idle 100 | main 30", "read 100 | emit 30", "write 20"],
        h: ["all 200", "idle 100 | main 100", "read 100 | emit 30 | lex 25 | read 45", "write 20"],
        f: ["all 70", "parse 70", "lex 25 | read 45", "parse 5"],
    };
    for (const [key, want] of Object.entries(cases)) {
        await pointAt(page, "parse");
        await press(page, key);
        assert.deepEqual(await rows(page), want, key);
        assert.match(await text(page, "#chips"), /parse ×$/);
        await press(page, "u");
        assert.deepEqual(await rows(page), before, key);
    }
    await pointAt(page, "idle");
    await press(page, "d");
    await pointAt(page, "emit");
    await press(page, "h");
    assert.deepEqual(await rows(page), ["all 100", "main 100", "parse 70 | write 20", "lex 25 | read 45", "parse 5"]);
    assert.deepEqual(await state(page), [["drop", "idle"], ["hide", "emit"]]);
    await page.locator("#chips button").first().click();
    assert.deepEqual(await state(page), [["hide", "emit"]]);
});

test("recursion is merged", async t => {
    const page = await openHtml(t, "a;a;b 1\na;a;a 2\na;b;b;c 3\n");
    await press(page, "m");
    assert.deepEqual(await rows(page), ["all 6", "a 6", "b 4", "c 3"]);
    await press(page, "m");
    assert.deepEqual(await rows(page), ["all 6", "a 6", "a 3 | b 3", "a 2 | b 1 | b 3", "c 3"]);
});

test("each weight has its own picture, and comparisons show differences", async t => {
    const page = await openHtml(t, two, {options: [...counts, "--palette=hot"]});
    const names = await page.evaluate(() => Array.from(document.querySelectorAll("#weight option"), o => o.textContent));
    assert.ok(names.includes("before") && names.includes("after"), names.join());
    const show = async name => page.locator("#weight").selectOption({label: name});
    await show("before");
    assert.deepEqual((await state(page)).filter(([key]) => key === "w"), [["w", "before"]]);
    assert.deepEqual(await rows(page), ["all 55", "main 55", "a 20 | b 30 | old 5", "x 10"]);
    await show("after");
    assert.deepEqual(await rows(page), ["all 60", "main 60", "a 50 | b 10", "x 40"]);
    const color = name => frames(page).then(all => all.find(f => f.name === name).color);
    const [red, blue] = [await color("a"), await color("b")];
    assert.match(red, /^#f[b-f](..)\1$/);
    assert.match(blue, /^#(..)\1f[b-f]$/);
    assert.ok(parseInt(red.slice(3, 5), 16) < 0xa0 && parseInt(blue.slice(1, 3), 16) < 0xa0, `${red} ${blue}`);
    await pointAt(page, "x");
    assert.match(await text(page, "#tooltip"), /\+30 \S* ?\(10 \S* ?→ 40/);
    await press(page, "4");
    const byName = Object.fromEntries((await table(page)).map(r => [r[5], [r[4], r[2]]]));
    assert.deepEqual(byName.b, ["−20", "−20"]);
    assert.deepEqual(byName.a, ["0", "+30"]);
    await press(page, "1", "x");
    assert.notEqual(await color("b"), blue);
});

test("the page shows the state in the address", async t => {
    const page = await openHtml(t, folded);
    await clickAt(page, "parse");
    await page.locator("#search").fill("le");
    const before = await rows(page), hash = await page.evaluate(() => location.hash);
    assert.match(hash, /at=/);
    const again = await openHtml(t, folded, {hash});
    assert.deepEqual(await rows(again), before);
    assert.equal(await text(again, "#matched"), await text(page, "#matched"));
    await again.evaluate(() => { location.hash = "#view=table&drop=parse&theme=dark"; });
    await settled(again);
    assert.deepEqual((await table(again)).map(r => r[4]), ["read", "write", "emit", "idle", "main"]);
    assert.equal(await again.evaluate(() => document.documentElement.dataset.theme), "dark");
    const plain = await rows(await openHtml(t, folded));
    for (const odd of ["#at=9999999,99&window=x", "#view=__proto__&fn=no&w=no&sort=no", "#hide=no&__proto__=1&at=,"]) {
        const page = await openHtml(t, folded, {hash: odd});
        assert.deepEqual(await rows(page), plain, odd);
        await finish(page);
    }
});

test("frames narrower than a pixel form one bar, which a click opens", async t => {
    const many = Array.from({length: 3000}, (_, i) => `main;many;f${i};g 1`).join("\n");
    const page = await openHtml(t, `${many}\nmain;wide 7000\n`);
    const found = await frames(page), bars = found.filter(f => f.isMerged);
    assert.ok(found.length < 2500, `${found.length} are drawn`);
    assert.ok(bars.length > 300 && !found.some(f => /^f\d/.test(f.name) && !f.isMerged));
    const {left, top} = bars[100];
    await page.mouse.move(left, top + 5);
    assert.match(await text(page, "#tooltip"), /several frames/);
    await page.mouse.click(left, top + 5);
    await settled(page);
    const opened = (await frames(page)).filter(f => f.depth === 3);
    assert.ok(opened.length >= 1000, `${opened.length} bars after the click`);
    const [fromBox, span] = new URLSearchParams((await page.evaluate(() => location.hash)).slice(1)).get("at").split(",");
    assert.equal(span, "2");
    assert.ok(Number(fromBox) >= 0);
    await page.mouse.move(600, opened[0].top + 5);
    await page.keyboard.down("Control");
    for (let i = 0; i < 6; i++) await page.mouse.wheel(0, -400);
    await page.keyboard.up("Control");
    await settled(page);
    assert.ok((await frames(page)).some(f => /^f\d/.test(f.name) && !f.isMerged));
});

test("keys go from frame to frame and from match to match", async t => {
    const page = await openHtml(t, folded);
    const details = () => text(page, "#details").then(s => s.split(" ")[0]), at = [];
    for (const key of ["Up", "Up", "Right", "Up", "Left", "Down"]) {
        await press(page, `Arrow${key}`);
        at.push(await details());
    }
    assert.deepEqual(at, ["all", "idle", "main", "parse", "emit", "main"]);
    await press(page, "/");
    await page.keyboard.insertText("^(lex|write)$");
    await press(page, "Enter");
    assert.equal(await details(), "lex", "the heaviest");
    await press(page, "Enter");
    assert.equal(await details(), "write");
    await press(page, "Shift+Enter");
    assert.equal(await details(), "lex");
});

test("going to matches keeps the picture; Ctrl-Enter zooms to one", async t => {
    const page = await openHtml(t, "main;a;needle 1\nmain;a 5000\nmain;b;needle 2\nmain;b 5000\nmain;c;needle 3000\n");
    const details = () => text(page, "#details").then(s => s.replace(/;.*/, "")), before = await rows(page);
    await page.locator("#search").fill("^needle$");
    const matched = await text(page, "#matched"), at = [];
    for (const key of ["Enter", "Enter", "Enter", "Enter", "Shift+Enter"]) {
        await press(page, key);
        at.push(await details());
        assert.deepEqual(await rows(page), before, key);
    }
    assert.deepEqual(at, ["needle (3,000 samples, 23.07%", "needle (2 samples, 0.02%", "needle (1 sample, 0.01%",
                          "needle (3,000 samples, 23.07%", "needle (1 sample, 0.01%"]);
    assert.equal(await text(page, "#matched"), matched);
    await press(page, "Control+Enter");
    assert.equal(await text(page, "#path"), "all›main›a›needle");
    await clickAt(page, "a");
    await page.locator("#search").focus();
    await press(page, "Enter", "Enter");
    assert.equal(await details(), "needle (1 sample, 0.01% of all, 0.02% of the selection", "the only one in sight");
    assert.equal(await text(page, "#path"), "all›main›a");
});

test("the menu of a frame works, and copies its stack", async t => {
    const page = await openHtml(t, folded, {permissions: ["clipboard-read", "clipboard-write"]});
    await clickAt(page, "lex", "frames", {button: "right"});
    assert.equal(await text(page, "#menu .heading"), "lex");
    await page.getByRole("menuitem", {name: "Copy the stack"}).click();
    await page.waitForFunction(() => document.querySelector("#details").textContent.startsWith("Copied") ||
        document.querySelector("#copy") !== null);
    const copied = await page.evaluate(() => document.querySelector("#copy textarea")?.value ??
        document.querySelector("#details").textContent);
    assert.match(copied, /main;parse;lex$/);
});

test("the theme is the system's, the option's, or the one chosen", async t => {
    const paper = page => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = "rgb(255, 255, 255)";
    const ofDark = async (...args) => {
        const page = await openHtml(t, folded, ...args), color = await paper(page);
        await finish(page);
        return color !== light;
    };
    assert.equal(await ofDark({colorScheme: "light"}), false);
    assert.equal(await ofDark({colorScheme: "dark"}), true);
    assert.equal(await ofDark({colorScheme: "dark", options: ["--set", "html.theme=light"]}), false);
    const page = await openHtml(t, folded, {colorScheme: "light", options: ["--set", "html.theme=dark"]});
    assert.notEqual(await paper(page), light);
    await press(page, "t");
    assert.equal(await paper(page), light);
});

test("an empty profile is reported", async t => {
    const page = await openHtml(t, "main;a 0\n");
    assert.equal(await text(page, "#details"), "There is nothing to draw.");
    await press(page, "4", "3", "1", "m", "ArrowUp", "n");
});

test("differences have the palette's colours, listed in the legend, like the file's", async t => {
    const two = "a;b 10 40\na;c 30 5\nd 7 7\n", colors = ["#dc5f00", "#e0e0e0", "#2873d7"];
    const page = await openHtml(t, two, {options: ["--set=diff.colors=orange-blue"]});
    const legend = () => page.evaluate(() => Array.from(document.querySelectorAll("#legend .entry"), e =>
        [e.textContent, e.firstElementChild.style.background]));
    const shown = Object.fromEntries((await frames(page)).map(f => [f.name, f.color]));
    const entries = await legend();
    assert.deepEqual(entries.map(([name]) => name), ["heavier", "as before", "lighter"]);
    assert.equal(shown.d, colors[1]);
    const channels = color => [1, 3, 5].map(i => parseInt(color.slice(i, i + 2), 16));
    const [red, , blue] = channels(shown.b), [red2, , blue2] = channels(shown.c);
    assert.ok(red > blue + 100 && blue2 > red2 + 60, `${shown.b} ${shown.c}`);
    await press(page, "x"); /* the colours that the program computed */
    const own = Object.fromEntries((await frames(page)).map(f => [f.name, f.color]));
    assert.deepEqual({...own, all: shown.all}, shown);
});

test("arrows move within a menu, which returns the focus when it closes", async t => {
    const page = await openHtml(t, folded);
    await pointAt(page, "parse");
    await press(page, ".");
    const focused = () => page.evaluate(() => document.activeElement.textContent);
    const first = await focused();
    await press(page, "ArrowDown");
    assert.notEqual(await focused(), first);
    await press(page, "ArrowUp", "ArrowUp");
    assert.match(await focused(), /^Copy the stack/);
    await press(page, "Escape");
    assert.equal(await text(page, "#menu"), "");
    await page.mouse.move(600, 3);
    await press(page, "ArrowUp");
    assert.match(await text(page, "#details"), /^(lex|read) /);
});

/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {join} from "node:path";

import {small} from "./fixtures/small.mjs";
import {openHtml} from "./lib/html.mjs";
import {test} from "./lib/tests.mjs";
import {click, frame, frames, open, pointAt, press, rows, settled, text} from "./lib/viewer.mjs";

const isByName = f => `Function: ${f} (`;

/* Returns the name of the frame under the keyboard cursor. */
async function at(page) {
    const [, name] = /^Function: (.*) \(/.exec(await text(page, "#details")) || [];
    const outline = await page.evaluate(() => {
        const {left, right, top} = document.querySelector("#cursor").getBoundingClientRect();
        return [left, right, top].map(Math.round);
    });
    const f = await frame(page, name);
    assert.deepEqual([f.left, f.right, f.top].map(Math.round), outline, `${name} is outlined`);
    return name;
}

test("arrows move between frames as they are drawn", async t => {
    const page = await open(t, small);
    const walk = async (keys, names) => {
        for (const [i, key] of keys.entries()) {
            await press(page, `Arrow${key}`);
            assert.equal(await at(page), names[i]);
        }
    };
    await walk(["Up", "Up", "Up", "Up", "Right", "Right", "Left", "Up", "Down", "Down"],
               ["all", "main", "parse", "lex", "read", "step", "read", "read", "parse", "main"]);
    await walk(["Left", "Left", "Down", "Down"], ["idle", "idle", "all", "all"]);
    await press(page, "i");
    await walk(["Down", "Down", "Up"], ["main", "parse", "main"]);
});

test("keys zoom to the frame under the cursor, and out again", async t => {
    const page = await open(t, small);
    await press(page, "ArrowUp", "ArrowUp", "ArrowUp", "Enter");
    assert.equal(await text(page, "#path"), "all›main›parse");
    await press(page, "Backspace");
    assert.equal(await text(page, "#path"), "all›main");
    assert.equal(await at(page), "parse");
    await press(page, "0");
    assert.equal(await text(page, "#path"), "");
});

test("keys act on the frame under the mouse until they move the cursor", async t => {
    const page = await open(t, small);
    await pointAt(page, "run");
    await press(page, "Enter");
    assert.equal(await text(page, "#path"), "all›main›run");
    await press(page, "ArrowUp", "ArrowUp", "Enter");
    assert.equal(await text(page, "#path"), "all›main›run›step›add");
});

test("the menu of a frame works by mouse and by keys", async t => {
    const page = await open(t, small);
    await click(page, "parse", {button: "right"});
    assert.match(await text(page, "#menu"), /^parseZoom to the frameEnter/);
    await page.click("#menu button:has-text('Hide frames')");
    assert.equal(await text(page, ".chips"), "hidden: parse ×");
    assert.equal(await text(page, "#menu"), "");
    await page.mouse.move(600, 3);
    await press(page, "u", "Escape", "ArrowUp", "ArrowUp", ".");
    assert.match(await text(page, "#menu"), /^main/);
    await press(page, "ArrowDown", "ArrowUp", "ArrowUp", "ArrowDown", "ArrowDown", "Enter");
    assert.equal(await text(page, "#menu"), "");
    assert.match(await text(page, "#sums"), /^1 frame, total 100 samples/);
    await press(page, ".", "Escape");
    assert.equal(await text(page, "#menu"), "");
    assert.match(await text(page, "#sums"), /^1 frame, total 100 samples/);
});

test("a menu is completely visible wherever it is opened", async t => {
    const page = await open(t, small, {viewport: {width: 500, height: 420}});
    for (const name of ["all", "idle", "jump", "next"]) {
        const f = await frame(page, name);
        await page.mouse.click(f.right - 2, f.bottom - 2, {button: "right"});
        await settled(page);
        const box = await page.evaluate(() => {
            const {left, right, top, bottom} = document.querySelector("#menu > *").getBoundingClientRect();
            return {left, right, top, bottom};
        });
        assert.ok(box.left >= 0 && box.right <= 500 && box.top >= 0 && box.bottom <= 420, JSON.stringify(box));
        assert.equal(await text(page, "#menu .heading"), name);
        await press(page, "Escape");
    }
});

test("the help lists every key, and each key has an effect", async t => {
    const page = await open(t, small);
    await press(page, "?");
    const help = await text(page, "#help");
    const keys = ["Enter", "Backspace", "0", "←", "Shift-→", "/", "Ctrl-F", "F3", "n", "N", "Ctrl-I", "a", "f",
                  "F", "h", "d", "u", "Ctrl-Z", "c", "C", "i", "r", "m", ".", "Esc", "?"];
    const listed = await page.evaluate(() => Array.from(document.querySelectorAll("#help dt kbd"))
        .map(e => e.textContent));
    for (const key of keys) assert.ok(listed.includes(key), `${key} is in: ${help}`);
    await press(page, "?");
    assert.equal(await text(page, "#help"), "");
    await page.click("#help-button");
    assert.equal(await text(page, "#help"), help);
    await press(page, "Escape");
    assert.equal(await text(page, "#help"), "");
    await page.click("#help-button");
    await page.mouse.click(5, 300);
    assert.equal(await text(page, "#help"), "");
});

test("the documentation of the viewer lists the keys of the help", async t => {
    const page = await open(t, small);
    await press(page, "?");
    const listed = await page.evaluate(() => Array.from(document.querySelectorAll("#help dt kbd"))
        .map(e => e.textContent).slice(3)); /* the first three are gestures */
    const written = readFileSync(join(process.env.BRAZIER_SOURCE, "docs", "viewer.md"), "utf8");
    const missing = listed.filter(key => !written.includes(`\`${key}\``));
    assert.deepEqual(missing, []);
    assert.ok(listed.length > 20);
});

/* Returns what each key does, as the help says. */
async function keyMap(page) {
    await press(page, "?");
    return new Map(await page.evaluate(() => Array.from(document.querySelectorAll("#help dd")).flatMap(dd =>
        Array.from(dd.previousElementSibling.querySelectorAll("kbd"), kbd => [kbd.textContent, dd.textContent]))));
}

test("keys that the viewers of SVG and page share do the same, and the page has all keys of the SVG", async t => {
    const ours = await keyMap(await open(t, small)), page = await keyMap(await openHtml(t, small));
    const gestures = ["Click", "Right click, long press", "Drag"];
    for (const [key, label] of ours) if (!gestures.includes(key)) assert.equal(page.get(key), label, key);
});

test("the help can be read to its end in a small window", async t => {
    const page = await open(t, small, {viewport: {width: 360, height: 240}});
    await press(page, "?");
    await page.mouse.move(180, 120);
    await page.mouse.wheel(0, 5000);
    await page.waitForFunction(() => {
        const lines = document.querySelectorAll("#help dd"), last = lines[lines.length - 1];
        const {top, bottom} = last.getBoundingClientRect();
        return top > 0 && bottom < 240;
    });
});

test("names and stacks are copied", async t => {
    const page = await open(t, small, {permissions: ["clipboard-read", "clipboard-write"]});
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await pointAt(page, "next");
    await press(page, "c");
    assert.equal(await text(page, "#details"), "Copied: next");
    assert.equal(await copied(), "next");
    await press(page, "C");
    assert.equal(await text(page, "#details"), "Copied: main;parse;lex;next");
    assert.equal(await copied(), "main;parse;lex;next");
    await press(page, "r");
    await pointAt(page, "run");
    await press(page, "C");
    assert.equal(await text(page, "#details"), "Copied: run;step;add");
    assert.equal(await copied(), "run;step;add");
});

test("without access to the clipboard, the text is shown to be copied by hand", async t => {
    const page = await open(t, small);
    await page.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(new Error("no")); });
    await pointAt(page, "next");
    await press(page, "C");
    await page.waitForSelector("#copy textarea");
    const marked = await page.evaluate(() => {
        const area = document.querySelector("#copy textarea");
        return area.value.slice(area.selectionStart, area.selectionEnd);
    });
    assert.equal(marked, "main;parse;lex;next");
    await press(page, "Escape");
    assert.equal(await page.$("#copy"), null);
});

test("Tab reaches everything in the bars, and Enter activates it", async t => {
    const page = await open(t, small), reached = [];
    for (let i = 0; i < 12; i++) {
        await press(page, "Tab");
        reached.push(await page.evaluate(() => document.activeElement?.id || ""));
    }
    for (const id of ["search", "flip", "callers", "merge", "help-button"])
        assert.ok(reached.includes(id), `${id} is among ${reached}`);
    await page.focus("#callers");
    await press(page, "Enter");
    assert.match((await rows(page))[1], /^next 30 /);
    assert.equal(await page.getAttribute("#callers", "aria-pressed"), "true");
    await press(page, "Space");
    assert.match((await rows(page))[1], /^idle 20 /);
});

test("keys of the browser and of the search field are left alone", async t => {
    const page = await open(t, small), before = await rows(page);
    await pointAt(page, "lex");
    await press(page, "Alt+h", "Control+d", "Control+h", "Control+a");
    assert.deepEqual(await rows(page), before);
    await press(page, "/");
    await page.keyboard.type("hdfimru0?n");
    assert.equal(await page.evaluate(() => document.querySelector("input").value), "hdfimru0?n");
    assert.deepEqual(await rows(page), before);
    assert.equal((await frames(page)).length, 11);
    assert.equal(await text(page, "#help"), "");
    assert.ok((await text(page, "#details")).startsWith(isByName("lex")));
});

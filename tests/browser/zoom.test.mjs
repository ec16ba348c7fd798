/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";

import {small} from "./fixtures/small.mjs";
import {test} from "./lib/tests.mjs";
import {assertNear, click, frame, frames, middle, open, painted, pointAt, press, rows, settled, text}
    from "./lib/viewer.mjs";

const everything = [
    "all 120", "idle 20 | main 100", "parse 60 | run 40", "lex 30 | read 10 | step 40",
    "next 30 | add 25 | jump 15",
];

/* Checks the left edge and the width of a frame, in pixels. */
async function assertSpan(page, name, left, width) {
    const f = await frame(page, name);
    assertNear(f.left, left, `left edge of ${name}`);
    assertNear(f.right - f.left, width, `width of ${name}`);
}

test("initially every frame is at the position given by its weight", async t => {
    const page = await open(t, small);
    assert.deepEqual(await rows(page), everything);
    await assertSpan(page, "all", 10, 1200);
    await assertSpan(page, "parse", 10 + 200, 600);
    await assertSpan(page, "read", 10 + 200 + 200 + 300, 100);
    const [all, parse] = [await frame(page, "all"), await frame(page, "parse")];
    assertNear(all.top - parse.top, 32, "two rows");
});

test("a click on a frame makes it as wide as the picture and fades its callers", async t => {
    const page = await open(t, small);
    await click(page, "parse");
    assert.deepEqual(await rows(page), ["all 120", "main 100", "parse 60", "lex 30 | read 10", "next 30"]);
    for (const name of ["all", "main", "parse"]) await assertSpan(page, name, 10, 1200);
    await assertSpan(page, "lex", 10 + 400, 600);
    await assertSpan(page, "read", 10 + 1000, 200);
    const faded = (await frames(page)).filter(f => f.isFaded).map(f => f.name);
    assert.deepEqual(faded, ["all", "main"]);
});

test("a click on a faded frame zooms out to it", async t => {
    const page = await open(t, small);
    await click(page, "next");
    await click(page, "main");
    assert.deepEqual(await rows(page), ["all 120", "main 100", ...everything.slice(2)]);
    await assertSpan(page, "parse", 10, 720);
});

test("the zoom is reset by its button, by 0, by Escape and by a click on the root", async t => {
    const page = await open(t, small);
    const ways = [() => page.click("#unzoom"), () => press(page, "0"), () => press(page, "Escape"),
                  () => click(page, "all")];
    assert.equal(await text(page, "#unzoom"), "");
    for (const reset of ways) {
        await click(page, "lex");
        assert.equal(await text(page, "#unzoom"), "Reset Zoom");
        await reset();
        assert.deepEqual(await rows(page), everything);
        assert.equal(await text(page, "#unzoom"), "");
    }
});

test("the path to the zoomed frame is shown below and zooms out", async t => {
    const page = await open(t, small);
    assert.equal(await text(page, "#path"), "");
    await click(page, "lex");
    assert.equal(await text(page, "#path"), "all›main›parse›lex");
    await page.click("#path button:nth-of-type(3)");
    assert.equal(await text(page, "#path"), "all›main›parse");
    await assertSpan(page, "parse", 10, 1200);
    await press(page, "Backspace");
    assert.equal(await text(page, "#path"), "all›main");
});

test("the end of a path that is too long for its line is visible", async t => {
    const stack = Array.from({length: 40}, (_, i) => `function_${i}`);
    const page = await open(t, `${stack.join(";")} 1\n`);
    await page.evaluate(() => scrollTo(0, 0));
    await click(page, "function_39");
    await press(page, "/");
    await page.keyboard.insertText("function_1");
    await settled(page);
    await settled(page);
    const [crumb, path, sums] = await page.evaluate(() => {
        const crumbs = document.querySelectorAll("#path button");
        return [crumbs[crumbs.length - 1], document.querySelector("#path"), document.querySelector("#sums")]
            .map(e => [e.textContent, e.getBoundingClientRect().left, e.getBoundingClientRect().right]);
    });
    assert.equal(crumb[0], "function_39");
    assert.ok(crumb[1] >= path[1] && crumb[2] <= path[2] + 1 && path[2] <= sums[1], `${crumb} ${path} ${sums}`);
});

test("the status line shows the frame under the mouse", async t => {
    const page = await open(t, small);
    await pointAt(page, "parse");
    assert.equal(await text(page, "#details"), "Function: parse (60 samples, 50.00%)");
    assert.equal(await text(page, "#sums"), "self 20 samples (16.67%)");
    await page.mouse.move(600, 3);
    assert.equal(await text(page, "#details"), "");
});

test("labels show as much of a name as fits: its end or its beginning", async t => {
    const folded = "a_rather_long_name_of_a_function 20\nother 180\n";
    const left = await open(t, folded, {options: ["--label=tail"]});
    const right = await open(t, folded, {options: ["--truncate-text-right"]});
    const labelOf = async page => (await frame(page, "a_rather_long_name_of_a_function")).label;
    assert.match(await labelOf(left), /^\.\.\w*function$/);
    assert.match(await labelOf(right), /^a_rather\w*\.\.$/);
    await click(left, "a_rather_long_name_of_a_function");
    assert.equal(await labelOf(left), "a_rather_long_name_of_a_function");
    for (const page of [left, right])
        for (const f of await frames(page)) {
            const width = await page.evaluate(label => Array.from(document.querySelectorAll("#frames text"))
                .find(e => e.textContent === label).getComputedTextLength(), f.label);
            assert.ok(width <= f.right - f.left, `the label ${f.label} is in its frame`);
        }
});

test("the picture is as wide as its window unless an option sets its width", async t => {
    const fluid = await open(t, small), fixed = await open(t, small, {options: ["--width=800"]});
    await assertSpan(fixed, "all", 10, 780);
    for (const page of [fluid, fixed]) {
        await click(page, "parse");
        await page.setViewportSize({width: 620, height: 500});
        await settled(page);
    }
    await assertSpan(fluid, "all", 10, 600);
    await assertSpan(fluid, "lex", 10 + 200, 300);
    await assertSpan(fixed, "all", 10, 780);
});

test("dragging moves a zoomed picture, and is not a click", async t => {
    const page = await open(t, small);
    await click(page, "lex");
    const {x, y} = await middle(page, "next");
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 100, y, {steps: 4});
    await page.mouse.move(x - 200, y, {steps: 4});
    await page.mouse.up();
    await assertSpan(page, "lex", 10, 1000);
    await assertSpan(page, "read", 10 + 1000, 200);
    assert.equal(await text(page, "#path"), "all›main›parse");
});

test("dragging does not move a picture that is not zoomed", async t => {
    const page = await open(t, small);
    const {x, y} = await middle(page, "lex");
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 300, y, {steps: 4});
    await page.mouse.up();
    assert.deepEqual(await rows(page), everything);
});

test("Shift with arrows, and horizontal wheels, move a zoomed picture", async t => {
    const page = await open(t, small);
    await click(page, "lex");
    await press(page, "Shift+ArrowRight");
    await assertSpan(page, "lex", 10, 1050);
    await press(page, "Shift+ArrowLeft");
    await assertSpan(page, "lex", 10, 1200);
    await page.mouse.wheel(60, 0);
    await assertSpan(page, "lex", 10, 1140);
});

test("frames too narrow to be seen are painted together, and each can be reached", async t => {
    const names = Array.from({length: 2000}, (_, i) => `leaf${10000 + i}`);
    const page = await open(t, names.map(name => `main;${name} 1\n`).join(""));
    assert.deepEqual((await frames(page)).map(f => f.name), ["all", "main"]);
    const [row] = await painted(page);
    assertNear(row.width, 1200, "painted width");
    await page.mouse.click(10 + 601, row.top + 8);
    assert.equal(await text(page, "#path"), `all›main›leaf1${Math.floor(601 * 2000 / 1200)}`);
});

test("the picture gives the number of frames omitted as too narrow", async t => {
    const folded = `main;big 99990\n${Array.from({length: 10}, (_, i) => `main;tiny${i} 1\n`).join("")}`;
    const page = await open(t, folded);
    assert.equal(await text(page, "#details"), "10 frames under 0.01 % not drawn");
    await pointAt(page, "big");
    await page.mouse.move(600, 3);
    assert.equal(await text(page, "#details"), "10 frames under 0.01 % not drawn");
});

test("a zoomed or filtered picture says shares of all and of the selection", async t => {
    const page = await open(t, small), details = () => text(page, "#details");
    await pointAt(page, "lex");
    assert.equal(await details(), "Function: lex (30 samples, 25.00%)");
    await click(page, "parse");
    await pointAt(page, "lex");
    assert.equal(await details(), "Function: lex (30 samples, 25.00% of all, 50.00% of the selection)");
    assert.equal((await frame(page, "lex")).title, "lex (30 samples, 25.00% of all, 50.00% of the selection)");
    await pointAt(page, "main");
    assert.equal(await details(), "Function: main (100 samples, 83.33%)", "it is around the selection");
    await press(page, "0");
    assert.equal((await frame(page, "lex")).title, "lex (30 samples, 25.00%)");
    await pointAt(page, "parse");
    await press(page, "F");
    await pointAt(page, "lex");
    assert.equal(await details(), "Function: lex (30 samples, 25.00% of all, 50.00% of the selection)");
});

/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {readFileSync} from "node:fs";
import {pathToFileURL} from "node:url";

import {fileWith, picture} from "./lib/picture.mjs";
import {test} from "./lib/tests.mjs";
import {assertNear, click, finish, frame, frames, newPage, open, passed, pointAt, press, program, settled,
    text} from "./lib/viewer.mjs";

const deep = Array.from({length: 80}, (_, i) => `f${i}`);
const tall = `${deep.join(";")} 3\n${deep.slice(0, 5).join(";")};other 1\n`;

/* Returns the positions of elements in the window, and the scroll position. */
const places = page => page.evaluate(() => [globalThis.scrollY,
    ...Array.from(document.querySelectorAll("#frames > :not(.out) > rect, #status, #bar"), element => {
        const {left, top, width, height} = element.getBoundingClientRect();
        return [left, top, width, height];
    })]);

/* Opens a page that never receives input and keeps its initial view even on a slow machine. */
async function untouched(t, folded = tall) {
    const page = await newPage(t, {});
    await page.addInitScript(() => {
        const {setTimeout} = globalThis;
        globalThis.setTimeout = (run, after, ...more) => after === 1000 ? 0 : setTimeout(run, after, ...more);
    });
    await page.goto(String(pathToFileURL(fileWith(picture(folded)))));
    return page;
}

test("opening a picture draws it once, where it is seen", async t => {
    const narrow = Array.from({length: 600}, (_, i) => `${deep.join(";")};n${i} 1\n`).join("");
    for (const folded of [`${tall}${narrow}`, `a;b 5\n`]) {
        const page = await newPage(t, {});
        await page.addInitScript(() => {
            const {setAttribute} = Element.prototype;
            globalThis.placed = new Map();
            Element.prototype.setAttribute = function (name, value) {
                const isPlace = name === "width" && this.localName === "rect" && this.closest("#frames") !== null;
                if (isPlace) globalThis.placed.set(this, (globalThis.placed.get(this) ?? 0) + 1);
                return setAttribute.call(this, name, value);
            };
        });
        await page.goto(String(pathToFileURL(fileWith(picture(folded)))));
        const times = await page.evaluate(() => Array.from(globalThis.placed.values()));
        assert.ok(times.length > 2 && times.every(n => n === 1), times.join());
    }
});

test("a picture that is only looked at prepares nothing", async t => {
    const page = await newPage(t, {});
    await page.addInitScript(() => {
        const {requestIdleCallback} = globalThis;
        globalThis.asked = 0;
        globalThis.requestIdleCallback = (...more) => {
            globalThis.asked++;
            return requestIdleCallback(...more);
        };
    });
    await page.goto(String(pathToFileURL(fileWith(picture(tall)))));
    const asked = () => page.evaluate(() => globalThis.asked);
    assert.equal(await asked(), 0);
    await page.mouse.move(300, 300);
    assert.ok(await asked() > 0);
});

/* Takes a screenshot with the browser's own option, as scripts do. */
function screenshot(path) {
    const shot = fileWith("", ".png"), flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"];
    execFileSync(program, [...flags, `--screenshot=${shot}`, "--window-size=600,400", String(pathToFileURL(path))],
                 {stdio: "ignore"});
    return `data:image/png;base64,${readFileSync(shot).toString("base64")}`;
}

/* Returns for each row of pixels of an image whether it is blue. */
const blueRows = (page, url) => page.evaluate(async data => {
    const image = new Image();
    image.src = data;
    await image.decode();
    const context = Object.assign(document.createElement("canvas"),
                                  {width: image.width, height: image.height}).getContext("2d", {willReadFrequently: true});
    context.drawImage(image, 0, 0);
    const isBlue = y => {
        const [r, , b] = context.getImageData(60, y, 1, 1).data;
        return b > r + 40;
    };
    return Array.from({length: image.height}, (_, y) => isBlue(y));
}, url).catch(error => {
    throw new Error(`the screenshot cannot be read: ${error}`);
});

test("a screenshot of a picture taller than the window shows the root", async t => {
    const path = fileWith(picture(tall, ["--colors=blue"])), page = await newPage(t, {});
    let inks = [];
    /* On a busy machine the browser takes it before it has painted anything. */
    for (let tries = 0; tries < 6 && !inks.includes(true); tries++) inks = await blueRows(page, screenshot(path));
    const inked = inks.slice(40, 360).filter(Boolean).length;
    assert.ok(inked > 280, `frames in ${inked} of 320 rows of pixels`);
    assert.ok(inks.lastIndexOf(true) < 380, "below the root is the status line");
});

test("the first input scrolls the page without moving the visible part", async t => {
    const page = await untouched(t);
    const [before, ...there] = await places(page);
    assert.equal(before, 0);
    await page.mouse.move(300, 300);
    const [after, ...then] = await places(page);
    assert.ok(after > 400, `scrolled by ${after}`);
    assert.deepEqual(then, there);
});

test("the initial view ends after a delay", async t => {
    const page = await newPage(t, {});
    await page.goto(String(pathToFileURL(fileWith(picture(tall)))));
    await page.waitForFunction(() => globalThis.scrollY > 400, null, {timeout: 20_000});
});

test("the root stays visible in the initial view whatever the window's size", async t => {
    const page = await untouched(t);
    await page.setViewportSize({width: 900, height: 300});
    await passed(page, 100);
    const bottom = await page.evaluate(() => Math.max(...Array.from(document.querySelectorAll("#frames rect"),
        rect => rect.getBoundingClientRect().bottom)));
    assert.ok(bottom > 220 && bottom < 290, String(bottom));
});

test("filters in a tall picture keep its root in place and do not scroll the page", async t => {
    const middling = [...deep.slice(0, 2), ...Array.from({length: 55}, (_, i) => `x${i}`)];
    const page = await untouched(t, `${deep.join(";")} 3\n${middling.join(";")} 1\n`);
    const bottomOfRoot = () => page.evaluate(() => Math.max(...Array.from(
        document.querySelectorAll("#frames > :not(.out) > rect"), rect => rect.getBoundingClientRect().bottom)));
    const before = await bottomOfRoot();
    for (const key of ["d", "u", "h"]) {
        await page.mouse.move(300, before - 4 * 16); /* the frame f2 or x1 */
        await press(page, key);
        await passed(page, 400);
        assertNear(await bottomOfRoot(), before, `the root's edge after ${key}`);
    }
});

test("a printed picture is complete, as wide as the sheet, and has no floating bars", async t => {
    for (const options of [[], ["--width=2000"]]) {
        const page = await open(t, tall, {options});
        const before = await frames(page);
        await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
        await page.emulateMedia({media: "print"});
        await page.setViewportSize({width: 600, height: 800});
        const [svg, bar, status, ...rects] = await page.evaluate(() =>
            [":root", "#bar", "#status", "#frames > :not(.out) > rect"].flatMap(selector =>
                Array.from(document.querySelectorAll(selector), e => e.getBoundingClientRect().toJSON())));
        assertNear(svg.width, 600, "width");
        assert.ok(rects.every(r => r.left >= 0 && r.right <= 600), "frames are on the sheet");
        assertNear(bar.top, svg.top, "the bar is on top");
        assertNear(status.bottom, svg.bottom, "the status line is below");
        assert.ok(Math.max(...rects.map(r => r.bottom)) <= status.top + 1, "it hides nothing");
        await page.emulateMedia({media: "screen"});
        await page.setViewportSize({width: 1220, height: 700});
        await page.evaluate(() => {
            dispatchEvent(new Event("afterprint"));
            globalThis.scrollTo(0, 1e6);
        });
        assert.deepEqual(await frames(page), before);
        await finish(page);
    }
});

test("a printed picture without a script is as wide as the sheet", async t => {
    const page = await open(t, tall, {javaScriptEnabled: false, viewport: {width: 600, height: 800}});
    await page.emulateMedia({media: "print"});
    const [svg, ...rects] = await page.evaluate(() => [":root", "#frames path"].flatMap(selector =>
        Array.from(document.querySelectorAll(selector), e => e.getBoundingClientRect().toJSON())));
    assertNear(svg.width, 600, "width");
    assertNear(Math.max(...rects.map(r => r.right)), 595, "right edge of the frames");
});

test("printing uses the light theme, whatever the system's theme", async t => {
    const page = await open(t, tall, {colorScheme: "dark"});
    const paper = () => page.evaluate(() =>
        getComputedStyle(document.querySelector("#background stop")).stopColor);
    assert.equal(await paper(), "rgb(27, 28, 32)");
    await page.emulateMedia({media: "print", colorScheme: "dark"});
    await settled(page);
    assert.equal(await paper(), "rgb(238, 238, 238)");
});

test("the dark theme has a flat background, which is that of the bars", async t => {
    const page = await open(t, tall, {colorScheme: "dark"});
    const colors = await page.evaluate(() => [
        ...Array.from(document.querySelectorAll("#background stop"), e => getComputedStyle(e).stopColor),
        getComputedStyle(document.documentElement).backgroundColor,
        getComputedStyle(document.querySelector(".bar.floats")).backgroundColor]);
    assert.deepEqual([colors.length, ...new Set(colors)], [4, "rgb(27, 28, 32)"]);
});

/* ---- what stays visible ---- */

test("in a tall picture subtitle, legend, scale and status line are visible at any scroll position", async t => {
    const options = ["--palette=rules,hot", "--rules=^f1|the ones = #aa0000", "--subtitle=below the title"];
    for (const more of [[], ["--inverted"]]) {
        const page = await open(t, tall, {options: [...options, ...more]});
        for (const y of [0, 300, 1e6]) {
            await page.evaluate(y => scrollTo(0, y), y);
            await passed(page, 100);
            await settled(page);
            const boxes = await Promise.all(["#title", "#subtitle", "#legend", "#axis", "#details"].map(id => boxOf(page, id)));
            for (const {top, bottom} of boxes) assert.ok(top >= 0 && bottom <= 700, `${top} to ${bottom} at ${y}`);
            for (const [i, {bottom}] of boxes.slice(0, 4).entries()) assert.ok(bottom <= boxes[i + 1].top + 4, `order at ${y}`);
        }
        await page.evaluate(() => scrollTo(0, 1e6));
        const root = await frame(page, "all"), axis = await boxOf(page, "#axis");
        if (more.length === 0) assertNear(root.bottom, axis.top, "the scale is below the root", 4);
        await finish(page);
    }
});

const ticks = page => page.evaluate(() => Array.from(document.querySelectorAll("#axis span"), e => e.textContent));

test("the scale shows shares of what is visible, and amounts in a picture in the order of time", async t => {
    const page = await open(t, "main;a 1\nmain;b 3\n");
    assert.deepEqual([(await ticks(page))[0], (await ticks(page)).at(-1)], ["0%", "100%"]);
    await click(page, "a");
    assert.deepEqual([(await ticks(page))[0], (await ticks(page)).at(-1)], ["0%", "25%"]);
    await click(page, "all");
    await click(page, "b");
    assert.deepEqual([(await ticks(page))[0], (await ticks(page)).at(-1)], ["30%", "100%"]);
    const chart = await open(t, "main;b 300\nmain;a 700\n", {options: ["--flamechart"]});
    assert.deepEqual([(await ticks(chart))[0], (await ticks(chart)).at(-1)], ["0 samples", "1,000 samples"]);
});

test("the first view says what widths mean and what a click does, until there is something else to say", async t => {
    const page = await open(t, tall);
    assert.match(await text(page, "#hint"), /^Width: share of 4 samples · click: zoom .* \?: help$/);
    await pointAt(page, "f3");
    assert.equal(await text(page, "#hint"), "");
    await page.mouse.move(600, 3);
    assert.match(await text(page, "#hint"), /^Width/);
    await press(page, "/", "f");
    assert.equal(await text(page, "#hint"), "");
    const phone = await open(t, tall, {hasTouch: true, isMobile: true, viewport: {width: 390, height: 700}});
    assert.equal(await text(phone, "#hint"), "Width: share of 4 samples · tap: zoom · hold: more");
    assert.ok(await phone.evaluate(() => document.getElementById("hint").scrollWidth <= document.getElementById("hint").clientWidth),
              "the hint is cut");
});

test("pictures under the names of other tools have neither a scale nor a hint", async t => {
    const page = await open(t, tall, {options: ["--no-compact"]});
    assert.deepEqual(await ticks(page), []);
    assert.equal(await text(page, "#hint"), "");
});

/* ---- narrow and wide windows ---- */

const boxOf = (page, selector) =>
    page.evaluate(selector => document.querySelector(selector).getBoundingClientRect().toJSON(), selector);

test("in a picture wider than the window, bars, menus and help are visible at any scroll position", async t => {
    const page = await open(t, tall, {options: ["--width=4000"]});
    for (const x of [0, 1500, 4000]) {
        await page.evaluate(x => scrollTo(x, 1e6), x);
        await passed(page, 100);
        await page.mouse.move(600, 600);
        assert.notEqual(await text(page, "#details"), "");
        await press(page, "?");
        for (const selector of ["#title", "#search", "#help-button", "#details", "#sums", "#help"]) {
            const {left, right, top, bottom} = await boxOf(page, selector);
            assert.ok(left >= 0 && right <= 1220 && top >= 0 && bottom <= 700, `${selector} at ${x}: ${left} to ${right}`);
        }
        await press(page, "Escape");
        await page.mouse.click(600, 600, {button: "right"});
        const menu = await boxOf(page, "#menu");
        assertNear(menu.left, 600, "the menu is where the mouse is");
        await press(page, "Escape", "Escape");
    }
});

test("the menu of a frame opens at the click in a picture further down in a page", async t => {
    const page = await newPage(t, {});
    const svg = String(picture("main;a 3\nmain;b 4\n")).replace(/^.*?<svg/s, "<svg");
    await page.goto(String(pathToFileURL(fileWith(
        `<!DOCTYPE html><body style="margin: 0"><div style="height: 300px"></div><div style="margin-left: 90px">${svg}`, ".html"))));
    const {left, top} = await boxOf(page, "#frames > *");
    await page.mouse.click(left + 5, top + 5, {button: "right"});
    const menu = await boxOf(page, "#menu");
    assertNear(menu.left, left + 5, "left");
    assert.ok(menu.top >= 300, String(menu.top));
});

const long = "A title that says more than there is room for, whatever the window, with all arguments of the command " +
    "that was measured, and with what they mean, and why";

test("the beginning of a long title is shown, even without a script", async t => {
    const options = [`--title=${long}`, `--subtitle=${long} subtitle`];
    for (const wishes of [{}, {javaScriptEnabled: false}, {viewport: {width: 390, height: 700}}]) {
        const page = await open(t, "a;b 1\n", {options, ...wishes});
        const room = wishes.javaScriptEnabled === false ? 1200 : wishes.viewport?.width ?? 1220;
        for (const selector of ["#title", "#subtitle"]) {
            const {left, right} = await boxOf(page, selector);
            assert.ok(left >= 0 && right <= room, `${selector}: ${left} to ${right} of ${room}`);
            assert.match(await text(page, selector), /^A title that says/);
        }
        await finish(page);
    }
    const page = await open(t, "a;b 1\n", {options, viewport: {width: 3000, height: 700}});
    assert.equal(await text(page, "#title"), long);
    assert.equal(await text(page, "#subtitle"), `${long} subtitle`);
});

test("without a script labels of any characters stay within their frames", async t => {
    const names = ["a_function_with_a_name_of_middling_length", "读取数据库连接池读取数据库连接池读取数据库", "short", "éèêàçéèêàçéèêàç"];
    const folded = Array.from({length: 40}, (_, i) => `main;${names[i % 4]}${i} ${3 + i}`).join("\n");
    const page = await open(t, folded, {javaScriptEnabled: false});
    const labels = await page.evaluate(() => {
        const lines = Array.from(document.querySelectorAll("#frames path"), e => e.getAttribute("d")).join("");
        const frames = Array.from(lines.matchAll(/M(\S+) (\S+)h([^M]+)/g), m => m.slice(1).map(Number));
        return Array.from(document.querySelectorAll("#frames text"), label => {
            const {x, y, width, height} = label.getBBox();
            const frame = frames.find(([left, top]) => Math.abs(left + 3 - x) < 0.1 && top <= y + height / 2 && y + height / 2 < top + 16);
            return {text: label.textContent, over: frame === undefined ? NaN : x + width - frame[0] - frame[2]};
        });
    });
    assert.ok(labels.length > 5);
    assert.deepEqual(labels.filter(({over}) => !(over <= 0)), []);
});

test("in a narrow window filters replace the title and are readable", async t => {
    const page = await open(t, "main;first_function;second_function 3\nmain;third 2\n", {viewport: {width: 390, height: 700}});
    await click(page, "first_function");
    await pointAt(page, "first_function");
    await press(page, "h");
    assert.equal(await text(page, "#title"), "");
    const {left, right} = await boxOf(page, ".chip bdi"), search = await boxOf(page, "#search");
    assert.ok(right - left > 60, `a chip of ${right - left} pixels`);
    assert.ok(search.left > right, "beside the search");
    assertNear((await boxOf(page, "#more")).right, 387, "buttons at the end of the bar", 4);
});

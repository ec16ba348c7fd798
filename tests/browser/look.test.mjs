import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {readFileSync} from "node:fs";
import {test} from "node:test";
import {pathToFileURL} from "node:url";

import {fileWith, picture} from "./lib/picture.mjs";
import {assertNear, frame, frames, newPage, open, pointAt, press, program, settled} from "./lib/viewer.mjs";

const deep = Array.from({length: 80}, (_, i) => `f${i}`);
const tall = `${deep.join(";")} 3\n${deep.slice(0, 5).join(";")};other 1\n`;

/* Where elements are in the window, and how far it is scrolled. */
const places = page => page.evaluate(() => [globalThis.scrollY,
    ...Array.from(document.querySelectorAll("#frames > :not(.out) > rect, #status, #bar"), element => {
        const {left, top, width, height} = element.getBoundingClientRect();
        return [left, top, width, height];
    })]);

async function untouched(t, wishes) {
    const page = await newPage(t, wishes ?? {});
    await page.goto(String(pathToFileURL(fileWith(picture(tall)))));
    return page;
}

test("programs that take pictures of pages find the root in one that is taller than the window", async t => {
    const shot = fileWith("", ".png"), flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"];
    execFileSync(program, [...flags, `--screenshot=${shot}`, "--window-size=600,400",
                           String(pathToFileURL(fileWith(picture(tall, ["--colors=blue"]))))], {stdio: "ignore"});
    const page = await newPage(t, {});
    const inks = await page.evaluate(async data => {
        const image = new Image();
        image.src = data;
        await image.decode();
        const context = Object.assign(document.createElement("canvas"),
                                      {width: image.width, height: image.height}).getContext("2d", {willReadFrequently: true});
        context.drawImage(image, 0, 0);
        const inkAt = y => {
            const [r, , b] = context.getImageData(60, y, 1, 1).data;
            return b > r + 40;
        };
        return Array.from({length: image.height}, (_, y) => inkAt(y));
    }, `data:image/png;base64,${readFileSync(shot).toString("base64")}`).catch(error => {
        throw new Error(`the screenshot cannot be read: ${error}`);
    });
    const inked = inks.slice(40, 360).filter(Boolean).length;
    assert.ok(inked > 280, `frames in ${inked} of 320 rows of pixels`);
    assert.ok(inks.lastIndexOf(true) < 380, "below the root is the status line");
});

test("when somebody comes the page is scrolled, and what is seen stays where it is", async t => {
    for (const comes of [page => page.mouse.move(300, 300), page => page.waitForTimeout(1500)]) {
        const page = await untouched(t);
        const [before, ...there] = await places(page);
        assert.equal(before, 0);
        await comes(page);
        const [after, ...then] = await places(page);
        assert.ok(after > 400, `scrolled by ${after}`);
        assert.deepEqual(then, there);
    }
});

test("before somebody comes the root stays in sight whatever the window's size", async t => {
    const page = await untouched(t);
    await page.setViewportSize({width: 900, height: 300});
    await page.waitForTimeout(100);
    const bottom = await page.evaluate(() => Math.max(...Array.from(document.querySelectorAll("#frames rect"),
        rect => rect.getBoundingClientRect().bottom)));
    assert.ok(bottom > 220 && bottom < 290, String(bottom));
});

test("frames that are hidden in a tall picture do not set the page in motion", async t => {
    const page = await open(t, tall, {viewport: {width: 1220, height: 700}});
    const bottomOfRoot = async () => (await frame(page, "all")).bottom, before = await bottomOfRoot();
    for (const name of ["f0", "f1"]) {
        await pointAt(page, name);
        await press(page, "h");
        await page.waitForTimeout(300);
        assertNear(await bottomOfRoot(), before, `the root's edge, ${name} hidden`);
    }
});

test("on paper the picture is as wide as the sheet, whole, and without anything floating", async t => {
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
    }
});

test("without a script, too, the picture is as wide as the sheet", async t => {
    const page = await open(t, tall, {javaScriptEnabled: false, viewport: {width: 600, height: 800}});
    await page.emulateMedia({media: "print"});
    const [svg, ...rects] = await page.evaluate(() => [":root", "#frames > * > rect"].flatMap(selector =>
        Array.from(document.querySelectorAll(selector), e => e.getBoundingClientRect().toJSON())));
    assertNear(svg.width, 600, "width");
    assertNear(Math.max(...rects.map(r => r.right)), 595, "right edge of the frames");
});

test("ink is for light paper, whatever the system's theme", async t => {
    const page = await open(t, tall, {colorScheme: "dark"});
    const paper = () => page.evaluate(() =>
        getComputedStyle(document.querySelector("#background stop")).stopColor);
    assert.equal(await paper(), "rgb(25, 26, 29)");
    await page.emulateMedia({media: "print", colorScheme: "dark"});
    await settled(page);
    assert.equal(await paper(), "rgb(238, 238, 238)");
});

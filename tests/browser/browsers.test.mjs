/* SPDX-License-Identifier: MIT */
/* The same actions in Chromium and in Firefox. Other tests cover the details in Chromium, and fingers in both. Only runs
 * with all repeats start Chromium's complete build; the one without a user interface shows the same pages. */
import assert from "node:assert/strict";

import {isExhaustive} from "./fixtures/random.mjs";
import {small} from "./fixtures/small.mjs";
import {missing} from "./lib/browsers.mjs";
import * as html from "./lib/html.mjs";
import {fileWith, picture} from "./lib/picture.mjs";
import {test} from "./lib/tests.mjs";
import * as svg from "./lib/viewer.mjs";

const {press, text} = svg;
const all = ["all 120", "idle 20 | main 100", "parse 60 | run 40", "lex 30 | read 10 | step 40",
             "next 30 | add 25 | jump 15"];
const sorted = lines => lines.map(line => line.split(" | ").sort().join(" | "));

/* The actions in each viewer. */
const viewers = {
    svg: {
        open: (t, browser) => svg.open(t, small, {browser}),
        rows: svg.rows,
        click: svg.click,
        search: svg.search,
        matched: svg.matched,
        point: svg.pointAt,
        file: () => picture(small),
        type: "image/svg+xml",
    },
    page: {
        open: (t, browser) => html.openHtml(t, small, {browser}),
        rows: html.rows,
        click: html.clickAt,
        search: svg.search,
        matched: html.matched,
        point: html.pointAt,
        file: () => html.htmlOf(small),
        type: "text/html",
    },
};

for (const browser of [isExhaustive ? "chromium" : "shell", "firefox"])
    for (const [name, viewer] of Object.entries(viewers))
        test(`${browser}, ${name}: open, zoom, search, keys, reset`, {skip: missing(browser)}, async t => {
            const page = await viewer.open(t, browser);
            const shows = async lines => assert.deepEqual(sorted(await viewer.rows(page)), sorted(lines));
            await shows(all);
            await viewer.click(page, "run");
            await shows(["all 120", "main 100", "run 40", "step 40", "add 25 | jump 15"]);
            await press(page, "0");
            await shows(all);
            await viewer.search(page, "^(lex|step)$");
            assert.match(await text(page, "#matched"), /58\.3/);
            assert.deepEqual((await viewer.matched(page)).sort(), ["lex", "step"]);
            await press(page, "Escape");
            assert.deepEqual(await viewer.matched(page), []);
            await viewer.search(page, "a(b");
            assert.match(await text(page, "#matched"), /^Invalid expression: \w+/);
            await press(page, "Escape");
            await viewer.point(page, "parse");
            await press(page, "d");
            await shows(["all 60", "idle 20 | main 40", "run 40", "step 40", "add 25 | jump 15"]);
            await press(page, "u");
            await shows(all);
        });

/* Returns the brightness of the paper behind the frames, 0 to 1. */
const paper = page => page.evaluate(() => {
    const stop = document.querySelector("#background stop"), style = getComputedStyle(stop ?? document.body);
    const [r, g, b] = (stop === null ? style.backgroundColor : style.stopColor).match(/\d+/g).map(Number);
    return (r + g + b) / 765;
});

for (const [name, viewer] of Object.entries(viewers)) {
    test(`firefox, ${name}: the theme follows the dark system`, {skip: missing("firefox")}, async t => {
        assert.ok(await paper(await viewer.open(t, "firefox")) < 0.2);
    });

    test(`firefox, ${name}: without scripts the picture or the table is there`, {skip: missing("firefox")}, async t => {
        const page = await svg.newPage(t, {browser: "firefox"});
        const seen = await page.evaluate(([text, type]) => new Promise(done => {
            const frame = document.createElement("iframe");
            frame.sandbox = "allow-same-origin"; /* no scripts */
            frame.src = URL.createObjectURL(new Blob([text], {type}));
            frame.onload = () => done(Array.from(frame.contentDocument.querySelectorAll("#frames text, #fallback td:last-child"))
                .filter(e => e.getBoundingClientRect().width > 0).map(e => e.textContent.trim()));
            document.body.append(frame);
        }), [String(viewer.file()), viewer.type]);
        for (const name of ["lex", "read", "add"]) assert.ok(seen.includes(name), `${name} in ${seen.join()}`);
    });
}

/* A picture of 61 rows in a box of 300 pixels, with half of them above it. */
const tall = `${Array.from({length: 60}, (_, i) => `f${i}`).join(";")} 50\nf0;other 50\n`;

for (const browser of [isExhaustive ? "chromium" : "shell", "firefox"])
    for (const [box, address] of [["object", "data"], ["embed", "src"]])
        test(`${browser}: a lower <${box}> scrolls the picture and shows its root first`, {skip: missing(browser)}, async t => {
            const source = fileWith(picture(tall));
            const page = await svg.openFile(t, fileWith(`<!doctype html><title>t</title><style>body { margin: 0 }</style>
                <${box} ${address}="${source}" type="image/svg+xml" width="800" height="300"></${box}>`, ".html"), {browser});
            await page.waitForFunction(() => document.querySelector("object, embed").getBoundingClientRect().width === 800);
            const inner = page.frames()[1];
            await inner.waitForSelector(".live #frames text");
            const seen = async () => (await inner.evaluate(() => new Promise(done => requestAnimationFrame(() => setTimeout(done))).then(() =>
                Array.from(document.querySelectorAll("#frames > :not(.out) > text"))
                    .filter(e => e.getBoundingClientRect().top > 30 && e.getBoundingClientRect().bottom < 260).map(e => e.textContent))));
            const details = () => inner.evaluate(() => document.querySelector("#details").textContent);
            assert.ok((await seen()).includes("all"), "the root");
            await page.mouse.click(300, 150);
            assert.match(await details(), /^Function: f\d+ /);
            await page.mouse.move(300, 140);
            await page.mouse.wheel(0, -400);
            await inner.waitForFunction(() => !document.documentElement.getAttribute("viewBox").startsWith("0 7"));
            assert.ok(!(await seen()).includes("all"));
            await page.keyboard.press("Home");
            assert.ok((await seen()).includes("f59"), "the innermost frame");
            await page.keyboard.press("End");
            assert.ok((await seen()).includes("all"), "the root again");
            const status = await inner.evaluate(() => document.querySelector("#status").getBoundingClientRect().bottom);
            assert.ok(Math.abs(status - 300) < 1, `the status line ends at ${status}`);
            for (const key of ["0", "i"]) await page.keyboard.press(key);
            assert.ok((await seen()).includes("all"), "upside down");
        });

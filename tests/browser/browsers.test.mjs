/* The same actions in Chromium and in Firefox. Other tests cover the details in Chromium. */
import assert from "node:assert/strict";
import {test} from "node:test";

import {small} from "./fixtures/small.mjs";
import {missing} from "./lib/browsers.mjs";
import * as html from "./lib/html.mjs";
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
    },
    page: {
        open: (t, browser) => html.openHtml(t, small, {browser}),
        rows: html.rows,
        click: html.clickAt,
        search: svg.search,
        matched: html.matched,
        point: html.pointAt,
    },
};

for (const browser of ["chromium", "firefox"])
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

/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";

import {small} from "./fixtures/small.mjs";
import {fileWith, picture} from "./lib/picture.mjs";
import {test} from "./lib/tests.mjs";
import {hash, openFile, settled} from "./lib/viewer.mjs";

/* Returns the picture's root element for use within an HTML page. */
const inline = folded => String(picture(folded)).replace(/^[^]*?(?=<svg)/, "");

async function labels(page, i) {
    await settled(page);
    return page.evaluate(i => Array.from(
        document.querySelectorAll("svg.live")[i].querySelectorAll("#frames > :not(.out) title"))
        .map(e => e.textContent.split(" ")[0]).sort(), i);
}

async function clickOn(page, i, name) {
    await settled(page);
    const {x, y} = await page.evaluate(([i, name]) => {
        const titles = document.querySelectorAll("svg.live")[i].querySelectorAll("#frames title");
        const rect = Array.from(titles).find(e => e.textContent.startsWith(`${name} `)).nextElementSibling;
        rect.scrollIntoView();
        const {left, top} = rect.getBoundingClientRect();
        return {x: left + 5, y: top + 5};
    }, [i, name]);
    await page.mouse.click(x, y);
}

test("several pictures in one page work independently and do not change its address", async t => {
    const body = `${inline(small)}<p>between</p>${inline("other;x 3\nother;y 1\n")}`;
    const path = fileWith(`<!doctype html><meta charset="utf-8"><title>t</title>${body}`, ".html");
    const page = await openFile(t, path, {hash: "#s=x"});
    assert.equal((await labels(page, 0)).length, 11);
    assert.deepEqual(await labels(page, 1), ["all", "other", "x", "y"]);
    await clickOn(page, 1, "x");
    assert.deepEqual(await labels(page, 1), ["all", "other", "x"]);
    assert.equal((await labels(page, 0)).length, 11);
    await clickOn(page, 0, "lex");
    assert.deepEqual(await labels(page, 0), ["all", "lex", "main", "next", "parse"]);
    assert.deepEqual(await labels(page, 1), ["all", "other", "x"]);
    assert.equal(await hash(page), "#s=x");
});

test("keys go to the picture that was clicked", async t => {
    const path = fileWith(`<!doctype html><meta charset="utf-8"><title>t</title>${inline(small)}${inline(small)}`,
                          ".html");
    const page = await openFile(t, path);
    await clickOn(page, 1, "lex");
    await page.keyboard.press("h");
    assert.ok((await labels(page, 0)).includes("lex"));
    assert.ok(!(await labels(page, 1)).includes("lex"));
});

test("a picture in an iframe works like a separate one", async t => {
    const source = fileWith(picture(small));
    const page = await openFile(t, fileWith(`<!doctype html><title>t</title>
        <object data="${source}#drop=idle" type="image/svg+xml" width="800" height="300"></object>`, ".html"));
    await page.waitForFunction(() => document.querySelector("object").getBoundingClientRect().width === 800);
    const frame = page.frames()[1];
    await frame.waitForSelector(".chip");
    await settled(frame);
    assert.equal(await frame.evaluate(() => document.querySelectorAll("#frames > :not(.out)").length), 10);
});

/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";

import {fileWith} from "./lib/picture.mjs";
import {test} from "./lib/tests.mjs";
import {click, open, press, rows, state, text} from "./lib/viewer.mjs";

const folded = "main;parse;read 10\nmain;parse;parse;read 5\nmain;write 15\nmain;lex 20\n";
const target = fileWith("<p>here</p>", ".html");
const given = [
    `read\thref=file://${target}\ttitle="reads <b> & \"more\""\tclass=io\ta_extra=rel=help data-x="1 2"`,
    "write\thref=docs/write.html\ttarget=_blank",
    "lex\tid=l\tg_extra=data-y=3",
    "main\tid=m\tclass=outer",
];
const options = ["--nameattr=" + fileWith(given.join("\n") + "\n", ".attr")];

/* Returns the visible elements of a name: their types and attributes. */
const elements = (page, name) => page.evaluate(name => {
    const wanted = ["xlink:href", "target", "class", "rel", "data-x", "data-y", "id"];
    return Array.from(document.querySelectorAll("#frames > :not(.out)"))
        .filter(e => e.getAttribute("fg:name") === name)
        .map(e => [e.localName, ...wanted.filter(a => e.hasAttribute(a) && e.getAttribute(a) !== "")
            .map(a => `${a}=${e.getAttribute(a)}`)]);
}, name);

const titles = (page, name) => page.evaluate(name =>
    Array.from(document.querySelectorAll("#frames > :not(.out)"))
        .filter(e => e.getAttribute("fg:name") === name).map(e => e.firstElementChild.textContent), name);

/* Returns the centre of the first frame of a name. */
const place = (page, name) => page.evaluate(name => {
    const frame = Array.from(document.querySelectorAll("#frames > :not(.out)"))
        .find(e => e.getAttribute("fg:name") === name);
    const {left, right, top, bottom} = frame.children[1].getBoundingClientRect();
    return [(left + right) / 2, (top + bottom) / 2];
}, name);

const read = ["a", `xlink:href=file://${target}`, "target=_top", "class=io", "rel=help", "data-x=1 2"];

test("functions get the links, titles and attributes given in the file", async t => {
    const page = await open(t, folded, {options});
    assert.deepEqual(await elements(page, "read"), [read, read]);
    assert.deepEqual(await elements(page, "write"),
                     [["a", "xlink:href=docs/write.html", "target=_blank"]]);
    assert.deepEqual(await elements(page, "lex"), [["g", "data-y=3", "id=l"]]);
    assert.deepEqual(await titles(page, "read"), ["reads <b> & \"more\"", "reads <b> & \"more\""]);
    assert.deepEqual(await titles(page, "lex"), ["lex (20 samples, 40.00%)"]);
});

test("a click follows a link, with Ctrl it zooms, and Enter zooms", async t => {
    const page = await open(t, folded, {options});
    await page.keyboard.down("Control");
    await page.mouse.click(...await place(page, "write"));
    await page.keyboard.up("Control");
    assert.equal(await text(page, "#path"), "all›main›write");
    await press(page, "0");
    await page.mouse.move(...await place(page, "write"));
    await press(page, "Enter");
    assert.equal(await text(page, "#path"), "all›main›write");
    await press(page, "0");
    await page.mouse.click(...await place(page, "read"));
    await page.waitForURL(`file://${target}`);
    assert.equal(await page.textContent("p"), "here");
});

test("a function is found and hidden by its name, whatever its title is", async t => {
    const page = await open(t, folded, {options});
    await page.mouse.move(...await place(page, "read"));
    assert.equal(await text(page, "#details"), "Function: read (5 samples, 10.00%)");
    await press(page, "a");
    assert.match(await text(page, "#sums"), /^2 frames, total 15 samples \(30.00%\), self 15 samples/);
    await press(page, "Escape");
    await page.mouse.move(...await place(page, "write"));
    await press(page, "h");
    assert.deepEqual(await state(page), [["hide", "write"]]);
    assert.deepEqual(await elements(page, "write"), []);
});

test("functions keep their links in every derived tree, and no others get them", async t => {
    const page = await open(t, folded, {options});
    for (const [keys, count, outer] of [[["m"], 1, 1], [["m", "r"], 1, 4], [["r"], 2, 1]]) {
        await press(page, ...keys);
        assert.deepEqual((await elements(page, "main")).map(e => e.slice(0, 2)),
                         Array(outer).fill(["g", "class=outer"]));
        assert.deepEqual(await elements(page, "read"), Array(count).fill(read), keys.join());
        assert.equal(new Set(await titles(page, "read")).size, 1);
        assert.deepEqual((await elements(page, "lex")).map(e => e[0]), ["g"]);
        const strangers = await page.evaluate(() => Array.from(document.querySelectorAll("#frames > a"))
            .filter(e => !["read", "write"].includes(e.getAttribute("fg:name"))).length);
        assert.equal(strangers, 0);
    }
});

test("attributes that could run a script are left out, and the picture works", async t => {
    const hostile = [
        "main\thref=javascript:alert(1)\tg_extra=onclick=alert(2) onload=\"alert(3)\"",
        "parse\ttitle=</title><script>alert(4)</script>]]>\tclass=\"x\" onclick=alert(5)\"",
        "read\thref=\" JavaScript:alert(6)\"\ta_extra=style=fill:url(https://example.org/x)",
        "write\thref=https://example.org/?a=\"><script>alert(7)</script>\tid=frames",
        "lex\thref=data:text/html,<script>alert(8)</script>\tid=about\tg_extra=xlink:href=javascript:alert(9)",
    ];
    const path = fileWith(hostile.join("\n") + "\n", ".attr");
    const page = await open(t, folded, {options: [`--nameattr=${path}`]});
    const found = await page.evaluate(() => ({
        scripts: document.querySelectorAll("script").length,
        handlers: Array.from(document.querySelectorAll("*")).flatMap(e => e.getAttributeNames())
            .filter(name => /^on/i.test(name)),
        links: Array.from(document.querySelectorAll("a"), a => a.href.baseVal.slice(0, 20)),
        styles: Array.from(document.querySelectorAll("#frames [style]")).length,
    }));
    assert.deepEqual(found, {scripts: 1, handlers: [], links: ["https://example.org/"], styles: 0});
    await page.mouse.click(...await place(page, "parse"));
    assert.equal(await text(page, "#path"), "all›main›parse›parse");
    await press(page, "0", "r", "i");
    assert.deepEqual(await titles(page, "parse"), Array(2).fill("</title><script>alert(4)</script>]]>"));
});

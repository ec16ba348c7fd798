/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";

import {sample} from "./fixtures/random.mjs";
import {clickAt, frames, htmlOf, openHtml, pointAt, rows, table} from "./lib/html.mjs";
import {test} from "./lib/tests.mjs";
import {finish, frames as framesOfPicture, open, press, text} from "./lib/viewer.mjs";

const long = "long_".repeat(2000);
const names = [
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "<!--<script>",
    "-->",
    "]]><script>alert(3)</script>",
    "<img src=x onerror=alert(4)>",
    "\" onload=\"alert(5)",
    "' onclick='alert(6)",
    "&lt&amp &#60script&#62",
    "</title></style></head>",
    "line\u2028separator\u2029paragraph",
    "\u202egnp.exe \u2066abc\u2069 \u200f\u05d0\u05d1",
    "\ud83d\ude80\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67 rocket",
    "javascript:alert(7)",
    "${alert(8)} {{alert(9)}} %s %n \\u003cscript\\u003e \\",
    "__proto__",
    "constructor",
    "toString",
    "a  b",
    long,
];
const folded = names.map(name => `main;${name};leaf 10`).join("\n") + "\n";

/* Replaces characters that change the direction of text or lines. */
const shown = name => name.replace(/[\u200f\u2028\u2029\u202e\u2066\u2069]/g, "\ufffd");

async function assertInert(page) {
    const found = await page.evaluate(() => ({
        scripts: document.querySelectorAll("script").length,
        strange: Array.from(document.querySelectorAll("img, a, iframe, object, embed, svg"), e => e.outerHTML),
        handlers: Array.from(document.querySelectorAll("*")).flatMap(e => e.getAttributeNames())
            .filter(name => /^on/i.test(name)),
    }));
    assert.deepEqual(found, {scripts: 2, strange: [], handlers: []});
}

test("names of any text are shown literally and have no effect", async t => {
    const page = await openHtml(t, folded);
    const found = (await frames(page)).map(f => f.name).filter(n => !["all", "main", "leaf"].includes(n));
    assert.deepEqual(found.sort(), [...names].sort());
    await assertInert(page);
});

test("a name is inert wherever it is shown", async t => {
    const page = await openHtml(t, folded), before = await rows(page);
    for (const name of sample(names, 3)) {
        await press(page, "0");
        await pointAt(page, name);
        assert.equal(await text(page, "#tooltip .name"), shown(name));
        await press(page, ".");
        assert.equal(await text(page, "#menu .heading"), shown(name));
        await press(page, "Escape", "a");
        assert.match(await text(page, "#matched"), /^Highlighted: 5.00% \(1 frame, total 10 samples, self 0 samples\)$/, name);
        await press(page, "Escape");
        await pointAt(page, name);
        await press(page, "h");
        assert.equal(await text(page, "#chips"), `hidden: ${shown(name)} ×`);
        assert.ok(!(await frames(page)).some(f => f.name === name), name);
        await press(page, "u");
        assert.deepEqual(await rows(page), before);
        await clickAt(page, name);
        assert.equal(await text(page, "#path"), `all›main›${shown(name)}`);
        await press(page, "s");
        assert.ok((await text(page, "#sandwich h2")).startsWith(`Callers of ${shown(name)} (`), name);
        await assertInert(page);
        await press(page, "1");
    }
    await press(page, "4");
    assert.ok((await table(page)).length > 15);
    await assertInert(page);
});

test("names in the address of a page are inert, all together", async t => {
    const page = await openHtml(t, folded);
    for (const name of names) {
        await pointAt(page, name);
        await press(page, "h");
    }
    const chips = names.map(name => `hidden: ${shown(name)} ×`).join("");
    assert.equal(await text(page, "#chips"), chips);
    await page.reload();
    assert.equal(await text(page, "#chips"), chips);
    assert.ok(!(await frames(page)).some(f => names.includes(f.name)));
    await assertInert(page);
});

test("a title may be any text, too", async t => {
    const attack = "</title><script>alert(1)</script>\"'&]]>-->";
    const page = await openHtml(t, "main;a 1\n", {options: ["--set", `html.title=${attack}`]});
    assert.equal(await text(page, "#title"), attack);
    assert.equal(await page.title(), attack);
    await assertInert(page);
});

test("the data contains no HTML markup", () => {
    const page = htmlOf(folded).toString(), start = page.indexOf('id="profile">');
    const data = page.slice(start + 13, page.indexOf("</script>", start));
    assert.ok(!/[<>&]/.test(data));
    assert.deepEqual(JSON.parse(data).texts.filter(text => text === long).length, 1);
});

test("bytes that are not valid text do no harm", async t => {
    const bytes = Buffer.concat([Buffer.from("main;"), Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80]),
                                 Buffer.from(";leaf 1\n")]);
    const page = await openHtml(t, bytes);
    assert.equal((await frames(page)).length, 4);
    await assertInert(page);
});

test("the page refers to no other resources, and its policy forbids loading any", () => {
    const page = htmlOf("main;a 1\n").toString();
    assert.match(page, /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; /);
    assert.ok(!/https?:|url\(|@import|@font-face/.test(page));
});

/* Two weights: functions of many packages, of which each weight has others in front, and some have none. */
const packages = Array.from("abcdefghijklmnopqrstuvwxyz", (c, i) => [`${c.repeat(3)}::work`, i < 6 ? 0 : 10 + i, i < 18 ? 50 - i : 0]);
const weights = `version: 1
creator: xdebug 3.1.0 (PHP 8.1.0)
cmd: /app.php
part: 1
positions: line

events: Time_(10ns) Memory_(bytes)

${packages.map(([name, ...own]) => `fl=/app.php\nfn=${name}\n2 ${own.join(" ")}\n`).join("\n")}
fl=/app.php
fn={main}
1 1 1
${packages.map(([name, ...own]) => `cfl=/app.php\ncfn=${name}\ncalls=1 0 0\n1 ${own.join(" ")}`).join("\n")}
`;

const entriesOf = (page, entries) => page.evaluate(at => Array.from(document.querySelectorAll(at), e => e.textContent), entries);

test("frames and the legend have the colours of the picture, whichever weight is shown", async t => {
    const options = ["--from=callgrind", "--palette=package,hot"], page = await openHtml(t, weights, {options});
    const colors = found => Object.fromEntries(found.map(f => [f.name, f.fill ?? f.color]).sort());
    for (const weight of ["Time", "Memory"]) {
        const picture = await open(t, weights, {options: [...options, "-w", weight]});
        const expected = colors(await framesOfPicture(picture));
        assert.ok(Object.keys(expected).length > 18);
        assert.deepEqual(colors(await frames(page)), expected, weight);
        const legend = await entriesOf(picture, "#legend text");
        assert.ok(legend.length > 9, legend.join());
        assert.deepEqual(await entriesOf(page, "#legend .entry"), legend, weight);
        await finish(picture);
        await press(page, "w");
    }
});

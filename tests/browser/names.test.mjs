/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";

import {sample} from "./fixtures/random.mjs";
import {picture} from "./lib/picture.mjs";
import {test} from "./lib/tests.mjs";
import {click, finish, frame, frames, open, pointAt, press, rows, state, text, whenSettled} from "./lib/viewer.mjs";

const long = "long_".repeat(2000);
const names = [
    "<script>alert(1)</script>",
    "</text></g></svg><script>alert(2)</script>",
    "<img src=x onerror=alert(3)>",
    "\" onload=\"alert(4)",
    "' onclick='alert(5)",
    "]]><script>alert(6)</script>",
    "--><!-- ]]>",
    "&lt&amp &#60script&#62",
    "std::vector<int, std::allocator<int> >::operator[](unsigned long)",
    "javascript:alert(7)",
    "${alert(8)} {{alert(9)}} %s %n",
    "\u202egnp.exe \u2066abc\u2069 \u200f\u05d0\u05d1\u061c\ufeff",
    "\u0627\u0644\u0639\u0631\u0628\u064a\u0629",
    "\ud83d\ude80\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67 rocket",
    "tab\there\u0007bell\u001b[31mred\u007f",
    "x (5 samples, 3.00%)",
    "__proto__",
    "constructor",
    "a  b",
    long,
];
const folded = names.map(name => `main;${name};leaf 10`).join("\n") + "\n";

/* Replaces control characters by Unicode's pictures of them: names in addresses. */
const stored = name => name.replace(/[\0-\x1f]/g, c => String.fromCharCode(0x2400 + c.charCodeAt(0)))
    .replaceAll("\x7f", "\u2421");

/* Replaces characters that change the direction of text as well. */
const shown = name => stored(name).replace(/[\u200f\u202e\u2066\u2069\u061c\ufeff]/g, "\ufffd");

/* Checks that the page contains only elements created by the viewer. */
async function assertInert(page) {
    const found = await page.evaluate(() => ({
        scripts: document.querySelectorAll("script").length,
        strange: Array.from(document.querySelectorAll("img, a, iframe, object, embed, image, use"))
            .map(e => e.outerHTML),
        handlers: Array.from(document.querySelectorAll("*")).flatMap(e => e.getAttributeNames())
            .filter(name => /^on/i.test(name)),
    }));
    assert.deepEqual(found, {scripts: 1, strange: [], handlers: []});
}

test("names of any text are shown literally and have no effect", async t => {
    const page = await open(t, folded);
    const found = (await frames(page)).map(f => f.name).filter(name => !["all", "main", "leaf"].includes(name));
    assert.deepEqual(found.sort(), names.map(shown).sort());
    await assertInert(page);
});

test("a name is inert wherever it is shown", async t => {
    const page = await open(t, folded), before = await rows(page);
    for (const name of sample(names, 3)) {
        const as = shown(name);
        await press(page, "0", "Escape");
        await pointAt(page, as);
        assert.equal(await text(page, "#details"), `Function: ${as} (10 samples, 5.00%)`);
        await press(page, ".");
        assert.equal(await text(page, "#menu .heading"), as);
        await press(page, "Escape", "a");
        assert.match(await text(page, "#sums"), /^1 frame, total 10 samples/, as);
        await press(page, "Escape", "h");
        assert.equal(await text(page, ".chips"), `hidden: ${as} ×`);
        assert.deepEqual(await state(page), [["hide", stored(name)]]);
        assert.ok(!(await frames(page)).some(f => f.name === as), as);
        await press(page, "u");
        assert.deepEqual(await rows(page), before);
        await click(page, as);
        assert.equal(await text(page, "#path"), `all›main›${as}`);
        const {label} = await frame(page, as);
        assert.ok(name === long ? label.endsWith("long_") : label === as, label);
        await assertInert(page);
    }
});

test("pictures in the style of other tools keep names and plurals as these write them", async t => {
    const name = "\u202egnp.exe", folded = `main;${name} 1\n`;
    const seen = async options => {
        const {title, label} = (await frames(await open(t, folded, {options}))).at(-1);
        return [title, label];
    };
    assert.deepEqual(await seen([]), ["\ufffdgnp.exe (1 sample, 100.00%)", "\ufffdgnp.exe"]);
    assert.deepEqual(await seen(["--no-compact"]), [`${name} (1 samples, 100.00%)`, name]);
    const labels = picture(folded).toString().match(/<text[^>]*>[^<]*gnp[^<]*/g);
    assert.ok(labels.length === 1 && labels[0].endsWith(">\ufffdgnp.exe"), labels.join());
});

test("titles and other texts of a picture may be any text", async t => {
    const attack = "</text><script>alert(1)</script>\"'&]]>-->";
    const options = ["title", "subtitle", "countname", "nametype", "notes", "fonttype"]
        .map(option => `--${option}=${attack}`);
    const page = await open(t, "main;a 1\n", {options});
    assert.equal(await text(page, "#title"), attack);
    assert.equal(await text(page, "#subtitle"), attack);
    await assertInert(page);
});

test("bytes that are not valid text do no harm", async t => {
    const bytes = Buffer.concat([Buffer.from("main;"), Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80]),
                                 Buffer.from(";leaf 1\n")]);
    const page = await open(t, bytes);
    assert.equal((await frames(page)).length, 4);
    await assertInert(page);
});

test("right-to-left text in a name does not move the numbers beside it", async t => {
    const name = "\u05d0\u05d1\u05d2\u202e(1)", page = await open(t, `main;${name} 3\nmain;b 1\n`);
    await pointAt(page, shown(name));
    const [figures, bdi] = await page.evaluate(() => {
        const details = document.querySelector("#details"), range = document.createRange();
        range.selectNodeContents(details.lastChild);
        return [range, details.querySelector("bdi")].map(e => e.getBoundingClientRect().left);
    });
    assert.ok(figures > bdi, "figures come after the name");
});

/* Frames of widths up to a few hundred pixels. */
const cut = ["findObject", "ns::Parser<std::pair<int, int>>::next(int)", "load (app/models.py:12)", "main.(*Server).Serve", "f"]
    .flatMap((name, i) => Array.from({length: 9}, (_, k) => `main;w${i}${k};${name} ${k + 1}`)).join("\n") + "\n";

for (const [style, options, sign] of [["smart", [], "…"], ["tail", ["--label=tail"], ".."]])
    test(`a label that is cut shows it: ${style}`, async t => {
        for (const javaScriptEnabled of [true, false]) {
            const page = await open(t, cut, {options: ["--width=6000", ...options], javaScriptEnabled});
            const labels = await whenSettled(page, () => Array.from(document.querySelectorAll("#frames text"), e => e.textContent));
            const isWhole = label => label === "all" || cut.split("\n").some(line => line.replace(/ \d+$/, "").split(";").includes(label));
            const shown = labels.filter(label => label !== "" && !isWhole(label));
            assert.ok(shown.length > 12, `${shown.length} labels are cut`);
            assert.deepEqual(shown.filter(label => !label.includes(sign)), []);
            await finish(page);
        }
    });

/* SPDX-License-Identifier: MIT */
/* Checks speedscope files against speedscope's schema, and with speedscope itself. */
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {test} from "node:test";
import Ajv from "ajv";

import {open, repeat} from "./lib/browser.mjs";
import {converted, described, fileWith, goldenCases, goldenInput, packageFile, written} from "./lib/written.mjs";

const release = packageFile("speedscope/dist/release");
const schema = JSON.parse(readFileSync(`${release}/file-format-schema.json`, "utf8"));
const check = new Ajv({allErrors: true, strict: false}).compile(schema);

const stacks = "main;parse;read 40\nmain;parse;lex 25\nmain;emit;write 20\nmain 5\n";

/* Checks that frames end in the opposite order of their beginnings, and that times do not decrease. */
function assertBalanced(profile, frames) {
    const open = [];
    let now = profile.startValue;
    for (const {type, frame, at} of profile.events) {
        assert.ok(at >= now && frame < frames);
        now = at;
        if (type === "O") open.push(frame);
        else assert.equal(open.pop(), frame);
    }
    assert.deepEqual(open, []);
    assert.ok(now <= profile.endValue);
}

function assertGood(text) {
    const file = JSON.parse(text);
    assert.ok(check(file), JSON.stringify(check.errors, null, 2));
    for (const profile of file.profiles) {
        if (profile.type === "evented") {
            assertBalanced(profile, file.shared.frames.length);
            continue;
        }
        assert.equal(profile.samples.length, profile.weights.length);
        assert.ok(profile.samples.flat().every(frame => frame < file.shared.frames.length));
    }
    assert.ok(file.activeProfileIndex < file.profiles.length);
}

/* ---- schema ---- */

test("the schema rejects other files", () => {
    assert.ok(!check({}));
    const broken = JSON.parse(written("speedscope", stacks));
    broken.profiles[0].unit = "apples";
    assert.ok(!check(broken));
});

for (const [name, path] of goldenCases("speedscope"))
    test(`the schema accepts ${name}`, () => assertGood(readFileSync(path, "utf8")));

test("the schema accepts thousands of stacks", () => {
    const many = Array.from({length: 5000}, (_, i) => `main;f${i % 70};g${i} ${i + 1}`).join("\n");
    assertGood(written("speedscope", many));
});

/* ---- program ---- */

/* Returns {name: [total, self]} from speedscope's table of functions, without percentages. */
async function table(t, text, profile = 0) {
    const page = await open(t, `${release}/index.html`);
    await page.setInputFiles("input[type=file]", fileWith(text, ".speedscope.json"));
    await page.waitForFunction(() => document.title.endsWith(" - speedscope"));
    for (let i = 0; i < profile; i++) await page.keyboard.press("n");
    await page.keyboard.press("3");
    const shown = await page.waitForFunction(() => {
        const rows = Array.from(document.querySelectorAll("table tr"))
            .filter(row => row.checkVisibility())
            .map(row => Array.from(row.querySelectorAll("td"), cell => cell.innerText.trim()))
            .filter(cells => cells.length === 3);
        return rows.length > 0 && rows;
    });
    const rows = await shown.jsonValue();
    const count = cell => cell.replace(/ \(.*/s, "");
    return {title: await page.title(),
            rows: Object.fromEntries(rows.map(([total, self, name]) =>
                [name, [count(total), count(self)]]))};
}

test("speedscope shows the names and weights of folded stacks", async t => {
    const {title, rows} = await table(t, written("speedscope", stacks, ["--name", "a run"]));
    assert.equal(title, "a run - speedscope");
    assert.deepEqual(rows, {main: ["90", "5"], parse: ["65", "0"], read: ["40", "40"],
                            lex: ["25", "25"], emit: ["20", "0"], write: ["20", "20"]});
});

test("speedscope shows a profile for each label", async t => {
    const text = "weights: samples/samples\ntag: host=a\nmain;f 3\ntag: host=b\nmain;f 5\nmain 20\n";
    const file = written("speedscope", text, described);
    assertGood(file);
    assert.deepEqual(JSON.parse(file).profiles.map(profile => profile.name), ["host=a", "host=b"]);
    assert.deepEqual((await table(t, file)).rows, {main: ["25", "20"], f: ["5", "5"]});
});

test("speedscope shows the selected weight and has the others", async t => {
    const twice = "main;a 10 4\nmain;b 0 6\nmain 1 1\n";
    const after = await table(t, written("speedscope", twice, ["--weight", "after"]));
    assert.deepEqual(after.rows, {main: ["11", "1"], a: ["4", "4"], b: ["6", "6"]});
    const before = await table(t, written("speedscope", twice, ["--weight", "before"]));
    assert.deepEqual(before.rows, {main: ["11", "1"], a: ["10", "10"]});
    const next = await table(t, written("speedscope", twice, ["--weight", "before"]), 1);
    assert.deepEqual(next.rows, after.rows);
});

repeat("speedscope shows names with HTML markup literally", async t => {
    const {rows} = await table(t, written("speedscope", "<b>main</b>;\"a\" & 'b';\\x 3\n"));
    assert.deepEqual(rows, {"<b>main</b>": ["3", "0"], "\"a\" & 'b'": ["3", "0"],
                            "\\x": ["3", "3"]});
});

const perf = `one 7/8 10.5: 5000 cpu-clock:\n\t1 leaf (/bin/app)\n\t2 main (/bin/app)\n
one 7/8 10.75: 5000 cpu-clock:\n\t2 main (/bin/app)\n
two 7/9 10.5: 7000 cpu-clock:\n\t2 main (/bin/app)\n\n`;

test("speedscope shows each thread, with the heaviest one first", async t => {
    const text = written("speedscope", perf, ["--from", "perf"]);
    assertGood(text);
    const {title, rows} = await table(t, text);
    assert.match(title, /profile/);
    assert.deepEqual(rows, {one: ["10.00µs", "0.00ns"], main: ["10.00µs", "5.00µs"], leaf: ["5.00µs", "5.00µs"]});
    const next = await table(t, text, 1);
    assert.deepEqual(next.rows, {two: ["7.00µs", "0.00ns"], main: ["7.00µs", "7.00µs"]});
});

repeat("speedscope shows the same of a file and its copy", async t => {
    const path = goldenInput("speedscope/evented.json");
    const copy = converted("speedscope", path).toString();
    assertGood(copy);
    for (const profile of [0, 1]) {
        const before = await table(t, readFileSync(path, "utf8"), profile);
        assert.ok(Object.keys(before.rows).length > 0);
        assert.deepEqual((await table(t, copy, profile)).rows, before.rows);
    }
});

test("speedscope counts recursion once", async t => {
    const {rows} = await table(t, written("speedscope", "main;f;f;f 7\n"));
    assert.deepEqual(rows, {main: ["7", "0"], f: ["7", "7"]});
});

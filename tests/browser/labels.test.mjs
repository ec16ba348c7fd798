/* SPDX-License-Identifier: MIT */
/* Tests the parts of the viewers' script that the program has in C too, with the same tables. */
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {join} from "node:path";

import {test} from "./lib/tests.mjs";

const source = process.env.BRAZIER_SOURCE;
const read = path => readFileSync(join(source, path), "utf8");
const rows = path => read(path).split("\n").filter(line => line !== "").map(line => line.split("\t"));

/* Evaluates an expression after running the files of the script. */
const scope = (files, expression) =>
    new Function(files.map(file => read(`plugins/output/common/viewer/${file}`)).join("\n") + `\nreturn ${expression};`)();

test("names are shortened as in the program", () => {
    const shortName = scope(["names.js"], "shortName"), table = rows("tests/unit/plugins/labels.tsv");
    assert.ok(table.length > 50);
    for (const [name, room, label] of table)
        assert.equal(shortName(name, text => Array.from(text).length <= Number(room)), label, `${name} in ${room}`);
});

test("frames are unnamed as in the program", () => {
    const isUnnamed = scope(["names.js"], "isUnnamed"), table = rows("tests/unit/names/unnamed.tsv");
    assert.ok(table.length > 20);
    for (const [is, name] of table) assert.equal(isUnnamed(name), is === "1", name);
});

test("weights are formatted as in the program", () => {
    const format = scope(["amounts.js"], "(value, weight) => amountWithWord(value, amountScale(weight))");
    for (const [unit, decimals, value, text] of rows("tests/unit/plugins/amounts.tsv"))
        assert.equal(format(Number(value), {name: "cycles", unit, decimals: Number(decimals)}), text);
});

test("only nothing has a share of zero", () => {
    const format = scope(["amounts.js"], "percentText");
    for (const [percent, text] of rows("tests/unit/plugins/shares.tsv")) assert.equal(format(Number(percent) / 100), text);
});

test("text is black or white with a contrast of at least 4.5", () => {
    const {luminance, isBlackInk} = scope(["ink.js"], "({luminance, isBlackInk})");
    for (let rgb = 0; rgb < 1 << 24; rgb += 4099) {
        const l = luminance(rgb) + 0.05, contrast = isBlackInk(rgb) ? l / 0.05 : 1.05 / l;
        assert.ok(contrast >= 4.5, `#${rgb.toString(16)}: ${contrast}`);
    }
});

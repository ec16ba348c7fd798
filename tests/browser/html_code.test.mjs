/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {after} from "node:test";
import {fileURLToPath} from "node:url";

import {clickAt, settled} from "./lib/html.mjs";
import {openFile, text} from "./lib/viewer.mjs";
import {test} from "./lib/tests.mjs";

const top = mkdtempSync(join(tmpdir(), "brazier-code-"));
after(() => rmSync(top, {recursive: true, force: true}));

/* Eight samples in the function loop of a program, two in another one: as in tests/cli/annotate.py, which writes both. */
const fixture = fileURLToPath(new URL("fixtures/code", import.meta.url));

async function openPage(t, input, words, to) {
    const file = join(top, to);
    execFileSync(process.env.BRAZIER, ["run", input, "-o", file, ...words], {stdio: "pipe"});
    const page = await openFile(t, file);
    await settled(page);
    return page;
}

const rowsOf = page => page.evaluate(() => Array.from(document.querySelectorAll("#code .code"), row =>
    [row.dataset.line, ...Array.from(row.children, cell => cell.textContent)].join(" ").trim()));

const hasInstructions = process.env.BRAZIER_HAS_CAPSTONE !== "OFF";

test("the instructions of a chosen function have their shares, and jumps lead to their targets", async t => {
    const page = await openPage(t, join(fixture, "perf.data"), ["--sysroot", fixture], "a.annotate.html");
    assert.equal(await page.locator("#code").isVisible(), false);
    await clickAt(page, "loop");
    const shown = await rowsOf(page);
    if (!hasInstructions) return assert.deepEqual(shown.slice(0, 3), ["401102 37.50%", "401106 50.00%", "401108 12.50%"]);
    assert.deepEqual(shown, ["401100  xorl    %eax, %eax", "›401102 37.50% incl    %eax", "401104  cmpl    %edi, %eax",
                             "401106 50.00% jne     0x401102 ↑", "401108 12.50% retq", "401109  .byte   0x06"]);
    await page.locator("#code pre button").click();
    assert.equal(await page.evaluate(() => document.querySelector("#code .here").dataset.at), "401102");
    await page.keyboard.press("0");
    await settled(page);
    await clickAt(page, "other");
    assert.deepEqual((await rowsOf(page)).filter(row => /\d%/.test(row)).map(row => row.slice(0, 14)), ["401204 100.00%"]);
    await page.locator("#code .heading button").click();
    assert.equal(await page.locator("#code").isVisible(), false);
});

/* The shares of instructions that have one. */
const sharesOf = async page => (await rowsOf(page)).flatMap(row => row.match(/^›?[0-9a-f]+ [\d.]+%/) ?? []);

test("instructions have the shares of the chosen weight", async t => {
    const page = await openPage(t, join(fixture, "two.data"), ["--sysroot", fixture], "c.annotate.html");
    await clickAt(page, "loop");
    assert.deepEqual((await sharesOf(page)).map(row => row.replace("›", "")), ["401102 37.50%", "401106 62.50%"]);
    assert.match(await text(page, "#code .heading"), /^loop 8 ns ×/);
    await page.locator("#weight").selectOption({label: "page-faults"});
    await settled(page);
    assert.deepEqual(await sharesOf(page), ["401106 100.00%"]);
    assert.match(await text(page, "#code .heading"), /^loop 7\b/);
});

test("lines have the shares of the chosen weight", async t => {
    const described = join(process.env.BRAZIER, "../../tests/plugins/collapse-described.so");
    writeFileSync(join(top, "v.c"), "one\ntwo\n");
    writeFileSync(join(top, "two.txt"), "weights: samples/samples wall/nanoseconds\nmain;work{app|v.c|1|user} 6 1\n" +
        "main;work{app|v.c|2|user} 4 3\nmain;idle{app|v.c|2|user} 0 4\n");
    const page = await openPage(t, join(top, "two.txt"), ["--plugin", described, "--from", "described", "--set",
                                                           `annotate-html.source=${top}`], "d.annotate.html");
    const lines = () => page.evaluate(() => Array.from(document.querySelectorAll("#source .code"), row => row.textContent));
    await clickAt(page, "work");
    assert.deepEqual(await lines(), ["60.00%one", "40.00%two"]);
    await page.locator("#weight").selectOption({label: "wall"});
    await settled(page);
    assert.deepEqual(await lines(), ["12.50%one", "87.50%two"]);
});

test("lines of the source have their shares of the whole", async t => {
    const described = join(process.env.BRAZIER, "../../tests/plugins/collapse-described.so");
    writeFileSync(join(top, "w.c"), "one\ntwo\nthree\n");
    writeFileSync(join(top, "in.txt"), "weights: samples/samples\nmain;work{app|w.c|1|user} 6\nmain;work{app|w.c|3|user} 3\n" +
        "main;more{app|w.c|3|user} 1\n");
    const page = await openPage(t, join(top, "in.txt"), ["--plugin", described, "--from", "described", "--set",
                                                          `annotate-html.source=${top}`], "b.annotate.html");
    await clickAt(page, "work");
    assert.equal(await text(page, "#source .heading"), "w.c:1 ×");
    assert.deepEqual(await page.evaluate(() => Array.from(document.querySelectorAll("#source .code"), row => row.textContent)),
                     ["60.00%one", "two", "40.00%three"]);
    assert.equal(await page.locator("#code").isVisible(), false);
});

/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";
import {mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {after} from "node:test";

import {clickAt, htmlOf, openHtml} from "./lib/html.mjs";
import {test} from "./lib/tests.mjs";
import {text} from "./lib/viewer.mjs";

const top = mkdtempSync(join(tmpdir(), "brazier-source-"));
after(() => rmSync(top, {recursive: true, force: true}));

const root = join(top, "src");
const lines = Array.from({length: 100}, (_, i) => i === 49 ? "</script><script>alert(1)</script> // 50" : `code ${i + 1}`);
mkdirSync(join(root, "sub"), {recursive: true});
writeFileSync(join(root, "a.c"), lines.join("\n") + "\n");
writeFileSync(join(root, "sub/b.c"), "one\r\n\xfftwo\n" + "x".repeat(5000), "latin1");
writeFileSync(join(top, "secret.c"), "secret\n".repeat(60));
mkdirSync(join(top, "src-not"));
writeFileSync(join(top, "src-not/n.c"), "secret\n".repeat(60));
symlinkSync(join(top, "secret.c"), join(root, "link.c"));
symlinkSync(top, join(root, "up"));
symlinkSync(join(root, "a.c"), join(root, "inside.c"));

/* Frames with source locations, "name" at "file:line", in the tests' own format. */
const described = join(dirname(dirname(process.env.BRAZIER)), "tests/plugins/collapse-described.so");
const profile = places => "weights: samples/samples\n" + places.map(([name, place]) =>
    `main;${name}{|${place.replace(/:(\d+)$/, "|$1")}|} 10\n`).join("");

const dataOf = page => {
    const html = page.toString(), start = html.indexOf('id="profile">') + 13;
    return JSON.parse(html.slice(start, html.indexOf("</script>", start)));
};
const format = ["--plugin", described, "--from", "described"];
const options = (...more) => [...format, "--set", `html.source=${root}`, ...more];
const sourceOf = (places, ...more) => dataOf(htmlOf(profile(places), options(...more))).source;

test("the page contains the lines around that of a frame and shows them when it is zoomed", async t => {
    const page = await openHtml(t, profile([["mid", "/build/x/a.c:50"], ["end", "/build/x/a.c:98"]]), {options: options()});
    assert.equal(await text(page, "#source"), "");
    await clickAt(page, "mid");
    const shown = await page.evaluate(() => Array.from(document.querySelectorAll("#source .code"), e =>
        `${e.dataset.line} ${e.textContent}`));
    assert.deepEqual(shown, lines.slice(39, 60).map((line, i) => `${i + 40} ${line}`));
    assert.equal(await text(page, "#source .here"), lines[49]);
    assert.equal(await page.evaluate(() => document.querySelectorAll("script").length), 2);
    await page.locator("#source button").click();
    assert.equal(await text(page, "#source"), "");
});

test("the option sets the number of lines; overlapping excerpts are joined", () => {
    const found = sourceOf([["f", "a.c:10"], ["g", "a.c:12"], ["h", "a.c:100"]], "--set", "html.source-lines=2");
    assert.deepEqual(found.map(e => [e.line, e.lines]), [[8, lines.slice(7, 14)], [98, lines.slice(97)]]);
});

test("binary files and endless lines do no harm", () => {
    const [found] = sourceOf([["f", "sub/b.c:2"]]);
    assert.deepEqual(found.lines, ["one", "\ufffdtwo", "x".repeat(400)]);
});

test("nothing outside the directory is read", () => {
    for (const place of ["../secret.c", "link.c", "up/secret.c", "sub/../../secret.c", "../src-not/n.c",
                         join(top, "secret.c"), "/etc/passwd", "sub", "no.c"])
        assert.deepEqual(sourceOf([["f", `${place}:3`]]), [], place);
    assert.equal(sourceOf([["f", "inside.c:3"]])[0].lines[2], "code 3");
});

test("without the option no file is read", () => {
    assert.equal(dataOf(htmlOf(profile([["f", "a.c:10"]]), format)).source, undefined);
});

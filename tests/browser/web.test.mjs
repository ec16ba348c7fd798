/* SPDX-License-Identifier: MIT */
/* Tests `brazier view --web` in Chromium: the page follows the file, and leads to the editor. */
import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {once} from "node:events";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {test} from "node:test";

import {start} from "./lib/browsers.mjs";

const described = join(dirname(dirname(process.env.BRAZIER)), "tests/plugins/collapse-described.so");
const profile = (...frames) => "weights: samples/samples\n" + frames.map(f => `main;${f} 10\n`).join("");
const READ = "read{|src/a b.c|12|}", LEX = "lex{|/opt/lex.c|7|}", HOSTILE = "evil{|/x/\"><img src=x onerror=alert(1)>.c|3|}";

/* Starts the program and a browser at its address. */
async function open(t, text, ...words) {
    const folder = mkdtempSync(join(tmpdir(), "brazier-web-")), file = join(folder, "x.described");
    writeFileSync(file, text);
    const program = spawn(process.env.BRAZIER, ["--no-config", "view", "--web", "--no-open", "--plugin", described,
        "--from", "described", file, ...words], {cwd: folder, stdio: ["ignore", "pipe", "inherit"]});
    const ended = once(program, "exit"), [address] = await once(program.stdout.setEncoding("utf8"), "data");
    const browser = await start("shell");
    t.after(async () => {
        program.kill();
        await browser.close();
        rmSync(folder, {recursive: true, force: true});
    });
    const context = await browser.newContext({viewport: {width: 1000, height: 700}}), page = await context.newPage();
    const faults = [];
    page.on("console", message => message.type() === "error" && faults.push(message.text()));
    page.on("pageerror", error => faults.push(String(error)));
    await page.goto(address.trim());
    await shows(page, "main");
    return {page, program, ended, file, folder, faults, context};
}

const frameOf = page => page.frame({url: /\/page/});

/* Waits until a frame of this name is drawn, and returns it. */
async function shows(page, name) {
    const drawn = await page.waitForFunction(wanted => {
        const frames = document.getElementById("page").contentWindow.brazier?.frames?.() ?? [];
        return frames.find(f => f.name === wanted && !f.isMerged) ?? false;
    }, name);
    return drawn.jsonValue();
}

async function choose(page, name) {
    const {left, right, top} = await shows(page, name);
    await page.mouse.click((left + right) / 2, top + 8);
}

const linkOf = async page => {
    await page.waitForSelector("#editor:not([hidden])");
    return page.$eval("#editor", a => [a.textContent, a.getAttribute("href")]);
};

test("the page follows the file and keeps its view, and the command ends with the page", async t => {
    const {page, ended, file, faults} = await open(t, profile(READ, LEX));
    await choose(page, "read");
    await page.waitForFunction(() => location.hash !== "");
    const view = new URL(page.url()).hash;
    writeFileSync(file, profile(READ, LEX, "write")); /* to the right of what is shown */
    await page.waitForFunction(() => document.getElementById("page").contentWindow.brazier?.size === 5);
    await shows(page, "read");
    assert.equal(new URL(page.url()).hash, view);
    await page.reload();
    await shows(page, "read");
    assert.equal(new URL(page.url()).hash, view);
    assert.deepEqual(faults, []);
    await page.close();
    assert.deepEqual(await ended, [0, null]);
});

test("a chosen frame with a file and a line leads to the editor", async t => {
    const {page, folder} = await open(t, profile(READ, LEX, "plain"), "--editor", "vscode");
    assert.equal(await page.$eval("#bar", bar => bar.hidden), true);
    await choose(page, "read");
    assert.deepEqual(await linkOf(page), ["Open src/a b.c:12 in the editor", `vscode://file${folder}/src/a%20b.c:12`]);
});

test("names of files cannot leave the link", async t => {
    const {page, faults} = await open(t, profile(HOSTILE), "--editor", "idea");
    await choose(page, "evil");
    const [, href] = await linkOf(page);
    assert.match(href, /^idea:\/\/open\?file=\/x\/[%0-9A-Za-z.()=-]+\.c&line=3$/);
    assert.equal(await page.$$eval("img", all => all.length), 0);
    assert.deepEqual(faults, []);
});

test("the end of the command is said, and the page stays", async t => {
    const {page, program} = await open(t, profile(READ));
    program.kill("SIGINT");
    await page.waitForFunction(() => document.getElementById("note").textContent.startsWith("brazier has ended"));
    await shows(page, "read");
});

test("a page of another origin can neither read nor frame it", async t => {
    const {page, context} = await open(t, profile(READ)), address = page.url().replace(/#.*/, "");
    const other = await context.newPage();
    await other.route("http://other.example/", route => route.fulfill({contentType: "text/html", body: "<p>other"}));
    await other.goto("http://other.example/");
    const read = await other.evaluate(url => fetch(`${url}page`).then(r => r.text(), e => e.name), address);
    assert.equal(read, "TypeError");
    await other.evaluate(url => {
        const frame = document.createElement("iframe");
        frame.src = url;
        document.body.append(frame);
        return new Promise(done => { frame.onload = done; });
    }, address);
    const inner = other.frames().find(f => f !== other.mainFrame());
    assert.equal(await inner.$("#page").catch(() => null), null);
});

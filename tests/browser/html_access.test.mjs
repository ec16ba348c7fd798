/* SPDX-License-Identifier: MIT */
/* Pages for everybody: accessibility, small screens, paper, browsers without scripts. */
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";

import {small} from "./fixtures/small.mjs";
import {clickAt, htmlOf, openHtml, pointAt, settled} from "./lib/html.mjs";
import {fileWith} from "./lib/picture.mjs";
import {test} from "./lib/tests.mjs";
import {finish, newPage, openFile, press, text} from "./lib/viewer.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const two = "main;a;x 10 40\nmain;b 30 10\n";
const many = Array.from({length: 3000}, (_, i) => `main;f${i} ${1 + i % 7}`).join("\n") + "\n";

for (const colorScheme of ["light", "dark"]) for (const width of [390, 1280])
    test(`axe reports nothing in any view of a ${colorScheme} page in ${width} pixels`, async t => {
        const options = ["--palette=rules,hot", "--rules=^re|reading, which is a long name of a colour = #e69f00", "--rules=^l|with a name as long as that = #56b4e9"];
        const page = await openHtml(t, small, {colorScheme, options, viewport: {width, height: 700}});
        if (await page.evaluate(() => globalThis.axe === undefined)) await page.evaluate(axe);
        const faults = () => page.evaluate(() => globalThis.axe.run({preload: false, resultTypes: ["violations"], rules: {"target-size": {enabled: true}}})
            .then(({violations}) => violations.map(v => `${v.id}: ${v.nodes.map(n => n.html).join(" ")}`)));
        for (const keys of [["1"], ["b"], ["b", "r"], ["3"], ["4"], ["1", "?"], ["Escape", "/", "l"]]) {
            await press(page, ...keys);
            await settled(page);
            assert.deepEqual(await faults(), [], keys.join());
        }
    });

test("a narrow window has a heading, too", async t => {
    const page = await openHtml(t, "main;a 1\n", {viewport: {width: 390, height: 844}});
    assert.equal(await page.getByRole("heading", {level: 1}).textContent(), "Flame Graph");
    const {width, height} = await page.locator("h1").boundingBox();
    assert.ok(width <= 1 && height <= 1, "it takes no room");
});

test("arrow keys reach the last row of the table, which screen readers can count", async t => {
    const page = await openHtml(t, many);
    await press(page, "4");
    assert.equal(await page.getAttribute("#table", "aria-rowcount"), "3002");
    await page.locator("#table .rows .grid").first().focus();
    const at = () => page.evaluate(() => [document.activeElement.getAttribute("aria-rowindex"),
                                          document.activeElement.getBoundingClientRect().bottom <= innerHeight]);
    for (const [key, row] of [["ArrowDown", "3"], ["End", "3002"], ["ArrowDown", "3002"], ["ArrowUp", "3001"],
                              ["Home", "2"]]) {
        await press(page, key);
        assert.deepEqual(await at(), [row, true], key);
    }
    assert.equal(await page.locator("#table .rows [tabindex='0']").count(), 1);
    await press(page, "PageDown", "Enter");
    assert.match(await text(page, "#sandwich h2"), /^Callers of f\d+ /);
});

test("a live region announces the frame that the arrow keys reach", async t => {
    const page = await openHtml(t, small);
    await press(page, "ArrowUp", "ArrowUp");
    assert.equal(await page.textContent("[role=status]"), "main, 100 samples, 83.33%, level 1");
});

test("every button is at least 24 pixels wide and high", async t => {
    const page = await openHtml(t, small);
    const little = await page.evaluate(() => Array.from(document.querySelectorAll("button, select, input, [tabindex]"))
        .filter(e => e.checkVisibility()).map(e => [e.outerHTML, e.getBoundingClientRect()])
        .filter(([, {width, height}]) => width < 24 || height < 24).map(([text]) => text));
    assert.deepEqual(little, []);
});

test("all entries of a long legend are visible, and leave room for the properties of a frame", async t => {
    const packages = Array.from({length: 12}, (_, i) => `main;company/internal/package${i}.Run ${20 - i}`).join("\n");
    const page = await openHtml(t, packages, {options: ["--palette=package,hot"], viewport: {width: 960, height: 460}});
    await pointAt(page, "company/internal/package3.Run");
    const {entries, details, bottom} = await page.evaluate(() => ({
        entries: Array.from(document.querySelectorAll("#legend .entry"), e => e.getBoundingClientRect().toJSON()),
        details: document.querySelector("#details").getBoundingClientRect().width,
        bottom: document.querySelector("#status").getBoundingClientRect().bottom,
    }));
    assert.equal(entries.length, 12);
    for (const {right, bottom: end} of entries) assert.ok(right <= 960 && end <= Math.min(bottom, 460), `${right} ${end}`);
    assert.ok(details > 600, `${details}`);
});

test("in a narrow window the legend is a line that opens", async t => {
    const packages = Array.from({length: 12}, (_, i) => `main;company/internal/package${i}.Run ${20 - i}`).join("\n");
    const page = await openHtml(t, packages, {options: ["--palette=package,hot"], viewport: {width: 390, height: 700}});
    const seen = () => page.evaluate(() => {
        const {bottom} = document.querySelector("#legend").getBoundingClientRect();
        return Array.from(document.querySelectorAll("#legend .entry")).filter(e => e.getBoundingClientRect().top < bottom - 4).length;
    });
    const button = page.locator("#colors"), n = await seen();
    assert.ok(n > 0 && n < 4);
    assert.equal(await button.textContent(), `+${12 - n}`);
    assert.equal((await button.getAttribute("title")).split("\n").length, 12 - n);
    await button.press("Enter");
    assert.deepEqual([await seen(), await button.textContent()], [12, "less"]);
    await button.click();
    assert.equal(await seen(), n);
    await page.setViewportSize({width: 1280, height: 700});
    await page.waitForFunction(() => !document.querySelector("#colors").checkVisibility());
});

test("paper gets all rows of the table and the whole picture, and no bars", async t => {
    const some = many.split("\n").slice(0, 300).join("\n");
    const page = await openHtml(t, `${some}\n${Array.from({length: 60}, (_, i) => `g${i}`).join(";")} 5\n`);
    await press(page, "4");
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({media: "print"});
    assert.equal(await page.locator("#table .rows .grid").count(), 361);
    const seen = selector => page.evaluate(s => Array.from(document.querySelectorAll(s)).some(e => e.checkVisibility()), selector);
    assert.ok(!await seen("button:not(#table button), input, #path, #status") && await seen("#title"));
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await page.emulateMedia({media: "screen"});
    await settled(page); /* the window has its size again */
    await page.waitForFunction(() => document.querySelectorAll("#table .rows .grid").length < 100);
    await press(page, "1");
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.ok(await page.evaluate(() => document.querySelector("canvas").height >= 61 * 18));
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    assert.ok(await page.evaluate(() => document.querySelector("canvas").height < 700));
});

test("on a phone the picture has three quarters of the height, and a button shows the rest", async t => {
    const page = await openHtml(t, small, {hasTouch: true, isMobile: true, viewport: {width: 390, height: 700}});
    const height = await page.evaluate(() => document.querySelector("#graph").getBoundingClientRect().height);
    assert.ok(height >= 0.75 * 700, `${height}`);
    assert.equal(await page.locator("#view-table").isVisible(), false);
    await page.locator("#more").tap();
    await page.locator("#view-table").tap();
    assert.notEqual(await text(page, "#table"), "");
});

test("without scripts the page has a title, the heaviest functions, and says how to open it", async t => {
    const folded = small + "main;<script>alert(1)</script>;&lt;b 4\nmain;run;run 7\n";
    const page = await openFile(t, fileWith(htmlOf(folded, ["--title", "a < b"]), ".html"), {javaScriptEnabled: false});
    assert.equal(await page.textContent("#fallback h1"), "a < b");
    assert.match(await page.textContent("#fallback p"), /browser with scripts enabled/);
    const lines = (await page.locator("#fallback tr").allTextContents()).map(line => line.trim());
    assert.match(lines[0], /^Self \(samples\).*Total.*Name$/);
    assert.equal(lines.length, 14);
    assert.match(lines[1], /^30.*next$/);
    assert.ok(lines.some(line => line.endsWith("<script>alert(1)</script>")));
    const run = lines.find(line => line.endsWith("run"));
    assert.match(run, /^7.*47/);
    assert.ok(await page.locator("#fallback h1").isVisible());
});

test("where a policy forbids the script, the page shows what it shows without scripts", async t => {
    const made = htmlOf(small);
    for (const policy of ["default-src 'none'", "script-src 'none'"]) {
        const page = await newPage(t, {}, [/Content Security Policy/]);
        await page.route("http://page.test/", route => route.fulfill({
            body: made, contentType: "text/html", headers: {"Content-Security-Policy": policy}}));
        await page.goto("http://page.test/");
        await page.locator("#fallback h1").waitFor({state: "visible"});
        assert.match(await text(page, "#fallback tr"), /next/);
    }
});

test("names without letters have a name where scripts do not run, as elsewhere", async t => {
    const page = await openFile(t, fileWith(htmlOf("main;  3\nmain;\t\u00a0 4\n"), ".html"), {javaScriptEnabled: false});
    const names = await page.locator("#fallback td:last-child").allInnerTexts();
    assert.ok(names.length > 1 && names.every(name => name === "main" || name === "(no name)"), `${names}`);
});

test("the script replaces the table of a page without scripts, and its buttons fill one line or two", async t => {
    const page = await openHtml(t, small), tops = ids => page.evaluate(ids => Array.from(document.querySelectorAll(ids))
        .filter(e => e.checkVisibility()).map(e => e.getBoundingClientRect().top), ids);
    assert.equal(await page.locator("#fallback").count(), 0);
    for (const [width, lines] of [[1220, 1], [1000, 2], [800, 2]]) {
        await page.setViewportSize({width, height: 420});
        assert.equal(new Set(await tops("header .line button")).size, lines, `${width}`);
        assert.equal(new Set(await tops("#modes button")).size, 1, `${width}`);
        assert.equal(new Set(await tops("header .line button:not(#modes button)")).size, 1, `${width}`);
    }
    const view = () => page.evaluate(() => document.querySelector("#graph").getBoundingClientRect().top);
    await page.setViewportSize({width: 1220, height: 420});
    const top = await view();
    await clickAt(page, "lex");
    assert.ok(await page.locator("#reset").isVisible());
    assert.equal(await view(), top, "a zoom moves nothing");
    await page.locator("#reset").click();
    assert.equal(await text(page, "#path"), "all");
    const room = await page.evaluate(() => document.querySelector("#search").clientWidth);
    assert.ok(room >= 100, `${room} pixels for the placeholder`);
});

test("without scripts no amount is broken into lines, and a phone leaves most of its width to the names", async t => {
    const perf = ["lex", "a_name_of_a_function"].map(name => `worker 1/1 [000] 1.0: 37550000 cpu-clock:\n\t10 ${name} (/a)\n\n`).join("");
    const input = execFileSync(process.env.BRAZIER, ["-q", "run", "--from", "perf", "--to", "html", "-o", "-", "-"], {input: perf});
    const path = fileWith(input, ".html");
    for (const width of [1220, 390]) {
        const page = await openFile(t, path, {javaScriptEnabled: false, viewport: {width, height: 700}});
        const cells = await page.evaluate(() => Array.from(document.querySelectorAll("#fallback tr:nth-child(2) > *"), cell => ({
            width: cell.getBoundingClientRect().width, lines: cell.getBoundingClientRect().height / parseFloat(getComputedStyle(cell).fontSize)})));
        assert.match(await page.textContent("#fallback tr:nth-child(2)"), /37\.55 ms/);
        assert.ok(cells.every(({lines}) => lines < 2), JSON.stringify(cells));
        assert.ok(cells.slice(0, -1).reduce((sum, cell) => sum + cell.width, 0) < 0.5 * width, JSON.stringify(cells));
        await finish(page);
    }
});

test("the hint of the search is complete at every width, also with many buttons and a long title", async t => {
    for (const [width, folded, title] of [[390, small], [800, small], [1220, small], [1220, two, "A title that takes its place"],
                                          [1600, two]]) {
        const page = await openHtml(t, folded, {viewport: {width, height: 700}, options: title === undefined
            ? ["--set", "folded.counts=2"].slice(folded === two ? 0 : 2) : ["--title", title, "--set", "folded.counts=2"]});
        if (width === 390) await page.locator("#more").click();
        const [room, hint] = await page.locator("#search").evaluate(input => {
            const style = getComputedStyle(input), context = document.createElement("canvas").getContext("2d");
            context.font = style.font;
            return [input.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight),
                    context.measureText(input.placeholder).width];
        });
        assert.ok(hint > 50 && hint <= room, `${width}: ${hint} of ${room}`);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        await finish(page);
    }
});

test("the heads of the table stand above their texts", async t => {
    for (const key of ["4", "b"]) {
        const page = await openHtml(t, small);
        await press(page, key);
        await settled(page);
        const [head, name] = await page.evaluate(() => {
            const left = node => {
                const range = document.createRange();
                range.selectNodeContents(node);
                return range.getBoundingClientRect().left;
            };
            return [left(document.querySelector("#table [data-key=name] button")), left(document.querySelector("#table .rows button"))];
        });
        assert.ok(Math.abs(head - name) < 1, `${key}: ${head}, ${name}`);
        await finish(page);
    }
});

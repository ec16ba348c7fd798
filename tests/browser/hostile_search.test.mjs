/* SPDX-License-Identifier: MIT */
/* Expressions that backtrack: the page stays responsive, says why it stopped, and goes on. */
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {pathToFileURL} from "node:url";

import {clickAt, frames as framesOfPage, htmlOf, matched as matchedOfPage, openHtml} from "./lib/html.mjs";
import {fileWith, picture} from "./lib/picture.mjs";
import {test} from "./lib/tests.mjs";
import {click, frames, matched, newPage, open, openFile, press, rows, search, state, text} from "./lib/viewer.mjs";

const STOPPED = "Stopped after 250 ms: the expression backtracks too much";
const REFUSED = "Not searched: the expression could backtrack too much";

/* One name takes 2^200 steps, the expression `(a+)+$` given. */
const hang = `main;${"a".repeat(200)}b 5\nmain;lex 3\n`;
/* No name takes long, all of them do. */
const slow = Array.from({length: 3000}, (_, i) => `main;${"a".repeat(18)}b${i} 5\n`).join("");
const hostile = "#" + new URLSearchParams({s: "(a+)+$"});

/* The actions of the tests in each viewer. */
const viewers = {
    svg: {
        open: (t, folded, hash) => open(t, folded, {hash}),
        type: search,
        found: matched,
        zoom: page => click(page, "lex"),
        shown: async page => (await frames(page)).map(f => f.name).sort(),
        file: folded => fileWith(picture(folded)),
    },
    html: {
        open: (t, folded, hash) => openHtml(t, folded, {hash}),
        type: async (page, pattern) => {
            await press(page, "/");
            await page.keyboard.insertText(pattern);
        },
        found: matchedOfPage,
        zoom: page => clickAt(page, "lex"),
        shown: async page => (await framesOfPage(page)).map(f => f.name).sort(),
        file: folded => fileWith(htmlOf(folded), ".html"),
    },
};

const says = (page, word) => page.waitForFunction(word => {
    const element = document.querySelector("#matched");
    return element.checkVisibility() && element.textContent.includes(word);
}, word);

/* Searches until the viewer shows matches. A machine that stops the browser for 250 ms stops a search, so three
 * attempts are allowed. */
async function searchFor(page, viewer, pattern) {
    for (let attempt = 1; attempt <= 3; attempt++) {
        await viewer.type(page, pattern);
        const word = await page.waitForFunction(() =>
            /^(Matched: |Stopped)/.exec(document.querySelector("#matched").textContent)?.[0]);
        if (await word.jsonValue() === "Matched: ") return;
        await press(page, "Escape");
    }
    assert.fail(`${pattern}: stopped three times`);
}

for (const [name, viewer] of Object.entries(viewers)) {
    test(`${name}: a search that hangs in one name is stopped, and the next one works`, async t => {
        const page = await viewer.open(t, hang);
        await viewer.type(page, "(a+)+$");
        assert.match(await text(page, "#matched"), /^(Searching…|Stopped after .*)$/); /* it answers meanwhile */
        await says(page, STOPPED);
        assert.deepEqual(await viewer.found(page), []);
        await viewer.zoom(page);
        assert.deepEqual(await viewer.shown(page), ["all", "lex", "main"]);
        await press(page, "Escape");
        await viewer.type(page, "^lex$");
        assert.deepEqual(await viewer.found(page), ["lex"]);
    });

    test(`${name}: a search that is slow in all names is stopped`, async t => {
        const page = await viewer.open(t, slow);
        await viewer.type(page, "(a+)+$");
        await says(page, STOPPED);
    });

    test(`${name}: a hostile address opens the picture and says why nothing is marked`, async t => {
        const page = await viewer.open(t, hang, hostile);
        await says(page, STOPPED);
        assert.equal((await viewer.shown(page)).length, 4);
        assert.deepEqual(await state(page), [["s", "(a+)+$"]]);
    });

    test(`${name}: an expression that might backtrack and does not is searched for`, async t => {
        const page = await viewer.open(t, hang);
        for (const [pattern, found] of [["^(l|x)*(e|y)+x$", ["lex"]], ["^((m)|(z))+.*n$", ["main"]],
                                        ["(\\w+-)+x", []]]) {
            await searchFor(page, viewer, pattern);
            assert.deepEqual(await viewer.found(page), found, pattern);
            await press(page, "Escape");
        }
    });

    test(`${name}: another text ends a search that hangs`, async t => {
        const page = await viewer.open(t, hang);
        await viewer.type(page, "(a+)+$|lex");
        await page.keyboard.press("Control+a");
        await page.keyboard.insertText("lex");
        assert.deepEqual(await viewer.found(page), ["lex"]);
    });

    test(`${name}: without workers an expression that could hang is refused`, async t => {
        const page = await newPage(t, {});
        await page.addInitScript(() => { delete globalThis.Worker; });
        await page.goto(pathToFileURL(viewer.file(hang)) + hostile);
        await page.keyboard.press("Shift");
        await says(page, REFUSED);
        for (const [pattern, found] of [["l.*e.*x", ["lex"]], ["(l|m)ex?", ["lex"]]]) {
            await press(page, "Escape");
            await viewer.type(page, pattern);
            assert.deepEqual(await viewer.found(page), found, pattern);
        }
    });
}

/* Returns the text of a function of the viewers. */
function scriptOf(name) {
    const source = new URL("../../plugins/output/common/viewer/matching.js", import.meta.url);
    return readFileSync(source, "utf8").match(new RegExp(`^function ${name}[^]*?^\\}\\n`, "m"))[0];
}

/* The clock tells when an expression is too slow. */
test("a busy machine does not end a search, slow names do", async t => {
    const page = await newPage(t, {});
    const answered = paused => page.evaluate(([script, paused]) => {
        const names = Array.from({length: 2000}, (_, i) => `${"long_".repeat(40)}${i}`);
        let now = 0, calls = 0;
        const clock = {now: () => now += paused.includes(++calls) ? 3000 : 0.001};
        const testNames = new Function("performance", `${script}; return testNames;`)(clock);
        return testNames(/1$/u, names, 250, () => {})?.reduce((sum, answer) => sum + answer) ?? null;
    }, [scriptOf("testNames"), paused]);
    assert.equal(await answered([]), 200);
    assert.equal(await answered([2]), 200);
    assert.equal(await answered([100, 700, 1500]), 200);
    assert.equal(await answered([10, 11, 12, 13, 14, 15, 16]), null);
});

/* The bound decides where an expression is tested: too low, and the page hangs. */
test("the bound on steps knows what repeats what", async t => {
    const page = await newPage(t, {});
    const script = scriptOf("mostSteps");
    const bounds = async (patterns, length) => page.evaluate(([script, patterns, length]) => {
        const mostSteps = new Function(`${script}; return mostSteps;`)();
        return patterns.map(p => mostSteps(new RegExp(p).source, length));
    }, [script, patterns, length]);
    const endless = ["(a+)+$", "(a|a)*$", "(a?b?)*", "((ab)*)*", "(?:a{1,3}){2,}", "(?=(a+)+$)", "([^)]+)+",
                     "(\\)+)*", "(a|b|c){30}", "(?<x>a*)*", "(?<=(a*)*)b", "(a{2,})+"];
    assert.deepEqual(await bounds(endless, 50), endless.map(() => Infinity));
    const cheap = ["abc", "a|b|c", "[(a+)+$]+", "\\(a+\\)+", "(abc)+", "(ab){2}", "x.*y", "^(std|core)::", "a??b",
                   `^${"long_".repeat(2000)}$`, "foo(bar)?", "{", "a{,2}", "[\\]*]*", "(?:)", "(?<name>x)y", ""];
    for (const [i, steps] of (await bounds(cheap, 50)).entries()) assert.ok(steps <= 2e6, `${cheap[i]}: ${steps}`);
    const many = ["^a|" + "a?".repeat(40), "a?".repeat(40) + "a".repeat(40), "(a|a)".repeat(40), "a*".repeat(12), "(x*x*x*)y(x*x*)z",
                  "a{0,9}".repeat(10)];
    for (const [i, steps] of (await bounds(many, 50)).entries()) assert.ok(steps > 1e9, `${many[i]}: ${steps}`);
});

for (const [name, viewer] of Object.entries(viewers))
    test(`${name}: an expression that is no good is not repeated, however long`, async t => {
        const page = await viewer.open(t, "main;lex 3\n");
        for (const pattern of ["(".repeat(1e5), "x".repeat(1e5) + "[", "(?:".repeat(3e4) + ")".repeat(3e4), "a{9}".repeat(3e4)]) {
            await viewer.type(page, pattern);
            const word = await page.waitForFunction(() =>
                /^(Matched|Invalid expression|Stopped|Not searched).*/s.exec(document.querySelector("#matched").textContent)?.[0]);
            assert.ok((await word.jsonValue()).length < 200, (await word.jsonValue()).slice(0, 200));
            await press(page, "Escape");
        }
    });

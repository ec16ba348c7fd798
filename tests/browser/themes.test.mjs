/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";

import {small} from "./fixtures/small.mjs";
import {test} from "./lib/tests.mjs";
import {click, finish, frames, open, press, settled, state, text} from "./lib/viewer.mjs";

/* Returns the brightness of a colour, 0 to 1. */
function brightness(color) {
    const [r, g, b] = /rgba?\((\d+), (\d+), (\d+)/.exec(color).slice(1).map(v => {
        const s = v / 255;
        return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/* Returns the contrast between text and background; 4.5 is the limit of good readability. */
function contrast(a, b) {
    const [dark, light] = [brightness(a), brightness(b)].sort((x, y) => x - y);
    return (light + 0.05) / (dark + 0.05);
}

const colors = page => page.evaluate(() => {
    const of = (element, property) => getComputedStyle(element)[property];
    const title = document.querySelector("#title");
    return {
        paper: Array.from(document.querySelectorAll("#background stop")).map(e => of(e, "stopColor")),
        page: of(document.documentElement, "backgroundColor"),
        title: of(title, title.namespaceURI.endsWith("svg") ? "fill" : "color"),
        frames: Array.from(document.querySelectorAll("#frames rect, #frames path"))
            .map(e => of(e, e.localName === "rect" ? "fill" : "stroke")),
        labels: of(document.querySelector("#frames text"), "fill"),
    };
});

/* Returns the frames that the file draws by itself: each has a line, and a label, which is its name. */
const drawnFrames = page => page.evaluate(() => {
    const labels = Array.from(document.querySelectorAll("#frames text"), e => [e.textContent, e.getBBox()]);
    return Array.from(document.querySelectorAll("#frames path")).flatMap(path =>
        Array.from(path.getAttribute("d").matchAll(/M(\S+) (\S+)h([^M]+)/g), found => {
            const [left, top, width] = found.slice(1).map(Number);
            const [name] = labels.find(([, at]) => Math.abs(at.x - left - 3) < 0.1 && at.y > top - 3 && at.y < top + 8);
            return {name, fill: path.getAttribute("stroke"), left, right: left + width, top};
        }));
});

const isDark = seen => seen.paper.every(color => brightness(color) < 0.1);
const isLight = seen => seen.paper.every(color => brightness(color) > 0.5);

const cases = [
    {theme: "auto", colorScheme: "light", expected: isLight},
    {theme: "auto", colorScheme: "dark", expected: isDark},
    {theme: "light", colorScheme: "light", expected: isLight},
    {theme: "light", colorScheme: "dark", expected: isLight},
    {theme: "dark", colorScheme: "light", expected: isDark},
    {theme: "dark", colorScheme: "dark", expected: isDark},
];
for (const javaScriptEnabled of [true, false])
    for (const {theme, colorScheme, expected} of cases)
        test(`theme ${theme} where the system is ${colorScheme}, ` +
             `with JavaScript ${javaScriptEnabled ? "on" : "off"}`, async t => {
            const options = [`--theme=${theme}`];
            const page = await open(t, small, {options, colorScheme, javaScriptEnabled});
            const seen = await colors(page);
            assert.ok(expected(seen), JSON.stringify(seen));
            for (const paper of seen.paper) assert.ok(contrast(seen.title, paper) >= 4.5, `${seen.title} on ${paper}`);
            for (const fill of seen.frames) assert.ok(contrast(seen.labels, fill) >= 4.5, `${seen.labels} on ${fill}`);
        });

/* Returns the channels of "rgb(1, 2, 3)" or "#010203". */
const channels = color => color[0] === "#" ? [1, 3, 5].map(i => parseInt(color.slice(i, i + 2), 16))
    : color.match(/\d+/g).slice(0, 3).map(Number);

/* Asserts that a colour is that of the dark theme for a colour of the light one: darker, of a similar hue. */
function assertDarkened(dark, light) {
    const [a, b] = [dark, light].map(color => `rgb(${channels(color).join(", ")})`);
    assert.ok(brightness(a) <= 0.175 && brightness(a) >= 0.045 && contrast("rgb(255, 255, 255)", a) >= 4.5, `${dark} for ${light}`);
    const order = color => channels(color).map((c, i) => [c, i]).sort(([x], [y]) => x - y).map(([, i]) => i).join();
    const [least, , most] = channels(light).sort((x, y) => x - y);
    if (most - least > 40) assert.equal(order(dark), order(light), `${dark} for ${light}`);
}

test("frames and the legend have colours of their own in the dark theme, with and without JavaScript", async t => {
    const options = ["--palette=rules,hot", "--rules=^l|begins with l = #e69f00"];
    const swatch = page => page.evaluate(() => getComputedStyle(document.querySelector("#legend rect")).fill);
    for (const javaScriptEnabled of [true, false]) {
        const light = await open(t, small, {options, javaScriptEnabled, colorScheme: "light"});
        const dark = await open(t, small, {options, javaScriptEnabled, colorScheme: "dark"});
        const [a, b] = [(await colors(light)).frames, (await colors(dark)).frames];
        assert.ok(a.length > 5 && a.length === b.length);
        b.forEach((color, i) => assertDarkened(color, a[i]));
        assertDarkened(await swatch(dark), await swatch(light));
    }
});

test("script and program choose the same dark colours", async t => {
    const options = ["--palette=hot", "--numbers=random"];
    const of = async javaScriptEnabled => new Set((await colors(await open(t, small, {options, javaScriptEnabled, colorScheme: "dark"}))).frames);
    assert.deepEqual([...await of(true)].sort(), [...await of(false)].sort());
});

test("pictures in the style of other tools, and with black labels, keep the colours of their frames", async t => {
    for (const options of [["--no-compact"], ["--label-color=black"]]) for (const javaScriptEnabled of [true, false]) {
        const pages = [await open(t, small, {options, javaScriptEnabled, colorScheme: "light"}),
                       await open(t, small, {options, javaScriptEnabled, colorScheme: "dark"})];
        const [light, dark] = await Promise.all(pages.map(colors));
        assert.deepEqual(dark.frames, light.frames);
        assert.ok(contrast(dark.labels, dark.frames[0]) >= 4.5);
    }
});

test("the reader chooses the theme, which the address keeps", async t => {
    for (const [options, colorScheme] of [[[], "light"], [[], "dark"], [["--theme=light"], "light"], [["--theme=dark"], "light"]]) {
        const page = await open(t, small, {options, colorScheme}), first = await colors(page);
        const [before, after] = isDark(first) ? [isDark, isLight] : [isLight, isDark];
        await press(page, "t");
        const second = await colors(page);
        assert.ok(before(first) && after(second), JSON.stringify(second));
        assert.notDeepEqual(second.frames, first.frames);
        assert.deepEqual(await state(page), [["theme", isDark(second) ? "dark" : "light"]]);
        await page.reload();
        assert.deepEqual((await colors(page)).frames, second.frames);
        await press(page, "t");
        assert.deepEqual((await colors(page)).frames, first.frames);
        await finish(page);
    }
});

test("a printout has the light theme", async t => {
    const page = await open(t, small, {colorScheme: "dark"}), fills = () => page.evaluate(() =>
        Array.from(document.querySelectorAll("#frames rect"), rect => rect.getAttribute("fill")));
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    const printed = await fills();
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await settled(page);
    (await fills()).forEach((color, i) => assertDarkened(color, printed[i]));
});

test("the theme follows the system while the picture is open", async t => {
    const page = await open(t, small, {colorScheme: "light"});
    await page.emulateMedia({colorScheme: "dark"});
    assert.ok(isDark(await colors(page)));
    await page.emulateMedia({colorScheme: "light"});
    assert.ok(isLight(await colors(page)));
});

test("popups are readable in both themes", async t => {
    for (const colorScheme of ["light", "dark"]) {
        const page = await open(t, small, {colorScheme});
        for (const [key, selector] of [["?", "#help > *"], ["/", "input"]]) {
            await press(page, key);
            const {color, ground} = await page.evaluate(selector => {
                const style = getComputedStyle(document.querySelector(selector));
                return {color: style.color, ground: style.backgroundColor};
            }, selector);
            assert.ok(contrast(color, ground) >= 4.5, `${colorScheme}: ${color} on ${ground}`);
            await press(page, "Escape");
        }
        await finish(page);
    }
});

test("colour options apply to the light theme", async t => {
    const page = await open(t, small, {options: ["--bgcolors=#abcdef", "--uicolor=#102030"]});
    const seen = await colors(page);
    assert.deepEqual(seen.paper, ["rgb(171, 205, 239)", "rgb(171, 205, 239)"]);
    assert.equal(seen.title, "rgb(16, 32, 48)");
    const outlined = await open(t, small, {options: ["--stroke-color=#010203"]});
    const stroke = await outlined.evaluate(() => getComputedStyle(document.querySelector("#frames rect")).stroke);
    assert.equal(stroke, "rgb(1, 2, 3)");
});

test("without JavaScript the picture has all frames at the same positions, and labels", async t => {
    const off = await open(t, small, {javaScriptEnabled: false});
    const none = await open(t, small, {options: ["--javascript=false"]});
    const on = await open(t, small);
    /* Returns positions in thousandths of the picture's width, and in rows. */
    const places = found => {
        const all = found.find(f => f.name === "all");
        const share = x => Math.round((x - all.left) / (all.right - all.left) * 1000);
        return found.map(f => [f.name, f.fill, share(f.left), share(f.right),
                               Math.round((all.top - f.top) / 16)]).sort();
    };
    for (const page of [off, none]) {
        assert.deepEqual(places(await drawnFrames(page)), places(await frames(on)));
        assert.equal(await text(page, "#title"), "Flame Graph");
        for (const id of ["#unzoom", "#search", "#matched"])
            assert.equal(await page.evaluate(id => document.querySelector(id)?.checkVisibility() ?? false, id), false);
    }
    assert.equal(await none.evaluate(() => document.querySelectorAll("script").length), 0);
});

test("without JavaScript the picture says what is not drawn", async t => {
    const folded = `main;big 99990\n${Array.from({length: 10}, (_, i) => `main;tiny${i} 1\n`).join("")}`;
    const page = await open(t, folded, {javaScriptEnabled: false});
    assert.equal(await text(page, "#details"), "10 frames under 0.01 % not drawn");
    const one = await open(t, "main;big 99999\nmain;tiny 1\n", {javaScriptEnabled: false, options: ["--inverted"]});
    assert.equal(await text(one, "#details"), "1 frame under 0.01 % not drawn");
    const many = `main;big 99999999\n${Array.from({length: 1234}, (_, i) => `main;tiny${i} 1\n`).join("")}`;
    const scripted = await open(t, many, {viewport: {width: 390, height: 400}});
    assert.equal(await text(scripted, "#details"), "1,234 frames under 0.01 % not drawn");
    const [room, width] = await scripted.evaluate(() => [e => e.clientWidth, e => e.scrollWidth].map(f => f(document.querySelector("#details"))));
    assert.ok(room > 0 && width <= room, `the note is whole in a small window: ${width} in ${room}`);
});

test("names of faded frames are readable in both themes", async t => {
    for (const colorScheme of ["light", "dark"]) for (const palette of ["hot", "blue", "io", "purple"]) {
        const page = await open(t, small, {colorScheme, options: [`--palette=${palette}`]});
        await click(page, "lex");
        const contrasts = await page.evaluate(() => {
            const numbers = color => color.match(/[\d.]+/g).slice(0, 3).map(Number);
            const linear = c => c / 255 <= 0.04 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4;
            const brightness = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
            const behind = numbers(getComputedStyle(document.querySelectorAll("#background stop")[1]).stopColor);
            return Array.from(document.querySelectorAll("#frames > .faded"), group => {
                const [rect, label] = ["rect", "text"].map(name => group.querySelector(name)), share = Number(getComputedStyle(rect).opacity);
                const ground = numbers(getComputedStyle(rect).fill).map((c, i) => c * share + behind[i] * (1 - share));
                const [a, b] = [brightness(ground), brightness(numbers(getComputedStyle(label).fill))];
                return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            });
        });
        assert.equal(contrasts.length, 3);
        for (const contrast of contrasts) assert.ok(contrast > 4, `${colorScheme} ${palette}: ${contrast}`);
        await finish(page);
    }
});

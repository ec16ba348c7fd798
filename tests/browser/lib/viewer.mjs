/* SPDX-License-Identifier: MIT */
/* Opens pictures in a browser and reads what they show.
 *
 * Pictures are opened from files, as is common. Any fault in a page (a script error, a console
 * message, a request for anything but the page itself) fails its test.
 */
import assert from "node:assert/strict";
import {after} from "node:test";
import {pathToFileURL} from "node:url";

import {programOf, start} from "./browsers.mjs";
import {fileWith, picture} from "./picture.mjs";

export const program = programOf("chromium");
const viewport = {width: 1220, height: 700};

/* Browsers start when the first test needs them. */
const running = new Map();
after(async () => {
    for (const browser of running.values()) await (await browser).close();
});

function browserOf(name) {
    if (!running.has(name)) running.set(name, start(name));
    return running.get(name);
}

/* Opens the picture of folded stacks; the page can be used until the test `t` ends. In addition to the
 * options of Playwright's newContext, `with` may contain `options` (for the program), `hash` and
 * `query`. */
export async function open(t, folded, {options, ...rest} = {}) {
    return openFile(t, fileWith(picture(folded, options)), rest);
}

export async function openFile(t, path, {hash = "", query = "", ...wishes} = {}) {
    const url = String(pathToFileURL(path)), {look, ...rest} = lookOf(wishes), context = await contextOf(rest);
    const page = takeSpare(context, url) ?? await pageOf(context, rest);
    if (look !== undefined) await change(page, look);
    watch(t, page, async () => {
        await print(page);
        await keep(context, page);
    });
    await page.goto(url + query + hash);
    if (!still.has(page)) await page.keyboard.press("Shift"); /* end of the initial view */
    return page;
}

/* Prints a page of the output "html" in whatever state a test leaves it, which must cause no fault. Pictures are printed
 * all the time, see settle(). */
async function print(page) {
    if (!still.has(page)) await resultOf(page, `(${() => {
        if (globalThis.brazier === undefined) return;
        dispatchEvent(new Event("beforeprint"));
        dispatchEvent(new Event("afterprint"));
    }})()`);
}

/* Pages opened with the same options share a context. */
const contexts = new Map();
const still = new WeakSet(); /* pages without JavaScript */

async function contextOf({browser = "shell", ...wishes}) {
    const key = JSON.stringify([browser, wishes]), program = await browserOf(browser);
    if (!contexts.has(key)) contexts.set(key, program.newContext({viewport, ...wishes}));
    return contexts.get(key);
}

/* Returns an empty page, which is closed when the test `t` ends. Messages that match one of `expected` are no faults. */
export async function newPage(t, wishes, expected = []) {
    const page = await pageOf(await contextOf(wishes), wishes);
    watch(t, page, () => page.close(), expected);
    return page;
}

/* Fails the test `t` for each fault in its page, and calls `end` when the test ends. */
function watch(t, page, end, expected = []) {
    const faults = [];
    reports.set(page, {faults, expected});
    const finish = async () => {
        ends.delete(page);
        await end();
        assert.deepEqual(faults, []);
    };
    ends.set(page, finish);
    t.after(() => ends.get(page) === finish && finish());
}

/* Ends the use of a page before its test ends, so that the test's next page can take it over. */
export const finish = page => ends.get(page)();

const ends = new WeakMap(); /* how the use of each page ends */

const reports = new WeakMap(); /* faults of each page since its test began, and the messages that are allowed */

function listen(page) {
    const report = fault => reports.get(page)?.faults.push(fault);
    page.on("pageerror", error => report(String(error)));
    page.on("console", message => {
        const isExpected = reports.get(page)?.expected.some(pattern => pattern.test(message.text()));
        if (!isExpected) report(message.text());
    });
    page.on("dialog", dialog => {
        report(`dialog: ${dialog.message()}`);
        dialog.dismiss();
    });
    page.on("request", request => {
        const isOwn = request.isNavigationRequest() || request.url().startsWith("blob:"); /* a worker */
        if (!isOwn) report(`request: ${request.url()}`);
    });
}

/* ---- pages for several tests ----
 *
 * A new page costs more processor time than most tests, and a new context costs still more. The next test that opens
 * another file in the same context takes over a page, unless its test has changed the script, used fingers (which move
 * the visible part), or moved the mouse in a browser without a place for it outside of the window. */

const spares = new Map(), altered = new WeakSet();

/* Returns a new page that remembers what a later test cannot undo. */
async function pageOf(context, {browser = "shell", javaScriptEnabled, hasTouch}) {
    const page = await context.newPage();
    if (javaScriptEnabled === false) still.add(page);
    alterBy(page, page, ["addInitScript"]);
    if (hasTouch) altered.add(page);
    if (browser !== "shell") alterBy(page, page.mouse, ["move", "click"]);
    listen(page);
    rememberMedia(page);
    if (browser === "shell") await paintLittle(page);
    return page;
}

/* Makes calls of some methods alter a page. */
function alterBy(page, owner, methods) {
    for (const name of methods) {
        const method = owner[name].bind(owner);
        owner[name] = (...words) => {
            altered.add(page);
            return method(...words);
        };
    }
}

/* Returns a page that shows another file than `url`, so that opening `url` loads a document, or undefined. */
function takeSpare(context, url) {
    const pages = spares.get(context) ?? [], at = pages.findIndex(page => page.url().split(/[?#]/)[0] !== url);
    return at < 0 ? undefined : pages.splice(at, 1)[0];
}

/* Keeps a page for the next test, or closes it. */
async function keep(context, page) {
    if (altered.has(page)) {
        await page.close();
        return;
    }
    if (sessions.has(page)) await page.mouse.move(-1, -1);
    if (whole.has(page)) await paint(page, PAINTED);
    spares.set(context, [...spares.get(context) ?? [], page]);
}

/* ---- windows and themes ---- */

/* Separates the size of the window and the theme, which each page of a context can have of its own, from the other
 * options. On phones and in other browsers they belong to the context. */
function lookOf({viewport: size = viewport, colorScheme = "light", ...rest}) {
    const isOfContext = rest.isMobile || rest.hasTouch || rest.browser !== undefined;
    return isOfContext ? {viewport: size, colorScheme, ...rest} : {look: {size, colorScheme}, ...rest};
}

const medias = new WeakMap(); /* what each page emulates */

function rememberMedia(page) {
    const emulateMedia = page.emulateMedia.bind(page);
    page.emulateMedia = wishes => {
        medias.set(page, {...medias.get(page), ...wishes});
        return emulateMedia(wishes);
    };
}

/* Gives a page a window, and the theme of the system. */
async function change(page, {size, colorScheme}) {
    const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b), wanted = {media: null, colorScheme};
    if (!isSame(page.viewportSize(), size)) await page.setViewportSize(size);
    if (!isSame({media: null, colorScheme: "light", ...medias.get(page)}, wanted)) await page.emulateMedia(wanted);
}

/* The browser paints this part of a window. Layout, scripts, input and canvases are those of the whole window, but
 * otherwise a third of the processor time goes into pixels that no test reads. */
const PAINTED = {width: 64, height: 64};
const whole = new WeakSet();    /* pages that are painted all over */
const sessions = new WeakMap(); /* Chromium's own commands for a page */

async function paint(page, size) {
    await sessions.get(page).send("Emulation.setVisibleSize", size);
    if (size === PAINTED) whole.delete(page);
    else whole.add(page);
}

async function paintLittle(page) {
    const setViewportSize = page.setViewportSize.bind(page), wheel = page.mouse.wheel.bind(page.mouse);
    sessions.set(page, await page.context().newCDPSession(page));
    page.setViewportSize = async size => {
        await setViewportSize(size);
        await paint(page, PAINTED);
    };
    /* A wheel scrolls what has been painted. */
    page.mouse.wheel = async (...by) => {
        await paint(page, page.viewportSize());
        await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
        await wheel(...by);
    };
    await paint(page, PAINTED);
}

/* ---- frames ---- */

/* Returns the visible frames that are wide enough for an element: [{name, count, title, label, fill, left, right, top, bottom,
 * isFaded}], with positions in pixels of the window, sorted from left to right within a row,
 * outermost row first. */
export async function frames(page) {
    const found = await whenSettled(page, () => Array.from(document.querySelectorAll("#frames > :not(.out)"))
        .filter(group => getComputedStyle(group).display !== "none")
        .map(group => {
            const [title, rect, label] = ["title", "rect", "text"].map(name => group.querySelector(name));
            const {left, right, top, bottom} = rect.getBoundingClientRect();
            const [, name, count] = /^(.*) \((-?[\d,.]+) \S+(?: in [\d,.]+ \S+)?, -?<?[\d.]+%(?: of all(?:, -?<?[\d.]+% of the selection)?)?(?:; [-+]?<?[\d.]+%)?(?:; gains [\d,.]+, losses [\d,.]+)?\)$/su.exec(title.textContent);
            return {name, count: Number(count.replaceAll(",", "")), title: title.textContent,
                    label: label?.textContent ?? "", fill: rect.getAttribute("fill"),
                    left, right, top, bottom, isFaded: getComputedStyle(rect).opacity !== "1"};
        }));
    const isUpright = !found.some(f => f.top < all(found).top);
    return found.sort((a, b) => (isUpright ? a.top - b.top : b.top - a.top) || a.left - b.left);
}

const all = found => found.find(f => f.name === "all");

/* The colour of what a search finds. */
export const MATCHED = "#e600e6";

/* Returns the names of the frames that the search has found. */
export const matched = async page => (await frames(page)).filter(f => f.fill === MATCHED).map(f => f.name);

/* Waits until everything that a change triggers is drawn, as for printing. Without JavaScript
 * nothing changes, and the page cannot report when a frame is drawn. */
export const settled = page => whenSettled(page, () => {});

/* Waits for some milliseconds of the page's own time: its timers that end before have fired by then, however busy the
 * machine is. */
export const passed = (page, milliseconds) =>
    page.evaluate(time => new Promise(done => { setTimeout(done, time); }), milliseconds);

/* Returns the result of a function in the page, once everything is drawn. Its argument and its result are JSON. */
export const whenSettled = (page, read, argument) => still.has(page) ? page.evaluate(read, argument)
    : resultOf(page, `(${settle})().then(() => (${read})(${JSON.stringify(argument)}))`);

/* Returns what an expression in the page promises, as JSON. Chromium's own command takes half of the processor time of
 * evaluate(). */
export async function resultOf(page, expression) {
    if (!sessions.has(page)) return page.evaluate(expression);
    const {result, exceptionDetails: fault} = await sessions.get(page)
        .send("Runtime.evaluate", {expression, awaitPromise: true, returnByValue: true});
    if (fault !== undefined) throw new Error(fault.exception?.description ?? fault.text);
    return result.value;
}

/* Draws all rows of a picture, as for printing. Its size stays, since a change and its return cost a new layout. Pages
 * draw in the next frame. */
const settle = () => new Promise(done => requestAnimationFrame(() => setTimeout(() => {
    const root = document.documentElement;
    if (root.localName === "svg" || document.querySelector("svg.live") !== null) {
        root.setAttribute = root.removeAttribute = () => {};
        dispatchEvent(new Event("beforeprint"));
        dispatchEvent(new Event("afterprint"));
        delete root.setAttribute;
        delete root.removeAttribute;
    }
    done();
})));

/* Returns the picture as text: a line for each row of frames, outermost first; "name count". */
export async function rows(page) {
    const lines = new Map();
    for (const f of await frames(page)) {
        const top = Math.round(f.top); /* Firefox has fractions */
        lines.set(top, [...lines.get(top) || [], `${f.name} ${f.count}`]);
    }
    return [...lines.values()].map(line => line.join(" | "));
}

/* Returns the i-th frame of a name. */
export async function frame(page, name, i = 0) {
    const found = (await frames(page)).filter(f => f.name === name)[i];
    assert.ok(found, `a frame ${name} can be seen`);
    return found;
}

/* Returns the centre of a frame's visible part, outside the floating bars. */
export async function middle(page, name, i) {
    const f = await frame(page, name, i);
    return {x: (f.left + f.right) / 2, y: (f.top + f.bottom) / 2};
}

export async function click(page, name, options) {
    const {x, y} = await middle(page, name, options?.i);
    await page.mouse.click(x, y, options);
}

export async function pointAt(page, name, i) {
    const {x, y} = await middle(page, name, i);
    await page.mouse.move(x, y);
}

/* ---- bars ---- */

/* Returns the text of an element; "" if it is invisible. */
export const text = (page, selector) => whenSettled(page, selector => Array.from(document.querySelectorAll(selector))
    .filter(e => e.checkVisibility()).map(e => e.textContent).join(" "), selector);

/* Moves the mouse away, so that no frame is pointed at, and searches. */
export const search = async (page, pattern) => {
    await page.keyboard.press("/");
    await page.keyboard.insertText(pattern);
};

export async function press(page, ...keys) {
    for (const key of keys) await page.keyboard.press(key);
}

/* Returns the state after the "#" of the address, as [name, value] pairs. */
export const state = async page => [...new URLSearchParams((await hash(page)).slice(1))];
export const hash = page => whenSettled(page, () => location.hash);

/* ---- pixels ---- */

/* Returns what is painted in each row of frames, the topmost first: {top, width, red}, the width of
 * the painted part in pixels, and the part of it that is red. A row's frames are elements or, if
 * they are narrow, pixels. */
export function painted(page) {
    return whenSettled(page, () => {
        const rows = new Map();
        const add = (y, width, red) => {
            const row = rows.get(Math.round(y)) ?? {top: Math.round(y), width: 0, red: 0};
            rows.set(row.top, Object.assign(row, {width: row.width + width, red: row.red + width * red}));
        };
        for (const rect of document.querySelectorAll("#frames > :not(.out) > rect")) {
            const {top, width} = rect.getBoundingClientRect();
            add(top, width, Number("0x" + rect.getAttribute("fill").slice(1, 3)) / 255);
        }
        for (const canvas of document.querySelectorAll(".cover canvas")) {
            const {top} = canvas.getBoundingClientRect(), scale = globalThis.devicePixelRatio;
            const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            for (let y = 0; y < canvas.height; y += 16 * scale)
                for (let i = 4 * y * canvas.width; i < 4 * (y + 1) * canvas.width; i += 4)
                    if (data[i + 3] > 0) add(top + y / scale, data[i + 3] / 255 / scale, data[i] / 255);
        }
        return [...rows.values()].sort((a, b) => a.top - b.top);
    });
}

/* ---- places ---- */

export function assertNear(actual, expected, what, slack = 1) {
    assert.ok(Math.abs(actual - expected) <= slack, `${what}: ${actual}, not ${expected}`);
}

/* SPDX-License-Identifier: MIT */
/* Opens pages of the output "html" in a browser and reads their drawing from the page's `brazier`
 * object. */
import {fileWith, outputOf} from "./picture.mjs";
import {MATCHED, openFile, resultOf} from "./viewer.mjs";

export const htmlOf = (folded, options = []) => outputOf(folded, ["--to=html", ...options]);

export async function openHtml(t, input, {options, ...rest} = {}) {
    const page = await openFile(t, fileWith(htmlOf(input, options), ".html"), rest);
    await settled(page);
    return page;
}

/* Waits until drawing is complete. */
const settle = () => new Promise(done => {
    const look = () => globalThis.brazier.isMoving() ? requestAnimationFrame(look)
        : setTimeout(() => globalThis.brazier.isMoving() ? look() : done());
    requestAnimationFrame(look);
});

export const settled = page => resultOf(page, `(${settle})()`);

export const frames = (page, chart = "frames") =>
    resultOf(page, `(${settle})().then(() => globalThis.brazier.${chart}())`);

/* Returns the names of the frames that the search has found. */
export const matched = async page => (await frames(page)).filter(f => f.color === MATCHED).map(f => f.name);

/* Returns the picture as text: a line for each row, outermost first; "name total". */
export async function rows(page, chart) {
    const lines = [];
    for (const f of (await frames(page, chart)).sort((a, b) => a.depth - b.depth || a.left - b.left))
        (lines[f.depth] ||= []).push(`${f.name} ${f.total}`);
    return lines.filter(line => line !== undefined).map(line => line.join(" | "));
}

export async function middle(page, name, chart) {
    const found = (await frames(page, chart)).find(f => f.name === name && !f.isMerged);
    if (found === undefined) throw new Error(`no frame ${name} is drawn`);
    return [(found.left + found.right) / 2, found.top + 8];
}

export async function pointAt(page, name, chart) {
    await page.mouse.move(...await middle(page, name, chart));
    await settled(page);
}

export async function clickAt(page, name, chart, options) {
    await page.mouse.click(...await middle(page, name, chart), options);
    await settled(page);
}

export const table = page => page.evaluate(() =>
    Array.from(document.querySelectorAll("#table .rows .grid"), row =>
        Array.from(row.children, cell => cell.textContent)));

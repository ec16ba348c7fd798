/* SPDX-License-Identifier: MIT */
/* Opens files in Chromium. Any fault in a page (a script error, a dialog, a console warning) fails
 * its test. */
import assert from "node:assert/strict";
import {createRequire} from "node:module";
import {after, before, test} from "node:test";
import {pathToFileURL} from "node:url";

import {isExhaustive} from "../../browser/fixtures/random.mjs";
import {programOf, sandbox} from "../../browser/lib/browsers.mjs";

const software = ["--enable-unsafe-swiftshader", "--use-gl=angle", "--use-angle=swiftshader"];
const viewport = {width: 640, height: 400}; /* each pixel is drawn by the processor */
const painted = {width: 64, height: 64}; /* the layout and canvases are those of the viewport */
const {chromium} = createRequire(import.meta.url)("playwright-core"); /* as in the browsers of the viewers */
let browser, page, faults = [];

before(async () => {
    browser = await chromium.launch({executablePath: programOf("shell"), args: [...software, ...sandbox]});
    page = await browser.newPage({viewport});
    await (await page.context().newCDPSession(page)).send("Emulation.setVisibleSize", painted);
    page.on("pageerror", error => faults.push(String(error)));
    page.on("console", message => {
        if (["error", "assert"].includes(message.type())) faults.push(message.text());
    });
    page.on("dialog", dialog => {
        faults.push(`dialog: ${dialog.message()}`);
        dialog.dismiss();
    });
});
after(() => browser.close());

/* Declares a test of what another test shows for another kind of profile: it runs with all repeats only. */
export const repeat = (...words) => isExhaustive && test(...words);

/* Opens a file in the page that all tests use one after the other. Returns the page. */
export async function open(t, path) {
    const found = faults = [];
    t.after(() => assert.deepEqual(found, []));
    await page.goto(pathToFileURL(path).href);
    return page;
}

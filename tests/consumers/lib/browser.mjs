/* Opens pages in Chromium. Any fault in a page (a script error, a dialog, a console warning) fails
 * its test. */
import assert from "node:assert/strict";
import {after, before} from "node:test";
import {pathToFileURL} from "node:url";
import {chromium} from "playwright-core";

import {programOf, sandbox} from "../../browser/lib/browsers.mjs";

const software = ["--enable-unsafe-swiftshader", "--use-gl=angle", "--use-angle=swiftshader"];
const viewport = {width: 640, height: 400}; /* each pixel is drawn by the processor */
let browser;

before(async () => {
    browser = await chromium.launch({executablePath: programOf("shell"), args: [...software, ...sandbox]});
});
after(() => browser.close());

/* Opens a file and closes the page when the test `t` ends. */
export async function open(t, path) {
    const page = await browser.newPage({viewport}), faults = [];
    page.on("pageerror", error => faults.push(String(error)));
    page.on("console", message => {
        if (["error", "assert"].includes(message.type())) faults.push(message.text());
    });
    page.on("dialog", dialog => {
        faults.push(`dialog: ${dialog.message()}`);
        dialog.dismiss();
    });
    t.after(async () => {
        await page.close();
        assert.deepEqual(faults, []);
    });
    await page.goto(pathToFileURL(path).href);
    return page;
}

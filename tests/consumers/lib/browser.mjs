/* Opens pages in Chromium. Any fault in a page (a script error, a dialog, a console warning) fails
 * its test. */
import assert from "node:assert/strict";
import {existsSync} from "node:fs";
import {after, before} from "node:test";
import {pathToFileURL} from "node:url";
import {chromium} from "playwright-core";

const programs = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const software = ["--enable-unsafe-swiftshader", "--use-gl=angle", "--use-angle=swiftshader"];
let browser;

/* Chromium refuses to use its sandbox for root. */
before(async () => {
    browser = await chromium.launch({
        executablePath: process.env.CHROMIUM || programs.find(existsSync),
        args: [...software, ...process.getuid() === 0 ? ["--no-sandbox"] : []],
    });
});
after(() => browser.close());

/* Opens a file and closes the page when the test `t` ends. */
export async function open(t, path) {
    const page = await browser.newPage(), faults = [];
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

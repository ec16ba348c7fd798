/* SPDX-License-Identifier: MIT */
/* Runs files of tests in one process, with one browser. Exits with 77 (skipped) if the driver or the browser is
 * missing.
 *
 * usage: run.mjs [--sample] FILE...     (--sample: a sixth of the tests, unless BRAZIER_EXHAUSTIVE=1) */
import {createRequire} from "node:module";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";

import {programOf} from "./browsers.mjs";

const files = process.argv.slice(2).filter(word => word !== "--sample");
const folder = dirname(dirname(fileURLToPath(import.meta.url)));

function missing() {
    try {
        createRequire(import.meta.url).resolve("playwright-core");
    } catch {
        return "playwright-core (run `npm ci` in tests/browser)";
    }
    return programOf("chromium") ? "" : "a Chromium";
}

const what = missing();
if (what !== "") {
    console.log(`missing: ${what}`);
    process.exit(process.env.CI ? 1 : 77);
}
for (const file of files) await import(join(folder, file));

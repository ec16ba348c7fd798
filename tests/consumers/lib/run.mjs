/* SPDX-License-Identifier: MIT */
/* Runs files of tests in one process. Exits with 77 (skipped) if a program or browser that they need is
 * missing.
 *
 * usage: run.mjs FILE... */
import {existsSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";

import {programOf} from "../../browser/lib/browsers.mjs";

const files = process.argv.slice(2);
const folder = dirname(dirname(fileURLToPath(import.meta.url)));

function missing() {
    if (!existsSync(join(folder, "node_modules", "speedscope")))
        return "the packages (run `npm ci` in tests/consumers)";
    return programOf("shell") ? "" : "a Chromium";
}

const what = missing();
if (what !== "") {
    console.log(`missing: ${what}`);
    process.exit(process.env.CI ? 1 : 77);
}
for (const file of files) await import(join(folder, file));

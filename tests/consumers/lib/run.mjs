/* Runs a file of tests. Exits with 77 (skipped) if a program or browser that it needs is
 * missing. */
import {existsSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";

import {programOf} from "../../browser/lib/browsers.mjs";

const [file] = process.argv.slice(2);
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
await import(join(folder, file));

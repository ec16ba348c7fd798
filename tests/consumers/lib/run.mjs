/* Runs a file of tests. Exits with 77 (skipped) if a program or browser that it needs is
 * missing. */
import {spawnSync} from "node:child_process";
import {existsSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";

const [file] = process.argv.slice(2);
const folder = dirname(dirname(fileURLToPath(import.meta.url)));
const browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

function missing() {
    if (!existsSync(join(folder, "node_modules", "speedscope")))
        return "the packages (run `npm ci` in tests/consumers)";
    return process.env.CHROMIUM || browsers.some(existsSync) ? "" : "a Chromium";
}

const what = missing();
if (what !== "") {
    console.log(`missing: ${what}`);
    process.exit(process.env.CI ? 1 : 77);
}
const {status} = spawnSync(process.execPath, ["--test", join(folder, file)], {stdio: "inherit"});
process.exit(status ?? 1);

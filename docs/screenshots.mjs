/* SPDX-License-Identifier: MIT */
/* Takes the screenshots of docs/gallery.md with Chromium: five recordings as they open in a browser,
 * in the light and the dark theme.
 *
 * usage: BRAZIER=build/release/bin/brazier node docs/screenshots.mjs [FOLDER]
 *
 * One recording is that of demo/, the others are those of docs/gallery-languages.md.
 * `npm ci` in tests/browser fetches the driver. The fonts are those of the machine.
 */
import {execFileSync} from "node:child_process";
import {existsSync, mkdirSync, mkdtempSync, rmSync} from "node:fs";
import {createRequire} from "node:module";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";

const docs = dirname(fileURLToPath(import.meta.url)), demo = join(docs, "..", "demo");
const {chromium} = createRequire(join(docs, "..", "tests", "browser", "package.json"))("playwright-core");
const folder = process.argv[2] ?? join(docs, "gallery");
const programs = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const recorded = name => join(docs, "gallery", "recordings", name);

/* Name, recording, format and options. */
const recordings = [
    ["node", join(demo, "node-typescript.perf.txt.gz"), "svg", ["--merge-recursion"]],
    ["java", recorded("orders.json.gz"), "svg", []],
    ["rust", recorded("weather.pb.gz"), "html", ["--skip-after=weather::main"]],
    ["cpp", recorded("ray.pb.gz"), "svg", []],
    ["go", recorded("index.pprof"), "html", []],
];

const work = mkdtempSync(join(tmpdir(), "brazier-screenshots-"));
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? programs.find(existsSync),
    args: process.getuid() === 0 ? ["--no-sandbox"] : [],
});
mkdirSync(folder, {recursive: true});
for (const [name, recording, format, options] of recordings) {
    const file = join(work, `${name}.${format}`);
    execFileSync(process.env.BRAZIER, ["-q", "--no-config", "run", recording, ...options, "-o", file]);
    for (const colorScheme of ["light", "dark"]) {
        const page = await browser.newPage({viewport: {width: 960, height: 620}, colorScheme});
        await page.goto(pathToFileURL(file).href);
        await page.keyboard.press("Shift"); /* ends the initial view */
        await page.waitForTimeout(500);
        await page.screenshot({path: join(folder, `screenshot-${name}-${colorScheme}.png`)});
        await page.close();
    }
}
await browser.close();
rmSync(work, {recursive: true});

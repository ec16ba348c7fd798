/* SPDX-License-Identifier: MIT */
/* Starts the browsers that the tests drive: Chromium through its own protocol, Firefox through
 * WebDriver BiDi, which Debian's firefox-esr speaks without any other program. Both have
 * Playwright's interface. "shell" is Chromium's build without a user interface, which renders the same
 * pages for a third of the processor time; Chromium replaces it where it is missing. */
import {existsSync, mkdtempSync, rmSync} from "node:fs";
import {createRequire} from "node:module";
import {tmpdir} from "node:os";
import {join} from "node:path";

const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const programs = {
    chromium,
    shell: ["/usr/bin/chromium-headless-shell", ...chromium],
    firefox: ["/usr/bin/firefox-esr", "/usr/bin/firefox"],
};

/* Returns the path of a browser, or undefined. CHROMIUM and FIREFOX override it. */
export const programOf = name =>
    process.env[name === "firefox" ? "FIREFOX" : "CHROMIUM"] || programs[name].find(existsSync);

/* Returns a reason to skip tests in a browser, or false. */
export const missing = name => programOf(name) ? false : `no ${name}`;

const home = mkdtempSync(join(tmpdir(), "brazier-home-"));
process.on("exit", () => rmSync(home, {recursive: true, force: true}));

/* Chromium refuses to use its sandbox for root, and Firefox to run in another user's home. The tests cannot
 * choose Firefox's theme later; it is dark. Fingers are there as on a device that has them. Processes and pages that no
 * test needs yet are not started ahead. */
export const sandbox = process.getuid() === 0 ? ["--no-sandbox"] : [];
const settings = {
    chromium: () => ({args: sandbox}),
    firefox: () => ({channel: "moz-firefox", env: {...process.env, HOME: home},
                     firefoxUserPrefs: {"layout.css.prefers-color-scheme.content-override": 0,
                                        "dom.w3c_touch_events.enabled": 1,
                                        "dom.ipc.processPrelaunch.enabled": false, "browser.newtab.preload": false}}),
};

/* The driver is a script of the older kind: importing it takes as long again, to find out what it exports. */
const require = createRequire(import.meta.url);

export async function start(name) {
    const engine = name === "shell" ? "chromium" : name, {[engine]: type} = require("playwright-core");
    return type.launch({executablePath: programOf(name), ...settings[engine]()});
}

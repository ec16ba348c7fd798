/* Starts the browsers that the tests drive: Chromium through its own protocol, Firefox through
 * WebDriver BiDi, which Debian's firefox-esr speaks without any other program. Both have
 * Playwright's interface. */
import {existsSync, mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

const programs = {
    chromium: ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"],
    firefox: ["/usr/bin/firefox-esr", "/usr/bin/firefox"],
};

/* Returns the path of a browser, or undefined. CHROMIUM and FIREFOX override it. */
export const programOf = name => process.env[name.toUpperCase()] || programs[name].find(existsSync);

/* Returns a reason to skip tests in a browser, or false. */
export const missing = name => programOf(name) ? false : `no ${name}: apt-get install firefox-esr`;

const home = mkdtempSync(join(tmpdir(), "brazier-home-"));
process.on("exit", () => rmSync(home, {recursive: true, force: true}));

/* Chromium refuses to use its sandbox for root, and Firefox to run in another user's home. */
const settings = {
    chromium: () => ({args: process.getuid() === 0 ? ["--no-sandbox"] : []}),
    firefox: () => ({channel: "moz-firefox", env: {...process.env, HOME: home}}),
};

export async function start(name) {
    const {[name]: type} = await import("playwright-core");
    return type.launch({executablePath: programOf(name), ...settings[name]()});
}

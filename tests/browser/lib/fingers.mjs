/* Opens pages in Firefox and touches them with fingers, which Playwright does not deliver there. Firefox's
 * WebDriver BiDi is spoken to directly. The helpers of html.mjs and viewer.mjs that only evaluate work with these
 * pages. */
import {spawn} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {after} from "node:test";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {pathToFileURL} from "node:url";

import {programOf} from "./browsers.mjs";

const driver = new URL("../node_modules/playwright-core/lib/utilsBundle.js", import.meta.url);

/* Starts Firefox with touches turned on. Returns {address, stop}. */
async function launch() {
    const folder = mkdtempSync(join(tmpdir(), "brazier-firefox-"));
    writeFileSync(join(folder, "user.js"), 'user_pref("dom.w3c_touch_events.enabled", 1);\n');
    const firefox = spawn(programOf("firefox"), ["--headless", "--no-remote", "--profile", folder, "--remote-debugging-port=0"],
                          {env: {...process.env, HOME: folder}, stdio: ["ignore", "ignore", "pipe"]});
    const ended = new Promise(done => { firefox.once("exit", done); });
    const stop = async () => {
        firefox.kill();
        await ended;
        rmSync(folder, {recursive: true, force: true, maxRetries: 5});
    };
    const address = await new Promise((done, fail) => {
        let said = "";
        firefox.stderr.on("data", data => {
            const found = /WebDriver BiDi listening on (ws:\S+)/.exec(said += data);
            if (found !== null) done(found[1]);
        });
        firefox.once("exit", () => fail(new Error(`Firefox ends: ${said}`)));
    });
    return {address, stop};
}

/* Connects to Firefox. Returns {send, close}; `send` runs a command and returns its result. */
async function connect(address) {
    const {ws: WebSocket} = (await import(driver)).default, socket = new WebSocket(`${address}/session`), waiting = new Map();
    await new Promise((done, fail) => socket.once("open", done).once("error", fail));
    socket.on("message", message => {
        const {id, type, result, message: problem} = JSON.parse(message), {done, fail} = waiting.get(id) ?? {};
        waiting.delete(id);
        if (type === "success") done?.(result);
        else if (type === "error") fail?.(new Error(problem));
    });
    const send = (method, params) => new Promise((done, fail) => {
        const id = waiting.size === 0 ? 1 : Math.max(...waiting.keys()) + 1;
        waiting.set(id, {done, fail});
        socket.send(JSON.stringify({id, method, params}));
    });
    return {send, close: () => socket.close()};
}

/* Firefox starts when the first test needs it: that takes longer than a test. */
let running;
after(async () => {
    if (running === undefined) return;
    const {close, stop} = await running;
    close();
    await stop();
});

/* Starts Firefox and a session. Returns {send, close, stop}. */
async function begin() {
    const {address, stop} = await launch(), {send, close} = await connect(address);
    await send("session.new", {capabilities: {}});
    return {send, close, stop};
}

/* Opens a file in a new window of Firefox until the test `t` ends. Returns a page with `evaluate`, `tap` and
 * `touch`. */
export async function openTouched(t, path) {
    running ??= begin();
    const {send} = await running, {context} = await send("browsingContext.create", {type: "window"});
    t.after(() => send("browsingContext.close", {context}));
    await send("browsingContext.setViewport", {context, viewport: {width: 820, height: 700}});
    await send("browsingContext.navigate", {context, url: String(pathToFileURL(path)), wait: "complete"});

    /* Runs a function in the page; its argument and its result are JSON. */
    const evaluate = async (run, argument) => {
        const expression = `Promise.resolve((${run})(${JSON.stringify(argument)})).then(v => JSON.stringify(v) ?? "null")`;
        const {type, result, exceptionDetails} = await send("script.evaluate", {expression, target: {context}, awaitPromise: true});
        if (type !== "success") throw new Error(exceptionDetails.text);
        return JSON.parse(result.value);
    };

    /* Puts fingers down, moves them in steps, holds them for some milliseconds, and lifts them. Each is
     * [[from x, from y], [to x, to y]]. */
    const touch = async (fingers, {milliseconds = 0} = {}) => {
        const move = (x, y, duration = 0) => ({type: "pointerMove", x: Math.round(x), y: Math.round(y), duration});
        const actions = fingers.map(([[x, y], [toX, toY]], i) => ({type: "pointer", id: `finger${i}`, parameters: {pointerType: "touch"},
            actions: [move(x, y), {type: "pointerDown", button: 0},
                      ...x === toX && y === toY ? [] : [1, 2, 3, 4, 5].map(k => move(x + (toX - x) * k / 5, y + (toY - y) * k / 5, 20)),
                      {type: "pause", duration: milliseconds}, {type: "pointerUp", button: 0}]}));
        await send("input.performActions", {context, actions});
    };
    return {evaluate, touch, tap: (x, y) => touch([[[x, y], [x, y]]])};
}

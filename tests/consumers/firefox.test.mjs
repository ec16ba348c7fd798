/* SPDX-License-Identifier: MIT */
/* Checks that the Firefox Profiler's own code, as shipped in its command line tool, reads the
 * output "firefox". */
import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {mkdtempSync, rmSync} from "node:fs";
import {connect} from "node:net";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {createInterface} from "node:readline";
import {setTimeout as sleep} from "node:timers/promises";
import {test} from "node:test";

import {described, functionsOf, odd} from "./lib/profiles.mjs";
import {bytesWritten, converted, described as asDescribed, fileWith, packageFile} from "./lib/written.mjs";

const program = packageFile("@firefox-devtools/profiler-cli/dist/profiler-cli.js");
const home = mkdtempSync(join(tmpdir(), "brazier-firefox-"));
process.on("exit", () => rmSync(home, {recursive: true, force: true}));

/* Starts the tool's server, which reads a file, until the test `t` ends. Returns its socket. */
async function serverOf(t, session, path) {
    const server = spawn(process.execPath, [program, "--daemon", path, "--session", session], {
        env: {...process.env, HOME: home, PROFILER_CLI_SESSION_DIR: home}, stdio: ["ignore", "ignore", "inherit"]});
    const ended = new Promise(done => { server.once("exit", done); });
    t.after(async () => {
        server.kill();
        await ended;
    });
    for (let i = 0; i < 1200 && server.exitCode === null; i++) {
        const socket = connect(join(home, `${session}.sock`));
        const isOpen = await new Promise(done => socket.once("connect", () => done(true)).once("error", () => done(false)));
        if (isOpen) return socket;
        await sleep(50);
    }
    throw new Error(`the profiler's server does not answer (${server.exitCode})`);
}

/* Opens a file in a session. Returns a function that queries it: `words` are those of the tool's command line, `more`
 * has its options. The tool itself would ask the server, too, but each of its runs takes longer than all answers. */
async function opened(t, session, bytes) {
    const socket = await serverOf(t, session, fileWith(bytes, ".json"));
    t.after(() => socket.destroy());
    const lines = createInterface({input: socket})[Symbol.asyncIterator]();
    const send = async message => {
        socket.write(`${JSON.stringify(message)}\n`);
        return JSON.parse((await lines.next()).value);
    };
    let answer = await send({type: "status"});
    for (; ["loading", "symbolicating"].includes(answer.type); answer = await send({type: "status"})) await sleep(20);
    assert.equal(answer.type, "ready", answer.error);
    return async (words, more = {}) => {
        const [command, subcommand] = words.split(" ");
        const {type, result, error} = await send({type: "command", command: {command, subcommand, ...more}});
        assert.equal(type, "success", error);
        return result;
    };
}

/* Returns {name: [total, self]}, rounded to nine digits. */
async function functionsIn(ask, factor = 1) {
    const rounded = n => Number((n * factor).toPrecision(9));
    const {functions} = await ask("thread functions", {includeIdle: true});
    return Object.fromEntries(functions
        .map(f => [f.name, [rounded(f.totalSamples), rounded(f.selfSamples)]])
        .filter(([, [total]]) => total !== 0));
}

test("the profiler finds a thread for each weight, and all functions", async t => {
    const ask = await opened(t, "two", bytesWritten("firefox", described.text, asDescribed));
    const {processes} = await ask("profile info");
    assert.deepEqual(processes.map(p => p.name), ["profile"]);
    assert.deepEqual(await functionsIn(ask, 1e6), functionsOf(described, 0));
    await ask("thread select", {thread: "t-1"});
    assert.deepEqual(await functionsIn(ask), functionsOf(described, 1));
    assert.equal((await ask("thread functions")).weightType, "bytes");
});

test("the profiler finds modules and kinds of frames", async t => {
    const ask = await opened(t, "kinds", bytesWritten("firefox", described.text, asDescribed));
    const {functions} = await ask("thread functions");
    const libraries = Object.fromEntries(functions.map(f => [f.name, f.library]));
    assert.deepEqual(libraries, {app: undefined, main: "app", work: "app", f: "app",
                                 malloc: "libc.so", idle: "[kernel]"});
    const {categories} = (await ask("thread samples", {includeIdle: true})).categoryBreakdown;
    assert.deepEqual(categories.map(c => c.name).sort(), ["kernel", "process", "user"]);
});

test("the profiler finds names with special characters", async t => {
    const ask = await opened(t, "odd", bytesWritten("firefox", odd.text, ["--name", "a \"run\""]));
    assert.deepEqual(await functionsIn(ask), functionsOf(odd));
    assert.deepEqual((await ask("profile info")).processes.map(p => p.name), ["a \"run\""]);
});

const perf = `one 7/7 10.5: 5000 cpu-clock:\n\t1 leaf (/bin/app)\n\t2 main (/bin/app)\n
one 7/7 10.75: 5000 cpu-clock:\n\t2 main (/bin/app)\n
two 7/9 10.625: 7000 cpu-clock:\n\t2 main (/bin/app)\n\n`;

test("the profiler finds threads of processes, with times", async t => {
    const ask = await opened(t, "threads", bytesWritten("firefox", perf, ["--from", "perf"]));
    const {processes, context} = await ask("profile info");
    assert.deepEqual(processes.map(p => [p.name, p.pid, p.threads.map(t => [t.name, t.tid]).sort()]),
                     [["one", "7", [["one", 7], ["two", 9]]]]);
    assert.deepEqual(context.rootRange, {start: 10500, end: 10751});
    assert.equal(context.selectedThreads[0].name, "one");
    assert.deepEqual(await functionsIn(ask, 1e6), {one: [10000, 0], main: [10000, 5000], leaf: [5000, 5000]});
});

const labelled = `weights: cpu/nanoseconds
tag: host=a request=1 time=1000000
main;work 2000000
tag: host=b time=3000000
main;work 1000000
main;idle 500000
tag: host=a time=4000000
main 4000000
tag: time=9000000
main;work 8000000
`;

test("the profiler shows the samples with a label", async t => {
    const times = await opened(t, "labels", bytesWritten("firefox", labelled, asDescribed));
    const sums = await opened(t, "sums", bytesWritten("firefox", labelled.replaceAll(/ time=\d+/g, ""), asDescribed));
    for (const ask of [times, sums]) {
        const during = async searchString => {
            await ask("filter push", {spec: {type: "during-marker", searchString}});
            const found = await functionsIn(ask);
            await ask("filter pop");
            return found;
        };
        assert.deepEqual(await during("host=a"), {main: [6, 4], work: [2, 2]});
        assert.deepEqual(await during("host=b"), {main: [1.5, 0], work: [1, 1], idle: [0.5, 0.5]});
        assert.deepEqual(await during("request=1"), {main: [2, 0], work: [2, 2]});
        assert.deepEqual(await functionsIn(ask), {main: [15.5, 4], work: [11, 11], idle: [0.5, 0.5]});
    }
});

/* Returns names of threads and their functions. */
async function threadsIn(ask) {
    const found = [];
    for (const p of (await ask("profile info", {all: true})).processes)
        for (const t of p.threads) {
            await ask("thread select", {thread: t.threadHandle});
            found.push([p.name, p.pid, t.name, String(t.tid), await functionsIn(ask)]);
        }
    return found.sort((a, b) => a[2] < b[2] ? -1 : 1);
}

/* Returns a profile as another program would write it. */
function foreign(bytes) {
    const file = JSON.parse(bytes);
    file.meta.importedFrom = "samply";
    for (const thread of file.threads) delete thread.brazier;
    return JSON.stringify(file);
}

test("the profiler finds the same threads in a profile and its copy", async t => {
    const profile = foreign(bytesWritten("firefox", perf, ["--from", "perf"]));
    const before = await opened(t, "before", profile);
    const after = await opened(t, "after", converted("firefox", fileWith(profile, ".json")));
    const expected = await threadsIn(before);
    assert.equal(expected.length, 2);
    assert.deepEqual(await threadsIn(after), expected);
    assert.deepEqual((await after("profile info")).context.rootRange, (await before("profile info")).context.rootRange);
});

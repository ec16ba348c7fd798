/* Checks that the Firefox Profiler's own code, as shipped in its command line tool, reads the
 * output "firefox". */
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {test} from "node:test";

import {described, functionsOf, odd} from "./lib/profiles.mjs";
import {bytesWritten, converted, described as asDescribed, fileWith, packageFile} from "./lib/written.mjs";

const program = packageFile("@firefox-devtools/profiler-cli/dist/profiler-cli.js");
const home = mkdtempSync(join(tmpdir(), "brazier-firefox-"));
process.on("exit", () => rmSync(home, {recursive: true, force: true}));

function profiler(words) {
    return spawnSync(process.execPath, [program, ...words],
                     {encoding: "utf8", env: {...process.env, HOME: home}});
}

/* Opens a file in a session. Returns a function that queries it; waits until the session is
 * ready. */
async function opened(t, session, bytes) {
    const ask = (...words) => profiler([...words, "--session", session, "--json"]);
    t.after(() => profiler(["stop", session]));
    let p = ask("load", fileWith(bytes, ".json"));
    for (let i = 0; i < 40 && p.status !== 0; i++) {
        await sleep(250);
        p = ask("profile", "info");
    }
    assert.equal(p.status, 0, p.stderr);
    return (...words) => {
        const answer = ask(...words);
        assert.equal(answer.status, 0, answer.stderr);
        return JSON.parse(answer.stdout);
    };
}

/* Returns {name: [total, self]}, rounded to nine digits. */
function functionsIn(ask, factor = 1) {
    const rounded = n => Number((n * factor).toPrecision(9));
    return Object.fromEntries(ask("thread", "functions", "--include-idle", "--limit", "0").functions
        .map(f => [f.name, [rounded(f.totalSamples), rounded(f.selfSamples)]])
        .filter(([, [total]]) => total !== 0));
}

test("the profiler finds a thread for each weight, and all functions", async t => {
    const ask = await opened(t, "two", bytesWritten("firefox", described.text, asDescribed));
    const {processes} = ask("profile", "info");
    assert.deepEqual(processes.map(p => p.name), ["profile"]);
    assert.deepEqual(functionsIn(ask, 1e6), functionsOf(described, 0));
    ask("thread", "select", "t-1");
    assert.deepEqual(functionsIn(ask), functionsOf(described, 1));
    assert.equal(ask("thread", "functions").weightType, "bytes");
});

test("the profiler finds modules and kinds of frames", async t => {
    const ask = await opened(t, "kinds", bytesWritten("firefox", described.text, asDescribed));
    const {functions} = ask("thread", "functions", "--limit", "0");
    const libraries = Object.fromEntries(functions.map(f => [f.name, f.library]));
    assert.deepEqual(libraries, {app: undefined, main: "app", work: "app", f: "app",
                                 malloc: "libc.so", idle: "[kernel]"});
    const {categories} = ask("thread", "samples", "--include-idle").categoryBreakdown;
    assert.deepEqual(categories.map(c => c.name).sort(), ["kernel", "process", "user"]);
});

test("the profiler finds names with special characters", async t => {
    const ask = await opened(t, "odd", bytesWritten("firefox", odd.text, ["--name", "a \"run\""]));
    assert.deepEqual(functionsIn(ask), functionsOf(odd));
    assert.deepEqual(ask("profile", "info").processes.map(p => p.name), ["a \"run\""]);
});

const perf = `one 7/7 10.5: 5000 cpu-clock:\n\t1 leaf (/bin/app)\n\t2 main (/bin/app)\n
one 7/7 10.75: 5000 cpu-clock:\n\t2 main (/bin/app)\n
two 7/9 10.625: 7000 cpu-clock:\n\t2 main (/bin/app)\n\n`;

test("the profiler finds threads of processes, with times", async t => {
    const ask = await opened(t, "threads", bytesWritten("firefox", perf, ["--from", "perf"]));
    const {processes, context} = ask("profile", "info");
    assert.deepEqual(processes.map(p => [p.name, p.pid, p.threads.map(t => [t.name, t.tid]).sort()]),
                     [["one", "7", [["one", 7], ["two", 9]]]]);
    assert.deepEqual(context.rootRange, {start: 10500, end: 10751});
    assert.equal(context.selectedThreads[0].name, "one");
    assert.deepEqual(functionsIn(ask, 1e6), {one: [10000, 0], main: [10000, 5000], leaf: [5000, 5000]});
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
        const during = text => {
            ask("filter", "push", "--during-marker", "--search", text);
            const found = functionsIn(ask);
            ask("filter", "pop");
            return found;
        };
        assert.deepEqual(during("host=a"), {main: [6, 4], work: [2, 2]});
        assert.deepEqual(during("host=b"), {main: [1.5, 0], work: [1, 1], idle: [0.5, 0.5]});
        assert.deepEqual(during("request=1"), {main: [2, 0], work: [2, 2]});
        assert.deepEqual(functionsIn(ask), {main: [15.5, 4], work: [11, 11], idle: [0.5, 0.5]});
    }
});

/* Returns names of threads and their functions. */
function threadsIn(ask) {
    const threads = ask("profile", "info", "--all").processes
        .flatMap(p => p.threads.map(t => ({...t, process: p.name, pid: p.pid})));
    return threads.map(t => {
        ask("thread", "select", t.threadHandle);
        return [t.process, t.pid, t.name, String(t.tid), functionsIn(ask)];
    }).sort((a, b) => a[2] < b[2] ? -1 : 1);
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
    assert.equal(threadsIn(before).length, 2);
    assert.deepEqual(threadsIn(after), threadsIn(before));
    assert.deepEqual(after("profile", "info").context.rootRange, before("profile", "info").context.rootRange);
});

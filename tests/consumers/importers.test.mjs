/* SPDX-License-Identifier: MIT */
/* Checks that speedscope imports brazier's outputs in the formats of other tools correctly: it
 * saves them in its own format, which is compared with the input. */
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {test} from "node:test";

import {open, repeat} from "./lib/browser.mjs";
import {described, odd, functionsOf, stacksOf} from "./lib/profiles.mjs";
import {bytesWritten, described as asDescribed, fileWith, packageFile} from "./lib/written.mjs";

const release = packageFile("speedscope/dist/release");

/* Returns the profile that speedscope saves after importing a file with the given content. */
async function reopened(t, bytes, ending) {
    const page = await open(t, `${release}/index.html`);
    await page.setInputFiles("input[type=file]", fileWith(bytes, ending));
    await page.waitForFunction(() => document.title.endsWith(" - speedscope"));
    const saved = page.waitForEvent("download");
    await page.keyboard.press("Control+s");
    return JSON.parse(readFileSync(await (await saved).path(), "utf8"));
}

/* Removes the details in braces that follow frame names. */
const plain = name => name.replace(/ \{.*\}$/s, "");

/* Returns {"name;name": value} of a profile saved by speedscope, rounded to nine digits. */
function stacksIn(file, profile) {
    const names = file.shared.frames.map(frame => plain(frame.name)), found = {};
    const add = (stack, value) => {
        const key = stack.map(frame => names[frame]).join(";");
        if (value !== 0) found[key] = (found[key] || 0) + value;
    };
    if (profile.type === "sampled") {
        profile.samples.forEach((stack, i) => add(stack, profile.weights[i]));
    } else {
        const open = [];
        let last = profile.startValue;
        for (const {type, frame, at} of profile.events) {
            add(open, at - last);
            last = at;
            if (type === "O") open.push(frame);
            else assert.equal(open.pop(), frame);
        }
        assert.deepEqual(open, []);
    }
    return Object.fromEntries(Object.entries(found)
        .map(([stack, value]) => [stack, Number(value.toPrecision(9))])
        .filter(([, value]) => Math.abs(value) > 1e-9));
}

/* Multiplies each value of `stacks` by a factor. */
const times = (stacks, factor) =>
    Object.fromEntries(Object.entries(stacks).map(([k, v]) => [k, Number((v * factor).toPrecision(9))]));

const selfOf = stacks => {
    const found = {};
    for (const [stack, value] of Object.entries(stacks)) {
        const name = stack.split(";").at(-1);
        found[name] = (found[name] || 0) + value;
    }
    return found;
};

/* ---- formats with stacks ---- */

test("speedscope opens a cpuprofile", async t => {
    const file = await reopened(t, bytesWritten("cpuprofile", described.text, asDescribed),
                                ".cpuprofile");
    assert.deepEqual(stacksIn(file, file.profiles[0]), times(stacksOf(described), 1e-3));
    assert.equal(file.profiles[0].unit, "microseconds");
    const work = file.shared.frames.find(frame => frame.name === "work");
    assert.equal(work.file, "src/work.c");
});

repeat("speedscope opens a cpuprofile with special characters in names", async t => {
    const file = await reopened(t, bytesWritten("cpuprofile", odd.text), ".cpuprofile");
    assert.deepEqual(stacksIn(file, file.profiles[0]), times(stacksOf(odd), 1000));
});

repeat("speedscope opens trace events, a thread for each weight", async t => {
    const file = await reopened(t, bytesWritten("chrome-trace", described.text, asDescribed),
                                ".trace.json");
    assert.equal(file.profiles.length, 2);
    assert.deepEqual(stacksIn(file, file.profiles[0]), times(stacksOf(described, 0), 1e-3));
    assert.deepEqual(stacksIn(file, file.profiles[1]), times(stacksOf(described, 1), 1e3));
    assert.match(file.profiles[0].name, /\bcpu\b/);
    assert.match(file.profiles[1].name, /\balloc\b/);
});

repeat("speedscope opens trace events with special characters in names", async t => {
    const file = await reopened(t, bytesWritten("chrome-trace", odd.text), ".trace.json");
    assert.deepEqual(stacksIn(file, file.profiles[0]), times(stacksOf(odd), 1000));
});

test("speedscope opens trace events without the labels of samples", async t => {
    const text = "weights: cpu/nanoseconds\ntag: host=a\nmain;f 2000\ntag: host=b\nmain;f 3000\nmain 500\n";
    const file = await reopened(t, bytesWritten("chrome-trace", text, [...asDescribed, "--no-details"]),
                                ".trace.json");
    assert.deepEqual(stacksIn(file, file.profiles[0]), {"main;f": 5, main: 0.5});
});

test("speedscope opens a pprof", async t => {
    const file = await reopened(t, bytesWritten("pprof", described.text, asDescribed), ".pb.gz");
    assert.deepEqual(stacksIn(file, file.profiles[0]), stacksOf(described));
    assert.equal(file.profiles[0].unit, "nanoseconds");
    const work = file.shared.frames.find(frame => frame.name === "work");
    assert.deepEqual([work.file, work.line], ["src/work.c", 20]);
    const second = await reopened(t, bytesWritten("pprof", odd.text), ".pb.gz");
    assert.deepEqual(stacksIn(second, second.profiles[0]), stacksOf(odd));
});

/* ---- callgrind: functions and calls ---- */

test("speedscope opens a callgrind file, a profile for each weight", async t => {
    const file = await reopened(t, bytesWritten("callgrind", described.text, asDescribed),
                                ".callgrind");
    assert.equal(file.profiles.length, 2);
    file.profiles.forEach((profile, weight) => {
        const want = Object.entries(functionsOf(described, weight)).filter(([, f]) => f[1] > 0);
        const got = selfOf(stacksIn(file, profile));
        for (const [name, [, self]] of want.filter(([name]) => name !== "f"))
            assert.ok(Math.abs(got[name] - self) < 1e-6 * self, `${name}: ${got[name]}, not ${self}`);
    });
});

repeat("speedscope opens a callgrind file with special characters in names", async t => {
    const file = await reopened(t, bytesWritten("callgrind", odd.text), ".callgrind");
    assert.deepEqual(stacksIn(file, file.profiles[0]), stacksOf(odd));
});

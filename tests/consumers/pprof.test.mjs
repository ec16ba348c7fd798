/* Checks that pprof-format and, if installed, Go's pprof read the output "pprof". */
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {test} from "node:test";
import {gunzipSync} from "node:zlib";
import {Profile} from "pprof-format";

import {described, functionsOf, odd, stacksOf} from "./lib/profiles.mjs";
import {bytesWritten, described as asDescribed, fileWith} from "./lib/written.mjs";

function has(output) {
    try {
        bytesWritten(output, "a 1\n");
        return true;
    } catch (error) {
        if (!String(error.stderr).includes(`no output '${output}'`)) throw error;
        return false;
    }
}

const missing = !has("pprof") && "this build has no output 'pprof'";
const noGo = missing || spawnSync("go", ["version"]).error !== undefined &&
    "there is no Go (Debian: golang-go)";

/* ---- pprof-format ---- */

function decoded(bytes) {
    const profile = Profile.decode(gunzipSync(bytes)), texts = profile.stringTable.strings;
    const functions = new Map(profile.function.map(f => [f.id, f]));
    const locations = new Map(profile.location.map(l => [l.id, l]));
    const nameOf = id => texts[Number(functions.get(locations.get(id).line[0].functionId).name)];
    return {profile, texts, stacks: weight => Object.fromEntries(profile.sample
        .map(s => [s.locationId.map(nameOf).reverse().join(";"), Number(s.value[weight])])
        .filter(([, value]) => value !== 0))};
}

test("pprof-format reads every weight of every stack", {skip: missing}, () => {
    const {profile, texts, stacks} = decoded(bytesWritten("pprof", described.text, asDescribed));
    const types = profile.sampleType.map(t => [texts[Number(t.type)], texts[Number(t.unit)]]);
    assert.deepEqual(types, [["alloc", "bytes"], ["cpu", "nanoseconds"]]);
    assert.equal(texts[Number(profile.defaultSampleType)], "cpu");
    assert.deepEqual(stacks(1), stacksOf(described, 0));
    assert.deepEqual(stacks(0), stacksOf(described, 1));
    assert.deepEqual(profile.mapping.map(m => texts[Number(m.filename)]).sort(),
                     ["[kernel]", "app", "libc.so"]);
});

test("pprof-format reads names with special characters", {skip: missing}, () => {
    assert.deepEqual(decoded(bytesWritten("pprof", odd.text)).stacks(0), stacksOf(odd));
});

test("the file contains neither time nor place of its creation", {skip: missing}, () => {
    const bytes = bytesWritten("pprof", odd.text);
    assert.deepEqual([...bytes.subarray(0, 10)], [31, 139, 8, 0, 0, 0, 0, 0, 0, 3]);
    assert.deepEqual(bytes, bytesWritten("pprof", odd.text));
});

/* ---- go tool pprof ---- */

function gopprof(bytes, options) {
    const p = spawnSync("go", ["tool", "pprof", ...options, fileWith(bytes, ".pb.gz")],
                        {encoding: "utf8"});
    assert.equal(p.status, 0, p.stderr);
    return p.stdout;
}

/* Parses the output of -top into {name: [total, self]}. */
function functionsIn(text) {
    const rows = [...text.matchAll(/^ *([\d.]+)\S* +[\d.]+% +[\d.]+% +([\d.]+)\S* +[\d.]+%  (.*)$/gm)];
    return Object.fromEntries(rows.map(m => [m[3], [Number(m[2]), Number(m[1])]]));
}

const everything = ["-top", "-nodefraction=0", "-nodecount=1000"];

test("go tool pprof finds every weight of every function", {skip: noGo}, () => {
    const bytes = bytesWritten("pprof", described.text, asDescribed);
    assert.deepEqual(functionsIn(gopprof(bytes, [...everything, "-unit=ns"])),
                     functionsOf(described, 0));
    assert.deepEqual(functionsIn(gopprof(bytes, [...everything, "-unit=B", "-sample_index=alloc"])),
                     functionsOf(described, 1));
    assert.match(gopprof(bytes, ["-raw"]), /work src\/work\.c:20/);
});

test("go tool pprof finds names with special characters", {skip: noGo}, () => {
    assert.deepEqual(functionsIn(gopprof(bytesWritten("pprof", odd.text),
                                         [...everything, "-symbolize=none"])),
                     functionsOf(odd));
});

/* SPDX-License-Identifier: MIT */
/* Checks that pprof-format and, if installed, Go's pprof read the output "pprof". */
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {spawnSync} from "node:child_process";
import {test} from "node:test";
import {gunzipSync} from "node:zlib";
import {Profile} from "pprof-format";

import {described, functionsOf, odd, stacksOf} from "./lib/profiles.mjs";
import {bytesWritten, converted, described as asDescribed, fileWith, goldenInput} from "./lib/written.mjs";

const noGo = spawnSync("go", ["version"]).error !== undefined &&
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

test("pprof-format reads every weight of every stack", () => {
    const {profile, texts, stacks} = decoded(bytesWritten("pprof", described.text, asDescribed));
    const types = profile.sampleType.map(t => [texts[Number(t.type)], texts[Number(t.unit)]]);
    assert.deepEqual(types, [["alloc", "bytes"], ["cpu", "nanoseconds"]]);
    assert.equal(texts[Number(profile.defaultSampleType)], "cpu");
    assert.deepEqual(stacks(1), stacksOf(described, 0));
    assert.deepEqual(stacks(0), stacksOf(described, 1));
    assert.deepEqual(profile.mapping.map(m => texts[Number(m.filename)]).sort(),
                     ["[kernel]", "app", "libc.so"]);
});

test("pprof-format reads names with special characters", () => {
    assert.deepEqual(decoded(bytesWritten("pprof", odd.text)).stacks(0), stacksOf(odd));
});

test("the file contains neither time nor place of its creation", () => {
    const bytes = bytesWritten("pprof", odd.text);
    assert.deepEqual([...bytes.subarray(0, 10)], [31, 139, 8, 0, 0, 0, 0, 0, 0, 3]);
    assert.deepEqual(bytes, bytesWritten("pprof", odd.text));
});

/* ---- profiles of other programs ---- */

const others = ["cpu.pb", "heap.pb.gz", "labels.pprof"].map(name => goldenInput(`pprof/${name}`));

/* Returns all that a profile says, with names in the place of ids: nothing depends on the order of tables,
 * sample types and samples. Equal samples are added up. */
function contentOf(bytes) {
    const p = Profile.decode(bytes[0] === 0x1f ? gunzipSync(bytes) : bytes), texts = p.stringTable.strings;
    const text = i => texts[Number(i)], byId = list => new Map(list.map(item => [item.id, item]));
    const functions = byId(p.function), locations = byId(p.location), mappings = byId(p.mapping);
    const lineOf = ({functionId, line, column}) => {
        const f = functions.get(functionId);
        return [text(f.name), text(f.systemName), text(f.filename), Number(f.startLine), Number(line), Number(column)];
    };
    const locationOf = id => {
        const {mappingId, address, line} = locations.get(id), m = mappings.get(mappingId);
        return [m ? [text(m.filename), text(m.buildId)] : [], String(address), line.map(lineOf)];
    };
    const types = p.sampleType.map(t => `${text(t.type)}/${text(t.unit)}`);
    const samples = {};
    for (const s of p.sample) {
        const key = JSON.stringify({
            stack: s.locationId.map(locationOf),
            labels: s.label.map(l => [text(l.key), text(l.str), String(l.num), text(l.numUnit)]).sort(),
        });
        samples[key] ||= {};
        types.forEach((type, i) => samples[key][type] = (samples[key][type] || 0) + Number(s.value[i]));
    }
    return {
        samples, types: [...types].sort(),
        shown: text(p.defaultSampleType) || text(p.sampleType.at(-1).type),
        facts: [p.timeNanos, p.durationNanos, p.period, p.dropFrames && text(p.dropFrames)].map(String),
        period: p.periodType && [text(p.periodType.type), text(p.periodType.unit)],
        comments: p.comment.map(text).filter(comment => !comment.startsWith("brazier@")),
    };
}

for (const path of others)
    test(`pprof-format finds the same in ${path.split("/").at(-1)} and its copy`, () => {
        const before = contentOf(readFileSync(path)), after = contentOf(converted("pprof", path));
        before.period ||= after.period;
        assert.deepEqual(after, before);
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

/* Returns the samples of -raw, with the locations in the place of their numbers, and its facts. */
function rawOf(path) {
    const lines = gopprof(readFileSync(path), ["-raw", "-symbolize=none"]).split("\n");
    const at = name => lines.findIndex(line => line.startsWith(name));
    const places = {}, samples = [];
    let place;
    for (const line of lines.slice(at("Locations") + 1, at("Mappings"))) {
        const [, id, rest] = /^ *(?:(\d+):)?(.*)$/.exec(line);
        if (id) places[place = id] = rest.replace(/ M=\d+/, "");
        else places[place] += rest;
    }
    for (const line of lines.slice(at("Samples") + 2, at("Locations"))) {
        const [, values, ids] = /^ *([-\d ]+): ([\d ]+)$/.exec(line) || [];
        if (values) samples.push([values, ids.trim().split(" ").map(id => places[id])]);
        else samples.at(-1).push(line.trim().split(" ").sort());
    }
    return samples.map(s => JSON.stringify(s)).sort();
}

for (const path of others)
    test(`go tool pprof finds the same in ${path.split("/").at(-1)} and its copy`, {skip: noGo}, () => {
        assert.deepEqual(rawOf(fileWith(converted("pprof", path), ".pb.gz")), rawOf(path));
    });

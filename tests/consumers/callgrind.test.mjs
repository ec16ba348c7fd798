/* SPDX-License-Identifier: MIT */
/* Checks that callgrind_annotate, from valgrind, reads the output "callgrind". */
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {test} from "node:test";

import {described, functionsOf, odd} from "./lib/profiles.mjs";
import {bytesWritten, described as asDescribed, fileWith} from "./lib/written.mjs";

const missing = spawnSync("callgrind_annotate", ["--version"]).error !== undefined &&
    "there is no callgrind_annotate (Debian: valgrind)";

/* Returns the output of callgrind_annotate for a file; fails if it prints errors. */
function annotated(bytes, options = []) {
    const p = spawnSync("callgrind_annotate",
                        ["--auto=no", "--threshold=100", ...options, fileWith(bytes, ".callgrind")],
                        {encoding: "utf8"});
    assert.equal(p.status, 0, p.stderr);
    assert.equal(p.stderr, "");
    return p.stdout;
}

const number = text => Number(text.replaceAll(",", ""));

/* Parses lines "cost (share) cost (share)  file:function [object]" into {name: [costs]}. */
function functionsIn(text, n) {
    const cost = "\\s*([\\d,.]+)(?: \\([ \\d.]+%\\))?";
    const line = new RegExp(`^${cost.repeat(n)}\\s+(?:\\* +)?(\\S+?):(.*?)(?: \\[[^ ]*\\])?$`);
    return Object.fromEntries(text.split("\n").map(l => line.exec(l)).filter(m => m !== null)
        .map(m => [m[n + 2], m.slice(1, n + 1).map(c => c === "." ? 0 : number(c))])
        .filter(([, costs]) => costs.some(c => c > 0)));
}

test("callgrind_annotate finds the self cost of each function", {skip: missing}, () => {
    const text = annotated(bytesWritten("callgrind", described.text, asDescribed));
    const got = functionsIn(text, 2);
    const [cpu, alloc] = [functionsOf(described, 0), functionsOf(described, 1)];
    const want = Object.fromEntries(Object.keys(cpu)
        .map(name => [name, [cpu[name][1], (alloc[name] || [0, 0])[1]]])
        .filter(([, costs]) => costs.some(c => c > 0)));
    assert.deepEqual(got, want);
    assert.match(text, /4,757 \(100\.0%\) 4,224 \(100\.0%\) +PROGRAM TOTALS/);
    assert.match(text, /src\/work\.c:work \[app\]/);
});

test("callgrind_annotate finds the inclusive cost of each function", {skip: missing}, () => {
    const got = functionsIn(annotated(bytesWritten("callgrind", described.text, asDescribed),
                                      ["--inclusive=yes"]), 2);
    const [cpu, alloc] = [functionsOf(described, 0), functionsOf(described, 1)];
    for (const name of ["app", "main", "work", "malloc", "idle"])
        assert.deepEqual(got[name], [cpu[name][0], (alloc[name] || [0, 0])[0]], name);
});

test("callgrind_annotate shows the selected weight first", {skip: missing}, () => {
    const text = annotated(bytesWritten("callgrind", described.text,
                                        [...asDescribed, "--weight", "alloc"]));
    assert.match(text, /Events recorded: +alloc cpu/);
});

test("callgrind_annotate finds names with special characters of its format", {skip: missing}, () => {
    const got = functionsIn(annotated(bytesWritten("callgrind", odd.text)), 1);
    const want = Object.fromEntries(Object.entries(functionsOf(odd))
        .map(([name, [, self]]) => [name, [self]]).filter(([, [self]]) => self > 0));
    assert.deepEqual(got, want);
});

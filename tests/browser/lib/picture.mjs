/* SPDX-License-Identifier: MIT */
/* Draws pictures of folded stacks with the built program. */
import {execFileSync} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

const folder = mkdtempSync(join(tmpdir(), "brazier-browser-"));
process.on("exit", () => rmSync(folder, {recursive: true, force: true}));

let made = 0;

/* Returns the output of the program for folded stacks; runs it once for the same stacks and options. */
const outputs = new Map();

export function outputOf(folded, options) {
    const words = ["-q", "flamegraph", "--palette=diff,hot", "--numbers=hash", ...options];
    const key = folded.length < 1e5 ? JSON.stringify([Buffer.from(folded).toString("latin1"), words]) : "";
    const output = outputs.get(key) ?? execFileSync(process.env.BRAZIER, words, {input: folded, maxBuffer: 1 << 29});
    if (key !== "") outputs.set(key, output);
    return output;
}

/* Returns the SVG of folded stacks. */
export const picture = (folded, options = []) => outputOf(folded, options);

/* Writes a file with the given content. Returns its path. */
export function fileWith(content, ending = ".svg") {
    const path = join(folder, `${++made}${ending}`);
    writeFileSync(path, content);
    return path;
}

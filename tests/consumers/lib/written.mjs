/* SPDX-License-Identifier: MIT */
/* Returns the output of the built program. */
import {execFileSync} from "node:child_process";
import {mkdtempSync, readdirSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {fileURLToPath} from "node:url";

const folder = mkdtempSync(join(tmpdir(), "brazier-consumers-"));
process.on("exit", () => rmSync(folder, {recursive: true, force: true}));

let made = 0;

/* Returns the output in a format, as bytes. */
export function bytesWritten(format, folded, options = []) {
    return execFileSync(process.env.BRAZIER, ["-q", "flamegraph", "--to", format, ...options],
                        {input: folded, maxBuffer: 1 << 28});
}

/* Returns the output in a format, as text. */
export function written(format, folded, options = []) {
    return bytesWritten(format, folded, options).toString("utf8");
}

/* Options for inputs that give all details of their frames: see
 * tests/golden/described/described.c. */
export const described = [
    "--plugin", join(process.env.BRAZIER_BUILD || "", "tests/plugins/collapse-described.so"),
    "--from", "described",
];

/* Returns a file of the repository in a format, as bytes. */
export function converted(format, path, options = []) {
    return execFileSync(process.env.BRAZIER, ["-q", "run", path, "--to", format, ...options],
                        {maxBuffer: 1 << 28});
}

/* Returns the path of an input of the golden cases. */
export const goldenInput = path =>
    fileURLToPath(new URL(`../../golden/collapse/${path}`, import.meta.url));

/* Writes a file with the given content. Returns its path. */
export function fileWith(content, ending) {
    const path = join(folder, `${++made}${ending}`);
    writeFileSync(path, content);
    return path;
}

/* Returns the golden cases of an output: [name, path]. */
export function goldenCases(output) {
    const cases = fileURLToPath(new URL(`../../golden/output/${output}/`, import.meta.url));
    return readdirSync(cases).filter(name => name.endsWith(`.${output}`))
        .map(name => [name, join(cases, name)]);
}

/* Returns the path of a file from this folder's npm packages. */
export const packageFile = path => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url));

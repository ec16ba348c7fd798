/* Pictures made by the program that was built, from folded stacks. */
import {execFileSync} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

const folder = mkdtempSync(join(tmpdir(), "brazier-browser-"));
process.on("exit", () => rmSync(folder, {recursive: true, force: true}));

let made = 0;

/* The SVG of folded stacks, as text. */
export function picture(folded, options = []) {
    return execFileSync(process.env.BRAZIER, ["-q", "flamegraph", "--numbers=hash", ...options],
                        {input: folded, maxBuffer: 1 << 28});
}

/* A file of that content; returns its path. */
export function fileWith(content, ending = ".svg") {
    const path = join(folder, `${++made}${ending}`);
    writeFileSync(path, content);
    return path;
}

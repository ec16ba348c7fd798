/* Draws pictures of folded stacks with the built program. */
import {execFileSync} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

const folder = mkdtempSync(join(tmpdir(), "brazier-browser-"));
process.on("exit", () => rmSync(folder, {recursive: true, force: true}));

let made = 0;

/* Returns the SVG of folded stacks as text. */
export function picture(folded, options = []) {
    return execFileSync(process.env.BRAZIER, ["-q", "flamegraph", "--palette=diff,hot", "--numbers=hash", ...options],
                        {input: folded, maxBuffer: 1 << 28});
}

/* Writes a file with the given content. Returns its path. */
export function fileWith(content, ending = ".svg") {
    const path = join(folder, `${++made}${ending}`);
    writeFileSync(path, content);
    return path;
}

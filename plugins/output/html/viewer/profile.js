/* Decodes the profile that the page contains; data.c describes its structure.
 *
 * The build concatenates the files of this folder inside one function, in the order of
 * CMakeLists.txt, so they share one scope. Frame names are untrusted text: they reach the page only
 * as textContent and attribute values, and the canvas only as drawn text.
 */
const data = JSON.parse(document.getElementById("profile").textContent);

/* ---- columns ---- */

function bytesOf(base64) {
    const raw = atob(base64), bytes = new Uint8Array(raw.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = raw.charCodeAt(i);
    return bytes;
}

/* Decodes a column of numbers into an array of the given type, after `skipped` zeros. */
function column(base64, ArrayType, skipped = 0) {
    const bytes = bytesOf(base64);
    let n = skipped;
    for (let i = 0; i < bytes.length; i++) if (bytes[i] < 128) n++;
    const numbers = new ArrayType(n);
    let at = skipped, value = 0, scale = 1;
    for (let i = 0; i < bytes.length; i++) {
        value += (bytes[i] & 127) * scale;
        scale *= 128;
        if (bytes[i] > 127) continue;
        numbers[at++] = value;
        value = 0;
        scale = 1;
    }
    return numbers;
}

/* ---- frames and functions ---- */

const frameTable = {
    name: column(data.frames.name, Uint32Array),
    module: column(data.frames.module, Uint32Array),
    file: column(data.frames.file, Uint32Array),
    line: column(data.frames.line, Float64Array),
    kind: column(data.frames.kind, Uint32Array),
    color: column(data.frameColors, Uint32Array),
};
const kindNames = ["", "process", "user", "kernel", "jit", "inlined", "waker"];

/* Functions: all frames with the same name. The last function stands for the root. */
const functions = {names: [], modules: [], frames: [], ofFrame: null, byName: new Map(), rank: null};

function gatherFunctions() {
    const n = frameTable.name.length;
    functions.ofFrame = new Uint32Array(n + 1);
    for (let i = 0; i < n; i++) {
        const name = data.texts[frameTable.name[i]], module = data.texts[frameTable.module[i]];
        let fn = functions.byName.get(name);
        if (fn === undefined) {
            fn = functions.names.length;
            functions.byName.set(name, fn);
            functions.names.push(name);
            functions.modules.push(module);
            functions.frames.push([]);
        }
        if (functions.modules[fn] !== module) functions.modules[fn] = "…";
        functions.frames[fn].push(i);
        functions.ofFrame[i] = fn;
    }
    functions.ofFrame[n] = functions.names.length;
    functions.names.push("all");
    functions.modules.push("");
    functions.frames.push([]);
    const order = functions.names.map((_, i) => i).sort((a, b) =>
        functions.names[a] < functions.names[b] ? -1 : functions.names[a] > functions.names[b] ? 1 : 0);
    functions.rank = new Uint32Array(order.length);
    order.forEach((fn, i) => { functions.rank[fn] = i; });
}

gatherFunctions();
const rootFrame = frameTable.name.length;
const rootFunction = functions.ofFrame[rootFrame];
const nameOf = (tree, i) => functions.names[tree.fn[i]];

/* ---- weights ---- */

const isComparison = data.before !== undefined;

/* Formats a value of a weight for reading. */
function weightText(value, weight) {
    const {unit, decimals} = data.weights[weight];
    const amount = value / 10 ** decimals;
    const scales = {nanoseconds: [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]],
                    microseconds: [[1e6, "s"], [1e3, "ms"], [1, "µs"]],
                    milliseconds: [[1e3, "s"], [1, "ms"]],
                    bytes: [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"], [1, "B"]]}[unit];
    if (scales === undefined)
        return `${amount.toLocaleString("en-US", {maximumFractionDigits: 4})} ${unit}`.trim();
    const [scale, word] = scales.find(([least]) => Math.abs(amount) >= least) ||
        scales[scales.length - 1];
    return `${(amount / scale).toLocaleString("en-US", {maximumFractionDigits: 2})} ${word}`;
}

const percent = share => Number.isFinite(share) ? (100 * share).toFixed(2) + "%" : "–";
const signed = text => text.startsWith("-") ? "−" + text.slice(1) : /^0\b(?!\.)/.test(text) ? text : "+" + text;

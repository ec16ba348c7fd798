/* SPDX-License-Identifier: MIT */
/* Decodes the profile that the page contains; data.c describes its structure.
 *
 * The build concatenates the files of this folder inside one function, in the order of
 * CMakeLists.txt, so they share one scope. Frame names are untrusted text: they reach the page only
 * as textContent and attribute values, and the canvas only as drawn text.
 */
const data = JSON.parse(document.getElementById("profile").textContent);

/* ---- columns ---- */

/* Digits by their character codes; columns.c describes them. */
const LAST_DIGITS = 58;
const digits = new Uint8Array(128);
for (let code = 32, digit = 0; code < 127; code++)
    if (!'"&<>\\'.includes(String.fromCharCode(code))) digits[code] = digit++;

/* Returns the number of numbers in a column. */
function lengthOf(text) {
    let n = 0;
    for (let i = 0; i < text.length; i++) if (digits[text.charCodeAt(i)] < LAST_DIGITS) n++;
    return n;
}

/* Decodes a column of numbers into an array of the given type, after `skipped` zeros. `n` is the
 * length of the array. */
function column(text, ArrayType, skipped = 0, n = skipped + lengthOf(text)) {
    const size = text.length, numbers = new ArrayType(n);
    for (let i = 0, at = skipped, value = 0, scale = 1; i < size; i++) {
        const digit = digits[text.charCodeAt(i)];
        if (digit >= LAST_DIGITS) {
            value += (digit - LAST_DIGITS) * scale;
            scale *= 32;
            continue;
        }
        numbers[at++] = value + digit * scale;
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
const functions = {names: [], modules: [], frames: [], ofFrame: null, byName: new Map(), rank: null, unnamed: null};

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
    functions.unnamed = functions.names.map(isUnnamed);
    functions.rank = new Uint32Array(order.length);
    order.forEach((fn, i) => { functions.rank[fn] = i; });
}

gatherFunctions();
const rootFrame = frameTable.name.length;
const rootFunction = functions.ofFrame[rootFrame];
const nameOf = (tree, i) => functions.names[tree.fn[i]];

/* Returns the name as it is shown: a frame may stand for a run of unnamed ones. */
const titleOf = (tree, i) => nameOfRun(nameOf(tree, i), runOf(tree, i));
const runOf = (tree, i) => tree.run === null ? 1 : tree.run[i];

/* ---- weights ---- */

let isComparison = data.before !== undefined; /* of two profiles, or of two ranges of time */

/* Weights with signs: their columns have sizes, gains and losses together. Maps each to the column that
 * has the losses alone, also as sizes. Those columns count as weights, which are not shown. */
const lossesOf = new Map();
const isShown = weight => weight.isLosses === undefined;

/* Adds the column of a weight's losses. */
const addLosses = w => lossesOf.set(w, data.weights.push({...data.weights[w], isLosses: true}) - 1);

(data.losses ?? []).forEach((text, w) => {
    if (text === 0) return;
    addLosses(w);
    data.selves.push(text);
});

const scales = data.weights.map(weight => amountScale(weight));

/* Returns the unit for values up to `most`: {scale, word, digits, isWhole}; an amount is the value
 * divided by `scale`, which is 1 if `isWhole`. */
function unitFor(weight, most) {
    const {units, steps, word} = scales[weight];
    if (units === null) return {scale: steps, word, digits: 4};
    const {name, size} = amountUnit(Math.abs(most), units);
    return {scale: size, word: name, digits: 2, isWhole: size === 1};
}

/* Formats an amount, with `fixed` decimals if that is given. */
function amountText(value, {scale, digits, fixed}) {
    const v = value / scale;
    if (v !== 0 && Math.abs(v) < 0.5 / 10 ** (fixed ?? digits)) return fixedText(v, fixed ?? digits);
    return v.toLocaleString("en-US", value === 0 || fixed === undefined ? {maximumFractionDigits: digits}
        : {minimumFractionDigits: fixed, maximumFractionDigits: fixed});
}

const withMinus = text => text.replace(/^-/, "−");

/* Formats a value of a weight for reading. */
const weightText = (value, weight) => withMinus(amountWithWord(value, scales[weight]));

const percent = share => Number.isFinite(share) ? withMinus(percentText(share)) : "–";
const signed = text => /^[-−]/.test(text) ? "−" + text.slice(1) : /^0\b(?!\.)/.test(text) ? text : "+" + text;

/* SPDX-License-Identifier: MIT */
/* Formats weights for readers: times as "3.13 s", sizes as "1.5 MiB", all else as counts. The C code
 * of common/amount.c formats the same. */
const amountKinds = [
    {names: {nanoseconds: 1, nanosecond: 1, ns: 1, microseconds: 1e3, microsecond: 1e3, us: 1e3,
             "µs": 1e3, "μs": 1e3, milliseconds: 1e6, millisecond: 1e6, ms: 1e6,
             seconds: 1e9, second: 1e9, sec: 1e9, s: 1e9},
     units: [["ns", 1], ["µs", 1e3], ["ms", 1e6], ["s", 1e9]], zero: "s"},
    {names: {bytes: 1, byte: 1, B: 1, kilobytes: 1024, kilobyte: 1024, KiB: 1024,
             megabytes: 2 ** 20, megabyte: 2 ** 20, MiB: 2 ** 20},
     units: [["B", 1], ["KiB", 2 ** 10], ["MiB", 2 ** 20], ["GiB", 2 ** 30], ["TiB", 2 ** 40]], zero: "B"},
];

/* Returns what a weight counts: its unit, or else its name. */
function amountWord({name, unit, isCompared}) {
    if (!["", "count", "none"].includes(unit)) return unit;
    return isCompared || name === "" ? "samples" : name;
}

/* Returns the scale of a weight {name, unit, decimals}: {units: [{name, size}] or null, zero, steps,
 * word}. `size` and `steps` are the values that are shown as 1. */
function amountScale(weight, factor = 1) {
    const steps = 10 ** weight.decimals / factor, word = amountWord(weight);
    const kind = amountKinds.find(({names}) => Object.hasOwn(names, weight.unit));
    if (kind === undefined || !(factor > 0)) return {units: null, zero: "", steps, word};
    const base = kind.names[weight.unit];
    return {units: kind.units.map(([name, size]) => ({name, size: size * steps / base})),
            zero: kind.zero, steps, word};
}

/* Formats `v` parts of which `whole` are 1, without trailing zeros. */
function partsText(v, whole) {
    const rest = String(v % whole).padStart(String(whole).length - 1, "0").replace(/0+$/, "");
    return BigInt(Math.floor(v / whole)).toString().replace(/\B(?=(...)+$)/g, ",") + (rest && "." + rest);
}

const partsOf = (v, one, whole) => Math.floor(v / one * whole + 0.5);

/* Formats v / one with as many decimals as `whole` has zeros; twice as many as often as it takes to
 * show anything of a `v` that is not 0. */
function decimalsText(v, one, whole) {
    let parts = partsOf(v, one, whole);
    for (; v > 0 && parts < 1 && whole <= 1e16; parts = partsOf(v, one, whole)) whole *= 100;
    return partsText(parts, whole);
}

/* Returns the largest unit of which `v`, as it is shown, is at least one. */
function amountUnit(v, units) {
    const i = Math.max(0, units.findLastIndex(({size}) => v >= size)), next = units[i + 1];
    const isNext = next !== undefined && partsOf(v, units[i].size, 100) >= partsOf(next.size, units[i].size, 100);
    return isNext ? next : units[i];
}

/* Formats a value without the word: "3.13 s" or "2,502". */
function amountNumber(value, {units, zero, steps}) {
    const v = Math.abs(value), sign = value < 0 ? "-" : "";
    if (units === null) return sign + (steps === 1 ? partsText(v, 1) : decimalsText(v, steps, 1e4));
    const unit = v > 0 ? amountUnit(v, units) : units.find(({name}) => name === zero);
    return `${sign}${decimalsText(v, unit.size, 100)} ${unit.name}`;
}

/* Formats a number with a fixed number of decimals; "<0.01" if that would be 0 but the number is
 * not. */
const fixedText = (v, decimals) => v === 0 || Math.abs(v) >= 0.5 / 10 ** decimals ? v.toFixed(decimals)
    : `${v < 0 ? "-" : ""}<${(10 ** -decimals).toFixed(decimals)}`;

/* Formats a share of a whole: "12.50%". */
const percentText = (share, decimals = 2) => fixedText(100 * share, decimals) + "%";

const plurals = ["samples", "objects", "allocations", "calls", "events"];

/* Returns a number and the word for what it counts, in the singular after 1 if that is known. */
const counted = (number, word) =>
    `${number} ${number === "1" && plurals.includes(word) ? word.slice(0, -1) : word}`.trim();

/* Formats a value with its unit or word. */
const amountWithWord = (value, scale) =>
    scale.units === null ? counted(amountNumber(value, scale), scale.word) : amountNumber(value, scale);

/* Returns the index of the weight that counts samples if weight `i` is a time or a size, or else
 * -1. */
const samplesBeside = (weights, i) => amountScale(weights[i]).units === null ? -1
    : weights.findIndex(({countsSamples}) => countsSamples);

/* SPDX-License-Identifier: MIT */
/* Defines the profiles given to consumers, and the results expected from them. */

/* Stacks with two weights, as objects and as input in the format "described". */
const two = [
    ["app;main;work;malloc", 1500, 4096],
    ["app;main;work", 2500, 0],
    ["app;main;idle", 500, 0],
    ["app;main;work;f;f;f", 250, 128],
    ["app", 7, 0],
].map(([names, ...values]) => ({stack: names.split(";"), values}));

const details = {
    app: "{|||process}", main: "{app|src/main.c|10|user}", work: "{app|src/work.c|20|user}",
    malloc: "{libc.so|||user}", idle: "{[kernel]|||kernel}", f: "{app|src/work.c|31|user}",
};

export const described = {
    weights: [["cpu", "nanoseconds"], ["alloc", "bytes"]],
    stacks: two,
    details,
    text: "weights: cpu/nanoseconds alloc/bytes\n" +
        two.map(({stack, values}) =>
            `${stack.map(name => name + details[name]).join(";")} ${values.join(" ")}\n`).join(""),
};

/* Names with a special meaning in one of the formats. */
const names = ["operator()", "</script><b>", "\"quoted\\\"", "(3) c", "fn=x", "名前", "😀 é", "a b", "100%"];

export const odd = {
    weights: [["samples", "samples"]],
    stacks: names.map((name, i) => ({stack: ["main", name], values: [i + 1]})),
    text: names.map((name, i) => `main;${name} ${i + 1}\n`).join(""),
};

/* Returns {"name;name": value} of a weight, without zeros. */
export function stacksOf(profile, weight = 0) {
    return Object.fromEntries(profile.stacks.filter(s => s.values[weight] !== 0)
        .map(s => [s.stack.join(";"), s.values[weight]]));
}

/* Returns {name: [total, self]} of a weight; recursion counts once. */
export function functionsOf(profile, weight = 0) {
    const found = {};
    for (const {stack, values} of profile.stacks.filter(s => s.values[weight] !== 0)) {
        for (const name of new Set(stack)) (found[name] ||= [0, 0])[0] += values[weight];
        found[stack.at(-1)][1] += values[weight];
    }
    return found;
}

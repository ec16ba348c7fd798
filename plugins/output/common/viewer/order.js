/* SPDX-License-Identifier: MIT */
/* Goes from match to match by weight, and names keys. */

/* Returns the next of `n` items by weight, heavier ones first and equal ones in their order; the previous
 * one if `step` is negative. Leaves out items for which `weightOf` returns a negative number. Begins again at
 * the end, or if `now` is left out. Returns -1 if all are left out. */
function nextByWeight(n, weightOf, now, step) {
    const isBefore = (a, b) => step * (weightOf(a) - weightOf(b) || b - a) > 0;
    const isItem = now >= 0 && weightOf(now) >= 0;
    let next = -1, first = -1;
    for (let i = 0; i < n; i++) {
        if (weightOf(i) < 0) continue;
        if (first < 0 || isBefore(i, first)) first = i;
        if (isItem && isBefore(now, i) && (next < 0 || isBefore(i, next))) next = i;
    }
    return next < 0 ? first : next;
}

const arrowKeys = {ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓"};

/* Returns the name of a key in the list of commands; empty with Alt. */
function keyOf(event) {
    const key = event.key === "Escape" ? "Esc" : arrowKeys[event.key] || event.key;
    if (event.altKey) return "";
    if (event.ctrlKey || event.metaKey) return "Ctrl-" + (key.length > 1 ? key : key.toUpperCase());
    return event.shiftKey && event.key in arrowKeys ? "Shift-" + key : key;
}

/* Keys that work while somebody writes, too. */
const keysInFields = ["Esc", "Ctrl-F", "F3", "Ctrl-I", "Ctrl-Enter"];

/* SPDX-License-Identifier: MIT */
/* Divides names of functions and shortens them for labels, as the C code of common/names and
 * output/common/short_name.c does; see name_parts.h and short_name.h. */

/* Replaces characters that change the direction of text or are invisible; screen_text.c does the same. */
const inert = text =>
    text.replace(/[\x80-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb]/g, "\ufffd");

/* Returns an element that isolates a text of the profile, so that its direction does not affect its
 * surroundings. */
const isolated = text => html("bdi", {}, inert(text));

/* Returns whether a name stands for code without one: "[libc.so.6]", "[unknown]". */
const isUnnamed = name => name[0] === "[" && /^\[[^[\]]+\](?:_\[\w\])?$/.test(name);

/* Returns the name of a frame that stands for a run of unnamed ones. */
const nameOfRun = (name, run) => run > 1 ? `${name} ×${run}` : name;

const openHint = "click: open";

const shownName = name => isolated(/\S/.test(name) ? name : "(no name)");

const nameEndings = ["isra", "part", "constprop", "cold", "llvm", "lto_priv", "clone", "_omp_fn", "plt", "so",
                     "dll", "exe", "dylib", "jar", "py", "js", "mjs", "ts", "rb", "php"];
const pathEnding = /\.(?:py|js|mjs|cjs|ts|tsx|rb|php|c|cc|cpp|h|rs|go|so|dll|exe|jar|pl|html|css|dylib)$/;
const isWord = c => c !== undefined && /[\w$\x80-\uffff]/.test(c);
const bracketOf = c => c === undefined ? 0 : "<{[(".includes(c) ? 1 : ">}])".includes(c) ? -1 : 0;

/* Reads a name piece by piece: groups of brackets, separators, other characters. */
class NameReader {
    constructor(text, end) {
        this.text = text;
        this.end = end;
        this.at = 0;
        this.isUnbalanced = false;
    }

    /* Returns the end of the group of brackets at the position, or the position. */
    groupEnd() {
        const {text, at, end} = this;
        if (this.isUnbalanced || at >= end || bracketOf(text[at]) <= 0) return at;
        for (let i = at, depth = 0; i < end; i++) {
            const isArrow = text[i] === ">" && i > at && (text[i - 1] === "-" || text[i - 1] === "=");
            depth += isArrow ? 0 : bracketOf(text[i]);
            if (depth === 0) return i + 1;
        }
        this.isUnbalanced = true;
        return at;
    }

    /* Returns the length of the separator of namespaces or packages at the position, or 0. */
    separator() {
        const {text, at, end} = this, c = text[at], next = at + 1 < end ? text[at + 1] : undefined;
        if (c === ":") return this.colons();
        if (!"./`!#\\".includes(c) || at === 0 || next === undefined) return 0;
        if (!(isWord(next) || bracketOf(next) > 0 || next === "~" || next === "*") || /\d/.test(next)) return 0;
        return c === "." && this.isEnding(at + 1) ? 0 : 1;
    }

    colons() {
        const {text, at, end} = this;
        let n = 1;
        while (n < 3 && at + n < end && text[at + n] === ":") n++;
        if (n === 1 && at + 1 < end && "*~^+".includes(text[at + 1])) n = 2;
        if (at === 0 || at + n >= end || n === 1 && !isWord(text[at + 1])) return 0;
        return n === 1 && /\d/.test(text[at + 1]) || text[at + n] === " " ? 0 : n;
    }

    isEnding(at) {
        return nameEndings.some(word => this.text.startsWith(word, at) && at + word.length <= this.end &&
            (at + word.length === this.end || !isWord(this.text[at + word.length])));
    }
}

/* Finds the place after the function's part: "f (file:12)" or "f file:12:3". */
function namePlace(name) {
    const isClosed = name.endsWith(")"), end = name.length - (isClosed ? 1 : 0);
    const blank = name.lastIndexOf(" ", end - 1) + 1, nowhere = {from: name.length, to: name.length};
    if (blank < 2) return {place: nowhere, functionEnd: name.length};
    const from = blank + (isClosed ? 1 : 0), text = name.slice(from, end);
    const file = text.replace(/(?<=.):\d+$/s, "").replace(/(?<=.):\d+$/s, "");
    const hasLine = file.length < text.length;
    const isOne = !(isClosed && (name[blank] !== "(" || !hasLine)) && text !== "" &&
        (hasLine ? /[/.:\\]/.test(file) : /^(?:\/|file:\/\/|node:)/.test(text));
    return isOne ? {place: {from, to: end}, functionEnd: blank - 1} : {place: nowhere, functionEnd: name.length};
}

/* Returns the end of a file, a line and " - " in front of a function, or 0. */
const lineInFront = name => (/^(?::[^ ]*|[^ ]+:\d+) - (?=.)/s.exec(name) ?? [""])[0].length;

/* Returns the beginning of the file's name if the whole name is a path, or else the end. */
function fileOfPath(name) {
    const file = name.replace(/(?<=.):\d+$/s, "").replace(/(?<=.):\d+$/s, "");
    const slash = Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1;
    if (/[ (<]/.test(name) || slash === file.length) return name.length;
    return name[0] === "/" || slash > 0 && pathEnding.test(file) ? slash
        : slash === 0 && pathEnding.test(file) ? 0 : name.length;
}

/* Returns the position after which no blank separates a return type. */
function lastCode(name, end) {
    const r = new NameReader(name, end);
    let last = 0;
    while (r.at < end) {
        const group = r.groupEnd(), before = name[r.at - 1];
        const hasParameters = group > r.at && name[r.at] === "(" && r.at > 0 && (isWord(before) || before === ">");
        if (hasParameters || r.at + 1 < end && name.startsWith("::", r.at)) last = r.at;
        r.at = group > r.at ? group : r.at + 1;
    }
    return last;
}

/* Returns the end of an operator's name, or `from` if no operator is there. */
function operatorEnd(name, from, end) {
    let at = from + 8;
    if (!name.startsWith("operator", from) || at >= end || isWord(name[at])) return from;
    if (name.startsWith("()", at) && at + 2 <= end) return at + 2;
    while (at < end && name[at] !== "(") at++;
    return at;
}

const isClosure = text => text === "" || text === "_" || bracketOf(text[0]) > 0 || /^func\d/.test(text);

/* Divides a name: {functionEnd, lineEnd, qualified, own: {from, to}, place: {from, to}}. */
function nameParts(name) {
    const {place, functionEnd} = namePlace(name);
    const isFile = place.from < place.to && place.to === name.length && !/[/\\]$/.test(name);
    if (isFile && ":*~^+".includes(name[functionEnd - 1])) {
        const slash = Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")), end = name.length;
        return {functionEnd: end, lineEnd: 0, qualified: place.from, own: {from: Math.max(place.from, slash + 1), to: end},
                place: {from: end, to: end}};
    }
    const parts = {functionEnd, lineEnd: 0, qualified: 0, own: {from: 0, to: 0}, place};
    const file = place.from === place.to ? fileOfPath(name) : name.length;
    if (file < name.length) return {...parts, own: {from: file, to: name.length}};
    const r = new NameReader(name, functionEnd), code = lastCode(name, functionEnd);
    const lineEnd = place.from === place.to ? lineInFront(name) : 0;
    parts.qualified = parts.lineEnd = r.at = lineEnd;
    let start = lineEnd, stop = Infinity, isOver = false;
    const take = to => {
        while (to > start + 1 && name[to - 1] === " ") to--;
        if (parts.own.from === parts.own.to || !isClosure(name.slice(start, to))) parts.own = {from: start, to};
    };
    while (r.at < r.end && !isOver) {
        let group = r.at === start ? operatorEnd(name, start, r.end) : r.at, n;
        if (group === r.at) group = r.groupEnd();
        if (group > r.at) {
            if (bracketOf(name[r.at]) > 0 && r.at > start && stop === Infinity) stop = r.at;
            r.at = group;
        } else if ((n = r.separator()) > 0) {
            take(Math.min(stop, r.at));
            start = r.at += n;
            stop = Infinity;
        } else if (name[r.at] === " " && r.at < code) {
            start = parts.qualified = ++r.at;
            parts.own = {from: 0, to: 0};
            stop = Infinity;
        } else {
            if (name[r.at] === "@" && stop === Infinity && r.at > start) stop = r.at;
            isOver = name[r.at] === " " && stop !== Infinity;
            if (!isOver) r.at++;
        }
    }
    take(Math.min(stop, r.at));
    if (parts.own.from === parts.own.to) parts.own = {from: lineEnd, to: functionEnd};
    return parts;
}

/* Returns the function's part with <…> and (…), and where its components and its own name begin. */
function closedName(name, {functionEnd, lineEnd, qualified, own}) {
    const r = new NameReader(name, functionEnd), starts = [];
    let text = "", ownStart = 0;
    while (r.at < r.end) {
        if (r.at === own.from) {
            ownStart = text.length;
            text += name.slice(own.from, own.to);
            r.at = own.to;
            continue;
        }
        const group = r.groupEnd(), c = name[r.at];
        if (group > r.at) {
            const stays = group - r.at < 4 || c !== "<" && c !== "(" || c === "(" && name[r.at + 1] === "*";
            text += stays ? name.slice(r.at, group) : `${c}…${name[group - 1]}`;
            r.at = group;
            continue;
        }
        const n = r.at + 1 === qualified ? 1 : r.at < lineEnd || r.at >= own.from ? 0 : r.separator();
        text += name.slice(r.at, r.at += n || 1);
        if (n > 0) starts.push(text.length);
    }
    return {text, starts: [0, ...starts.filter(at => at < ownStart), ownStart]};
}

/* Returns the longest label of a name for which `fits` holds, or "". If `fits` holds for a text, it
 * must hold for its parts. */
function shortName(name, fits) {
    if (fits(name)) return name;
    if (!fits("mmmm")) return "";
    const parts = nameParts(name), {text, starts} = closedName(name, parts), {place, own} = parts;
    const [opens, closes] = place.to < name.length ? [" (", ")"] : [" ", ""];
    const around = (at, dots) => opens + dots + name.slice(at, place.to) + closes, hasPlace = place.from < place.to;
    const from = at => at > 0 ? "…" + text.slice(at) : text;
    for (const at of starts) {
        const label = from(at) + (hasPlace ? around(place.from, "") : "");
        if (fits(label)) return label;
    }
    const last = starts[starts.length - 1], inner = from(last), dots = last > 0 ? "" : "…";
    for (let i = place.from; i + 1 < place.to; i++)
        if ((name[i] === "/" || name[i] === "\\") && fits(inner + around(i + 1, dots))) return inner + around(i + 1, dots);
    const alone = hasPlace ? inner + dots : inner;
    return fits(alone) ? alone : cutOwn(name.slice(own.from, own.to), fits);
}

/* Cuts the end off a function's own name or the middle out of it. */
function cutOwn(own, fits) {
    if (fits(own + "…")) return own + "…";
    const letters = Array.from(own), cut = n => {
        const behind = n >= 7 ? Math.floor(n / 3) : 0;
        return letters.slice(0, n - behind).join("") + "…" + letters.slice(letters.length - behind).join("");
    };
    let low = 0, high = letters.length - 1;
    while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (fits(cut(middle))) low = middle;
        else high = middle - 1;
    }
    return low >= 4 ? cut(low) : "";
}

/* SPDX-License-Identifier: MIT */
/* Shows the source around a frame's line, if the page contains it. */
const sourcePane = html("div", {id: "source", hidden: ""});

/* Excerpts, indexed by the text number of the file. */
const excerpts = new Map();
for (const excerpt of data.source || [])
    excerpts.set(excerpt.file, [...excerpts.get(excerpt.file) || [], excerpt]);

function excerptOf(frame) {
    const line = frameTable.line[frame];
    if (!(line > 0)) return undefined;
    return (excerpts.get(frameTable.file[frame]) || [])
        .find(e => e.line <= line && line < e.line + e.lines.length);
}

const hasSource = frame => excerptOf(frame) !== undefined;

/* Returns "file:line", or as much of it as is known. */
function placeOf(frame) {
    const file = data.texts[frameTable.file[frame] ?? 0] || "", line = frameTable.line[frame];
    return file === "" || !(line > 0) ? file : `${file}:${line}`;
}

/* The weights of each line, "FILE:LINE" with the number of the file's text, if the page contains that: see code.c. */
const lineSelves = new Map();
for (const [file, line, self] of data.lines ?? [])
    lineSelves.set(`${file}:${line}`, [...lineSelves.get(`${file}:${line}`) ?? [], self]);

const selfOfLine = (file, line) => (lineSelves.get(`${file}:${line}`) ?? []).reduce((sum, self) => sum + selfOf(self), 0);

/* Returns what is in front of the text of a line: its share of the whole, in pages that know it. */
const sharesOfLine = (file, line) => data.lines === undefined ? [] :
    [shareCell(selfOfLine(file, line), wholeTotal())];

function showSource() {
    const {chosen} = view;
    if (excerpts.size === 0 || chosen === null) return;
    const excerpt = chosen.frame === undefined ? undefined : excerptOf(chosen.frame);
    sourcePane.hidden = excerpt === undefined;
    if (excerpt === undefined) return;
    const here = frameTable.line[chosen.frame];
    const lines = excerpt.lines.map((text, i) => html("span", {
        class: excerpt.line + i === here ? "code here" : "code", "data-line": excerpt.line + i},
        ...sharesOfLine(excerpt.file, excerpt.line + i), text));
    sourcePane.replaceChildren(
        html("div", {class: "heading"}, isolated(placeOf(chosen.frame)), " ",
             button("", "×", "Close", () => { sourcePane.hidden = true; })),
        html("pre", {}, ...lines));
    const mark = sourcePane.querySelector(".here");
    if (mark) sourcePane.scrollTop = mark.offsetTop - sourcePane.clientHeight / 2;
}

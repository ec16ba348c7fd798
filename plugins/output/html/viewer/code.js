/* SPDX-License-Identifier: MIT */
/* Shows the instructions of a frame's function with their weights, if the page contains them: see code.c. */
const codePane = html("div", {id: "code", hidden: ""});

/* Functions with instructions, by their names and modules. */
const codes = new Map();
for (const code of data.code ?? []) {
    const key = `${code.name}\n${code.module}`;
    codes.set(key, [...codes.get(key) ?? [], code]);
}

/* Returns the codes of a frame's function: several functions may share their name. */
const codesOf = frame => frame === undefined || frame >= rootFrame ? [] :
    codes.get(`${data.texts[frameTable.name[frame]]}\n${data.texts[frameTable.module[frame]]}`) ?? [];

/* Returns the shown weight of an instruction or a line: a number, or a list of those of all weights. */
const selfOf = self => Array.isArray(self) ? self[view.weight] : self;

/* Returns the weight of an instruction or a line as a share of a whole, for a column. */
const shareCell = (self, whole) => html("span", {class: "part", title: self ? weightText(self, view.weight) : ""},
                                        self ? percent(self / whole) : "");

/* Returns a button that shows the instruction to which another one jumps. */
function jumpTo(target, address) {
    const isUp = parseInt(target, 16) <= parseInt(address, 16);
    return button("", isUp ? "↑" : "↓", `Jumps to ${target}`, () => {
        const row = codePane.querySelector(`[data-at="${target}"]`);
        for (const other of codePane.querySelectorAll(".here")) other.classList.remove("here");
        row?.classList.add("here");
        row?.scrollIntoView({block: "center"});
    });
}

/* Returns the rows of an instruction: itself, and one for those that are left out before it. */
function codeRows(all, [address, text = "", self = 0, file = "", line = 0, target = "", isTarget = 0, skipped = 0]) {
    const place = file === "" || file === 0 ? "" : `${file.slice(file.lastIndexOf("/") + 1)}:${line}`;
    const row = html("span", {class: "code", "data-at": address, "data-line": `${isTarget ? "›" : ""}${address}`},
                     shareCell(selfOf(self), all), html("span", {class: "instruction"}, text || ""),
                     target ? jumpTo(target, address) : "", html("span", {class: "place"}, isolated(place)));
    return skipped ? [html("span", {class: "code", "data-line": "…"}), row] : [row];
}

function showCode() {
    const found = codesOf(view.chosen?.frame);
    codePane.hidden = found.length === 0;
    if (codePane.hidden) return;
    const all = found.map(code => selfOf(code.self));
    codePane.replaceChildren(
        html("div", {class: "heading"}, isolated(found[0].name), ` ${weightText(all.reduce((a, b) => a + b, 0), view.weight)} `,
             button("", "×", "Close", () => { codePane.hidden = true; })),
        ...found.map((code, i) => html("pre", {}, ...code.rows.flatMap(row => codeRows(all[i], row)),
                                  code.why === undefined ? "" : html("span", {class: "code"}, code.why))));
    const weigh = row => selfOf(row[2] ?? 0);
    const heaviest = found[0].rows.reduce((best, row) => weigh(row) > weigh(best) ? row : best, found[0].rows[0] ?? []);
    const mark = codePane.querySelector(`[data-at="${heaviest[0]}"]`);
    if (mark) codePane.scrollTop = mark.offsetTop - codePane.clientHeight / 2;
}

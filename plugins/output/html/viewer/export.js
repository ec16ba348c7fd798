/* SPDX-License-Identifier: MIT */
/* Saves what the page shows: the picture, its stacks, the table. The picture and its stacks are those of the filtered
 * tree, in the zoomed frame; the table has the rows that a search leaves. */
const PICTURE_WIDTH = 1200; /* pixels, for a chart without a width */

/* See SVG_NAMESPACE. */
const SPEEDSCOPE_SCHEMA = ["https", "//www.speedscope.app/file-format-schema.json"].join(":");

/* Returns the chart that is exported: the one that keys act on. */
const exported = () => active.tree === null ? main : active;

/* Returns a weight as its number in the unit of the file. */
const plainNumber = (value, weight) => value / 10 ** (data.weights[weight].decimals ?? 0);

/* Calls `use` for each frame in the window of a chart: node, left and width in pixels. */
function forFrames(chart, width, use) {
    const {tree, zoomed} = chart, {from, span} = chart.window(), scale = width / span;
    for (const node of pathOf(tree, zoomed).slice(0, -1)) use(node, 0, width);
    for (let i = zoomed; i < tree.end[zoomed];) {
        const left = Math.max(0, (tree.x[i] - from) * scale);
        const right = Math.min(width, (tree.x[i] + tree.total[i] - from) * scale);
        if (right - left < LEAST_EXPORTED && i !== zoomed) {
            i = tree.end[i];
            continue;
        }
        use(i, left, right - left);
        i++;
    }
}

function svgOf(chart) {
    const {tree} = chart, width = chart.width || PICTURE_WIDTH, frames = [], byChange = showsChanges();
    const c = document.createElement("canvas").getContext("2d");
    c.font = LABEL_FONT;
    const letter = letterWidth(c), height = (tree.depth[chart.zoomed] + tree.height[chart.zoomed] + 1 - chart.least) * ROW;
    forFrames(chart, width, (node, left, wide) => {
        const row = tree.depth[node] - chart.least;
        if (row < 0) return;
        frames.push({
            title: `${titleOf(tree, node)} (${figuresOf(tree, node)[0]})`, color: chart.colorOf(node),
            label: wide >= LABELLED ? fitted(c, titleOf(tree, node), wide - 6, letter) : "",
            left, top: chart.isUp ? height - (row + 1) * ROW : row * ROW, width: wide, height: ROW - 1,
            line: byChange && wide > NARROWEST_OUTLINE ? theme(isOutlined(tree, node) ? "--changed" : "--unchanged") : "",
        });
    });
    return svgOfFrames(frames, {width, height, title, paper: theme("--paper"), font: {"font-family": "monospace", "font-size": 12}});
}

/* Returns the whole picture as pixels. */
function pngOf(chart) {
    chart.unroll();
    return new Promise(done => chart.canvas.toBlob(blob => {
        chart.resized();
        done(blob);
    }, "image/png"));
}

/* Calls `use` for each node in the zoomed frame: functions of its stack, outermost first, and node. */
function forStacks({tree, zoomed}, use) {
    const stack = pathOf(tree, zoomed).slice(1).map(node => tree.fn[node]);
    for (let i = zoomed; i < tree.end[zoomed]; i++) {
        stack.length = Math.max(0, tree.depth[i] - 1);
        if (i > 0) stack.push(tree.fn[i]);
        use(stack, i);
    }
}

/* Comparisons have two counts in a line. */
function foldedOf(chart) {
    const {tree} = chart, weights = isComparison ? [data.before, data.after] : [tree.weight], lines = [];
    const selves = weights.map(w => netSelf(tree, w));
    forStacks(chart, (stack, i) => {
        const values = selves.map((self, k) => plainNumber(self[i], weights[k]));
        if (values.some(v => v !== 0)) lines.push(foldedLine(stack.map(fn => functions.names[fn]), values));
    });
    return lines.join("");
}

const csvText = text => /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/* Numbers are those of the file, shares are in percent. */
function csvOf() {
    showTable();
    const weight = isComparison ? data.after : view.weight, unit = data.weights[weight].unit ?? "";
    const keys = knownColumns(), columns = keys.map(key => tableColumns[key]);
    const isPlain = column => !column.isShare && !column.isOfBefore;
    const cell = (column, fn) => column.text ? csvText(column.text(fn)) : column.isOfBefore ? csvText(changeShareText(fn, column.value(fn)))
        : column.isShare ? String(100 * column.value(fn) / view.tree.total[0]) : String(plainNumber(column.value(fn), weight));
    const heads = columns.map(column => csvText(column.label + (column.value && isPlain(column) && unit !== "" ? ` (${unit})` : "")));
    return [heads.join(","), ...table.rows.map(fn => columns.map(column => cell(column, fn)).join(","))].join("\r\n") + "\r\n";
}

const unitsOfSpeedscope = {ns: "nanoseconds", nanoseconds: "nanoseconds", us: "microseconds", microseconds: "microseconds",
                           ms: "milliseconds", milliseconds: "milliseconds", s: "seconds", seconds: "seconds", bytes: "bytes"};

/* Calls in the order of time are events, all others samples. */
function speedscopeOf(chart) {
    const {tree, zoomed} = chart, weight = data.weights[tree.weight], frames = functions.names.map(name => ({name}));
    const about = {name: weight.name || title, unit: unitsOfSpeedscope[weight.unit] ?? "none", startValue: 0,
                   endValue: plainNumber(tree.total[zoomed], tree.weight)};
    const profile = tree.isTimed ? {type: "evented", ...about, events: eventsOf(tree, zoomed)}
        : {type: "sampled", ...about, ...samplesOf(chart)};
    return JSON.stringify({$schema: SPEEDSCOPE_SCHEMA, name: title, exporter: "brazier",
                           shared: {frames}, profiles: [profile]});
}

function samplesOf(chart) {
    const {tree} = chart, self = tree.selves[tree.weight], samples = [], weights = [];
    forStacks(chart, (stack, i) => {
        if (!(self[i] > 0)) return;
        samples.push(stack.slice());
        weights.push(plainNumber(self[i], tree.weight));
    });
    return {samples, weights};
}

function eventsOf(tree, zoomed) {
    const events = [], open = [], at = x => plainNumber(x - tree.x[zoomed], tree.weight);
    const close = () => {
        const i = open.pop();
        events.push({type: "C", frame: tree.fn[i], at: at(tree.x[i] + tree.total[i])});
    };
    for (let i = Math.max(1, zoomed); i < tree.end[zoomed]; i++) {
        while (open.length > 0 && tree.end[open.at(-1)] <= i) close();
        events.push({type: "O", frame: tree.fn[i], at: at(tree.x[i])});
        open.push(i);
    }
    while (open.length > 0) close();
    return events;
}

/* ---- files ---- */

const exports = [
    {...savedKinds.svg, made: () => svgOf(exported())},
    {...savedKinds.png, made: () => pngOf(exported())},
    {...savedKinds.folded, made: () => foldedOf(exported())},
    {label: "Table, CSV", ending: "csv", type: "text/csv", made: () => csvOf()},
    {label: "speedscope", ending: "speedscope.json", type: "application/json", made: () => speedscopeOf(exported()),
     isPossible: () => !isSigned(view.weight)},
];

async function save(kind) {
    closePopup();
    say(`Saved: ${await saveFile(title, kind)}`);
}

function openExports() {
    const hasPicture = isGraph() || view.kind === "sandwich";
    const possible = exports.filter(e => (e.isPossible?.() ?? true) && (hasPicture || e.ending === "csv"));
    const menu = html("div", {id: "exports", class: "popup", role: "menu", "aria-label": savingLabel},
        html("div", {class: "heading"}, savingLabel), ...possible.map(e => {
            const item = html("button", {type: "button", role: "menuitem"}, e.label);
            item.addEventListener("click", () => save(e));
            return item;
        }));
    menu.addEventListener("keydown", moveInMenu);
    openPopup(menu);
    menu.querySelector("button").focus();
}

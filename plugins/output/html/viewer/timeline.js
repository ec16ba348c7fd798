/* SPDX-License-Identifier: MIT */
/* Chooses samples by their time and their tags, if the page has samples: a heat map on which ranges are
 * dragged, with the load and a ruler below it, and a list of processes, threads, processors and labels.
 *
 * A column of the heat map is some time, usually a second, and its cells are equal parts of it, the
 * first at the bottom. Two ranges are compared: the second is dragged with Shift, or, where there is
 * no Shift, while the button "Compare" is pressed.
 */
const PARTS = 20;        /* cells of a column */
const CELL_HEIGHT = 4;   /* pixels */
const NARROWEST = 4;     /* pixels: width of a column */
const LOAD_HEIGHT = 22, RULER_HEIGHT = 15; /* pixels */
const COLUMN_TIMES = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 120, 300, 600, 1800, 3600];
const LONG = 30;         /* seconds: columns of longer recordings are at least a second */
const FEWEST = 40;       /* columns, unless the window is too narrow for them */

/* ---- samples ---- */

/* Decodes the values; values.c describes their forms. */
function readValues(from, n) {
    if (from.every !== undefined) return new Float64Array(n).fill(from.every);
    const value = column(from.value, Float64Array), {step = 1} = from;
    const values = from.values === undefined ? null : column(from.values, Float64Array);
    for (let i = 0; i < n; i++) value[i] = values === null ? value[i] * step : values[value[i]];
    return value;
}

/* Returns which samples are losses, or null if none is: `signs` has lengths of runs of gains and of losses,
 * in turn. */
function readSigns(signs, n) {
    if (signs === undefined) return null;
    const isLoss = new Uint8Array(n);
    let at = 0;
    column(signs, Uint32Array).forEach((length, run) => isLoss.fill(run % 2, at, at += length));
    return isLoss;
}

/* Decodes the samples: {call, tag, value without its sign, isLoss, time in seconds since the first, or
 * null}, sorted by tag. */
function readSamples(from) {
    const tags = column(from.tag, Uint32Array), counts = column(from.n, Uint32Array);
    const calls = column(from.calls, Uint32Array), call = column(from.call, Uint32Array), n = call.length;
    const value = readValues(from, n), time = from.tick > 0 ? column(from.time, Float64Array) : null;
    const tag = new Uint32Array(n);
    for (let run = 0, i = 0; run < tags.length; run++)
        for (let k = 0, ticks = 0; k < counts[run]; k++, i++) {
            tag[i] = tags[run];
            if (time !== null) time[i] = (ticks += time[i]) * from.tick / 1e9;
        }
    for (let i = 0; i < n; i++) call[i] = calls[call[i]];
    return {call, tag, value, isLoss: readSigns(from.signs, n), time, n, length: time === null ? 0 : time.reduce((a, b) => Math.max(a, b), 0)};
}

const samples = data.samples === undefined ? null : readSamples(data.samples);
const hasTimes = samples !== null && samples.time !== null && samples.length > 0;

/* Returns the groups that a tag belongs to: [[kind, name], …]. */
function groupsOf(tag) {
    const named = ([name, id]) => id === undefined ? name : name === "" ? id : `${name} (${id})`;
    const known = [["Process", tag.process], ["Thread", tag.thread], ["CPU", tag.cpu]];
    return [...known.filter(([, value]) => value !== undefined).map(([kind, value]) => [kind, named(value)]),
            ...tag.labels.map(([key, text, number]) => [key, number === undefined ? text : `${number} ${text}`.trim()])];
}

const keyOfGroup = ([kind, name]) => `${kind}: ${name}`;
const groupsOfTags = samples === null ? [] : data.samples.tags.map(groupsOf);

/* Returns for each tag whether its samples are chosen. */
const chosenTags = () => groupsOfTags.map(groups => view.who === "" || groups.some(g => keyOfGroup(g) === view.who));

/* ---- the tree of the chosen samples ---- */

const isChosen = () => samples !== null && (view.who !== "" || view.spans.length > 0);

/* Sums up the samples of chosen tags in a range, or at all times: returns {size, losses}. */
function selfBetween(span, tags) {
    const size = new Float64Array(view.file.n), losses = new Float64Array(view.file.n);
    const {call, tag, value, isLoss, time, n} = samples;
    for (let i = 0; i < n; i++) {
        if (!tags[tag[i]] || span !== undefined && !(time[i] >= span[0] && time[i] < span[1])) continue;
        size[call[i]] += value[i];
        if (isLoss !== null && isLoss[i] === 1) losses[call[i]] += value[i];
    }
    return {size, losses};
}

const fileWeights = data.weights.length;

/* Adds the weights of two ranges, or removes them. */
function compareSpans(isOn) {
    if (samples === null || isOn === data.weights.length > fileWeights) return;
    isComparison = isOn;
    if (isOn) {
        const weight = data.weights[data.weight];
        view.showsFile = false;
        data.before = data.weights.push({...weight, name: "first range"}) - 1;
        data.after = data.weights.push({...weight, name: "second range"}) - 1;
        if (isSigned(data.weight)) for (const w of [data.before, data.after]) addLosses(w);
        while (scales.length < data.weights.length) scales.push(scales[data.weight]);
        return;
    }
    for (const w of [data.before, data.after]) lossesOf.delete(w);
    data.weights.length = scales.length = fileWeights;
    delete data.before;
    delete data.after;
}

/* Returns the file's tree with the weights of the chosen samples only. */
function chosenTree() {
    compareSpans(view.spans.length === 2);
    if (!isChosen()) return view.file;
    const tags = chosenTags(), nothing = new Float64Array(view.file.n);
    const selves = data.weights.map(() => nothing), sides = [view.spans[0], view.spans[1]].slice(0, view.spans.length || 1)
        .map(span => selfBetween(span, tags));
    const sum = kind => sides.length === 1 ? sides[0][kind] : sides[0][kind].map((v, i) => v + sides[1][kind][i]);
    const put = (w, size, losses) => {
        selves[w] = size;
        if (isSigned(w)) selves[lossesOf.get(w)] = losses;
    };
    put(data.weight, sum("size"), sum("losses"));
    if (sides.length === 2)
        [data.before, data.after].forEach((w, side) => put(w, sides[side].size, sides[side].losses));
    return {...view.file, selves, isPart: true, weight: -1, before: null, after: null, bottomUp: undefined,
            deltaColors: undefined, changeScale: undefined, nets: undefined, counts: undefined};
}

/* Changes the ranges or the group, and shows the samples that are then chosen. */
function chooseSamples(change) {
    Object.assign(view, change);
    view.base = chosenTree();
    changed();
    showTime();
}

/* ---- elements ---- */

const who = html("select", {id: "who", "aria-label": "Process, thread, processor or label"});
const timeNote = html("span", {id: "time-note"});
const timeClear = button("time-clear", "Whole time", "Choose all samples", () => chooseSamples({spans: []}));
const timeSecond = button("time-second", "Compare", "The next range, dragged or chosen with arrow keys, is compared with the first", () => {
    choosesSecond = !choosesSecond;
    showTime();
});
const heat = html("canvas", {id: "heat", tabindex: "0", role: "application", "aria-roledescription": "heat map",
                             "aria-label": "Heat map of time: arrow keys choose a range"});
const heatContext = heat.getContext("2d", {alpha: false});
const timePane = samples === null ? null : html("section", {id: "time", "aria-label": "Time and threads"},
    html("div", {class: "line"}, who, timeNote, timeSecond, timeClear), heat);

/* Lists the groups with several members, heaviest members first. */
function fillGroups() {
    const sums = new Map();
    samples.tag.forEach((tag, i) => {
        for (const group of groupsOfTags[tag]) {
            const names = sums.get(group[0]) ?? new Map();
            sums.set(group[0], names.set(group[1], (names.get(group[1]) ?? 0) + samples.value[i]));
        }
    });
    const total = samples.value.reduce((a, b) => a + b, 0);
    who.replaceChildren(html("option", {value: ""}, "All samples"));
    for (const [kind, names] of sums) {
        if (names.size < 2) continue;
        const members = [...names].sort((a, b) => b[1] - a[1]).map(([name, sum]) =>
            html("option", {value: keyOfGroup([kind, name])}, `${kind}: ${name}, ${percent(sum / total)}`));
        who.append(html("optgroup", {label: kind}, ...members));
    }
    who.hidden = who.children.length < 2;
    timePane.hidden = who.hidden && !hasTimes;
}

/* ---- the heat map ---- */

const heatMap = {width: 0, columns: 0, time: 1, cells: null, tags: null}; /* time: of a column, in seconds */

/* Computes the cells for the width of the window. */
function fillCells() {
    const width = heat.clientWidth, narrowest = samples.length / Math.max(1, Math.floor(width / NARROWEST));
    /* Shorter cells than the time between samples would be stripes. */
    const least = Math.max(narrowest, Math.min(samples.length / FEWEST, PARTS * samples.length / samples.n));
    const time = COLUMN_TIMES.find(t => t >= least && (t >= 1 || samples.length < LONG)) ?? least;
    const columns = Math.floor(samples.length / time) + 1, cells = new Float64Array(columns * PARTS), tags = chosenTags();
    for (let i = 0; i < samples.n; i++)
        if (tags[samples.tag[i]]) cells[Math.min(cells.length - 1, Math.floor(samples.time[i] / time * PARTS))] += samples.value[i];
    Object.assign(heatMap, {width, columns, time, cells});
}

/* Formats a time with the digits that columns need. */
const timeText = seconds => heatMap.time >= 1 && Number.isInteger(seconds) ? `${seconds}` : seconds.toFixed(heatMap.time < 0.02 ? 4 : 2);

/* Draws the heat map, the load, the ruler and the chosen ranges. */
function drawHeat() {
    const {width, columns, cells, time} = heatMap, c = heatContext, ratio = Math.min(devicePixelRatio || 1, 3);
    const height = PARTS * CELL_HEIGHT, whole = height + LOAD_HEIGHT + RULER_HEIGHT, wide = width / columns;
    heat.width = Math.round(width * ratio);
    heat.height = Math.round(whole * ratio);
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.fillStyle = theme("--paper");
    c.fillRect(0, 0, width, whole);
    const most = cells.reduce((a, b) => Math.max(a, b), 0), full = parseInt(theme("--heat").slice(1), 16);
    for (let i = 0; i < cells.length; i++) {
        if (cells[i] === 0) continue;
        c.fillStyle = cssColor(mixed(paper(), full, 0.12 + 0.88 * Math.sqrt(cells[i] / most)));
        c.fillRect(Math.floor(i / PARTS) * wide, height - (i % PARTS + 1) * CELL_HEIGHT, Math.max(1, wide - 0.5), CELL_HEIGHT - 0.5);
    }
    drawLoad(c, wide, height);
    drawRuler(c, wide, height + LOAD_HEIGHT, time);
    const spans = dragged === null ? view.spans : [...dragged.isSecond ? view.spans.slice(0, 1) : [], spanOf(dragged)];
    spans.forEach((span, k) => drawSpan(c, span, k === 0 ? "--mark" : "--found", wide, height));
}

/* Draws the weight of each column. */
function drawLoad(c, wide, top) {
    const {columns, cells} = heatMap, loads = Array.from({length: columns}, (_, i) =>
        cells.subarray(i * PARTS, (i + 1) * PARTS).reduce((a, b) => a + b, 0));
    const most = loads.reduce((a, b) => Math.max(a, b), 1);
    c.fillStyle = theme("--soft");
    loads.forEach((load, i) => {
        const height = load / most * (LOAD_HEIGHT - 4);
        c.fillRect(i * wide, top + LOAD_HEIGHT - height, Math.max(1, wide - 0.5), height);
    });
}

/* Draws times below the load. */
function drawRuler(c, wide, top, time) {
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find(n => n * wide >= 70) ?? 5000;
    c.fillStyle = theme("--ink");
    c.font = "11px system-ui, sans-serif";
    c.textBaseline = "top";
    for (let i = 0; i < heatMap.columns; i += step) {
        c.fillRect(i * wide, top, 1, 4);
        tickLabel(c, `${Number(timeText(i * time))} s`, i * wide + 3, top + 2);
    }
}

/* Marks the cells of a range, and its columns in the load. */
function drawSpan(c, [from, to], style, wide, height) {
    const first = Math.round(from / heatMap.time * PARTS), last = Math.round(to / heatMap.time * PARTS);
    c.fillStyle = theme(style);
    c.globalAlpha = 0.6;
    for (let i = first; i < last;) {
        const end = Math.min(last, (Math.floor(i / PARTS) + 1) * PARTS), n = end - i;
        c.fillRect(Math.floor(i / PARTS) * wide, height - (i % PARTS + n) * CELL_HEIGHT, wide, n * CELL_HEIGHT);
        i = end;
    }
    c.globalAlpha = 1;
    c.fillRect(first / PARTS * wide, height + LOAD_HEIGHT - 3, Math.max(2, (last - first) / PARTS * wide), 3);
}

/* Shows the pane again after any change. */
function showTime() {
    if (samples === null) return;
    who.value = view.who;
    heat.hidden = !hasTimes;
    timeClear.hidden = timeSecond.hidden = view.spans.length === 0;
    choosesSecond &&= view.spans.length > 0;
    press(timeSecond, choosesSecond);
    const texts = view.spans.map(([from, to]) => `${timeText(from)}–${timeText(to)} s`);
    timeNote.textContent = [
        !hasTimes ? "" : texts.length === 2 ? `${texts[0]} compared with ${texts[1]}` : texts[0] ?? "Drag over the heat map to see the flame graph of a time range",
        choosesSecond && texts.length === 1 ? "drag the time to compare it with" : "",
        isChosen() && data.samples.step > 1 ? `amounts rounded to ${weightText(data.samples.step, data.weight)}` : "",
    ].filter(text => text !== "").join("; ");
    if (!hasTimes || !(heat.clientWidth > 0)) return;
    fillCells();
    drawHeat();
}

/* ---- input ---- */

let dragged = null; /* {from, to: cells, isSecond} */
let choosesSecond = false; /* all drags choose the second range */

/* Returns the range that a drag covers. */
const spanOf = ({from, to}) => [Math.min(from, to), Math.max(from, to) + 1].map(cell => cell * heatMap.time / PARTS);

/* Returns the cell under the pointer. */
function cellAt(event) {
    const box = heat.getBoundingClientRect(), {columns, width} = heatMap;
    const at = Math.max(0, Math.min(columns - 1, Math.floor((event.clientX - box.left) / width * columns)));
    const part = PARTS - 1 - Math.floor((event.clientY - box.top) / CELL_HEIGHT);
    return at * PARTS + Math.max(0, Math.min(PARTS - 1, part));
}

/* Handles input on the pane. */
function listenToTime() {
    if (samples === null) return;
    fillGroups();
    who.addEventListener("change", () => chooseSamples({who: who.value}));
    new ResizeObserver(() => showTime()).observe(timePane);
    heat.addEventListener("pointerdown", event => {
        if (event.button !== 0) return;
        heat.setPointerCapture(event.pointerId);
        const cell = cellAt(event);
        dragged = {from: cell, to: cell, isSecond: (event.shiftKey || choosesSecond) && view.spans.length > 0};
    });
    heat.addEventListener("pointermove", event => {
        if (dragged === null) return;
        dragged.to = cellAt(event);
        drawHeat();
    });
    heat.addEventListener("pointerup", () => {
        if (dragged === null) return;
        const {from, to, isSecond} = dragged, span = spanOf(dragged);
        dragged = null;
        chooseSamples({spans: isSecond ? [view.spans[0], span] : from === to ? [] : [span]});
    });
    heat.addEventListener("pointercancel", () => { dragged = null; });
    heat.addEventListener("keydown", moveInTime);
}

/* Moves the first or second range by columns; with Shift, moves only its end. */
function moveInTime(event) {
    const by = {ArrowLeft: -1, ArrowRight: 1}[event.key], {time, columns} = heatMap;
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const before = choosesSecond ? view.spans.slice(0, 1) : [];
    const [from, to] = view.spans[before.length] ?? view.spans[0] ?? [by > 0 ? -time : columns * time, by > 0 ? 0 : (columns + 1) * time];
    const end = Math.max(time, Math.min(columns * time, to + by * time));
    const start = event.shiftKey ? Math.min(from, end - time) : Math.max(0, Math.min((columns - 1) * time, from + by * time));
    chooseSamples({spans: [...before, [start, Math.max(start + time, end)]]});
    bar.live.textContent = timeNote.textContent;
}

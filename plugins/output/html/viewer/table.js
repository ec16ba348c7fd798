/* SPDX-License-Identifier: MIT */
/* Shows all functions in a sortable table. The page contains only the visible rows. One row is in the
 * order of the Tab key; arrow keys move on from there. */
const ROW_HEIGHT = 24;
const TALLEST = 8e6; /* pixels: browsers limit the height of elements */
const table = {by: null, isDown: true, rows: [], sums: null, at: 0, isWhole: false};

/* Maps keys to columns: {label, width, value(fn), text(fn)}; columns without a value are sorted as
 * text. */
const tableColumns = {
    self: {label: "Self", width: "10em", isSelf: true, value: fn => table.sums.self[0][fn]},
    selfShare: {label: "Self %", width: "6em", isSelf: true, value: fn => table.sums.self[0][fn], isShare: true},
    total: {label: "Total", width: "10em", value: fn => table.sums.total[0][fn]},
    totalShare: {label: "Total %", width: "6em", value: fn => table.sums.total[0][fn], isShare: true},
    before: {label: "Before", width: "9em", isSide: true, value: fn => table.sums.total[1][fn]},
    after: {label: "After", width: "9em", isSide: true, value: fn => table.sums.total[2][fn]},
    totalDelta: {label: "Change", width: "9em", isDelta: true,
                 value: fn => table.sums.total[2][fn] - table.sums.total[1][fn]},
    changeShare: {label: "Change %", width: "8em", isDelta: true, isOfBefore: true,
                  value: fn => changeShare(table.sums.total[1][fn], table.sums.total[2][fn])},
    selfDelta: {label: "Self change", width: "10em", isDelta: true, isSelf: true,
                value: fn => table.sums.self[2][fn] - table.sums.self[1][fn]},
    gains: {label: "Gains", width: "10em", isSign: true,
            value: fn => (table.sums.total[SIZE][fn] + table.sums.total[0][fn]) / 2},
    losses: {label: "Losses", width: "11em", isSign: true,
             value: fn => (table.sums.total[SIZE][fn] - table.sums.total[0][fn]) / 2},
    name: {label: "Name", width: "minmax(10em, 3fr)", text: fn => functions.names[fn]},
    module: {label: "Module", width: "minmax(6em, 1fr)", text: fn => functions.modules[fn]},
};

/* Columns of tables that compare: what both sides weigh, and what changed. */
const comparedColumns = ["before", "after", "totalDelta", "changeShare", "selfDelta", "gains", "losses", "name", "module"];
const isOfSigns = key => isSigned(view.weight) || !tableColumns[key].isSign;
const knownColumns = () => isComparison ? comparedColumns.filter(isOfSigns) : Object.keys(tableColumns).filter(key =>
    !tableColumns[key].isDelta && !tableColumns[key].isSide && isOfSigns(key));

/* Returns a change as a share of what was there before: infinite for what is new, and -1 for what has
 * vanished. */
const changeShare = (before, after) => after === before ? 0 : (after - before) / Math.abs(before);

/* Returns the column that orders the table unless the reader chooses another one. */
const usualColumn = () => isComparison ? "totalDelta" : "self";

/* Narrow windows, and tables beside a picture, show only shares and names, or differences and
 * names. */
const smallWindow = matchMedia("(max-width: 700px)");
const smallColumns = () => isComparison ? ["totalDelta", "changeShare", "name"] : ["selfShare", "totalShare", "name"];
const shownColumns = () => smallWindow.matches || view.kind !== "table" ? smallColumns() : roomyColumns();

/* Columns that are left out where names would have no room beside them, from the first on. */
const lesserColumns = ["module", "selfDelta", "self", "total", "losses", "gains", "before", "after"];
const GAP = 1; /* em between columns */

/* Returns the columns that fit into the window; all before there is something to show. */
function roomyColumns() {
    let columns = knownColumns();
    if (table.sums === null) return columns;
    const room = panes.table.clientWidth / parseFloat(getComputedStyle(panes.table).fontSize) - 2 * GAP;
    for (const lesser of lesserColumns) {
        if (columns.reduce((sum, key) => sum + leastWidth(key) + GAP, 0) <= room) break;
        columns = columns.filter(key => key !== lesser);
    }
    return columns;
}

/* Returns the column whose head shows the order: that of the shares if it stands for one of weights,
 * which sorts the rows in the same way. */
function sortedColumn() {
    const twin = {self: "selfShare", total: "totalShare"}[table.by];
    return twin === undefined || shownColumns().includes(table.by) ? table.by : twin;
}

/* ---- construction ---- */

/* Returns the largest of the sums that a column shows, without signs; the width of gains and losses
 * together for these. */
function mostIn({isSelf, isSign}) {
    const sums = isSelf ? table.sums.self[0] : table.sums.total[isSign ? SIZE : 0];
    sums.most ??= sums.reduce((most, sum) => Math.max(most, Math.abs(sum)), 1);
    return sums.most;
}

/* Returns the largest amount that a column of a comparison shows without a search. */
function mostOf(key) {
    const most = table.sums.mostOf ??= {};
    return most[key] ??= functions.names.reduce((m, _, fn) => Math.max(m, Math.abs(tableColumns[key].value(fn))), 0);
}

/* Returns the unit of a column: that of the largest total, so that a row has one unit. All values have the
 * same number of decimals, so that at least four digits of the largest one are shown. */
function unitOf(column) {
    const [weight, most] = column.isDelta ? [data.after, mostOf("totalDelta")]
        : column.isSide ? [data.after, Math.max(mostOf("before"), mostOf("after"))]
        : [view.weight, mostIn(isSigned(view.weight) ? tableColumns.gains : tableColumns.total)];
    const unit = unitFor(weight, most);
    if (unit.isWhole || scales[weight].units === null) return unit;
    return {...unit, fixed: most / unit.scale < 10 ? 3 : 2};
}

/* Returns the unit in the head of a column, after a blank; or "". */
function unitWord(column) {
    const word = column.value && !column.isShare && !column.isOfBefore ? unitOf(column).word : "";
    return word === "" ? "" : ` (${word})`;
}

function headOf(key) {
    const column = tableColumns[key], head = button("", column.label, "Sort", () => sortBy(key));
    const cell = html("div", {role: "columnheader", "data-key": key}, head);
    const word = unitWord(column);
    if (word !== "") head.append(html("span", {class: "unit"}, word));
    const isSorted = key === sortedColumn();
    if (isSorted) head.append(html("span", {class: "arrow", "aria-hidden": "true"}, table.isDown ? " ▼" : " ▲"));
    if (column.value) cell.classList.add("number");
    cell.setAttribute("aria-sort", !isSorted ? "none" : table.isDown ? "descending" : "ascending");
    return cell;
}

const tableHead = html("div", {class: "grid head", role: "row", "aria-rowindex": "1"});
const tableRows = html("div", {class: "rows", role: "rowgroup"});
const tableScroller = html("div", {class: "scroller", role: "presentation"}, tableRows);
panes.table = html("div", {id: "table", class: "view", role: "grid", "aria-label": "Functions"},
                   html("div", {role: "rowgroup"}, tableHead), tableScroller);
tableScroller.addEventListener("scroll", () => showRows(), {passive: true});
new ResizeObserver(() => {
    const isOther = !panes.table.hidden && table.sums !== null && tableHead.childElementCount !== shownColumns().length;
    if (isOther) showTable();
    else showRows();
}).observe(tableScroller);

/* ---- display ---- */

const templateOf = columns => columns.map(widthOf).join(" ");

const ARROW = 4; /* letters */

/* Returns the width of a column's head in em; not in ch, since heads are bold. */
const headWidth = column => 0.6 * (column.label.length + unitWord(column).length + ARROW);

/* Returns the least width of a column in em. */
const leastWidth = key => Math.max(parseFloat(tableColumns[key].width.replace("minmax(", "")),
                                   tableColumns[key].value ? headWidth(tableColumns[key]) : 0);

/* Returns the width of a column, whose head is never cut. */
function widthOf(key) {
    const column = tableColumns[key];
    if (!column.value) return smallWindow.matches ? "minmax(6em, 1fr)" : column.width;
    return `${smallWindow.matches ? headWidth(column) : leastWidth(key)}em`;
}

function showHead() {
    const columns = shownColumns();
    tableHead.replaceChildren(...columns.map(headOf));
    tableHead.style.gridTemplateColumns = templateOf(columns);
}

function sortBy(key) {
    table.isDown = sortedColumn() === key ? !table.isDown : tableColumns[key].value !== undefined;
    table.by = key;
    showTable();
    remember();
}

/* Returns the column that orders rows of equal weight: total for self, and self for total. */
function otherColumn(key) {
    const isSelf = key.startsWith("self");
    if (isComparison) return tableColumns[key === "totalDelta" ? "selfDelta" : "totalDelta"];
    if (tableColumns[key].isSign) return tableColumns.total;
    return tableColumns[key.endsWith("Delta") ? isSelf ? "totalDelta" : "selfDelta" : isSelf ? "total" : "self"];
}

const compareNumbers = (a, b) => a < b ? -1 : a > b ? 1 : 0;

/* Changes are sorted by size: gains and losses among each other. */
function showTable() {
    const {tree} = view;
    if (!knownColumns().includes(table.by)) table.by = usualColumn();
    table.sums = sumsOf(tree);
    const {value, text, isDelta} = tableColumns[table.by], sortValue = isDelta ? fn => Math.abs(value(fn)) : value, sign = table.isDown ? -1 : 1;
    const {rank} = functions, chosen = table.rows[table.at], other = otherColumn(table.by);
    table.rows = Array.from(functions.names.keys()).filter(fn => table.sums.met[fn] === 1 &&
        (search.answers === null || isMatch(fn)));
    table.rows.sort(value ? (a, b) => sign * compareNumbers(sortValue(a), sortValue(b)) || other.value(b) - other.value(a) || rank[a] - rank[b]
        : table.by === "name" ? (a, b) => sign * (rank[a] - rank[b])
        : (a, b) => sign * (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0) || rank[a] - rank[b]);
    table.at = Math.max(0, table.rows.indexOf(chosen));
    panes.table.setAttribute("aria-rowcount", table.rows.length + 1);
    panes.table.setAttribute("aria-colcount", shownColumns().length);
    showHead();
    tableRows.style.height = Math.min(TALLEST, table.rows.length * ROW_HEIGHT) + "px";
    showRows();
}

function cellText(column, fn) {
    if (column.text) return column.text(fn);
    const value = column.value(fn);
    if (column.isOfBefore) return changeShareText(fn, value);
    if (column.isShare) return percent(value / view.tree.total[0]).replace("%", "");
    const text = amountText(value, unitOf(column));
    return column.isDelta ? signed(text) : withMinus(text);
}

/* Formats a change as a share of what was there before. */
function changeShareText(fn, share) {
    if (share === 0) return "0%";
    if (table.sums.total[1][fn] === 0) return "new";
    return table.sums.total[2][fn] === 0 ? "vanished" : signed(percent(share));
}

/* Returns the colour of a function: that of its first frame, or of its change. */
function functionColor(fn) {
    if (!showsChanges()) return data.colors[frameTable.color[functions.frames[fn][0]] ?? 0] ?? UNCHANGED;
    const [net, before, after] = table.sums.total.map(sums => sums[fn]);
    return deltaColor(view.tree, isComparison ? after - before : net);
}

function nameCell(fn) {
    const name = button("", "", view.kind === "table" ? "Callers and callees" : "Highlight", () => openRow(fn));
    const swatch = html("span", {class: "swatch"});
    swatch.style.background = cssColor(themed(functionColor(fn)));
    name.tabIndex = -1;
    name.append(swatch, shownName(functions.names[fn]));
    return html("div", {role: "gridcell"}, name);
}

function numberCell(column, fn) {
    const cell = html("div", {role: "gridcell", class: column.value ? "number" : ""},
                      isolated(cellText(column, fn)));
    if (column.isShare) {
        cell.classList.add("share");
        if (isSigned(view.weight)) cell.classList.add(column.value(fn) < 0 ? "loss" : "gain");
        cell.style.setProperty("--share", `${100 * Math.abs(column.value(fn)) / mostIn(column)}%`);
    }
    return cell;
}

function rowOf(fn, i, columns, template) {
    const row = html("div", {class: "grid", role: "row", "aria-rowindex": i + 2, tabindex: i === table.at ? 0 : -1},
        ...columns.map(key => key === "name" ? nameCell(fn) : numberCell(tableColumns[key], fn)));
    const isChosen = view.kind === "table" ? view.chosen?.fn === fn : view.marked === fn;
    row.style.gridTemplateColumns = template;
    row.style.top = topOfRow(i) + "px";
    row.classList.toggle("chosen", isChosen);
    row.setAttribute("aria-selected", String(isChosen));
    row.addEventListener("click", event => {
        table.at = i;
        if (event.target.closest("button") !== null || panes.table.hidden) return;
        if (view.kind !== "table") return markFunction(fn);
        chooseFunction(fn);
        showRows();
    });
    return row;
}

/* Shows the callers and callees of a function, or highlights it in the picture beside the table. */
const openRow = fn => view.kind === "table" ? showFunction(fn) : markFunction(fn);

/* ---- the visible rows ---- */

/* Returns the number of the first visible row; a very long table is scrolled by more than the
 * distance on the screen. */
function firstRow() {
    const room = tableScroller.clientHeight, all = table.rows.length * ROW_HEIGHT;
    if (all <= TALLEST) return Math.floor(tableScroller.scrollTop / ROW_HEIGHT);
    return Math.floor(tableScroller.scrollTop / (TALLEST - room) * (all - room) / ROW_HEIGHT);
}

function topOfRow(i) {
    return table.rows.length * ROW_HEIGHT <= TALLEST ? i * ROW_HEIGHT
        : tableScroller.scrollTop + (i - firstRow()) * ROW_HEIGHT;
}

function showRows() {
    if (panes.table.hidden || table.sums === null || table.isWhole) return;
    const hasFocus = tableRows.contains(document.activeElement), top = firstRow();
    const first = Math.max(0, top - 5), last = top + Math.ceil(tableScroller.clientHeight / ROW_HEIGHT) + 6;
    fillRows(first, last);
    if (hasFocus) focusRow();
}

function fillRows(first, last) {
    const columns = shownColumns(), template = templateOf(columns);
    tableRows.replaceChildren(...table.rows.slice(first, last).map((fn, i) => rowOf(fn, first + i, columns, template)));
    if (!table.isWhole) shortenNames();
}

const ROUND_NAME = 24; /* pixels: the swatch, and padding */
const nameContext = document.createElement("canvas").getContext("2d");

/* Shortens names that are wider than their column; the function's own name stays. */
function shortenNames() {
    const names = tableRows.querySelectorAll("button > bdi");
    if (names.length === 0) return;
    const room = names[0].closest("[role=gridcell]").clientWidth - ROUND_NAME, style = getComputedStyle(names[0]);
    nameContext.font = `${style.fontSize} ${style.fontFamily}`;
    for (const element of names) {
        const name = element.textContent;
        const short = shortName(name, part => nameContext.measureText(part).width <= room);
        if (short === name || short === "") continue;
        element.textContent = short;
        element.title = name;
    }
}

const focusRow = () => tableRows.querySelector("[tabindex='0']")?.focus({preventScroll: true});

/* Puts all rows into the page, to print them. */
function unrollTable(isWhole) {
    table.isWhole = isWhole;
    if (panes.table.hidden) return;
    if (isWhole) fillRows(0, table.rows.length);
    else showRows();
}

/* Scrolls to a row and gives it the focus. */
function goToRow(i) {
    const room = tableScroller.clientHeight, all = table.rows.length * ROW_HEIGHT, top = i * ROW_HEIGHT;
    const now = firstRow() * ROW_HEIGHT;
    table.at = i;
    const to = top < now ? top : top + ROW_HEIGHT > now + room ? top + ROW_HEIGHT - room : -1;
    if (to >= 0) tableScroller.scrollTop = all <= TALLEST ? to : to / (all - room) * (TALLEST - room);
    showRows();
    focusRow();
}

tableRows.addEventListener("keydown", event => {
    const page = Math.max(1, Math.floor(tableScroller.clientHeight / ROW_HEIGHT) - 1), last = table.rows.length - 1;
    const to = {ArrowDown: table.at + 1, ArrowUp: table.at - 1, PageDown: table.at + page, PageUp: table.at - page,
                Home: 0, End: last}[event.key];
    if (to === undefined && event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    if (to === undefined) openRow(table.rows[table.at]);
    else goToRow(Math.max(0, Math.min(last, to)));
});

smallWindow.addEventListener("change", () => {
    if (hasTable()) showTable();
});

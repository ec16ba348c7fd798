/* Shows all functions in a sortable table. The page contains only the visible rows. */
const ROW_HEIGHT = 24;
const table = {by: "self", isDown: true, rows: [], sums: null};

/* Maps keys to columns: {label, width, value(fn), text(fn)}; columns without a value are sorted as
 * text. */
const tableColumns = {
    self: {label: "Self", width: "9em", value: fn => table.sums.self[0][fn]},
    selfShare: {label: "Self %", width: "5.5em", value: fn => table.sums.self[0][fn], isShare: true},
    total: {label: "Total", width: "9em", value: fn => table.sums.total[0][fn]},
    totalShare: {label: "Total %", width: "5.5em", value: fn => table.sums.total[0][fn], isShare: true},
    selfDelta: {label: "Δ self", width: "9em", isDelta: true,
                value: fn => table.sums.self[2][fn] - table.sums.self[1][fn]},
    totalDelta: {label: "Δ total", width: "9em", isDelta: true,
                 value: fn => table.sums.total[2][fn] - table.sums.total[1][fn]},
    name: {label: "Name", width: "minmax(12em, 3fr)", text: fn => functions.names[fn]},
    module: {label: "Module", width: "minmax(6em, 1fr)", text: fn => functions.modules[fn]},
};
const knownColumns = Object.keys(tableColumns).filter(key => isComparison || !tableColumns[key].isDelta);

/* Narrow windows show only shares and names, or differences and names. */
const smallWindow = matchMedia("(max-width: 700px)");
const smallColumns = isComparison ? ["selfShare", "totalShare", "totalDelta", "name"]
                                  : ["selfShare", "totalShare", "name"];
const shownColumns = () => smallWindow.matches ? smallColumns : knownColumns;

/* ---- construction ---- */

function headOf(key) {
    const head = button("", tableColumns[key].label, "Sort", () => sortBy(key));
    const cell = html("div", {role: "columnheader", "data-key": key}, head);
    if (tableColumns[key].value) cell.classList.add("number");
    return cell;
}

const tableHead = html("div", {class: "grid head", role: "row"});
const tableRows = html("div", {class: "rows", role: "rowgroup"});
const tableScroller = html("div", {class: "scroller"}, tableRows);
panes.table = html("div", {id: "table", class: "view", role: "table", "aria-label": "Functions"},
                   tableHead, tableScroller);
tableScroller.addEventListener("scroll", () => showRows(), {passive: true});
new ResizeObserver(() => showRows()).observe(tableScroller);

/* ---- display ---- */

const template = () => shownColumns().map(key => tableColumns[key].width).join(" ");

function showHead() {
    tableHead.replaceChildren(...shownColumns().map(headOf));
    tableHead.style.gridTemplateColumns = template();
    for (const cell of tableHead.children)
        cell.setAttribute("aria-sort", cell.dataset.key !== table.by ? "none"
            : table.isDown ? "descending" : "ascending");
}

function sortBy(key) {
    table.isDown = table.by === key ? !table.isDown : tableColumns[key].value !== undefined;
    table.by = key;
    showTable();
    remember();
}

function showTable() {
    const {tree} = view;
    table.sums = sumsOf(tree);
    const {value, text} = tableColumns[table.by], sign = table.isDown ? -1 : 1;
    const {rank} = functions;
    table.rows = Array.from(functions.names.keys()).filter(fn => table.sums.met[fn] === 1 &&
        (search.answers === null || isMatch(fn)));
    table.rows.sort(value ? (a, b) => sign * (value(a) - value(b)) || rank[a] - rank[b]
        : table.by === "name" ? (a, b) => sign * (rank[a] - rank[b])
        : (a, b) => sign * (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0) || rank[a] - rank[b]);
    showHead();
    tableRows.style.height = table.rows.length * ROW_HEIGHT + "px";
    showRows();
}

function cellText(column, fn) {
    if (column.text) return column.text(fn);
    const value = column.value(fn);
    if (column.isShare) return percent(value / view.tree.total[0]);
    return column.isDelta ? signed(weightText(value, data.after)) : weightText(value, view.weight);
}

function rowOf(fn, i) {
    const cells = shownColumns().map(key => {
        const column = tableColumns[key];
        if (key === "name") {
            const name = button("", "", "Callers and callees", () => showFunction(fn));
            name.append(shownName(functions.names[fn]));
            return html("div", {role: "cell"}, name);
        }
        return html("div", {role: "cell", class: column.value ? "number" : ""},
                    html("bdi", {}, cellText(column, fn)));
    });
    const row = html("div", {class: "grid", role: "row"}, ...cells);
    row.style.gridTemplateColumns = template();
    row.style.top = i * ROW_HEIGHT + "px";
    row.classList.toggle("chosen", view.chosen !== null && view.chosen.fn === fn);
    row.addEventListener("click", () => {
        if (view.kind !== "table") return;
        chooseFunction(fn);
        showRows();
    });
    return row;
}

function showRows() {
    if (view.kind !== "table" || table.sums === null) return;
    const first = Math.max(0, Math.floor(tableScroller.scrollTop / ROW_HEIGHT) - 5);
    const last = Math.ceil((tableScroller.scrollTop + tableScroller.clientHeight) / ROW_HEIGHT) + 5;
    tableRows.replaceChildren(...table.rows.slice(first, last).map((fn, i) => rowOf(fn, first + i)));
}

smallWindow.addEventListener("change", () => {
    if (view.kind === "table") showTable();
});

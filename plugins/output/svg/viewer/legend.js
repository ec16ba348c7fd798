/* SPDX-License-Identifier: MIT */
/* Lays out the legend: swatches and their meanings, in as many rows as the window's width
 * requires. */
const LEGEND_GAP = 16;                    /* between entries, in pixels */
const legendRow = picture.fontSize + 6;   /* height of a row, and width of a swatch */
const fileWidth = Number(box.getAttribute("width")) + 2 * SIDE;

let legendHeight = picture.legend;

/* Swatch and text of each entry: [swatch, text]. */
const legendEntries = (() => {
    const parts = Array.from(part("legend")?.children ?? []);
    return parts.flatMap((swatch, i) => i % 2 === 0 ? [[swatch, parts[i + 1]]] : []);
})();
const legendTop = Number(legendEntries[0]?.[0].getAttribute("y"));

/* Returns how many rows leave the frames as much as they need, or three quarters of the window; in a narrow
 * one the legend is a line. */
function mostRows(width) {
    if (width < NARROW_WINDOW) return 1;
    if (!isAlone) return Infinity;
    const frames = Math.min(roomyRows() * picture.rowHeight, 0.75 * innerHeight);
    return Math.max(2, Math.floor((innerHeight - frames - titles - bottom) / legendRow));
}

/* Returns the places of as many widths as fit into the rows of a width: [{x, row}]. */
function placesFor(widths, width, rows) {
    const places = [], end = width - SIDE + LEGEND_GAP;
    let x = SIDE, row = 0;
    for (const room of widths) {
        if (x > SIDE && x + room > end) {
            x = SIDE;
            row++;
        }
        if (row >= rows) break;
        places.push({x, row});
        x += room;
    }
    return places;
}

let isLegendOpen = false; /* the reader wants to see all entries */

/* Shows how many entries there is no room for, on a button that shows them all; its title names them. Without a
 * place there is no button. */
function showRest(names, place) {
    legendMore.frame.setAttribute("class", place === undefined ? "out" : "");
    if (place === undefined) return;
    legendMore.button.textContent = isLegendOpen ? "less" : `+${names.length}`;
    legendMore.button.title = isLegendOpen ? "One line" : names.join("\n");
    legendMore.button.setAttribute("aria-expanded", isLegendOpen);
    put(legendMore.frame, "x", place.x - LEGEND_GAP / 2);
    put(legendMore.frame, "y", legendTop + place.row * legendRow - 5);
}

function toggleLegend() {
    isLegendOpen = !isLegendOpen;
    fitWindow();
}

/* The button, in the legend. */
const legendMore = (() => {
    const frame = make("foreignObject"), button = html("button", {type: "button"});
    button.addEventListener("click", toggleLegend);
    put(frame, "width", 3 * legendRow + LEGEND_GAP);
    put(frame, "height", 24);
    frame.append(html("div", {class: "more"}, button));
    part("legend")?.append(frame);
    return {frame, button};
})();

/* Returns how many entries are shown, and the places of those and of the button. */
function arranged(widths, width, rows) {
    const places = placesFor(widths, width, rows), rest = 3 * legendRow;
    if (places.length === widths.length) return {n: widths.length, places};
    if (isLegendOpen) return {n: widths.length, places: placesFor([...widths, rest], width, Infinity)};
    for (let n = places.length; n > 0; n--) {
        const fewer = placesFor([...widths.slice(0, n), rest], width, rows);
        if (fewer.length > n) return {n, places: fewer};
    }
    return {n: 0, places: [{x: SIDE, row: 0}]};
}

let legendSpace = ""; /* room of the current layout */

/* Lays out the entries as the program does; changes nothing if the room is the same. The last entries
 * are left out where the frames would have too little room. */
function fitLegend(room) {
    const width = Math.min(room, fileWidth), rows = mostRows(room), space = `${width} ${rows} ${isLegendOpen}`;
    if (space === legendSpace || legendEntries.length === 0) return;
    const widths = legendEntries.map(([, text]) => legendRow + measure.of(text.textContent) + LEGEND_GAP);
    const {n, places} = arranged(widths, width, rows);
    legendEntries.forEach(([swatch, text], i) => {
        for (const element of [swatch, text]) element.classList.toggle("out", i >= n);
        if (i >= n) return;
        const {x, row} = places[i], y = legendTop + row * legendRow;
        put(swatch, "x", x);
        put(swatch, "y", y);
        put(text, "x", x + legendRow);
        put(text, "y", y + picture.fontSize - 2);
    });
    showRest(legendEntries.slice(n).map(([, text]) => text.textContent), places[n]);
    legendSpace = space;
    legendHeight = (places.at(-1).row + 1) * legendRow;
}

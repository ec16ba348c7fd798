/* Lays out the legend: swatches and their meanings, in as many rows as the window's width
 * requires. */
const LEGEND_GAP = 16;                    /* between entries, in pixels */
const legendRow = picture.fontSize + 6;   /* height of a row, and width of a swatch */
const fileWidth = Number(box.getAttribute("width")) + 2 * SIDE;

let legendHeight = picture.legend;
let legendWidth = fileWidth; /* width of the current layout */

/* Swatch and text of each entry: [swatch, text]. */
const legendEntries = (() => {
    const parts = Array.from(part("legend")?.children ?? []);
    return parts.flatMap((swatch, i) => i % 2 === 0 ? [[swatch, parts[i + 1]]] : []);
})();
const legendTop = Number(legendEntries[0]?.[0].getAttribute("y"));

/* Returns how many rows leave the frames as much as they need, or three quarters of the window. */
function mostRows() {
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

/* Shows how many entries there is no room for; its title names them. */
function showRest(names, place) {
    if (names.length === 0) {
        legendRest?.remove();
        legendRest = null;
        return;
    }
    const text = legendRest ??= part("legend").appendChild(legendEntries[0][1].cloneNode());
    text.classList.remove("out");
    const title = make("title");
    title.textContent = names.join("\n");
    text.replaceChildren(`+${names.length}`, title);
    put(text, "x", place.x);
    put(text, "y", legendTop + place.row * legendRow + picture.fontSize - 2);
}

/* Returns how many entries are shown, and the places of those and of the rest. */
function arranged(widths, width, rows) {
    const places = placesFor(widths, width, rows), rest = 3 * legendRow;
    if (places.length === widths.length) return {n: widths.length, places};
    for (let n = places.length; n > 0; n--) {
        const fewer = placesFor([...widths.slice(0, n), rest], width, rows);
        if (fewer.length > n) return {n, places: fewer};
    }
    return {n: 0, places: [{x: SIDE, row: 0}]};
}

let legendRest = null;     /* the element that counts the other entries */
let legendRows = Infinity; /* number of rows that the current layout may have */

/* Lays out the entries as the program does; changes nothing if the room is the same. The last entries
 * are left out where the frames would have too little room. */
function fitLegend(room) {
    const width = Math.min(room, fileWidth), rows = mostRows();
    if (width === legendWidth && rows === legendRows || legendEntries.length === 0) return;
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
    legendWidth = width;
    legendRows = rows;
    legendHeight = (places.at(-1).row + 1) * legendRow;
}

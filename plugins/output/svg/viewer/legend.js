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

/* Lays out the entries as the program does; changes nothing if the width is the same. */
function fitLegend(room) {
    const width = Math.min(room, fileWidth);
    if (width === legendWidth || legendEntries.length === 0) return;
    let x = SIDE, y = legendTop;
    for (const [swatch, text] of legendEntries) {
        const room = legendRow + measure.of(text.textContent) + LEGEND_GAP;
        if (x > SIDE && x + room > width - SIDE + LEGEND_GAP) {
            x = SIDE;
            y += legendRow;
        }
        put(swatch, "x", x);
        put(swatch, "y", y);
        put(text, "x", x + legendRow);
        put(text, "y", y + picture.fontSize - 2);
        x += room;
    }
    legendWidth = width;
    legendHeight = y + legendRow - legendTop;
}

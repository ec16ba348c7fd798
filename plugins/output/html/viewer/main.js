/* SPDX-License-Identifier: MIT */
/* Starts the viewer. `brazier` exposes the last drawing and its positions to scripts and tests. */
view.file = view.base = readTree();
view.timeline = readTimeline();
makeBars();
charts.forEach(listen);
listenToTime();
restore();
document.getElementById("fallback").remove();
for (const chart of charts) chart.resized();

addEventListener("keydown", runKey);
addEventListener("pointerdown", event => {
    if (popup !== null && !popup.contains(event.target)) closePopup();
});
for (const change of ["popstate", "hashchange"])
    addEventListener(change, () => {
        if (location.hash.slice(1) !== written) restore();
    });
darkSystem.addEventListener("change", () => setTheme(page.dataset.theme));
addEventListener("resize", () => fitLegend());
addEventListener("beforeprint", () => toPaper());
addEventListener("afterprint", () => toScreen());

/* Returns the drawn frames of a chart, with positions in pixels of the window. */
function framesOf(chart) {
    const {left, top} = chart.canvas.getBoundingClientRect(), {tree} = chart;
    return chart.shown().map(d => ({
        name: titleOf(tree, d.node), total: tree.total[d.node], net: netsOf(tree).total[d.node], depth: tree.depth[d.node],
        isMerged: d.isMerged, color: d.isMerged ? "" : cssColor(chart.colorOf(d.node)),
        left: left + d.left, right: left + d.right, top: top + d.top,
    }));
}

/* Returns the file and line of the chosen frame, or null. */
function chosenPlace() {
    const frame = view.chosen?.frame;
    return frame === undefined ? null
        : {file: data.texts[frameTable.file[frame] ?? 0] ?? "", line: frameTable.line[frame] ?? 0};
}

globalThis.brazier = {
    chosenPlace,
    frames: () => framesOf(isGraph() ? main : callees),
    callers: () => framesOf(callers),
    isMoving: () => isSearching() || charts.some(chart => chart.goal !== null || chart.isDue),
    drawings: () => charts.reduce((sum, chart) => sum + chart.drawings, 0),
    size: view.base.n,
};

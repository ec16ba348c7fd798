/* SPDX-License-Identifier: MIT */
/* Shows one function between its callers, which are above it, and its callees. */
const sandwichNote = html("div", {class: "empty"}, "There is no function to show.");
const callersHeading = html("h2", {}), calleesHeading = html("h2", {});
const halves = [[callersHeading, callers.scroller], [callees.scroller, calleesHeading]].map(parts =>
    html("div", {class: "half"}, ...parts));
panes.sandwich = html("div", {id: "sandwich", class: "view"}, sandwichNote, ...halves);

/* Divides the height by the numbers of rows; the style leaves some rows to each half. */
function divideHeight(...trees) {
    [callers, callees].forEach(({least}, i) => { halves[i].style.flexGrow = trees[i].height[0] + 3 - least; });
}

/* Returns the function with the largest self weight without its sign, or -1. */
function heaviestFunction(tree) {
    const self = sumsOf(tree).self[SIZE];
    let best = -1;
    for (let fn = 0; fn < rootFunction; fn++) if (self[fn] > 0 && (best < 0 || self[fn] > self[best])) best = fn;
    return best;
}

function showSandwich() {
    if (view.fn < 0) view.fn = heaviestFunction(view.tree);
    const isChosen = view.fn >= 0, {tree, fn} = view;
    sandwichNote.hidden = isChosen;
    for (const half of halves) half.hidden = !isChosen;
    if (!isChosen) return;
    active = callees;
    const above = asShown(measure(callersOf(tree, fn), view.weight));
    const below = asShown(measure(focused(tree, fn), view.weight));
    const net = netsOf(below).total[0];
    const share = `${weightText(net, view.weight)}, ${percent(net / tree.total[0])}${signsText(net, below.total[0])}`;
    const name = functions.names[fn];
    callersHeading.replaceChildren("Callers of ", shownName(name), ` (${share})`);
    calleesHeading.replaceChildren("Callees of ", shownName(name), ` (${share})`);
    divideHeight(above, below);
    callers.show(above);
    callees.show(below);
}

function showFunction(fn) {
    if (fn < 0 || fn === rootFunction) return;
    view.fn = fn;
    chooseFunction(fn);
    setKind("sandwich");
}

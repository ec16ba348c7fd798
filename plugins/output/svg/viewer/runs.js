/* SPDX-License-Identifier: MIT */
/* Folds runs of unnamed frames: those of one module that call each other show as one frame, "[cc1plus] ×14", which
 * a click opens. Totals stay. Filters work on the frames themselves. */
const usuallyOpen = !picture.hasAxis; /* as in other tools */
let isRunOpen = usuallyOpen;          /* each frame of a run is shown */

const isNextInRun = n => n.parent !== null && n.parent.known === n.known && n.known.isUnnamed;

const hasRuns = tree => tree.hasRuns ??= tree.nodes.some(isNextInRun);

/* Returns a tree with folded runs; its nodes know the longest run that they stand for, and the nodes of the given tree know
 * them as `folded`. */
const foldRuns = tree => hasRuns(tree) ? tree.folded ??= withFoldedRuns(tree) : tree;

function withFoldedRuns(tree) {
    const runs = []; /* length so far, by depth */
    const made = moved(tree, (n, above, child) => {
        const isNext = isNextInRun(n);
        const target = n.folded = isNext ? above : child(above, n.known);
        runs[n.depth] = isNext ? runs[n.depth - 1] + 1 : 1;
        target.run = Math.max(target.run, runs[n.depth]);
        return target;
    });
    return Object.assign(made, {leftOut: tree.leftOut});
}

/* Returns a tree with or without folded runs. */
const withRuns = (tree, isOpen) => isOpen ? tree : foldRuns(tree);

function toggleRuns() {
    isRunOpen = !isRunOpen;
    showFiltered(pathOf(zoomed));
    rememberStep();
}

/* Shows each frame of a run, and zooms to it. */
function openRun(node) {
    isRunOpen = true;
    showFiltered(pathOf(node));
    rememberStep();
}

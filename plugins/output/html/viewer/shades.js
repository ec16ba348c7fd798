/* SPDX-License-Identifier: MIT */
/* Colours changes: those of a comparison, or gains and losses. The scale is that of the palette "diff",
 * plugins/palettes/diff.c, whose legend tells its colours. */
const NOISE = 0.001;        /* share of the picture: smaller changes do not count for a scale */
const LARGE = 0.9;          /* quantile of changes that gets the strongest shade */
const NOTABLE = 0.05;       /* share of the picture */
const NOTABLE_SHADE = 0.4;
const OUTLINED = 0.01;      /* share of the picture: frames with a change of at least this have an outline */

const colorNamed = (names, otherwise) => data.legend.find(([, text]) => names.includes(text))?.[0] ?? otherwise;
const HEAVIER = colorNamed(["heavier", "gains"], 0xff4646), LIGHTER = colorNamed(["lighter", "losses"], 0x4646ff);
const UNCHANGED = colorNamed(["as before", "as many losses"], 0xe0e0e0);
const isLinear = UNCHANGED !== 0xe0e0e0;

/* Interpolates between two colours; `share` is from 0 to 1. */
function mixed(a, b, share) {
    const channel = shift => Math.round((a >> shift & 255) * (1 - share) + (b >> shift & 255) * share) << shift;
    return channel(16) | channel(8) | channel(0);
}

/* The palest colours of the usual scale, by the strongest ones. */
const palest = new Map([[0xff4646, 0xffcdcd], [0x4646ff, 0xcdcdff], [0xdc5f00, 0xfcd7b4], [0x2873d7, 0xcddef5]]);

/* The palest colours of the linear scale: a channel that is full in the strongest colour stays full. White
 * marks the scale with the stronger shades. */
const linearPalest = most => [16, 8, 0].reduce((rgb, shift) =>
    rgb | Math.max(most >> shift & 255, UNCHANGED === 0xffffff ? 210 : 250) << shift, 0);
const paleOf = most => palest.get(most) ?? linearPalest(most);
const scalesOfChanges = {gain: [paleOf(HEAVIER), HEAVIER], loss: [paleOf(LIGHTER), LIGHTER]};

/* Round as the palette does. */
const channels = f => [16, 8, 0].reduce((rgb, shift) => rgb | f(shift) << shift, 0);
const linearShade = ([pale, most], share) => channels(shift => Math.floor((most >> shift & 255) +
    ((pale >> shift & 255) - (most >> shift & 255)) * (1 - share) + 1e-9));
const spreadShade = ([pale, most], shade) => channels(shift => Math.floor((pale >> shift & 255) +
    ((most >> shift & 255) - (pale >> shift & 255)) * shade + 0.5));

/* Returns the change with the strongest shade: a large one among those of one sign, without the root's. */
function fullOf(changes, sign, whole) {
    const sizes = changes.map(change => change * sign);
    sizes[0] = 0;
    const counted = sizes.filter(size => size > 0 && size >= NOISE * whole).sort();
    if (counted.length === 0) return sizes.reduce((most, size) => Math.max(most, size), 1);
    return counted[Math.ceil(LARGE * (counted.length - 1))];
}

/* Returns the scale of a tree: {largest, whole, gains, losses}. */
function scaleOf(tree) {
    if (tree.changeScale !== undefined) return tree.changeScale;
    const changes = Float64Array.from(changesOf(tree)), whole = Math.max(1, tree.total[0]);
    return tree.changeScale = {
        largest: changes.reduce((most, change) => Math.max(most, Math.abs(change)), 1), whole,
        gains: fullOf(changes, 1, whole), losses: fullOf(changes, -1, whole)};
}

/* Returns the colour of a change in a tree. */
function deltaColor(tree, change) {
    const {largest, whole, gains, losses} = scaleOf(tree), size = Math.abs(change);
    const ends = change < 0 ? scalesOfChanges.loss : scalesOfChanges.gain;
    if (change === 0) return UNCHANGED;
    if (isLinear) return linearShade(ends, Math.min(1, size / largest));
    const usual = Math.sqrt(Math.min(1, size / (change > 0 ? gains : losses)));
    return spreadShade(ends, Math.max(usual, NOTABLE_SHADE * Math.sqrt(Math.min(1, size / (NOTABLE * whole)))));
}

/* Returns the colours of all nodes by difference. */
function deltaColors(tree) {
    if (tree.deltaColors !== undefined) return tree.deltaColors;
    const colors = tree.deltaColors = new Uint32Array(tree.n);
    changesOf(tree).forEach((change, i) => { colors[i] = deltaColor(tree, change); });
    return colors;
}

/* Returns whether the outline of a node says that it has changed. */
const isOutlined = (tree, i) => Math.abs(changeOf(tree, i)) >= OUTLINED * tree.total[0];

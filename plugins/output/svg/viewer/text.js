/* SPDX-License-Identifier: MIT */
/* Formats text: counts and titles as the program writes them, and names cut to fit. */

/* ---- counts ---- */

/* Formats a weight: multiplied by the factor, with a fraction if weights have decimals. */
function countText(w) {
    const shown = w * picture.factor / 10 ** picture.decimals;
    if (picture.decimals === 0) return grouped(Math.round(shown));
    const fraction = Math.round((shown - Math.floor(shown)) * 1e4);
    const digits = String(fraction % 1e4).padStart(4, "0").replace(/0+$/, "");
    return grouped(Math.floor(shown) + (fraction === 1e4 ? 1 : 0)) + (digits && "." + digits);
}

/* Formats a share of the whole; pictures in the style of other tools show small ones as 0. */
const percentShown = share => picture.hasAxis ? percentText(share) : `${(100 * share).toFixed(2)}%`;

/* Formats a percentage of the count as shown. A loss has a negative one. */
function shareText(w, total) {
    const share = Math.sign(w) * Math.round(Math.abs(w) * picture.factor) / (total * picture.factor);
    return percentShown(total > 0 ? share : 0);
}

/* Formats a count with its name, or a weight in the unit that suits it. */
function amountText(w) {
    if (picture.scale !== null) return amountNumber(w, picture.scale);
    const count = countText(w);
    return picture.hasAxis ? counted(count, picture.countname) : `${count} ${picture.countname}`;
}

const signedAmount = w => w < 0 ? `-${amountText(-w)}` : amountText(w);

const weightText = (w, total) => `${signedAmount(w)} (${shareText(w, total)})`;

/* Formats the change in a frame's weight as a percentage of the whole; empty if unknown. */
function changeText(change, total) {
    if (picture.comparison === null || !(total > 0)) return "";
    return `; ${change > 0 ? "+" : ""}${percentShown(change / total)}`;
}

/* Formats the number of samples of a frame, if it is known besides its weight. That of the whole
 * counts samples without a weight, too. */
function samplesText({parent, w, count}) {
    if (parent === null && w === picture.total) return picture.samples;
    return picture.counts === null ? "" : ` in ${amountWithWord(count, picture.counts)}`;
}

/* Returns the weight of a frame as titles show it: with its sign, if weights have signs. */
const weightOf = node => picture.isSigned ? node.net : node.w;

/* Formats an amount without the word for what is counted. */
const plainAmount = w => picture.scale === null ? countText(w) : amountNumber(w, picture.scale);

/* Formats the gains and losses of a frame that has both: its width is their sum, its weight their
 * difference. */
function signsText({w, net}) {
    const losses = (w - net) / 2;
    if (!picture.isSigned || losses === 0 || losses === w) return "";
    return `; gains ${plainAmount(w - losses)}, losses ${plainAmount(losses)}`;
}

/* Returns the weight of the selection that a frame is in: of the zoomed frame, or of what passes the
 * filters. */
const selectionAround = ({x, w, depth}) =>
    depth >= zoomed.depth && x >= zoomed.x && x + w <= zoomed.x + zoomed.w ? zoomed.w : display.total;

/* Formats a share of a total, and that of the selection if it is another part of the picture. Narrow windows have
 * no room for both. */
function sharesText(w, node, total) {
    const part = selectionAround(node), share = shareText(w, total);
    if (part === total || !picture.hasAxis) return share;
    return `${share} of all` + (svg.classList.contains("small") ? "" : `, ${shareText(w, part)} of the selection`);
}

/* Formats a frame's weight as it follows the name in titles; `total` is the weight of all. */
function figuresText(node, total) {
    const weight = weightOf(node), isRoot = node.parent === null, isWhole = isRoot && display.total === total;
    const share = isWhole && !picture.isSigned ? "100%"
        : sharesText(weight, node, total) + (isRoot ? "" : changeText(node.change, total));
    return ` (${signedAmount(weight)}${samplesText(node)}, ${share}${signsText(node)})`;
}

/* Returns the lines of a frame's tooltip, after its name. */
function figuresLines(node) {
    const self = picture.isSigned ? node.ownNet : node.self;
    return [figuresText(node, base.total).slice(2, -1), `self ${signedAmount(self)}, ${sharesText(self, node, base.total)}`];
}

/* Returns a name as labels and titles show it; pictures in the style of other tools leave it as it is. */
const readable = name => picture.hasAxis ? inert(name) : name;

/* Returns the weight that titles call all: of what passes the filters, or of the file in a zoomed picture. */
const titleTotal = () => zoomed === display.root ? display.total : base.total;

/* Returns the title of a frame. Some names have a fixed title. */
const titleOf = node => node.known.title ?? readable(nameOfRun(node.name, node.run)) + figuresText(node, titleTotal());

/* ---- widths ---- */

/* Measures the width of text in the labels' font, in pixels. */
const measure = (() => {
    const context = html("canvas", {}).getContext("2d");
    const style = getComputedStyle(box);
    context.font = `${style.fontSize} ${style.fontFamily}`;
    const width = text => context.measureText(text).width;
    const one = width("M"), isFixed = Math.abs(width("i".repeat(8)) - 8 * one) < 0.5;
    const isPlain = /^[\x20-\x7e]*$/;
    return {
        narrowest: isFixed ? one : width("i"),
        of: text => isFixed && isPlain.test(text) ? text.length * one : width(text),
    };
})();

const DOTS = "..";

/* Returns the largest n up to which `fits` holds; `fits` holds for 0 and is monotonic. */
function largest(n, fits) {
    let low = 0, high = n;
    while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (fits(middle)) low = middle;
        else high = middle - 1;
    }
    return low;
}

/* Returns as much of a name as fits into `room` pixels, or "" if that is less than a character.
 * Keeps the end by default: it usually says more than the beginning. */
function fit(name, room, keepsBeginning = picture.keepsBeginning) {
    if (room < 3 * measure.narrowest) return "";
    if (name.length * measure.narrowest <= room && measure.of(name) <= room) return name;
    if (picture.hasSmartLabels && !keepsBeginning)
        return shortName(name, text => text.length * measure.narrowest <= room && measure.of(text) <= room);
    const most = Math.ceil(room / measure.narrowest) * 2; /* UTF-16 units per character */
    const near = keepsBeginning ? name.slice(0, most) : name.slice(-most);
    const characters = Array.from(near);
    const cut = n => keepsBeginning ? characters.slice(0, n).join("") + DOTS
                                    : DOTS + characters.slice(characters.length - n).join("");
    const n = largest(characters.length, k => measure.of(cut(k)) <= room);
    return n > 0 ? cut(n) : "";
}

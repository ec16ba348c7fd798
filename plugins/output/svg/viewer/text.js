/* Text: counts and titles as the program writes them, and as much of a name as fits. */

/* ---- counts ---- */

/* A weight as it is shown: times the factor, with a fraction if weights have one. */
function countText(w) {
    const shown = w * picture.factor / 10 ** picture.decimals;
    if (picture.decimals === 0) return grouped(Math.round(shown));
    const fraction = Math.round((shown - Math.floor(shown)) * 1e4);
    const digits = String(fraction % 1e4).padStart(4, "0").replace(/0+$/, "");
    return grouped(Math.floor(shown) + (fraction === 1e4 ? 1 : 0)) + (digits && "." + digits);
}

/* Of the count as it is shown. */
function shareText(w, total) {
    const share = Math.round(w * picture.factor) / (total * picture.factor);
    return (total > 0 ? 100 * share : 0).toFixed(2) + "%";
}

/* A count with what is counted, or a weight in the unit that suits it. */
function amountText(w) {
    if (picture.units === null) return `${countText(w)} ${picture.countname}`;
    const [size, name] = picture.units.filter(([least], i) => i === 0 || w >= Number(least)).pop();
    return `${(w / Number(size)).toFixed(2)} ${name}`;
}

const weightText = (w, total) => `${amountText(w)} (${shareText(w, total)})`;

/* By how much of the whole a frame became heavier, if that is known. */
function changeText(change, total) {
    if (picture.comparison === null || !(total > 0)) return "";
    const share = (100 * change / total).toFixed(2);
    return `; ${change > 0 ? "+" : ""}${share}%`;
}

/* What a frame weighs, as it stands in titles behind the name. */
function figuresText(node, total) {
    const share = node.parent === null ? "100%"
        : shareText(node.w, total) + changeText(node.change, total);
    return ` (${amountText(node.w)}, ${share})`;
}

/* The file has the titles of its own frames; some names have one title wherever they are. */
const titleOf = (node, total) =>
    node.title ?? node.known.title ?? node.name + figuresText(node, total);

/* ---- widths ---- */

/* In pixels, in the font of the labels. */
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

/* The largest n for which `fits` holds; it holds for 0, and for all below one it holds for. */
function largest(n, fits) {
    let low = 0, high = n;
    while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (fits(middle)) low = middle;
        else high = middle - 1;
    }
    return low;
}

/* As much of a name as fits into so many pixels; nothing if that is less than a character. Mostly
 * the end of a name tells more than its beginning. */
function fit(name, room, keepsBeginning = picture.keepsBeginning) {
    if (room < 3 * measure.narrowest) return "";
    if (name.length * measure.narrowest <= room && measure.of(name) <= room) return name;
    const most = Math.ceil(room / measure.narrowest) * 2; /* two units a character at the most */
    const near = keepsBeginning ? name.slice(0, most) : name.slice(-most);
    const characters = Array.from(near);
    const cut = n => keepsBeginning ? characters.slice(0, n).join("") + DOTS
                                    : DOTS + characters.slice(characters.length - n).join("");
    const n = largest(characters.length, k => measure.of(cut(k)) <= room);
    return n > 0 ? cut(n) : "";
}

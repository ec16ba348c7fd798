/* SPDX-License-Identifier: MIT */
/* Draws the scale below the frames: shares of the whole, or times in a picture in chronological
 * order. */
const TICK_ROOM = 110; /* minimum distance of two ticks, in pixels */

/* Returns the smallest round number that is not less than x. */
function roundUp(x) {
    const power = 10 ** Math.floor(Math.log10(x));
    return power * [1, 2, 5, 10].find(digit => digit * power >= x * (1 - 1e-9));
}

/* Returns the ticks of the visible part: positions in percent of its width, and texts. */
function ticks() {
    const isTime = display.isTimed, unit = isTime ? 1 : display.total / 100;
    const step = roundUp(span / unit / Math.max(boxWidth / TICK_ROOM, 1)), list = [];
    for (let i = Math.ceil(from / unit / step - 1e-6); i * step * unit <= (from + span) * (1 + 1e-9); i++) {
        const value = Number((i * step).toPrecision(12));
        list.push([100 * (value * unit - from) / span, isTime ? amountText(value) : `${value}%`]);
    }
    return list;
}

function showAxis() {
    if (!picture.hasAxis) return;
    status.axis.replaceChildren(...(display.total > 0 ? ticks() : []).map(([at, text]) => {
        const tick = html("span", {class: at < 3 ? "start" : at > 97 ? "end" : ""}, text);
        tick.style.left = `${at}%`;
        return tick;
    }));
}

/* SPDX-License-Identifier: MIT */
/* Fills and places the tooltip of a frame. */
function fillTooltip(element, name, lines) {
    element.replaceChildren(html("span", {class: "name"}, isolated(name)), ...lines.map(text => html("div", {}, isolated(text))));
}

/* Returns the place beside a point at which a box is within the window. */
const besidePoint = (x, y, width, height) => ({
    x: Math.max(0, Math.min(x + 14, innerWidth - width - 4)),
    y: Math.max(0, y + 18 + height > innerHeight ? y - height - 10 : y + 18),
});

/* SPDX-License-Identifier: MIT */
/* Saves what a viewer shows as files, which needs no network. */
const LEAST_EXPORTED = 0.1; /* pixels: narrower frames are not in a saved picture */

/* The name of a format; divided, since a page contains no address that a browser could contact. */
const SVG_NAMESPACE = ["http", "//www.w3.org/2000/svg"].join(":");

const escaped = text => inert(text).replace(/[&<>"]/g, c => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})[c])
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "\ufffd");

/* Returns an element as text. Programs that look for titles in the text of a picture find no tags in its script. */
const tagged = (tag, attributes, content) => {
    const start = [tag, ...Object.entries(attributes).map(([name, value]) => `${name}="${escaped(String(value))}"`)].join(" ");
    return `<${start}>${content}</${tag}>`;
};

/* Returns a frame as SVG: {title, label, left, top, width, height, color, line}; the last is the colour of an outline, or "". */
function svgOfFrame({title, label, left, top, width, height, color, line}) {
    const fill = `#${color.toString(16).padStart(6, "0")}`, ink = isBlackInk(color) ? "#000" : "#fff";
    const place = {x: left.toFixed(2), y: top, width: width.toFixed(2), height, fill};
    return tagged("g", {}, tagged("title", {}, escaped(title)) + tagged("rect", line === "" ? place : {...place, stroke: line}, "") +
        (label === "" ? "" : tagged("text", {x: (left + 3).toFixed(2), y: top + height - 4, fill: ink}, escaped(label))));
}

const svgOfFrames = (frames, {width, height, title, paper, font}) =>
    tagged("svg", {xmlns: SVG_NAMESPACE, width, height, viewBox: `0 0 ${width} ${height}`, ...font},
        tagged("title", {}, escaped(title)) + tagged("rect", {width: "100%", height: "100%", fill: paper}, "") +
        `\n${frames.map(svgOfFrame).join("\n")}\n`) + "\n";

/* Returns a line of folded stacks. Line ends and ";" divide them: they become blanks and ":". */
const foldedLine = (names, values) =>
    `${names.map(name => name.replace(/[\r\n]/g, " ").replaceAll(";", ":")).join(";") || "all"} ${values.join(" ")}\n`;

const fileName = (title, ending) => `${title.replace(/[^\w.-]+/g, "-").replace(/^[-.]+|-+$/g, "").slice(0, 80) || "profile"}.${ending}`;

/* Saves a file: {ending, type, made}, the last a function. Returns its name. */
async function saveFile(title, {ending, type, made}) {
    const blob = new Blob([await made()], {type}), url = URL.createObjectURL(blob), name = fileName(title, ending);
    html("a", {href: url, download: name}).click();
    setTimeout(() => URL.revokeObjectURL(url), 60000);
    return name;
}

const savingLabel = "Save what is shown";

/* The files that both viewers save, without what makes them. */
const savedKinds = {
    svg: {label: "Picture, SVG", ending: "svg", type: "image/svg+xml"},
    png: {label: "Picture, PNG", ending: "png", type: "image/png"},
    folded: {label: "Folded stacks", ending: "folded", type: "text/plain"},
};

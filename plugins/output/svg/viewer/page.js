/* SPDX-License-Identifier: MIT */
/* Reads the page as the program wrote it: its elements and its metadata.
 *
 * The build concatenates the files of this folder inside one function, in the order of
 * CMakeLists.txt, so they share one scope. Frame names are untrusted text: they reach the page only
 * as textContent and attribute values.
 */
const SVG = "http://www.w3.org/2000/svg";
const HTML = "http://www.w3.org/1999/xhtml";

const svg = (document.currentScript || document.documentElement).closest("svg");
const part = id => svg.querySelector("#" + id);
const box = part("frames");
const isAlone = svg === document.documentElement;
let isPrinting = false;

/* Returns a text of the file; an attribute holds the whole of a shortened one. */
const wholeText = element => element.getAttribute("fg:text") ?? element.textContent;

const about = name => part("about").getAttribute("fg:" + name);
const picture = {
    nametype: about("nametype"),
    countname: about("countname"),
    factor: Number(about("factor")),
    decimals: Number(about("decimals")),
    scale: about("unit") === null ? null /* counts, else times or sizes */
        : amountScale({name: "", unit: about("unit"), decimals: Number(about("decimals"))}, Number(about("factor"))),
    counts: about("counts") === null ? null /* else the scale of the number of samples of each frame */
        : amountScale({name: "samples", unit: "samples", decimals: Number(about("counts"))}),
    samples: about("samples") === null ? "" : ` in ${counted(about("samples"), "samples")}`,
    comparison: about("comparison"), /* weight compared in titles: "total", "self"; or null */
    isSigned: about("signed") === "1", /* widths are sizes of gains and losses */
    minwidth: Number(about("minwidth")),
    rowHeight: Number(about("rowheight")),
    fontSize: Number(about("fontsize")),
    legend: Number(about("legend")), /* height in pixels */
    isFluid: about("fluid") === "1",
    isInverted: about("inverted") === "1",
    isTimed: about("timed") === "1", /* siblings are in chronological order */
    hasAxis: about("axis") === "1",  /* a scale and a hint below the frames */
    edge: Number(about("edge")),     /* y of the outermost frame in the file */
    keepsBeginning: about("truncate-right") === "1",
    hasSmartLabels: about("smart-labels") === "1",
    hasBlackLabels: about("black-labels") === "1",
    searchColor: Number("0x" + about("search-color").slice(1)),
    title: wholeText(part("title")),
    note: part("details").textContent.trim(),
    total: Number(box.getAttribute("total_samples")),
};

const NARROW_WINDOW = 760; /* width in pixels of windows in which the bars show less */
const SIDE = 10; /* padding left and right, in pixels */

const make = name => document.createElementNS(SVG, name);

/* Creates an HTML element with attributes and children. */
function html(tag, attributes, ...children) {
    const element = document.createElementNS(HTML, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
}

/* Lays HTML over the picture, as the SVG element `id`. */
function overlay(id, content) {
    const frame = document.createElementNS(SVG, "foreignObject");
    frame.id = id;
    frame.append(content);
    svg.append(frame);
    return frame;
}

/* Writes an attribute if its value differs; unchanged attributes cause no layout. */
function put(element, name, value) {
    const text = String(value);
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

const grouped = whole => BigInt(whole).toString().replace(/\B(?=(...)+$)/g, ",");
const plural = (n, one, many) => `${grouped(n)} ${n === 1 ? one : many}`;

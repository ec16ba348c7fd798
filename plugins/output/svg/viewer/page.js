/* The page as the program wrote it: its parts, and what it says about itself.
 *
 * The files of this folder are joined, in the order CMakeLists.txt has them, inside one function:
 * they share their names. Names of frames are anybody's text: they reach the page as textContent
 * and attribute values alone.
 */
const SVG = "http://www.w3.org/2000/svg";
const HTML = "http://www.w3.org/1999/xhtml";

const svg = (document.currentScript || document.documentElement).closest("svg");
const part = id => svg.querySelector("#" + id);
const box = part("frames");
const isAlone = svg === document.documentElement;

/* A text of the file, which has all of it beside what it has room for. */
const wholeText = element => element.getAttribute("fg:text") ?? element.textContent;

const about = name => part("about").getAttribute("fg:" + name);
const picture = {
    nametype: about("nametype"),
    countname: about("countname"),
    units: about("units")?.split(",").map(text => text.split(" ")) ?? null, /* [size, name] */
    factor: Number(about("factor")),
    decimals: Number(about("decimals")),
    comparison: about("comparison"), /* what titles tell differences of: "total", "self"; or null */
    minwidth: Number(about("minwidth")),
    rowHeight: Number(about("rowheight")),
    fontSize: Number(about("fontsize")),
    legend: Number(about("legend")), /* how high it is */
    isFluid: about("fluid") === "1",
    isInverted: about("inverted") === "1",
    keepsBeginning: about("truncate-right") === "1",
    searchColor: about("search-color"),
    title: wholeText(part("title")),
    note: part("details").textContent.trim(),
    total: Number(box.getAttribute("total_samples")),
};

const SIDE = 10; /* padding left and right, in pixels */

/* An element of HTML with attributes and children. */
function html(tag, attributes, ...children) {
    const element = document.createElementNS(HTML, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
}

/* HTML that is laid over the picture, as the element `id` of SVG. */
function overlay(id, content) {
    const frame = document.createElementNS(SVG, "foreignObject");
    frame.id = id;
    frame.append(content);
    svg.append(frame);
    return frame;
}

/* Writes an attribute if it is another; what the page has already costs no layout. */
function put(element, name, value) {
    const text = String(value);
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

const grouped = whole => BigInt(whole).toString().replace(/\B(?=(...)+$)/g, ",");
const plural = (n, one, many) => `${grouped(n)} ${n === 1 ? one : many}`;

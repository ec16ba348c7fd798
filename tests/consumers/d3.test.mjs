/* SPDX-License-Identifier: MIT */
/* Checks that d3-hierarchy and d3-flame-graph read the nested objects of the output "json". */
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {test} from "node:test";
import {hierarchy, partition} from "d3-hierarchy";

import {open} from "./lib/browser.mjs";
import {described, fileWith, goldenCases, packageFile, written} from "./lib/written.mjs";

const stacks = "main;parse;read 40\nmain;parse;lex 25\nmain;emit;write 20\nmain;emit 10\nmain 5\n";

/* ---- d3-hierarchy ---- */

const childrenOf = node => (node.children || []).reduce((sum, c) => sum + c.data.value, 0);

function assertSums(root) {
    root.each(node => {
        assert.equal(typeof node.data.name, "string");
        assert.ok(node.data.value >= childrenOf(node) - 1e-6 * node.data.value,
                  `${node.data.name}: ${node.data.value} < ${childrenOf(node)}`);
    });
}

/* Losses may weigh less than what is in them. */
const hasLosses = root => root.descendants().some(node => node.data.value < 0);

for (const [name, path] of goldenCases("json")) {
    const root = hierarchy(JSON.parse(readFileSync(path, "utf8")));
    if (!hasLosses(root))
        test(`no node of ${name} weighs less than what is in it`, () => assertSums(root));
}

test("a node's weight is its self weight plus that of its children", () => {
    const root = hierarchy(JSON.parse(written("json", stacks)));
    assertSums(root);
    const self = Object.fromEntries(root.descendants().map(node =>
        [node.data.name, node.data.value - childrenOf(node)]));
    assert.deepEqual(self, {root: 0, main: 5, emit: 10, write: 20, parse: 0, lex: 25, read: 40});
    assert.equal(root.sum(d => d.value - (d.children || []).reduce((s, c) => s + c.value, 0)).value,
                 100);
});

test("d3-hierarchy lays out the same widths as the SVG", () => {
    const root = hierarchy(JSON.parse(written("json", stacks)));
    root.each(node => { node.value = node.data.value; });
    const placed = partition().size([100, root.height + 1])(root);
    const drawn = written("svg", stacks, ["--no-compact"]);
    for (const node of placed.descendants().slice(1)) {
        const width = (node.x1 - node.x0).toFixed(2);
        assert.ok(drawn.includes(`<title>${node.data.name} (${node.data.value} samples, ${width}%)`),
                  `${node.data.name}: ${width}%`);
    }
});

test("a stack of ten thousand frames can be read", () => {
    const deep = `${Array.from({length: 10000}, (_, i) => `f${i}`).join(";")} 1\n`;
    assert.equal(hierarchy(JSON.parse(written("json", deep))).height, 10000);
});

/* ---- d3-flame-graph ---- */

/* Returns a page with the chart, as in the documentation of d3-flame-graph. */
const page = json => `<!DOCTYPE html><meta charset="utf-8"><div id="chart"></div>
<script src="file://${packageFile("d3-selection/dist/d3-selection.min.js")}"></script>
<script src="file://${packageFile("d3-flame-graph/dist/d3-flamegraph.min.js")}"></script>
<script>
const data = ${json.replaceAll("</", "<\\/")};
d3.select("#chart").datum(data).call(flamegraph().width(1000).minFrameSize(0).transitionDuration(0));
</script>`;

async function drawnBy(t, json) {
    const chart = await open(t, fileWith(page(json), ".html"));
    await chart.waitForSelector("g.frame");
    return chart.$$eval("g.frame", groups => groups.map(g => ({
        title: g.querySelector("title").textContent,
        width: Math.round(Number(g.getAttribute("width") ||
                                 g.querySelector("rect").getAttribute("width"))),
    })));
}

test("d3-flame-graph draws every node, as wide as it weighs", async t => {
    const drawn = await drawnBy(t, written("json", stacks));
    assert.deepEqual(Object.fromEntries(drawn.map(f => [f.title.split(" ")[0], f.width])),
                     {root: 1000, main: 1000, parse: 650, read: 400, lex: 250, emit: 300, write: 200});
});

test("d3-flame-graph draws a profile with labels", async t => {
    const text = "weights: samples/samples\ntag: host=a\nmain;f 30\ntag: host=b\nmain;f 50\nmain 20\n";
    const json = written("json", text, described);
    assert.deepEqual(JSON.parse(json).labels, [{}, {host: "a"}, {host: "b"}]);
    const drawn = await drawnBy(t, json);
    assert.deepEqual(Object.fromEntries(drawn.map(f => [f.title.split(" ")[0], f.width])),
                     {root: 1000, main: 1000, f: 800});
});

test("d3-flame-graph shows names with HTML markup literally", async t => {
    const titles = (await drawnBy(t, written("json", "<i>a</i>;&amp;\"q\" 3\n"))).map(f => f.title);
    for (const name of ["<i>a</i>", "&amp", "\"q\""])
        assert.ok(titles.some(title => title.startsWith(`${name} `)), `${name} in ${titles}`);
});

/* SPDX-License-Identifier: MIT */
/* Saves what the picture shows: the filtered tree in the zoomed frame. */

/* Returns the frames from the first row to the last of the visible part, as saving.js has them. */
function framesSeen() {
    const scale = boxWidth / span, frames = [], above = Math.min(rowTop(0), rowTop(display.depth));
    for (let i = 0; i < display.nodes.length; i++) {
        const n = display.nodes[i];
        const left = Math.max(n.x - from, 0) * scale, width = Math.min(n.x + n.w - from, span) * scale - left;
        if (width < LEAST_EXPORTED || n.isNarrow) {
            i = n.end - 1;
            continue;
        }
        frames.push({title: titleOf(n), label: fit(readable(nameOfRun(n.name, n.run)), width - 6), left: left + SIDE,
                     top: rowTop(n.depth) - above, width, height: picture.rowHeight - 1, color: colorNow(n), line: outlineOf(n, width)});
    }
    return frames;
}

function svgSeen() {
    const frames = framesSeen(), {fontSize, fontFamily} = getComputedStyle(box);
    return svgOfFrames(frames, {
        width: boxWidth + 2 * SIDE, height: Math.max(...frames.map(f => f.top)) + picture.rowHeight, title: picture.title,
        paper: getComputedStyle(svg).getPropertyValue("--paper"), font: {"font-family": fontFamily, "font-size": parseFloat(fontSize)},
    });
}

/* Returns all rows as pixels, those of narrow frames as they are on the screen. */
function pngSeen() {
    finishDrawing();
    const canvas = html("canvas", {}), c = canvas.getContext("2d"), scale = globalThis.devicePixelRatio || 1;
    const above = Math.min(rowTop(0), rowTop(display.depth));
    canvas.width = (boxWidth + 2 * SIDE) * scale;
    canvas.height = Math.min((display.depth + 1) * picture.rowHeight * scale, TALLEST_PNG);
    c.scale(scale, scale);
    c.fillStyle = getComputedStyle(svg).getPropertyValue("--paper");
    c.fillRect(0, 0, canvas.width, canvas.height);
    for (const {frame, canvas: tile} of tiles)
        c.drawImage(tile, SIDE, frame.getAttribute("y") - above, tile.width / scale, tile.height / scale);
    c.font = ["fontSize", "fontFamily"].map(name => getComputedStyle(box)[name]).join(" ");
    for (const shape of shown) drawShape(c, shape, above);
    draw();
    return new Promise(done => canvas.toBlob(done, "image/png"));
}

const TALLEST_PNG = 16000; /* pixels */

function drawShape(c, {x, y, width, fill, text, outline}, above) {
    const left = SIDE + x, top = y - above;
    c.fillStyle = colorText(fill);
    c.fillRect(left, top, width, picture.rowHeight - 1);
    c.strokeStyle = outline || "transparent";
    c.strokeRect(left, top, width, picture.rowHeight - 1);
    c.fillStyle = isBlackInk(fill) ? "#000" : "#fff";
    c.fillText(text ?? "", left + 3, top + 3 + (picture.rowHeight - 1) / 2);
}

/* Returns the stacks in the zoomed frame. Weights that the file does not list by frame belong to their callers. */
function foldedSeen() {
    const stack = [], lines = [], {nodes} = display;
    for (let n = zoomed; n.parent !== null; n = n.parent) stack[n.depth - 1] = n.name;
    for (let i = nodes.indexOf(zoomed); i < zoomed.end; i++) {
        const n = nodes[i], value = picture.isSigned ? n.ownNet : n.self + n.lost;
        stack.length = Math.max(0, n.depth - 1);
        if (n.parent !== null) stack.push(n.name);
        if (value !== 0) lines.push(foldedLine(stack, [value / 10 ** picture.decimals]));
    }
    return lines.join("");
}

const makers = {svg: svgSeen, png: pngSeen, folded: foldedSeen};

function openExports() {
    const {left, top} = edges(), seen = sight();
    const items = Object.entries(makers).map(([kind, made]) => ({label: savedKinds[kind].label, keys: "", run: async () => {
        say(`Saved: ${await saveFile(picture.title, {...savedKinds[kind], made})}`);
    }}));
    openMenu([html("div", {class: "heading"}, savingLabel)], items, left + seen.x + seen.width - SIDE, top + seen.y + barHeight);
}

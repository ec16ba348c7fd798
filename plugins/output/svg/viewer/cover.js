/* SPDX-License-Identifier: MIT */
/* Draws frames that are too narrow for a shape: each pixel of a row shows their average colour, as
 * opaque as the part of the pixel that they cover. Painted areas are therefore true.
 *
 * The pixels are in canvases below the shapes.
 */
const TILE = 4096; /* maximum height of a canvas, in pixels */

class Cover {
    constructor() {
        this.scale = globalThis.devicePixelRatio || 1;
        this.columns = Math.ceil(boxWidth * this.scale);
        this.rows = []; /* indexed by depth: sums of red, green, blue and coverage of each pixel */
    }

    /* Adds a frame between two positions, in pixels. */
    add(depth, left, right, color) {
        const row = this.rows[depth] ??= new Float32Array(4 * this.columns);
        const start = left * this.scale, end = Math.min(right * this.scale, this.columns);
        for (let x = Math.floor(start); x < end; x++) {
            const part = Math.min(x + 1, end) - Math.max(x, start);
            row[4 * x] += part * (color >> 16);
            row[4 * x + 1] += part * (color >> 8 & 255);
            row[4 * x + 2] += part * (color & 255);
            row[4 * x + 3] += part;
        }
    }

    /* Returns the pixels of a row, which are the same on each of its lines. */
    line(row) {
        const bytes = new Uint8ClampedArray(4 * this.columns);
        for (let i = 0; i < bytes.length; i += 4) {
            const covered = row[i + 3];
            if (covered === 0) continue;
            for (let channel = i; channel < i + 3; channel++) bytes[channel] = row[channel] / covered;
            bytes[i + 3] = 255 * covered;
        }
        return new Uint32Array(bytes.buffer);
    }

    paint() {
        const depths = Object.keys(this.rows).map(Number).sort((a, b) => rowTop(a) - rowTop(b));
        let used = 0;
        for (let i = 0; i < depths.length; used++) {
            const top = rowTop(depths[i]), tile = [];
            while (i < depths.length && rowTop(depths[i]) - top < TILE) tile.push(depths[i++]);
            this.paintTile(used, top, tile);
        }
        for (const {frame} of tiles.splice(used)) frame.remove();
    }

    paintTile(i, top, depths) {
        const {frame, canvas} = tiles[i] ??= makeTile(), {scale, columns} = this;
        const height = rowTop(depths[depths.length - 1]) + picture.rowHeight - top;
        canvas.width = columns;
        canvas.height = Math.ceil(height * scale);
        const context = canvas.getContext("2d", {willReadFrequently: true}); /* only written by the script */
        const image = context.createImageData(columns, canvas.height);
        const pixels = new Uint32Array(image.data.buffer);
        for (const depth of depths) {
            const line = this.line(this.rows[depth]), y = rowTop(depth) - top;
            const end = Math.round((y + picture.rowHeight - 1) * scale);
            for (let at = Math.round(y * scale); at < end; at++) pixels.set(line, at * columns);
        }
        context.putImageData(image, 0, 0);
        put(frame, "y", top);
        put(frame, "width", columns / scale);
        put(frame, "height", canvas.height / scale);
    }
}

const tiles = [];

function makeTile() {
    const frame = make("foreignObject"), canvas = html("canvas", {});
    frame.setAttribute("class", "cover");
    frame.setAttribute("x", SIDE);
    frame.append(canvas);
    box.before(frame);
    return {frame, canvas};
}

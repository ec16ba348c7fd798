/* SPDX-License-Identifier: MIT */
/* Draws frames narrower than a pixel.
 *
 * Each cell, a pixel of a row, gets the average colour of what falls into it, as opaque as the share
 * of the cell that is covered. The painted area is therefore proportional to the weight, and so is
 * that of matches and of differences.
 */
class Coverage {
    constructor() {
        this.canvas = document.createElement("canvas"); /* a pixel per cell */
        this.context = this.canvas.getContext("2d");
        this.width = this.rows = 0; /* in cells */
        this.sums = new Float32Array(0); /* by cell: share, and sums of red, green and blue */
        this.nodes = new Uint32Array(0); /* by cell: a node in it; 0: none */
        this.kept = null; /* an earlier state: {sight, width, rows, sums, nodes} */
    }

    /* Keeps the state as that of a sight, which is a list of values. */
    keep(sight) {
        const {width, rows} = this, n = width * rows;
        this.kept = {sight, width, rows, sums: this.sums.slice(0, 4 * n), nodes: this.nodes.slice(0, n)};
    }

    /* Returns to the kept state if it is that of this sight. Returns whether it is. */
    restore(sight) {
        const {kept} = this;
        if (kept === null || kept.sight.some((value, i) => value !== sight[i])) return false;
        this.clear(kept.width, kept.rows);
        this.sums.set(kept.sums);
        this.nodes.set(kept.nodes);
        return true;
    }

    /* Makes all cells empty. */
    clear(width, rows) {
        Object.assign(this, {width, rows});
        if (this.nodes.length < width * rows) {
            this.sums = new Float32Array(4 * width * rows);
            this.nodes = new Uint32Array(width * rows);
            return;
        }
        this.sums.fill(0, 0, 4 * width * rows);
        this.nodes.fill(0, 0, width * rows);
    }

    /* Adds a node that covers a row from `left` to `right`, in cells. */
    add(row, left, right, rgb, node) {
        const {width} = this, first = Math.max(0, Math.floor(left)), at = row * width + first;
        if (left >= 0 && right <= first + 1 && first < width) return this.addShare(at, right - left, rgb, node);
        for (let cell = first; cell < Math.min(width, right); cell++)
            this.addShare(row * width + cell, Math.min(cell + 1, right) - Math.max(cell, left), rgb, node);
    }

    /* Gives an added node another colour. */
    recolor(row, left, right, before, after) {
        const {sums, width} = this, stop = Math.min(width, right);
        const red = (after >> 16) - (before >> 16), blue = (after & 255) - (before & 255);
        const green = (after >> 8 & 255) - (before >> 8 & 255);
        for (let cell = Math.max(0, Math.floor(left)); cell < stop; cell++) {
            const share = Math.min(cell + 1, right) - Math.max(cell, left), at = 4 * (row * width + cell);
            sums[at + 1] += share * red;
            sums[at + 2] += share * green;
            sums[at + 3] += share * blue;
        }
    }

    addShare(at, share, rgb, node) {
        const {sums, nodes} = this;
        sums[4 * at] += share;
        sums[4 * at + 1] += share * (rgb >> 16);
        sums[4 * at + 2] += share * (rgb >> 8 & 255);
        sums[4 * at + 3] += share * (rgb & 255);
        if (nodes[at] === 0) nodes[at] = node;
    }

    /* Copies the colours of the cells to the canvas. */
    fill() {
        const {canvas, context, sums, nodes, width, rows} = this, n = width * rows;
        if (n === 0) return;
        if (canvas.width !== width) canvas.width = width;
        if (canvas.height < rows) canvas.height = rows;
        const image = context.createImageData(width, rows), {data} = image;
        for (let at = 0; at < n; at++) {
            if (nodes[at] === 0) continue;
            const share = sums[4 * at];
            data[4 * at] = sums[4 * at + 1] / share;
            data[4 * at + 1] = sums[4 * at + 2] / share;
            data[4 * at + 2] = sums[4 * at + 3] / share;
            data[4 * at + 3] = 255 * Math.min(1, share);
        }
        context.putImageData(image, 0, 0);
    }

    /* Draws the cells from `left` over `width`, with `place(row)` as the top of a row, in pixels of
     * `target`. */
    draw(target, left, width, place) {
        target.imageSmoothingEnabled = false;
        for (let row = 0; row < this.rows; row++)
            target.drawImage(this.canvas, 0, row, this.width, 1, left, place(row), width, ROW - 1);
    }

    /* Returns the covered cells: [{node, row, cell}]. */
    covered() {
        const found = [], n = this.width * this.rows;
        for (let at = 0; at < n; at++)
            if (this.nodes[at] !== 0)
                found.push({node: this.nodes[at], row: Math.floor(at / this.width), cell: at % this.width});
        return found;
    }
}

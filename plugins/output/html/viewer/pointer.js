/* SPDX-License-Identifier: MIT */
/* Handles mouse and touch input on the charts, and shows the tooltip. */
const tooltip = html("div", {id: "tooltip", role: "tooltip", hidden: ""});

/* Returns the frame that keys act on: {chart, node}, or null. */
function subject() {
    for (const chart of [active, ...charts])
        for (const node of [chart.pointed, chart.cursor])
            if (chart.tree !== null && node !== null && node !== undefined) return {chart, node};
    return null;
}

function hideTooltip() {
    tooltip.hidden = true;
}

/* Shows the tooltip beside the point, within the window. */
function showTooltip(chart, hit, x, y) {
    const more = hit.isMerged ? ["several frames narrower than a pixel; click to open"]
        : runOf(chart.tree, hit.node) > 1 ? [openHint] : [];
    fillTooltip(tooltip, titleOf(chart.tree, hit.node), [...more, ...figuresOf(chart.tree, hit.node)]);
    tooltip.hidden = false;
    const {width, height} = tooltip.getBoundingClientRect(), place = besidePoint(x, y, width, height);
    tooltip.style.left = `${place.x}px`;
    tooltip.style.top = `${place.y}px`;
}

const DRAG = 4;         /* shorter movements are clicks, in pixels */
const LONG_PRESS = 500; /* milliseconds */

/* Zooms with two fingers: the weights under them stay under them. */
function pinch(chart, fingers) {
    const box = chart.canvas.getBoundingClientRect(), {from, span} = chart.window();
    const shares = before => fingers.map(f => ((before ? f.before : f.x) - box.left) / chart.width)
        .sort((a, b) => a - b);
    const [a, b] = shares(true), [c, d] = shares(false);
    for (const f of fingers) f.before = f.x;
    if (b - a < 0.01 || d - c < 0.01) return;
    const next = Math.min(chart.tree.total[0], span * (b - a) / (d - c));
    chart.move(from + (a + b) / 2 * span - (c + d) / 2 * next, next);
}

/* Ignores the click caused by lifting the finger that opened a menu. */
function ignoreNextClick() {
    const ignore = event => {
        event.preventDefault();
        event.stopPropagation();
    };
    addEventListener("click", ignore, {capture: true, once: true});
    addEventListener("pointerdown", () => removeEventListener("click", ignore, {capture: true}),
                     {capture: true, once: true});
}

function listen(chart) {
    const {canvas} = chart, fingers = new Map();
    let drag = null, pressing = 0;
    const stopPressing = () => clearTimeout(pressing);
    const hitOf = event => {
        const box = canvas.getBoundingClientRect();
        return chart.at(event.clientX - box.left, event.clientY - box.top);
    };
    canvas.addEventListener("pointerdown", event => {
        closePopup();
        active = chart;
        if (event.button === 0) drag = {x: event.clientX, ...chart.window(), isMoved: false};
        if (event.pointerType === "mouse") return;
        fingers.set(event.pointerId, {x: event.clientX, before: event.clientX});
        for (const f of fingers.values()) f.before = f.x;
        if (fingers.size > 1) drag = {isMoved: true}; /* neither a drag nor a click follows */
        const hit = hitOf(event);
        stopPressing();
        if (hit === null || fingers.size > 1) return;
        pressing = setTimeout(() => {
            drag = null;
            ignoreNextClick();
            openFrameMenu(chart, hit.node, event.clientX, event.clientY);
        }, LONG_PRESS);
    });
    for (const end of ["pointerup", "pointercancel"])
        addEventListener(end, event => {
            stopPressing();
            if (!fingers.delete(event.pointerId)) return;
            showBars(); /* a drag may have left the zoomed frame */
            rememberSoon();
        });
    canvas.addEventListener("pointermove", event => {
        const finger = fingers.get(event.pointerId);
        if (finger !== undefined) {
            if (Math.abs(event.clientX - finger.x) > DRAG) stopPressing();
            if (fingers.size > 1 || Math.abs(event.clientX - finger.x) > DRAG) finger.x = event.clientX;
            if (fingers.size === 2) return pinch(chart, [...fingers.values()]);
        }
        if (drag !== null && drag.span !== undefined && event.buttons === 1) {
            const by = event.clientX - drag.x;
            drag.isMoved ||= Math.abs(by) > DRAG && drag.span < chart.tree.total[0];
            if (drag.isMoved) chart.move(drag.from - by * drag.span / chart.width, drag.span);
            if (drag.isMoved) return hideTooltip();
        }
        const hit = hitOf(event);
        chart.pointed = hit === null ? null : hit.node;
        if (hit === null || event.pointerType === "touch") hideTooltip();
        else showTooltip(chart, hit, event.clientX, event.clientY);
        canvas.style.cursor = hit === null ? "default" : "pointer";
        active = chart;
        showDetails();
        chart.drawSoon();
    });
    canvas.addEventListener("click", event => {
        const wasMoved = drag !== null && drag.isMoved;
        drag = null;
        hideTooltip();
        if (wasMoved) {
            showBars();
            remember();
        } else openAt(chart, hitOf(event));
    });
    canvas.addEventListener("pointerleave", () => {
        chart.pointed = null;
        hideTooltip();
        showDetails();
        chart.drawSoon();
    });
    canvas.addEventListener("contextmenu", event => {
        const hit = hitOf(event);
        if (hit === null) return;
        event.preventDefault();
        hideTooltip();
        openFrameMenu(chart, hit.node, event.clientX, event.clientY);
    });
    canvas.addEventListener("wheel", event => turnWheel(chart, event), {passive: false});
}

/* Zooms around the mouse with Ctrl; moves the picture sideways otherwise. */
function turnWheel(chart, event) {
    const {from, span} = chart.window(), box = chart.canvas.getBoundingClientRect();
    if (event.ctrlKey) {
        event.preventDefault();
        const at = (event.clientX - box.left) / chart.width;
        const next = Math.min(chart.tree.total[0], span * Math.exp(event.deltaY / 300));
        chart.move(from + at * (span - next), next);
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        chart.move(from + (event.deltaX || event.deltaY) * span / chart.width, span);
    } else return;
    hideTooltip();
    showBars();
    rememberSoon();
}

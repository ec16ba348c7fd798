/* SPDX-License-Identifier: MIT */
/* Touches pages in Firefox with fingers, for which Playwright has no commands there: they are sent to Firefox in the
 * session that Playwright has opened, since a Firefox of their own takes longer to start than all tests with fingers. */
import {openFile} from "./viewer.mjs";

/* Opens a file in Firefox until the test `t` ends. Returns a page with `tap` and `touch`. */
export async function openTouched(t, path) {
    const page = await openFile(t, path, {browser: "firefox", viewport: {width: 820, height: 700}});
    const session = page._connection.toImpl(page).delegate._session;

    /* Puts fingers down, moves them in steps, holds them for some milliseconds, and lifts them. Each is
     * [[from x, from y], [to x, to y]]. */
    const touch = async (fingers, {milliseconds = 0} = {}) => {
        const move = (x, y, duration = 0) => ({type: "pointerMove", x: Math.round(x), y: Math.round(y), duration});
        const actions = fingers.map(([[x, y], [toX, toY]], i) => ({type: "pointer", id: `finger${i}`, parameters: {pointerType: "touch"},
            actions: [move(x, y), {type: "pointerDown", button: 0},
                      ...x === toX && y === toY ? [] : [1, 2, 3, 4, 5].map(k => move(x + (toX - x) * k / 5, y + (toY - y) * k / 5, 20)),
                      {type: "pause", duration: milliseconds}, {type: "pointerUp", button: 0}]}));
        await session.send("input.performActions", {context: session.sessionId, actions});
    };
    return Object.assign(page, {touch, tap: (x, y) => touch([[[x, y], [x, y]]])});
}

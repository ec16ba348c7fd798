/* SPDX-License-Identifier: MIT */
/* Measures the work of a page's thread in milliseconds of processor time, independent of other
 * load. */

/* Returns the processor time of `act`, until its result is painted and `settled` has resolved. */
export async function workOf(page, act, settled = painted) {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Performance.enable", {timeDomain: "threadTicks"});
    const used = async () => (await cdp.send("Performance.getMetrics")).metrics
        .find(m => m.name === "TaskDuration").value * 1000;
    const before = await used();
    await act();
    await settled(page);
    const milliseconds = await used() - before;
    await cdp.detach();
    return milliseconds;
}

export function painted(page) {
    return page.evaluate(() => new Promise(done => requestAnimationFrame(() => setTimeout(done))));
}

/* SPDX-License-Identifier: MIT */
/* The two viewers under the same functions, for tests of what they share: {name, open, rows, pointAt, clickAt}. */
import * as html from "./html.mjs";
import * as svg from "./viewer.mjs";

export const viewers = [
    {name: "picture", open: svg.open, rows: svg.rows, pointAt: svg.pointAt, clickAt: svg.click},
    {name: "page", open: html.openHtml, rows: html.rows, pointAt: html.pointAt, clickAt: html.clickAt},
];

/* SPDX-License-Identifier: MIT */
/* Shows the light or the dark theme: as the file says, or as the reader chooses. */
let chosenTheme = null; /* "light" or "dark"; null: as the file says */

/* The last rule of the style sheet is the dark theme. */
const darkRule = Array.from(svg.querySelector("style")?.sheet?.cssRules ?? []).at(-1);
const usualMedia = darkRule?.media.mediaText ?? "not all";

/* Paper has the theme of the screen only if the file says so. */
function isDark() {
    const media = darkRule?.media.mediaText ?? usualMedia;
    return media === "all" || !isPrinting && matchMedia(media).matches;
}

function setTheme(theme) {
    if (theme === chosenTheme) return; /* a change of the rule styles everything again */
    chosenTheme = theme;
    if (darkRule !== undefined)
        darkRule.media.mediaText = theme === null ? usualMedia : theme === "dark" ? "screen" : "not all";
}

function toggleTheme() {
    setTheme(isDark() ? "light" : "dark");
    draw();
    remember();
}

/* Returns the colour of a frame in the theme of the current drawing. */
const hasDarkColors = box.hasAttribute("color");
let paintsDark = false;
const painted = color => paintsDark ? darkColor(color) : color;

/* Draws in the other theme if it has changed. */
function followTheme() {
    if ((hasDarkColors && isDark()) !== paintsDark) draw();
}

matchMedia(usualMedia).addEventListener("change", followTheme);

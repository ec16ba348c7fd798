/* SPDX-License-Identifier: MIT */
/* Creates elements and reads theme colours. */

/* Creates an element with attributes and children. */
function html(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
}

function button(id, label, hint, run) {
    const element = html("button", {type: "button", title: hint}, label);
    if (id) element.id = id;
    element.addEventListener("click", run);
    return element;
}

const press = (element, isOn) => element.setAttribute("aria-pressed", String(isOn));

const page = document.documentElement;
const title = document.title;

/* Returns a colour of the theme; caches it, since drawing needs it often. */
let themeColors = new Map();
function theme(name) {
    let color = themeColors.get(name);
    if (color === undefined) {
        color = getComputedStyle(page).getPropertyValue(name).trim();
        themeColors.set(name, color);
    }
    return color;
}

const darkSystem = matchMedia("(prefers-color-scheme: dark)");
const usualTheme = page.dataset.theme;
const isDarkTheme = () => page.dataset.theme === "dark" ||
    (page.dataset.theme === "auto" && darkSystem.matches);

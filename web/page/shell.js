/* SPDX-License-Identifier: MIT */
/* Shows the page that brazier serves, loads it again when the profile has changed, and offers the source of the chosen
 * frame to an editor. The page in the frame is the output "html", whose own policy forbids it any connection. */
"use strict";
const frame = document.getElementById("page"), bar = document.getElementById("bar");
const link = document.getElementById("editor"), note = document.getElementById("note");
const settings = {editor: "", folder: ""};
let version = null;

/* Returns the file and line of the frame that is chosen in the page, or null. */
function chosenPlace() {
    const place = frame.contentWindow?.brazier?.chosenPlace?.() ?? null;
    return place !== null && place.file !== "" && place.line > 0 ? place : null;
}

const isAbsolute = file => file.startsWith("/") || /^[A-Za-z]:[\\/]/.test(file);
const encoded = path => path.split("/").map(encodeURIComponent).join("/");

/* Returns the address that opens an editor at a place. */
function addressOf({file, line}) {
    const path = isAbsolute(file) ? file : `${settings.folder}/${file}`;
    const values = {file: encoded(path), line: String(line)};
    return settings.editor.replace(/\{(file|line)\}/g, (_, name) => values[name]);
}

function showPlace() {
    const place = settings.editor === "" ? null : chosenPlace();
    link.hidden = place === null;
    bar.hidden = link.hidden && note.textContent === "";
    if (place === null) return;
    link.textContent = `Open ${place.file}:${place.line} in the editor`;
    link.href = addressOf(place);
}

/* Keeps the view in the address, so that the browser's own reload shows it again. */
function keepView() {
    const {hash} = frame.contentWindow.location;
    if (hash !== location.hash) history.replaceState(null, "", hash === "" ? location.pathname : hash);
}

function say(text) {
    note.textContent = text;
    showPlace();
}

function listen() {
    const events = new EventSource("events");
    events.onopen = () => say("");
    events.onerror = () => say("brazier has ended: this page stays as it is");
    events.onmessage = event => {
        const isNew = version !== null && version !== event.data;
        version = event.data;
        if (isNew) frame.contentWindow.location.reload();
    };
    addEventListener("pagehide", () => events.close());
}

async function start() {
    Object.assign(settings, await (await fetch("settings")).json());
    frame.addEventListener("load", () => { document.title = frame.contentDocument.title || "brazier"; });
    frame.src = `page${location.hash}`;
    addEventListener("pageshow", event => { if (event.persisted) listen(); }); /* Back from another page */
    listen();
    setInterval(() => {
        if (frame.contentDocument?.readyState !== "complete" || frame.contentWindow?.location.protocol !== "http:") return;
        keepView();
        showPlace();
    }, 200);
}

start();

// Renders generated Markdown as HTML, many times, and prints the size of the result.
"use strict";

const ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"};

function escape(text) {
    return text.replace(/[&<>"]/g, letter => ESCAPES[letter]);
}

function inline(text) {
    return escape(text)
        .replace(/`([^`]+)`/g, "<code>$1</code>")
        .replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
        .replace(/\*([^*]+)\*/g, "<em>$1</em>")
        .replace(/\[([^\]]+)\]\(([^)]+)\)/g, (all, label, target) => link(label, target));
}

function link(label, target) {
    const url = new URL(target, "https://example.org/");
    return `<a href="${url.href}">${label}</a>`;
}

class Renderer {
    constructor() {
        this.output = [];
        this.headings = new Map();
    }

    heading(line) {
        const level = line.indexOf(" ");
        const text = line.slice(level + 1);
        const anchor = text.toLowerCase().normalize("NFD").replace(/[^a-z0-9]+/g, "-");
        const count = this.headings.get(anchor) ?? 0;
        this.headings.set(anchor, count + 1);
        this.output.push(`<h${level} id="${anchor}-${count}">${inline(text)}</h${level}>`);
    }

    list(lines) {
        const items = lines.map(line => `<li>${inline(line.slice(2))}</li>`);
        this.output.push(`<ul>${items.join("")}</ul>`);
    }

    table(lines) {
        const rows = lines.map(line => line.split("|").slice(1, -1).map(cell => cell.trim()));
        const sorted = rows.sort((a, b) => a[0].localeCompare(b[0], "en"));
        for (const row of sorted)
            this.output.push(`<tr>${row.map(cell => `<td>${inline(cell)}</td>`).join("")}</tr>`);
    }

    block(lines) {
        if (lines[0].startsWith("#"))
            return this.heading(lines[0]);
        if (lines[0].startsWith("- "))
            return this.list(lines);
        if (lines[0].startsWith("|"))
            return this.table(lines);
        this.output.push(`<p>${inline(lines.join(" "))}</p>`);
    }

    render(text) {
        for (const block of text.split(/\n\n+/))
            this.block(block.split("\n"));
        return this.output.join("\n");
    }
}

/* Returns a text with all kinds of blocks. */
function document(sections) {
    const words = ["ember", "**flame**", "*ash*", "`coal`", "[smoke](smoke.html#top)", "a < b & c", "Glühwürmchen"];
    const phrase = (from, count) => Array.from({length: count}, (_, i) => words[(from * 5 + i * 3) % words.length]).join(" ");
    const parts = [];
    for (let i = 0; i < sections; i++) {
        parts.push(`## Section ${i} ${phrase(i, 2)}`);
        parts.push(Array.from({length: 5}, (_, line) => phrase(i + line, 12)).join("\n"));
        parts.push(Array.from({length: 4}, (_, line) => `- ${phrase(i * line, 6)}`).join("\n"));
        parts.push(Array.from({length: 20}, (_, line) => `| ${phrase(i + line, 1)} ${line} | ${phrase(line, 2)} |`).join("\n"));
    }
    return parts.join("\n\n");
}

const text = document(200);
let size = 0;
for (let i = 0; i < 40; i++)
    size += new Renderer().render(text).length;
console.log(`${text.length} letters of Markdown became ${size / 40} of HTML`);

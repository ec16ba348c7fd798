# SPDX-License-Identifier: MIT
"""Draws docs/gallery/record.svg: what a terminal showed of a recording, as an animation, and its flame graph.

The text is that of recordings/ray.console: commands after "$ ", and the bytes that the terminal received. The
picture has no script. Where the reader prefers no motion, and at the end, it shows the last state.
"""
import dataclasses
import re
from xml.sax.saxutils import escape

COLUMNS = 118
WIDTH, ROW, LEFT, TOP = 800, 16, 12, 34
ADVANCE = (WIDTH - 2 * LEFT) / COLUMNS
MARGIN = 12

SECONDS_PER_LETTER = 0.035
SECONDS_AFTER_COMMAND = 0.4
SECONDS_PER_LINE = 0.35
SECONDS_PER_STATE = 0.25  # of a line that changes
STATES = 9

STYLE = """
.terminal text { font: 11px ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", monospace; white-space: pre; }
.terminal text { fill: #d8dee9; }
.terminal .bold { fill: #7fd1e0; font-weight: bold; }
.terminal .prompt { fill: #f59d35; font-weight: bold; }
.terminal .passing, .terminal .cover { opacity: 0; }
@media (prefers-reduced-motion: no-preference) {
.appears { animation: appear 1ms backwards; }
.passing { animation: pass 1s; }
.cover { animation: type 1s; }
.rises { animation: rise 1.4s ease-out backwards; }
}
@keyframes appear { from { opacity: 0; } }
@keyframes pass { from, to { opacity: 1; } }
@keyframes type { from { opacity: 1; transform: none; } to { opacity: 1; transform: translateX(var(--width)); } }
@keyframes rise { from { clip-path: inset(100% 0 0 0); } to { clip-path: inset(0); } }
"""


@dataclasses.dataclass
class Line:
    text: str             # with sequences that change the colour
    is_command: bool = False
    states: tuple = ()    # earlier texts of the line


def parse(console):
    """Returns the lines of a terminal. "\\r\\033[K" starts a line again."""
    lines = []
    for text in console.rstrip("\n").split("\n"):
        if text.startswith("$ "):
            lines.append(Line(text[2:], is_command=True))
            continue
        *states, last = [state for state in re.split("\r\033\\[K", text) if state]
        lines.append(Line(last, states=tuple(states)))
    return lines


def chosen(states):
    """Returns a few states, evenly spaced."""
    if len(states) <= STATES:
        return states
    return [states[round(i * (len(states) - 1) / (STATES - 1))] for i in range(STATES)]


def runs(text):
    """Yields (class, text) of the parts of a line with one colour."""
    kind = ""
    for part in re.split(r"(\033\[[0-9;]*m)", text):
        if part.startswith("\033"):
            kind = "" if part == "\033[0m" else "bold"
        elif part:
            yield kind, part


def rows(text):
    """Yields the rows of a line, each a list of runs."""
    row, room = [], COLUMNS
    for kind, part in runs(text):
        while part:
            row.append((kind, part[:room]))
            room, part = room - len(part[:room]), part[room:]
            if room == 0:
                yield row
                row, room = [], COLUMNS
    if row:
        yield row


class Terminal:
    """Draws lines below each other, each at its time."""

    def __init__(self):
        self.elements = []
        self.row = 0
        self.time = 0.6

    def write(self, row_of_runs, classes, style, left=0):
        """Draws a row. The width of each run is fixed, since fonts differ."""
        y = TOP + self.row * ROW
        self.elements.append(f'<g class="{classes}" style="{style}">')
        for kind, text in row_of_runs:
            x = LEFT + left * ADVANCE
            css = f' class="{kind}"' if kind else ""
            length = f' textLength="{len(text) * ADVANCE:.2f}" lengthAdjust="spacingAndGlyphs"'
            self.elements.append(f'<text x="{x:.2f}" y="{y}"{css}{length}>{escape(text)}</text>')
            left += len(text)
        self.elements.append("</g>")

    def appears(self):
        return f"animation-delay:{self.time:.2f}s"

    def command(self, line):
        """Draws a command after its prompt. A cover moves over it, letter by letter."""
        self.write([("prompt", "$ ")], "appears", self.appears())
        self.time += SECONDS_AFTER_COMMAND
        n = len(line.text)
        self.write([("", line.text)], "appears", self.appears(), left=2)
        duration = n * SECONDS_PER_LETTER
        x, y = LEFT + 2 * ADVANCE, TOP + self.row * ROW - 12
        self.elements.append(
            f'<g class="cover" style="--width:{n * ADVANCE:.2f}px;animation-delay:{self.time:.2f}s;'
            f'animation-duration:{duration:.2f}s;animation-timing-function:steps({n})">'
            f'<rect x="{x:.2f}" y="{y}" width="{WIDTH}" height="{ROW}" fill="#23262d"/>'
            f'<rect x="{x:.2f}" y="{y}" width="{ADVANCE:.2f}" height="14" fill="#d8dee9"/></g>')
        self.time += duration + SECONDS_AFTER_COMMAND
        self.row += 1

    def output(self, line):
        for state in chosen(line.states):
            style = f"{self.appears()};animation-duration:{SECONDS_PER_STATE}s"
            self.write(next(rows(state)), "passing", style)
            self.time += SECONDS_PER_STATE
        for row in rows(line.text):
            self.write(row, "appears", self.appears())
            self.row += 1
        self.time += SECONDS_PER_LINE

    def height(self):
        return TOP + self.row * ROW + 2


def frames_of(picture):
    """Returns top and bottom of a flame graph's frames, and these without texts around and style."""
    at = re.search(r'<svg [^>]*id="frames"', picture).start()
    frames = picture[at:picture.rindex("</svg>")].strip().replace("<svg ", '<svg overflow="visible" ', 1)
    ys = [float(y) for y in re.findall(r"M[\d.]+ ([\d.]+)h", frames)]
    return min(ys) - MARGIN, max(ys) + MARGIN + 13, frames


def draw(console, picture):
    """Returns the animation of a console's text, followed by a flame graph."""
    terminal = Terminal()
    for line in parse(console):
        (terminal.command if line.is_command else terminal.output)(line)
    above = terminal.height()
    top, bottom, frames = frames_of(picture)
    height = bottom - top
    commands = ", ".join(line.text for line in parse(console) if line.is_command)
    return f"""<svg xmlns="http://www.w3.org/2000/svg" xmlns:fg="urn:brazier:flame-graph" viewBox="0 0 {WIDTH} \
{above + height:g}" width="{WIDTH}" height="{above + height:g}" role="img" font-family="monospace" font-size="10">
<title>A terminal and a flame graph: {escape(commands)}</title>
<style>{STYLE}</style>
<rect width="{WIDTH}" height="{above + height:g}" rx="6" fill="#fafafa"/>
<path d="M0 {above}V6a6 6 0 0 1 6-6h{WIDTH - 12}a6 6 0 0 1 6 6v{above - 6}z" fill="#23262d"/>
<g fill="#4a4f57"><circle cx="16" cy="11" r="4"/><circle cx="30" cy="11" r="4"/><circle cx="44" cy="11" r="4"/></g>
<svg class="terminal" width="{WIDTH}" height="{above}">
{chr(10).join(terminal.elements)}
</svg>
<g class="rises" style="animation-delay:{terminal.time:.2f}s"><svg y="{above}" width="{WIDTH}" height="{height:g}" viewBox="0 {top:g} {WIDTH} {height:g}">
{frames}
</svg></g>
</svg>
"""

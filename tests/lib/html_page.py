# SPDX-License-Identifier: MIT
"""Reads the data of a page of the output "html" as its script does; plugins/output/html/data.c describes them."""
import json

# The digits of columns; columns.c describes them.
DIGITS = {c: i for i, c in enumerate(c for c in map(chr, range(32, 127)) if c not in "\"&<>\\")}
LAST_DIGITS = 58
BEGIN, END = '<script type="application/json" id="profile">\n', "\n</script>"


def profile(page):
    """Returns the data that the text of a page contains."""
    start = page.index(BEGIN) + len(BEGIN)
    return json.loads(page[start:page.index(END, start)])


def column(text):
    """Returns the numbers of a column."""
    numbers, value, scale = [], 0, 1
    for digit in map(DIGITS.__getitem__, text):
        if digit >= LAST_DIGITS:
            value += (digit - LAST_DIGITS) * scale
            scale *= 32
            continue
        numbers.append(value + digit * scale)
        value, scale = 0, 1
    return numbers


class Tree:
    """The calls of a page, the root first: columns of depths, parents, names and colours."""

    def __init__(self, data):
        self.data = data
        frames, up = column(data["calls"]["frame"]), column(data["calls"]["up"])
        own = column(data["callColors"]) if "callColors" in data else [0] * len(frames)
        names, usual = column(data["frames"]["name"]), column(data["frameColors"])
        self.depths, self.parents, self.names = [0], [0], ["all"]
        self.colors = [data["colors"][0]]
        open_calls = [0]
        for frame, levels, color in zip(frames, up, own):
            depth = self.depths[-1] + 1 - levels
            self.parents.append(open_calls[depth - 1])
            open_calls[depth:] = [len(self.depths)]
            self.depths.append(depth)
            self.names.append(data["texts"][names[frame]])
            self.colors.append(data["colors"][color - 1 if color else usual[frame]])

    def totals(self, weight):
        """Returns the weights of the calls with their callees; of signed weights, the sizes."""
        totals = column(self.data["selves"][weight])
        for i in range(len(totals) - 1, 0, -1):
            totals[self.parents[i]] += totals[i]
        return totals

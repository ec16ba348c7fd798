# SPDX-License-Identifier: MIT
"""Extracts the frames of a flame graph's SVG, ignoring its script, style and white space."""
import re
import xml.etree.ElementTree as ET


def local(tag):
    return tag.rsplit("}", 1)[-1]


def first(element, tag):
    return next((e for e in element.iter() if local(e.tag) == tag), None)


def frames(data):
    """Returns the picture's height, and (title, x, width, y, height, fill) of each frame."""
    root = ET.fromstring(data)
    box = next(e for e in root.iter() if e.get("id") == "frames")
    found = []
    for group in box:
        title, rect = first(group, "title"), first(group, "rect")
        if title is None or rect is None:
            continue
        found.append(("".join(title.itertext()), float(rect.get("x").rstrip("%")),
                      float(rect.get("width").rstrip("%")), float(rect.get("y")),
                      float(rect.get("height")), rect.get("fill")))
    return float(root.get("height")), found


def names(data):
    """Returns the names of a picture's frames, from their titles or from the data for the script."""
    listed = "".join(e.text for e in ET.fromstring(data).iter() if e.get("class") == "names")
    return {title.rsplit(" (", 1)[0] for title, *_ in frames(data)[1]} | set(listed.split("\n"))


def compare(expected, got):
    """Returns the differences between two pictures, as lines."""
    (height, want), (our_height, have) = frames(expected), frames(got)
    order = lambda f: (f[3], round(f[1], 2), f[0])  # noqa: E731
    want.sort(key=order)
    have.sort(key=order)
    problems = []
    if height != our_height:
        problems.append(f"height {our_height} instead of {height}")
    if len(want) != len(have):
        problems.append(f"{len(have)} frames instead of {len(want)}")
    for a, b in zip(want, have):
        near = abs(a[1] - b[1]) <= 0.00011 and abs(a[2] - b[2]) <= 0.00011
        if a[0] != b[0] or not near or a[3:] != b[3:]:
            problems.append(f"{b} instead of {a}")
    return problems


# The parts of a picture that do not depend on its script and style.
TEXTS = re.compile(rb'(<text id="(?:title|subtitle)" x="[^"]*" y="[^"]*")[^>]*(>[^<]*</text>)')
NOTES = re.compile(rb"<!-- NOTES: .*? -->", re.DOTALL)
GROUP = re.compile(rb"<g(?: [^>]*)?><title>.*?</g>|<a [^>]*><title>.*?</a>", re.DOTALL)
SCRIPT = re.compile(rb"<script.*</script>\n", re.DOTALL)
FOR_THE_SCRIPT = re.compile(rb' fg:(?!x=|w=)[a-z-]+="[^"]*"')


def drawing(data):
    """Returns the drawing in a picture: size, titles and frames, a line each. The result is an SVG,
    too; it is empty if there is no picture. A picture with few elements is returned as it is, with the
    data of its frames."""
    if not data:
        return b""
    root = ET.fromstring(data)  # fails if it is not well-formed
    box = next(e for e in root.iter() if e.get("id") == "frames")
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:fg="urn:brazier:flame-graph" '
             f'width="{root.get("width")}" height="{root.get("height")}" '
             f'viewBox="{root.get("viewBox")}">'.encode()]
    lines += NOTES.findall(data) + [b"".join(parts) for parts in TEXTS.findall(data)]
    lines.append(f'<svg id="frames" x="{box.get("x")}" width="{box.get("width")}" '
                 f'total_samples="{box.get("total_samples")}">'.encode())
    frames_and_more = data[data.index(b'<svg id="frames"'):]
    if b"<path stroke=" in frames_and_more: # few elements, and the frames as data
        rest = FOR_THE_SCRIPT.sub(b"", frames_and_more[frames_and_more.index(b"\n") + 1:])
        return b"\n".join(lines) + b"\n" + SCRIPT.sub(b"", rest).replace(b"\n\n", b"\n")
    groups = GROUP.findall(frames_and_more)
    assert len(groups) == len(frames(data)[1]), "a frame is not a group of a title and two shapes"
    lines += [FOR_THE_SCRIPT.sub(b"", group) for group in groups]
    return b"\n".join(lines) + b"\n</svg></svg>\n"

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws docs/gallery.md, docs/gallery-languages.md and their pictures: one of each palette, view and language.

usage: BRAZIER=build/release/bin/brazier python3 docs/gallery.py [FOLDER]

The recordings are those of demo/ and docs/gallery/recordings/. The same program draws the same bytes. Pictures have no script
and leave out what is narrow, so that a page of them loads at once.
"""
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap

import gallery_terminal
from gallery_languages import LANGUAGES, RECORDINGS

SOURCE = pathlib.Path(__file__).parent.parent
DEMO = SOURCE / "demo"
BRAZIER = os.environ["BRAZIER"]

SIZE = ["--set=svg.width=800", "--set=svg.fontsize=10", "--set=svg.height=13",
        "--set=svg.fontwidth=0.61", "--set=svg.javascript=false", "--set=svg.theme=light"]

# A compiler written in TypeScript, at work. What all stacks have in common is left out.
NODE = [str(DEMO / "node-typescript.perf.txt.gz"), "--set=svg.minwidth=2.5",
        "--skip-after=v8::internal::(anonymous namespace)::Invoke", "--skip-after=start_thread",
        "--merge-recursion", "--rename=/opt/demo/node_modules/=>", "--rename=v8::internal::=>"]

RULES = """version: 1
palettes:
  ours:
    - use: rules
      options:
        rules:
          - {match: 'typescript/lib/tsc.js', color: aqua, legend: the compiler}
          - {match: 'node:internal|^node::', color: '#a5d6a7', legend: node}
          - {match: 'compiler::|OptimizingCompile|Compilation', color: purple, legend: V8's compiler}
          - {kind: kernel, color: '#b0bec5', legend: the kernel}
    - orange
"""


# The looks of other tools' pictures.
CLASSIC = ["-p", "hot", "--set=svg.legend=false", "--set=svg.unit=plain", "--set=svg.countname=samples",
           "--set=svg.label=tail", "--set=svg.label-color=black"]


def demo(name):
    return [str(DEMO / f"{name}.folded"), "--from=folded"]


def hashed(palette):
    return ["-p", palette, f"--set={palette}.numbers=hash"]


# Taken by docs/screenshots.mjs.
SCREENSHOTS = [
    ("node", "Node.js: a compiler written in TypeScript, in an SVG"),
    ("java", "Java: orders in streams, in an SVG"),
    ("rust", "Rust: a parser of JSON, in a page"),
    ("cpp", "C++: a ray tracer, in an SVG"),
    ("go", "Go: an inverted index, in a page"),
]

VIEWS = [
    ("flame", "Flame graph", "`brazier run perf.txt -o flame.svg`", NODE),
    ("classic", "The same, under the name of another tool", "`inferno-flamegraph`, `flamegraph.pl` and "
     "`flamegraph` keep the looks of their tools: random colours, the ends of names, counts of samples.",
     NODE + CLASSIC),
    ("icicle", "Icicle graph", "`--set svg.inverted=true`: the root on top.",
     NODE + ["--set=svg.inverted=true"]),
    ("callers", "Callers", "`--reverse`: the functions that use the time below, their callers above.",
     [*NODE, "--reverse", "--set=svg.minwidth=0.7"]),
    ("part", "A part", "`--base FUNCTION`: only this function and its callees. `--keep`, `--drop`, "
     "`--hide` use regular expressions.",
     [NODE[0], "--set=svg.minwidth=1.2", "--merge-recursion", "--rename=v8::internal::=>",
      "--base=compiler::PipelineImpl::OptimizeGraph"]),
    ("comparison", "Comparison", "`brazier diff before.txt after.txt -o diff.svg`: the second half "
     "of the recording, against the first.", ["DIFF"]),
    ("off-cpu", "Off-CPU", "`--from perf-data --wakeup -p kind`: where threads wait, and above `--` "
     "who wakes them, as in [off-cpu.md](off-cpu.md).", demo("wakeups") + ["-p", "kind"]),
    ("diffusion-over", "Diffusion over a palette", "`--diffusion -p js`: narrow frames are pale.",
     NODE + hashed("js") + ["--diffusion"]),
    ("dark", "Dark", "`--set svg.theme=dark`; by default, the reader's system decides.",
     NODE + ["--set=svg.theme=dark"]),
]

RAMPS = [(name, "", NODE + hashed(name)) for name in
         ("hot", "mem", "io", "red", "green", "blue", "yellow", "purple", "aqua", "orange")]

PALETTES = [("package", "The default.", NODE)] + RAMPS + [
    ("js", "", NODE + hashed("js")),
    ("java", "", demo("java") + hashed("java")),
    ("perl", "", demo("perl") + hashed("perl")),
    ("python", "", demo("python") + hashed("python")),
    ("rust", "", demo("rust") + hashed("rust")),
    ("wakeup", "", demo("wakeups") + hashed("wakeup")),
    ("chain", "", demo("wakeups") + hashed("chain")),
    ("heat", "", NODE + ["-p", "heat"]),
    ("viridis", "", NODE + ["-p", "viridis"]),
    ("cividis", "", NODE + ["-p", "cividis"]),
    ("kind", "", NODE + ["-p", "kind"]),
    ("module", "", NODE + ["-p", "module,hot", "--set=hot.numbers=hash"]),
    ("rules", "Here with a project's rules, as in [palettes.md](palettes.md#rules).",
     NODE + ["-p", "ours"]),
    ("diff", "", ["DIFF"]),
    ("safe", "`diff` with `colors: orange-blue`; `cividis` in other pictures.",
     ["DIFF", "-p", "safe"]),
    ("diffusion", "", NODE + ["-p", "diffusion"]),
]


def halves(work):
    """Writes the recording's first and second half; samples end at empty lines."""
    text = gzip.decompress((DEMO / "node-typescript.perf.txt.gz").read_bytes())
    middle = text.index(b"\n\n", len(text) // 2) + 2
    for name, part in (("before", text[:middle]), ("after", text[middle:])):
        (work / f"{name}.txt").write_bytes(part)
    return [str(work / "before.txt"), str(work / "after.txt")]


def draw(work, file, args):
    command = ["run"]
    if args[0] == "DIFF":
        command, args = ["diff"], halves(work) + NODE[1:] + args[1:]
    (work / "rules.yaml").write_text(RULES)
    subprocess.run([BRAZIER, "--quiet", *command, "--config", str(work / "rules.yaml"), *args, *SIZE,
                    "-o", str(file)], check=True)


def summaries():
    """Returns {palette: summary}."""
    printed = subprocess.run([BRAZIER, "--no-config", "--no-plugins", "plugin", "list", "--json"],
                          capture_output=True, text=True, check=True).stdout
    return {c["id"]: c["summary"] for c in json.loads(printed) if c["kind"] == "palette"}


def section(name, heading, text):
    lines = [f"### {heading}", ""]
    if text:
        lines += [text, ""]
    return lines + [f"![{heading.capitalize()}](gallery/{name}.svg)", ""]


# ---- languages ---------------------------------------------------------------------------------

LANGUAGES_PAGE = """# Languages

A small program in each of six languages, recorded and drawn. Run the commands in
[gallery/programs](gallery/programs), or in a copy of it. The pictures have no script and omit frames narrower
than 0.3 %, unlike those that the commands draw. `./dev gallery` redraws them from the recordings in
[gallery/recordings](gallery/recordings); `docs/gallery_record.py` records the programs again.

[record.md](record.md#callers-frame-pointers-or-copies-of-stacks) says what else each language needs, and
[formats/](formats) what other profilers write.
"""


def language_section(language):
    commands = "\n".join(language.commands)
    return (f"\n## {language.name}\n\n[{pathlib.PurePath(language.source).name}](gallery/programs/{language.source}) "
            f"{language.task}.\n\n```sh\n{commands}\n```\n\n"
            f"![{language.name}](gallery/language-{language.id}.svg)\n\n{textwrap.fill(language.shows, 118)}\n")


def draw_terminal(folder, work):
    language = next(language for language in LANGUAGES if language.console)
    draw(work, work / "frames.svg", [str(language.kept), "--set=svg.minwidth=0.5", "--set=svg.legend=false"])
    console = (RECORDINGS / language.console).read_bytes().decode()
    (folder / "gallery" / "record.svg").write_text(
        gallery_terminal.draw(console, (work / "frames.svg").read_text()))


def draw_languages(folder, work):
    for language in LANGUAGES:
        draw(work, folder / "gallery" / f"language-{language.id}.svg",
             [str(language.kept), "--set=svg.minwidth=0.3"])
    (folder / "gallery-languages.md").write_text(LANGUAGES_PAGE + "".join(map(language_section, LANGUAGES)))


# ---- the pages ---------------------------------------------------------------------------------

def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else SOURCE / "docs"
    (folder / "gallery").mkdir(parents=True, exist_ok=True)
    page = ["# Gallery", "",
            "`./dev gallery` draws this page from the recordings in `demo/`. Pictures from brazier zoom",
            "and search; these have no script, and omit narrow frames.",
            "[gallery-languages.md](gallery-languages.md) has a program of each of six languages.", "",
            "## Views", ""]
    with tempfile.TemporaryDirectory() as temporary:
        work = pathlib.Path(temporary)
        for name, heading, text, args in VIEWS:
            draw(work, folder / "gallery" / f"{name}.svg", args)
            page += section(name, heading, text)
        page += ["## Palettes", "", "[palettes.md](palettes.md) describes the purpose and the options of each.",
                 ""]
        screenshots = ["## Screenshots", "", "Five recordings as they open in a browser, in the light and the dark "
                       "theme. `docs/screenshots.mjs`", "takes them with Chromium.", ""]
        for name, heading in SCREENSHOTS:
            screenshots += [f"### {heading}", ""]
            for theme in ("light", "dark"):
                screenshots += [f"![{heading.split(':')[0]}, {theme}](gallery/screenshot-{name}-{theme}.png)", ""]
        about = summaries()
        for name, text, args in PALETTES:
            draw(work, folder / "gallery" / f"palette-{name}.svg", args)
            line = f"{about[name][0].upper()}{about[name][1:]}." if name in about else ""
            page += section(f"palette-{name}", name, " ".join(filter(None, (line, text))))
        draw_languages(folder, work)
        draw_terminal(folder, work)
    page += screenshots
    (folder / "gallery.md").write_text("\n".join(page).rstrip("\n") + "\n")


if __name__ == "__main__":
    main()

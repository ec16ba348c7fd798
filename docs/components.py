#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints docs/components.md: every shipped component with its options, as the program reports them.

usage: BRAZIER=build/dev/bin/brazier docs/components.py > docs/components.md    (./dev schema does it)
"""
import itertools
import json
import os
import re
import subprocess

KINDS = [("collapser", "collapse", "Formats", "The values of `brazier collapse FORMAT` and `--from`."),
         ("palette", "palette", "Palettes", "The values of `--palette`."),
         ("output", "output", "Outputs", "The values of `--to`.")]


def brazier(*args):
    return subprocess.run([os.environ["BRAZIER"], "--no-config", "--no-plugins", *args], check=True,
                          capture_output=True, text=True).stdout


def type_of(option):
    """Describes the values of an option in a few words."""
    if "enum" in option:
        return ", ".join(option["enum"])
    low, high = option.get("minimum"), option.get("maximum")
    limits = "" if low is None and high is None else \
        f" {'' if low is None else low}..{'' if high is None else high}"
    kind = option["type"]
    if kind == "boolean":
        return "true or false"
    if kind in ("integer", "number"):
        return {"integer": "whole number", "number": "number"}[kind] + limits
    if "pattern" in option:
        return f"percent{limits}, or pixels: `1px`"
    if isinstance(kind, list) and "array" in kind:
        return "list"
    return "text" if "boolean" in kind else "size or duration"


def default_of(option):
    value = option.get("default")
    if value is None or value == "":
        return ""
    return f"`{json.dumps(value) if not isinstance(value, str) else value}`"


def cell(text):
    return str(text).replace("|", "\\|")


HEADINGS = {"diff": ("Comparison",), "run": ("Output", "Input", "Several inputs", "Transforms"), "merge": ("Many files",),
            "record": ("Recording",), "plugin": ("For check", "All commands")}
TITLES = {"Recording": "`record`", "For check": "`plugin check`", "All commands": "All commands"}


def sections(command):
    """The options of a run that a command has: heading, then the rows (option, default, help)."""
    for section in brazier(command, "--help").split("\n\n"):
        heading, _, rest = section.partition(":\n")
        if heading.split(":")[0].split(",")[0] not in HEADINGS[command]:
            continue
        entries = re.findall(r"^ {2,6}((?:-\w, )?--.*?)(?:  +|\n {30})(.*(?:\n {30}.*)*)", rest, re.M)
        rows = []
        for left, text in entries:
            words, default = re.fullmatch(r"(.*?)(?: \[([^]]*)\])?", " ".join(text.split())).groups()
            rows.append((left, default or "", words))
        yield heading.split(",")[0], rows


def describe_option(left, text, keys):
    """Returns the cells of an option; keys are those of pipelines, or None where options have none."""
    option, _, value = left.rpartition("--")[2].partition(" ")
    words = f"`--{option}{' ' if value else ''}{value}`"
    letter = f"`{left[:2]}`, " if left[1] != "-" else ""
    key = [] if keys is None else [f"`{option}`" if option in keys and option != "palette" else ""]
    return [letter + words, *key, text.replace("`", "\\`")]


def describe_runs():
    of_pipelines = json.loads(brazier("config", "schema"))["definitions"]["pipeline"]["properties"]
    for heading, rows in itertools.chain(*map(sections, HEADINGS)):
        keys = None if heading in TITLES else of_pipelines
        yield f"**{TITLES.get(heading, heading)}**"
        yield ""
        yield "| option | default | in YAML | |" if keys else "| option | default | |"
        yield "|---|---|---|---|" if keys else "|---|---|---|"
        for left, default, text in rows:
            words, *rest = describe_option(left, text, keys)
            yield "| " + " | ".join(cell(c) for c in (words, default, *rest)) + " |"
        yield ""


def describe(component, prefix):
    name = f"{prefix}.{component['id']}"
    printed = brazier("plugin", "info", name).split("\n\n", 1)
    about = printed[0].splitlines()[1:]
    endings = [line.split(":", 1)[1].split() for line in printed[1].splitlines()
               if line.startswith("Endings:")]
    options = json.loads(brazier("plugin", "info", name, "--schema"))["properties"]
    yield f"### {component['id']}"
    yield ""
    yield component["summary"] + "."
    if about:
        yield ""
        yield from about
    if endings:
        yield ""
        yield "Endings of files: " + ", ".join(f"`{e}`" for e in endings[0]) + "."
    if options:
        yield ""
        yield "| option | value | default | |"
        yield "|---|---|---|---|"
        for option, facts in options.items():
            cells = [f"`{option}`", type_of(facts), default_of(facts), facts["description"]]
            yield "| " + " | ".join(cell(c) for c in cells) + " |"
    yield ""


def main():
    components = json.loads(brazier("plugin", "list", "--json"))
    print("# Components\n")
    print("Every shipped component and its options. To set an option, write `--option value` on the command")
    print("line of `collapse` (formats) and `flamegraph` (outputs, palettes), `--set COMPONENT.OPTION=VALUE`")
    print("for any command, or set it under `options` in YAML ([config.md](config.md)). `./dev schema`")
    print("generates this page from the components' descriptions.\n")
    print("## Options of a run\n")
    print("Options of `run`, `diff`, `flamegraph`, `merge` and `collapse`, as far as they apply, and of")
    print("`brazier_pipeline_set()` in libbrazier ([library.md](library.md)), without dashes. Those with a name")
    print("in YAML are also keys of a pipeline. The last tables are of `record`, of `plugin check`, and of all commands.")
    print("[cli.md](cli.md#output) has more about some.\n")
    print("\n".join(describe_runs()))
    for kind, prefix, heading, about in KINDS:
        print(f"## {heading}\n\n{about}\n")
        for component in sorted((c for c in components if c["kind"] == kind),
                                key=lambda c: c["id"]):
            print("\n".join(describe(component, prefix)))


if __name__ == "__main__":
    main()

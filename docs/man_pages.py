#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the manual pages that are made of the program's tables: man_pages.py FOLDER. ./dev schema runs it.

A page for each command is made of its --help; options of components are left out, since they depend on the plug-ins. In
the page of the configuration, the keys that are options, and the transforms, are made of the JSON Schema; they stand
between marks. $BRAZIER is the program."""
import json
import os
import pathlib
import re
import subprocess
import sys
import textwrap

PAGES = pathlib.Path(__file__).parent / "man"
MAIN = PAGES / "brazier.1"
CONFIGURATION = "brazier.yaml.5"


def printed_by(*words):
    return subprocess.run([os.environ["BRAZIER"], *words], capture_output=True, text=True,
                          check=True, env={**os.environ, "XDG_CONFIG_HOME": "/nonexistent"}, cwd="/").stdout


def help_of(*words):
    return printed_by(*words, "--help")


def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def sentences(text):
    """Lines of a paragraph: mdoc wants a new line for each sentence."""
    for sentence in re.split(r"(?<=[.!?]) +", " ".join(text.split())):
        yield from (escape(line) for line in textwrap.wrap(sentence, 66, break_long_words=False,
                                                           break_on_hyphens=False))


def option(left):
    """The item of an option: "-o, --output FILE"."""
    letter, name, value = re.fullmatch(r"(?:-(\w), )?--(\S+)(?: (.*))?", left).groups()
    words = f"Fl {letter} , " if letter else ""
    return f".It {words}Fl -{name}" + (f' Ar "{escape(value)}"' if value else "")


def entries(items):
    yield ".Bl -tag -width Ds"
    for item, text in items:
        yield item
        yield from sentences(text[:1].upper() + text[1:] + ("" if text.endswith(".") else "."))
    yield ".El"


def options(block):
    found = re.findall(r"^ {2,6}((?:-\w, )?--.*?)(?:  +|\n {30})(.*(?:\n {30}.*)*)", block, re.M)
    letters = re.findall(r"^ {2}(\S)  (\S.*)$", block, re.M)
    return [(option(left), text) for left, text in found] + [(f".It Cm \\&{letter}", text) for letter, text in letters]


def paragraph(block):
    lines = block.splitlines()
    if all(line.startswith("    ") for line in lines):
        yield ".Bd -literal -offset indent"
        yield from (escape(line[4:]) for line in lines)
        yield ".Ed"
    else:
        yield from sentences(block)


def subcommands(block):
    rows = [re.match(r"(\S.*?)  +(.*)", line).groups() for line in block.splitlines()]
    return [(f'.It Cm "{escape(left)}"', text) for left, text in rows]


def describe(blocks):
    """The paragraphs before the options."""
    is_first = True
    for block in blocks:
        if re.match(r"[A-Z][^\n]*:\n {2}", block):
            return
        if re.match(r"[a-z]+( \S+)*  +", block):
            yield from entries(subcommands(block))
            continue
        if not is_first and not block.startswith("    "):
            yield ".Pp"
        is_first = False
        yield from paragraph(block)


def sections(blocks):
    for block in blocks:
        heading, _, rest = block.partition(":\n")
        if not rest or not rest.startswith("  ") or heading.startswith("Options of the"):
            continue
        yield f".Ss {heading.split(':')[0]}"
        yield from entries(options(rest))


def page(command, summary):
    usage, *blocks = help_of(command).rstrip().split("\n\n")
    usage = " ".join(usage.split()).removeprefix(f"usage: brazier {command}").strip()
    lines = [MAIN.read_text().split("\n")[0], f".Dt BRAZIER-{command.upper()} 1", ".Os", ".Sh NAME",
             f".Nm brazier-{command}", f".Nd {summary}", ".Sh SYNOPSIS", ".Nm brazier", f".Cm {command}",
             f'.Ar "{escape(usage)}"', ".Sh DESCRIPTION", *describe(blocks)]
    if any(block.startswith("Output:\n") for block in blocks):
        lines += [".Pp", ".Ic brazier", f".Cm {command}", ".Fl -help",
                  "also lists the options of the formats, palettes and outputs that the words",
                  "before it choose."]
    lines += [*sections(blocks), ".Sh EXIT STATUS",
              "The status is 0 after success, 1 if the run failed, and 2 for bad usage."]
    if command == "diff":
        lines += ["It is 3 if the outputs are complete and a threshold of", ".Fl -fail-if", "is exceeded."]
    if command == "record":
        lines += ["After a recording, it is that of the command."]
    return "\n".join([*lines, ".Sh SEE ALSO", ".Xr brazier 1 ,", ".Xr brazier.yaml 5"]) + "\n"


def value(schema):
    """Describes the values that a schema allows, unless the description of the key suffices."""
    if schema.get("$ref") == "#/definitions/texts":
        yield "The value may be a list."
    elif "properties" in schema.get("items", {}):
        first, second = schema["items"]["required"]
        yield from ["A list of maps of", f".Ic {first}", "and", f".Ic {second} ."]
    elif "enum" in schema:
        *words, last = schema["enum"]
        yield from ["One of", *(f".Cm {word} ," for word in words[:-1]), f".Cm {words[-1]}", "or", f".Cm {last} ."]
    elif schema.get("type") == "boolean":
        yield "True or false."
    elif schema.get("type") == "object":
        first, second = schema["required"]
        yield from ["A map of", f".Ic {first}", "and", f".Ic {second} ."]
    elif "array" in schema.get("type", ""):
        yield "The value may be a list."


def keys(properties):
    """The items of the keys that have a description."""
    for key, schema in properties.items():
        if "description" not in schema:
            continue
        text = schema["description"]
        yield f".It Ic {key}"
        yield from sentences(text[:1].upper() + text[1:] + ".")
        yield from value(schema.get("allOf", [schema])[0])


def fill(page, name, lines):
    """Replaces the lines between the marks of a name."""
    begin, end = f'.\\" begin {name}: written by man_pages.py\n', f'.\\" end {name}\n'
    before, rest = page.split(begin)
    return before + begin + "".join(line + "\n" for line in lines) + end + rest.split(end)[1]


def configuration():
    definitions = json.loads(printed_by("config", "schema", "--no-config", "--no-plugins"))["definitions"]
    page = (PAGES / CONFIGURATION).read_text()
    page = fill(page, "options", keys(definitions["pipeline"]["properties"]))
    page = fill(page, "formats", keys(definitions["format"]["properties"]))
    return fill(page, "transforms", keys(definitions["transform"]["anyOf"][1]["properties"]))


def main():
    (pathlib.Path(sys.argv[1]) / CONFIGURATION).write_text(configuration())
    listed = help_of().split("Commands:\n")[1].split("\n\n")[0]
    for command, summary in re.findall(r"^  (\S+) +(.*)$", listed, re.M):
        (pathlib.Path(sys.argv[1]) / f"brazier-{command}.1").write_text(page(command, summary))


main()

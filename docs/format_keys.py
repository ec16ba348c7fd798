#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints docs/formats-in-yaml.md with the keys of a format, as the JSON Schema describes them.

usage: BRAZIER=build/dev/bin/brazier docs/format_keys.py > build/page.md    (./dev schema does it)
"""
import json
import os
import pathlib
import subprocess

PAGE = pathlib.Path(__file__).parent / "formats-in-yaml.md"
BEGIN, END = "<!-- keys -->\n", "<!-- end of keys -->\n"
# Keys that every use of a component has.
COMMON = {"use": "the shape, or another collapser or format", "options": "its options"}


def rows(properties):
    for key, schema in properties.items():
        text = COMMON.get(key) or schema["description"]
        kind = "text or list of texts" if "$ref" in schema else {"string": "text", "array": "list"}.get(schema["type"], "map") \
            if isinstance(schema["type"], str) else "map"
        yield f"| `{key}` | {kind} | {text} |"
        for part, of in schema.get("items", {}).get("properties", {}).items():
            yield f"| `{key}[].{part}` | text | {of['description']} |"


def main():
    printed = subprocess.run([os.environ["BRAZIER"], "--no-config", "--no-plugins", "config", "schema"], check=True,
                             capture_output=True, text=True).stdout
    properties = json.loads(printed)["definitions"]["format"]["properties"]
    before, rest = PAGE.read_text().split(BEGIN)
    print(before + BEGIN + "\n".join(["| key | value | |", "|---|---|---|", *rows(properties), ""]) + END + rest.split(END)[1],
          end="")


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints formats/index: each shipped format with the texts that its files contain, for guesses.

usage: BRAZIER=build/dev/bin/brazier docs/formats_index.py > formats/index    (./dev schema does it)
"""
import json
import os
import subprocess


def brazier(*args):
    return subprocess.run([os.environ["BRAZIER"], "--no-config", "--no-plugins", *args], check=True,
                          capture_output=True, text=True).stdout


def main():
    for c in json.loads(brazier("plugin", "list", "--json")):
        if c["plugin"] != "formats":
            continue
        lines = brazier("plugin", "info", f"{c['id']}@formats").splitlines()
        contains = [line[len("Contains:  "):] for line in lines if line.startswith("Contains:  ")]
        print("\t".join([c["id"], *contains]))


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""A brazier for completion scripts that runs each command line once.

A script asks brazier for the same lists and options at each word that it completes. What it says of its components takes
as long as a hundred of those runs, since all plug-ins are loaded, and stays the same in the folder of a test."""
import common

SCRIPT = """#!/bin/sh
answer="{folder}/answers/$*"
if ! [ -e "$answer" ]; then
    {{ "{brazier}" "$@" >"$answer.$$"; }} 2>/dev/null && mv "$answer.$$" "$answer" || exec "{brazier}" "$@"
fi
exec cat "$answer"
"""


def folder_of(case):
    """Returns the folder of such a program for a test, which the search path of the shells begins with."""
    folder = case.top / "bin"
    if not folder.exists():
        (folder / "answers").mkdir(parents=True)
        case.write("brazier", SCRIPT.format(folder=folder, brazier=common.BRAZIER), folder=folder).chmod(0o755)
    return folder

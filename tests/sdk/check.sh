#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks a plug-in with `brazier plugin check`, with some cases of a folder as samples: a few in equal distances, the
# first one among them, or all if BRAZIER_EXHAUSTIVE=1 is in the environment. Files that belong to no case are there, too.
#
# usage: check.sh PROGRAM PLUGIN SAMPLES [WORD...]
set -euf
program=$1 plugin=$2 samples=$(cd "$3" && pwd)
shift 3
if [ "${BRAZIER_EXHAUSTIVE:-}" = 1 ]; then
    exec "$program" plugin check "$plugin" --samples "$samples" "$@"
fi

few=$(mktemp -d "${TMPDIR:-/tmp}/brazier-samples-XXXXXX")
trap 'rm -rf "$few"' EXIT
trap 'exit 1' HUP INT TERM
names=$(ls "$samples" | LC_ALL=C sort | awk -F. -v folder="$samples" -v few=4 '
    { name[NR] = $0; stem[NR] = $1 }
    /\.folded$/ && !($1 in number) { number[$1] = cases++ }
    END {
        for (i = 1; i <= NR; i++)
            if (!(stem[i] in number) || number[stem[i]] * few % cases < few)
                print folder "/" name[i]
    }')
IFS='
'
ln -s $names "$few"
"$program" plugin check "$plugin" --samples "$few" "$@"

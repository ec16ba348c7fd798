#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles like another compiler, but each source once in a build tree: the tests of an installation build the same
# few plug-ins with make, with CMake and by hand, and again in each run of the tests.
#
# The key of a result is all that it depends on: the version of the compiler and of the C library, which the caller
# passes, the options, the sources, the headers beside them and in the folders of -I, and the files that options
# name. A result is kept if there was no message at all. A shell starts faster than an interpreter, and to read all
# headers is faster than to preprocess one source.
#
# usage: compile_once.sh FOLDER VERSION COMPILER [WORD...]
set -uf
folder=$1 version=$2 compiler=$3
shift 3

kept= output= dependencies= target= sources= folders= files= result_is= pending=
for word; do
    case $pending in
    '') ;;
    -o) output=$word ;;
    -MF) dependencies=$word ;;
    -MT | -MQ) target=$word ;;
    *) folders="$folders
$word" ;;
    esac
    if [ -n "$pending" ]; then # the path does not change the result
        pending=
        continue
    fi
    case $word in
    -I | -isystem | -o | -MF | -MT | -MQ) pending=$word ;;
    -I*)
        folders="$folders
${word#-I}"
        word=-I ;;
    -o*)
        output=${word#-o}
        word=-o ;;
    -E | -M | -MM | -include* | -iquote* | -idirafter* | -isystem* | -M[FTQ]* | *.o | *.a | *.so)
        exec "$compiler" "$@" ;;
    -c) result_is=object ;;
    -shared) result_is=library ;;
    *.c | *.cc | *.cpp | *.cxx)
        sources="$sources
$word"
        case $word in
        */*) folders="$folders
${word%/*}" ;;
        *) folders="$folders
." ;;
        esac
        word=${word##*/} ;;
    -*=*)
        if [ -f "${word##*=}" ]; then
            files="$files
${word##*=}"
            word=${word%=*}=${word##*/}
        fi ;;
    esac
    kept="$kept
$word"
done
case "$result_is:$output:$sources" in
:* | *::* | *:) exec "$compiler" "$@" ;;
esac
case "$kept
:$dependencies:$target" in
*'
-M'*:: | *'
-M'*::* | *'
-M'*:) exec "$compiler" "$@" ;; # dependencies whose file or target the compiler chooses
esac

IFS='
'
# Prints the names of the headers below a folder.
headers() {
    find "$1" -name '*.h' -printf '%P\n' | LC_ALL=C sort
}
key=$({
    printf '%s\n' "$version" "$kept"
    cat -- /dev/null $sources $files
    for place in $folders; do
        names=$(headers "$place")
        (echo "$names" && cd "$place" && exec cat /dev/null $names)
    done
} | sha256sum) || exec "$compiler" "$@"
result=$folder/${key%% *}

if [ -f "$result" ]; then
    rm -f "$output"
    cat "$result" >"$output" || exit 1
    [ "$result_is" = object ] || chmod +x "$output"
    touch -c "$result" # it is in use
    if [ -n "$dependencies" ]; then
        {
            printf '%s:' "$target"
            for source in $sources; do printf ' %s' "$source"; done
            for place in $folders; do
                for header in $(headers "$place"); do printf ' %s' "$place/$header"; done
            done
            echo
        } >"$dependencies"
    fi
    exit 0
fi

part=$result.$$
"$compiler" "$@" 2>"$part"
status=$?
cat "$part" >&2
if [ $status = 0 ] && [ ! -s "$part" ]; then
    cp "$output" "$part" && mv "$part" "$result"
fi
rm -f "$part"
exit $status

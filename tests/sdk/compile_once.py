#!/usr/bin/env python3
"""Compiles like another compiler, but each text once in a build tree: the tests of an installation build the
same few plug-ins with make, with CMake and by hand, and again in each run of the tests.

The key of a result is all that it depends on: the compiler, its options and the preprocessed text, which the
compiler makes in each call, with the installed headers. A result is kept if there was no message at all.

usage: compile_once.py FOLDER COMPILER [WORD...]
"""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

SOURCES = (".c", ".cc", ".cpp", ".cxx")
WITH_PATH = ("-I", "-isystem", "-o", "-MF", "-MT", "-MQ")  # options whose path does not change the result


def version(compiler):
    path = os.path.realpath(shutil.which(compiler) or compiler)
    about = os.stat(path)
    return f"{path} {about.st_size} {about.st_mtime_ns}"


def named_file(word):
    """Returns the file that an option like -Wl,--version-script=FILE names, or None."""
    path = word.rpartition("=")[2]
    return path if word.startswith("-") and os.path.isfile(path) else None


def what_matters(words):
    """Returns the words without the paths that do not change the result, the path of the output, and the files
    that options name."""
    kept, output, files, rest = [], None, [], iter(words)
    for word in rest:
        option = next((o for o in WITH_PATH if word.startswith(o)), None)
        if option is not None:
            value = word[len(option):] or next(rest, "")
            output = value if option == "-o" else output
            kept.append(option)
            continue
        file = named_file(word)
        files += [file] if file else []
        kept.append(os.path.basename(word) if file or word.endswith(SOURCES) else word)
    return kept, output, files


def preprocessed(compiler, words):
    """Returns the text that the compiler would translate, or None. Writes a file of dependencies if asked to."""
    rest, without_output = iter(words), []
    for word in rest:
        if word == "-o":
            next(rest, "")
        elif not word.startswith("-o"):
            without_output.append(word)
    p = subprocess.run([compiler, *without_output, "-E", "-P"], capture_output=True)
    return p.stdout if p.returncode == 0 and p.stderr == b"" else None


def can_be_kept(words, output):
    """Returns whether this compiles sources alone. (Information for debuggers may name another folder.)"""
    return (output is not None and any(w.endswith(SOURCES) for w in words)
            and ("-c" in words or "-shared" in words)
            and not any(w in ("-E", "-M", "-MM") or w.endswith((".o", ".a", ".so")) for w in words))


def key_of(compiler, words, files, text):
    digest = hashlib.sha256(repr((version(compiler), words)).encode())
    for data in (*(pathlib.Path(file).read_bytes() for file in files), text):
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()


def deliver(result, output, is_object):
    """Copies a result to its place, with the permissions that a compiler gives it."""
    umask = os.umask(0)
    os.umask(umask)
    shutil.copyfile(result, output)
    os.chmod(output, (0o666 if is_object else 0o777) & ~umask)
    os.utime(result)


def main(folder, compiler, words):
    kept_words, output, files = what_matters(words)
    text = preprocessed(compiler, words) if can_be_kept(kept_words, output) else None
    if text is None:
        os.execvp(compiler, [compiler, *words])
    result = os.path.join(folder, key_of(compiler, kept_words, files, text))
    if os.path.exists(result):
        deliver(result, output, "-c" in words)
        return 0
    p = subprocess.run([compiler, *words], stderr=subprocess.PIPE)
    sys.stderr.buffer.write(p.stderr)
    if p.returncode == 0 and p.stderr == b"":
        part = f"{result}.{os.getpid()}"
        shutil.copyfile(output, part)
        os.rename(part, result)
    return p.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))

# SPDX-License-Identifier: MIT
"""Compiles programs and locales of tests once for all build trees."""
import hashlib
import os
import pathlib
import shutil
import subprocess


def kept_folder(name):
    """Returns a folder for what tests compile. The build trees in build/ share it, since the results depend on none of
    their settings: tests with a sanitizer find what those without one have compiled."""
    tree = pathlib.Path(os.environ["BRAZIER_BUILD"])
    is_ours = tree.parent == pathlib.Path(os.environ["BRAZIER_SOURCE"]) / "build"
    return (tree.parent if is_ours else tree) / "tests" / name


FOLDER = kept_folder("compiled-programs")


def key_of(command, source):
    """Returns the name of the result, which depends on the compiler, its options and the text of the source."""
    compiler = os.path.realpath(shutil.which(command[0]))
    version = os.stat(compiler)
    made_of = [compiler, version.st_size, version.st_mtime, *command[1:], source.suffix, source.read_bytes()]
    return hashlib.sha256(repr(made_of).encode()).hexdigest()


def compile_once(command, source, to):
    """Compiles a source without headers of its own, `command` being the compiler with its options, or copies what
    that has made before."""
    made = FOLDER / key_of(command, source)
    if not made.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        part = made.with_suffix(f".{os.getpid()}")
        subprocess.run([*command, "-o", part, source], check=True)
        part.rename(made)
    shutil.copy(made, to)


def locale_folder(name, charset):
    """Returns a folder with the locale NAME.CHARSET, compiled from the sources of the system, or None without these."""
    source, compiler = pathlib.Path("/usr/share/i18n/locales") / name, shutil.which("localedef")
    if compiler is None or not source.exists():
        return None
    key = hashlib.sha256(source.read_bytes() + os.confstr("CS_GNU_LIBC_VERSION").encode()).hexdigest()[:16]
    folder = kept_folder("compiled-locales") / f"{name}.{charset}.{key}"
    if not folder.exists():
        part = folder.with_suffix(f".{os.getpid()}")
        part.mkdir(parents=True)
        subprocess.run([compiler, "-i", name, "-f", charset, part / f"{name}.{charset}"], capture_output=True)
        try:
            part.rename(folder)
        except OSError:  # another test was faster
            shutil.rmtree(part)
    return folder if (folder / f"{name}.{charset}").exists() else None

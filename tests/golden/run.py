#!/usr/bin/env python3
"""Runs golden cases: inputs and expected results, stored as files. New cases need no code.

    tests/golden/collapse/FORMAT/NAME.EXT      an input
                                /NAME.folded   the expected result of `brazier collapse FORMAT`
                                /NAME.V.folded the result with the options in NAME.V.args
                                /NAME.stderr   the expected messages, if any (NAME.V.stderr likewise)
                                /NAME.odd      why the format cannot be guessed (for plugin check)
    tests/golden/output/OUTPUT/NAME.folded     an input (NAME.txt: in another format; --from is in .args;
                                               NAME.described: see described/described.c)
                              /NAME.OUTPUT     the expected result of `brazier flamegraph --to OUTPUT`
                              /NAME.V.OUTPUT   the result with the options in NAME.V.args
                              /NAME.stderr     the expected messages (NAME.V.stderr likewise)

Options may refer to other files in the case's folder as FOLDER/FILE.

Comparisons cover the drawing of an SVG without style and script (tests/lib/svg.py), and the profile
in a page; VERSION stands for the program's version.

    tests/golden/palette/NAME.folded   an input
                        /NAME.V.colors the expected colours of `brazier flamegraph` with the options in
                                       NAME.V.args: the background, the legend, and each frame
                        /NAME.yaml     its configuration, if needed

Each collapse case runs in several ways that must not affect the result: from a file and a pipe,
with one thread and with three, in small chunks, a third of them in isolation; in the combinations of these
if BRAZIER_EXHAUSTIVE=1 is in the environment, and in fewer in an emulator. Without a .stderr file
there must be no messages.

All cases run in one process (tests/lib/brazier.py). The first case of each folder also runs as processes, and every
case does so, in a few ways, if BRAZIER_EXHAUSTIVE=1 is in the environment. Part N/M has the cases of every Mth format.

usage: run.py collapse [N/M] | output | palette [--update]    (--update writes the expected files; read
them before you commit)
"""
import functools
import os
import pathlib
import re
import shlex
import sys
import xml.etree.ElementTree as ET

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from lib import svg  # noqa: E402
from lib.brazier import BRAZIER, IS_EXHAUSTIVE, can_share, run, run_process, run_shared  # noqa: E402

BUILD = pathlib.Path(BRAZIER).resolve().parent.parent
DESCRIBED = ["--plugin", str(BUILD / "tests/plugins/collapse-described.so"), "--from", "described"]
MAY_BE_MISSING = {"perf-data", "pprof", "xctrace"}
# A static program loads no plug-ins, and so not the collapser of these cases.
IS_STATIC = os.environ.get("BRAZIER_STATIC") == "ON"
# Inputs with mangled names, which a build without libiberty keeps.
MANGLED = {"rust-arrows.txt"} if os.environ.get("BRAZIER_DEMANGLES") == "OFF" else set()
# Options, and whether the case is a file and a pipe with them. To a small input, some ways are equal: there is one
# range, or one thread. From a pipe in isolation, all plug-ins are loaded, which costs as much as ten other ways.
ALL_WAYS = [
    ([], {"file", "pipe"}),
    (["-j1"], set()),
    (["-j1", "--chunk-size", "64"], {"file", "pipe"}),
    (["-j3", "--range-size", "100", "--chunk-size", "512"], {"pipe"}),
    (["-j3", "--range-size", "1"], {"file"}),
    (["--isolate"], set()),
    (["--isolate", "-j3", "--range-size", "100"], {"file"}),
]
EXHAUSTIVE_WAYS = [(way, {"file"} if way == ["--isolate"] else {"file", "pipe"}) for way, _ in ALL_WAYS]
# The ways of processes that start slowly, in an emulator or with sanitizers, and of those that exhaustive runs start for
# each case beside the shared process: each piece of code once. (An emulator passes no files into isolation.)
FEW_WAYS = [
    (["-j1", "--chunk-size", "64"], {"pipe"}),
    (["-j3", "--range-size", "1"], {"file"}),
    (["--isolate", "-j3", "--range-size", "100"], {"file"}),
]
IS_EMULATED = os.environ.get("BRAZIER_EMULATED") == "ON"
if IS_EMULATED:
    FEW_WAYS = [way for way in FEW_WAYS if "--isolate" not in way[0]]
if IS_EXHAUSTIVE:
    WAYS = PROCESS_WAYS = EXHAUSTIVE_WAYS
elif IS_EMULATED:
    WAYS = PROCESS_WAYS = FEW_WAYS
else:
    WAYS, PROCESS_WAYS = ALL_WAYS, FEW_WAYS if os.environ.get("BRAZIER_SANITIZE") else ALL_WAYS


def runners(args, is_sample):
    """Yields functions that run brazier, and the ways: in the process of all cases, and as a process."""
    shares = can_share(args)
    if shares:
        yield run_shared, WAYS
    if is_sample or not shares:
        yield run_process, PROCESS_WAYS
    elif IS_EXHAUSTIVE:
        yield run_process, FEW_WAYS


def variants(folder, name, ending):
    """Yields (variant, options, expected file) of an input."""
    for path in sorted(folder.glob(f"{name}*.{ending}")):
        middle = path.name[len(name):-len(ending) - 1]
        if middle == "":
            yield "", [], path
        elif middle.startswith(".") and "." not in middle[1:]:
            yield middle[1:], shlex.split(
                (folder / f"{name}{middle}.args").read_text().replace("FOLDER/", f"{folder}/")), path


# Reasons of expat for an XML document that ends too early: which one depends on its patch level.
CUT_OFF = re.compile(rb"broken XML \((no element found|unclosed token|partial character)\)")


def without_patch_level(text):
    return CUT_OFF.sub(b"broken XML (CUT OFF)", text)


# Files that an input names, which are refused in isolation: no case has any.
REFUSED = re.compile(rb"^[^\n]* (?:is|are) not read: with --isolate, only files below --sysroot DIR are read\n", re.M)


class Report:
    def __init__(self, update):
        self.passed = self.failed = 0
        self.update = update
        self.known = {}  # the contents of expected files

    def expected(self, file):
        if file not in self.known:
            self.known[file] = file.read_bytes() if file.exists() else b""
        return self.known[file]

    def check(self, what, expected_file, got):
        expected = self.expected(expected_file)
        if got == expected or without_patch_level(got) == without_patch_level(expected):
            self.passed += 1
            return
        if self.update:
            self.known[expected_file] = got
            expected_file.write_bytes(got)
            print(f"updated {expected_file}")
            return
        self.failed += 1
        print(f"FAILED {what}: differs from {expected_file}")
        for name, lines, other in (("expected", expected, got), ("got", got, expected)):
            known = set(other.split(b"\n"))
            for line in [x for x in lines.split(b"\n") if x not in known][:5]:
                print(f"   {name}: {line[:300]!r}")


    def check_status(self, what, result):
        """A run fails, or its command line is wrong, if one of its messages is an error."""
        has_error = re.search(rb"^(?:[^\n]*: )?error: ", result.stderr, re.M) is not None
        if result.returncode in ((1, 2) if has_error else (0,)):
            self.passed += 1
            return
        self.failed += 1
        print(f"FAILED {what}: exit status {result.returncode}; {result.stderr[:300]!r}")


def expected_words(folder, name, variant):
    path = folder / (f"{name}.{variant}.stderr" if variant else f"{name}.stderr")
    return path


@functools.lru_cache
def components():
    """Returns the kinds and ids of the components of this build."""
    rows = run(["plugin", "list"]).stdout.decode().splitlines()[1:]
    return {tuple(row.split()[:2]) for row in rows}


def is_missing(kind, name):
    """Returns True, with a message, if this build lacks a component because of a missing library."""
    if name not in MAY_BE_MISSING or (kind, name) in components():
        return False
    print(f"left out: this build has no {kind} {name}")
    return True


def messages(result, source):
    return result.stderr.replace(os.fsencode(source), source.name.encode())


def has_way(way, source, is_sample):
    """Returns whether a case runs in a way. A process for isolation takes longer than all other ways together: a third
    of the cases have one, and those that also run as processes; all in exhaustive runs."""
    return is_sample or IS_EXHAUSTIVE or "--isolate" not in way or sum(source.name.encode()) % 3 == 0


def check_collapse(report, source, args, expected, words, is_sample):
    """Checks a case with some options, in all ways."""
    data = source.read_bytes()
    for runner, ways in runners(args, is_sample):
        for way, inputs in ways:
            if not has_way(way, source, is_sample):
                continue
            what = " ".join([*args, *way, source.name, f"({runner.__name__})"])
            if "file" in inputs:
                result = runner([*args, *way, str(source)])
                report.check(what, expected, result.stdout)
                report.check(what + " (stderr)", words, REFUSED.sub(b"", messages(result, source)))
                report.check_status(what, result)
            if "pipe" in inputs:
                result = runner([*args, *way], data)
                report.check(what + " (pipe)", expected, result.stdout)
                report.check_status(what + " (pipe)", result)


def collapse_folders():
    """Returns the folders of all formats, or of those in the part that an argument N/M names."""
    folders = sorted(p for p in (HERE / "collapse").iterdir() if p.is_dir())
    part = re.fullmatch(r"(\d+)/(\d+)", sys.argv[2]) if len(sys.argv) > 2 else None
    return folders[int(part[1]) - 1::int(part[2])] if part else folders


def collapse_cases(report):
    skip = {".folded", ".args", ".stderr", ".odd", ".md"}
    for folder in collapse_folders():
        if is_missing("collapser", folder.name):
            continue
        is_sample = True
        for source in sorted(p for p in folder.iterdir() if p.suffix not in skip and p.name not in MANGLED):
            name = source.name[:source.name.index(".")] if source.suffix in (".gz", ".zst") \
                else source.stem
            found = False
            for variant, options, expected in variants(folder, name, "folded"):
                found = True
                check_collapse(report, source, ["collapse", folder.name, *options], expected,
                               expected_words(folder, name, variant), is_sample)
                is_sample = False
            if not found:
                report.failed += 1
                print(f"FAILED {source}: has no expected file")


def page_data(out):
    """Returns the profile in a page, without the page's style and script."""
    start = out.index(b'id="profile">') + len(b'id="profile">')
    return out[out.index(b"<html"):out.index(b"<head>")] + \
        out[out.index(b"<title>"):out.index(b"<style>")] + out[start:out.index(b"</script>", start)]


VERSION = run(["--version"]).stdout.split()[1]


def told(folder, out):
    """Returns the part of an output that a case compares."""
    if folder.name == "svg":
        return svg.drawing(out)
    if folder.name == "html":
        return page_data(out)
    return out.replace(b"brazier@" + VERSION, b"brazier@VERSION")


def check_output(report, source, args, expected, words, is_sample):
    """Checks a case of an output with some options."""
    for runner, _ in runners(args, is_sample):
        result = runner([*args, str(source)])
        what = " ".join([*args, source.name, f"({runner.__name__})"])
        report.check(what, expected, told(source.parent, result.stdout))
        report.check(what + " (stderr)", words, messages(result, source))
        report.check_status(what, result)


def output_cases(report):
    for folder in sorted(p for p in (HERE / "output").iterdir() if p.is_dir()):
        if is_missing("output", folder.name):
            continue
        sources = [p for p in folder.iterdir()
                   if p.suffix in (".folded", ".txt", ".described") and p.name.count(".") == 1]
        for source in [p for p in sources if p.suffix == ".described" and IS_STATIC]:
            print(f"left out: {folder.name}/{source.name}")
            sources.remove(source)
        is_sample = True
        for source in sorted(sources):
            found = False
            for variant, options, expected in variants(folder, source.stem, folder.name):
                if expected == source:
                    continue
                found = True
                described = DESCRIBED if source.suffix == ".described" else []
                args = ["flamegraph", *described, "--to", folder.name, *options]
                if folder.name == "svg" and "--compact" not in options:
                    args.append("--no-compact")
                check_output(report, source, args, expected, expected_words(folder, source.stem, variant), is_sample)
                is_sample = False
            if not found:
                report.failed += 1
                print(f"FAILED {source}: has no expected file")


def colors_of(picture):
    """Returns the colours of a picture as text."""
    root = ET.fromstring(picture)
    stops = [e.get("stop-color") for e in root.iter() if svg.local(e.tag) == "stop"]
    lines = ["background " + " ".join(stops)]
    legend = next((e for e in root.iter() if e.get("id") == "legend"), [])
    for rect, text in zip(*[iter(legend)] * 2):
        lines.append(f"legend {rect.get('fill')} {text.text}")
    for title, _, _, _, _, fill in svg.frames(picture)[1]:
        lines.append(f"{fill} {title[:title.rindex(' (')]}")
    return "\n".join(lines).encode() + b"\n"


def palette_cases(report):
    folder, is_sample = HERE / "palette", True
    for source in sorted(p for p in folder.glob("*.folded")):
        configuration = source.with_suffix(".yaml")
        config = ["--config", str(configuration)] if configuration.exists() else ["--no-config"]
        found = False
        for _, options, expected in variants(folder, source.stem, "colors"):
            found = True
            args = [*config, "flamegraph", *options, "--no-compact", str(source)]
            for runner, _ in runners(args, is_sample):
                result = runner(args)
                what = " ".join(["flamegraph", *options, source.name, f"({runner.__name__})"])
                report.check(what, expected, colors_of(result.stdout) if result.stdout else b"")
                report.check(what + " (stderr)", folder / "none.stderr", result.stderr)
                report.check_status(what, result)
            is_sample = False
        if not found:
            report.failed += 1
            print(f"FAILED {source}: has no expected file")


def main():
    report = Report("--update" in sys.argv)
    {"collapse": collapse_cases, "output": output_cases, "palette": palette_cases}[sys.argv[1]](report)
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed or report.passed == 0 and not report.update else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Runs the cases of corpora of real profiles, if they are there, against reference outputs.

CASES.tsv says which input and options give which file. Where ours is meant to differ, the
difference stands in differences.tsv beside this script, with what ours must be and why; a
difference that is not there fails, and so does one there that is none any more. What is too long
for a line stands there as sha256:HEX.

A second corpus has profiles of more formats. Its references are folded text, or what is known of a
profile as a whole: the sums of functions, or a sum and a digest of folded text.

usage: run.py collapse|svg|next [--corpus DIR] [CASE...]
"""
import gzip
import hashlib
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
SOURCE = HERE.parent.parent
BRAZIER = os.environ["BRAZIER"]
sys.path.insert(0, str(HERE.parent))
from lib import measureme  # noqa: E402
from lib.svg import compare, frames  # noqa: E402

# What we call the reference's formats, with the options that make ours do what it always does.
# Formats that are not listed are not read yet.
COLLAPSE = {
    "bcc": ["bcc"],
    "bpftrace": ["bpftrace", "--offsets", "--addrs"],
    "dtrace": ["dtrace"],
    "ghcprof": ["ghcprof"],
    "perf": ["perf"],
    "recursive": ["recursive"],
    "sample": ["sample"],
    "vsprof": ["vsprof"],
    "vtune": ["vtune", "--round"],
    "xctrace": ["xctrace"],
    "xdebug": ["xdebug"],
}
MAY_BE_MISSING = {"perf-data", "xctrace"}
OPTIONS = {"weight=time": ["-w", "time"], "weight=count": ["-w", "calls"]}
# References that are neither sorted nor summed up.
UNSORTED = {"bpftrace", "xdebug"}

# The formats of the second corpus that are read, with arguments.
NEXT = {
    "aix": ["aix"],
    "art-trace": ["art-trace"],
    "cachegrind": ["callgrind"],
    "callgrind": ["callgrind"],
    "austin": ["austin"],
    "austin-mojo": ["austin-mojo"],
    "axe": ["gprof"],
    "chrome": ["chrome-trace"],
    "cpuprofile": ["cpuprofile"],
    "d3": ["d3"],
    "dtrace": ["dtrace"],
    "dhat": ["dhat"],
    "eu-stack": ["eu-stack"],
    "faulthandler": ["faulthandler", "--lines"],
    "firefox": ["firefox"],
    "folded": ["folded"],
    "ftrace": ["ftrace"],
    "gdb": ["gdb"],
    "ghcprof": ["ghcprof"],
    "go-goroutine": ["guess"],
    "go-raw": ["go"],
    "go-top": ["go"],
    "go-traces": ["go"],
    "gprof": ["gprof"],
    "gprof2dot-json": ["gprof2dot"],
    "heapprofile": ["heapprofile"],
    "heaptrack": ["heaptrack"],
    "hprof": ["hprof"],
    "ibmjava": ["jstack", "--thread-names"],
    "instruments": ["instruments"],
    "java-exceptions": ["java-exceptions"],
    "jfr": ["jfr"],
    "jemalloc": ["pprof"],
    "jstack": ["jstack", "--running", "--thread-names"],
    "ljp": ["ljp"],
    "massif": ["massif"],
    "nettrace": ["guess"],
    "otel-coredump": ["otel-coredump"],
    "measureme": ["measureme"],
    "papyrus": ["papyrus"],
    "perf": ["perf"],
    "perf-json": ["perf-json"],
    "perf-report": ["perf-report"],
    "perf-sched": ["perf", "--off-cpu"],
    "perf-data": ["perf-data", "--isolate"],  # which keeps symbols of this machine away
    "pmc": ["pmc"],
    "pmcstat": ["pmc"],
    "pprof": ["pprof"],
    "pprof-text": ["guess"],
    "pstats": ["pstats"],
    "pyinstrument": ["pyinstrument"],
    "safari": ["safari"],
    "sleepy": ["sleepy"],
    "speedscope": ["speedscope"],
    "stackprof": ["stackprof"],
    "stap": ["stap"],
    "simpleperf": ["simpleperf", "--demangle", "none"],
    "strace": ["strace"],
    "v8log": ["v8log"],
    "v8log-text": ["v8log-text"],
    "vtune-mc": ["vtune", "--modules-after"],
    "wcp": ["wcp"],
    # Formats that are not read: each input is named, with the next step.
    **dict.fromkeys(("instruments-trace", "otlp"), ["guess"]),
}
# Inputs that are in another format than their folder says.
NEXT_INPUTS = {"v8log/own-v.log.gz": ["guess"]}

# Inputs whose reference has another weight than the default.
NEXT_WEIGHTS = {"jfr/dd-trace-java.jfr.gz delay": "park_delay",
                "vtune-mc/by-hand-v.txt": ["-w", "Allocations"],
                "vtune-mc/by-hand-s-v.txt": ["-w", "Allocation Size"],
                "cpuprofile/own-v.cpuprofile": ["-w", "samples"],
                "chrome/chrome-trace-issue-5429.json.gz": ["-w", "samples"],
                "chrome/test.chrome-unchunked.json": ["-w", "samples"],
                "firefox/63-simple-firefox.json": ["-w", "time"],
                "firefox/simple-firefox.json": ["-w", "time"]}

# Formats whose reference leaves out frames: native code and Firefox's own scripts, and "(idle)".
NEXT_FEWER = {"chrome", "firefox"}

# Inputs whose reference has the arguments of events in the names of frames.
NEXT_ARGS = {f"chrome/{name}.json" for name in (
    "end-non-top-of-stack", "not-enough-end-events", "simple", "simple-partial",
    "simple-partial-trailing-comma")}

# The table divides the name "Wall time" at the blank; None: no such column.
NEXT_OPTIONS = {"--sample-type Wall": ["-w", "Wall time"], "--sample-type time": None,
                "--sample-type tb": ["-w", "total_bytes"], "--sample-type tbk": ["-w", "total_blocks"],
                "--sample-type gb": ["-w", "peak_bytes"], "--sample-type eb": ["-w", "end_bytes"],
                "--sample-type mb": ["-w", "max_bytes"]}

# What the references count of recordings of Java: our column, and how much a sample counts there.
JFR_COLUMNS = {
    "process_cpu_cpu": ("cpu", 10_000_000),  # nanoseconds, whatever the interval was
    "wall_wall": ("wall", 10_000_000),
    "alloc_sample_bytes": ("alloc_bytes", 1),
    "alloc_in_new_tlab_bytes": ("alloc_in_new_tlab_bytes", 1),
    "alloc_outside_tlab_bytes": ("alloc_outside_tlab_bytes", 1),
    "memory_alloc_sample_objects": ("alloc_objects", 1),
    "memory_alloc_in_new_tlab_objects": ("alloc_in_new_tlab_objects", 1),
    "memory_alloc_outside_tlab_objects": ("alloc_outside_tlab_objects", 1),
    "memory_live": ("live_objects", 1),
    "block_contentions": ("park_contentions", 1),
    "mutex_contentions": ("monitor_contentions", 1),
    "delay": ("monitor_delay", 1),  # or of parked threads, if these were recorded last
    "jdk.ExecutionSample": ("cpu", 1),
    "jdk.ObjectAllocationSample": ("alloc_objects", 1),
    "jdk.ObjectAllocationInNewTLAB": ("alloc_in_new_tlab_objects", 1),
    "jdk.ObjectAllocationOutsideTLAB": ("alloc_outside_tlab_objects", 1),
}

# The links that carry the reference's names, if this build has them.
COMPAT = pathlib.Path(BRAZIER).parent.parent / "libexec" / "brazier" / "compat"

# What the reference does not have, or does unasked.
SVG_ALIKE = ["--no-legend", "--no-compact", "--unit=plain", "--countname=samples", "--label=tail", "--label-color=black",
             "--palette=diff,hot", "--set=?diff.scale=linear", "--deltas", "self", "--set=?folded.trim=true"]


def corpus_folder(variable="BRAZIER_CORPUS", name="corpus"):
    if "--corpus" in sys.argv:
        return pathlib.Path(sys.argv[sys.argv.index("--corpus") + 1])
    return pathlib.Path(os.environ.get(variable, SOURCE.parent / "shared" / name))


def cases(corpus):
    lines = (corpus / "CASES.tsv").read_text().splitlines()
    for line in lines[1:]:
        fields = (line.split("\t") + [""] * 7)[:7]
        yield dict(zip(("format", "input", "options", "expected", "exit", "stderr", "note"), fields))


def differences(name="differences.tsv"):
    """{(input, options): what ours gives, see is_ours}"""
    found = {}
    for line in (HERE / name).read_text().splitlines()[1:]:
        source, options, ours, why = line.split("\t")
        found[source, options] = ours.replace("\\n", "\n").encode()
    return found


def is_ours(output, expected, reference):
    """`expected` is the text, its SHA-256 where that is long, or how it differs from the other."""
    if expected.startswith(b"sha256:"):
        return hashlib.sha256(output).hexdigest().encode() == expected[7:]
    if expected == b"without zeros":
        lines = reference.splitlines(keepends=True)
        return output == b"".join(x for x in lines if not x.endswith(b" 0\n"))
    return output == expected


def summed(folded):
    """Folded text as every collapser of ours writes it: equal stacks added up, sorted by bytes."""
    sums = {}
    for line in folded.splitlines():
        if line == b"" or line.startswith(b"[WARNING]"):
            continue
        stack, count = line.rsplit(b" ", 1)
        sums[stack] = sums.get(stack, 0) + int(count)
    return b"".join(b"%s %d\n" % pair for pair in sorted(sums.items()))


def missing_formats():
    """The formats that this build cannot read, because a library is missing."""
    here = subprocess.run([BRAZIER, "plugin", "list"], capture_output=True, text=True).stdout
    return {name for name in MAY_BE_MISSING if f"collapser  {name} " not in here}


def collapse(corpus, report):
    known = differences()
    missing = missing_formats()
    for case in cases(corpus):
        if case["format"] not in COLLAPSE or case["format"] in missing:
            continue
        options = OPTIONS.get(case["options"], case["options"].split())
        args = ["collapse", *COLLAPSE[case["format"]], *options]
        key = case["input"], case["options"]
        expected = known.pop(key, None)
        reference = None
        if case["expected"] != "-":
            reference = (corpus / case["expected"]).read_bytes()
        if reference is not None and case["format"] in UNSORTED:
            reference = summed(reference)
        for way in ([], ["-j1"], ["-j2", "--range-size", "5000"]):
            p = subprocess.run([BRAZIER, "-q", *args, *way, str(corpus / case["input"])],
                               capture_output=True)
            if expected is None and reference is None:
                report(f"{key}: the reference gives nothing, and ours is not written down", False)
            elif expected is None:
                report(f"{key} {way}", p.stdout == reference)
            else:
                report(f"{key} {way} (differs on purpose)",
                       is_ours(p.stdout, expected, reference) and p.stdout != reference)
    for key in known:
        report(f"{key} is in differences.tsv, but not in the corpus", False)


# ---- the second corpus


def totals(folded):
    """The lines of a .totals.tsv: what is known of a long folded text."""
    counts = [(int(line.rsplit(b" ", 1)[1]), line.rsplit(b" ", 1)[0]) for line in folded.splitlines()]
    yield b"total\t%d" % sum(n for n, _ in counts)
    yield b"stacks\t%d" % len(counts)
    yield b"sha256 of the folded text\t" + hashlib.sha256(folded).hexdigest().encode()
    for n, stack in sorted(counts, key=lambda pair: -pair[0]):
        yield b"top\t%d\t%s" % (n, stack)


def frame_sums(folded):
    """{frame: (self, total)}"""
    sums = {}
    for line in folded.splitlines():
        stack, count = line.rsplit(b" ", 1)
        frames = stack.split(b";")
        for name in set(frames):
            own, total = sums.get(name, (0, 0))
            sums[name] = own + (name == frames[-1]) * float(count), total + float(count)
    return sums


def without_root(folded):
    """Leaves out the frame that stands for the whole of a profile of V8."""
    return summed(b"\n".join(x.removeprefix(b"(root);") for x in folded.splitlines()))


def agrees_by_frame(output, rows, fewer):
    """Compares sums of frames. The reference tells frames of one name at several places apart, of which
    one may call another, and names anonymous ones by their place. It may have `fewer` frames. It puts
    what V8 does itself on top of the stack before, whose callers then have more in total."""
    sums, expected = frame_sums(output), {}
    for _, own, total, name in rows:
        if name != b"(root)":
            name = re.sub(rb"^\(anonymous .*\)$", b"(anonymous)", name)
            expected.setdefault(name, []).append((float(own), float(total)))
    more = any(name in expected for name in (b"(program)", b"(garbage collector)"))
    names = sums.keys() >= expected.keys() if fewer else sums.keys() == expected.keys()
    for name, places in expected.items() if names else ():
        own, total = sums[name]
        least = 0 if more else max(t for _, t in places) * (1 - 1e-6)
        if not math.isclose(own, sum(o for o, _ in places), rel_tol=1e-6) or \
                not least <= total <= sum(t for _, t in places) * (1 + 1e-6):
            return False
    return names


def folded_stack(text):
    """Returns a stack of the reference as ours: code without a name is named after its file."""
    frames = (re.sub(rb"^\[?([^/\[\]]*)\]?\+0x[0-9a-f]+$", rb"[\1]", x) for x in text.split(b" -> "))
    return b";".join(x.replace(b";", b":") for x in frames)


def agrees_with_threads(output, expected):
    """Compares the number of samples of all threads, and the stacks that most of them have."""
    counts = {stack: int(n) for stack, n in (x.rsplit(b" ", 1) for x in output.splitlines())}
    rows = [line.split(b"\t") for line in expected.splitlines()]
    tops = rows.index([b"thread", b"tid", b"top stacks: weight (samples x), frames from the root"])
    stacks = [re.fullmatch(rb"[\d.]+ \((\d+)x\) (?:\(root\) -> )?(.*)", row[2]).groups() for row in rows[tops + 1:]]
    return (sum(counts.values()) == sum(int(row[3]) for row in rows[1:tops]) and
            all(counts.get(folded_stack(stack), 0) >= int(n) for n, stack in stacks))


def agrees_with_intervals(output, expected, profile):
    """Compares folded text with what measureme's rules make of the events, whose numbers the reference has.
    An event is in the sum of all intervals once for each interval that contains it."""
    data = gzip.decompress(profile.read_bytes())
    forms = [second for *_, second in measureme.events(data)]
    intervals = [last - first for *_, first, last in measureme.events(data) if last < measureme.INTEGER]
    rows = dict(line.split(b"\t") for line in expected.splitlines())
    return (int(rows[b"integer"]) == forms.count(measureme.INTEGER) and
            int(rows[b"interval"]) == len(intervals) and
            int(rows[b"sum of intervals, nested ones too"]) == sum(intervals) and
            output == measureme.folded(data))


def agrees_with_functions(output, rows):
    """Compares the own costs of functions, which the reference tells apart by their files, with the sums of
    frames. The reference may have the source after them."""
    expected, sums = {}, frame_sums(output)
    for own, place in rows:
        name = place.rsplit(b":", 1)[-1]
        expected[name] = expected.get(name, 0) + float(own)
    total = expected.pop(b"PROGRAM TOTALS", None)
    return (total is None or math.isclose(total, sum(own for own, _ in sums.values()))) and \
        all(math.isclose(own, expected.get(name, 0)) for name, (own, _) in sums.items())


def agrees_with_python(output, rows):
    """Compares the own times of functions, which the reference has in seconds with six decimals."""
    expected, sums = {}, frame_sums(output)
    for _, own, _, place in rows:
        name = re.fullmatch(rb".*:\d+\((.*)\)", place)[1]
        expected[name] = expected.get(name, 0) + float(own) * 1e9
    return sums.keys() == expected.keys() and \
        all(abs(own - expected[name]) <= 500 for name, (own, _) in sums.items())


def agrees_with_events(output, rows):
    """Compares the sum of the first event."""
    return int(rows[0][1]) == sum(own for own, _ in frame_sums(output).values())


# The functions whose callers heaptrack_print leaves out.
HEAPTRACK_ROOTS = {b"main", b"__libc_start_main", b"__static_initialization_and_destruction_0"}
# Functions that are inlined into one of them, and so its callers to heaptrack_print.
HEAPTRACK_INLINED = {b"initializer", b"qRegisterGuiGetInterpolator_ctor_class_"}


def heaptrack_sums(folded):
    """{frames of a stack: sum}, as heaptrack_print has them: without files and arguments of templates, and
    in any order, since it takes a function that is inlined for the caller; code without a function is all
    the same."""
    sums = {}
    folded = re.sub(rb"operator->(\(\))?", b"operator-", folded)
    while folded != (folded := re.sub(rb"<[^<>\n]*>", b"", folded)):
        pass
    for line in folded.splitlines():
        stack, count = line.rsplit(b" ", 1)
        frames = [re.sub(rb" \(([^() ]+\.\w+|atomic)\)$", b"", x) for x in stack.rstrip(b";").split(b";")]
        first = max((i for i, x in enumerate(frames) if x in HEAPTRACK_ROOTS), default=0)
        frames = [re.sub(rb"^(0x[0-9a-f]+|\[.*\])$", b"[unknown]", x) for x in frames[first:]]
        key = tuple(sorted(x for x in frames if x not in HEAPTRACK_INLINED))
        sums[key] = sums.get(key, 0) + int(count)
    return {key: n for key, n in sums.items() if n != 0}


def agrees_with_recording(output, path):
    """Compares folded text of a recording of Java. In the reference, frames without a class begin with a dot,
    and a sample of the processor or of the wall clock counts nanoseconds."""
    counts = dict(line.rsplit(b" ", 1) for line in output.splitlines())
    factor = JFR_COLUMNS[path.name.removesuffix(".folded").rpartition(".gz.")[2].rpartition(".jfr.")[2]][1]
    lines = (line.rsplit(b" ", 1) for line in path.read_bytes().splitlines())
    expected = {re.sub(rb"(^|;)\.", rb"\1", stack): n for stack, n in lines}
    return {stack: b"%d" % (factor * int(n)) for stack, n in counts.items()} == expected


def agrees(output, path):
    """Compares folded text with a reference, by the ending of the reference's name."""
    expected = path.read_bytes()
    if path.parent.parent.name == "heaptrack":
        return heaptrack_sums(output) == heaptrack_sums(expected)
    if path.parent.parent.name == "jfr" and path.name.endswith(".folded"):
        return agrees_with_recording(output, path)
    if path.parent.parent.name == "jfr":
        output = summed(re.sub(rb"(?m)(^|(?<=;))([^.;]+)(?=;| \d+$)", rb".\2", output))
    if path.parent.parent.name == "measureme":
        source = path.parent.parent / path.name.removesuffix(".totals.tsv")
        return agrees_with_intervals(output, expected, source)
    merged = path.with_name(path.name.replace(".totals.tsv", ".merged.folded"))
    if path.name.endswith(".totals.tsv") and merged.exists():
        return output == merged.read_bytes()
    if expected.startswith(b"thread\tpid\ttid\tsamples\t"):
        return agrees_with_threads(output, expected)
    rows = [line.split(b"\t") for line in expected.splitlines()[1:]]
    if expected.startswith(b"calls\tself\t"):
        return agrees_with_python(output, rows)
    if path.name.endswith(".functions.tsv"):
        return agrees_with_functions(output, rows)
    if expected.startswith(b"event\t"):
        return agrees_with_events(output, rows)
    if expected.startswith(b"what\tvalue\nticks\t"):
        return int(rows[0][1]) == sum(own for own, _ in frame_sums(output).values())
    if path.name.endswith(".totals.tsv"):
        return set(expected.splitlines()) <= set(totals(output))
    if path.name.endswith(".frames.tsv"):
        return agrees_by_frame(output, rows, path.parent.parent.name in NEXT_FEWER)
    return output == (without_root(expected) if b"(root);" in expected else expected)


def recording_arguments(corpus, words, folder):
    """Arguments for a recording: what perf script prints has no inlined functions. The kernel's symbols
    are put into a copy of its machine."""
    like = ["--compat", "perf-script", "--no-inlines"] if "--no-inline" in words else []
    if "--sysroot" not in words:
        return like
    if not folder.exists():
        shutil.copytree(corpus / words[words.index("--sysroot") + 1], folder, symlinks=True)
    if "--kallsyms" not in words:
        return ["--sysroot", str(folder), *like]
    shutil.copy(corpus / words[words.index("--kallsyms") + 1], folder / "kallsyms")
    return ["--sysroot", str(folder), "--kallsyms", "/kallsyms", *like]


def reference_of(corpus, case):
    """Returns the file that a row names as its reference, or as the one beside its input; or None."""
    named = [case["expected"], case["note"].rpartition(": ")[2]]
    return next((corpus / name for name in named if (corpus / name).is_file()), None)


def wanted(case):
    """The arguments for the options that a case wishes, or None if it cannot be compared."""
    words = case["options"].split() + ["--args"] * (case["input"] in NEXT_ARGS)
    if case["format"] == "perf-data":
        compared = case["expected"].endswith(".folded") or case["exit"] != "0"
        return words if compared else None
    if case["format"] == "jfr" and words:
        column = NEXT_WEIGHTS.get(case["input"] + " " + words[1], JFR_COLUMNS[words[1]][0])
        return ["-w", column, *["--merge-generated"] * ("jfr-parser" in case["note"])]
    if case["input"] in NEXT_WEIGHTS:
        return NEXT_WEIGHTS[case["input"]]
    if case["options"] in NEXT_OPTIONS:
        return NEXT_OPTIONS[case["options"]]
    return ["-w", words[1]] if words[:1] == ["--sample-type"] else words


def ways_of(case, reference):
    """Yields arguments. The weight that a case calls the default is shown unless another one is
    named; a default without any samples is refused."""
    yield wanted(case)
    if "default" in case["note"].split("; ") and reference.stat().st_size > 0:
        yield []


def is_expected(process, expected):
    """`expected` is a text or a digest, or "refused" and words of the message."""
    first, _, words = expected.partition(b" ")
    if first == b"refused":
        return process.returncode == 1 and process.stdout == b"" and words in process.stderr
    return process.returncode == 0 and is_ours(process.stdout, expected, None)


def next_corpus(corpus, report):
    with tempfile.TemporaryDirectory() as folder:
        check_next_corpus(corpus, report, pathlib.Path(folder) / "root")


def check_next_corpus(corpus, report, root):
    known, used = differences("differences-next.tsv"), set()
    compared = {(x["input"], x["options"]) for x in cases(corpus) if x["expected"] != "-"}
    missing = missing_formats()
    for case in cases(corpus):
        key = case["input"], case["options"]
        if case["format"] in missing:
            used.add(key)
        if case["format"] not in NEXT or case["format"] in missing or wanted(case) is None:
            continue
        if case["expected"] == "-" and key in compared:
            continue  # a second reference, of another tool
        expected, reference = known.get(key), reference_of(corpus, case)
        used.add(key)
        reader = NEXT_INPUTS.get(case["input"], NEXT[case["format"]])
        for way in ways_of(case, corpus / case["expected"]):
            if case["format"] == "perf-data":
                way = recording_arguments(corpus, way, root)
            p = subprocess.run([BRAZIER, "--no-config", "-q", "collapse", *reader, *way,
                                str(corpus / case["input"])], capture_output=True)
            if expected is not None:
                report(f"{key} {way} (differs on purpose)", is_expected(p, expected))
            elif reference is None or case["exit"] != "0":
                report(f"{key}: refused", p.returncode == 1 and p.stderr != b"" and p.stdout == b"")
            else:
                report(f"{key} {way}", p.returncode == 0 and agrees(p.stdout, reference))
    for key in set(known) - used:
        report(f"{key} is in differences-next.tsv, but not in the corpus", False)


def backgrounds(picture):
    return re.findall(rb'stop-color="(#\w+)"', picture)


def compare_colors(expected, got):
    """The differences in what names are coloured with: of pictures whose counts differ on purpose."""
    def colors(picture):
        return {(title[:title.rindex(" (")], fill) for title, *_, fill in frames(picture)[1]}
    return sorted(colors(expected) ^ colors(got))


def svg(corpus, report):
    for case in cases(corpus):
        if case["format"] != "svg":
            continue
        # The reference lets time run from right to left.
        options = case["options"].replace("--flamechart", "--flamechart-back").split()
        calls = [[BRAZIER, "-q", "flamegraph", *SVG_ALIKE, *options]]
        if COMPAT.exists():
            calls.append([COMPAT / "inferno-flamegraph", *case["options"].split()])
        reference = (corpus / case["expected"]).read_bytes()
        same = compare_colors if "fractional" in case["input"] else compare
        for call in calls:
            p = subprocess.run([*call, str(corpus / case["input"])], capture_output=True)
            problems = same(reference, p.stdout)
            if backgrounds(reference) != backgrounds(p.stdout):
                problems.append(f"background {backgrounds(p.stdout)}")
            for problem in problems[:3]:
                print("   ", problem)
            report(f"{case['expected']} by {pathlib.Path(call[0]).name}", not problems)


def main():
    second = sys.argv[1] == "next"
    corpus = corpus_folder("BRAZIER_CORPUS_NEXT", "corpus-next") if second else corpus_folder()
    if not (corpus / "CASES.tsv").exists():
        print("no corpus here: 0 passed, 0 failed, skipped")
        return 77
    count = {True: 0, False: 0}

    def report(what, good):
        count[good] += 1
        if not good:
            print(f"FAILED {what}")

    {"collapse": collapse, "svg": svg, "next": next_corpus}[sys.argv[1]](corpus, report)
    print(f"{count[True]} passed, {count[False]} failed")
    return 1 if count[False] or not count[True] else 0


if __name__ == "__main__":
    sys.exit(main())

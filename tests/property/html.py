#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests pages of the output html with random profiles: the page contains the profile exactly, and
no markup from it.

Names, modules and files are random bytes; chronological samples come back in order; sources are
random bytes below a directory with traps. A finding of a sanitizer fails the test. `html.py
SEED` runs the cases of a single seed.
"""
import os
import pathlib
import random
import sys
import tempfile

import read_back
from cases import brazier, sampled

BUILD = pathlib.Path(os.environ["BRAZIER"]).resolve().parent.parent
DESCRIBED = BUILD / "tests/plugins/collapse-described.so"
CASES = sampled(40)

PIECES = [b"<script>", b"</script>", b"<!--", b"-->", b"]]>", b"\"", b"'", b"\\", b"&amp;", b"\xe2\x80\xae",
          b"\xf0\x9f\x9a\x80", b"\xff", b"\xed\xa0\x80", b"\xc0\xaf", b"\x1b[31m", b"\x7f", b"\x00", b"_[k]",
          b"%n", b"a", b"bc", b"../", b"/", b"x" * 10000]


def page_of(data, *options):
    p = brazier(["-q", "flamegraph", "--to", "html", *options], data)
    assert p.returncode == 0 and b"Sanitizer" not in p.stderr, p.stderr[-3000:]
    start = p.stdout.index(b'id="profile">') + len(b'id="profile">')
    inside = p.stdout[start:p.stdout.index(b"</script>", start)]
    assert not set(b"<>&\x00\x7f") & set(inside), "the data mean something to HTML"
    return read_back.html_data(p.stdout), p.stdout


# ---- any bytes ------------------------------------------------------------------------------------


def random_name(rng):
    name = b"".join(rng.choice([*PIECES[:-1], *PIECES]) for _ in range(rng.randint(1, 5)))
    return name.replace(b"\n", b"").replace(b";", b"").strip() or b"n"


def check_names(rng):
    names = [random_name(rng) for _ in range(rng.randint(1, 12))]
    counts = [rng.choice([1, 7, 2 ** 40, 2 ** 62 // 50]) for _ in range(rng.randint(1, 40))]
    lines = [b";".join(rng.choice(names) for _ in range(rng.randint(1, 9))) + b" %d\n" % n for n in counts]
    options = rng.choice([[], ["--flamechart"], ["--palette=module,hot"], ["--set", "folded.counts=2"],
                          ["--title=" + "</title><script>alert(1)</script>"]])
    page, html = page_of(b"".join(lines), *options)
    if "--set" not in options:
        assert sum(read_back.html_column(page["selves"][0])) == sum(counts)
    assert html.count(b"<script") == 2 and html.count(b"</script") == 2


# ---- time -----------------------------------------------------------------------------------------


def samples_of(page):
    """Returns the timeline as a list of (stack, time)."""
    names = [page["texts"][i] for i in read_back.html_column(page["frames"]["name"])]
    time = {key: read_back.html_column(text) for key, text in page["time"].items()}
    stack, start = [], 0  # stack: [name, end of the time spent so far, end]
    found = []

    def spend(until):
        if until > stack[-1][1]:
            found.append((tuple(name for name, _, _ in stack), until - stack[-1][1]))
        stack[-1][1] = until

    def close():
        end = stack[-1][2]
        spend(end)
        stack.pop()
        if stack:
            stack[-1][1] = end

    for frame, up, later, total in zip(*(time[k] for k in ("frame", "up", "start", "total")), strict=True):
        start += later
        depth = len(stack) - up
        while len(stack) > depth:
            close()
        if stack:
            spend(start)
        stack.append([names[frame], start, start + total])
    while stack:
        close()
    return found


def merged(samples):
    out = []
    for stack, n in samples:
        if out and out[-1][0] == stack:
            out[-1] = (stack, out[-1][1] + n)
        else:
            out.append((stack, n))
    return out


def check_time(rng):
    samples = [(tuple(rng.choice("abc") for _ in range(rng.randint(1, 6))), rng.randint(1, 9))
               for _ in range(rng.randint(1, 80))]
    folded = "".join(f"{';'.join(stack)} {n}\n" for stack, n in samples).encode()
    page, _ = page_of(folded, "--flamechart")
    assert samples_of(page) == merged(samples), (samples, samples_of(page))
    back, _ = page_of(folded, "--flamechart-back")
    assert samples_of(back) == merged(samples[::-1])


# ---- single samples -------------------------------------------------------------------------------

SAMPLES = 20000
WEIGHTS = {
    "equal": lambda rng: 1000003,
    "a few": lambda rng: rng.choice([1000003, 2000003, 5000011, 80000023]),
    "a thousand": lambda rng: 1000003 + 17 * int(min(999, rng.expovariate(0.02))),
    "around a mean": lambda rng: int(rng.gauss(2500000, 300000)),
    "any": lambda rng: 1 + int(10 ** rng.uniform(0, 10)),
}


def recording(rng, weight):
    """Returns text of perf with samples on four threads: [(thread, time, name, weight)], text."""
    samples, now = [], 0
    for _ in range(SAMPLES):
        now += rng.randint(0, 400)
        name = f"f{int(rng.paretovariate(0.7)) % 3000}"
        samples.append((rng.randint(1, 4), now, name, max(1, weight(rng))))
    text = "".join(f"w 10/1{t} [000] {1 + at // 10 ** 6}.{at % 10 ** 6:06}: {n} cycles:\n\t1 {name} (/bin/app)\n\n"
                   for t, at, name, n in samples)
    return samples, text.encode()


def page_of_recording(text, output):
    p = brazier(["-q", "run", "--from", "perf", "--to", output, "-o", "-", "-"], text)
    assert p.returncode == 0, p.stderr
    return p.stdout


def stored_samples(page):
    """Returns (samples, step): [(thread, time, name, value)], sorted by thread."""
    stored, column = page["samples"], read_back.html_column
    texts, names = page["texts"], column(page["frames"]["name"])
    frames, calls = column(page["calls"]["frame"]), column(stored["calls"])
    threads = [int(stored["tags"][tag]["thread"][1][1:])
               for tag, n in zip(column(stored["tag"]), column(stored["n"])) for _ in range(n)]
    value = column(stored["value"]) if "value" in stored else [stored["every"]] * len(threads)
    if "values" in stored:
        value = [column(stored["values"])[i] for i in value]
    times, step, last, found = column(stored["time"]), stored.get("step", 1), (0, 0), []
    for thread, later, call, v in zip(threads, times, column(stored["call"]), value, strict=True):
        last = (thread, later + (last[1] if last[0] == thread else 0))
        found.append((thread, last[1] * stored["tick"] // 1000, texts[names[frames[calls[call] - 1]]], v * step))
    return found, step


def check_rounding(want, got, step):
    """Checks that sums of each name, up to any sample, are less than a step off."""
    off = {}
    for (_, _, name, exact), (_, _, _, value) in zip(want, got, strict=True):
        off[name] = off.get(name, 0) + exact - value
        assert abs(off[name]) < max(step, 2) / 2 + 1, (name, off[name], step)


def check_samples():
    """Checks that a sample takes at most four bytes whatever the weights, and that as few are rounded
    as possible."""
    for kind, weight in WEIGHTS.items():
        rng = random.Random(kind)
        samples, text = recording(rng, weight)
        html, timeline = (page_of_recording(text, output) for output in ("html", "timeline"))
        assert len(timeline) - len(html) <= 4 * SAMPLES, (kind, (len(timeline) - len(html)) / SAMPLES)
        got, step = stored_samples(read_back.html_data(timeline))
        want = sorted(samples, key=lambda s: s[0])
        tick = read_back.html_data(timeline)["samples"]["tick"] // 1000
        assert [(t, name) for t, _, name, _ in want] == [(t, name) for t, _, name, _ in got], kind
        assert all(0 <= w[1] - samples[0][1] - g[1] < tick for w, g in zip(want, got)), kind
        assert (step > 1) == (kind in ("around a mean", "any")), (kind, step)
        check_rounding(want, got, step)


# ---- sources
# --------------------------------------------------------------------------------------


def random_source(rng):
    lines = [b"".join(rng.choice(PIECES) for _ in range(rng.randint(0, 4))) for _ in range(rng.randint(0, 60))]
    return rng.choice([b"\n", b"\r\n"]).join(lines) + rng.choice([b"", b"\n"])


def check_sources(rng):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder, "src")
        (root / "sub").mkdir(parents=True)
        pathlib.Path(folder, "secret.c").write_bytes(b"SECRET\n" * 100)
        (root / "link.c").symlink_to("../secret.c")
        (root / "loop").symlink_to("loop")
        os.mkfifo(root / "pipe.c")
        sources = {name: random_source(rng) for name in ("a.c", "sub/b.c", "\u00e9.c")}
        for name, text in sources.items():
            (root / name).write_bytes(text)
        files = [*sources, "link.c", "loop", "pipe.c", "sub", "../secret.c", "/", "", ".", "//a.c",
                 "/build/" * 400 + "a.c", "sub/../sub/b.c"]
        lines = [f"main;f{i}{{|{rng.choice(files)}|{rng.choice([1, 2, 30, 60, 61, 2 ** 31, 2 ** 32 - 1])}|}} 1\n"
                 for i in range(rng.randint(1, 30))]
        page, html = page_of(("weights: samples/samples\n" + "".join(lines)).encode(),
                             "--plugin", DESCRIBED, "--from", "described", "--set", f"html.source={root}",
                             "--set", f"html.source-lines={rng.choice([0, 1, 10, 1000])}")
        assert b"SECRET" not in html
        for excerpt in page["source"]:
            name = page["texts"][excerpt["file"]]
            text = next(t for n, t in sources.items() if name.endswith(n.split("/")[-1]))
            want = [line.rstrip(b"\r")[:400] for line in text.split(b"\n")][excerpt["line"] - 1:]
            for got, line in zip(excerpt["lines"], want):
                assert len(got.encode()) <= 3 * 400
                if line.isascii():
                    assert got.encode() == line, (got, line)


# ---- running --------------------------------------------------------------------------------------


def main():
    seeds = [int(a) for a in sys.argv[1:]] or range(CASES)
    checks = [check_names, check_time] + ([check_sources] if DESCRIBED.exists() else [])
    if len(sys.argv) == 1:
        check_samples()
    for seed in seeds:
        for check in checks:
            try:
                check(random.Random(seed))
            except AssertionError as error:
                sys.exit(f"{check.__name__}, seed {seed}: {error}")
    print(f"{len(seeds)} seeds, {len(checks)} checks each")


main()

#!/usr/bin/env python3
"""Writes the inputs of tests/golden/collapse/otlp. Run it after changing a case.

usage: otlp_cases.py
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from lib import cases  # noqa: E402
from lib.otlp import DATA, DICTIONARY, PROFILE, STACKS, USUAL, Data, Profile, Tables  # noqa: E402
from lib.pprof import field  # noqa: E402

START = 1700000000000000000
FIRST = {"service.name": "shop", "process.pid": 17, "process.executable.name": "shopd"}


def usual(*types, version=USUAL):
    """Inlined lines, frames without functions, a kernel, attributes, a link and two resources."""
    t = Tables(empty=version >= STACKS)
    app = t.mapping("/usr/bin/app", "abcdef0123456789")
    libc = t.mapping("/usr/lib/x86_64-linux-gnu/libc.so.6")
    main, load, parse = t.code("main", "load", "parse", mapping=app)
    inlined = t.location([(t.function("memcpy"), 41), (t.function("parse", "parse.c", 10), 31)], app, 0x400010)
    unnamed = t.location([], libc, 0x7f0000001234)
    nothing = t.location([], None, 0x1234)
    kernel = t.location([(t.function("do_syscall_64"), 0)], attributes=[t.attribute("profile.frame.type", "kernel")])
    many = len(types) > 1
    p = Profile(t, *(types or [("cpu", "nanoseconds")]), time=START, duration=3000000000, period=10000000,
                periodType=("cpu", "nanoseconds"), attributeIndices=[t.attribute("deployment", "blue")])
    thread = [("thread.id", 21), ("thread.name", "worker")]
    ended = t.link(bytes(range(16)), bytes(range(8)))
    for i, (stack, n, how) in enumerate((([inlined, load, main], 12, {"attributes": thread}),
                                         ([parse, load, main], 3, {"attributes": thread, "link": ended}),
                                         ([unnamed, main], 5, {}), ([nothing], 1, {"attributes": [("size", 4096, "bytes")]}),
                                         ([kernel, unnamed, main], 2, {}), ([inlined, load, main], 4, {}))):
        p.sample(stack, [n, n * 10000000] if many else [n * 10000000], [START + i] if i < 2 else [], **how)
    q = Profile(t, *(types or [("wall", "nanoseconds")]), time=START)
    q.sample([load, main], [7, 70] if many else [70])
    d = Data(t)
    d.resource(FIRST, p)
    d.resource({"service.name": "bank", "ratio": 0.25, "spot": True, "zones": ["a", "b"]}, q)
    return d


def old(version):
    return usual(("samples", "count"), ("cpu", "nanoseconds"), version=version)


def times():
    """Samples of which each time counts 1, and ones with a value for each time."""
    t = Tables()
    main, work = t.code("main", "work")
    p, q = Profile(t, ("samples", "count"), time=START), Profile(t, ("offcpu", "nanoseconds"), time=START)
    p.sample([work, main], [], [START + 1, START + 5], [("thread.id", 3)])
    p.sample([main], [], [START + 3], [("thread.id", 4)])
    q.sample([work, main], [20, 30], [START + 2, START + 4])
    d = Data(t)
    d.resource({}, p, q)
    return d


def only_times():
    """A field of samples is what makes the version ambiguous: nothing but lists."""
    t = Tables()
    main, = t.code("main")
    p = Profile(t, ("samples", "count"))
    p.sample([main], [], [START], [("thread.id", 3)])
    d = Data(t)
    d.resource({}, p)
    return d.bytes()


def odd():
    """References to nothing, samples without values, more values than times, and data of pprof."""
    t = Tables()
    main, work = t.code("main", "work")
    p = Profile(t, ("samples", "count"))
    p.sample([work, main], [4])
    p.sample([work, 99, main], [5])
    p.sample([t.location([(77, 1)]), main], [6])
    p.sample([t.location([], 55), main], [7])
    p.sample([main], [])
    p.sample([main], [1, 2, 3], [START, START + 1])
    p.samples.append({**p.samples[0], "stackIndex": 88, "values": [8]})
    p.samples.append({**p.samples[0], "attributeIndices": [66], "values": [9]})
    q = Profile(t, ("samples", "count"), originalPayloadFormat="pprof")
    d = Data(t)
    d.resource({"a": b"\x00\x01"}, p, q)
    return d


def names():
    t = Tables()
    d = Data(t)
    p = Profile(t, ("samples", "count"))
    p.sample(t.code("f(a; b)", 'say "ü"\n', "with  blanks "), [1])
    p.sample(t.code("\\back/slash"), [2])
    d.resource({}, p)
    return d


def framed():
    """Two messages, each after its length."""
    parts = [usual().bytes(), times().bytes()]
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def damaged():
    """The third sample has a list that is longer than the sample."""
    t = Tables()
    main, work = t.code("main", "work")
    p = Profile(t, ("samples", "count"))
    for n in (3, 4, 5):
        p.sample([work, main], [n])
    p.sample_bytes = lambda s, version: Profile.sample_bytes(p, s, version)[:-1 if s["values"] == [4] else None]
    d = Data(t)
    d.resource({}, p)
    return d.bytes()


def default_by_index(version, **how):
    t = Tables(empty=False)
    main, = t.code("main")
    p = Profile(t, ("alloc", "bytes"), ("inuse_space", "bytes"), **how)
    if version == PROFILE:
        p.members["defaultSampleTypeStrindex"] = t.text("inuse_space")
    p.sample([main], [10, 20])
    d = Data(t)
    d.resource({}, p)
    return d.bytes(version)


def experimental():
    """A profile within a container, whose second field is a time."""
    container = field(1, bytes(16)) + b"\x11" + bytes(8) + b"\x19" + bytes(8) + field(8, b"")
    return field(1, field(1, b"") + field(2, field(2, container)))


CASES = {
    "usual.otlp": usual().bytes,
    "dictionary-first.otlp": lambda: usual().bytes(dictionary_first=True),
    "version-1.8.otlp": lambda: usual(version=STACKS).bytes(STACKS),
    "version-1.7.otlp": lambda: old(DICTIONARY).bytes(DICTIONARY),
    "version-1.6.otlp": lambda: old(DATA).bytes(DATA),
    "version-1.5.otlp": lambda: old(PROFILE).bytes(PROFILE),
    "version-1.3.otlp": experimental,
    "times.otlp": lambda: times().bytes(),
    "times-1.8.otlp": lambda: times().bytes(STACKS),
    "only-times.otlp": only_times,
    "default-1.7.otlp": lambda: default_by_index(DICTIONARY, defaultSampleTypeIndex=1),
    "default-1.5.otlp": lambda: default_by_index(PROFILE),
    "framed.otlp": framed,
    "framed-cut.otlp": lambda: framed()[:-5],
    "odd.otlp": lambda: odd().bytes(),
    "damaged.otlp": damaged,
    "cut.otlp": lambda: usual().bytes(dictionary_first=True)[:-40],
    "json-usual.json": lambda: usual().text(),
    "json-pretty.json": lambda: usual().text(indent=2),
    "json-lines.json": lambda: usual().text() + times().text(),
    "json-odd.json": lambda: odd().text(),
    "json-names.json": lambda: names().text(),
    "json-damaged-line.json": lambda: times().text().replace(b'], "functionTable"', b'}, "functionTable"') + times().text(),
    "json-cut.json": lambda: usual().text()[:-200],
    "json-empty.json": b'{"resourceProfiles":[{"scopeProfiles":[{"profiles":[]}]}],"dictionary":{}}\n',
}

if __name__ == "__main__":
    cases.write(HERE / "collapse/otlp", CASES)

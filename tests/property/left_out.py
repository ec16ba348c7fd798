#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that stacks and the summary of what is left out of damaged inputs add up to the truth.

Damages random records of sound inputs so that their weight stays known, or is lost as well. The sum
of the stacks, the reported weight and the lost weight is that of the sound input, and the number of
damaged records is reported.
"""
import functools
import os
import random
import re
import sys
from decimal import Decimal

from cases import brazier, sampled

ROUNDS = sampled(8)
WAYS = [], ["-j1", "--chunk-size", "64"], ["-j3", "--range-size", "200"], ["--isolate"]
SUMMARY = re.compile(r"note: left out: (\d+) records?"
                     r"(?:, weight (?P<all>[\d.]+)|; weight (?P<some>[\d.]+)|( of unknown weight))?")


class Format:
    """A format whose records can be written sound, damaged with a known weight, and without one."""
    weighs = True  # reports state the weight that damaged records have

    def __init__(self, name, sound, known, blind=None, head="", tail="", around=0, args=(),
                 by_sample=False):
        self.name, self.args = name, args
        self.by_sample = by_sample  # a record is reported as that many samples
        self.writers = {"sound": sound, "known": known, "blind": blind}
        self.head, self.tail = head, tail
        self.around = around  # weight of head and tail

    def write(self, records, damage):
        parts = [self.writers[d](name, weight) for (name, weight), d in zip(records, damage)]
        total = sum(weight for _, weight in records)
        return self.head.replace("TOTAL", str(total)) + "".join(parts) + self.tail


def fold(format_, text, way):
    """Returns the sum of the stacks, the reported records and weight, and whether it is complete."""
    p = brazier(["run", "--from", format_.name, "--to", "folded", *way, *format_.args], text.encode())
    stacks = sum(Decimal(line.rsplit(" ", 1)[1]) for line in p.stdout.decode().splitlines())
    found = SUMMARY.search(p.stderr.decode())
    if found is None:
        return stacks, 0, Decimal(0), True
    weight = Decimal(found["all"] or found["some"] or 0)
    return stacks, int(found[1]), weight, found["all"] is not None


# ---- formats -------------------------------------------------------------------------------------

def perf(name, weight):
    return (f"app 100 [000] 1.0: {weight} cycles:\n\t          401000 {name}+0x10 (/opt/app)\n"
            f"\t          401100 main+0x10 (/opt/app)\n\n")


def bpftrace(name, weight):
    return f"@[\n    {name}+10\n    main+20\n]: {weight}\n"


def dtrace(name, weight):
    return f"              app`{name}+0x10\n              app`main+0x20\n  {weight}\n\n"


def bcc(name, weight):
    return f"    {name}\n    main\n    -                app (100)\n        {weight}\n\n"


def xctrace(name, weight):
    return "".join(f'<row><backtrace><frame name="{name}"/></backtrace></row>\n' for _ in range(weight))


def broken_xctrace(name, weight):
    """Returns rows each of which is broken in another way."""
    ways = ['<row><backtrace><frame name="{}"></backtrace></row>\n', '<row><backtrace ref="77"/></row>\n',
            '<row><backtrace><frame name="{}"/></backtrace></raw></row>\n',
            '<rxw><backtrace><frame name="{}"/></backtrace></row>\n', '<row><frame name="a<{}"/></row>\n',
            '<row<backtrace><frame name="{}"/></backtrace></row>\n', '<row><thread/></row>\n']
    return "".join(ways[(i + int(name[1:])) % len(ways)].format(name) for i in range(weight))


class Xdebug(Format):
    """Calls that begin when the call before them ends; the end of a damaged one cannot be read. The next event counts
    its time, but whether there is one is not known when the line is reported."""
    weighs = False

    def write(self, records, damage):
        clock, lines = 0, ["TRACE START [x]", "1\t0\t0\t0.0\t100\t{main}\t1\t\t/a.php\t0\t0"]
        for i, ((name, weight), kind) in enumerate(zip(records, damage), 1):
            lines.append(f"2\t{i}\t0\t{clock / 10**7:.7f}\t100\t{name}\t1\t\t/a.php\t0\t0")
            clock += weight
            lines.append(f"2\t{i}\t1\t{clock / 10**7:.7f}\t100" if kind == "sound" else "2\tdamaged")
        return "\n".join([*lines, f"1\t0\t1\t{clock / 10**7:.7f}\t100", "TRACE END   [x]", ""])


GHC_HEAD = """COST CENTRE MODULE    SRC                 no.     entries  %time %alloc   %time %alloc  ticks     bytes

"""


def ghcprof(name, weight):
    return f" {name:<11}Main      Main.hs:5:1-20      20{weight:04}   1    0.0    0.0     0.0    0.0  {weight}  0\n"


SPEEDSCOPE = ('{"shared":{"frames":[' + ",".join(f'{{"name":"f{i}"}}' for i in range(9)) +
              ']},\n"profiles":[')


def speedscope(frame, weight):
    return f'{{"unit":"none","samples":[[{frame}]],"weights":[{weight}]}},'


FIREFOX = ('{"meta":{"preprocessedProfileVersion":52},"shared":{"stringArray":[' +
           ",".join(f'"f{i}"' for i in range(9)) + '],"stackTable":{"frame":[0,1,2,3,4,5,6,7,8]},"frameTable":'
           '{"func":[0,1,2,3,4,5,6,7,8]},"funcTable":{"name":[0,1,2,3,4,5,6,7,8]}},"threads":[\n')


def firefox(stack, weight):
    return f'{{"samples":{{"stack":[{stack}],"weight":[{weight}]}}}},'


def stap(name, weight):
    return f"0x01 : {name}+0x1/0x2 [a]\n0x02 : main+0x1/0x2 [a]\n{weight}\n"


def wcp(name, weight):
    return f" 10.0% == ({weight} samples)\n   1: {name}   (at a.c:1)\n   2: main   (at a.c:2)\n\n"


def goroutine(name, weight):
    return f"goroutine 5 [sleep]:\nmain.{name}(0x1)\n\ta.go:1 +0x1\n\n" * weight


FORMATS = [
    Format("stap", stap, lambda n, w: f"{w}\n", lambda n, w: stap(n, -w), head=stap("first", 1), around=1),
    Format("wcp", wcp, lambda n, w: wcp(n, w).split("\n")[0] + "\n\n", head="Full stacks\n\n"),
    Format("goroutine", goroutine, lambda n, w: "goroutine 5 [sleep]:\n\n" * w, head=goroutine("first", 1), around=1,
           by_sample=True),
    Format("perf", perf, lambda n, w: perf(n, w).split("\n")[0] + "\n\n",
           lambda n, w: perf(n, w).split("\n", 1)[1], head=perf("first", 1), around=1),
    Format("bpftrace", bpftrace, lambda n, w: f"@[\n]: {w}\n",
           lambda n, w: bpftrace(n, w).rsplit("]", 1)[0], tail=bpftrace("last", 1), around=1),
    # without a count, two stacks of dtrace become one
    Format("dtrace", dtrace, lambda n, w: f"\n  {w}\n\n",
           head="dtrace: description 'profile-997 ' matched 1 probe\n\n"),
    Format("bcc", bcc, lambda n, w: f"\n        {w}\n\n",
           lambda n, w: bcc(n, w).rsplit("        ", 1)[0] + "\n"),
    Format("folded", lambda n, w: f"main;{n} {w}\n", lambda n, w: f"{w}\n", lambda n, w: f"main;{n}\n"),
    Format("recursive", lambda n, w: f"main;{n} {w}\n", lambda n, w: f"{w}\n",
           lambda n, w: f"main;{n}\n"),
    Format("folded", lambda n, w: f"main;{n} {w / 8}\n", lambda n, w: f"{w / 8}\n",
           lambda n, w: f"main;{n} {w}.5x\n"),
    Format("sample", lambda n, w: f"    {w} Thread_{n}\n      {w} {n}  (in app) + 1  [0x1]\n",
           lambda n, w: f"    {w} Thread_{n}\n      {n}  (in app) + 1  [0x1]\n",
           lambda n, w: f"    Thread_{n}\n", head="Call graph:\n", tail="\nTotal number in stack:\n"),
    Format("sample", lambda n, w: f"    {w} Thread_{n}\n      {w} {n}  (in app) + 1  [0x1]\n",
           lambda n, w: f"    {w} Thread_{n}\n      {w} kevent  (in app) + 1  [0x1]\n",
           head="Call graph:\n", tail="\nTotal number in stack:\n", by_sample=True),
    Format("vtune", lambda n, w: f" {n},{w / 10**6:.6f},app\n", lambda n, w: f"   {n},{w / 10**6:.6f},app\n",
           lambda n, w: f" {n},fast,app\n", head="Function Stack,CPU Time:Self,Module\nmain,0,app\n"),
    Format("vtune", lambda n, w: f" {n},{w},app\n", lambda n, w: f" {n},many,app\n",
           head="Function Stack,Events:Total,Module\nmain,TOTAL,app\n"),
    Format("vtune", lambda n, w: f",{n},{w},app\n,main,,app\n\n", lambda n, w: f",{n},many,app\n,main,,app\n\n",
           head="Function,Function Stack,CPU Time,Module\nleaf,,TOTAL,app\n"),
    Format("vsprof", lambda n, w: f'2,"{n}",{w},{w},"a",\n', lambda n, w: f'2,"{n}",many,{w},"a",\n',
           head='Level,Function Name,Inclusive Samples,Exclusive Samples,Module Name,\n1,"main",TOTAL,0,"a",\n'),
    Format("vsprof", lambda n, w: f'2,"{n}",{w / 100:.2f},{w / 100:.2f},"a",\n',
           lambda n, w: f'x,"{n}",{w / 100:.2f},{w / 100:.2f},"a",\n', lambda n, w: f'2,"{n}",1,many,"a",\n',
           head='Level,Function Name,Elapsed Inclusive Time,Elapsed Exclusive Time,Module Name,\n'
                '1,"main",0.00,0.00,"a",\n'),
    Format("speedscope", lambda n, w: speedscope(n[1:], w), lambda n, w: speedscope('"x"', w),
           lambda n, w: speedscope(n[1:], "null"), head=SPEEDSCOPE, tail=speedscope(0, 1)[:-1] + "]}",
           around=1),
    Format("firefox", lambda n, w: firefox(n[1:], w), lambda n, w: firefox('"x"', w),
           lambda n, w: firefox(n[1:], "null"), head=FIREFOX, tail=firefox(0, 1)[:-1] + "]}", around=1),
    Format("ghcprof", ghcprof, lambda n, w: ghcprof(" " * 11, w), lambda n, w: ghcprof(n, w).rsplit("0.0", 3)[0] + "\n",
           head=GHC_HEAD, args=["--ticks"]),
    Format("xctrace", xctrace, broken_xctrace,
           head='<?xml version="1.0"?>\n<trace-query-result><node><schema name="time-profile"/>\n' + xctrace("f", 1),
           tail=xctrace("f", 1) + "</node></trace-query-result>\n", around=2,
           by_sample=True),
    Xdebug("xdebug", None, None),
]


# ---- checks --------------------------------------------------------------------------------------

@functools.cache
def scale_of(format_):
    """Returns the weight of a stack of a record of weight 1."""
    one = format_.write([("f1", 1)], ["sound"])
    return fold(format_, one, [])[0] - format_.around


def check(format_, seed):
    rng = random.Random(f"{format_.name} {seed}")
    most = 6 if format_.name == "xctrace" else 1000
    records = [(f"f{rng.randrange(9)}", rng.randrange(1, most)) for _ in range(rng.randrange(5, 60))]
    scale = scale_of(format_)
    truth = sum(w for _, w in records) * scale + format_.around
    kinds = ["sound", "known"], ["sound", "known"] + ["blind"] * (format_.writers["blind"] is not None)
    for some in kinds:
        damage = [rng.choice(some) for _ in records]
        hurt = [w for (_, w), d in zip(records, damage) if d != "sound"]
        lost = sum(w for (_, w), d in zip(records, damage) if d == "blind") * scale
        expected = sum(hurt) if format_.by_sample else len(hurt)
        text = format_.write(records, damage)
        answers = {fold(format_, text, way) for way in WAYS}
        if len(answers) != 1:
            return f"{answers}\n{text}"
        stacks, n, weight, known = answers.pop()
        is_known = "blind" not in damage and (format_.weighs or not hurt)
        if stacks + weight + lost != truth or n != expected or known != is_known:
            return (f"stacks {stacks}, left out {n} records of weight {weight} (known: {known}); "
                    f"truth {truth}, {expected} records, {lost} unknown\n{text}")
    return None


def main():
    failed = 0
    for number, format_ in enumerate(FORMATS):
        for seed in range(ROUNDS):
            wrong = check(format_, seed)
            failed += wrong is not None
            if wrong is not None:
                print(f"FAILED {number} {format_.name} {seed}: {wrong}")
    print(f"{len(FORMATS) * ROUNDS - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the time that threads are off the processors against a second implementation: random
switches, wake-ups and samples, as perf.data and as the text of perf script.

usage: off_cpu.py [TEST...]
"""
import collections
import gzip
import pathlib
import random
import re
import unittest

import common
from lib import perf_data
from lib.perf_data import CPU, Event, IDENTIFIER, IN_KERNEL, IN_USER, PERIOD, RAW, Recording, SAMPLE_ID_ALL, USUAL

HAS_PERF_DATA = any(pathlib.Path(common.BRAZIER).resolve().parent.parent.glob(
    "lib*/**/collapse-perf-data.so"))
STATES = {0: "R", 1: "S", 2: "D", 0x100: "R+"}
NAMES = {"R": "preempted", "S": "sleeping", "D": "disk sleep"}
APP = 0x400000


class Events:
    """Random switches of a few threads on two processors, in the order of time. A fact is (time,
    type, thread, other thread, number of its stack, state)."""

    def __init__(self, seed, n=400, threads=7):
        rng = random.Random(seed)
        self.facts, time, running, off = [], 1000, [0, 0], {}
        ready = list(range(1, threads + 1))
        for _ in range(n):
            time += rng.randrange(1, 1000)
            cpu = rng.randrange(2)
            kind = rng.random()
            if kind < 0.6:
                state = rng.choice(list(STATES))
                waiting = [t for t in ready if t not in running]
                other = rng.choice(waiting + [0])
                self.facts.append((time, "switch", running[cpu], other, rng.randrange(4), state, cpu))
                running[cpu] = other
            elif kind < 0.8:
                self.facts.append((time, "waking", running[cpu], rng.choice(ready), rng.randrange(4), 0,
                                   cpu))
            else:
                self.facts.append((time, "clock", running[cpu], 0, rng.randrange(4), 0, cpu))

    # ---- the second implementation

    def off_cpu(self, counts_open=False):
        """Sums by (thread, stack, state); threads that do not come back are off up to the last event."""
        sums, off = collections.Counter(), {}
        for time, kind, tid, other, stack, state, _ in self.facts:
            if kind == "switch":
                if tid:
                    off[tid] = [time, stack, STATES[state][0], None]
                if other in off:
                    since, left, why, woken = off.pop(other)
                    middle = woken if woken is not None and why != "R" else time
                    sums[other, left, NAMES[why]] += middle - since
                    sums[other, left, "runnable"] += time - middle
            elif kind == "waking" and other in off and off[other][3] is None:
                off[other][3] = time
        for tid, (since, left, why, woken) in off.items() if counts_open else ():
            middle = woken if woken is not None and why != "R" else time
            sums[tid, left, NAMES[why]] += middle - since
            sums[tid, left, "runnable"] += time - middle
        return {k: v for k, v in sums.items() if v}

    def wall_clock(self):
        """Times of threads from their first event to their last."""
        first, last, is_off = {}, {}, {}
        for time, kind, tid, other, *_ in self.facts:
            if kind == "waking":
                continue
            for t, leaves in ((tid, kind == "switch"), (other if kind == "switch" else 0, False)):
                if t:
                    first.setdefault(t, time)
                    last[t] = time
        return {t: last[t] - first[t] for t in first if last[t] > first[t]}

    # ---- formats

    def recording(self):
        kind = USUAL | IDENTIFIER | CPU
        r = Recording(Event("sched:sched_switch", 2, perf_data.SCHED_SWITCH, (kind | RAW) & ~PERIOD,
                            SAMPLE_ID_ALL, 1, ids=[1]),
                      Event("sched:sched_waking", 2, perf_data.SCHED_WAKING, (kind | RAW) & ~PERIOD,
                            SAMPLE_ID_ALL, 1, ids=[2]),
                      Event("cpu-clock", 1, 0, kind, ids=[3]))
        r.features[1] = r.tracing_data()
        for tid in {f[2] for f in self.facts} | {f[3] for f in self.facts}:
            r.comm(tid, f"t{tid}")
        for time, name, tid, other, stack, state, cpu in self.facts:
            chain = [IN_USER, APP + stack]
            if name == "switch":
                r.sched_switch(time, tid, other, chain, state, cpu=cpu)
            elif name == "waking":
                r.sched_waking(time, tid, other, chain, cpu=cpu)
            else:
                r.sample(tid, chain, time=time, event=2, cpu=cpu)
        r.describe()
        return r

    def text(self):
        lines = []
        for time, name, tid, other, stack, state, cpu in self.facts:
            event, payload = f"sched:sched_{name}:", ""
            if name == "switch":
                payload = f" prev_comm=t{tid} prev_pid={tid} prev_prio=120 prev_state={STATES[state]}" \
                          f" ==> next_comm=t{other} next_pid={other} next_prio=120"
            elif name == "waking":
                payload = f" comm=t{other} pid={other} prio=120 target_cpu=000"
            else:
                event = "cpu-clock:"
            lines.append(f"t{tid} {tid}/{tid} [00{cpu}] 0.{time:09}: {event}{payload}\n"
                         f"\t{APP + stack:16x} f{stack}+0x0 (/bin/app)\n\n")
        return "".join(lines)


def folded_sums(text):
    """Sums by (thread, number of the stack, state) of folded lines such as "t1;f2;[sleeping] 5"."""
    sums = collections.Counter()
    for line in text.splitlines():
        stack, value = line.rsplit(" ", 1)
        frames = stack.split(";")
        number = re.search(r"(\d)\W*$", frames[1])
        state = frames[2].strip("[]") if len(frames) > 2 else None
        sums[int(frames[0].lstrip("t:")), int(number[1]), state] += int(value)
    return dict(sums)


class OffCpu(common.Case):
    WAYS = [*common.WAYS, ["-j1"], ["-j3", "--range-size", "100", "--chunk-size", "512"]]

    def fold(self, form, content, *options):
        """Folded text, the same in all ways to read the input."""
        name = "p.data" if form == "perf-data" else "p.txt"
        self.write(name, content)
        outs = set()
        for way in self.WAYS:
            outs.add(self.good("collapse", form, name, "-q", *options, *way).out)
            outs.add(self.good("collapse", form, "-q", *options, *way, stdin=(self.dir / name).read_bytes()).out)
        self.assertEqual(1, len(outs), outs)
        return outs.pop()

    # ---- sums

    def test_the_text_has_the_sums_of_the_second_implementation(self):
        for seed in range(6):
            events = Events(seed)
            got = folded_sums(self.fold("perf", events.text(), "--off-cpu", "--states"))
            self.assertEqual(events.off_cpu(), got, f"seed {seed}")

    def test_intervals_that_have_not_ended_count_on_request(self):
        for seed in range(4):
            events = Events(seed)
            self.assertNotEqual(events.off_cpu(), events.off_cpu(True))
            got = self.fold("perf", events.text(), "--off-cpu", "--states", "--off-cpu-open")
            self.assertEqual(events.off_cpu(True), folded_sums(got), f"seed {seed}")
            if HAS_PERF_DATA:
                got = self.good("collapse", "perf-data", "-q", "--off-cpu", "--states", "--addrs", "--off-cpu-open",
                                stdin=events.recording().file()).out
                got = re.sub(r"\[unknown <40000(\d)>\]", r"f\1", got)
                self.assertEqual(events.off_cpu(True), folded_sums(got), f"seed {seed}")
        r = self.brazier("collapse", "perf", "--off-cpu", stdin=events.text())
        self.assertIn("their last interval is left out (--off-cpu-open counts it)", r.err)
        r = self.brazier("collapse", "perf", "--off-cpu", "--off-cpu-open", stdin=events.text())
        self.assertNotIn("never came back", r.err)

    @unittest.skipUnless(HAS_PERF_DATA, "this build has no collapser perf-data")
    def test_the_recording_has_the_sums_of_the_second_implementation(self):
        for seed in range(6):
            events = Events(seed)
            for data in (events.recording().file(), events.recording().pipe()):
                got = self.good("collapse", "perf-data", "-q", "--off-cpu", "--states", "--addrs",
                                stdin=data).out
                got = re.sub(r"\[unknown <40000(\d)>\]", r"f\1", got)
                self.assertEqual(events.off_cpu(), folded_sums(got), f"seed {seed}")

    def test_states_wake_ups_and_limits_keep_the_sum(self):
        text = Events(7).text()

        def total(*options):
            return sum(folded_sums(self.good("collapse", "perf", "-q", *options, stdin=text).out).values())

        whole = total("--off-cpu")
        self.assertEqual(sum(Events(7).off_cpu().values()), whole)
        self.assertEqual(whole, total("--off-cpu", "--states"))
        out = self.good("collapse", "perf", "-q", "--wakeup", stdin=text).out
        self.assertEqual(whole, sum(int(line.rsplit(" ", 1)[1]) for line in out.splitlines()))
        self.assertIn(";--;", out)
        self.assertEqual(whole, total("--off-cpu", "--off-cpu-min", "2us") +
                         total("--off-cpu", "--off-cpu-max", "1999ns"))

    def test_waits_count_for_the_stacks_of_their_wakers(self):
        for seed in range(4):
            events, sums, off = Events(seed), collections.Counter(), {}
            for time, kind, tid, other, stack, state, _ in events.facts:
                if kind == "switch":
                    if tid:
                        off[tid] = [time, state, None]
                    if other in off:
                        since, state, by = off.pop(other)
                        if STATES[state][0] != "R":
                            until, waker = by or (time, "[unknown]")
                            sums[f"t{other};{waker}"] += until - since
                elif kind == "waking" and other in off and off[other][2] is None:
                    off[other][2] = time, f"t{tid};f{stack}"
            expected = "".join(f"{stack} {n}\n" for stack, n in sorted(sums.items()) if n)
            self.assertEqual(expected, self.fold("perf", events.text(), "--wakers"), seed)
            got = self.fold("perf", events.text(), "--wakers", "--wakeup", "-w", "wakers")
            self.assertEqual(expected, got)

    @unittest.skipUnless(HAS_PERF_DATA, "this build has no collapser perf-data")
    def test_recordings_have_the_same_stacks_of_wakers(self):
        for seed in range(4):
            text = self.good("collapse", "perf", "-q", "--wakers", stdin=Events(seed).text()).out
            got = self.good("collapse", "perf-data", "-q", "--wakers", "--addrs",
                            stdin=Events(seed).recording().file()).out
            got = re.sub(r"\[unknown <40000(\d)>\]", r"f\1", got)
            got = re.sub(r":(\d+);", r"t\1;", got)
            self.assertEqual(sorted(text.splitlines()), sorted(got.splitlines()))

    def test_time_on_and_off_the_processors_is_all_of_the_time(self):
        for seed in range(4):
            events = Events(seed)
            sums = collections.Counter()
            for (tid, _, _), value in folded_sums(self.fold("perf", events.text(),
                                                            "--wall-clock")).items():
                sums[tid] += value
            self.assertEqual(events.wall_clock(), dict(sums), f"seed {seed}")

    def test_samples_out_of_order_count_no_time_twice(self):
        text = "".join(f"app 1/1 [000] 0.{time:09}: cpu-clock:\n\t{APP:16x} f+0x0 (/bin/app)\n\n"
                       for time in (100, 500, 300, 700))
        text += "app 1/1 [000] 0.000000600: sched:sched_switch: prev_comm=app prev_pid=1 prev_prio=120 " \
                "prev_state=S ==> next_comm=x next_pid=2 next_prio=120\n" \
                f"\t{APP:16x} f+0x0 (/bin/app)\n\n" \
                "x 2/2 [000] 0.000000900: sched:sched_switch: prev_comm=x prev_pid=2 prev_prio=120 " \
                "prev_state=S ==> next_comm=app next_pid=1 next_prio=120\n" \
                f"\t{APP:16x} g+0x0 (/bin/x)\n\n"
        self.assertEqual("app;f 600\napp;f;[sleeping] 200\nx;g 300\n",
                         self.good("collapse", "perf", "-q", "--wall-clock", stdin=text).out)

    # ---- threads that end, and times that restart

    def switches(self, *facts, form="text"):
        """Records of switches: (time, thread, "in", "out" or "preempt"), with samples, ends and beginnings
        of threads, as the text of perf script or as a recording."""
        if form == "text":
            words = {"in": "SWITCH IN         ", "out": "SWITCH OUT        ", "preempt": "SWITCH OUT preempt",
                     "exit": "EXIT(1:{0}):(1:1)", "fork": "FORK(1:{0}):(1:1)"}
            return "".join(
                f"app 1/{tid} [000] 0.{time:09}: " +
                (f"cpu-clock:\n\t{APP:16x} f+0x0 (/bin/app)\n\n" if what == "sample" else
                 f"PERF_RECORD_{words[what].format(tid)}\n") for time, tid, what in facts)
        r = Recording(Event("cpu-clock", 1, 0, USUAL | IDENTIFIER | CPU, ids=[1]))
        for time, tid, what in facts:
            if what == "sample":
                r.sample(1, [IN_USER, APP], tid=tid & 0xffffffff, time=time)
            elif what == "exit":
                r.exit(1, 1, tid, time=time)
            elif what == "fork":
                r.fork(1, 1, tid, time=time)
            else:
                r.switched(time, tid & 0xffffffff, what != "in", pid=1, preempted=what == "preempt")
            r.round()
        return r.pipe()

    def off_sum(self, *facts, words=("--off-cpu",)):
        """The sum of the time off the processors, the same in both forms, and the messages of the text."""
        sums = []
        for form, name in (("perf-data", "data"), ("perf", "text")):
            if form == "perf-data" and not HAS_PERF_DATA:
                continue
            r = self.brazier("collapse", form, *words, stdin=self.switches(*facts, form=name))
            self.assertEqual(1 if r.out == "" else 0, r.code, r)
            sums.append(sum(int(line.rsplit(" ", 1)[1]) for line in r.out.splitlines()))
        self.assertEqual(1, len(set(sums)), sums)
        return sums[0], r.err

    def test_a_number_that_is_used_again_counts_without_a_record_of_its_beginning(self):
        end = [(90, 7, "fork"), (100, 7, "in"), (200, 7, "exit"), (210, 7, "out")]
        for again in ([(1000, 7, "in")], [(990, 7, "fork"), (1000, 7, "in")], []):
            total, err = self.off_sum(*end, *again, (1100, 7, "out"), (1400, 7, "in"), (1500, 7, "out"),
                                      (1600, 7, "in"))
            self.assertEqual(400, total, again)
            self.assertNotIn("left out", err)

    def test_a_thread_that_ends_may_be_preempted_before(self):
        total, err = self.off_sum((100, 7, "in"), (200, 7, "exit"), (210, 7, "preempt"), (260, 7, "in"),
                                  (300, 7, "out"))
        self.assertEqual(50, total)
        self.assertNotIn("never came back", err)

    def test_a_thread_that_begins_while_another_one_of_its_number_is_off_tears_an_interval(self):
        total, err = self.off_sum((100, 7, "in"), (200, 7, "out"), (300, 7, "fork"), (310, 7, "in"),
                                  (400, 7, "out"), (405, 7, "in"))
        self.assertEqual(5, total)
        self.assertIn("intervals off the processors whose end is not recorded are left out: 1\n", err)

    def test_threads_that_have_ended_share_a_number_and_have_no_intervals(self):
        """The kernel writes -1 for a thread whose number it has freed before its last switch."""
        total, err = self.off_sum((100, 7, "in"), (150, -1, "sample"), (200, -1, "out"), (300, -1, "out"),
                                  (400, -1, "preempt"), (500, -1, "in"), (600, -1, "out"), (700, 7, "out"),
                                  (705, 7, "in"), words=("--off-cpu", "--off-cpu-open"))
        self.assertEqual(5, total)
        self.assertNotIn("end is not recorded", err)

    def test_a_thread_that_has_ended_wakes_another_one(self):
        text = "".join(f"{who} {tid}/{tid} [000] 0.{time:09}: sched:sched_{fact}\n\t{APP:16x} {of}+0x0 (/bin/app)\n\n"
                       for time, who, tid, of, fact in (
                           (100, "app", 7, "wait", "switch: prev_comm=app prev_pid=7 prev_prio=1 prev_state=S ==> "
                            "next_comm=old next_pid=8 next_prio=1"),
                           (300, ":-1", -1, "do_exit", "waking: comm=app pid=7 prio=120 target_cpu=000"),
                           (400, ":-1", -1, "do_exit", "switch: prev_comm=old prev_pid=8 prev_prio=1 prev_state=X "
                            "==> next_comm=app next_pid=7 next_prio=1")))
        r = self.brazier("collapse", "perf", "--wakeup", stdin=text)
        self.assertEqual((0, "app;wait;--;do_exit;:-1 300\n"), (r.code, r.out), r.err)
        self.assertNotIn("not used", r.err)

    def test_each_interval_counts_or_is_reported_where_recordings_follow_each_other(self):
        """The time restarts: only the intervals at the seams are lost."""
        parts = ([(1000, 1, "in"), (1100, 1, "out"), (1300, 1, "in"), (1500, 2, "out"), (1900, 2, "in")],
                 [(1000, 1, "in"), (1400, 1, "out"), (1500, 2, "in"), (1600, 2, "out")])
        for first in parts:
            for second in parts:
                early = [(time - 900, *rest) for time, *rest in second]
                alone = [self.off_sum(*part)[0] for part in (first, early)]
                total, err = self.off_sum(*first, *early)
                self.assertEqual(sum(alone), total, (first, early))
                n_out = sum(what == "out" for _, _, what in (*first, *early))
                n_whole = 2 * (first is parts[0]) + 2 * (second is parts[0])
                lost = sum(int(n) for n in re.findall(r"(?:left out|processor): (\d+)", err)
                           ) - sum(int(n) for n in re.findall(r"before the recording are left out: (\d+)", err))
                self.assertEqual(n_out - n_whole, lost, err)

    def test_records_of_switches_in_the_text_have_the_stacks_of_samples(self):
        text = self.switches((100, 7, "sample"), (200, 7, "preempt"), (350, 7, "in"), (400, 7, "out"),
                             (700, 7, "in"), (800, 8, "out"), (900, 8, "in"))
        self.assertEqual("app;[unknown];[blocked] 100\napp;f;[blocked] 300\napp;f;[preempted] 150\n",
                         self.good("collapse", "perf", "-q", "--off-cpu", "--states", stdin=text).out)
        self.assertEqual("app;f 1\n", self.good("collapse", "perf", "-q", stdin=text).out)
        lost = text.replace("app 1/7 [000] 0.000000700", "app 1/7 [000] 0.000000650: PERF_RECORD_LOST lost 3\n"
                            "app 1/7 [000] 0.000000700")
        self.assertEqual("app;[unknown] 100\napp;f 150\n",
                         self.good("collapse", "perf", "-q", "--off-cpu", stdin=lost).out)

    def test_events_at_switches_give_the_stacks_in_the_text(self):
        text = f"app 1/7 [000] 0.000000100: cpu-clock:\n\t{APP:16x} f+0x0 (/bin/app)\n\n" \
               f"app 1/7 [000] 0.000000200: context-switches:\n\t{APP:16x} wait+0x0 (/bin/app)\n\n" + \
               self.switches((201, 7, "out"), (301, 7, "in"))
        self.assertEqual("app;wait 100\n", self.good("collapse", "perf", "-q", "--off-cpu", stdin=text).out)

    # ---- wakers

    @unittest.skipUnless(HAS_PERF_DATA, "this build has no collapser perf-data")
    def test_an_interrupt_stands_for_itself(self):
        kernel = 0xffffffff81000000
        self.write("kallsyms", "".join(f"{kernel + at:x} T {name}\n" for at, name in (
            (0, "_text"), (0x100, "try_to_wake_up"), (0x200, "sysvec_apic_timer_interrupt"),
            (0x300, "asm_sysvec_apic_timer_interrupt"), (0x400, "vfs_read"), (0x500, "__schedule"))))
        r = Events(0, n=0).recording()
        r.mmap(perf_data.KERNEL_PID, kernel, 0x1000000, "[kernel.kallsyms]_text", kernel, 0,
               perf_data.KERNEL_MODE)
        r.comm(10, "app")
        r.comm(20, "other")
        entered = [kernel + at + 4 for at in (0x200, 0x300, 0x400)]
        for time, chain in ((100, entered), (300, entered[2:])):
            r.sched_switch(time, 10, 20, [IN_KERNEL, kernel + 0x504])
            r.sched_waking(time + 50, 20, 10, [IN_KERNEL, kernel + 0x104, *chain])
            r.sched_switch(time + 100, 20, 10, [IN_KERNEL, kernel + 0x504], state=0x100)
        r.describe()
        self.write("p.data", r.file())
        out = self.good("collapse", "perf-data", "p.data", "--wakeup", "--kallsyms", "kallsyms", "-q").out
        self.assertEqual([
            "app;__schedule;--;try_to_wake_up;sysvec_apic_timer_interrupt;"
            "asm_sysvec_apic_timer_interrupt;[interrupt] 100",
            "app;__schedule;--;try_to_wake_up;vfs_read;other 100", "other;__schedule 100"],
            sorted(out.splitlines()))

    # ---- labels and columns

    def test_the_state_is_a_label(self):
        text = Events(1).text()
        grouped = self.good("run", "--from", "perf", "-", "--off-cpu", "--group-by", "state", "-t",
                            "folded", "-q", stdin=text).out
        states = {line.split(";")[0] for line in grouped.splitlines()}
        self.assertEqual({"state: S (sleeping)", "state: D (disk sleep)", "state: R (preempted)",
                          "state: R (runnable)"}, states)
        only = self.good("run", "--from", "perf", "-", "--off-cpu", "--only", "state=^D", "-t", "folded",
                         "-q", stdin=text).out
        sums = Events(1).off_cpu()
        self.assertEqual(sum(v for k, v in sums.items() if k[2] == "disk sleep"),
                         sum(int(line.rsplit(" ", 1)[1]) for line in only.splitlines()))

    def test_the_events_are_columns_beside_the_time(self):
        out = self.good("run", "--from", "perf", "-", "--off-cpu", "--event", "all", "-w", "cpu-clock",
                        "-t", "folded", "-q", stdin=Events(2).text()).out
        expected = sum(1 for f in Events(2).facts if f[1] == "clock")
        self.assertEqual(expected, sum(int(line.rsplit(" ", 1)[1]) for line in out.splitlines()))

    def test_one_thread_reads_the_whole_input(self):
        """Several threads share a stream of this size unless its order matters: the host cuts it after
        128 MiB even if it finds no boundary."""
        text = Events(3).text()
        middle = text.index("\n\n", len(text) // 2) + 2
        nothing = b"# nothing\n" * 100000
        with gzip.open(self.dir / "p.txt.gz", "wb", compresslevel=1) as f:
            f.write(text[:middle].encode())
            for _ in range(140):
                f.write(nothing)
            f.write(text[middle:].encode())
        self.assertEqual(self.good("collapse", "perf", "-q", "--off-cpu", stdin=text).out,
                         self.good("collapse", "perf", "-q", "--off-cpu", "-j4", "p.txt.gz").out)

    def test_pieces_of_the_input_do_not_matter(self):
        events = Events(3)
        self.write("p.txt", "".join(re.sub(r" 0\.", f" {i}.", events.text()) for i in range(12)))
        alone = self.good("collapse", "perf", "-q", "--off-cpu", "-j1", "p.txt").out
        self.assertGreater(sum(folded_sums(alone).values()), 11 * sum(events.off_cpu().values()))
        for way in (["-j4", "--range-size", "4096", "p.txt"], ["-j4", "--range-size", "4096", "-"]):
            stdin = (self.dir / "p.txt").read_bytes() if way[-1] == "-" else None
            self.assertEqual(alone, self.good("collapse", "perf", "-q", "--off-cpu", *way,
                                              stdin=stdin).out)


if __name__ == "__main__":
    common.main()

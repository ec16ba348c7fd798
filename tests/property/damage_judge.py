#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that the judge of damaged inputs (damage_judgement.py) condemns defects, and excuses what a format cannot tell
in that format only.

Each test has an input in a small format, whose stacks have a line with the process and the weight and then a line for
each frame from leaf to root, a damage to it, and a result.
"""
import collections
import unittest
from decimal import Decimal

import damage_messages
from damage_judgement import judge
from damage_verdicts import FRAME_LOST, JOINED, LOST, MISCOUNTED, MOVED, SPREAD, UNKNOWN, UNSTATED
from damages import BYTE, CUT, DROP, DROPS, Damage

Case = collections.namedtuple("Case", "data stacks told document")

APP = "app;start;main;outer;inner;work;leaf"
WEB = "web;begin;listen;serve;accept;parse;read"
DB = "db;boot;server;loop;query;plan;scan"
STACKS = {APP: 10, WEB: 20, DB: 40}


def block_of(stack, weight):
    process, *frames = stack.split(";")
    return f"{process} {weight}\n" + "".join(f"\t{frame}\n" for frame in reversed(frames))


DATA = "\n".join(block_of(stack, weight) for stack, weight in STACKS.items()).encode()
# The first lines of the blocks.
OF_APP, OF_WEB, OF_DB = 1, 9, 17
FORMAT = "small"


def stacks_of(weights):
    return collections.Counter({tuple(stack.split(";")): Decimal(weight) for stack, weight in weights.items()})


def without(*stacks, others=()):
    """Returns the stacks without some, and with others."""
    return {**{stack: weight for stack, weight in STACKS.items() if stack not in stacks}, **dict(others)}


def line_of(number):
    return DATA.splitlines(keepends=True)[number - 1]


def start_of(number):
    return sum(map(len, DATA.splitlines(keepends=True)[:number - 1]))


def changed(number, old, new, numeric=False):
    """Damages bytes of a line."""
    line = line_of(number).rstrip(b"\n")
    made = line.replace(old, new)
    start = start_of(number)
    return Damage("", DATA[:start] + made + DATA[start + len(line):], line, made, start, number, BYTE, numeric)


def dropped(first, last):
    """Drops lines."""
    start, end = start_of(first), start_of(last + 1)
    n = last + 1 - first
    return Damage("", DATA[:start] + DATA[end:], DATA[start:end], b"", start, first, DROP if n == 1 else DROPS,
                  frames=n + 1, lines=n)


def cut(number):
    """Cuts off the end, from a line on."""
    start = start_of(number)
    line = line_of(number).rstrip(b"\n")
    return Damage("", DATA[:start], line, b"", start, number, CUT, lines=DATA.count(b"\n", start))


def warning(line, text="not a frame: left out"):
    return f"stdin:{line}:1: warning: {text}\n"


def note(records, weight=None):
    known = "" if weight is None else f", weight {weight}"
    unknown = " of unknown weight" if weight is None else ""
    return f"brazier: note: left out: {records} record{'s' * (records > 1)}{known}{unknown}\n"


def judged(damage, after, messages="", format_=FORMAT, before=STACKS, data=DATA, sound=""):
    """Returns the verdicts."""
    case = Case(data, stacks_of(before), damage_messages.parse(sound), None)
    return judge(format_, case, damage, stacks_of(after), damage_messages.parse(messages))


OTHER_NAME = changed(OF_WEB, b"web", b"#eb")
OTHER_NUMBER = changed(OF_APP, b"10", b"19", numeric=True)
# A frame without its line, and the stack without the frame.
NO_FRAME, SHORTER = changed(OF_APP + 4, b"\touter", b"#"), "app;start;main;inner;work;leaf"
# The end of one stack, and the first line of the next one.
BETWEEN = dropped(OF_WEB - 3, OF_WEB)


class Defects(unittest.TestCase):
    """Changes that are defects in each format."""

    def test_a_stack_is_lost_without_a_message(self):
        self.assertEqual(judged(OTHER_NAME, without(WEB)), [LOST])

    def test_a_message_far_from_the_damage_does_not_excuse_a_lost_stack(self):
        self.assertEqual(judged(changed(OF_APP, b"app", b"#pp"), without(APP), warning(OF_DB)), [LOST])

    def test_a_frame_is_lost_without_a_message(self):
        self.assertEqual(judged(NO_FRAME, without(APP, others={SHORTER: 10})), [FRAME_LOST])

    def test_a_stack_is_one_that_no_record_has(self):
        after = without(WEB, others={"web;query;plan;loop;scan": 15})
        self.assertEqual(judged(OTHER_NAME, after), [JOINED])
        self.assertEqual(judged(OTHER_NAME, after, warning(OF_WEB)), [MOVED])

    def test_a_record_has_other_frames_without_a_message(self):
        self.assertEqual(judged(OTHER_NAME, without(WEB, others={"web;query;plan;loop;scan": 20})), [JOINED])

    def test_a_weight_moves_to_the_stack_of_another_record(self):
        self.assertEqual(judged(OTHER_NAME, {APP: 30, DB: 40}), [JOINED])

    def test_several_records_are_lost(self):
        self.assertEqual(judged(OTHER_NAME, {DB: 40}, warning(OF_WEB) + note(2, 30)), [SPREAD])

    def test_the_reported_weight_is_another_one(self):
        self.assertEqual(judged(OTHER_NAME, without(WEB), warning(OF_WEB) + note(1, 2)), [MISCOUNTED])

    def test_a_weight_is_reported_and_nothing_is_lost(self):
        self.assertEqual(judged(OTHER_NAME, STACKS, warning(OF_WEB) + note(1, 2)), [MISCOUNTED])

    def test_no_weight_is_reported(self):
        self.assertEqual(judged(OTHER_NAME, without(WEB), warning(OF_WEB)), [UNSTATED])

    def test_a_weight_is_unknown_that_is_not_in_the_line(self):
        damage = changed(OF_WEB + 1, b"read", b"#")
        self.assertEqual(judged(damage, without(WEB), warning(OF_WEB + 1) + note(1)), [UNKNOWN])

    def test_another_number_makes_no_stack_of_other_frames(self):
        self.assertEqual(judged(OTHER_NUMBER, {**STACKS, "app;query;plan;loop": 5}), [JOINED])

    def test_a_stack_is_lost_that_dropped_lines_do_not_name(self):
        self.assertEqual(judged(dropped(OF_WEB, OF_WEB + 6), without(APP, WEB)), [LOST])

    def test_a_joined_stack_takes_frames_of_a_third_one(self):
        after = without(APP, WEB, others={"web;boot;server;loop;query;plan;scan;inner;work;leaf": 30})
        self.assertEqual(judged(BETWEEN, after), [JOINED])

    def test_a_part_of_a_stack_is_no_other_frame(self):
        self.assertEqual(judged(cut(OF_DB + 2), without(DB, others={"other": 40})), [JOINED])


class Excuses(unittest.TestCase):
    """Changes that are none."""

    def test_a_name_is_another_one(self):
        after = without(APP, others={APP.replace("outer", "#uter"): 10})
        self.assertEqual(judged(changed(OF_APP + 4, b"outer", b"#uter"), after), [])

    def test_a_name_is_another_one_in_stacks_that_are_alike(self):
        before = {"main;fill;get": 4, "other;fill;get": 2, "fill;get": 1}
        after = {stack.replace("fill", " ill"): weight for stack, weight in before.items()}
        self.assertEqual(judged(NO_FRAME, after, before=before), [])

    def test_two_names_are_other_ones(self):
        before = {"main;fill;get": 4, "other;fill;get": 2, "fill;get": 1}
        after = {"main;x;get": 4, "other;y;get": 2, "y": 1}
        self.assertEqual(judged(NO_FRAME, after, before=before), [FRAME_LOST])

    def test_a_record_is_lost_with_its_weight(self):
        self.assertEqual(judged(OTHER_NAME, without(WEB), warning(OF_WEB) + note(1, 20)), [])

    def test_a_weight_is_unknown_that_the_damaged_line_has(self):
        damage = changed(OF_WEB, b"20", b"20#")
        self.assertEqual(judged(damage, without(WEB), warning(OF_WEB) + note(1)), [])

    def test_a_frame_is_lost_with_a_message(self):
        self.assertEqual(judged(NO_FRAME, without(APP, others={SHORTER: 10}), warning(OF_APP + 4)), [])

    def test_a_number_is_another_one(self):
        self.assertEqual(judged(OTHER_NUMBER, {**STACKS, APP: 19}), [])

    def test_dropped_lines_have_what_is_lost(self):
        self.assertEqual(judged(dropped(OF_WEB, OF_WEB + 7), without(WEB)), [])

    def test_two_stacks_are_one_where_lines_are_gone(self):
        after = without(APP, WEB, others={WEB + ";outer;inner;work;leaf": 10})
        self.assertEqual(judged(BETWEEN, after), [])

    def test_the_stack_where_the_input_ends_is_a_part(self):
        self.assertEqual(judged(cut(OF_DB + 2), without(DB, others={"db;plan;scan": 40})), [])


class ExcusesOfFormats(unittest.TestCase):
    """Changes that are defects, but in the formats that the judge lists for them."""

    def assert_only(self, formats, verdicts, *args, **names):
        for format_ in formats:
            self.assertEqual(judged(*args, **names, format_=format_), [], format_)
        self.assertEqual(judged(*args, **names), verdicts)

    def test_the_rows_of_a_cut_call_tree_have_the_rest_of_their_totals(self):
        self.assert_only(["instruments", "pmc"], [JOINED], cut(OF_DB + 3),
                         without(DB, others={"db": 30, "db;boot;server": 10}))

    def test_a_cut_call_tree_has_no_rests_of_two_stacks(self):
        after = without(DB, WEB, others={"db;boot": 10, "web": 50})
        self.assertEqual(judged(cut(OF_DB + 3), after, format_="instruments"), [JOINED])

    def test_a_caller_has_the_rest_of_another_total(self):
        self.assert_only(["d3", "instruments", "pyinstrument"], [JOINED], OTHER_NUMBER, {**STACKS, "app": 9})

    def test_a_caller_that_no_stack_has_gets_no_rest_of_a_total(self):
        self.assertEqual(judged(OTHER_NUMBER, {**STACKS, "app;query": 9}, format_="d3"), [JOINED])

    def test_the_process_may_be_that_of_the_stack_above(self):
        after = without(APP, WEB, others={WEB.replace("web", "app") + ";outer;inner;work;leaf": 10})
        self.assert_only(["bpftrace", "perf"], [JOINED], BETWEEN, after)

    def test_frames_may_be_those_of_the_event_above(self):
        after = without(APP, WEB, others={APP + ";begin;listen;serve;accept": 10})
        self.assert_only(["bpftrace"], [JOINED], dropped(OF_WEB - 1, OF_WEB), after)

    def test_records_that_were_left_out_may_be_among_the_lines_that_are_gone(self):
        self.assert_only(["perf"], [MISCOUNTED], dropped(OF_WEB, OF_WEB + 7), without(WEB),
                         warning(OF_WEB) + note(1, 3), sound=note(2, 8))

    def test_not_more_than_was_left_out_may_be_missing(self):
        messages = warning(OF_WEB) + note(3, 50)
        self.assertEqual(judged(dropped(OF_WEB, OF_WEB + 7), without(WEB), messages, format_="perf", sound=note(2, 8)),
                         [MISCOUNTED])

    def test_frames_with_short_names_are_looked_for_as_a_whole(self):
        data = b"at a.C.g\nat a.B.f\nat main.C.g\nat a.B.h\n"
        damage = Damage("", data[:9], b"at a.B.f", b"", 9, 2, DROPS, lines=1)
        before, after = {"a.B.f;a.C.g.main": 1, "x": 1}, {"x": 1}
        self.assertEqual(judged(damage, after, before=before, data=data, format_="java-exceptions"), [])
        self.assertEqual(judged(damage, after, before=before, data=data), [LOST])


if __name__ == "__main__":
    unittest.main()

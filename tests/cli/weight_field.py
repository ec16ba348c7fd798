# SPDX-License-Identifier: MIT
"""Tests weights that are fields of events: --weight-field."""
import unittest

import common

STACK = "\t    7f0000001234 main+0x10 (/usr/bin/app)\n\n"
EVENTS = "".join(f"app  1234 [001]  100.{i:06}: kmem:kmalloc: ptr=0x{i:x}0 bytes_req={i} bytes_alloc={8 * i}\n" + STACK
                 for i in range(1, 5))
OTHER = "app  1234 [001]  101.000000: sched:sched_waking: comm=app pid=77 prio=120\n" + STACK


class WeightField(common.Case):
    def test_each_field_is_a_weight_beside_the_count_of_samples(self):
        self.write("p.txt", EVENTS)
        for weight, total in (("kmem:kmalloc", 4), ("kmem:kmalloc.bytes_req", 10), ("kmem:kmalloc.bytes_alloc", 80)):
            r = self.good("collapse", "perf", "--weight-field", "bytes_req,bytes_alloc", "-w", weight, "p.txt")
            self.assertEqual(f"app;main {total}\n", r.out)

    def test_the_first_field_is_shown(self):
        self.write("p.txt", EVENTS)
        r = self.good("collapse", "perf", "--weight-field", "bytes_alloc", "--weight-field", "bytes_req", "p.txt")
        self.assertEqual("app;main 80\n", r.out)

    def test_an_output_with_all_weights_has_those_of_fields(self):
        self.write("p.txt", EVENTS)
        self.good("run", "p.txt", "--weight-field", "bytes_req,bytes_alloc", "-o", "p.pb.gz")
        for weight, total in (("kmem:kmalloc", 4), ("kmem:kmalloc.bytes_req", 10), ("kmem:kmalloc.bytes_alloc", 80)):
            self.assertEqual(f"app;main {total}\n", self.good("collapse", "pprof", "-w", weight, "p.pb.gz").out)

    def test_a_configuration_names_fields(self):
        self.write("p.txt", EVENTS)
        self.write(".brazier.yaml", "pipelines:\n  default:\n    collapse: {use: perf, options: {weight-field: [bytes_req]}}\n"
                                    "    outputs:\n      - {use: folded, to: out.folded}\n")
        self.good("run", "p.txt")
        self.assertEqual("app;main 10\n", self.read("out.folded"))

    def test_an_unknown_field_names_the_nearest_one_and_leaves_no_file(self):
        self.write("p.txt", EVENTS)
        r = self.fails(1, "run", "p.txt", "--weight-field", "bytes_aloc", "-o", "p.svg")
        self.assertIn("no counted sample has a number in the field 'bytes_aloc' (did you mean 'bytes_alloc'?); fields "
                      "with numbers: bytes_alloc, bytes_req, ptr", r.err)
        self.assertFalse((self.dir / "p.svg").exists())

    def test_an_event_that_is_left_out_is_named_if_it_has_the_field(self):
        self.write("p.txt", OTHER + EVENTS)
        r = self.fails(1, "run", "p.txt", "--weight-field", "bytes_req", "-o", "p.svg")
        self.assertIn("the event 'kmem:kmalloc' has it (event-filter or event=all counts it)", r.err)

    def test_text_without_payloads_says_what_to_do(self):
        self.write("p.txt", "app  1234 [001]  100.000001: 100 cycles:\n" + STACK)
        r = self.fails(1, "run", "p.txt", "--weight-field", "bytes_req", "-o", "p.svg")
        self.assertIn("record a tracepoint", r.err)

    def test_an_input_without_samples_says_so(self):
        self.write("p.txt", "# only a comment\n")
        r = self.fails(1, "collapse", "perf", "--weight-field", "bytes_req", "p.txt")
        self.assertEqual("brazier: error: p.txt: no samples in it\n", r.err)

    def test_words_that_are_no_fields_are_bad_usage(self):
        self.write("p.txt", EVENTS)
        many = ",".join(f"f{i}" for i in range(17))
        for word in ("", "1a", "a,,b", "a b", many):
            with self.subTest(word=word):
                r = self.fails(2, "collapse", "perf", "--weight-field", word, "p.txt")
                self.assertIn("weight-field", r.err)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests inputs in another format, and inputs without samples, under the names of other tools."""
import re
import unittest

import common
import tools


@unittest.skipUnless(tools.FOLDER.exists(), "built without the names of other tools")
class Foreign(tools.ToolCase):
    # Inputs without samples in the tool's own format, by format.
    WITHOUT_SAMPLES = {
        "perf": "# ========\n# cmdline : perf record\n#\n",
        "dtrace": 'dtrace: description "profile-997" matched 1 probe\n'
                  "CPU     ID                    FUNCTION:NAME\n\n",
        "xctrace": '<?xml version="1.0"?>\n<trace-query-result>\n</trace-query-result>\n',
        "ghcprof": "\tMon Jan 1 10:00 2024 Time and Allocation Profiling Report  (Final)\n\n"
                   "\tCOST CENTRE MODULE    SRC   %time %alloc\n\n",
        "sample": "Analysis of sampling a (pid 1) every 1 millisecond\nProcess: a [1]\n",
        "vsprof": "Level,Function Name,Number of Calls,Elapsed Inclusive Time %,Elapsed Exclusive "
                  "Time %,Avg Elapsed Inclusive Time,Avg Elapsed Exclusive Time,Module Name,\n",
        "vtune": "Function Stack,CPU Time:Self,Module\n",
        "bpftrace": "Attaching 1 probe...\n\n",
        "xdebug": "Version: 3.1\nFile format: 4\nTRACE START [2024-01-01 00:00:00.000000]\n"
                  "TRACE END   [2024-01-01 00:00:00.000000]\n",
        "recursive": "# a comment\n",
        "chrome-trace": '{"traceEvents": []}\n',
        "eu-stack": "PID 812 - process\nTID 812:\n",
        "gdb": "Thread 1 (LWP 5):\n",
        "instruments": "Weight\tSelf Weight\t\tSymbol Name\n",
        "jstack": "Full thread dump OpenJDK 64-Bit Server VM (17 mixed mode):\n",
        "pmc": "@ cycles [0 samples]\n",
    }
    # Formats without a text that has no samples.
    WITHOUT_SAMPLES |= dict.fromkeys(("aix", "faulthandler", "go", "java-exceptions", "ljp", "stap", "wcp"), "\n")
    # The format of each tool that reads only one.
    COLLAPSERS = {name: re.split("[-.]", name)[-1 if name in tools.LINKS else 1]
                  for name in tools.NAMES if re.match("inferno-collapse-(?!guess)|stackcollapse-", name)}
    COLLAPSERS |= {
        "stackcollapse.pl": "dtrace",
        "stackcollapse-chrome-tracing.py": "chrome-trace",
        "stackcollapse-elfutils.pl": "eu-stack",
        "stackcollapse-ibmjava.pl": "jstack",
        "stackcollapse-java-exceptions.pl": "java-exceptions",
        "stackcollapse-perf-sched.awk": "perf",
        "stackcollapse-vtune-mc.pl": "vtune",
    }

    def test_an_input_in_another_format_is_an_error_under_each_name(self):
        foreign = {"text": b"hello world\nno profile\n\nat all\n", "one": b"x",
                   "binary": bytes(range(256)) * 20, "json": b'{"a": 1}\n', "xml": b"<a/>\n",
                   "html": b"<!doctype html><title>404</title><p>not found\n"}
        for name in foreign:
            self.write(name, foreign[name])
        for tool in set(tools.NAMES) - set(tools.HELPERS):
            for name in foreign:
                files = [name] * (2 if "diff" in tool else 1)
                r = self.call(tool, *files)
                status = 2 if tool in ("flamegraph.pl", "stackcollapse-sample.awk") else 1
                self.assertEqual((status, ""), (r.code, r.out), r)
                self.assertIn("error: ", r.err, r)

    def test_another_tools_input_is_an_error(self):
        for tool, own in self.COLLAPSERS.items():
            for other, text in self.WITHOUT_SAMPLES.items():
                if other == own or text.startswith("#") or text.isspace() or \
                        {own, other} <= {"perf", "bpftrace"}:
                    continue
                r = self.call(tool, stdin=text)
                if r.out == "":  # a line of one format can be a stack of another
                    self.assertIn(r.code, (1, 2), r)

    def test_an_input_of_the_format_without_samples_is_an_empty_output(self):
        for tool, own in self.COLLAPSERS.items():
            for text in ("", "\n\n", self.WITHOUT_SAMPLES[own]):
                r = self.call(tool, stdin=text)
                self.assertEqual((0, ""), (r.code, r.out), r)


if __name__ == "__main__":
    common.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that invalid words end with status 2 and suggest the nearest valid word."""
import os
import re
import signal
import subprocess

import common
from lib.brazier import IS_EXHAUSTIVE, run


class Usage(common.Case):
    def assert_usage(self, words, *args, **more):
        r = self.fails(2, *args, **more)
        for word in words if isinstance(words, (list, tuple)) else [words]:
            self.assertIn(word, r.err, r)
        self.assertEqual("", r.out, r)
        return r

    # ---- commands ----

    def test_without_a_command_all_are_listed(self):
        r = self.brazier()
        self.assertEqual((2, ""), (r.code, r.out), r)
        for command in common.COMMANDS:
            self.assertIn(f"  {command} ", r.err)

    def test_a_misspelt_command_gets_a_suggestion(self):
        for typed, meant in (("runn", "run"), ("colapse", "collapse"), ("falmegraph", "flamegraph"),
                             ("gues", "guess"), ("plugins", "plugin"), ("conifg", "config")):
            self.assert_usage([f"'{typed}'", f"'{meant}'"], typed)

    def test_a_word_that_is_near_to_nothing_is_referred_to_the_list(self):
        self.assert_usage(["'xylophone'", "brazier --help"], "xylophone")

    def test_another_programs_word_for_a_command_gets_ours_as_a_suggestion(self):
        for typed, meant in (("show", "view"), ("fold", "collapse"), ("compare", "diff"),
                             ("version", "--version"), ("formats", "plugin list"),
                             ("profile", "record")):
            self.assert_usage([f"'{typed}'", f"did you mean '{meant}'?"], typed)

    def test_cargo_has_a_command_of_its_own(self):
        self.assert_usage(["no command 'cargo'", "cargo brazier"], "cargo")

    def test_help_that_cannot_be_written_says_why(self):
        for words in (["--help"], ["--version"], ["guess", "--help"]):
            with open("/dev/full", "wb") as full:
                p = subprocess.run([common.BRAZIER, *words], stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual((1, "brazier: error: stdout: cannot be written: No space left on device\n"),
                             (p.returncode, p.stderr), words)

    def test_a_reader_that_has_seen_enough_ends_the_program_silently(self):
        """As with `brazier --help | head`."""
        for words in (["--help"], ["run", "--help"], ["plugin", "list"], ["config", "schema"]):
            p = self.start(*words, preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_DFL))
            p.stdout.close()
            self.assertEqual(b"", p.stderr.read(), words)
            p.stdin.close()
            p.stderr.close()
            self.assertIn(p.wait(), (0, -signal.SIGPIPE))

    def offered(self, *words):
        """Returns the options of components that --help lists, each with the values to try."""
        found = {}
        text = self.good(*words, "--help").out
        for part in re.findall(r"^Options of the .*:\n((?:.+\n)*)", text, re.M):
            for name, value in re.findall(r"^ +--(?:\[no-\])?([\w-]+)(?: (\S+))?", part, re.M):
                found[name] = value.split("|") if "|" in value else [] if value else None
        return found

    def assert_accepted(self, *words):
        for option, values in self.offered(*words).items():
            tried = [[f"--{option}"], [f"--no-{option}"]] if values is None else \
                [form for value in values for form in ([f"--{option}={value}"], [f"--{option}", value])]
            for form in tried:
                r = run(["--no-config", *words, "-o", self.dir / "out", *form])
                self.assertNotEqual(2, r.returncode, (words, form, r.stderr))

    def test_every_word_that_help_offers_is_accepted(self):
        one = self.write("in.folded", common.STACKS)
        two = self.write("two.folded", "a;b 1 2\n")
        outputs, palettes = self.components("output"), self.components("palette")
        for output in outputs if IS_EXHAUSTIVE else outputs[::2]:
            self.assert_accepted("run", one, "--to", output)
        for palette in palettes if IS_EXHAUSTIVE else palettes[::3]:
            self.assert_accepted("run", one, "--to", "svg", "--palette", palette)
        self.assert_accepted("run", two, "--to", "svg")
        self.assert_accepted("flamegraph", one)
        self.assert_accepted("diff", one, one)

    def test_colours_of_a_comparison_have_the_option_of_their_palette(self):
        """It has the name by which other tools choose a palette."""
        self.write("two.folded", "a;b 1 2\n")
        wanted = self.good("run", "two.folded", "-t", "svg", "--set", "diff.colors=orange-blue").out
        for command in ("run", "flamegraph"):
            self.assertEqual(wanted, self.good(command, "two.folded", "-t", "svg", "--colors", "orange-blue").out)
        self.assert_usage("'orange-bleu'", "run", "two.folded", "-t", "svg", "--colors", "orange-bleu")

    def test_a_file_needs_no_command(self):
        self.write("perf.txt", common.PERF)
        wanted = self.good("run", "perf.txt", "-t", "folded").out
        self.assertEqual(common.PERF_STACKS, wanted)
        for words in (["perf.txt", "-t", "folded"], ["-t", "folded", "perf.txt"],
                      ["-tfolded", "--", "perf.txt"], ["-q", "./perf.txt", "--to=folded"]):
            self.assertEqual(wanted, self.good(*words).out, words)
        self.assertEqual(wanted, self.good("-", "-tfolded", stdin=common.PERF).out)
        self.assertEqual(wanted, self.good("-tfolded", stdin=common.PERF).out)
        self.assertTrue(self.good("perf.txt", "--help").out.startswith("usage: brazier run "))

    def test_a_command_wins_over_a_file_of_its_name(self):
        self.write("guess", common.STACKS)
        self.assertEqual("guess: folded (70)\n", self.good("guess", "guess").out)
        self.assertEqual(common.STACKS, self.good("./guess", "-tfolded").out)
        self.assert_usage("'-t' precedes the command", "-t", "folded", "guess")

    def test_a_word_that_is_no_file_and_near_to_no_command(self):
        self.assert_usage(["no command and no file 'perf.txt'", "brazier --help"], "perf.txt")
        self.assert_usage(["no command and no file 'perf.txt'"], "-o", "x.svg", "perf.txt")
        self.assert_usage(["'colapse'", "'collapse'"], "-o", "x.svg", "colapse")
        self.assertEqual([], self.files())

    def test_a_misspelt_subcommand_gets_a_suggestion(self):
        self.assert_usage(["'plugin lst'", "'list'"], "plugin", "lst")
        self.assert_usage(["'config chek'", "'check'"], "config", "chek")

    def test_the_message_on_a_missing_subcommand_lists_all(self):
        self.assert_usage(["brazier plugin needs a command: ", "list", "info", "why"], "plugin")
        self.assert_usage(["brazier config needs a command: ", "check", "show", "schema", "init"], "config")

    def test_a_subcommand_that_needs_a_word_says_so(self):
        self.assert_usage("which one?", "plugin", "info")
        self.assert_usage("which one?", "plugin", "why")
        self.assert_usage("which format?", "collapse")

    def test_a_word_too_many_is_reported(self):
        self.assert_usage("too many", "config", "show", "a", "b")
        self.assert_usage("too many", "config", "check", "a", "b")
        self.assert_usage("too many", "config", "init", "a", "b")
        self.assert_usage("takes no", "config", "schema", "a")
        self.assert_usage("takes no", "plugin", "list", "perf")
        self.assert_usage("perf", "plugin", "info", "folded", "perf")

    # ---- options ----

    def test_no_file_is_named_after_standard_output(self):
        self.assert_usage("--directory: '-' is not the name of a folder", "plugin", "new", "x", "--kind", "palette", "--directory", "-")
        self.assert_usage("--junit: '-' is not the name of a file", "plugin", "check", "hot", "--junit", "-")
        self.assertEqual([], self.files())

    def test_a_misspelt_option_gets_a_suggestion(self):
        self.assert_usage(["'--ouput'", "'--output'"], "run", "--ouput", "x")
        for command in ("run", "flamegraph"):
            self.assert_usage(["'--titel'", "'--title'"], command, "--titel", "x")
        self.assert_usage(["'--titel'", "'--title'"], "merge", "a", "-o", "x.svg", "--titel", "x")
        self.assert_usage(["'--kernl'", "'--kernel'"], "collapse", "perf", "--kernl")
        self.assert_usage(["'--versoin'", "'--version'"], "--versoin")
        self.assert_usage(["'--quite'", "'--quiet'"], "plugin", "list", "--quite")
        self.assert_usage("'--jsn'", "plugin", "list", "--jsn")
        self.assert_usage("'--what'", "guess", "--what")
        self.assert_usage("'--what'", "config", "check", "--what")

    def test_an_unknown_letter_is_reported(self):
        self.assert_usage("'-x'", "run", "-x")
        self.assert_usage("'-x'", "flamegraph", "-qx")

    def test_one_dash_before_a_long_option(self):
        self.assertEqual(self.good("--help").out, self.good("-help").out)
        self.assertEqual(self.good("--version").out, self.good("run", "-version").out)
        self.assert_usage(["'-reverse'", "'--reverse'"], "run", "-reverse")
        self.assert_usage(["'-i' in '-inverted'", "two dashes"], "run", "-inverted")
        self.good("run", "-vqtfolded", stdin=common.STACKS)

    def test_an_option_without_its_value_is_reported(self):
        self.assert_usage("--output needs a value", "run", "--output")
        self.assert_usage("--output needs a value", "run", "-o")
        self.assert_usage("--config needs a value", "run", "--config")
        self.assert_usage("--title needs a value", "flamegraph", "--title")

    def test_a_value_for_an_option_that_takes_none_is_reported(self):
        self.assert_usage("--reverse takes no value", "run", "--reverse=yes")
        self.assert_usage("--quiet takes no value", "run", "--quiet=yes")

    def test_numbers_are_read_to_their_end(self):
        for bad in ("x", "2x", "-1", "1025", "", " 3", "+3", "99999999999999999999"):
            self.assert_usage("--jobs takes a number", "run", f"--jobs={bad}", stdin=common.STACKS)
        for bad in ("0", "4G", "-5"):
            self.assert_usage("--chunk-size takes", "run", f"--chunk-size={bad}",
                              stdin=common.STACKS)

    def test_settings_have_a_component_an_option_and_a_value(self):
        for bad in ("title=x", "svg.title", "=x", "svg.=x", ".title=x", "svg"):
            self.assert_usage("COMPONENT.OPTION=VALUE", "run", "--set", bad, stdin=common.STACKS)

    def test_a_setting_for_nothing_in_the_run_is_reported(self):
        self.assert_usage(["'xyz'"], "run", "--set", "xyz.title=1", stdin=common.STACKS)
        self.assert_usage(["'titel'", "'title'"], "run", "-f", "folded", "--set", "svg.titel=1",
                          stdin=common.STACKS)

    def test_a_setting_with_a_question_mark_may_be_for_nothing_in_the_run(self):
        self.good("run", "-t", "folded", "--set", "?vtune.round=true", stdin=common.STACKS)
        self.assert_usage(["a whole number"], "flamegraph", "--set", "?svg.width=wide",
                          stdin=common.STACKS)
        self.assert_usage(["'titel'", "'title'"], "flamegraph", "--set", "?svg.titel=x",
                          stdin=common.STACKS)

    def test_the_message_on_a_value_of_the_wrong_type_says_what_is_wanted(self):
        for option, bad, wanted in (("width", "wide", "a whole number"), ("width", "-3", "0"),
                                    ("minwidth", "x", "a number"), ("minwidth", "101", "100"),
                                    ("uicolor", "mauve-ish", "a colour"),
                                    ("inverted", "perhaps", "true or false")):
            self.assert_usage([option, wanted], "flamegraph", f"--{option}={bad}",
                              stdin=common.STACKS)
        self.assert_usage(["random", "hash", "deterministic", "sum"], "flamegraph", "-p", "hot", "--numbers=sevens",
                          stdin=common.STACKS)

    def test_rename_has_an_arrow(self):
        self.assert_usage("REGEX=>TEXT", "run", "--rename", "a", stdin=common.STACKS)

    def test_a_bad_expression_is_reported_with_the_place(self):
        self.assert_usage("--drop", "run", "--drop", "a(b", stdin=common.STACKS)

    def test_a_commands_option_in_front_of_it(self):
        self.assert_usage("'-o' precedes the command", "-o", "x.svg", "run", "x.txt")
        self.assert_usage("'--palette=hot' precedes", "--palette=hot", "run", "x.txt")
        self.good("--no-config", "-q", "run", "-t", "folded", stdin=common.STACKS)

    # ---- options of components ----

    def test_options_of_what_a_run_uses_are_options_of_the_command(self):
        self.write("a.folded", common.STACKS)
        for words in (["run", "a.folded"], ["a.folded"], ["flamegraph", "a.folded"],
                      ["merge", "a.folded"], ["diff", "a.folded", "a.folded"],
                      ["collapse", "folded", "a.folded"]):
            self.good(*words, "-o", "x.svg", "--title", "Two words", "--no-legend",
                      "-p", "hot", "--numbers=hash", "--inverted")
            self.assertIn(">Two words<", self.read("x.svg"))
        self.good("--title", "Two words", "a.folded", "-o", "x.svg")
        self.good("run", "--from=perf", "--kernel", "-tfolded", stdin=common.PERF)

    def test_an_option_is_set_in_each_output_that_has_it(self):
        self.good("run", "-o", "x.svg", "-o", "x.html", "-o", "x.json", "--title=Mine",
                  stdin=common.STACKS)
        for name in ("x.svg", "x.html"):
            self.assertIn("Mine", self.read(name))

    def test_options_of_a_pipelines_components_are_options_of_run(self):
        self.write("a.folded", common.STACKS)
        for words in (["icicle", "a.folded", "--title", "Mine"], ["--title=Mine", "icicle", "a.folded"],
                      ["--inverted", "--title=Mine", "icicle", "a.folded"]):
            self.good("run", *words)
            self.assertIn(">Mine<", self.read("icicle.svg"))
        self.write(".brazier.yaml", "pipelines: {default: {outputs: [{use: json, to: x.json}]}}")
        self.good("run", "a.folded", "--root", "Mine")
        self.assertIn('"Mine"', self.read("x.json"))
        self.assert_usage(["no option '--title' here", "--to svg"], "run", "a.folded", "--title=x")

    def test_an_option_of_the_command_wins_over_a_components(self):
        # the palette heat has a switch with this name; so has the format perf an option skip-after
        run = ["run", "-p", "heat", "-f", "folded", "-o", "x.svg"]
        self.good(*run, "--reverse", stdin="a;b;b 1\n")
        reversed_ = self.read("x.svg")
        self.good(*run, "--set", "heat.reverse=true", stdin="a;b;b 1\n")
        self.assertNotEqual(reversed_, self.read("x.svg"))
        self.assertEqual("a;b 1\n", self.good("run", "-tfolded", "--skip-after", "a", "-f", "folded",
                                              stdin="x;a;b 1\n").out)

    def test_the_message_on_an_option_of_other_components_names_them(self):
        self.assert_usage(["no option '--kernel' here", "--from perf"], "run", "--from", "folded", "--kernel", "-o",
                          "x.svg", stdin=common.STACKS)
        self.assert_usage(["no option '--kernel' here", "--from perf"], "flamegraph", "--kernel", stdin=common.STACKS)
        self.assert_usage(["no option '--title' here", "--to html", "--to svg"], "run", "-tjson",
                          "--title", "x", stdin=common.PERF)
        self.assert_usage(["no option '--no-extras' here", "--to json"], "flamegraph", "--no-extras",
                          stdin=common.STACKS)

    def test_options_of_the_format_that_is_guessed(self):
        self.write("perf.txt", common.PERF)
        self.write("a.folded", common.STACKS)
        expected = self.good("run", "--from=perf", "--kernel", "-tfolded", "perf.txt").out
        self.assertIn("_[k]", expected)
        for words in (["perf.txt", "--kernel"], ["--kernel", "perf.txt"], ["perf.txt", "--kernel=true"]):
            self.assertEqual(expected, self.good("run", "-tfolded", *words).out)
        self.assertEqual(expected, self.good("run", "-tfolded", "--kernel", stdin=common.PERF).out)
        self.assertEqual(expected, self.good("run", "-tfolded", "--kernel", "--isolate", "perf.txt").out)
        self.assertEqual(expected, self.good("flamegraph", "--from=guess", "-tfolded", "--kernel", "perf.txt").out)
        plain = self.good("run", "-tfolded", "perf.txt").out
        self.assertEqual(plain, self.good("run", "-tfolded", "perf.txt", "--no-kernel").out)
        self.assertNotEqual(plain, expected)
        self.assertEqual(self.good("run", "--from=perf", "-tfolded", "--event=all", "perf.txt").out,
                         self.good("run", "-tfolded", "--event", "all", "perf.txt").out)
        says = "a.folded: the format folded, which was guessed, has no option '--kernel'"
        self.assert_usage([says], "run", "-tfolded", "--kernel", "a.folded")
        self.assert_usage([says], "run", "-tfolded", "--kernel", "perf.txt", "a.folded")
        self.assert_usage([says], "run", "-tfolded", "--kernel", "--isolate", "a.folded")
        self.assert_usage(["--event needs a value"], "run", "perf.txt", "--event")

    def test_options_of_the_guessed_format_are_not_those_of_an_output_with_its_name(self):
        self.write("perf.txt", common.PERF)
        self.good("run", "perf.txt", "--addrs", "-o", "guessed.pprof")
        self.good("run", "--from=perf", "perf.txt", "--addrs", "-o", "named.pprof")
        self.assertEqual((self.dir / "named.pprof").read_bytes(), (self.dir / "guessed.pprof").read_bytes())
        expected = self.good("run", "--from=folded", "-tfolded", "--counts=2", stdin="a;b 1 2\n").out
        self.assertEqual(expected, self.good("run", "-tfolded", "--counts=2", stdin="a;b 1 2\n").out)

    def test_an_option_of_the_guessed_format_loads_no_outputs(self):
        self.write("perf.txt", common.PERF)
        self.write("plugins/output-broken.so", "broken")
        self.good("run", "-tfolded", "perf.txt", "--kernel", "--plugin-dir", "plugins")

    def test_an_invalid_value_for_the_guessed_format_is_bad_usage(self):
        self.write("perf.txt", common.PERF)
        for words in (["--kernel=maybe"], ["--set", "perf.kernel=maybe"]):
            for isolate in ([], ["--isolate"]):
                self.assert_usage(["'kernel' is true or false, not 'maybe'"], "run", "-tfolded", "perf.txt", *words, *isolate)

    def test_the_message_on_an_option_that_the_guessed_format_lacks_names_all_that_have_it(self):
        self.write("a.folded", common.STACKS)
        self.assert_usage(["formats that have it: bpftrace, go-trace, metrickit, nettrace, otlp, perf, perf-data, perfetto, pprof\n"], "run", "a.folded", "--addrs", "--addrs",
                          "-o", "x.svg")

    def test_the_nearest_option_of_formats_that_may_be_guessed(self):
        self.write("perf.txt", common.PERF)
        for typed, nearest in (("--no-inline", "--no-inlines"), ("--noinlines", "--no-inlines"), ("--kernle", "--kernel"),
                               ("--no-kernl", "--no-kernel"), ("--ouput", "--output")):
            self.assert_usage([f"no option '{typed}'; did you mean '{nearest}'?"], "run", "perf.txt", typed, "-tfolded")
        says = "no option '--no-kernl'; did you mean '--no-kernel'?"
        self.assert_usage([says], "run", "--from=perf", "perf.txt", "--no-kernl", "-tfolded")
        self.assert_usage(["no option '--no-inline' (--help lists them)"], "run", "--from=folded", "--no-inline", stdin=common.STACKS)

    def test_an_option_of_another_command_names_that_command(self):
        self.write("a.folded", common.STACKS)
        for command in (["run"], ["collapse", "folded"], ["flamegraph"], ["merge"]):
            self.assert_usage(["no option '--fail-if' here; brazier diff has it"], *command, "a.folded",
                              "--fail-if", "total(a) > 1")
        for option, command in (("--open", "record"), ("--freq=9", "record"), ("--web", "view"), ("--normalize", "diff"),
                                ("--files-from=x", "merge")):
            name = option.split("=")[0]
            self.assert_usage([f"no option '{name}' here; brazier {command} has it"], "run", "a.folded", option)
            self.assertIn(name, self.good(command, "--help").out)

    def test_a_wrong_mode_of_demangling_is_named_once(self):
        self.assert_usage(["error: 'demangle' must be auto, full or none, not 'no'; did you mean 'none'?\n"], "run",
                          "--demangle", "no", stdin=common.STACKS)

    def test_a_label_without_a_key(self):
        self.assert_usage(["--label takes KEY=TEXT, such as host={name}, or one of smart, tail; not 'x'\n"], "run",
                          "--label", "x", "-o", "x.svg", stdin=common.STACKS)
        self.assert_usage(["--label takes KEY=TEXT, such as host={name}\n"], "run", "--label", "x", "-t", "folded",
                          stdin=common.STACKS)
        self.good("run", "--label", "tail", "-o", "x.svg", stdin=common.STACKS)

    def test_a_process_is_recorded_and_is_no_palette(self):
        self.assert_usage(["-p is --palette here; brazier record -p 123 records a process"], "run", "-p", "123",
                          stdin=common.STACKS)
        self.assert_usage(["no palette '123'"], "run", "--palette", "123", stdin=common.STACKS)

    def test_a_misspelt_weight_gets_a_suggestion(self):
        self.write("perf.txt", common.PERF + common.PERF.replace("cpu-clock", "page-faults"))
        self.write("a.folded", common.STACKS)
        self.assertIn("; did you mean 'page-faults'?\n", self.fails(1, "run", "perf.txt", "--event=all", "-w", "page-fault").err)
        self.assertIn("no weight 'sampels'; it has samples\n", self.fails(1, "run", "a.folded", "-w", "sampels").err)

    def test_options_of_components_do_not_hide_what_is_wrong_with_a_name(self):
        self.assert_usage(["'svgg'", "'svg'"], "run", "-t", "svgg", "--title=x", stdin=common.STACKS)
        self.assert_usage(["x.sgv"], "run", "-o", "x.sgv", "--title=x", stdin=common.STACKS)
        self.assert_usage(["'hott'", "'hot'"], "run", "-p", "hott", "--title=x", stdin=common.STACKS)

    def test_a_format_alone_is_written_instead_of_the_pipelines_outputs(self):
        self.write("a.folded", common.STACKS)
        self.assertEqual(common.STACKS, self.good("run", "flame", "a.folded", "-tfolded").out)
        self.assertEqual(["a.folded"], self.files())

    # ---- names ----

    def test_a_misspelt_format_gets_a_suggestion(self):
        self.assert_usage(["'fodled'", "'folded'"], "collapse", "fodled", stdin=common.STACKS)
        self.assert_usage(["'fodled'", "'folded'"], "run", "--from", "fodled", stdin=common.STACKS)

    def test_a_misspelt_output_or_palette_gets_a_suggestion(self):
        self.assert_usage(["'svgg'", "'svg'"], "run", "--to", "svgg", stdin=common.STACKS)
        self.assert_usage(["'hott'", "'hot'"], "run", "--palette", "hott", stdin=common.STACKS)

    def test_the_message_on_an_unknown_file_ending_lists_all(self):
        self.assert_usage(["flame.sgv", ".svg", "--to"], "run", "-o", "flame.sgv",
                          stdin=common.STACKS)

    def test_a_misspelt_file_ending_gets_a_suggestion(self):
        for name, meant in (("a.b.svgz", ".svg"), ("x.sgv.gz", ".svg"), ("x.ppprof", ".pprof"), ("x.json5", ".json")):
            self.assert_usage([f"{name}: no output writes files with that ending; did you mean '{meant}'?"], "run", "-o",
                              name, stdin=common.STACKS)
        self.assert_usage(["x.png: no output writes files with that ending (.asm"], "run", "-o", "x.png",
                          stdin=common.STACKS)

    def test_a_file_where_a_format_is_wanted(self):
        self.write("perf.txt", common.PERF)
        self.assert_usage(["'perf.txt' is a file", "brazier collapse guess perf.txt"], "collapse",
                          "perf.txt")
        self.write("perf", common.PERF)
        self.assertEqual(common.PERF_STACKS, self.good("collapse", "perf", "perf").out)

    def test_an_output_among_the_inputs(self):
        self.write("a.folded", common.STACKS)
        self.assert_usage(["no file 'flame.svg' to read", "-o flame.svg"], "run", "a.folded",
                          "flame.svg", "-tfolded")
        self.assert_usage(["-o flame.html"], "a.folded", "flame.html", "-tfolded")

    def test_an_output_without_an_ending_gets_a_suggestion(self):
        self.assert_usage(["flame has no ending", "-o flame.svg", "--to svg"], "run", "-o", "flame",
                          stdin=common.STACKS)

    def test_the_message_on_a_folder_as_output_asks_for_a_file(self):
        (self.dir / "folder").mkdir()
        for name in ("folder", "folder/", "absent/"):
            self.assert_usage([f"{name} is a folder", f"-o {name.strip('/')}/flame.svg"], "run", "-o",
                              name, stdin=common.STACKS)

    def test_two_outputs_of_the_same_name_are_an_error(self):
        self.assert_usage("two outputs", "run", "-o", "a.svg", "-o", "a.svg", stdin=common.STACKS)
        self.assert_usage("two outputs", "run", "-o", "-", "-o", "-", stdin=common.STACKS)
        self.assertEqual([], self.files())

    def test_a_palette_that_is_not_there_even_if_none_is_needed(self):
        for name in ("nope", "hot,nope", "hot,,aqua", ""):
            self.assert_usage("no palette '", "run", "-t", "folded", "-p", name, stdin=common.STACKS)

    # ---- help ----

    def test_help_is_an_answer_not_an_error(self):
        for words in (["--help"], ["-h"], ["help"]):
            r = self.good(*words)
            self.assertIn("brazier run perf.txt -o flame.svg", r.out)
        for command in common.COMMANDS:
            for words in ([command, "--help"], [command, "-h"], ["--help", command]):
                r = self.good(*words)
                self.assertTrue(r.out.startswith(f"usage: brazier {command} "), r)

    def test_help_of_a_command_after_the_word_help(self):
        for command in common.COMMANDS:
            self.assertEqual(self.good(command, "--help").out, self.good("help", command).out)
        self.assert_usage(["'colapse'", "'collapse'"], "help", "colapse")
        self.assertEqual(self.good("--help").out, self.good("help", "help").out)

    def test_help_tells_the_options_of_the_component_that_is_meant(self):
        self.assertIn("--kernel", self.good("collapse", "perf", "--help").out)
        self.assertNotIn("--kernel", self.good("collapse", "folded", "--help").out)
        self.assertIn("--title", self.good("flamegraph", "--help").out)
        self.assertIn("extras", self.good("flamegraph", "--to", "json", "--help").out)
        self.assertNotIn("--title", self.good("flamegraph", "--to=json", "--help").out)
        self.assertIn("--title", self.good("run", "--help").out)
        self.assertIn("--kernel", self.good("run", "--from", "perf", "--help").out)
        self.assertIn("extras", self.good("run", "-o", "x.json", "--help").out)
        self.assertIn("--low", self.good("run", "-pviridis", "--help").out)
        self.assertIn("--title", self.good("merge", "-o", "x.svg", "--help").out)

    def test_help_tells_which_switches_are_on(self):
        for command in ("run", "collapse", "record"):
            self.assertRegex(self.good(command, "--help").out, r"(?m)^ +--\[no-\]cache +keep ")
        self.assertRegex(self.good("run", "--help").out, r"(?m)^ +--isolate +read ")

    def test_help_of_a_format_that_is_not_there_is_an_error(self):
        self.fails(2, "collapse", "fodled", "--help")

    def test_help_fits_a_terminal(self):
        for command in common.COMMANDS:
            for line in self.good(command, "--help").out.splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_the_version_is_one_line(self):
        for words in (["--version"], ["-V"]):
            self.assertRegex(self.good(*words).out, r"\Abrazier \d+\.\d+\.\d+( \(commit [0-9a-f]{12}\))?\n\Z")

    def test_the_version_of_an_unreleased_build_names_its_commit(self):
        def git(*words):
            return subprocess.run(["git", "-C", os.environ["BRAZIER_SOURCE"], *words], capture_output=True, text=True)

        version = re.search(r"\d+\.\d+\.\d+", self.good("--version").out)[0]
        if git("rev-parse", "--show-prefix").stdout != "\n":
            self.skipTest("the source is not a repository")
        known = git("log", "--format=%h", "--abbrev=12", "-50").stdout.split() # the build may be older
        if git("tag", "--points-at", "HEAD", "--list", f"v{version}").stdout == "":
            self.assertIn(re.search(r"\(commit (\w+)\)", self.good("--version").out)[1], known)

    def test_the_version_wins_over_a_command(self):
        self.assertEqual(self.good("run", "--version").out, self.good("--version").out)

    # ---- words ----

    def test_after_two_dashes_everything_is_a_word(self):
        self.write("-o", common.STACKS)
        self.assertEqual(common.STACKS, self.good("collapse", "folded", "--", "-o").out)
        self.write("--help", common.STACKS)
        self.assertEqual(common.STACKS, self.good("collapse", "folded", "--", "--help").out)

    def test_options_and_words_come_in_any_order(self):
        self.write("a.folded", common.STACKS)
        for words in (["a.folded", "-o", "x.svg"], ["-o", "x.svg", "a.folded"],
                      ["-ox.svg", "a.folded"], ["--output=x.svg", "a.folded"]):
            self.good("run", *words)
            self.assertTrue(self.read("x.svg").startswith("<?xml"))
            (self.dir / "x.svg").unlink()

    def test_the_format_may_come_after_options_and_their_values(self):
        self.write("a.folded", common.STACKS)
        self.good("collapse", "-o", "x.folded", "folded", "a.folded")
        self.assertEqual(common.STACKS, self.read("x.folded"))
        self.good("collapse", "--drop", "nothing", "folded", "-j", "2", "a.folded")

    def test_global_options_stand_anywhere(self):
        self.write("a.folded", common.STACKS)
        for words in (["--no-config", "collapse", "folded", "a.folded"],
                      ["collapse", "--no-config", "folded", "a.folded"],
                      ["collapse", "folded", "a.folded", "--no-config"]):
            self.assertEqual(common.STACKS, self.good(*words).out)

    def test_no_turns_a_switch_off(self):
        with_script = self.good("flamegraph", stdin=common.STACKS).out
        without = self.good("flamegraph", "--no-javascript", stdin=common.STACKS).out
        self.assertIn("<script", with_script)
        self.assertNotIn("<script", without)
        self.assertEqual(without, self.good("flamegraph", "--javascript=false",
                                            stdin=common.STACKS).out)

    def test_messages_begin_with_what_they_are(self):
        for args in (["x"], ["run", "--x"], ["run", "nothing.txt"], ["config", "show", "nothing"]):
            r = self.brazier(*args)
            for line in r.err.splitlines():
                self.assertTrue(re.match(r"(\S+: )?(error|warning|note): ", line), r)


if __name__ == "__main__":
    common.main()

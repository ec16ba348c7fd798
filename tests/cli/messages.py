#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests messages: quiet and verbose runs, bad input, progress on terminals."""
import os
import subprocess
import time
import unittest

import common
from common import STACKS, open_terminal

ODD = "main;a 1\nno count\nmain;b 2\n;;;\nstill none\n" + "bad\n" * 30


class Messages(common.Case):
    def test_a_good_run_says_nothing(self):
        self.good("run", "-o", "x.svg", "-o", "x.folded", stdin=STACKS)
        self.good("collapse", "folded", stdin=STACKS)
        self.good("flamegraph", stdin=STACKS)

    def test_odd_lines_are_reported_with_place_line_and_caret_and_counted(self):
        self.write("odd.folded", ODD)
        r = self.brazier("collapse", "folded", "odd.folded")
        self.assertEqual((0, "main;a 1\nmain;b 2\n"), (r.code, r.out), r)
        self.assertIn("odd.folded:2:1: warning: ", r.err)
        self.assertIn("\n    no count\n    ^~~~~~~~\n", r.err)
        self.assertRegex(r.err, r"and 32 more like this")
        self.assertEqual(1, r.err.count("no count"))

    def test_verbose_tells_more_places(self):
        usual = self.brazier("collapse", "folded", stdin=ODD)
        more = self.brazier("-v", "collapse", "folded", stdin=ODD)
        self.assertEqual(usual.out, more.out)
        self.assertGreater(more.err.count("stdin:"), usual.err.count("stdin:"))
        self.assertIn("stdin:5:1:", more.err)

    def test_verbose_says_how_many_lines_are_bad(self):
        """Tests that the number follows the last place, where readers look for it."""
        lines = "".join("bad line\n" if i % 100 == 0 else "a;b 1\n" for i in range(3000))
        usual = self.brazier("collapse", "folded", stdin=lines).err.splitlines()
        self.assertEqual("    ... and 29 more like this (-v shows more)", usual[-2])
        for ways in (["-v"], ["-vv"], ["-v", "-j3", "--range-size=500"], ["-v", "--isolate"]):
            more = self.brazier("collapse", "folded", *ways, stdin=lines).err.splitlines()
            more = [line for line in more if not line.startswith("brazier:")]
            self.assertEqual(8, sum("warning: " in line for line in more), ways)
            self.assertEqual("    ... and 22 more like this, 30 in all", more[-1], ways)

    def test_verbose_tells_what_was_guessed(self):
        r = self.brazier("run", "-v", "-o", "x.svg", stdin=common.PERF)
        self.assertIn("note: stdin: guessed perf (", r.err)

    def test_quiet_says_nothing_but_errors(self):
        r = self.brazier("-q", "collapse", "folded", stdin=ODD)
        self.assertEqual((0, "main;a 1\nmain;b 2\n", ""), (r.code, r.out, r.err))
        self.assertIn("error: ", self.fails(1, "-q", "run", "no.txt").err)

    def test_messages_do_not_depend_on_threads_and_chunks(self):
        lines = "".join(f"main;f{i} {i}\n" if i % 7 else f"bad line {i}x\n" for i in range(3000))
        usual = self.brazier("collapse", "folded", "-v", stdin=lines)
        for way in (["-j1"], ["-j3", "--chunk-size=64"], ["-j8", "--range-size=1000"]):
            r = self.brazier("collapse", "folded", "-v", *way, stdin=lines)
            self.assertEqual((usual.out, usual.err), (r.out, r.err), way)

    def test_isolation_changes_no_message_of_any_input(self):
        self.write("one.folded", ODD)
        self.write("two.folded", "main;a 1\nbad\n" + ODD)
        files = ["one.folded", "two.folded"]
        for more in ([], ["-v"]):
            usual = self.brazier("collapse", "folded", *more, *files)
            isolated = self.brazier("collapse", "folded", "--isolate", *more, *files)
            lines = [line for line in isolated.err.splitlines(True) if "in isolation" not in line]
            self.assertEqual((usual.out, usual.err), (isolated.out, "".join(lines)))
            self.assertIn("one.folded:2:1:", usual.err)

    def test_control_characters_of_the_input_do_not_reach_the_terminal(self):
        r = self.brazier("collapse", "folded", stdin=b"a 1\nx\x1b]0;title\x07\x1b[2Jy\n")
        self.assertNotIn("\x1b", r.err)
        self.assertNotIn("\x07", r.err)
        self.write("e\x1b[31mvil", "")
        self.assertNotIn("\x1b", self.fails(1, "run", "e\x1b[31mvil").err)
        self.write("e\x1b[31mvil", STACKS)
        for isolate in ([], ["--isolate"]):
            self.assertEqual("e\\x1b[31mvil: folded (70)\n",
                             self.good("guess", *isolate, "e\x1b[31mvil").out)

    def test_colours_are_for_terminals_only(self):
        self.assertNotIn("\x1b", self.fails(1, "run", "no.txt").err)
        code, shown = self.on_terminal("collapse", "perf", "no.txt")
        self.assertEqual(1, code)
        self.assertIn("\x1b[", shown)

    def test_what_is_shown_of_a_line_has_no_part_of_a_character(self):
        for n in range(4):
            line = "x" * n + "日" * 100
            r = self.brazier("collapse", "folded", stdin=line + "\n")
            shown = r.err.splitlines()[1].strip()
            self.assertTrue(line.startswith(shown) and len(shown) > 50, r)
            text = "options: {svg: {title: '" + line + "', widht: 1, 'タイトル': 1}}\n"
            r = self.brazier("config", "check", self.write("c.yaml", text))
            self.assertNotIn("\\x", r.err)
            for start in ("widht", "'タイトル"):
                row = next(i for i, x in enumerate(r.err.splitlines())
                           if "^" in x and r.err.splitlines()[i - 1][x.index("^"):].startswith(start))
                self.assertIn("日日日", r.err.splitlines()[row - 1])

    # ---- files that cannot be used ----

    def test_an_output_that_cannot_be_written_is_reported_before_anything_is_read(self):
        (self.dir / "folder").mkdir()
        self.write("a.folded", STACKS)
        for name, why in (("absent/x.svg", "cannot be created: the folder 'absent': it does not exist"),
                          ("a.folded/x.svg", "the folder 'a.folded': Not a directory"),
                          ("folder", "cannot be written: it is a folder; name a file in it")):
            p = self.start("run", "--to", "svg", "-o", name) # its input never arrives
            err = p.stderr.read().decode()
            p.stdin.close()
            p.stdout.close()
            p.stderr.close()
            self.assertEqual((1, f"brazier: error: {name}: {why}\n".partition(why)[1:]),
                             (p.wait(timeout=60), err.partition(why)[1:]), err)

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_a_folder_in_which_nothing_can_be_written(self):
        (self.dir / "folder").mkdir(mode=0o555)
        r = self.fails(1, "run", "-o", "folder/x.svg", stdin=STACKS)
        self.assertIn("the folder 'folder': Permission denied", r.err)

    def test_of_several_inputs_the_missing_one_is_reported_before_any_is_read(self):
        os.mkfifo(self.dir / "slow.folded")
        (self.dir / "folder").mkdir()
        r = self.fails(1, "merge", "slow.folded", "absent.folded", timeout=60)
        self.assertEqual("brazier: error: cannot open 'absent.folded': No such file or directory\n",
                         r.err)
        r = self.fails(1, "merge", "slow.folded", "folder", timeout=60)
        self.assertIn("'folder' is a directory; name a file in it", r.err)

    def test_samples_without_weight_are_no_result(self):
        trace = ("Version: 3.1\nFile format: 4\nTRACE START [2020-01-01 00:00:00]\n"
                 "1\t0\t0\t0.001\t100\t{main}\t1\t\t/a.php\t0\t0\n1\t0\t1\t0.001\t100\n"
                 "TRACE END   [2020-01-01 00:00:00]\n")
        for args, stdin in ((("collapse", "xdebug"), trace), (("collapse", "folded"), "a 0\nb 0\n"),
                            (("flamegraph",), "a 0\n"), (("run", "--to", "table"), "a;b 0\n")):
            with self.subTest(args):
                r = self.fails(1, *args, stdin=stdin)
                self.assertIn("all samples have a weight of 0", r.err)
                self.assertEqual("", r.out)

    def test_an_empty_input_is_distinguished_from_one_without_samples(self):
        for args in (["run"], ["flamegraph"], ["collapse", "perf"], ["collapse", "folded"]):
            r = self.fails(1, *args, "-o", "x.svg", stdin="")
            self.assertEqual("brazier: error: stdin: the input is empty\n", r.err)
        self.assertIn("no samples in it", self.fails(1, "collapse", "folded", stdin="\n").err)

    # ---- inputs of another kind ----

    def test_the_message_on_a_picture_of_another_format_names_it(self):
        self.write("p.txt", common.PERF)
        self.write("ls.folded", common.PERF)
        for args, stdin in ((["p.txt"], None), (["--isolate", "p.txt"], None), ([], common.PERF),
                            (["ls.folded"], None)):
            r = self.fails(1, "flamegraph", "-o", "x.svg", *args, stdin=stdin)
            self.assertIn("looks like perf, not like folded; add --from perf, or use brazier run",
                          r.err)
            self.assertEqual(1, r.err.count("\n"), r)
        self.good("flamegraph", "--from", "perf", "p.txt", "-o", "x.svg")

    def test_a_format_that_was_chosen_is_read_as_it_is(self):
        self.write("p.txt", common.PERF)
        r = self.fails(1, "flamegraph", "--from", "folded", "p.txt", "-o", "x.svg")
        self.assertIn("p.txt:1:1: warning: ", r.err)
        self.assertIn("error: p.txt: no samples in it; it looks like perf\n", r.err)

    def test_the_format_is_named_for_any_kind_of_input(self):
        self.write("p.txt", common.PERF)
        for command in (["collapse", "folded"], ["run", "-f", "folded", "-t", "svg"]):
            for words, name in ((["p.txt"], "p.txt"), ([], "stdin"), (["--isolate"], "stdin"),
                                (["--isolate", "p.txt"], "p.txt"), (["-j1"], "stdin")):
                with self.subTest(command=command, words=words):
                    stdin = common.PERF if name == "stdin" else None
                    r = self.fails(1, *command, *words, stdin=stdin)
                    self.assertIn(f"error: {name}: no samples in it; it looks like perf\n", r.err)

    def test_folded_stacks_in_odd_company_are_drawn(self):
        lines = "what is this\n" * 50 + STACKS
        r = self.brazier("flamegraph", "-t", "folded", stdin=lines)
        self.assertEqual((0, STACKS), (r.code, r.out), r)

    BINARIES = {
        "program": (b"\x7fELF\2\1\1" + bytes(9000), "an ELF file", "brazier record"),
        "a.bin": (b"memray\0" + bytes(96), "a file of memray", "memray flamegraph"),
        "noise": (bytes(range(256)) * 40, "a binary file", "brazier plugin list"),
        "zeros.folded": (bytes(5000), "a binary file", "brazier plugin list"),
        "picture.png": (b"\x89PNG\r\n\x1a\n" + bytes(100), "a PNG picture", "not a profile"),
    }

    def test_a_binary_file_is_one_message(self):
        for name, (content, what, then) in self.BINARIES.items():
            self.write(name, content)
            for args in (["run"], ["run", "--isolate"], ["guess"], ["guess", "--isolate"],
                         ["flamegraph"], ["collapse", "perf"], ["collapse", "perf", "--isolate"],
                         ["collapse", "guess"]):
                r = self.fails(1, *args, name)
                self.assertTrue(r.err.startswith(f"brazier: error: {name}: this is {what}"), r)
                self.assertIn(then, r.err)
                self.assertEqual((1, ""), (r.err.count("\n"), r.out), r)

    def test_a_drawing_of_a_profile_is_read_and_other_drawings_are_refused_in_words(self):
        self.good("run", "-o", "x.svg", "-o", "x.html", "-o", "x.folded", stdin=STACKS)
        for name in ("x.svg", "x.html"):
            self.assertEqual(self.read("x.folded"), self.good("collapse", "guess", name).out)
        self.write("y.svg", '<svg xmlns="http://www.w3.org/2000/svg"><circle r="1"/></svg>')
        self.write("y.html", "<!DOCTYPE html><html><body>text</body></html>")
        for name, what in (("y.svg", "a picture, but no flame graph in it"), ("y.html", "a page, but no flame graph in it")):
            r = self.fails(1, "run", name)
            self.assertIn(f"{name}: error: {what}", r.err)
            self.assertIn("give brazier the profile that it shows", r.err)

    def test_some_control_characters_make_no_binary_file(self):
        for stack in (b"a;b\0c 1\n", b"a;b\1\2\3\4\5\6 1\n" * 5000):
            r = self.brazier("collapse", "folded", stdin=stack)
            self.assertEqual(0, r.code, r)

    def test_a_line_of_control_characters_is_shown_as_far_as_a_line_goes(self):
        for line in (b"\1" * 400, b"x" * 120 + b"\1" * 400, "\x85é".encode() * 200):
            r = self.brazier("collapse", "folded", stdin=line + b"\n")
            for shown in r.err.splitlines()[1:3]:
                self.assertLessEqual(len(shown), 4 + 160, r)
                self.assertGreater(len(shown), 100, r)

    # ---- terminals ----

    def test_run_alone_reads_the_file_that_perf_writes(self):
        status, shown = self.on_terminal("run", "-o", "out.folded")
        self.assertEqual(2, status)
        self.assertIn("nothing to read", shown)
        self.write("perf.data", STACKS)
        status, shown = self.on_terminal("run", "-o", "out.folded")
        self.assertEqual((0, STACKS), (status, self.read("out.folded")))
        self.assertIn("reading perf.data", shown)
        self.fails(1, "run", "-o", "out.folded", stdin="")
        status, shown = self.on_terminal("run")
        self.assertEqual(0, status, shown)
        self.assertIn("flame.svg is written", shown)
        self.assertIn("<svg", self.read("flame.svg"))
        (self.dir / "flame.svg").rename(self.dir / "other.svg")
        (self.dir / "flame.svg").symlink_to("other.svg")
        status, shown = self.on_terminal("run")
        self.assertEqual(1, status, shown)
        self.assertIn("'flame.svg' is a symbolic link", shown)

    def test_that_file_as_the_only_word_is_drawn_into_a_file_too(self):
        self.write("perf.data", STACKS)
        for words in (["perf.data"], ["run", "perf.data"], ["./perf.data"]):
            status, shown = self.on_terminal(*words)
            self.assertEqual(0, status, shown)
            self.assertIn("flame.svg is written", shown)
            (self.dir / "flame.svg").unlink()

    def test_a_word_that_is_no_file_may_be_meant_as_a_pipeline(self):
        """The message begins with the file."""
        self.write("a.folded", STACKS)
        r = self.fails(1, "run", "NOPIPE", "a.folded", "-t", "folded")
        self.assertIn("note: there is no file 'NOPIPE', and no pipeline of this name (brazier config show lists pipelines)",
                      r.err)
        self.assertNotIn("pipeline", self.fails(1, "run", "missing.txt", "-t", "folded").err)

    def test_run_reads_that_file_if_standard_input_is_the_null_device(self):
        """A script or a service starts it so."""
        self.fails(1, "run", "-o", "out.folded")
        self.write("perf.data", STACKS)
        r = self.brazier("run", "-o", "out.folded")
        self.assertEqual((0, STACKS), (r.code, self.read("out.folded")), r)
        self.assertIn("reading perf.data", r.err)
        self.fails(1, "run", "-", "-o", "out.folded")
        self.fails(1, "run", "-o", "out.folded", stdin="")

    def test_run_alone_draws_into_a_file_only_if_nothing_else_says_where_to(self):
        self.write("perf.data", STACKS)
        terminal, ours = open_terminal()
        p = subprocess.run(self.command(["run"]), cwd=self.dir, env=self.environment(), stdin=ours,
                           capture_output=True, text=True, timeout=60)
        os.close(ours)
        os.close(terminal)
        self.assertEqual(0, p.returncode, p.stderr)
        self.assertIn("<svg", p.stdout)
        self.write("c.yaml", "pipelines: {default: {outputs: [{use: folded, to: own.folded}]}}")
        status, shown = self.on_terminal("run", "--config", "c.yaml")
        self.assertEqual((0, STACKS), (status, self.read("own.folded")), shown)
        self.write("c.yaml", "pipelines: {default: {inputs: other.folded, outputs: [{use: folded, to: own.folded}]}}")
        self.write("other.folded", "other 1\n")
        for _ in range(2):  # with perf.data, and without
            status, shown = self.on_terminal("run", "--config", "c.yaml")
            self.assertEqual((0, "other 1\n"), (status, self.read("own.folded")), shown)
            (self.dir / "perf.data").unlink(missing_ok=True)
        self.assertNotIn("flame.svg", self.files())

    def test_a_picture_does_not_go_to_a_terminal_unasked(self):
        self.write("p.txt", common.PERF)
        self.write("a.folded", STACKS)
        self.write("c.yaml", "pipelines: {here: {outputs: [{use: html, to: '-'}]}}")
        for args, ending in ((["run", "p.txt"], "svg"), (["p.txt"], "svg"),
                             (["run", "p.txt", "-t", "svg"], "svg"),
                             (["flamegraph", "a.folded"], "svg"),
                             (["collapse", "perf", "p.txt", "--to", "json"], "json"),
                             (["run", "p.txt", "--to=speedscope"], "speedscope.json"),
                             (["run", "here", "p.txt", "--config", "c.yaml"], "html")):
            code, shown = self.on_terminal(*args)
            self.assertEqual(2, code, args)
            self.assertIn(f"would go to the terminal; add -o flame.{ending}, or --to table", shown)
            self.assertIn("-o - sends it there", shown)
            self.assertEqual(1, shown.count("\n"), shown)

    def test_a_picture_goes_to_a_terminal_if_it_is_sent_there(self):
        self.write("p.txt", common.PERF)
        for more in (["-o", "-"], ["-o", "/dev/stdout", "-t", "svg"]):
            code, shown = self.on_terminal("run", "p.txt", *more)
            self.assertEqual(0, code, shown)
            self.assertIn("<svg", shown)

    def test_text_for_people_goes_to_a_terminal(self):
        self.write("p.txt", common.PERF)
        for args in (["run", "p.txt", "-t", "table"], ["run", "p.txt", "-t", "term"],
                     ["run", "p.txt", "-t", "folded"], ["collapse", "perf", "p.txt"],
                     ["merge", "p.txt"], ["diff", "p.txt", "p.txt"]):
            code, shown = self.on_terminal(*args)
            self.assertEqual(0, code, shown)
            self.assertIn("do_page_fault", shown)

    def test_bytes_that_are_no_text_never_go_to_a_terminal(self):
        self.write("p.txt", common.PERF)
        for more in ([], ["-o", "-"], ["-o", "/dev/stdout"], ["-o", "x.svg", "-o", "-"]):
            code, shown = self.on_terminal("run", "p.txt", "--to", "pprof", *more)
            self.assertEqual(2, code, shown)
            self.assertIn("pprof is binary and would go to the terminal; add -o flame.pprof", shown)
        self.assertEqual(["p.txt"], self.files())

    def test_a_redirect_to_a_file_of_another_formats_ending_is_reported(self):
        self.write("a.folded", STACKS)
        self.write("p.txt", common.PERF)
        for line in ("diff a.folded a.folded > x.svg", "collapse perf p.txt > x.svg",
                     "merge a.folded >> x.svg", "p.txt > x.html", "flamegraph a.folded > x.json"):
            r = self.in_shell(f'"$0" {line}')
            name, written = line.split()[-1], "svg" if line[0] in "pf" else "folded"
            self.assertEqual((0, f"brazier: warning: standard output is {name}, but the output is "
                              f"{written}; -o in place of > writes {name[2:]}, "
                              f"--to {written} removes this warning\n"), (r.code, r.err))

    def test_a_redirect_that_is_meant_is_nothing_to_tell(self):
        self.write("a.folded", STACKS)
        for line in ("a.folded > x.svg", "diff a.folded a.folded > x.txt", "merge a.folded > x.out",
                     "merge a.folded > svg", "merge a.folded > .svg.folded",
                     "merge a.folded -t folded > x.svg", "merge a.folded -o - > x.svg",
                     "merge a.folded -o y.folded > x.svg", "merge a.folded | cat > x.svg",
                     "merge a.folded > /dev/null", "-q merge a.folded > x.svg"):
            r = self.in_shell(f'"$0" {line}')
            self.assertEqual((0, ""), (r.code, r.err), line)

    def test_words_are_not_waited_for_on_a_terminal(self):
        for args in (["run", "-o", "x.svg"], ["collapse", "folded"], ["flamegraph"], ["guess"]):
            code, shown = self.on_terminal(*args)
            self.assertEqual(2, code, args)
            self.assertIn("nothing to read", shown)

    def test_standard_input_of_a_terminal_can_be_asked_for(self):
        p_args = ["collapse", "folded", "-"]
        # a terminal that is closed at once is an empty input
        code, shown = self.on_terminal(*p_args, feed=[])
        self.assertEqual(1, code)
        self.assertIn("the input is empty", shown)

    def test_a_message_on_a_terminal_says_how_typed_input_ends(self):
        for more in ([], ["-q"]):
            master, slave = open_terminal()
            p = self.start(*more, "collapse", "folded", "-", stdin=slave, stdout=slave, stderr=slave)
            os.close(slave)
            os.write(master, b"typed 1\n\x04")
            self.assertEqual(0, p.wait(timeout=60))
            shown = self.drain(master, 0.2).decode()
            os.close(master)
            self.assertIn("typed 1", shown)
            self.assertEqual(not more, "reading from the terminal; Ctrl-D ends the input" in shown)

    # ---- progress ----

    def slowly(self):
        for _ in range(16):
            yield STACKS.encode() * 100
            time.sleep(0.1)

    def test_a_long_run_shows_how_far_it_is_on_a_terminal(self):
        code, shown = self.on_terminal("run", "--from=folded", "-o", "x.svg", feed=self.slowly())
        self.assertEqual(0, code, shown)
        self.assertRegex(shown, r"\r\x1b\[Kstdin: \d+\.\d MB, \d+ MB/s")
        self.assertTrue(shown.endswith("\r\x1b[K"), shown)

    def test_a_short_run_shows_none(self):
        code, shown = self.on_terminal("run", "-o", "x.svg", stdin=STACKS.encode())
        self.assertEqual((0, ""), (code, shown))

    def test_a_quiet_run_shows_none(self):
        code, shown = self.on_terminal("run", "-q", "-o", "x.svg", feed=self.slowly())
        self.assertEqual((0, ""), (code, shown))

    def test_there_is_none_without_a_terminal(self):
        p = self.start("run", "--from=folded", "-o", "x.svg")
        for piece in self.slowly():
            p.stdin.write(piece)
            p.stdin.flush()
        out, err = p.communicate(timeout=60)
        self.assertEqual((0, b"", b""), (p.returncode, out, err))


if __name__ == "__main__":
    common.main()

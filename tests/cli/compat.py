#!/usr/bin/env python3
"""The names and options of the tools before it."""
import errno
import re
import unittest

import common
import tools

KERNEL = "node;main;malloc;do_page_fault_[k] 10\nnode;main;parse 5\n"


@unittest.skipUnless(tools.FOLDER.exists(), "built without the names of other tools")
class Compat(tools.ToolCase):
    def test_every_name_is_there_and_describes_its_options(self):
        self.assertEqual(set(tools.NAMES), {p.name for p in tools.FOLDER.iterdir()})
        for name in tools.NAMES:
            r = self.call(name, "--help")
            self.assertEqual((0, ""), (r.code, r.err), name)
            self.assertIn(f"usage: {name}", r.out)
            options = r.out.split("Options:\n\n")[1]
            self.assertIn("--help", options)
            for option in re.split(r"\n(?=  [ -])(?! {10})", options.rstrip("\n")):
                self.assertRegex(option, r"^  (-\w,?|  ) +(--[\w-]+)?( TEXT| NUMBER| COLOR)?\s+\w+",
                                 name)

    def test_the_folder_is_not_needed(self):
        self.write("p.txt", common.PERF)
        for name in ("stackcollapse-perf.pl", "inferno-collapse-perf"):
            self.gives(common.PERF_STACKS, common.BRAZIER, "--as", name, "p.txt")
        for words, message in ((["--as"], "needs the name of a tool"),
                               (["--as", "flamgraph.pl"], "did you mean 'flamegraph.pl'?"),
                               (["--as", "nothing", "x"], "no tool 'nothing'")):
            self.assertIn(message, self.fails(2, *words).err)

    def test_files_and_standard_input(self):
        self.write("p.txt", common.PERF)
        self.gives(common.PERF_STACKS, "inferno-collapse-perf", "p.txt")
        self.gives(common.PERF_STACKS, "inferno-collapse-perf", stdin=common.PERF)
        self.gives(common.PERF_STACKS, "stackcollapse-perf.pl", stdin=common.PERF)
        self.gives(common.PERF_STACKS.replace("10", "20").replace(" 5", " 10"),
                   "stackcollapse-perf.pl", "p.txt", "p.txt")

    def test_options_in_all_their_spellings(self):
        self.write("p.txt", common.PERF)
        for words in (["--kernel"], ["--all"], ["-n", "2", "--kernel"], ["-n2", "--kernel"],
                      ["--nthreads=2", "--kernel"], ["--nthreads", "2", "-q", "--kernel"],
                      ["-qn2", "--kernel", "--event-filter", "cpu-clock"]):
            self.gives(KERNEL, "inferno-collapse-perf", *words, "p.txt")
        self.gives(KERNEL, "stackcollapse-perf.pl", "-kernel", "--event-filter=cpu-clock", "p.txt")
        self.gives("node;main;malloc;do_page_fault 10\nparse 5\n", "inferno-collapse-perf",
                   "--skip-after", "parse", "p.txt")

    def test_wrong_options_end_with_2(self):
        for name, word in (("inferno-collapse-perf", "--kernal"), ("inferno-collapse-perf", "-x"),
                           ("inferno-collapse-dtrace", "--kernel"), ("difffolded.pl", "-x"),
                           ("inferno-collapse-perf", "--kernel=yes"),
                           ("inferno-collapse-perf", "--event-filter")):
            r = self.call(name, word)
            self.assertEqual((2, ""), (r.code, r.out), r)
            self.assertIn(name, r.err)
        self.assertIn("did you mean 'kernel'?",
                      self.call("inferno-collapse-perf", "--kernal").err)
        self.assertEqual(2, self.call("inferno-collapse-perf", "a", "b").code)

    def test_nothing_in_is_nothing_out(self):
        for name in ("inferno-collapse-perf", "stackcollapse-perf.pl", "inferno-collapse-sample"):
            r = self.call(name, stdin="")
            self.assertEqual((0, ""), (r.code, r.out), r)

    def test_no_configuration_is_read(self):
        self.write(".brazier.yaml", "nonsense: true\n")
        self.write("p.txt", common.PERF)
        self.gives(common.PERF_STACKS, "inferno-collapse-perf", "p.txt")

    def test_names_are_not_demangled(self):
        self.write("d.txt", "\n  a.out`_ZN3foo3barEv+0x1\n  3\n")
        self.gives("a.out`_ZN3foo3barEv 3\n", "inferno-collapse-dtrace", "d.txt")

    def test_formats_are_guessed(self):
        self.write("p.txt", common.PERF)
        self.gives(common.PERF_STACKS, "inferno-collapse-guess", "p.txt")

    def test_guessed_formats_are_read_as_by_their_own_tool(self):
        self.write("v.csv", "Function Stack,CPU Time:Self,Module\nmain,1.2345,app\n f,0.0004,app\n")
        for name in ("inferno-collapse-vtune", "inferno-collapse-guess"):
            self.gives("app`main 1235\n", name, "v.csv")

    def test_quotes_in_names_and_samples_without_a_stack(self):
        self.write("p.txt", "node 1 [000] 1.0: 2 cycles:\n\t1a RegExp:[&<>\\\"\\'] (/tmp/perf-1.map)\n"
                            "\n\nidle 2 [000] 1.1: 5 cycles:\n\n")
        self.gives("idle 5\nnode;RegExp:[&<>\\\\] 2\n", "stackcollapse-perf.pl", "p.txt")
        r = self.call("inferno-collapse-perf", "p.txt")
        self.assertEqual((0, "node;RegExp:[&<>\\\"\\'] 2\n"), (r.code, r.out), r)

    def test_recursion(self):
        self.gives("main;r;h 3\n", "inferno-collapse-recursive", stdin="main;r;r;h 1\nmain;r;h 2\n")
        self.gives("main;r;h 3\n", "stackcollapse-recursive.pl",
                   stdin="main;r;r;h 1\nmain;r;h 2\n")

    def test_differences(self):
        self.write("a", "main;f 0x1 1\nmain;g 2\n")
        self.write("b", "main;f 0x2 5\nmain;g 5\n")
        for name in ("inferno-diff-folded", "difffolded.pl"):
            self.gives("main;f 0x1 1 0\nmain;f 0x2 0 5\nmain;g 2 5\n", name, "a", "b")
            self.gives("main;f 0x... 1 5\nmain;g 2 5\n", name, "-s", "a", "b")
            self.gives("main;f 0x... 3 5\nmain;g 6 5\n", name, "-n", "-s", "a", "b")

    # ---- exit statuses: the table in docs/drop-in.md ----

    READS_ALL = ("flamegraph.pl", "stackcollapse.pl", "stackcollapse-perf.pl",
                 "stackcollapse-bpftrace.pl", "stackcollapse-recursive.pl")
    OPENS_FILES = ("difffolded.pl", "stackcollapse-vtune.pl", "stackcollapse-vsprof.pl")

    def ends(self, status, name, *words, stdin=""):
        r = self.call(name, *words, stdin=stdin)
        self.assertEqual(status, r.code, r)
        return r

    def test_refused_words(self):
        for name in tools.NAMES:
            status = 255 if name in ("flamegraph.pl", "stackcollapse-perf.pl") else 2
            r = self.ends(status, name, "--bogus")
            self.assertEqual("", r.out)
            self.assertIn(f"{name}: no option '--bogus'", r.err)
            self.assertEqual("usage: " in r.err, name in tools.SCRIPTS)
        self.ends(255, "flamegraph.pl", "--width=-5")
        self.ends(255, "flamegraph.pl", "--colors=nothing")
        self.ends(2, "inferno-flamegraph", "--width=-5")
        self.ends(2, "inferno-flamegraph", "--colors=nothing")

    def test_a_file_that_is_not_there(self):
        for name in tools.LINKS:
            words = ["missing"] * (2 if name == "inferno-diff-folded" else 1)
            self.assertEqual("", self.ends(1, name, *words).out)
        for name in self.READS_ALL:
            r = self.ends(2 if name == "flamegraph.pl" else 0, name, "missing")
            self.assertEqual("", r.out)
            self.assertIn(f"{name}: cannot open 'missing': No such file or directory", r.err)
        for name in self.OPENS_FILES:
            words = ["missing"] * (2 if name == "difffolded.pl" else 1)
            self.assertEqual("", self.ends(2, name, *words).out)
        self.ends(2, "stackcollapse-sample.awk", "missing")
        self.ends(1, "stackcollapse-xdebug.php", "missing")

    def test_the_errors_number_of_a_file(self):
        self.write("link", "").unlink()
        (self.dir / "link").symlink_to("link")
        for name in self.OPENS_FILES:
            words = ["link"] * (2 if name == "difffolded.pl" else 1)
            self.ends(errno.ELOOP, name, *words)

    def test_files_that_are_there_are_read_without_the_others(self):
        self.write("a", "main;f 3\n")
        alone = self.call("flamegraph.pl", "a").out
        r = self.ends(0, "flamegraph.pl", "missing", "a", "also missing")
        self.assertEqual(alone, r.out)
        self.assertIn("cannot open 'missing'", r.err)
        self.assertIn("cannot open 'also missing'", r.err)
        self.assertEqual("main;f 3\n",
                         self.ends(0, "stackcollapse-recursive.pl", "a", "missing").out)
        self.assertEqual("", self.ends(0, "stackcollapse-recursive.pl", "missing",
                                       stdin="main;g 1\n").out)

    def test_too_few_and_too_many_files(self):
        self.write("a", "main;f 3\n")
        for name in ("difffolded.pl", "inferno-diff-folded"):
            self.ends(2, name)
            self.ends(2, name, "a")
            self.ends(2, name, "a", "a", "a")
        for name in ("inferno-collapse-perf", "stackcollapse-vsprof.pl", "stackcollapse-vtune.pl",
                     "stackcollapse-xdebug.php"):
            self.ends(2, name, "a", "a")

    def test_an_unknown_format(self):
        self.assertEqual("", self.ends(1, "inferno-collapse-guess", stdin="nothing known\n").out)

    def test_bad_records_are_left_out(self):
        r = self.ends(0, "inferno-collapse-recursive", stdin="no count\nmain;f 1\n")
        self.assertEqual("main;f 1\n", r.out)
        self.assertIn("stdin:1:1: warning", r.err)

    # ---- pictures ----

    PERL = ["--width=1200", "--fonttype=Verdana", "--truncate-text-right"]

    def test_pictures_of_inferno(self):
        options = ["--title=t", "--subtitle=s", "--notes=n", "--width=700", "--height=20",
                   "--fontsize=10", "--fonttype=serif", "--fontwidth=0.5", "--countname=x",
                   "--factor=2.5", "--nametype=N:", "--bgcolors=blue", "--hash", "--minwidth=30",
                   "--uicolor=#112233", "--search-color=#445566", "--stroke-color=#778899",
                   "--truncate-text-right", "--no-javascript", "--pretty-xml", "--inverted"]
        self.draws(options, "inferno-flamegraph", *options)
        for theirs, ours in ((["-i"], ["--inverted"]), (["-c", "mem"], ["-p", "mem"]),
                             (["--colors=js", "--hash"], ["-p", "js", "--numbers=hash"]),
                             (["--colordiffusion"], ["-p", "diffusion"]),
                             (["--deterministic"], ["--numbers=deterministic"]),
                             (["--reverse"], ["--reverse"]), (["--no-sort"], []),
                             (["--base", "parse"], ["--base=parse"]),
                             (["--flamechart"], ["--flamechart-back"]), (["-qv"], [])):
            self.draws(ours, "inferno-flamegraph", *theirs)

    def test_pictures_of_flamegraph(self):
        perl, named = [*self.PERL, "--minwidth=0.1px"], "--numbers=sum"
        self.draws([*perl, named], "flamegraph.pl")
        for theirs, ours in ((["--hash"], ["--numbers=hash"]), (["--random"], []),
                             (["-colors", "java"], ["-p", "java", named]),
                             (["--flamechart"], ["--flamechart", named]),
                             (["--total=300"], ["--total=300", named]),
                             (["--minwidth", "400"], ["--minwidth=400px", named]),
                             (["--minwidth=30%"], ["--minwidth=30%", named]),
                             (["--encoding=UTF-8", "-width=900"], ["--width=900", named]),
                             (["-inverted", "--negate"], ["--inverted", "--negate", named])):
            self.draws([*perl, *ours], "flamegraph.pl", *theirs)

    def test_differences_are_those_of_the_frames_themselves(self):
        picture = self.draws([], "inferno-flamegraph", stdin="a;b 1 3\na;c 4 4\n")
        self.assertIn("<title>b (3 samples, 42.86%; +28.57%)</title>", picture)
        self.assertIn("<title>a (7 samples, 100.00%; 0.00%)</title>", picture)
        self.draws(["--negate"], "inferno-flamegraph", "--negate", stdin="a;b 1 3\na;c 4 4\n")

    def test_differences_keep_their_colours_in_every_palette(self):
        stacks = "a;b 1 3\na;c 4 4\na;d 5 1\n"
        shades = {"inferno-flamegraph": ("rgb(255,175,175)", "rgb(100,100,255)", "rgb(250,250,250)",
                                         "rgb(175,175,255)", "rgb(255,100,100)"),
                  "flamegraph.pl": ("rgb(255,105,105)", "rgb(0,0,255)", "rgb(255,255,255)",
                                    "rgb(105,105,255)", "rgb(255,0,0)")}
        for name, (red, blue, none, *negated) in shades.items():
            for palette in ("hot", "mem", "java", "blue"):
                for more in ([], ["--hash"], ["--negate"]):
                    r = self.call(name, "--colors", palette, *more, stdin=stacks)
                    self.assertEqual((0, ""), (r.code, r.err), r)
                    fills = dict(re.findall(r'<title>(\w+) \([^<]*</title><rect[^>]* fill="([^"]*)"',
                                            r.out))
                    if "--negate" in more:
                        self.assertEqual(negated, [fills["b"], fills["d"]])
                    else:
                        self.assertEqual((red, blue), (fills["b"], fills["d"]))
                    self.assertEqual(none, fills["c"])
        mem = self.call("inferno-flamegraph", "--colors=mem", stdin=stacks).out
        self.assertIn('stop-color="#e0ffe0"', mem)
        self.draws(["-p", "diffusion"], "inferno-flamegraph", "--colordiffusion", stdin=stacks)

    FLAMEGRAPHS = {"hot": ((205, 50), (0, 230), (0, 55)), "mem": ((0, 0), (190, 50), (0, 210)),
                   "blue": ((80, 60), (80, 60), (205, 50)), "aqua": ((50, 60), (165, 55), (165, 55)),
                   "io": ((80, 60), (80, 60), (190, 55)), "orange": ((190, 65), (90, 65), (0, 0))}

    def flamegraphs(self, palette, name):
        """The colour that flamegraph.pl gives a name: by Perl's first random number after seeding
        it with the sum of the name's characters."""
        x = (sum(map(ord, name)) << 16 | 0x330E) * 0x5DEECE66D + 0xB
        number = x % 2**48 / 2**48
        parts = (base + int(span * number) for base, span in self.FLAMEGRAPHS[palette])
        return "rgb({},{},{})".format(*parts)

    def fills(self, *words, stdin):
        r = self.call("flamegraph.pl", *words, stdin=stdin)
        self.assertEqual((0, ""), (r.code, r.err), r)
        return re.findall(r"<title>([^<]*) \(\d[^<]*</title><rect[^>]* fill=\"([^\"]*)\"", r.out)

    def test_colours_are_flamegraphs(self):
        names = ["main", "été", "std::vector", "java/lang/String:::hash", "x", "漢字", "a" * 3000]
        stacks = "".join(f"{n} {50 + i}\n" for i, n in enumerate(names))
        for palette in ("hot", "mem", "io", "blue", "aqua", "orange"):
            expected = {(n, self.flamegraphs(palette, n)) for n in names}
            found = set(self.fills("--color", palette, stdin=stacks))
            self.assertEqual(expected | {("all", self.flamegraphs(palette, ""))}, found)

    def test_chains_are_flamegraphs(self):
        found = self.fills("--color=chain", stdin="idle;wait;--;waker;irq;--;root 120\n")
        blue, aqua = (lambda n: (n, self.flamegraphs("blue", n)),
                      lambda n: (n, self.flamegraphs("aqua", n + "_[w]")))
        self.assertEqual([("all", self.flamegraphs("blue", "")), blue("idle"), blue("wait"),
                          ("--", "rgb(160,160,160)"), aqua("waker"), aqua("irq"),
                          ("--", "rgb(160,160,160)"), aqua("root")], found)
        picture = self.call("flamegraph.pl", "--colors", "chain", stdin="a;--;b 1\n").out
        self.assertIn('stop-color="#e0e0ff"', picture)

    def test_backgrounds(self):
        for name, status in (("inferno-flamegraph", 2), ("flamegraph.pl", 255)):
            for background in ("nosuch", "#12345", "#12345g", "Blue", "123456"):
                r = self.ends(status, name, "--bgcolors", background, stdin=tools.STACKS)
                self.assertEqual("", r.out)
                self.assertIn("yellow, blue, green, grey or #rrggbb", r.err)
            for background in ("yellow", "blue", "green", "grey", "#12aBcd"):
                self.ends(0, name, "--bgcolors", background, stdin=tools.STACKS)

    def test_pictures_of_several_files(self):
        self.write("a", "main;f 1\n")
        self.write("b", "main;f 2\n")
        for name in ("inferno-flamegraph", "flamegraph.pl"):
            one = self.call(name, stdin="main;f 3\n").out
            self.assertEqual(one, self.call(name, "a", "b").out)
            self.assertEqual(one, self.call(name, "a", "-", stdin="main;f 2\n").out)

    def test_colours_that_are_kept(self):
        for name in ("inferno-flamegraph", "flamegraph.pl"):
            self.write("palette.map", "f->rgb(1,2,3)\n")
            self.assertIn("rgb(1,2,3)", self.call(name, "--cp", stdin="main;f 1\n").out)
            self.assertIn("main->rgb(", (self.dir / "palette.map").read_text())

    def test_attributes_of_functions(self):
        self.write("n", 'parse\thref=https://example.org/\ttitle="of parse"\n')
        for name in ("inferno-flamegraph", "flamegraph.pl"):
            r = self.call(name, "--nameattr", "n", stdin="main;parse 1\n")
            self.assertEqual((0, ""), (r.code, r.err), r)
            self.assertRegex(r.out, '<a xlink:href="https://example.org/" target="_top"[^>]*>'
                                    '<title>of parse</title>')
        r = self.call("inferno-flamegraph", "--nameattr=missing", stdin="main;parse 1\n")
        self.assertEqual((1, ""), (r.code, r.out), r)
        self.assertIn("cannot read 'missing'", r.err)

    def test_no_stacks_are_no_picture(self):
        for stdin in ("", "no stack\n", "a 0\n"):
            for name, code in (("inferno-flamegraph", 1), ("flamegraph.pl", 2)):
                r = self.call(name, stdin=stdin)
                self.assertEqual((code, ""), (r.code, r.out), r)
                self.assertNotEqual("", r.err)
        self.assertEqual(1, self.call("inferno-flamegraph", "missing").code)
        self.assertEqual(2, self.call("inferno-flamegraph", "--total=3").code)
        self.assertEqual(255, self.call("flamegraph.pl", "--deterministic").code)

    def test_variables_of_awk(self):
        self.write("s.txt", tools.SAMPLE)
        self.gives("Thread_1;dyld`start 2\n", "stackcollapse-sample.awk", "s.txt")
        for no in ("MODULES=0", "MODULES=", "MODULES=0.0"):
            self.gives("Thread_1;start 2\n", "stackcollapse-sample.awk", no, "s.txt")
        for yes in ("MODULES=1", "MODULES=no"):
            self.gives("Thread_1;dyld`start 2\n", "stackcollapse-sample.awk", yes, "s.txt")


if __name__ == "__main__":
    common.main()

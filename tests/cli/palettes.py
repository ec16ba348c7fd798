#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests palettes on the command line: chains, maps of colours, rules, comparisons."""
import json
import os
import re

import common
from common import Case, PERF, STACKS

COMPARED = "main;emit 10 20\nmain;parse 30 5\n"


def colors(picture):
    """Returns {name: colour} of a picture's frames."""
    frames = re.findall(r"<title>(.*?) \([^<]*</title><rect[^>]* fill=\"rgb\(([\d,]+)\)", picture)
    return {"" if name == "all" else name: fill for name, fill in frames}

# Frames of every kind: process, user, kernel, compiled, inlined, unknown, waiting, waker.
KINDS = """app 10/10 [000] 1.000000100: sched:sched_switch: app:10 [120] S ==> other:20 [120]
\tffffffff81000100 pick_next_task ([kernel.kallsyms])
\t          402000 cached (/tmp/perf-10.map)
\t          401020 small (inlined)
\t          401010 load (/usr/bin/app)
\t          401000 [unknown] ([unknown])

other 20/20 [001] 1.000000180: sched:sched_waking: comm=app pid=10 prio=120 target_cpu=000
\t          402010 answer (/usr/bin/server)

other 20/20 [000] 1.000000200: sched:sched_switch: other:20 [120] S ==> app:10 [120]
\t          402020 work (/usr/bin/server)

"""


def contrast(a, b):
    """Returns the contrast of two colours as WCAG 2 defines it."""
    def luminance(color):
        parts = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4
                 for c in color]
        return sum(p * w for p, w in zip(parts, (0.2126, 0.7152, 0.0722)))
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


class Palettes(Case):
    def test_packages_of_odd_places(self):
        names = ["f (node:\\x:12)", "f node:\\:3:1", "f (node:/:12)", "f (node_modules/:12)", "f /:1", "node:\\x"]
        folded = "".join(f"main;{name} 1\n" for name in names)
        picture = self.good("flamegraph", "-p", "package", "--no-compact", stdin=folded).out
        for name in names:
            self.assertIn(f"<title>{name} (1 sample", picture)

    def legend(self, stdin, *args):
        """Returns the names in the legend of a picture."""
        picture = self.good("run", "-", "-t", "svg", *args, stdin=stdin).out
        legend = re.search(r'<g id="legend".*?</g>', picture, re.S).group()
        return re.findall(r"<text[^>]*>([^<]*)</text>", legend)

    def test_packages_of_scripts_are_those_of_their_files(self):
        def node(n, name, url, *children):
            return {"id": n, "hitCount": n, "children": list(children), "callFrame": {
                "functionName": name, "scriptId": "0", "url": url, "lineNumber": 0, "columnNumber": 0}}
        profile = {"nodes": [node(1, "(root)", "", 2, 3), node(2, "Module.load", "node:internal/modules/loader", 4),
                             node(3, "(program)", ""), node(4, "work", "file:///srv/app/main.js", 5),
                             node(5, "Parser.parse", "file:///srv/app/node_modules/parser/index.js")],
                   "startTime": 0, "endTime": 15}
        self.assertEqual({"parser", "/srv/app", "node:internal"},
                         set(self.legend(json.dumps(profile), "--from", "cpuprofile")))

    def test_a_legend_leaves_out_packages_without_weight(self):
        stacks = "inner::f;leaf::g 5 0\nother::h 0 7\n"
        self.assertEqual({"inner", "leaf"}, set(self.legend(stacks, "-p", "package", "-w", "before")))
        self.assertEqual({"other"}, set(self.legend(stacks, "-p", "package", "-w", "after")))

    def test_instantiations_of_a_template_are_one_package(self):
        stacks = "hash_table<hasher, false, xcallocator>::find 3\nhash_table<b::c, true>::find 2\nstd::f<a, b> 1\n"
        self.assertEqual(["hash_table", "std"], self.legend(stacks, "-p", "package"))

    def test_a_legend_lists_heavy_packages_and_counts_the_rest(self):
        stacks = "".join(f"p{i:02}::f {100 - i}\n" for i in range(15))
        self.assertEqual([*(f"p{i:02}" for i in range(12)), "3 others"], self.legend(stacks, "-p", "package"))
        self.assertEqual([*(f"p{i:02}" for i in range(12)), "3 others"], self.legend(stacks, "-p", "module"))

    def test_a_legend_tells_packages_of_the_main_module_from_modules(self):
        frames = [("a::f", "/bin/cc", 60), ("b<x, y>::g", "/bin/cc", 30), ("h", "/bin/cc", 10), ("malloc", "/lib/libc.so", 20)]
        perf = "".join(f"cc 1 [000] 1.{i}: {weight} cycles:\n\t1 {name} ({module})\n\n"
                       for i, (name, module, weight) in enumerate(frames))
        self.assertEqual(["cc: a", "cc: b", "libc.so", "cc"], self.legend(perf, "--from", "perf", "-p", "package"))

    def test_a_file_that_is_no_palette_map_is_not_replaced_by_one(self):
        """Tests that a file that is not a map is not overwritten, such as the input."""
        for text in (STACKS, "x\n", "a b c", "a->rgb(1,2)\n", "\0"):
            self.write("in.folded", text)
            r = self.fails(1, "flamegraph", "--palette-map", "in.folded", "-o", "x.svg", stdin=STACKS)
            self.assertIn("in.folded is not a palette map", r.err)
            self.assertEqual((text, ["in.folded"]), (self.read("in.folded"), self.files()))
        for text, warnings in (("", 0), ("\n \n", 1), ("main->rgb(1,2,3)\nx\n", 1)):
            self.write("in.folded", text)
            r = self.brazier("flamegraph", "--palette-map", "in.folded", "-o", "x.svg", stdin=STACKS)
            self.assertEqual((0, warnings), (r.code, r.err.count("warning: ")), r)
            self.assertIn("main->rgb(", self.read("in.folded"))

    def colors(self, *args, stdin=STACKS):
        return colors(self.good("flamegraph", "--no-compact", *args, stdin=stdin).out)

    # ---- maps ----

    def test_a_map_keeps_the_colours_of_names_from_picture_to_picture(self):
        first = self.colors("--palette-map", "team.map")
        self.assertEqual(["team.map"], self.files())
        again = self.colors("--palette-map", "team.map", "--palette", "mem")
        self.assertEqual(first, again)
        lines = self.read("team.map").splitlines()
        self.assertEqual(sorted(lines), lines)
        self.assertIn(f"main->rgb({first['main']})", lines)
        self.assertIn(f"->rgb({first['']})", lines)

    def test_new_names_get_a_colour_of_the_palette_and_are_added(self):
        self.write("palette.map", "main->rgb( 1, 2 ,3 )\ngone->rgb(4,5,6)\n")
        found = self.colors("--cp", "-p", "hot", "--numbers=hash")
        self.assertEqual("1,2,3", found["main"])
        self.assertEqual(self.colors("-p", "hot", "--numbers=hash")["emit"], found["emit"])
        kept = self.read("palette.map")
        self.assertIn("main->rgb(1,2,3)\n", kept)
        self.assertIn("gone->rgb(4,5,6)\n", kept)
        self.assertIn(f"emit->rgb({found['emit']})\n", kept)

    def test_lines_of_a_map_that_say_nothing_are_reported(self):
        self.write("palette.map", "main->rgb(1,2,3)\nnonsense\n")
        r = self.brazier("flamegraph", "--cp", stdin=STACKS)
        self.assertEqual(0, r.code)
        self.assertIn("palette.map: 1 line is not 'NAME->rgb(R,G,B)'", r.err)

    def test_a_run_that_fails_leaves_the_map_alone(self):
        self.write("palette.map", "main->rgb(1,2,3)\n")
        self.fails(1, "flamegraph", "--cp", "-o", "no/such/folder.svg", stdin=STACKS)
        self.fails(1, "flamegraph", "--cp", stdin="nothing\n")
        self.assertEqual("main->rgb(1,2,3)\n", self.read("palette.map"))
        self.assertEqual(["palette.map"], self.files())

    def test_a_map_that_cannot_be_read_or_written_is_an_error(self):
        (self.dir / "palette.map").mkdir()
        self.fails(1, "flamegraph", "--cp", stdin=STACKS)
        self.fails(1, "flamegraph", "--palette-map", "no/such/team.map", stdin=STACKS)
        self.fails(2, "flamegraph", "--palette-map", "-", stdin=STACKS)
        self.fails(2, "flamegraph", "--palette-map", "", stdin=STACKS)
        os.mkfifo(self.dir / "fifo")
        self.fails(1, "flamegraph", "--palette-map", "fifo", stdin=STACKS)
        self.fails(2, "flamegraph", "--palette-map", "x.svg", "-o", "x.svg", stdin=STACKS)

    def test_a_map_of_the_configuration_is_beside_it(self):
        inside = self.dir / "deep"
        inside.mkdir()
        self.write(".brazier.yaml", "pipelines:\n  cpu:\n    collapse: folded\n"
                                    "    palette-map: team.map\n    outputs: [{use: svg, to: x.svg}]\n")
        self.good("run", "cpu", "-", stdin=STACKS, cwd=inside)
        self.assertIn("team.map", self.files())

    def test_comparisons_do_not_go_into_a_map(self):
        self.colors("--cp", stdin=COMPARED)
        self.assertEqual("", self.read("palette.map"))

    # ---- other tools' names ----

    def test_names_on_frames_have_a_contrast_of_at_least_four_and_a_half(self):
        """Frames and their names have the same colours in both themes."""
        palettes = [c["id"] for c in json.loads(self.good("plugin", "list", "--json").out)
                    if c["kind"] == "palette" and c["id"] != "rules"]
        names = ["main", "std::vec", "libc`read", "a/b.js", "x_[k]", "y_[j]", "z_[w]", "schedule", "java/util/A.b"]
        stacks = "".join(f"{';'.join(names[i:] + names[:i])};f{i} {i + 1} {10 - i}\n" for i in range(9))
        self.write("stacks.folded", stacks + "dark 999 1\n")
        for palette in [*palettes, "safe", "heat --low=1", "viridis --low=0", "cividis --low=0"]:
            for counts in ("1", "2"):
                self.check_labels(palette, counts)
        self.assertIn('fill="#fff">main', self.good("flamegraph", "stacks.folded", "-p", "viridis", "--low=0",
                                                    "--by=depth").out)

    def check_labels(self, palette, counts):
        name, *options = palette.split()
        picture = self.good("flamegraph", "stacks.folded", "-p", f"{name},hot", *options, "--no-compact",
                            f"--set=folded.counts={counts}").out
        frames = re.findall(r'fill="rgb\(([^)]*)\)" fg:', picture)
        labels = re.findall(r'<text x="[\d.]+%" y="[\d.]+"( fill="#fff")?>', picture)
        self.assertEqual(len(frames), len(labels))
        for fill, is_white in zip(frames, labels):
            ink = (255, 255, 255) if is_white else (0, 0, 0)
            self.assertGreaterEqual(contrast(tuple(map(int, fill.split(","))), ink), 4.5, f"{palette}: {fill}")

    def test_options_may_have_the_names_that_other_tools_give_them(self):
        for ours, theirs in ((["-p", "mem"], ["--colors", "mem"]),
                             (["-p", "mem", "--numbers=hash"], ["--colors=mem", "--hash"]),
                             (["-p", "hot", "--numbers=hash"], ["-p", "hot", "--hash"]),
                             (["-p", "hot", "--numbers=deterministic"], ["-p", "hot", "--deterministic"]),
                             (["-p", "diffusion"], ["--colordiffusion"])):
            self.assertEqual(self.colors(*ours), self.colors(*theirs))
        self.fails(2, "flamegraph", "--colors", "chartreuse", stdin=STACKS)

    # ---- chains ----

    def test_the_first_palette_with_an_opinion_counts(self):
        found = self.colors("-p", "rules,mem", "--rules", "^main$ = #010203",
                            "--set", "mem.numbers=hash")
        self.assertEqual("1,2,3", found["main"])
        self.assertEqual(self.colors("-p", "mem", "--numbers=hash")["emit"], found["emit"])

    def test_a_chain_of_the_configuration(self):
        self.write(".brazier.yaml", "palettes:\n  ours:\n    - {use: rules, options: {rules: "
                   "[{match: emit, color: '#010203'}]}}\n    - {use: io, only: '^p'}\n    - base\n"
                   "  base: {use: mem, options: {numbers: hash}, background: '#ffeedd'}\n")
        r = self.good("flamegraph", "--no-compact", "-p", "ours", stdin=STACKS).out
        self.assertEqual("1,2,3", colors(r)["emit"])
        self.assertEqual(self.colors("-p", "mem", "--numbers=hash")["main"], colors(r)["main"])
        self.assertNotEqual(self.colors("-p", "mem", "--numbers=hash")["parse"], colors(r)["parse"])
        self.assertIn('stop-color="#eeeeee"', r)  # the first background is io's

    def test_a_chain_in_a_pipeline(self):
        self.write(".brazier.yaml", "pipelines:\n  cpu:\n    collapse: folded\n    diffusion: true\n"
                   "    palette: [{use: rules, options: {rules: ['main = #000000']}}, mem]\n"
                   "    outputs: [{use: svg, to: x.svg}]\n")
        self.good("run", "cpu", "-", "--no-compact", stdin=STACKS)
        self.assertEqual("0,0,0", colors(self.read("x.svg"))["main"])
        self.good("run", "cpu", "-", "--no-diffusion", stdin=STACKS)
        self.good("config", "check")

    def test_a_palette_called_default_is_used_when_none_is_named(self):
        self.write(".brazier.yaml", "palettes: {default: {use: mem, options: {numbers: hash}}}\n")
        self.assertEqual(self.colors("-p", "mem", "--numbers=hash"), self.colors())

    def test_a_name_may_stand_for_another_one_or_for_itself(self):
        self.write(".brazier.yaml", "palettes:\n  ours: {use: mem, options: {numbers: hash}}\n"
                                    "  default: ours\n  mem: mem\n")
        self.assertEqual(self.colors("-p", "mem", "--numbers=hash"), self.colors())
        self.good("config", "check")

    def test_palettes_are_nested_up_to_the_documented_depth(self):
        for levels, code in ((14, 0), (40, 2)):
            names = "".join(f"  a{i}: a{i + 1}\n" for i in range(levels))
            self.write(".brazier.yaml", f"palettes:\n{names}  a{levels}: hot\n")
            r = self.brazier("config", "check")
            self.assertEqual((code, code == 2), (r.code, "or too deeply" in r.err), r)

    def test_mistakes_in_chains_have_a_place(self):
        for text, place, word in (
                ("palettes: {a: [b], b: [a]}\n", "1:", "in a circle"),
                ("palettes: {a: []}\n", "1:15", "name of a palette"),
                ("palettes: {a: [b, b, b, b], b: [c, c, c, c, c], c: [hot, hot, hot, hot]}\n", "1:",
                 "too many"),
                ("palettes:\n  a:\n    - [hot]\n", "3:7", "name of a palette"),
                ("palettes:\n  a: {use: hot, only: 'x('}\n", "2:23", "parenthesis"),
                ("palettes:\n  a: {use: hot, only: [x]}\n", "2:23", "regular expression"),
                ("palettes:\n  a: {use: hot, background: green}\n", "2:29", "#rrggbb"),
                ("palettes:\n  a: {use: hot, background: ['#000000']}\n", "2:29", "#rrggbb"),
                ("palettes:\n  a: [{use: hot, colour: x}]\n", "2:", "'colour'"),
                ("palettes:\n  a: {use: rules, options: {rules: [{match: [x]}]}}\n", "2:45",
                 "one line"),
                ("pipelines:\n  a: {diffusion: much}\n", "2:18", "true or false"),
                ("pipelines:\n  a: {palette-map: [x]}\n", "2:20", "file")):
            self.write(".brazier.yaml", text)
            r = self.fails(2, "config", "check")
            self.assertIn(f".brazier.yaml:{place}", r.err, text)
            self.assertIn(word, r.err, text)

    # ---- rules ----

    def test_a_bad_rule_is_quoted(self):
        for rule, word in (("a(b = red", "missing closing parenthesis"),
                           ("main = crimson", "a colour is"), ("main", "PATTERN = COLOUR")):
            r = self.fails(2, "flamegraph", "-p", "rules", "--rules", rule, stdin=STACKS)
            self.assertIn(rule, r.err)
            self.assertIn(word, r.err)
            self.assertNotIn("' failed", r.err)

    def test_each_bad_rule_of_a_configuration_is_said_once_at_its_place(self):
        self.write("in.folded", "a;b 1\n")
        self.write("own.yaml", "palettes:\n  ours:\n    use: rules\n    options:\n      otherwise: crimson\n"
                               "      rules:\n        - {match: 'a(', color: red}\n        - main = red\n"
                               "        - main = crimson\n"
                               "pipelines:\n  p:\n    palette: ours\n    outputs:\n"
                               "      - {use: svg, to: x.svg}\n      - {use: svg, to: y.svg, palette: [ours, hot]}\n")
        colour = "a colour is #rrggbb, next, or one of hot, mem, io, red, green, blue, yellow, purple, aqua, orange"
        for command in (["run", "p", "in.folded"], ["config", "check"]):
            r = self.fails(2, "--config", "own.yaml", *command)
            self.assertEqual(
                "own.yaml:7:11: error: 'rules' of 'rules': rule 'match: a( color: red': missing closing parenthesis\n"
                "            - {match: 'a(', color: red}\n              ^\n"
                f"own.yaml:9:11: error: 'rules' of 'rules': rule 'main = crimson': {colour}\n"
                "            - main = crimson\n              ^~~~~~~~~~~~~~\n"
                f"own.yaml:5:18: error: 'otherwise' of 'rules': {colour}\n"
                "          otherwise: crimson\n                     ^~~~~~~\n", r.err)

    def test_a_rule_that_hits_a_limit_fails_the_run(self):
        """Tests that the run fails if a match hits its limit: another rule could apply to the
        frame."""
        self.write("in.folded", "m;" + "a" * 1000 + "b 5\nm;" + "a" * 1000 + "c 5\n")
        r = self.fails(1, "flamegraph", "in.folded", "-p", "rules,mem",
                       "--rules", "^(a+)+$ = #010203", "-o", "x.svg")
        self.assertEqual(
            "brazier: error: rules: rule '^(a+)+$ = #010203': the expression exceeds the match "
            f"limit of 10000000 steps on the frame '{'a' * 60}...' (1001 bytes)\n", r.err)
        self.assertEqual(["in.folded"], self.files())

    def test_a_rule_on_modules_that_hits_a_limit_says_so(self):
        self.write("r.yaml", "palettes: {ours: {use: rules, options: {rules: [{module: "
                             "'(*LIMIT_MATCH=1)(l|x)*[yz]', color: '#000002'}]}}}\n")
        r = self.fails(1, "flamegraph", "--config", "r.yaml", "-f", "perf", "-p", "ours",
                       "-o", "x.svg", stdin=PERF)
        self.assertIn("exceeds the match limit of 1 steps on the module 'libc-2.31.so'", r.err)

    def test_a_rule_finds_a_match_in_a_long_name(self):
        name = "executor_op<" * 3000 + "do_complete"
        found = self.colors("-p", "rules,mem", "--rules", r"^(?:(x)|.|\n)*do_complete$ = #010203",
                            "--demangle", "none", stdin=f"main;{name} 1\n")
        self.assertEqual("1,2,3", found[name.replace("<", "&lt;")])

    def test_a_palette_whose_only_hits_a_limit_fails_the_run(self):
        self.write(".brazier.yaml", "palettes: {ours: [{use: hot, only: '^(a+)+$'}, mem]}\n")
        self.write("in.folded", "m;" + "a" * 1000 + "b 5\nm;" + "a" * 1000 + "c 5\n")
        r = self.fails(1, "flamegraph", "in.folded", "-p", "ours", "-o", "x.svg")
        self.assertEqual(
            "brazier: error: palette 'hot', 'only': the expression '^(a+)+$' exceeds the match "
            f"limit of 10000000 steps on the frame '{'a' * 60}...' (1001 bytes); "
            "simplify its repetitions\n", r.err)
        self.assertEqual([".brazier.yaml", "in.folded"], self.files())

    def test_rules_may_mention_modules_files_and_kinds(self):
        self.write("r.yaml", "palettes:\n  ours:\n    use: rules\n    options:\n      rules:\n"
                   "        - {kind: kernel, color: '#000001'}\n"
                   "        - {module: '^libc-2.31.so$', color: '#000002'}\n"
                   "        - {file: x, color: '#000004'}\n      otherwise: '#000003'\n")
        found = colors(self.good("flamegraph", "--no-compact", "--config", "r.yaml", "-f", "perf", "-p", "ours",
                                 stdin=PERF).out)
        self.assertEqual(("0,0,1", "0,0,2", "0,0,3"),
                         (found["do_page_fault"], found["malloc"], found["main"]))

    # ---- comparisons ----

    def test_comparisons_are_red_and_blue_unless_a_palette_is_named(self):
        found = self.colors(stdin=COMPARED)
        self.assertEqual("70,70,255", found["parse"])
        self.assertNotEqual(found, self.colors("-p", "mem", stdin=COMPARED))
        turned = self.colors("--negate", stdin=COMPARED)
        self.assertEqual("255,70,70", turned["parse"])

    def test_options_of_the_comparing_palette_can_be_set_without_naming_it(self):
        found = self.colors("--set", "diff.colors=orange-blue", stdin=COMPARED)
        self.assertEqual("40,115,215", found["parse"])
        self.assertEqual(found, self.colors("-p", "safe", stdin=COMPARED))

    # ---- contrast ----

    def frames(self, theme, *args, stdin):
        """Returns the colours of the frames of a picture, and its backgrounds."""
        picture = self.good("run", "-", "-t", "svg", "--set", f"svg.theme={theme}", "--set",
                            "svg.minwidth=0", "--no-compact", *args, "-q", stdin=stdin).out
        fills = re.findall(r'<rect[^>]* fill="rgb\((\d+),(\d+),(\d+)\)', picture)
        if theme == "dark":
            self.assertIn(".faded > rect { opacity: 0.42; }\n.faded > text { fill: #fff; }", picture)
        self.assertNotRegex(picture, r"<text[^>]* fill=\"(?!currentColor)")
        stops = re.findall(r"#background stop[^{]*\{ stop-color: #(......)", picture.partition("@media all {")[2])
        return {tuple(map(int, f)) for f in fills}, [tuple(bytes.fromhex(s)) for s in stops]

    def check_contrast(self, n_colors, *args, stdin):
        """Labels are black in both themes. In the dark one, those of faded frames are white."""
        for theme in ("light", "dark"):
            fills, backgrounds = self.frames(theme, *args, stdin=stdin)
            self.assertGreaterEqual(len(fills), n_colors)
            self.assertEqual(1 if theme == "dark" else 0, len(backgrounds))
            for fill in fills:
                self.assertGreaterEqual(contrast(fill, (0, 0, 0)), 4.5, fill)
                for behind in backgrounds:
                    faded = [0.42 * f + 0.58 * b for f, b in zip(fill, behind)]
                    self.assertGreaterEqual(contrast(faded, (255, 255, 255)), 4.5, fill)

    def test_labels_are_readable_on_every_kind_of_frame(self):
        self.check_contrast(8, "-p", "kind", "--from", "perf", "--wakeup", "--states", "--event", "all",
                            "-w", "off-cpu", stdin=KINDS)

    def test_labels_are_readable_on_wake_ups(self):
        stacks = "".join(f"a;{chr(97 + i % 26)}{i} 1\n" for i in range(400))
        self.check_contrast(50, "-p", "wakeup", "--numbers", "deterministic", stdin=stacks)

    # ---- legends ----

    def test_a_legend_is_drawn_unless_it_is_not_wanted(self):
        with_it = self.good("flamegraph", "-p", "kind", stdin=STACKS).out
        self.assertIn('id="legend"', with_it)
        self.assertNotIn('id="legend"', self.good("flamegraph", "-p", "kind", "--no-legend",
                                                  stdin=STACKS).out)
        self.assertNotIn('id="legend"', self.good("flamegraph", stdin=STACKS).out)

    def test_what_a_legend_says_is_text(self):
        r = self.good("flamegraph", "-p", "rules", "--rules", "main|<script> = red",
                      stdin=STACKS).out
        self.assertIn("main|&lt;script&gt;", r)


if __name__ == "__main__":
    common.main()

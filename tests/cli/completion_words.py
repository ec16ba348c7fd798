#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs every word that the completion scripts offer: none of them may be bad usage.

bash says what it offers for each command and component; fish and zsh must not offer more. The scripts find the values
of an option by its name and what it takes: runs that are not exhaustive complete them after one command, give each
value to all commands in one of its two forms, and try the options of some components of a kind. fish and zsh, which are
slow, then complete different halves of what is typed.
"""
import json
import os
import re
import shutil
import subprocess
import unittest

import answers
import common
from lib.brazier import IS_EXHAUSTIVE, Process, can_share

SCRIPTS = common.SOURCE / "packaging" / "completion"

# Functions of the script print the same for the same words, and each starts several processes: what they print is kept.
BASH = r"""
source "$0"
print_kept() {
    local file="$KEPT/${*//\//,}"
    local -a lines
    [[ -e $file ]] || "$@" >"$file"
    mapfile -t lines <"$file"
    ((${#lines[@]} == 0)) || printf '%s\n' "${lines[@]}"
}
for name in _brazier_options _brazier_components _brazier_component_options; do
    eval "plain$(declare -f "$name")
          $name() { print_kept plain$name \"\$@\"; }"
done
while IFS= read -r line; do
    IFS=$'\t' read -ra COMP_WORDS <<<"$line"
    [[ $line == *$'\t' ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    printf '== %s\n' "$line"
    _brazier
    printf '%s\n' "${COMPREPLY[@]}"
done
"""

FISH = r"""
source $argv[1]
while read -l line
    echo "== $line"
    complete -C (string replace -a \t ' ' -- $line) | string replace -r '\t.*' ''
end
"""

# zsh completes only what is typed at a terminal. Therefore this prints what the script passes to _arguments, which first
# divides the line into the command and its words.
ZSH = r"""
compdef() { : }
_arguments() {
    if [[ $1 == -C && $words[2] != -* ]]; then
        state=words
        words=("${(@)words[2,-1]}")
        (( CURRENT-- ))
        return 1
    fi
    print -rl -- "$@"
}
source $0
for line in "${(@f)$(cat)}"; do
    print -r -- "== $line"
    words=("${(@ps:\t:)line}")
    CURRENT=$#words
    _brazier
done
"""

# The message of `view` when it has accepted all words.
NO_TERMINAL = "standard output is not a terminal"
# Options of perf-data about waiting, which `record` takes only if it records that.
RECORD_WAITS = ["--off-cpu-open", "--off-cpu-unit", "--states", "--wakers", "--wall-clock"]
# Words that options need beside them.
BESIDE = {
    "--fail-unmatched": ["--fail-if", "total(a) > 9"],
    "--fail-report": ["--fail-if", "total(a) > 9"],
    "--keep-files": ["--save", "kept.perf.data"],
    **{f"--split-by={part}": ["-o", f"out-{{{part}}}.svg"] for part in ("process", "thread", "cpu")},
    **{option: ["--off-cpu", "--wakeup"] for option in RECORD_WAITS},
}
# Values of options that take any text; 1 for all others. With one nanosecond between samples, a machine does little else.
VALUES = {"--period": "1000000"}
# Options that start a browser, a server for browsers or sudo, or that show a recording in a terminal or belong to these.
NOT_RUN = {"--open", "--root", "--web", "--no-open", "--editor", "--live"}
# The number of components of each kind that bash completes after --set, and that fish and zsh, which are slow, complete.
SOME = 3
FEW = SOME if IS_EXHAUSTIVE else 1
# The number of components of each kind whose options are run.
RUN = None if IS_EXHAUSTIVE else 5
# Every fourth value of an option of recordings is run: each needs a process.
RECORDED = 4
# In exhaustive runs, every eighth of the commands that can share a process has a process of its own.
ALONE = 8
NO_OPTION = re.compile(r"no option|has no option|no component")


class Words(common.Case):
    def setUp(self):
        super().setUp()
        self.write("in.folded", common.STACKS)
        self.write("two.folded", "a;b 1 2\n")
        self.write(".brazier.yaml", "palettes: {mine: {use: hot}}\npipelines: {cpu: {outputs: [{use: svg, to: cpu.svg}]}}\n")
        self.known = {}
        self.plugin = str(next(common.PLUGINS.rglob("palette-hot.so")))

    def environment(self, env=None):
        folder = answers.folder_of(self)
        return {**super().environment(env), "TERM": "dumb", "PATH": f"{folder}:{os.environ['PATH']}",
                "KEPT": str(folder / "answers")}

    # ---- what is offered ----

    def offered_by(self, shell, lines):
        """Returns the words that a shell offers at the end of each line, which is a list of words."""
        typed = ["\t".join(["brazier", *line]) for line in lines]
        p = subprocess.run([*map(str, shell)], input="".join(line + "\n" for line in typed), capture_output=True, text=True,
                           cwd=self.dir, env=self.environment(), timeout=600)
        self.assertEqual("", p.stderr)
        parts = [part.partition("\n") for part in ("\n" + p.stdout).split("\n== ")[1:]]
        self.assertEqual(typed, [name for name, _, _ in parts])
        files = set(self.files())
        return [[word for word in words.split("\n") if word and word not in files] for _, _, words in parts]

    def bash(self, lines):
        return self.offered_by(["bash", "-c", BASH, SCRIPTS / "brazier.bash"], lines)

    def contexts(self, most=None):
        """Returns what may stand in front of an option: each command, and each component that brings options, at most
        some of a kind."""
        plain = [[], ["run", "in.folded"], ["collapse", "guess", "in.folded"], ["flamegraph", "in.folded"],
                 ["diff", "in.folded", "in.folded"], ["merge", "in.folded"], ["guess", "in.folded"], ["record"], ["view", "in.folded"],
                 ["plugin", "check", self.plugin], ["plugin", "list"], ["plugin", "info", "svg"], ["plugin", "new", "x"],
                 ["config", "show"], ["plugin"], ["config"]]
        return plain + [["run", "two.folded"]] + \
            [["run", "in.folded", "--to", name] for name in self.components("output")[:most]] + \
            [["run", "in.folded", "--to", "svg", "--palette", name] for name in self.components("palette")[:most]] + \
            [["collapse", name, "in.folded"] for name in self.collapsers()[:most]] + \
            [["run", "--from", name, "in.folded"] for name in self.components("collapser")[:SOME]]

    def collapsers(self):
        """Returns the ids of collapsers, and of one format in YAML: all have the options of their collapsers."""
        found = [c for c in json.loads(self.good("plugin", "list", "--json").out) if c["kind"] == "collapser"]
        formats = [c["id"] for c in found if c["plugin"] == "formats"]
        return [c["id"] for c in found if c["id"] not in formats[1:]]

    def takes(self, context):
        """Returns what each option of --help takes: nothing, or a word such as FILE or a|b."""
        if tuple(context) in self.known:
            return self.known[tuple(context)]
        text = self.good(*context, "--help").out
        found = self.known[tuple(context)] = {}
        for part, name, value in re.findall(r"^ +(?:-\w, )?--(\[no-\])?([\w-]+)(?: (\S+))?", text, re.M):
            for no in ("", "no-")[:2 if part else 1]:
                before = found.get(f"--{no}{name}")  # two options may have one name
                found[f"--{no}{name}"] = f"{before} {value}" if before and value else before or value
        return self.known[tuple(context)]

    def options(self, most=None):
        """Returns contexts with an option that bash offers and what that takes, each once for its component."""
        first, found, contexts = {}, [], self.contexts(most)
        for context, words in zip(contexts, self.bash([[*c, "--"] for c in contexts])):
            takes = self.takes([] if context in (["plugin"], ["config"]) else context)
            self.assertEqual(set(takes), set(words), context)
            plain = first.setdefault(tuple(context[:2 if context[:1] == ["plugin"] else 1]), takes)
            found += [(context, word, takes[word]) for word in words
                      if plain is takes or plain.get(word) != takes[word]]
        return [(context, option, value) for context, option, value in found if option not in NOT_RUN]

    def lines_for_values(self, options):
        """Returns lines that end before the value of an option, by what the values depend on."""
        lines = {}
        for context, option, takes in options:
            if takes:
                lines.setdefault(self.key_of_values(context, option, takes), [*context, option, ""])
        return lines

    @staticmethod
    def key_of_values(context, option, takes):
        return (option, takes, *(context if IS_EXHAUSTIVE else []))

    # ---- running it ----

    def run_all(self, commands):
        """Runs commands, most of them in one process. Yields their results."""
        process = Process(self.dir, self.environment())
        for i, command in enumerate(commands):
            runs_alone = command[:1] == ["record"] or not can_share(command) or (IS_EXHAUSTIVE and i % ALONE == 0)
            result = None if runs_alone else process.run(command, None)
            if result is None:
                yield self.brazier(*command)
            else:
                yield common.Result(command, result.returncode, result.stdout, result.stderr)
        self.assertEqual("", process.finish())

    def assert_accepted(self, runs):
        """Runs commands. Each comes with what its message must not match; None: the status must not be 2, except that of
        the viewer, which has accepted all words before it needs a terminal."""
        refusals = [refusal for _, refusal in runs]
        refused = [r for r, refusal in zip(self.run_all([command for command, _ in runs]), refusals, strict=True)
                   if r.code < 0 or (r.code == 2 and NO_TERMINAL not in r.err if refusal is None else refusal.search(r.err))]
        self.assertEqual([], refused)

    @staticmethod
    def words(context, option, value=None, joins=False):
        """Returns a command that has an option."""
        beside = BESIDE.get(option, []) + BESIDE.get(f"{option}={value}", [])
        beside = [] if option in RECORD_WAITS and context != ["record"] else beside
        form = [option] if value is None else [f"{option}={value}"] if joins else [option, value]
        tail = {(): ["run", "in.folded", "-t", "folded"], ("record",): ["--", "true"], ("plugin",): ["list"], ("config",): ["show"]}.get(tuple(context), [])
        tail = ["--list"] if context[:2] == ["plugin", "check"] else tail
        tail = ["--kind", "output"] if context[:2] == ["plugin", "new"] and option != "--kind" else tail
        return [*context, *beside, *form, *tail]

    def test_every_option_is_accepted_with_every_value(self):
        """Values that the scripts do not know are tried with a 1, which may be wrong where the option is right."""
        options = self.options(RUN)
        lines = self.lines_for_values(options)
        values = dict(zip(lines, self.bash(lines.values()), strict=True))
        runs = []
        for i, (context, option, takes) in enumerate(options):
            offered = values.get(self.key_of_values(context, option, takes), [])
            if takes and takes.startswith("PART="):
                offered = [value + "x" for value in offered]
            if not takes:
                runs.append((self.words(context, option), None))
            elif not offered or takes.startswith("COMPONENT"):
                value = VALUES.get(option, "a=1" if "=" in takes else "1")
                runs.append((self.words(context, option, value), NO_OPTION))
            else:
                offered = offered if IS_EXHAUSTIVE or context != ["record"] else offered[::RECORDED]
                forms = (False, True) if IS_EXHAUSTIVE else (i % 2 == 1,)
                runs += [(self.words(context, option, value, joins), None) for value in offered for joins in forms]
        self.assertGreater(len(runs), 1000 if IS_EXHAUSTIVE else 400)
        self.assert_accepted(runs)

    def test_every_setting_is_accepted_with_every_value(self):
        set_ = ["run", "in.folded", "--set"]
        components = {kind: self.components(kind) for kind in ("collapser", "palette", "output")}
        names, = self.bash([[*set_, ""]])
        self.assertEqual({name + "." for of_kind in components.values() for name in of_kind}, set(names))
        if not IS_EXHAUSTIVE:
            names = [name + "." for of_kind in components.values() for name in of_kind[:SOME]]
        options = self.bash([[*set_, name] for name in names])
        options = [option for name, found in zip(names, options) for option in found]
        values = self.bash([[*set_, option] for option in options])
        ways = {"collapser": ["--to", "folded", "--from"], "palette": ["--to", "svg", "--palette"], "output": ["--to"]}
        runs = []
        for option, offered in zip(options, values):
            name, _, key = option.rstrip("=").partition(".")
            for kind, way in ways.items():  # a format and an output may have the same name
                if name in components[kind] and "--" + key in self.takes(["run", "in.folded", *way, name]):
                    command = ["run", "in.folded", *way, name, "--set"]
                    runs += [([*command, value], None) for value in offered] or [([*command, option + "1"], NO_OPTION)]
                    break
            else:
                self.fail(f"no component of the name has {option}")
        self.assertGreater(len(runs), 300 if IS_EXHAUSTIVE else 20)
        self.assert_accepted(runs)

    def test_every_other_word_is_accepted(self):
        places = {("",): [["--help"]], ("collapse", ""): [["in.folded"]], ("run", ""): [["in.folded"]],
                  ("help", ""): [[]], ("plugin", ""): [["--help"]], ("config", ""): [["--help"]],
                  ("plugin", "info", ""): [[]], ("config", "show", ""): [[]]}
        runs = []
        for place, offered in zip(places, self.bash(list(places))):
            self.assertTrue(offered, place)
            runs += [([*place[:-1], word, *behind], None) for word in offered for behind in places[place]]
        self.assert_accepted(runs)

    # ---- the other shells ----

    @staticmethod
    def half(typed, turn):
        """Returns every other line that is typed, or all of them in exhaustive runs."""
        return typed if IS_EXHAUSTIVE else typed[turn::2]

    def lines(self):
        """Returns typed lines for all options and their values."""
        options = self.options(FEW)
        lines = [[*context, "--"] for context in self.contexts(FEW)] + list(self.lines_for_values(options).values())
        return self.half(lines, 0)

    @unittest.skipUnless(shutil.which("fish"), "no fish")
    def test_fish_offers_nothing_else(self):
        lines = self.lines()
        for line, ours, theirs in zip(lines, self.bash(lines),
                                      self.offered_by(["fish", "--no-config", "-c", FISH, SCRIPTS / "brazier.fish"], lines)):
            self.assertLessEqual({word.rstrip("=.") for word in theirs}, {word.rstrip("=.") for word in ours}, line)

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh_offers_nothing_else(self):
        contexts = self.half(self.contexts(FEW), 1)
        lines = [[*context, "--"] for context in contexts]
        offered = self.offered_by(["zsh", "-f", "-c", ZSH, SCRIPTS / "_brazier"], lines)
        options, checks = self.bash(lines), []
        for context, ours, specs in zip(contexts, options, offered):
            for spec in (spec for spec in specs if spec.startswith("*-")):
                name, action = re.fullmatch(r"\*(-[\w-]+)[=+]?\[.*\](?::.*?:(.*))?", spec).groups()
                self.assertTrue(name in ours or len(name) == 2, (context, spec))
                if name in ours and action and re.match(r"\(|_values", action):
                    checks.append(([*context, name, ""], set(re.sub(r"^\(|\)$|^_values -s , \w+", "", action).split())))
        for (line, theirs), ours in zip(checks, self.bash([line for line, _ in checks])):
            self.assertLessEqual(theirs, set(ours), line)


if __name__ == "__main__":
    common.main()

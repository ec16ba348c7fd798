/* SPDX-License-Identifier: MIT */
/* The options of `cargo brazier`, `cargo flamegraph` and `flamegraph`. */
#include "options.h"

#define FLAG(name, letter, note, help, ours)                                                       \
    {                                                                                              \
        name, letter, COMPAT_NONE, help, ours, false, note                                         \
    }
#define VALUE(name, letter, type, note, help, ours)                                                \
    {                                                                                              \
        name, letter, COMPAT_##type, help, ours, false, note                                       \
    }
#define REPEATED(name, letter, note, help, ours)                                                   \
    {                                                                                              \
        name, letter, COMPAT_TEXT, help, ours, true, note                                          \
    }
#define END FLAG(NULL, 0, CARGO_NOTHING, NULL, NULL)

const compat_option cargo_graph_options[] = {
    VALUE("output", 'o', TEXT, CARGO_OUTPUT, "file to write (flamegraph.svg)", NULL),
    FLAG("open", 0, CARGO_OPEN, "open the picture in the default program", NULL),
    VALUE("root", 0, OPTIONAL, CARGO_ROOT,
          "record as root, through sudo; its options count only with --cmd", NULL),
    VALUE("freq", 'F', INTEGER, CARGO_FREQUENCY, "samples in a second (997)", NULL),
    VALUE("event", 'e', TEXT, CARGO_EVENT, "the event to sample, as perf record takes it", NULL),
    VALUE("compression-level", 'z', OPTIONAL, CARGO_COMPRESSION,
          "no effect: recordings are not kept", NULL),
    VALUE("cmd", 'c', TEXT, CARGO_COMMAND, "the words of perf, instead of record and its options",
          NULL),
    VALUE("perfdata", 0, TEXT, CARGO_PERF_DATA, "draw this recording", NULL),
    VALUE("pid", 0, TEXT, CARGO_PID, "record these processes, separated by commas", NULL),
    FLAG("ignore-status", 0, CARGO_IGNORE_STATUS, "end with status 0 even if the program fails",
         NULL),
    FLAG("no-inline", 0, CARGO_NO_INLINE, "leave out inlined functions", NULL),
    VALUE("post-process", 0, TEXT, CARGO_POST_PROCESS,
          "pass folded stacks through this command of the shell", NULL),
    VALUE("title", 0, TEXT, CARGO_NOTHING, "text of the title", "--title=%"),
    VALUE("subtitle", 0, TEXT, CARGO_NOTHING, "second line below the title", "--subtitle=%"),
    VALUE("notes", 0, TEXT, CARGO_NOTHING, "comment in the picture", "--notes=%"),
    VALUE("palette", 0, TEXT, CARGO_NOTHING, "palette (hot)", "--palette=%"),
    VALUE("image-width", 0, INTEGER, CARGO_NOTHING, "width of the picture in pixels", "--width=%"),
    VALUE("min-width", 0, REAL, CARGO_NOTHING,
          "leave out frames narrower than this percentage (0.01)", "--minwidth=%"),
    REPEATED("skip-after", 0, CARGO_SKIP_AFTER, "make this function the root and drop its callers",
             NULL),
    FLAG("deterministic", 0, CARGO_NOTHING, "choose colours by the name", "--deterministic"),
    FLAG("hash", 0, CARGO_NOTHING, "choose colours by a hash of the name", "--hash"),
    FLAG("inverted", 'i', CARGO_NOTHING, "draw an icicle graph, root on top", "--inverted"),
    FLAG("reverse", 0, CARGO_NOTHING, "merge stacks from the leaves", "--reverse"),
    FLAG("flamechart", 0, CARGO_NOTHING, "draw stacks in the order of time", "--flamechart"),
    FLAG("quality", 0, CARGO_QUALITY, "print what the recording lacks, and what helps", NULL),
    FLAG("verbose", 'v', CARGO_VERBOSE, "print the commands that are run", NULL),
    FLAG("version", 'V', CARGO_VERSION, "print the version", NULL),
    VALUE("completions", 0, TEXT, CARGO_COMPLETIONS,
          "print completion for bash, zsh, fish, powershell or elvish", NULL),
    END,
};

const compat_option cargo_option_aliases[] = {
    VALUE("colors", 0, TEXT, CARGO_NOTHING, "the same as --palette", "--palette=%"),
    VALUE("shell-completions", 0, TEXT, CARGO_COMPLETIONS, "the same as --completions", NULL),
    END,
};

const compat_option cargo_target_options[] = {
    VALUE("bin", 'b', TEXT, CARGO_BIN, "the program to run", NULL),
    VALUE("example", 0, TEXT, CARGO_EXAMPLE, "the example to run", NULL),
    VALUE("test", 0, TEXT, CARGO_TEST, "the integration test to run", NULL),
    VALUE("bench", 0, TEXT, CARGO_BENCH, "the benchmark to run", NULL),
    VALUE("unit-test", 0, OPTIONAL, CARGO_UNIT_TEST,
          "run the unit tests of this library or program", NULL),
    VALUE("unit-test-kind", 0, TEXT, CARGO_UNIT_TEST_KIND, "lib or bin, if both have that name",
          NULL),
    VALUE("unit-bench", 0, OPTIONAL, CARGO_UNIT_BENCH,
          "run the benchmarks within this library or program", NULL),
    VALUE("package", 'p', TEXT, CARGO_PACKAGE, "the package with the target", NULL),
    FLAG("dev", 0, CARGO_DEV, "build with the profile dev", NULL),
    FLAG("release", 'r', CARGO_NOTHING, "build with the profile release (the default)", NULL),
    VALUE("profile", 0, TEXT, CARGO_PROFILE, "build with this profile", NULL),
    VALUE("manifest-path", 0, TEXT, CARGO_MANIFEST_PATH, "path of Cargo.toml", NULL),
    REPEATED("features", 'f', CARGO_FEATURES, "features to build with", NULL),
    FLAG("no-default-features", 0, CARGO_NO_DEFAULT_FEATURES, "build without the default features",
         NULL),
    FLAG("all-features", 0, CARGO_ALL_FEATURES, "build with all features", NULL),
    VALUE("target", 0, TEXT, CARGO_TARGET, "build for this platform", NULL),
    END,
};

const char *const cargo_conflicts[][2] = {
    {"bin", "example"},
    {"bin", "test"},
    {"bin", "bench"},
    {"bin", "unit-test"},
    {"bin", "unit-bench"},
    {"example", "test"},
    {"example", "bench"},
    {"example", "unit-test"},
    {"example", "unit-bench"},
    {"test", "bench"},
    {"test", "unit-test"},
    {"test", "unit-bench"},
    {"bench", "unit-test"},
    {"bench", "unit-bench"},
    {"unit-test", "unit-bench"},
    {"dev", "release"},
    {"dev", "profile"},
    {"release", "profile"},
    {"cmd", "freq"},
    {"cmd", "event"},
    {"pid", "perfdata"},
    {"pid", "bin"},
    {"pid", "example"},
    {"pid", "test"},
    {"pid", "bench"},
    {"pid", "unit-test"},
    {"pid", "unit-bench"},
    {"perfdata", "bin"},
    {"perfdata", "example"},
    {"perfdata", "test"},
    {"perfdata", "bench"},
    {"perfdata", "unit-test"},
    {"perfdata", "unit-bench"},
    {"flamechart", "reverse"},
    {NULL, NULL},
};

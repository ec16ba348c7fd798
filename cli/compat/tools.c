/* SPDX-License-Identifier: MIT */
/* The names and options of inferno's and FlameGraph's programs, and brazier's words for them. */
#include "tools.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/suggest.h"
#include "cargo/options.h"
#include "helpers.h"
#include "readers.h"

/* ---- options ------------------------------------------------------------------------------- */

#define END                                                                                        \
    {                                                                                              \
        NULL, 0, COMPAT_NONE, NULL, NULL, false, 0                                                 \
    }
#define FLAG(name, letter, help, ours)                                                             \
    {                                                                                              \
        name, letter, COMPAT_NONE, help, ours, false, 0                                            \
    }
#define VALUE(name, letter, type, help, ours)                                                      \
    {                                                                                              \
        name, letter, COMPAT_##type, help, ours, false, 0                                          \
    }

static const compat_option help_option[] = {FLAG("help", 'h', "print this text", NULL), END};

static const compat_option logging[] = {
    FLAG("quiet", 'q', "print errors only", "--quiet"),
    {"verbose", 'v', COMPAT_NONE, "print more; twice: for debugging", "--verbose", true, 0},
    END,
};
static const compat_option threads[] = {
    VALUE("nthreads", 'n', INTEGER, "number of threads", "--jobs=%"),
    END,
};
static const compat_option perf[] = {
    FLAG("pid", 0, "add the process id to the root frame", "--pid"),
    FLAG("tid", 0, "add the process and thread ids to the root frame", "--tid"),
    FLAG("addrs", 0, "show the addresses of frames without a symbol", "--addrs"),
    FLAG("kernel", 0, "mark kernel code with _[k]", "--kernel"),
    FLAG("jit", 0, "mark JIT-compiled code with _[j]", "--jit"),
    FLAG("all", 0, "the same as --kernel --jit", "--all"),
    VALUE("event-filter", 0, TEXT, "the event to count; default: the first in the input",
          "--event-filter=%"),
    END,
};
static const compat_option skip_after[] = {
    {"skip-after", 0, COMPAT_TEXT, "make this function the root and drop its callers",
     "--skip-after=%", true, 0},
    END,
};
static const compat_option perf_pl[] = {
    FLAG("inline", 0, "no effect: perf script prints inlined functions itself", NULL),
    FLAG("context", 0, "the same as --srcline", "--srcline"),
    FLAG("srcline", 0, "add file and line, as printed by perf script -F +srcline", "--srcline"),
    END,
};
static const compat_option dtrace[] = {
    FLAG("includeoffset", 0, "keep the offsets of all frames but the leaf", "--includeoffset"),
    END,
};
static const compat_option modules[] = {
    FLAG("no-modules", 0, "leave modules out of the names", "--no-modules"),
    END,
};
static const compat_option ghcprof[] = {
    FLAG("time", 0, "count time (the default)", "--time"),
    FLAG("ticks", 0, "count ticks", "--ticks"),
    FLAG("bytes", 0, "count allocated bytes", "--bytes"),
    END,
};
static const compat_option xdebug[] = {
    FLAG(NULL, 't', "count microseconds (the default)", NULL),
    FLAG(NULL, 'c', "count calls", "--weight=calls"),
    END,
};
static const compat_option process_ids[] = {
    FLAG("pid", 0, "add the process id as root frame", "--pid"),
    FLAG("tid", 0, "add the thread id as root frame", "--tid"),
    END,
};
static const compat_option java_threads[] = {
    FLAG("include-tname", 0, "add the thread's name as root frame (the default)", "--thread-names"),
    FLAG("no-include-tname", 0, "do not add it", "--no-thread-names"),
    FLAG("include-tid", 0, "keep the number at the end of the thread's name", "--tid"),
    FLAG("no-include-tid", 0, "remove it (the default)", "--no-tid"),
    FLAG("shorten-pkgs", 0, "shorten packages to their first letters", "--packages=short"),
    FLAG("no-shorten-pkgs", 0, "show whole packages (the default)", "--packages=full"),
    END,
};
static const compat_option java_packages[] = {
    FLAG("shorten-pkgs", 0, "shorten packages to their first letters", "--packages=short"),
    FLAG("no-pkgs", 0, "leave packages out", "--packages=none"),
    END,
};
static const compat_option sizes[] = {
    FLAG("size", 's', "count allocated bytes instead of allocations", "--weight=Allocation Size"),
    END,
};
static const compat_option awk_variables[] = {
    VALUE("v", 0, VARIABLE, "set a variable: NAME=VALUE", NULL),
    END,
};
static const compat_option file_sizes[] = {
    {"xdev", 0, COMPAT_NONE, "stay on the file systems of the folders", NULL, false,
     HELPER_ONE_FILE_SYSTEM},
    END,
};
static const compat_option time_range[] = {
    {"timeraw", 0, COMPAT_NONE, "use the times of the text as they are", NULL, false,
     HELPER_RAW_TIME},
    {"timezerosecs", 0, COMPAT_NONE, "count from the second in which the first event is", NULL,
     false, HELPER_SECONDS_OF_START},
    END,
};
static const compat_variable sample_variables[] = {{"MODULES", true, "--no-modules"},
                                                   {NULL, false, NULL}};
static const compat_variable sched_variables[] = {
    {"record_tid", false, "--tid"},
    {"record_wake_stack", false, "--wakeup"},
    {"recurse", false, NULL},
    {NULL, false, NULL},
};
static const compat_option diff[] = {
    FLAG("normalize", 'n', "scale the first profile to the total of the second",
         "--normalize-down"),
    FLAG("strip-hex", 's', "replace each address (0x...) by 0x...", "--strip-hex"),
    END,
};
static const compat_option diff_pl[] = {
    FLAG(NULL, 'n', "scale the first profile to the total of the second", "--normalize-down"),
    FLAG(NULL, 's', "replace each address (0x...) by 0x...", "--strip-hex"),
    END,
};

/* Differences keep their colours with any palette. */
#define COLORS "--palette=diff,%"

/* The script refuses no name, and its copies have further palettes. */
#define COLORS_PL "--palette=diff,?%"

static const compat_option flamegraph[] = {
    VALUE("title", 0, TEXT, "text of the title", "--title=%"),
    VALUE("subtitle", 0, TEXT, "second line below the title", "--subtitle=%"),
    VALUE("width", 0, INTEGER, "width of the picture in pixels", "--width=%"),
    VALUE("height", 0, INTEGER, "height of a frame in pixels (16)", "--height=%"),
    VALUE("fonttype", 0, TEXT, "font family", "--fonttype=%"),
    VALUE("fontsize", 0, REAL, "font size in pixels (12)", "--fontsize=%"),
    VALUE("fontwidth", 0, REAL, "average width of a character, as a share of the font size (0.59)",
          "--fontwidth=%"),
    VALUE("countname", 0, TEXT, "unit of the counts (samples)", "--countname=%"),
    VALUE("nametype", 0, TEXT, "text before a name in the status line (Function:)", "--nametype=%"),
    VALUE("nameattr", 0, TEXT, "file of attributes of functions", "--nameattr=%"),
    VALUE("notes", 0, TEXT, "comment in the picture", "--notes=%"),
    VALUE("factor", 0, REAL, "number to multiply the counts by (1)", "--factor=%"),
    VALUE("bgcolors", 0, BACKGROUND, "background: yellow, blue, green, grey or #rrggbb",
          "--bgcolors=%"),
    FLAG("inverted", 'i', "draw an icicle graph, root on top", "--inverted"),
    FLAG("hash", 0, "choose colours by a hash of the name", "--hash"),
    FLAG("cp", 0, "keep the colours of names in ./palette.map", "--cp"),
    FLAG("negate", 0, "swap the colours of differences", "--negate"),
    FLAG("reverse", 0, "merge stacks from the leaves", "--reverse"),
    END,
};
static const compat_option flamegraph_inferno[] = {
    VALUE("colors", 'c', TEXT, "palette (hot)", COLORS),
    VALUE("minwidth", 0, REAL, "leave out frames narrower than this percentage (0.01)",
          "--minwidth=%"),
    {"base", 0, COMPAT_TEXT, "make this function the root and drop stacks without it", "--base=%",
     true, 0},
    VALUE("uicolor", 0, TEXT, "colour of titles and buttons (#000000)", "--uicolor=%"),
    VALUE("search-color", 0, TEXT, "colour of search results (#e600e6)", "--search-color=%"),
    VALUE("stroke-color", 0, TEXT, "outline of frames: none or #rrggbb (none)", "--stroke-color=%"),
    FLAG("colordiffusion", 0, "colour frames by their width", "--colordiffusion"),
    FLAG("deterministic", 0, "choose colours by the name", "--deterministic"),
    FLAG("truncate-text-right", 0, "keep the beginning of names that do not fit",
         "--truncate-text-right"),
    FLAG("no-javascript", 0, "leave out the script", "--no-javascript"),
    FLAG("pretty-xml", 0, "write a line for each frame", "--pretty-xml"),
    FLAG("flamechart", 0, "draw stacks in the order of the input, the last one leftmost",
         "--flamechart-back"),
    FLAG("no-sort", 0, "no effect: sorted input stays as it is", NULL),
    END,
};
static const compat_option flamegraph_pl[] = {
    VALUE("colors", 0, TEXT, "palette (hot)", COLORS_PL),
    VALUE("minwidth", 0, TEXT,
          "leave out frames narrower than this number of pixels, or percentage with a % (0.1)",
          "--minwidth=%px"),
    VALUE("total", 0, TEXT, "count that the whole width stands for", "--total=%"),
    FLAG("random", 0, "choose colours at random", "--random"),
    FLAG("flamechart", 0, "draw stacks in the order of the input", "--flamechart"),
    VALUE("encoding", 0, TEXT, "no effect: the picture is UTF-8", NULL),
    END,
};

static const char *const costs_exclude[][2] = {
    {"bytes", "ticks"}, {"bytes", "time"}, {"ticks", "time"}, {NULL, NULL}};
static const char *const modes_exclude[][2] = {
    {"hash", "deterministic"}, {"no-sort", "reverse"},       {"flamechart", "no-sort"},
    {"flamechart", "reverse"}, {"colordiffusion", "colors"}, {NULL, NULL}};

/* ---- tools --------------------------------------------------------------------------------- */

#define OPTIONS(...)                                                                               \
    .options = (const compat_option *const[])                                                      \
    {                                                                                              \
        __VA_ARGS__ help_option, NULL                                                              \
    }
#define COMMAND(...)                                                                               \
    .command = (const char *const[])                                                               \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define COLLAPSE(...) COMMAND("collapse", __VA_ARGS__)
/* The looks of the other tools' pictures. */
#define LOOKS                                                                                      \
    "--no-legend", "--no-compact", "--unit=plain", "--countname=samples", "--label=tail",          \
        "--label-color=black", "--palette=diff,hot", "--set=?diff.scale=linear"

#define FLAMEGRAPH "flamegraph", "--output=-", "--deltas=self", "--demangle=none", LOOKS

/* Programs whose words clap parses. */
#define INFERNO .read = compat_read_clap, .most_files = 1, .usage_status = 2, .failed_status = 1

/* Scripts that read all given files. */
#define READS_ALL                                                                                  \
    .read = compat_read_getopt_long, .most_files = SIZE_MAX, .usage_status = 2,                    \
    .failed_status = 1, .missing = COMPAT_MISSING_SKIPS, .is_script = true

/* Scripts with options, which report errors by Perl's die(), with status 255. */
#define READS_OPTIONS                                                                              \
    .read = compat_read_getopt_long, .most_files = SIZE_MAX, .usage_status = 255,                  \
    .missing = COMPAT_MISSING_SKIPS, .is_script = true

/* Scripts that open each file themselves. */
#define OPENS_FILES                                                                                \
    .usage_status = 2, .failed_status = 1, .missing = COMPAT_MISSING_ERRNO, .is_script = true

/* Scripts that use no other part of brazier. */
#define HELPS(prepare_)                                                                            \
    .prepare = (prepare_), .read = compat_read_getopt_long, .uses_config = true, .is_script = true

/* Idle processors, which pkgsplit-perf.pl leaves out. */
#define DROP_IDLE "--drop=xen_hypercall_sched_op|cpu_idle|native_safe_halt"

/* Programs that record, then draw. */
#define RECORDS                                                                                    \
    .read = compat_read_clap, .conflicts = cargo_conflicts, .takes_command = true,                 \
    .prepare = cargo_prepare, .complete = cargo_complete, .usage_status = 2

static const compat_tool tools[] = {
    {"inferno-collapse-perf", COLLAPSE("perf", "--compat=inferno"),
     OPTIONS(perf, skip_after, threads, logging, ), INFERNO},
    {"inferno-collapse-dtrace", COLLAPSE("dtrace"), OPTIONS(dtrace, threads, logging, ), INFERNO},
    {"inferno-collapse-sample", COLLAPSE("sample"), OPTIONS(modules, logging, ), INFERNO},
    {"inferno-collapse-vtune", COLLAPSE("vtune", "--round"), OPTIONS(modules, logging, ), INFERNO},
    {"inferno-collapse-vsprof", COLLAPSE("vsprof"), OPTIONS(logging, ), INFERNO},
    {"inferno-collapse-ghcprof", COLLAPSE("ghcprof"), OPTIONS(ghcprof, logging, ),
     .conflicts = costs_exclude, INFERNO},
    {"inferno-collapse-xctrace", COLLAPSE("xctrace"), OPTIONS(logging, ), INFERNO},
    {"inferno-collapse-recursive", COLLAPSE("recursive"), OPTIONS(threads, ), INFERNO},
    {"inferno-collapse-guess",
     COLLAPSE("guess", "--set=?vtune.round=true", "--set=?perf.compat=inferno"),
     OPTIONS(threads, logging, ), INFERNO},
    {"inferno-diff-folded", COMMAND("diff"), OPTIONS(diff, logging, ), .read = compat_read_clap,
     .most_files = 2, .usage_status = 2, .failed_status = 1},
    {"inferno-flamegraph", COMMAND(FLAMEGRAPH, "--set=?folded.trim=true"),
     OPTIONS(flamegraph, flamegraph_inferno, logging, ), .conflicts = modes_exclude,
     .read = compat_read_clap, .most_files = SIZE_MAX, .usage_status = 2, .failed_status = 1},
    {"flamegraph.pl",
     COMMAND(FLAMEGRAPH, "--width=1200", "--fonttype=Verdana", "--truncate-text-right",
             "--minwidth=0.1px", "--sum", "--set=?diff.colors=red-white-blue"),
     OPTIONS(flamegraph, flamegraph_pl, ), READS_OPTIONS, .failed_status = 2},
    {"stackcollapse-perf.pl",
     COLLAPSE("perf", "--compat=inferno", "--frameless", "--rename=[\"']=>"),
     OPTIONS(perf, perf_pl, ), READS_OPTIONS, .failed_status = 1},
    {"stackcollapse.pl", COLLAPSE("dtrace"), OPTIONS(), READS_ALL},
    {"stackcollapse-bpftrace.pl", COLLAPSE("bpftrace", "--offsets", "--addrs"), OPTIONS(),
     READS_ALL},
    {"stackcollapse-recursive.pl", COLLAPSE("recursive"), OPTIONS(), READS_ALL},
    {"stackcollapse-vtune.pl", COLLAPSE("vtune", "--round"), OPTIONS(), OPENS_FILES,
     .read = compat_read_getopt_long, .most_files = 1},
    {"stackcollapse-vsprof.pl", COLLAPSE("vsprof"), OPTIONS(), OPENS_FILES,
     .read = compat_read_getopt_long, .most_files = 1},
    {"difffolded.pl", COMMAND("diff"), OPTIONS(diff_pl, ), OPENS_FILES, .read = compat_read_letters,
     .most_files = 2},
    {"stackcollapse-sample.awk", COLLAPSE("sample"), OPTIONS(modules, ),
     .read = compat_read_getopt_long, .most_files = SIZE_MAX, .usage_status = 2, .failed_status = 2,
     .variables = sample_variables, .is_script = true},
    {"stackcollapse-aix.pl", COLLAPSE("aix"), OPTIONS(), READS_ALL},
    {"stackcollapse-chrome-tracing.py", COLLAPSE("chrome-trace"), OPTIONS(), READS_ALL},
    {"stackcollapse-elfutils.pl", COLLAPSE("eu-stack"), OPTIONS(process_ids, ), READS_OPTIONS,
     .failed_status = 1},
    {"stackcollapse-faulthandler.pl", COLLAPSE("faulthandler", "--lines"), OPTIONS(), READS_ALL},
    {"stackcollapse-gdb.pl", COLLAPSE("gdb"), OPTIONS(), READS_ALL},
    {"stackcollapse-go.pl", COLLAPSE("go", "--first"), OPTIONS(), READS_ALL},
    {"stackcollapse-ibmjava.pl", COLLAPSE("jstack", "--thread-names"), OPTIONS(java_threads, ),
     READS_OPTIONS, .failed_status = 1},
    {"stackcollapse-instruments.pl", COLLAPSE("instruments"), OPTIONS(), READS_ALL},
    {"stackcollapse-java-exceptions.pl", COLLAPSE("java-exceptions"), OPTIONS(java_packages, ),
     READS_OPTIONS, .failed_status = 1},
    {"stackcollapse-jstack.pl", COLLAPSE("jstack", "--running", "--thread-names"),
     OPTIONS(java_threads, ), READS_OPTIONS, .failed_status = 1},
    {"stackcollapse-ljp.awk", COLLAPSE("ljp"), OPTIONS(awk_variables, ), READS_ALL},
    {"stackcollapse-perf-sched.awk",
     COLLAPSE("perf", "--compat=inferno", "--off-cpu", "--off-cpu-unit=microseconds"),
     OPTIONS(awk_variables, ), READS_ALL, .variables = sched_variables},
    {"stackcollapse-pmc.pl", COLLAPSE("pmc"), OPTIONS(), READS_ALL},
    {"stackcollapse-stap.pl", COLLAPSE("stap"), OPTIONS(), READS_ALL},
    {"stackcollapse-vtune-mc.pl", COLLAPSE("vtune", "--modules-after", "--weight=Allocations"),
     OPTIONS(sizes, ), READS_ALL},
    {"stackcollapse-wcp.pl", COLLAPSE("wcp"), OPTIONS(), READS_ALL},
    {"pkgsplit-perf.pl", COLLAPSE("perf", "--split-packages", "--rename=[0-9]=>X", DROP_IDLE),
     OPTIONS(), READS_ALL},
    {"files.pl", COMMAND(NULL),
     "Prints the size of each file and folder below FOLDER as folded stacks.", "FOLDER...",
     OPTIONS(file_sizes, ), .most_files = SIZE_MAX, .usage_status = 1,
     HELPS(compat_print_file_sizes)},
    {"range-perf.pl", COMMAND(NULL),
     "Copies the events from FROM to TO, in seconds, of perf script's text from standard input.",
     "FROM TO", OPTIONS(time_range, ), .most_files = 2, .usage_status = 255,
     HELPS(compat_copy_time_range)},
    {"cargo-brazier", COMMAND("run"),
     OPTIONS(cargo_graph_options, cargo_option_aliases, cargo_target_options, ),
     .subcommand = "brazier", .uses_config = true, RECORDS},
    {"cargo-flamegraph", COMMAND("run", LOOKS),
     OPTIONS(cargo_graph_options, cargo_option_aliases, cargo_target_options, ),
     .subcommand = "flamegraph", RECORDS},
    {"flamegraph", COMMAND("run", LOOKS), OPTIONS(cargo_graph_options, cargo_option_aliases, ),
     RECORDS},
    {"stackcollapse-xdebug.php", COLLAPSE("xdebug"), OPTIONS(xdebug, ), .read = compat_read_letters,
     .most_files = 1, .usage_status = 2, .failed_status = 1, .is_script = true},
};

#define N_TOOLS BRZ_COUNT_OF(tools)

const compat_tool *compat_find_tool(const char *name)
{
    for (size_t i = 0; i < N_TOOLS; i++)
        if (strcmp(tools[i].name, name) == 0)
            return &tools[i];
    return NULL;
}

const char *compat_nearest_tool(const char *name)
{
    brz_suggestion near = {.typed = brz_str_of_text(name)};
    for (size_t i = 0; i < N_TOOLS; i++)
        brz_suggestion_offer(&near, tools[i].name);
    return near.best;
}

/* Recognises formats that brazier does not read: the table. */
#include "collapse/foreign.h"

#include "collapse/foreign_shape.h"

#include <string.h>

typedef struct signature {
    brz_foreign format;
    bool (*test)(brz_str text);
    bool (*binary)(brz_str head);
    const char *text; /* argument of `how`, of length `len`: it may contain zeros */
    size_t len;
    enum { IS, BEGINS, HAS_LINE, HAS_KEYS } how;
    size_t offset; /* of IS */
} signature;

/* ---- advice
 * ------------------------------------------------------------------------------------ */

#define DRAW_WITH(command) "`" command " | brazier run - -o flame.svg` draws it"
#define NOT_YET            "brazier does not read this format yet"
#define WRITES             "brazier writes this format but does not read it yet"
#define UNPACK(tool)       "`" tool " -dc FILE | brazier run - -o flame.svg` unpacks and draws it"
#define PICTURE            "brazier reads the profile that it was drawn from (-o FILE names the output)"
#define GO_PPROF           DRAW_WITH("go tool pprof -raw FILE | stackcollapse-go.pl")
#define PROCESSED_LOG                                                                              \
    "`node --prof-process --preprocess -j isolate*.log > log.json` makes JSON of the log, which "  \
    "brazier reads"
#define WITH_PPROF "brazier reads such profiles in pprof's format"
#define WITH_DOTNET                                                                                \
    "`dotnet-trace convert --format Speedscope FILE` makes a profile that brazier reads"
#define WITH_SIMPLEPERF "brazier reads profiles of Android's simpleperf"

#define RECORDING                                                                                  \
    "--from perf-data reads it, or says why it is not available; then, " DRAW_WITH(                \
        "perf script -i FILE")
#define JAVA_RECORDING "brazier reads the recording itself, the .jfr file"

/* ---- the table ----------------------------------------------------------------------------- */

#define BYTES(name, offset_, bytes, advice)                                                        \
    {                                                                                              \
        .format = {name, advice, false}, .how = IS, .offset = (offset_), .text = "" bytes,         \
        .len = sizeof(bytes) - 1                                                                   \
    }
#define START(name, text_, advice)                                                                 \
    {                                                                                              \
        .format = {name, advice, false}, .how = BEGINS, .text = "" text_, .len = sizeof(text_) - 1 \
    }
#define LINE(name, text_, advice)                                                                  \
    {                                                                                              \
        .format = {name, advice, false}, .how = HAS_LINE, .text = (text_)                          \
    }
#define JSON(name, keys, advice)                                                                   \
    {                                                                                              \
        .format = {name, advice, false}, .how = HAS_KEYS, .text = (keys)                           \
    }
#define TEST(name, function, advice)                                                               \
    {                                                                                              \
        .format = {name, advice, false}, .test = (function)                                        \
    }
#define VAGUE(name, function, advice)                                                              \
    {                                                                                              \
        .format = {name, advice, true}, .test = (function)                                         \
    }

static bool is_among(char c, const char *these)
{
    return c != '\0' && strchr(these, c) != NULL;
}

/* Returns true for an object, or an array of objects, arrays or texts. */
static bool is_json(brz_str text)
{
    char first[2] = {0};
    size_t n = 0;
    for (size_t i = 0; i < text.len && n < 2; i++)
        if (!is_among(text.data[i], " \t\r\n"))
            first[n++] = text.data[i];
    return (first[0] == '{' && is_among(first[1], "\"}")) ||
           (first[0] == '[' && is_among(first[1], "{[\"]"));
}

/* The signatures, most specific first: the first match wins. */
static const signature signatures[] = {
    /* recordings */
    BYTES("a perf.data file", 0, "PERFILE2", RECORDING),
    BYTES("a perf.data file", 0, "2ELIFREP", RECORDING),
    BYTES("a perf.data file", 0, "PERFFILE", RECORDING),
    BYTES("a perf.data file", 0, "ELIFFREP", RECORDING),
    BYTES("a .NET EventPipe trace", 0, "Nettrace", WITH_DOTNET),
    BYTES("a .NET EventPipe trace", 4, "!FastSerialization.1", WITH_DOTNET),
    BYTES("an eventlog of GHC", 0, "hdrb",
          "a program run with +RTS -p writes a .prof file, which brazier reads"),
    BYTES("a gmon.out file of gprof", 0, "gmon", DRAW_WITH("gprof PROGRAM FILE")),
    BYTES("a file of memray", 0, "memray\0", "`memray flamegraph FILE` draws it"),
    BYTES("a heap dump of Java", 0, "JAVA PROFILE 1.0.1\0", "it holds objects and no profile"),
    BYTES("a heap dump of Java", 0, "JAVA PROFILE 1.0.2\0", "it holds objects and no profile"),
    BYTES("a profile in pprof's old format", 0, "\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0", GO_PPROF),
    BYTES("a profile in pprof's old format", 0, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\3", GO_PPROF),
    BYTES("a profile in pprof's old format", 0, "\0\0\0\0\3\0\0\0", GO_PPROF),
    BYTES("a profile in pprof's old format", 0, "\0\0\0\0\0\0\0\3", GO_PPROF),

    /* other files */
    BYTES("an ELF file, a program or a library", 0, "\177ELF",
          "`brazier record -- FILE` runs a program and draws what it does"),
    BYTES("a Mach-O file, a program or a library", 0, "\xcf\xfa\xed\xfe",
          "`sample` and Instruments record profiles of programs"),
    BYTES("a zip archive", 0, "PK\3\4",
          "unpack it; brazier reads an Instruments trace after `xctrace export`"),
    BYTES("a file compressed with xz", 0,
          "\xfd"
          "7zXZ\0",
          UNPACK("xz")),
    BYTES("a file compressed with bzip2", 4, "1AY&SY", UNPACK("bzip2")),
    BYTES("a file compressed with lz4", 0, "\4\"M\x18", UNPACK("lz4")),
    BYTES("a 7-Zip archive", 0, "7z\xbc\xaf\x27\x1c", "unpack it"),
    BYTES("a tar archive", 257, "ustar", "unpack it"),
    BYTES("an SQLite database", 0, "SQLite format 3\0", NOT_YET),
    BYTES("a PNG picture, not a profile", 0, "\x89PNG\r\n", PICTURE),
    BYTES("a PDF document, not a profile", 0, "%PDF-", PICTURE),
    TEST("an SVG picture, not a profile", brz_foreign_is_svg, PICTURE),
    START("an HTML page, not a profile", "<!DOCTYPE html", PICTURE),
    START("an HTML page, not a profile", "<!doctype html", PICTURE),
    START("an HTML page, not a profile", "<html", PICTURE),

    /* JSON */
    JSON("a Java Flight Recorder file in JSON", "recording events jdk.ExecutionSample",
         JAVA_RECORDING),
    JSON("a Java Flight Recorder file in JSON", "recording events values stackTrace",
         JAVA_RECORDING),
    JSON("an OpenTelemetry profile in JSON", "resourceProfiles", WITH_PPROF),
    JSON("an OpenTelemetry profile in JSON", "resource_profiles", WITH_PPROF),
    JSON("an OpenTelemetry profile in JSON", "sample_types samples locations", WITH_PPROF),

    /* reports of costs */
    START("a heap profile of jemalloc", "heap_v2/", DRAW_WITH("jeprof --collapsed PROGRAM FILE")),
    START("a text profile of gperftools or Go", "heap profile:", GO_PPROF),
    START("a text profile of gperftools or Go", "goroutine profile:", GO_PPROF),
    START("a text profile of gperftools or Go", "threadcreate profile:", GO_PPROF),
    START("a text profile of gperftools or Go", "--- contention", GO_PPROF),
    START("a text profile of gperftools or Go", "--- mutex:", GO_PPROF),
    START("a text profile of gperftools or Go", "--- heap", GO_PPROF),
    START("a text profile of gperftools or Go", "--- thread", GO_PPROF),
    LINE("a report of `ms_print`", "Massif arguments: ", "give brazier massif.out.PID instead"),
    LINE("a report of `simpleperf report`", "Event count: ",
         "give brazier the text of `simpleperf report-sample --show-callchain` instead"),
    LINE("the output of `go tool pprof -top`", "      flat  flat%",
         "give brazier the profile instead, which it reads"),
    TEST("a report of `trace-cmd report` without calls of functions",
         brz_foreign_is_trace_without_calls,
         "record calls with `trace-cmd record -p function_graph`, or stacks with `perf record -g`"),
    LINE("a report of `perf report`",
         "# Total Lost Samples: ", "give brazier the output of `perf script` instead"),
    LINE("a report of `perf report`", "# Overhead  ",
         "give brazier the output of `perf script` instead"),
    START("a log of `node --prof`", "v8-version,", PROCESSED_LOG),
    START("a report of `node --prof-process`", "Statistical profiling result from ", PROCESSED_LOG),
    START("a method trace of Android", "*version\n", WITH_SIMPLEPERF),
    START("a method trace of Android", "SLOW", WITH_SIMPLEPERF),
    TEST("a table of Windows Performance Analyzer or xperf", brz_foreign_is_windows_table, NOT_YET),

    /* stacks of runtimes and tracers */
    LINE("the output of `jfr print`", "jdk.ExecutionSample {",
         "give the recording instead: " JAVA_RECORDING),
    LINE("the output of `jfr print`", "jdk.NativeMethodSample {",
         "give the recording instead: " JAVA_RECORDING),

    /* families */
    VAGUE("JSON, but not of a profiler that is known here", is_json, NOT_YET),
    {.format = {"a binary file in no format that is known here",
                "brazier plugin list shows the formats", true},
     .binary = brz_foreign_is_binary},
    VAGUE("a table of comma-separated values", brz_foreign_is_table,
          "brazier reads those of VTune and of Visual Studio"),
};

#define COUNT (sizeof signatures / sizeof *signatures)

/* ---- lookup
 * ------------------------------------------------------------------------------------ */

static bool fits(const signature *s, brz_str head, brz_str text)
{
    if (s->binary != NULL)
        return s->binary(head);
    if (s->test != NULL)
        return s->test(text);
    switch (s->how) {
    case IS:
        return head.len >= s->offset + s->len &&
               memcmp(head.data + s->offset, s->text, s->len) == 0;
    case BEGINS:
        return text.len >= s->len && memcmp(text.data, s->text, s->len) == 0;
    case HAS_LINE:
        return brz_foreign_has_line(text, s->text);
    default:
        return is_json(text) && brz_foreign_has_keys(text, s->text);
    }
}

/* Skips a byte order mark and blank lines. */
static brz_str without_blank_front(brz_str s)
{
    if (s.len >= 3 && memcmp(s.data, "\xef\xbb\xbf", 3) == 0)
        s = brz_str_of(s.data + 3, s.len - 3);
    while (s.len > 0 && (s.data[0] == '\n' || s.data[0] == '\r'))
        s = brz_str_of(s.data + 1, s.len - 1);
    return s;
}

const brz_foreign *brz_foreign_find(brz_str head)
{
    brz_str text = without_blank_front(head);
    for (size_t i = 0; i < COUNT; i++)
        if (fits(&signatures[i], head, text))
            return &signatures[i].format;
    return NULL;
}

void brz_foreign_add(const brz_foreign *format, brz_buf *b)
{
    brz_buf_printf(b, "this is %s; %s", format->name, format->advice);
}

const brz_foreign *brz_foreign_at(size_t i)
{
    return i < COUNT ? &signatures[i].format : NULL;
}

size_t brz_foreign_number(const brz_foreign *format)
{
    return (size_t)((const signature *)(const void *)format - signatures);
}

/* SPDX-License-Identifier: MIT */
/* Recognition of foreign formats by their content. */
#include "unit.h"

#include <brazier/symbol.h>

#include "collapse/foreign.h"

typedef struct head {
    const char *bytes;
    size_t n;
    const char *name; /* a part of the format's name; NULL: no format matches */
} head;

#define HEAD(bytes, name)                                                                          \
    {                                                                                              \
        bytes, sizeof(bytes) - 1, name                                                             \
    }

/* The header of the first buffer, of 72 bytes. */
#define ETL_HEADER                                                                                 \
    "\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"                     \
    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"

static const head binary[] = {
    HEAD("PERFILE2\x68\0\0\0\0\0\0\0", "perf.data"),
    HEAD("2ELIFREP\0\0\0\0\0\0\0\x68", "perf.data"),
    HEAD("memray\0\0\0\0", "memray"),
    HEAD("\177ELF\2\1\1\0", "ELF"),
    HEAD("PK\3\4\n\0", "zip"),
    HEAD("gmon\1\0\0\0", "gmon.out"),
    HEAD("\x89PNG\r\n\032\n", "PNG"),
    HEAD("\4\"M\x18", "lz4"),
    HEAD("cpus=2\n  a-1 [001] 1.0: sched_switch: a:1\n", "trace-cmd"),
    HEAD("cpus=2\n  a-1 [001] 1.0: funcgraph_entry: | f() {\n", NULL),
    HEAD("v8-version,11,3,244,8,-node.38,0\n", "a log of `node --prof`"),
    HEAD("{\"sample_types\":[],\"samples\":[{\"locations\":[]}]}", "OpenTelemetry"),
    HEAD("Nettrace\24\0\0\0!FastSerialization.1", "EventPipe"),
    HEAD("\24\0\0\0!FastSerialization.1\4", "EventPipe"),
    HEAD("\xfd"
         "7zXZ\0\0\4",
         "xz"),
    HEAD("BZh91AY&SY\1", "bzip2"),
    HEAD("LZIP\1\f", "lzip"),
    HEAD("\x89LZO\0\r\n\x1a\n", "lzop"),
    HEAD("\x1f\x9d\x90", "with compress"),
    HEAD("\xff\6\0\0sNaPpY", "snappy"),
    HEAD("7z\xbc\xaf\x27\x1c\0", "7-Zip"),
    HEAD("Rar!\x1a\7\0", "RAR"),
    HEAD("MSCF\0\0\0\0", "cabinet"),
    HEAD("!<arch>\n", "archive of ar"),
    HEAD("\x10\0\4FxT\x16\0", "Fuchsia"),
    HEAD(ETL_HEADER "\2\0\1\xc0", "Event Tracing for Windows"),
    HEAD(ETL_HEADER "\2\0\2\xc0", "Event Tracing for Windows"),
    HEAD(ETL_HEADER "\2\0\2\0", "no format"),
    HEAD("tlZ\4", "Tracy"),
    HEAD("tZst", "Tracy"),
    HEAD("\x17\x08\x44tracing", "a trace of trace-cmd"),
    HEAD("\xc1\x1f\xfc\xc1", "Common Trace Format"),
    HEAD("nBpRoFiLeR", "VisualVM"),
    HEAD("\x81rforpl\xff", "LLVM"),
    HEAD("adcg", "gcov"),
    HEAD("MDMP\x93\xa7", "minidump"),
    HEAD("\n\r\r\n\x1c\0\0\0", "pcapng"),
    HEAD("bplist00\xd1", "property list"),
    HEAD("\xff\xd8\xff\xe0", "JPEG"),
    HEAD("GIF89a", "GIF"),
    HEAD("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "pprof's old"),
    HEAD("\0\0\0\0\3\0\0\0\1\0\0\0", "pprof's old"),
    HEAD("\n\4\10\1\20", NULL),
    HEAD("\n\n\n\n\n\n\n\n\n\n", NULL),
    HEAD("\377\376\375\374", NULL),
    HEAD("", NULL),
};

static const head text[] = {
    HEAD("<?xml version=\"1.0\"?>\n<trace-query-result>", NULL),
    HEAD("\xef\xbb\xbf  {\"some\": \"thing\"}", "JSON"),
    HEAD("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n", "Git LFS"),
    HEAD("/* CTF 1.8 */\ntrace {", "Common Trace Format"),
    HEAD("{\"snapshot\":{\"meta\":{\"node_fields\":[],\"edge_fields\":[]}}}", "heap snapshot"),
    HEAD("<?xml version=\"1.0\"?>\n<trace-toc><run number=\"1\">", "table of contents"),
    HEAD("<graphml xmlns=\"a\">", "GraphML"),
    HEAD("heap_v2/524288\n  t*: 1: 2 [0: 0]\n", "jemalloc"),
    HEAD("Process Name,Process,Stack,Module,Weight,TimeStamp\na;b,c (1),[Root]/a!b,d,1,2 3\n",
         "Windows Performance"),
    HEAD("BeginHeader\n  T-Start, TimeStamp, Process Name ( PID), ThreadID\nEndHeader\n",
         "Windows Performance"),
    HEAD("Function,Module,Samples\na;b,c,d 1\nb;c,d,e 2\nc;d,e,f 3\n", "comma-separated"),
    HEAD(" Percent |\tSource code & Disassembly of libm.so.6 for cycles (57 samples)\n----\n",
         "perf annotate"),
    HEAD("\n0x108@perf.data [0x50]: event: 69\n.\n. ... raw event: size 80 bytes\n",
         "perf script -D"),
    HEAD("# started on Mon Nov 30\n\n\n Performance counter stats for './demo':\n", "perf stat"),
    HEAD("cpu-clock:pppH: type: 1, size: 128, sample_type: IP|TID, disabled: 1\n", "perf evlist"),
    HEAD("----\nProfile data file 'cl.out' (creator: callgrind-3.19.0)\n----\n",
         "callgrind_annotate"),
    HEAD("----\nI1 cache:         65536 B\nData file:        cg.out\nEvents recorded:  Ir I1mr\n",
         "cg_annotate"),
    HEAD("         653 function calls (503 primitive calls) in 0.551 seconds\n\n   Ordered by: "
         "cumulative time\n\n   ncalls  tottime  percall  cumtime  percall "
         "filename:lineno(function)\n",
         "cProfile"),
    HEAD("jdk.SafepointBegin {\n  startTime = 20:20:59.357\n}\n", "jfr print"),
    HEAD("\n Version: 2.1\n Chunks: 1\n\n Event Type    Count  Size (bytes) \n", "jfr summary"),
    HEAD("File: a\nShowing nodes accounting for 1s\n---+---\n flat  flat%   calls calls% + "
         "context\n",
         "-tree"),
    HEAD("digraph \"a\" {\nL [label=\"Showing nodes accounting for 1s\"]\n}\n", "-dot"),
    /* folded text may look like a little of each */
    HEAD("jdk.Sampler;run 5\njdk.Sampler;stop 6\n", NULL),
    HEAD("a: type: 1;sample_type: b 5\n", NULL),
    HEAD("{main};a 1\n{main};b 2\n", NULL),
    HEAD("[unknown];a 1\n[unknown];b 2\n", NULL),
    HEAD("f<a, b, c>;g 1\nf<a, b, c>;h 2\nf<a, b, c>;i 3\n", NULL),
    HEAD("goroutine 1;main 5\n", NULL),
    HEAD("PID 5;TID 6;main 5\n", NULL),
    HEAD("<svg;main 5\n<svg;work 5\n", NULL),
    HEAD("app 100 [000] 1.0: cycles:\n\t 401000 main (/a)\n\n", NULL),
};

/* Returns the message on a format, which stays valid until the next call. */
static const char *said_of(brz_foreign f)
{
    static char said[500];
    brz_buf b = {0};
    brz_foreign_add(f, &b);
    snprintf(said, sizeof said, "%s", brz_buf_text(&b));
    brz_buf_finish(&b);
    return said;
}

static void check(const head *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char *copy = exact_copy(cases[i].bytes, cases[i].n);
        brz_foreign f = brz_foreign_find(brz_str_of(copy, cases[i].n));
        if (f == NULL && cases[i].name != NULL)
            fail_msg("case %zu is not %s", i, cases[i].name);
        if (f != NULL && (cases[i].name == NULL || strstr(said_of(f), cases[i].name) == NULL))
            fail_msg("case %zu is %s", i, said_of(f));
        free(copy);
    }
}

static void a_binary_format_is_known_by_its_magic_or_its_fields(void **state)
{
    (void)state;
    check(binary, COUNT_OF(binary));
}

static void a_text_format_is_known_by_words_that_folded_stacks_do_not_have(void **state)
{
    (void)state;
    check(text, COUNT_OF(text));
}

static void any_prefix_can_be_asked_about(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(text); i++)
        for (size_t n = 0; n < text[i].n; n++) {
            char *copy = exact_copy(text[i].bytes, n);
            brz_foreign_find(brz_str_of(copy, n));
            free(copy);
        }
}

static void each_format_has_a_number_a_name_and_advice(void **state)
{
    (void)state;
    uint32_t n = 1;
    for (; brz_foreign_at(n) != NULL; n++) {
        assert_int_equal(brz_foreign_number(brz_foreign_at(n)), n);
        assert_true(strlen(said_of(brz_foreign_at(n))) > 20);
    }
    assert_true(n > 35);
    assert_null(brz_foreign_at(0));
    assert_null(brz_foreign_at(UINT32_MAX));
    assert_int_equal(brz_foreign_number(NULL), 0);
}

static void a_magic_number_names_the_reader_that_is_certain(void **state)
{
    (void)state;
    assert_true(brz_str_equal(brz_foreign_reader(BRZ_STR("PERFILE2")), BRZ_STR("perf-data")));
    assert_true(brz_str_equal(brz_foreign_reader(BRZ_STR("FLR\0")), BRZ_STR("jfr")));
    assert_null(brz_foreign_find(BRZ_STR("FLR\0")));
    assert_int_equal(brz_foreign_reader(BRZ_STR("hdrb")).len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_binary_format_is_known_by_its_magic_or_its_fields),
        cmocka_unit_test(a_text_format_is_known_by_words_that_folded_stacks_do_not_have),
        cmocka_unit_test(any_prefix_can_be_asked_about),
        cmocka_unit_test(each_format_has_a_number_a_name_and_advice),
        cmocka_unit_test(a_magic_number_names_the_reader_that_is_certain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

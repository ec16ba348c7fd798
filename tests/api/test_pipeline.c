/* SPDX-License-Identifier: MIT */
/* Tests pipelines: all types of inputs and outputs, all settings, and their errors. */
#include "api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns a pipeline that reads STACKS. */
static brazier_pipeline *pipeline_of(brazier_session *s, const char *options)
{
    brazier_pipeline *p = brazier_pipeline_create(s, NULL);
    pipeline_set(p, options);
    brazier_pipeline_add_input_memory(p, "x.folded", STACKS, strlen(STACKS));
    return p;
}

/* ---- inputs and outputs -------------------------------------------------------------------- */

static void memory_in_and_out_gives_the_bytes_that_the_program_gives(void **state)
{
    (void)state;
    static const char *const formats[] = {"svg", "folded", "html",       "json",
                                          "csv", "jsonl",  "speedscope", "table"};
    brazier_session *s = session_open();
    text input = many_stacks(3000);
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        text want = program(input.data, input.len, "run", "-", "-t", formats[i], "-o", "-");
        brazier_pipeline *p = brazier_pipeline_create(s, NULL);
        brazier_pipeline_add_input_memory(p, "stdin", input.data, input.len);
        size_t out = brazier_pipeline_add_output_memory(p, formats[i], NULL);
        assert_status(s, brazier_pipeline_run(p), BRAZIER_OK);
        assert_output(p, out, want.data, want.len);
        brazier_pipeline_destroy(p);
        text_free(&want);
    }
    assert_int_equal(diagnostics(s), 0);
    text_free(&input);
    brazier_session_close(s);
}

static void an_output_that_adds_to_a_file_refuses_memory(void **state)
{
    (void)state;
    brazier_session *s = session_open();
    brazier_pipeline *p = pipeline_of(s, "");
    brazier_pipeline_add_output_memory(p, "sqlite", NULL);
    brazier_status fresh = brazier_pipeline_run(p);
    if (fresh == BRAZIER_OK) { /* otherwise, this build has no output sqlite */
        brazier_pipeline_set(p, "sqlite.append", "true", NULL);
        assert_status(s, brazier_pipeline_run(p), BRAZIER_MISUSED);
    }
    brazier_pipeline_destroy(p);
    brazier_session_close(s);
}

static void a_function_may_give_an_input_in_any_pieces(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 7, 4096, 1000000};
    brazier_session *s = session_open();
    text input = many_stacks(40000);
    text want = program(input.data, input.len, "collapse", "folded");
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        pieces in = {.data = input.data, .len = input.len, .largest = sizes[i], .dice = 1};
        text got = {.data = NULL};
        static const char *const jobs[] = {"jobs=0", "jobs=1", "jobs=2", "jobs=3"};
        brazier_pipeline *p = brazier_pipeline_create(s, NULL);
        pipeline_set(p, jobs[i]);
        brazier_pipeline_add_input_stream(p, "pieces", pieces_read, &in);
        brazier_pipeline_add_output_stream(p, "folded", NULL, text_write, &got);
        assert_status(s, brazier_pipeline_run(p), BRAZIER_OK);
        assert_int_equal(got.len, want.len);
        assert_memory_equal(got.data, want.data, want.len);
        brazier_pipeline_destroy(p);
        text_free(&got);
    }
    text_free(&want);
    text_free(&input);
    brazier_session_close(s);
}

/* The bytes of "main;a 1\n", compressed by gzip. */
static const unsigned char gzipped[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xff,
                                        0xcb, 0x4d, 0xcc, 0xcc, 0xb3, 0x4e, 0x54, 0x30, 0xe4, 0x02,
                                        0x00, 0xd9, 0x04, 0x1a, 0x30, 0x09, 0x00, 0x00, 0x00};

static void an_input_in_memory_may_be_compressed_or_in_another_encoding(void **state)
{
    (void)state;
    brazier_session *s = session_open();
    static const char wide[] = "\xff\xfe"
                               "m\0a\0i\0n\0;\0a\0 \0"
                               "1\0\n"; /* including the terminating zero */
    const struct {
        const void *data;
        size_t len;
    } cases[] = {{gzipped, sizeof gzipped}, {wide, sizeof wide}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brazier_pipeline *p = brazier_pipeline_create(s, NULL);
        brazier_pipeline_add_input_memory(p, NULL, cases[i].data, cases[i].len);
        size_t out = brazier_pipeline_add_output_memory(p, "folded", NULL);
        assert_status(s, brazier_pipeline_run(p), BRAZIER_OK);
        assert_output(p, out, "main;a 1\n", 9);
        brazier_pipeline_destroy(p);
    }
    brazier_session_close(s);
}

static void files_are_read_and_written(void **state)
{
    (void)state;
    brazier_session *s = session_open();
    char *folder = folder_make(), *in = path_in(folder, "in"), *svg = path_in(folder, "a.svg"),
         *folded = path_in(folder, "a.txt");
    text input = many_stacks(200000); /* more than a single read returns */
    file_write(in, input.data, input.len);
    text want = program(input.data, input.len, "collapse", "folded");
    for (uint32_t flags = 0; flags <= BRAZIER_MAP_FILES; flags += BRAZIER_MAP_FILES) {
        brazier_pipeline_options o = {.struct_size = sizeof o, .flags = flags};
        brazier_pipeline *p = brazier_pipeline_create(s, &o);
        pipeline_set(p, "jobs=2");
        brazier_pipeline_add_input_file(p, in);
        brazier_pipeline_add_output_file(p, NULL, svg);
        brazier_pipeline_add_output_file(p, "folded", folded);
        assert_status(s, brazier_pipeline_run(p), BRAZIER_OK);
        brazier_pipeline_destroy(p);
        text picture = file_read(svg), lines = file_read(folded);
        assert_contains(picture.data, "<svg");
        assert_string_equal(lines.data, want.data);
        text_free(&picture);
        text_free(&lines);
        assert_int_equal(folder_count(folder), 3);
        remove(svg);
        remove(folded);
    }
    text_free(&want);
    text_free(&input);
    free(in);
    free(svg);
    free(folded);
    folder_remove(folder);
    brazier_session_close(s);
}

static void a_name_without_a_file_chooses_the_output_too(void **state)
{
    (void)state;
    size_t size;
    text folded = {.data = NULL};
    brazier_session *s = session_open();
    brazier_pipeline *p = pipeline_of(s, "otherwise-to=html");
    size_t svg = brazier_pipeline_add_output_memory(p, NULL, "flame.svg");
    size_t html = brazier_pipeline_add_output_memory(p, NULL, NULL);
    brazier_pipeline_add_output_stream(p, NULL, "some.folded", text_write, &folded);
    assert_status(s, brazier_pipeline_run(p), BRAZIER_OK);
    assert_contains(brazier_pipeline_output(p, svg, &size), "<svg");
    assert_contains(brazier_pipeline_output(p, html, &size), "<html");
    assert_contains(folded.data, "main;draw;fill 7\n");
    assert_null(brazier_pipeline_output(p, 2, &size));
    assert_null(brazier_pipeline_output(p, 3, &size));
    assert_int_equal(size, 0);
    text_free(&folded);
    brazier_pipeline_destroy(p);
    brazier_session_close(s);
}

static void a_pipeline_can_run_again(void **state)
{
    (void)state;
    char data[] = "main;a 1\n";
    brazier_session *s = session_open();
    brazier_pipeline *p = brazier_pipeline_create(s, NULL);
    brazier_pipeline_add_input_memory(p, "x.folded", data, strlen(data));
    size_t out = brazier_pipeline_add_output_memory(p, "folded", NULL), size;
    assert_status(s, brazier_pipeline_run(p), BRAZIER_OK);
    assert_output(p, out, "main;a 1\n", 9);
    data[7] = '2';
    assert_status(s, brazier_pipeline_run(p), BRAZIER_OK);
    assert_output(p, out, "main;a 2\n", 9);
    memset(data, ' ', strlen(data));
    assert_status(s, brazier_pipeline_run(p), BRAZIER_FAILED);
    assert_null(brazier_pipeline_output(p, out, &size));
    brazier_pipeline_destroy(p);
    brazier_session_close(s);
}

/* ---- settings ------------------------------------------------------------------------------ */

static void texts_are_copied(void **state)
{
    (void)state;
    char name_of_from[] = "from", from[] = "folded", option[] = "svg.title", value[] = "A Title",
         keep[] = "keep", expression[] = "fill", name[] = "in", format[] = "svg";
    const char *args[] = {expression};
    size_t size;
    brazier_session *s = session_open();
    brazier_pipeline *p = brazier_pipeline_create(s, NULL);
    brazier_pipeline_set(p, name_of_from, from, name_of_from);
    brazier_pipeline_add_input_memory(p, name, STACKS, strlen(STACKS));
    size_t out = brazier_pipeline_add_output_memory(p, format, NULL);
    brazier_pipeline_set(p, option, value, option);
    brazier_pipeline_add_transform(p, keep, args, 1, keep);
    char *const texts[] = {name_of_from, from, option, value, keep, expression, name, format};
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        memset(texts[i], '?', strlen(texts[i]));
    args[0] = NULL;
    assert_status(s, brazier_pipeline_run(p), BRAZIER_OK);
    const char *svg = brazier_pipeline_output(p, out, &size);
    assert_contains(svg, "A Title");
    assert_contains(svg, "fill");
    assert_contains(svg, "\nfill<");
    assert_null(strstr(svg, "\nparse"));
    brazier_pipeline_destroy(p);
    brazier_session_close(s);
}

static void transforms_are_applied_in_their_order(void **state)
{
    (void)state;
    brazier_session *s = session_open();
    brazier_pipeline *p = pipeline_of(s, "");
    brazier_pipeline_add_transform(p, "keep", (const char *const[]){"draw"}, 1, NULL);
    brazier_pipeline_add_transform(p, "rename", (const char *const[]){"dr(.*)", "DR$1"}, 2, NULL);
    brazier_pipeline_add_transform(p, "reverse", NULL, 0, NULL);
    size_t out = brazier_pipeline_add_output_memory(p, "folded", NULL);
    assert_status(s, brazier_pipeline_run(p), BRAZIER_OK);
    const char want[] = "DRaw;main 2\nfill;DRaw;main 7\n";
    assert_output(p, out, want, strlen(want));
    brazier_pipeline_destroy(p);
    brazier_session_close(s);
}

static void split_packages_makes_a_frame_of_each_package(void **state)
{
    (void)state;
    const char data[] = "main;java/util/List:::add 1\n/usr/bin/app;main 2\n";
    const char want[] = "/usr/bin/app;main 2\nmain;java;util;List;::add 1\n";
    brazier_session *s = session_open();
    brazier_pipeline *p = brazier_pipeline_create(s, NULL);
    brazier_pipeline_set(p, "from", "folded", NULL);
    brazier_pipeline_add_input_memory(p, "x.folded", data, strlen(data));
    brazier_pipeline_add_transform(p, "split-packages", NULL, 0, NULL);
    size_t out = brazier_pipeline_add_output_memory(p, "folded", NULL);
    assert_status(s, brazier_pipeline_run(p), BRAZIER_OK);
    assert_output(p, out, want, strlen(want));
    brazier_pipeline_add_transform(p, "split-packages", (const char *const[]){"/"}, 1, NULL);
    assert_status(s, brazier_pipeline_run(p), BRAZIER_MISUSED);
    brazier_pipeline_destroy(p);
    brazier_session_close(s);
}

static void palettes_and_options_give_the_picture_that_the_program_gives(void **state)
{
    (void)state;
    brazier_session *s = session_open();
    text want = program(STACKS, strlen(STACKS), "run", "-", "-o", "-", "-t", "svg", "-p", "aqua",
                        "--diffusion", "-s", "svg.title=CPU", "-s", "svg.width=700");
    brazier_pipeline *p = pipeline_of(s, "palette=aqua diffusion");
    size_t out = brazier_pipeline_add_output_memory(p, "svg", NULL);
    brazier_pipeline_set(p, "svg.title", "CPU", NULL);
    brazier_pipeline_set(p, "svg.width", "700", NULL);
    assert_status(s, brazier_pipeline_run(p), BRAZIER_OK);
    assert_output(p, out, want.data, want.len);
    text_free(&want);
    brazier_pipeline_destroy(p);
    brazier_session_close(s);
}

static void two_inputs_are_compared_as_the_program_does(void **state)
{
    (void)state;
    static const struct {
        const char *options;
        const char *words[3];
    } cases[] = {
        {"compare", {NULL}},
        {"compare=true normalize=yes", {"--normalize"}},
        {"compare normalize=floor", {"--normalize-down"}},
        {"compare negate deltas=self base-on=both",
         {"--negate", "--deltas=self", "--base-on=both"}},
    };
    brazier_session *s = session_open();
    char *folder = folder_make(), *later = path_in(folder, "later");
    file_write(later, LATER_STACKS, strlen(LATER_STACKS));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        text want = program(STACKS, strlen(STACKS), "diff", "-t", "svg", "-o", "-", "-", later,
                            cases[i].words[0], cases[i].words[1], cases[i].words[2]);
        brazier_pipeline *p = pipeline_of(s, cases[i].options);
        brazier_pipeline_add_input_memory(p, "later", LATER_STACKS, strlen(LATER_STACKS));
        size_t out = brazier_pipeline_add_output_memory(p, "svg", NULL);
        assert_status(s, brazier_pipeline_run(p), BRAZIER_OK);
        assert_output(p, out, want.data, want.len);
        brazier_pipeline_destroy(p);
        text_free(&want);
    }
    free(later);
    folder_remove(folder);
    brazier_session_close(s);
}

static void a_flame_chart_is_in_the_order_of_the_input(void **state)
{
    (void)state;
    static const char *const words[] = {"--flamechart", "--flamechart-back"};
    brazier_session *s = session_open();
    for (uint32_t i = 0; i < 2; i++) {
        text want = program(STACKS, strlen(STACKS), "run", "-", "-o", "-", "-t", "svg", words[i]);
        brazier_pipeline *p = pipeline_of(s, i == 0 ? "order=time" : "flamechart-back");
        size_t out = brazier_pipeline_add_output_memory(p, "svg", NULL);
        assert_status(s, brazier_pipeline_run(p), BRAZIER_OK);
        assert_output(p, out, want.data, want.len);
        brazier_pipeline_destroy(p);
        text_free(&want);
    }
    brazier_session_close(s);
}

/* ---- errors -------------------------------------------------------------------------------- */

/* Checks the pipeline and runs it; both must report the same error. */
static void assert_misused(brazier_session *s, brazier_pipeline *p, const char *code,
                           const char *why)
{
    size_t before = diagnostics(s);
    assert_status(s, brazier_pipeline_check(p), BRAZIER_MISUSED);
    assert_in_range(diagnostics(s), before, 1000);
    assert_string_equal(first_error(s)->code, code);
    assert_contains(first_error(s)->message, why);
    assert_status(s, brazier_pipeline_run(p), BRAZIER_MISUSED);
    brazier_pipeline_destroy(p);
    brazier_session_close(s);
}

static void a_mistyped_option_is_reported_with_the_nearest(void **state)
{
    (void)state;
    brazier_session *s = session_open();
    brazier_pipeline *p = pipeline_of(s, "from=folded");
    brazier_pipeline_add_output_memory(p, "svg", NULL);
    brazier_pipeline_set(p, "svg.titel", "CPU", "--titel");
    assert_misused(s, p, "host.option", "'title'");
}

static void how_the_user_wrote_it_is_in_the_message(void **state)
{
    (void)state;
    static const char *const origins[] = {"the field Width", NULL};
    for (size_t i = 0; i < 2; i++) {
        brazier_session *s = session_open();
        brazier_pipeline *p = pipeline_of(s, "");
        brazier_pipeline_add_output_memory(p, "svg", NULL);
        brazier_pipeline_set(p, "svg.width", "wide", origins[i]);
        assert_misused(s, p, "host.option", i == 0 ? "the field Width" : "svg.width");
    }
}

static void what_does_not_exist_is_reported_with_the_nearest(void **state)
{
    (void)state;
    static const struct {
        const char *options, *output, *code, *why;
    } cases[] = {
        {"from=foldde", "svg", "host.component", "'folded'"},
        {"palette=aqa", "svg", "host.component", "'aqua'"},
        {"", "svgg", "host.component", "'svg'"},
        {"pipeline=nothing", "svg", "host.pipeline", "no pipeline 'nothing'"},
        {"demangle=ful", "svg", "host.option", "full"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brazier_session *s = session_open();
        brazier_pipeline *p = pipeline_of(s, cases[i].options);
        brazier_pipeline_add_output_memory(p, cases[i].output, NULL);
        assert_misused(s, p, cases[i].code, cases[i].why);
    }
}

static void bad_transforms_are_reported(void **state)
{
    (void)state;
    static const struct {
        const char *name, *arg, *origin, *why;
    } cases[] = {
        {"keep", "(", NULL, "keep: "},
        {"keep", "(", "the filter", "the filter: "},
        {"kep", "x", NULL, "'keep'"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brazier_session *s = session_open();
        brazier_pipeline *p = pipeline_of(s, "");
        brazier_pipeline_add_output_memory(p, "svg", NULL);
        brazier_pipeline_add_transform(p, cases[i].name, &cases[i].arg, 1, cases[i].origin);
        assert_misused(s, p, "host.option", cases[i].why);
    }
}

static void too_many_arguments_are_no_harm(void **state)
{
    (void)state;
    const char *args[1000];
    for (size_t i = 0; i < COUNT_OF(args); i++)
        args[i] = "x";
    brazier_session *s = session_open();
    brazier_pipeline *p = pipeline_of(s, "");
    brazier_pipeline_add_output_memory(p, "svg", NULL);
    brazier_pipeline_add_transform(p, "base", args, COUNT_OF(args), NULL);
    assert_misused(s, p, "host.option", "base: ");
}

static void an_option_without_its_component_is_misuse(void **state)
{
    (void)state;
    static const char *const options[] = {"title", ".title", "svg.", ""};
    for (size_t i = 0; i < COUNT_OF(options); i++) {
        brazier_session *s = session_open();
        brazier_pipeline *p = pipeline_of(s, "");
        brazier_pipeline_add_output_memory(p, "svg", NULL);
        brazier_pipeline_set(p, options[i], "x", NULL);
        assert_misused(s, p, "host.option", "COMPONENT.OPTION");
    }
}

static void an_option_of_a_run_that_is_wrong_is_misuse(void **state)
{
    (void)state;
    static const struct {
        const char *option, *value, *origin, *why;
    } cases[] = {
        {"negat", "true", NULL, "negat: no option of a run"},
        {"negat", "true", "--negat", "--negat: no option of a run"},
        {"negat", "true", NULL, "'negate'"},
        {"negate", "yes", NULL, "negate takes true or false, not 'yes'"},
        {"isolate", "", "the box", "the box takes true or false, not ''"},
        {"jobs", "-1", NULL, "jobs takes a number from 0 to 1024, not '-1'"},
        {"jobs", NULL, NULL, "is NULL"},
        {"chunk-size", "2000000000", NULL, "chunk-size takes a number from 1 to "},
        {"max-memory", "lots", NULL, "max-memory takes a size, such as 512M, not 'lots'"},
        {"max-time", "0", NULL, "max-time takes a duration, such as 90s, not '0'"},
        {"base-on", "beside", NULL, "base-on takes one of after, before, both; not 'beside'"},
        {"order", "tim", NULL, "did you mean 'time'?"},
        {"rename", "a", NULL, "rename takes REGEX=>TEXT, not 'a'"},
        {"reverse", "false", NULL, "reverse takes true, not 'false'"},
        {"cp", "x.map", NULL, "cp takes true, not 'x.map'"},
        {"set", "svg", NULL, "set takes COMPONENT.OPTION=VALUE, not 'svg'"},
        {"set", "svg.title", NULL, "set takes COMPONENT.OPTION=VALUE, not 'svg.title'"},
        {"keep", "(", "--keep", "--keep: "},
        {"palette-map", "", NULL, "a palette map is the name of a file"},
        {"detail", "line", NULL, "detail takes one of functions, lines, addresses; not 'line'"},
        {"split-by", "thread", NULL, "'split-by' writes files, but an output goes to the program"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brazier_session *s = session_open();
        brazier_pipeline *p = pipeline_of(s, "");
        brazier_pipeline_add_output_memory(p, "svg", NULL);
        brazier_status set =
            brazier_pipeline_set(p, cases[i].option, cases[i].value, cases[i].origin);
        bool is_checked_later = diagnostics(s) == 0;
        assert_int_equal(set, is_checked_later ? BRAZIER_OK : BRAZIER_MISUSED);
        assert_status(s, brazier_pipeline_run(p), BRAZIER_MISUSED);
        assert_contains(first_error(s)->message, cases[i].why);
        brazier_pipeline_destroy(p);
        brazier_session_close(s);
    }
}

static void options_do_what_calls_do(void **state)
{
    (void)state;
    brazier_session *s = session_open();
    char *folder = folder_make(), *file = path_in(folder, "out.folded");
    brazier_pipeline *p = pipeline_of(s, "from=folded keep=draw rename=dr(.*)=>DR$1 reverse");
    pipeline_set(p, "set=folded.counts=1 set=?vtune.round=true");
    brazier_pipeline_set(p, "output", file, NULL);
    assert_status(s, brazier_pipeline_run(p), BRAZIER_OK);
    text got = file_read(file);
    assert_string_equal(got.data, "DRaw;main 2\nfill;DRaw;main 7\n");
    text_free(&got);
    brazier_pipeline_destroy(p);
    free(file);
    folder_remove(folder);
    brazier_session_close(s);
}

#define SAMPLE                                                                                     \
    "node 7/8 [001] 1.5: 10 cpu-clock:\n"                                                          \
    "\t       55d000150 parse+0x10 (/opt/node)\n\t       55d000100 main+0x20 (/opt/node)\n\n"

static void options_distinguish_addresses_and_divide_the_files(void **state)
{
    (void)state;
    brazier_session *s = session_open();
    char *folder = folder_make(), *template = path_in(folder, "f-{thread}.folded");
    char *file = path_in(folder, "f-node-8.folded");
    brazier_pipeline *p = brazier_pipeline_create(s, NULL);
    brazier_pipeline_add_input_memory(p, "x.perf", SAMPLE, strlen(SAMPLE));
    pipeline_set(p, "detail=addresses split-by=thread");
    brazier_pipeline_set(p, "output", template, NULL);
    assert_status(s, brazier_pipeline_run(p), BRAZIER_OK);
    text got = file_read(file);
    assert_string_equal(got.data, "node;main <0x55d000100>;parse <0x55d000150> 10\n");
    text_free(&got);
    brazier_pipeline_destroy(p);
    free(template);
    free(file);
    folder_remove(folder);
    brazier_session_close(s);
}

static void what_is_missing_is_misuse(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        brazier_session *s = session_open();
        brazier_pipeline *p = pipeline_of(s, "");
        brazier_pipeline_add_output_memory(p, "svg", NULL);
        if (i == 0)
            brazier_pipeline_add_input_file(p, NULL);
        else if (i == 1)
            brazier_pipeline_add_output_file(p, "svg", NULL);
        else if (i == 2)
            brazier_pipeline_set(p, NULL, "x", NULL);
        else if (i == 3)
            brazier_pipeline_set(p, "svg.title", NULL, NULL);
        else if (i == 4)
            brazier_pipeline_add_transform(p, NULL, NULL, 0, NULL);
        else
            brazier_pipeline_add_transform(p, "keep", (const char *const[]){NULL}, 1, NULL);
        assert_misused(s, p, "host.option", "is NULL");
    }
}

static void standard_streams_are_not_used_unasked(void **state)
{
    (void)state;
    brazier_session *s = session_open();
    brazier_pipeline *p = brazier_pipeline_create(s, NULL);
    brazier_pipeline_add_output_memory(p, "svg", NULL);
    assert_misused(s, p, "host.pipeline", "nothing to read");
    s = session_open();
    p = pipeline_of(s, "");
    assert_misused(s, p, "host.pipeline", "nothing to write");
    const brazier_session_options o = {
        .struct_size = sizeof o,
        .config_text = "version: 1\npipelines: {a: {inputs: x, outputs: [svg]}, "
                       "b: {inputs: '-', outputs: [{use: svg, to: x.svg}]}}\n"};
    for (int i = 0; i < 2; i++) {
        brazier_session_open(&o, &s);
        p = brazier_pipeline_create(s, NULL);
        pipeline_set(p, i == 0 ? "pipeline=a" : "pipeline=b");
        assert_misused(s, p, i == 0 ? "host.config" : "host.pipeline",
                       i == 0 ? "standard output" : "nothing to read");
    }
}

static void options_of_a_pipeline_of_another_size_are_understood_or_refused(void **state)
{
    (void)state;
    struct {
        brazier_pipeline_options known;
        uint64_t unknown;
    } o = {.known.struct_size = sizeof o};
    brazier_session *s = session_open();
    brazier_pipeline *p = brazier_pipeline_create(s, &o.known);
    brazier_pipeline_add_input_memory(p, "x.folded", STACKS, strlen(STACKS));
    brazier_pipeline_add_output_memory(p, "svg", NULL);
    assert_status(s, brazier_pipeline_check(p), BRAZIER_OK);
    brazier_pipeline_destroy(p);
    o.unknown = 1;
    assert_misused(s, brazier_pipeline_create(s, &o.known), "host.option", "pipeline options");
    o.unknown = 0;
    o.known.flags = 1u << 31;
    s = session_open();
    assert_misused(s, brazier_pipeline_create(s, &o.known), "host.option", "pipeline options");
}

static void a_missing_file_is_reported(void **state)
{
    (void)state;
    brazier_session *s = session_open();
    brazier_pipeline *p = brazier_pipeline_create(s, NULL);
    brazier_pipeline_add_input_file(p, "/nowhere/perf.txt");
    brazier_pipeline_add_output_memory(p, "svg", NULL);
    assert_status(s, brazier_pipeline_run(p), BRAZIER_FAILED);
    assert_contains(first_error(s)->message, "'/nowhere/perf.txt'");
    assert_string_equal(first_error(s)->code, "host.open");
    brazier_pipeline_destroy(p);
    brazier_session_close(s);
}

static void an_input_without_samples_is_an_error_unless_it_may_be(void **state)
{
    (void)state;
    size_t size;
    for (int may_be = 0; may_be <= 1; may_be++) {
        brazier_session *s = session_open();
        brazier_pipeline *p = brazier_pipeline_create(s, NULL);
        pipeline_set(p, may_be ? "from=folded allow-empty" : "from=folded allow-empty=false");
        brazier_pipeline_add_input_memory(p, "none", NULL, 0);
        size_t out = brazier_pipeline_add_output_memory(p, "folded", NULL);
        assert_status(s, brazier_pipeline_run(p), may_be ? BRAZIER_OK : BRAZIER_FAILED);
        assert_int_equal(brazier_pipeline_output(p, out, &size) != NULL, may_be);
        assert_int_equal(size, 0);
        assert_string_equal(brazier_session_diagnostic(s, 0)->message,
                            may_be ? "none: no samples in it" : "none: the input is empty");
        brazier_pipeline_destroy(p);
        brazier_session_close(s);
    }
}

static void an_input_that_is_left_out_counts_even_if_the_others_have_no_samples(void **state)
{
    (void)state;
    size_t size;
    brazier_session *s = session_open();
    brazier_pipeline *p = brazier_pipeline_create(s, NULL);
    pipeline_set(p, "from=folded allow-empty keep-going");
    brazier_pipeline_add_input_file(p, "/nowhere/x.folded");
    brazier_pipeline_add_input_memory(p, "none", NULL, 0);
    size_t out = brazier_pipeline_add_output_memory(p, "folded", NULL);
    assert_status(s, brazier_pipeline_run(p), BRAZIER_PARTLY);
    assert_non_null(brazier_pipeline_output(p, out, &size));
    assert_int_equal(size, 0);
    brazier_pipeline_destroy(p);
    brazier_session_close(s);
}

static void an_input_in_another_format_is_an_error_even_if_it_may_be_without_samples(void **state)
{
    (void)state;
    static const char strange[] = "hello world\n";
    for (int isolate = 0; isolate <= 1; isolate++) {
        if (isolate)
            needs_isolation();
        brazier_session *s = session_open();
        brazier_pipeline *p = brazier_pipeline_create(s, NULL);
        pipeline_set(p, "from=perf allow-empty");
        pipeline_set(p, isolate ? "isolate" : "isolate=false");
        brazier_pipeline_add_input_memory(p, "strange", strange, sizeof strange - 1);
        brazier_pipeline_add_output_memory(p, "folded", NULL);
        assert_status(s, brazier_pipeline_run(p), BRAZIER_FAILED);
        assert_string_equal(first_error(s)->message, "strange: no samples in it");
        brazier_pipeline_destroy(p);
        brazier_session_close(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_in_and_out_gives_the_bytes_that_the_program_gives),
        cmocka_unit_test(an_output_that_adds_to_a_file_refuses_memory),
        cmocka_unit_test(a_function_may_give_an_input_in_any_pieces),
        cmocka_unit_test(an_input_in_memory_may_be_compressed_or_in_another_encoding),
        cmocka_unit_test(files_are_read_and_written),
        cmocka_unit_test(a_name_without_a_file_chooses_the_output_too),
        cmocka_unit_test(a_pipeline_can_run_again),
        cmocka_unit_test(texts_are_copied),
        cmocka_unit_test(transforms_are_applied_in_their_order),
        cmocka_unit_test(split_packages_makes_a_frame_of_each_package),
        cmocka_unit_test(palettes_and_options_give_the_picture_that_the_program_gives),
        cmocka_unit_test(two_inputs_are_compared_as_the_program_does),
        cmocka_unit_test(a_flame_chart_is_in_the_order_of_the_input),
        cmocka_unit_test(a_mistyped_option_is_reported_with_the_nearest),
        cmocka_unit_test(how_the_user_wrote_it_is_in_the_message),
        cmocka_unit_test(what_does_not_exist_is_reported_with_the_nearest),
        cmocka_unit_test(bad_transforms_are_reported),
        cmocka_unit_test(too_many_arguments_are_no_harm),
        cmocka_unit_test(an_option_without_its_component_is_misuse),
        cmocka_unit_test(an_option_of_a_run_that_is_wrong_is_misuse),
        cmocka_unit_test(options_do_what_calls_do),
        cmocka_unit_test(options_distinguish_addresses_and_divide_the_files),
        cmocka_unit_test(what_is_missing_is_misuse),
        cmocka_unit_test(standard_streams_are_not_used_unasked),
        cmocka_unit_test(options_of_a_pipeline_of_another_size_are_understood_or_refused),
        cmocka_unit_test(a_missing_file_is_reported),
        cmocka_unit_test(an_input_without_samples_is_an_error_unless_it_may_be),
        cmocka_unit_test(an_input_that_is_left_out_counts_even_if_the_others_have_no_samples),
        cmocka_unit_test(an_input_in_another_format_is_an_error_even_if_it_may_be_without_samples),
    };
    return cmocka_run_group_tests_name("pipeline", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Tests sessions: options, configurations, diagnostics as data, components, formats. */
#include "api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- opening ------------------------------------------------------------------------------- */

static void the_versions_of_header_and_library_are_one(void **state)
{
    (void)state;
    char want[32];
    snprintf(want, sizeof want, "%d.%d.", BRAZIER_VERSION_MAJOR, BRAZIER_VERSION_MINOR);
    assert_memory_equal(brazier_version(), want, strlen(want));
}

static void a_session_needs_no_options(void **state)
{
    (void)state;
    brazier_session *s = NULL;
    assert_int_equal(brazier_session_open(NULL, &s), BRAZIER_OK);
    assert_non_null(s);
    assert_null(brazier_session_diagnostic(s, 0));
    brazier_session_close(s);
    brazier_session_close(NULL);
}

/* A struct of a newer header; members that this library does not know must be zero. */
typedef struct newer_options {
    brazier_session_options known;
    uint64_t unknown;
} newer_options;

static brazier_status open_with(const void *options)
{
    brazier_session *s = NULL;
    brazier_status status = brazier_session_open(options, &s);
    assert_non_null(s);
    if (status != BRAZIER_OK) {
        assert_non_null(first_error(s));
        brazier_pipeline *p = brazier_pipeline_create(s, NULL);
        assert_int_equal(brazier_pipeline_run(p), BRAZIER_MISUSED);
        assert_null(brazier_session_component(s, 0));
        assert_null(brazier_guess_memory(s, "x", STACKS, strlen(STACKS), NULL));
        brazier_pipeline_destroy(p);
    }
    brazier_session_close(s);
    return status;
}

static void options_of_another_size_are_understood_or_refused(void **state)
{
    (void)state;
    newer_options o = {.known.struct_size = sizeof o};
    assert_int_equal(open_with(&o), BRAZIER_OK);
    o.unknown = 1;
    assert_int_equal(open_with(&o), BRAZIER_MISUSED);
    o.unknown = 0;
    o.known.flags = 1u << 31;
    assert_int_equal(open_with(&o), BRAZIER_MISUSED);
    o.known.flags = 0;
    o.known.struct_size = 0; /* not set by the caller */
    assert_int_equal(open_with(&o), BRAZIER_MISUSED);
    o.known.struct_size = UINT32_MAX;
    assert_int_equal(open_with(&o), BRAZIER_MISUSED);
    o.known.struct_size = 16;
    assert_int_equal(open_with(&o), BRAZIER_MISUSED);
}

/* ---- configurations ------------------------------------------------------------------------ */

/* Runs a pipeline whose files come from the configuration. */
static brazier_status run_with(const brazier_session_options *o, const char *pipeline)
{
    brazier_session *s;
    brazier_status status = brazier_session_open(o, &s);
    brazier_pipeline *b = brazier_pipeline_create(s, NULL);
    if (pipeline != NULL)
        brazier_pipeline_set(b, "pipeline", pipeline, NULL);
    brazier_pipeline_add_input_memory(b, "x", STACKS, strlen(STACKS));
    if (status == BRAZIER_OK)
        status = brazier_pipeline_run(b);
    brazier_pipeline_destroy(b);
    brazier_session_close(s);
    return status;
}

/* Outputs of an untrusted configuration stay below its folder, whatever the working directory
 * is. */
static void a_distrusted_file_is_confined_to_its_folder(void **state)
{
    (void)state;
    static const char config[] = "pipelines:\n"
                                 "  below: {outputs: [{use: folded, to: x.folded}]}\n"
                                 "  above: {outputs: [{use: folded, to: ../x.folded}]}\n"
                                 "  elsewhere: {outputs: [{use: folded, to: /tmp/x.folded}]}\n";
    char *folder = folder_make(), *path = path_in(folder, "c.yaml");
    char *output = path_in(folder, "x.folded");
    file_write(path, config, strlen(config));
    brazier_session_options o = {
        .struct_size = sizeof o, .config_file = path, .flags = BRAZIER_DISTRUST_CONFIG};
    assert_int_equal(run_with(&o, "below"), BRAZIER_OK);
    assert_int_equal(access(output, F_OK), 0);
    assert_int_equal(run_with(&o, "above"), BRAZIER_MISUSED);
    assert_int_equal(run_with(&o, "elsewhere"), BRAZIER_MISUSED);
    free(output);
    free(path);
    folder_remove(folder);
}

#define CONFIG "version: 1\npipelines:\n  leaves:\n    transform: [{drop: draw}]\n"

static brazier_status fold_with(const brazier_session_options *o, const char *pipeline, text *out)
{
    brazier_session *s;
    brazier_status status = brazier_session_open(o, &s);
    brazier_pipeline *b = brazier_pipeline_create(s, NULL);
    if (pipeline != NULL)
        brazier_pipeline_set(b, "pipeline", pipeline, NULL);
    brazier_pipeline_add_input_memory(b, "x", STACKS, strlen(STACKS));
    brazier_pipeline_add_output_stream(b, "folded", NULL, text_write, out);
    if (status == BRAZIER_OK)
        status = brazier_pipeline_run(b);
    brazier_pipeline_destroy(b);
    brazier_session_close(s);
    return status;
}

static void a_configuration_may_be_a_text_or_a_file(void **state)
{
    (void)state;
    char *folder = folder_make(), *path = path_in(folder, "c.yaml");
    text out = {.data = NULL};
    file_write(path, CONFIG, strlen(CONFIG));
    brazier_session_options o = {.struct_size = sizeof o, .config_text = CONFIG};
    assert_int_equal(fold_with(&o, "leaves", &out), BRAZIER_OK);
    assert_string_equal(out.data, "main;parse 3\nmain;parse;read 5\n");
    text_free(&out);
    o.config_text = NULL;
    o.config_file = path;
    assert_int_equal(fold_with(&o, "leaves", &out), BRAZIER_OK);
    assert_string_equal(out.data, "main;parse 3\nmain;parse;read 5\n");
    text_free(&out);
    free(path);
    folder_remove(folder);
}

static void a_fault_in_a_configuration_has_its_place(void **state)
{
    (void)state;
    brazier_session *s;
    const brazier_session_options o = {.struct_size = sizeof o,
                                       .config_text = "version: 1\npipelnes: {}\n"};
    assert_int_equal(brazier_session_open(&o, &s), BRAZIER_MISUSED);
    const brazier_diagnostic *d = first_error(s);
    assert_string_equal(d->code, "host.config");
    assert_string_equal(d->input, "configuration");
    assert_int_equal(d->line, 2);
    assert_int_equal(d->column, 1);
    assert_contains(d->message, "'pipelnes'");
    assert_contains(d->message, "'pipelines'");
    assert_string_equal(d->excerpt, "pipelnes: {}");
    assert_int_equal(d->caret, 0);
    assert_int_equal(d->length, 8);
    brazier_session_close(s);
}

static void a_session_may_keep_mistakes_of_its_configuration(void **state)
{
    (void)state;
    brazier_session *s;
    const brazier_session_options o = {.struct_size = sizeof o,
                                       .flags = BRAZIER_KEEP_MISTAKES,
                                       .config_text = "pipelnes: {}\nversion: 9\n"};
    assert_int_equal(brazier_session_open(&o, &s), BRAZIER_OK);
    assert_contains(first_error(s)->message, "version 1");
    assert_non_null(brazier_session_diagnostic(s, 1));
    brazier_session_close(s);
}

static void a_configuration_that_is_not_there_is_an_error(void **state)
{
    (void)state;
    brazier_session *s;
    const brazier_session_options o = {.struct_size = sizeof o, .config_file = "/nowhere/c.yaml"};
    assert_int_equal(brazier_session_open(&o, &s), BRAZIER_MISUSED);
    assert_contains(first_error(s)->message, "/nowhere/c.yaml");
    brazier_session_close(s);
}

/* ---- diagnostics --------------------------------------------------------------------------- */

static brazier_status fold(brazier_session *s, const char *input)
{
    brazier_pipeline *p = brazier_pipeline_create(s, NULL);
    pipeline_set(p, "from=folded");
    brazier_pipeline_add_input_memory(p, "odd\033.folded", input, strlen(input));
    brazier_pipeline_add_output_memory(p, "folded", NULL);
    brazier_status status = brazier_pipeline_run(p);
    brazier_pipeline_destroy(p);
    return status;
}

static void odd_input_is_reported_as_data(void **state)
{
    (void)state;
    brazier_session *s = session_open();
    assert_status(s, fold(s, ODD_STACKS), BRAZIER_OK);
    assert_int_equal(diagnostics(s), 3); /* the last one sums up */
    for (size_t i = 0; i < 2; i++) {
        const brazier_diagnostic *d = brazier_session_diagnostic(s, i);
        assert_int_equal(d->struct_size, sizeof *d);
        assert_int_equal(d->severity, BRAZIER_WARNING);
        assert_string_equal(d->component, "collapse.folded");
        assert_string_equal(d->input, "odd\\x1b.folded");
        assert_non_null(d->code);
        assert_int_equal(d->line, i == 0 ? 2 : 4);
        assert_int_equal(d->nth, i + 1);
        assert_int_equal(d->count, 2);
        assert_int_equal(d->kept, 2);
        assert_string_equal(d->excerpt, i == 0 ? "no count here" : "nor here");
        assert_string_equal(d->code, brazier_session_diagnostic(s, 0)->code);
        assert_int_equal(d->records, 0);
    }
    brazier_session_forget_diagnostics(s);
    assert_int_equal(diagnostics(s), 0);
    brazier_session_close(s);
}

static void what_is_left_out_is_summed_up_as_data(void **state)
{
    (void)state;
    brazier_session *s = session_open();
    assert_status(s, fold(s, "a;b 5\n12\nno count\n30.5\n"), BRAZIER_OK);
    size_t n = diagnostics(s);
    const brazier_diagnostic *d = brazier_session_diagnostic(s, n - 1);
    assert_string_equal(d->code, "host.left-out");
    assert_int_equal(d->severity, BRAZIER_NOTE);
    assert_int_equal(d->records, 3);
    assert_int_equal(d->weighed, 2);
    assert_int_equal(d->weight, 425);
    assert_int_equal(d->decimals, 1);
    assert_string_equal(d->message,
                        "left out: 3 records; weight 42.5 for 2 of them, unknown for the others");
    brazier_session_close(s);
}

static void more_than_can_be_reported_are_counted(void **state)
{
    (void)state;
    text t = {.data = NULL};
    brazier_session *s = session_open();
    for (int i = 0; i < 1000; i++)
        text_add(&t, "odd line\n", 9);
    text_add(&t, "a 1\n", 4);
    assert_status(s, fold(s, t.data), BRAZIER_OK);
    size_t n = diagnostics(s) - 1; /* the last one sums up */
    assert_in_range(n, 1, 20);
    assert_int_equal(brazier_session_diagnostic(s, n)->records, 1000);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(brazier_session_diagnostic(s, i)->nth, i + 1);
        assert_int_equal(brazier_session_diagnostic(s, i)->count, 1000);
    }
    brazier_session_close(s);
    text_free(&t);
}

/* Formats a diagnostic as the program prints it. */
static void take(void *context, const brazier_diagnostic *d)
{
    char line[1000];
    size_t n = brazier_diagnostic_text(d, 0, 0, line, sizeof line);
    assert_in_range(n, 0, sizeof line - 1);
    text_add(context, line, n);
}

static void a_function_gets_messages_at_once_and_nothing_is_kept(void **state)
{
    (void)state;
    brazier_session *s;
    text said = {.data = NULL};
    const brazier_session_options o = {.struct_size = sizeof o,
                                       .flags = BRAZIER_SHIPPED_ONLY,
                                       .on_diagnostic = take,
                                       .context = &said};
    assert_int_equal(brazier_session_open(&o, &s), BRAZIER_OK);
    assert_int_equal(fold(s, ODD_STACKS), BRAZIER_OK);
    assert_null(brazier_session_diagnostic(s, 0));
    assert_contains(said.data, "odd\\x1b.folded:2:1: warning: ");
    assert_contains(said.data, "\n    no count here\n    ^");
    assert_contains(said.data, "\n    ... and 1 more like this (-v shows more)\n");
    assert_null(strstr(said.data, "nor here"));
    brazier_session_close(s);
    text_free(&said);
}

static void verbosity_decides_what_there_is(void **state)
{
    (void)state;
    static const struct {
        int32_t verbosity;
        size_t n;
    } cases[] = {{-1, 0}, {0, 3}, {1, 3}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brazier_session *s;
        const brazier_session_options o = {.struct_size = sizeof o,
                                           .verbosity = cases[i].verbosity};
        assert_int_equal(brazier_session_open(&o, &s), BRAZIER_OK);
        assert_int_equal(fold(s, ODD_STACKS), BRAZIER_OK);
        assert_int_equal(diagnostics(s), cases[i].n);
        brazier_session_close(s);
    }
}

static void a_text_is_cut_to_what_fits(void **state)
{
    (void)state;
    const brazier_diagnostic d = {.struct_size = sizeof d,
                                  .severity = BRAZIER_ERROR,
                                  .component = "output.svg",
                                  .message = "too wide"};
    const char want[] = "brazier: error: svg: too wide\n";
    char to[64];
    assert_int_equal(brazier_diagnostic_text(&d, 0, 0, to, sizeof to), strlen(want));
    assert_string_equal(to, want);
    memset(to, 'x', sizeof to);
    assert_int_equal(brazier_diagnostic_text(&d, 0, 0, to, 8), strlen(want));
    assert_string_equal(to, "brazier");
    assert_int_equal(brazier_diagnostic_text(&d, 0, 0, NULL, 0), strlen(want));
    brazier_diagnostic_text(&d, 0, 1, to, sizeof to);
    assert_contains(to, "\033[1;31merror:\033[0m");
}

static void a_place_outside_the_excerpt_is_at_its_end(void **state)
{
    (void)state;
    const brazier_diagnostic d = {.struct_size = sizeof d,
                                  .severity = BRAZIER_NOTE,
                                  .message = "m",
                                  .excerpt = "abc",
                                  .caret = 1000,
                                  .length = SIZE_MAX};
    char to[64];
    brazier_diagnostic_text(&d, 0, 0, to, sizeof to);
    assert_string_equal(to, "brazier: note: m\n    abc\n       ^\n");
}

/* ---- components ---------------------------------------------------------------------------- */

static const brazier_component *component(brazier_session *s, uint32_t kind, const char *id)
{
    const brazier_component *c;
    for (size_t i = 0; (c = brazier_session_component(s, i)) != NULL; i++)
        if (c->kind == kind && strcmp(c->id, id) == 0)
            return c;
    return NULL;
}

static const brazier_option *option(const brazier_component *c, const char *name)
{
    for (size_t i = 0; c->options[i] != NULL; i++)
        if (strcmp(c->options[i]->name, name) == 0)
            return c->options[i];
    return NULL;
}

static void components_and_their_options_are_data(void **state)
{
    (void)state;
    brazier_session *s = session_open();
    const brazier_component *svg = component(s, BRAZIER_OUTPUT, "svg");
    assert_non_null(svg);
    assert_string_equal(svg->kind_name, "output");
    assert_string_equal(svg->found_in, "shipped");
    assert_int_equal(svg->shadowed, 0);
    assert_string_equal(svg->endings[0], "svg");
    assert_contains(svg->path, "/plugins-v1/output-svg.so");
    const brazier_option *title = option(svg, "title");
    assert_non_null(title);
    assert_string_equal(title->type, "text");
    assert_null(title->choices);
    const brazier_component *perf = component(s, BRAZIER_COLLAPSER, "perf");
    assert_non_null(perf);
    assert_null(perf->endings);
    assert_non_null(component(s, BRAZIER_PALETTE, "hot"));
    assert_null(component(s, BRAZIER_PALETTE, "svg"));
    assert_ptr_equal(component(s, BRAZIER_OUTPUT, "svg"), svg);
    brazier_session_close(s);
}

static void every_option_has_a_known_type_and_choices_if_that_is_its_type(void **state)
{
    (void)state;
    static const char *const types[] = {"bool", "int",      "real",  "text", "choice",
                                        "size", "duration", "color", "list"};
    const brazier_component *c;
    brazier_session *s = session_open();
    size_t n = 0;
    for (size_t i = 0; (c = brazier_session_component(s, i)) != NULL; i++)
        for (size_t k = 0; c->options[k] != NULL; k++) {
            const brazier_option *o = c->options[k];
            size_t t = 0;
            while (t < COUNT_OF(types) && strcmp(types[t], o->type) != 0)
                t++;
            assert_in_range(t, 0, COUNT_OF(types) - 1);
            assert_int_equal(o->choices != NULL, strcmp(o->type, "choice") == 0);
            assert_non_null(o->help);
            n++;
        }
    assert_in_range(n, 20, 10000);
    brazier_session_close(s);
}

/* ---- formats ------------------------------------------------------------------------------- */

static void the_format_of_bytes_and_files_is_guessed(void **state)
{
    (void)state;
    int score = -1;
    brazier_session *s = session_open();
    char *folder = folder_make(), *path = path_in(folder, "x.folded");
    file_write(path, STACKS, strlen(STACKS));
    const char *format = brazier_guess_memory(s, "x", STACKS, strlen(STACKS), &score);
    assert_string_equal(format, "folded");
    assert_in_range(score, 40, 100);
    assert_string_equal(brazier_guess_file(s, path, NULL), "folded");
    assert_int_equal(diagnostics(s), 0);
    free(path);
    folder_remove(folder);
    brazier_session_close(s);
}

static void what_is_in_no_format_is_an_error(void **state)
{
    (void)state;
    int score = -1;
    brazier_session *s = session_open();
    assert_null(brazier_guess_memory(s, "noise", "\x01\x02\x03", 3, &score));
    assert_int_equal(score, 0);
    assert_contains(first_error(s)->message, "noise: ");
    assert_string_equal(first_error(s)->code, "host.format");
    brazier_session_forget_diagnostics(s);
    assert_null(brazier_guess_memory(s, "nothing", NULL, 0, &score));
    assert_contains(first_error(s)->message, "nothing: the input is empty");
    assert_string_equal(first_error(s)->code, "host.empty");
    brazier_session_forget_diagnostics(s);
    assert_null(brazier_guess_file(s, "/nowhere/at-all", &score));
    assert_contains(first_error(s)->message, "/nowhere/at-all");
    brazier_session_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_versions_of_header_and_library_are_one),
        cmocka_unit_test(a_session_needs_no_options),
        cmocka_unit_test(options_of_another_size_are_understood_or_refused),
        cmocka_unit_test(a_configuration_may_be_a_text_or_a_file),
        cmocka_unit_test(a_distrusted_file_is_confined_to_its_folder),
        cmocka_unit_test(a_fault_in_a_configuration_has_its_place),
        cmocka_unit_test(a_session_may_keep_mistakes_of_its_configuration),
        cmocka_unit_test(a_configuration_that_is_not_there_is_an_error),
        cmocka_unit_test(odd_input_is_reported_as_data),
        cmocka_unit_test(what_is_left_out_is_summed_up_as_data),
        cmocka_unit_test(more_than_can_be_reported_are_counted),
        cmocka_unit_test(a_function_gets_messages_at_once_and_nothing_is_kept),
        cmocka_unit_test(verbosity_decides_what_there_is),
        cmocka_unit_test(a_text_is_cut_to_what_fits),
        cmocka_unit_test(a_place_outside_the_excerpt_is_at_its_end),
        cmocka_unit_test(components_and_their_options_are_data),
        cmocka_unit_test(every_option_has_a_known_type_and_choices_if_that_is_its_type),
        cmocka_unit_test(the_format_of_bytes_and_files_is_guessed),
        cmocka_unit_test(what_is_in_no_format_is_an_error),
    };
    return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}

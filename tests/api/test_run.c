/* SPDX-License-Identifier: MIT */
/* Tests runs: progress, cancellation, and failing functions of the program. */
#include "api.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- progress ------------------------------------------------------------------------------ */

typedef struct watch {
    size_t calls, inputs;
    uint64_t last, total;
    char input[32];
    size_t cancel_at; /* cancels at this call; 0: never */
} watch;

static int look(void *context, const brazier_progress *p)
{
    watch *w = context;
    assert_int_equal(p->struct_size, sizeof *p);
    assert_true(p->total == 0 || p->bytes <= p->total);
    if (strcmp(w->input, p->input) != 0) {
        w->inputs++;
        w->last = 0;
        snprintf(w->input, sizeof w->input, "%s", p->input);
    }
    assert_true(p->bytes >= w->last);
    w->last = p->bytes;
    w->total = p->total;
    return ++w->calls == w->cancel_at;
}

static void progress_reaches_the_end_of_each_input(void **state)
{
    (void)state;
    brazier_session *s = session_open();
    text input = many_stacks(60000);
    watch w = {.calls = 0};
    pieces in = {.data = input.data, .len = input.len, .largest = 100000};
    const brazier_pipeline_options o = {
        .struct_size = sizeof o, .on_progress = look, .context = &w};
    for (size_t i = 0; i < 2; i++) {
        w = (watch){.calls = 0};
        brazier_pipeline *p = brazier_pipeline_create(s, &o);
        brazier_pipeline_add_input_memory(p, "small", STACKS, strlen(STACKS));
        if (i == 0)
            brazier_pipeline_add_input_memory(p, "large", input.data, input.len);
        else
            brazier_pipeline_add_input_stream(p, "stream", pieces_read, &in);
        brazier_pipeline_add_output_memory(p, "folded", NULL);
        assert_status(s, brazier_pipeline_run(p), BRAZIER_OK);
        assert_int_equal(w.inputs, 2);
        assert_int_equal(w.last, input.len);
        assert_int_equal(w.total, i == 0 ? input.len : 0);
        assert_in_range(w.calls, 4, 1000);
        brazier_pipeline_destroy(p);
    }
    text_free(&input);
    brazier_session_close(s);
}

/* ---- limits -------------------------------------------------------------------------------- */

/* An input that has no end. Every line has a stack of its own; a blank before the number would make
 * it a first count. */
static int64_t endless_read(void *context, void *to, size_t size)
{
    size_t *line = context;
    if (size >= 64)
        return snprintf(to, size, "main;leaf%zu 1\n", (*line)++);
    memset(to, '\n', size); /* there is no room for one */
    return (int64_t)size;
}

static void a_run_ends_at_its_limits(void **state)
{
    (void)state;
    static const char *const limits[] = {"max-time=1ns", "max-memory=1", "max-memory=4M"};
    for (size_t i = 0; i < COUNT_OF(limits); i++) {
        brazier_session *s = session_open();
        size_t line = 0;
        brazier_pipeline *p = brazier_pipeline_create(s, NULL);
        pipeline_set(p, "from=folded");
        pipeline_set(p, limits[i]);
        brazier_pipeline_add_input_stream(p, "endless", endless_read, &line);
        size_t out = brazier_pipeline_add_output_memory(p, "folded", NULL);
        for (int again = 0; again < 2; again++) {
            assert_status(s, brazier_pipeline_run(p), BRAZIER_FAILED);
            assert_string_equal(first_error(s)->code, "host.limit");
            assert_null(brazier_pipeline_output(p, out, &line));
        }
        brazier_pipeline_destroy(p);
        brazier_session_close(s);
    }
}

static void a_run_within_its_limits_is_as_without_them(void **state)
{
    (void)state;
    brazier_session *s = session_open();
    brazier_pipeline *p = brazier_pipeline_create(s, NULL);
    pipeline_set(p, "from=folded max-memory=8000000000G max-time=2500000h");
    brazier_pipeline_add_input_memory(p, "small", STACKS, strlen(STACKS));
    brazier_pipeline_add_output_memory(p, "folded", NULL);
    assert_status(s, brazier_pipeline_run(p), BRAZIER_OK);
    brazier_pipeline_destroy(p);
    brazier_session_close(s);
}

/* ---- sizes --------------------------------------------------------------------------------- */

static void sizes_beyond_all_measure_change_nothing(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, 65, (1u << 26) + 1, 1u << 30};
    brazier_session *s = session_open();
    text input = many_stacks(2000), want = {.data = NULL};
    char *folder = folder_make(), *path = path_in(folder, "large.folded");
    file_write(path, input.data, input.len);
    for (size_t i = 0; i < COUNT_OF(sizes) * 2 * 2; i++) {
        uint64_t size = sizes[i / 4];
        char options[100];
        snprintf(options, sizeof options, "jobs=%zu chunk-size=%llu%s%llu", 1 + i % 2,
                 (unsigned long long)size,
                 i % 2 == 1 ? " range-size=" : " chunk-size=", (unsigned long long)size);
        brazier_pipeline *p = brazier_pipeline_create(s, NULL);
        pipeline_set(p, options);
        if (i % 4 < 2)
            brazier_pipeline_add_input_file(p, path);
        else
            brazier_pipeline_add_input_memory(p, "large.folded", input.data, input.len);
        size_t n, out = brazier_pipeline_add_output_memory(p, "folded", NULL);
        assert_status(s, brazier_pipeline_run(p), BRAZIER_OK);
        const char *got = brazier_pipeline_output(p, out, &n);
        if (i == 0)
            text_add(&want, got, n);
        assert_int_equal(n, want.len);
        assert_memory_equal(got, want.data, n);
        brazier_pipeline_destroy(p);
    }
    text_free(&input);
    text_free(&want);
    free(path);
    folder_remove(folder);
    brazier_session_close(s);
}

/* ---- cancellation -------------------------------------------------------------------------- */

/* A pipeline with a file, memory and a function as outputs. */
typedef struct outputs {
    char *folder, *path;
    size_t memory;
    text function;
} outputs;

static void outputs_add(outputs *o, brazier_pipeline *p)
{
    *o = (outputs){.folder = folder_make()};
    o->path = path_in(o->folder, "out.svg");
    file_write(o->path, "before", 6);
    brazier_pipeline_add_output_file(p, NULL, o->path);
    o->memory = brazier_pipeline_add_output_memory(p, "svg", NULL);
    brazier_pipeline_add_output_stream(p, "svg", NULL, text_write, &o->function);
}

/* Checks that the outputs are unchanged. */
static void outputs_check_nothing(outputs *o, const brazier_pipeline *p)
{
    size_t size;
    text file = file_read(o->path);
    assert_string_equal(file.data, "before");
    assert_int_equal(folder_count(o->folder), 1);
    assert_null(brazier_pipeline_output(p, o->memory, &size));
    text_free(&file);
    text_free(&o->function);
    free(o->path);
    folder_remove(o->folder);
}

static void progress_can_cancel(void **state)
{
    (void)state;
    brazier_session *s = session_open();
    text odd = {.data = NULL},
         input = many_stacks(60000); /* enough to report progress unless cancelled */
    text_add(&odd, ODD_STACKS, strlen(ODD_STACKS));
    text_add(&odd, input.data, input.len);
    static const char *const jobs[] = {"jobs=1", "jobs=2", "jobs=4"};
    for (size_t i = 0; i < COUNT_OF(jobs); i++) {
        watch w = {.cancel_at = 2};
        outputs outs;
        const brazier_pipeline_options o = {
            .struct_size = sizeof o, .on_progress = look, .context = &w};
        brazier_pipeline *p = brazier_pipeline_create(s, &o);
        pipeline_set(p, jobs[i]);
        pipeline_set(p, "range-size=100000");
        brazier_pipeline_add_input_memory(p, "large.folded", odd.data, odd.len);
        outputs_add(&outs, p);
        assert_status(s, brazier_pipeline_run(p), BRAZIER_CANCELLED);
        assert_int_equal(diagnostics(s), 0);
        outputs_check_nothing(&outs, p);
        brazier_pipeline_destroy(p);
    }
    text_free(&odd);
    text_free(&input);
    brazier_session_close(s);
}

static void *cancel_soon(void *p)
{
    static const struct timespec soon = {0, 30000000};
    nanosleep(&soon, NULL);
    brazier_pipeline_cancel(p);
    return NULL;
}

static void another_thread_can_cancel_what_would_never_end(void **state)
{
    (void)state;
    brazier_session *s = session_open();
    static const char *const jobs[] = {"jobs=1", "jobs=2", "jobs=3"};
    for (size_t i = 0; i < COUNT_OF(jobs); i++) {
        pthread_t thread;
        outputs outs;
        pieces in = {.data = STACKS, .len = strlen(STACKS), .largest = 100, .endless = true};
        brazier_pipeline *p = brazier_pipeline_create(s, NULL);
        pipeline_set(p, jobs[i]);
        brazier_pipeline_add_input_stream(p, "endless.folded", pieces_read, &in);
        outputs_add(&outs, p);
        assert_int_equal(pthread_create(&thread, NULL, cancel_soon, p), 0);
        assert_status(s, brazier_pipeline_run(p), BRAZIER_CANCELLED);
        pthread_join(thread, NULL);
        outputs_check_nothing(&outs, p);
        assert_status(s, brazier_pipeline_run(p), BRAZIER_CANCELLED);
        brazier_pipeline_destroy(p);
    }
    brazier_session_close(s);
}

static brazier_pipeline *_Atomic interrupted;

static void on_alarm(int sig)
{
    (void)sig;
    brazier_pipeline_cancel(atomic_load(&interrupted));
}

static void a_signal_handler_can_cancel(void **state)
{
    (void)state;
    brazier_session *s = session_open();
    pieces in = {.data = STACKS, .len = strlen(STACKS), .largest = 100, .endless = true};
    brazier_pipeline *p = brazier_pipeline_create(s, NULL);
    brazier_pipeline_add_input_stream(p, "endless.folded", pieces_read, &in);
    brazier_pipeline_add_output_memory(p, "svg", NULL);
    atomic_store(&interrupted, p);
    on(SIGALRM, on_alarm);
    ualarm(30000, 0);
    assert_status(s, brazier_pipeline_run(p), BRAZIER_CANCELLED);
    on(SIGALRM, SIG_DFL);
    brazier_pipeline_destroy(p);
    brazier_session_close(s);
}

static void what_is_cancelled_before_it_begins_reads_nothing(void **state)
{
    (void)state;
    brazier_session *s = session_open();
    pieces in = {.data = STACKS, .len = strlen(STACKS), .largest = 100};
    brazier_pipeline *p = brazier_pipeline_create(s, NULL);
    brazier_pipeline_add_input_stream(p, "x.folded", pieces_read, &in);
    brazier_pipeline_add_output_memory(p, "svg", NULL);
    brazier_pipeline_cancel(p);
    assert_status(s, brazier_pipeline_run(p), BRAZIER_CANCELLED);
    assert_int_equal(in.at, 0);
    brazier_pipeline_destroy(p);
    brazier_session_close(s);
}

/* ---- isolation ----------------------------------------------------------------------------- */

static void an_isolated_input_gives_the_same_bytes_diagnostics_and_progress(void **state)
{
    (void)state;
    needs_isolation();
    char *folder = folder_make(), *path = path_in(folder, "in");
    text odd = {.data = NULL}, input = many_stacks(30000), want = {.data = NULL};
    text_add(&odd, ODD_STACKS, strlen(ODD_STACKS));
    text_add(&odd, input.data, input.len);
    file_write(path, odd.data, odd.len);
    for (int i = 0; i < 4; i++) {
        watch w = {.calls = 0};
        brazier_session *s = session_open();
        const brazier_pipeline_options o = {
            .struct_size = sizeof o, .on_progress = look, .context = &w};
        brazier_pipeline *p = brazier_pipeline_create(s, &o);
        pipeline_set(p, i % 2 == 0 ? "isolate=false" : "isolate");
        if (i < 2)
            brazier_pipeline_add_input_file(p, path);
        else
            brazier_pipeline_add_input_memory(p, "memory", odd.data, odd.len);
        size_t out = brazier_pipeline_add_output_memory(p, "folded", NULL), size;
        assert_status(s, brazier_pipeline_run(p), BRAZIER_OK);
        const char *got = brazier_pipeline_output(p, out, &size);
        if (i == 0)
            text_add(&want, got, size);
        assert_output(p, out, want.data, want.len);
        assert_int_equal(diagnostics(s), 3);
        assert_int_equal(brazier_session_diagnostic(s, 2)->records, 2);
        assert_string_equal(brazier_session_diagnostic(s, 1)->component, "collapse.folded");
        assert_int_equal(brazier_session_diagnostic(s, 1)->line, 4);
        assert_int_equal(w.last, odd.len);
        brazier_pipeline_destroy(p);
        brazier_session_close(s);
    }
    text_free(&odd);
    text_free(&input);
    text_free(&want);
    free(path);
    folder_remove(folder);
}

/* Runs a format whose plug-in crashes at a line "crash". */
static brazier_status count_lines(brazier_session **s, const char *second, text *out)
{
    static const char *const files[] = {FRAGILE};
    const brazier_session_options so = {
        .struct_size = sizeof so, .plugin_files = files, .n_plugin_files = 1};
    assert_int_equal(brazier_session_open(&so, s), BRAZIER_OK);
    brazier_pipeline *p = brazier_pipeline_create(*s, NULL);
    pipeline_set(p, "from=fragile isolate");
    brazier_pipeline_add_input_memory(p, "first", "a\nb\n", 4);
    brazier_pipeline_add_input_memory(p, "second", second, strlen(second));
    size_t memory = brazier_pipeline_add_output_memory(p, "folded", NULL), size;
    brazier_status status = brazier_pipeline_run(p);
    const char *got = brazier_pipeline_output(p, memory, &size);
    assert_non_null(got);
    text_add(out, got, size);
    brazier_pipeline_destroy(p);
    return status;
}

static void a_crash_in_isolation_costs_that_input(void **state)
{
    (void)state;
    needs_isolation();
    text out = {.data = NULL};
    brazier_session *s;
    brazier_status status = count_lines(&s, "c\n", &out);
    assert_status(s, status, BRAZIER_OK);
    assert_string_equal(out.data, "lines 3\n");
    brazier_session_close(s);
    text_free(&out);
    status = count_lines(&s, "crash\n", &out);
    assert_status(s, status, BRAZIER_PARTLY);
    assert_string_equal(out.data, "lines 2\n");
    assert_contains(first_error(s)->message, "second is left out");
    assert_contains(first_error(s)->message, "fragile 1.0");
    brazier_session_close(s);
    text_free(&out);
}

static void what_a_function_gives_cannot_be_isolated(void **state)
{
    (void)state;
    brazier_session *s = session_open();
    pieces in = {.data = STACKS, .len = strlen(STACKS), .largest = 100};
    brazier_pipeline *p = brazier_pipeline_create(s, NULL);
    pipeline_set(p, "isolate");
    brazier_pipeline_add_input_stream(p, "the socket", pieces_read, &in);
    brazier_pipeline_add_output_memory(p, "svg", NULL);
    assert_status(s, brazier_pipeline_run(p), BRAZIER_FAILED);
    assert_contains(first_error(s)->message, "the socket: input from a function");
    assert_int_equal(in.at, 0);
    brazier_pipeline_destroy(p);
    brazier_session_close(s);
}

/* ThreadSanitizer makes a megabyte of input take longer than a child has to stop. */
static void needs_normal_speed(void)
{
    const char *sanitizer = getenv("BRAZIER_SANITIZE");
    if (sanitizer != NULL && strcmp(sanitizer, "thread") == 0)
        skip();
}

static void progress_can_cancel_in_isolation(void **state)
{
    (void)state;
    needs_isolation();
    needs_normal_speed();
    brazier_session *s = session_open();
    text input = many_stacks(300000);
    watch w = {.cancel_at = 2};
    outputs outs;
    const brazier_pipeline_options o = {
        .struct_size = sizeof o, .on_progress = look, .context = &w};
    brazier_pipeline *p = brazier_pipeline_create(s, &o);
    pipeline_set(p, "isolate");
    brazier_pipeline_add_input_memory(p, "large.folded", input.data, input.len);
    outputs_add(&outs, p);
    assert_status(s, brazier_pipeline_run(p), BRAZIER_CANCELLED);
    assert_int_equal(diagnostics(s), 0);
    outputs_check_nothing(&outs, p);
    brazier_pipeline_destroy(p);
    text_free(&input);
    brazier_session_close(s);
}

/* ---- failing functions --------------------------------------------------------------------- */

static void an_input_that_fails_fails_the_run(void **state)
{
    (void)state;
    brazier_session *s = session_open();
    text input = many_stacks(60000);
    static const size_t places[] = {1, 1000, 1500000};
    for (size_t i = 0; i < 2 * COUNT_OF(places); i++) {
        outputs outs;
        pieces in = {
            .data = input.data, .len = input.len, .largest = 1000, .fail_at = places[i / 2]};
        brazier_pipeline *p = brazier_pipeline_create(s, NULL);
        pipeline_set(p, i % 2 == 0 ? "from=folded" : "from=guess");
        brazier_pipeline_add_input_stream(p, "broken", pieces_read, &in);
        outputs_add(&outs, p);
        brazier_session_forget_diagnostics(s);
        assert_status(s, brazier_pipeline_run(p), BRAZIER_FAILED);
        assert_string_equal(first_error(s)->message,
                            "broken: cannot be read: the program's read function failed");
        assert_string_equal(first_error(s)->code, "host.read");
        outputs_check_nothing(&outs, p);
        brazier_pipeline_destroy(p);
    }
    text_free(&input);
    brazier_session_close(s);
}

static int64_t give_too_much(void *context, void *to, size_t size)
{
    (void)context;
    memset(to, 'x', size);
    return (int64_t)size + 1;
}

static void an_input_that_gives_more_than_there_is_room_fails_the_run(void **state)
{
    (void)state;
    brazier_session *s = session_open();
    brazier_pipeline *p = brazier_pipeline_create(s, NULL);
    pipeline_set(p, "from=folded");
    brazier_pipeline_add_input_stream(p, "greedy", give_too_much, NULL);
    brazier_pipeline_add_output_memory(p, "folded", NULL);
    assert_status(s, brazier_pipeline_run(p), BRAZIER_FAILED);
    assert_contains(first_error(s)->message,
                    "greedy: cannot be read: the program's read function returned too much");
    brazier_pipeline_destroy(p);
    brazier_session_close(s);
}

static void an_output_that_refuses_fails_the_run_and_all_outputs(void **state)
{
    (void)state;
    brazier_session *s = session_open();
    text input = many_stacks(60000), refusing = {.limit = 1};
    outputs outs;
    brazier_pipeline *p = brazier_pipeline_create(s, NULL);
    brazier_pipeline_add_input_memory(p, "x.folded", input.data, input.len);
    outputs_add(&outs, p);
    brazier_pipeline_add_output_stream(p, "folded", "the socket", text_write, &refusing);
    assert_status(s, brazier_pipeline_run(p), BRAZIER_FAILED);
    assert_string_equal(first_error(s)->message, "the socket: the program's write function failed");
    assert_string_equal(first_error(s)->code, "host.write");
    assert_int_equal(diagnostics(s), 1);
    assert_int_equal(refusing.calls, 1);
    outputs_check_nothing(&outs, p);
    brazier_pipeline_destroy(p);
    text_free(&input);
    brazier_session_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(progress_reaches_the_end_of_each_input),
        cmocka_unit_test(a_run_ends_at_its_limits),
        cmocka_unit_test(a_run_within_its_limits_is_as_without_them),
        cmocka_unit_test(sizes_beyond_all_measure_change_nothing),
        cmocka_unit_test(progress_can_cancel),
        cmocka_unit_test(another_thread_can_cancel_what_would_never_end),
        cmocka_unit_test(a_signal_handler_can_cancel),
        cmocka_unit_test(what_is_cancelled_before_it_begins_reads_nothing),
        cmocka_unit_test(an_isolated_input_gives_the_same_bytes_diagnostics_and_progress),
        cmocka_unit_test(a_crash_in_isolation_costs_that_input),
        cmocka_unit_test(what_a_function_gives_cannot_be_isolated),
        cmocka_unit_test(progress_can_cancel_in_isolation),
        cmocka_unit_test(an_input_that_fails_fails_the_run),
        cmocka_unit_test(an_input_that_gives_more_than_there_is_room_fails_the_run),
        cmocka_unit_test(an_output_that_refuses_fails_the_run_and_all_outputs),
    };
    return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}

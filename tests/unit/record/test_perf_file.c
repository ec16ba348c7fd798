/* SPDX-License-Identifier: MIT */
/* Tests the layout of written recordings. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/features.h"
#include "record/synthesis.h"

typedef struct fixture {
    FILE *file;
    brz_event events[2];
    brz_perf_file out;
    uint8_t bytes[65536];
    size_t n;
} fixture;

static uint64_t at(const fixture *f, size_t offset)
{
    uint64_t value;
    memcpy(&value, f->bytes + offset, sizeof value);
    return value;
}

static void begin(fixture *f)
{
    memset(f, 0, sizeof *f);
    f->file = tmpfile();
    assert_non_null(f->file);
    brz_buf error = {0};
    assert_true(brz_event_parse(&f->events[0], BRZ_STR("cpu-clock"), &error));
    assert_true(brz_event_parse(&f->events[1], BRZ_STR("page-faults:u"), &error));
    f->events[0].ids = calloc(2, sizeof(uint64_t));
    f->events[0].n_ids = 2;
    f->events[0].ids[0] = 71;
    f->events[0].ids[1] = 72;
    brz_perf_file_begin(&f->out, fileno(f->file), f->events, 2);
}

static void finish(fixture *f)
{
    rewind(f->file);
    f->n = fread(f->bytes, 1, sizeof f->bytes, f->file);
    fclose(f->file);
    brz_perf_file_finish(&f->out);
    brz_event_finish(&f->events[0]);
}

/* Returns the offset of the first record of a type at or after `from`, or 0. */
static size_t find(const fixture *f, size_t from, uint32_t type)
{
    while (from + sizeof(struct perf_event_header) <= f->n) {
        struct perf_event_header h;
        memcpy(&h, f->bytes + from, sizeof h);
        if (h.type == type)
            return from;
        from += h.size;
    }
    return 0;
}

static void the_layout_of_a_pipe_has_events_and_features_as_records(void **state)
{
    (void)state;
    fixture f;
    brz_buf features[BRZ_FEATURES_MAX] = {{0}}, times[BRZ_FEATURES_MAX] = {{0}};
    begin(&f);
    brz_perf_file_finish(&f.out);
    rewind(f.file);
    assert_int_equal(ftruncate(fileno(f.file), 0), 0);
    brz_buf_add_text(&features[BRZ_FEATURE_HOSTNAME], "host");
    brz_buf_add_text(&features[BRZ_FEATURE_EVENT_DESC], "left out");
    brz_buf_add_text(&times[BRZ_FEATURE_SAMPLE_TIME], "at the end");
    brz_perf_file_begin_pipe(&f.out, fileno(f.file), f.events, 2, features);
    brz_perf_file_end_round(&f.out);
    assert_true(brz_perf_file_end(&f.out, times));
    finish(&f);
    brz_features_finish(features);
    brz_features_finish(times);

    assert_memory_equal(f.bytes, "PERFILE2", 8);
    assert_int_equal(at(&f, 8), 16);
    assert_int_equal(at(&f, 24), (uint64_t)BRZ_ATTR_SIZE << 32 | PERF_TYPE_SOFTWARE);
    assert_int_equal(at(&f, 24 + BRZ_ATTR_SIZE), 71);
    assert_int_equal(at(&f, 24 + BRZ_ATTR_SIZE + 8), 72);
    size_t name = find(&f, 16, 78), feature = find(&f, name, 80), round = find(&f, feature, 68);
    assert_int_equal(at(&f, name + 16), 71);
    assert_string_equal((const char *)f.bytes + name + 24, "cpu-clock");
    assert_int_equal(at(&f, feature + 8), BRZ_FEATURE_HOSTNAME);
    assert_memory_equal(f.bytes + feature + 16, "host", 4);
    assert_int_equal(find(&f, feature + 24, 80), round + 8);
    assert_int_equal(at(&f, round + 16), BRZ_FEATURE_SAMPLE_TIME);
    assert_int_equal(f.n % 8, 0);
}

/* A record with an event has a size of 16 bits. */
static void events_of_very_many_threads_are_divided(void **state)
{
    (void)state;
    fixture f;
    const size_t n = 9000;
    brz_buf features[BRZ_FEATURES_MAX] = {{0}};
    begin(&f);
    brz_perf_file_finish(&f.out);
    rewind(f.file);
    assert_int_equal(ftruncate(fileno(f.file), 0), 0);
    f.events[0].ids = realloc(f.events[0].ids, n * sizeof(uint64_t));
    for (size_t i = 0; i < n; i++)
        f.events[0].ids[i] = 1000 + i;
    f.events[0].n_ids = n;
    brz_perf_file_begin_pipe(&f.out, fileno(f.file), f.events, 2, features);
    assert_true(brz_perf_file_end(&f.out, features));
    rewind(f.file);
    uint8_t *bytes = malloc(200000);
    size_t size = fread(bytes, 1, 200000, f.file), ids = 0, names = 0;
    struct perf_event_header h;
    for (size_t i = 16; i < size; i += h.size) {
        memcpy(&h, bytes + i, sizeof h);
        assert_true(h.size >= sizeof h);
        ids += h.type == 64 ? (h.size - sizeof h - BRZ_ATTR_SIZE) / 8 : 0;
        names += h.type == 78;
    }
    assert_int_equal(ids, n);
    assert_int_equal(names, 2); /* the second event has no id here */
    free(bytes);
    finish(&f);
}

static void a_file_has_events_records_and_features(void **state)
{
    (void)state;
    fixture f;
    const uint64_t record[] = {UINT64_C(24) << 48 | PERF_RECORD_LOST, 1, 2};
    brz_buf features[BRZ_FEATURES_MAX] = {{0}};
    begin(&f);
    brz_perf_file_add(&f.out, record, sizeof record);
    brz_perf_file_end_round(&f.out);
    brz_buf_add_text(&features[BRZ_FEATURE_HOSTNAME], "host");
    brz_buf_add_text(&features[BRZ_FEATURE_CMDLINE], "command");
    assert_true(brz_perf_file_end(&f.out, features));
    finish(&f);
    brz_features_finish(features);

    assert_memory_equal(f.bytes, "PERFILE2", 8);
    assert_int_equal(at(&f, 8), 104);
    assert_int_equal(at(&f, 16), BRZ_ATTR_SIZE + 16);
    uint64_t attrs = at(&f, 24), data = at(&f, 40), size = at(&f, 48);
    assert_int_equal(at(&f, 32), 2 * (BRZ_ATTR_SIZE + 16));
    assert_int_equal(at(&f, attrs), (uint64_t)BRZ_ATTR_SIZE << 32 | PERF_TYPE_SOFTWARE);
    assert_int_equal(at(&f, attrs + BRZ_ATTR_SIZE + 8), 16);
    assert_int_equal(at(&f, at(&f, attrs + BRZ_ATTR_SIZE)), 71);
    assert_int_equal(at(&f, attrs + 2 * BRZ_ATTR_SIZE + 16 + 8), 0);
    assert_int_equal(size, 32);
    assert_memory_equal(f.bytes + data, record, sizeof record);
    assert_int_equal(f.bytes[data + 24], 68);
    assert_int_equal(at(&f, 72), 1 << BRZ_FEATURE_HOSTNAME | 1 << BRZ_FEATURE_CMDLINE);
    assert_int_equal(at(&f, data + size + 8), 4);
    assert_memory_equal(f.bytes + at(&f, data + size), "host", 4);
    assert_memory_equal(f.bytes + at(&f, data + size + 16), "command", 7);
    assert_int_equal(f.n, at(&f, data + size + 16) + 7);
}

static void an_unfinished_file_has_no_size(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    brz_perf_file_end_round(&f.out);
    brz_perf_file_flush(&f.out);
    finish(&f);
    assert_int_equal(at(&f, 48), 0);
    assert_int_equal(f.n, at(&f, 40) + 8);
}

static void a_failed_write_is_remembered(void **state)
{
    (void)state;
    fixture f;
    brz_buf features[BRZ_FEATURES_MAX] = {{0}};
    static const char zeros[1 << 17];
    begin(&f);
    f.out.fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
    brz_perf_file_add(&f.out, zeros, sizeof zeros);
    assert_int_equal(f.out.error, ENOSPC);
    brz_perf_file_end_round(&f.out);
    assert_false(brz_perf_file_end(&f.out, features));
    close(f.out.fd);
    finish(&f);
}

/* Counts the calls of brz_synthesis.between. */
typedef struct calls {
    const brz_perf_file *file;
    size_t n;
    uint64_t at;
} calls;

static void count_call(void *context)
{
    calls *c = context;
    assert_true(c->file->at >= c->at);
    c->at = c->file->at;
    c->n++;
}

static void rings_can_be_read_while_processes_are_added(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    calls c = {.file = &f.out};
    const brz_synthesis to = {.file = &f.out, .between = count_call, .context = &c};
    brz_synthesize_all(&to);
    assert_true(c.n >= 1); /* this process at least */
    assert_true(c.at > f.out.data_at);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_has_events_records_and_features),
        cmocka_unit_test(the_layout_of_a_pipe_has_events_and_features_as_records),
        cmocka_unit_test(events_of_very_many_threads_are_divided),
        cmocka_unit_test(an_unfinished_file_has_no_size),
        cmocka_unit_test(a_failed_write_is_remembered),
        cmocka_unit_test(rings_can_be_read_while_processes_are_added),
    };
    return cmocka_run_group_tests_name("perf_file", tests, NULL, NULL);
}

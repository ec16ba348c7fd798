/* SPDX-License-Identifier: MIT */
/* Tests traces: calls that are entered and left become stacks with the time spent in their
 * innermost call. */
#include "unit.h"

#include "host/trace.h"

/* Creates a profile with a clock as its column. */
static brz_profile *timed_profile(void)
{
    brz_profile *p = brz_profile_create();
    brz_profile_add_weight(p, BRZ_STR("time"), BRZ_STR("nanoseconds"), 0, 0);
    p->weights[0].flags = BRZ_COLUMN_CLOCK;
    return p;
}

/* Returns "a;b 5\n" for each stack with time, in the order of first calls. */
static char *finish(brz_trace *t, brz_profile *p)
{
    brz_buf b = {0};
    brz_trace_finish(t);
    brz_profile_seal(p);
    for (brz_stack s = 0; s < p->n_stacks; s++) {
        const brz_profile_stack *stack = &p->stacks[s];
        for (uint32_t i = 0; i < stack->n; i++) {
            brz_str name = brz_profile_frame_info(p, stack->frames[i]).name;
            brz_buf_printf(&b, "%s%.*s", i > 0 ? ";" : "", (int)name.len, name.data);
        }
        brz_buf_printf(&b, " %lld\n", (long long)brz_profile_value(p, s, 0));
    }
    brz_trace_destroy(t);
    brz_profile_destroy(p);
    brz_buf_add_text(&b, "");
    return b.data;
}

/* An event: "+" enters a frame named by a letter, "-" leaves it. */
typedef struct event {
    char what;
    char name;
    uint64_t track;
    int64_t time;
} event;

static char *run(const event *events, size_t n, size_t *refused)
{
    brz_profile *p = timed_profile();
    brz_trace *t = brz_trace_create(p);
    *refused = 0;
    for (size_t i = 0; i < n; i++) {
        const event *e = &events[i];
        brz_frame_desc d = {.name = {&e->name, 1}};
        brz_values at = brz_values_of_time(&e->time);
        if (e->what == '+')
            brz_trace_enter(t, e->track, brz_profile_add_frame(p, &d), &at);
        else
            *refused += !brz_trace_leave(t, e->track, &at);
    }
    return finish(t, p);
}

static void assert_stacks(const event *events, size_t n, size_t want_refused, const char *want)
{
    size_t refused;
    char *got = run(events, n, &refused);
    assert_string_equal(got, want);
    assert_int_equal(refused, want_refused);
    free(got);
}

static void time_belongs_to_the_call_on_top(void **state)
{
    (void)state;
    const event events[] = {{'+', 'm', 0, 100}, {'+', 'a', 0, 110}, {'-', 0, 0, 130},
                            {'+', 'b', 0, 131}, {'+', 'c', 0, 140}, {'-', 0, 0, 141},
                            {'-', 0, 0, 150},   {'-', 0, 0, 200}};
    assert_stacks(events, COUNT_OF(events), 0, "m 61\nm;a 20\nm;b 18\nm;b;c 1\n");
}

static void tracks_do_not_see_each_other(void **state)
{
    (void)state;
    const event events[] = {{'+', 'a', 7, 0}, {'+', 'b', UINT64_MAX, 5}, {'+', 'c', 7, 10},
                            {'-', 0, 7, 30},  {'-', 0, UINT64_MAX, 45},  {'-', 0, 7, 50}};
    assert_stacks(events, COUNT_OF(events), 0, "a 30\nb 40\na;c 20\n");
}

static void equal_calls_on_different_tracks_are_one_stack(void **state)
{
    (void)state;
    const event events[] = {{'+', 'a', 1, 0}, {'+', 'a', 2, 0}, {'-', 0, 2, 3}, {'-', 0, 1, 4}};
    assert_stacks(events, COUNT_OF(events), 0, "a 7\n");
}

static void recursion_is_one_frame_per_call(void **state)
{
    (void)state;
    const event events[] = {{'+', 'r', 0, 0}, {'+', 'r', 0, 1}, {'+', 'r', 0, 3},
                            {'-', 0, 0, 7},   {'-', 0, 0, 8},   {'-', 0, 0, 9}};
    assert_stacks(events, COUNT_OF(events), 0, "r 2\nr;r 3\nr;r;r 4\n");
}

static void a_call_that_never_ended_ends_with_its_track(void **state)
{
    (void)state;
    const event events[] = {{'+', 'a', 0, 0}, {'+', 'b', 0, 10}, {'+', 'x', 1, 1000}};
    assert_stacks(events, COUNT_OF(events), 0, "a 10\n");
}

static void the_end_of_a_call_that_never_began_is_refused(void **state)
{
    (void)state;
    const event events[] = {{'-', 0, 0, 5},  {'+', 'a', 0, 6},  {'-', 0, 0, 9},
                            {'-', 0, 0, 12}, {'+', 'a', 0, 20}, {'-', 0, 0, 21}};
    assert_stacks(events, COUNT_OF(events), 2, "a 4\n");
}

static void time_that_runs_backwards_counts_as_zero(void **state)
{
    (void)state;
    const event events[] = {{'+', 'a', 0, 50}, {'+', 'b', 0, 40}, {'-', 0, 0, 60}, {'-', 0, 0, 55}};
    assert_stacks(events, COUNT_OF(events), 0, "a;b 10\n");
}

static void times_may_be_as_far_apart_as_numbers_go(void **state)
{
    (void)state;
    brz_profile *p = timed_profile();
    brz_trace *t = brz_trace_create(p);
    brz_frame_desc d = {.name = BRZ_STR("a")};
    const int64_t times[] = {INT64_MIN, INT64_MAX};
    const brz_values first = brz_values_of_time(&times[0]), last = brz_values_of_time(&times[1]);
    brz_trace_enter(t, 0, brz_profile_add_frame(p, &d), &first);
    brz_trace_leave(t, 0, &last);
    brz_trace_finish(t);
    assert_true(brz_profile_value(p, 0, 0) == INT64_MAX);
    assert_true(p->saturated);
    brz_trace_destroy(t);
    brz_profile_destroy(p);
    brz_trace_destroy(NULL);
}

static void stacks_of_a_hundred_thousand_calls_are_supported(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    brz_profile *p = timed_profile();
    brz_trace *t = brz_trace_create(p);
    brz_frame_desc d = {.name = BRZ_STR("a")};
    brz_frame f = brz_profile_add_frame(p, &d);
    const int64_t times[] = {0, 5};
    const brz_values first = brz_values_of_time(&times[0]), last = brz_values_of_time(&times[1]);
    for (int64_t i = 0; i < DEPTH; i++)
        brz_trace_enter(t, 0, f, &first);
    for (int64_t i = 0; i < DEPTH; i++)
        assert_true(brz_trace_leave(t, 0, &last));
    brz_trace_finish(t);
    assert_int_equal(p->n_stacks, 1);
    assert_int_equal(p->stacks[0].n, DEPTH);
    assert_int_equal(brz_profile_value(p, 0, 0), 5);
    brz_trace_destroy(t);
    brz_profile_destroy(p);
}

/* ---- several columns ------------------------------------------------------------------------- */

/* Adds an event of a trace with the columns time, memory and a balance. */
static void add_event(brz_trace *t, brz_profile *p, const char *name, brz_tag tag,
                      const int64_t *at)
{
    const brz_values v = {.values = at, .n_values = 3, .time = at[0], .tag = tag};
    brz_frame_desc d = {.name = brz_str_of_text(name)};
    if (name[0] == '\0')
        brz_trace_leave(t, 0, &v);
    else
        brz_trace_enter(t, 0, brz_profile_add_frame(p, &d), &v);
}

static void columns_count_as_their_flags_say(void **state)
{
    (void)state;
    brz_profile *p = timed_profile();
    brz_profile_add_weight(p, BRZ_STR("memory"), BRZ_STR("bytes"), 0, 1);
    brz_profile_add_weight(p, BRZ_STR("balance"), BRZ_STR("bytes"), 0, 2);
    p->weights[1].flags = BRZ_COLUMN_GROWTH;
    p->samples.which = BRZ_SAMPLES_SINGLE;
    brz_trace *t = brz_trace_create(p);
    add_event(t, p, "a", 0, (const int64_t[]){-10, 100, 100});
    add_event(t, p, "b", 0, (const int64_t[]){-4, 90, 90});
    add_event(t, p, "", 0, (const int64_t[]){-6, 95, 95});
    add_event(t, p, "", 0, (const int64_t[]){1, 95, 60});
    brz_trace_finish(t);
    assert_int_equal(p->n_stacks, 2);
    const int64_t expected[2][3] = {{6 + 5, 0, -10 - 35}, {0, 5, 5}};
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t w = 0; w < 3; w++)
            assert_int_equal(brz_profile_value(p, i, w), expected[i][w]);
    brz_trace_destroy(t);
    brz_profile_destroy(p);
}

static void values_between_two_events_are_one_sample(void **state)
{
    (void)state;
    brz_profile *p = timed_profile();
    brz_profile_add_weight(p, BRZ_STR("calls"), BRZ_STR("count"), 0, 1);
    brz_profile_add_weight(p, BRZ_STR("balance"), BRZ_STR("bytes"), 0, 2);
    p->samples.which = BRZ_SAMPLES_SINGLE;
    brz_trace *t = brz_trace_create(p);
    add_event(t, p, "a", 3, (const int64_t[]){-10, 0, 0});
    add_event(t, p, "b", 4, (const int64_t[]){-5, 1, 0});
    add_event(t, p, "", 4, (const int64_t[]){-5, 2, 7});
    brz_trace_finish(t);
    assert_int_equal(p->samples.n, 4);
    const brz_profile_sample expected[] = {
        {-10, 5, 0, 0, 3, 0}, {-10, 1, 0, 1, 3, 1}, {-5, 1, 1, 1, 4, 0}, {-5, 7, 1, 2, 4, 1}};
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        const brz_profile_sample *s = &p->samples.items[i], *e = &expected[i];
        assert_true(s->time == e->time && s->value == e->value && s->stack == e->stack &&
                    s->weight == e->weight && s->tag == e->tag && s->is_more == e->is_more);
    }
    brz_trace_destroy(t);
    brz_profile_destroy(p);
}

/* ---- model --------------------------------------------------------------------------------- */

#define TRACKS 3
#define DEEP   12

typedef struct model {
    char stacks[TRACKS][DEEP + 1];
    int64_t times[TRACKS];
    bool seen[TRACKS];
    struct {
        char stack[DEEP + 1];
        int64_t time;
    } sums[4096];
    size_t n;
} model;

static void pass(model *m, uint64_t track, int64_t time)
{
    int64_t passed = m->seen[track] && time > m->times[track] ? time - m->times[track] : 0;
    if (!m->seen[track] || time > m->times[track] || m->stacks[track][0] == '\0')
        m->times[track] = time;
    m->seen[track] = true;
    if (passed == 0 || m->stacks[track][0] == '\0')
        return;
    size_t i = 0;
    while (i < m->n && strcmp(m->sums[i].stack, m->stacks[track]) != 0)
        i++;
    m->n += i == m->n;
    snprintf(m->sums[i].stack, sizeof m->sums[i].stack, "%s", m->stacks[track]);
    m->sums[i].time += passed;
}

static void random_events_add_up_as_in_a_simple_model(void **state)
{
    (void)state;
    static model m;
    static event events[600];
    dice d = {6};
    for (int round = 0; round < 300; round++) {
        size_t n = roll_below(&d, COUNT_OF(events)), refused = 0, got_refused;
        int64_t time = 0;
        memset(&m, 0, sizeof m);
        for (size_t i = 0; i < n; i++) {
            event *e = &events[i];
            time += (int64_t)roll_below(&d, 9) - 2;
            *e = (event){'+', (char)('a' + roll_below(&d, 3)), roll_below(&d, TRACKS), time};
            char *stack = m.stacks[e->track];
            size_t depth = strlen(stack);
            if (depth == DEEP || roll_below(&d, 2) == 0)
                e->what = '-';
            pass(&m, e->track, time);
            if (e->what == '+')
                stack[depth] = e->name;
            else if (depth > 0)
                stack[depth - 1] = '\0';
            else
                refused++;
        }
        char *got = run(events, n, &got_refused);
        assert_int_equal(got_refused, refused);
        size_t lines = 0;
        for (const char *p = got; (p = strchr(p, '\n')) != NULL; p++)
            lines++;
        assert_int_equal(lines, m.n);
        for (size_t i = 0; i < m.n; i++) {
            brz_buf line = {0};
            brz_buf_add_char(&line, '\n');
            for (const char *p = m.sums[i].stack; *p != '\0'; p++)
                brz_buf_printf(&line, "%s%c", p > m.sums[i].stack ? ";" : "", *p);
            brz_buf_printf(&line, " %lld\n", (long long)m.sums[i].time);
            assert_true(strstr(got, line.data) != NULL ||
                        strncmp(got, line.data + 1, line.len - 1) == 0);
            brz_buf_finish(&line);
        }
        free(got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_belongs_to_the_call_on_top),
        cmocka_unit_test(tracks_do_not_see_each_other),
        cmocka_unit_test(equal_calls_on_different_tracks_are_one_stack),
        cmocka_unit_test(recursion_is_one_frame_per_call),
        cmocka_unit_test(a_call_that_never_ended_ends_with_its_track),
        cmocka_unit_test(the_end_of_a_call_that_never_began_is_refused),
        cmocka_unit_test(time_that_runs_backwards_counts_as_zero),
        cmocka_unit_test(times_may_be_as_far_apart_as_numbers_go),
        cmocka_unit_test(stacks_of_a_hundred_thousand_calls_are_supported),
        cmocka_unit_test(columns_count_as_their_flags_say),
        cmocka_unit_test(values_between_two_events_are_one_sample),
        cmocka_unit_test(random_events_add_up_as_in_a_simple_model),
    };
    return cmocka_run_group_tests_name("tracks", tests, NULL, NULL);
}

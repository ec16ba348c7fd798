/* SPDX-License-Identifier: MIT */
/* Tests templates of event lines: a line that one recognises has the fields that parsing it finds.
 */
#include "unit.h"

#include <brazier/symbol.h>

#include "collapse/perf/event_line.h"
#include "collapse/perf/event_template.h"

#define LONGEST 200

static const char *const lines[] = {
    "bash 18199  4829.961559:     200040 cpu-clock:",
    "swapper     0 [003] 172800.123456:          1 cycles:ppp:",
    "kworker/u8:2-ev  1234/5678  [-1] 9.000001: 12345678901 cpu/event=0x3c/:",
    "a b c 1/2 [10] 5.5: sched:sched_switch:",
    "prog 1.25:  7 cycles:",
    "12 34 56.5:  789 page-faults:u:",
};

/* Copies a text to memory with as many bytes after it as a template may read. */
static brz_str in_chunk(char to[LONGEST + 16], const char *text, size_t len)
{
    memset(to, '0', LONGEST + 16);
    memcpy(to, text, len);
    return brz_str_of(to, len);
}

/* Returns whether the template recognises a line. Checks that parsing it then gives the fields of
 * the template's line and the same period. */
static bool recognises(const event_template *t, const event_line *own, brz_str line)
{
    int64_t period;
    event_line e;
    if (!event_template_parse(t, line, &period))
        return false;
    assert_true(event_line_parse(line, &e));
    assert_true(brz_str_equal(e.comm, own->comm));
    assert_true(brz_str_equal(e.pid, own->pid));
    assert_true(brz_str_equal(e.tid, own->tid));
    assert_true(brz_str_equal(e.label, own->label));
    assert_int_equal(e.rest.len, 0);
    assert_int_equal(e.period, period);
    return true;
}

static void learn(event_template *t, event_line *own, brz_str line)
{
    assert_true(event_line_parse(line, own));
    event_template_init(t, own);
    assert_true(recognises(t, own, line));
}

static void a_line_with_any_other_byte_is_parsed_as_without_a_template(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        char known[LONGEST + 16], other[LONGEST + 16];
        event_template t;
        event_line own;
        brz_str line = in_chunk(known, lines[i], strlen(lines[i]));
        learn(&t, &own, line);
        for (size_t at = 0; at < line.len; at++)
            for (int byte = 0; byte < 256; byte++) {
                in_chunk(other, lines[i], line.len);
                other[at] = (char)byte;
                recognises(&t, &own, brz_str_of(other, line.len));
            }
    }
}

static void processor_time_and_period_may_differ(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool wanted;
    } cases[] = {
        {"app 7 [012] 99.000000:         42 cycles:", true},
        {"app 7 [000] 10.123456:         17 cycles:  ", true},
        {"app 7 [000] 10.123456: 123456789012345678 cycles:", true},
        {"app 7 [000] 10.123456: cycles:", false}, /* the others have a period */
        {"app 7 [000] 10.123456: 1234567890123456789 cycles:", false},
        {"app 7 [0x0] 10.123456:         42 cycles:", false},
        {"app 7 [000] 10.12345::         42 cycles:", false},
        {"app 7 [000] 10.123456:         42 cycles:u:", false},
        {"app 7 [000] 10.123456:         42 cycles: 1", false},
        {"app 8 [000] 10.123456:         42 cycles:", false},
        {"app 7 [000] 10.123456:         4x cycles:", false},
        {"app 7 [000] 10.123456:         42", false},
        {"app 7 [000] 10.123456:", false},
        {"app", false},
    };
    char known[LONGEST + 16], other[LONGEST + 16];
    event_template t;
    event_line own;
    const char *line = "app 7 [000] 10.123456:         42 cycles:";
    learn(&t, &own, in_chunk(known, line, strlen(line)));
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_int_equal(
            recognises(&t, &own, in_chunk(other, cases[i].line, strlen(cases[i].line))),
            cases[i].wanted);
}

static void other_lines_have_no_template(void **state)
{
    (void)state;
    static const char *const others[] = {
        "app 7 cycles:",                          /* no time */
        "app 7 1.5: 42 cycles: prev_comm=a",      /* a payload */
        "app 7 1.5: 42 1234567 main (/bin/app)",  /* no event */
        "app 7 1.5: 1234567890123456789 cycles:", /* a long period */
    };
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        char copy[LONGEST + 16];
        event_template t;
        event_line e;
        int64_t period;
        brz_str line = in_chunk(copy, others[i], strlen(others[i]));
        assert_true(event_line_parse(line, &e));
        event_template_init(&t, &e);
        assert_false(event_template_parse(&t, line, &period));
    }
}

static void a_long_line_has_no_template(void **state)
{
    (void)state;
    char text[LONGEST + 16];
    event_template t;
    event_line e;
    int64_t period;
    for (size_t n = 90; n < 110; n++) {
        memset(text, 'n', sizeof text);
        size_t len = n + (size_t)sprintf(text + n, " 7 1.5:  42 cycles:");
        assert_true(event_line_parse(brz_str_of(text, len), &e));
        event_template_init(&t, &e);
        assert_int_equal(event_template_parse(&t, brz_str_of(text, len), &period),
                         len <= TEMPLATE_TEXT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_with_any_other_byte_is_parsed_as_without_a_template),
        cmocka_unit_test(processor_time_and_period_may_differ),
        cmocka_unit_test(other_lines_have_no_template),
        cmocka_unit_test(a_long_line_has_no_template),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

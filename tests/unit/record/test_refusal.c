/* SPDX-License-Identifier: MIT */
/* Tests the explanations of the kernel's refusals, and values of options. */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "record/call_graph.h"
#include "record/event.h"
#include "record/refusal.h"

typedef struct refusal_case {
    brz_kernel_refusal refusal;
    const char *words[3]; /* in the sentence */
} refusal_case;

static void each_refusal_has_its_remedy(void **state)
{
    (void)state;
    static const refusal_case cases[] = {
        {{.error = EACCES, .with_kernel = true, .limits.paranoid = 2},
         {"perf_event_paranoid is 2", "=1", "--kernel no"}},
        {{.error = EACCES, .limits.paranoid = 4},
         {"perf_event_paranoid is 4", "=2", "CAP_PERFMON"}},
        {{.error = EACCES, .system_wide = true, .limits.paranoid = 1}, {"is 1", "=0", "--root"}},
        {{.error = EPERM, .tracepoint = true, .limits.paranoid = 0},
         {"tracepoints", "=-1", "--root"}},
        {{.error = EPERM, .limits = {.has_filter = true}},
         {"seccomp", "--cap-add PERFMON", "container"}},
        {{.error = EPERM, .limits = {.has_filter = true, .is_root = true, .may_perfmon = true}},
         {"seccomp", "even with CAP_PERFMON: start", "--security-opt seccomp=unconfined"}},
        {{.error = EACCES, .process = 1, .limits.paranoid = -1},
         {"process 1", "somebody else", "--root"}},
        {{.error = EACCES, .process = 8, .is_foreign = true, .limits.paranoid = 4},
         {"process 8", "somebody else", "--root"}},
        {{.error = EACCES, .process = 9, .is_thread = true, .is_foreign = true},
         {"thread 9", "somebody else", "--root"}},
        {{.error = ENOENT, .hardware = true},
         {"no counter for ev", "virtual machines", "-e cpu-clock"}},
        {{.error = EOPNOTSUPP}, {"no event ev", "", ""}},
        {{.error = ESRCH, .process = 77}, {"no process 77", "", ""}},
        {{.error = ESRCH, .process = 7, .is_thread = true}, {"no thread 7", "", ""}},
        {{.error = EMFILE, .descriptors = 5000}, {"5000 open files", "ulimit -n 5064", ""}},
        {{.error = ENOMEM}, {"no memory", "fewer", ""}},
        {{.error = ENOSYS}, {"CONFIG_PERF_EVENTS", "", ""}},
        {{.error = ENOSYS, .limits = {.has_filter = true}}, {"CONFIG_PERF_EVENTS", "", ""}},
        {{.error = ENOSYS, .limits = {.has_filter = true, .has_events = true}},
         {"seccomp", "--cap-add PERFMON", ""}},
        {{.error = EPERM, .limits = {.has_filter = true, .is_nspawn = true}},
         {"seccomp", "--system-call-filter=perf_event_open", ""}},
        {{.error = EACCES, .system_wide = true, .limits = {.paranoid = 2, .is_root = true}},
         {"=0 permits it outside of this container", "CAP_PERFMON", "--cap-add PERFMON"}},
        {{.error = EACCES, .system_wide = true, .limits = {.paranoid = 2, .in_namespace = true}},
         {"=0 permits it outside of this container", "of a user namespace do not", ""}},
        {{.error = EACCES, .process = 1, .limits = {.is_root = true, .may_perfmon = true}},
         {"process 1", "somebody else", "CAP_SYS_PTRACE is missing"}},
        {{.error = EBADF, .cgroup = "web"}, {"'web'", "version 2", "perf_event"}},
        {{.error = E2BIG}, {"refuses to record ev", "", ""}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_buf b = {0};
        brz_kernel_refusal r = cases[i].refusal;
        r.event = "ev";
        brz_kernel_refusal_explain(&r, &b);
        for (size_t k = 0; k < 3; k++)
            if (strstr(brz_buf_text(&b), cases[i].words[k]) == NULL)
                fail_msg("'%s' is not in: %s", cases[i].words[k], brz_buf_text(&b));
        assert_null(strchr(brz_buf_text(&b), '\n'));
        brz_buf_finish(&b);
    }
}

static void root_is_no_remedy_for_root(void **state)
{
    (void)state;
    static const int errors[] = {EACCES, EPERM};
    for (size_t i = 0; i < COUNT_OF(errors) * 4; i++) {
        brz_buf b = {0};
        const brz_kernel_refusal r = {.error = errors[i / 4],
                                      .event = "ev",
                                      .system_wide = true,
                                      .limits = {.paranoid = i & 1 ? 2 : -1,
                                                 .is_root = (i & 2) == 0,
                                                 .in_namespace = (i & 2) != 0}};
        brz_kernel_refusal_explain(&r, &b);
        brz_kernel_limits_note_exclusion(&r.limits, &b);
        brz_kernel_limits_note_hidden_names(&r.limits, &b);
        assert_null(strstr(brz_buf_text(&b), "--root"));
        brz_buf_finish(&b);
    }
}

static void hidden_names_have_their_remedy(void **state)
{
    (void)state;
    static const struct {
        brz_kernel_limits limits;
        const char *words;
    } cases[] = {
        {{.kptr_restrict = 1},
         "kptr_restrict is 1; sudo sysctl kernel.kptr_restrict=0 shows them, as does CAP_SYSLOG or "
         "--root"},
        {{.kptr_restrict = 2, .is_root = true},
         "is 2; sudo sysctl kernel.kptr_restrict=0 shows them outside of this container"},
        {{.paranoid = 2},
         "perf_event_paranoid is 2; sudo sysctl kernel.perf_event_paranoid=1 shows them"},
        {{.kptr_restrict = 1, .is_root = true},
         "outside of this container, as does the capability CAP_SYSLOG: start it with --cap-add "
         "SYSLOG"},
        {{.paranoid = 2, .in_namespace = true}, "=1 shows them outside of this container"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_buf b = {0};
        brz_kernel_limits_note_hidden_names(&cases[i].limits, &b);
        assert_non_null(strstr(brz_buf_text(&b), cases[i].words));
        brz_buf_finish(&b);
    }
}

static void locked_memory_has_its_remedy(void **state)
{
    (void)state;
    brz_buf b = {0};
    const brz_kernel_refusal r = {.error = EPERM, .limits.mlock_kb = 516};
    brz_kernel_refusal_explain_ring(&r, &b);
    assert_non_null(strstr(brz_buf_text(&b), "perf_event_mlock_kb=2064"));
    assert_non_null(strstr(brz_buf_text(&b), "ulimit -l"));
    brz_buf_finish(&b);
}

static void methods_of_finding_callers_are_parsed(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool good;
        brz_call_graph graph;
        uint32_t size;
    } cases[] = {
        {"fp", true, BRZ_CALL_GRAPH_FP, 0},
        {"auto", true, BRZ_CALL_GRAPH_AUTO, 0},
        {"none", true, BRZ_CALL_GRAPH_NONE, 0},
        {"dwarf", true, BRZ_CALL_GRAPH_DWARF, 0},
        {"dwarf,1000", true, BRZ_CALL_GRAPH_DWARF, 1000},
        {"dwarf,1001", true, BRZ_CALL_GRAPH_DWARF, 1008},
        {"dwarf,65528", true, BRZ_CALL_GRAPH_DWARF, 65528},
        {"dwarf,65529", false, BRZ_CALL_GRAPH_AUTO, 0},
        {"dwarf,", false, BRZ_CALL_GRAPH_AUTO, 0},
        {"dwarf,0", false, BRZ_CALL_GRAPH_AUTO, 0},
        {"dwarf,4k", false, BRZ_CALL_GRAPH_AUTO, 0},
        {"fp,8", false, BRZ_CALL_GRAPH_AUTO, 0},
        {"", false, BRZ_CALL_GRAPH_AUTO, 0},
        {"lbr", false, BRZ_CALL_GRAPH_AUTO, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_call_graph g = BRZ_CALL_GRAPH_AUTO;
        uint32_t size = 0;
        assert_int_equal(brz_call_graph_parse(cases[i].text, &g, &size), cases[i].good);
        if (cases[i].good) {
            assert_int_equal(g, cases[i].graph);
            assert_int_equal(size, cases[i].size);
        }
    }
}

static void events_have_names(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        bool good;
        uint32_t type;
        uint64_t config;
        bool user_only, kernel_only;
    } cases[] = {
        {"cycles", true, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, false, false},
        {"cycles:u", true, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, true, false},
        {"cpu-clock:k", true, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, false, true},
        {"cpu-clock:uk", true, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, false, false},
        {"cycles:upp", true, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, true, false},
        {"r1a8", true, PERF_TYPE_RAW, 0x1a8, false, false},
        {"r1a8:k", true, PERF_TYPE_RAW, 0x1a8, false, true},
        {"cycles:", false, 0, 0, false, false},
        {"cycles:z", false, 0, 0, false, false},
        {"cycles:u:k", false, 0, 0, false, false},
        {"cycle:u", false, 0, 0, false, false},
        {"cs", true, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, false, false},
        {"r", false, 0, 0, false, false},
        {"rxyz", false, 0, 0, false, false},
        {":u", false, 0, 0, false, false},
        {"", false, 0, 0, false, false},
        {"cycle", false, 0, 0, false, false},
        {"../x:y", false, 0, 0, false, false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_event e;
        brz_buf error = {0};
        bool good = brz_event_parse(&e, str_of(cases[i].word), &error);
        assert_int_equal(good, cases[i].good);
        assert_int_equal(error.len == 0, good);
        if (good) {
            assert_int_equal(e.attr.type, cases[i].type);
            assert_int_equal(e.attr.config, cases[i].config);
            assert_int_equal(e.user_only, cases[i].user_only);
            assert_int_equal(e.kernel_only, cases[i].kernel_only);
            assert_string_equal(e.name, cases[i].word);
        }
        brz_buf_finish(&error);
    }
}

static void the_letter_p_asks_for_precision(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        unsigned precise;
    } cases[] = {{"cycles", 0}, {"cycles:p", 1}, {"cycles:ppk", 2}, {"cycles:ppppp", 3}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_event e;
        brz_buf error = {0};
        assert_true(brz_event_parse(&e, str_of(cases[i].word), &error));
        assert_int_equal(e.attr.precise_ip, cases[i].precise);
        brz_buf_finish(&error);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_refusal_has_its_remedy),
        cmocka_unit_test(root_is_no_remedy_for_root),
        cmocka_unit_test(hidden_names_have_their_remedy),
        cmocka_unit_test(locked_memory_has_its_remedy),
        cmocka_unit_test(the_letter_p_asks_for_precision),
        cmocka_unit_test(methods_of_finding_callers_are_parsed),
        cmocka_unit_test(events_have_names),
    };
    return cmocka_run_group_tests_name("refusal", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Tests the effects of a plug-in on the process, and its calls to the host. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check/inputs/mutants.h"
#include "check/drive/collapse_result.h"
#include "check/drive/run_collapser.h"
#include "check/guard/process_state.h"
#include "tests.h"
#include "check/drive/exercise.h"

/* ---- the process --------------------------------------------------------------------------- */

static void compare_state(check *c, unsigned clause, void (*look)(brz_buf *), const char *after,
                          const brz_buf *before)
{
    brz_buf now = {0};
    brz_str expected, seen;
    look(&now);
    if (check_texts_differ(before, &now, &expected, &seen))
        check_fail(c, clause, expected, seen, "%s, the process is not as it was before", after);
    brz_buf_finish(&now);
}

/* Compares the process state before loading, after loading, and after using the plug-in. */
static void look_around(check *c, unsigned clause, void (*look)(brz_buf *))
{
    brz_buf before = {0};
    look(&before);
    if (check_load(c)) {
        compare_state(c, clause, look, "after it was loaded", &before);
        if (c->failures == 0) {
            check_exercise(c);
            compare_state(c, clause, look, "after it was used", &before);
        }
    }
    brz_buf_finish(&before);
}

void check_contract_descriptors(check *c)
{
    look_around(c, 11, check_process_state_descriptors);
}

void check_contract_threads(check *c)
{
    look_around(c, 10, check_process_state_threads);
}

void check_contract_process(check *c)
{
    look_around(c, 12, check_process_state_process);
}

/* ---- descriptors 1 and 2 ------------------------------------------------------------------- */

static void look_at_output(check *c, int file, const char *name)
{
    char text[256];
    ssize_t n = pread(file, text, sizeof text, 0);
    if (n > 0)
        check_fail(c, 11, CHECK_NOTHING, brz_str_of(text, (size_t)n), "it wrote to %s", name);
}

/* Replaces a descriptor by a temporary file. Returns a copy of the old descriptor. */
static int redirect(int fd, int *file)
{
    int old = fcntl(fd, F_DUPFD_CLOEXEC, 10);
    *file = memfd_create("written", MFD_CLOEXEC);
    dup2(*file, fd);
    return old;
}

static void restore(int fd, int old)
{
    dup2(old, fd);
    close(old);
}

void check_contract_silence(check *c)
{
    int out, err, old_out, old_err;
    fflush(NULL);
    old_out = redirect(STDOUT_FILENO, &out);
    old_err = redirect(STDERR_FILENO, &err);
    if (check_load(c))
        check_exercise(c);
    fflush(NULL); /* text buffered by stdio counts as written */
    restore(STDOUT_FILENO, old_out);
    restore(STDERR_FILENO, old_err);
    look_at_output(c, out, "standard output");
    look_at_output(c, err, "standard error");
    close(out);
    close(err);
}

/* ---- stopping ------------------------------------------------------------------------------ */

static void stop_at(check *c, const check_case *k, size_t emission, uint32_t flags)
{
    check_collapse_result o;
    check_collapser_options way = {.seed = 1, .step = 200, .stop_at = emission, .ctx_flags = flags};
    check_doing(c, "showing %s and stopping at emission %zu", k->label, emission);
    check_run_collapser(c, k, &way, &o);
    if (o.emissions >= emission && !o.stopped)
        check_fail(c, 17, BRZ_STR("BRZ_STOP is returned"), BRZ_STR("it went on"),
                   "%s: emission %zu was answered BRZ_STOP", k->label, emission);
    else if (o.after_stop > 0)
        check_fail(c, 17, CHECK_NOTHING, CHECK_NOTHING,
                   "%s: emission %zu was answered BRZ_STOP, and %zu more followed", k->label,
                   emission, o.after_stop);
    check_collapse_result_finish(&o);
}

void check_contract_stop(check *c)
{
    static const check_collapser_options plain = {.seed = 1, .step = 200};
    check_cases cases;
    if (!check_cases_init(&cases, c))
        return;
    for (size_t i = 0; i < cases.n && !check_is_over(c); i++) {
        check_collapse_result o;
        check_run_collapser(c, &cases.items[i], &plain, &o);
        size_t n = o.emissions;
        check_collapse_result_finish(&o);
        for (size_t at = 1; at <= n && at <= 5 && !check_is_over(c); at++) {
            stop_at(c, &cases.items[i], at, 0);
            stop_at(c, &cases.items[i], at, BRZ_CTX_WANTS_ORDER);
        }
    }
    check_cases_finish(&cases);
}

/* ---- messages ------------------------------------------------------------------------------ */

/* Runs corrupted inputs, which cause messages; host_monitor.c detects violations. */
void check_contract_diag(check *c)
{
    check_cases cases;
    size_t messages = 0;
    if (!check_cases_init(&cases, c))
        return;
    for (size_t round = 0; check_goes_on(c, round); round++) {
        const check_case *k = &cases.items[round % cases.n];
        brz_buf data = {0}, how = {0};
        check_collapse_result o;
        const check_collapser_options way = {
            .seed = round, .step = 1 + round % 100, .random_steps = true};
        check_mutate_bytes(k->data, k->len, &c->random, &data, &how);
        check_case mutant = check_case_with(k, (const uint8_t *)data.data, data.len);
        check_doing(c, "showing %s %s (round %zu)", k->label, brz_buf_text(&how), round);
        check_run_collapser(c, &mutant, &way, &o);
        messages += o.messages.len > 0;
        check_collapse_result_finish(&o);
        brz_buf_finish(&data);
        brz_buf_finish(&how);
    }
    check_tell(c, "%zu inputs gave cause for messages", messages);
    check_cases_finish(&cases);
}

/* ---- related files ------------------------------------------------------------------------- */

/* Runs a case twice with an answer of open_related. Returns the number of its calls. */
static size_t answer_related(check *c, const check_case *k, int32_t answer, const char *how)
{
    check_collapse_result a, b;
    check_collapser_options way = {.seed = 1, .answers_related = true, .related = answer};
    check_doing(c, "showing %s with related files that are %s", k->label, how);
    check_run_collapser(c, k, &way, &a);
    size_t calls = a.related_calls;
    if (calls > 0 && !check_is_over(c)) {
        way.step = 50;
        check_run_collapser(c, k, &way, &b);
        check_compare(c, k, 54, &a, &b, "in feeds of 50 bytes with the same related files");
        check_collapse_result_finish(&b);
    }
    check_collapse_result_finish(&a);
    return calls;
}

void check_contract_related(check *c)
{
    static const char *const how[] = {
        [BRZ_RELATED_OPENED] = "empty",
        [BRZ_RELATED_ABSENT] = "absent",
        [BRZ_RELATED_REFUSED] = "refused",
    };
    check_cases cases;
    size_t calls = 0;
    if (!check_cases_init(&cases, c))
        return;
    for (size_t i = 0; i < cases.n; i++)
        for (int32_t a = BRZ_RELATED_OPENED; a <= BRZ_RELATED_REFUSED && !check_is_over(c); a++)
            calls += answer_related(c, &cases.items[i], a, how[a]);
    if (calls == 0 && !check_is_over(c))
        check_skip(c, "it opens no files");
    check_cases_finish(&cases);
}

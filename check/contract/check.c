/* SPDX-License-Identifier: MIT */
/* Begins and ends a test, and reports its failures. */
#include "check.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"

/* A test stops after this many failures. */
#define ENOUGH 3

/* Minimum number of rounds, however slow the machine is. */
#define LEAST_ROUNDS 20

double check_processor_time(void)
{
    return brz_clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

void check_fail(check *c, unsigned clause, brz_str expected, brz_str seen, const char *format, ...)
{
    brz_buf what = {0};
    va_list args;
    va_start(args, format);
    brz_buf_vprintf(&what, format, args);
    va_end(args);
    if (c->failures++ < ENOUGH)
        check_send_failure(c->to, clause, brz_buf_str(&what), expected, seen);
    brz_buf_finish(&what);
}

void check_skip(check *c, const char *format, ...)
{
    brz_buf why = {0};
    va_list args;
    va_start(args, format);
    brz_buf_vprintf(&why, format, args);
    va_end(args);
    check_send_skip(c->to, brz_buf_str(&why));
    brz_buf_finish(&why);
}

void check_tell(check *c, const char *format, ...)
{
    brz_buf detail = {0};
    va_list args;
    va_start(args, format);
    brz_buf_vprintf(&detail, format, args);
    va_end(args);
    check_send_detail(c->to, brz_buf_str(&detail));
    brz_buf_finish(&detail);
}

/* Appends the folder for inputs and a test's name without path separators. */
static void add_file_name(const check_settings *settings, const check_test *test, brz_buf *path)
{
    brz_buf_printf(path, "%s/", settings->keep);
    for (const char *at = test->name; *at != '\0'; at++)
        brz_buf_add(path, *at == '/' ? "-" : at, 1);
}

static void save(const char *path, const uint8_t *data, size_t len)
{
    FILE *f = fopen(path, "we");
    if (f == NULL)
        return;
    fwrite(data, 1, len, f);
    fclose(f);
}

void check_keep(check *c, const uint8_t *data, size_t len)
{
    brz_buf path = {0};
    if (c->settings->keep == NULL || c->failures > ENOUGH)
        return;
    add_file_name(c->settings, c->test, &path);
    brz_buf_printf(&path, "-%zu", (size_t)c->failures);
    save(brz_buf_text(&path), data, len);
    brz_buf_finish(&path);
}

void check_add_risk_path(const check_settings *settings, const check_test *test, brz_buf *path)
{
    add_file_name(settings, test, path);
    brz_buf_add_text(path, "-lost");
}

void check_risk(check *c, const uint8_t *data, size_t len)
{
    brz_buf path = {0};
    if (c->settings->keep == NULL)
        return;
    check_add_risk_path(c->settings, c->test, &path);
    save(brz_buf_text(&path), data, len);
    brz_buf_finish(&path);
}

void check_unrisk(const check_settings *settings, const check_test *test)
{
    brz_buf path = {0};
    if (settings->keep == NULL)
        return;
    check_add_risk_path(settings, test, &path);
    unlink(brz_buf_text(&path));
    brz_buf_finish(&path);
}

void check_doing(check *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(c->crash_record->doing, sizeof c->crash_record->doing, format, args);
    va_end(args);
}

bool check_is_over(const check *c)
{
    return c->failures >= ENOUGH;
}

bool check_goes_on(const check *c, size_t round)
{
    double took = check_processor_time() - c->began;
    return !check_is_over(c) && (round < LEAST_ROUNDS || took < c->settings->effort);
}

/* ---- life cycle ---------------------------------------------------------------------------- */

static brz_options **make_options(const brz_plugin_file *f)
{
    brz_options **all = brz_calloc(f->n_components, sizeof *all);
    brz_buf ignored = {0};
    for (size_t i = 0; i < f->n_components; i++)
        all[i] = brz_options_create(f->components[i].component, &ignored);
    brz_buf_finish(&ignored);
    return all;
}

/* Returns the clause violated by a rejected file, according to the step that rejected it. */
static unsigned clause_of(const brz_step *step)
{
    static const struct {
        const char *step;
        unsigned clause;
    } clauses[] = {{"symbol", 1}, {"load", 2}, {"trust", 4}, {"components", 6}, {NULL, 5}};
    size_t i = 0;
    while (clauses[i].step != NULL && strcmp(clauses[i].step, step->name) != 0)
        i++;
    if (clauses[i].clause != 6)
        return clauses[i].clause;
    if (strstr(brz_buf_text(&step->detail), "struct_size") != NULL)
        return 5;
    return strstr(brz_buf_text(&step->detail), "option") != NULL ? 7 : 6;
}

bool check_load(check *c)
{
    brz_steps steps = {0};
    brz_program program = {.path = c->subject->program};
    check_doing(c, "loading the file");
    bool good =
        brz_plugin_load(c->subject->path, c->subject->tier, &program, &c->memory, &c->file, &steps);
    const brz_step *last = steps.n > 0 ? &steps.items[steps.n - 1] : NULL;
    if (!good && last != NULL)
        check_fail(c, c->file.left_out != NULL ? 0 : clause_of(last), CHECK_NOTHING, CHECK_NOTHING,
                   "it is refused: %s: %s", last->name, brz_buf_text(&last->detail));
    brz_steps_finish(&steps);
    if (good)
        c->options = make_options(&c->file);
    return good;
}

static void finish(check *c)
{
    for (size_t i = 0; c->options != NULL && i < c->file.n_components; i++)
        brz_options_destroy(c->options[i]);
    free(c->options);
    brz_arena_finish(&c->memory);
    check_guarded_pool_finish(&c->guarded);
    fclose(c->console.out);
}

/* Returns the random seed of a test, which does not depend on the tests that ran before it. */
static uint64_t random_of(uint64_t seed, const char *name)
{
    for (; *name != '\0'; name++)
        seed = (seed ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return seed;
}

void check_run_test(const check_test *test, const check_subject *subject,
                    const check_settings *settings, check_crash_record *crash_record, int to)
{
    check c = {.test = test,
               .subject = subject,
               .settings = settings,
               .crash_record = crash_record,
               .guarded = {.crash_record = crash_record},
               .to = to,
               .random = random_of(settings->seed, test->name),
               .console = {.verbosity = -1}};
    c.console.out = fopen("/dev/null", "we");
    c.run.console = &c.console;
    c.began = check_processor_time();
    if ((test->flags & CHECK_LOADS_ITSELF) || check_load(&c))
        test->run(&c);
    finish(&c);
    check_send_end(to);
}

/* SPDX-License-Identifier: MIT */
/* brazier plugin check: tests a plug-in against the contract. */
#include "plugin_check.h"
#include "interrupt.h"
#include "plain_words.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/contract/check.h"
#include "base/hash.h"
#include "base/mem.h"
#include "check/report/report.h"
#include "check/report/runner.h"
#include "base/suggest.h"
#include "format/format_check.h"
#include "plugin/format.h"

enum {
    OPT_SAMPLES = 1,
    OPT_ONLY,
    OPT_SKIP,
    OPT_SEED,
    OPT_EFFORT,
    OPT_TIME_LIMIT,
    OPT_READS,
    OPT_KEEP,
    OPT_JSON,
    OPT_JUNIT,
    OPT_IN_PROCESS,
    OPT_LIST,
};

const cli_option check_options[] = {
    {"samples", 0, "DIR", "inputs in its formats, and their expected results", OPT_SAMPLES},
    {"only", 0, "TEST", "run only this test or group of tests; may be repeated", OPT_ONLY},
    {"skip", 0, "TEST", "skip this test or group of tests; may be repeated", OPT_SKIP},
    {"seed", 0, "NUMBER", "use this seed for random choices", OPT_SEED},
    {"effort", 0, "SECONDS", "duration of each test with random inputs [0.3]", OPT_EFFORT},
    {"time-limit", 0, "SECONDS", "a test that takes longer fails [30]", OPT_TIME_LIMIT},
    {"reads", 0, "FORMAT", "the plug-in deliberately reads this format of brazier's", OPT_READS},
    {"keep", 0, "DIR", "write random inputs that reveal a fault to this folder", OPT_KEEP},
    {"json", 0, NULL, "print the report as JSON", OPT_JSON},
    {"junit", 0, "FILE", "also write the report as JUnit XML", OPT_JUNIT},
    {"in-process", 0, "TEST", "run one test in the program's own process, for debuggers",
     OPT_IN_PROCESS},
    {"list", 0, NULL, "list the tests", OPT_LIST},
    {NULL, 0, NULL, NULL, 0},
};

/* Returns a time limit, raised to BRAZIER_CHECK_SECONDS for slow or busy machines. */
static double raised_limit(double seconds)
{
    const char *wish = getenv("BRAZIER_CHECK_SECONDS");
    double least = wish == NULL ? 0 : strtod(wish, NULL);
    return least > seconds && least < 1e6 ? least : seconds;
}

/* The parsed command line. */
typedef struct request {
    const char *file, *samples, *junit, *in_process;
    const char **only, **skip, **reads;
    size_t n_only, n_skip, n_reads, only_cap, skip_cap, reads_cap;
    double time_limit;
    check_settings settings;
    bool json, list;
} request;

/* Returns whether commands have an option of this name, before those of components. */
static bool is_command_option(const char *name)
{
    for (const cli_option *o = cli_global_options; o->name != NULL; o++)
        if (strcmp(o->name, name) == 0)
            return true;
    return brz_run_option_find(brz_str_of_text(name)) != NULL;
}

/* ---- words --------------------------------------------------------------------------------- */

static bool read_seconds(brz_session *s, const cli_args *a, double *to)
{
    char *end;
    *to = strtod(a->value, &end);
    if (end != a->value && *end == '\0' && *to > 0 && *to < 1e6)
        return true;
    brz_say(&s->console, BRZ_FATAL, "--%s: '%s' is no number of seconds", a->option->name,
            a->value);
    return false;
}

static bool read_seed(brz_session *s, const char *value, uint64_t *to)
{
    char *end;
    errno = 0;
    *to = strtoull(value, &end, 10);
    if (end != value && *end == '\0' && errno == 0 && value[0] != '-')
        return true;
    brz_say(&s->console, BRZ_FATAL, "--seed: '%s' is no number", value);
    return false;
}

/* Returns true if "GROUP" or "GROUP/NAME" selects a test. */
static bool is_meant(const check_test *t, const char *word)
{
    size_t n = strlen(word);
    return strncmp(t->name, word, n) == 0 && (t->name[n] == '\0' || t->name[n] == '/');
}

static const check_test *find_test(const char *word)
{
    for (const check_test *t = check_tests; t->name != NULL; t++)
        if (is_meant(t, word))
            return t;
    return NULL;
}

static bool require_test(brz_session *s, const char *word)
{
    brz_suggestion near = {.typed = brz_str_of_text(word)};
    brz_buf b = {0};
    if (find_test(word) != NULL)
        return true;
    for (const check_test *t = check_tests; t->name != NULL; t++)
        brz_suggestion_offer(&near, t->name);
    brz_suggestion_add(&near, &b);
    brz_say(&s->console, BRZ_FATAL, "no test '%s'%s", word,
            b.len > 0 ? brz_buf_text(&b) : " (brazier plugin check --list shows them)");
    brz_buf_finish(&b);
    return false;
}

static const char **add_word(const char **list, size_t *n, size_t *cap, const char *word)
{
    list = brz_grow(list, *n, cap, sizeof *list);
    list[(*n)++] = word;
    return list;
}

/* Takes the name of the file for the report in XML: the other report is on standard output. */
static bool take_junit(brz_session *s, request *r, const char *file)
{
    r->junit = file;
    if (strcmp(file, "-") != 0)
        return true;
    brz_say(&s->console, BRZ_FATAL, "--junit: '-' is not the name of a file");
    return false;
}

static bool take_option(brz_session *s, void *context, const cli_args *a)
{
    request *r = context;
    switch (a->option->id) {
    case OPT_SAMPLES:
        r->samples = a->value;
        return true;
    case OPT_ONLY:
        r->only = add_word(r->only, &r->n_only, &r->only_cap, a->value);
        return require_test(s, a->value);
    case OPT_SKIP:
        r->skip = add_word(r->skip, &r->n_skip, &r->skip_cap, a->value);
        return require_test(s, a->value);
    case OPT_SEED:
        return read_seed(s, a->value, &r->settings.seed);
    case OPT_EFFORT:
        return read_seconds(s, a, &r->settings.effort);
    case OPT_TIME_LIMIT:
        return read_seconds(s, a, &r->time_limit);
    case OPT_READS:
        r->reads = add_word(r->reads, &r->n_reads, &r->reads_cap, a->value);
        return true;
    case OPT_KEEP:
        r->settings.keep = a->value;
        return true;
    case OPT_JSON:
        r->json = true;
        return true;
    case OPT_JUNIT:
        return take_junit(s, r, a->value);
    case OPT_IN_PROCESS:
        r->in_process = a->value;
        return require_test(s, a->value);
    default:
        r->list = true;
        return true;
    }
}

static bool take_words(brz_session *s, char **words, request *r)
{
    cli_plain_words plain = {.most = 1};
    if (!cli_take_plain_words(s, words, check_options, take_option, r, &plain))
        return false;
    r->file = plain.items[0];
    if (r->file == NULL && !r->list)
        brz_say(&s->console, BRZ_FATAL, "which one? brazier plugin check FILE");
    return r->file != NULL || r->list;
}

static void list_tests(void)
{
    for (const check_test *t = check_tests; t->name != NULL; t++)
        printf("%-22s %s\n", t->name, t->summary);
}

/* ---- tests --------------------------------------------------------------------------------- */

static bool is_wanted(const request *r, const check_test *t, uint32_t kinds)
{
    if (t->kinds != CHECK_FILE && (t->kinds & kinds) == 0)
        return false;
    for (size_t i = 0; i < r->n_skip; i++)
        if (is_meant(t, r->skip[i]))
            return false;
    for (size_t i = 0; i < r->n_only; i++)
        if (is_meant(t, r->only[i]))
            return true;
    return r->n_only == 0;
}

/* Number of hung tests after which the remaining ones are skipped. */
#define MOST_HUNG 3

typedef struct printing {
    FILE *out; /* NULL: print nothing while tests run */
    bool color, quiet;
} printing;

static void add_result(check_report *report, const printing *p, check_result result)
{
    if (p->out != NULL)
        check_text_result(p->out, report->runner, &result, p->color, p->quiet);
    check_report_add(report, result);
}

/* Runs the first test, which loads the file and which all others need. */
static void run_tests(check_runner *runner, const request *r, check_report *report,
                      const printing *p)
{
    check_result loaded = check_run_apart(runner, &check_tests[0]);
    size_t hung = 0;
    bool good = loaded.status == CHECK_PASSED;
    if (!good || is_wanted(r, &check_tests[0], 0))
        add_result(report, p, loaded);
    else
        check_result_finish(&loaded);
    for (const check_test *t = check_tests + 1;
         good && t->name != NULL && !atomic_load(runner->stop); t++) {
        if (!is_wanted(r, t, check_subject_kinds(runner->subject)))
            continue;
        check_result result = {.test = t, .status = CHECK_SKIPPED};
        if (hung < MOST_HUNG)
            result = check_run_apart(runner, t);
        else
            brz_buf_add_text(&result.detail, "too many tests did not end");
        hung += result.hung;
        add_result(report, p, result);
    }
}

static void run_here(check_runner *runner, const request *r, check_report *report,
                     const printing *p)
{
    check_result loaded = check_run_apart(runner, &check_tests[0]);
    const check_test *t = find_test(r->in_process);
    if (loaded.status == CHECK_PASSED && t != &check_tests[0]) {
        check_result_finish(&loaded);
        loaded = check_run_here(runner, t);
    }
    add_result(report, p, loaded);
}

/* ---- the report ---------------------------------------------------------------------------- */

static bool write_junit(brz_session *s, const char *path, const check_report *report)
{
    brz_buf b = {0};
    check_report_junit(report, &b);
    FILE *f = fopen(path, "we");
    bool good = f != NULL && fwrite(b.data, 1, b.len, f) == b.len;
    if (f != NULL)
        good &= fclose(f) == 0;
    if (!good)
        brz_say(&s->console, BRZ_FATAL, "%s: %s", path, strerror(errno));
    brz_buf_finish(&b);
    return good;
}

static bool tell_all(brz_session *s, const request *r, const check_report *report,
                     const printing *p)
{
    brz_buf b = {0};
    if (r->json) {
        check_report_json(report, &b);
        fwrite(b.data, 1, b.len, stdout);
        brz_buf_finish(&b);
    } else {
        check_text_end(stdout, report, p->color);
    }
    return r->junit == NULL || write_junit(s, r->junit, report);
}

static int check_file(brz_session *s, const request *r, const char *path)
{
    check_subject subject = {.path = path,
                             .program = brz_registry_program(s->registry),
                             .samples = r->samples,
                             .tier = brz_registry_tier_of_file(s->registry, path),
                             .also_read = r->reads,
                             .n_also_read = r->n_reads};
    brz_run run = {.console = &s->console}; /* for the signal that stops it */
    check_runner runner = {.subject = &subject,
                           .settings = r->settings,
                           .crash_record = check_crash_record_create(),
                           .time_limit = raised_limit(r->time_limit),
                           .stop = &run.stop};
    check_report report = {.runner = &runner};
    printing p = {r->json ? NULL : stdout, isatty(STDOUT_FILENO) && getenv("NO_COLOR") == NULL,
                  s->console.verbosity < 0};
    if (runner.crash_record == NULL) {
        brz_say(&s->console, BRZ_FATAL, "no memory to share with a child: %s", strerror(errno));
        return CLI_FAILED;
    }
    if (p.out != NULL)
        check_text_begin(p.out, &runner);
    cli_interruptible(&run);
    if (r->in_process != NULL)
        run_here(&runner, r, &report, &p);
    else
        run_tests(&runner, r, &report, &p);
    cli_interruptible(NULL);
    bool good = tell_all(s, r, &report, &p) && check_report_count(&report, CHECK_FAILED) == 0;
    check_report_finish(&report);
    check_subject_finish(&subject);
    check_crash_record_destroy(runner.crash_record);
    return good ? CLI_OK : CLI_FAILED;
}

/* Resolves the path of the samples. Returns false after reporting a missing folder, which would go
 * unnoticed otherwise. */
static bool find_samples(brz_session *s, request *r, char *samples)
{
    if (r->samples == NULL)
        return true;
    if (realpath(r->samples, samples) == NULL) {
        brz_say(&s->console, BRZ_FATAL, "%s: %s", r->samples, strerror(errno));
        return false;
    }
    r->samples = samples;
    return true;
}

/* Checks that inputs can be written to the folder for them. */
static bool find_keep(brz_session *s, const request *r)
{
    const char *folder = r->settings.keep;
    if (folder == NULL || access(folder, W_OK | X_OK) == 0)
        return true;
    brz_say(&s->console, BRZ_FATAL, "--keep %s: %s", folder, strerror(errno));
    return false;
}

static bool find_files(brz_session *s, request *r, char *path, char *samples)
{
    if (realpath(r->file, path) == NULL) {
        brz_say(&s->console, BRZ_FATAL, "%s: %s", r->file, strerror(errno));
        return false;
    }
    return find_samples(s, r, samples) && find_keep(s, r);
}

/* ---- formats ------------------------------------------------------------------------------- */

/* Returns whether a name is one of a format that a configuration defines or brazier ships, and not
 * of a file. */
static bool is_format(const brz_session *s, const char *name)
{
    brz_buf error = {0};
    if (strchr(name, '/') != NULL || access(name, F_OK) == 0)
        return false;
    const brz_loaded *l =
        brz_registry_find(s->registry, BRZ_COLLAPSER, brz_str_of_text(name), &error);
    brz_buf_finish(&error);
    return l != NULL && l->format != NULL;
}

/* Returns whether options say which tests of a plug-in to run, or how to report them. */
static bool is_about_plugins(const request *r)
{
    return r->n_only + r->n_skip + r->n_reads > 0 || r->samples != NULL || r->junit != NULL ||
           r->in_process != NULL || r->settings.keep != NULL || r->json;
}

/* Tests a format, which is no plug-in of its own, as `brazier format check` does. */
static int check_format(brz_session *s, const request *r)
{
    char *words[] = {(char *)(uintptr_t)r->file, NULL};
    if (!is_about_plugins(r))
        return cli_format_check(s, words);
    brz_say(
        &s->console, BRZ_FATAL,
        "'%s' is a format, to which these options do not apply: brazier format check %s FILE... "
        "tests it with files",
        r->file, r->file);
    return CLI_USAGE;
}

static int check_named(brz_session *s, const request *r)
{
    char path[PATH_MAX], samples[PATH_MAX];
    request resolved = *r;
    if (is_format(s, r->file))
        return check_format(s, r);
    return find_files(s, &resolved, path, samples) ? check_file(s, &resolved, path) : CLI_USAGE;
}

int check_command(brz_session *s, char **words)
{
    request r = {.time_limit = 30,
                 .settings = {.seed = (uint32_t)brz_hash_seed(),
                              .effort = 0.3,
                              .is_command_option = is_command_option}};
    int status = CLI_USAGE;
    if (take_words(s, words, &r)) {
        if (r.list)
            list_tests();
        status = r.list ? CLI_OK : check_named(s, &r);
    }
    free(r.only);
    free(r.skip);
    free(r.reads);
    return status;
}

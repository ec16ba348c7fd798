/* SPDX-License-Identifier: MIT */
/* Tests parsing of valid input: the result does not depend on how the input is presented. */
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/write_all.h"
#include "collapse/collapse.h"
#include "host/instance_create.h"
#include "plugin/crash.h"
#include "check/guard/guarded_buffer.h"
#include "base/mem.h"
#include "check/drive/run_collapser.h"
#include "tests.h"

/* In one piece: the reference for all other ways. */
static const check_collapser_options plain_way = {.seed = 1};

/* ---- golden files -------------------------------------------------------------------------- */

/* Builds the command line for a sample and its options. It names the plug-in's file, unless the
 * plug-in is a shipped one, which the program finds by itself. */
static const char **make_command(const check *c, size_t component, const check_sample *s,
                                 const check_golden *g, brz_arena *memory)
{
    brz_buf id = {0};
    size_t n = 0;
    brz_buf_printf(&id, "%s@%s", c->subject->components[component].id, c->file.plugin->name);
    const char **words = brz_calloc(g->n_words + 16, sizeof *words);
    words[n++] = c->subject->program;
    words[n++] = "--no-config";
    words[n++] = "--quiet";
    if (c->subject->tier != BRZ_TIER_SHIPPED) {
        words[n++] = "--plugin";
        words[n++] = c->subject->path;
    }
    words[n++] = "collapse";
    words[n++] = brz_arena_str(memory, brz_buf_str(&id)).data;
    for (size_t i = 0; i < g->n_words; i++)
        words[n++] = g->words[i];
    words[n] = s->path;
    brz_buf_finish(&id);
    return words;
}

/* Appends what a file has from its beginning to `to`, and closes it. */
static void read_back(int file, brz_buf *to)
{
    lseek(file, 0, SEEK_SET);
    brz_buf_read(to, file, SIZE_MAX);
    close(file);
}

/* Runs the program and appends its standard output to `out` and its messages to `said`. */
static void run_program(const char **words, brz_buf *out, brz_buf *said)
{
    int file = memfd_create("folded", MFD_CLOEXEC), messages = memfd_create("said", MFD_CLOEXEC);
    pid_t pid;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, file, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
    if (posix_spawn(&pid, words[0], &actions, NULL, (char *const *)words, environ) != 0)
        pid = 0;
    posix_spawn_file_actions_destroy(&actions);
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    read_back(file, out);
    read_back(messages, said);
}

static void compare_golden(check *c, size_t component, const check_sample *s, const check_golden *g)
{
    brz_buf out = {0}, said = {0}, want = {0};
    brz_str expected, seen;
    brz_arena memory = {0};
    const char **words = make_command(c, component, s, g, &memory);
    check_doing(c, "collapsing %s for %s", s->name, g->path);
    run_program(words, &out, &said);
    brz_buf_read_file(&want, g->path);
    bool differ = check_texts_differ(&want, &out, &expected, &seen);
    if (out.len == 0) /* the run failed, and its message has the reason */
        seen = said.len > 0 ? brz_buf_str(&said) : BRZ_STR("nothing");
    if (differ)
        check_fail(c, 0, expected, seen, "%s: %s does not give %s",
                   c->subject->components[component].id, s->name, strrchr(g->path, '/') + 1);
    free(words);
    brz_buf_finish(&out);
    brz_buf_finish(&said);
    brz_buf_finish(&want);
    brz_arena_finish(&memory);
}

void check_parse_golden(check *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->subject->n; i++) {
        const check_component *k = &c->subject->components[i];
        for (size_t s = 0; s < k->n_samples; s++)
            for (size_t g = 0; g < k->samples[s].n_goldens && !check_is_over(c); g++, n++)
                compare_golden(c, i, &k->samples[s], &k->samples[s].goldens[g]);
    }
    if (n == 0)
        check_skip(c, "there are no samples with a NAME.folded");
    else
        check_tell(c, "%zu files", n);
}

/* ---- division into chunks ------------------------------------------------------------------ */

/* A way to present a case that must give the same result as a single piece. */
typedef struct other_way {
    const char *words; /* such as "in feeds of 7 bytes" */
    check_collapser_options how;
} other_way;

static void compare_way(check *c, const check_case *k, unsigned clause,
                        const check_collapse_result *plain, const other_way *w)
{
    check_collapse_result other;
    check_doing(c, "showing %s %s", k->label, w->words);
    check_run_collapser(c, k, &w->how, &other);
    check_compare(c, k, clause, plain, &other, w->words);
    check_collapse_result_finish(&other);
}

static void compare_case(check *c, const check_case *k, unsigned clause, const other_way *ways,
                         size_t n)
{
    check_collapse_result plain;
    check_doing(c, "showing %s in one piece", k->label);
    check_run_collapser(c, k, &plain_way, &plain);
    for (size_t i = 0; i < n && !check_is_over(c); i++)
        compare_way(c, k, clause, &plain, &ways[i]);
    check_collapse_result_finish(&plain);
}

static void compare_ways(check *c, unsigned clause, const other_way *ways, size_t n)
{
    check_cases cases;
    if (!check_cases_init(&cases, c))
        return;
    for (size_t i = 0; i < cases.n && !check_is_over(c); i++)
        compare_case(c, &cases.items[i], clause, ways, n);
    check_cases_finish(&cases);
}

/* ---- brz_collapse --------------------------------------------------------------------------- */

/* Runs brz_collapse, which every run of the program uses, on a file. */
static void collapse_file(check *c, const check_case *k, const char *path, unsigned threads,
                          size_t range, check_collapse_result *o)
{
    brz_buf error = {0};
    brz_feed feed;
    brz_collected collected = {0};
    brz_collapse_options options = {.threads = threads, .range_size = range};
    options.chunk_size = threads == 1 ? 0 : 100;
    memset(o, 0, sizeof *o);
    brz_source *source = brz_source_open(path, brz_decoding_of(k->collapser->flags), &error);
    brz_buf_finish(&error);
    if (source == NULL)
        return;
    brz_feed_init(&feed, source);
    o->good = brz_collapse(&feed, k->loaded, k->cfg, &c->run, &options, &collected);
    if (collected.profile != NULL)
        check_collapse_result_add_profile(o, collected.profile);
    check_collapse_result_add_messages(o, &collected.reports);
    brz_notices_finish(&collected.reports);
    brz_profile_destroy(collected.profile);
    brz_feed_finish(&feed);
    brz_source_close(source);
}

/* Creates a file with the bytes of a case. Returns its descriptor, or -1. */
static int make_file(const check_case *k, char *path, size_t size)
{
    int file = memfd_create("sample", MFD_CLOEXEC);
    snprintf(path, size, "/proc/self/fd/%d", file);
    if (brz_write_all(file, k->data, k->len))
        return file;
    close(file);
    return -1;
}

/* Compares our way of presenting a case with brz_collapse. Pointers into a chunk dangle in the
 * former but stay valid in the latter. */
static void compare_with_host(check *c, const check_case *k)
{
    char path[64];
    check_collapse_result plain, other;
    int file = make_file(k, path, sizeof path);
    if (file < 0)
        return;
    check_doing(c, "collapsing %s", k->label);
    collapse_file(c, k, path, 1, 0, &other);
    check_run_collapser(c, k, &plain_way, &plain);
    check_compare(c, k, 35, &other, &plain, "if chunks are overwritten after the call");
    check_collapse_result_finish(&plain);
    check_collapse_result_finish(&other);
    close(file);
}

void check_parse_twice(check *c)
{
    static const other_way ways[] = {{"a second time", {.seed = 1}}};
    check_cases cases;
    compare_ways(c, 22, ways, 1);
    if (!check_cases_init(&cases, c))
        return;
    for (size_t i = 0; i < cases.n && !check_is_over(c); i++)
        compare_with_host(c, &cases.items[i]);
    check_cases_finish(&cases);
}

void check_parse_chunks(check *c)
{
    other_way ways[] = {
        {"in feeds of 1 byte", {.step = 1}},
        {"in feeds of 7 bytes", {.step = 7}},
        {"in feeds of 4096 bytes", {.step = 4096}},
        {"in feeds of 1 to 64 bytes", {.step = 64, .random_steps = true}},
        {"in feeds of 1 to 1000 bytes", {.step = 1000, .random_steps = true}},
    };
    for (size_t i = 0; i < BRZ_COUNT_OF(ways); i++)
        ways[i].how.seed = check_random(&c->random);
    compare_ways(c, 32, ways, BRZ_COUNT_OF(ways));
}

/* Omits the last byte, usually a newline, so that the slack directly follows the input. */
void check_parse_slack(check *c)
{
    static const other_way ways[] = {
        {"between line ends", {.slack = '\n'}},
        {"between digits", {.slack = '7'}},
        {"between letters", {.slack = 'a'}},
        {"between blanks", {.slack = ' '}},
        {"between bytes of 0xff", {.slack = 0xff, .step = 100}},
        {"between quotes", {.slack = '"', .step = 33}},
        {"close to where it may not read in front", {.slack_at_front = true}},
    };
    size_t n = BRZ_COUNT_OF(ways);
    check_cases cases;
    compare_ways(c, 34, ways, n);
    if (!check_cases_init(&cases, c))
        return;
    for (size_t i = 0; i < cases.n && !check_is_over(c); i++) {
        const check_case *k = &cases.items[i];
        check_case shorter = check_case_with(k, k->data, k->len > 0 ? k->len - 1 : 0);
        compare_case(c, &shorter, 34, ways, n);
    }
    check_cases_finish(&cases);
}

void check_parse_splits(check *c)
{
    other_way ways[] = {
        {"cut at boundaries, in one instance", {.cuts = 5}},
        {"cut at boundaries, in 3 instances", {.cuts = 5, .instances = 3}},
        {"cut at many boundaries, in 4 instances", {.cuts = 40, .instances = 4}},
        {"cut at boundaries, in feeds of 1 to 50 bytes",
         {.cuts = 9, .instances = 2, .step = 50, .random_steps = true}},
    };
    for (size_t i = 0; i < BRZ_COUNT_OF(ways); i++)
        ways[i].how.seed = check_random(&c->random);
    compare_ways(c, 37, ways, BRZ_COUNT_OF(ways));
}

/* ---- end of input -------------------------------------------------------------------------- */

static void look_at_rest(check *c, const check_case *k)
{
    check_collapse_result o;
    check_doing(c, "showing %s in one piece", k->label);
    check_run_collapser(c, k, &plain_way, &o);
    if (o.good && o.rest > 0)
        check_fail(c, 33, CHECK_NOTHING,
                   brz_str_of((const char *)k->data + k->len - o.rest, o.rest),
                   "%s: the last %zu bytes are left over though nothing follows", k->label, o.rest);
    check_collapse_result_finish(&o);
}

/* Checks that the newline of the last line is optional for line-based formats. */
static void leave_newline_out(check *c, const check_case *k)
{
    check_collapse_result with, without;
    size_t n = k->len;
    if (n == 0 || k->data[n - 1] != '\n')
        return;
    check_case shorter = check_case_with(k, k->data, n - (n > 1 && k->data[n - 2] == '\r' ? 2 : 1));
    check_run_collapser(c, k, &plain_way, &with);
    check_run_collapser(c, &shorter, &plain_way, &without);
    if (with.rest == 0 && without.rest > 0)
        check_fail(c, 33, CHECK_NOTHING,
                   brz_str_of((const char *)k->data + shorter.len - without.rest, without.rest),
                   "%s: its last line is left over if it has no line end", k->label);
    check_collapse_result_finish(&with);
    check_collapse_result_finish(&without);
}

void check_parse_last(check *c)
{
    check_cases cases;
    if (!check_cases_init(&cases, c))
        return;
    for (size_t i = 0; i < cases.n && !check_is_over(c); i++) {
        if (cases.items[i].sample->odd)
            continue;
        look_at_rest(c, &cases.items[i]);
        leave_newline_out(c, &cases.items[i]);
    }
    check_cases_finish(&cases);
}

/* ---- boundaries ---------------------------------------------------------------------------- */

typedef struct boundaries {
    check *check;
    const check_case *k;
    check_guarded_buffer guard;
    const void *prelude_data;
    size_t begin;
} boundaries;

/* Asks for a boundary in a window at an offset, with the given slack around it. */
static size_t ask(boundaries *b, size_t start, size_t n, size_t from, uint8_t slack)
{
    const uint8_t *p = check_guarded_buffer_set(&b->guard, b->k->data + start, n, slack, false);
    brz_call_enter(b->k->loaded, "boundary", b->k->label, start, n);
    size_t at = b->k->collapser->boundary(b->prelude_data, p, n, from);
    brz_call_leave();
    if (at < from || at > n)
        check_fail(b->check, 36, CHECK_NOTHING, CHECK_NOTHING,
                   "%s: boundary from %zu of %zu bytes answers %zu", b->k->label, from, n, at);
    return at;
}

/* Asks the same question in ways that must not affect the answer. */
static void look_at_boundary(boundaries *b)
{
    check *c = b->check;
    const check_case *k = b->k;
    size_t start = b->begin + check_random_below(&c->random, k->len - b->begin);
    size_t n = 1 + check_random_below(&c->random, k->len - start), from = 0;
    from = check_random_below(&c->random, n + 1);
    check_doing(c, "asking for a boundary of %s in bytes %zu to %zu, from %zu", k->label, start,
                start + n, start + from);
    size_t at = ask(b, start, n, from, 0), again = ask(b, start, n, from, '\n');
    if (check_is_over(c))
        return;
    if (at != again)
        check_fail(c, 36, CHECK_NOTHING, CHECK_NOTHING,
                   "%s: boundary from %zu of bytes %zu to %zu answers %zu, and then %zu", k->label,
                   from, start, start + n, at, again);
}

/* Checks the boundaries of a case, using the data that `prelude` shares. */
static void look_at_case(check *c, const check_case *k, size_t rounds)
{
    boundaries b = {.check = c, .k = k};
    brz_instance *head;
    check_guarded_buffer_init(&b.guard, &c->guarded);
    head = brz_instance_create(k->loaded, &c->run, k->cfg, NULL, k->collapser->inst_size, 0);
    brz_instance_collect(head, "sample", 0);
    if (k->collapser->prelude != NULL) {
        size_t n = k->len < BRZ_PRELUDE_SIZE ? k->len : BRZ_PRELUDE_SIZE;
        brz_chunk chunk = {sizeof chunk,
                           BRZ_CHUNK_RANGE_START | BRZ_CHUNK_INPUT_START | BRZ_CHUNK_LAST,
                           check_guarded_buffer_set(&b.guard, k->data, n, 0, false), n, 0};
        brz_instance_enter(head, "prelude", k->label, 0, n);
        if (k->collapser->prelude(&head->ctx, &chunk, &b.begin, &b.prelude_data) != BRZ_OK)
            b.begin = k->len;
        brz_instance_leave(head);
    }
    for (size_t i = 0; i < rounds && b.begin < k->len && !check_is_over(c); i++)
        look_at_boundary(&b);
    brz_instance_destroy(head);
    check_guarded_buffer_finish(&b.guard);
}

void check_parse_boundary(check *c)
{
    check_cases cases;
    size_t n = 0;
    if (!check_cases_init(&cases, c))
        return;
    for (size_t i = 0; i < cases.n && !check_is_over(c); i++) {
        if (!(cases.items[i].collapser->flags & BRZ_SPLITTABLE))
            continue;
        look_at_case(c, &cases.items[i], 100);
        n++;
    }
    if (n == 0)
        check_skip(c, "it is not SPLITTABLE");
    check_cases_finish(&cases);
}

/* ---- several threads ----------------------------------------------------------------------- */

static void compare_threads(check *c, const check_case *k)
{
    static const unsigned threads[] = {2, 3, 5, 16};
    char path[64], how[128];
    check_collapse_result plain, other;
    int file = make_file(k, path, sizeof path);
    if (file < 0)
        return;
    collapse_file(c, k, path, 1, 0, &plain);
    for (size_t i = 0; i < BRZ_COUNT_OF(threads) && !check_is_over(c); i++) {
        size_t range = 1 + check_random_below(&c->random, k->len / threads[i] + 1);
        snprintf(how, sizeof how, "by %u threads that take %zu bytes at a time", threads[i], range);
        check_doing(c, "collapsing %s %s", k->label, how);
        collapse_file(c, k, path, threads[i], range, &other);
        check_compare(c, k, 37, &plain, &other, how);
        check_collapse_result_finish(&other);
    }
    check_collapse_result_finish(&plain);
    close(file);
}

void check_parse_threads(check *c)
{
    check_cases cases;
    size_t n = 0;
    if (!check_cases_init(&cases, c))
        return;
    for (size_t i = 0; i < cases.n && !check_is_over(c); i++) {
        if (!(cases.items[i].collapser->flags & BRZ_SPLITTABLE))
            continue;
        if (n++ == 0 || check_goes_on(c, n))
            compare_threads(c, &cases.items[i]);
    }
    if (n == 0)
        check_skip(c, "it is not SPLITTABLE");
    check_cases_finish(&cases);
}

/* ---- input order --------------------------------------------------------------------------- */

void check_parse_ordered(check *c)
{
    static const other_way ways[] = {
        {"in input order", {.ctx_flags = BRZ_CTX_WANTS_ORDER}},
        {"in input order and feeds of 50 bytes", {.ctx_flags = BRZ_CTX_WANTS_ORDER, .step = 50}},
    };
    compare_ways(c, 42, ways, 2);
}

/* ---- tags and times ------------------------------------------------------------------------ */

void check_parse_tags(check *c)
{
    static const other_way ways[] = {
        {"with tags", {.ctx_flags = BRZ_CTX_WANTS_TAGS}},
        {"with tags and feeds of 50 bytes", {.ctx_flags = BRZ_CTX_WANTS_TAGS, .step = 50}},
        {"with tags, in two instances",
         {.ctx_flags = BRZ_CTX_WANTS_TAGS, .cuts = 3, .instances = 2}},
    };
    compare_ways(c, 53, ways, 3);
}

void check_parse_times(check *c)
{
    enum { TIMES = BRZ_CTX_WANTS_ORDER | BRZ_CTX_WANTS_TIME | BRZ_CTX_WANTS_TAGS };
    static const other_way ways[] = {
        {"with times", {.ctx_flags = BRZ_CTX_WANTS_ORDER | BRZ_CTX_WANTS_TIME}},
        {"with tags and times", {.ctx_flags = TIMES}},
        {"with tags, times and feeds of 50 bytes", {.ctx_flags = TIMES, .step = 50}},
    };
    compare_ways(c, 53, ways, 3);
}

/* SPDX-License-Identifier: MIT */
/* Tests parsing of invalid input: the collapser returns, and the result does not depend on how the
 * input is presented. */
#include <stdlib.h>
#include <string.h>

#include "check/inputs/foreign.h"
#include "check/inputs/mutants.h"
#include "check/drive/run_collapser.h"
#include "tests.h"

/* Presents a case in one piece and in a random other way. */
static void try(check *c, const check_case *k, const char *how)
{
    check_collapse_result plain, other;
    size_t failures = c->failures;
    check_collapser_options one = {.seed = 1}, way = {.seed = check_random(&c->random)};
    way.step = 1 + check_random_below(&c->random, 80);
    way.random_steps = true;
    way.instances = 1 + (unsigned)check_random_below(&c->random, 3);
    way.cuts = way.instances > 1 ? (unsigned)check_random_below(&c->random, 6) : 0;
    way.instances = k->collapser->flags & BRZ_SPLITTABLE ? way.instances : 1;
    check_risk(c, k->data, k->len);
    check_doing(c, "showing %s %s", k->label, how);
    check_run_collapser(c, k, &one, &plain);
    check_doing(c, "showing %s %s in pieces", k->label, how);
    check_run_collapser(c, k, &way, &other);
    check_unrisk(c->settings, c->test);
    check_compare(c, k, way.cuts > 0 ? 37 : 32, &plain, &other, how);
    if (c->failures > failures)
        check_keep(c, k->data, k->len);
    check_collapse_result_finish(&plain);
    check_collapse_result_finish(&other);
}

/* ---- mutants ------------------------------------------------------------------------------- */

static void try_mutants(check *c, check_mutate *mutate)
{
    check_cases cases;
    if (!check_cases_init(&cases, c))
        return;
    for (size_t round = 0; check_goes_on(c, round); round++) {
        const check_case *k = &cases.items[round % cases.n];
        brz_buf data = {0}, how = {0};
        mutate(k->data, k->len, &c->random, &data, &how);
        check_case mutant = check_case_with(k, (const uint8_t *)data.data, data.len);
        brz_buf_printf(&how, " (round %zu)", round);
        try(c, &mutant, brz_buf_text(&how));
        brz_buf_finish(&data);
        brz_buf_finish(&how);
    }
    check_cases_finish(&cases);
}

void check_robust_flips(check *c)
{
    try_mutants(c, check_mutate_bytes);
}

void check_robust_lines(check *c)
{
    try_mutants(c, check_mutate_lines);
}

void check_robust_nuls(check *c)
{
    try_mutants(c, check_mutate_nuls);
}

void check_robust_utf8(check *c)
{
    try_mutants(c, check_mutate_utf8);
}

void check_robust_crlf(check *c)
{
    try_mutants(c, check_mutate_line_ends);
}

/* ---- truncation ---------------------------------------------------------------------------- */

/* A prime step, which visits every offset once before it repeats one. */
#define STRIDE ((size_t)1000003)

static void truncate_at(check *c, const check_cases *cases, size_t place)
{
    size_t i = 0;
    char how[128];
    while (place >= cases->items[i].len)
        place -= cases->items[i++].len;
    check_case shorter = check_case_with(&cases->items[i], cases->items[i].data, place);
    snprintf(how, sizeof how, "cut off at byte %zu", place);
    try(c, &shorter, how);
}

void check_robust_truncated(check *c)
{
    check_cases cases;
    size_t places = 0, round = 0;
    if (!check_cases_init(&cases, c))
        return;
    for (size_t i = 0; i < cases.n; i++)
        places += cases.items[i].len;
    for (size_t at = 0; round < places && check_goes_on(c, round); round++)
        truncate_at(c, &cases, at = (at + STRIDE) % places);
    check_tell(c, "%zu of %zu places", round, places);
    check_cases_finish(&cases);
}

/* ---- very long lines ----------------------------------------------------------------------- */

#define LONG  ((size_t)1 << 20)
#define SHORT ((size_t)128 << 10)

/* Appends a pattern until it takes `len` bytes or, since the last one is whole, somewhat more. */
static void add_repeated(brz_buf *to, const char *pattern, size_t len)
{
    size_t n = strlen(pattern), all = (len + n - 1) / n * n;
    char *at = brz_buf_room(to, all);
    memcpy(at, pattern, n);
    for (size_t done = n, more; done < all; done += more) {
        more = done < all - done ? done : all - done;
        memcpy(at + done, at, more);
    }
    to->len += all;
}

/* Builds an input: a sample up to the end of a line, a repeated pattern, and the rest of the
 * sample. */
static void make_long_line(const check_case *k, const char *pattern, size_t len, brz_buf *to)
{
    const uint8_t *newline = k->len > 0 ? memchr(k->data, '\n', k->len) : NULL;
    size_t front = newline == NULL ? 0 : (size_t)(newline + 1 - k->data);
    brz_buf_add(to, (const char *)k->data, front);
    add_repeated(to, pattern, len);
    brz_buf_add_char(to, '\n');
    if (k->len > front)
        brz_buf_add(to, (const char *)k->data + front, k->len - front);
}

static double time_of_line(check *c, const check_case *k, const char *pattern, size_t len)
{
    static const check_collapser_options way = {.seed = 1, .step = (size_t)64 << 10};
    check_collapse_result o;
    brz_buf data = {0};
    make_long_line(k, pattern, len, &data);
    check_case longer = check_case_with(k, (const uint8_t *)data.data, data.len);
    check_doing(c, "showing %s with a line of %zu bytes of \"%s\"", k->label, len, pattern);
    check_risk(c, longer.data, longer.len);
    double before = check_processor_time();
    check_run_collapser(c, &longer, &way, &o);
    double took = check_processor_time() - before;
    check_unrisk(c->settings, c->test);
    check_collapse_result_finish(&o);
    brz_buf_finish(&data);
    return took;
}

/* Checks that time grows linearly: a line eight times as long may take somewhat more than eight
 * times the time, since the feed presents it repeatedly as it grows, but not sixty-four times. */
static void try_long_line(check *c, const check_case *k, const char *pattern)
{
    double some = time_of_line(c, k, pattern, SHORT), all = time_of_line(c, k, pattern, LONG);
    if (all > 0.5 && all > 40 * some)
        check_fail(c, 39, CHECK_NOTHING, CHECK_NOTHING,
                   "%s: a line of 128 KiB of \"%s\" takes %.3f s, one of 1 MiB %.3f s", k->label,
                   pattern, some, all);
}

void check_robust_long_line(check *c)
{
    static const char *const patterns[] = {"a", ";", "a;", "1", " ", "(", "<", "\"", "a b ", "->"};
    size_t n = BRZ_COUNT_OF(patterns);
    check_cases cases;
    if (!check_cases_init(&cases, c))
        return;
    for (size_t i = 0; i < n && !check_is_over(c); i++) /* all of them, however slow the machine */
        try_long_line(c, &cases.items[check_random_below(&c->random, cases.n)], patterns[i]);
    check_cases_finish(&cases);
}

/* ---- generated inputs ---------------------------------------------------------------------- */

static void try_bytes(check *c, const check_case *bare, const uint8_t *data, size_t n,
                      const char *how)
{
    check_case k = check_case_with(bare, data, n);
    try(c, &k, how);
}

static void try_small(check *c, const check_case *bare)
{
    uint8_t bytes[3] = {0};
    char how[128];
    try_bytes(c, bare, bytes, 0, "(an empty input)");
    for (unsigned b = 0; b < 256 && !check_is_over(c); b++) {
        bytes[0] = (uint8_t)b;
        snprintf(how, sizeof how, "(an input of one byte, %#x)", b);
        try_bytes(c, bare, bytes, 1, how);
    }
    for (size_t round = 0; check_goes_on(c, round) && round < 2000; round++) {
        brz_buf ignored = {0}, data = {0};
        check_mutate_bytes((const uint8_t *)"\n\n\n", 3, &c->random, &data, &ignored);
        snprintf(how, sizeof how, "(an input of %zu bytes, round %zu)", data.len, round);
        try_bytes(c, bare, (const uint8_t *)data.data, data.len, how);
        brz_buf_finish(&data);
        brz_buf_finish(&ignored);
    }
}

void check_robust_empty(check *c)
{
    check_case k;
    for (size_t i = 0; i < c->file.n_components; i++)
        if (check_case_bare(c, i, &k))
            try_small(c, &k);
}

static void try_foreign(check *c, const check_case *bare)
{
    check_foreign f;
    char how[160];
    for (size_t i = 0; check_foreign_at(check_minor_of(c), i, &f) && !check_is_over(c); i++) {
        snprintf(how, sizeof how, "(%s)", f.name);
        try_bytes(c, bare, f.data, f.len, how);
    }
}

void check_robust_foreign(check *c)
{
    check_case k;
    for (size_t i = 0; i < c->file.n_components; i++)
        if (check_case_bare(c, i, &k))
            try_foreign(c, &k);
}

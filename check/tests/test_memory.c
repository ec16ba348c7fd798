/* SPDX-License-Identifier: MIT */
/* Tests memory use: allocations are freed, and repeated records need no additional memory. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "plugin/crash.h"
#include "base/mem.h"
#include "check/drive/run_collapser.h"
#include "tests.h"
#include "check/drive/exercise.h"

/* ---- leaks --------------------------------------------------------------------------------- */

/* Returns the number of memory mappings, which include memory not managed by malloc. */
static size_t count_mappings(void)
{
    size_t n = 0;
    FILE *f = fopen("/proc/self/maps", "re");
    for (int c; f != NULL && (c = getc(f)) != EOF;)
        n += c == '\n';
    if (f != NULL)
        fclose(f);
    return n;
}

#define WARM_UP 2
#define ROUNDS  4

static void *use_here(void *arg)
{
    void *stack = brz_crash_thread_begin();
    check_exercise(arg);
    brz_crash_thread_end(stack);
    return NULL;
}

/* Uses the plug-in in a separate thread: malloc's per-thread caches, which count as used, are freed
 * with the thread. */
static void use_once(check *c)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, use_here, c) == 0)
        pthread_join(thread, NULL);
}

static void tell_leak(check *c, size_t amount, const char *what)
{
    check_fail(c, 14, CHECK_NOTHING, CHECK_NOTHING, "it was used %d times, and each left %zu %s",
               ROUNDS, amount / ROUNDS, what);
}

/* Memory that stays after the first rounds, or grows in only one of the others, may be permanent (a
 * table of the C library, a cache of malloc); memory that grows in every round is leaked. */
void check_memory_leaks(check *c)
{
    if (check_heap_in_use() == 0) {
        check_skip(c, "the heap cannot be measured here");
        return;
    }
#if defined(__GLIBC__)
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MXFAST, 0);
#endif
    count_mappings(); /* its first call allocates memory, too */
    for (int i = 0; i < WARM_UP; i++)
        use_once(c);
    size_t heap = check_heap_in_use(), mappings = count_mappings(), before = heap;
    int rounds_that_grew = 0;
    for (int i = 0; i < ROUNDS && !check_is_over(c); i++) {
        use_once(c);
        size_t now = check_heap_in_use();
        rounds_that_grew += now > before;
        before = now;
    }
    size_t mappings_after = count_mappings();
    if (rounds_that_grew == ROUNDS)
        tell_leak(c, before - heap, "bytes more on the heap");
    if (mappings_after >= mappings + ROUNDS)
        tell_leak(c, mappings_after - mappings, "mappings more");
}

/* ---- growth -------------------------------------------------------------------------------- */

/* Sizes of inputs with repeated records. */
#define SOME ((size_t)1 << 20)
#define MANY ((size_t)5 << 20)

/* Returns the records of a case repeated up to `len` bytes. */
static uint8_t *repeat(const check_case *k, size_t begin, size_t len)
{
    uint8_t *data = brz_malloc(len);
    memcpy(data, k->data, begin);
    for (size_t at = begin, n; at < len; at += n) {
        n = k->len - begin < len - at ? k->len - begin : len - at;
        memcpy(data + at, k->data + begin, n);
    }
    return data;
}

/* Returns the memory in use after parsing, without the input; 0 if it failed. */
static size_t memory_for(check *c, const check_case *k, size_t begin, size_t len)
{
    static const check_collapser_options way = {
        .seed = 1, .step = (size_t)64 << 10, .measures_memory = true};
    uint8_t *data = repeat(k, begin, len);
    check_collapse_result o;
    check_case longer = check_case_with(k, data, len);
    check_doing(c, "showing the records of %s again and again, %zu bytes", k->label, len);
    check_guarded_pool_finish(&c->guarded); /* its size depends on earlier inputs */
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
    check_run_collapser(c, &longer, &way, &o);
    size_t memory = o.good && o.memory > len ? o.memory - len : 0;
    check_collapse_result_finish(&o);
    free(data);
    return memory;
}

/* Measures growth with whole lines: only these repeat as the same records. */
static void look_at_growth(check *c, const check_case *k)
{
    size_t begin = check_records_begin(c, k);
    if (begin >= k->len || begin > SOME / 2 || k->data[k->len - 1] != '\n')
        return;
    size_t some = memory_for(c, k, begin, SOME), many = memory_for(c, k, begin, MANY);
    if (some > 0 && many > some && many - some > (MANY - SOME) / 8)
        check_fail(c, 40, CHECK_NOTHING, CHECK_NOTHING,
                   "%s: its records again and again, 4 MiB more of them, take %zu KiB more",
                   k->label, (many - some) >> 10);
}

void check_memory_growth(check *c)
{
    check_cases cases;
    size_t n = 0;
    if (!check_cases_init(&cases, c))
        return;
    for (size_t i = 0; i < cases.n && c->failures == 0 && (n == 0 || check_goes_on(c, SIZE_MAX));
         i++) {
        const check_case *k = &cases.items[i];
        bool can_be_repeated = k->collapser->flags & BRZ_SPLITTABLE;
        if (!can_be_repeated || k->sample->odd || check_heap_in_use() == 0)
            continue;
        look_at_growth(c, k);
        n++;
    }
    if (n == 0)
        check_skip(c, "only inputs of SPLITTABLE collapsers can be repeated");
    check_cases_finish(&cases);
}

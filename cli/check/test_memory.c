/* Tests of memory: what is allocated is freed, and records that come again take no more of it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "crash.h"
#include "mem.h"
#include "showing.h"
#include "tests.h"
#include "use.h"

/* ---- leaks --------------------------------------------------------------------------------- */

/* How many mappings the process has: memory that malloc knows nothing of. */
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
    check_use(arg);
    brz_crash_thread_end(stack);
    return NULL;
}

/* On a thread of its own: what malloc keeps for a thread, which counts as in use, goes with it. */
static void use_once(check *c)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, use_here, c) == 0)
        pthread_join(thread, NULL);
}

/* What is held after the first rounds may be held for good (a table of the C library, say); what
 * comes with every further round is lost. */
void check_memory_leaks(check *c)
{
#if defined(__GLIBC__)
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MXFAST, 0);
#endif
    count_mappings(); /* leaves something with malloc, too */
    for (int i = 0; i < WARM_UP; i++)
        use_once(c);
    size_t heap = check_heap_in_use(), mappings = count_mappings();
    for (int i = 0; i < ROUNDS && !check_is_over(c); i++)
        use_once(c);
    size_t heap_after = check_heap_in_use(), mappings_after = count_mappings();
    if (heap == 0)
        check_skip(c, "the heap cannot be measured here");
    else if (heap_after >= heap + ROUNDS)
        check_fail(c, 14, CHECK_NOTHING, CHECK_NOTHING,
                   "it was used %d times, and each left %zu bytes more on the heap", ROUNDS,
                   (heap_after - heap) / ROUNDS);
    if (mappings_after >= mappings + ROUNDS)
        check_fail(c, 14, CHECK_NOTHING, CHECK_NOTHING,
                   "it was used %d times, and each left %zu mappings more", ROUNDS,
                   (mappings_after - mappings) / ROUNDS);
}

/* ---- growth -------------------------------------------------------------------------------- */

/* Records for so many bytes, over and over. */
#define SOME ((size_t)1 << 20)
#define MANY ((size_t)5 << 20)

static void repeat(const check_case *k, size_t begin, size_t bytes, brz_buf *to)
{
    brz_buf_add(to, (const char *)k->data, begin);
    while (to->len < begin + bytes)
        brz_buf_add(to, (const char *)k->data + begin, k->len - begin);
}

/* The bytes in use when all was parsed; 0 if it could not be. */
static size_t memory_for(check *c, const check_case *k, size_t begin, size_t bytes)
{
    static const check_showing way = {.seed = 1, .step = (size_t)64 << 10};
    brz_buf data = {0};
    check_outcome o;
    repeat(k, begin, bytes, &data);
    check_case longer = check_case_with(k, (const uint8_t *)data.data, data.len);
    check_doing(c, "showing the records of %s again and again, %zu bytes", k->label, bytes);
    check_show(c, &longer, &way, &o);
    size_t memory = o.good ? o.memory - data.cap : 0;
    check_outcome_finish(&o);
    brz_buf_finish(&data);
    return memory;
}

static void look_at_growth(check *c, const check_case *k)
{
    size_t begin = check_records_begin(c, k);
    if (begin >= k->len)
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
    for (size_t i = 0; i < cases.n && (n == 0 || check_goes_on(c, SIZE_MAX)); i++) {
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

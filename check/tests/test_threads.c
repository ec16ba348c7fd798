/* SPDX-License-Identifier: MIT */
/* Tests that instances share no state. */
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/crash.h"
#include "base/mem.h"
#include "check/inputs/object.h"
#include "check/drive/run_collapser.h"
#include "tests.h"
#include "check/drive/exercise.h"

/* ---- concurrent instances ------------------------------------------------------------------ */

#define N_THREADS 8

typedef struct task {
    check *check;
    const check_cases *cases;
    const check_collapse_result *plain; /* expected results, by case */
    uint64_t random;
    pthread_barrier_t *start;
} task;

static void *work(void *arg)
{
    task *t = arg;
    void *stack = brz_crash_thread_begin();
    pthread_barrier_wait(t->start);
    for (size_t round = 0; check_goes_on(t->check, round); round++) {
        size_t i = check_random_below(&t->random, t->cases->n);
        check_collapser_options way = {
            .seed = check_random(&t->random), .step = 120, .random_steps = true};
        check_collapse_result o;
        check_run_collapser(t->check, &t->cases->items[i], &way, &o);
        check_compare(t->check, &t->cases->items[i], 41, &t->plain[i], &o,
                      "while 7 other instances are at work");
        check_collapse_result_finish(&o);
    }
    brz_crash_thread_end(stack);
    return NULL;
}

static void run_threads(check *c, const check_cases *cases, const check_collapse_result *plain)
{
    pthread_t threads[N_THREADS];
    task tasks[N_THREADS];
    pthread_barrier_t start;
    size_t n = 0;
    pthread_barrier_init(&start, NULL, N_THREADS);
    for (; n < N_THREADS; n++) {
        tasks[n] = (task){c, cases, plain, check_random(&c->random), &start};
        if (pthread_create(&threads[n], NULL, work, &tasks[n]) != 0)
            break;
    }
    for (size_t i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&start);
}

void check_threads_contexts(check *c)
{
    static const check_collapser_options one = {.seed = 1};
    check_cases cases;
    if (!check_cases_init(&cases, c))
        return;
    check_collapse_result *plain = brz_calloc(cases.n, sizeof *plain);
    for (size_t i = 0; i < cases.n; i++)
        check_run_collapser(c, &cases.items[i], &one, &plain[i]);
    check_doing(c, "running 8 instances at a time");
    run_threads(c, &cases, plain);
    for (size_t i = 0; i < cases.n; i++)
        check_collapse_result_finish(&plain[i]);
    free(plain);
    check_cases_finish(&cases);
}

/* ---- globals ------------------------------------------------------------------------------- */

/* The writable data of the plug-in's file in memory. */
typedef struct globals {
    const char *path;
    brz_buf copy;
    bool compare; /* compare with the copy instead of making one */
    size_t at;
    uintptr_t base, first_change;
    size_t changed;
} globals;

/* Returns whether an address becomes read-only after relocation, so that its data cannot change. */
static bool is_relro(const struct dl_phdr_info *info, uintptr_t offset)
{
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type == PT_GNU_RELRO && offset >= p->p_vaddr && offset < p->p_vaddr + p->p_memsz)
            return true;
    }
    return false;
}

/* Reads a byte without instrumentation: sanitizers reject reads of the gaps between variables. */
__attribute__((no_sanitize("address"))) static void look_at_byte(globals *g, uintptr_t offset)
{
    char byte = *(const volatile char *)(g->base + offset);
    if (!g->compare) {
        brz_buf_add_char(&g->copy, byte);
        return;
    }
    if (g->at < g->copy.len && g->copy.data[g->at] != byte && g->changed++ == 0)
        g->first_change = offset;
    g->at++;
}

static int look_at_library(struct dl_phdr_info *info, size_t size, void *context)
{
    globals *g = context;
    (void)size;
    if (strcmp(info->dlpi_name, g->path) != 0)
        return 0;
    g->base = info->dlpi_addr;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_W))
            continue;
        for (uintptr_t at = p->p_vaddr; at < p->p_vaddr + p->p_memsz; at++)
            if (!is_relro(info, at))
                look_at_byte(g, at);
    }
    return 1;
}

static void tell_change(check *c, const globals *g)
{
    brz_buf name = {0};
    check_object_name_at(g->path, g->first_change, &name);
    check_fail(c, 9, CHECK_NOTHING, CHECK_NOTHING,
               "%zu of %zu bytes of its writable data have changed, the first at %#zx%s%s",
               g->changed, g->copy.len, (size_t)g->first_change, name.len > 0 ? ", of " : "",
               brz_buf_text(&name));
    brz_buf_finish(&name);
}

void check_threads_globals(check *c)
{
    globals g = {.path = c->subject->path};
    dl_iterate_phdr(look_at_library, &g);
    check_exercise(c);
    g.compare = true;
    dl_iterate_phdr(look_at_library, &g);
    if (g.changed > 0)
        tell_change(c, &g);
    brz_buf_finish(&g.copy);
}

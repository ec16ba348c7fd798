/* Lists the threads that are recorded. */
#include "record/targets.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "record/synthesis.h"

void brz_targets_add(brz_targets *t, pid_t tid)
{
    t->list = brz_grow(t->list, t->n, &t->cap, sizeof *t->list);
    t->list[t->n++] = tid;
}

static void add(void *context, pid_t tid)
{
    brz_targets_add(context, tid);
}

bool brz_targets_add_process(brz_targets *t, pid_t pid)
{
    brz_buf path = {0};
    size_t before = t->n;
    brz_buf_printf(&path, "/proc/%d/task", pid);
    brz_numbers_in(brz_buf_text(&path), add, t);
    brz_buf_finish(&path);
    return t->n > before;
}

static int compare(const void *a, const void *b)
{
    pid_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

void brz_targets_sort(brz_targets *t)
{
    size_t n = 0;
    if (t->n > 0)
        qsort(t->list, t->n, sizeof *t->list, compare);
    for (size_t i = 0; i < t->n; i++)
        if (n == 0 || t->list[n - 1] != t->list[i])
            t->list[n++] = t->list[i];
    t->n = n;
}

static bool has(const brz_targets *t, size_t n, pid_t tid)
{
    return n > 0 && bsearch(&tid, t->list, n, sizeof *t->list, compare) != NULL;
}

size_t brz_targets_merge(brz_targets *t, const brz_targets *others)
{
    size_t before = t->n;
    for (size_t i = 0; i < others->n; i++)
        if (!has(t, before, others->list[i]))
            brz_targets_add(t, others->list[i]);
    brz_targets_sort(t);
    return t->n - before;
}

void brz_targets_finish(brz_targets *t)
{
    free(t->list);
    *t = (brz_targets){0};
}

/* SPDX-License-Identifier: MIT */
/* Lists the threads that are recorded. */
#include "record/targets.h"

#include <stdio.h>
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

pid_t brz_process_of_thread(pid_t thread)
{
    static const char key[] = "\nTgid:";
    char path[32];
    brz_buf status = {0};
    snprintf(path, sizeof path, "/proc/%d/status", thread);
    bool is_read = brz_buf_read_file(&status, path);
    const char *line = is_read ? strstr(brz_buf_text(&status), key) : NULL;
    long process = line == NULL ? 0 : strtol(line + sizeof key - 1, NULL, 10);
    brz_buf_finish(&status);
    return process > 0 ? (pid_t)process : thread;
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

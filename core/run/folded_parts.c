/* Checks plain folded text in parts, on several threads. */
#include "run/folded_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/thread.h"
#include "input/mapping.h"

#define MOST_THREADS ((size_t)64)

/* ---- dividing ------------------------------------------------------------------------------- */

/* Returns the length of the whole lines at the beginning of a text, about `size` bytes, or 0 if the
 * line there is too long. */
static size_t whole_lines(brz_str text, size_t size)
{
    if (text.len <= size)
        return text.len;
    size_t left = text.len - size;
    const char *end =
        memchr(text.data + size, '\n', left < BRZ_FOLDED_LONGEST ? left : BRZ_FOLDED_LONGEST);
    return end == NULL ? 0 : (size_t)(end + 1 - text.data);
}

/* Finds the stack of the last line of a part. Returns false if the line has no stack. */
static bool last_stack(brz_str part, brz_str *stack)
{
    size_t n = part.len - 1, most = n < BRZ_FOLDED_LONGEST ? n : BRZ_FOLDED_LONGEST;
    const char *newline = most == 0 ? NULL : memrchr(part.data + n - most, '\n', most);
    const char *start = newline == NULL ? part.data + n - most : newline + 1;
    brz_str text = brz_str_of(start, (size_t)(part.data + part.len - start));
    brz_folded_line line;
    bool found = brz_folded_next(&text, &line);
    *stack = line.stack;
    return found;
}

bool brz_folded_parts_add(brz_folded_parts *p, brz_str text, size_t size)
{
    brz_str before = BRZ_STR("");
    if (text.len == 0)
        return false;
    while (text.len > 0) {
        size_t n = whole_lines(text, size);
        if (n == 0)
            return false;
        p->items = brz_grow(p->items, p->n, &p->cap, sizeof *p->items);
        p->items[p->n++] = (brz_folded_part){.text = brz_str_of(text.data, n), .before = before};
        text = brz_str_of(text.data + n, text.len - n);
        if (text.len > 0 && !last_stack(p->items[p->n - 1].text, &before))
            return false;
    }
    return true;
}

void brz_folded_parts_finish(brz_folded_parts *p)
{
    free(p->items);
    memset(p, 0, sizeof *p);
}

/* ---- checking ------------------------------------------------------------------------------- */

/* A check that threads share. */
typedef struct work {
    brz_folded_parts *parts;
    const atomic_bool *stop;
    atomic_size_t next;
    atomic_bool is_bad;
} work;

static void *check(void *arg)
{
    work *w = arg;
    while (!atomic_load(&w->is_bad) && !atomic_load(w->stop)) {
        size_t i = atomic_fetch_add(&w->next, 1);
        if (i >= w->parts->n)
            break;
        brz_folded_part *part = &w->parts->items[i];
        brz_str text = part->text, before = part->before;
        if (!brz_folded_check(&text, &before, &part->totals))
            atomic_store(&w->is_bad, true);
        if (w->parts->drops)
            brz_mapping_drop(part->text.data, part->text.len);
    }
    return NULL;
}

bool brz_folded_parts_check(brz_folded_parts *p, size_t first, size_t threads,
                            const atomic_bool *stop)
{
    work w = {.parts = p, .stop = stop, .next = first};
    pthread_t others[MOST_THREADS];
    size_t left = p->n - first, most = threads < left ? threads : left, n = 0;
    most = most < MOST_THREADS ? most : MOST_THREADS;
    while (n + 1 < most && brz_thread_start(&others[n], check, &w))
        n++;
    check(&w);
    for (size_t i = 0; i < n; i++)
        pthread_join(others[i], NULL);
    return !atomic_load(&w.is_bad) && !atomic_load(stop);
}

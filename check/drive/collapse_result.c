/* SPDX-License-Identifier: MIT */
/* Records the result of running a collapser as text, so that results of different runs can be
 * compared. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "base/mem.h"
#include "collapse_result.h"
#include "base/sanitized.h"
#include "profile/call_tree.h"
#include "base/diag.h"

/* glibc reports the bytes of its heap since version 2.33. */
#if defined(__GLIBC__) && !BRZ_SANITIZED
#if __GLIBC_PREREQ(2, 33)
#define HAS_HEAP_FIGURES
#endif
#endif

size_t check_heap_in_use(void)
{
#ifdef HAS_HEAP_FIGURES
    struct mallinfo2 m = mallinfo2();
    return m.uordblks + m.hblkhd;
#else
    return 0;
#endif
}

size_t check_resident(void)
{
    char text[128] = "";
    FILE *f = check_heap_in_use() == 0 ? NULL : fopen("/proc/self/statm", "re");
    if (f == NULL)
        return 0;
    const char *line = fgets(text, sizeof text, f);
    const char *second = line == NULL ? NULL : strchr(line, ' ');
    size_t pages = second == NULL ? 0 : (size_t)strtoul(second, NULL, 10);
    fclose(f);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* ---- stacks -------------------------------------------------------------------------------- */

static void add_frame(brz_buf *b, const brz_frame_info *f)
{
    brz_buf_add_str(b, f->name);
    if (f->module.len > 0 || f->file.len > 0 || f->line > 0 || f->kind != BRZ_KIND_OTHER) {
        brz_buf_add_text(b, " {");
        brz_buf_add_str(b, f->module);
        brz_buf_add_char(b, ' ');
        brz_buf_add_str(b, f->file);
        brz_buf_printf(b, ":%u %u}", f->line, f->kind);
    }
}

static void add_stack(brz_buf *b, const brz_tree *t, const brz_stack_info *s)
{
    for (uint32_t i = 0; i < s->n; i++) {
        brz_buf_add_text(b, i > 0 ? ";" : "");
        add_frame(b, brz_frame_at(t, s->frames[i]));
    }
    for (uint32_t w = 0; w < t->n_columns; w++)
        brz_buf_printf(b, " %lld", (long long)s->values[w]);
    brz_buf_add_char(b, '\n');
}

static void add_weights(brz_buf *b, const brz_tree *t)
{
    for (uint32_t w = 0; w < t->n_columns; w++) {
        const brz_column_info *info = brz_column_at(t, w);
        brz_buf_add_text(b, "weight ");
        brz_buf_add_str(b, info->name);
        brz_buf_add_text(b, " in ");
        brz_buf_add_str(b, info->unit);
        brz_buf_printf(b, " with %u decimals\n", info->decimals);
    }
}

void check_collapse_result_add_profile(check_collapse_result *o, brz_profile *p)
{
    brz_call_tree call_tree;
    brz_call_tree_options options = {
        .before = BRZ_NO_COLUMN, .after = BRZ_NO_COLUMN, .order = BRZ_ORDER_FOLDED};
    o->saturated |= p->saturated;
    o->n_samples = p->samples.n;
    if (p->n_stacks == 0)
        return;
    o->saturated |= brz_call_tree_init(&call_tree, p, &options);
    add_weights(&o->stacks, &call_tree.tree);
    for (uint32_t i = 0; i < call_tree.tree.n_stacks; i++)
        add_stack(&o->stacks, &call_tree.tree, brz_stack_at(&call_tree.tree, i));
    brz_call_tree_finish(&call_tree);
}

/* ---- messages ------------------------------------------------------------------------------ */

static int by_text(const void *a, const void *b)
{
    return strcmp(brz_buf_text(a), brz_buf_text(b));
}

/* Returns whether all places of a message are known; only the first ones of a frequent message are
 * stored. */
static bool knows_places(const brz_notices *n, const brz_notice *item)
{
    for (size_t i = 0; i < n->n_tallies; i++)
        if (n->tallies[i].msg.len == 0 && strcmp(n->tallies[i].code, item->code) == 0)
            return n->tallies[i].count <= BRZ_NOTICES_KEPT;
    return false;
}

static void add_tally(brz_buf *b, const struct brz_notice_tally *t)
{
    brz_buf_printf(b, "%s", t->code);
    if (t->msg.len > 0)
        brz_buf_printf(b, " (%.*s)", (int)t->msg.len, t->msg.data);
    brz_buf_printf(b, ": %llu times\n", (unsigned long long)t->count);
}

static size_t list_messages(const brz_notices *n, brz_buf *lines)
{
    size_t used = 0;
    for (size_t i = 0; i < n->n_tallies; i++)
        add_tally(&lines[used++], &n->tallies[i]);
    for (size_t i = 0; i < n->n; i++) {
        const brz_notice *item = &n->items[i];
        if (item->code == NULL || item->offset == BRZ_NO_OFFSET || !knows_places(n, item))
            continue;
        brz_buf *b = &lines[used++];
        brz_buf_printf(b, "%s: at byte %llu: ", item->code, (unsigned long long)item->offset);
        brz_buf_add_str(b, item->msg);
        brz_buf_add_char(b, '\n');
    }
    return used;
}

void check_collapse_result_add_messages(check_collapse_result *o, const brz_notices *n)
{
    brz_buf *lines = brz_calloc(n->n_tallies + n->n + 1, sizeof *lines);
    size_t used = list_messages(n, lines);
    qsort(lines, used, sizeof *lines, by_text);
    for (size_t i = 0; i < used; i++) {
        brz_buf_add_str(&o->messages, brz_buf_str(&lines[i]));
        brz_buf_finish(&lines[i]);
    }
    free(lines);
    for (size_t i = 0; i < n->n_tallies; i++)
        o->saturated |= strcmp(n->tallies[i].code, BRZ_SATURATED) == 0;
}

void check_collapse_result_finish(check_collapse_result *o)
{
    brz_buf_finish(&o->stacks);
    brz_buf_finish(&o->messages);
    memset(o, 0, sizeof *o);
}

/* ---- comparison ---------------------------------------------------------------------------- */

/* Number of lines shown of a text, starting with the first difference. */
#define SHOWN_LINES 3

/* Returns the text from the line that contains an offset. */
static brz_str lines_from(const brz_buf *b, size_t at)
{
    const char *text = brz_buf_text(b);
    while (at > 0 && text[at - 1] != '\n')
        at--;
    size_t end = at;
    for (int lines = 0; lines < SHOWN_LINES && end < b->len; lines++) {
        const char *newline = memchr(text + end, '\n', b->len - end);
        end = newline == NULL ? b->len : (size_t)(newline + 1 - text);
    }
    return brz_str_of(text + at, end - at);
}

bool check_texts_differ(const brz_buf *a, const brz_buf *b, brz_str *in_a, brz_str *in_b)
{
    size_t n = a->len < b->len ? a->len : b->len, at = 0;
    while (at < n && a->data[at] == b->data[at])
        at++;
    if (at == n && a->len == b->len)
        return false;
    *in_a = lines_from(a, at);
    *in_b = lines_from(b, at);
    return true;
}

void check_compare(check *c, const check_case *k, unsigned clause,
                   const check_collapse_result *plain, const check_collapse_result *other,
                   const char *how)
{
    brz_str expected, seen;
    if (plain->good != other->good) {
        check_fail(c, clause, plain->good ? BRZ_STR("it works") : BRZ_STR("it fails"),
                   brz_buf_str(plain->good ? &other->messages : &plain->messages),
                   "%s: %s it %s, otherwise it does not", k->label, how,
                   plain->good ? "fails" : "works");
        return;
    }
    if (!plain->good || plain->saturated || other->saturated)
        return;
    if (check_texts_differ(&plain->stacks, &other->stacks, &expected, &seen))
        check_fail(c, clause, expected, seen, "%s: %s other samples come out", k->label, how);
    else if (check_texts_differ(&plain->messages, &other->messages, &expected, &seen))
        check_fail(c, clause, expected, seen, "%s: %s other messages come out", k->label, how);
}

/* SPDX-License-Identifier: MIT */
/* Ranks frame names. */
#include "profile/ranks.h"

#include <brazier/folded.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/multikey.h"

#include <stdlib.h>
#include <string.h>

/* ---- labels -------------------------------------------------------------------------------- */

static uint32_t label_of(brz_profile *p, uint32_t name)
{
    brz_str s = brz_strings_at(&p->strings, name);
    if (brz_is_foldable(s))
        return name;
    brz_buf b = {0};
    for (size_t i = 0; i < s.len; i++)
        brz_buf_add_char(&b, brz_folded_byte(s.data[i]));
    uint32_t label = brz_strings_intern(&p->strings, brz_buf_str(&b));
    brz_buf_finish(&b);
    return label;
}

#define NO_LABEL UINT32_MAX

static void find_labels(brz_ranks *r, brz_profile *p)
{
    size_t n = p->strings.n;
    r->labels = brz_realloc(NULL, n + 1, sizeof *r->labels);
    memset(r->labels, 0xff, (n + 1) * sizeof *r->labels);
    for (size_t i = 0; i < p->n_frames; i++) {
        uint32_t name = p->frames[i].name;
        if (r->labels[name] == NO_LABEL)
            r->labels[name] = label_of(p, name);
    }
}

/* Returns the labels in use, without duplicates. */
static brz_multikey_item *list_labels(const brz_ranks *r, const brz_profile *p, size_t named,
                                      size_t *count)
{
    brz_multikey_item *items = brz_calloc(named, sizeof *items);
    unsigned char *seen = brz_calloc(p->strings.n, 1);
    *count = 0;
    for (size_t name = 0; name < named; name++) {
        uint32_t label = r->labels[name];
        if (label == NO_LABEL || seen[label])
            continue;
        seen[label] = 1;
        items[(*count)++].item = label;
    }
    free(seen);
    return items;
}

/* ---- sorting ------------------------------------------------------------------------------- */

/* Returns a sort key: seven bytes of the name, the first one highest, and whether more follow. */
static uint64_t name_key(const void *what, uint32_t label, size_t depth)
{
    brz_str s = brz_strings_at(what, label);
    uint64_t key = 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (s.len > 7 * depth + 7) {
        memcpy(&key, s.data + 7 * depth, sizeof key);
        return __builtin_bswap64(key) | 0xff; /* the last byte says only that more follow */
    }
#endif
    for (size_t i = 7 * depth; i < 7 * depth + 7; i++)
        key = key << 8 | (i < s.len ? (unsigned char)s.data[i] : 0);
    return key << 8 | (s.len > 7 * depth + 7);
}

/* A name one of whose ranks has not been assigned yet. */
typedef struct waiting {
    uint32_t label;
    bool leaf;
} waiting;

/* Returns whether a stack with the name `next` in some position sorts before a stack with `w`
 * there. `next` must not sort before the name of `w`. */
static bool comes_first(const brz_strings *t, brz_order order, uint32_t next, waiting w)
{
    brz_str n = brz_strings_at(t, next), s = brz_strings_at(t, w.label);
    if (n.len <= s.len || memcmp(n.data, s.data, s.len) != 0)
        return false;
    unsigned char after = (unsigned char)n.data[s.len];
    if (!w.leaf)
        return order != BRZ_ORDER_MERGED && after < ';';
    if (order != BRZ_ORDER_LINES || after > ' ')
        return false;
    unsigned char then = n.len == s.len + 1 ? 0 : (unsigned char)n.data[s.len + 1];
    return then < '0'; /* compared with a space and a digit */
}

/* Returns whether `name` is that of `w`, a leaf, followed by a space. The line of `w` continues
 * with a space and a digit, so it sorts between the lines that end in `name` and those that extend
 * it. */
static bool comes_between(const brz_strings *t, brz_order order, uint32_t name, waiting w)
{
    return w.leaf && comes_first(t, order, name, w) &&
           brz_strings_at(t, name).len == brz_strings_at(t, w.label).len + 1;
}

/* Assigns ranks to sorted names. Names that begin with the previous name may sort between it and
 * the text after it, so pending ranks are kept on a stack, with the next one to assign on top. */
static void assign_ranks(brz_ranks *r, const brz_strings *t, brz_order order,
                         const brz_multikey_item *items, size_t n)
{
    waiting *stack = brz_calloc(2 * n + 2, sizeof *stack);
    size_t depth = 0;
    uint32_t rank = 0;
    for (size_t i = 0; i <= n; i++) {
        while (depth > 0 && (i == n || !comes_first(t, order, items[i].item, stack[depth - 1]))) {
            waiting w = stack[--depth];
            *(w.leaf ? &r->leaf[w.label] : &r->inner[w.label]) = ++rank;
        }
        if (i == n)
            break;
        waiting inner = {items[i].item, false}, leaf = {items[i].item, true};
        bool between = depth > 0 && comes_between(t, order, inner.label, stack[depth - 1]);
        stack[depth] = between ? stack[depth - 1] : inner;
        if (between)
            stack[depth - 1] = inner;
        depth++;
        stack[depth++] = leaf;
    }
    free(stack);
}

void brz_ranks_init(brz_ranks *r, brz_profile *p, brz_order order)
{
    size_t n_labels, named = p->strings.n;
    find_labels(r, p);
    brz_multikey_item *items = list_labels(r, p, named, &n_labels);
    brz_multikey_sort(items, n_labels, name_key, &p->strings);
    r->n = p->strings.n;
    r->leaf = brz_calloc(r->n, sizeof *r->leaf);
    r->inner = brz_calloc(r->n, sizeof *r->inner);
    assign_ranks(r, &p->strings, order, items, n_labels);
    free(items);
}

void brz_ranks_finish(brz_ranks *r)
{
    free(r->labels);
    free(r->leaf);
    free(r->inner);
    memset(r, 0, sizeof *r);
}

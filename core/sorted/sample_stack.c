/* SPDX-License-Identifier: MIT */
/* Turns samples of frames into sorted stacks. */
#include "sorted/sample_stack.h"

#include <stdlib.h>
#include <string.h>

#include <brazier/text/find.h>

#include "base/mem.h"
#include "names/mangled.h"

/* Bytes that readers may touch after a text. */
#define SPARE ((size_t)64)

/* Maximum number of frames in a stack; more bytes than BRZ_SORTED_LONGEST would be needed. */
#define MOST_FRAMES (BRZ_SORTED_LONGEST / 2)

void brz_sample_stack_init(brz_sample_stack *s, const brz_profile *profile)
{
    *s = (brz_sample_stack){.profile = profile, .common_prefix = brz_prefix_best()};
}

void brz_sample_stack_finish(brz_sample_stack *s)
{
    free(s->are_plain);
    free(s->frames);
    free(s->ends);
    brz_buf_finish(&s->text);
    brz_buf_finish(&s->rest);
    *s = (brz_sample_stack){.profile = NULL};
}

/* ---- frames --------------------------------------------------------------------------------- */

/* Returns whether folded text has a name as it is, and the name keeps it in a line. */
static bool is_plain_name(brz_str name)
{
    if (name.len == 0 || name.data[0] == ' ' || name.data[0] == '#' || brz_may_be_mangled(name))
        return false;
    for (size_t i = 0; i < name.len; i++)
        if (name.data[i] < ' ' || name.data[i] > '~' || name.data[i] == '"' || name.data[i] == ';')
            return false;
    return true;
}

/* Examines the frames that were added meanwhile. */
static void examine_frames(brz_sample_stack *s)
{
    for (; s->n_known < s->profile->n_frames; s->n_known++) {
        uint32_t name = s->profile->frames[s->n_known].name;
        bool is_plain = is_plain_name(brz_strings_at(&s->profile->strings, name));
        s->are_plain = brz_grow(s->are_plain, s->n_known, &s->known_cap, sizeof *s->are_plain);
        s->are_plain[s->n_known] = is_plain;
    }
}

/* Returns frame number `i` of a sample, root first. */
static inline brz_frame frame_at(const brz_sorted_sample *x, size_t i)
{
    return x->frames[(x->flags & BRZ_LEAF_FIRST) != 0 ? x->n - 1 - i : i];
}

/* ---- stacks --------------------------------------------------------------------------------- */

/* Returns the number of first frames that a sample shares with the stack before. */
static size_t shared_frames(const brz_sample_stack *s, const brz_sorted_sample *x)
{
    size_t n = s->n < x->n ? s->n : x->n, same = 0;
    if ((x->flags & BRZ_LEAF_FIRST) != 0)
        for (const brz_frame *last = x->frames + x->n; same < n && s->frames[same] == *--last;)
            same++;
    else
        while (same < n && s->frames[same] == x->frames[same])
            same++;
    return same;
}

static void reserve_frames(brz_sample_stack *s, size_t n)
{
    if (n <= s->cap)
        return;
    s->cap = 2 * n;
    s->frames = brz_realloc(s->frames, s->cap, sizeof *s->frames);
    s->ends = brz_realloc(s->ends, s->cap, sizeof *s->ends);
}

/* Replaces the frames from number `from` on, and writes their names to the rest, which begins at
 * offset `start` of the text. Returns false if a frame is not plain or the text is too long. */
static bool set_frames(brz_sample_stack *s, const brz_sorted_sample *x, size_t from, size_t start)
{
    reserve_frames(s, x->n);
    s->rest.len = 0;
    for (size_t i = from; i < x->n; i++) {
        brz_frame frame = frame_at(x, i);
        if (frame >= s->n_known)
            examine_frames(s);
        if (frame >= s->n_known || !s->are_plain[frame])
            return false;
        brz_str name = brz_strings_at(&s->profile->strings, s->profile->frames[frame].name);
        if (start + s->rest.len + name.len >= BRZ_SORTED_LONGEST)
            return false;
        char *to = s->rest.cap - s->rest.len > name.len + 1 + SPARE
                       ? s->rest.data + s->rest.len
                       : brz_buf_room(&s->rest, name.len + 1 + SPARE);
        *to = ';';
        memcpy(to + (i > 0), name.data, name.len);
        s->rest.len += name.len + (i > 0);
        s->frames[i] = frame;
        s->ends[i] = (uint32_t)(start + s->rest.len);
    }
    if (s->rest.len > 0)
        memset(s->rest.data + s->rest.len, 0, SPARE);
    s->n = x->n;
    return true;
}

/* Returns whether the rest comes after the text from `start` on, with which it shares `same` bytes.
 */
static bool is_in_order(const brz_sample_stack *s, size_t start, size_t same)
{
    return same < s->rest.len &&
           (start + same == s->text.len ||
            (unsigned char)s->text.data[start + same] < (unsigned char)s->rest.data[same]);
}

bool brz_sample_stack_set(brz_sample_stack *s, const brz_sorted_sample *x, brz_sorted_stack *to)
{
    if (x->n == 0 || x->n > MOST_FRAMES || x->count <= 0 || (uint64_t)x->count > BRZ_SORTED_MOST)
        return false;
    size_t level = shared_frames(s, x), start = level == 0 ? 0 : s->ends[level - 1];
    if (!set_frames(s, x, level, start))
        return false;
    size_t left = s->text.len - start, most = left < s->rest.len ? left : s->rest.len;
    size_t same = most == 0 ? 0 : s->common_prefix(s->text.data + start, s->rest.data, most);
    if (!is_in_order(s, start, same))
        return false;
    s->text.len = start + same;
    char *text = brz_buf_room(&s->text, s->rest.len - same + SPARE);
    memcpy(text, s->rest.data + same, s->rest.len - same + SPARE);
    s->text.len = start + s->rest.len;
    *to = (brz_sorted_stack){.names = s->text.data,
                             .len = (uint32_t)s->text.len,
                             .shared = (uint32_t)(start + same),
                             .count = (uint64_t)x->count};
    return true;
}

/* ---- the weight ------------------------------------------------------------------------------ */

bool brz_sample_stack_weight(const brz_sample_stack *s, brz_column_desc *d)
{
    const brz_profile *p = s->profile;
    d->name = d->unit = BRZ_STR("");
    if (p == NULL || p->n_weights != 1)
        return false;
    const brz_profile_weight *w = &p->weights[0];
    d->name = brz_strings_at(&p->strings, w->name);
    d->unit = brz_strings_at(&p->strings, w->unit);
    d->flags = w->flags;
    return w->decimals == 0 && (w->flags & ~(BRZ_COLUMN_DEFAULT | BRZ_COLUMN_SAMPLES)) == 0;
}

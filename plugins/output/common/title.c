/* SPDX-License-Identifier: MIT */
/* Makes titles from the metadata of profiles. */
#include "title.h"

#include <brazier/draft/source_name.h>
#include <brazier/xml.h>

#include <string.h>

#include "amount.h"
#include "screen_text.h"

#define LONGEST 120 /* bytes of a command or host that are shown */
#define ROOM    (4 * (LONGEST + 8) + 2 * AMOUNT_ROOM + 64)

static char *put(char *to, brz_str s)
{
    memcpy(to, s.data, s.len);
    return to + s.len;
}

/* Writes the beginning of a text on one line; characters that control a terminal or the direction
 * of text become "?". */
static char *put_beginning(char *to, brz_str s)
{
    size_t i = 0, n;
    for (; i < s.len && i < LONGEST; i += n) {
        brz_str rest = brz_str_of(s.data + i, s.len - i);
        n = brz_utf8_step(rest);
        bool is_active = (unsigned char)rest.data[0] < ' ' || screen_obeys(rest);
        to = is_active ? put(to, BRZ_STR("?")) : put(to, brz_str_of(rest.data, n));
    }
    return i < s.len ? put(to, BRZ_STR("\342\200\246")) : to; /* … */
}

/* Returns the column that counts samples, besides or instead of the one that is shown, or
 * BRZ_NO_COLUMN. */
static uint32_t samples_of(const brz_tree *tree)
{
    const brz_column_info *shown = brz_column_at(tree, tree->main_column);
    if ((shown->flags & BRZ_COLUMN_SAMPLES) && shown->total > 0)
        return tree->main_column;
    return amount_samples(tree, tree->main_column);
}

/* Writes how many samples there are, in the words of the picture. */
static char *put_samples(char *to, const brz_tree *tree, uint32_t samples)
{
    const brz_column_info *info = brz_column_at(tree, samples);
    const amount_scale scale = amount_scale_of(info, 1);
    char *end = amount_format(to, &scale, info->total);
    brz_str word = amount_is_one(to, end) ? amount_singular(scale.word) : scale.word;
    return put_beginning(put(end, BRZ_STR(" ")), word);
}

/* Writes the name of what is counted, as the legend of the axis calls it. */
static char *put_event(char *to, const brz_tree *tree)
{
    brz_str name = brz_column_at(tree, tree->main_column)->name;
    return put_beginning(to, name.len > 0 ? name : BRZ_STR("samples"));
}

static char *put_duration(char *to, int64_t nanoseconds)
{
    const brz_column_info info = {.name = BRZ_STR("time"), .unit = BRZ_STR("nanoseconds")};
    const amount_scale scale = amount_scale_of(&info, 1);
    return amount_format(to, &scale, nanoseconds);
}

/* Writes event, duration and samples after a start, which separators join. Leaves out an event that
 * is only a side of a comparison, or that counts samples, which are not named twice. */
static char *put_amounts(char *to, const brz_tree *tree, brz_str separator)
{
    const uint32_t samples = samples_of(tree);
    if (samples != tree->main_column && tree->before == BRZ_NO_COLUMN) {
        to = put_event(put(to, separator), tree);
        separator = BRZ_STR(", ");
    }
    if (tree->metadata->duration > 0) {
        to = put_duration(put(to, separator), tree->metadata->duration);
        separator = BRZ_STR(", ");
    }
    return samples == BRZ_NO_COLUMN ? to : put_samples(put(to, separator), tree, samples);
}

static brz_str source_of(brz_output_ctx *ctx)
{
    const brz_source_name *source = ctx->host->extension(ctx, BRZ_SOURCE_NAME_ID);
    return source == NULL ? BRZ_STR("") : source->name(ctx);
}

brz_str title_of(brz_output_ctx *ctx, const brz_tree *tree, brz_str otherwise)
{
    const brz_metadata *m = tree->metadata;
    brz_str subject = m->command.len > 0 ? m->command : source_of(ctx);
    if (subject.len == 0 && m->host.len == 0 && m->duration <= 0)
        return otherwise;
    char *text = ctx->host->alloc(ctx, ROOM, 1), *to = text;
    to = put_beginning(to, subject);
    to = put_amounts(to, tree, subject.len > 0 ? BRZ_STR(": ") : BRZ_STR(""));
    if (m->host.len > 0)
        to = put_beginning(put(to, BRZ_STR(" on ")), m->host);
    return brz_str_of(text, (size_t)(to - text));
}

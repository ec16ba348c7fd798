/* Makes titles from the metadata of profiles. */
#include "title.h"

#include <brazier/xml.h>

#include <string.h>

#include "amount.h"
#include "screen_text.h"

#define LONGEST 120 /* bytes of a command or host that are shown */
#define ROOM    (2 * LONGEST * 3 + 2 * AMOUNT_ROOM + 64)

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

/* Writes what is counted, as the legend of the axis calls it. */
static char *put_event(char *to, const brz_tree *tree)
{
    brz_str name = brz_column_at(tree, tree->main_column)->name;
    return put_beginning(to, name.len > 0 ? name : BRZ_STR("samples"));
}

static char *put_duration(char *to, int64_t nanoseconds)
{
    const brz_column_info info = {.name = BRZ_STR("time"), .unit = BRZ_STR("nanoseconds")};
    const amount_scale scale = amount_scale_of(&info, 1);
    return amount_format(put(to, BRZ_STR(", ")), &scale, nanoseconds);
}

brz_str title_of(brz_output_ctx *ctx, const brz_tree *tree, brz_str otherwise)
{
    const brz_metadata *m = tree->metadata;
    if (m == NULL || (m->command.len == 0 && m->host.len == 0 && m->duration <= 0))
        return otherwise;
    char *text = ctx->host->alloc(ctx, ROOM, 1), *to = text;
    if (m->command.len > 0)
        to = put(put_beginning(to, m->command), BRZ_STR(": "));
    to = put_event(to, tree);
    if (m->duration > 0)
        to = put_duration(to, m->duration);
    if (m->host.len > 0)
        to = put_beginning(put(to, BRZ_STR(" on ")), m->host);
    return brz_str_of(text, (size_t)(to - text));
}

/* States when, where and how a profile of the Firefox Profiler was recorded. */
#include "metadata.h"

#include <brazier/symbol.h>

#include "../../common/json/text.h"

#define NANOSECONDS  6       /* decimals of milliseconds */
#define OWN_INTERVAL 1000000 /* brazier writes a millisecond if it does not know the interval */

static int64_t nanoseconds(brz_ctx *ctx, const brz_json_token *t)
{
    static const column milliseconds = {.most = NANOSECONDS};
    amount a;
    return column_read(&milliseconds, ctx, t, &a) && a.value > 0 ? amount_in(a, NANOSECONDS) : 0;
}

/* Adds a fact if it is known. */
static void add_pair(brz_metadata *m, brz_pair *pairs, brz_ctx *ctx, const char *key,
                     const brz_json_token *value)
{
    brz_str text = json_text(ctx, value);
    if (text.len > 0)
        pairs[m->n_pairs++] = (brz_pair){brz_str_of(key, strlen(key)), text};
}

/* Returns the index of the thread that is shown first. */
static uint32_t selected_thread(brz_ctx *ctx, const brz_json_token *threads)
{
    cursor c;
    bool any = members_open(&c, ctx, threads, BRZ_JSON_ARRAY) && cursor_element(&c);
    return any ? members_number(&c.token, 0) : 0;
}

void metadata_read(firefox *f, brz_ctx *ctx)
{
    const brz_json_token *meta = f->processes[0].meta;
    brz_metadata m = {.struct_size = sizeof m, .pair_size = sizeof(brz_pair)};
    brz_pair pairs[4];
    brz_str importer = json_text(ctx, &meta[META_IMPORTED]);
    f->own = brz_starts_with(importer, BRZ_STR("brazier@"));
    f->selected = selected_thread(ctx, &meta[META_SELECTED]);
    m.producer = importer.len > 0 ? importer : json_text(ctx, &meta[META_PRODUCT]);
    m.start = nanoseconds(ctx, &meta[META_START]);
    m.period = nanoseconds(ctx, &meta[META_INTERVAL]);
    m.architecture = json_text(ctx, &meta[META_ABI]);
    add_pair(&m, pairs, ctx, "system", &meta[META_SYSTEM]);
    add_pair(&m, pairs, ctx, "platform", &meta[META_PLATFORM]);
    add_pair(&m, pairs, ctx, "processor", &meta[META_CPU]);
    if (importer.len > 0 && !f->own)
        add_pair(&m, pairs, ctx, "product", &meta[META_PRODUCT]);
    if (f->own && m.period == OWN_INTERVAL)
        m.period = 0;
    if (m.period > 0) {
        m.period_name = BRZ_STR("time");
        m.period_unit = BRZ_STR("nanoseconds");
    }
    m.pairs = pairs;
    ctx->host->metadata(ctx, &m);
}

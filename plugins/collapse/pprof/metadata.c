/* States what a profile says about the recording. */
#include "metadata.h"

/* Texts that are passed on as pairs. */
static const struct {
    uint32_t field;
    const char *key;
} pairs[] = {
    {PROFILE_DROP_FRAMES, "drop_frames"},
    {PROFILE_KEEP_FRAMES, "keep_frames"},
    {PROFILE_DOC_URL, "doc_url"},
};

#define N_PAIRS (sizeof pairs / sizeof pairs[0])

static void add_pairs(const tables *t, brz_metadata *m, brz_pair list[N_PAIRS])
{
    for (size_t i = 0; i < N_PAIRS; i++) {
        brz_str value = tables_text(t, t->numbers[pairs[i].field], NULL);
        if (value.len == 0)
            continue;
        list[m->n_pairs].key = brz_str_of(pairs[i].key, strlen(pairs[i].key));
        list[m->n_pairs++].value = value;
    }
    m->pairs = list;
}

static void state_comments(const tables *t)
{
    for (size_t i = 0; i < t->n_comments; i++) {
        brz_str comment = tables_text(t, t->comments[i], NULL);
        brz_metadata m = {.struct_size = sizeof m, .pair_size = sizeof(brz_pair)};
        m.comments = &comment;
        m.n_comments = 1;
        t->ctx->host->metadata(t->ctx, &m);
    }
}

void metadata_state(const tables *t)
{
    brz_pair list[N_PAIRS];
    brz_metadata m = {.struct_size = sizeof m, .pair_size = sizeof(brz_pair)};
    const table *periods = &t->of[PROFILE_PERIOD_TYPE];
    m.start = (int64_t)t->numbers[PROFILE_TIME];
    m.duration = (int64_t)t->numbers[PROFILE_DURATION];
    m.period = (int64_t)t->numbers[PROFILE_PERIOD];
    if (periods->n > 0) {
        value_type type = value_type_read(t, periods->items[periods->n - 1]);
        m.period_name = type.name;
        m.period_unit = type.unit;
    }
    add_pairs(t, &m, list);
    t->ctx->host->metadata(t->ctx, &m);
    state_comments(t);
}

/* SPDX-License-Identifier: MIT */
/* Divides a profile into its tables. */
#include "tables.h"

brz_bytes tables_message(brz_str message)
{
    return brz_bytes_of(message.data, message.len);
}

/* Returns whether the host needs a list of the messages in a field. Samples are read in place. */
static bool has_table(uint32_t number)
{
    return number == PROFILE_SAMPLE_TYPE || number == PROFILE_PERIOD_TYPE ||
           (number >= PROFILE_MAPPING && number <= PROFILE_STRING_TABLE);
}

/* Notices profiles one after another. The first text of each is empty and no other one is, and each
 * has sample types, which are therefore between two empty texts. */
static void look_for_another(tables *t, const brz_proto_field *f)
{
    t->has_types |= t->has_texts && f->number == PROFILE_SAMPLE_TYPE;
    if (f->number != PROFILE_STRING_TABLE || brz_bytes_left(&f->part) > 0)
        return;
    if (t->has_types && t->another == NULL)
        t->another = f->part.at;
    t->has_texts = true;
}

/* Counts the entries of each table. Returns the cursor after the last complete field. */
static brz_bytes count_entries(tables *t, const uint8_t *data, size_t len)
{
    brz_bytes b = brz_bytes_of(data, len);
    brz_proto_field f;
    t->samples = b;
    t->run = (quick_run){data, data};
    while (brz_proto_next(&b, &f)) {
        if (f.number == PROFILE_SAMPLE)
            quick_skip_and_keep(&b, PROFILE_SAMPLE, &t->run);
        t->samples.end = b.at;
        if (f.number >= PROFILE_N_FIELDS)
            continue;
        if (f.type == BRZ_PROTO_BYTES && has_table(f.number)) {
            look_for_another(t, &f);
            t->of[f.number].n++;
        } else if (f.number == PROFILE_COMMENT)
            t->n_comments += f.type == BRZ_PROTO_BYTES ? brz_bytes_left(&f.part) : 1;
    }
    return b;
}

static void allocate(tables *t, brz_ctx *ctx)
{
    for (size_t i = 0; i < PROFILE_N_FIELDS; i++) {
        t->of[i].items = ctx->host->alloc(ctx, (t->of[i].n + 1) * sizeof(brz_str), 0);
        t->of[i].n = 0;
    }
    t->comments = ctx->host->alloc(ctx, (t->n_comments + 1) * sizeof *t->comments, 0);
    t->n_comments = 0;
}

static void add_comments(tables *t, brz_proto_field *f)
{
    uint32_t taken = 0;
    uint64_t number;
    while (brz_proto_next_number(f, BRZ_PROTO_VARINT, &taken, &number))
        t->comments[t->n_comments++] = number;
}

static void fill(tables *t)
{
    brz_bytes b = t->samples;
    brz_proto_field f;
    while (brz_proto_next(&b, &f)) {
        if (f.number == PROFILE_SAMPLE)
            quick_skip(&b, PROFILE_SAMPLE, &t->run);
        if (f.number >= PROFILE_N_FIELDS)
            continue;
        table *of = &t->of[f.number];
        if (f.type == BRZ_PROTO_BYTES && has_table(f.number))
            of->items[of->n++] = brz_proto_text(&f);
        else if (f.number == PROFILE_COMMENT)
            add_comments(t, &f);
        else if (f.type == BRZ_PROTO_VARINT)
            t->numbers[f.number] = f.value;
    }
}

static void reject(brz_ctx *ctx, const uint8_t *at, brz_str why)
{
    brz_report(ctx, BRZ_FATAL, "pprof.profile", at, 0, why);
}

bool tables_read(tables *t, brz_ctx *ctx, const uint8_t *data, size_t len)
{
    t->ctx = ctx;
    brz_bytes b = count_entries(t, data, len);
    if (b.error != NULL && !b.is_cut) {
        reject(ctx, b.error_at, BRZ_STR("not a profile, or damaged: no field begins here"));
        return false;
    }
    if (t->of[PROFILE_STRING_TABLE].n == 0) {
        reject(ctx, b.error != NULL ? b.error_at : data, BRZ_STR("not a profile: it has no texts"));
        return false;
    }
    if (t->of[PROFILE_SAMPLE_TYPE].n == 0) {
        reject(ctx, data, BRZ_STR("not a profile: it has no sample types"));
        return false;
    }
    if (t->another != NULL) {
        reject(ctx, t->another,
               BRZ_STR("several profiles one after another: give each one as a file of its own"));
        return false;
    }
    if (b.error != NULL)
        BRZ_WARN(ctx, "pprof.cut", b.error_at, 0,
                 "the input ends within a field: the rest is missing");
    allocate(t, ctx);
    fill(t);
    return true;
}

brz_str tables_text(const tables *t, uint64_t position, const void *at)
{
    const table *texts = &t->of[PROFILE_STRING_TABLE];
    if (position == 0)
        return brz_str_of("", 0);
    if (position < texts->n)
        return texts->items[position];
    BRZ_WARN(t->ctx, "pprof.text", at, 0, "no text has this number: left empty");
    return brz_str_of("", 0);
}

value_type value_type_read(const tables *t, brz_str message)
{
    value_type type = {{"", 0}, {"", 0}};
    brz_bytes b = tables_message(message);
    brz_proto_field f;
    while (brz_proto_next(&b, &f))
        if (f.number == 1)
            type.name = tables_text(t, f.value, b.at);
        else if (f.number == 2)
            type.unit = tables_text(t, f.value, b.at);
    if (b.error != NULL)
        BRZ_WARN(t->ctx, "pprof.type", b.error_at, 0, "a damaged sample type");
    return type;
}

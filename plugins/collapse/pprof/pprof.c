/* SPDX-License-Identifier: MIT */
/* Collapses profiles of pprof: messages of Protocol Buffers, plain or compressed.
 *
 * tables.c divides the profile into its tables, frames.c makes frames of locations, samples.c
 * counts, lists.c remembers stacks, labels.c makes tags. legacy_text.c, legacy_java.c and
 * legacy_binary.c read the profiles of older programs. */
#include <brazier/collapser.h>
#include <brazier/plugin.h>
#include <brazier/text.h>

#include "../../common/shipped.h"
#include "legacy.h"
#include "samples.h"
#include "tables.h"

/* ---- detecting the format -------------------------------------------------------------------- */

/* The number of fields that are examined. */
#define LOOKED_AT 200

/* Returns whether a field of a message Profile has one of the types that it can have. */
static bool has_right_type(const brz_proto_field *f)
{
    switch (f->number) {
    case PROFILE_SAMPLE_TYPE:
    case PROFILE_SAMPLE:
    case PROFILE_MAPPING:
    case PROFILE_LOCATION:
    case PROFILE_FUNCTION:
    case PROFILE_STRING_TABLE:
    case PROFILE_PERIOD_TYPE:
        return f->type == BRZ_PROTO_BYTES;
    case PROFILE_COMMENT:
        return f->type == BRZ_PROTO_BYTES || f->type == BRZ_PROTO_VARINT;
    default:
        return f->number < PROFILE_N_FIELDS && f->type == BRZ_PROTO_VARINT;
    }
}

/* Returns whether a message is a type and a unit, either of which may be missing. */
static bool is_value_type(brz_bytes b)
{
    brz_proto_field f;
    size_t n = 0;
    for (; n <= 2 && brz_proto_next(&b, &f); n++)
        if (f.type != BRZ_PROTO_VARINT || f.number > 2)
            return false;
    return b.error == NULL && (n == 1 || n == 2);
}

/* Returns whether a message is a sample: locations, values and labels. */
static bool is_sample(brz_bytes b)
{
    brz_proto_field f;
    size_t n = 0;
    for (; brz_proto_next(&b, &f); n++)
        if (f.number > 3 || (f.number == 3 && f.type != BRZ_PROTO_BYTES) ||
            (f.type != BRZ_PROTO_BYTES && f.type != BRZ_PROTO_VARINT))
            return false;
    return b.error == NULL && n > 0;
}

/* Implements brz_collapser.sniff. */
static int32_t sniff_message(const brz_head *head)
{
    brz_bytes b = brz_bytes_of(head->data, head->len);
    brz_proto_field f;
    size_t n = 0, types = 0, texts = 0;
    for (; n < LOOKED_AT && brz_proto_next(&b, &f); n++) {
        if (!has_right_type(&f))
            return BRZ_SNIFF_NO;
        bool type = f.number == PROFILE_SAMPLE_TYPE || f.number == PROFILE_PERIOD_TYPE;
        if ((type && !is_value_type(f.part)) || (f.number == PROFILE_SAMPLE && !is_sample(f.part)))
            return BRZ_SNIFF_NO;
        if (f.number == PROFILE_STRING_TABLE && texts++ == 0 && brz_bytes_left(&f.part) > 0)
            return BRZ_SNIFF_NO; /* the first text is empty */
        types += type;
    }
    if ((b.error != NULL && !b.is_cut) || n <= 3)
        return BRZ_SNIFF_NO;
    if (types > 0)
        return BRZ_SNIFF_HEADER;
    return texts > 0 ? BRZ_SNIFF_RECORDS : BRZ_SNIFF_NO;
}

/* ---- facts about the recording --------------------------------------------------------------- */

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

/* Passes time, duration, period, comments and expressions of a profile to the host. */
static void state_facts(const tables *t)
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

/* ---- parsing --------------------------------------------------------------------------------- */

typedef struct options {
    bool addrs;
} options;

typedef struct pprof {
    tables tables;
    frames frames;
    samples samples;
    legacy legacy;
    brz_bytes rest; /* samples that are not read yet, if they are read one by one */
} pprof;

typedef brz_rc read_legacy(legacy *l, brz_str text);

/* Returns the reader for a profile of an older program, or NULL for a message. */
static read_legacy *legacy_reader(brz_str text)
{
    if (legacy_binary_sniff(text) > BRZ_SNIFF_NO)
        return legacy_binary_read;
    if (legacy_java_sniff(text) > BRZ_SNIFF_NO)
        return legacy_java_read;
    return legacy_text_sniff(text) > BRZ_SNIFF_NO ? legacy_text_read : NULL;
}

/* Returns whether a line begins a profile. Those of samples begin with digits or blanks. */
static bool is_title(brz_str line)
{
    bool may_be = line.len > 0 && (line.data[0] == '-' || line.data[0] >= 'A');
    return may_be && (legacy_text_begins(line) || legacy_java_begins(line));
}

/* Takes a profile from the front of a text: up to the next line that begins one. */
static brz_str take_profile(brz_str *text)
{
    brz_str whole = *text, line, rest = whole;
    bool any = false;
    while (brz_take_line(&rest, &line)) {
        if (any && is_title(line))
            break;
        any = any || brz_trim(line).len > 0;
        *text = rest;
    }
    return brz_str_of(whole.data, whole.len - text->len);
}

/* Reads a profile in text form. One with a damaged title, which no reader recognises, costs no
 * other one. */
static brz_rc read_text_profile(legacy *l, brz_str text)
{
    read_legacy *reader = legacy_reader(text);
    brz_str rest = text, title = BRZ_STR("");
    if (reader != NULL)
        return reader(l, text);
    brz_take_line(&rest, &title);
    brz_report_lost(l->ctx, "pprof.profile", title.data, title.len,
                    BRZ_STR("a profile of an unknown form begins here: its samples are left out"));
    return BRZ_OK;
}

/* Reads the profiles of older programs. Those in text form may be appended to each other. */
static brz_rc read_profiles(legacy *l, brz_str text)
{
    brz_rc rc = BRZ_OK;
    if (legacy_binary_sniff(text) > BRZ_SNIFF_NO)
        return legacy_binary_read(l, text);
    for (; rc == BRZ_OK && brz_trim(text).len > 0; legacy_restart(l)) {
        rc = read_text_profile(l, take_profile(&text));
    }
    return rc;
}

/* Reads everything but the samples of a message. */
static bool read_tables(pprof *p, brz_ctx *ctx, const brz_chunk *chunk)
{
    const options *o = ctx->cfg;
    if (!tables_read(&p->tables, ctx, chunk->data, chunk->len))
        return false;
    state_facts(&p->tables);
    if (!frames_init(&p->frames, ctx, &p->tables, chunk->len, o->addrs))
        return false;
    samples_init(&p->samples, ctx, &p->tables, &p->frames);
    return true;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    pprof *p = ctx->inst;
    const options *o = ctx->cfg;
    brz_str text = brz_str_of((const char *)chunk->data, chunk->len);
    *used = chunk->len;
    if (legacy_reader(text) != NULL) {
        legacy_init(&p->legacy, ctx, o->addrs);
        return read_profiles(&p->legacy, text);
    }
    return read_tables(p, ctx, chunk) ? samples_read(&p->samples) : BRZ_ERROR;
}

/* ---- sorted profiles ------------------------------------------------------------------------- */

/* Returns whether a message begins with one sample type and samples. */
static bool is_likely(const brz_head *head)
{
    brz_bytes b = brz_bytes_of(head->data, head->len);
    brz_proto_field f;
    size_t types = 0;
    while (brz_proto_next(&b, &f)) {
        if (f.number == PROFILE_SAMPLE)
            return types == 1;
        types += f.number == PROFILE_SAMPLE_TYPE;
    }
    return false;
}

static bool begin(brz_ctx *ctx, const brz_chunk *whole)
{
    pprof *p = ctx->inst;
    brz_str text = brz_str_of((const char *)whole->data, whole->len);
    if (legacy_reader(text) != NULL || !read_tables(p, ctx, whole))
        return false;
    p->rest = p->tables.samples;
    return p->tables.of[PROFILE_SAMPLE_TYPE].n == 1;
}

static int32_t next(brz_ctx *ctx, brz_sorted_sample *to)
{
    pprof *p = ctx->inst;
    return samples_next(&p->samples, &p->rest, to);
}

SHIPPED_SORTED_READER

static int32_t sniff(const brz_head *head)
{
    brz_str text = brz_str_of((const char *)head->data, head->len);
    return legacy_reader(text) != NULL ? BRZ_SNIFF_HEADER : sniff_message(head);
}

static const char *const globs[] = {"*.pprof", "*.pb.gz", "*.pb", NULL};

static const brz_option option_table[] = {
    BRZ_OPTION(options, "addrs", BOOL, addrs, "false",
               "name unresolved frames by their address, not by their module"),
};

SHIPPED_BINARY_READER(pprof, .sniff = sniff, .offer = offer)

SHIPPED_COLLAPSER(
    "pprof", .summary = "profiles of pprof: of Go programs and of most continuous profilers",
    .help = "Each sample type is a weight of its own: see -w. Record with `curl -o FILE "
            "http://HOST/debug/pprof/profile?seconds=10`, for example.",
    BRZ_OPTIONS(option_table, options))

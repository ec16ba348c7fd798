/* SPDX-License-Identifier: MIT */
/* Counts the samples of a profile. */
#include "samples.h"

#include <brazier/symbol.h>

#include "../../common/sample_count.h"

#define BATCH 1024

/* ---- sample types -------------------------------------------------------------------------- */

/* Returns whether values of a column are readings, such as of memory in use. */
static bool is_gauge(brz_str name)
{
    return brz_starts_with(name, BRZ_STR("inuse_")) || brz_str_equal(name, BRZ_STR("goroutine")) ||
           brz_str_equal(name, BRZ_STR("threadcreate"));
}

static value_type read_type(const samples *s, size_t i)
{
    return value_type_read(s->tables, s->tables->of[PROFILE_SAMPLE_TYPE].items[i]);
}

/* Returns the sample type to show: the one that the profile names, or else the last one. */
static size_t default_type(const samples *s)
{
    uint64_t wanted = s->tables->numbers[PROFILE_DEFAULT_SAMPLE_TYPE];
    brz_str name = tables_text(s->tables, wanted, NULL);
    for (size_t i = 0; i < s->n_columns && name.len > 0; i++)
        if (brz_str_equal(read_type(s, i).name, name))
            return i;
    return s->n_columns - 1;
}

static bool is_repeated(const samples *s, size_t n, brz_str name)
{
    for (size_t i = 0; i < n; i++)
        if (brz_str_equal(read_type(s, i).name, name))
            return true;
    return false;
}

/* Returns the name of a column. Of two sample types with the same name, the second one gets its
 * unit as a suffix. */
static brz_str column_name(samples *s, size_t i, const value_type *type)
{
    if (!is_repeated(s, i, type->name))
        return type->name;
    brz_text *t = &s->frames->scratch;
    t->len = 0;
    brz_text_append(t, s->ctx, type->name);
    brz_text_append(t, s->ctx, BRZ_STR("_"));
    brz_text_append(t, s->ctx, type->unit);
    return brz_text_str(t);
}

static void declare(samples *s, size_t i, bool is_default)
{
    value_type type = read_type(s, i);
    brz_column_desc d = {.struct_size = sizeof d, .unit = type.unit};
    d.name = column_name(s, i, &type);
    d.flags = (is_default ? BRZ_COLUMN_DEFAULT : 0) | (is_gauge(type.name) ? BRZ_COLUMN_GAUGE : 0) |
              sample_count_flags(type.name);
    s->columns[i] = s->ctx->host->column(s->ctx, &d);
}

static void declare_all(samples *s)
{
    size_t n = s->tables->of[PROFILE_SAMPLE_TYPE].n;
    s->n_columns = n < MAX_COLUMNS ? n : MAX_COLUMNS;
    if (n > MAX_COLUMNS)
        BRZ_WARN(s->ctx, "pprof.types", NULL, 0,
                 "more than 255 sample types: the rest is left out");
    s->columns = s->ctx->host->alloc(s->ctx, s->n_columns * sizeof *s->columns, 0);
    s->values = s->ctx->host->alloc(s->ctx, s->n_columns * sizeof *s->values, 0);
    size_t shown = default_type(s);
    for (size_t i = 0; i < s->n_columns; i++)
        declare(s, i, i == shown);
}

void samples_init(samples *s, brz_ctx *ctx, const tables *t, frames *f)
{
    s->ctx = ctx;
    s->tables = t;
    s->frames = f;
    s->wants_tags = (ctx->flags & BRZ_CTX_WANTS_TAGS) != 0;
    s->batch = ctx->host->alloc(ctx, BATCH * sizeof *s->batch, 0);
    brz_stacks_init(&s->stacks, ctx, BRZ_LEAF_FIRST);
    lists_init(&s->lists, ctx);
    declare_all(s);
}

/* ---- samples ------------------------------------------------------------------------------- */

static brz_rc flush(samples *s)
{
    size_t n = s->n_batch;
    s->n_batch = 0;
    return n == 0 ? BRZ_OK : s->ctx->host->add(s->ctx, s->batch, n, sizeof *s->batch);
}

/* Counts the values of a sample. */
static brz_rc count(samples *s, brz_stack stack, brz_tag tag)
{
    brz_rc rc = BRZ_OK;
    uint32_t flags = 0;
    for (size_t i = 0; i < s->n_columns && rc == BRZ_OK; i++) {
        if (s->values[i] == 0)
            continue;
        s->batch[s->n_batch++] = (brz_count){stack, s->columns[i], s->values[i], tag, flags, 0};
        flags = BRZ_SAME_SAMPLE;
        if (s->n_batch == BATCH)
            rc = flush(s);
    }
    return rc;
}

/* Appends the frames of a location to the path. Returns false if the run fails. */
static bool push_location(samples *s, uint64_t id, const uint8_t *at)
{
    const location *l = frames_of(s->frames, id, at);
    if (l == NULL || !frames_spend(s->frames, l->n))
        return false;
    for (size_t i = 0; i < l->n; i++)
        brz_path_push(s->stacks.path, s->ctx, l->frames[i]);
    return true;
}

/* Appends locations of one frame that were read before to the path, for which it has room. Returns
 * the place of the first other location, or the end. */
static inline const uint8_t *push_known(samples *s, const uint8_t *at, const uint8_t *end)
{
    brz_path *p = s->stacks.path;
    size_t n = p->n, most = p->cap < n + s->frames->budget ? p->cap : n + s->frames->budget;
    uint64_t id, hash = p->hashes[n];
    for (; at < end && n < most; n++) {
        const uint8_t *next = quick_varint(at, end, &id);
        const location *l = next != NULL ? frames_known(s->frames, id) : NULL;
        if (l == NULL || l->n != 1)
            break;
        p->ids[n] = l->frames[0];
        hash = brz_hash_step(&p->keys, hash, p->ids[n]);
        p->hashes[n + 1] = hash;
        at = next;
    }
    s->frames->budget -= n - p->n;
    p->n = n;
    return at;
}

/* Appends the frames of locations to the path, up to one whose number is long or damaged. `at` is
 * the start of the list, for messages. Returns false if the run fails. */
static inline bool push_usual(samples *s, brz_bytes *list, const uint8_t *at)
{
    uint64_t id;
    for (;;) {
        list->at = push_known(s, list->at, list->end);
        if (list->at == list->end)
            return true;
        const uint8_t *next = quick_varint(list->at, list->end, &id);
        if (next == NULL)
            return true;
        if (!push_location(s, id, at))
            return false;
        list->at = next;
    }
}

/* Appends the frames of locations, which are innermost first, to the list or to the path. Returns
 * false if the run fails. */
static bool push_locations(samples *s, brz_proto_field *field, bool to_list)
{
    uint32_t taken = 0;
    uint64_t id;
    const uint8_t *at = field->part.at;
    if (!to_list && field->type == BRZ_PROTO_BYTES && !push_usual(s, &field->part, at))
        return false;
    while (brz_proto_next_number(field, BRZ_PROTO_VARINT, &taken, &id)) {
        const location *l = frames_of(s->frames, id, at);
        if (l == NULL || !frames_spend(s->frames, l->n))
            return false;
        for (size_t i = 0; i < l->n; i++)
            if (to_list)
                brz_frame_list_push(&s->list, s->ctx, l->frames[i]);
            else
                brz_path_push(s->stacks.path, s->ctx, l->frames[i]);
    }
    return true;
}

/* Reads values after the first `n` ones. Returns the number of values so far. */
static size_t take_values(samples *s, brz_proto_field *field, size_t n)
{
    uint32_t taken = 0;
    uint64_t value;
    for (; brz_proto_next_number(field, BRZ_PROTO_VARINT, &taken, &value); n++)
        if (n < s->n_columns)
            s->values[n] = (int64_t)value;
    return n;
}

static void check_values(samples *s, const uint8_t *at, size_t n)
{
    if (n != s->tables->of[PROFILE_SAMPLE_TYPE].n)
        BRZ_WARN(s->ctx, "pprof.values", at, 0,
                 "not one value for each sample type: missing ones count as 0");
}

/* Reports a damaged sample of which `n` values were read. Its weight is known if all were. */
static void report_damaged(samples *s, const uint8_t *at, size_t n)
{
    static const char text[] = "a damaged sample: left out";
    brz_str msg = brz_str_of(text, sizeof text - 1);
    if (n == s->tables->of[PROFILE_SAMPLE_TYPE].n && s->n_columns > 0)
        brz_report_lost_weight(s->ctx, "pprof.sample", at, 0, msg, s->values[0]);
    else
        brz_report_lost(s->ctx, "pprof.sample", at, 0, msg);
}

/* The stack of a sample that is being read. */
typedef struct sample_stack {
    size_t n_lists;          /* number of its lists of locations */
    brz_bytes list;          /* the first one, if it is packed */
    const known_list *known; /* the stack of the first list, which is not in the path; or NULL */
    uint64_t n_missing;      /* of locations, before the sample */
} sample_stack;

/* Takes the first list of a sample, if its stack is known. Returns false if the run fails. */
static bool take_known(samples *s, sample_stack *to, brz_proto_field *field)
{
    to->list = field->part;
    to->known = lists_find(&s->lists, brz_proto_text(field));
    return to->known == NULL || frames_spend(s->frames, to->known->n_frames);
}

/* Appends the locations of a known list to the path after all, since another list follows. */
static bool push_first(samples *s, sample_stack *to)
{
    brz_proto_field field = {.number = 1, .type = BRZ_PROTO_BYTES, .part = to->list};
    s->frames->budget += to->known->n_frames;
    to->known = NULL;
    return push_locations(s, &field, false);
}

/* Takes a list of locations, which is packed or not. Returns false if the run fails. */
static bool take_list(samples *s, sample_stack *to, brz_proto_field *field)
{
    if (to->n_lists++ == 0 && field->type == BRZ_PROTO_BYTES && !take_known(s, to, field))
        return false;
    if (to->n_lists == 1 && to->known != NULL)
        return true;
    if (to->known != NULL && !push_first(s, to))
        return false;
    return push_locations(s, field, false);
}

/* Returns the stack of a sample that is not damaged, and remembers it for others. */
static brz_stack find_stack(samples *s, const sample_stack *of)
{
    if (of->known != NULL)
        return of->known->stack;
    known_list list = {{(const char *)of->list.at, brz_bytes_left(&of->list)}, 0, 0};
    list.stack = brz_stacks_entry_of(&s->stacks, s->ctx, 0)->stack;
    list.n_frames = s->stacks.path->n;
    if (of->n_lists == 1 && of->n_missing == s->frames->n_missing)
        lists_add(&s->lists, s->ctx, &list);
    return list.stack;
}

/* Reads a sample, which is left out if it is damaged. */
static brz_rc read_sample(samples *s, brz_bytes b)
{
    const uint8_t *start = b.at;
    brz_bytes whole = b;
    brz_proto_field field;
    sample_stack stack = {.n_missing = s->frames->n_missing};
    size_t n = 0;
    brz_path_cut(s->stacks.path, 0);
    memset(s->values, 0, s->n_columns * sizeof *s->values);
    while (brz_proto_next(&b, &field)) {
        if (field.number == 1 && !take_list(s, &stack, &field))
            return BRZ_ERROR;
        if (field.number == 2)
            n = take_values(s, &field, n);
        brz_bytes_join(&b, &field.part);
    }
    if (b.error != NULL) {
        report_damaged(s, b.error_at, n);
        return BRZ_OK;
    }
    check_values(s, start, n);
    brz_stack found = find_stack(s, &stack);
    return count(s, found, s->wants_tags ? labels_tag(&s->labels, s->frames, whole) : BRZ_NO_TAG);
}

brz_rc samples_read(samples *s)
{
    brz_bytes b = s->tables->samples;
    brz_proto_field field;
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && brz_proto_next(&b, &field))
        if (field.number == PROFILE_SAMPLE && field.type == BRZ_PROTO_BYTES)
            rc = read_sample(s, field.part);
    return rc == BRZ_OK ? flush(s) : rc;
}

/* ---- sorted samples ------------------------------------------------------------------------ */

/* Reads a sample with one value. Returns false if it has to be collapsed. */
static bool read_one_value(samples *s, brz_bytes b, int64_t *count)
{
    brz_proto_field field;
    size_t n = 0;
    s->list.n = 0;
    while (brz_proto_next(&b, &field)) {
        if (field.number == 1 && !push_locations(s, &field, true))
            return false;
        if (field.number == 2)
            n = take_values(s, &field, n);
        brz_bytes_join(&b, &field.part);
    }
    *count = s->values[0];
    return b.error == NULL && n == 1 && s->list.n <= UINT32_MAX;
}

int32_t samples_next(samples *s, brz_bytes *rest, brz_sorted_sample *to)
{
    brz_proto_field field;
    while (brz_proto_next(rest, &field)) {
        if (field.number != PROFILE_SAMPLE || field.type != BRZ_PROTO_BYTES)
            continue;
        if (!read_one_value(s, field.part, &to->count))
            return BRZ_SORTED_OTHER;
        to->frames = s->list.ids;
        to->n = (uint32_t)s->list.n;
        to->flags = BRZ_LEAF_FIRST;
        return BRZ_SORTED_NEXT;
    }
    return rest->error == NULL ? BRZ_SORTED_END : BRZ_SORTED_OTHER;
}

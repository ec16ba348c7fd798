/* SPDX-License-Identifier: MIT */
/* Counts the samples of a profile. */
#include "profile.h"

#include "../../common/budget.h"

#define BATCH 1024

/* A profile being read. */
typedef struct profile {
    profiles *all;
    const tables *tables;
    attributes *attributes;
    frames *frames;
    number_list locations; /* to which samples have ranges */
    table types;           /* messages */
    number_list columns;   /* of its types: ids of the host, or NO_COLUMN */
    brz_metadata facts;
    int64_t default_type; /* index */
    int64_t default_name; /* number of its text; 0: unknown */
    brz_str other_format; /* of its original data */
    bool has_samples;
} profile;

#define NO_COLUMN (-1)

void profiles_init(profiles *p, brz_ctx *ctx, size_t len, bool addresses)
{
    p->ctx = ctx;
    p->columns.ctx = ctx;
    p->budget = budget_of(len);
    p->addresses = addresses;
    p->wants_time = (ctx->flags & BRZ_CTX_WANTS_TIME) != 0;
    p->batch = ctx->host->alloc(ctx, BATCH * sizeof *p->batch, 0);
    brz_stacks_init(&p->stacks, ctx, BRZ_LEAF_FIRST);
    tags_init(&p->tags, ctx);
}

/* ---- counting -------------------------------------------------------------------------------- */

static brz_rc flush(profiles *p)
{
    size_t n = p->n_batch;
    p->n_batch = 0;
    return n == 0 ? BRZ_OK : p->ctx->host->add(p->ctx, p->batch, n, sizeof *p->batch);
}

brz_rc profiles_finish(profiles *p)
{
    return flush(p);
}

static brz_rc add(profiles *p, brz_count count)
{
    p->batch[p->n_batch++] = count;
    return p->n_batch == BATCH ? flush(p) : BRZ_OK;
}

/* Makes the count one of a sample with a time. */
static void set_time(const profile *p, brz_count *count, const sample *s, size_t i)
{
    if (!p->all->wants_time || i >= s->times.n)
        return;
    count->time = s->times.items[i];
    count->flags |= BRZ_TIMED;
}

/* Counts a sample of a profile with one type, which was taken at each of its times. */
static brz_rc count_times(profile *p, const sample *s, brz_count count)
{
    brz_rc rc = BRZ_OK;
    if (s->values.n == 0 && !p->all->wants_time) {
        count.value = (int64_t)s->times.n;
        return add(p->all, count);
    }
    for (size_t i = 0; i < s->times.n && rc == BRZ_OK; i++) {
        count.flags = 0;
        count.value = s->values.n == 0 ? 1 : s->values.items[i];
        set_time(p, &count, s, i);
        if (count.value != 0)
            rc = add(p->all, count);
    }
    return rc;
}

/* Counts the values of a sample, one of each type. */
static brz_rc count_types(profile *p, const sample *s, brz_count count)
{
    brz_rc rc = BRZ_OK;
    for (size_t i = 0; i < s->values.n && rc == BRZ_OK; i++) {
        size_t type = i < p->columns.n ? i : 0;
        count.value = s->values.items[i];
        if (count.value == 0 || p->columns.items[type] == NO_COLUMN)
            continue;
        count.column = (uint32_t)p->columns.items[type];
        if (s->times.n == 1)
            set_time(p, &count, s, 0);
        rc = add(p->all, count);
        count.flags = BRZ_SAME_SAMPLE;
    }
    return rc;
}

/* Warns if the numbers of values, types and times do not fit each other. */
static void check_values(const profile *p, const sample *s)
{
    bool one = p->columns.n == 1;
    if (!one && s->values.n != p->columns.n)
        BRZ_WARN(p->all->ctx, "otlp.values", s->at, 0,
                 "not one value for each type: missing ones count as 0");
    else if (one && s->values.n > 1)
        BRZ_WARN(p->all->ctx, "otlp.times", s->at, 0,
                 "not one value for each time: the values count without times");
}

static brz_rc count(profile *p, const sample *s, brz_stack stack, brz_tag tag)
{
    brz_count c = {stack, (uint32_t)p->columns.items[0], 0, tag, 0, 0};
    bool one = p->columns.n == 1 && p->columns.items[0] != NO_COLUMN;
    if (one && s->times.n > 0 && (s->values.n == 0 || s->values.n == s->times.n))
        return count_times(p, s, c);
    check_values(p, s);
    return count_types(p, s, c);
}

/* ---- samples --------------------------------------------------------------------------------- */

/* Pushes the locations of a range of the profile's list. */
static bool push_range(profile *p, const sample *s)
{
    int64_t n = (int64_t)p->locations.n;
    bool fits =
        s->first >= 0 && s->n_locations >= 0 && s->first <= n && s->n_locations <= n - s->first;
    int64_t end = fits ? s->first + s->n_locations : 0;
    if (!fits)
        BRZ_WARN(p->all->ctx, "otlp.range", s->at, 0,
                 "the profile has no such locations: the stack is unknown");
    for (int64_t i = s->first; i < end; i++)
        if (!frames_push(p->frames, p->locations.items[i], s->at))
            return false;
    return true;
}

static bool find_stack(profile *p, const sample *s, brz_stack *stack)
{
    if (!s->has_range)
        return frames_stack(p->frames, s->stack, s->at, stack);
    brz_path_cut(p->all->stacks.path, 0);
    if (!push_range(p, s))
        return false;
    *stack = frames_store(p->frames, s->at);
    return true;
}

/* Reads the members of a sample. Returns false if it is damaged. */
static bool read_members(profile *p, sample *s, brz_str message)
{
    profiles *all = p->all;
    fields f;
    sample_start(s, message, p->locations.n > 0);
    fields_start(&f, p->tables->document, &schema_sample, message);
    while (fields_next(&f)) {
        if (f.member == SAMPLE_STACK)
            s->stack = f.number;
        else if (f.member == SAMPLE_FIRST_LOCATION)
            s->first = f.number;
        else if (f.member == SAMPLE_N_LOCATIONS)
            s->n_locations = f.number;
        else if (f.member == SAMPLE_LINK)
            s->link = f.number;
        else if (f.member != SAMPLE_ATTRIBUTES)
            number_list_push(all->ctx, f.member == SAMPLE_VALUES ? &s->values : &s->times,
                             f.number);
        else
            tags_add_attribute(&all->tags, p->attributes, f.number, f.at);
        s->has_range |= f.member == SAMPLE_FIRST_LOCATION || f.member == SAMPLE_N_LOCATIONS;
    }
    return f.damage == NULL;
}

/* Reads a sample. Returns false if it is damaged. */
static bool take_sample(profile *p, sample *s, brz_str message)
{
    const document *d = p->tables->document;
    sample_start(s, message, p->locations.n > 0);
    if (d->is_json || !sample_read_usual(s, d, &p->all->members, message))
        return read_members(p, s, message);
    brz_bytes list = brz_bytes_of(s->attributes.data, s->attributes.len);
    while (brz_bytes_left(&list) > 0) {
        const uint8_t *at = list.at;
        tags_add_attribute(&p->all->tags, p->attributes, (int64_t)brz_bytes_varint(&list), at);
    }
    return true;
}

/* Reports a sample that is left out. Its weight is known if it has one value. */
static void report_lost(profile *p, const sample *s, brz_str why)
{
    if (s->values.n > 0)
        brz_report_lost_weight(p->all->ctx, "otlp.sample", s->at, 0, why, s->values.items[0]);
    else
        brz_report_lost(p->all->ctx, "otlp.sample", s->at, 0, why);
}

static brz_rc read_sample(profile *p, brz_str message)
{
    profiles *all = p->all;
    sample *s = &all->sample;
    brz_stack stack;
    brz_tag tag = BRZ_NO_TAG;
    tags_begin_sample(&all->tags);
    if (!take_sample(p, s, message)) {
        report_lost(p, s, BRZ_STR("a damaged sample: left out"));
        return BRZ_OK;
    }
    if (s->values.n + s->times.n == 0) {
        report_lost(p, s, BRZ_STR("a sample without values and times: left out"));
        return BRZ_OK;
    }
    tags_add_link(&all->tags, p->tables, s->link, s->at);
    if (!tags_of_sample(&all->tags, p->frames, &tag))
        return BRZ_ERROR;
    return find_stack(p, s, &stack) ? count(p, s, stack, tag) : BRZ_ERROR;
}

static brz_rc read_samples(profile *p, brz_str message)
{
    brz_rc rc = BRZ_OK;
    fields f;
    tags_begin_profile(&p->all->tags);
    fields_start(&f, p->tables->document, &schema_profile, message);
    while (rc == BRZ_OK && fields_next(&f))
        if (f.member == PROFILE_SAMPLES)
            rc = read_sample(p, f.text);
    return rc;
}

/* ---- the profile ----------------------------------------------------------------------------- */

/* Returns whether the type of this index is to be shown. */
static bool is_default(const profile *p, size_t i, const value_type *type)
{
    if (p->default_name != 0)
        return type->index == p->default_name;
    return (int64_t)i == p->default_type;
}

static void push_column(profile *p, bool known, uint32_t id)
{
    number_list_push(p->all->ctx, &p->columns, known ? (int64_t)id : NO_COLUMN);
}

/* Declares the types. Only the first profile with a type says which one is shown. */
static void declare(profile *p)
{
    columns *all = &p->all->columns;
    bool first = all->n == 0;
    value_type type = {{"", 0}, {"", 0}, 0};
    uint32_t id = 0;
    for (size_t i = 0; i < p->types.n; i++) {
        type = tables_value_type(p->tables, p->types.items[i]);
        bool known = columns_find(all, &type, first && is_default(p, i, &type), &id);
        if (!known)
            BRZ_WARN(p->all->ctx, "otlp.types", p->types.items[i].data, 0,
                     "more than 255 types of values: the values of this one are left out");
        push_column(p, known, id);
    }
    if (p->types.n == 0) {
        bool known = columns_find(all, &type, first, &id);
        push_column(p, known, id);
    }
}

static void add_attribute(profile *p, const fields *f)
{
    const brz_label *label = attributes_find(p->attributes, f->number, f->at);
    if (label != NULL)
        tags_add(&p->all->tags, label);
}

static void state_comment(const profile *p, const fields *f)
{
    brz_str comment = tables_text(p->tables, f->number, f->at);
    brz_metadata m = {.struct_size = sizeof m, .pair_size = sizeof(brz_pair)};
    m.comments = &comment;
    m.n_comments = 1;
    p->all->ctx->host->metadata(p->all->ctx, &m);
}

static void take_period_type(profile *p, brz_str message)
{
    value_type type = tables_value_type(p->tables, message);
    p->facts.period_name = type.name;
    p->facts.period_unit = type.unit;
}

/* Takes a member that is neither a table nor a sample. */
static void take_member(profile *p, const fields *f)
{
    switch (f->member) {
    case PROFILE_TYPES:
        table_add(&p->types, p->all->ctx, f->text);
        break;
    case PROFILE_LOCATIONS:
        number_list_push(p->all->ctx, &p->locations, f->number);
        break;
    case PROFILE_TIME:
        p->facts.start = f->number;
        break;
    case PROFILE_DURATION:
        p->facts.duration = f->number;
        break;
    case PROFILE_PERIOD_TYPE:
        take_period_type(p, f->text);
        break;
    case PROFILE_PERIOD:
        p->facts.period = f->number;
        break;
    case PROFILE_COMMENTS:
        state_comment(p, f);
        break;
    case PROFILE_DEFAULT_INDEX:
        p->default_type = f->number;
        break;
    case PROFILE_DEFAULT_TEXT:
        p->default_name = f->number;
        break;
    case PROFILE_ATTRIBUTES:
        add_attribute(p, f);
        break;
    case PROFILE_PAYLOAD_FORMAT:
        p->other_format = f->text;
        break;
    default:
        p->has_samples |= f->member == PROFILE_SAMPLES;
    }
}

/* Reads everything but the samples. */
static void read_members_of_profile(profile *p, brz_str message)
{
    fields f;
    p->facts.struct_size = sizeof p->facts;
    p->facts.pair_size = sizeof(brz_pair);
    fields_start(&f, p->tables->document, &schema_profile, message);
    f.may_have_samples = true;
    while (fields_next(&f)) {
        if (f.member == PROFILE_CONTAINED)
            BRZ_WARN(p->all->ctx, "otlp.experimental", f.at, 0,
                     "a profile of the experimental definition before 1.4: left out");
        take_member(p, &f);
        if (f.member == PROFILE_SAMPLES)
            fields_skip_equal(&f);
    }
    fields_finish(&f, "otlp.profile");
    p->all->ctx->host->metadata(p->all->ctx, &p->facts);
    if (!p->has_samples && p->other_format.len > 0)
        BRZ_WARN(p->all->ctx, "otlp.payload", message.data, 0,
                 "a profile that has only data of its original format: left out");
}

static brz_rc read_profile(profile *p, brz_str message)
{
    size_t labels = p->all->tags.n;
    brz_rc rc;
    read_members_of_profile(p, message);
    if (!p->has_samples)
        return BRZ_OK;
    if (p->types.n == 0)
        BRZ_WARN(p->all->ctx, "otlp.type", message.data, 0,
                 "a profile that does not say of which type its values are");
    declare(p);
    rc = read_samples(p, message);
    tags_cut(&p->all->tags, labels);
    return rc;
}

brz_rc profiles_read(profiles *all, const tables *t, attributes *a, frames *f, brz_str message)
{
    profile p = {.all = all, .tables = t, .attributes = a, .frames = f};
    all->members = sample_members_of(t->document->layout);
    tables own;
    attributes own_attributes;
    frames own_frames;
    tables_init(&own, t->document);
    if (t->of[TABLE_TEXTS].n == 0)
        tables_collect(&own, &schema_profile, message);
    if (own.of[TABLE_TEXTS].n > 0) {
        attributes_init(&own_attributes, &own);
        frames_init(&own_frames, &own, &own_attributes, &all->stacks, all->addresses, &all->budget);
        p.tables = &own;
        p.attributes = &own_attributes;
        p.frames = &own_frames;
    }
    return read_profile(&p, message);
}

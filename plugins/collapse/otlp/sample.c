/* SPDX-License-Identifier: MIT */
/* Reads the usual samples quickly. */
#include "sample.h"

sample_members sample_members_of(layout l)
{
    sample_members m = {.has_fixed_times = l >= LAYOUT_STACKS};
    memset(m.of, SAMPLE_OTHER, sizeof m.of);
    for (size_t i = 0; i < schema_sample.n; i++) {
        uint8_t number = schema_sample.members[i].numbers[l];
        if (number > 0 && number < N_SAMPLE_NUMBERS)
            m.of[number] = (uint8_t)i;
    }
    return m;
}

/* Takes a number, or a packed list of varints. Returns false if it is damaged. */
static inline bool take_numbers(brz_ctx *ctx, number_list *to, const quick_field *f)
{
    const uint8_t *at = f->at;
    uint64_t number;
    if (f->type != BRZ_PROTO_BYTES) {
        number_list_push(ctx, to, (int64_t)f->value);
        return true;
    }
    const uint8_t *end = at + f->value;
    while (at != NULL && at < end) {
        at = quick_varint(at, end, &number);
        number_list_push(ctx, to, (int64_t)number);
    }
    return at != NULL;
}

/* Takes a number, or a list of numbers of 8 bytes, likewise. */
static bool take_fixed(brz_ctx *ctx, number_list *to, const quick_field *f)
{
    if (f->type != BRZ_PROTO_BYTES)
        return take_numbers(ctx, to, f);
    for (uint64_t i = 0; i + 8 <= f->value; i += 8)
        number_list_push(ctx, to, (int64_t)brz_load_u64(f->at + i, BRZ_LITTLE_ENDIAN));
    return f->value % 8 == 0;
}

/* Keeps a list of attributes. Returns false if it is not the only one, not packed, or damaged. */
static bool take_attributes(sample *s, const quick_field *f)
{
    const uint8_t *at = f->at;
    uint64_t number;
    if (f->type != BRZ_PROTO_BYTES || s->attributes.len > 0)
        return false;
    const uint8_t *end = at + f->value;
    s->attributes = brz_str_of((const char *)f->at, f->value);
    while (at != NULL && at < end)
        at = quick_varint(at, end, &number);
    return at != NULL;
}

/* Takes a member. Returns false if it has an unusual type, or is damaged. */
static inline bool take_member(sample *s, brz_ctx *ctx, const sample_members *m,
                               const quick_field *f)
{
    int64_t number = (int64_t)f->value;
    bool is_list = f->type == BRZ_PROTO_BYTES;
    switch (f->number < N_SAMPLE_NUMBERS ? m->of[f->number] : SAMPLE_OTHER) {
    case SAMPLE_STACK:
        s->stack = number;
        return !is_list;
    case SAMPLE_FIRST_LOCATION:
        s->first = number;
        s->has_range = true;
        return !is_list;
    case SAMPLE_N_LOCATIONS:
        s->n_locations = number;
        s->has_range = true;
        return !is_list;
    case SAMPLE_LINK:
        s->link = number;
        return !is_list;
    case SAMPLE_VALUES:
        return take_numbers(ctx, &s->values, f);
    case SAMPLE_TIMES:
        return m->has_fixed_times ? take_fixed(ctx, &s->times, f) : take_numbers(ctx, &s->times, f);
    case SAMPLE_ATTRIBUTES:
        return take_attributes(s, f);
    default:
        return true;
    }
}

bool sample_read_usual(sample *s, const document *d, const sample_members *m, brz_str message)
{
    const uint8_t *at = (const uint8_t *)message.data, *end = at + message.len;
    quick_field f;
    while (at != NULL && at < end) {
        at = quick_next(at, end, &f);
        if (at == NULL || !take_member(s, d->ctx, m, &f))
            return false;
    }
    return true;
}

/* SPDX-License-Identifier: MIT */
/* Recognises messages of OpenTelemetry's profiles in Protocol Buffers, and the version of their
 * definition.
 *
 * Versions number the same fields differently. What tells them apart are the types of some fields:
 * a list or text is BRZ_PROTO_BYTES, a number BRZ_PROTO_VARINT or BRZ_PROTO_FIXED64. */
#include "layout.h"

#include <brazier/collapser.h>

/* Bits for what the fields of samples and profiles show of their layout. */
enum {
    SAYS_DICTIONARY = 1, /* LAYOUT_DICTIONARY, or a layout before it */
    SAYS_STACKS = 2,     /* LAYOUT_STACKS */
    SAYS_USUAL = 4,      /* LAYOUT_USUAL */
    SAYS_LATER = 8,      /* one of these two */
    HINTS_STACKS = 16,   /* an id of a profile where LAYOUT_STACKS has it */
    HINTS_USUAL = 32,    /* the same of LAYOUT_USUAL */
    HAS_TIMES = 64,      /* samples with times */
    SAYS_EXPERIMENTAL = 128,
};

#define ID_SIZE 16 /* of a profile */

/* ---- versions -------------------------------------------------------------------------------- */

static unsigned sample_says(brz_bytes b)
{
    unsigned says = 0;
    brz_proto_field f;
    while (fields_take(&b, &f)) {
        bool bytes = f.type == BRZ_PROTO_BYTES;
        if (f.number == 2 && f.type == BRZ_PROTO_VARINT)
            says |= SAYS_DICTIONARY;
        else if (f.number == 3 || f.number == 4)
            says |= bytes == (f.number == 3) ? SAYS_STACKS : SAYS_USUAL;
        else if (f.number == 5 && bytes)
            says |= HAS_TIMES;
    }
    return says & SAYS_DICTIONARY ? SAYS_DICTIONARY : says;
}

/* Returns what a field of a profile says, except for one of samples. */
static unsigned field_says(const brz_proto_field *f)
{
    bool bytes = f->type == BRZ_PROTO_BYTES;
    bool id = bytes && brz_bytes_left(&f->part) == ID_SIZE;
    switch (f->number) {
    case 2:
        return f->type == BRZ_PROTO_FIXED64 ? SAYS_EXPERIMENTAL : 0;
    case 3:
        return bytes ? SAYS_DICTIONARY : f->type == BRZ_PROTO_FIXED64 ? SAYS_LATER : 0;
    case 5:
        return bytes ? SAYS_LATER : SAYS_DICTIONARY;
    case 6:
        return bytes ? SAYS_DICTIONARY : SAYS_LATER;
    case 7:
        return id ? HINTS_USUAL : bytes ? 0 : SAYS_DICTIONARY;
    case 8:
        return id ? HINTS_STACKS : 0;
    default:
        return f->number > 12 ? SAYS_DICTIONARY : 0;
    }
}

static unsigned profile_says(brz_bytes b, quick_run *longest)
{
    unsigned says = 0, samples = 0;
    brz_proto_field f;
    while (fields_take(&b, &f)) {
        says |= field_says(&f);
        if (f.number != 2 || f.type != BRZ_PROTO_BYTES)
            continue;
        if (!(samples & (SAYS_USUAL | SAYS_STACKS)))
            samples |= sample_says(f.part);
        if (samples & (SAYS_USUAL | SAYS_STACKS))
            quick_skip_and_keep(&b, 2, longest);
    }
    if (says & (SAYS_DICTIONARY | SAYS_LATER))
        samples &= ~(unsigned)SAYS_DICTIONARY;
    return says | (says & SAYS_DICTIONARY ? 0 : samples);
}

/* Returns whether nothing that follows can change the decision. */
static bool is_decided(unsigned says)
{
    return (says & SAYS_DICTIONARY) || ((says & SAYS_LATER) && (says & (SAYS_STACKS | SAYS_USUAL)));
}

/* Returns what the profiles in the data say, up to one that decides. */
static unsigned data_says(brz_bytes data, quick_run *longest)
{
    brz_proto_field resource, scope, profile;
    unsigned says = 0;
    while (!is_decided(says) && fields_take(&data, &resource)) {
        if (resource.number != 1)
            continue;
        while (fields_take(&resource.part, &scope)) {
            if (scope.number != 2)
                continue;
            while (fields_take(&scope.part, &profile))
                if (profile.number == 2 && profile.type == BRZ_PROTO_BYTES)
                    says |= profile_says(profile.part, longest);
        }
    }
    return says;
}

/* Decides between versions that have a dictionary. */
static layout with_dictionary(unsigned says)
{
    if (says & SAYS_DICTIONARY)
        return LAYOUT_DICTIONARY;
    if (says & (SAYS_USUAL | SAYS_STACKS))
        return says & SAYS_USUAL ? LAYOUT_USUAL : LAYOUT_STACKS;
    if (says & (HINTS_USUAL | HINTS_STACKS))
        return says & HINTS_USUAL ? LAYOUT_USUAL : LAYOUT_STACKS;
    return says & HAS_TIMES || !(says & SAYS_LATER) ? LAYOUT_USUAL : LAYOUT_STACKS;
}

/* Decides by the tables that are members of the data. */
static layout layout_of(brz_bytes data, unsigned says)
{
    brz_proto_field f;
    layout found = LAYOUT_PROFILE;
    while (fields_take(&data, &f))
        if (f.number > 2)
            return LAYOUT_DATA;
        else if (f.number == 2)
            found = LAYOUT_DICTIONARY;
    return found == LAYOUT_PROFILE ? found : with_dictionary(says);
}

bool layout_find(document *d, brz_str data)
{
    brz_bytes b = brz_bytes_of(data.data, data.len);
    d->samples = (quick_run){b.at, b.at};
    unsigned says = data_says(b, &d->samples);
    d->layout = layout_of(b, says);
    return (says & SAYS_EXPERIMENTAL) == 0;
}

/* ---- framed messages ------------------------------------------------------------------------- */

bool layout_take_framed(brz_str *text, brz_str *message)
{
    if (text->len < 4)
        return false;
    size_t n = brz_load_u32((const uint8_t *)text->data, BRZ_BIG_ENDIAN);
    size_t left = text->len - 4;
    *message = brz_str_of(text->data + 4, n < left ? n : left);
    *text = brz_str_from(*text, 4 + message->len);
    return true;
}

/* ---- recognising ----------------------------------------------------------------------------- */

/* Returns whether a message consists of fields up to `most` that are all texts or messages. */
static bool has_only_parts(brz_bytes b, uint32_t most)
{
    brz_proto_field f;
    size_t n = 0;
    for (; fields_take(&b, &f); n++)
        if (f.number > most || f.type != BRZ_PROTO_BYTES)
            return false;
    return n > 0 && (b.error == NULL || b.is_cut);
}

/* Returns whether a message is a type and a unit, numbers of texts. */
static bool is_type(brz_bytes b)
{
    brz_proto_field f;
    size_t n = 0;
    for (; fields_take(&b, &f); n++)
        if (f.number > 3 || f.type != BRZ_PROTO_VARINT)
            return false;
    return n > 0 && (b.error == NULL || b.is_cut);
}

/* Returns whether a message is a sample: one or more numbers, and lists of them. */
static bool is_sample(brz_bytes b)
{
    brz_proto_field f;
    size_t n = 0;
    for (; fields_take(&b, &f); n++)
        if (f.number > 6 || (f.number == 1 && f.type != BRZ_PROTO_VARINT) ||
            (f.type != BRZ_PROTO_VARINT && f.type != BRZ_PROTO_BYTES))
            return false;
    return n > 0 && (b.error == NULL || b.is_cut);
}

/* Returns whether a message is a profile: it begins with a type and samples. */
static bool is_profile(brz_bytes b)
{
    brz_proto_field f;
    size_t types = 0, samples = 0;
    while (fields_take(&b, &f)) {
        if (f.number == 1 && (f.type != BRZ_PROTO_BYTES || !is_type(f.part)))
            return false;
        if (f.number == 2 && (f.type != BRZ_PROTO_BYTES || !is_sample(f.part)))
            return false;
        types += f.number == 1;
        samples += f.number == 2;
    }
    return (b.error == NULL || b.is_cut) && (types > 0 || samples > 0);
}

/* Returns whether a message wraps a profile of the experimental definition: it begins with an id
 * and a time. */
static bool is_container(brz_bytes b)
{
    brz_proto_field id, start;
    return fields_take(&b, &id) && id.number == 1 && brz_bytes_left(&id.part) == ID_SIZE &&
           fields_take(&b, &start) && start.number == 2 && start.type == BRZ_PROTO_FIXED64;
}

/* Returns whether the first profile of a message is one. */
static bool contains_profile(brz_bytes resources)
{
    brz_proto_field scope, profile;
    while (fields_take(&resources, &scope)) {
        if (scope.number != 2)
            continue;
        while (fields_take(&scope.part, &profile))
            if (profile.number == 2)
                return profile.type == BRZ_PROTO_BYTES &&
                       (is_profile(profile.part) || is_container(profile.part));
    }
    return false;
}

/* Returns whether a message is a dictionary of which the texts come last. */
static bool is_dictionary(brz_bytes b)
{
    brz_proto_field f;
    brz_bytes whole = b;
    while (fields_take(&b, &f))
        if (f.number == 2 || f.number == 5)
            return has_only_parts(whole, 7);
    return false;
}

int32_t layout_sniff(brz_bytes head)
{
    brz_bytes whole = head;
    brz_proto_field f;
    bool dictionary = false;
    if (!has_only_parts(whole, 8))
        return BRZ_SNIFF_NO;
    while (fields_take(&head, &f)) {
        if (f.number == 1 && (!has_only_parts(f.part, 3) || !contains_profile(f.part)))
            return BRZ_SNIFF_NO;
        if (f.number == 1)
            return BRZ_SNIFF_HEADER;
        dictionary |= f.number == 2 && is_dictionary(f.part);
    }
    return dictionary ? BRZ_SNIFF_RECORDS : BRZ_SNIFF_NO;
}

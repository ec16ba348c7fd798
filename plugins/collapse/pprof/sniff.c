/* Recognises profiles. The format has no magic number: the beginning has to be fields of a profile,
 * with the right types, and one of its smallest messages has to be valid. */
#include "sniff.h"

#include "tables.h"

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

int32_t pprof_sniff(const brz_head *head)
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

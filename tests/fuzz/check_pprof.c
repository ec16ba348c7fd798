/* SPDX-License-Identifier: MIT */
/* Checks pprof: the file is one gzip member, or none, that decodes, and its numbers refer to what
 * is there. */
#include "fuzz.h"
#include "output.h"

#include <zlib.h>

#include "profile.h"
#include "../../plugins/common/pprof_fields.h"

#include <brazier/binary.h>

static void inflate_all(brz_str bytes, brz_buf *out)
{
    z_stream z = {.next_in = (Bytef *)(uintptr_t)bytes.data, .avail_in = (uInt)bytes.len};
    int rc = inflateInit2(&z, 15 + 16);
    FUZZ_REQUIRE(rc == Z_OK, "no decoder");
    while (rc == Z_OK) {
        z.next_out = (Bytef *)brz_buf_room(out, 65536);
        z.avail_out = 65536;
        rc = inflate(&z, Z_NO_FLUSH);
        out->len += 65536 - z.avail_out;
    }
    FUZZ_REQUIRE(rc == Z_STREAM_END && z.avail_in == 0, "not one gzip member: %d", rc);
    inflateEnd(&z);
}

/* ---- fields --------------------------------------------------------------------------------- */

/* The number of entries of each table. */
typedef struct tables {
    uint64_t n[PROFILE_N_FIELDS];
} tables;

static bool next(brz_bytes *b, brz_proto_field *f)
{
    bool any = brz_proto_next(b, f);
    FUZZ_REQUIRE(b->error == NULL, "not a message: %s", b->error);
    return any;
}

/* Returns a number of a message, or 0. */
static uint64_t number(brz_bytes b, uint32_t field)
{
    uint64_t value = 0;
    for (brz_proto_field f; next(&b, &f);)
        value = f.number == field ? f.value : value;
    return value;
}

static void check_text(const tables *t, brz_bytes message, uint32_t field)
{
    FUZZ_REQUIRE(number(message, field) < t->n[PROFILE_STRING_TABLE], "no such text");
}

/* ---- tables --------------------------------------------------------------------------------- */

static void check_location(const tables *t, brz_bytes message)
{
    FUZZ_REQUIRE(number(message, LOCATION_MAPPING_ID) <= t->n[PROFILE_MAPPING], "no such mapping");
    for (brz_proto_field f; next(&message, &f);)
        if (f.number == LOCATION_LINE)
            FUZZ_REQUIRE(number(f.part, LINE_FUNCTION_ID) - 1 < t->n[PROFILE_FUNCTION],
                         "no such function");
}

static void check_entry(const tables *t, const brz_proto_field *f, uint64_t position)
{
    switch (f->number) {
    case PROFILE_STRING_TABLE:
        FUZZ_REQUIRE(position > 0 || brz_bytes_left(&f->part) == 0, "the first text is not empty");
        break;
    case PROFILE_SAMPLE_TYPE:
        check_text(t, f->part, VALUE_TYPE_TYPE);
        check_text(t, f->part, VALUE_TYPE_UNIT);
        break;
    case PROFILE_FUNCTION:
        FUZZ_REQUIRE(number(f->part, FUNCTION_ID) == position + 1, "functions out of order");
        check_text(t, f->part, FUNCTION_NAME);
        check_text(t, f->part, FUNCTION_FILENAME);
        break;
    case PROFILE_MAPPING:
        check_text(t, f->part, MAPPING_FILENAME);
        break;
    case PROFILE_LOCATION:
        FUZZ_REQUIRE(number(f->part, LOCATION_ID) == position + 1, "locations out of order");
        check_location(t, f->part);
        break;
    default:
        break;
    }
}

static tables tables_of(brz_bytes b)
{
    tables t = {{0}};
    for (brz_proto_field f; next(&b, &f);) {
        FUZZ_REQUIRE(f.number < PROFILE_N_FIELDS, "no such field: %u", (unsigned)f.number);
        t.n[f.number]++;
    }
    FUZZ_REQUIRE(t.n[PROFILE_STRING_TABLE] > 0, "there are no texts");
    return t;
}

/* ---- samples -------------------------------------------------------------------------------- */

/* Returns the first value of a sample. */
static uint64_t check_sample(const tables *t, brz_bytes sample)
{
    uint64_t n_values = 0, first = 0, value;
    for (brz_proto_field f; next(&sample, &f);) {
        uint32_t taken = 0;
        while (f.number != SAMPLE_LABEL &&
               brz_proto_next_number(&f, BRZ_PROTO_VARINT, &taken, &value)) {
            if (f.number == SAMPLE_LOCATION_ID)
                FUZZ_REQUIRE(value - 1 < t->n[PROFILE_LOCATION], "no such location");
            else if (n_values++ == 0)
                first = value;
        }
    }
    FUZZ_REQUIRE(n_values == t->n[PROFILE_SAMPLE_TYPE], "a sample with other values");
    return first;
}

static void check_sum(const fuzz_written *w, uint64_t sum)
{
    bool saturated = w->saturated, found = false;
    for (uint32_t column = 0; column < w->profile->n_weights; column++)
        found |= sum == (uint64_t)fuzz_profile_sum(w->profile, column, &saturated);
    for (uint32_t column = 0; column < w->profile->n_weights; column++)
        saturated |= w->profile->weights[column].decimals > 0; /* whole numbers are written */
    FUZZ_REQUIRE(found || saturated, "samples add up to %lld", (long long)sum);
}

void fuzz_check_output(const fuzz_written *w)
{
    brz_buf b = {0};
    if (w->bytes.len > 0 && w->bytes.data[0] == '\x1f')
        inflate_all(w->bytes, &b);
    else /* an option turns compression off */
        brz_buf_add_str(&b, w->bytes);
    brz_bytes profile = brz_bytes_of(b.data, b.len);
    const tables t = tables_of(profile);
    tables seen = {{0}};
    uint64_t sum = 0;
    for (brz_proto_field f; next(&profile, &f);) {
        check_entry(&t, &f, seen.n[f.number]++);
        sum += f.number == PROFILE_SAMPLE ? check_sample(&t, f.part) : 0;
    }
    check_sum(w, sum);
    brz_buf_finish(&b);
}

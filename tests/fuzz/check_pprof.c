/* Checks pprof: the file is one gzip member, or none, that decodes, and its numbers refer to what
 * is there. */
#include "fuzz.h"
#include "output.h"

#include <zlib.h>

#include "profile.h"
#include "profile.pb-c.h"

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

typedef Brazier__Pprof__Profile profile;

static void check_text(const profile *p, int64_t text)
{
    FUZZ_REQUIRE(text >= 0 && (size_t)text < p->n_string_table, "no such text");
}

static void check_tables(const profile *p)
{
    FUZZ_REQUIRE(p->n_string_table > 0 && p->string_table[0].len == 0, "the first text is empty");
    for (size_t i = 0; i < p->n_sample_type; i++) {
        check_text(p, p->sample_type[i]->type);
        check_text(p, p->sample_type[i]->unit);
    }
    for (size_t i = 0; i < p->n_function; i++) {
        FUZZ_REQUIRE(p->function[i]->id == i + 1, "functions out of order");
        check_text(p, p->function[i]->name);
        check_text(p, p->function[i]->filename);
    }
    for (size_t i = 0; i < p->n_mapping; i++)
        check_text(p, p->mapping[i]->filename);
    for (size_t i = 0; i < p->n_location; i++) {
        const Brazier__Pprof__Location *l = p->location[i];
        FUZZ_REQUIRE(l->id == i + 1, "locations out of order");
        FUZZ_REQUIRE(l->mapping_id <= p->n_mapping, "no such mapping");
        for (size_t k = 0; k < l->n_line; k++)
            FUZZ_REQUIRE(l->line[k]->function_id - 1 < p->n_function, "no such function");
    }
}

static void check_samples(const fuzz_written *w, const profile *p)
{
    uint64_t sum = 0;
    bool saturated = w->saturated, found = false;
    for (size_t i = 0; i < p->n_sample; i++) {
        const Brazier__Pprof__Sample *s = p->sample[i];
        FUZZ_REQUIRE(s->n_value == p->n_sample_type, "a sample with other values");
        for (size_t k = 0; k < s->n_location_id; k++)
            FUZZ_REQUIRE(s->location_id[k] - 1 < p->n_location, "no such location");
        sum += (uint64_t)s->value[0];
    }
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
    profile *p = brazier__pprof__profile__unpack(NULL, b.len, (const uint8_t *)b.data);
    FUZZ_REQUIRE(p != NULL, "not a profile");
    check_tables(p);
    check_samples(w, p);
    brazier__pprof__profile__free_unpacked(p, NULL);
    brz_buf_finish(&b);
}

/* SPDX-License-Identifier: MIT */
/* Fuzzes streams that decode another stream: gzip, zstd, UTF-16.
 *
 * The decoded bytes and the final state do not depend on the sizes of reads. Nothing is read
 * outside of the input.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* Maximum number of decoded bytes: a small input may expand to very many. */
#define MOST ((size_t)1 << 20)

static const size_t portions[] = {1, 2, 3, 5, 17, 64, 1000, 4096, 65536};

#define N_PORTIONS (sizeof portions / sizeof portions[0])

static brz_stream *utf16_big(brz_stream *below)
{
    return brz_stream_utf16(below, true);
}

static brz_stream *utf16_little(brz_stream *below)
{
    return brz_stream_utf16(below, false);
}

static const struct {
    const char *id;
    brz_stream *(*make)(brz_stream *below);
    bool blocks; /* the number of good bytes returned of a damaged block may vary */
} decoders[] = {
    {"gzip", brz_stream_gunzip, false},
    {"zstd", brz_stream_unzstd, true},
    {"utf16-big", utf16_big, false},
    {"utf16-little", utf16_little, false},
};

/* Returns the index of this target's decoder. */
static size_t decoder(void)
{
    size_t i = 0;
    while (strcmp(decoders[i].id, FUZZ_ID) != 0)
        i++;
    return i;
}

typedef struct decoded {
    brz_buf bytes;
    brz_stream_state state; /* OPEN: not read to the end */
    brz_buf error;
} decoded;

static void decoded_finish(decoded *d)
{
    brz_buf_finish(&d->bytes);
    brz_buf_finish(&d->error);
}

/* Reads into a buffer of exactly the requested size. */
static size_t read_portion(brz_stream *s, decoded *d, size_t want)
{
    uint8_t *to = malloc(want);
    FUZZ_REQUIRE(to != NULL, "no memory");
    size_t got = s->read(s, to, want);
    FUZZ_REQUIRE(got <= want, "%zu bytes where %zu were wanted", got, want);
    FUZZ_REQUIRE(got > 0 || s->state != BRZ_STREAM_OPEN, "nothing to read, and no end");
    brz_buf_add(&d->bytes, (const char *)to, got);
    free(to);
    return got;
}

static decoded decode(const uint8_t *data, size_t size, size_t portion_in, size_t portion_out)
{
    decoded d = {0};
    brz_stream *s = decoders[decoder()].make(fuzz_stream(data, size, portion_in));
    while (s->state == BRZ_STREAM_OPEN && d.bytes.len < MOST) {
        size_t left = MOST - d.bytes.len;
        read_portion(s, &d, portion_out < left ? portion_out : left);
    }
    d.state = d.bytes.len < MOST ? s->state : BRZ_STREAM_OPEN;
    brz_buf_add_str(&d.error, brz_buf_str(&s->error));
    brz_stream_close(s);
    return d;
}

static void compare(const decoded *a, const decoded *b)
{
    size_t shorter = a->bytes.len < b->bytes.len ? a->bytes.len : b->bytes.len;
    FUZZ_REQUIRE(memcmp(brz_buf_text(&a->bytes), brz_buf_text(&b->bytes), shorter) == 0,
                 "other bytes");
    if (decoders[decoder()].blocks &&
        (a->state == BRZ_STREAM_DAMAGED || b->state == BRZ_STREAM_DAMAGED))
        return;
    FUZZ_REQUIRE(a->bytes.len == b->bytes.len, "%zu bytes became %zu", a->bytes.len, b->bytes.len);
    FUZZ_REQUIRE(a->state == b->state, "it ends as %d and as %d", a->state, b->state);
    FUZZ_REQUIRE(a->state == BRZ_STREAM_OPEN ||
                     strcmp(brz_buf_text(&a->error), brz_buf_text(&b->error)) == 0,
                 "'%s' became '%s'", brz_buf_text(&a->error), brz_buf_text(&b->error));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_settings s = fuzz_take_settings(data, &size);
    size_t in = portions[s.way % N_PORTIONS], out = portions[s.size % N_PORTIONS];
    decoded plain = decode(data, size, size + 1, MOST);
    decoded other = decode(data, size, in, out);
    compare(&plain, &other);
    decoded_finish(&plain);
    decoded_finish(&other);
    return 0;
}

bool fuzz_variant(unsigned i, fuzz_settings *s)
{
    s->way = (uint8_t)i;
    s->size = (uint8_t)(i * 5 + 3);
    return i < N_PORTIONS;
}

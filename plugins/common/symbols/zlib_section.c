/* Unpacks compressed sections.
 *
 *     stream := method:u8 flags:u8 block* adler32:u32
 *     block  := is_last:1 kind:2 (stored | fixed codes | codes of its own)
 *
 * A table has an entry for each value of the next bits; codes that are longer than its index
 * continue in a further table behind it.
 */
#include "zlib_section.h"

#include <brazier/binary.h>
#include <brazier/text/cpu.h>

#include <stddef.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define CODE_MAX    15 /* maximum length of a code */
#define LETTERS     288
#define DISTANCES   32
#define LETTER_BITS 10 /* of the index of a table */
#define DIST_BITS   8
#define END         256 /* letter that ends a block */

/* Sizes of tables: all codes that are longer than the index may have a further table each. */
#define LETTER_TABLE ((1 << LETTER_BITS) + LETTERS * (1 << (CODE_MAX - LETTER_BITS)))
#define DIST_TABLE   ((1 << DIST_BITS) + DISTANCES * (1 << (CODE_MAX - DIST_BITS)))

/* Bytes that a copy may write behind its end. */
#define COPY_SLACK 16

/* Declares a function that is part of each variant of the loop, for any processor. */
#define HOT static inline __attribute__((always_inline))

/* Room for three literals and the longest match. */
#define ROOM_NEAR_END (3 + 258 + COPY_SLACK)

/* The meaning of the next bits. From the lowest bits on: the number of bits to take (8), of which
 * the first ones are a code (4), the kind (3), whether it is a literal (1), and a value (16): a
 * byte, a length or distance to which the bits behind the code are added, or the position of a
 * further table, whose index has the number of bits to take. */
typedef uint32_t entry;

/* Kinds of entries. */
enum { INVALID, LITERAL, MATCH, BLOCK_END, FURTHER };

#define IS_LITERAL 0x8000u

static inline unsigned kind_of(entry e)
{
    return e >> 12 & 7;
}

static inline uint32_t value_of(entry e)
{
    return e >> 16;
}

/* Returns an entry without its code. */
static entry make_entry(unsigned kind, size_t value, unsigned extra)
{
    return (entry)value << 16 | (kind == LITERAL ? IS_LITERAL : 0) | kind << 12 | extra;
}

/* Returns an entry with a code of a number of bits. */
static entry with_code(entry e, unsigned bits)
{
    return e + (bits << 8 | bits);
}

/* Bits of the stream, from the lowest on. */
typedef struct bit_reader {
    const uint8_t *at, *end;
    uint64_t bits; /* above the n lowest ones, nothing or the next bits at `at` */
    unsigned n;
    size_t missing; /* bytes that were read behind the end */
} bit_reader;

typedef struct unpacking {
    bit_reader in;
    uint8_t *start, *out, *end;
    entry letters[LETTER_TABLE];
    entry distances[DIST_TABLE];
} unpacking;

/* ---- bits ----------------------------------------------------------------------------------- */

/* Reads on until there are at least 56 bits; zeros follow the end. */
HOT void refill(bit_reader *r)
{
    if (r->end - r->at >= 8) {
        r->bits |= brz_load_u64(r->at, BRZ_LITTLE_ENDIAN) << r->n;
        r->at += (63 - r->n) >> 3;
        r->n |= 56;
        return;
    }
    for (; r->n < 56; r->n += 8) {
        if (r->at < r->end)
            r->bits |= (uint64_t)*r->at++ << r->n;
        else
            r->missing++;
    }
}

HOT uint32_t take(bit_reader *r, unsigned n)
{
    uint32_t value = (uint32_t)(r->bits & ((UINT64_C(1) << n) - 1));
    r->bits >>= n;
    r->n -= n;
    return value;
}

HOT void skip_entry(bit_reader *r, entry e)
{
    r->bits >>= e & 63;
    r->n -= e & 63;
}

/* Takes the bits of an entry. Returns its value plus those behind the code. */
HOT uint32_t take_entry(bit_reader *r, entry e)
{
    uint64_t bits = r->bits & ~(UINT64_MAX << (e & 63));
    skip_entry(r, e);
    return value_of(e) + (uint32_t)(bits >> (e >> 8 & 15));
}

/* Continues at the next whole byte. Returns false behind the end. */
static bool align(bit_reader *r)
{
    size_t ahead = r->n >> 3;
    if (r->missing > ahead)
        return false;
    r->at -= ahead - r->missing;
    r->bits = 0;
    r->n = 0;
    r->missing = 0;
    return true;
}

/* ---- tables --------------------------------------------------------------------------------- */

static const uint16_t lengths[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                   31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
static const uint8_t length_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                      2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};

/* Returns the entry of a letter. */
static entry entry_of_letter(size_t letter)
{
    size_t i = letter - END - 1;
    if (letter < END)
        return make_entry(LITERAL, letter, 0);
    if (letter == END)
        return make_entry(BLOCK_END, 0, 0);
    return i < sizeof length_bits ? make_entry(MATCH, lengths[i], length_bits[i])
                                  : make_entry(INVALID, 0, 0);
}

/* Returns the entry of a code of distances: 1, 2, 3, 4, 5 to 6, 7 to 8, 9 to 12, 13 to 16, … */
static entry entry_of_distance(size_t code)
{
    unsigned extra = code < 4 ? 0 : (unsigned)code / 2 - 1;
    size_t value = code < 4 ? code + 1 : ((2 + (code & 1)) << extra) + 1;
    return code < 30 ? make_entry(MATCH, value, extra) : make_entry(INVALID, 0, 0);
}

/* Returns the entry of a code of code lengths. */
static entry entry_of_length(size_t code)
{
    return make_entry(LITERAL, code, 0);
}

static size_t reverse(size_t code, unsigned n)
{
    size_t reversed = 0;
    for (unsigned i = 0; i < n; i++)
        reversed |= (code >> i & 1) << (n - 1 - i);
    return reversed;
}

/* Sets the first code of each length. Returns false unless the codes use all bits; a single code of
 * one bit, or none at all, is allowed. */
static bool first_codes(const uint8_t *bits, size_t n, size_t next[CODE_MAX + 1], unsigned *longest)
{
    size_t count[CODE_MAX + 1] = {0}, code = 0;
    *longest = 0;
    for (size_t i = 0; i < n; i++)
        count[bits[i]]++;
    count[0] = 0;
    for (unsigned k = 1; k <= CODE_MAX; k++) {
        code = (code + count[k - 1]) << 1;
        next[k] = code;
        if (count[k] > 0)
            *longest = k;
        if (code + count[k] > (size_t)1 << k)
            return false;
    }
    return *longest <= 1 || code + count[CODE_MAX] == (size_t)1 << CODE_MAX;
}

/* A table that is being made. */
typedef struct making {
    entry *table;
    size_t index; /* number of entries of the first table */
    size_t used;  /* with further ones */
    unsigned index_bits;
    unsigned more; /* bits of the index of a further table */
} making;

/* Sets the entries of the table from which a code of up to `bits` bits is found: all those whose
 * index ends in the code. */
static void set_entries(entry *table, size_t size, size_t code, unsigned bits, entry e)
{
    for (; code < size; code += (size_t)1 << bits)
        table[code] = e;
}

/* Returns the further table of a code, which it makes for the first one. */
static entry *further_table(making *m, size_t code)
{
    entry *link = &m->table[code & (m->index - 1)];
    if (kind_of(*link) != FURTHER) {
        *link = make_entry(FURTHER, m->used, m->more);
        memset(m->table + m->used, 0, sizeof *link << m->more);
        m->used += (size_t)1 << m->more;
    }
    return m->table + value_of(*link);
}

/* Makes a table of codes, whose lengths in bits are given. */
static bool make_table(entry *table, unsigned index_bits, const uint8_t *bits, size_t n,
                       entry entry_of(size_t))
{
    size_t next[CODE_MAX + 1], index = (size_t)1 << index_bits;
    unsigned longest;
    if (!first_codes(bits, n, next, &longest))
        return false;
    making m = {table, index, index, index_bits, longest > index_bits ? longest - index_bits : 0};
    memset(table, 0, index * sizeof *table);
    for (size_t i = 0; i < n; i++) {
        unsigned k = bits[i];
        if (k == 0)
            continue;
        size_t code = reverse(next[k]++, k);
        entry e = with_code(entry_of(i), k);
        if (k <= index_bits)
            set_entries(table, index, code, k, e);
        else
            set_entries(further_table(&m, code), (size_t)1 << m.more, code >> index_bits,
                        k - index_bits, e);
    }
    return true;
}

/* Returns the entry in the first table of the next bits. */
HOT entry look_up_first(const entry *table, unsigned index_bits, uint64_t bits)
{
    return table[bits & ((UINT64_C(1) << index_bits) - 1)];
}

/* Returns the entry in a further table, if an entry leads there. */
HOT entry look_further(const entry *table, unsigned index_bits, uint64_t bits, entry e)
{
    if (kind_of(e) != FURTHER)
        return e;
    return table[value_of(e) + (bits >> index_bits & ((UINT64_C(1) << (e & 0xff)) - 1))];
}

/* Returns the entry of the next bits, of which there are enough. */
HOT entry look_up(const entry *table, unsigned index_bits, uint64_t bits)
{
    return look_further(table, index_bits, bits, look_up_first(table, index_bits, bits));
}

/* ---- codes of a block ----------------------------------------------------------------------- */

static bool set_fixed_codes(unpacking *u)
{
    uint8_t bits[LETTERS];
    memset(bits, 8, 144);
    memset(bits + 144, 9, 112);
    memset(bits + 256, 7, 24);
    memset(bits + 280, 8, 8);
    bool good = make_table(u->letters, LETTER_BITS, bits, LETTERS, entry_of_letter);
    memset(bits, 5, DISTANCES);
    return good && make_table(u->distances, DIST_BITS, bits, DISTANCES, entry_of_distance);
}

/* Reads the lengths of codes, which are packed themselves. */
static bool read_lengths(unpacking *u, uint8_t *bits, size_t n)
{
    for (size_t i = 0; i < n;) {
        refill(&u->in);
        entry e = look_up(u->letters, LETTER_BITS, u->in.bits);
        uint32_t value = take_entry(&u->in, e);
        if (kind_of(e) != LITERAL || (value == 16 && i == 0))
            return false;
        if (value < 16) {
            bits[i++] = (uint8_t)value;
            continue;
        }
        uint8_t again = value == 16 ? bits[i - 1] : 0;
        size_t count = value == 16   ? 3 + take(&u->in, 2)
                       : value == 17 ? 3 + take(&u->in, 3)
                                     : 11 + take(&u->in, 7);
        if (count > n - i)
            return false;
        memset(bits + i, again, count);
        i += count;
    }
    return true;
}

/* Reads the codes of a block. */
static bool read_codes(unpacking *u)
{
    static const uint8_t order[] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                    11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint8_t bits[LETTERS + DISTANCES] = {0}, first[sizeof order] = {0};
    refill(&u->in);
    size_t n_letters = 257 + take(&u->in, 5), n_distances = 1 + take(&u->in, 5);
    size_t n = 4 + take(&u->in, 4);
    for (size_t i = 0; i < n; i++) {
        refill(&u->in);
        first[order[i]] = (uint8_t)take(&u->in, 3);
    }
    return n_letters <= 286 && n_distances <= 30 &&
           make_table(u->letters, LETTER_BITS, first, sizeof first, entry_of_length) &&
           read_lengths(u, bits, n_letters + n_distances) && bits[END] > 0 &&
           make_table(u->distances, DIST_BITS, bits + n_letters, n_distances, entry_of_distance) &&
           make_table(u->letters, LETTER_BITS, bits, n_letters, entry_of_letter);
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* The output: the bytes so far, and the room behind them. */
typedef struct room {
    uint8_t *at, *end;
    const uint8_t *start;
} room;

/* Copies bytes in parts of a size that a distance is not shorter than; the last one may be too
 * long.
 */
HOT void copy_parts(uint8_t *to, size_t distance, size_t n, size_t part)
{
    const uint8_t *end = to + n;
    do {
        memcpy(to, to - distance, part);
        to += part;
    } while (to < end);
}

/* Copies bytes that precede the end of the output, behind which there is room for more or not. */
HOT void copy(room *r, size_t distance, size_t n, bool has_room)
{
    uint8_t *to = r->at;
    const uint8_t *end = to + n;
    r->at += n;
    if (has_room && distance >= COPY_SLACK)
        copy_parts(to, distance, n, COPY_SLACK);
    else if (has_room && distance >= COPY_SLACK / 2)
        copy_parts(to, distance, n, COPY_SLACK / 2);
    else
        for (; to < end; to++)
            *to = to[-(ptrdiff_t)distance];
}

/* Unpacks a match, the first part of which is an entry. */
HOT bool unpack_match(bit_reader *in, room *r, const entry *distances, entry e, bool has_room)
{
    size_t n = take_entry(in, e);
    entry d = look_up(distances, DIST_BITS, in->bits);
    size_t distance = take_entry(in, d);
    if (kind_of(d) != MATCH || distance > (size_t)(r->at - r->start) ||
        (!has_room && n > (size_t)(r->end - r->at)))
        return false;
    copy(r, distance, n, has_room);
    return true;
}

/* Appends a literal, and takes its bits. */
HOT void put_literal(bit_reader *in, room *r, entry e)
{
    *r->at++ = (uint8_t)value_of(e);
    skip_entry(in, e);
}

/* Unpacks literals and matches as long as no end of the input or output is near, or up to an
 * entry of another kind. */
HOT void unpack_most(bit_reader *in, room *r, const entry *letters, const entry *distances)
{
    while (in->end - in->at >= 16 && r->end - r->at >= ROOM_NEAR_END) {
        refill(in);
        entry e = look_up_first(letters, LETTER_BITS, in->bits);
        for (int i = 0; i < 3 && (e & IS_LITERAL); i++) {
            put_literal(in, r, e);
            e = look_up_first(letters, LETTER_BITS, in->bits);
        }
        if (e & IS_LITERAL)
            continue;
        if (in->n < 48)
            refill(in);
        e = look_further(letters, LETTER_BITS, in->bits, e);
        if (e & IS_LITERAL)
            put_literal(in, r, e);
        else if (kind_of(e) != MATCH || !unpack_match(in, r, distances, e, true))
            return;
    }
}

/* Unpacks a block by the codes that were set. A match takes up to 48 bits, a letter 15. The places
 * in both streams are local, so that writing bytes cannot change them. Is compiled for several
 * processors. */
HOT bool unpack_coded_anywhere(unpacking *u)
{
    bit_reader in = u->in;
    room r = {u->out, u->end, u->start};
    entry e = 0;
    for (bool more = true; more;) {
        unpack_most(&in, &r, u->letters, u->distances);
        refill(&in);
        e = look_up(u->letters, LETTER_BITS, in.bits);
        bool is_literal = kind_of(e) == LITERAL && r.at < r.end;
        if (is_literal)
            *r.at++ = (uint8_t)take_entry(&in, e);
        else if (kind_of(e) != MATCH || !unpack_match(&in, &r, u->distances, e, false))
            break;
        more = in.missing <= sizeof in.bits;
    }
    take_entry(&in, e);
    u->in = in;
    u->out = r.at;
    return kind_of(e) == BLOCK_END;
}

static bool unpack_coded_portable(unpacking *u)
{
    return unpack_coded_anywhere(u);
}

#if BRZ_HAVE_AVX2
/* Does the same with instructions that shift by any number of bits. */
__attribute__((target("bmi,bmi2"))) static bool unpack_coded_bmi2(unpacking *u)
{
    return unpack_coded_anywhere(u);
}
#endif

static bool unpack_coded(unpacking *u)
{
#if BRZ_HAVE_AVX2
    if (brz_cpu_has_bmi2())
        return unpack_coded_bmi2(u);
#endif
    return unpack_coded_portable(u);
}

static bool unpack_stored(unpacking *u)
{
    bit_reader *in = &u->in;
    if (!align(in) || in->end - in->at < 4)
        return false;
    size_t n = brz_load_u16(in->at, BRZ_LITTLE_ENDIAN);
    size_t check = brz_load_u16(in->at + 2, BRZ_LITTLE_ENDIAN);
    in->at += 4;
    if ((n ^ check) != 0xffff || n > (size_t)(in->end - in->at) || n > (size_t)(u->end - u->out))
        return false;
    if (n > 0)
        memcpy(u->out, in->at, n);
    in->at += n;
    u->out += n;
    return true;
}

/* Unpacks a block. Sets *is_last. */
static bool unpack_block(unpacking *u, bool *is_last)
{
    refill(&u->in);
    *is_last = take(&u->in, 1) != 0;
    switch (take(&u->in, 2)) {
    case 0:
        return unpack_stored(u);
    case 1:
        return set_fixed_codes(u) && unpack_coded(u);
    case 2:
        return read_codes(u) && unpack_coded(u);
    default:
        return false;
    }
}

/* ---- streams -------------------------------------------------------------------------------- */

#define ADLER_BASE 65521

/* Number of bytes of which sums fit into 32 bits, a multiple of 16. */
#define ADLER_BYTES 5552

/* Sums of bytes, as of Adler-32 before the remainders are taken. */
typedef struct sums {
    uint32_t bytes; /* 1, and the bytes */
    uint32_t sums;  /* values of `bytes` after each byte */
} sums;

#ifdef __SSE2__

/* Returns the sum of four numbers. */
static uint32_t sum_of(__m128i v)
{
    uint32_t n[4];
    memcpy(n, &v, sizeof n);
    return n[0] + n[1] + n[2] + n[3];
}

/* Adds bytes, as many as are a multiple of 16. Returns the place behind them. */
static const uint8_t *add_words(sums *s, const uint8_t *data, const uint8_t *end)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i low = _mm_setr_epi16(16, 15, 14, 13, 12, 11, 10, 9);
    const __m128i high = _mm_setr_epi16(8, 7, 6, 5, 4, 3, 2, 1);
    __m128i bytes = zero, before = zero, weighted = zero;
    uint32_t n = (uint32_t)((end - data) / 16);
    for (uint32_t i = 0; i < n; i++, data += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)data);
        before = _mm_add_epi32(before, bytes);
        bytes = _mm_add_epi32(bytes, _mm_sad_epu8(v, zero));
        weighted = _mm_add_epi32(weighted, _mm_madd_epi16(_mm_unpacklo_epi8(v, zero), low));
        weighted = _mm_add_epi32(weighted, _mm_madd_epi16(_mm_unpackhi_epi8(v, zero), high));
    }
    s->sums += 16 * (n * s->bytes + sum_of(before)) + sum_of(weighted);
    s->bytes += sum_of(bytes);
    return data;
}

#else

#define EVEN_BYTES UINT64_C(0x00ff00ff00ff00ff)

/* Returns the sum of four numbers of 16 bits, each times a factor; the first factor is the highest
 * of the four in `factors`. */
static uint32_t weighted(uint64_t numbers, uint64_t factors)
{
    return (uint32_t)(numbers * factors >> 48);
}

/* Adds bytes, as many as are a multiple of 8. Returns the place behind them. */
static const uint8_t *add_words(sums *s, const uint8_t *data, const uint8_t *end)
{
    for (; end - data >= 8; data += 8) {
        uint64_t word = brz_load_u64(data, BRZ_LITTLE_ENDIAN);
        uint64_t even = word & EVEN_BYTES, odd = word >> 8 & EVEN_BYTES;
        s->sums += 8 * s->bytes + weighted(even, UINT64_C(0x0008000600040002)) +
                   weighted(odd, UINT64_C(0x0007000500030001));
        s->bytes += weighted(even + odd, UINT64_C(0x0001000100010001));
    }
    return data;
}

#endif

/* Returns the checksum of bytes. */
static uint32_t adler32(const uint8_t *data, size_t n)
{
    sums s = {1, 0};
    while (n > 0) {
        size_t part = n < ADLER_BYTES ? n : ADLER_BYTES;
        const uint8_t *end = data + part;
        n -= part;
        for (data = add_words(&s, data, end); data < end; data++)
            s.sums += s.bytes += *data;
        s.bytes %= ADLER_BASE;
        s.sums %= ADLER_BASE;
    }
    return s.sums << 16 | s.bytes;
}

static bool has_header(unit_bytes s)
{
    return s.len >= 2 && (s.data[0] & 15) == 8 && (s.data[0] << 8 | s.data[1]) % 31 == 0 &&
           (s.data[1] & 0x20) == 0;
}

void zlib_stream_open(zlib_stream *z, unit_bytes stream, uint8_t *to, size_t size)
{
    *z = (zlib_stream){.start = to, .out = to, .cap = size > 0 ? to + size : to};
    z->is_damaged = !has_header(stream);
    if (z->is_damaged)
        return;
    z->at = stream.data + 2;
    z->end = stream.data + stream.len;
}

/* Returns whether the size and the checksum behind the last block are right. */
static bool ends_well(unpacking *u)
{
    return align(&u->in) && u->out == u->end && u->in.end - u->in.at >= 4 &&
           adler32(u->start, (size_t)(u->end - u->start)) == brz_load_u32(u->in.at, BRZ_BIG_ENDIAN);
}

bool zlib_stream_reach(zlib_stream *z, size_t n)
{
    unpacking u;
    if (z->is_damaged || z->is_done || (size_t)(z->out - z->start) >= n)
        return !z->is_damaged;
    u.in = (bit_reader){z->at, z->end, z->bits, z->n_bits, z->missing};
    u.start = z->start;
    u.out = z->out;
    u.end = z->cap;
    while (!z->is_done && !z->is_damaged && (size_t)(u.out - u.start) < n)
        z->is_damaged = !unpack_block(&u, &z->is_done);
    if (z->is_done && !z->is_damaged)
        z->is_damaged = !ends_well(&u);
    z->at = u.in.at;
    z->bits = u.in.bits;
    z->n_bits = u.in.n;
    z->missing = u.in.missing;
    z->out = u.out;
    return !z->is_damaged;
}

bool zlib_section_unpack(unit_bytes stream, uint8_t *to, size_t size)
{
    zlib_stream z;
    zlib_stream_open(&z, stream, to, size);
    return zlib_stream_reach(&z, SIZE_MAX);
}

/* SPDX-License-Identifier: MIT */
/* Fuzzes the reader of binary data: a program of reads, given by the second half of the input, is
 * run on the first half. The cursor stays in its range, a failure is permanent and has a place in
 * the range, and a message of Protocol Buffers is walked in bounded steps. */
#include "fuzz.h"

#include <brazier/binary.h>

static void check_cursor(const brz_bytes *b, const uint8_t *end)
{
    FUZZ_REQUIRE(b->start <= b->at && b->at <= b->end && b->end <= end, "out of range");
    FUZZ_REQUIRE(b->error == NULL || brz_bytes_left(b) == 0, "bytes are left after a failure");
    FUZZ_REQUIRE(b->error == NULL || (b->error_at >= b->start && b->error_at <= end),
                 "a failure elsewhere");
    FUZZ_REQUIRE(!b->is_cut || b->error != NULL, "cut without a failure");
}

static void check_text(brz_str s, const brz_bytes *b)
{
    const uint8_t *p = (const uint8_t *)s.data;
    FUZZ_REQUIRE(s.len == 0 || (p >= b->start && p + s.len <= b->end), "a text from elsewhere");
}

/* Runs an instruction. Returns the value that it read. */
static uint64_t step(brz_bytes *b, uint8_t what, uint8_t n)
{
    uint64_t long_n = what & 0x20 ? UINT64_MAX - n : n;
    b->order = what >> 7;
    switch (what & 0x1f) {
    case 0:
        return brz_bytes_u8(b);
    case 1:
        return brz_bytes_u16(b);
    case 2:
        return brz_bytes_u32(b);
    case 3:
        return brz_bytes_u64(b);
    case 4:
        return brz_bytes_uint(b, n);
    case 5:
        return brz_bytes_varint(b);
    case 6:
        return (uint64_t)brz_bytes_sleb128(b);
    case 7:
        return brz_bytes_varint9(b);
    case 8:
        brz_bytes_skip(b, long_n);
        return 0;
    case 9:
        brz_bytes_seek(b, long_n);
        return 0;
    case 10:
        brz_bytes_skip(b, n + 1u);
        return 0;
    case 11:
        return brz_bytes_count(b, long_n, what >> 6);
    case 12:
        check_text(brz_bytes_text(b, long_n), b);
        return 0;
    case 13:
        check_text(brz_bytes_text_to_zero(b), b);
        return 0;
    default:
        check_text(brz_bytes_padded_text(b, n), b);
        return 0;
    }
}

static void run(brz_bytes *b, const uint8_t *code, size_t n, const uint8_t *end)
{
    for (size_t i = 0; i + 1 < n; i += 2) {
        const char *error = b->error;
        const uint8_t *error_at = b->error_at;
        if ((code[i] & 0x1f) == 15) {
            brz_bytes part = (code[i] & 0x40) ? brz_bytes_part_at(b, code[i], code[i + 1])
                                              : brz_bytes_part(b, code[i + 1]);
            FUZZ_REQUIRE((b->error == NULL) == (part.error == NULL), "a part fails otherwise");
            step(&part, code[i] >> 5, 3);
            check_cursor(&part, end);
            if (code[i] & 0x80)
                brz_bytes_join(b, &part);
        } else {
            uint64_t value = step(b, code[i], code[i + 1]);
            FUZZ_REQUIRE(b->error == NULL || value == 0, "a value after a failure");
        }
        check_cursor(b, end);
        FUZZ_REQUIRE(error == NULL || (b->error == error && b->error_at == error_at),
                     "the failure has changed");
    }
}

/* Walks a message, and messages in it down to a depth. Returns the number of steps. */
static size_t walk(brz_bytes b, int depth, const uint8_t *end)
{
    brz_proto_field f;
    size_t steps = 1, size = brz_bytes_left(&b);
    while (brz_proto_next(&b, &f)) {
        uint32_t taken = 0;
        uint64_t number;
        brz_proto_field packed = f;
        FUZZ_REQUIRE(f.number > 0, "a field without a number");
        check_cursor(&f.part, end);
        check_text(brz_proto_text(&f), &b);
        for (steps++; brz_proto_next_number(&packed, f.number & 7, &taken, &number); steps++)
            ;
        steps += depth > 0 ? walk(f.part, depth - 1, end) : 0;
        check_cursor(&b, end);
    }
    FUZZ_REQUIRE(steps <= (size + 1) * 8 * (size_t)(depth + 1), "too many steps");
    return steps;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t half = size / 2;
    brz_bytes b = brz_bytes_of(data, half);
    run(&b, data + half, size - half, data + half);
    walk(brz_bytes_of(data, size), 3, data + size);
    return 0;
}

bool fuzz_variant(unsigned i, fuzz_settings *s)
{
    (void)i;
    (void)s;
    return false;
}

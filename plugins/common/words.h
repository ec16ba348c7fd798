/* SPDX-License-Identifier: MIT */
/* Loads integers of either byte order from records. */
#ifndef BRZ_COMMON_WORDS_H
#define BRZ_COMMON_WORDS_H

#include <brazier/binary.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define NATIVE_ORDER BRZ_BIG_ENDIAN
#else
#define NATIVE_ORDER BRZ_LITTLE_ENDIAN
#endif

/* Returns the 64-bit integer at `p`; one load where the byte order is the machine's own. */
static inline uint64_t word_u64(const uint8_t *p, uint32_t order)
{
    uint64_t value;
    memcpy(&value, p, sizeof value);
    return order == NATIVE_ORDER ? value : __builtin_bswap64(value);
}

/* Returns the 32-bit integer at `p`. */
static inline uint32_t word_u32(const uint8_t *p, uint32_t order)
{
    uint32_t value;
    memcpy(&value, p, sizeof value);
    return order == NATIVE_ORDER ? value : __builtin_bswap32(value);
}

/* Returns the 16-bit integer at `p`. */
static inline uint16_t word_u16(const uint8_t *p, uint32_t order)
{
    uint16_t value;
    memcpy(&value, p, sizeof value);
    return order == NATIVE_ORDER ? value : __builtin_bswap16(value);
}

/* Returns a number as the host counts: a value above its range stays at the limit. */
static inline int64_t word_clamped(uint64_t value)
{
    return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

#endif

/* SPDX-License-Identifier: MIT */
/* One-word names of frame kinds. */
#ifndef OUTPUT_COMMON_FRAME_KIND_H
#define OUTPUT_COMMON_FRAME_KIND_H

#include <brazier/tree.h>

#define FRAME_KINDS 7

/* Returns the word for a kind, or "" if the kind is unspecified or unknown. */
static inline brz_str frame_kind_word(uint32_t kind)
{
    static const struct {
        const char *text;
        size_t len;
    } words[FRAME_KINDS] = {{"", 0},    {"process", 7}, {"user", 4}, {"kernel", 6},
                            {"jit", 3}, {"inlined", 7}, {"waker", 5}};
    return kind < FRAME_KINDS ? brz_str_of(words[kind].text, words[kind].len) : BRZ_STR("");
}

#endif

/* SPDX-License-Identifier: MIT */
/* Shows lines and addresses in the names of frames. */
#include "profile/detail.h"

#include <brazier/symbol.h>

#include <inttypes.h>
#include <stdio.h>

#include "base/buf.h"

uint32_t brz_detail_wants(brz_detail d)
{
    uint32_t lines = d == BRZ_DETAIL_FUNCTIONS ? 0 : BRZ_CTX_WANTS_LINES;
    return lines | (d == BRZ_DETAIL_ADDRESSES ? BRZ_CTX_WANTS_ADDRESSES : 0);
}

uint32_t brz_detail_drops(brz_detail d)
{
    uint32_t lines = d == BRZ_DETAIL_FUNCTIONS ? BRZ_DROPS_LINES : 0;
    return lines | (d == BRZ_DETAIL_ADDRESSES ? 0 : BRZ_DROPS_ADDRESSES);
}

uint32_t brz_detail_drops_flags(uint32_t drops)
{
    return drops & BRZ_DROPS_ADDRESSES ? BRZ_CTX_DROPS_ADDRESSES : 0;
}

/* Appends ":12", unless the name ends in it. */
static void add_line(brz_buf *b, uint32_t line)
{
    char text[16];
    int n = snprintf(text, sizeof text, ":%" PRIu32, line);
    if (line != 0 && !brz_ends_with(brz_buf_str(b), brz_str_of(text, (size_t)n)))
        brz_buf_add_text(b, text);
}

static bool is_hex_digit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Returns whether a name contains a number, such as "0x4010f0", that is not a part of a longer one.
 */
static bool has_number(brz_str name, brz_str number)
{
    for (size_t at = 0; (at = brz_str_find(name, number, at)) != SIZE_MAX; at++) {
        size_t end = at + number.len;
        if ((at == 0 || !is_hex_digit(name.data[at - 1])) &&
            (end == name.len || !is_hex_digit(name.data[end])))
            return true;
    }
    return false;
}

/* Appends " <0x4010f0>", unless the name contains the number. */
static void add_address(brz_buf *b, uint64_t address)
{
    char number[24];
    int n = snprintf(number, sizeof number, "0x%" PRIx64, address);
    if (address != 0 && !has_number(brz_buf_str(b), brz_str_of(number, (size_t)n)))
        brz_buf_printf(b, " <%s>", number);
}

/* Returns a frame's name without its annotation. */
static brz_str bare_name(const brz_profile *p, brz_frame frame)
{
    brz_frame_info info = brz_profile_frame_info(p, frame);
    return brz_display_name(&info);
}

void brz_detail_name_frames(brz_profile *p, brz_detail d)
{
    brz_buf b = {0};
    if (d == BRZ_DETAIL_FUNCTIONS)
        return;
    for (size_t i = 0; i < p->n_frames; i++) {
        brz_profile_frame *f = &p->frames[i];
        if (f->line == 0 && (f->address == 0 || d != BRZ_DETAIL_ADDRESSES))
            continue;
        brz_str name = brz_strings_at(&p->strings, f->name), bare = bare_name(p, (brz_frame)i);
        brz_buf_clear(&b);
        brz_buf_add_str(&b, bare);
        add_line(&b, f->line);
        if (d == BRZ_DETAIL_ADDRESSES)
            add_address(&b, f->address);
        brz_buf_add_str(&b, brz_str_of(name.data + bare.len, name.len - bare.len));
        f->name = brz_strings_intern(&p->strings, brz_buf_str(&b));
    }
    brz_buf_finish(&b);
    brz_profile_rehash_frames(p);
}

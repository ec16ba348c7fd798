/* SPDX-License-Identifier: MIT */
/* Parses frames of Valgrind. */
#include "valgrind_frame.h"

bool valgrind_frame_describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    brz_str function, place;
    if (!dump_take_address(&text, &frame->address))
        return false;
    if (!brz_str_take(&text, ": "))
        return true;
    if (brz_ends_with(text, BRZ_STR(")")) && brz_cut_last(text, '(', &function, &place)) {
        text = function;
        place.len--;
        if (brz_str_take(&place, "in "))
            frame->module = place;
        else
            dump_place(place, frame);
    }
    text = brz_trim(text);
    if (!brz_str_is(text, "???"))
        frame->name = dump_repaired(d, text);
    return true;
}

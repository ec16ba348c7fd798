/* SPDX-License-Identifier: MIT */
/* Names the functions of Python in dumps of its threads. */
#include "python_frame.h"

static void append_part(dump *d, brz_str part)
{
    if (d->text.len > 0)
        brz_text_append(&d->text, d->ctx, BRZ_STR(":"));
    brz_text_append(&d->text, d->ctx, part);
}

void python_frame_name(dump *d, brz_str file, brz_str line, brz_str function, bool has_line,
                       brz_frame_desc *frame)
{
    uint64_t number;
    append_part(d, file);
    if (has_line && line.len > 0)
        append_part(d, line);
    append_part(d, function);
    frame->name = brz_text_str(&d->text);
    frame->file = file;
    frame->kind = BRZ_KIND_USER;
    if (brz_parse_u64(line, &number) && number <= UINT32_MAX)
        frame->line = (uint32_t)number;
}

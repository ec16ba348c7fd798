/* SPDX-License-Identifier: MIT */
/* Names the functions of Python in dumps of its threads. */
#ifndef COMMON_DUMP_PYTHON_FRAME_H
#define COMMON_DUMP_PYTHON_FRAME_H

#include "dump.h"

/* Fills in a frame whose name is file:function, or file:line:function if `has_line`. `line` may be
 * empty. The name lies in the dump's scratch. */
void python_frame_name(dump *d, brz_str file, brz_str line, brz_str function, bool has_line,
                       brz_frame_desc *frame);

#endif

/* SPDX-License-Identifier: MIT */
/* Frames as Valgrind's tools print them: "0x109172: alloc (a.c:3)". */
#ifndef COMMON_DUMP_VALGRIND_FRAME_H
#define COMMON_DUMP_VALGRIND_FRAME_H

#include "dump.h"

/* Parses "0x109172: alloc (a.c:3)" or "0x109172: alloc (in /lib/a.so)". Returns false if the text
 * does not begin with an address. The name "???" is left empty. */
bool valgrind_frame_describe(dump *d, brz_str text, brz_frame_desc *frame);

#endif

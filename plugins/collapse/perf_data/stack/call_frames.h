/* SPDX-License-Identifier: MIT */
/* The call-frame information of modules. */
#ifndef PERF_DATA_CALL_FRAMES_H
#define PERF_DATA_CALL_FRAMES_H

#include "../file/recording.h"

#include "../../../common/symbols/unwind/frame_source.h"

/* Returns the call-frame information of a module with a file. It is closed with the rules. */
frame_source *call_frames_of(recording *p, module *m);

/* Reads the rules at an address in the file of a module. */
frame_rule call_frames_read(recording *p, frame_source *f, uint64_t address);

/* Returns whether code at the byte after an offset in a module is entered by a return: of a handler
 * of signals, or of the function of a context (makecontext). Reads the rules there. */
bool call_frames_begin_after(recording *p, module *m, uint64_t offset);

#endif

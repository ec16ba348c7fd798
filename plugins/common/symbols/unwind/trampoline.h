/* SPDX-License-Identifier: MIT */
/* The trampoline of CPython, through which it calls its functions for profilers (python -X perf).
 *
 * The program or library of CPython has the code of the trampoline between two symbols for linking.
 * CPython copies it into anonymous memory, once for each function, side by side. No file has
 * call-frame information of the copies. A copy calls the interpreter of its module, and is called
 * by a function of the same module.
 */
#ifndef UNWIND_TRAMPOLINE_H
#define UNWIND_TRAMPOLINE_H

#include "../elf/elf_image.h"
#include "frame_rule.h"

typedef struct trampoline {
    uint64_t size;    /* of the code */
    uint64_t after;   /* position of the address after its call */
    bool has_pointer; /* it sets the frame pointer to the stack pointer before the call */
    frame_rule rule;  /* holds at that address */
} trampoline;

/* Reads the trampoline of the mapped file of a module. Returns false if the file has none, or one
 * of an unknown kind. */
bool trampoline_read(trampoline *t, const elf_image *e, const unwind_machine *m);

/* Returns whether a copy may have the address after its call at a distance from the beginning of
 * its mapping. */
bool trampoline_may_be_at(const trampoline *t, uint64_t distance);

#endif

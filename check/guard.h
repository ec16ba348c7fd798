/* Guarded memory for plug-ins: they can read the bytes and the promised slack around them, but
 * cannot write, and cannot access anything else. */
#ifndef BRZ_CHECK_GUARD_H
#define BRZ_CHECK_GUARD_H

#include "board.h"

typedef struct check_guard {
    check_board *board;
    size_t area;
    uint8_t *map;
    size_t map_len;
    uint8_t *start, *end; /* the accessible pages */
    uint8_t *shown;       /* bytes shown at present */
    size_t shown_len;
} check_guard;

void check_guard_init(check_guard *g, check_board *board);
void check_guard_finish(check_guard *g);

/* Shows a copy of n bytes until the next call and fills the memory around it with `slack`.
 * `at_front` places it next to the page in front; otherwise it is next to the page behind. */
const uint8_t *check_guard_show(check_guard *g, const uint8_t *data, size_t n, uint8_t slack,
                                bool at_front);

/* Overwrites the bytes shown. */
void check_guard_spoil(check_guard *g);

#endif

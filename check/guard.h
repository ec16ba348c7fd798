/* Bytes that a plug-in is shown: it can read them and the slack that it was promised around them,
 * write none, and touch nothing else. */
#ifndef BRZ_CHECK_GUARD_H
#define BRZ_CHECK_GUARD_H

#include "board.h"

typedef struct check_guard {
    check_board *board;
    size_t area;
    uint8_t *map;
    size_t map_len;
    uint8_t *start, *end; /* the pages in the middle */
    uint8_t *shown;       /* what is there now */
    size_t shown_len;
} check_guard;

void check_guard_init(check_guard *g, check_board *board);
void check_guard_finish(check_guard *g);

/* Shows a copy of n bytes, until the next call. What lies around it is filled with `slack`.
 * `at_front`: the pages in front are close; else those behind. */
const uint8_t *check_guard_show(check_guard *g, const uint8_t *data, size_t n, uint8_t slack,
                                bool at_front);

/* Overwrites what was shown. */
void check_guard_spoil(check_guard *g);

#endif

/* A page that a test shares with the process that waits for it: what it was doing when it was lost.
 */
#ifndef BRZ_CHECK_BOARD_H
#define BRZ_CHECK_BOARD_H

#include <brazier/base.h>

#include <stdatomic.h>

#include "base/buf.h"

#define CHECK_BOARD_TEXT  512
#define CHECK_BOARD_AREAS 64

/* Memory that a plug-in was shown: what it may read, within pages that nobody may touch. */
typedef struct check_area {
    uintptr_t start;
    atomic_uintptr_t end; /* 0: there is none */
    unsigned clause;      /* that is broken by writing there */
} check_area;

typedef struct check_board {
    char doing[CHECK_BOARD_TEXT];
    check_area areas[CHECK_BOARD_AREAS];
    uintptr_t fault; /* the address at which the process crashed */
    bool faulted;
} check_board;

/* NULL, errno says why. */
check_board *check_board_create(void);
void check_board_destroy(check_board *b);
void check_board_clear(check_board *b);

/* From now on a crash of this process leaves its address there, and then goes its usual way. */
void check_board_watch_crashes(check_board *b);

/* Notes an area, and forgets it. */
size_t check_board_add_area(check_board *b, uintptr_t start, uintptr_t end, unsigned clause);
void check_board_drop_area(check_board *b, size_t area);

/* Adds what the address of the crash tells: "it wrote to…"; nothing if it tells nothing. The clause
 * that was broken by that, or 0. */
unsigned check_board_explain(const check_board *b, brz_buf *to);

#endif

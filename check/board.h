/* A page that a test shares with its parent process; it records what the test was doing when it was
 * lost. */
#ifndef BRZ_CHECK_BOARD_H
#define BRZ_CHECK_BOARD_H

#include <brazier/base.h>

#include <stdatomic.h>

#include "base/buf.h"

#define CHECK_BOARD_TEXT  512
#define CHECK_BOARD_AREAS 64

/* Memory shown to a plug-in: the part it may read, within pages that it must not touch. */
typedef struct check_area {
    uintptr_t start;
    atomic_uintptr_t end; /* 0: unused */
    unsigned clause;      /* clause violated by a write there */
} check_area;

typedef struct check_board {
    char doing[CHECK_BOARD_TEXT];
    check_area areas[CHECK_BOARD_AREAS];
    uintptr_t fault; /* faulting address of the crash */
    bool faulted;
} check_board;

/* Creates a board. Returns NULL with errno set on failure. */
check_board *check_board_create(void);
void check_board_destroy(check_board *b);
void check_board_clear(check_board *b);

/* Installs handlers that store the address of a crash in the board; the crash then takes its usual
 * course. */
void check_board_watch_crashes(check_board *b);

/* Registers an area; check_board_drop_area() removes it. */
size_t check_board_add_area(check_board *b, uintptr_t start, uintptr_t end, unsigned clause);
void check_board_drop_area(check_board *b, size_t area);

/* Appends an explanation of the crash address: "it wrote to…", or nothing. Returns the violated
 * clause, or 0. */
unsigned check_board_explain(const check_board *b, brz_buf *to);

#endif

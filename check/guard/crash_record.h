/* SPDX-License-Identifier: MIT */
/* A page that a test shares with its parent process; it records what the test was doing when it was
 * lost. */
#ifndef BRZ_CHECK_CRASH_RECORD_H
#define BRZ_CHECK_CRASH_RECORD_H

#include <brazier/base.h>

#include <stdatomic.h>

#include "base/buf.h"

#define CHECK_CRASH_TEXT  512
#define CHECK_CRASH_AREAS 64

/* Memory shown to a plug-in: the part it may read, within pages that it must not touch. */
typedef struct check_area {
    uintptr_t start;
    atomic_uintptr_t end; /* 0: unused */
    unsigned clause;      /* clause violated by a write there */
} check_area;

typedef struct check_crash_record {
    char doing[CHECK_CRASH_TEXT];
    check_area areas[CHECK_CRASH_AREAS];
    uintptr_t fault; /* faulting address of the crash */
    bool faulted;
} check_crash_record;

/* Creates a record. Returns NULL with errno set on failure. */
check_crash_record *check_crash_record_create(void);
void check_crash_record_destroy(check_crash_record *b);
void check_crash_record_clear(check_crash_record *b);

/* Installs handlers that store the address of a crash in the record; the crash then takes its
 * usual course. */
void check_crash_record_watch_crashes(check_crash_record *b);

/* Registers an area; check_crash_record_drop_area() removes it. */
size_t check_crash_record_add_area(check_crash_record *b, uintptr_t start, uintptr_t end,
                                   unsigned clause);
void check_crash_record_drop_area(check_crash_record *b, size_t area);

/* Appends an explanation of the crash address: "it wrote to…", or nothing. Returns the violated
 * clause, or 0. */
unsigned check_crash_record_explain(const check_crash_record *b, brz_buf *to);

#endif

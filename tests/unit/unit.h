/* SPDX-License-Identifier: MIT */
/* Helpers of all unit tests: cmocka, reproducible random numbers, a console with readable messages,
 * and temporary folders. */
#ifndef BRZ_UNIT_H
#define BRZ_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include <brazier/output.h>

#include "host/instance.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* ---- text ---------------------------------------------------------------------------------- */

brz_str str_of(const char *text);

/* Fails unless `got` is exactly this text. */
#define assert_text(got, want) assert_text_at((got), (want), __FILE__, __LINE__)
void assert_text_at(brz_str got, const char *want, const char *file, int line);

/* Fail unless the text contains `part`, or does not contain it. */
#define assert_contains(text, part) assert_contains_at((text), (part), true, __FILE__, __LINE__)
#define assert_lacks(text, part)    assert_contains_at((text), (part), false, __FILE__, __LINE__)
void assert_contains_at(const char *text, const char *part, bool wanted, const char *file,
                        int line);

/* Returns a copy in memory of exactly this size, so that a sanitizer detects reads beyond it. The
 * caller frees it. */
char *exact_copy(const void *data, size_t n);

/* ---- random numbers ------------------------------------------------------------------------ */

typedef struct dice {
    uint64_t state;
} dice;

uint64_t roll(dice *d);
size_t roll_below(dice *d, size_t n);

/* Fills `to` with 0 to `longest` random characters of `alphabet`, terminated. Returns their
 * number. */
size_t roll_text(dice *d, const char *alphabet, size_t longest, char *to);

/* ---- a console ----------------------------------------------------------------------------- */

typedef struct ear {
    brz_console console;
    char *text;
    size_t len;
} ear;

void ear_open(ear *e);
/* Returns all messages so far. */
const char *ear_heard(ear *e);
void ear_forget(ear *e);
void ear_close(ear *e);

/* Skips a test that valgrind's own descriptors, signals or checks at a process's end disturb. */
void skip_under_valgrind(void);

/* ---- files --------------------------------------------------------------------------------- */

/* Creates a folder and returns its absolute path without links; folder_remove frees the name. */
char *folder_make(void);
void folder_remove(char *path);

/* Returns "folder/name", to be freed by the caller. */
char *path_in(const char *folder, const char *name);

void file_write(const char *path, const void *data, size_t n);
void file_write_text(const char *path, const char *text);
/* Returns the file's bytes, terminated, to be freed by the caller; fails if the file cannot be
 * read. */
char *file_read(const char *path, size_t *n);
void file_copy(const char *from, const char *to);
/* Creates a folder and its parents. */
void folders_make(const char *path);
/* Returns the number of entries of a folder. */
size_t folder_count(const char *path);

/* Runs `work` in a separate process, without privileges if this process has them, and returns its
 * result; `work` must not use asserts. */
int run_unprivileged(int (*work)(void *), void *arg);

/* ---- instance ------------------------------------------------------------------------------ */

/* A component that does nothing, with a run, for functions that need a brz_ctx. */
typedef struct bench {
    ear ear;
    brz_run run;
    brz_component component;
    brz_loaded loaded;
    brz_instance *instance;
    brz_ctx *ctx;
} bench;

void bench_open(bench *b);
void bench_close(bench *b);

/* A sink that stores its input, and fails after `limit` bytes. */
typedef struct keeper {
    brz_sink base; /* first */
    brz_buf text;
    size_t limit, calls;
} keeper;

void keeper_init(keeper *k);
void keeper_finish(keeper *k);

#endif

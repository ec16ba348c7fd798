/* What every unit test starts from: cmocka, random numbers that are the same each time, a console
 * whose messages can be read, and folders that go away. */
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

/* Fails unless `part` is somewhere in the text, or is nowhere in it. */
#define assert_contains(text, part) assert_contains_at((text), (part), true, __FILE__, __LINE__)
#define assert_lacks(text, part)    assert_contains_at((text), (part), false, __FILE__, __LINE__)
void assert_contains_at(const char *text, const char *part, bool wanted, const char *file,
                        int line);

/* A copy in memory of its very size, so that a sanitizer sees the first byte too many. Free it. */
char *exact_copy(const void *data, size_t n);

/* ---- random numbers ------------------------------------------------------------------------ */

typedef struct dice {
    uint64_t state;
} dice;

uint64_t roll(dice *d);
size_t roll_below(dice *d, size_t n);

/* A random choice of the characters of `alphabet`, 0 to `longest` of them, terminated. */
size_t roll_text(dice *d, const char *alphabet, size_t longest, char *to);

/* ---- a console ----------------------------------------------------------------------------- */

typedef struct ear {
    brz_console console;
    char *text;
    size_t len;
} ear;

void ear_open(ear *e);
/* All that was said so far. */
const char *ear_heard(ear *e);
void ear_forget(ear *e);
void ear_close(ear *e);

/* ---- files --------------------------------------------------------------------------------- */

/* A new folder, absolute and without links; folder_remove frees the name. */
char *folder_make(void);
void folder_remove(char *path);

/* "folder/name", to be freed. */
char *path_in(const char *folder, const char *name);

void file_write(const char *path, const void *data, size_t n);
void file_write_text(const char *path, const char *text);
/* The file's bytes, terminated; fails if it cannot be read. Free them. */
char *file_read(const char *path, size_t *n);
void file_copy(const char *from, const char *to);
/* mkdir -p */
void folders_make(const char *path);
/* How many entries a folder has. */
size_t folder_count(const char *path);

/* Runs `work` in a process of its own, as a user without privileges if this one has them, and gives
 * what it returned; it must not use asserts. */
int run_unprivileged(int (*work)(void *), void *arg);

/* ---- an instance --------------------------------------------------------------------------- */

/* A component that does nothing, with a run, for what needs a brz_ctx. */
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

/* A sink that keeps what it is given, and fails once it has `limit` bytes. */
typedef struct keeper {
    brz_sink base; /* first */
    brz_buf text;
    size_t limit, calls;
} keeper;

void keeper_init(keeper *k);
void keeper_finish(keeper *k);

#endif

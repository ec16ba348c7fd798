/* SPDX-License-Identifier: MIT */
/* Helpers of all libbrazier tests: a session that stores its diagnostics, inputs and outputs that
 * are functions, and the program for comparison. They use nothing of core. */
#ifndef BRZ_TEST_API_H
#define BRZ_TEST_API_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <brazier.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Folded stacks, the same format with invalid lines, and stacks of a later run of the same
 * program. */
#define STACKS       "main;parse;read 5\nmain;parse 3\nmain;draw;fill 7\nmain;draw 2\n"
#define ODD_STACKS   "main;parse 3\nno count here\nmain;draw 2\nnor here\n"
#define LATER_STACKS "main;parse;read 9\nmain;parse 3\nmain;draw;fill 1\n"

/* ---- text ---------------------------------------------------------------------------------- */

/* A growing array of bytes, terminated by a zero byte. */
typedef struct text {
    char *data;
    size_t len, room;
    size_t limit; /* text_write rejects more than that; 0: no limit */
    size_t calls; /* number of calls of text_write */
} text;

void text_add(text *t, const void *data, size_t len);
int text_write(void *context, const void *data, size_t len); /* a brazier_write_fn */
void text_free(text *t);

/* Returns `n` lines such as "main;a;b 1" with some thousand different stacks. */
text many_stacks(size_t n);

/* Fails unless `part` is in the text. */
#define assert_contains(whole, part) assert_contains_at((whole), (part), __FILE__, __LINE__)
void assert_contains_at(const char *whole, const char *part, const char *file, int line);

/* ---- sessions and pipelines ---------------------------------------------------------------- */

/* Opens a session with the shipped plug-ins and configuration; it stores its diagnostics. */
brazier_session *session_open(void);

/* Sets options, such as "from=folded jobs=2 negate". Each must be valid. */
void pipeline_set(brazier_pipeline *p, const char *options);

/* Returns the first error among the diagnostics; fails if there is no error. */
const brazier_diagnostic *first_error(const brazier_session *s);

size_t diagnostics(const brazier_session *s);

/* Fails and prints the diagnostics unless the status is `want`. */
#define assert_status(s, got, want) assert_status_at((s), (got), (want), __FILE__, __LINE__)
void assert_status_at(const brazier_session *s, brazier_status got, brazier_status want,
                      const char *file, int line);

/* Fails unless the output consists of exactly these bytes. */
void assert_output(const brazier_pipeline *p, size_t output, const char *data, size_t len);

/* ---- isolation ----------------------------------------------------------------------------- */

/* Skips the test under valgrind, which generates code and opens files of its own: the sandbox of an
 * isolated collapser forbids both. Sanitizer builds check its memory use. */
void needs_isolation(void);

/* ---- inputs -------------------------------------------------------------------------------- */

/* A source of bytes in pieces of random lengths. */
typedef struct pieces {
    const char *data;
    size_t len, at, largest;
    uint32_t dice;
    size_t fail_at; /* fails at this position; 0: never */
    bool endless;   /* starts again at the end */
} pieces;

int64_t pieces_read(void *context, void *to, size_t size); /* a brazier_read_fn */

/* ---- signals ------------------------------------------------------------------------------- */

/* Sets the handler of a signal. */
void on(int sig, void (*handler)(int));

/* ---- files and the program ----------------------------------------------------------------- */

/* Creates a folder and returns its name; folder_remove frees it. */
char *folder_make(void);
void folder_remove(char *folder);
size_t folder_count(const char *folder);

/* Returns "folder/name", to be freed by the caller. */
char *path_in(const char *folder, const char *name);

void file_write(const char *path, const void *data, size_t len);
text file_read(const char *path);

/* Returns the standard output of `brazier WORDS` for `input`. Fails unless the program succeeds. */
#define program(input, len, ...)                                                                   \
    program_run((input), (len), (const char *const[]){__VA_ARGS__, NULL})
text program_run(const char *input, size_t len, const char *const *words);

#endif

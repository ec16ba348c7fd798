/* What every test of libbrazier starts from: a session that remembers what it was told, inputs and
 * outputs that are functions, and the program to compare with. Nothing of core: these are programs.
 */
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

/* Folded stacks, of which one line is odd, and those of another run of the same program. */
#define STACKS       "main;parse;read 5\nmain;parse 3\nmain;draw;fill 7\nmain;draw 2\n"
#define ODD_STACKS   "main;parse 3\nno count here\nmain;draw 2\nnor here\n"
#define LATER_STACKS "main;parse;read 9\nmain;parse 3\nmain;draw;fill 1\n"

/* ---- text ---------------------------------------------------------------------------------- */

/* Bytes that grow, with a zero behind them. */
typedef struct text {
    char *data;
    size_t len;
    size_t limit; /* text_write refuses more than that; 0: none */
    size_t calls; /* of text_write */
} text;

void text_add(text *t, const void *data, size_t len);
int text_write(void *context, const void *data, size_t len); /* a brazier_write_fn */
void text_free(text *t);

/* "main;a;b 1" and so on: `n` lines with some thousand different stacks. */
text many_stacks(size_t n);

/* Fails unless `part` is in the text. */
#define assert_contains(whole, part) assert_contains_at((whole), (part), __FILE__, __LINE__)
void assert_contains_at(const char *whole, const char *part, const char *file, int line);

/* ---- sessions and pipelines ---------------------------------------------------------------- */

/* One with the shipped plug-ins and configuration, that keeps its diagnostics. */
brazier_session *session_open(void);

/* The first diagnostic that is an error; fails if there is none. */
const brazier_diagnostic *first_error(const brazier_session *s);

size_t diagnostics(const brazier_session *s);

/* Fails, and shows the diagnostics, unless the status is this one. */
#define assert_status(s, got, want) assert_status_at((s), (got), (want), __FILE__, __LINE__)
void assert_status_at(const brazier_session *s, brazier_status got, brazier_status want,
                      const char *file, int line);

/* Fails unless the output is exactly these bytes. */
void assert_output(const brazier_pipeline *p, size_t output, const char *data, size_t len);

/* ---- isolation ----------------------------------------------------------------------------- */

/* Skips the test under valgrind, which makes code as it goes and opens its own files: an isolated
 * collapser may do neither. The builds with sanitizers see to its memory. */
void needs_isolation(void);

/* ---- an input ------------------------------------------------------------------------------ */

/* Gives bytes in pieces of lengths that look random. */
typedef struct pieces {
    const char *data;
    size_t len, at, largest;
    uint32_t dice;
    size_t fail_at; /* says that it cannot go on there; 0: never */
    bool endless;   /* begins again */
} pieces;

int64_t pieces_read(void *context, void *to, size_t size); /* a brazier_read_fn */

/* ---- signals ------------------------------------------------------------------------------- */

/* What a signal does from now on. */
void on(int sig, void (*handler)(int));

/* ---- files and the program ----------------------------------------------------------------- */

/* A new folder; folder_remove frees the name. */
char *folder_make(void);
void folder_remove(char *folder);
size_t folder_count(const char *folder);

/* "folder/name", to be freed. */
char *path_in(const char *folder, const char *name);

void file_write(const char *path, const void *data, size_t len);
text file_read(const char *path);

/* What `brazier WORDS` writes to standard output, given `input`. Fails unless it succeeds. */
#define program(input, len, ...)                                                                   \
    program_run((input), (len), (const char *const[]){__VA_ARGS__, NULL})
text program_run(const char *input, size_t len, const char *const *words);

#endif

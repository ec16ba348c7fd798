/* SPDX-License-Identifier: MIT */
/* Helpers of all fuzz targets: inputs with appended settings, checked properties, and bytes in the
 * form of a file.
 *
 * A target is a function that processes bytes and ends the process if a property is violated.
 * libFuzzer calls it with generated inputs, replay.c with files.
 */
#ifndef BRZ_FUZZ_H
#define BRZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/stream.h"
#include "plugin/options.h"

/* The target function. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Runs the target over files and folders, the list of which ends with NULL, and prints the number
 * of files. Ignores missing ones. Returns the status of the program: 0, or 1 if there is no file at
 * all. */
int fuzz_replay(char *const *paths);

/* Settings of an input: its last five bytes are four settings and FUZZ_MARK. Files without the mark
 * use the default settings. */
typedef struct fuzz_settings {
    uint8_t way, size, option, value;
} fuzz_settings;

#define FUZZ_MARK 0xfb

/* Removes the settings from the end of the input and returns them; they are zero if the input has
 * no settings. */
fuzz_settings fuzz_take_settings(const uint8_t *data, size_t *size);

/* Stores the i-th variant of the settings that every replayed file is tested with. Returns false
 * after the last one. Each target defines it. */
bool fuzz_variant(unsigned i, fuzz_settings *settings);

/* Makes the options of a component: all at their defaults but for the one that the settings choose,
 * unless it does not take the word. Free them with brz_options_destroy. */
brz_options *fuzz_make_options(const brz_component *c, const fuzz_settings *s);

/* Ends the process with a message unless a property holds. */
#define FUZZ_REQUIRE(holds, ...)                                                                   \
    do {                                                                                           \
        if (!(holds))                                                                              \
            fuzz_finding(__FILE__, __LINE__, __VA_ARGS__);                                         \
    } while (0)
_Noreturn void fuzz_finding(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Redirect standard input to a file or a pipe with these bytes. A pipe holds up to
 * FUZZ_PIPE_SIZE. */
void fuzz_stdin_file(const uint8_t *data, size_t size);
void fuzz_stdin_pipe(const uint8_t *data, size_t size);

#define FUZZ_PIPE_SIZE ((size_t)1 << 20)

/* Returns a stream of bytes that returns at most `portion` bytes per read. The bytes must outlive
 * it. */
brz_stream *fuzz_stream(const uint8_t *data, size_t size, size_t portion);

#endif

/* What every fuzz target starts from: inputs with settings behind them, properties that must hold,
 * and bytes that look like a file.
 *
 * A target is a function from bytes to nothing that ends the process if a property is broken.
 * libFuzzer calls it with what it makes up, replay.c with files.
 */
#ifndef BRZ_FUZZ_H
#define BRZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/stream.h"

/* The target. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An input may end with five bytes: four that say how it is to be treated, and FUZZ_MARK. Any
 * ordinary file is an input too: it is treated in the usual way. */
typedef struct fuzz_settings {
    uint8_t way, size, option, value;
} fuzz_settings;

#define FUZZ_MARK 0xfb

/* Takes the settings off the end; all zero if there are none. */
fuzz_settings fuzz_take_settings(const uint8_t *data, size_t *size);

/* The settings that every replayed file is tried with, one after the other; false behind the last
 * one. Each target defines it. */
bool fuzz_variant(unsigned i, fuzz_settings *settings);

/* Ends the process with a message unless a property holds. */
#define FUZZ_REQUIRE(holds, ...)                                                                   \
    do {                                                                                           \
        if (!(holds))                                                                              \
            fuzz_finding(__FILE__, __LINE__, __VA_ARGS__);                                         \
    } while (0)
_Noreturn void fuzz_finding(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Lets standard input be a file, or a pipe, with these bytes. A pipe holds FUZZ_PIPE_SIZE. */
void fuzz_stdin_file(const uint8_t *data, size_t size);
void fuzz_stdin_pipe(const uint8_t *data, size_t size);

#define FUZZ_PIPE_SIZE ((size_t)1 << 20)

/* A stream of bytes that gives at most `portion` of them at a time. They outlive it. */
brz_stream *fuzz_stream(const uint8_t *data, size_t size, size_t portion);

#endif

/* SPDX-License-Identifier: MIT */
/* Implements the helpers of all fuzz targets. */
#include "fuzz.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"

_Noreturn void fuzz_finding(const char *file, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    dprintf(STDERR_FILENO, "%s:%d: finding: ", file, line);
    vdprintf(STDERR_FILENO, format, args);
    dprintf(STDERR_FILENO, "\n");
    va_end(args);
    abort();
}

fuzz_settings fuzz_take_settings(const uint8_t *data, size_t *size)
{
    fuzz_settings s = {0};
    if (*size <= sizeof s || data[*size - 1] != FUZZ_MARK)
        return s;
    *size -= sizeof s + 1;
    memcpy(&s, data + *size, sizeof s);
    return s;
}

/* ---- options ------------------------------------------------------------------------------- */

static const char *const words[] = {"1", "0", "main", "64", "a", "", ";", "all", "^[a-f]", "2.5"};

#define N_WORDS (sizeof words / sizeof words[0])

/* Returns a word for an option, or NULL. */
static const char *option_value(const brz_option *o, uint8_t value)
{
    size_t n = 0;
    switch (o->type) {
    case BRZ_OPTION_BOOL:
        return o->dflt != NULL && strcmp(o->dflt, "true") == 0 ? "false" : "true";
    case BRZ_OPTION_ENUM:
        while (o->choices[n] != NULL)
            n++;
        return n == 0 ? NULL : o->choices[value % n];
    default:
        return words[value % N_WORDS];
    }
}

brz_options *fuzz_make_options(const brz_component *c, const fuzz_settings *s)
{
    brz_buf ignored = {0};
    brz_options *options = brz_options_create(c, &ignored);
    uint32_t chosen = c->n_options == 0 ? 0 : s->option % (c->n_options + 1);
    const brz_option *o = chosen > 0 ? brz_option_at(c, chosen - 1) : NULL;
    const char *word = o != NULL ? option_value(o, s->value) : NULL;
    if (word != NULL)
        brz_options_set(options, o, brz_str_of(word, strlen(word)), BRZ_LAYER_COMMAND_LINE,
                        BRZ_STR("settings"), &ignored);
    brz_buf_finish(&ignored);
    return options;
}

/* ---- standard input ------------------------------------------------------------------------ */

static void write_all(int fd, const uint8_t *data, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, data, size);
        FUZZ_REQUIRE(n > 0, "cannot write the input");
        data += n;
        size -= (size_t)n;
    }
}

static void become_stdin(int fd)
{
    FUZZ_REQUIRE(dup2(fd, STDIN_FILENO) == STDIN_FILENO, "no standard input");
    close(fd);
}

void fuzz_stdin_file(const uint8_t *data, size_t size)
{
    int fd = memfd_create("input", 0);
    FUZZ_REQUIRE(fd >= 0, "no file for the input");
    write_all(fd, data, size);
    lseek(fd, 0, SEEK_SET);
    become_stdin(fd);
}

void fuzz_stdin_pipe(const uint8_t *data, size_t size)
{
    int ends[2];
    FUZZ_REQUIRE(pipe(ends) == 0, "no pipe for the input");
    if (size > (64u << 10))
        FUZZ_REQUIRE(fcntl(ends[1], F_SETPIPE_SZ, (int)FUZZ_PIPE_SIZE) > 0, "no large pipe");
    write_all(ends[1], data, size);
    close(ends[1]);
    become_stdin(ends[0]);
}

/* ---- streams ------------------------------------------------------------------------------- */

typedef struct memory_stream {
    brz_stream base;
    const uint8_t *data;
    size_t size, portion;
} memory_stream;

static size_t memory_read(brz_stream *base, uint8_t *to, size_t n)
{
    memory_stream *m = (memory_stream *)base;
    n = n < m->portion ? n : m->portion;
    n = n < m->size ? n : m->size;
    if (n == 0)
        base->state = BRZ_STREAM_END;
    else
        memcpy(to, m->data, n);
    m->data += n;
    m->size -= n;
    return n;
}

static void memory_close(brz_stream *base)
{
    free(base);
}

brz_stream *fuzz_stream(const uint8_t *data, size_t size, size_t portion)
{
    memory_stream *m = brz_calloc(1, sizeof *m);
    m->base.read = memory_read;
    m->base.close = memory_close;
    m->data = data;
    m->size = size;
    m->portion = portion;
    return &m->base;
}

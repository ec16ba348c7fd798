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
    fprintf(stderr, "%s:%d: finding: ", file, line);
    vfprintf(stderr, format, args);
    fprintf(stderr, "\n");
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

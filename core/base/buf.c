/* SPDX-License-Identifier: MIT */
/* A growing text. */
#include "base/buf.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define USUAL_TEXT ((size_t)80)    /* most formatted texts are shorter */
#define PIECE      ((size_t)16384) /* bytes to read at once */

void brz_buf_finish(brz_buf *b)
{
    free(b->data);
    memset(b, 0, sizeof *b);
}

void brz_buf_clear(brz_buf *b)
{
    b->len = 0;
    if (b->data != NULL)
        b->data[0] = '\0';
}

char *brz_buf_room(brz_buf *b, size_t len)
{
    if (len >= SIZE_MAX / 4 - b->len)
        brz_out_of_memory(len);
    if (b->cap - b->len < len + 1) {
        b->cap = 2 * b->len + len + 64;
        b->data = brz_realloc(b->data, b->cap, 1);
    }
    return b->data + b->len;
}

void brz_buf_add(brz_buf *b, const char *data, size_t len)
{
    char *to = brz_buf_room(b, len);
    if (len > 0)
        memcpy(to, data, len);
    b->len += len;
    b->data[b->len] = '\0';
}

void brz_buf_add_str(brz_buf *b, brz_str s)
{
    brz_buf_add(b, s.data, s.len);
}

void brz_buf_add_text(brz_buf *b, const char *text)
{
    brz_buf_add(b, text, strlen(text));
}

void brz_buf_add_char(brz_buf *b, char c)
{
    brz_buf_add(b, &c, 1);
}

void brz_buf_add_u32(brz_buf *b, uint32_t value)
{
    brz_buf_add(b, (const char *)&value, sizeof value);
}

void brz_buf_add_u64(brz_buf *b, uint64_t value)
{
    brz_buf_add(b, (const char *)&value, sizeof value);
}

void brz_buf_vprintf(brz_buf *b, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    char *to = brz_buf_room(b, USUAL_TEXT);
    size_t room = b->cap - b->len;
    int n = vsnprintf(to, room, format, args);
    if (n > 0 && (size_t)n >= room) /* only now is the length known */
        vsnprintf(brz_buf_room(b, (size_t)n), (size_t)n + 1, format, again);
    b->len += n > 0 ? (size_t)n : 0;
    b->data[b->len] = '\0';
    va_end(again);
}

void brz_buf_printf(brz_buf *b, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    brz_buf_vprintf(b, format, args);
    va_end(args);
}

void brz_buf_add_scaled(brz_buf *b, int64_t value, uint32_t decimals)
{
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value, scale = 1;
    for (uint32_t i = 0; i < decimals; i++) /* up to 19, which brz_power_of_ten() does not take */
        scale *= 10;
    brz_buf_printf(b, "%s%" PRIu64, value < 0 ? "-" : "", magnitude / scale);
    if (decimals > 0)
        brz_buf_printf(b, ".%0*" PRIu64, (int)decimals, magnitude % scale);
}

bool brz_buf_read(brz_buf *b, int fd, size_t most)
{
    while (b->len < most) {
        ssize_t n = read(fd, brz_buf_room(b, PIECE), PIECE);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0;
        b->len += (size_t)n;
        b->data[b->len] = '\0';
    }
    return true;
}

bool brz_buf_read_file(brz_buf *b, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return false;
    bool good = brz_buf_read(b, fd, SIZE_MAX);
    int error = errno;
    close(fd);
    errno = error;
    return good;
}

const char *brz_buf_text(const brz_buf *b)
{
    return b->len > 0 ? b->data : "";
}

brz_str brz_buf_str(const brz_buf *b)
{
    return brz_str_of(b->data, b->len);
}

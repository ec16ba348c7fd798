/* SPDX-License-Identifier: MIT */
/* A growing text that owns its bytes and is always terminated. Functions do not fail: the program
 * ends if memory is exhausted (mem.h). */
#ifndef BRZ_BUF_H
#define BRZ_BUF_H

#include <brazier/base.h>

#include <stdarg.h>

/* A zeroed buffer is empty. */
typedef struct brz_buf {
    char *data; /* NULL before the first addition */
    size_t len, cap;
} brz_buf;

/* Frees the memory; the buffer is empty afterwards. */
void brz_buf_finish(brz_buf *b);

/* Removes the contents and keeps the memory. */
void brz_buf_clear(brz_buf *b);

/* Makes room for `len` more bytes and a terminator. Returns a pointer to the new bytes; does not
 * change the length. */
char *brz_buf_room(brz_buf *b, size_t len);

/* Append text. The text must not be part of the buffer, whose memory may move. */
void brz_buf_add(brz_buf *b, const char *data, size_t len);
void brz_buf_add_str(brz_buf *b, brz_str s);
void brz_buf_add_text(brz_buf *b, const char *text);
void brz_buf_add_char(brz_buf *b, char c);
void brz_buf_add_u32(brz_buf *b, uint32_t value); /* in the byte order of the machine */
void brz_buf_add_u64(brz_buf *b, uint64_t value);
void brz_buf_vprintf(brz_buf *b, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
void brz_buf_printf(brz_buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends value / 10^decimals as a decimal number with `decimals` (0 to 19) digits after the point,
 * exactly. */
void brz_buf_add_scaled(brz_buf *b, int64_t value, uint32_t decimals);

/* Appends the bytes that a descriptor still holds, in whatever pieces they come: all of them, or
 * until the buffer has `most` bytes or a few more. Returns false with the reason in errno after an
 * error; the bytes before it are kept. */
bool brz_buf_read(brz_buf *b, int fd, size_t most);

/* Appends the content of a file. Returns false with the reason in errno if it cannot be read. */
bool brz_buf_read_file(brz_buf *b, const char *path);

/* Returns the text as a terminated string. Valid until the next change. */
const char *brz_buf_text(const brz_buf *b);

/* Returns the text as a view, whose data may be NULL if nothing was ever added. */
brz_str brz_buf_str(const brz_buf *b);

#endif

/* Text that grows: an owner of bytes, always terminated. Where there is no memory for it the
 * program ends (mem.h), so none of this fails. */
#ifndef BRZ_BUF_H
#define BRZ_BUF_H

#include <brazier/base.h>

#include <stdarg.h>

/* A zeroed buffer is empty and ready. */
typedef struct brz_buf {
    char *data; /* NULL while nothing was ever added */
    size_t len, cap;
} brz_buf;

/* Frees its memory; it is empty and ready again. */
void brz_buf_finish(brz_buf *b);

/* Makes it empty, and keeps the memory. */
void brz_buf_clear(brz_buf *b);

/* Room for `len` more bytes and a zero; returns where they go. Does not change the length. */
char *brz_buf_room(brz_buf *b, size_t len);

/* These append. What is added is not part of the buffer itself, which may move. */
void brz_buf_add(brz_buf *b, const char *data, size_t len);
void brz_buf_add_str(brz_buf *b, brz_str s);
void brz_buf_add_text(brz_buf *b, const char *text);
void brz_buf_add_char(brz_buf *b, char c);
void brz_buf_vprintf(brz_buf *b, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
void brz_buf_printf(brz_buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The text as a terminated string; "" while empty. Valid until the next change. */
const char *brz_buf_text(const brz_buf *b);

/* The same as a view, whose data is NULL if nothing was ever added. */
brz_str brz_buf_str(const brz_buf *b);

#endif

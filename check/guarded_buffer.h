/* Guarded memory for plug-ins: they can read the bytes and the promised slack around them, but
 * cannot write, and cannot access anything else. */
#ifndef BRZ_CHECK_GUARDED_BUFFER_H
#define BRZ_CHECK_GUARDED_BUFFER_H

#include "crash_record.h"

typedef struct check_guarded_buffer {
    check_crash_record *crash_record;
    size_t area;
    uint8_t *map;
    size_t map_len;
    uint8_t *start, *end; /* the accessible pages */
    uint8_t *written;     /* the same pages, to write to them */
    uint8_t *shown;       /* bytes shown at present */
    size_t shown_len;
} check_guarded_buffer;

void check_guarded_buffer_init(check_guarded_buffer *g, check_crash_record *crash_record);
void check_guarded_buffer_finish(check_guarded_buffer *g);

/* Shows a copy of n bytes until the next call and fills the memory around it with `slack`.
 * `at_front` places it next to the page in front; otherwise it is next to the page behind. */
const uint8_t *check_guarded_buffer_set(check_guarded_buffer *g, const uint8_t *data, size_t n,
                                        uint8_t slack, bool at_front);

/* Overwrites the bytes shown. */
void check_guarded_buffer_overwrite(check_guarded_buffer *g);

#endif

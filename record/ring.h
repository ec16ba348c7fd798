/* SPDX-License-Identifier: MIT */
/* The ring of a processor, into which the kernel writes records.
 *
 * The kernel advances the head, the reader the tail; both only grow. Records and the size of the
 * ring are multiples of 8 bytes, so the header of a record never wraps around, unlike its body.
 */
#ifndef BRZ_RECORD_RING_H
#define BRZ_RECORD_RING_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

typedef struct brz_ring {
    struct perf_event_mmap_page *page; /* shared with the kernel; NULL: not mapped */
    uint8_t *data;
    uint64_t size; /* of `data`: a power of 2 */
    uint64_t head; /* end of the bytes that may be read */
    uint64_t tail; /* beginning */
    size_t mapped; /* size of the mapping */
} brz_ring;

/* Maps the ring of an event, with a number of pages that is a power of 2. Returns false with the
 * reason in errno. */
bool brz_ring_map(brz_ring *r, int fd, size_t pages);
void brz_ring_unmap(brz_ring *r);

/* Reads the position up to which the kernel has written. Returns the number of bytes to read. */
uint64_t brz_ring_look(brz_ring *r);

/* Copies `size` bytes at a distance from the tail. */
void brz_ring_copy(const brz_ring *r, uint64_t distance, void *to, size_t size);

/* Describes the bytes from the tail to the head: one or two pieces. Returns their number. */
int brz_ring_pieces(const brz_ring *r, struct iovec pieces[2]);

/* Lets the kernel overwrite the bytes up to the head. */
void brz_ring_release(brz_ring *r);

#endif

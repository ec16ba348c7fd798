/* SPDX-License-Identifier: MIT */
/* Reads the rings of the kernel. */
#include "record/ring.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

bool brz_ring_map(brz_ring *r, int fd, size_t pages)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    r->mapped = (pages + 1) * page;
    void *at = mmap(NULL, r->mapped, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED)
        return false;
    r->page = at;
    r->data = (uint8_t *)at + page;
    r->size = pages * page;
    r->head = r->tail = 0;
    return true;
}

void brz_ring_unmap(brz_ring *r)
{
    if (r->page != NULL)
        munmap(r->page, r->mapped);
    *r = (brz_ring){0};
}

uint64_t brz_ring_look(brz_ring *r)
{
    r->head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
    return r->head - r->tail;
}

void brz_ring_copy(const brz_ring *r, uint64_t distance, void *to, size_t size)
{
    uint64_t at = (r->tail + distance) & (r->size - 1);
    size_t first = size < r->size - at ? size : (size_t)(r->size - at);
    memcpy(to, r->data + at, first);
    memcpy((uint8_t *)to + first, r->data, size - first);
}

int brz_ring_pieces(const brz_ring *r, struct iovec pieces[2])
{
    uint64_t at = r->tail & (r->size - 1), left = r->head - r->tail;
    uint64_t first = left < r->size - at ? left : r->size - at;
    pieces[0] = (struct iovec){r->data + at, (size_t)first};
    pieces[1] = (struct iovec){r->data, (size_t)(left - first)};
    return left > first ? 2 : left > 0 ? 1 : 0;
}

void brz_ring_release(brz_ring *r)
{
    r->tail = r->head;
    __atomic_store_n(&r->page->data_tail, r->tail, __ATOMIC_RELEASE);
}

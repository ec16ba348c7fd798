/* Counts allocations, the memory that they hold at its peak and at the end, and those that are
 * freed before anything else is allocated.
 *
 * One pass finds the memory of each allocation at the peak: a change stores the previous number,
 * unless one was stored since the last peak. An allocation without a stored number has not changed
 * since then.
 */
#ifndef HEAPTRACK_COSTS_H
#define HEAPTRACK_COSTS_H

#include <brazier/text.h>

/* Allocations of a size by a trace. */
typedef struct heap_cost {
    uint64_t size;
    uint32_t trace; /* its number, or 0 */
    int64_t calls, live, temporary;
    int64_t live_at_peak; /* valid if `peak` is the number of the last one */
    uint64_t peak;
} heap_cost;

typedef struct heap_costs {
    heap_cost *items;
    size_t n, cap;
    int64_t held, most; /* bytes: now, and at the last peak */
    uint64_t peak;      /* number of the last peak, from 1 */
    uint64_t last; /* index of the last allocation, unless memory was freed since; UINT64_MAX */
} heap_costs;

/* Results of a change. */
typedef enum heap_change {
    HEAP_CHANGED,
    HEAP_UNKNOWN,   /* no such allocation */
    HEAP_TOO_LARGE, /* the memory exceeds 63 bits */
    HEAP_NOT_HELD,  /* more is freed than was allocated */
} heap_change;

/* Initialises costs, or forgets all. */
void heap_costs_init(heap_costs *c);

/* Adds a size of a trace. */
void heap_costs_add(heap_costs *c, brz_ctx *ctx, uint64_t size, uint32_t trace);

/* Allocates memory of a size, by its index. */
heap_change heap_allocate(heap_costs *c, uint64_t index);

/* Frees such memory. */
heap_change heap_free(heap_costs *c, uint64_t index);

/* Returns the bytes of an allocation at the peak. */
int64_t heap_bytes_at_peak(const heap_costs *c, const heap_cost *cost);

/* Returns the bytes that were never freed. */
static inline int64_t heap_bytes_leaked(const heap_cost *cost)
{
    return cost->live * (int64_t)cost->size;
}

#endif

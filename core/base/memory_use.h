/* Reads the memory that this process takes, and limits it. */
#ifndef BRZ_MEMORY_USE_H
#define BRZ_MEMORY_USE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct brz_memory_use {
    uint64_t resident; /* bytes of its own that are in memory: no files, nothing shared */
    uint64_t data;     /* bytes of its own that may be written, touched or not */
    uint64_t mapped;   /* bytes of addresses, whatever is behind them */
} brz_memory_use;

/* Finds out how much this process takes; false where the system does not tell. */
bool brz_memory_use_read(brz_memory_use *use);

/* Lets the process take `more` bytes beside what it has; the system refuses others. Returns the
 * limit that was in force, for brz_memory_release, or 0 if nothing changed. */
uint64_t brz_memory_confine(uint64_t more);
void brz_memory_release(uint64_t before);

/* Returns the bytes that stacks of `threads` threads are counted as, touched or not. 0 threads: one
 * per processor. */
uint64_t brz_memory_of_stacks(unsigned threads);

/* The limit to name where memory runs out, in bytes; 0: none. It is of the process, and read on any
 * thread. */
void brz_memory_set_limit(uint64_t bytes);
uint64_t brz_memory_limit(void);

#endif

/* SPDX-License-Identifier: MIT */
/* Reads and limits the memory of this process. */
#ifndef BRZ_MEMORY_USE_H
#define BRZ_MEMORY_USE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct brz_memory_use {
    uint64_t resident; /* private bytes in memory, without files and shared memory */
    uint64_t data;     /* private writable bytes, used or not */
    uint64_t files;    /* bytes of files and shared memory in memory */
    uint64_t mapped;   /* size of the address space */
} brz_memory_use;

/* Reads the memory use of this process. Returns false if the system does not provide it. */
bool brz_memory_use_read(brz_memory_use *use);

/* Limits the process to `more` bytes in addition to those in use; the system refuses further
 * memory. Returns the previous limit for brz_memory_release(), or 0 if nothing changed. */
uint64_t brz_memory_confine(uint64_t more);
void brz_memory_release(uint64_t before);

/* Returns the number of bytes that the stacks of `threads` threads count as, used or not. 0 stands
 * for one thread per processor. */
uint64_t brz_memory_of_stacks(unsigned threads);

/* Sets the limit to name in messages about exhausted memory, in bytes; 0: none. It applies to the
 * process and may be read on any thread. */
void brz_memory_set_limit(uint64_t bytes);
uint64_t brz_memory_limit(void);

#endif

/* SPDX-License-Identifier: MIT */
/* Allocates memory or ends the program, so that callers need no error paths.
 *
 * Sizes are products that are checked for overflow. The program determines how a failure ends it.
 * By default, the process is aborted without a message, as is suitable for a library.
 */
#ifndef BRZ_MEM_H
#define BRZ_MEM_H

#include <stddef.h>

/* Allocates `count` zeroed elements of `size` bytes. Never returns NULL. Release with free(). */
void *brz_calloc(size_t count, size_t size);

/* Allocates `size` uninitialised bytes. Never returns NULL. Release with free(). */
void *brz_malloc(size_t size);

/* Resizes an array to `count` elements of `size` bytes, like realloc(). If the new size is 0, frees
 * `old` and returns NULL; otherwise never returns NULL. */
void *brz_realloc(void *old, size_t count, size_t size);

/* Returns a terminated copy of the first `len` bytes. Release with free(). */
char *brz_memdup(const char *data, size_t len);

/* Makes room for one more element in a growing array: enlarges the array and *cap if `used` has
 * reached *cap. Returns the array, which may have moved. */
void *brz_grow(void *array, size_t used, size_t *cap, size_t size);

/* Allocates zeroed whole pages, which cost nothing until they are used. Never returns NULL. */
void *brz_pages_alloc(size_t size);
void brz_pages_free(void *p, size_t size); /* `size` as allocated */

/* Allocates a zeroed hash table. All of its pages are touched here: look-ups would read most of
 * them before they are written, which takes two faults each. Never returns NULL. */
void *brz_table_alloc(size_t size);
void brz_table_free(void *p, size_t size); /* `size` as allocated; `p` may be NULL */

#define BRZ_LARGE_PAGE ((size_t)2 << 20)

/* Allocates BRZ_LARGE_PAGE uninitialised bytes, which cost one page fault if the system has a large
 * page for them. Never returns NULL. Release with free(). */
void *brz_large_page(void);

/* Ends the program because memory is exhausted. */
_Noreturn void brz_out_of_memory(size_t wanted);

/* Classifies the failure of a system call that otherwise says something about a file, for example
 * that it does not exist. Returns `error`, an errno value, if it is about the system (a read error,
 * no descriptors), or else 0. Ends the program if memory is exhausted. */
int brz_system_failure(int error);

/* Sets the function that ends the process when memory is exhausted. It is called on any thread with
 * the number of bytes wanted (0: unknown), and must not return. NULL stands for abort(). */
typedef void brz_out_of_memory_fn(size_t wanted);
void brz_set_out_of_memory(brz_out_of_memory_fn *f);

#endif

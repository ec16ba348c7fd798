/* Memory that is there or ends the program: no caller has an error path for it.
 *
 * Sizes are products with overflow checks. What a failure does is decided by who runs the program:
 * by default the process is aborted, without a word, as befits a library.
 */
#ifndef BRZ_MEM_H
#define BRZ_MEM_H

#include <stddef.h>

/* `count` elements of `size` bytes, zeroed; never NULL. Free with free(). */
void *brz_calloc(size_t count, size_t size);

/* `size` bytes with anything in them; never NULL. Free with free(). */
void *brz_malloc(size_t size);

/* Resizes like realloc to `count` elements of `size` bytes, without zeroing. NULL if that is none,
 * and then `old` is freed; else never NULL. */
void *brz_realloc(void *old, size_t count, size_t size);

/* A terminated copy of the first `len` bytes. */
char *brz_memdup(const char *data, size_t len);

/* Makes room for one more element in a growing array: doubles `*cap` and moves the array when
 * `used` has reached it. Returns the array. */
void *brz_grow(void *array, size_t used, size_t *cap, size_t size);

/* Whole pages, zeroed, of which those that are never touched cost nothing; never NULL. */
void *brz_pages_alloc(size_t size);
void brz_pages_free(void *p, size_t size); /* the same size */

/* Ends the program for want of memory. */
_Noreturn void brz_out_of_memory(size_t wanted);

/* For places where the failure of a system call tells something about a file, as that it does not
 * exist: returns `error`, which is errno, if it tells something about the system instead (a read
 * error, no descriptors), or else 0. Ends the program if there is no memory. */
int brz_system_failure(int error);

/* What is called for that, on any thread, with how many bytes there are not (0: not known); it must
 * not return. NULL: abort(). For the whole process. */
typedef void brz_out_of_memory_fn(size_t wanted);
void brz_set_out_of_memory(brz_out_of_memory_fn *f);

#endif

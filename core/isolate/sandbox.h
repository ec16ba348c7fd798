/* Takes from this process what a collapser has no use for: files, sockets, other programs, other
 * processes, and more memory than there is. For good; for it and all threads it will have.
 *
 * On Linux by a seccomp filter, which is a list of what is allowed, and by Landlock; each where the
 * kernel has it. Elsewhere the limits are all there is.
 */
#ifndef BRZ_SANDBOX_H
#define BRZ_SANDBOX_H

#include <stdint.h>

#include "base/buf.h"

/* What is in force. */
typedef struct brz_sandbox {
    uint32_t seccomp;  /* 1: system calls are filtered */
    uint32_t landlock; /* the version of it; 0: none */
    uint64_t memory;   /* bytes that there may be; 0: no limit */
} brz_sandbox;

/* How much memory a sandbox has: three quarters of the machine's; 0: not known. */
uint64_t brz_sandbox_memory(void);

/* What a process needs in a sandbox. */
typedef struct brz_sandbox_needs {
    int input;        /* a descriptor to read; all but the two are closed */
    int result;       /* one to write */
    int end;          /* the status that the process may end with */
    unsigned threads; /* how many there will be */
    uint64_t memory;  /* bytes beside those that it has; 0: brz_sandbox_memory() */
} brz_sandbox_needs;

/* Enters a sandbox that allows what is needed and nothing else. */
brz_sandbox brz_sandbox_enter(const brz_sandbox_needs *needs);

/* Appends it in words. */
void brz_sandbox_describe(const brz_sandbox *s, brz_buf *b);

#endif

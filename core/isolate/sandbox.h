/* SPDX-License-Identifier: MIT */
/* Restricts this process to what a collapser needs: no files, sockets, other programs or processes,
 * and limited memory. The restrictions are permanent and apply to all threads.
 *
 * On Linux, a seccomp filter with a list of allowed system calls and Landlock enforce them, if the
 * kernel supports these. On other systems, only resource limits apply.
 */
#ifndef BRZ_SANDBOX_H
#define BRZ_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* The restrictions in force. */
typedef struct brz_sandbox {
    uint32_t seccomp;  /* 1: system calls are filtered */
    uint32_t landlock; /* version of Landlock; 0: none */
    uint64_t memory;   /* limit in bytes; 0: none */
} brz_sandbox;

/* Returns the memory limit of a sandbox, three quarters of the machine's memory; 0: unknown. */
uint64_t brz_sandbox_memory(void);

/* The resources that a process needs in a sandbox. */
typedef struct brz_sandbox_needs {
    int input;        /* descriptor to read; all descriptors except these three are closed */
    int result;       /* descriptor to write */
    int answers;      /* socket that descriptors of files come through, one at a time; -1: none */
    int end;          /* the only status with which the process may end */
    unsigned threads; /* maximum number of threads */
    uint64_t memory;  /* bytes in addition to those in use; 0: brz_sandbox_memory() */
    /* Loads plug-ins, whose constructors run, before all restrictions apply; or NULL. Libraries can
     * be read and their code mapped: those below the system's folders and below `folders`, a list
     * that ends with NULL. All other restrictions apply already, as `s` says. */
    void (*load)(void *context, const brz_sandbox *s);
    void *context; /* argument of `load` */
    const char *const *folders;
} brz_sandbox_needs;

/* Returns true if a sandbox here can receive descriptors without being able to open files. */
bool brz_sandbox_can_receive(void);

/* Enters a sandbox that allows only what is needed. */
brz_sandbox brz_sandbox_enter(const brz_sandbox_needs *needs);

/* Appends a description of the restrictions. */
void brz_sandbox_describe(const brz_sandbox *s, brz_buf *b);

#endif

/* Stacks of processes as tools of Unix systems print them: a line of the process, lines of threads
 * and lines of frames, from leaf to root. Each thread with a stack counts as one sample.
 *
 *     1048832: /usr/sbin/demod -x 5
 *     ---------- tid# 3211473 (pthread ID: 1) ----------
 *     0xd0123456  alpha(??, ??) + 0x18
 */
#ifndef COMMON_DUMP_PROCESS_STACKS_H
#define COMMON_DUMP_PROCESS_STACKS_H

#include "dump.h"

/* Parses the line with which a thread begins, without blanks around it. */
typedef bool process_take_thread(brz_str line, uint64_t *id);

/* Removes the address of a frame from the front of a line. Returns false for other lines. */
typedef bool process_take_address(brz_str *line, uint64_t *address);

/* A format: how its lines differ from those of others. */
typedef struct process_format {
    process_take_thread *take_thread;
    process_take_address *take_address;
    process_take_address *sniff_address; /* for addresses that only this format has */
    dump_describe *describe;
} process_format;

/* The state of an instance. */
typedef struct process_stacks {
    dump dump;
    const process_format *format;
    brz_str command; /* in the block */
    brz_str header;  /* of the current thread, in the block; empty: none yet */
    uint64_t thread;
} process_stacks;

/* Recognises "1048832: /usr/sbin/demod -x 5". */
bool process_stacks_begins(brz_str line);

/* Reads a process. Implements dump_read. */
brz_rc process_stacks_read(void *instance, brz_str block);

/* Removes " + 0x18" and the arguments from the end of a function. */
brz_str process_stacks_function(brz_str text);

/* Implements brz_collapser.sniff for a format. */
int32_t process_stacks_sniff(const brz_head *head, const process_format *format);

/* Implements brz_collapser.open for a format. */
brz_rc process_stacks_open(brz_ctx *ctx, const process_format *format);

/* Defines the table `collapser` of a format and its functions. */
#define PROCESS_STACKS_COLLAPSER(format_)                                                          \
    static int32_t sniff(const brz_head *head)                                                     \
    {                                                                                              \
        return process_stacks_sniff(head, format_);                                                \
    }                                                                                              \
    static brz_rc open_instance(brz_ctx *ctx)                                                      \
    {                                                                                              \
        return process_stacks_open(ctx, format_);                                                  \
    }                                                                                              \
    DUMP_PARSE_BLOCKS(process_stacks_begins, process_stacks_read)                                  \
    SHIPPED_READER(process_stacks, .open = open_instance, .finish = dump_finish)

#endif

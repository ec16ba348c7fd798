/* SPDX-License-Identifier: MIT */
/* The known addresses of code.
 *
 * One thread adds entries, which stay where they are. Others may look them up at the same time:
 * they find an entry or do not, yet.
 */
#ifndef PERF_DATA_CODE_TABLE_H
#define PERF_DATA_CODE_TABLE_H

#include <brazier/host.h>
#include <brazier/text/hash.h>

#include <stdatomic.h>

/* Number of addresses that are found without a search of the whole table: a power of two. */
#define KNOWN_CODE 32768

/* Parts of a known_code's context: the module's position from this bit on, and flags. */
#define KNOWN_MODULE 16
#define KNOWN_MAPPED 0x4000u /* something maps the address */
#define KNOWN_USED   0x8000u

struct frame_rule;

/* An address in a module, with its frames and its rules for unwinding. */
typedef struct known_code {
    uint64_t address;
    uint64_t context; /* what else determines the frames */
    uint32_t value;   /* stands for the frames */
    uint32_t reserved;
    _Atomic(const struct frame_rule *) rule; /* NULL: not looked up */
} known_code;

/* A copy of an entry. */
typedef struct recent_code {
    uint64_t address;
    uint64_t context; /* 0: free */
    uint32_t value;
    uint32_t reserved;
    known_code *known;
} recent_code;

typedef struct code_slots {
    size_t n; /* a power of two */
    _Atomic(known_code *) items[];
} code_slots;

typedef struct code_table {
    _Atomic(code_slots *) slots; /* all entries: open addressing with random keys */
    size_t used;
    brz_hash_keys keys;
    known_code *room; /* for the next entries */
    size_t n_room;
} code_table;

void code_table_init(code_table *t, brz_ctx *ctx);

/* Returns memory in which a thread keeps KNOWN_CODE entries that it has found. */
recent_code *code_table_new_recent(brz_ctx *ctx);

/* Searches all entries. Returns NULL if no entry matches. */
known_code *code_table_search(const code_table *t, uint64_t address, uint64_t context);

/* Adds an entry, which must not be there. Returns it. */
known_code *code_table_add(code_table *t, brz_ctx *ctx, uint64_t address, uint64_t context,
                           uint32_t value);

/* Returns where a thread keeps an entry that it has found. */
static inline recent_code *code_table_recent(recent_code *recent, uint64_t address,
                                             uint64_t context)
{
    uint64_t mixed = address ^ address >> 14 ^ context >> (KNOWN_MODULE - 7);
    return &recent[mixed % KNOWN_CODE];
}

/* Keeps an entry there. Returns the place. */
static inline recent_code *code_table_keep(recent_code *recent, known_code *k)
{
    recent_code *r = code_table_recent(recent, k->address, k->context);
    *r = (recent_code){k->address, k->context, k->value, 0, k};
    return r;
}

/* Returns the place of the entry of an address, or NULL if there is no entry. */
static inline const recent_code *code_table_find(const code_table *t, recent_code *recent,
                                                 uint64_t address, uint64_t context)
{
    const recent_code *r = code_table_recent(recent, address, context);
    if (r->address == address && r->context == context)
        return r;
    known_code *k = code_table_search(t, address, context);
    return k == NULL ? NULL : code_table_keep(recent, k);
}

#endif

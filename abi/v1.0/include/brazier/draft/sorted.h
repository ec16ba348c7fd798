/* SPDX-License-Identifier: MIT */
/** @file
 * Describes the draft `brz.draft.sorted/1`: inputs whose stacks are in order can be added up,
 * compared or drawn without a table of stacks.
 *
 * A collapser offers #brz_sorted_reader, and an output #brz_sorted_writer, by `offer`. The host
 * uses them for a run that asks for nothing but the sums of stacks; otherwise, and from the first
 * record on that is not plain, it collapses the input.
 *
 * There are two kinds of readers. Formats whose records are lines, or stand for themselves in
 * another way, have `take`, which reads text piece by piece. Formats whose samples refer to tables
 * of frames have `begin` and `next`, which are called like `parse`; the host then does all the
 * rest.
 */
#ifndef BRAZIER_DRAFT_SORTED_H
#define BRAZIER_DRAFT_SORTED_H

#include <brazier/collapser.h>

/** The id of the draft. */
#define BRZ_SORTED_ID "brz.draft.sorted/1"

/** Maximum length of the names of a stack, in bytes. */
#define BRZ_SORTED_LONGEST (1u << 20)

/** Maximum count of a stack. */
#define BRZ_SORTED_MOST UINT64_C(999999999999999)

/** Flag of brz_sorted_stack: a name that the stack before does not have may be mangled. Such names
 * have "_Z", "_R" or "ml" in them; the host knows which ones are. */
#define BRZ_SORTED_ODD 1u

/** A stack with its count. */
typedef struct brz_sorted_stack {
    const char *names; /**< the names of its frames, root first, joined by ';' */
    uint32_t len;      /**< number of bytes, from 1 to BRZ_SORTED_LONGEST */
    uint32_t shared;   /**< number of first bytes that the stack before has, too */
    uint64_t count;    /**< from 1 to BRZ_SORTED_MOST */
    uint32_t flags;    /**< BRZ_SORTED_ODD, or 0 */
    uint32_t state;    /**< the reader's own: it finds this in the stack before the next one */
} brz_sorted_stack;

/** A sample of brz_sorted_reader.next. */
typedef struct brz_sorted_sample {
    /** Ids of brz_collapser_host.frame and others, valid until the next call. */
    const brz_frame *frames;
    uint32_t n;     /**< number of frames */
    uint32_t flags; /**< BRZ_LEAF_FIRST, or 0 */
    int64_t count;  /**< its value in the only column */
} brz_sorted_sample;

/* Results of brz_sorted_reader.next. */
#define BRZ_SORTED_OTHER (-1) /**< the rest of the input has to be collapsed */
#define BRZ_SORTED_END   0    /**< there are no more samples */
#define BRZ_SORTED_NEXT  1    /**< a sample was stored */

/** Reads sorted stacks. Members from `begin` on, or those before it except the sizes, are NULL. */
typedef struct brz_sorted_reader {
    uint32_t struct_size; /**< sizeof(brz_sorted_reader) */
    uint32_t stack_size;  /**< sizeof(brz_sorted_stack) */

    /** Takes plain records off the front of a text: as many as there are, up to *n, and sets *n to
     * their number. What it leaves in *text is the beginning of a record, or more records. `before`
     * is the stack in front of the text, or NULL if the text is the beginning of an input. 64 bytes
     * before and after the text, and after the names of `before`, are readable.
     *
     * A record is plain if `parse` makes of it one stack with a whole count above 0 and reports
     * nothing, and if its names are printable ASCII, joined by ';' as they are in *to. It comes
     * after `before` in the order of bytes. Returns false if the next record is not plain.
     *
     * This function and the next two ones are pure; any thread may call them. */
    bool (*take)(brz_str *text, const brz_sorted_stack *before, brz_sorted_stack *to, size_t *n);

    /** Fills in the attributes of a frame that follow from its name; d->name is set. Texts are
     * parts of the name, or constants. */
    void (*describe)(brz_frame_desc *d);

    /** Fills in the column of the counts, which has no decimals and no flags. */
    void (*column)(brz_column_desc *d);

    /** Returns whether an input that begins like this may have its stacks in order. It is a pure
     * function, and the better it guesses, the fewer inputs are read twice. */
    bool (*is_likely)(const brz_head *head);

    /** Begins to read an input, which `whole` contains. It is called after `open` in place of
     * `parse`, and `close` follows without `finish`. It may call all services that `parse` may call
     * except those that add samples, and declares one column. Returns false if the input has to be
     * collapsed; so does the host if the instance has reported anything. */
    bool (*begin)(brz_ctx *ctx, const brz_chunk *whole);

    /** Stores the next sample, in the order of the input. Returns BRZ_SORTED_NEXT or another
     * result. The host examines names, counts and the order of stacks. */
    int32_t (*next)(brz_ctx *ctx, brz_sorted_sample *to);
} brz_sorted_reader;

/** Writes sorted stacks. All functions are pure. */
typedef struct brz_sorted_writer {
    uint32_t struct_size; /**< sizeof(brz_sorted_writer) */
    uint32_t room;        /**< number of bytes that a record takes beside its names, at most */

    /** Writes the bytes that `write` writes for a stack with these counts: one, or those before and
     * after a change. Returns the end of what it wrote, and may overwrite 64 bytes after that. */
    char *(*put)(char *to, brz_str names, const uint64_t *counts, size_t n);
} brz_sorted_writer;

#endif

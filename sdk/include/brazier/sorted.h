/** @file
 * Describes the draft `brz.x.sorted/1`: inputs whose stacks are in order can be added up, compared
 * or drawn without a table of stacks.
 *
 * A collapser offers #brz_sorted_reader, and an output #brz_sorted_writer, by `offer`. The host
 * uses them for a run that asks for nothing but the sums of stacks; otherwise, and from the first
 * record on that is not plain, it collapses the input.
 */
#ifndef BRAZIER_SORTED_H
#define BRAZIER_SORTED_H

#include <brazier/host.h>

/** The id of the draft. */
#define BRZ_SORTED_ID "brz.x.sorted/1"

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

/** Reads sorted stacks. All functions are pure; any thread may call them. */
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
     * after `before` in the order of bytes. Returns false if the next record is not plain. */
    bool (*take)(brz_str *text, const brz_sorted_stack *before, brz_sorted_stack *to, size_t *n);

    /** Fills in the attributes of a frame that follow from its name; d->name is set. Texts are
     * parts of the name, or constants. */
    void (*describe)(brz_frame_desc *d);

    /** Fills in the weight of the counts, which has no decimals and no flags. */
    void (*weight)(brz_weight_desc *d);
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

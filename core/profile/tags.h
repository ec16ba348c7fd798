/* SPDX-License-Identifier: MIT */
/* Interns tags: tuples of process, thread, processor and labels that samples carry. */
#ifndef BRZ_TAGS_H
#define BRZ_TAGS_H

#include <brazier/tag.h>

#include "base/string_table.h"

/* Samples store a tag in 23 bits. */
#define BRZ_MAX_TAGS ((size_t)1 << 23)

/* Texts are ids in a string table. */
typedef struct brz_tag_label {
    uint32_t key, text, unit;
    uint16_t flags, decimals; /* BRZ_LABEL_NUMBER */
    int64_t number;           /* in units of 10^-decimals; its last decimal is not 0 */
} brz_tag_label;

typedef struct brz_tag_entry {
    int64_t process, thread; /* 0 unless `flags` says that they are known */
    uint32_t flags, cpu;
    uint32_t process_name, thread_name;
    uint64_t first_label; /* index into the labels of all tags */
    uint64_t n_labels;
} brz_tag_entry;

/* A zeroed table is empty. Its first use adds the empty tag as BRZ_NO_TAG. */
typedef struct brz_tags {
    brz_tag_entry *items; /* by id */
    size_t n, cap;
    brz_tag_label *labels;
    size_t n_labels, labels_cap;
    uint32_t *slots; /* id + 1; 0: free */
    size_t n_slots;
    size_t most;       /* maximum number of tags; 0: BRZ_MAX_TAGS */
    uint64_t left_out; /* number of times that a tag did not fit and became BRZ_NO_TAG */
} brz_tags;

/* Returns the id of a tag whose texts are in `strings`. The labels, which replace those of the
 * entry, are sorted in place. */
brz_tag brz_tags_intern(brz_tags *t, const brz_strings *strings, const brz_tag_entry *e,
                        brz_tag_label *labels, size_t n_labels);

/* Returns the id of a tag. Copies the texts into `strings`. */
brz_tag brz_tags_add(brz_tags *t, brz_strings *strings, const brz_tag_desc *d);

/* Adds all tags of `from`. Returns an array that maps their ids to the new ones, or NULL if `from`
 * has no tags. Release with free(). */
brz_tag *brz_tags_absorb(brz_tags *into, brz_strings *strings, const brz_tags *from,
                         const brz_strings *from_strings);

/* Compares two tags of a table by their members: returns a negative, zero or positive number. */
int brz_tags_compare(const brz_tags *t, const brz_strings *strings, brz_tag a, brz_tag b);

void brz_tags_finish(brz_tags *t);

#endif

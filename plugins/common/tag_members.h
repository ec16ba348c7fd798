/* SPDX-License-Identifier: MIT */
/* Stores labels in the members of a tag. */
#ifndef COMMON_TAG_MEMBERS_H
#define COMMON_TAG_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>

#include <brazier/tag.h>

/* A label for which a tag has a member. */
typedef struct tag_member {
    const char *key;
    uint32_t flag;  /* of a number; 0: a name */
    bool is_common; /* the usual key; labels of others are kept, too */
    size_t offset;
} tag_member;

/* Stores a label in the member for its key. Returns the one of `n` members that has the key, or
 * NULL if none has it. */
const tag_member *tag_member_store(const tag_member *members, size_t n, brz_tag_desc *tag,
                                   const brz_label *l);

/* Stores the number of a processor, which the label of a key has. Returns false for another label.
 */
bool tag_cpu_store(const char *key, brz_tag_desc *tag, const brz_label *l);

#endif

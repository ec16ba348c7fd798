/* SPDX-License-Identifier: MIT */
/* Collects facts about several profiles that one input contains.
 *
 * A part has the samples whose tags have all members of the part's own tag, such as a process or a
 * label.
 */
#ifndef BRZ_PARTS_H
#define BRZ_PARTS_H

#include "profile/facts.h"
#include "profile/tags.h"

/* Maximum number of parts; facts about more of them are left out. */
#define BRZ_MAX_PARTS 256

/* A zeroed struct has no parts. Texts are ids in the profile's string table. */
typedef struct brz_parts {
    brz_tags tags;    /* the first one, BRZ_NO_TAG, is no part */
    brz_facts *facts; /* by tag */
    size_t cap;
} brz_parts;

/* Adds all facts that `m` states at `position` about the part `m->of`. Copies the texts. */
void brz_parts_state(brz_parts *p, brz_strings *strings, const brz_metadata *m, uint64_t position);

/* Makes room for the facts about all parts that have tags. */
void brz_parts_reserve(brz_parts *p);

/* Adds all parts of `from`. */
void brz_parts_absorb(brz_parts *into, brz_strings *strings, const brz_parts *from,
                      const brz_strings *from_strings);

/* Returns whether samples with a tag of `tags`, which uses the same strings, are in a part. */
bool brz_parts_have(const brz_parts *p, size_t part, const brz_tags *tags, brz_tag tag);

void brz_parts_finish(brz_parts *p);

#endif

/* SPDX-License-Identifier: MIT */
/* Describes the parts of tags as text. */
#ifndef BRZ_TAG_TEXT_H
#define BRZ_TAG_TEXT_H

#include "base/buf.h"
#include "profile/profile.h"
#include "profile/shortlist.h"

/* A part of a tag: "process", "thread", "cpu", or the key of a label. */
typedef enum brz_tag_part_kind {
    BRZ_PART_PROCESS,
    BRZ_PART_THREAD,
    BRZ_PART_CPU,
    BRZ_PART_LABEL,
} brz_tag_part_kind;

typedef struct brz_tag_part {
    brz_tag_part_kind kind;
    brz_str name; /* as the user wrote it */
} brz_tag_part;

/* A process whose name some tag has. */
typedef struct brz_named_process {
    int64_t id;
    brz_str name;
} brz_named_process;

/* The tags of a profile, with the names of processes that only some of their tags have. */
typedef struct brz_tag_texts {
    const brz_profile *profile;
    brz_named_process *processes; /* sorted by id, then by name */
    size_t n;
} brz_tag_texts;

/* Returns the part that a word names; the text must outlive it. */
brz_tag_part brz_tag_part_of(brz_str name);

/* Initialises the texts of a profile's tags; finish them with brz_tag_texts_finish(). */
void brz_tag_texts_init(brz_tag_texts *t, const brz_profile *p);
void brz_tag_texts_finish(brz_tag_texts *t);

/* Appends the text of a tag's part, such as "worker 1422". Returns false if the tag lacks it. */
bool brz_tag_texts_add(const brz_tag_texts *t, brz_buf *b, brz_tag tag, const brz_tag_part *part);

/* Collects the different texts of a part. */
void brz_tag_texts_list(const brz_tag_texts *t, brz_shortlist *l, const brz_tag_part *part);

/* Appends "no thread", which stands for a part that a tag lacks. */
void brz_tag_part_add_none(brz_buf *b, const brz_tag_part *part);

/* Appends the reason why a profile cannot be divided by a part that all tags lack, and the parts
 * that they have. */
void brz_tag_part_explain(brz_buf *error, const brz_tag_part *part, const brz_profile *p);

#endif

/* SPDX-License-Identifier: MIT */
/* Selects samples by their tags and times, and groups stacks by tags. */
#ifndef BRZ_SELECTION_H
#define BRZ_SELECTION_H

#include "base/buf.h"
#include "base/pattern.h"
#include "profile/tag_text.h"

/* Selects the samples in whose tag a part matches a pattern. */
typedef struct brz_selection_rule {
    brz_tag_part part;
    brz_pattern *pattern;
} brz_selection_rule;

/* A zeroed selection contains all samples and has no groups. */
typedef struct brz_selection {
    brz_tag_part *by; /* parts that become root frames, outermost first */
    size_t n_by, by_cap;
    brz_selection_rule *only; /* all must hold */
    size_t n_only, only_cap;
    bool has_time;
    int64_t from, to; /* nanoseconds since the first sample; `to` itself is not selected */
} brz_selection;

/* Parse what a user wrote: "thread,cpu"; "thread=REGEX", of which there may be several in lines of
 * their own; "1s..2.5s", of which either side may be missing. Return false and append the reason to
 * `error` if it is invalid. The texts must outlive the selection. */
bool brz_selection_set_by(brz_selection *s, brz_str text, brz_buf *error);
bool brz_selection_set_only(brz_selection *s, brz_str text, brz_buf *error);
bool brz_selection_set_time(brz_selection *s, brz_str text, brz_buf *error);

/* Returns the data that collapsers must give: BRZ_CTX_*, or 0. */
uint32_t brz_selection_wants(const brz_selection *s);

/* Removes the samples that are not selected by time and tag. Changes the sums of the stacks
 * accordingly. Returns false and appends the reason to `error` if the profile lacks such tags or
 * times, or if no samples are left. */
bool brz_selection_apply(const brz_selection *s, brz_profile *p, brz_buf *error);

/* Adds the groups of each sample in front of its stack, as frames. Returns false and appends the
 * reason to `error` if all samples lack such a part. */
bool brz_selection_group(const brz_selection *s, brz_profile *p, brz_buf *error);

void brz_selection_finish(brz_selection *s);

#endif

/* SPDX-License-Identifier: MIT */
/* Makes frames of the names of events.
 *
 *     name := label (0x1E argument)*
 */
#ifndef COLLAPSE_MEASUREME_NAMES_H
#define COLLAPSE_MEASUREME_NAMES_H

#include "texts.h"

/* The kinds of events whose numbers are counted. */
typedef enum kind_role { ROLE_OTHER, ROLE_CACHE_HIT, ROLE_CACHE_HIT_COUNT, ROLE_SIZE } kind_role;

typedef struct event_kind {
    brz_str name;
    kind_role role;
} event_kind;

/* A name that an event had recently. */
typedef struct recent_name {
    uint64_t kind, id; /* of texts */
    brz_frame frame;
    bool is_set;
} recent_name;

#define RECENT_NAMES 256

typedef struct names {
    brz_ctx *ctx;
    recent_name recent[RECENT_NAMES];
    texts *texts;
    bool args;
    pair_map frames; /* id, index of the kind -> frame */
    pair_map kind_ids;
    event_kind *kinds;
    size_t n_kinds, kinds_cap;
    brz_text scratch, shown;
    uint64_t unreadable;
} names;

void names_init(names *n, brz_ctx *ctx, texts *t, bool args);

/* Returns the index of a kind, or PAIR_MISS if the run fails. */
uint32_t names_kind(names *n, uint64_t id);

/* Returns the frame of an event, or BRZ_NO_FRAME if the run fails. */
brz_frame names_frame(names *n, uint64_t id, uint32_t kind);

static inline recent_name *names_slot(names *n, uint64_t kind, uint64_t id)
{
    return &n->recent[(id ^ kind) % RECENT_NAMES];
}

/* Returns the frame of an event if it was remembered, or BRZ_NO_FRAME. */
static inline brz_frame names_recent(names *n, uint64_t kind, uint64_t id)
{
    const recent_name *r = names_slot(n, kind, id);
    return r->is_set && r->id == id && r->kind == kind ? r->frame : BRZ_NO_FRAME;
}

static inline void names_remember(names *n, uint64_t kind, uint64_t id, brz_frame frame)
{
    *names_slot(n, kind, id) = (recent_name){kind, id, frame, true};
}

/* Appends the frames of label and arguments of an event to a path. Returns false if the run fails.
 */
bool names_push_parts(names *n, uint64_t id, uint32_t kind, brz_frame_list *to);

/* Reports names that cannot be read. */
void names_report(const names *n);

#endif

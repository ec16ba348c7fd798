/* SPDX-License-Identifier: MIT */
/* Shows lines and addresses in the names of frames. */
#ifndef BRZ_DETAIL_H
#define BRZ_DETAIL_H

#include "profile/profile.h"

/* The attributes by which a run distinguishes frames, besides those of their functions. */
typedef enum brz_detail {
    BRZ_DETAIL_FUNCTIONS, /* none */
    BRZ_DETAIL_LINES,     /* line and column */
    BRZ_DETAIL_ADDRESSES, /* line, column and address */
} brz_detail;

/* Attributes of frames that a run does not distinguish. */
enum {
    BRZ_DROPS_LINES = 1, /* with columns */
    BRZ_DROPS_ADDRESSES = 2,
};

/* Returns the data that collapsers must give: BRZ_CTX_*, or 0. */
uint32_t brz_detail_wants(brz_detail d);

/* Returns the attributes that are dropped unless an output uses them: BRZ_DROPS_*. */
uint32_t brz_detail_drops(brz_detail d);

/* Returns BRZ_CTX_DROPS_ADDRESSES if the dropped attributes include addresses, or 0. */
uint32_t brz_detail_drops_flags(uint32_t drops);

/* Appends the attributes to the names of frames that have them: "main:12", "main:12 <0x4010f0>".
 * An annotation such as _[k] stays at the end. Leaves out what a name states already, since an
 * option of its format asked for it. */
void brz_detail_name_frames(brz_profile *p, brz_detail d);

#endif

/* SPDX-License-Identifier: MIT */
/* Reads the attributes of a frame from its name in folded text. */
#ifndef FOLDED_FRAME_H
#define FOLDED_FRAME_H

#include <brazier/host.h>
#include <brazier/tree.h>

/* Sets the kind or the flag that an annotation such as _[k] stands for. */
static inline void folded_frame_classify(brz_frame_desc *d)
{
    switch (brz_name_annotation(d->name)) {
    case 'k':
        d->kind = BRZ_KIND_KERNEL;
        break;
    case 'i':
        d->flags = BRZ_FRAME_INLINED;
        break;
    case 'j':
        d->flags = BRZ_FRAME_JIT;
        break;
    case 'w':
        d->flags = BRZ_FRAME_WAKER;
        break;
    default:
        break;
    }
}

#endif

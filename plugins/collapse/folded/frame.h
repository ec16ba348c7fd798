/* The attributes of a frame that its name in folded text tells. */
#ifndef FOLDED_FRAME_H
#define FOLDED_FRAME_H

#include <brazier/host.h>
#include <brazier/tree.h>

/* Sets the kind or the flag that an annotation such as _[k] stands for. */
static inline void folded_frame_classify(brz_frame_desc *d)
{
    if (brz_display_name(d->name).len == d->name.len)
        return;
    switch (d->name.data[d->name.len - 2]) {
    case 'k':
        d->kind = BRZ_KIND_KERNEL;
        return;
    case 'i':
        d->flags = BRZ_FRAME_INLINED;
        return;
    case 'j':
        d->flags = BRZ_FRAME_JIT;
        return;
    default:
        d->flags = BRZ_FRAME_WAKER;
    }
}

#endif

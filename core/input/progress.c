/* SPDX-License-Identifier: MIT */
/* Reports the progress of a run. */
#include "input/progress.h"

void brz_progress_tick(const brz_progress *p, const brz_source *s)
{
    if (p == NULL || p->tell == NULL)
        return;
    uint64_t taken = atomic_load_explicit(&s->file->taken, memory_order_relaxed);
    if (s->file_size > 0 && taken > s->file_size) /* the beginning is read twice */
        taken = s->file_size;
    if (p->tell(p->context, s->name, taken, s->file_size) != 0)
        atomic_store(p->stop, true);
}

/* Recognises profiles. */
#ifndef PPROF_SNIFF_H
#define PPROF_SNIFF_H

#include <brazier/collapser.h>

/* Implements brz_collapser.sniff. */
int32_t pprof_sniff(const brz_head *head);

#endif

/* SPDX-License-Identifier: MIT */
/* Holds back samples whose code gets its name later.
 *
 * A compiler that works at run time may write the names of its functions long after the functions
 * ran. An input that arrives in chunks may be read while the program still runs. So frames of such
 * code are made at the end, and the samples with them are counted then. If the profile is shown
 * meanwhile, names are also looked for now and then, and samples all of whose code has names are
 * counted.
 */
#ifndef PERF_DATA_PENDING_H
#define PERF_DATA_PENDING_H

#include "../file/recording.h"

void pending_init(recording *p);

/* Counts the current path in several columns, now or at the end. */
brz_rc pending_count_all(recording *p, const column_count *counts, size_t n);

/* Looks for names if that is due, and counts the samples whose code has them. */
brz_rc pending_look(recording *p);

/* Counts all samples that are held. */
brz_rc pending_finish(recording *p);

#endif

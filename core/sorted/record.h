/* SPDX-License-Identifier: MIT */
/* Stores sorted stacks in temporary files: the form in which sums of some inputs wait for those of
 * the others. */
#ifndef BRZ_RECORD_H
#define BRZ_RECORD_H

#include <brazier/draft/sorted.h>

/* Writes a record: the count, the length of the names, and the names. */
extern const brz_sorted_writer brz_record_writer;

/* Reads what it has written. */
extern const brz_sorted_reader brz_record_reader;

#endif

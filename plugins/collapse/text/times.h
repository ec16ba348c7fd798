/* SPDX-License-Identifier: MIT */
/* Times as logs print them. */
#ifndef TEXT_TIMES_H
#define TEXT_TIMES_H

#include <brazier/base.h>

/* Units of times without colons; an index in text_time_units. */
typedef enum text_time_unit { TIME_S, TIME_MS, TIME_US, TIME_NS } text_time_unit;

extern const char *const text_time_units[];

/* Parses a number of units, or [[date ("T" | blank)] hours ":"] minutes ":" seconds, where seconds
 * may have a fraction and the date is YYYY-MM-DD. Returns nanoseconds; those of a date count from
 * 1970. Returns false for other texts. */
bool text_time_read(brz_str text, text_time_unit unit, int64_t *nanoseconds);

/* Parses a number of units that a text names, which may be empty: `otherwise` is then the unit.
 * Returns false for other texts and units. */
bool text_time_read_in(brz_str text, brz_str unit, text_time_unit otherwise, int64_t *nanoseconds);

#endif

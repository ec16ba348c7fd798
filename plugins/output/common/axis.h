/* SPDX-License-Identifier: MIT */
/* Maps weights to lengths on a time axis, for formats that support only time.
 *
 * A weight whose unit is a time keeps it. One unit of any other weight is drawn as 1, 10^-3, 10^-6
 * or 10^-9 seconds: powers of ten lose no digits. A negative weight has length 0.
 */
#ifndef OUTPUT_COMMON_AXIS_H
#define OUTPUT_COMMON_AXIS_H

#include <brazier/plugin.h>
#include <brazier/write.h>

/* Choices of the option "count-as"; its value is an index into them. */
extern const char *const axis_words[];

typedef struct axis {
    int32_t exponent; /* scale of a value: 10^exponent units of the format */
} axis;

/* Returns the axis for a weight. The format's own unit is 10^-`unit` seconds: 6 for
 * microseconds. */
axis axis_of(const brz_column_info *weight, int32_t count_as, int32_t unit);

/* Returns n for units of 10^-n seconds, or -1 for units that are no time. */
int32_t axis_digits(brz_str unit);

static inline bool axis_is_time(brz_str unit)
{
    return axis_digits(unit) >= 0;
}

/* Writes a length returned by axis_length() as a JSON number. */
void put_on_axis(brz_writer *w, axis a, uint64_t length);

static inline uint64_t axis_length(int64_t value)
{
    return value > 0 ? (uint64_t)value : 0;
}

/* Warns about negative weights. */
void axis_report_negative(brz_output_ctx *ctx);

/* Returns whether a stack has a negative weight. */
bool axis_has_negative(const brz_tree *tree);

/* Warns if a stack has a negative weight; checks all weights if `weight` is BRZ_NO_COLUMN. */
void axis_check(brz_output_ctx *ctx, const brz_tree *tree, uint32_t weight);

#endif

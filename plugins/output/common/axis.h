/* Weights as lengths on a time axis, for formats that know nothing but time.
 *
 * A weight whose unit is a time keeps it. Of any other, one is drawn as 1, 10^-3, 10^-6 or 10^-9
 * seconds: powers of ten, so that no digit is lost. What weighs less than nothing has no length.
 */
#ifndef OUTPUT_COMMON_AXIS_H
#define OUTPUT_COMMON_AXIS_H

#include <brazier/plugin.h>
#include <brazier/write.h>

/* The choices of the option "count-as", and its values. */
extern const char *const axis_words[];

typedef struct axis {
    int32_t exponent; /* a value is so many times 10^exponent of the format's unit */
} axis;

/* `unit`: of the format, in 10^-unit seconds: 6 for microseconds. */
axis axis_of(const brz_weight_info *weight, int32_t count_as, int32_t unit);

bool axis_is_time(brz_str unit);

/* A value that axis_length gave, as a JSON number. */
void put_on_axis(brz_writer *w, axis a, uint64_t length);

static inline uint64_t axis_length(int64_t value)
{
    return value > 0 ? (uint64_t)value : 0;
}

/* Warns if a stack weighs less than nothing; `weight` may be BRZ_NO_WEIGHT: all of them. */
void axis_check(brz_ctx *ctx, const brz_tree *tree, uint32_t weight);

#endif

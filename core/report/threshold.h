/* SPDX-License-Identifier: MIT */
/* Thresholds of a comparison: conditions on the weight of functions, such as
 * "total(^parse) > +5%".
 *
 *     threshold  = measure "(" REGEX ")" comparison amount
 *     measure    = "total" | "self"
 *     comparison = ">" | ">=" | "<" | "<="
 *     amount     = ["+" | "-"] NUMBER ["%"] | ("+" | "-") NUMBER "pp"
 *
 * A sign makes the amount a change from the first profile to the second one.
 */
#ifndef BRZ_THRESHOLD_H
#define BRZ_THRESHOLD_H

#include "base/buf.h"
#include "base/pattern.h"
#include "profile/profile.h"

/* The stacks that count. */
typedef enum brz_measure {
    BRZ_MEASURE_TOTAL, /* those with a matching frame */
    BRZ_MEASURE_SELF,  /* those whose last frame matches */
} brz_measure;

/* The quantity that is compared with the limit. */
typedef enum brz_quantity {
    BRZ_QUANTITY_WEIGHT, /* "100": weight in the second profile */
    BRZ_QUANTITY_SHARE,  /* "10%": percentage of the second profile's weight */
    BRZ_QUANTITY_CHANGE, /* "+100": difference of the weights */
    BRZ_QUANTITY_GROWTH, /* "+5%": difference as a percentage of the weight in the first profile */
    BRZ_QUANTITY_POINTS, /* "+2pp": difference of the shares in percentage points */
} brz_quantity;

typedef struct brz_threshold {
    brz_str text; /* as the user wrote it */
    brz_measure measure;
    brz_pattern *pattern; /* searched in names of frames */
    brz_quantity quantity;
    bool below, or_equal; /* "<" and "<=", ">=" and "<=" */
    double limit;
} brz_threshold;

typedef struct brz_thresholds {
    brz_threshold *items;
    size_t n, cap;
} brz_thresholds;

/* The weight that a threshold measures, in both profiles: multiples of 10^-decimals. */
typedef struct brz_measured {
    int64_t before, after;             /* weight of the stacks that count */
    int64_t before_total, after_total; /* weight of all stacks: gains and losses together */
    uint32_t decimals;
    size_t n_frames; /* number of frames whose names match */
} brz_measured;

/* Parses the thresholds in the lines of `text`, which must outlive them. Returns false and appends
 * the reason to `error` if a line is invalid. Release them with brz_thresholds_finish() in any
 * case. */
bool brz_thresholds_parse(brz_thresholds *t, brz_str text, brz_buf *error);

/* Releases thresholds; zeros are allowed. */
void brz_thresholds_finish(brz_thresholds *t);

/* Measures the stacks of a threshold in the columns `before` and `after`, which have the same
 * decimals. Returns false and appends the reason to `error` if the expression hits a limit on a
 * frame's name. */
bool brz_threshold_measure(const brz_threshold *t, const brz_profile *p, uint32_t before,
                           uint32_t after, brz_measured *m, brz_buf *error);

/* Returns `amount` as a percentage of `whole`: infinite if only `whole` is 0, and 0 if both are. */
double brz_percentage(double amount, double whole);

/* Returns the change as a percentage of the weight before, without the sign of that. */
double brz_growth(const brz_measured *m);

/* Returns whether the measured weights fulfil the condition. */
bool brz_threshold_is_exceeded(const brz_threshold *t, const brz_measured *m);

#endif

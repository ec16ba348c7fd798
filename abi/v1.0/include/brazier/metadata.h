/* SPDX-License-Identifier: MIT */
/** @file
 * Describes the metadata of a profile: when, where and how it was recorded.
 */
#ifndef BRAZIER_METADATA_H
#define BRAZIER_METADATA_H

#include <brazier/tag.h>

/** A key with a value. */
typedef struct brz_pair {
    brz_str key;   /**< name */
    brz_str value; /**< value */
} brz_pair;

/** Describes the recording as a whole, or one of several profiles in it. Empty texts and 0 stand
 * for unknown. */
typedef struct brz_metadata {
    uint32_t struct_size;    /**< sizeof(brz_metadata) */
    uint32_t pair_size;      /**< sizeof(brz_pair) */
    int64_t start;           /**< beginning, in nanoseconds since 1970-01-01 UTC */
    int64_t clock_start;     /**< the same moment on the clock of the samples' times */
    int64_t duration;        /**< duration in nanoseconds */
    int64_t period;          /**< one sample was taken per so many units of `period_unit` */
    brz_str period_name;     /**< what the period counts, such as "cpu" or "cycles" */
    brz_str period_unit;     /**< unit of the period, such as "nanoseconds" */
    brz_str producer;        /**< the profiler and its version */
    brz_str command;         /**< command line of what was recorded */
    brz_str host;            /**< name of the machine */
    brz_str architecture;    /**< processor, such as "x86_64" */
    const brz_str *comments; /**< array of comments, or NULL */
    const brz_pair *pairs;   /**< array of further facts, or NULL */
    uint64_t n_comments;     /**< number of comments */
    uint64_t n_pairs;        /**< number of further facts */
    /** For inputs that contain several profiles: the facts are about the samples whose tags have
     * all members of this one, such as the process or a label. Other members are those of the
     * recording as a whole, which are stated without it: NULL. */
    const brz_tag_desc *of;
} brz_metadata;

#endif

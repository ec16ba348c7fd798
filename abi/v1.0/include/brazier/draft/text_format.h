/* SPDX-License-Identifier: MIT */
/** @file
 * Describes the draft `brz.draft.text-format/1`: collapsers whose options describe a format of text
 * recognise it, and explain an input line by line.
 *
 * brz_collapser.sniff has no configuration, so such a collapser offers #brz_text_format by
 * `offer`. All functions receive a configuration without faults. They are pure functions.
 */
#ifndef BRAZIER_DRAFT_TEXT_FORMAT_H
#define BRAZIER_DRAFT_TEXT_FORMAT_H

#include <brazier/collapser.h>
#include <brazier/option.h>

/** The id of the draft. */
#define BRZ_TEXT_FORMAT_ID "brz.draft.text-format/1"

/* Roles of a line. */
#define BRZ_LINE_UNMATCHED '?' /**< fits no expression */
#define BRZ_LINE_BLANK     'N' /**< blank */
#define BRZ_LINE_IGNORED   'I' /**< ignored */
#define BRZ_LINE_HEADER    'H' /**< has values for all samples */
#define BRZ_LINE_SECTION   'C' /**< has values for the blocks that follow */
#define BRZ_LINE_BEGIN     'B' /**< begins a block or a call */
#define BRZ_LINE_END       'E' /**< ends a block or a call */
#define BRZ_LINE_WHOLE     'S' /**< is a whole sample or call */
#define BRZ_LINE_FRAME     'F' /**< is a frame, or a row of a tree */
#define BRZ_LINE_FIELD     'M' /**< has further values of a block or a frame */
#define BRZ_LINE_TOTAL     'T' /**< has the sum of the samples above */

/** A group of an expression that took part in a match. */
typedef struct brz_text_group {
    brz_str name; /**< its name */
    brz_str text; /**< its text, a part of the line */
} brz_text_group;

/** A line and what it is. */
typedef struct brz_text_line {
    uint32_t struct_size;         /**< sizeof(brz_text_line) */
    int32_t role;                 /**< BRZ_LINE_UNMATCHED and others */
    brz_str line;                 /**< the line without its line end */
    const brz_text_group *groups; /**< groups with a name */
    uint64_t n_groups;            /**< number of groups */
    uint32_t group_size;          /**< sizeof(brz_text_group) */
    uint32_t reserved;            /**< 0; ignore it */
} brz_text_line;

/** Receives lines. The caller fills it in. */
typedef struct brz_text_lines brz_text_lines;
struct brz_text_lines {
    uint32_t struct_size; /**< sizeof(brz_text_lines) */
    uint32_t reserved;    /**< 0; ignore it */
    /** Takes a line, which is valid during the call. Returns false to end the explanation. */
    bool (*take)(brz_text_lines *, const brz_text_line *);
};

/** The functions of a collapser of text. */
typedef struct brz_text_format {
    uint32_t struct_size; /**< sizeof(brz_text_format) */
    uint32_t reserved;    /**< 0; ignore it */
    /** Implements brz_collapser.sniff for a configuration. */
    int32_t (*sniff)(const void *cfg, const brz_head *head);
    /** Passes each line of a text on, in order. */
    void (*explain)(const void *cfg, brz_str text, brz_text_lines *to);
    /** Reports what a configuration may contain, but is probably a mistake. Appended later: NULL,
     * or beyond `struct_size`, in collapsers without it. */
    void (*doubt)(const void *cfg, brz_option_faults *doubts);
} brz_text_format;

#endif

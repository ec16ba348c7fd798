/* SPDX-License-Identifier: MIT */
/* The options that all shapes have. */
#ifndef TEXT_OPTIONS_H
#define TEXT_OPTIONS_H

#include <brazier/option.h>

#include "times.h"

/* Options that all shapes have; the first member of a shape's configuration. */
typedef struct text_options {
    brz_str header, frame, name;
    brz_strlist ignore;
    brz_str weight_group, weight_unit, weight_name;
    double weight_factor;
    brz_strlist roots;
    int32_t time_unit;
    int32_t kind; /* an index in text_kinds */
    bool arguments, pid, tid;
} text_options;

/* The kinds of frames that have no group of it. */
extern const char *const text_kinds[];

/* Rows for `struct_`, whose member `text` are the common options: those of all shapes, and those of
 * shapes whose samples have a weight. */
#define TEXT_LINE_OPTIONS(struct_)                                                                 \
    BRZ_OPTION(struct_, "name", STR, text.name, "",                                                \
               "name of a frame, such as {file}:{function} [the function]"),                       \
        BRZ_OPTION(struct_, "header", STR, text.header, "",                                        \
                   "expression for the lines in front of the first sample, with values for all"),  \
        BRZ_OPTION(struct_, "ignore", LIST, text.ignore, NULL,                                     \
                   "expressions for lines that are left out without a warning"),                   \
        BRZ_OPTION(struct_, "roots", LIST, text.roots, NULL,                                       \
                   "groups that become root frames, such as process"),                             \
        BRZ_OPTION(struct_, "time-unit", ENUM, text.time_unit, "s", "unit of the group time",      \
                   .choices = text_time_units),                                                    \
        BRZ_OPTION(struct_, "kind", ENUM, text.kind, "other",                                      \
                   "kind of frames without a group kind", .choices = text_kinds),                  \
        BRZ_OPTION(struct_, "arguments", BOOL, text.arguments, "true",                             \
                   "keep the arguments of functions in their names"),                              \
        BRZ_OPTION(struct_, "pid", BOOL, text.pid, "false", "add the process id as root frame"),   \
        BRZ_OPTION(struct_, "tid", BOOL, text.tid, "false", "add the thread id as root frame")

#define TEXT_WEIGHT_OPTIONS(struct_)                                                               \
    BRZ_OPTION(struct_, "weight-group", STR, text.weight_group, "weight",                          \
               "group with the weight; without it in any expression, samples count"),              \
        BRZ_OPTION(struct_, "weight-factor", REAL, text.weight_factor, "1",                        \
                   "number that multiplies each weight"),                                          \
        BRZ_OPTION(struct_, "weight-unit", STR, text.weight_unit, "",                              \
                   "unit of the weight, such as us or bytes"),                                     \
        BRZ_OPTION(struct_, "weight-name", STR, text.weight_name, "", "name of the weight")

#endif

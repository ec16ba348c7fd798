/* SPDX-License-Identifier: MIT */
/* Java's frames as thread dumps and stack traces print them. */
#ifndef COMMON_DUMP_JAVA_FRAME_H
#define COMMON_DUMP_JAVA_FRAME_H

#include "dump.h"

/* Ways to show packages in names; an index in java_packages_choices. */
typedef enum java_packages {
    JAVA_PACKAGES_FULL,
    JAVA_PACKAGES_SHORT, /* the first letter of each */
    JAVA_PACKAGES_NONE,
} java_packages;

extern const char *const java_packages_choices[];

/* The option --packages of a format: a row of its table, for the member `packages` of `struct_`. */
#define JAVA_PACKAGES_OPTION(struct_)                                                              \
    BRZ_OPTION(struct_, "packages", ENUM, packages, "full",                                        \
               "packages in names: full, short (first letters) or none",                           \
               .choices = java_packages_choices)

/* Describes a frame:
 *
 *     frame := [loader "/"] [module "/"] class "." method "(" place ")"
 *     place := [module ["@" version] "/"] (file [":" line] ["(Compiled Code)"] | words)
 */
void java_frame_describe(dump *d, brz_str text, java_packages packages, brz_frame_desc *frame);

/* Removes "at " and the blanks around it from the front of a line. Returns false if the line is no
 * frame. */
bool java_frame_take_at(brz_str *line);

#endif

/* SPDX-License-Identifier: MIT */
/* Names of the groups of an expression, and what they mean. */
#ifndef TEXT_GROUPS_H
#define TEXT_GROUPS_H

#include <brazier/base.h>

/* The meaning of a group. */
typedef enum text_group {
    GROUP_LABEL, /* any other name: a label of the sample */
    GROUP_STACK,
    GROUP_WEIGHT,
    GROUP_TIME,
    GROUP_DURATION,
    GROUP_UNIT, /* of the weight, else of the duration, else of the time */
    GROUP_THREAD,
    GROUP_THREAD_NAME,
    GROUP_PROCESS,
    GROUP_PROCESS_NAME,
    GROUP_CPU,
    GROUP_FUNCTION,
    GROUP_MODULE,
    GROUP_FILE,
    GROUP_LINE,
    GROUP_COLUMN,
    GROUP_ADDRESS,
    GROUP_KIND,
    GROUP_NUMBER, /* of a frame */
    GROUP_DEPTH,
    GROUP_ODD,  /* damaged text, without which the line is read */
    GROUP_NEXT, /* another line, in front of which the line end is damaged */
    GROUP_TOTAL,
    N_GROUPS
} text_group;

/* Returns the meaning of a name. `weight` is the name of the group with the weight. */
text_group text_group_of(brz_str name, brz_str weight);

/* Returns the name of a group, empty for those that have any. */
const char *text_group_name(text_group g);

/* Returns whether a group is an attribute of a frame. */
static inline bool text_group_is_frame(text_group g)
{
    return g >= GROUP_FUNCTION && g <= GROUP_NUMBER;
}

#endif

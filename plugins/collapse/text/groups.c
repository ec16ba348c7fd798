/* SPDX-License-Identifier: MIT */
/* Finds the meaning of groups. */
#include "groups.h"

#include <brazier/symbol.h>

static const char *const names[N_GROUPS] = {
    [GROUP_LABEL] = "",
    [GROUP_STACK] = "stack",
    [GROUP_WEIGHT] = "",
    [GROUP_TIME] = "time",
    [GROUP_DURATION] = "duration",
    [GROUP_UNIT] = "unit",
    [GROUP_THREAD] = "thread",
    [GROUP_THREAD_NAME] = "thread_name",
    [GROUP_PROCESS] = "process",
    [GROUP_PROCESS_NAME] = "process_name",
    [GROUP_CPU] = "cpu",
    [GROUP_FUNCTION] = "function",
    [GROUP_MODULE] = "module",
    [GROUP_FILE] = "file",
    [GROUP_LINE] = "line",
    [GROUP_COLUMN] = "column",
    [GROUP_ADDRESS] = "address",
    [GROUP_KIND] = "kind",
    [GROUP_NUMBER] = "number",
    [GROUP_DEPTH] = "depth",
    [GROUP_ODD] = "odd",
    [GROUP_NEXT] = "next",
    [GROUP_TOTAL] = "total",
};

const char *text_group_name(text_group g)
{
    return names[g];
}

text_group text_group_of(brz_str name, brz_str weight)
{
    if (brz_str_equal(name, weight))
        return GROUP_WEIGHT;
    size_t at = brz_str_index(name, names, N_GROUPS);
    return at < N_GROUPS ? (text_group)at : GROUP_LABEL;
}

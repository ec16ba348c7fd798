/* SPDX-License-Identifier: MIT */
/* Iterates over the options of a tool. */
#include "tool.h"

const compat_option *compat_next_option(const compat_tool *t, size_t *table, size_t *row)
{
    for (; t->options[*table] != NULL; (*table)++, *row = 0) {
        const compat_option *o = &t->options[*table][*row];
        if (o->name != NULL || o->letter != 0) {
            (*row)++;
            return o;
        }
    }
    return NULL;
}

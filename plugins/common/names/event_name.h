/* SPDX-License-Identifier: MIT */
/* Names of perf's events, which the text and the binary format of a recording share. */
#ifndef COLLAPSE_PERF_EVENT_NAME_H
#define COLLAPSE_PERF_EVENT_NAME_H

#include <brazier/base.h>

#include <string.h>

/* Returns an event without its modifiers such as "u" or "ppH", which follow a colon. */
static inline brz_str event_without_modifiers(brz_str name)
{
    size_t i = name.len;
    while (i > 0 && strchr("ukhGHpPSDIWeb", name.data[i - 1]) != NULL && name.data[i - 1] != 0)
        i--;
    if (i > 1 && i < name.len && name.data[i - 1] == ':')
        name.len = i - 1;
    return name;
}

#endif

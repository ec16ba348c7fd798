/* SPDX-License-Identifier: MIT */
/* Reads the time, the thread and the processor of a sample from its event line. */
#include "reader.h"

#include "event_words.h"

#include <brazier/text/integer.h>

#include <string.h>

/* Parses up to 18 digits at the front of a text. */
int64_t event_number_in(brz_str s)
{
    int64_t n = 0;
    size_t i = 0;
    for (; i < s.len && i < 18 && brz_is_digit(s.data[i]); i++)
        n = n * 10 + (s.data[i] - '0');
    return i > 0 ? n : -1;
}

bool event_id_in(brz_str s, uint32_t *id)
{
    uint64_t n;
    if (!brz_take_u64(&s, &n) || n > UINT32_MAX)
        return false;
    *id = (uint32_t)n;
    return true;
}

/* Converts "12.345678:" to nanoseconds; times that do not fit count as the largest one. */
int64_t event_time(brz_str time)
{
    const char *dot = memchr(time.data, '.', time.len);
    size_t digits = 0;
    int64_t seconds = event_number_in(time), rest = 0;
    if (dot == NULL || seconds > INT64_MAX / 1000000000 - 1)
        return INT64_MAX;
    for (dot++; digits < 9; digits++) {
        bool there = dot < time.data + time.len && brz_is_digit(*dot);
        rest = rest * 10 + (there ? *dot++ - '0' : 0);
    }
    return seconds * 1000000000 + rest;
}

/* Describes the thread and the processor of a sample. The name is that of the thread: perf prints
 * no other one. */
brz_tag_desc event_describe(const event_line *e)
{
    brz_tag_desc d = {.struct_size = sizeof d, .label_size = sizeof(brz_label)};
    d.thread_name = e->comm;
    d.process = event_number_in(e->pid);
    d.thread = event_number_in(e->tid);
    int64_t cpu = e->cpu.len > 1 ? event_number_in(brz_str_from(e->cpu, 1)) : -1;
    d.flags = (d.process >= 0 ? BRZ_TAG_PROCESS : 0) | (d.thread >= 0 ? BRZ_TAG_THREAD : 0) |
              (cpu >= 0 && cpu <= INT32_MAX ? BRZ_TAG_CPU : 0);
    d.cpu = (uint32_t)cpu;
    if (d.process == d.thread && d.process >= 0)
        d.process_name = e->comm;
    return d;
}

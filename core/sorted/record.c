/* SPDX-License-Identifier: MIT */
/* Stores sorted stacks in temporary files. */
#include "sorted/record.h"

#include <string.h>

#include <brazier/text/find.h>

#define HEADER (sizeof(uint64_t) + sizeof(uint32_t))

/* Implements brz_sorted_writer.put. */
static char *put(char *to, brz_str names, const uint64_t *counts, size_t n)
{
    uint32_t len = (uint32_t)names.len;
    (void)n; /* 1: sums are stored */
    memcpy(to, counts, sizeof *counts);
    memcpy(to + sizeof *counts, &len, sizeof len);
    memcpy(to + HEADER, names.data, names.len);
    return to + HEADER + names.len;
}

/* Implements brz_sorted_reader.take. */
static bool take(brz_str *text, const brz_sorted_stack *before, brz_sorted_stack *to, size_t *n)
{
    brz_str last = before == NULL ? BRZ_STR("") : brz_str_of(before->names, before->len);
    brz_prefix_fn *common_prefix = brz_prefix_best();
    size_t most = *n;
    for (*n = 0; *n < most && text->len > HEADER; (*n)++) {
        brz_sorted_stack *s = &to[*n];
        *s = (brz_sorted_stack){.names = text->data + HEADER};
        memcpy(&s->count, text->data, sizeof s->count);
        memcpy(&s->len, text->data + sizeof s->count, sizeof s->len);
        if (text->len - HEADER < s->len)
            break;
        size_t shorter = s->len < last.len ? s->len : last.len;
        s->shared = shorter == 0 ? 0 : (uint32_t)common_prefix(last.data, s->names, shorter);
        last = brz_str_of(s->names, s->len);
        *text = brz_str_of(s->names + s->len, text->len - HEADER - s->len);
    }
    return true;
}

const brz_sorted_writer brz_record_writer = {
    .struct_size = sizeof brz_record_writer, .room = HEADER, .put = put};

const brz_sorted_reader brz_record_reader = {
    .struct_size = sizeof brz_record_reader, .stack_size = sizeof(brz_sorted_stack), .take = take};

/* SPDX-License-Identifier: MIT */
/* Stores labels in the members of a tag. */
#include "tag_members.h"

#include <brazier/symbol.h>

const tag_member *tag_member_store(const tag_member *members, size_t n, brz_tag_desc *tag,
                                   const brz_label *l)
{
    bool is_number = (l->flags & BRZ_LABEL_NUMBER) != 0;
    for (size_t i = 0; i < n; i++) {
        void *to = (char *)tag + members[i].offset;
        if (is_number != (members[i].flag != 0) || !brz_str_is(l->key, members[i].key))
            continue;
        if (is_number)
            *(int64_t *)to = l->number;
        else
            *(brz_str *)to = l->text;
        tag->flags |= members[i].flag;
        return &members[i];
    }
    return NULL;
}

bool tag_cpu_store(const char *key, brz_tag_desc *tag, const brz_label *l)
{
    if (!(l->flags & BRZ_LABEL_NUMBER) || !brz_str_is(l->key, key) || l->unit.len > 0 ||
        l->number < 0 || l->number > INT32_MAX)
        return false;
    tag->cpu = (uint32_t)l->number;
    tag->flags |= BRZ_TAG_CPU;
    return true;
}

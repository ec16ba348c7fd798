/* SPDX-License-Identifier: MIT */
/* Recognises names that stand for code without one. */
#include "names/unnamed.h"

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Removes an annotation such as "_[k]" from the end of a name. */
static brz_str without_annotation(brz_str name)
{
    const char *end = name.data + name.len;
    if (name.len < 4 || end[-4] != '_' || end[-3] != '[' || !is_word(end[-2]) || end[-1] != ']')
        return name;
    return brz_str_of(name.data, name.len - 4);
}

bool brz_name_is_unnamed(brz_str name)
{
    if (name.len == 0 || name.data[0] != '[')
        return false;
    name = without_annotation(name);
    if (name.len < 3 || name.data[name.len - 1] != ']')
        return false;
    for (size_t i = 1; i + 1 < name.len; i++)
        if (name.data[i] == '[' || name.data[i] == ']')
            return false;
    return true;
}

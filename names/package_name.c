/* SPDX-License-Identifier: MIT */
/* Splits the names of functions into packages. */
#include "package_name.h"

#include <string.h>

/* Returns the name without its parameters. */
static brz_str without_parameters(brz_str name)
{
    const char *bracket = name.len == 0 ? NULL : memchr(name.data, '(', name.len);
    return bracket == NULL ? name : brz_str_of(name.data, (size_t)(bracket - name.data));
}

static bool is_lower(char c)
{
    return (c >= 'a' && c <= 'z') || c == '_';
}

/* Returns the length of the name of a package that a dot ends, or 0. */
static size_t dotted_package(brz_str s)
{
    size_t n = 0;
    while (n < s.len && (is_lower(s.data[n]) || (n > 0 && s.data[n] >= '0' && s.data[n] <= '9')))
        n++;
    return n < s.len && s.data[n] == '.' ? n : 0;
}

/* Recognises "java.util.ArrayList": two packages or more, and a class. */
static bool is_dotted(brz_str s)
{
    size_t packages = 0, n;
    if (s.len > 0 && memchr(s.data, '/', s.len) != NULL)
        return false;
    for (; (n = dotted_package(s)) > 0; packages++)
        s = brz_str_of(s.data + n + 1, s.len - n - 1);
    return packages >= 2 && s.len > 0 && s.data[0] >= 'A' && s.data[0] <= 'Z';
}

brz_package_name brz_package_name_of(brz_str name)
{
    brz_str s = without_parameters(name);
    return (brz_package_name){.rest = name, .n = s.len, .is_dotted = is_dotted(s)};
}

/* Returns the length of the class in front of a method "::add", or 0. */
static size_t class_length(brz_str s)
{
    for (size_t i = 1; i + 3 <= s.len; i++)
        if (memcmp(s.data + i, ":::", 3) == 0)
            return i;
    return 0;
}

bool brz_package_name_take(brz_package_name *name, brz_str *piece)
{
    brz_str s = brz_str_of(name->rest.data, name->n);
    if (s.len == 0 || s.data[0] == '/' || s.data[0] == '[')
        return false;
    const char *slash = memchr(s.data, '/', s.len);
    size_t n = name->is_dotted ? dotted_package(s)
               : slash != NULL ? (size_t)(slash - s.data)
                               : class_length(s);
    if (n == 0 || n + 1 >= name->rest.len)
        return false;
    *piece = brz_str_of(s.data, n);
    name->rest = brz_str_of(s.data + n + 1, name->rest.len - n - 1);
    name->n = s.len > n ? s.len - n - 1 : 0;
    return true;
}

/* SPDX-License-Identifier: MIT */
/* Matches names with the patterns of LeakSanitizer:
 *
 *     pattern := ["^"] (text | "*")* ["$" any]
 *
 * A text matches if it contains the parts of the pattern in order. "^" ties the first part to the
 * beginning. At "$" the first place of the last part has to be the end.
 */
#include "suppressions.h"

#include <brazier/symbol.h>

/* ---- patterns -------------------------------------------------------------------------------- */

/* Returns the length of the part at the front of a pattern. */
static size_t part_length(brz_str pattern)
{
    size_t n = 0;
    while (n < pattern.len && pattern.data[n] != '*' && pattern.data[n] != '$')
        n++;
    return n;
}

/* Finds the part in front of a pattern, and removes both. Returns false if the text lacks it. */
static bool take_part(brz_str *pattern, brz_str *text, bool at_start)
{
    size_t n = part_length(*pattern);
    size_t at = brz_str_find(*text, brz_str_of(pattern->data, n), 0);
    if (at == SIZE_MAX || (at_start && at != 0))
        return false;
    *text = brz_str_from(*text, at + n);
    *pattern = brz_str_from(*pattern, n);
    return true;
}

static bool matches(brz_str pattern, brz_str text)
{
    bool at_start = pattern.data[0] == '^', after_star = false;
    if (brz_str_equal(pattern, text))
        return true;
    pattern = brz_str_from(pattern, at_start);
    while (pattern.len > 0) {
        if (pattern.data[0] == '$')
            return text.len == 0 || after_star;
        after_star = pattern.data[0] == '*';
        if (after_star)
            pattern = brz_str_from(pattern, 1);
        else if (!take_part(&pattern, &text, at_start))
            return false;
        at_start = false;
    }
    return true;
}

/* ---- lists ----------------------------------------------------------------------------------- */

suppression_result suppressions_add(suppressions *s, brz_ctx *ctx, brz_str line)
{
    brz_text copy = {0};
    line = brz_trim(line);
    if (line.len == 0 || line.data[0] == '#')
        return SUPPRESSION_ADDED;
    if (!brz_starts_with(line, BRZ_STR("leak:")))
        return SUPPRESSION_ODD;
    brz_str pattern = brz_str_from(line, strlen("leak:"));
    if (pattern.len == 0)
        return SUPPRESSION_ADDED;
    if (s->n == SUPPRESSIONS_MAX)
        return SUPPRESSION_TOO_MANY;
    brz_text_append(&copy, ctx, pattern);
    s->items = brz_list_room(ctx, s->items, s->n, &s->cap, sizeof *s->items);
    s->items[s->n++] = brz_text_str(&copy);
    return SUPPRESSION_ADDED;
}

/* Returns whether heaptrack suppresses leaks of a function, of the C library, the dynamic linker or
 * the event loop of glib. */
static bool is_of_system(brz_str text)
{
    static const char *const patterns[] = {
        "__nss_module_allocate", "__gconv_read_conf",  "__new_exitfn",  "tzset_internal",
        "dl_open_worker",        "g_main_context_new", "g_thread_self",
    };
    for (size_t i = 0; i < BRZ_COUNT_OF(patterns); i++)
        if (matches(brz_str_of_text(patterns[i]), text))
            return true;
    return false;
}

bool suppressions_match(const suppressions *s, brz_str text)
{
    if (text.len == 0)
        return false;
    for (size_t i = 0; i < s->n; i++)
        if (matches(s->items[i], text))
            return true;
    return is_of_system(text);
}

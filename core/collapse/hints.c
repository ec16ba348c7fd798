/* SPDX-License-Identifier: MIT */
/* Looks for the texts of hints. A guess looks for about a hundred, most of which are absent: the
 * pairs of bytes that occur rule out nearly all of these without a search. */
#include "collapse/hints.h"

#include <brazier/plugin.h>
#include <brazier/symbol.h>

#include <fnmatch.h>
#include <string.h>

bool brz_name_matches(brz_str name, const char *pattern)
{
    char text[256];
    if (name.len == 0 || name.len >= sizeof text)
        return false;
    memcpy(text, name.data, name.len);
    text[name.len] = '\0';
    return fnmatch(pattern, text, 0) == 0;
}

static size_t pair_at(const char *at)
{
    return (size_t)(uint8_t)at[0] << 8 | (uint8_t)at[1];
}

void brz_hinted_init(brz_hinted *h, brz_str name)
{
    h->name = name;
}

void brz_hinted_add(brz_hinted *h, brz_str form)
{
    if (form.len == 0 || h->n == BRZ_HINT_FORMS || (h->n > 0 && brz_starts_with(h->forms[0], form)))
        return;
    for (size_t i = 0; i + 1 < form.len; i++) {
        size_t pair = pair_at(form.data + i);
        h->pairs[pair / 8] |= (uint8_t)(1u << pair % 8);
    }
    h->forms[h->n++] = form;
}

/* Returns whether each pair of a text occurs. */
static bool has_pairs(const brz_hinted *h, brz_str text)
{
    for (size_t i = 0; i + 1 < text.len; i++) {
        size_t pair = pair_at(text.data + i);
        if ((h->pairs[pair / 8] >> pair % 8 & 1) == 0)
            return false;
    }
    return true;
}

bool brz_hinted_occurs(const brz_hinted *h, brz_str text)
{
    if (!has_pairs(h, text))
        return false;
    for (size_t i = 0; i < h->n; i++)
        if (memmem(h->forms[i].data, h->forms[i].len, text.data, text.len) != NULL)
            return true;
    return false;
}

static bool begins(const brz_hinted *h, brz_str text)
{
    for (size_t i = 0; i < h->n; i++)
        if (brz_starts_with(h->forms[i], text))
            return true;
    return false;
}

static bool holds(const brz_hinted *h, char kind, brz_str text)
{
    switch (kind) {
    case BRZ_HINT_NAME:
        return brz_name_matches(h->name, text.data);
    case BRZ_HINT_BEGINS:
        return begins(h, text);
    case BRZ_HINT_CONTAINS:
        return brz_hinted_occurs(h, text);
    default:
        return true;
    }
}

bool brz_hints_hold(const brz_hinted *h, brz_str hints)
{
    const char *at = hints.data, *end = hints.data + hints.len;
    while (at < end && *at != '\0') {
        const char *nul = memchr(at, '\0', (size_t)(end - at));
        if (nul == NULL || holds(h, *at, brz_str_of(at + 1, (size_t)(nul - at) - 1)))
            return true;
        at = nul + 1;
    }
    return false;
}

/* SPDX-License-Identifier: MIT */
/* Remembers the namespaces and classes of a unit of debugging information. */
#include "die_scopes.h"

#include <brazier/text/buffer.h>

#include <string.h>

#include "../address_rank.h"

/* Name of a namespace without one, as demanglers write it. */
#define ANONYMOUS "(anonymous namespace)"

/* Maximum length of a name. */
#define NAME_MAX_LENGTH 4096

static size_t depth_of(const die_scopes *s)
{
    size_t depth = 0;
    for (size_t i = s->open; i > 0; i = s->items[i - 1].parent)
        depth++;
    return depth;
}

void die_scopes_leave(die_scopes *s, size_t depth, uint64_t place)
{
    for (size_t open = depth_of(s); open > depth; open--) {
        die_scope *last = &s->items[s->open - 1];
        last->end = place;
        s->open = last->parent;
    }
}

void die_scopes_enter(die_scopes *s, brz_ctx *ctx, uint64_t place, const char *name)
{
    if (s->n == UINT32_MAX)
        return;
    s->items = brz_list_room(ctx, s->items, s->n, &s->cap, sizeof *s->items);
    die_scope *scope = &s->items[s->n++];
    *scope = (die_scope){.start = place, .end = UINT64_MAX, .parent = (uint32_t)s->open};
    scope->name = name != NULL ? name : ANONYMOUS;
    s->open = s->n;
}

/* Puts the scope's name in front of others. */
static void prepend(char *buffer, size_t *at, brz_str name)
{
    if (name.len == 0 || name.len + 2 > *at)
        return;
    *at -= 2;
    memcpy(buffer + *at, "::", 2);
    *at -= name.len;
    memcpy(buffer + *at, name.data, name.len);
}

const char *die_scopes_qualify(const die_scopes *s, brz_ctx *ctx, uint64_t place, const char *name)
{
    char buffer[NAME_MAX_LENGTH];
    size_t len = strlen(name) + 1, at = sizeof buffer - len;
    size_t i = address_rank(s->items, s->n, sizeof *s->items, place);
    while (i > 0 && place >= s->items[i - 1].end)
        i = s->items[i - 1].parent;
    if (i == 0 || len > sizeof buffer / 2)
        return name;
    memcpy(buffer + at, name, len);
    for (; i > 0; i = s->items[i - 1].parent)
        prepend(buffer, &at, brz_str_of_text(s->items[i - 1].name));
    return brz_text_keep(ctx, brz_str_of(buffer + at, sizeof buffer - at)).data;
}

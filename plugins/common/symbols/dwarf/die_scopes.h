/* SPDX-License-Identifier: MIT */
/* The namespaces and classes of a unit of debugging information, for names of functions in them. */
#ifndef SYMBOLS_DIE_SCOPES_H
#define SYMBOLS_DIE_SCOPES_H

#include <brazier/host.h>

/* A namespace or a class: its entry, with those within it, takes a range of places. */
typedef struct die_scope {
    uint64_t start, end;
    const char *name;
    uint32_t parent; /* 1 + position; 0: none */
} die_scope;

typedef struct die_scopes {
    die_scope *items; /* in the order of their places */
    size_t n, cap;
    size_t open; /* 1 + position of the innermost one whose end is not known yet; 0: none */
} die_scopes;

/* Ends the innermost scopes at a place, so that at most `depth` stay open. */
void die_scopes_leave(die_scopes *s, size_t depth, uint64_t place);

/* Enters a scope. Without a name, it is an anonymous one; an empty name is left out. The name must
 * stay valid. */
void die_scopes_enter(die_scopes *s, brz_ctx *ctx, uint64_t place, const char *name);

/* Returns the name of an entry after those of the scopes around it: "std::sort". Returns `name` if
 * there are none. */
const char *die_scopes_qualify(const die_scopes *s, brz_ctx *ctx, uint64_t place, const char *name);

#endif

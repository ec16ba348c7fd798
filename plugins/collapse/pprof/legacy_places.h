/* SPDX-License-Identifier: MIT */
/* Finds modules and functions of addresses. */
#ifndef PPROF_LEGACY_PLACES_H
#define PPROF_LEGACY_PLACES_H

#include <brazier/host.h>

/* A program or library in memory. */
typedef struct legacy_mapping {
    uint64_t start, end;
    brz_str file;
} legacy_mapping;

/* A function at an address. */
typedef struct legacy_symbol {
    uint64_t address;
    brz_str name, file; /* the name may be empty */
    uint32_t line;
    size_t position; /* order in the input */
} legacy_symbol;

/* The modules and functions that the input names. */
typedef struct legacy_places {
    legacy_mapping *mappings; /* by start */
    size_t n_mappings, mappings_cap;
    legacy_symbol *symbols; /* by address, then by position */
    size_t n_symbols, symbols_cap;
    bool is_go; /* the symbols are those of a Go program */
} legacy_places;

/* Reads mappings and symbols, a line each; skips other lines. */
void legacy_places_read(legacy_places *p, brz_ctx *ctx, brz_str text);

/* Completes the places after all of the text was read. */
void legacy_places_sort(legacy_places *p);

/* Return the module or function of an address, or NULL if it is unknown. */
const legacy_mapping *legacy_find_mapping(const legacy_places *p, uint64_t address);
const legacy_symbol *legacy_find_symbol(const legacy_places *p, uint64_t address);

/* Reports a mapping or a symbol with which a text breaks off. */
void legacy_places_check_end(brz_ctx *ctx, brz_str text);

#endif

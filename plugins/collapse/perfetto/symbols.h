/* SPDX-License-Identifier: MIT */
/* Names that were added to a trace after it was recorded: functions of addresses, and the original
 * names of classes and methods that a build has shortened. */
#ifndef PERFETTO_SYMBOLS_H
#define PERFETTO_SYMBOLS_H

#include <brazier/text/buffer.h>
#include <brazier/text/frame_cache.h>

#include "../../common/pair_map.h"
#include "packets.h"

#define MOST_PACKAGES   64
#define LONGEST_PACKAGE 1024 /* bytes of its name, which is compared for each frame */

typedef struct symbols {
    brz_ctx *ctx;
    brz_frame_cache modules; /* numbers of paths with build ids */
    uint32_t n_modules;
    brz_str *lines; /* messages: the lines of an address are within its message */
    size_t n_lines, lines_cap;
    pair_map by_address;   /* of module and address: such a message */
    brz_frame_cache names; /* of packages, classes and methods: indices of original names */
    brz_str *originals;
    size_t n_originals, originals_cap;
    brz_str packages[MOST_PACKAGES];
    size_t n_packages;
    brz_text key, text;
    uint64_t budget; /* bytes of names that may be stored */
    bool is_spent;   /* names are missing because of it, or of the packages */
} symbols;

/* A line of an address. */
typedef struct symbol_line {
    brz_str function, file;
    uint32_t line;
} symbol_line;

/* Initialises it for an input of `len` bytes. */
void symbols_init(symbols *s, brz_ctx *ctx, size_t len);

/* Take the symbols of a module, and a table of original names. */
void symbols_take(symbols *s, brz_bytes message);
void symbols_take_originals(symbols *s, brz_bytes message);

/* Returns a message with the lines of an address of a module, the innermost one first; empty:
 * unknown. */
brz_bytes symbols_of(symbols *s, brz_str path, brz_str build_id, uint64_t address);

/* Reads the next line of such a message. Returns false at the end. */
bool symbols_next_line(brz_bytes *message, symbol_line *line);

/* Returns the original name of a function, class and method, in a module, or the name itself. The
 * text is valid until the next call. */
brz_str symbols_original(symbols *s, brz_str module, brz_str name);

#endif

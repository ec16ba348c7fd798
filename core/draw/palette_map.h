/* SPDX-License-Identifier: MIT */
/* Stores colours of names that are the same in every picture, and reads and writes their file
 * format:
 *
 *     line := name "->rgb(" red "," green "," blue ")"
 *
 * Lines are sorted by the bytes of the names. Spaces and tabs are allowed around numbers. A name
 * may be empty (the root's name) and may contain "->": the last one separates name and colour.
 */
#ifndef BRZ_PALETTE_MAP_H
#define BRZ_PALETTE_MAP_H

#include "base/beneath.h"
#include "base/diag.h"

typedef struct brz_palette_map brz_palette_map;

/* Creates an empty map; destroy it with brz_palette_map_destroy(). */
brz_palette_map *brz_palette_map_create(void);

/* Destroys a map; NULL is allowed. */
void brz_palette_map_destroy(brz_palette_map *m);

/* Adds the colours in a text; the last line for a name wins. Returns the number of invalid
 * lines. */
size_t brz_palette_map_parse(brz_palette_map *m, brz_str text);

/* Adds the colours in a file. Warns about invalid lines; a missing file counts as empty. `inside`
 * is the location of a file that must lie below some folder, or NULL. Returns false after reporting
 * an error if the file cannot be read. */
bool brz_palette_map_read(brz_palette_map *m, const char *path, const brz_inside *inside,
                          brz_console *console);

/* Returns the number of a name, adding it if necessary. */
uint32_t brz_palette_map_number(brz_palette_map *m, brz_str name);

/* Return and set the colour of the name with this number; BRZ_COLOR_NONE: it has none. */
uint32_t brz_palette_map_color(const brz_palette_map *m, uint32_t number);
void brz_palette_map_set(brz_palette_map *m, uint32_t number, uint32_t color);

/* Appends all colours in the file format. Omits names with a line break. */
void brz_palette_map_print(const brz_palette_map *m, brz_buf *b);

#endif

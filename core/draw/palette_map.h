/* Colours of names that stay the same from picture to picture, and the file they are kept in:
 *
 *     line := name "->rgb(" red "," green "," blue ")"
 *
 * in the order of the names' bytes. Blanks are allowed around numbers. A name may be empty (that is
 * the root's), and may hold "->": the last one counts.
 */
#ifndef BRZ_PALETTE_MAP_H
#define BRZ_PALETTE_MAP_H

#include "base/beneath.h"
#include "base/diag.h"

typedef struct brz_palette_map brz_palette_map;

/* An empty one. */
brz_palette_map *brz_palette_map_create(void);

/* NULL is fine. */
void brz_palette_map_destroy(brz_palette_map *m);

/* Adds what a text says, the last word on a name counts; returns how many lines were none. */
size_t brz_palette_map_parse(brz_palette_map *m, brz_str text);

/* Adds what a file says; lines that say nothing are warned about. One that is not there is empty.
 * `inside` is the place of a file that may not lie anywhere; NULL for others. False after saying
 * why it cannot be read. */
bool brz_palette_map_read(brz_palette_map *m, const char *path, const brz_inside *inside,
                          brz_console *console);

/* The number of a name, known or not. */
uint32_t brz_palette_map_number(brz_palette_map *m, brz_str name);

/* The colour of a name's number, BRZ_COLOR_NONE if it has none yet; and setting it. */
uint32_t brz_palette_map_color(const brz_palette_map *m, uint32_t number);
void brz_palette_map_set(brz_palette_map *m, uint32_t number, uint32_t color);

/* Appends all colours as the file has them. Names with a line break cannot be kept. */
void brz_palette_map_print(const brz_palette_map *m, brz_buf *b);

#endif

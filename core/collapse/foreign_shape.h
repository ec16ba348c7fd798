/* Recognises foreign formats that have no fixed signature. */
#ifndef BRZ_FOREIGN_SHAPE_H
#define BRZ_FOREIGN_SHAPE_H

#include <brazier/base.h>

/* The number of lines at the start of an input that tests examine. */
#define BRZ_FOREIGN_LINES 40

/* Removes the first line from the text and stores it without its line end. Returns false at the end
 * of the text. */
bool brz_foreign_next_line(brz_str *text, brz_str *line);

/* Returns true if one of the first lines begins with `start`. */
bool brz_foreign_has_line(brz_str head, const char *start);

/* Returns true if one of the first lines contains `part`. */
bool brz_foreign_has_text(brz_str head, const char *part);

/* Returns true if the text contains all of these JSON keys, which are separated by spaces. */
bool brz_foreign_has_keys(brz_str head, const char *keys);

/* Return true if `head` is the beginning of the format. */
bool brz_foreign_is_svg(brz_str head);
bool brz_foreign_is_windows_table(brz_str head);
bool brz_foreign_is_trace_without_calls(brz_str head); /* of trace-cmd */
bool brz_foreign_is_table(brz_str head);

/* Returns true if the beginning of a file is binary: it has many control characters including
 * zeros. */
bool brz_foreign_is_binary(brz_str head);

#endif

/* Recognises foreign formats that no fixed text gives away. */
#ifndef BRZ_FOREIGN_SHAPE_H
#define BRZ_FOREIGN_SHAPE_H

#include <brazier/base.h>

/* The number of lines at the start of an input that tests examine. */
#define BRZ_FOREIGN_LINES 40

/* Takes the first line off the text, without its line end. False at the end of the text. */
bool brz_foreign_next_line(brz_str *text, brz_str *line);

/* Returns true if one of the first lines begins with `start`. */
bool brz_foreign_has_line(brz_str head, const char *start);

/* Returns true if one of the first lines has `part` in it. */
bool brz_foreign_has_text(brz_str head, const char *part);

/* Returns true if JSON has all of these keys, divided by blanks, anywhere in the text. */
bool brz_foreign_has_keys(brz_str head, const char *keys);

/* Each returns true if `head` is the beginning of its format. */
bool brz_foreign_is_pprof(brz_str head);
bool brz_foreign_is_pstats(brz_str head);
bool brz_foreign_is_svg(brz_str head);
bool brz_foreign_is_callgrind(brz_str head);
bool brz_foreign_is_heaptrack(brz_str head);
bool brz_foreign_is_gdb(brz_str head);
bool brz_foreign_is_eu_stack(brz_str head);
bool brz_foreign_is_goroutines(brz_str head);
bool brz_foreign_is_java_exception(brz_str head);
bool brz_foreign_is_light_java(brz_str head);
bool brz_foreign_is_systemtap(brz_str head);
bool brz_foreign_is_strace(brz_str head);
bool brz_foreign_is_function_graph(brz_str head);
bool brz_foreign_is_papyrus(brz_str head);
bool brz_foreign_is_pmc(brz_str head);
bool brz_foreign_is_windows_table(brz_str head);
bool brz_foreign_is_table(brz_str head);

/* Returns true if the beginning of a file is hardly that of a text: it has many control characters,
 * zeros among them. */
bool brz_foreign_is_binary(brz_str head);

#endif

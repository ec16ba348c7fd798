/* The files that a configuration names, and how far each configuration reaches.
 *
 * A file that was named (--config), trusted (--trust-config) or the user's own may name any path;
 * the outputs of the shipped file lie below the working directory. A file that was found reads and
 * writes below its own folder only; docs/security.md has the rules and their reasons. Each function
 * returns true at once for files of the first sort; for the other sort it checks the path, and
 * reports at the node what it refuses.
 */
#ifndef BRZ_REACH_H
#define BRZ_REACH_H

#include "base/beneath.h"
#include "base/yaml_tree.h"

/* Checks an input, from the working directory. `inside` is to be finished. */
bool brz_reach_input(brz_console *console, const brz_yaml *node, brz_inside *inside);

/* Checks an output, from the working directory: a file that is not there, or one that may be
 * replaced. `inside` is to be finished. */
bool brz_reach_output(brz_console *console, const brz_yaml *node, brz_inside *inside);

/* Checks a file that is read and written, from the configuration's folder, whose name ends in
 * `ending`. `inside` is to be finished. */
bool brz_reach_kept_file(brz_console *console, const brz_yaml *node, const char *ending,
                         brz_inside *inside);

/* Checks a file or folder that a component's option names, from the configuration's folder. */
bool brz_reach_option(brz_console *console, const brz_yaml *node);

/* Reports that a value of a file that was found is refused: "'x' WHY: refused, …". */
void brz_reach_refuse(brz_console *console, const brz_yaml *node, const char *why);

/* Frees what it holds. A zeroed one is fine. */
void brz_inside_finish(brz_inside *inside);

#endif

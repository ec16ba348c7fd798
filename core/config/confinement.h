/* SPDX-License-Identifier: MIT */
/* Restricts the files that a configuration may name.
 *
 * A file that was named (--config), trusted (--trust-config) or is the user's own may name any
 * path. The shipped file may write outputs only below the working directory. A file that was found
 * may read and write only below its own folder; docs/security.md has the rules and reasons. The
 * functions return true for unrestricted files without any check. For restricted files, they check
 * the path and report an error at the node if they refuse it.
 */
#ifndef BRZ_CONFINEMENT_H
#define BRZ_CONFINEMENT_H

#include "base/beneath.h"
#include "base/yaml_tree.h"

/* Checks an input, relative to the working directory. The caller releases `inside` with
 * brz_inside_finish(). */
bool brz_confine_input(brz_console *console, const brz_yaml *node, brz_inside *inside);

/* Checks an output, relative to the working directory: it must be absent or replaceable. The caller
 * releases `inside`. */
bool brz_confine_output(brz_console *console, const brz_yaml *node, brz_inside *inside);

/* Checks a file that is read and written, relative to the configuration's folder. Its name must end
 * in `ending`. The caller releases `inside`. */
bool brz_confine_updated_file(brz_console *console, const brz_yaml *node, const char *ending,
                              brz_inside *inside);

/* Checks a file or folder in a component's option, relative to the configuration's folder. */
bool brz_confine_option(brz_console *console, const brz_yaml *node);

/* Reports that a value of a restricted file is refused: "'x' WHY: refused, ...". */
void brz_confine_refuse(brz_console *console, const brz_yaml *node, const char *why);

/* Frees the members. A zeroed struct is allowed. */
void brz_inside_finish(brz_inside *inside);

#endif

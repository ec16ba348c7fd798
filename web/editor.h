/* SPDX-License-Identifier: MIT */
/* Addresses that open an editor at a line, such as "vscode://file{file}:{line}". */
#ifndef BRZ_WEB_EDITOR_H
#define BRZ_WEB_EDITOR_H

#include <brazier/base.h>

/* Returns the template for the name of an editor ("vscode", "idea"), or the word itself if it is a
 * template: an address with {file} and perhaps {line}, of a scheme that runs no script. Returns
 * NULL for anything else. */
const char *brz_web_editor(const char *word);

/* Returns the i-th name that brz_web_editor() knows, or NULL after the last one. */
const char *brz_web_editor_name(size_t i);

#endif

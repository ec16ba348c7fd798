/* Chains of palettes: from names and configurations to palettes that are ready to be asked. */
#ifndef BRZ_CHAIN_H
#define BRZ_CHAIN_H

#include "draw/palette_chain.h"
#include "run/resolve.h"

/* Appends what a configuration's node says: a name, {use: NAME, options: …, only: …, background:
 * …}, or a list of these. False after saying what is wrong; what was appended stays. */
bool brz_chain_add(const brz_resolver *r, const brz_yaml *node, brz_chain *chain);

/* Appends what is called `name`: a palette of the configuration, or a plug-in. `at` is the node
 * that names it, or NULL. */
bool brz_chain_add_named(const brz_resolver *r, brz_str name, const brz_yaml *at, brz_chain *chain);

/* The same for several names with commas between them. */
bool brz_chain_add_names(const brz_resolver *r, const char *names, brz_chain *chain);

/* Appends what is used when nobody says what: the configuration's palette "default", or hot. */
bool brz_chain_add_usual(const brz_resolver *r, brz_chain *chain);

#endif

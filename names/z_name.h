/* SPDX-License-Identifier: MIT */
/* Decodes symbols of GHC, the compiler of Haskell. */
#ifndef NAMES_Z_NAME_H
#define NAMES_Z_NAME_H

#include <brazier/base.h>

/* Returns whether a name is one of GHC, which has the path of a module and an ending that say so:
 * "base_GHCziBase_map_info". */
bool brz_z_is_encoded(brz_str name);

/* Returns the same as brz_z_is_encoded(). Rejects most names by their last bytes. */
static inline bool brz_z_may_be_encoded(brz_str name)
{
    if (name.len < 9)
        return false;
    const char *end = name.data + name.len;
    char last = end[-1];
    bool may_end = (end[-5] == '_' && (last == 'o' || last == 'w' || last == 't')) ||
                   (end[-6] == '_' && last == 'y') || (end[-8] == '_' && last == 'e');
    return may_end && brz_z_is_encoded(name);
}

/* Stores the decoded name, which is not longer, in `to`: "base_GHCziBase_zpzp_info" is GHC.Base.++,
 * and if `full` is set base:GHC.Base.++_info. Returns the length. Returns 0 if the name is not one
 * of GHC. */
size_t brz_z_decoded(brz_str name, bool full, char *to);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 * Describes the draft `brz.draft.demangle/1`: names of C++, Rust, OCaml, D, Haskell and Ada for a
 * collapser that adds something to them. The host demangles the names of frames itself.
 */
#ifndef BRAZIER_DRAFT_DEMANGLE_H
#define BRAZIER_DRAFT_DEMANGLE_H

#include <brazier/host.h>

/** The id for brz_collapser_host.extension, which returns a constant #brz_demangler. */
#define BRZ_DEMANGLER_ID "brz.draft.demangle/1"

/** The service. */
typedef struct brz_demangler {
    uint32_t struct_size; /**< sizeof(brz_demangler) in the host */
    uint32_t reserved;    /**< 0; ignore it */

    /** Demangles a name, without parameters. The text is valid until the next call. Returns false
     * if the name is not mangled. */
    bool (*demangle)(brz_ctx *, brz_str name, brz_str *demangled);
} brz_demangler;

#endif

/* SPDX-License-Identifier: MIT */
/* Demangles the names of frames, as the user wants it. */
#include "profile/demangle.h"

#include "base/suggest.h"

#include <brazier/symbol.h>

/* The words of the modes, by mode. */
static const char *const words[] = {"auto", "full", "none"};

const char *brz_demangle_mode_name(brz_demangle_mode mode)
{
    return words[mode];
}

bool brz_demangle_mode_of(brz_str word, brz_demangle_mode *mode, brz_buf *error)
{
    brz_suggestion near = {.typed = word};
    for (unsigned i = 0; i < 3; i++) {
        *mode = (brz_demangle_mode)i;
        if (brz_str_is(word, words[i]))
            return true;
        brz_suggestion_offer(&near, words[i]);
    }
    brz_buf_printf(error, "'demangle' must be auto, full or none, not '%.*s'", (int)word.len,
                   word.data);
    brz_suggestion_add(&near, error);
    return false;
}

bool brz_demangle(brz_str name, brz_demangle_mode mode, brz_buf *out)
{
    if (mode == BRZ_DEMANGLE_NONE || !brz_may_be_mangled(name))
        return false;
    char *to = brz_buf_room(out, name.len + BRZ_DEMANGLED_MAX);
    size_t n = brz_demangled(name, mode == BRZ_DEMANGLE_FULL, to);
    to[n] = '\0';
    out->len += n;
    return n > 0;
}

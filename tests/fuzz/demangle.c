/* SPDX-License-Identifier: MIT */
/* A fuzz target around demangling: each line of the input is a name.
 *
 * A name is left as it is, or becomes another text, the same one each time. The result is bounded:
 * a few bytes of a name do not become megabytes. It may end a character too early, as lengths in
 * names are bytes; the profile repairs it.
 */
#include "fuzz.h"

#include <brazier/symbol.h>

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "profile/demangle.h"

#define MOST_NAMES 200
#define MOST_ADDED ((size_t)1 << 17)

static bool demangle(brz_str name, brz_demangle_mode mode, brz_buf *out)
{
    brz_buf_clear(out);
    return brz_demangle(name, mode, out);
}

static void check_mode(brz_str name, brz_demangle_mode mode)
{
    brz_buf first = {0}, second = {0};
    bool is_new = demangle(name, mode, &first);
    FUZZ_REQUIRE(is_new || first.len == 0, "left as it is, and something else");
    FUZZ_REQUIRE(!is_new || brz_may_be_mangled(name), "a name that was not to be looked at");
    FUZZ_REQUIRE(first.len <= name.len + MOST_ADDED, "%zu bytes became %zu", name.len, first.len);
    FUZZ_REQUIRE(is_new == demangle(name, mode, &second), "changed its mind");
    FUZZ_REQUIRE(strcmp(brz_buf_text(&first), brz_buf_text(&second)) == 0, "another name");
    brz_buf_finish(&first);
    brz_buf_finish(&second);
}

/* Names of a profile are well-formed. */
static void check_name(brz_str raw)
{
    brz_buf name = {0};
    brz_buf_add_text(&name, "");
    brz_utf8_repair(&name, raw);
    check_mode(brz_buf_str(&name), BRZ_DEMANGLE_AUTO);
    check_mode(brz_buf_str(&name), BRZ_DEMANGLE_FULL);
    brz_buf_finish(&name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    brz_str rest = brz_str_of((const char *)data, size);
    for (int i = 0; i < MOST_NAMES && rest.len > 0; i++) {
        size_t end = brz_str_find(rest, BRZ_STR("\n"), 0);
        size_t n = end == SIZE_MAX ? rest.len : end, used = n + (end != SIZE_MAX);
        check_name(brz_str_of(rest.data, n));
        rest = brz_str_of(rest.data + used, rest.len - used);
    }
    return 0;
}

bool fuzz_variant(unsigned i, fuzz_settings *s)
{
    (void)i;
    (void)s;
    return false;
}

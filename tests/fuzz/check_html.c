/* SPDX-License-Identifier: MIT */
/* Checks pages: the profile in a page is JSON and cannot end the enclosing element. */
#include "fuzz.h"

#include <brazier/symbol.h>
#include "output.h"

#include <string.h>

static size_t count(brz_str s, const char *what)
{
    size_t n = 0, len = strlen(what);
    for (size_t at = 0; (at = brz_str_find(s, brz_str_of(what, len), at)) != SIZE_MAX; at += len)
        n++;
    return n;
}

void fuzz_check_output(const fuzz_written *w)
{
    static const char before[] = "<script type=\"application/json\" id=\"profile\">\n";
    size_t start = brz_str_find(w->bytes, brz_str_of(before, sizeof before - 1), 0);
    FUZZ_REQUIRE(start != SIZE_MAX, "no profile in the page");
    start += sizeof before - 1;
    size_t end = brz_str_find(w->bytes, BRZ_STR("</script>"), start);
    FUZZ_REQUIRE(end != SIZE_MAX, "the profile has no end");
    brz_str json = brz_str_of(w->bytes.data + start, end - start);
    const char *fault = fuzz_json_fault(json);
    FUZZ_REQUIRE(fault == NULL, "no JSON: %.*s", 40, fault);
    FUZZ_REQUIRE(count(w->bytes, "</script>") == 2, "scripts end where they should not");
    FUZZ_REQUIRE(count(json, "<!--") == 0 && count(json, "<script") == 0, "markup in the profile");
}

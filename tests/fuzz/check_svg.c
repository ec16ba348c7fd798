/* SPDX-License-Identifier: MIT */
/* Checks pictures: expat takes them for well-formed XML. */
#include "fuzz.h"
#include "output.h"

#include <expat.h>

void fuzz_check_output(const fuzz_written *w)
{
    XML_Parser parser = XML_ParserCreate("UTF-8");
    FUZZ_REQUIRE(parser != NULL, "no parser");
    bool good = XML_Parse(parser, w->bytes.data, (int)w->bytes.len, 1) == XML_STATUS_OK;
    size_t at = (size_t)XML_GetCurrentByteIndex(parser);
    FUZZ_REQUIRE(good, "not well-formed XML at byte %zu: %.*s", at, 40,
                 w->bytes.data + (at < w->bytes.len ? at : w->bytes.len));
    XML_ParserFree(parser);
}

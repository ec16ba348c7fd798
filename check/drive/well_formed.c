/* SPDX-License-Identifier: MIT */
/* Checks whether text is well-formed XML, by expat, JSON (RFC 8259), with the parser of the SDK, or
 * UTF-8. */
#include "well_formed.h"

#include <stdlib.h>

#include <brazier/json.h>

#if CHECK_HAS_EXPAT
#include <expat.h>
#endif

#include "base/mem.h"
#include "base/utf8.h"

check_flaw check_well_formed_utf8(brz_str text)
{
    if (brz_utf8_valid(text))
        return (check_flaw){text.len, NULL};
    for (size_t at = 0, n; at < text.len; at += n)
        if ((n = brz_utf8_length(text.data + at, text.len - at)) == 0)
            return (check_flaw){at, "malformed UTF-8"};
    return (check_flaw){text.len, NULL};
}

check_flaw check_well_formed_json(brz_str text)
{
    brz_json j = {.more_cap = BRZ_JSON_MAX_DEPTH / 8};
    const char *at = text.data, *end = text.data + text.len;
    check_flaw utf8 = check_well_formed_utf8(text);
    brz_json_token token;
    j.more = brz_calloc(j.more_cap, 1);
    do
        token = brz_json_next(&j, NULL, &at, end, true);
    while (token.kind > BRZ_JSON_ERROR);
    free(j.more);
    check_flaw flaw = {(size_t)(token.text.data - text.data), j.error};
    return flaw.what != NULL && (utf8.what == NULL || flaw.at < utf8.at) ? flaw : utf8;
}

#if CHECK_HAS_EXPAT
check_flaw check_well_formed_xml(brz_str text)
{
    check_flaw flaw = {text.len, NULL};
    XML_Parser parser = XML_ParserCreate("UTF-8");
    if (parser == NULL)
        return (check_flaw){0, "no memory for a parser"};
    XML_SetHashSalt(parser, 1); /* the entropy of the system is not needed */
    if (XML_Parse(parser, text.data, (int)text.len, true) != XML_STATUS_OK)
        flaw = (check_flaw){(size_t)XML_GetCurrentByteIndex(parser),
                            XML_ErrorString(XML_GetErrorCode(parser))};
    XML_ParserFree(parser);
    return flaw;
}
#else
check_flaw check_well_formed_xml(brz_str text)
{
    return check_well_formed_utf8(text);
}
#endif

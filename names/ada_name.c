/* SPDX-License-Identifier: MIT */
/* Decodes symbols of GNAT.
 *
 * Names are in small letters, since Ada does not distinguish letters. "__" is a dot, and "__" with
 * a number at the end distinguishes functions with the same name. Capital letters say more: "O"
 * begins the name of an operator; other ones, such as of tasks, leave the name as it is.
 */
#include "ada_name.h"

#include <brazier/symbol.h>
#include <brazier/text/integer.h>

#include <string.h>

#define MAIN "_ada_"

bool brz_ada_may_be_encoded(brz_str name)
{
    static const char *const roots[] = {MAIN, "ada__", "gnat__", "interfaces__", "system__"};
    for (size_t i = 0; i < BRZ_COUNT_OF(roots); i++) {
        size_t len = strlen(roots[i]);
        if (name.len > len && name.data[0] == roots[i][0] && memcmp(name.data, roots[i], len) == 0)
            return true;
    }
    return false;
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* Returns the operator of a part such as "Oadd", or an empty text. */
static brz_str operator_of(brz_str part)
{
    static const char *const operators[][2] = {
        {"Oabs", "\"abs\""},  {"Oand", "\"and\""},    {"Omod", "\"mod\""},
        {"Onot", "\"not\""},  {"Oor", "\"or\""},      {"Orem", "\"rem\""},
        {"Oxor", "\"xor\""},  {"Oeq", "\"=\""},       {"One", "\"/=\""},
        {"Olt", "\"<\""},     {"Ole", "\"<=\""},      {"Ogt", "\">\""},
        {"Oge", "\">=\""},    {"Oadd", "\"+\""},      {"Osubtract", "\"-\""},
        {"Oconcat", "\"&\""}, {"Omultiply", "\"*\""}, {"Odivide", "\"/\""},
        {"Oexpon", "\"**\""}, {"_assign", "\":=\""}};
    for (size_t i = 0; i < BRZ_COUNT_OF(operators); i++)
        if (brz_str_is(part, operators[i][0]))
            return brz_str_of_text(operators[i][1]);
    return brz_str_of("", 0);
}

/* Returns the attribute for which code is named, or an empty text. */
static brz_str attribute_of(brz_str part)
{
    static const char *const attributes[][2] = {{"_elabb", "'Elab_Body"},
                                                {"_elabs", "'Elab_Spec"},
                                                {"_size", "'Size"},
                                                {"_alignment", "'Alignment"}};
    for (size_t i = 0; i < BRZ_COUNT_OF(attributes); i++)
        if (brz_str_is(part, attributes[i][0]))
            return brz_str_of_text(attributes[i][1]);
    return brz_str_of("", 0);
}

/* Removes "X", "Xn", "Xb" and the like, which say that a package is within the body of another. */
static void cut_nesting(brz_str *part)
{
    size_t n = part->len;
    while (n > 0 && (part->data[n - 1] == 'n' || part->data[n - 1] == 'b'))
        n--;
    if (n > 1 && part->data[n - 1] == 'X')
        part->len = n - 1;
}

/* Removes "__" and a number, as "__2" or "__2Xn", from the end. */
static void cut_number(brz_str *name)
{
    brz_str part = *name;
    cut_nesting(&part);
    size_t n = part.len;
    while (n > 0 && brz_is_digit(part.data[n - 1]))
        n--;
    if (n < part.len && n > 2 && part.data[n - 1] == '_' && part.data[n - 2] == '_')
        name->len = n - 2;
}

/* Returns whether a part is an identifier in small letters. */
static bool is_identifier(brz_str part)
{
    for (size_t i = 0; i < part.len; i++)
        if (!(part.data[i] >= 'a' && part.data[i] <= 'z') && !brz_is_digit(part.data[i]) &&
            part.data[i] != '_')
            return false;
    return part.len > 0;
}

/* Takes a part of the path. Returns false at the end. */
static bool take_part(brz_str *rest, brz_str *part)
{
    if (rest->len == 0)
        return false;
    size_t at = brz_str_find(*rest, BRZ_STR("__"), 0);
    *part = at == SIZE_MAX ? *rest : brz_str_of(rest->data, at);
    *rest = at == SIZE_MAX ? brz_str_of("", 0) : brz_str_from(*rest, at + 2);
    return true;
}

/* Appends a part of the path. Returns false if it is not one. */
static bool append(brz_str part, char *to, size_t *n)
{
    cut_nesting(&part);
    brz_str text = attribute_of(part);
    bool is_attribute = text.len > 0;
    if (text.len == 0)
        text = operator_of(part);
    if (text.len == 0 && is_identifier(part))
        text = part;
    if (*n > 0 && !is_attribute)
        to[(*n)++] = '.';
    memcpy(to + *n, text.data, text.len);
    *n += text.len;
    return text.len > 0;
}

size_t brz_ada_decoded(brz_str name, bool full, char *to)
{
    brz_str rest = name, part;
    size_t n = 0;
    if (!brz_ada_may_be_encoded(name))
        return 0;
    if (brz_starts_with(rest, BRZ_STR(MAIN)))
        rest = brz_str_from(rest, sizeof MAIN - 1);
    if (!full)
        cut_number(&rest);
    while (take_part(&rest, &part))
        if (!append(part, to, &n))
            return 0;
    return n;
}

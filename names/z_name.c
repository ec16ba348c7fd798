/* SPDX-License-Identifier: MIT */
/* Decodes symbols of GHC.
 *
 *     symbol  := package "_" module "_" name "_" ending
 *     module  := capital letter* ("zi" capital letter*)+
 *
 * Texts are in the Z-encoding: "z" and "Z" begin a code for another character. Modules without a
 * dot are left alone, since names of C may look like those.
 */
#include "z_name.h"

#include <brazier/symbol.h>
#include <brazier/text/pieces.h>

#include <string.h>

/* ---- symbols --------------------------------------------------------------------------------- */

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_word(char c)
{
    return is_capital(c) || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '\'';
}

/* Removes an ending that GHC gives to symbols. */
static bool cut_ending(brz_str *name, brz_str *ending)
{
    static const char *const endings[] = {"_info", "_closure",  "_entry",    "_slow",
                                          "_fast", "_con_info", "_con_entry"};
    for (size_t i = BRZ_COUNT_OF(endings); i > 0; i--) {
        size_t len = strlen(endings[i - 1]);
        if (name->len <= len || memcmp(name->data + name->len - len, endings[i - 1], len) != 0)
            continue;
        *ending = brz_str_of(name->data + name->len - len, len);
        name->len -= len;
        return true;
    }
    return false;
}

/* Returns whether a text is the path of a module with a dot. */
static bool is_module(brz_str text)
{
    bool has_dot = false;
    if (text.len == 0 || !is_capital(text.data[0]))
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (!is_word(text.data[i]))
            return false;
        has_dot |= i > 0 && i + 2 < text.len && text.data[i] == 'z' && text.data[i + 1] == 'i' &&
                   is_capital(text.data[i + 2]);
    }
    return has_dot;
}

typedef struct parts {
    brz_str package, module, name, ending;
} parts;

static bool divide(brz_str name, parts *p)
{
    brz_str rest;
    return cut_ending(&name, &p->ending) && brz_cut_first(name, '_', &p->package, &rest) &&
           brz_cut_first(rest, '_', &p->module, &p->name) && p->package.len > 0 &&
           p->name.len > 0 && is_module(p->module);
}

bool brz_z_is_encoded(brz_str name)
{
    parts p;
    return divide(name, &p);
}

/* ---- codes ----------------------------------------------------------------------------------- */

/* Returns the character of a code, or 0. */
static char character_of(char z, char code)
{
    static const char small[] = "a&b|c^d$e=g>h#i.l<m-n!o?p+q'r\\s/t*u_v%zz";
    static const char capital[] = "L(R)M[N]C:ZZ";
    const char *codes = z == 'z' ? small : capital;
    for (; *codes != '\0'; codes += 2)
        if (*codes == code)
            return codes[1];
    return 0;
}

/* Decodes the beginning of a text. Returns the number of bytes that it takes; those that are no
 * code, such as the number of a tuple, stay as they are. */
static size_t decode_one(brz_str text, char *to)
{
    char c = text.data[0];
    char decoded = text.len > 1 && (c == 'z' || c == 'Z') ? character_of(c, text.data[1]) : 0;
    *to = decoded != 0 ? decoded : c;
    return decoded != 0 ? 2 : 1;
}

static size_t decode(brz_str text, char *to)
{
    size_t n = 0;
    for (size_t i = 0; i < text.len;)
        i += decode_one(brz_str_from(text, i), &to[n++]);
    return n;
}

static size_t copy(brz_str text, char *to)
{
    memcpy(to, text.data, text.len);
    return text.len;
}

size_t brz_z_decoded(brz_str name, bool full, char *to)
{
    parts p;
    size_t n = 0;
    if (!divide(name, &p))
        return 0;
    if (full) {
        n = decode(p.package, to);
        to[n++] = ':';
    }
    n += decode(p.module, to + n);
    to[n++] = '.';
    n += decode(p.name, to + n);
    return full ? n + copy(p.ending, to + n) : n;
}

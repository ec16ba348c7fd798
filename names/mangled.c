/* SPDX-License-Identifier: MIT */
/* Demangles symbol names; those of Rust and C++ with libiberty, those of other languages without.
 *
 * A few hundred bytes of a hostile name can expand to gigabytes. The output is therefore received
 * piece by piece, and demangling is abandoned by longjmp when it becomes too long. libiberty's
 * functions with a callback hold no memory that this could leak.
 */
#include "mangled.h"

#include "ada_name.h"
#include "d_name.h"
#include "z_name.h"

#include <brazier/color.h>
#include <brazier/symbol.h>

#include <setjmp.h>
#include <string.h>

#if BRZ_HAVE_LIBIBERTY
#include <demangle.h>
#endif

#define LONGEST_MANGLED 8192

/* ---- OCaml ----------------------------------------------------------------------------------- */

/* "__" is a dot, and "$" with two digits a character of an operator, or a prime. */

/* Takes a word from the beginning of a name. */
static bool take(brz_str *name, brz_str word)
{
    if (!brz_starts_with(*name, word))
        return false;
    *name = brz_str_of(name->data + word.len, name->len - word.len);
    return true;
}

/* Returns whether a name may be a mangled one of OCaml: the path of a module, which begins with a
 * capital letter, after "caml". Functions of its runtime, such as caml_main, have no such names.
 */
static bool may_be_ocaml(brz_str name)
{
    return take(&name, BRZ_STR("caml")) && name.len > 0 && name.data[0] >= 'A' &&
           name.data[0] <= 'Z';
}

/* Returns whether a name consists of characters that symbols of OCaml have, and is a path. */
static bool is_path(brz_str name)
{
    bool is_separated = false;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.data[i];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!is_letter && !(c >= '0' && c <= '9') && (c == '\0' || strchr("_$.'", c) == NULL))
            return false;
        is_separated |= c == '.' || (c == '_' && i > 0 && name.data[i - 1] == '_');
    }
    return is_separated;
}

/* Takes a "$" with the two digits of a character, and returns that character. Returns 0 if the text
 * does not begin with one. */
static char take_character(brz_str *rest)
{
    static const char characters[] = "!#$%&'*+-./:<=>?@^|~";
    if (rest->len < 3 || rest->data[0] != '$')
        return 0;
    int high = brz_hex_value(rest->data[1]), low = brz_hex_value(rest->data[2]);
    int code = high < 0 || low < 0 ? 0 : 16 * high + low;
    char c = (char)code;
    if (c == 0 || strchr(characters, c) == NULL)
        return 0;
    *rest = brz_str_of(rest->data + 3, rest->len - 3);
    return c;
}

/* Stores the demangled form of such a name, which is not longer, in `to`: "camlStdlib__$40_197" is
 * Stdlib.@_197. The number at the end distinguishes functions with the same name. Returns its
 * length. Returns 0 if it is a name of another language: it has no path, or characters that symbols
 * of OCaml lack. */
static size_t demangle_ocaml(brz_str name, char *to)
{
    if (!is_path(name))
        return 0;
    size_t n = 0;
    take(&name, BRZ_STR("caml"));
    while (name.len > 0) {
        char c = '.';
        if (!take(&name, BRZ_STR("__")))
            c = take_character(&name);
        if (c == 0) {
            c = name.data[0];
            name = brz_str_of(name.data + 1, name.len - 1);
        }
        to[n++] = c;
    }
    return n;
}

/* ---- finding the mangled part --------------------------------------------------------------- */

static const char *start_of(brz_str name)
{
    const char *tick = name.len == 0 ? NULL : memchr(name.data, '`', name.len);
    return tick == NULL ? name.data : tick + 1;
}

/* Returns whether a name may be one that is demangled here, without libiberty. */
static bool may_be_ours(brz_str name)
{
    switch (name.len > 0 ? name.data[0] : '\0') {
    case 'c':
        return may_be_ocaml(name) || brz_z_may_be_encoded(name);
    case '_':
        return brz_d_may_be_mangled(name) || brz_ada_may_be_encoded(name);
    case 'a':
    case 'g':
    case 'i':
    case 's':
        return brz_ada_may_be_encoded(name) || brz_z_may_be_encoded(name);
    default:
        return brz_z_may_be_encoded(name);
    }
}

/* Removes "@plt", or an annotation such as _[k]. */
static const char *before_annotation(const char *start, const char *end)
{
    if (end - start > 4 && end[-1] == 't' && memcmp(end - 4, "@plt", 4) == 0)
        return end - 4;
    return end - start > 4 && end[-1] == ']' && end[-3] == '[' && end[-4] == '_' ? end - 4 : end;
}

bool brz_may_be_mangled(brz_str name)
{
    const char *s = start_of(name), *end = name.data + name.len;
    if (may_be_ours(brz_str_of(s, (size_t)(before_annotation(s, end) - s))))
        return true;
    while (s < end && *s == '_' && end - s > 1 && s[1] == '_')
        s++;
    return end - s > 3 && s[0] == '_' && (s[1] == 'Z' || s[1] == 'R');
}

static const char *end_of(const char *start, brz_str name)
{
    const char *end = name.data + name.len, *at = memchr(start, '@', (size_t)(end - start));
    return at != NULL ? at : before_annotation(start, end);
}

/* ---- C++ and Rust --------------------------------------------------------------------------- */

#if BRZ_HAVE_LIBIBERTY

typedef struct collector {
    char *to;
    size_t n;
    jmp_buf too_long;
} collector;

static void take_piece(const char *piece, size_t n, void *arg)
{
    collector *c = arg;
    if (n == 0)
        return; /* `piece` may be NULL */
    if (c->n + n > BRZ_DEMANGLED_MAX)
        longjmp(c->too_long, 1);
    memcpy(c->to + c->n, piece, n);
    c->n += n;
}

static int run_demangler(const char *mangled, int options, collector *c)
{
    if (setjmp(c->too_long) != 0)
        return 0;
    if (rust_demangle_callback(mangled, options, take_piece, c))
        return 1;
    c->n = 0;
    return cplus_demangle_v3_callback(mangled, options, take_piece, c);
}

/* Demangles a name. Skips the additional "_" of names in Mach-O files. */
static size_t demangle(const char *mangled, bool full, char *to)
{
    collector c = {.to = to};
    int options = full ? DMGL_PARAMS | DMGL_ANSI | DMGL_VERBOSE : 0;
    while (mangled[0] == '_' && mangled[1] == '_')
        mangled++;
    return run_demangler(mangled, options, &c) ? c.n : 0;
}

#else

static size_t demangle(const char *mangled, bool full, char *to)
{
    (void)mangled;
    (void)full;
    (void)to;
    return 0;
}

#endif

/* ---- names ----------------------------------------------------------------------------------- */

static size_t demangle_ours(brz_str name, bool full, char *to)
{
    if (may_be_ocaml(name))
        return demangle_ocaml(name, to);
    if (brz_d_may_be_mangled(name))
        return brz_d_demangled(name, to);
    return brz_ada_may_be_encoded(name) ? brz_ada_decoded(name, full, to)
                                        : brz_z_decoded(name, full, to);
}

/* Demangles a name without the text around it. */
static size_t demangle_part(brz_str name, bool full, char *to)
{
    char mangled[LONGEST_MANGLED + 1];
    if (may_be_ours(name))
        return demangle_ours(name, full, to);
    memcpy(mangled, name.data, name.len);
    mangled[name.len] = '\0';
    return demangle(mangled, full, to);
}

size_t brz_demangled(brz_str name, bool full, char *to)
{
    if (!brz_may_be_mangled(name))
        return 0;
    const char *start = start_of(name), *end = end_of(start, name);
    size_t front = (size_t)(start - name.data), back = (size_t)(name.data + name.len - end);
    if (end - start > LONGEST_MANGLED)
        return 0;
    size_t n = demangle_part(brz_str_of(start, (size_t)(end - start)), full, to + front);
    if (n == 0)
        return 0;
    memcpy(to, name.data, front);
    memcpy(to + front + n, end, back);
    return front + n + back;
}

/* Demangles symbol names of OCaml: "__" is a dot, and "$" with two digits a character of an
 * operator, or a prime. */
#include "profile/demangle_ocaml.h"

#include <brazier/symbol.h>

#include <string.h>

#include "base/text.h"

bool brz_may_be_ocaml(brz_str name)
{
    return brz_str_take(&name, "caml") && name.len > 0 && name.data[0] >= 'A' &&
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

static int value_of(char digit)
{
    return digit <= '9' ? digit - '0' : (digit | ' ') - 'a' + 10;
}

/* Takes the code of a character that symbols cannot have. Returns 0 if there is none. */
static char take_character(brz_str *rest)
{
    static const char characters[] = "!#$%&'*+-./:<=>?@^|~";
    if (rest->len < 3 || rest->data[0] != '$' || !brz_is_hex(rest->data[1]) ||
        !brz_is_hex(rest->data[2]))
        return 0;
    char c = (char)(16 * value_of(rest->data[1]) + value_of(rest->data[2]));
    if (c == 0 || strchr(characters, c) == NULL)
        return 0;
    *rest = brz_str_of(rest->data + 3, rest->len - 3);
    return c;
}

bool brz_ocaml_demangle(brz_str name, brz_buf *out)
{
    if (!is_path(name))
        return false;
    brz_str_take(&name, "caml");
    while (name.len > 0) {
        char c = '.';
        if (!brz_str_take(&name, "__"))
            c = take_character(&name);
        if (c == 0) {
            c = name.data[0];
            name = brz_str_of(name.data + 1, name.len - 1);
        }
        brz_buf_add_char(out, c);
    }
    return true;
}

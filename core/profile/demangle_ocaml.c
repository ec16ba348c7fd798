/* Demangles symbol names of OCaml: "__" is a dot, and "$" with two digits a character of an
 * operator, or a prime. */
#include "profile/demangle_ocaml.h"

#include <brazier/color.h>

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

/* SPDX-License-Identifier: MIT */
/** @file
 * Helpers with which several collapsers make symbol names readable.
 */
#ifndef BRAZIER_SYMBOL_H
#define BRAZIER_SYMBOL_H

#include <brazier/base.h>

#include <string.h>

/** Returns whether `c` is a hexadecimal digit. */
static inline bool brz_is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/** Returns whether all of the `n` bytes at `p` are hexadecimal digits. */
static inline bool brz_all_hex(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!brz_is_hex(p[i]))
            return false;
    return true;
}

/** Returns whether a text begins with `prefix`. */
static inline bool brz_starts_with(brz_str s, brz_str prefix)
{
    return s.len >= prefix.len && memcmp(s.data, prefix.data, prefix.len) == 0;
}

/** Returns whether a text ends with `suffix`. */
static inline bool brz_ends_with(brz_str s, brz_str suffix)
{
    return s.len >= suffix.len && memcmp(s.data + s.len - suffix.len, suffix.data, suffix.len) == 0;
}

/** Returns whether two texts are equal. */
static inline bool brz_str_equal(brz_str a, brz_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

/** Returns whether a text equals a terminated one. */
static inline bool brz_str_is(brz_str s, const char *word)
{
    return brz_str_equal(s, brz_str_of_text(word));
}

/** Returns the index of a text among `n` terminated ones, or `n`. */
static inline size_t brz_str_index(brz_str s, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (brz_str_is(s, words[i]))
            return i;
    return n;
}

/** Returns whether a text is among the terminated ones of an array. */
#define BRZ_IS_AMONG(text, words)                                                                  \
    (brz_str_index(text, words, BRZ_COUNT_OF(words)) < BRZ_COUNT_OF(words))

/** Removes `word` from the beginning of a text. Returns false if the text does not begin with it.
 */
static inline bool brz_str_take(brz_str *s, const char *word)
{
    size_t n = strlen(word);
    if (s->len < n || memcmp(s->data, word, n) != 0)
        return false;
    *s = brz_str_from(*s, n);
    return true;
}

/** Returns the offset of the first occurrence of `needle`, which must not be empty, at or after
 * `from`, or SIZE_MAX if there is none. */
static inline size_t brz_str_find(brz_str s, brz_str needle, size_t from)
{
    for (size_t i = from; i + needle.len <= s.len; i++) {
        const void *p = memchr(s.data + i, needle.data[0], s.len - needle.len - i + 1);
        if (p == NULL)
            return SIZE_MAX;
        i = (size_t)((const char *)p - s.data);
        if (memcmp(s.data + i, needle.data, needle.len) == 0)
            return i;
    }
    return SIZE_MAX;
}

/** Returns whether a text contains another, which must not be empty. */
static inline bool brz_str_has(brz_str s, brz_str part)
{
    return brz_str_find(s, part, 0) != SIZE_MAX;
}

/** Compares two texts byte by byte; a text comes after its own beginnings. Returns a number below,
 * equal to or above 0. */
static inline int brz_str_compare(brz_str a, brz_str b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int d = n == 0 ? 0 : memcmp(a.data, b.data, n);
    return d != 0 ? d : (a.len > b.len) - (a.len < b.len);
}

/** Returns whether a symbol ends in the "h" and 16 hexadecimal digits of rustc's legacy mangling.
 */
static inline bool brz_has_rust_hash(brz_str s)
{
    return s.len >= 17 && s.data[s.len - 17] == 'h' && brz_all_hex(s.data + s.len - 16, 16);
}

/** Decodes the escape sequence at the beginning of `s`, such as "$LT$", into *means. Returns its
 * length, or 0 if there is none. */
static inline size_t brz_rust_escape(brz_str s, char *means)
{
    static const struct {
        char text[7], means;
    } escapes[] = {
        {"$SP$", '@'},   {"$BP$", '*'},  {"$RF$", '&'},  {"$LT$", '<'},  {"$GT$", '>'},
        {"$LP$", '('},   {"$RP$", ')'},  {"$C$", ','},   {"$u7e$", '~'}, {"$u20$", ' '},
        {"$u27$", '\''}, {"$u3d$", '='}, {"$u5b$", '['}, {"$u5d$", ']'}, {"$u7b$", '{'},
        {"$u7d$", '}'},  {"$u3b$", ';'}, {"$u2b$", '+'}, {"$u21$", '!'}, {"$u22$", '"'},
    };
    for (size_t i = 0; i < BRZ_COUNT_OF(escapes); i++) {
        size_t n = strlen(escapes[i].text);
        if (s.len >= n && memcmp(s.data, escapes[i].text, n) == 0) {
            *means = escapes[i].means;
            return n;
        }
    }
    return 0;
}

/** Reverses the part of rustc's legacy mangling that remains in a symbol: removes the hash and
 * decodes ".." and sequences such as "$LT$". Writes at most s.len bytes to `out`, which may be
 * s.data, and returns their number. Copies a symbol without a hash. */
static inline size_t brz_rust_repair(brz_str s, char *out)
{
    if (!brz_has_rust_hash(s)) {
        if (s.len > 0)
            memmove(out, s.data, s.len);
        return s.len;
    }
    s.len -= 17;
    if (brz_ends_with(s, BRZ_STR("::")))
        s.len -= 2;
    size_t at = brz_starts_with(s, BRZ_STR("_$")) ? 1 : 0, n = 0;
    while (at < s.len) {
        char c = s.data[at];
        if (c == '.' && at + 1 < s.len && s.data[at + 1] == '.') {
            out[n++] = ':';
            out[n++] = ':';
            at += 2;
        } else if (c == '$') {
            size_t len = brz_rust_escape(brz_str_of(s.data + at, s.len - at), &c);
            if (len == 0)
                break;
            out[n++] = c;
            at += len;
        } else {
            out[n++] = c;
            at++;
        }
    }
    memmove(out + n, s.data + at, s.len - at);
    return n + s.len - at;
}

/* ---- inlined calls --------------------------------------------------------------------------- */

/** Returns the change of bracket depth that a character causes: 1, -1 or 0. */
static inline int brz_bracket(char c)
{
    if (c == '<' || c == '{' || c == '[' || c == '(')
        return 1;
    return c == '>' || c == '}' || c == ']' || c == ')' ? -1 : 0;
}

/** Returns whether there is a "->" at `at`. */
static inline bool brz_is_arrow(brz_str s, size_t at)
{
    return at + 1 < s.len && s.data[at] == '-' && s.data[at + 1] == '>';
}

/** Returns whether the arrow at `at` separates a caller from a function inlined into it. */
static inline bool brz_arrow_divides(brz_str s, size_t at)
{
    brz_str before = brz_str_of(s.data, at);
    if (brz_ends_with(before, BRZ_STR("operator")))
        return false;
    bool blank_after = at + 2 < s.len && s.data[at + 2] == ' ';
    return !brz_ends_with(before, BRZ_STR(" ")) && !blank_after;
}

/** Returns the number of opening brackets minus the number of closing ones, ignoring those in
 * arrows. */
static inline long brz_bracket_balance(brz_str s)
{
    long depth = 0;
    for (size_t i = 0; i < s.len; i++)
        if (brz_is_arrow(s, i))
            i++;
        else
            depth += brz_bracket(s.data[i]);
    return depth;
}

/** Returns the offset of the first arrow that separates "caller->inlined", as Java's agents print
 * it, or s.len. Ignores C++'s operator-> and Rust's "-> T". Ignores arrows within brackets if
 * `balance`, the result of brz_bracket_balance(), is 0. */
static inline size_t brz_find_arrow_in(brz_str s, long balance)
{
    long depth = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (!brz_is_arrow(s, i)) {
            depth += brz_bracket(s.data[i]);
            continue;
        }
        if (brz_arrow_divides(s, i) && (balance != 0 || depth == 0))
            return i;
        i++;
    }
    return s.len;
}

/** Takes the first function off `rest`, a name such as "a->b->c". Returns true if a function that
 * was inlined into it follows. `balance` is the bracket balance of `rest`; the caller initialises
 * it, and this function updates it, so that a name is scanned only twice however many functions it
 * has. */
static inline bool brz_take_inlined(brz_str *rest, long *balance, brz_str *function)
{
    size_t at = brz_find_arrow_in(*rest, *balance);
    bool more = at < rest->len;
    *function = brz_str_of(rest->data, at);
    *balance -= more ? brz_bracket_balance(*function) : 0;
    *rest = brz_str_of(rest->data + at + (more ? 2 : 0), rest->len - at - (more ? 2 : 0));
    return more;
}

#endif

/* Compares texts, and takes words from their beginning. */
#ifndef BRZ_CORE_TEXT_H
#define BRZ_CORE_TEXT_H

#include <brazier/symbol.h>

#include <string.h>

/* Returns whether a text equals a C string. */
static inline bool brz_str_is(brz_str s, const char *word)
{
    return brz_str_equal(s, brz_str_of(word, strlen(word)));
}

/* Removes `word` from the beginning of `s`. Returns false if `s` does not begin with it. */
static inline bool brz_str_take(brz_str *s, const char *word)
{
    size_t n = strlen(word);
    if (s->len < n || memcmp(s->data, word, n) != 0)
        return false;
    *s = brz_str_of(s->data + n, s->len - n);
    return true;
}

#endif

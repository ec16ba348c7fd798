/* SPDX-License-Identifier: MIT */
/* Writes code spans.
 *
 * A code span ends at the next run of as many backticks as it begins with, so it begins with one
 * more than the text has in a row. Readers divide the row of a table into cells before they look
 * for code spans; they take "|" for a part of the cell if exactly one backslash, or any odd number
 * of them, is in front.
 */
#include "code_span.h"

#include "../common/screen_text.h"

#define ELLIPSIS  "\342\200\246"
#define HASH_WORD 7 /* shortest word of hexadecimal digits that may be the hash of a commit */

/* Returns the text, or as much of its beginning as is written, without half a character. */
static brz_str beginning_of(brz_str text)
{
    size_t n = CODE_SPAN_MOST;
    if (text.len <= n)
        return text;
    while (n > 0 && ((unsigned char)text.data[n] & 0xc0) == 0x80)
        n--;
    return brz_str_of(text.data, n);
}

static size_t longest_run(brz_str text, char c)
{
    size_t longest = 0, run = 0;
    for (size_t i = 0; i < text.len; i++) {
        run = text.data[i] == c ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static void put_fence(brz_writer *w, size_t n)
{
    while (n-- > 0)
        brz_put_char(w, '`');
}

/* Writes text with an odd number of backslashes in front of each "|". */
static void put_cell_text(brz_writer *w, brz_str text)
{
    size_t done = 0, backslashes = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] == '|') {
            put_screen_text(w, brz_str_of(text.data + done, i - done), UINT32_MAX);
            brz_put_text(w, backslashes % 2 == 0 ? "\\" : "\\\\");
            done = i;
        }
        backslashes = text.data[i] == '\\' ? backslashes + 1 : 0;
    }
    put_screen_text(w, brz_str_of(text.data + done, text.len - done), UINT32_MAX);
}

/* Returns whether a reader would drop blanks around the text, which it does not where there is
 * nothing else, or take a backtick for one of the fence. */
static bool needs_blanks(brz_str text)
{
    char first = text.data[0], last = text.data[text.len - 1];
    bool is_blank = true;
    for (size_t i = 0; i < text.len && is_blank; i++)
        is_blank = text.data[i] == ' ';
    return !is_blank && (first == '`' || last == '`' || (first == ' ' && last == ' '));
}

void put_code_span(brz_writer *w, brz_str text, code_place place)
{
    brz_str shown = text.len == 0 ? BRZ_STR(" ") : beginning_of(text);
    size_t fence = longest_run(shown, '`') + 1;
    bool has_blanks = needs_blanks(shown);
    put_fence(w, fence);
    brz_put(w, " ", has_blanks);
    if (place == CODE_IN_CELL)
        put_cell_text(w, shown);
    else
        put_screen_text(w, shown, UINT32_MAX);
    if (shown.len < text.len)
        BRZ_PUT(w, ELLIPSIS);
    brz_put(w, " ", has_blanks);
    put_fence(w, fence);
}

/* ---- words --------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_hexadecimal(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f');
}

/* Returns whether a character is a mark that has no meaning beside others. */
static bool is_mark(char c)
{
    return c == ' ' || c == ',' || c == ';' || c == '(' || c == ')' || c == '%' || c == '\'' ||
           c == ':';
}

static bool are_words(brz_str text)
{
    size_t hexadecimal = 0;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.data[i];
        if (!is_letter(c) && !is_digit(c) && !is_mark(c))
            return false;
        hexadecimal = is_hexadecimal(c) ? hexadecimal + 1 : 0;
        if (hexadecimal >= HASH_WORD)
            return false;
    }
    return text.len > 0 && text.len <= CODE_SPAN_MOST;
}

void put_words(brz_writer *w, brz_str text)
{
    if (are_words(text))
        brz_put_str(w, text);
    else
        put_code_span(w, text, CODE_IN_TEXT);
}

/* SPDX-License-Identifier: MIT */
/* Names the files of a run that writes a file for each value of a tag's part. */
#include "draw/split_files.h"

#include <brazier/symbol.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

/* ---- the part in a name -------------------------------------------------------------------- */

/* Returns the offset of the first "{part}" at or after `from`, or SIZE_MAX. */
static size_t find_part(brz_str name, brz_str part, size_t from)
{
    for (size_t i = from; i + part.len + 2 <= name.len; i++)
        if (name.data[i] == '{' && name.data[i + 1 + part.len] == '}' &&
            memcmp(name.data + i + 1, part.data, part.len) == 0)
            return i;
    return SIZE_MAX;
}

bool brz_split_files_check(const char *name, brz_str part, brz_buf *error)
{
    brz_str base = brz_str_of_text(basename(name));
    size_t at = find_part(base, part, 0), folders = (size_t)(base.data - name);
    bool in_folder = find_part(brz_str_of(name, folders), part, 0) != SIZE_MAX;
    bool has_ending = at != SIZE_MAX && strrchr(base.data + at + part.len + 2, '.') != NULL;
    int n = (int)part.len;
    if (has_ending && !in_folder)
        return true;
    brz_buf_printf(error, "'split-by' writes a file for each %.*s: ", n, part.data);
    if (strcmp(name, "-") == 0)
        brz_buf_printf(error, "name it, such as -o 'flame-{%.*s}.svg'", n, part.data);
    else if (at == SIZE_MAX)
        brz_buf_printf(error, "'%s' needs {%.*s} in the name of the file", name, n, part.data);
    else if (in_folder)
        brz_buf_printf(error, "'%s' may have {%.*s} only in the name of the file, not of a folder",
                       name, n, part.data);
    else
        brz_buf_printf(error, "'%s' needs an ending, such as .svg, after {%.*s}", name, n,
                       part.data);
    return false;
}

char *brz_split_files_fill(const char *name, brz_str part, const char *word)
{
    brz_buf b = {0};
    brz_str rest = brz_str_of_text(name);
    for (;;) {
        size_t at = find_part(rest, part, 0);
        brz_buf_add_str(&b, brz_str_of(rest.data, at == SIZE_MAX ? rest.len : at));
        if (at == SIZE_MAX)
            break;
        brz_buf_add_text(&b, word);
        size_t end = at + part.len + 2;
        rest = brz_str_of(rest.data + end, rest.len - end);
    }
    char *filled = brz_memdup(brz_buf_text(&b), b.len);
    brz_buf_finish(&b);
    return filled;
}

/* ---- words --------------------------------------------------------------------------------- */

/* A longer name is cut, so that the name of the file stays within 255 bytes. */
#define LONGEST_WORD 120

/* Returns the character at the beginning of a valid text. */
static uint32_t code_point(const char *p, size_t len)
{
    static const unsigned char masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t code = (unsigned char)p[0] & masks[len];
    for (size_t i = 1; i < len; i++)
        code = code << 6 | ((unsigned char)p[i] & 0x3f);
    return code;
}

/* Returns whether a character beyond ASCII is visible, and does not change the order in which
 * others are shown. */
static bool is_plain(uint32_t code)
{
    static const struct {
        uint32_t from, to;
    } others[] = {{0x80, 0xa0},     {0xad, 0xad},     {0x61c, 0x61c},     {0x115f, 0x1160},
                  {0x17b4, 0x17b5}, {0x180b, 0x180f}, {0x2000, 0x206f},   {0x3000, 0x3000},
                  {0x3164, 0x3164}, {0xe000, 0xf8ff}, {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},
                  {0xffa0, 0xffa0}, {0xfff0, 0xffff}, {0xe0000, 0x10ffff}};
    for (size_t i = 0; i < BRZ_COUNT_OF(others); i++)
        if (code >= others[i].from && code <= others[i].to)
            return false;
    return true;
}

static bool is_safe(const char *p, size_t len)
{
    char c = p[0];
    if (len > 1)
        return is_plain(code_point(p, len));
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (c != '\0' && strchr("._-+=,@", c) != NULL);
}

/* Appends a value with "-" for spaces and "_" for other characters that names of files should not
 * have. */
static void add_clean(brz_buf *b, brz_str value)
{
    size_t start = b->len;
    for (size_t i = 0; i < value.len;) {
        size_t len = brz_utf8_length(value.data + i, value.len - i);
        size_t step = len > 0 ? len : 1;
        if (b->len - start + step > LONGEST_WORD)
            break;
        if (len > 0 && is_safe(value.data + i, len))
            brz_buf_add_str(b, brz_str_of(value.data + i, len));
        else
            brz_buf_add_char(b, value.data[i] == ' ' ? '-' : '_');
        i += step;
    }
    if (b->len == start)
        brz_buf_add_text(b, "empty");
    if (b->data[start] == '.' || b->data[start] == '-')
        b->data[start] = '_';
}

/* Returns the number of words that stand for the same text as `word`: itself, or "word~2". */
static size_t count_equal(char *const *words, size_t n, brz_str word)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += strncmp(words[i], word.data, word.len) == 0 &&
                 (words[i][word.len] == '\0' || words[i][word.len] == '~');
    return count;
}

/* Returns a word for a value that differs from those before it: "main", "main~2", "main~3". A clean
 * value has no tilde. */
static char *make_word(char *const *words, size_t n, brz_str value)
{
    brz_buf b = {0};
    add_clean(&b, value);
    size_t equal = count_equal(words, n, brz_buf_str(&b));
    if (equal > 0)
        brz_buf_printf(&b, "~%zu", equal + 1);
    char *word = brz_memdup(b.data, b.len);
    brz_buf_finish(&b);
    return word;
}

/* ---- names of files ----------------------------------------------------------------------- */

void brz_split_names_init(brz_split_names *s, const brz_output_use *outputs, size_t n_outputs,
                          brz_str part, const brz_str *values, size_t n_values)
{
    *s = (brz_split_names){.n_words = n_values, .n_names = n_outputs * n_values};
    s->words = brz_calloc(s->n_words, sizeof *s->words);
    s->names = brz_calloc(s->n_names, sizeof *s->names);
    for (size_t k = 0; k < n_values; k++)
        s->words[k] = make_word(s->words, k, values[k]);
    for (size_t i = 0; i < s->n_names; i++)
        s->names[i] = brz_split_files_fill(outputs[i / n_values].to, part, s->words[i % n_values]);
}

void brz_split_names_finish(brz_split_names *s)
{
    for (size_t i = 0; i < s->n_words; i++)
        free(s->words[i]);
    for (size_t i = 0; i < s->n_names; i++)
        free(s->names[i]);
    free(s->words);
    free(s->names);
}

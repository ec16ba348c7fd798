/* SPDX-License-Identifier: MIT */
/* Reads samples of a collapser's format from a folder. */
#include "samples.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/feed.h"
#include "base/mem.h"

/* Maximum size of a sample: thousands of variants of it are tested. */
#define MOST_SAMPLE ((size_t)4 << 20)

/* File names in a folder, sorted. */
typedef struct listing {
    char **names;
    size_t n, cap;
} listing;

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list_folder(const char *folder, listing *l)
{
    DIR *dir = opendir(folder);
    struct dirent *e;
    while (dir != NULL && (e = readdir(dir)) != NULL) {
        if (e->d_name[0] == '.')
            continue;
        l->names = brz_grow(l->names, l->n, &l->cap, sizeof *l->names);
        l->names[l->n++] = brz_memdup(e->d_name, strlen(e->d_name));
    }
    if (dir != NULL)
        closedir(dir);
    if (l->n > 0)
        qsort(l->names, l->n, sizeof *l->names, by_name);
}

static void finish_listing(listing *l)
{
    for (size_t i = 0; i < l->n; i++)
        free(l->names[i]);
    free(l->names);
}

static bool ends_with(const char *name, const char *ending)
{
    size_t n = strlen(name), k = strlen(ending);
    return n > k && strcmp(name + n - k, ending) == 0;
}

static char *join(const char *folder, const char *name)
{
    brz_buf b = {0};
    brz_buf_printf(&b, "%s/%s", folder, name);
    return b.data;
}

/* ---- names --------------------------------------------------------------------------------- */

/* Returns the length of NAME in "NAME.EXT" or "NAME.EXT.gz"; 0 for files that cannot be samples. */
static size_t stem_length(const char *name)
{
    static const char *const others[] = {".folded", ".sum", ".args", ".stderr",
                                         ".odd",    ".md",  NULL};
    for (size_t i = 0; others[i] != NULL; i++)
        if (ends_with(name, others[i]))
            return 0;
    size_t len = strlen(name);
    if (ends_with(name, ".gz") || ends_with(name, ".zst"))
        len = (size_t)(strrchr(name, '.') - name);
    const char *dot = memrchr(name, '.', len);
    return dot == NULL ? 0 : (size_t)(dot - name);
}

/* Returns the variant V in "NAME.V.folded" and its length in *len, or NULL if the name does not
 * belong to the stem. */
static const char *variant_of(const char *name, const char *stem, size_t stem_len, size_t *len)
{
    if (strncmp(name, stem, stem_len) != 0 || name[stem_len] != '.' || !ends_with(name, ".folded"))
        return NULL;
    const char *from = name + stem_len, *to = name + strlen(name) - strlen(".folded");
    if (from == to) {
        *len = 0;
        return from;
    }
    *len = (size_t)(to - from) - 1;
    return memchr(from + 1, '.', *len) == NULL ? from + 1 : NULL;
}

static bool is_there(const listing *l, const char *stem, size_t stem_len, const char *ending)
{
    for (size_t i = 0; i < l->n; i++)
        if (strncmp(l->names[i], stem, stem_len) == 0 &&
            strcmp(l->names[i] + stem_len, ending) == 0)
            return true;
    return false;
}

/* ---- options ------------------------------------------------------------------------------- */

/* Removes a word from the front of a text, following the shell's quoting rules. Returns false at
 * the end. */
static bool take_word(const char **text, brz_buf *word)
{
    char quote = '\0';
    *text += strspn(*text, " \t\r\n");
    if (**text == '\0')
        return false;
    for (; **text != '\0' && (quote != '\0' || strchr(" \t\r\n", **text) == NULL); ++*text) {
        char c = **text;
        if (quote == '\0' && (c == '\'' || c == '"'))
            quote = c;
        else if (c == quote)
            quote = '\0';
        else if (c == '\\' && quote != '\'' && (*text)[1] != '\0')
            brz_buf_add_char(word, *++*text);
        else
            brz_buf_add_char(word, c);
    }
    return true;
}

/* Returns a word with "FOLDER/" replaced by the samples' folder. */
static char *place_word(const brz_buf *word, const char *folder)
{
    const char *text = brz_buf_text(word), *mark = strstr(text, "FOLDER/");
    brz_buf b = {0};
    if (mark == NULL)
        return brz_memdup(text, strlen(text));
    brz_buf_printf(&b, "%.*s%s%s", (int)(mark - text), text, folder, mark + strlen("FOLDER"));
    return b.data;
}

static void read_words(check_golden *g, const char *folder, const char *name, size_t stem_len,
                       const char *variant, size_t len)
{
    brz_buf path = {0}, text = {0}, word = {0};
    size_t cap = 0;
    brz_buf_printf(&path, "%s/%.*s.%.*s.args", folder, (int)stem_len, name, (int)len, variant);
    brz_buf_read_file(&text, brz_buf_text(&path));
    brz_buf_add_char(&text, '\0');
    for (const char *at = text.data; take_word(&at, &word); brz_buf_clear(&word)) {
        g->words = brz_grow(g->words, g->n_words, &cap, sizeof *g->words);
        g->words[g->n_words++] = place_word(&word, folder);
    }
    brz_buf_finish(&path);
    brz_buf_finish(&text);
    brz_buf_finish(&word);
}

/* ---- reading ------------------------------------------------------------------------------- */

static void find_goldens(check_sample *s, const listing *l, const char *folder, size_t stem_len)
{
    size_t cap = 0, len;
    for (size_t i = 0; i < l->n; i++) {
        const char *variant = variant_of(l->names[i], s->name, stem_len, &len);
        if (variant == NULL)
            continue;
        s->goldens = brz_grow(s->goldens, s->n_goldens, &cap, sizeof *s->goldens);
        check_golden *g = &s->goldens[s->n_goldens++];
        *g = (check_golden){.path = join(folder, l->names[i])};
        if (len > 0)
            read_words(g, folder, s->name, stem_len, variant, len);
    }
}

/* Reads and decodes the file. Returns false if that fails or if the file is too large. */
static bool read_data(check_sample *s, brz_decoding decoding)
{
    brz_buf error = {0};
    brz_feed feed;
    brz_source *source = brz_source_open(s->path, decoding, &error);
    brz_buf_finish(&error);
    if (source == NULL)
        return false;
    brz_feed_init(&feed, source);
    brz_feed_fill(&feed, MOST_SAMPLE + 1);
    s->len = brz_feed_len(&feed);
    bool good = s->len <= MOST_SAMPLE && source->stream->state != BRZ_STREAM_FAILED;
    if (good)
        s->data = (uint8_t *)brz_memdup((const char *)brz_feed_data(&feed), s->len);
    brz_feed_finish(&feed);
    brz_source_close(source);
    return good;
}

static void free_sample(check_sample *s)
{
    for (size_t i = 0; i < s->n_goldens; i++) {
        for (size_t k = 0; k < s->goldens[i].n_words; k++)
            free(s->goldens[i].words[k]);
        free(s->goldens[i].words);
        free(s->goldens[i].path);
    }
    free(s->goldens);
    free(s->path);
    free(s->name);
    free(s->data);
}

static bool is_sample(const check_sample *s)
{
    return s->n_goldens > 0 || ends_with(s->name, ".in") || ends_with(s->name, ".txt");
}

void check_samples_read(const char *folder, brz_decoding decoding, check_sample **samples,
                        size_t *n)
{
    listing l = {0};
    size_t cap = 0;
    list_folder(folder, &l);
    for (size_t i = 0; i < l.n; i++) {
        const char *name = l.names[i];
        size_t stem = stem_length(name);
        check_sample s = {0};
        if (stem == 0)
            continue;
        s.path = join(folder, name);
        s.name = brz_memdup(name, strlen(name));
        s.odd = is_there(&l, name, stem, ".stderr") || is_there(&l, name, stem, ".odd");
        find_goldens(&s, &l, folder, stem);
        if (!is_sample(&s) || !read_data(&s, decoding)) {
            free_sample(&s);
            continue;
        }
        *samples = brz_grow(*samples, *n, &cap, sizeof **samples);
        (*samples)[(*n)++] = s;
    }
    finish_listing(&l);
}

void check_samples_free(check_sample *samples, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free_sample(&samples[i]);
    free(samples);
}

/* SPDX-License-Identifier: MIT */
/* Labels the samples of each input with its name. */
#include "profile/input_labels.h"

#include <brazier/symbol.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/template.h"
#include "input/source.h"
#include "profile/profile.h"

/* ---- labelling a profile --------------------------------------------------------------------- */

/* Returns the tag with the label in addition to its own ones, or the same tag if it has one with
 * this key. */
static brz_tag labelled(brz_profile *p, brz_tag tag, const brz_tag_label *label)
{
    brz_tag_entry e = p->tags.items[tag];
    size_t n = (size_t)e.n_labels;
    brz_tag_label *labels = brz_calloc(n + 1, sizeof *labels);
    if (n > 0)
        memcpy(labels, p->tags.labels + e.first_label, n * sizeof *labels);
    bool has_key = false;
    for (size_t i = 0; i < n; i++)
        has_key |= labels[i].key == label->key;
    labels[n] = *label;
    if (!has_key)
        tag = brz_tags_intern(&p->tags, &p->strings, &e, labels, n + 1);
    free(labels);
    return tag;
}

/* Adds a label to the tag of each sample that has none with this key. The profile keeps samples. */
static void label_profile(brz_profile *p, brz_str key, brz_str text)
{
    const brz_tag_label label = {.key = brz_strings_intern(&p->strings, key),
                                 .text = brz_strings_intern(&p->strings, text)};
    if (p->tags.n == 0) /* the tag that says nothing */
        brz_tags_intern(&p->tags, &p->strings, &(brz_tag_entry){0}, NULL, 0);
    size_t n = p->tags.n;
    brz_tag *moved = brz_calloc(n, sizeof *moved);
    for (size_t i = 0; i < n; i++)
        moved[i] = labelled(p, (brz_tag)i, &label);
    for (size_t i = 0; i < p->samples.n; i++)
        p->samples.items[i].tag = BRZ_SAMPLE_TAG(moved[p->samples.items[i].tag]);
    brz_samples_rehash(&p->samples);
    free(moved);
}

/* ---- labels of inputs ------------------------------------------------------------------------ */

/* A label as the user wrote it. */
typedef struct label {
    brz_str key, text;
} label;

/* Takes the first line off labels. Sets no text if the line has no '='. Returns false if there is
 * no line. */
static bool take_label(brz_str *labels, label *l)
{
    if (labels->data == NULL)
        return false;
    const char *end = labels->len == 0 ? NULL : memchr(labels->data, '\n', labels->len);
    size_t n = end == NULL ? labels->len : (size_t)(end - labels->data);
    const char *equals = n == 0 ? NULL : memchr(labels->data, '=', n);
    size_t key = equals == NULL ? n : (size_t)(equals - labels->data);
    l->key = brz_str_of(labels->data, key);
    l->text = equals == NULL ? brz_str_of(NULL, 0) : brz_str_of(equals + 1, n - key - 1);
    *labels = end == NULL ? brz_str_of(NULL, 0) : brz_str_of(end + 1, labels->len - n - 1);
    return true;
}

/* Returns whether all words in braces are known. */
static bool check_words(brz_str text, brz_buf *error)
{
    while (text.len > 0) {
        const char *open = memchr(text.data, '{', text.len);
        size_t at = open == NULL ? text.len : (size_t)(open - text.data);
        text = brz_str_of(text.data + at, text.len - at);
        const char *close = text.len == 0 ? NULL : memchr(text.data, '}', text.len);
        if (close == NULL)
            break;
        brz_str word = brz_str_of(text.data + 1, (size_t)(close - text.data) - 1);
        if (!brz_str_is(word, "name") && !brz_str_is(word, "path")) {
            brz_buf_printf(error, "{%.*s} stands for nothing; {name} and {path} do", (int)word.len,
                           word.data);
            return false;
        }
        text = brz_str_of(close + 1, text.len - word.len - 2);
    }
    return true;
}

static bool check_label(const label *l, brz_buf *error)
{
    if (l->text.len == 0 || l->key.len == 0)
        brz_buf_add_text(error, "it takes KEY=TEXT, such as host={name}");
    else if (brz_str_is(l->key, "process") || brz_str_is(l->key, "thread") ||
             brz_str_is(l->key, "cpu"))
        brz_buf_printf(error, "'%.*s' is not the name of a label, but another part of a tag",
                       (int)l->key.len, l->key.data);
    else
        return check_words(l->text, error);
    return false;
}

bool brz_input_labels_check(brz_str labels, brz_buf *error)
{
    label l;
    while (take_label(&labels, &l))
        if (!check_label(&l, error))
            return false;
    return true;
}

/* Removes the last ending of a name, unless nothing is in front of it. */
static void drop_ending(brz_buf *name)
{
    char *dot = name->len == 0 ? NULL : memrchr(name->data, '.', name->len);
    if (dot == NULL || dot == name->data)
        return;
    name->len = (size_t)(dot - name->data);
    *dot = '\0';
}

/* Returns the name of an input without its folder and its endings. */
static brz_buf short_name(const char *path)
{
    brz_buf name = {0};
    brz_buf_add_text(&name, basename(path));
    size_t n;
    if (brz_packing_of_name(brz_buf_text(&name), &n) != BRZ_PACKED_NOT)
        drop_ending(&name);
    drop_ending(&name);
    return name;
}

void brz_input_labels_add(brz_str labels, const char *input, brz_profile *p)
{
    label l;
    if (p == NULL)
        return;
    const char *path = strcmp(input, "-") == 0 ? "stdin" : input;
    brz_buf name = short_name(path);
    const brz_template_word words[] = {
        {"{name}", brz_buf_text(&name)}, {"{path}", path}, {NULL, NULL}};
    while (take_label(&labels, &l)) {
        brz_buf text = {0};
        brz_template_fill(l.text, words, &text);
        label_profile(p, l.key, brz_buf_str(&text));
        brz_buf_finish(&text);
    }
    brz_buf_finish(&name);
}

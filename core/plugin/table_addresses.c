/* SPDX-License-Identifier: MIT */
/* Recognises a table of options that is not where its component says. */
#include "plugin/table_addresses.h"

#include <dlfcn.h>

/* Limit on words of an option; a longer list is not terminated. */
#define MANY_CHOICES 4096

/* Returns whether n bytes lie in one loaded object, without reading them. */
static bool is_loaded(const void *at, size_t n)
{
    Dl_info first, last;
    return dladdr(at, &first) != 0 && dladdr((const char *)at + n - 1, &last) != 0 &&
           first.dli_fbase == last.dli_fbase;
}

static bool is_text(const char *text)
{
    return text == NULL || is_loaded(text, 1);
}

static bool are_texts(const char *const *texts)
{
    for (size_t i = 0; texts != NULL && i < MANY_CHOICES; i++) {
        if (!is_loaded(&texts[i], sizeof texts[i]) || !is_text(texts[i]))
            return false;
        if (texts[i] == NULL)
            return true;
    }
    return texts == NULL;
}

static bool is_row(const brz_option *o)
{
    return is_loaded(o, sizeof *o) && is_text(o->name) && is_text(o->dflt) && is_text(o->help) &&
           is_text(o->range) && are_texts(o->choices);
}

bool brz_option_table_is_loaded(const brz_component *c)
{
    if (c->n_options == 0 || c->options == NULL || c->option_size < sizeof(brz_option))
        return true;
    for (uint32_t i = 0; i < c->n_options; i++)
        if (!is_row((const brz_option *)((const char *)c->options + (size_t)i * c->option_size)))
            return false;
    return true;
}

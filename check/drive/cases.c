/* SPDX-License-Identifier: MIT */
/* Builds the cases that a collapser is tested with. */
#include "cases.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Sets an option as the command line does: "--name", "--no-name", "--name=value", or with the value
 * in the next word. Returns the number of words used, or 0 if the component has no such option. */
static size_t take_option(brz_options *o, char **words, size_t n)
{
    brz_buf ignored = {0};
    const char *name = words[0], *equals = strchr(name, '=');
    if (strncmp(name, "--", 2) != 0)
        return 0;
    name += 2;
    size_t len = equals != NULL ? (size_t)(equals - name) : strlen(name), taken = 1;
    const char *value = equals != NULL ? equals + 1 : "true";
    const brz_option *option = brz_option_find(o->component, brz_str_of(name, len), NULL);
    if (option == NULL && strncmp(name, "no-", 3) == 0) {
        option = brz_option_find(o->component, brz_str_of(name + 3, len - 3), NULL);
        value = "false";
    } else if (option != NULL && option->type != BRZ_OPTION_BOOL && equals == NULL) {
        value = n > 1 ? words[1] : "";
        taken = 2;
    }
    bool good =
        option != NULL && brz_options_set(o, option, brz_str_of(value, strlen(value)),
                                          BRZ_LAYER_COMMAND_LINE, BRZ_STR("sample"), &ignored);
    brz_buf_finish(&ignored);
    return good ? taken : 0;
}

/* Returns the options of a golden case, or NULL if the component lacks one of them. */
static brz_options *options_of(const brz_component *component, const check_golden *g)
{
    brz_buf ignored = {0};
    brz_options *o = brz_options_create(component, &ignored);
    size_t i = 0, taken = 1;
    for (; o != NULL && i < g->n_words && taken > 0; i += taken)
        taken = take_option(o, g->words + i, g->n_words - i);
    bool good = o != NULL && taken > 0 && brz_options_check(o, &ignored);
    brz_buf_finish(&ignored);
    if (good)
        return o;
    brz_options_destroy(o);
    return NULL;
}

static void add_case(check_cases *k, const brz_loaded *l, const brz_options *o,
                     const check_sample *s, const check_golden *g)
{
    k->items = brz_grow(k->items, k->n, &k->cap, sizeof *k->items);
    check_case *x = &k->items[k->n++];
    *x = (check_case){.loaded = l,
                      .collapser = l->vtable,
                      .cfg = o->cfg,
                      .sample = s,
                      .data = s->data,
                      .len = s->len};
    brz_buf label = {0};
    brz_buf_printf(&label, "%s, %s", l->component->id, s->name);
    for (size_t i = 0; g != NULL && i < g->n_words; i++)
        brz_buf_printf(&label, " %s", g->words[i]);
    snprintf(x->label, sizeof x->label, "%s", brz_buf_text(&label));
    brz_buf_finish(&label);
}

static void add_variant(check_cases *k, const brz_loaded *l, const check_sample *s,
                        const check_golden *g)
{
    brz_options *o = options_of(l->component, g);
    if (o == NULL)
        return;
    k->options = brz_grow(k->options, k->n_options, &k->options_cap, sizeof *k->options);
    k->options[k->n_options++] = o;
    add_case(k, l, o, s, g);
}

static void add_sample(check_cases *k, const brz_loaded *l, const brz_options *defaults,
                       const check_sample *s)
{
    brz_buf ignored = {0};
    if (brz_options_check(defaults, &ignored))
        add_case(k, l, defaults, s, NULL);
    brz_buf_finish(&ignored);
    for (size_t i = 0; i < s->n_goldens; i++)
        if (s->goldens[i].n_words > 0)
            add_variant(k, l, s, &s->goldens[i]);
}

bool check_cases_init(check_cases *k, check *c)
{
    *k = (check_cases){0};
    for (size_t i = 0; i < c->subject->n; i++) {
        const check_component *component = &c->subject->components[i];
        for (size_t s = 0; s < component->n_samples; s++)
            add_sample(k, &c->file.components[i], c->options[i], &component->samples[s]);
    }
    if (k->n == 0)
        check_skip(c, "there are no samples");
    return k->n > 0;
}

void check_cases_finish(check_cases *k)
{
    for (size_t i = 0; i < k->n_options; i++)
        brz_options_destroy(k->options[i]);
    free(k->options);
    free(k->items);
}

bool check_case_bare(const check *c, size_t i, check_case *k)
{
    brz_buf ignored = {0};
    const brz_loaded *l = &c->file.components[i];
    *k = (check_case){.loaded = l, .collapser = l->vtable, .cfg = c->options[i]->cfg};
    snprintf(k->label, sizeof k->label, "%s", l->component->id);
    bool good = l->component->kind == BRZ_COLLAPSER && brz_options_check(c->options[i], &ignored);
    brz_buf_finish(&ignored);
    return good;
}

check_case check_case_with(const check_case *k, const uint8_t *data, size_t len)
{
    check_case x = *k;
    x.data = data;
    x.len = len;
    return x;
}

/* SPDX-License-Identifier: MIT */
/* One component with its options. */
#include "plugin/component_use.h"

#include <brazier/draft/text_format.h>

#include <string.h>

#include "plugin/calls.h"
#include "plugin/format.h"

typedef struct faults {
    brz_option_faults faults; /* first: the component's view */
    const brz_use *use;
    brz_use_fault *fault;
    void *to;
    size_t n;
} faults;

/* Returns the place that set an option, or an item of it. */
static brz_str origin_of(const brz_options *o, const brz_option *option, uint64_t item)
{
    const brz_component *c = o->component;
    for (uint32_t i = 0; i < c->n_options; i++) {
        const brz_option_value *v = &o->values[i];
        if (brz_option_at(c, i) == option)
            return item < v->n_items ? v->origins[item] : v->origin;
    }
    return brz_str_of("", 0);
}

static void add_fault(brz_option_faults *base, const char *name, uint64_t item, brz_str msg)
{
    faults *f = (faults *)base;
    const brz_options *o = f->use->options;
    const brz_option *option =
        name == NULL ? NULL : brz_option_find(o->component, brz_str_of_text(name), NULL);
    if (msg.data == NULL)
        msg = BRZ_STR("is wrong");
    f->n++;
    if (option == NULL)
        f->fault(f->to, brz_str_of("", 0), name == NULL ? "?" : name, 0, msg);
    else
        f->fault(f->to, origin_of(o, option, item), option->name, item, msg);
}

typedef void validate_fn(const void *cfg, brz_option_faults *);

static bool validate(const brz_use *use, validate_fn *check, brz_use_fault *fault, void *to)
{
    faults f = {.faults = {.struct_size = sizeof f.faults, .add = add_fault},
                .use = use,
                .fault = fault,
                .to = to};
    if (check == NULL)
        return true;
    brz_call_enter(use->loaded, "validate", NULL, 0, 0);
    check(use->options->cfg, &f.faults);
    brz_call_leave();
    return f.n == 0;
}

bool brz_use_validate(const brz_use *use, brz_use_fault *fault, void *to)
{
    return validate(use, brz_loaded_plain(use->loaded)->component->validate, fault, to);
}

bool brz_use_validate_isolated(const brz_use *use, brz_use_fault *fault, void *to)
{
    return validate(use, brz_loaded_plain(use->loaded)->validate, fault, to);
}

/* Returns the function of a collapser that reports doubts, or NULL. */
static validate_fn *doubt_of(const brz_loaded *plain)
{
    const brz_collapser *c = plain->vtable;
    const brz_text_format *t = c->offer == NULL ? NULL : c->offer(BRZ_TEXT_FORMAT_ID);
    return t != NULL && t->struct_size >= sizeof *t ? t->doubt : NULL;
}

void brz_use_doubt(const brz_use *use, brz_use_fault *doubt, void *to)
{
    const brz_loaded *plain = brz_loaded_plain(use->loaded);
    if (use->loaded->format != NULL && plain->validate == NULL)
        validate(use, doubt_of(plain), doubt, to);
}

void brz_use_finish(brz_use *use)
{
    brz_options_destroy(use->options);
    *use = (brz_use){0};
}

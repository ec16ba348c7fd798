/* SPDX-License-Identifier: MIT */
/* Tries values of a component's options other than their defaults. */
#include "option_values.h"

#include <string.h>

#include "plugin/component_use.h"

/* Values of each type, which end with NULL. Options refuse those outside of their range. */
static const char *const switches[] = {"true", "false", NULL};
static const char *const numbers[] = {"0", "1", "7", "100", "1000000", NULL};
static const char *const fractions[] = {"0", "0.5", "1", "99.5", NULL};
static const char *const sizes[] = {"0", "1", "64K", "1G", NULL};
static const char *const durations[] = {"0", "1ns", "10ms", "1h", NULL};
static const char *const texts[] = {"main", "std::", "a;b", "(", NULL};
static const char *const colors[] = {"#102030", "#10203040", "none", NULL};

static const char *const *values_of(const brz_option *o)
{
    switch (o->type) {
    case BRZ_OPTION_BOOL:
        return switches;
    case BRZ_OPTION_INT:
        return numbers;
    case BRZ_OPTION_REAL:
        return fractions;
    case BRZ_OPTION_SIZE:
        return sizes;
    case BRZ_OPTION_DURATION:
        return durations;
    case BRZ_OPTION_ENUM:
        return o->choices;
    case BRZ_OPTION_COLOR:
        return colors;
    default:
        return texts;
    }
}

/* Finds the value of a number among those of all options, in the order of the table. */
static const char *find_value(const brz_component *c, size_t number, const brz_option **option)
{
    for (uint32_t i = 0; i < c->n_options; i++) {
        *option = brz_option_at(c, i);
        if ((*option)->flags & (BRZ_OPTION_PATH | BRZ_OPTION_NETWORK))
            continue;
        for (const char *const *v = values_of(*option); *v != NULL; v++)
            if (number-- == 0)
                return *v;
    }
    return NULL;
}

static void ignore_fault(void *to, brz_str origin, const char *option, uint64_t item, brz_str msg)
{
    (void)to;
    (void)origin;
    (void)option;
    (void)item;
    (void)msg;
}

/* Returns whether a value can be set, and all of the options are valid together. */
static bool accepts(const brz_use *use, const brz_option *option, const char *value)
{
    brz_buf ignored = {0};
    bool good =
        brz_options_set(use->options, option, brz_str_of_text(value), BRZ_LAYER_COMMAND_LINE,
                        BRZ_STR("check"), &ignored) &&
        brz_options_check(use->options, &ignored) &&
        (use->loaded->component->validate == NULL || brz_use_validate(use, ignore_fault, NULL));
    brz_buf_finish(&ignored);
    return good;
}

brz_options *check_next_options(const brz_loaded *l, size_t *next, brz_buf *name)
{
    const brz_option *option;
    const char *value;
    while ((value = find_value(l->component, (*next)++, &option)) != NULL) {
        brz_use use = {l, brz_options_create_checked(l->component)};
        if (accepts(&use, option, value)) {
            brz_buf_printf(name, "--%s=%s", option->name, value);
            return use.options;
        }
        brz_options_destroy(use.options);
    }
    return NULL;
}

/* SPDX-License-Identifier: MIT */
/* Checks the options of components that the command line sets. */
#include "config/settings.h"

#include <string.h>

/* Returns the component of the run that a setting names, or NULL. */
static const brz_component *used_component(const brz_used_components *used, const brz_setting *s)
{
    const char *id = s->component;
    if (strcmp(used->collapser->component->id, id) == 0)
        return used->collapser->component;
    for (size_t i = 0; i < used->n_outputs && !s->for_guessed; i++) {
        const brz_output_use *o = &used->outputs[i];
        if (strcmp(o->use.loaded->component->id, id) == 0)
            return o->use.loaded->component;
        for (size_t k = 0; k < o->palettes.n; k++)
            if (strcmp(o->palettes.items[k].use.loaded->component->id, id) == 0)
                return o->palettes.items[k].use.loaded->component;
    }
    for (size_t i = 0; i < used->transforms->n && !s->for_guessed; i++) {
        const brz_use *use = brz_transforms_use(used->transforms, i);
        if (use != NULL && strcmp(use->loaded->component->id, id) == 0)
            return use->loaded->component;
    }
    return NULL;
}

bool brz_settings_check(const brz_resolver *r, const brz_used_components *used)
{
    bool good = true;
    for (size_t i = 0; i < r->request->n_settings; i++) {
        const brz_setting *s = &r->request->settings[i];
        const brz_component *c = used_component(used, s);
        if (r->used[i] || (s->if_there && c == NULL))
            continue;
        brz_buf error = {0};
        if (c == NULL)
            brz_buf_printf(&error, "this run has no component '%s'", s->component);
        else
            brz_option_find(c, brz_str_of_text(s->option), &error);
        brz_say_code(&r->session->console, BRZ_FATAL, BRZ_SAYS_OPTION, "%s: %s", s->origin,
                     brz_buf_text(&error));
        brz_buf_finish(&error);
        good = false;
    }
    return good;
}

/* ---- guessed formats ----------------------------------------------------------------------- */

/* Returns whether a format has an option that was set for the format that is guessed. */
static bool is_for(const brz_request *r, const brz_setting *set, const char *format)
{
    for (size_t i = 0; i < r->n_settings; i++) {
        const brz_setting *s = &r->settings[i];
        if (s->for_guessed && strcmp(s->origin, set->origin) == 0 &&
            strcmp(s->component, format) == 0)
            return true;
    }
    return false;
}

/* Reports that the guessed format lacks the option of a setting, and the formats that have it: the
 * settings of one option follow each other. */
static void say_lacks(const brz_resolver *resolver, const char *name, const char *format,
                      size_t setting)
{
    const brz_request *r = resolver->request;
    const brz_setting *first = &r->settings[setting];
    brz_buf others = {0};
    for (size_t i = setting; i < r->n_settings; i++) {
        const brz_setting *s = &r->settings[i];
        if (strcmp(s->origin, first->origin) != 0 ||
            (i > setting && strcmp(s->component, first->component) == 0))
            break;
        brz_buf_printf(&others, "%s%s", i > setting ? ", " : "", s->component);
    }
    brz_say_code(&resolver->session->console, BRZ_FATAL, BRZ_SAYS_OPTION,
                 "%s: the format %s, which was guessed, has no option '%s'; formats that have it: "
                 "%s",
                 name, format, first->origin, brz_buf_text(&others));
    brz_buf_finish(&others);
}

bool brz_settings_check_guessed(const brz_resolver *resolver, const char *name, const char *format)
{
    const brz_request *r = resolver->request;
    for (size_t i = 0; i < r->n_settings; i++) {
        const brz_setting *s = &r->settings[i];
        if (!s->for_guessed || is_for(r, s, format))
            continue;
        say_lacks(resolver, name, format, i);
        return false;
    }
    return true;
}

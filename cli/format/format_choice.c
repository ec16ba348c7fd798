/* SPDX-License-Identifier: MIT */
/* Chooses the format that brazier format try shows. */
#include "format_choice.h"

#include <string.h>

#include "base/suggest.h"
#include "collapse/format_score.h"
#include "collapse/guess.h"
#include "plugin/format.h"

/* ---- the formats of the configuration -------------------------------------------------------- */

/* Returns the file of FORMATS, which is the first one of the configuration, or NULL. */
static const brz_yaml_file *named_file(const brz_session *s, const cli_format_choice *c)
{
    return c->formats == NULL ? NULL : brz_config_file(s->config, 0);
}

/* Returns the first definition, or NULL. */
static const brz_yaml *first_definition(const brz_session *s)
{
    const brz_yaml *section = brz_config_near_section(s->config, "formats");
    return section == NULL || section->type != BRZ_YAML_MAP ? NULL : section->first;
}

/* Returns whether a definition may be meant: the user's formats are not, if FORMATS has some. */
static bool is_meant(const brz_session *s, const cli_format_choice *c, const brz_yaml *definition)
{
    const brz_yaml_file *file = named_file(s, c);
    if (file == NULL || definition->file == file)
        return true;
    return brz_yaml_get(file->root, "formats") == NULL &&
           brz_yaml_get(file->root, "extends") != NULL;
}

static const brz_yaml *next_meant(const brz_session *s, const cli_format_choice *c,
                                  const brz_yaml *from)
{
    while (from != NULL && !is_meant(s, c, from))
        from = from->next;
    return from;
}

/* Appends the names of the formats that may be meant. Returns their number. */
static size_t add_names(const brz_session *s, const cli_format_choice *c, brz_buf *to)
{
    size_t n = 0;
    for (const brz_yaml *d = next_meant(s, c, first_definition(s)); d != NULL;
         d = next_meant(s, c, d->next)) {
        brz_buf_add_text(to, n++ > 0 ? ", " : "");
        brz_buf_add_str(to, d->key->text);
    }
    return n;
}

/* Returns the name of the place of the formats for messages. */
static const char *place_of(const cli_format_choice *c)
{
    return c->formats == NULL ? "the configuration" : c->formats;
}

/* ---- a named format -------------------------------------------------------------------------- */

/* Reports that FORMATS lacks a format. */
static void say_not_in_file(brz_session *s, const cli_format_choice *c, const char *name)
{
    brz_buf names = {0}, near = {0};
    brz_suggestion suggestion = {.typed = brz_str_of_text(name)};
    size_t n = add_names(s, c, &names);
    for (const brz_yaml *d = next_meant(s, c, first_definition(s)); d != NULL;
         d = next_meant(s, c, d->next))
        brz_suggestion_offer(&suggestion, d->key->text.data);
    brz_suggestion_add(&suggestion, &near);
    if (n == 0)
        brz_say(&s->console, BRZ_FATAL, "no formats in %s", c->formats);
    else
        brz_say(&s->console, BRZ_FATAL, "no format '%s' in %s, which has %s%s", name, c->formats,
                brz_buf_text(&names), brz_buf_text(&near));
    brz_buf_finish(&names);
    brz_buf_finish(&near);
}

static const brz_loaded *find_named(brz_session *s, const cli_format_choice *c, const char *name)
{
    brz_buf error = {0};
    const brz_loaded *l =
        brz_registry_find(s->registry, BRZ_COLLAPSER, brz_str_of_text(name), &error);
    if (error.len > 0 && c->formats != NULL)
        say_not_in_file(s, c, name);
    else if (error.len > 0)
        brz_say(&s->console, BRZ_FATAL, "%s", brz_buf_text(&error));
    brz_buf_finish(&error);
    return l;
}

/* ---- guessing -------------------------------------------------------------------------------- */

/* The formats of the configuration with the best score. */
typedef struct best_fit {
    const brz_loaded *format;
    int32_t score;
    brz_buf names; /* of those with this score */
    size_t n;
} best_fit;

static void consider(best_fit *best, const brz_loaded *l, int32_t score)
{
    if (score <= BRZ_SNIFF_NAME || score < best->score)
        return;
    if (score > best->score) {
        best->n = 0;
        brz_buf_clear(&best->names);
    }
    brz_buf_add_text(&best->names, best->n++ > 0 ? ", " : "");
    brz_buf_add_text(&best->names, l->component->id);
    best->format = l;
    best->score = score;
}

/* Scores the formats of the configuration by their expressions. */
static best_fit find_best(brz_session *s, const cli_format_choice *c, cli_text_file *f)
{
    const brz_loaded *l;
    brz_tier tier;
    bool shadowed;
    best_fit best = {.score = 0};
    brz_head head = brz_guess_head(&f->feed);
    brz_guess_load(s->registry, &head, &f->feed);
    for (size_t i = 0; (l = brz_registry_at(s->registry, i, &tier, &shadowed)) != NULL; i++)
        if (l->component->kind == BRZ_COLLAPSER && l->format != NULL && !shadowed &&
            l->format->owner == BRZ_FORMAT_NEAR && is_meant(s, c, l->format->definition))
            consider(&best, l, brz_format_score(l, &head, c->input));
    return best;
}

/* Reports that no format can be chosen among those of the configuration. */
static void say_unclear(brz_session *s, const cli_format_choice *c, const best_fit *best)
{
    brz_buf all = {0};
    add_names(s, c, &all);
    if (best->n > 1)
        brz_say(&s->console, BRZ_FATAL, "%s fits several formats: %s; --format NAME says which",
                c->input, brz_buf_text(&best->names));
    else
        brz_say(&s->console, BRZ_FATAL,
                "%s fits no format of %s: %s; --format NAME shows which lines do not fit", c->input,
                place_of(c), brz_buf_text(&all));
    brz_buf_finish(&all);
}

/* Guesses among all formats. Returns NULL after reporting an error. */
static const brz_loaded *guess(brz_session *s, const cli_format_choice *c, cli_text_file *f)
{
    brz_guess g = brz_guess_format(s->registry, &f->feed);
    const brz_loaded *found = g.winner;
    brz_buf why = {0};
    if (found == NULL) {
        brz_guess_explain(&g, c->input, "--format", &why);
        brz_say(&s->console, BRZ_FATAL, "%s", brz_buf_text(&why));
    }
    brz_buf_finish(&why);
    brz_guess_finish(&g);
    return found;
}

/* Returns the guessed format if that can be shown, or NULL. */
static const brz_loaded *guess_text_format(brz_session *s, cli_text_file *f)
{
    brz_guess g = brz_guess_format(s->registry, &f->feed);
    const brz_loaded *found = g.winner;
    brz_guess_finish(&g);
    return found != NULL && found->format != NULL ? found : NULL;
}

/* Chooses among several formats of the configuration, or all formats if none of those fits. */
static const brz_loaded *choose_fitting(brz_session *s, const cli_format_choice *c,
                                        cli_text_file *f)
{
    best_fit best = find_best(s, c, f);
    const brz_loaded *found = best.n == 1 ? best.format : NULL;
    if (best.n == 0 && c->formats == NULL)
        found = guess_text_format(s, f);
    if (found == NULL)
        say_unclear(s, c, &best);
    brz_buf_finish(&best.names);
    return found;
}

/* ---- choosing -------------------------------------------------------------------------------- */

const brz_loaded *cli_format_choose(brz_session *s, const cli_format_choice *c, cli_text_file *f)
{
    brz_buf names = {0};
    if (c->name != NULL)
        return find_named(s, c, c->name);
    size_t n = add_names(s, c, &names);
    const brz_loaded *found = NULL;
    if (n == 0 && c->formats != NULL)
        brz_say(&s->console, BRZ_FATAL, "no formats in %s", c->formats);
    else if (n == 0)
        found = guess(s, c, f);
    else
        found = n == 1 ? find_named(s, c, brz_buf_text(&names)) : choose_fitting(s, c, f);
    brz_buf_finish(&names);
    return found;
}

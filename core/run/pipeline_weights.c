/* The weights of a run: the one that is shown, and whether those of several inputs can be added or
 * compared. */
#include "run/pipeline_weights.h"

#include <string.h>

#include "profile/unit.h"
#include "profile/unit_name.h"

/* ---- columns -------------------------------------------------------------------------------- */

/* Finds the column of a name. If no column has the name, removes the last colon and the text after
 * it, since users know events with their modifiers. Returns BRZ_NO_WEIGHT if that fails, too.
 * `name` may be NULL. */
static uint32_t weight_named(const brz_profile *profile, const char *name)
{
    if (name == NULL)
        return BRZ_NO_WEIGHT;
    uint32_t found = brz_profile_find_weight(profile, brz_str_of(name, strlen(name)));
    const char *colon = strrchr(name, ':');
    if (found != BRZ_NO_WEIGHT || colon == NULL)
        return found;
    return brz_profile_find_weight(profile, brz_str_of(name, (size_t)(colon - name)));
}

/* Returns the column that is shown unless the user names one: that of previous inputs, that of the
 * caller, the first one that says so, or else the first one. */
static uint32_t default_weight(const brz_pipeline *p, const brz_profile *profile)
{
    const char *const names[] = {p->shared_weight, p->request->otherwise_weight};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint32_t preferred = weight_named(profile, names[i]);
        if (preferred != BRZ_NO_WEIGHT)
            return preferred;
    }
    for (uint32_t i = 0; i < profile->n_weights; i++)
        if (profile->weights[i].flags & BRZ_WEIGHT_DEFAULT)
            return i;
    return 0;
}

static brz_str name_of(const brz_profile *profile, size_t column)
{
    return brz_strings_at(&profile->strings, profile->weights[column].name);
}

static brz_str unit_of(const brz_profile *profile, size_t column)
{
    return brz_strings_at(&profile->strings, profile->weights[column].unit);
}

static bool has_values(const brz_profile *profile, uint32_t column)
{
    for (size_t s = 0; column != BRZ_NO_WEIGHT && s < profile->weights[column].n_values; s++)
        if (profile->weights[column].values[s] != 0)
            return true;
    return false;
}

static bool has_any_values(const brz_profile *profile)
{
    for (uint32_t i = 0; profile != NULL && i < profile->n_weights; i++)
        if (has_values(profile, i))
            return true;
    return false;
}

/* ---- messages ------------------------------------------------------------------------------- */

/* Appends "'NAME' in UNIT". */
static void add_weight(brz_buf *b, brz_str name, brz_str unit)
{
    brz_buf_printf(b, "'%.*s'", (int)name.len, name.data);
    if (unit.len > 0 && !brz_str_equal(unit, name))
        brz_buf_printf(b, " in %.*s", (int)unit.len, unit.data);
}

/* Appends the weights of a profile that have values. */
static void add_weights(brz_buf *b, const brz_profile *profile)
{
    bool is_first = true;
    for (uint32_t i = 0; i < profile->n_weights; i++) {
        if (!has_values(profile, i))
            continue;
        brz_buf_add_text(b, is_first ? "" : ", ");
        add_weight(b, name_of(profile, i), unit_of(profile, i));
        is_first = false;
    }
}

static const char *display(const char *path)
{
    return strcmp(path, "-") == 0 ? "stdin" : path;
}

/* Returns the name of the first input of the sum. */
static const char *first_input(const brz_pipeline *p)
{
    return display(p->first_taken == NULL ? p->inputs[0].name : p->first_taken);
}

/* Reports that the input `path` lacks the weight that is shown, of which `unit` is known or empty.
 */
static bool say_unlike(const brz_pipeline *p, const char *path, brz_str shown, brz_str unit)
{
    brz_buf own = {0}, other = {0};
    add_weights(&own, p->collected.profile);
    add_weight(&other, shown, unit);
    if (p->first_taken == NULL || p->request->weight != NULL)
        brz_say_code(&p->session->console, BRZ_FATAL, BRZ_SAYS_WEIGHT,
                     "%s: has no values of %s, but of %s; name a weight that all inputs have with "
                     "-w",
                     display(path), brz_buf_text(&other), brz_buf_text(&own));
    else
        brz_say_code(&p->session->console, BRZ_FATAL, BRZ_SAYS_WEIGHT,
                     "%s: has %s, but %s has %s, which cannot be added; name a weight that all "
                     "inputs have with -w, or add up each kind of recording by itself",
                     display(path), brz_buf_text(&own), first_input(p), brz_buf_text(&other));
    brz_buf_finish(&own);
    brz_buf_finish(&other);
    return false;
}

/* Reports that a column of the input `path` has another unit than in a previous input. */
static bool say_unit(const brz_pipeline *p, const brz_profile *before, size_t column,
                     size_t own_column, const char *path)
{
    const brz_profile *own = p->collected.profile;
    brz_str name = name_of(own, own_column);
    brz_str a = unit_of(before, column), b = unit_of(own, own_column);
    brz_say_code(&p->session->console, BRZ_FATAL, BRZ_SAYS_WEIGHT,
                 "%s: '%.*s' is in %.*s here and in %.*s in %s, which cannot be added; add up each "
                 "kind of recording by itself",
                 display(path), (int)name.len, name.data, (int)b.len, b.data, (int)a.len, a.data,
                 first_input(p));
    return false;
}

/* Reports that the sides of a comparison have different weights, which are an error unless folded
 * text may have left one of them unnamed. */
static void say_sides(const brz_pipeline *p, int32_t severity, brz_str before, brz_str before_unit,
                      brz_str after, brz_str after_unit)
{
    brz_buf a = {0}, b = {0};
    add_weight(&a, before, before_unit);
    add_weight(&b, after, after_unit);
    brz_say_code(&p->session->console, severity, BRZ_SAYS_WEIGHT,
                 "%s: has %s, but %s has %s, which %s", display(p->inputs[1].name),
                 brz_buf_text(&b), display(p->inputs[0].name), brz_buf_text(&a),
                 severity == BRZ_FATAL
                     ? "cannot be compared; -n compares shares, -w names a weight that both have"
                     : "are compared as if they were the same; -n compares shares");
    brz_buf_finish(&a);
    brz_buf_finish(&b);
}

/* ---- matching ------------------------------------------------------------------------------- */

bool brz_pipeline_find_weight(const brz_pipeline *p, const brz_profile *profile, uint32_t *weight)
{
    *weight = default_weight(p, profile);
    if (p->request->weight == NULL)
        return true;
    *weight = weight_named(profile, p->request->weight);
    if (*weight != BRZ_NO_WEIGHT)
        return true;
    brz_buf b = {0};
    for (size_t i = 0; i < profile->n_weights; i++)
        brz_buf_printf(&b, "%s%s", i > 0 ? ", " : "", name_of(profile, i).data);
    brz_say_code(&p->session->console, BRZ_FATAL, BRZ_SAYS_WEIGHT,
                 "the input has no weight '%s'; it has %s", p->request->weight, brz_buf_text(&b));
    brz_buf_finish(&b);
    return false;
}

/* Returns whether one unit counts samples and the other one something else. Folded text, whose
 * weight is called "samples", need not name its unit. */
static bool counts_samples_once(brz_str name, brz_str a, brz_str b)
{
    brz_str samples = BRZ_STR("samples");
    return !brz_str_equal(name, samples) && a.len > 0 && b.len > 0 &&
           brz_str_equal(a, samples) != brz_str_equal(b, samples);
}

/* Brings columns of the same name, whose values are added up, to the same unit. Returns false after
 * reporting an error if that is impossible. */
static bool match_units(const brz_pipeline *p, brz_profile *together, const char *path)
{
    brz_profile *own = p->collected.profile;
    for (size_t i = 0; own != NULL && together != NULL && i < own->n_weights; i++) {
        brz_str name = name_of(own, i);
        uint32_t column = brz_profile_find_weight(together, name);
        if (column == BRZ_NO_WEIGHT)
            continue;
        if (counts_samples_once(name, unit_of(together, column), unit_of(own, i)) ||
            !brz_unit_match(together, column, own, i))
            return say_unit(p, together, column, i, path);
    }
    return true;
}

/* Remembers the first input of the sum, and the weight that is shown of it. */
static void take_first(brz_pipeline *p, brz_str shown, const char *path)
{
    p->first_taken = path;
    if (p->request->weight == NULL)
        p->shared_weight = brz_arena_str(&p->texts, shown).data;
}

bool brz_pipeline_match_weights(brz_pipeline *p, brz_profile *together, const char *path)
{
    const brz_profile *own = p->collected.profile;
    const char *wanted = p->request->weight;
    brz_str shown = BRZ_STR("?"), unit = BRZ_STR("");
    const brz_profile *from = together != NULL && together->n_weights > 0 ? together : own;
    uint32_t column = from == NULL ? BRZ_NO_WEIGHT : weight_named(from, wanted);
    if (from != NULL && wanted == NULL && from->n_weights > 0)
        column = default_weight(p, from);
    if (column != BRZ_NO_WEIGHT) {
        shown = name_of(from, column);
        unit = unit_of(from, column);
    } else if (wanted != NULL) {
        shown = brz_str_of(wanted, strlen(wanted));
    }
    if (own == NULL || !has_any_values(own)) {
        brz_say_code(&p->session->console, BRZ_WARNING, BRZ_SAYS_WEIGHT,
                     "%s: has no values of '%.*s', the weight shown", display(path), (int)shown.len,
                     shown.data);
        return match_units(p, together, path);
    }
    if (!has_values(own, brz_profile_find_weight(own, shown)))
        return say_unlike(p, path, shown, unit);
    if (!match_units(p, together, path))
        return false;
    if (p->first_taken == NULL)
        take_first(p, shown, path);
    return true;
}

/* Returns whether both weights count the same. Folded text, whose weight is called "samples", need
 * not name it. */
static bool is_like(brz_str a, brz_str b)
{
    brz_str samples = BRZ_STR("samples");
    return brz_str_equal(a, b) || brz_str_equal(a, samples) || brz_str_equal(b, samples);
}

bool brz_pipeline_match_side(brz_pipeline *p, brz_profile *together, size_t side, uint32_t *weight)
{
    brz_profile *own = p->collected.profile;
    if (!brz_pipeline_find_weight(p, own, weight))
        return false;
    brz_str name = name_of(own, *weight);
    if (side == 0)
        p->shared_weight = brz_arena_str(&p->texts, name).data;
    if (side == 0 || p->shared_weight == NULL || p->request->normalize != BRZ_NORMALIZE_NO)
        return true;
    brz_str before = brz_str_of(p->shared_weight, strlen(p->shared_weight));
    brz_str before_unit = unit_of(together, 0), unit = unit_of(own, *weight);
    bool good = is_like(before, name) && brz_unit_match(together, 0, own, *weight);
    if (!good || !brz_str_equal(before, name))
        say_sides(p, good ? BRZ_WARNING : BRZ_FATAL, before, before_unit, name, unit);
    return good;
}

/* SPDX-License-Identifier: MIT */
/* Prepares the named definitions of a file for those of other files. */
#include "config/definitions.h"

#include <brazier/symbol.h>

bool brz_definition_is_extra(const brz_yaml *key)
{
    return brz_starts_with(key->text, BRZ_STR("x-"));
}

/* Returns whether a definition is to be removed. */
typedef bool drop_fn(const brz_yaml *definition, const void *context);

/* Removes the children of a map that pass the test. */
static void drop(brz_yaml *map, drop_fn *is_dropped, const void *context)
{
    if (map == NULL || map->type != BRZ_YAML_MAP)
        return;
    for (brz_yaml **at = &map->first; *at != NULL;) {
        if (!is_dropped(*at, context)) {
            at = &(*at)->next;
            continue;
        }
        *at = (*at)->next;
        map->n_children--;
    }
}

static bool is_extra(const brz_yaml *definition, const void *context)
{
    (void)context;
    return brz_definition_is_extra(definition->key);
}

void brz_definitions_drop_extra(brz_yaml *root)
{
    static const char *const sections[] = {"formats", "palettes", "pipelines", "options"};
    for (size_t i = 0; i < BRZ_COUNT_OF(sections); i++)
        drop(brz_yaml_get(root, sections[i]), is_extra, NULL);
}

static bool is_replaced(const brz_yaml *definition, const void *formats)
{
    const brz_yaml *nearer = brz_yaml_get(formats, definition->key->text.data);
    return nearer != NULL && !nearer->is_null;
}

void brz_definitions_drop_replaced(const brz_yaml *nearer, brz_yaml *farther)
{
    drop(brz_yaml_get(farther, "formats"), is_replaced, brz_yaml_get(nearer, "formats"));
}

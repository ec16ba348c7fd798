/* SPDX-License-Identifier: MIT */
/* Builds the transforms of a run. */
#include "config/transform_build.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static void complain(brz_console *console, const brz_yaml *at, const char *what)
{
    brz_yaml_say(console, BRZ_FATAL, at, "%s", what);
}

static bool add_arg(brz_console *console, const brz_yaml *node, brz_str *args, size_t *n)
{
    if (node->type != BRZ_YAML_SCALAR) {
        complain(console, node, "write a text here");
        return false;
    }
    args[(*n)++] = node->text;
    return true;
}

/* Collects the arguments of `- drop: RE`, `- base: [a, b]` or `- rename: {match: RE, with: TEXT}`.
 * `args` has room for one more than the node has children. */
static bool transform_args(brz_console *console, const brz_yaml *node, brz_str *args, size_t *n)
{
    static const char *const keys[] = {"match", "with", NULL};
    bool good = true;
    if (node->type == BRZ_YAML_MAP) {
        good = brz_config_check_keys(console, node, "a transform has no key", keys);
        for (size_t i = 0; i < 2 && good; i++) {
            const brz_yaml *v = brz_yaml_get(node, keys[i]);
            good = v == NULL || add_arg(console, v, args, n);
        }
    } else if (node->type == BRZ_YAML_LIST) {
        for (const brz_yaml *v = node->first; v != NULL; v = v->next)
            good &= add_arg(console, v, args, n);
    } else if (!node->is_null && !brz_yaml_is(node, "true")) {
        args[(*n)++] = node->text;
    }
    return good;
}

/* Adds the transform of a plug-in: `name`, which is at a node of the configuration, or NULL. */
static bool add_use(const brz_resolver *r, brz_str name, const brz_yaml *at,
                    const brz_yaml *options, brz_transforms *to)
{
    brz_use use;
    bool good = brz_resolve(r, BRZ_TRANSFORM, name, at, options, &use);
    if (good)
        brz_transforms_add_use(to, use);
    else
        brz_use_finish(&use);
    return good;
}

/* Adds `{use: NAME, options: {...}}`. */
static bool add_component(const brz_resolver *r, const brz_yaml *node, brz_arena *texts,
                          brz_transforms *to)
{
    static const char *const keys[] = {"use", "options", NULL};
    brz_console *console = &r->session->console;
    const brz_yaml *use = brz_yaml_get(node, "use");
    if (!brz_config_check_keys(console, node, "the transform of a plug-in has no key", keys))
        return false;
    if (use->type != BRZ_YAML_SCALAR) {
        complain(console, use, "write the name of a transform here");
        return false;
    }
    bool good = add_use(r, use->text, use, brz_yaml_get(node, "options"), to);
    if (good)
        brz_transforms_set_origin(to, brz_yaml_origin(node, texts));
    return good;
}

/* Replaces the message about an unknown transform if a plug-in has one of that name. */
static void hint_at_use(const brz_resolver *r, brz_str name, brz_buf *error)
{
    if (brz_registry_find(r->session->registry, BRZ_TRANSFORM, name, NULL) == NULL)
        return;
    brz_buf_clear(error);
    brz_buf_printf(error, "transform '%.*s' is in a plug-in: write {use: %.*s}", (int)name.len,
                   name.data, (int)name.len, name.data);
}

static bool add_transform(const brz_resolver *r, const brz_yaml *node, brz_arena *texts,
                          brz_transforms *to)
{
    brz_console *console = &r->session->console;
    brz_buf error = {0};
    size_t n = 0;
    const brz_yaml *value = node->type == BRZ_YAML_MAP ? node->first : node;
    const brz_yaml *name = node->type == BRZ_YAML_MAP && value != NULL ? value->key : node;
    if (name->type != BRZ_YAML_SCALAR || (node->type == BRZ_YAML_MAP && node->n_children != 1)) {
        complain(console, node, "write one transform here: a name, or {name: argument}");
        return false;
    }
    brz_str *args = brz_calloc(value->n_children + 1, sizeof *args);
    const brz_transform_kind *kind = brz_transform_find(name->text, &error);
    if (kind == NULL)
        hint_at_use(r, name->text, &error);
    bool good = kind != NULL && (value == node || transform_args(console, value, args, &n));
    good = good && brz_transforms_add(to, kind, args, n, &error);
    if (good)
        brz_transforms_set_origin(to, brz_yaml_origin(node, texts));
    else if (error.len > 0)
        complain(console, kind == NULL ? name : value, brz_buf_text(&error));
    brz_buf_finish(&error);
    free(args);
    return good;
}

/* Returns whether a list of transforms contains a demangling step. */
static bool has_demangle(const brz_yaml *list)
{
    for (const brz_yaml *n = list == NULL ? NULL : list->first; n != NULL; n = n->next)
        if (brz_yaml_get(n, "demangle") != NULL)
            return true;
    return false;
}

/* Adds a demangling step first, so that other transforms apply to readable names. */
static bool add_demangle(brz_console *console, const char *mode, const brz_yaml *list,
                         brz_transforms *to)
{
    brz_buf error = {0};
    if (mode == NULL && has_demangle(list))
        return true;
    brz_str arg = mode == NULL ? BRZ_STR("auto") : brz_str_of_text(mode);
    bool good =
        brz_transforms_add(to, brz_transform_find(BRZ_STR("demangle"), &error), &arg, 1, &error);
    if (!good)
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_OPTION, "%s", brz_buf_text(&error));
    brz_buf_finish(&error);
    return good;
}

static bool add_config_transforms(const brz_resolver *r, const brz_yaml *list, brz_arena *texts,
                                  brz_transforms *to)
{
    brz_console *console = &r->session->console;
    if (list == NULL)
        return true;
    if (list->type != BRZ_YAML_LIST) {
        complain(console, list, "transforms are a list");
        return false;
    }
    bool good = true;
    for (const brz_yaml *n = list->first; n != NULL; n = n->next)
        good &= brz_yaml_get(n, "use") != NULL ? add_component(r, n, texts, to)
                                               : add_transform(r, n, texts, to);
    return good;
}

/* Adds a transform of the command line. One that takes names becomes part of a previous one of its
 * kind, unless that is among the first `of_pipeline`. */
static bool add_built_in(brz_console *console, const brz_transform_request *t, size_t of_pipeline,
                         brz_transforms *to)
{
    brz_buf error = {0};
    brz_str args[BRZ_MAX_TRANSFORM_ARGS];
    for (size_t k = 0; k < t->n_args; k++)
        args[k] = brz_str_of_text(t->args[k]);
    const brz_transform_kind *kind = brz_transform_find(brz_str_of_text(t->name), &error);
    bool good =
        kind != NULL &&
        ((t->n_args == 1 && to->n > of_pipeline && brz_transforms_extend(to, kind, args[0])) ||
         brz_transforms_add(to, kind, args, t->n_args, &error));
    if (!good)
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_OPTION, "%s: %s", t->origin,
                     brz_buf_text(&error));
    brz_buf_finish(&error);
    return good;
}

/* Adds the transforms of the command line, without changing those of the pipeline. */
static bool add_requested_transforms(const brz_resolver *r, brz_transforms *to)
{
    size_t of_pipeline = to->n;
    bool good = true;
    for (size_t i = 0; i < r->request->n_transforms && good; i++) {
        const brz_transform_request *t = &r->request->transforms[i];
        bool is_use = strcmp(t->name, BRZ_TRANSFORM_OPTION) == 0 && t->n_args == 1;
        good = is_use ? add_use(r, brz_str_of_text(t->args[0]), NULL, NULL, to)
                      : add_built_in(&r->session->console, t, of_pipeline, to);
    }
    return good;
}

bool brz_transforms_build(const brz_resolver *r, const brz_yaml *list, brz_arena *texts,
                          brz_transforms *to)
{
    bool good = add_demangle(&r->session->console, r->request->demangle, list, to);
    good &= add_config_transforms(r, list, texts, to);
    good &= add_requested_transforms(r, to);
    return good;
}

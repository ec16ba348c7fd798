/* SPDX-License-Identifier: MIT */
/* Resolves names to components and sets their options. */
#include "config/resolve.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/defaults.h"
#include "base/suggest.h"
#include "input/source.h"
#include "config/confinement.h"
#include "config/definitions.h"
#include "plugin/format.h"

/* Reports a message, at the node if there is one. */
static void say_at(const brz_resolver *r, int32_t severity, const brz_yaml *at, const char *what)
{
    if (at != NULL)
        brz_yaml_say(&r->session->console, severity, at, "%s", what);
    else
        brz_say_code(&r->session->console, severity, BRZ_SAYS_COMPONENT, "%s", what);
}

static void complain(const brz_resolver *r, const brz_yaml *at, const char *what)
{
    say_at(r, BRZ_FATAL, at, what);
}

/* ---- options ------------------------------------------------------------------------------- */

/* Adds the name of a file. Collapsers and transforms open files by name: the former relative to the
 * input, the latter only by absolute names. */
static void add_path(brz_buf *to, const brz_component *c, const char *path)
{
    bool is_whole = path[0] == '/' || path[0] == '\0';
    char *real = c->kind == BRZ_TRANSFORM && path[0] != '\0' ? realpath(path, NULL) : NULL;
    char *cwd = real == NULL && !is_whole ? getcwd(NULL, 0) : NULL;
    if (cwd != NULL)
        brz_buf_printf(to, "%s/", cwd);
    brz_buf_add_text(to, real != NULL ? real : path);
    free(real);
    free(cwd);
}

static bool opens_by_name(const brz_component *c)
{
    return c->kind == BRZ_COLLAPSER || c->kind == BRZ_TRANSFORM;
}

/* Maximum length of a value in the definition of a format. */
#define LONGEST_IN_FORMAT 8192

/* Returns whether a value may be used where it stands. Otherwise reports why not. */
static bool is_permitted(const brz_resolver *r, const brz_option *option, const brz_yaml *value,
                         brz_layer layer)
{
    brz_console *console = &r->session->console;
    bool was_found = value->file->beneath != NULL;
    if ((option->flags & BRZ_OPTION_NETWORK) && was_found)
        brz_confine_refuse(console, value, "lets an option use the network");
    else if ((option->flags & BRZ_OPTION_PATH) && was_found && layer == BRZ_LAYER_FORMAT)
        brz_confine_refuse(console, value, "lets a format name a file");
    else if (layer == BRZ_LAYER_FORMAT && value->text.len > LONGEST_IN_FORMAT)
        brz_yaml_say(console, BRZ_FATAL, value, "'%s' is longer than %d bytes", option->name,
                     LONGEST_IN_FORMAT);
    else
        return true;
    return false;
}

static bool set_scalar(const brz_resolver *r, brz_use *use, const brz_option *option,
                       const brz_yaml *value, brz_layer layer)
{
    brz_buf error = {0}, origin = {0}, absolute = {0};
    char *path = NULL;
    brz_str text = value->text;
    if (!is_permitted(r, option, value, layer))
        return false;
    if ((option->flags & BRZ_OPTION_PATH) && text.len > 0) {
        if (!brz_confine_option(&r->session->console, value))
            return false;
        path = brz_config_path(value);
        if (use->loaded->component->kind == BRZ_TRANSFORM)
            add_path(&absolute, use->loaded->component, path);
        text = absolute.len > 0 ? brz_buf_str(&absolute) : brz_str_of_text(path);
    }
    brz_buf_printf(&origin, "%s:%zu", value->file->name, value->line);
    bool good = value->type == BRZ_YAML_SCALAR;
    if (!good)
        brz_buf_printf(&error, "'%s' is %s", option->name, brz_option_type_name(option->type));
    good = good && brz_options_set(use->options, option, text, layer, brz_buf_str(&origin), &error);
    if (!good)
        complain(r, value, brz_buf_text(&error));
    brz_buf_finish(&error);
    brz_buf_finish(&origin);
    brz_buf_finish(&absolute);
    free(path);
    return good;
}

/* Sets an item that is a map, as a text of lines "key: value". */
static bool set_map_item(const brz_resolver *r, brz_use *use, const brz_option *option,
                         const brz_yaml *map, brz_layer layer)
{
    brz_buf text = {0};
    brz_yaml item = *map;
    bool good = true;
    for (const brz_yaml *n = map->first; n != NULL && good; n = n->next) {
        good = n->type == BRZ_YAML_SCALAR && memchr(n->text.data, '\n', n->text.len) == NULL &&
               memchr(n->key->text.data, '\n', n->key->text.len) == NULL;
        if (!good)
            complain(r, n, "a value here is a text of one line");
        brz_buf_add_str(&text, n->key->text);
        brz_buf_add_text(&text, ": ");
        brz_buf_add_str(&text, n->text);
        brz_buf_add_char(&text, '\n');
    }
    item.type = BRZ_YAML_SCALAR;
    item.text = brz_buf_str(&text);
    good = good && set_scalar(r, use, option, &item, layer);
    brz_buf_finish(&text);
    return good;
}

static bool set_item(const brz_resolver *r, brz_use *use, const brz_option *option,
                     const brz_yaml *item, brz_layer layer)
{
    return (option->flags & BRZ_OPTION_MAPS) && item->type == BRZ_YAML_MAP
               ? set_map_item(r, use, option, item, layer)
               : set_scalar(r, use, option, item, layer);
}

/* Returns whether a component of another kind with the same id has the option: common options of an
 * id apply to those components that have them. One without any options leaves an unknown option to
 * the others, which report it. */
static bool namesake_has(const brz_resolver *r, const brz_component *c, brz_str option)
{
    for (uint32_t kind = BRZ_COLLAPSER; kind <= BRZ_TRANSFORM; kind++) {
        const brz_loaded *l = kind == c->kind ? NULL
                                              : brz_registry_find(r->session->registry, kind,
                                                                  brz_str_of_text(c->id), NULL);
        bool has_more = l != NULL && c->n_options == 0 && l->component->n_options > 0;
        if (has_more || (l != NULL && brz_option_find(l->component, option, NULL) != NULL))
            return true;
    }
    return false;
}

/* Returns whether options in the configuration of a component apply only to those of its
 * components that have them. */
static bool is_lenient(const brz_resolver *r, const brz_use *use, brz_str option, brz_layer layer)
{
    return (layer == BRZ_LAYER_CONFIG || layer == BRZ_LAYER_NAMED) &&
           (r->trusting || namesake_has(r, use->loaded->component, option));
}

/* Sets an option; `name` is its name, which `node` has as its key or a part of it. */
static bool set_option(const brz_resolver *r, brz_use *use, const brz_yaml *node, brz_str name,
                       brz_layer layer)
{
    brz_buf error = {0};
    const brz_option *option = brz_option_find(use->loaded->component, name, &error);
    bool good = option != NULL || is_lenient(r, use, name, layer);
    if (option == NULL && !good)
        complain(r, node->key, brz_buf_text(&error));
    else if (option == NULL)
        ;
    else if (option->type == BRZ_OPTION_LIST && node->type == BRZ_YAML_LIST)
        for (const brz_yaml *n = node->first; n != NULL && good; n = n->next)
            good = set_item(r, use, option, n, layer);
    else
        good = set_scalar(r, use, option, node, layer);
    if (option != NULL && (option->flags & BRZ_OPTION_DEPRECATED))
        brz_yaml_say(&r->session->console, BRZ_WARNING, node->key, "deprecated: %s", option->help);
    brz_buf_finish(&error);
    return good;
}

/* Returns whether `name` is that of a part of the option `group`: "stack-split" is one of "stack".
 * Stores the rest. */
static bool is_part(brz_str name, brz_str group, brz_str *rest)
{
    if (name.len <= group.len || memcmp(name.data, group.data, group.len) != 0 ||
        name.data[group.len] != '-')
        return false;
    *rest = brz_str_of(name.data + group.len + 1, name.len - group.len - 1);
    return true;
}

/* Returns whether a map stands for several options with a common beginning of their names. */
static bool is_group(const brz_component *c, const brz_yaml *node)
{
    brz_str rest;
    for (uint32_t i = 0; i < c->n_options && node->type == BRZ_YAML_MAP; i++)
        if (is_part(brz_str_of_text(brz_option_at(c, i)->name), node->key->text, &rest))
            return true;
    return false;
}

/* Reports an option that a map of options has by its name and in a group. Returns whether it is
 * there once. A nearer file may write it in the other way. */
static bool is_set_once(const brz_resolver *r, const brz_yaml *map, const brz_yaml *in_group,
                        const char *name)
{
    const brz_yaml *other = brz_yaml_get(map, name);
    if (other == NULL || other->file != in_group->file)
        return true;
    brz_yaml_say(&r->session->console, BRZ_FATAL, in_group->key,
                 "'%s' is set twice: here and in line %zu", name, other->line);
    return false;
}

/* Sets the options of a group: `stack: {split: ' '}` is the option stack-split. `map` has it. */
static bool set_group(const brz_resolver *r, brz_use *use, const brz_yaml *map,
                      const brz_yaml *group, brz_layer layer)
{
    bool good = true;
    for (const brz_yaml *n = group->first; n != NULL; n = n->next) {
        brz_buf name = {0};
        if (brz_definition_is_extra(n->key))
            continue;
        brz_buf_add_str(&name, group->key->text);
        brz_buf_add_char(&name, '-');
        brz_buf_add_str(&name, n->key->text);
        good &= is_set_once(r, map, n, brz_buf_text(&name)) &&
                set_option(r, use, n, brz_buf_str(&name), layer);
        brz_buf_finish(&name);
    }
    return good;
}

static bool set_from_node(const brz_resolver *r, brz_use *use, const brz_yaml *map,
                          const brz_yaml *node, brz_layer layer)
{
    const brz_component *c = use->loaded->component;
    const brz_option *option = brz_option_find(c, node->key->text, NULL);
    bool takes_map = option != NULL && (option->flags & BRZ_OPTION_MAPS) != 0;
    return !takes_map && is_group(c, node) ? set_group(r, use, map, node, layer)
                                           : set_option(r, use, node, node->key->text, layer);
}

static bool set_from_map(const brz_resolver *r, brz_use *use, const brz_yaml *map, brz_layer layer)
{
    if (map == NULL || (map->type == BRZ_YAML_SCALAR && map->is_null))
        return true;
    if (map->type != BRZ_YAML_MAP) {
        complain(r, map, "options are a map of names and values");
        return false;
    }
    bool good = true;
    for (const brz_yaml *n = map->first; n != NULL; n = n->next)
        good &= brz_definition_is_extra(n->key) || set_from_node(r, use, map, n, layer);
    return good;
}

/* Adds the value of a setting. A file that is opened by name has its absolute name. */
static void add_value(brz_buf *to, const brz_use *use, const brz_option *option, const char *value)
{
    if (opens_by_name(use->loaded->component) && (option->flags & BRZ_OPTION_PATH))
        add_path(to, use->loaded->component, value);
    else
        brz_buf_add_text(to, value);
}

/* Returns whether a setting is for a component. An output may have the id of a format. */
static bool is_setting_of(const brz_setting *s, const brz_component *c)
{
    return strcmp(s->component, c->id) == 0 && (!s->for_guessed || c->kind == BRZ_COLLAPSER);
}

static bool set_from_request(const brz_resolver *r, brz_use *use)
{
    bool good = true;
    for (size_t i = 0; i < r->request->n_settings; i++) {
        const brz_setting *s = &r->request->settings[i];
        if (!is_setting_of(s, use->loaded->component))
            continue;
        brz_buf error = {0}, value = {0};
        const brz_option *option =
            brz_option_find(use->loaded->component, brz_str_of_text(s->option), NULL);
        if (option == NULL) /* reported later, unless another component has it */
            continue;
        r->used[i] = true;
        add_value(&value, use, option, s->value);
        if (!brz_options_set(use->options, option, brz_buf_str(&value), BRZ_LAYER_COMMAND_LINE,
                             brz_str_of_text(s->origin), &error)) {
            brz_say_code(&r->session->console, BRZ_FATAL, BRZ_SAYS_OPTION, "%s: %s", s->origin,
                         brz_buf_text(&error));
            good = false;
        } else if (option->flags & BRZ_OPTION_DEPRECATED) {
            brz_say_code(&r->session->console, BRZ_WARNING, BRZ_SAYS_OPTION, "%s: deprecated: %s",
                         s->origin, option->help);
        }
        brz_buf_finish(&error);
        brz_buf_finish(&value);
    }
    return good;
}

static bool check_required(const brz_resolver *r, const brz_use *use, const brz_yaml *at)
{
    brz_buf error = {0};
    bool good = brz_options_check(use->options, &error);
    if (!good)
        complain(r, at, brz_buf_text(&error));
    brz_buf_finish(&error);
    return good;
}

/* Returns the configuration's options for all uses of a component. */
static const brz_yaml *common_options(const brz_resolver *r, const char *id)
{
    return brz_yaml_get(brz_config_near_section(r->session->config, "options"), id);
}

/* A component whose options are checked, and the maps that may have set them. */
typedef struct validation {
    const brz_resolver *resolver;
    const brz_use *use;
    const brz_yaml *at, *options;
} validation;

/* Returns whether a place is that of a node. */
static bool is_place_of(brz_str origin, const brz_yaml *node)
{
    brz_buf place = {0};
    brz_buf_printf(&place, "%s:%zu", node->file->name, node->line);
    bool same = brz_str_equal(origin, brz_buf_str(&place));
    brz_buf_finish(&place);
    return same;
}

/* Returns the value of an option in a map of options, or NULL. */
static const brz_yaml *value_in(const brz_yaml *map, const char *option)
{
    brz_str rest;
    const brz_yaml *value = brz_yaml_get(map, option);
    const brz_yaml *first = map == NULL || map->type != BRZ_YAML_MAP ? NULL : map->first;
    for (const brz_yaml *n = first; n != NULL && value == NULL; n = n->next)
        if (n->type == BRZ_YAML_MAP && is_part(brz_str_of_text(option), n->key->text, &rest))
            value = brz_yaml_get(n, rest.data);
    return value;
}

/* Returns the node in a map of options that set an option, or an item of it, or NULL. */
static const brz_yaml *node_in(const brz_yaml *map, brz_str origin, const char *option,
                               uint64_t item)
{
    const brz_yaml *node = value_in(map, option);
    if (node != NULL && node->type == BRZ_YAML_LIST)
        for (node = node->first; node != NULL && item > 0; item--)
            node = node->next;
    return node != NULL && is_place_of(origin, node) ? node : NULL;
}

/* Returns the node that set an option, or an item of it, or NULL. */
static const brz_yaml *setting_node(const validation *v, brz_str origin, const char *option,
                                    uint64_t item)
{
    const brz_yaml *node = node_in(v->options, origin, option, item);
    for (const brz_loaded *l = v->use->loaded; node == NULL;) {
        node = node_in(common_options(v->resolver, l->component->id), origin, option, item);
        if (node != NULL || l->format == NULL)
            break;
        node = node_in(brz_yaml_get(l->format->definition, "options"), origin, option, item);
        l = l->format->base;
    }
    return node;
}

/* Reports a message about an option at the place that set it. */
static void say_about(const validation *v, int32_t severity, brz_str origin, const char *option,
                      uint64_t item, brz_str msg)
{
    const brz_yaml *node = setting_node(v, origin, option, item);
    brz_buf text = {0};
    brz_buf_printf(&text, "'%s' of '%s': %.*s", option, v->use->loaded->component->id, (int)msg.len,
                   msg.data);
    if (origin.len == 0 || node != NULL)
        say_at(v->resolver, severity, node != NULL ? node : v->at, brz_buf_text(&text));
    else
        brz_say_code(&v->resolver->session->console, severity, BRZ_SAYS_OPTION, "%.*s: %s",
                     (int)origin.len, origin.data, brz_buf_text(&text));
    brz_buf_finish(&text);
}

static void say_fault(void *to, brz_str origin, const char *option, uint64_t item, brz_str msg)
{
    say_about(to, BRZ_FATAL, origin, option, item, msg);
}

static void say_doubt(void *to, brz_str origin, const char *option, uint64_t item, brz_str msg)
{
    say_about(to, BRZ_WARNING, origin, option, item, msg);
}

/* Returns whether messages reach somebody. A guess is quiet about formats that it tries. */
static bool is_heard(const brz_console *console)
{
    return console->out != NULL || console->report != NULL;
}

/* Returns whether a format is one that is installed with the program, which tests examine. */
static bool is_shipped(const brz_loaded *l)
{
    return l->format != NULL && l->format->owner == BRZ_FORMAT_SHIPPED;
}

/* Reports an option that uses the network in a run with isolation. */
static bool check_network(const brz_resolver *r, const brz_use *use, const brz_yaml *at)
{
    const brz_component *c = use->loaded->component;
    for (uint32_t i = 0; i < c->n_options && r->request->isolate > 0; i++) {
        const brz_option *o = brz_option_at(c, i);
        bool is_set = (o->flags & BRZ_OPTION_NETWORK) != 0 &&
                      *((const char *)use->options->cfg + o->offset) != 0;
        if (!is_set)
            continue;
        brz_buf text = {0};
        brz_buf_printf(&text, "'%s' of '%s' uses the network, which --isolate forbids", o->name,
                       c->id);
        complain(r, at, brz_buf_text(&text));
        brz_buf_finish(&text);
        return false;
    }
    return true;
}

static bool check_options(const brz_resolver *r, const brz_use *use, const brz_yaml *at,
                          const brz_yaml *options)
{
    validation v = {r, use, at, options};
    if (!check_required(r, use, at) || !check_network(r, use, at) ||
        !brz_use_validate(use, say_fault, &v))
        return false;
    if (!is_shipped(use->loaded) && is_heard(&r->session->console))
        brz_use_doubt(use, say_doubt, &v);
    return true;
}

bool brz_resolve(const brz_resolver *r, uint32_t kind, brz_str name, const brz_yaml *at,
                 const brz_yaml *options, brz_use *use)
{
    brz_buf error = {0};
    *use = (brz_use){0};
    const brz_loaded *loaded = brz_registry_find(r->session->registry, kind, name, &error);
    if (error.len > 0)
        complain(r, at, brz_buf_text(&error));
    brz_buf_finish(&error);
    return loaded != NULL && brz_resolve_loaded(r, loaded, at, options, use);
}

/* Sets the options that the configuration has for all uses of a component: of a format, those of
 * the collapser, then those of its definition, then those under its own name. */
static bool set_common(const brz_resolver *r, brz_use *use)
{
    const brz_loaded *formats[BRZ_FORMAT_DEPTH], *plain = use->loaded;
    size_t n = 0;
    for (; plain->format != NULL; plain = plain->format->base)
        formats[n++] = plain;
    const char *id = use->loaded->component->id;
    bool good = set_from_map(r, use, common_options(r, plain->component->id), BRZ_LAYER_CONFIG);
    for (size_t i = n; i > 0; i--)
        good &= set_from_map(r, use, brz_yaml_get(formats[i - 1]->format->definition, "options"),
                             BRZ_LAYER_FORMAT);
    if (n > 0 && strcmp(id, plain->component->id) != 0)
        good &= set_from_map(r, use, common_options(r, id), BRZ_LAYER_NAMED);
    return good;
}

bool brz_resolve_loaded(const brz_resolver *r, const brz_loaded *loaded, const brz_yaml *at,
                        const brz_yaml *options, brz_use *use)
{
    *use = (brz_use){0};
    if (!r->request->is_survey && !brz_registry_make_usable(r->session->registry, loaded))
        return false;
    *use = (brz_use){loaded, brz_options_create_checked(loaded->component)};
    bool good = set_common(r, use);
    good &= set_from_map(r, use, options, BRZ_LAYER_PIPELINE);
    good &= set_from_request(r, use);
    return good && (r->request->is_survey || check_options(r, use, at, options));
}

/* ---- endings ------------------------------------------------------------------------------- */

/* Returns the length of the output's longest ending of the first `n` bytes of a name, or 0. */
static size_t ending_length(const brz_output *o, const char *file, size_t n)
{
    size_t best = 0;
    for (const char *const *e = o->endings; *e != NULL; e++) {
        size_t len = strlen(*e);
        if (len > best && n > len + 1 && file[n - len - 1] == '.' &&
            memcmp(file + n - len, *e, len) == 0)
            best = len;
    }
    return best;
}

size_t brz_resolve_ending_length(const brz_loaded *output, const char *file)
{
    size_t n, whole = ending_length(output->vtable, file, strlen(file));
    return whole > 0 || brz_packing_of_name(file, &n) == BRZ_PACKED_NOT
               ? whole
               : ending_length(output->vtable, file, n);
}

brz_packing brz_resolve_packing(const brz_loaded *output, const char *file)
{
    size_t n;
    bool is_own = ending_length(output->vtable, file, strlen(file)) > 0;
    return is_own ? BRZ_PACKED_NOT : brz_packing_of_name(file, &n);
}

static bool has_ending(const char *file)
{
    return strchr(basename(file), '.') != NULL;
}

/* Returns the output that is named like the ending, as for "flame.svg" and "flame.svg.gz", if it
 * has that ending and no longer one is possible. Avoids loading other plug-ins. */
static const brz_loaded *output_called_like(const brz_resolver *r, const char *file)
{
    const char *name = basename(file), *dot = strchr(name, '.');
    size_t n;
    brz_packing_of_name(name, &n);
    if (dot == NULL || dot >= name + n ||
        memchr(dot + 1, '.', (size_t)(name + n - dot - 1)) != NULL)
        return NULL;
    const brz_loaded *l = brz_registry_find(
        r->session->registry, BRZ_OUTPUT, brz_str_of(dot + 1, (size_t)(name + n - dot - 1)), NULL);
    return l != NULL && brz_resolve_ending_length(l, file) > 0 ? l : NULL;
}

/* Returns the last ending of a file's name, without that of a compression. */
static brz_str last_ending(const char *file)
{
    const char *name = basename(file);
    size_t n;
    brz_packing_of_name(name, &n);
    const char *dot = memrchr(name, '.', n);
    return dot == NULL ? BRZ_STR("") : brz_str_of(dot + 1, (size_t)(name + n - dot - 1));
}

static void say_no_ending(const brz_resolver *r, const char *file, const char *known,
                          const char *near)
{
    brz_console *console = &r->session->console;
    struct stat st;
    size_t n = strlen(file);
    bool has_slash = n > 0 && file[n - 1] == '/';
    if (has_slash || (stat(file, &st) == 0 && S_ISDIR(st.st_mode)))
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_WRITE,
                     "%s is a folder; name a file in it: -o %s%sflame." BRZ_DEFAULT_OUTPUT, file,
                     file, has_slash ? "" : "/");
    else if (brz_registry_is_incomplete(r->session->registry))
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_COMPONENT,
                     "%s: the output may be in a plug-in that cannot be read", file);
    else if (!has_ending(file))
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_COMPONENT,
                     "%s has no ending that names a format; write -o %s." BRZ_DEFAULT_OUTPUT
                     ", or name one: --to " BRZ_DEFAULT_OUTPUT,
                     file, file);
    else
        brz_say_code(
            console, BRZ_FATAL, BRZ_SAYS_COMPONENT,
            "%s: no output writes files with that ending%s%s%s (%s); --to FORMAT names one", file,
            near != NULL ? "; did you mean '." : "", near != NULL ? near : "",
            near != NULL ? "'?" : "", known);
}

const char *brz_resolve_ending(const brz_resolver *r, const char *file)
{
    const brz_loaded *best = output_called_like(r, file), *l;
    size_t length = 0;
    brz_tier tier;
    bool shadowed;
    brz_buf known = {0};
    brz_suggestion near = {.typed = last_ending(file)};
    if (best != NULL)
        return best->component->id;
    if (r->request->otherwise_to != NULL && !has_ending(file))
        return r->request->otherwise_to; /* fast: avoids loading all outputs */
    brz_registry_load_all(r->session->registry, BRZ_OUTPUT);
    for (size_t i = 0; (l = brz_registry_at(r->session->registry, i, &tier, &shadowed)) != NULL;
         i++) {
        if (l->component->kind != BRZ_OUTPUT || shadowed)
            continue;
        const brz_output *o = l->vtable;
        for (const char *const *e = o->endings; *e != NULL; e++)
            brz_suggestion_offer(&near, *e);
        if (o->endings[0] != NULL)
            brz_buf_printf(&known, "%s.%s", known.len > 0 ? ", " : "", o->endings[0]);
        size_t n = brz_resolve_ending_length(l, file);
        if (n > length) {
            best = l;
            length = n;
        }
    }
    if (best == NULL && r->request->otherwise_to == NULL)
        say_no_ending(r, file, brz_buf_text(&known), near.best);
    brz_buf_finish(&known);
    return best == NULL ? r->request->otherwise_to : best->component->id;
}

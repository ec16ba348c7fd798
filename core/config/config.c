/* SPDX-License-Identifier: MIT */
/* Loads the configuration. */
#include "config/config.h"

#include <brazier/symbol.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/suggest.h"
#include "config/definitions.h"
#include "config/project_file.h"

/* Limits on the files that a file extends, and on all files: those, project, user, shipped. */
#define MAX_EXTENDED 4
#define MAX_FILES    (MAX_EXTENDED + 3)
_Static_assert(MAX_FILES <= BRZ_MAX_ALLOWING, "each file may have a list that allows components");

struct brz_config {
    brz_console *console;
    brz_registry *registry;
    brz_yaml_file *files[MAX_FILES];
    size_t n_files;
    brz_yaml *root;
    const brz_yaml *limits[2 * MAX_FILES]; /* allow and deny lists of each file */
    size_t n_limits;
    bool complete;
    bool keeps_mistakes, has_mistakes;
    brz_beneath projects[MAX_EXTENDED + 1]; /* folders of untrusted files that were found */
    size_t n_projects;
    brz_beneath working; /* working directory, which contains the outputs of shipped pipelines */
    bool has_working;
};

static const char *const keys[] = {"version",     "extends", "formats", "palettes",
                                   "pipelines",   "options", "allow",   "deny",
                                   "plugin_path", "plugins", NULL};

const char *brz_config_key(size_t i)
{
    return i < BRZ_COUNT_OF(keys) ? keys[i] : NULL;
}

void brz_config_say_unknown(brz_console *console, const brz_yaml *node, const char *what,
                            const char *const *words)
{
    brz_suggestion near = {.typed = node->key->text};
    brz_buf b = {0};
    for (size_t i = 0; words[i] != NULL; i++)
        brz_suggestion_offer(&near, words[i]);
    brz_suggestion_add(&near, &b);
    brz_yaml_say(console, BRZ_FATAL, node->key, "%s '%s'%s", what, node->key->text.data,
                 brz_buf_text(&b));
    brz_buf_finish(&b);
}

bool brz_config_check_keys(brz_console *console, const brz_yaml *node, const char *what,
                           const char *const *words)
{
    bool good = true;
    const brz_yaml *first = node->type == BRZ_YAML_MAP ? node->first : NULL;
    for (const brz_yaml *n = first; n != NULL; n = n->next) {
        size_t i = 0;
        while (words[i] != NULL && !brz_yaml_is(n->key, words[i]))
            i++;
        if (words[i] != NULL || brz_definition_is_extra(n->key))
            continue;
        brz_config_say_unknown(console, n, what, words);
        good = false;
    }
    return good;
}

const brz_yaml *brz_config_used_name(brz_console *console, const brz_yaml *node)
{
    const brz_yaml *name = node->type == BRZ_YAML_MAP ? brz_yaml_get(node, "use") : node;
    if (name != NULL && name->type == BRZ_YAML_SCALAR && name->text.len > 0)
        return name;
    brz_yaml_say(console, BRZ_FATAL, node,
                 "write the name of a plug-in here, or {use: NAME, options: {…}}");
    return NULL;
}

char *brz_config_path(const brz_yaml *node)
{
    const char *file = node->file->name, *slash = strrchr(file, '/');
    brz_buf b = {0};
    if (node->text.len > 0 && node->text.data[0] != '/' && slash != NULL)
        brz_buf_add(&b, file, (size_t)(slash + 1 - file));
    brz_buf_add_str(&b, node->text);
    return b.data;
}

const brz_yaml *brz_config_strictest(brz_console *console, const brz_yaml *node,
                                     brz_config_looser_fn *is_looser, const void *context,
                                     const char *unless)
{
    const brz_yaml *first = node;
    for (const brz_yaml *f = node == NULL ? NULL : node->farther;
         f != NULL && node->file->beneath != NULL; f = f->farther)
        if (is_looser(context, node, f))
            node = f;
    if (node != first)
        brz_yaml_say(console, BRZ_WARNING, first,
                     "ignored: this file was found, not named, and may only be stricter than "
                     "%s:%zu; %s or --trust-config",
                     node->file->name, node->line, unless);
    return node;
}

/* ---- checking ------------------------------------------------------------------------------ */

static bool check_version(brz_console *console, const brz_yaml *root)
{
    const brz_yaml *version = brz_yaml_get(root, "version");
    if (version == NULL || brz_yaml_is(version, "1"))
        return true;
    brz_yaml_say(console, BRZ_FATAL, version, "this brazier reads version 1 of configurations");
    return false;
}

/* Checks that sections are maps, on which lookups rely. */
static bool check_sections(brz_console *console, const brz_yaml *root)
{
    static const char *const sections[] = {"options", "formats", "palettes", "pipelines"};
    bool good = true;
    for (size_t i = 0; i < BRZ_COUNT_OF(sections); i++) {
        const brz_yaml *n = brz_yaml_get(root, sections[i]);
        if (n == NULL || n->type == BRZ_YAML_MAP || n->is_null)
            continue;
        brz_yaml_say(console, BRZ_FATAL, n, "'%s' is a map of names", sections[i]);
        good = false;
    }
    return good;
}

/* Limit on the formats of a file. */
#define MOST_FORMATS 256

static bool check_formats(brz_console *console, const brz_yaml *root)
{
    const brz_yaml *n = brz_yaml_get(root, "formats");
    if (n == NULL || n->n_children <= MOST_FORMATS)
        return true;
    brz_yaml_say(console, BRZ_FATAL, n->key, "too many formats: a file has at most %d",
                 MOST_FORMATS);
    return false;
}

/* Returns whether a value is a name, a list of names or empty. */
static bool is_names(const brz_yaml *node)
{
    if (node->type == BRZ_YAML_SCALAR)
        return node->is_null || node->text.len > 0;
    for (const brz_yaml *n = node->first; n != NULL; n = n->next)
        if (n->type != BRZ_YAML_SCALAR || n->text.len == 0)
            return false;
    return node->type == BRZ_YAML_LIST;
}

static bool check_lists(brz_console *console, const brz_yaml *root)
{
    static const char *const lists[] = {"allow", "deny", "plugin_path", "plugins"};
    bool good = true;
    for (size_t i = 0; i < BRZ_COUNT_OF(lists); i++) {
        const brz_yaml *n = brz_yaml_get(root, lists[i]);
        if (n == NULL || is_names(n))
            continue;
        brz_yaml_say(console, BRZ_FATAL, n, "'%s' is a name or a list of names", lists[i]);
        good = false;
    }
    return good;
}

static bool check_top(brz_console *console, const brz_yaml *root)
{
    if (root == NULL || (root->type == BRZ_YAML_SCALAR && root->is_null))
        return true;
    if (root->type != BRZ_YAML_MAP) {
        brz_yaml_say(console, BRZ_FATAL, root, "a configuration is a map: version, pipelines, …");
        return false;
    }
    bool good = check_version(console, root);
    good &= check_sections(console, root);
    good &= check_formats(console, root);
    good &= check_lists(console, root);
    good &= brz_config_check_keys(console, root, "no such key", keys);
    return good;
}

/* ---- plug-ins ------------------------------------------------------------------------------ */

typedef void add_fn(brz_registry *, const char *);

/* Passes each path of a list to the registry. */
static void add_paths(brz_config *c, const brz_yaml *list, add_fn *add)
{
    const brz_yaml *first = list->type == BRZ_YAML_LIST ? list->first : list;
    for (const brz_yaml *n = first; n != NULL; n = list->type == BRZ_YAML_LIST ? n->next : NULL) {
        if (n->type != BRZ_YAML_SCALAR || n->is_null)
            continue;
        char *path = brz_config_path(n);
        add(c->registry, path);
        free(path);
    }
}

typedef void limit_fn(brz_registry *, const brz_str *names, size_t n);

static void add_limit(brz_config *c, const brz_yaml *list, limit_fn *add)
{
    if (list == NULL || list->is_null)
        return;
    size_t n = 0;
    brz_str *names = brz_calloc(list->n_children + 1, sizeof *names);
    if (list->type == BRZ_YAML_SCALAR)
        names[n++] = list->text;
    for (const brz_yaml *v = list->first; v != NULL; v = v->next)
        names[n++] = v->text;
    add(c->registry, names, n);
    c->limits[c->n_limits++] = list;
    free(names);
}

/* Adds the limits of a file. No file can allow what another one forbids, so a project cannot
 * override the user. */
static void add_limits(brz_config *c, const brz_yaml *root)
{
    add_limit(c, brz_yaml_get(root, "allow"), brz_registry_allow);
    add_limit(c, brz_yaml_get(root, "deny"), brz_registry_deny);
}

/* Loads the plug-ins of trusted files. A file that was found rather than named must not load
 * code. */
static void use_plugin_keys(brz_config *c, const brz_yaml *root, bool trusted)
{
    static const struct {
        const char *key;
        add_fn *add;
    } code[] = {{"plugin_path", brz_registry_add_dir}, {"plugins", brz_registry_add_file}};
    for (size_t i = 0; i < BRZ_COUNT_OF(code); i++) {
        const brz_yaml *n = brz_yaml_get(root, code[i].key);
        if (n == NULL)
            continue;
        if (trusted)
            add_paths(c, n, code[i].add);
        else
            brz_yaml_say(c->console, BRZ_WARNING, n->key,
                         "ignored: this file was found, not named; --trust-config or --config "
                         "lets it load plug-ins");
    }
}

/* ---- files --------------------------------------------------------------------------------- */

/* Adds a file that was read; NULL stands for a failure to read it. Unless `beneath` is NULL, its
 * paths must not leave that folder, and it must not load code. */
static bool add_tree(brz_config *c, brz_yaml_file *f, const brz_beneath *beneath)
{
    if (f == NULL)
        return false;
    c->files[c->n_files++] = f;
    f->beneath = beneath;
    brz_definitions_drop_extra(f->root);
    if (check_top(c->console, f->root)) {
        use_plugin_keys(c, f->root, beneath == NULL);
        add_limits(c, f->root);
    } else if (c->keeps_mistakes) {
        c->has_mistakes = true;
    } else {
        return false;
    }
    if (f->root == NULL || f->root->type != BRZ_YAML_MAP)
        return true;
    brz_definitions_drop_replaced(c->root, f->root);
    c->root = brz_yaml_merge(c->root, f->root);
    return true;
}

static bool add_file(brz_config *c, const char *path)
{
    return add_tree(c, brz_yaml_read(path, c->console), NULL);
}

/* Adds an open file together with its folder. */
static bool add_open_file(brz_config *c, const brz_project_file *f, bool trust)
{
    brz_yaml_file *file = brz_yaml_read_open(f->fd, f->path, c->console);
    brz_beneath *folder = &c->projects[c->n_projects++];
    *folder = f->folder;
    return add_tree(c, file, trust ? NULL : folder);
}

/* Adds the project's file, if there is one. */
static bool add_project_file(brz_config *c, bool trust)
{
    brz_project_file f;
    brz_project_file_end end = brz_project_file_find(c->console, trust, &f);
    return end == BRZ_PROJECT_FILE_OPEN ? add_open_file(c, &f, trust)
                                        : end == BRZ_PROJECT_FILE_NONE;
}

/* Adds a file that was named, but is treated as if it had been found. */
static bool add_distrusted_file(brz_config *c, const char *path)
{
    brz_project_file f;
    return brz_project_file_open(c->console, path, &f) && add_open_file(c, &f, false);
}

/* ---- files that others extend -------------------------------------------------------------- */

/* Adds the file that a file which was found extends. */
static bool add_found_extended(brz_config *c, const brz_yaml *node)
{
    brz_project_file f;
    const char *why = NULL;
    brz_project_file_end end =
        brz_project_file_extended(c->console, node->file->beneath, node->text.data, &f, &why);
    if (why != NULL)
        brz_yaml_say(c->console, BRZ_FATAL, node,
                     "refused: '%s' %s (this file was found, not named; --trust-config or --config "
                     "allows it)",
                     node->text.data, why);
    return end == BRZ_PROJECT_FILE_OPEN && add_open_file(c, &f, false);
}

/* Adds the file that a trusted file extends. */
static bool add_named_extended(brz_config *c, const brz_yaml *node)
{
    char *path = brz_config_path(node);
    bool good = access(path, F_OK) == 0;
    if (!good)
        brz_yaml_say(c->console, BRZ_FATAL, node, "cannot open '%s': %s", path, strerror(errno));
    good = good && add_file(c, path);
    free(path);
    return good;
}

/* Adds the files that the last one extends, each of which may extend another one. */
static bool add_extended(brz_config *c)
{
    if (c->n_files == 0)
        return true;
    const brz_yaml *node = brz_yaml_get(c->files[c->n_files - 1]->root, "extends");
    for (size_t i = 0; node != NULL; i++) {
        bool is_path = node->type == BRZ_YAML_SCALAR && node->text.len > 0;
        if (!is_path || i == MAX_EXTENDED) {
            brz_yaml_say(c->console, BRZ_FATAL, node, "%s",
                         is_path ? "files extend each other too deeply, or in a circle"
                                 : "'extends' is the path of a configuration");
            return false;
        }
        if (!(node->file->beneath != NULL ? add_found_extended(c, node)
                                          : add_named_extended(c, node)))
            return false;
        node = brz_yaml_get(c->files[c->n_files - 1]->root, "extends");
    }
    return true;
}

static bool find_user_file(char path[PATH_MAX])
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    int n = -1;
    if (config != NULL && config[0] == '/')
        n = snprintf(path, PATH_MAX, "%s/brazier/config.yaml", config);
    else if (home != NULL && home[0] == '/')
        n = snprintf(path, PATH_MAX, "%s/.config/brazier/config.yaml", home);
    return n > 0 && n < PATH_MAX && access(path, F_OK) == 0;
}

bool brz_config_shipped_path(const brz_registry *r, const char *name, char path[PATH_MAX])
{
    char dir[PATH_MAX];
    brz_registry_config_dir(r, dir);
    int n = snprintf(path, PATH_MAX, "%s/%s", dir, name);
    return n > 0 && n < PATH_MAX;
}

bool brz_config_find_shipped(const brz_registry *r, const char *name, char path[PATH_MAX])
{
    return brz_config_shipped_path(r, name, path) && access(path, F_OK) == 0;
}

brz_config *brz_config_load(const brz_config_options *options, brz_registry *registry,
                            brz_console *console)
{
    char path[PATH_MAX];
    brz_config *c = brz_calloc(1, sizeof *c);
    c->console = console;
    c->registry = registry;
    c->keeps_mistakes = options->keeps_mistakes;
    bool good = true;
    if (options->text != NULL)
        good = add_tree(
            c, brz_yaml_parse(options->text, strlen(options->text), "configuration", console),
            NULL);
    else if (options->file != NULL)
        good = options->distrust && !options->trust ? add_distrusted_file(c, options->file)
                                                    : add_file(c, options->file);
    else if (!options->none)
        good = add_project_file(c, options->trust);
    good = good && add_extended(c);
    if (good && !options->none && find_user_file(path))
        good = add_file(c, path);
    if (!good) {
        brz_config_destroy(c);
        return NULL;
    }
    return c;
}

/* Adds the shipped file. Restricts its outputs to the working directory: their names, such as
 * flame.svg, are known, so the creator of that directory could have placed links there. */
static bool add_shipped(brz_config *c, const char *path)
{
    char cwd[PATH_MAX];
    if (!add_file(c, path))
        return false;
    bool has_path = getcwd(cwd, sizeof cwd) != NULL; /* it may be too long to have one */
    c->has_working = brz_beneath_open(&c->working, has_path ? cwd : ".");
    c->files[c->n_files - 1]->outputs = c->has_working ? &c->working : NULL;
    return true;
}

bool brz_config_complete(brz_config *c)
{
    char path[PATH_MAX];
    if (c->complete)
        return true;
    c->complete = true;
    return !brz_config_find_shipped(c->registry, "brazier.yaml", path) || add_shipped(c, path);
}

void brz_config_destroy(brz_config *c)
{
    if (c == NULL)
        return;
    for (size_t i = 0; i < c->n_files; i++)
        brz_yaml_destroy(c->files[i]);
    for (size_t i = 0; i < c->n_projects; i++)
        brz_beneath_close(&c->projects[i]);
    if (c->has_working)
        brz_beneath_close(&c->working);
    free(c);
}

/* ---- lookup
 * ----------------------------------------------------------------------------------- */

const brz_yaml *brz_config_near_section(const brz_config *c, const char *section)
{
    return brz_yaml_get(c->root, section);
}

const brz_yaml *brz_config_section(brz_config *c, const char *section)
{
    brz_config_complete(c);
    return brz_yaml_get(c->root, section);
}

static const brz_yaml *find_child(const brz_yaml *map, brz_str name)
{
    for (const brz_yaml *n = map == NULL || map->type != BRZ_YAML_MAP ? NULL : map->first;
         n != NULL; n = n->next)
        if (brz_str_equal(n->key->text, name))
            return n;
    return NULL;
}

const brz_yaml *brz_config_find(brz_config *c, const char *section, brz_str name)
{
    const brz_yaml *found = find_child(brz_yaml_get(c->root, section), name);
    if (found != NULL || c->complete || !brz_config_complete(c))
        return found;
    return find_child(brz_yaml_get(c->root, section), name);
}

bool brz_config_has_mistakes(const brz_config *c)
{
    return c->has_mistakes;
}

const brz_yaml *brz_config_limit(const brz_config *c, size_t i)
{
    return i < c->n_limits ? c->limits[i] : NULL;
}

const brz_yaml_file *brz_config_file(const brz_config *c, size_t i)
{
    return i < c->n_files ? c->files[i] : NULL;
}

/* SPDX-License-Identifier: MIT */
/* Formats that configurations define, and those shipped as YAML. */
#include "config/formats.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ids.h"
#include "base/mem.h"
#include "config/resolve.h"

/* Limit on a list of texts. */
#define MOST_WORDS 64

typedef enum state {
    FOUND,
    BEING_MADE,
    GOOD,
    WRONG,       /* and reported */
    WRONG_QUIET, /* and not reported */
} state;

/* A format whose definition was found. */
typedef struct entry {
    brz_str name;
    const brz_yaml *definition;
    state state;
    brz_loaded loaded;
    brz_component component;
    brz_format format;
    brz_use use; /* with the options for guessing */
} entry;

/* A shipped format: its line of the index. */
typedef struct line {
    brz_str name;
    brz_text_list contains;
} line;

struct brz_formats {
    brz_session *session;
    brz_format_source source;
    brz_arena memory;
    entry **entries;
    size_t n_entries, entries_cap;
    brz_yaml_file **files; /* shipped definitions */
    size_t n_files, files_cap;
    line *lines; /* the index */
    size_t n_lines, lines_cap;
    bool has_index;
    bool is_quiet; /* mistakes are not reported now */
};

/* ---- definitions ----------------------------------------------------------------------------- */

/* Returns whether a text is a valid name of a format. */
static bool is_name(const char *name)
{
    return brz_is_id(name) && strcmp(name, "guess") != 0;
}

/* Reports an error at a node. Returns false. */
static bool complain(brz_session *s, const brz_yaml *at, const char *what)
{
    brz_yaml_say(&s->console, BRZ_FATAL, at, "%s", what);
    return false;
}

/* Reads a text or a list of texts. Returns false after reporting an error. */
static bool read_words(brz_formats *f, brz_session *s, const brz_yaml *node, brz_text_list *words)
{
    if (node == NULL || (node->type == BRZ_YAML_SCALAR && node->is_null))
        return true;
    size_t n = 0, most = node->type == BRZ_YAML_LIST ? node->n_children : 1;
    if (most > MOST_WORDS)
        return complain(s, node, "this list is too long: it has at most 64 items");
    const char **list = brz_arena_alloc(&f->memory, (most + 1) * sizeof *list, 0);
    const brz_yaml *first = node->type == BRZ_YAML_LIST ? node->first : node;
    for (const brz_yaml *i = first; i != NULL; i = node->type == BRZ_YAML_LIST ? i->next : NULL) {
        if (i->type != BRZ_YAML_SCALAR || i->text.len == 0)
            return complain(s, i, "write a text here, or a list of texts");
        list[n++] = i->text.data;
    }
    list[n] = NULL;
    *words = n > 0 ? list : NULL;
    return true;
}

static bool check_text(brz_session *s, const brz_yaml *node)
{
    return node == NULL || node->type == BRZ_YAML_SCALAR || complain(s, node, "write a text here");
}

/* Checks the form of a definition, apart from its options. */
static bool check_form(brz_session *s, const entry *e)
{
    static const char *const keys[] = {"summary", "help",    "files",    "contains",
                                       "use",     "options", "examples", NULL};
    const brz_yaml *d = e->definition, *at = d->key != NULL ? d->key : d;
    if (!is_name(e->name.data))
        return complain(s, at, "the name of a format is " BRZ_ID_RULE ", and not 'guess'");
    if (d->type != BRZ_YAML_MAP)
        return complain(s, d, "a format is a map: use: COLLAPSER, options: {…}");
    if (!brz_config_check_keys(&s->console, d, "a format has no key", keys) ||
        !check_text(s, brz_yaml_get(d, "summary")) || !check_text(s, brz_yaml_get(d, "help")))
        return false;
    const brz_yaml *use = brz_yaml_get(d, "use");
    if (use == NULL)
        return complain(s, at, "a format needs a collapser: use: NAME");
    return use->type == BRZ_YAML_SCALAR || complain(s, use, "write the name of a collapser here");
}

/* ---- making components ----------------------------------------------------------------------- */

static size_t depth_of(const brz_loaded *l)
{
    size_t depth = 0;
    for (; l->format != NULL; l = l->format->base)
        depth++;
    return depth;
}

/* Returns the format that is being made and has this name, or NULL. */
static const entry *find_unfinished(const brz_formats *f, brz_str name)
{
    for (size_t i = 0; i < f->n_entries; i++)
        if (f->entries[i]->state == BEING_MADE && brz_str_equal(f->entries[i]->name, name))
            return f->entries[i];
    return NULL;
}

/* Reports formats that use each other, if the missing collapser is one of them. */
static bool say_circle(const brz_formats *f, brz_session *s, const brz_yaml *use)
{
    brz_buf circle = {0};
    const entry *first = find_unfinished(f, use->text), *e = first;
    for (size_t n = 0; e != NULL && n < BRZ_FORMAT_DEPTH; n++) {
        const brz_yaml *next = brz_yaml_get(e->definition, "use");
        brz_buf_printf(&circle, "%s'%s' uses '%s'", n > 0 ? ", " : "", e->name.data,
                       next->text.data);
        e = find_unfinished(f, next->text);
        if (e == first)
            break;
    }
    if (first != NULL)
        brz_yaml_say(&s->console, BRZ_FATAL, use,
                     "formats use each other in a circle, without a plug-in: %s",
                     brz_buf_text(&circle));
    brz_buf_finish(&circle);
    return first != NULL;
}

/* Finds the collapser that a format uses. Returns NULL after reporting an error. */
static const brz_loaded *find_base(const brz_formats *f, brz_session *s, const brz_yaml *use)
{
    brz_buf error = {0};
    const brz_loaded *base = brz_registry_find(s->registry, BRZ_COLLAPSER, use->text, &error);
    bool is_circle = error.len > 0 && say_circle(f, s, use);
    if (error.len > 0 && !is_circle)
        complain(s, use, brz_buf_text(&error));
    else if (base == NULL && !is_circle)
        brz_yaml_say(&s->console, BRZ_FATAL, use, "the format '%s' has a mistake", use->text.data);
    brz_buf_finish(&error);
    if (base == NULL || depth_of(base) + 1 < BRZ_FORMAT_DEPTH)
        return base;
    complain(s, use, "formats use each other too deeply");
    return NULL;
}

/* Returns a text of the definition, or NULL. */
static const char *text_of(const entry *e, const char *key)
{
    const brz_yaml *node = brz_yaml_get(e->definition, key);
    return node == NULL || node->text.len == 0 ? NULL : node->text.data;
}

/* Fills in the component, which has the options of the collapser. */
static void fill(entry *e, const brz_loaded *base)
{
    const char *summary = text_of(e, "summary"), *help = text_of(e, "help");
    e->component = *base->component;
    e->component.id = e->name.data;
    e->component.summary = summary != NULL ? summary : base->component->summary;
    e->component.help = help != NULL ? help : base->component->help;
    e->loaded = *base;
    e->loaded.component = &e->component;
    e->loaded.plugin = BRZ_FORMATS_PLUGIN;
    e->loaded.path = e->definition->file->name;
    e->loaded.format = &e->format;
    e->format.base = base;
    e->format.definition = e->definition;
}

/* Checks the options of the format by setting them, which a guess needs, too. */
static bool set_options(brz_session *s, entry *e)
{
    bool is_described = brz_registry_describes(s->registry) && !e->loaded.is_shipped;
    const brz_request request = {.is_survey = is_described};
    const brz_resolver r = {.session = s, .request = &request};
    const brz_yaml *use = brz_yaml_get(e->definition, "use");
    bool good = brz_resolve_loaded(&r, &e->loaded, use, NULL, &e->use);
    e->format.cfg = good ? e->use.options->cfg : NULL;
    return good;
}

static bool make_parts(brz_formats *f, brz_session *s, entry *e)
{
    if (!check_form(s, e) ||
        !read_words(f, s, brz_yaml_get(e->definition, "files"), &e->format.files) ||
        !read_words(f, s, brz_yaml_get(e->definition, "contains"), &e->format.contains))
        return false;
    const brz_loaded *base = find_base(f, s, brz_yaml_get(e->definition, "use"));
    if (base == NULL)
        return false;
    fill(e, base);
    brz_use_finish(&e->use);
    return set_options(s, e);
}

/* Makes the component, unless that was done before. Returns NULL if the definition has a
 * mistake. */
static const brz_loaded *make(brz_formats *f, entry *e)
{
    if (e->state == WRONG || (e->state == WRONG_QUIET && f->is_quiet))
        return NULL;
    if (e->state == GOOD)
        return &e->loaded;
    brz_session quiet = *f->session;
    quiet.console = (brz_console){.out = NULL};
    e->state = BEING_MADE;
    bool good = make_parts(f, f->is_quiet ? &quiet : f->session, e);
    e->state = good ? GOOD : f->is_quiet ? WRONG_QUIET : WRONG;
    return good ? &e->loaded : NULL;
}

/* ---- finding definitions --------------------------------------------------------------------- */

static entry *add_entry(brz_formats *f, brz_format_owner owner, brz_str name,
                        const brz_yaml *definition)
{
    entry *e = brz_arena_alloc(&f->memory, sizeof *e, 0);
    *e = (entry){.name = name, .definition = definition, .format = {.owner = owner}};
    f->entries = brz_grow(f->entries, f->n_entries, &f->entries_cap, sizeof *f->entries);
    f->entries[f->n_entries++] = e;
    return e;
}

static entry *known_entry(const brz_formats *f, brz_format_owner owner, brz_str name)
{
    for (size_t i = 0; i < f->n_entries; i++)
        if (f->entries[i]->format.owner == owner && brz_str_equal(f->entries[i]->name, name))
            return f->entries[i];
    return NULL;
}

/* Returns the first format of the configuration, or NULL. */
static const brz_yaml *first_near(const brz_formats *f)
{
    const brz_yaml *section = brz_config_near_section(f->session->config, "formats");
    return section == NULL || section->type != BRZ_YAML_MAP ? NULL : section->first;
}

static entry *near_entry(brz_formats *f, brz_str name)
{
    for (const brz_yaml *n = first_near(f); n != NULL; n = n->next)
        if (brz_str_equal(n->key->text, name))
            return add_entry(f, BRZ_FORMAT_NEAR, n->key->text, n);
    return NULL;
}

/* Reads the file of a shipped format. Returns NULL if it does not exist. */
static entry *shipped_entry(brz_formats *f, brz_str name)
{
    char path[PATH_MAX], file[sizeof "formats/.yaml" + BRZ_ID_MAX];
    brz_str own = brz_arena_str(&f->memory, name);
    if (!is_name(own.data))
        return NULL;
    snprintf(file, sizeof file, "formats/%s.yaml", own.data);
    bool exists = brz_config_find_shipped(f->session->registry, file, path);
    brz_yaml_file *yaml = exists ? brz_yaml_read(path, &f->session->console) : NULL;
    if (yaml == NULL || yaml->root == NULL) {
        brz_yaml_destroy(yaml);
        return NULL;
    }
    f->files = brz_grow(f->files, f->n_files, &f->files_cap, sizeof(brz_yaml_file *));
    f->files[f->n_files++] = yaml;
    return add_entry(f, BRZ_FORMAT_SHIPPED, own, yaml->root);
}

static entry *find_entry(brz_formats *f, brz_format_owner owner, brz_str name)
{
    entry *e = known_entry(f, owner, name);
    if (e != NULL)
        return e;
    return owner == BRZ_FORMAT_NEAR ? near_entry(f, name) : shipped_entry(f, name);
}

/* Implements brz_format_source.find. A format that uses its own name means the plug-in. */
static const brz_loaded *find(void *context, brz_format_owner owner, brz_str name, bool *is_wrong)
{
    brz_formats *f = context;
    entry *e = find_entry(f, owner, name);
    if (e == NULL || e->state == BEING_MADE)
        return NULL;
    const brz_loaded *l = make(f, e);
    *is_wrong = l == NULL;
    return l;
}

/* ---- the index of shipped formats ------------------------------------------------------------ */

/* Adds the line of a format: its name, and texts after tabs. */
static void add_line(brz_formats *f, char *text)
{
    size_t n = 0, tabs = 0;
    for (const char *p = text; *p != '\0'; p++)
        tabs += *p == '\t';
    const char **words = brz_arena_alloc(&f->memory, (tabs + 1) * sizeof *words, 0);
    for (char *tab = strchr(text, '\t'); tab != NULL; tab = strchr(tab + 1, '\t')) {
        *tab = '\0';
        words[n++] = tab + 1;
    }
    words[n] = NULL;
    f->lines = brz_grow(f->lines, f->n_lines, &f->lines_cap, sizeof *f->lines);
    f->lines[f->n_lines++] = (line){brz_str_of_text(text), n > 0 ? words : NULL};
}

/* Reads the index, once. An installation may lack it. */
static void read_index(brz_formats *f)
{
    char path[PATH_MAX], *rest = NULL;
    brz_buf text = {0};
    if (f->has_index)
        return;
    f->has_index = true;
    if (!brz_config_shipped_path(f->session->registry, BRZ_FORMATS_INDEX, path))
        return;
    if (!brz_buf_read_file(&text, path) && errno != ENOENT && errno != ENOTDIR)
        brz_registry_say_unread(f->session->registry, path, errno);
    brz_str whole = brz_str_of_text(brz_buf_text(&text));
    char *all = (char *)(uintptr_t)brz_arena_str(&f->memory, whole).data;
    for (char *at = strtok_r(all, "\n", &rest); at != NULL; at = strtok_r(NULL, "\n", &rest))
        add_line(f, at);
    brz_buf_finish(&text);
}

/* ---- all formats ----------------------------------------------------------------------------- */

/* Makes a format for a list or a guess, in which a mistake is no error. */
static void give(brz_formats *f, entry *e, brz_format_fn *take, void *to)
{
    f->is_quiet = true;
    const brz_loaded *l = e == NULL ? NULL : make(f, e);
    f->is_quiet = false;
    if (l != NULL)
        take(to, l);
    else if (e != NULL)
        brz_yaml_say(&f->session->console, BRZ_WARNING,
                     e->definition->key != NULL ? e->definition->key : e->definition,
                     "the format '%s' is left out, because its definition has a mistake: brazier "
                     "config check reports it",
                     e->name.data);
}

/* Returns whether a text of a list occurs, or the list is missing. */
static bool holds(const brz_format_test *test, brz_text_list contains)
{
    return test == NULL || contains == NULL || test->holds(test->context, contains);
}

static void load_near(brz_formats *f, const brz_format_test *test, brz_format_fn *take, void *to)
{
    for (const brz_yaml *n = first_near(f); n != NULL; n = n->next) {
        brz_text_list contains = NULL;
        brz_session quiet = *f->session;
        quiet.console = (brz_console){.out = NULL};
        read_words(f, &quiet, brz_yaml_get(n, "contains"), &contains);
        if (!holds(test, contains))
            continue;
        entry *e = known_entry(f, BRZ_FORMAT_NEAR, n->key->text);
        give(f, e != NULL ? e : add_entry(f, BRZ_FORMAT_NEAR, n->key->text, n), take, to);
    }
}

/* Gives the shipped formats that the index lists and that pass the test. Those without texts are
 * never guessed. */
static void load_listed(brz_formats *f, const brz_format_test *test, brz_format_fn *take, void *to)
{
    read_index(f);
    for (size_t i = 0; i < f->n_lines; i++)
        if (f->lines[i].contains != NULL && holds(test, f->lines[i].contains))
            give(f, find_entry(f, BRZ_FORMAT_SHIPPED, f->lines[i].name), take, to);
}

/* Gives all shipped formats, by their files. */
static void load_files(brz_formats *f, brz_format_fn *take, void *to)
{
    char path[PATH_MAX];
    struct dirent **files = NULL;
    bool exists = brz_config_find_shipped(f->session->registry, "formats", path);
    int n = exists ? scandir(path, &files, NULL, alphasort) : 0;
    if (n < 0)
        brz_registry_say_unread(f->session->registry, path, errno);
    for (int i = 0; i < n; i++) {
        size_t len = strlen(files[i]->d_name);
        if (len > 5 && strcmp(files[i]->d_name + len - 5, ".yaml") == 0)
            give(f, find_entry(f, BRZ_FORMAT_SHIPPED, brz_str_of(files[i]->d_name, len - 5)), take,
                 to);
        free(files[i]);
    }
    free(files);
}

static void load_shipped(brz_formats *f, const brz_format_test *test, brz_format_fn *take, void *to)
{
    if (test != NULL)
        load_listed(f, test, take, to);
    else
        load_files(f, take, to);
}

/* Implements brz_format_source.load. */
static void load(void *context, brz_format_owner owner, const brz_format_test *test,
                 brz_format_fn *take, void *to)
{
    if (owner == BRZ_FORMAT_NEAR)
        load_near(context, test, take, to);
    else
        load_shipped(context, test, take, to);
}

/* Implements brz_format_source.suggest. */
static void suggest(void *context, brz_suggestion *to)
{
    brz_formats *f = context;
    for (const brz_yaml *n = first_near(f); n != NULL; n = n->next)
        brz_suggestion_offer(to, n->key->text.data);
    read_index(f);
    for (size_t i = 0; i < f->n_lines; i++)
        brz_suggestion_offer(to, f->lines[i].name.data);
}

/* ---- confinement ----------------------------------------------------------------------------- */

const brz_beneath *brz_format_confines(const brz_loaded *l)
{
    const brz_beneath *beneath = NULL;
    for (; l->format != NULL && beneath == NULL; l = l->format->base)
        beneath = l->format->definition->file->beneath;
    return beneath;
}

const brz_beneath *brz_formats_confine_guess(const brz_config *c)
{
    const brz_yaml *section = brz_config_near_section(c, "formats");
    bool is_map = section != NULL && section->type == BRZ_YAML_MAP;
    for (const brz_yaml *n = is_map ? section->first : NULL; n != NULL; n = n->next)
        if (n->file->beneath != NULL && brz_yaml_is(brz_yaml_get(n, "use"), n->key->text.data))
            return n->file->beneath;
    return NULL;
}

/* ---- life cycle ------------------------------------------------------------------------------ */

brz_formats *brz_formats_create(brz_session *s)
{
    brz_formats *f = brz_calloc(1, sizeof *f);
    f->session = s;
    f->source = (brz_format_source){.context = f, .find = find, .load = load, .suggest = suggest};
    brz_registry_set_formats(s->registry, &f->source);
    return f;
}

void brz_formats_destroy(brz_formats *f)
{
    if (f == NULL)
        return;
    for (size_t i = 0; i < f->n_entries; i++)
        brz_use_finish(&f->entries[i]->use);
    for (size_t i = 0; i < f->n_files; i++)
        brz_yaml_destroy(f->files[i]);
    free(f->entries);
    free(f->files);
    free(f->lines);
    brz_arena_finish(&f->memory);
    free(f);
}

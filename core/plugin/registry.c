/* SPDX-License-Identifier: MIT */
/* Finds the components that a run names. */
#include "plugin/registry.h"

#include <brazier/symbol.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugin/elf_note.h"
#include "plugin/installation.h"
#include "plugin/process_state.h"
#include "base/mem.h"
#include "base/suggest.h"
#include "base/diag.h"

/* A library in a folder. Both texts are in the registry's memory. */
typedef struct library {
    const char *name;
    bool is_file;     /* rather than a link, or anything else */
    const char *path; /* its absolute path without links; NULL until a run needs the library */
    bool was_read;    /* for its hints */
    bool has_hints;
    brz_str hints;
    const brz_built_in *built_in; /* it is part of the program; NULL: it is a file */
} library;

/* A place to search for plug-ins: a folder or a file. */
typedef struct place {
    char *path; /* absolute, without links */
    brz_tier tier;
    bool is_dir;
    bool listed;        /* the folder has been read */
    library *libraries; /* *.so files of a folder, in any order */
    size_t n_libraries, libraries_cap;
} place;

/* A file that was loaded or refused before. */
typedef struct tried {
    char *path;
    size_t len; /* of the path */
} tried;

/* Components that a configuration allows or denies. */
typedef struct name_list {
    brz_str *names;
    size_t n, cap;
} name_list;

struct brz_registry {
    brz_console *console;
    bool shipped_only; /* ignore other places, whoever names them */
    brz_describe_fn *describe;
    bool describes_only; /* see brz_registry_describe() */
    brz_arena memory;
    brz_installation installation;
    char *shipped_dir;
    place *places;
    size_t n_places, places_cap;
    brz_plugin_file *files;
    size_t n_files, files_cap;
    brz_program program; /* at the path in `installation` */
    tried *tried;
    size_t n_tried, tried_cap;
    name_list allow[BRZ_MAX_ALLOWING], deny;
    size_t n_allow;
    const brz_loaded **sorted;
    brz_tier *sorted_tiers;
    size_t n_sorted;
    const brz_format_source *formats; /* NULL: there are none */
    const brz_loaded **made;          /* formats, made to list all components */
    size_t n_made, made_cap;
    bool incomplete; /* see brz_registry_is_incomplete() */
    bool said_limit; /* that no more files can be opened */
};

/* Returns the prefix of the file names of shipped plug-ins. */
static const char *file_prefix(uint32_t kind)
{
    static const char *const names[] = {"", "collapse-", "palette-", "output-", "transform-"};
    return names[kind];
}

/* ---- places -------------------------------------------------------------------------------- */

/* Returns the severity of a failure to read a file or folder. A problem of the file is a warning,
 * because the run may not need it. A system error is fatal, because the result could differ without
 * the file. */
static int32_t severity_of(brz_registry *r, int error)
{
    bool system = brz_system_failure(error) != 0;
    r->incomplete |= system;
    return system ? BRZ_FATAL : BRZ_WARNING;
}

/* Returns whether no more files can be opened, which has been reported: all others fail likewise.
 */
static bool is_repeated(brz_registry *r, int error)
{
    bool is_limit = error == EMFILE || error == ENFILE;
    bool was_said = r->said_limit;
    r->said_limit |= is_limit;
    return is_limit && was_said;
}

/* Returns the remedy of a system error, or an empty text. */
static const char *remedy_of(int error)
{
    return error == EMFILE ? " (ulimit -n permits more)" : "";
}

brz_console *brz_registry_console(const brz_registry *r)
{
    return r->console;
}

bool brz_registry_is_incomplete(const brz_registry *r)
{
    return r->incomplete;
}

static void add_place(brz_registry *r, const char *path, brz_tier tier, bool is_dir)
{
    size_t at = r->n_places;
    r->places = brz_grow(r->places, r->n_places, &r->places_cap, sizeof *r->places);
    while (at > 0 && r->places[at - 1].tier > tier)
        at--;
    memmove(r->places + at + 1, r->places + at, (r->n_places - at) * sizeof *r->places);
    if (tier != BRZ_TIER_SHIPPED)
        brz_process_state_record(); /* before any of its code can run */
    r->places[at] = (place){.path = brz_memdup(path, strlen(path)), .tier = tier, .is_dir = is_dir};
    r->n_places++;
}

/* Adds a place by its absolute path, because dlopen() searches for relative ones. */
static void add_given(brz_registry *r, const char *path, brz_tier tier, bool is_dir)
{
    char absolute[PATH_MAX];
    if (realpath(path, absolute) != NULL) {
        add_place(r, absolute, tier, is_dir);
        return;
    }
    int error = errno;
    brz_say_code(r->console, severity_of(r, error), BRZ_SAYS_PLUGIN, "%s: %s", path,
                 strerror(error));
}

static void add_environment_dir(brz_registry *r, const char *dir)
{
    if (dir[0] == '/')
        add_given(r, dir, BRZ_TIER_ENV, true);
    else
        brz_say(r->console, BRZ_WARNING,
                "BRAZIER_PLUGIN_PATH: '%s' is not an absolute path: ignored", dir);
}

/* Adds the folders in the environment variable. An empty component is not an absolute path; an
 * empty variable has no components. */
static void add_environment(brz_registry *r)
{
    const char *list = getenv("BRAZIER_PLUGIN_PATH");
    if (list == NULL || *list == '\0')
        return;
    for (;; list++) {
        size_t n = strcspn(list, ":");
        char *dir = brz_memdup(list, n);
        add_environment_dir(r, dir);
        free(dir);
        list += n;
        if (*list == '\0')
            return;
    }
}

/* Name of the user's folder of plug-ins. */
#define NUMBER(n)   #n
#define TEXT_OF(n)  NUMBER(n)
#define USER_FOLDER "/brazier/plugins-v" TEXT_OF(BRZ_ABI_MAJOR)

static void add_user_dir(brz_registry *r)
{
    brz_buf path = {0};
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data != NULL && data[0] == '/') {
        brz_buf_add_text(&path, data);
        brz_buf_add_text(&path, USER_FOLDER);
    } else if (home != NULL && home[0] == '/') {
        brz_buf_add_text(&path, home);
        brz_buf_add_text(&path, "/.local/share" USER_FOLDER);
    }
    if (path.len > 0 && path.len < PATH_MAX && access(brz_buf_text(&path), F_OK) == 0)
        add_given(r, brz_buf_text(&path), BRZ_TIER_USER, true);
    brz_buf_finish(&path);
}

/* Lists the plug-ins that are part of the program. */
static void list_built_in(place *p, const brz_built_in *b)
{
    p->listed = true;
    for (; b->file != NULL; b++) {
        library l = {.name = b->file, .is_file = true, .was_read = true, .built_in = b};
        l.has_hints = b->hints != NULL;
        if (l.has_hints)
            l.hints = brz_str_of(b->hints->hints, b->hints->desc_size);
        p->libraries =
            brz_grow(p->libraries, p->n_libraries, &p->libraries_cap, sizeof *p->libraries);
        p->libraries[p->n_libraries++] = l;
    }
}

/* Adds the plug-ins of a static program, whose folder is the program itself. */
static void find_built_in(brz_registry *r, const brz_built_in *b)
{
    const char *program = r->installation.file;
    r->shipped_dir = brz_memdup(program, strlen(program));
    add_place(r, program, BRZ_TIER_SHIPPED, true);
    list_built_in(&r->places[0], b);
}

static void find_shipped(brz_registry *r)
{
    char dir[PATH_MAX];
    if (brz_built_in_plugins() != NULL) {
        find_built_in(r, brz_built_in_plugins());
        return;
    }
    brz_installation_plugin_dir(&r->installation, dir);
    r->shipped_dir = brz_memdup(dir, strlen(dir));
    add_place(r, dir, BRZ_TIER_SHIPPED, true);
}

/* Returns whether this process has rights that its user lacks: a program with capabilities, or of
 * another user. */
static bool has_foreign_rights(void)
{
    return getauxval(AT_SECURE) != 0 || geteuid() != getuid();
}

brz_registry *brz_registry_create(const brz_registry_options *options, brz_console *console)
{
    brz_registry *r = brz_calloc(1, sizeof *r);
    r->console = console;
    r->describe = options->describe;
    r->shipped_only = options->shipped_only || has_foreign_rights();
    brz_installation_find(&r->installation);
    r->program.path = r->installation.file;
    find_shipped(r);
    if (r->shipped_only && !options->shipped_only)
        brz_say(console, BRZ_NOTE,
                "the program has rights that you lack, so it uses shipped plug-ins only");
    if (r->shipped_only)
        return r;
    for (size_t i = 0; i < options->n_files; i++)
        add_given(r, options->files[i], BRZ_TIER_FILE, false);
    for (size_t i = 0; i < options->n_dirs; i++)
        add_given(r, options->dirs[i], BRZ_TIER_DIR, true);
    add_environment(r);
    add_user_dir(r);
    return r;
}

static void finish_place(place *p)
{
    free(p->libraries);
    free(p->path);
}

void brz_registry_destroy(brz_registry *r)
{
    if (r == NULL)
        return;
    for (size_t i = 0; i < r->n_places; i++)
        finish_place(&r->places[i]);
    for (size_t i = 0; i < r->n_tried; i++)
        free(r->tried[i].path);
    free(r->places);
    free(r->tried);
    free(r->files);
    free(r->made);
    free(r->sorted);
    free(r->sorted_tiers);
    for (size_t i = 0; i < r->n_allow; i++)
        free(r->allow[i].names);
    free(r->deny.names);
    free(r->shipped_dir);
    brz_arena_finish(&r->memory);
    free(r);
}

void brz_registry_add_dir(brz_registry *r, const char *dir)
{
    if (!r->shipped_only)
        add_given(r, dir, BRZ_TIER_CONFIG, true);
}

void brz_registry_add_file(brz_registry *r, const char *file)
{
    if (!r->shipped_only)
        add_given(r, file, BRZ_TIER_CONFIG, false);
}

const char *brz_registry_program(const brz_registry *r)
{
    return r->installation.file;
}

brz_tier brz_registry_tier_of_file(const brz_registry *r, const char *path)
{
    size_t n = strlen(r->shipped_dir);
    return strncmp(path, r->shipped_dir, n) == 0 && path[n] == '/' ? BRZ_TIER_SHIPPED
                                                                   : BRZ_TIER_FILE;
}

bool brz_registry_ships(const brz_registry *r, const brz_loaded *l)
{
    return l->format != NULL ? l->format->owner == BRZ_FORMAT_SHIPPED
                             : brz_registry_tier_of_file(r, l->path) == BRZ_TIER_SHIPPED;
}

void brz_registry_config_dir(const brz_registry *r, char dir[PATH_MAX])
{
    brz_installation_config_dir(&r->installation, dir);
}

/* ---- files --------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const library *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

static bool is_library_name(const char *name)
{
    size_t n = strlen(name);
    return n > 3 && name[0] != '.' && strcmp(name + n - 3, ".so") == 0;
}

static void say_unlisted(brz_registry *r, const place *p, int error)
{
    if (is_repeated(r, error))
        return;
    brz_say_code(r->console, severity_of(r, error), BRZ_SAYS_PLUGIN,
                 "plug-ins cannot be looked for in %s: %s%s", p->path, strerror(error),
                 remedy_of(error));
}

void brz_registry_say_unread(brz_registry *r, const char *path, int error)
{
    if (!is_repeated(r, error))
        brz_say_code(r->console, severity_of(r, error), BRZ_SAYS_CONFIG, "cannot read '%s': %s%s",
                     path, strerror(error), remedy_of(error));
}

static const char *keep_text(brz_registry *r, const char *text)
{
    return brz_arena_str(&r->memory, brz_str_of_text(text)).data;
}

/* Returns whether an entry of a folder is a file; false if the file system does not state it. */
static bool is_regular(const struct dirent *e)
{
#ifdef DT_REG
    return e->d_type == DT_REG;
#else
    (void)e;
    return false;
#endif
}

static void add_library(brz_registry *r, place *p, const struct dirent *e)
{
    p->libraries = brz_grow(p->libraries, p->n_libraries, &p->libraries_cap, sizeof *p->libraries);
    p->libraries[p->n_libraries++] =
        (library){.name = keep_text(r, e->d_name), .is_file = is_regular(e)};
}

/* Reads the names of a folder's libraries, once. */
static void list_place(brz_registry *r, place *p)
{
    if (p->listed || !p->is_dir)
        return;
    p->listed = true;
    DIR *dir = opendir(p->path);
    if (dir == NULL) {
        say_unlisted(r, p, errno);
        return;
    }
    for (struct dirent *e; errno = 0, (e = readdir(dir)) != NULL;) {
        if (is_library_name(e->d_name))
            add_library(r, p, e);
    }
    if (errno != 0)
        say_unlisted(r, p, errno);
    closedir(dir);
}

static bool was_tried(const brz_registry *r, const char *path)
{
    size_t len = strlen(path);
    for (size_t i = 0; i < r->n_tried; i++)
        if (r->tried[i].len == len && memcmp(r->tried[i].path, path, len) == 0)
            return true;
    return false;
}

/* Warns about a file that is refused, because the run may not need it. */
static void say_refused(brz_registry *r, const char *path, const brz_steps *steps)
{
    const brz_step *s = &steps->items[steps->n - 1];
    if (is_repeated(r, steps->error))
        return;
    brz_say_code(r->console, severity_of(r, steps->error), BRZ_SAYS_PLUGIN,
                 "plug-in %s is not used: %s: %s%s", path, s->name, brz_buf_text(&s->detail),
                 remedy_of(steps->error));
}

/* Returns whether plug-ins of a tier are described rather than loaded. */
static bool describes(const brz_registry *r, brz_tier tier)
{
    return r->describes_only && tier != BRZ_TIER_SHIPPED && r->describe != NULL;
}

/* Adds a file that was loaded or described, or warns about one that is refused. */
static void add_file(brz_registry *r, brz_describing *item)
{
    if (item->good) {
        r->files = brz_grow(r->files, r->n_files, &r->files_cap, sizeof *r->files);
        r->files[r->n_files++] = item->file;
        if (item->file.left_out != NULL)
            brz_say_code(r->console, BRZ_WARNING, BRZ_SAYS_PLUGIN, "plug-in %s: %s", item->path,
                         item->file.left_out);
    } else {
        say_refused(r, item->path, &item->steps);
    }
    brz_steps_finish(&item->steps);
}

/* Loads a described file. Forgets its components and warns if it is refused. */
static bool load_described(brz_registry *r, brz_plugin_file *file, bool confined)
{
    brz_steps steps = {.n = 0};
    bool good = brz_described_load(file, confined, &r->memory, &steps);
    if (!good) {
        say_refused(r, file->path, &steps);
        file->n_components = 0;
        file->is_described = false;
    }
    brz_steps_finish(&steps);
    return good;
}

/* Loads a file that was only described before, unless plug-ins are only described now. */
static void load_again(brz_registry *r, const char *path)
{
    for (size_t i = 0; i < r->n_files && !r->describes_only; i++)
        if (r->files[i].is_described && strcmp(r->files[i].path, path) == 0)
            load_described(r, &r->files[i], false);
}

static void note_tried(brz_registry *r, const char *path)
{
    size_t len = strlen(path);
    r->tried = brz_grow(r->tried, r->n_tried, &r->tried_cap, sizeof *r->tried);
    r->tried[r->n_tried++] = (tried){brz_memdup(path, len), len};
}

/* Loads or describes a file, given by its absolute path without links, or a part of the program,
 * unless that was tried before. */
static void load_file(brz_registry *r, const char *path, brz_tier tier, const brz_built_in *b)
{
    if (was_tried(r, path)) {
        load_again(r, path);
        return;
    }
    note_tried(r, path);
    brz_describing item = {.path = path};
    if (b != NULL)
        item.good = brz_plugin_open_built_in(b, path, &r->memory, &item.file, &item.steps);
    else if (describes(r, tier))
        r->describe(&item, 1, tier, &r->program, &r->memory);
    else
        item.good = brz_plugin_load(path, tier, &r->program, &r->memory, &item.file, &item.steps);
    add_file(r, &item);
}

/* Returns a copy of the absolute path without links of a file in a folder that has such a path.
 * Returns NULL if it cannot be found. (A file that a link replaces at this moment is refused: a
 * link has the permissions of everybody.) */
static const char *resolve_entry(brz_registry *r, const char *given, bool is_file)
{
    char target[1];
    if ((is_file && strlen(given) < PATH_MAX) ||
        (readlink(given, target, sizeof target) < 0 && errno == EINVAL))
        return keep_text(r, given); /* it is no link */
    char *real = realpath(given, NULL);
    const char *path = real == NULL ? NULL : keep_text(r, real);
    free(real);
    return path;
}

/* Returns the absolute path without links of a library, or NULL after reporting an error. */
static const char *resolve_library(brz_registry *r, const place *p, const library *l)
{
    brz_buf given = {0};
    brz_buf_add_text(&given, p->path);
    brz_buf_add_char(&given, '/');
    brz_buf_add_text(&given, l->name);
    const char *path = resolve_entry(r, brz_buf_text(&given), l->is_file);
    int error = errno;
    if (path == NULL)
        brz_say_code(r->console, severity_of(r, error), BRZ_SAYS_PLUGIN,
                     "plug-in %s is not used: %s", brz_buf_text(&given), strerror(error));
    brz_buf_finish(&given);
    return path;
}

/* Returns the path of a library of a folder as load_file() needs it, or NULL. */
static const char *path_of(brz_registry *r, const place *p, library *l)
{
    if (l->path == NULL)
        l->path = resolve_library(r, p, l);
    return l->path;
}

/* Describes libraries together, unless that was tried before. */
static void describe_libraries(brz_registry *r, const place *p, library *const *libraries, size_t n)
{
    brz_describing *items = brz_calloc(n, sizeof *items);
    size_t n_items = 0;
    for (size_t i = 0; i < n; i++) {
        const char *path = path_of(r, p, libraries[i]);
        if (path == NULL || was_tried(r, path))
            continue;
        note_tried(r, path);
        items[n_items++].path = path;
    }
    r->describe(items, n_items, p->tier, &r->program, &r->memory);
    for (size_t i = 0; i < n_items; i++)
        add_file(r, &items[i]);
    free(items);
}

/* Returns whether a file name implies a component other than the wanted one. */
static bool promises_another(const char *name, uint32_t kind, brz_str id)
{
    for (uint32_t k = BRZ_COLLAPSER; k <= BRZ_TRANSFORM; k++) {
        size_t n = strlen(file_prefix(k));
        if (strncmp(name, file_prefix(k), n) != 0)
            continue;
        return k != kind || strlen(name) != n + id.len + 3 ||
               memcmp(name + n, id.data, id.len) != 0;
    }
    return false;
}

bool brz_file_hides(const char *path, const brz_component *c)
{
    const char *slash = strrchr(path, '/');
    return promises_another(slash != NULL ? slash + 1 : path, c->kind, brz_str_of_text(c->id));
}

void brz_file_add_name(const brz_component *c, brz_buf *b)
{
    brz_buf_printf(b, "%s%s.so", file_prefix(c->kind), c->id);
}

/* Returns whether a library may contain a component; an empty `id` stands for all of the kind, and
 * kind 0 for all components. */
static bool is_wanted(const char *name, uint32_t kind, brz_str id)
{
    if (kind == 0)
        return true;
    if (id.len > 0)
        return !promises_another(name, kind, id);
    return strncmp(name, file_prefix(kind), strlen(file_prefix(kind))) == 0 ||
           !promises_another(name, 0, id);
}

/* A test of hints, and what it needs. */
typedef struct hints_test {
    brz_hints_test *test;
    const void *context;
} hints_test;

/* Longest hints that are read. */
#define MOST_HINTS 1024

/* Reads the hints of a library, once: each input that is guessed needs those of all. */
static void read_hints(brz_registry *r, library *l)
{
    char hints[MOST_HINTS];
    size_t n;
    int fd = l->was_read ? -1 : open(l->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return;
    l->was_read = true;
    if (brz_elf_hints_read(fd, hints, sizeof hints, &n)) {
        l->hints = brz_arena_str(&r->memory, brz_str_of(hints, n));
        l->has_hints = true;
    }
    close(fd);
}

/* Returns whether a library has hints which fail the test. */
static bool fails_test(brz_registry *r, library *l, const hints_test *t)
{
    read_hints(r, l);
    return l->has_hints && !t->test(t->context, l->hints);
}

/* Returns whether the component of a library can hide, or clash with, none of the same id: its name
 * promises one component, and no other place has a library of this name. */
static bool hides_nothing(const brz_registry *r, const place *p, const library *l)
{
    if (p->tier == BRZ_TIER_SHIPPED)
        return true;
    if (!promises_another(l->name, 0, BRZ_STR("")))
        return false;
    for (size_t i = 0; i < r->n_places; i++) {
        const place *other = &r->places[i];
        if (!other->is_dir || (other != p && !other->listed))
            return false;
        for (size_t k = 0; k < other->n_libraries && other != p; k++)
            if (strcmp(other->libraries[k].name, l->name) == 0)
                return false;
    }
    return true;
}

/* Returns whether a library is not to be loaded because it fails the test. `t` may be NULL. */
static bool is_ruled_out(brz_registry *r, const place *p, library *l, const hints_test *t)
{
    const char *path = t == NULL ? NULL : path_of(r, p, l);
    return path != NULL && !was_tried(r, path) && hides_nothing(r, p, l) && fails_test(r, l, t);
}

/* Returns the same for a regular file, before the files are sorted. Nothing is known of others, in
 * whose order problems are reported. */
static bool is_ruled_out_early(brz_registry *r, const place *p, library *l, const hints_test *t)
{
    return l->is_file && !describes(r, p->tier) && is_ruled_out(r, p, l, t);
}

/* Loads a library, unless that was tried before, or it fails the test, which regular files have
 * passed already. */
static void load_library(brz_registry *r, const place *p, library *l, const hints_test *t)
{
    const char *path = path_of(r, p, l);
    if (path != NULL && (l->is_file || !is_ruled_out(r, p, l, t)))
        load_file(r, path, p->tier, l->built_in);
}

/* Loads the files of a place that may contain a component, sorted by their names. Sorts only these,
 * because a run needs few of the libraries of a folder. */
static void load_place(brz_registry *r, place *p, uint32_t kind, brz_str id, const hints_test *t)
{
    size_t n = 0;
    brz_trust_forget_dir(&r->program);
    if (!p->is_dir) {
        load_file(r, p->path, p->tier, NULL);
        return;
    }
    list_place(r, p);
    library **wanted = brz_calloc(p->n_libraries, sizeof(library *));
    for (size_t i = 0; i < p->n_libraries; i++)
        if (is_wanted(p->libraries[i].name, kind, id) &&
            !is_ruled_out_early(r, p, &p->libraries[i], t))
            wanted[n++] = &p->libraries[i];
    if (n > 1)
        qsort(wanted, n, sizeof(library *), by_name);
    if (describes(r, p->tier))
        describe_libraries(r, p, wanted, n);
    for (size_t i = 0; i < n && !describes(r, p->tier); i++)
        load_library(r, p, wanted[i], t);
    free(wanted);
}

/* ---- components ---------------------------------------------------------------------------- */

bool brz_loaded_is_called(const brz_loaded *c, brz_str name)
{
    const char *at = memchr(name.data, '@', name.len);
    size_t id = at == NULL ? name.len : (size_t)(at - name.data);
    if (strlen(c->component->id) != id || memcmp(c->component->id, name.data, id) != 0)
        return false;
    return at == NULL || (strlen(c->plugin) == name.len - id - 1 &&
                          memcmp(c->plugin, at + 1, name.len - id - 1) == 0);
}

static bool is_listed(const name_list *l, const brz_loaded *c)
{
    for (size_t i = 0; i < l->n; i++)
        if (brz_loaded_is_called(c, l->names[i]))
            return true;
    return false;
}

/* Returns whether the lists permit a component. A format was made of one that they permit. */
static bool is_allowed(const brz_registry *r, const brz_loaded *c)
{
    for (size_t i = 0; i < r->n_allow && c->format == NULL; i++)
        if (!is_listed(&r->allow[i], c))
            return false;
    return !is_listed(&r->deny, c);
}

static void add_names(brz_registry *r, name_list *l, const brz_str *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        l->names = brz_grow(l->names, l->n, &l->cap, sizeof *l->names);
        l->names[l->n++] = brz_arena_str(&r->memory, names[i]);
    }
}

void brz_registry_allow(brz_registry *r, const brz_str *names, size_t n)
{
    if (n > 0 && r->n_allow < BRZ_MAX_ALLOWING)
        add_names(r, &r->allow[r->n_allow++], names, n);
}

void brz_registry_deny(brz_registry *r, const brz_str *names, size_t n)
{
    add_names(r, &r->deny, names, n);
}

bool brz_registry_knows(brz_registry *r, brz_str name, brz_buf *near)
{
    brz_suggestion suggestion = {.typed = name};
    bool describes = brz_registry_describe(r, true);
    brz_registry_load_all(r, 0);
    brz_registry_describe(r, describes);
    for (size_t i = 0; i < r->n_files; i++)
        for (size_t k = 0; k < r->files[i].n_components; k++) {
            if (brz_loaded_is_called(&r->files[i].components[k], name))
                return true;
            brz_suggestion_offer(&suggestion, r->files[i].components[k].component->id);
        }
    for (size_t i = 0; i < r->n_made; i++) {
        if (brz_loaded_is_called(r->made[i], name))
            return true;
        brz_suggestion_offer(&suggestion, r->made[i]->component->id);
    }
    brz_suggestion_add(&suggestion, near);
    return false;
}

static void say_clash(const brz_loaded *a, const brz_loaded *b, brz_buf *error)
{
    brz_buf_printf(error,
                   "%s '%s' is both in %s and in %s: ", brz_component_kind_name(a->component->kind),
                   a->component->id, a->path, b->path);
    if (strcmp(a->plugin, b->plugin) == 0)
        brz_buf_printf(error, "both plug-ins are called '%s', so remove one of them", a->plugin);
    else
        brz_buf_printf(error, "write %s@%s or %s@%s", a->component->id, a->plugin, b->component->id,
                       b->plugin);
}

/* ---- formats ------------------------------------------------------------------------------- */

void brz_registry_set_formats(brz_registry *r, const brz_format_source *source)
{
    r->formats = source;
}

/* Returns the format with this name, or NULL. */
static const brz_loaded *find_format(const brz_registry *r, brz_format_owner owner, uint32_t kind,
                                     brz_str name, bool *is_wrong)
{
    const char *at = memchr(name.data, '@', name.len);
    brz_str id = brz_str_of(name.data, at == NULL ? name.len : (size_t)(at - name.data));
    if (r->formats == NULL || kind != BRZ_COLLAPSER ||
        (at != NULL && !brz_str_is(brz_str_of(at + 1, name.len - id.len - 1), BRZ_FORMATS_PLUGIN)))
        return NULL;
    const brz_loaded *l = r->formats->find(r->formats->context, owner, id, is_wrong);
    return l != NULL && is_allowed(r, l) ? l : NULL;
}

/* Adds a format to those of the list of all components. */
static void add_made(void *to, const brz_loaded *format)
{
    brz_registry *r = to;
    for (size_t i = 0; i < r->n_made; i++)
        if (r->made[i] == format)
            return;
    r->made = brz_grow(r->made, r->n_made, &r->made_cap, sizeof *r->made);
    r->made[r->n_made++] = format;
}

static void load_formats(brz_registry *r, const brz_format_test *test)
{
    if (r->formats == NULL)
        return;
    r->formats->load(r->formats->context, BRZ_FORMAT_NEAR, test, add_made, r);
    r->formats->load(r->formats->context, BRZ_FORMAT_SHIPPED, test, add_made, r);
}

static brz_tier tier_of_format(const brz_loaded *l)
{
    return l->format->owner == BRZ_FORMAT_NEAR ? BRZ_TIER_FORMAT : BRZ_TIER_SHIPPED;
}

/* ---- finding ------------------------------------------------------------------------------- */

/* Returns the component in a tier, or NULL. Two such components are an error. */
static const brz_loaded *find_in_tier(const brz_registry *r, brz_tier tier, uint32_t kind,
                                      brz_str name, brz_buf *error, bool *clash)
{
    const brz_loaded *found = NULL;
    for (size_t i = 0; i < r->n_files && !*clash; i++) {
        const brz_plugin_file *f = &r->files[i];
        for (size_t k = 0; k < f->n_components && f->tier == tier; k++) {
            const brz_loaded *c = &f->components[k];
            if (c->component->kind != kind || !brz_loaded_is_called(c, name) || !is_allowed(r, c))
                continue;
            *clash = found != NULL;
            if (*clash && error != NULL)
                say_clash(found, c, error);
            found = c;
        }
    }
    return *clash ? NULL : found;
}

/* Appends a message about a missing component, with a suggestion, or the reason why a component
 * with this name is not allowed. */
static void say_unknown(brz_registry *r, uint32_t kind, brz_str name, brz_buf *error)
{
    brz_suggestion near = {.typed = name};
    const brz_loaded *forbidden = NULL, *misnamed = NULL;
    for (size_t i = 0; i < r->n_places; i++)
        load_place(r, &r->places[i], kind, BRZ_STR(""), NULL);
    if (r->incomplete) {
        brz_buf_printf(error, "the %s '%.*s' may be in a plug-in that cannot be read",
                       brz_component_kind_name(kind), (int)name.len, name.data);
        return;
    }
    for (size_t i = 0; i < r->n_files; i++)
        for (size_t k = 0; k < r->files[i].n_components; k++) {
            const brz_loaded *c = &r->files[i].components[k];
            if (c->component->kind != kind)
                continue;
            bool is_called = brz_loaded_is_called(c, name);
            if (is_allowed(r, c))
                brz_suggestion_offer(&near, c->component->id);
            if (is_called && is_allowed(r, c))
                misnamed = c;
            else if (is_called)
                forbidden = c;
        }
    if (kind == BRZ_COLLAPSER && r->formats != NULL)
        r->formats->suggest(r->formats->context, &near);
    brz_buf_printf(error, "no %s '%.*s'", brz_component_kind_name(kind), (int)name.len, name.data);
    if (forbidden != NULL) {
        brz_buf_printf(error, ": the configuration does not allow that of %s", forbidden->path);
        return;
    }
    if (misnamed != NULL) {
        brz_buf_printf(error, ": the name of %s promises another component; rename it to ",
                       misnamed->path);
        brz_file_add_name(misnamed->component, error);
        return;
    }
    brz_suggestion_add(&near, error);
    if (near.best == NULL)
        brz_buf_add_text(error, " (brazier plugin list shows all components)");
}

/* Loads the shipped plug-in whose name promises a component, and returns the component, or NULL.
 * Does not read the folder for that, which has a hundred files. */
static const brz_loaded *find_promised(brz_registry *r, uint32_t kind, brz_str name, brz_str id)
{
    const place *p = &r->places[r->n_places - 1];
    bool clash = false;
    brz_buf given = {0};
    if (p->listed || p->tier != BRZ_TIER_SHIPPED || id.len == 0 ||
        memchr(id.data, '/', id.len) != NULL)
        return NULL;
    brz_buf_printf(&given, "%s/%s%.*s.so", p->path, file_prefix(kind), (int)id.len, id.data);
    brz_trust_forget_dir(&r->program);
    const char *path = brz_buf_text(&given);
    if (!was_tried(r, path))
        path = resolve_entry(r, path, false);
    if (path != NULL)
        load_file(r, path, p->tier, NULL);
    brz_buf_finish(&given);
    return path == NULL ? NULL : find_in_tier(r, p->tier, kind, name, NULL, &clash);
}

/* Returns the plug-in's component with this name, or NULL. */
static const brz_loaded *find_in_places(brz_registry *r, uint32_t kind, brz_str name,
                                        brz_buf *error, bool *clash)
{
    const char *at = memchr(name.data, '@', name.len);
    brz_str id = brz_str_of(name.data, at == NULL ? name.len : (size_t)(at - name.data));
    for (size_t i = 0; i < r->n_places && !*clash; i++) {
        brz_tier tier = r->places[i].tier;
        const brz_loaded *promised =
            tier == BRZ_TIER_SHIPPED ? find_promised(r, kind, name, id) : NULL;
        if (promised != NULL)
            return promised;
        load_place(r, &r->places[i], kind, id, NULL);
        if (i + 1 < r->n_places && r->places[i + 1].tier == tier)
            continue;
        const brz_loaded *found = find_in_tier(r, tier, kind, name, error, clash);
        if (found != NULL)
            return found;
    }
    return NULL;
}

const brz_loaded *brz_registry_find(brz_registry *r, uint32_t kind, brz_str name, brz_buf *error)
{
    bool clash = false, is_wrong = false;
    const brz_loaded *l = find_format(r, BRZ_FORMAT_NEAR, kind, name, &is_wrong);
    if (l != NULL || is_wrong)
        return l;
    l = find_in_places(r, kind, name, error, &clash);
    if (l != NULL || clash)
        return l;
    l = find_format(r, BRZ_FORMAT_SHIPPED, kind, name, &is_wrong);
    if (l == NULL && !is_wrong && error != NULL)
        say_unknown(r, kind, name, error);
    return l;
}

/* ---- described plug-ins ---------------------------------------------------------------------- */

bool brz_registry_describe(brz_registry *r, bool only)
{
    bool before = r->describes_only;
    r->describes_only = only;
    return before;
}

bool brz_registry_describes(const brz_registry *r)
{
    return r->describes_only;
}

/* Returns the file of a component, or of the one that a format uses. */
static brz_plugin_file *find_file(brz_registry *r, const brz_loaded *format)
{
    const brz_loaded *l = brz_loaded_plain(format);
    for (size_t i = 0; i < r->n_files; i++)
        for (size_t k = 0; k < r->files[i].n_components; k++)
            if (&r->files[i].components[k] == l)
                return &r->files[i];
    return NULL;
}

bool brz_registry_make_usable(brz_registry *r, const brz_loaded *l)
{
    brz_plugin_file *file = find_file(r, l);
    if (file == NULL || !file->is_described ||
        (r->describes_only && brz_described_works_apart(l->component->kind)))
        return true;
    return load_described(r, file, false);
}

static bool has_collapser(const brz_plugin_file *f)
{
    for (size_t i = 0; i < f->n_components; i++)
        if (f->components[i].component->kind == BRZ_COLLAPSER)
            return true;
    return false;
}

bool brz_registry_load_described(brz_registry *r, const brz_loaded *l)
{
    const brz_plugin_file *wanted = l == NULL ? NULL : find_file(r, l);
    bool good = true;
    for (size_t i = 0; i < r->n_files; i++)
        if (r->files[i].is_described &&
            (l == NULL ? has_collapser(&r->files[i]) : &r->files[i] == wanted))
            good &= load_described(r, &r->files[i], true);
    return good;
}

bool brz_registry_is_described(brz_registry *r, const brz_loaded *l)
{
    const brz_plugin_file *f = find_file(r, l);
    return f != NULL && f->is_described;
}

const char **brz_registry_described_dirs(brz_registry *r)
{
    const char **dirs = brz_calloc(r->n_files + 1, sizeof *dirs);
    size_t n = 0;
    for (size_t i = 0; i < r->n_files; i++) {
        const char *path = r->files[i].path, *slash = strrchr(path, '/');
        if (r->files[i].is_described)
            dirs[n++] =
                brz_arena_str(&r->memory, brz_str_of(path, (size_t)(slash - path) + 1)).data;
    }
    if (n > 0)
        return dirs;
    free(dirs);
    return NULL;
}

/* ---- all components
 * --------------------------------------------------------------------------- */

typedef struct entry {
    const brz_loaded *loaded;
    brz_tier tier;
} entry;

static int by_tier(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->tier != y->tier)
        return x->tier < y->tier ? -1 : 1;
    uint32_t k = x->loaded->component->kind, l = y->loaded->component->kind;
    if (k != l)
        return k < l ? -1 : 1;
    int d = strcmp(x->loaded->component->id, y->loaded->component->id);
    return d != 0 ? d : strcmp(x->loaded->path, y->loaded->path);
}

/* Sorts the components of the files that were loaded. */
static void sort_components(brz_registry *r)
{
    size_t n = r->n_made;
    for (size_t i = 0; i < r->n_files; i++)
        n += r->files[i].n_components;
    entry *all = brz_calloc(n, sizeof *all);
    size_t at = 0;
    for (size_t i = 0; i < r->n_files; i++)
        for (size_t k = 0; k < r->files[i].n_components; k++)
            if (is_allowed(r, &r->files[i].components[k]))
                all[at++] = (entry){&r->files[i].components[k], r->files[i].tier};
    for (size_t i = 0; i < r->n_made; i++)
        if (is_allowed(r, r->made[i]))
            all[at++] = (entry){r->made[i], tier_of_format(r->made[i])};
    n = at;
    qsort(all, n, sizeof *all, by_tier);
    free(r->sorted);
    free(r->sorted_tiers);
    r->sorted = brz_calloc(n, sizeof(const brz_loaded *));
    r->sorted_tiers = brz_calloc(n, sizeof *r->sorted_tiers);
    r->n_sorted = n;
    for (size_t i = 0; i < n; i++) {
        r->sorted[i] = all[i].loaded;
        r->sorted_tiers[i] = all[i].tier;
    }
    free(all);
}

void brz_registry_load_all(brz_registry *r, uint32_t kind)
{
    for (size_t i = 0; i < r->n_places; i++)
        load_place(r, &r->places[i], kind, BRZ_STR(""), NULL);
    if (kind == 0 || kind == BRZ_COLLAPSER)
        load_formats(r, NULL);
    sort_components(r);
}

void brz_registry_load_called(brz_registry *r, brz_str id)
{
    bool is_wrong = false;
    for (size_t i = 0; i < r->n_places; i++)
        if (r->places[i].tier != BRZ_TIER_SHIPPED)
            load_place(r, &r->places[i], 0, BRZ_STR(""), NULL);
        else
            for (uint32_t kind = BRZ_COLLAPSER; kind <= BRZ_TRANSFORM; kind++)
                load_place(r, &r->places[i], kind, id, NULL);
    if (r->formats != NULL)
        r->formats->load(r->formats->context, BRZ_FORMAT_NEAR, NULL, add_made, r);
    const brz_loaded *format = find_format(r, BRZ_FORMAT_SHIPPED, BRZ_COLLAPSER, id, &is_wrong);
    if (format != NULL)
        add_made(r, format);
    sort_components(r);
}

void brz_registry_load_hinted(brz_registry *r, brz_hints_test *test, const void *context,
                              const brz_format_test *formats)
{
    const hints_test t = {test, context};
    for (size_t i = 0; i < r->n_places; i++)
        list_place(r, &r->places[i]);
    for (size_t i = 0; i < r->n_places; i++)
        load_place(r, &r->places[i], BRZ_COLLAPSER, BRZ_STR(""), &t);
    load_formats(r, formats);
    sort_components(r);
}

const brz_loaded *brz_registry_at(const brz_registry *r, size_t i, brz_tier *tier, bool *shadowed)
{
    if (i >= r->n_sorted)
        return NULL;
    const brz_component *c = r->sorted[i]->component;
    *tier = r->sorted_tiers[i];
    *shadowed = false;
    for (size_t k = 0; k < i; k++) {
        const brz_component *nearer = r->sorted[k]->component;
        if (nearer->kind == c->kind && strcmp(nearer->id, c->id) == 0 && r->sorted_tiers[k] < *tier)
            *shadowed = true;
    }
    return r->sorted[i];
}

/* Loads one plug-in, step by step. */
#include "loader.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf_note.h"
#include "options.h"
#include "trust.h"
#include "version.h"

const char *brz_tier_name(brz_tier tier)
{
    static const char *const names[] = {"--plugin",    "--plugin-dir", "plugin_path",
                                        "environment", "user",         "shipped"};
    return names[tier];
}

/* What the steps work on. */
typedef struct loading {
    const char *path, *program;
    brz_tier tier;
    brz_arena *memory;
    brz_plugin_file *file;
    void *handle;
    const brz_plugin *plugin;
} loading;

/* ---- the file ------------------------------------------------------------------------------ */

static bool step_file(loading *l, brz_buf *detail)
{
    struct stat st;
    int fd = open(l->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &st) != 0) {
        brz_buf_add_text(detail, strerror(errno));
        if (fd >= 0)
            close(fd);
        return false;
    }
    close(fd);
    if (S_ISREG(st.st_mode))
        return true;
    brz_buf_add_text(detail, "not a regular file");
    return false;
}

static bool step_trust(loading *l, brz_buf *detail)
{
    if (l->tier == BRZ_TIER_SHIPPED)
        return brz_trust_shipped(l->path, l->program, detail);
    return brz_trust_path(l->path, detail);
}

/* The remedy for a version that does not fit. */
static bool check_version(uint32_t major, uint32_t minor, brz_buf *detail)
{
    brz_buf_printf(detail, "needs plug-in ABI %u.%u, this is brazier %s with ABI %d.%d", major,
                   minor, BRZ_VERSION, BRZ_ABI_MAJOR, BRZ_ABI_MINOR);
    if (major != BRZ_ABI_MAJOR) {
        brz_buf_add_text(detail, "; rebuild it with this brazier's headers");
        return false;
    }
    if (minor > BRZ_ABI_MINOR) {
        brz_buf_printf(detail, "; update brazier or rebuild with -DBRZ_TARGET_MINOR=%d",
                       BRZ_ABI_MINOR);
        return false;
    }
    return true;
}

static bool step_note(loading *l, brz_buf *detail)
{
    int fd = open(l->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    brz_elf_note note = brz_elf_note_read(fd);
    close(fd);
    bool good = note.found == BRZ_NOTE_FOREIGN;
    if (note.found == BRZ_NOTE_PRESENT)
        good = check_version(note.major, note.minor, detail);
    else if (note.found == BRZ_NOTE_FOREIGN)
        brz_buf_add_text(detail, "not an ELF file of this machine: nothing can be read from it");
    else
        brz_buf_add_text(detail, "has no note of a brazier plug-in (see BRZ_PLUGIN)");
    if (good && note.needed.len > 0)
        brz_buf_printf(detail, "; needs %s", brz_buf_text(&note.needed));
    brz_buf_finish(&note.needed);
    return good;
}

/* ---- the library --------------------------------------------------------------------------- */

static bool step_load(loading *l, brz_buf *detail)
{
    dlerror();
    l->handle = dlopen(l->path, RTLD_NOW | RTLD_LOCAL);
    if (l->handle != NULL)
        return true;
    const char *why = dlerror();
    brz_buf_add_text(detail, why != NULL ? why : "dlopen failed without saying why");
    return false;
}

static bool step_symbol(loading *l, brz_buf *detail)
{
    l->plugin = dlsym(l->handle, BRZ_PLUGIN_SYMBOL);
    brz_buf_add_text(detail, BRZ_PLUGIN_SYMBOL);
    if (l->plugin == NULL)
        brz_buf_add_text(detail, " is not among its symbols");
    return l->plugin != NULL;
}

static bool step_magic(loading *l, brz_buf *detail)
{
    if (l->plugin->magic == BRZ_PLUGIN_MAGIC)
        return true;
    brz_buf_printf(detail, "its entry begins with %#x, not %#x", l->plugin->magic,
                   BRZ_PLUGIN_MAGIC);
    return false;
}

static bool step_version(loading *l, brz_buf *detail)
{
    return check_version(l->plugin->abi_major, l->plugin->abi_minor, detail);
}

static bool step_size(loading *l, brz_buf *detail)
{
    const brz_plugin *p = l->plugin;
    brz_buf_printf(detail, "%u bytes", p->struct_size);
    if (p->struct_size < sizeof *p) {
        brz_buf_printf(detail, ": its entry has fewer than the %zu of ABI %d.0", sizeof *p,
                       BRZ_ABI_MAJOR);
        return false;
    }
    if (p->name != NULL && p->version != NULL && p->license != NULL && p->bugs_url != NULL &&
        p->components != NULL)
        return true;
    brz_buf_add_text(detail, ": a required member of its entry is NULL");
    return false;
}

/* ---- its components ------------------------------------------------------------------------ */

/* A copy of a plug-in's struct in this host's size: what the plug-in does not have is zero, what it
 * has more is not known here. */
static void *own_copy(loading *l, const void *theirs, uint32_t their_size, size_t our_size)
{
    void *copy = brz_arena_alloc(l->memory, our_size, 0);
    memcpy(copy, theirs, their_size < our_size ? their_size : our_size);
    return copy;
}

static bool is_legal_id(const char *id)
{
    size_t n = strlen(id);
    return n >= 1 && n <= 32 && strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == n;
}

/* The members without which a component cannot be called, NULL if all are there. */
static const char *missing_member(uint32_t kind, const void *vtable)
{
    const brz_collapser *c = vtable;
    const brz_palette *p = vtable;
    const brz_output *o = vtable;
    if (kind == BRZ_COLLAPSER && (c->flags & BRZ_SPLITTABLE) && c->boundary == NULL)
        return "boundary (it is SPLITTABLE)";
    if (kind == BRZ_COLLAPSER)
        return c->sniff == NULL ? "sniff" : c->parse == NULL ? "parse" : NULL;
    if (kind == BRZ_PALETTE)
        return p->color == NULL ? "color" : NULL;
    return o->write == NULL ? "write" : o->endings == NULL ? "endings" : NULL;
}

static size_t vtable_size(uint32_t kind)
{
    return kind == BRZ_COLLAPSER ? sizeof(brz_collapser)
           : kind == BRZ_PALETTE ? sizeof(brz_palette)
                                 : sizeof(brz_output);
}

static bool check_component(loading *l, const brz_component *c, brz_buf *detail)
{
    if (c->struct_size < sizeof *c || c->id == NULL || c->summary == NULL || c->vtable == NULL) {
        brz_buf_add_text(detail, "a component's descriptor is too short or lacks a member");
        return false;
    }
    if (!is_legal_id(c->id)) {
        brz_buf_printf(detail, "'%s' is not a legal id: [a-z0-9-]{1,32}", c->id);
        return false;
    }
    uint32_t size;
    memcpy(&size, c->vtable, sizeof size);
    const void *vtable = own_copy(l, c->vtable, size, vtable_size(c->kind));
    const char *missing = missing_member(c->kind, vtable);
    if (missing != NULL)
        brz_buf_printf(detail, "component '%s' lacks %s", c->id, missing);
    else if (c->n_options > 0 && c->option_size < sizeof(brz_option))
        brz_buf_printf(detail, "component '%s' has options that are too short", c->id);
    else
        return true;
    return false;
}

static bool check_options(const brz_component *c, brz_buf *detail)
{
    brz_options *o = brz_options_create(c, detail);
    bool good = o != NULL;
    brz_options_destroy(o);
    return good;
}

static void add_component(loading *l, const brz_component *c)
{
    uint32_t size;
    memcpy(&size, c->vtable, sizeof size);
    l->file->components[l->file->n_components++] = (brz_loaded){
        .component = own_copy(l, c, c->struct_size, sizeof *c),
        .vtable = own_copy(l, c->vtable, size, vtable_size(c->kind)),
        .plugin = l->plugin->name,
        .version = l->plugin->version,
        .bugs_url = l->plugin->bugs_url,
        .path = l->path,
    };
}

static bool step_components(loading *l, brz_buf *detail)
{
    size_t n = 0;
    while (l->plugin->components[n] != NULL)
        n++;
    l->file->components = brz_arena_alloc(l->memory, n * sizeof(brz_loaded), 0);
    for (size_t i = 0; i < n; i++) {
        const brz_component *c = l->plugin->components[i];
        if (c->kind < BRZ_COLLAPSER || c->kind > BRZ_OUTPUT) {
            l->file->n_skipped++;
            continue;
        }
        if (!check_component(l, c, detail) || !check_options(c, detail))
            return false;
        add_component(l, c);
        brz_buf_printf(detail, "%s%s", i > 0 ? ", " : "", c->id);
    }
    if (l->file->n_skipped > 0)
        brz_buf_printf(detail, "; %zu of a kind that this brazier does not know",
                       l->file->n_skipped);
    return true;
}

/* ---- all of it ----------------------------------------------------------------------------- */

typedef struct step_fn {
    const char *name;
    bool (*run)(loading *, brz_buf *detail);
} step_fn;

static const step_fn ladder[] = {
    {"file", step_file},       {"trust", step_trust},   {"note", step_note},
    {"load", step_load},       {"symbol", step_symbol}, {"magic", step_magic},
    {"version", step_version}, {"size", step_size},     {"components", step_components},
};

bool brz_plugin_load(const char *path, brz_tier tier, const char *program, brz_arena *memory,
                     brz_plugin_file *file, brz_steps *steps)
{
    brz_str own = brz_arena_str(memory, brz_str_of(path, strlen(path)));
    loading l = {
        .path = own.data, .program = program, .tier = tier, .memory = memory, .file = file};
    *file = (brz_plugin_file){.path = own.data, .tier = tier};
    for (size_t i = 0; i < sizeof ladder / sizeof ladder[0]; i++) {
        brz_step *s = &steps->items[steps->n++];
        s->name = ladder[i].name;
        s->passed = ladder[i].run(&l, &s->detail);
        if (!s->passed)
            return false;
    }
    file->plugin = l.plugin;
    return true;
}

void brz_steps_finish(brz_steps *s)
{
    for (size_t i = 0; i < s->n; i++)
        brz_buf_finish(&s->items[i].detail);
    s->n = 0;
}

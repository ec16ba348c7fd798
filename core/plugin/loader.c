/* SPDX-License-Identifier: MIT */
/* Loads a plug-in step by step. */
#include "plugin/loader.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugin/component_copy.h"
#include "plugin/crash.h"
#include "plugin/elf_note.h"
#include "base/ids.h"
#include "base/mem.h"
#include "plugin/options.h"
#include "plugin/process_state.h"
#include "plugin/sdk_version.h"
#include "plugin/table_addresses.h"
#include "base/built_with.h"
#include "base/version.h"

#if defined(__ELF__)
#define HAS_ELF true
#else
#define HAS_ELF false
#endif

const char *brz_tier_name(brz_tier tier)
{
    static const char *const names[] = {"formats",     "--plugin", "--plugin-dir", "plugin_path",
                                        "environment", "user",     "shipped"};
    return names[tier];
}

/* The state that the steps share. */
typedef struct loading {
    const char *path;
    brz_program *program;
    brz_tier tier;
    brz_arena *memory;
    brz_plugin_file *file;
    bool explains;  /* details of steps that pass are wanted */
    int fd;         /* of the file; -1: it is not open */
    struct stat st; /* of the file, if it is open */
    void *handle;
    const brz_plugin *plugin;
} loading;

/* ---- the file ------------------------------------------------------------------------------ */

static bool step_file(loading *l, brz_buf *detail)
{
    int links = l->tier == BRZ_TIER_SHIPPED ? O_NOFOLLOW : 0; /* its path contains none */
    l->fd = open(l->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | links);
    if (l->fd < 0 || fstat(l->fd, &l->st) != 0) {
        brz_buf_add_text(detail, strerror(errno));
        return false;
    }
    if (S_ISREG(l->st.st_mode))
        return true;
    brz_buf_add_text(detail, "is not a regular file");
    return false;
}

static bool step_trust(loading *l, brz_buf *detail)
{
    if (l->tier == BRZ_TIER_SHIPPED)
        return brz_trust_shipped(l->path, &l->st, l->program, detail);
    return brz_trust_path(l->path, detail);
}

/* Checks an ABI version. Appends a description, and a remedy if it does not fit. */
static bool check_version(const loading *l, uint32_t major, uint32_t minor, brz_buf *detail)
{
    bool good = major == BRZ_ABI_MAJOR && minor <= BRZ_ABI_MINOR;
    if (good && !l->explains)
        return true;
    brz_buf_printf(detail, "needs plug-in ABI %u.%u, this is brazier %s with ABI %d.%d", major,
                   minor, BRZ_VERSION, BRZ_ABI_MAJOR, BRZ_ABI_MINOR);
    if (major != BRZ_ABI_MAJOR) {
        brz_buf_add_text(detail, major > BRZ_ABI_MAJOR
                                     ? "; update brazier, or rebuild it with this brazier's headers"
                                     : "; rebuild it with this brazier's headers");
        return false;
    }
    if (minor > BRZ_ABI_MINOR)
        brz_buf_printf(detail, "; update brazier or rebuild with -DBRZ_TARGET_MINOR=%d",
                       BRZ_ABI_MINOR);
    return good;
}

/* Checks the version of the SDK. Appends the reason for a refusal. */
static bool check_sdk(uint32_t version, brz_buf *detail)
{
    char text[BRZ_SDK_TEXT];
    const char *fault = brz_sdk_fault_of(version);
    if (fault == NULL)
        return true;
    brz_buf_clear(detail);
    brz_buf_printf(detail, "was built with SDK %s, which %s; rebuild it with another SDK",
                   brz_sdk_version_text(version, text), fault);
    return false;
}

static bool step_note(loading *l, brz_buf *detail)
{
    static const char *const faults[] = {
        [BRZ_NOTE_ABSENT] = "has no note of a brazier plug-in (see BRZ_PLUGIN)",
        [BRZ_NOTE_FOREIGN] = "is not a shared object",
        [BRZ_NOTE_OTHER_MACHINE] = "was built for another kind of machine",
        [BRZ_NOTE_CUT_OFF] = "is truncated: parts that its header lists are missing",
    };
    brz_buf needed = {0};
    brz_elf_note note =
        brz_elf_note_read(l->fd, (uint64_t)l->st.st_size, l->explains ? &needed : NULL);
    bool good = false;
    if (note.found == BRZ_NOTE_UNREADABLE)
        brz_buf_add_text(detail, strerror(errno));
    else if (note.found == BRZ_NOTE_PRESENT)
        good = check_version(l, note.major, note.minor, detail) && check_sdk(note.sdk, detail);
    else if (note.found == BRZ_NOTE_FOREIGN && !HAS_ELF)
        good = true;
    else
        brz_buf_add_text(detail, faults[note.found]);
    if (good && needed.len > 0)
        brz_buf_printf(detail, "; needs %s", brz_buf_text(&needed));
    brz_buf_finish(&needed);
    return good;
}

/* ---- the library --------------------------------------------------------------------------- */

#if BRZ_STATIC
/* Refuses each file: a static program has no dynamic linker. */
static bool step_load(loading *l, brz_buf *detail)
{
    (void)l;
    brz_buf_add_text(detail, "this brazier is a static program, which contains its plug-ins and "
                             "loads no others; use one that is not static");
    return false;
}

static bool step_symbol(loading *l, brz_buf *detail)
{
    (void)detail;
    return l->plugin != NULL;
}
#else
/* Detects exhausted memory: without memory for a name, the dynamic loader reports a missing
 * file. */
static void check_presence(const loading *l, const char *why)
{
    size_t n = strlen(l->path);
    if (errno == ENOENT && strncmp(why, l->path, n) == 0 && why[n] == ':' &&
        access(l->path, R_OK) == 0)
        brz_out_of_memory(0);
}

static bool step_load(loading *l, brz_buf *detail)
{
    if (l->tier != BRZ_TIER_SHIPPED)
        brz_process_state_record();
    dlerror();
    l->handle = dlopen(l->path, RTLD_NOW | RTLD_LOCAL);
    const char *changed = l->tier == BRZ_TIER_SHIPPED ? NULL : brz_process_state_restore();
    if (l->handle != NULL && changed != NULL)
        brz_buf_printf(detail, "loading it changed %s; restored", changed);
    if (l->handle != NULL)
        return changed == NULL;
    const char *why = dlerror();
    why = why != NULL ? why : "dlopen() failed without a reason";
    check_presence(l, why);
    brz_buf_add_text(detail, why);
    return false;
}

static bool step_symbol(loading *l, brz_buf *detail)
{
    l->plugin = dlsym(l->handle, BRZ_PLUGIN_SYMBOL);
    if (l->plugin != NULL && !l->explains)
        return true;
    brz_buf_add_text(detail, BRZ_PLUGIN_SYMBOL);
    if (l->plugin == NULL)
        brz_buf_add_text(detail, " is not defined");
    return l->plugin != NULL;
}

#endif

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
    return check_version(l, l->plugin->abi_major, l->plugin->abi_minor, detail);
}

/* Size of the entry that the host needs: its members up to the components. */
#define ENTRY_LEAST (offsetof(brz_plugin, components) + sizeof(void *))

/* Returns the version of the SDK in the entry; 0: unknown. */
static uint32_t sdk_of(const brz_plugin *p)
{
    return BRZ_HAS(p, brz_plugin, sdk_version) ? p->sdk_version : 0;
}

static bool step_entry(loading *l, brz_buf *detail)
{
    char sdk[BRZ_SDK_TEXT];
    const brz_plugin *p = l->plugin;
    if (p->struct_size < ENTRY_LEAST) {
        brz_buf_printf(detail, "has %u bytes, fewer than the %zu of ABI %d.0", p->struct_size,
                       ENTRY_LEAST, BRZ_ABI_MAJOR);
        return false;
    }
    if (p->name == NULL || p->version == NULL || p->license == NULL || p->bugs_url == NULL ||
        p->components == NULL) {
        brz_buf_add_text(detail, "a required member is NULL");
        return false;
    }
    if (!brz_is_id(p->name)) {
        brz_buf_printf(detail, "'%s' is not a valid name: %s", p->name, BRZ_ID_RULE);
        return false;
    }
    if (l->explains)
        brz_buf_printf(detail, "%s %s, SDK %s", p->name, p->version,
                       brz_sdk_version_text(sdk_of(p), sdk));
    return check_sdk(sdk_of(p), detail);
}

/* ---- components ------------------------------------------------------------------------------ */

/* Limit; a longer list is not terminated. */
#define MAX_COMPONENTS 1024

static bool has_component(const brz_plugin_file *f, const brz_component *c)
{
    for (size_t i = 0; i < f->n_components; i++)
        if (f->components[i].component->kind == c->kind &&
            strcmp(f->components[i].component->id, c->id) == 0)
            return true;
    return false;
}

static bool add_component(loading *l, const brz_component *c, brz_buf *detail)
{
    brz_plugin_file *f = l->file;
    brz_loaded own = {
        .plugin = l->plugin->name,
        .version = l->plugin->version,
        .bugs_url = l->plugin->bugs_url,
        .sdk_version = sdk_of(l->plugin),
        .path = l->path,
        .is_shipped = l->tier == BRZ_TIER_SHIPPED,
    };
    brz_buf error = {0};
    bool good = brz_component_copy(c, l->memory, &own, &error);
    if (good && has_component(f, c)) {
        brz_buf_printf(&error, "%s '%s' is defined twice", brz_component_kind_name(c->kind), c->id);
        good = false;
    }
    if (good) {
        if (l->explains)
            brz_buf_printf(detail, "%s%s", f->n_components > 0 ? ", " : "", c->id);
        f->components[f->n_components++] = own;
    } else {
        brz_buf_clear(detail);
        brz_buf_add_str(detail, brz_buf_str(&error));
    }
    brz_buf_finish(&error);
    return good;
}

/* Returns the first option of a type that a later minor added, or NULL. */
static const brz_option *newer_option(const brz_component *c)
{
    if (!BRZ_HAS(c, brz_component, vtable) || c->options == NULL ||
        c->option_size < sizeof(brz_option))
        return NULL;
    for (uint32_t i = 0; i < c->n_options; i++)
        if (brz_option_at(c, i)->type > BRZ_OPTION_LIST)
            return brz_option_at(c, i);
    return NULL;
}

/* Returns the id of a component that is left out; nothing else of it was checked. */
static const char *id_of(const brz_component *c)
{
    return BRZ_HAS(c, brz_component, id) && c->id != NULL ? c->id : "";
}

static bool is_known_kind(const brz_component *c)
{
    return c->kind >= BRZ_COLLAPSER && c->kind <= BRZ_TRANSFORM;
}

/* Checks what must hold before a component is read: its size, and where its options are. A shipped
 * one was tested. Appends the reason for a refusal. */
static bool check_layout(const loading *l, size_t i, brz_buf *detail)
{
    const brz_component *c = l->plugin->components[i];
    if (!brz_component_is_whole(c)) {
        brz_buf_clear(detail);
        bool has_id = *id_of(c) != '\0';
        brz_buf_printf(detail,
                       "component %zu%s%s%s has %u bytes, by its struct_size, fewer than "
                       "the %zu that it needs",
                       i + 1, has_id ? " ('" : "", id_of(c), has_id ? "')" : "", c->struct_size,
                       brz_component_least());
        return false;
    }
    if (l->handle == NULL || l->tier == BRZ_TIER_SHIPPED || !is_known_kind(c) ||
        brz_option_table_is_loaded(c))
        return true;
    brz_buf_clear(detail);
    brz_buf_printf(detail,
                   "component %zu ('%s') has options outside of its constant data: are n_options "
                   "(%u) and option_size (%u; sizeof(brz_option) is %zu) right?",
                   i + 1, id_of(c), c->n_options, c->option_size, sizeof(brz_option));
    return false;
}

/* Leaves out a component of an unknown kind, or with an option of an unknown type: a run without it
 * is still possible. Adds the reason. */
static bool leave_out(const brz_component *c, brz_buf *reasons)
{
    const char *separator = reasons->len > 0 ? "; " : "";
    if (!is_known_kind(c)) {
        brz_buf_printf(reasons,
                       "%scomponent '%s' is not used: it is of a kind that this brazier does not "
                       "know",
                       separator, id_of(c));
        return true;
    }
    const brz_option *newer = newer_option(c);
    if (newer == NULL)
        return false;
    brz_buf_printf(reasons,
                   "%s%s '%s' is not used: option '%s' has a type that this brazier does not know",
                   separator, brz_component_kind_name(c->kind), id_of(c),
                   newer->name != NULL ? newer->name : "");
    return true;
}

/* Keeps the reasons for which components are left out. */
static void keep_reasons(loading *l, brz_buf *reasons, brz_buf *detail)
{
    if (reasons->len == 0)
        return;
    brz_buf_add_text(reasons, "; update brazier");
    l->file->left_out = brz_arena_str(l->memory, brz_buf_str(reasons)).data;
    if (l->explains)
        brz_buf_printf(detail, "%s%s", detail->len > 0 ? "; " : "", l->file->left_out);
}

/* Refuses a plug-in of which no component is used. */
static bool refuse(const loading *l, brz_buf *detail)
{
    brz_buf_clear(detail);
    brz_buf_add_text(detail, l->file->left_out);
    return false;
}

static bool step_components(loading *l, brz_buf *detail)
{
    size_t n = 0;
    bool good = true;
    brz_buf reasons = {0};
    while (n < MAX_COMPONENTS && l->plugin->components[n] != NULL)
        n++;
    l->file->components = brz_arena_alloc(l->memory, n * sizeof(brz_loaded), 0);
    for (size_t i = 0; i < n && good; i++) {
        const brz_component *c = l->plugin->components[i];
        good =
            check_layout(l, i, detail) && (leave_out(c, &reasons) || add_component(l, c, detail));
    }
    if (good)
        keep_reasons(l, &reasons, detail);
    if (good && n == 0)
        brz_buf_add_text(detail, "none");
    bool has_reasons = reasons.len > 0;
    brz_buf_finish(&reasons);
    return good && (l->file->n_components > 0 || !has_reasons || refuse(l, detail));
}

/* ---- running the steps ---------------------------------------------------------------------- */

typedef struct step_fn {
    const char *name;
    bool (*run)(loading *, brz_buf *detail);
} step_fn;

static const step_fn all_steps[] = {
    {"file", step_file},       {"trust", step_trust},   {"note", step_note},
    {"load", step_load},       {"symbol", step_symbol}, {"magic", step_magic},
    {"version", step_version}, {"entry", step_entry},   {"components", step_components},
};

#define N_STEPS BRZ_COUNT_OF(all_steps)

/* Number of the steps that find the entry of a plug-in in its file. */
#define STEPS_LOADING 5

static bool run_step(loading *l, const step_fn *step, brz_steps *steps)
{
    const brz_loaded known = {.path = l->path};
    brz_step *s = &steps->items[steps->n];
    s->name = step->name;
    if (steps->begin != NULL)
        steps->begin(steps->watcher, s->name);
    brz_call_enter(&known, s->name, NULL, 0, 0);
    errno = 0;
    s->passed = step->run(l, &s->detail);
    if (!s->passed)
        steps->error = brz_system_failure(errno);
    brz_call_leave();
    steps->n++;
    if (steps->end != NULL)
        steps->end(steps->watcher, s);
    return s->passed;
}

static bool run_steps(loading *l, size_t from, size_t to, brz_steps *steps)
{
    for (size_t i = from; i < to; i++)
        if (!run_step(l, &all_steps[i], steps))
            return false;
    return true;
}

bool brz_plugin_inspect(const char *path, brz_tier tier, brz_program *program, brz_arena *memory,
                        brz_plugin_file *file, brz_steps *steps)
{
    brz_str own = brz_arena_str(memory, brz_str_of_text(path));
    loading l = {.path = own.data,
                 .program = program,
                 .tier = tier,
                 .memory = memory,
                 .file = file,
                 .explains = steps->end != NULL,
                 .fd = -1};
    *file = (brz_plugin_file){.path = own.data, .tier = tier};
    bool good = run_steps(&l, 0, BRZ_STEPS_INSPECTING, steps);
    if (l.fd >= 0)
        close(l.fd);
    return good;
}

bool brz_plugin_open(brz_plugin_file *file, brz_arena *memory, brz_steps *steps)
{
    loading l = {.path = file->path,
                 .tier = file->tier,
                 .memory = memory,
                 .file = file,
                 .explains = steps->end != NULL,
                 .fd = -1};
    if (!run_steps(&l, BRZ_STEPS_INSPECTING, N_STEPS, steps))
        return false;
    file->plugin = l.plugin;
    return true;
}

bool brz_plugin_load(const char *path, brz_tier tier, brz_program *program, brz_arena *memory,
                     brz_plugin_file *file, brz_steps *steps)
{
    return brz_plugin_inspect(path, tier, program, memory, file, steps) &&
           brz_plugin_open(file, memory, steps);
}

bool brz_plugin_open_built_in(const brz_built_in *b, const char *path, brz_arena *memory,
                              brz_plugin_file *file, brz_steps *steps)
{
    loading l = {.path = path,
                 .tier = BRZ_TIER_SHIPPED,
                 .memory = memory,
                 .file = file,
                 .explains = steps->end != NULL,
                 .plugin = b->entry,
                 .fd = -1};
    *file = (brz_plugin_file){.path = path, .tier = BRZ_TIER_SHIPPED};
    if (!run_steps(&l, STEPS_LOADING, N_STEPS, steps))
        return false;
    file->plugin = l.plugin;
    return true;
}

bool brz_plugin_accept_description(brz_plugin_file *file, const brz_plugin *entry,
                                   brz_arena *memory, brz_buf *error)
{
    loading l = {.path = file->path,
                 .tier = file->tier,
                 .memory = memory,
                 .file = file,
                 .plugin = entry,
                 .fd = -1};
    if (!step_entry(&l, error))
        return false;
    brz_buf_clear(error);
    if (!step_components(&l, error))
        return false;
    brz_buf_clear(error);
    file->plugin = entry;
    file->is_described = true;
    return true;
}

const char *brz_plugin_open_step(size_t i)
{
    return i < N_STEPS - BRZ_STEPS_INSPECTING ? all_steps[BRZ_STEPS_INSPECTING + i].name : NULL;
}

void brz_steps_add(brz_steps *s, const char *name, bool passed, brz_str detail)
{
    brz_step *step = &s->items[s->n++];
    step->name = name;
    step->passed = passed;
    brz_buf_add_str(&step->detail, detail);
    if (s->end != NULL)
        s->end(s->watcher, step);
}

void brz_steps_keep(brz_steps *s, size_t n)
{
    while (s->n > n)
        brz_buf_finish(&s->items[--s->n].detail);
}

void brz_steps_finish(brz_steps *s)
{
    brz_steps_keep(s, 0);
}

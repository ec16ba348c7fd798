/* SPDX-License-Identifier: MIT */
/* Finds the symbols of modules. */
#include "symbols.h"

#include "compiler_map.h"
#include "kernel_symbols.h"
#include "symbol_memory.h"
#include "symbol_path.h"

#include "../../../common/file_path.h"
#include "../../../common/symbols/elf/own_vdso.h"

#include <brazier/symbol.h>

#include <stdio.h>
#include <stdlib.h>

/* Folder of files with debugging information. */
#define DEBUG_ROOT "/usr/lib/debug"

void symbols_init(symbols *s, brz_ctx *ctx, brz_str kallsyms, brz_str build_id_dir,
                  bool uses_servers)
{
    const char *home = getenv("HOME");
    memset(s, 0, sizeof *s);
    s->ctx = ctx;
    s->kallsyms = kallsyms;
    s->build_id_dir = build_id_dir;
    s->uses_servers = uses_servers;
    s->servers.ctx = ctx;
    packed_budget_init(&s->packed);
    s->lines = LINE_BUDGET;
    s->bound = SYMBOLS_OF_FILE;
    containers_init(&s->containers, ctx);
    if (build_id_dir.len > 0 || home == NULL || home[0] != '/')
        return;
    brz_text t = {0};
    brz_text_append(&t, ctx, brz_str_of_text(home));
    brz_text_append(&t, ctx, BRZ_STR("/.debug"));
    s->build_id_dir = brz_text_str(&t);
}

/* ---- files ---------------------------------------------------------------------------------- */

/* Appends /.build-id/ab/cdef…SUFFIX to a path. */
static void add_id_path(symbols *s, const build_id *id, brz_str suffix)
{
    symbol_path_add(s, BRZ_STR("/.build-id/"));
    symbol_path_add_digits(s, id, 0, 1);
    symbol_path_add(s, BRZ_STR("/"));
    symbol_path_add_digits(s, id, 1, id->len);
    symbol_path_add(s, suffix);
}

/* Starts the path of a file in the build-id cache. */
static void start_cached_path(symbols *s, const build_id *id, brz_str suffix)
{
    symbol_path_start_own(s, s->build_id_dir);
    add_id_path(s, id, suffix);
}

/* Starts the path of a file with debugging information. */
static void start_debug_path(symbols *s, const build_id *id)
{
    symbol_path_start(s, BRZ_STR(DEBUG_ROOT));
    add_id_path(s, id, BRZ_STR(".debug"));
}

/* Fetches a file by its build id, and starts its path. Returns false if it is nowhere, or if the
 * user does not ask for that. */
static bool fetch(symbols *s, enum debuginfod_kind kind, const build_id *id)
{
    s->is_own_path = true;
    return s->uses_servers && id->len > 1 &&
           debuginfod_fetch(&s->servers, kind, id->bytes, id->len, &s->path);
}

static bool has_id(const elf_image *e, const build_id *id)
{
    return e->build_id.len == id->len && memcmp(e->build_id.data, id->bytes, id->len) == 0;
}

/* Returns whether an image may be the recorded file: it has the recorded build id, if there is one.
 */
static bool agrees(const elf_image *e, const build_id *id)
{
    return id->len == 0 || has_id(e, id);
}

/* ---- the file that was mapped --------------------------------------------------------------- */

/* Opens the image at s->path. Returns the result. */
static enum symbols_state open_image(symbols *s, const module *m, elf_image *e)
{
    brz_related_file file;
    if (!symbol_path_open(s, &file))
        return SYMBOLS_NO_FILE;
    if (!elf_image_open(e, s->ctx, file.data, file.len))
        return SYMBOLS_NOT_ELF;
    e->path = file.path;
    if (agrees(e, &m->id))
        return SYMBOLS_FOUND;
    elf_image_close(e);
    return SYMBOLS_OTHER_ID;
}

/* Opens the file of a module at its path. A file in the place of a deleted one must have its build
 * id. */
static enum symbols_state open_at_path(symbols *s, const module *m, elf_image *e)
{
    brz_str path = modules_path(m);
    bool was_deleted = path.len < m->name.len;
    symbol_path_start(s, path);
    enum symbols_state state = open_image(s, m, e);
    if (state != SYMBOLS_FOUND || !was_deleted || (m->id.len > 0 && has_id(e, &m->id)))
        return state;
    elf_image_close(e);
    return SYMBOLS_OTHER_ID;
}

/* Opens the copy of a module in the build-id cache. */
static enum symbols_state open_cached(symbols *s, const module *m, elf_image *e)
{
    if (m->id.len == 0 || s->build_id_dir.len == 0)
        return SYMBOLS_NO_FILE;
    start_cached_path(s, &m->id, m->kind == MODULE_VDSO ? BRZ_STR("/vdso") : BRZ_STR("/elf"));
    return open_image(s, m, e);
}

/* Opens the image at a place in /proc/PID. Returns whether it has the build id of a module. */
static bool try_process(symbols *s, const module *m, const char *place, brz_str rest, elf_image *e)
{
    char text[64];
    int n = snprintf(text, sizeof text, "/proc/%u/%s", m->mapped.pid, place);
    symbol_path_start(s, brz_str_of(text, (size_t)n));
    symbol_path_add(s, rest);
    return open_image(s, m, e) == SYMBOLS_FOUND;
}

/* Opens the file of a module in the root folders that its process may have. */
static bool open_in_roots(symbols *s, const module *m, elf_image *e)
{
    const process_roots roots = containers_roots(&s->containers, m->mapped.pid);
    for (size_t i = 0; i < roots.n; i++) {
        if (roots.names[i][0] == '\0')
            continue;
        symbol_path_start(s, brz_str_of_text(roots.names[i]));
        symbol_path_add(s, modules_path(m));
        if (open_image(s, m, e) == SYMBOLS_FOUND)
            return true;
    }
    return false;
}

/* Opens the file of a module through a process that maps it, if that still runs, or that has the
 * same mounts: outside of its container, or after an upgrade, another file may have the name. The
 * build id decides. */
static bool open_in_process(symbols *s, const module *m, elf_image *e)
{
    char range[64];
    int n = snprintf(range, sizeof range, "%llx-%llx", (unsigned long long)m->mapped.start,
                     (unsigned long long)m->mapped.end);
    if (m->id.len == 0 || m->mapped.pid == 0)
        return false;
    return open_in_roots(s, m, e) ||
           try_process(s, m, "map_files/", brz_str_of(range, (size_t)n), e) ||
           try_process(s, m, "exe", brz_str_of("", 0), e);
}

/* Opens the file of a module at its path: that in its container, if its process was in one and no
 * build id tells the files apart. */
static enum symbols_state open_mapped(symbols *s, const module *m, elf_image *e)
{
    if (m->id.len > 0 || !containers_are_foreign(&s->containers, m->mapped.pid))
        return open_at_path(s, m, e);
    return open_in_roots(s, m, e) ? SYMBOLS_FOUND : SYMBOLS_NO_FILE;
}

/* Opens the code that the kernel maps into this process, if it is the recorded one: it has the
 * build id or, if the recording lacks that, belongs to the recorded kernel. */
static enum symbols_state open_own_vdso(symbols *s, const module *m, elf_image *e)
{
    size_t len = 0;
    const uint8_t *data = own_vdso(&len);
    if (data == NULL || (m->id.len == 0 && !kernel_symbols_is_running(s)) ||
        !elf_image_open(e, s->ctx, data, len))
        return SYMBOLS_NO_FILE;
    if (agrees(e, &m->id))
        return SYMBOLS_FOUND;
    elf_image_close(e);
    return SYMBOLS_NO_FILE; /* that of the recording is not here */
}

static enum symbols_state open_loaded(symbols *s, const module *m, elf_image *e)
{
    s->was_refused = false;
    enum symbols_state state = m->kind == MODULE_FILE ? open_mapped(s, m, e) : SYMBOLS_NO_FILE;
    bool may_try = !s->was_refused; /* other names of a file that may not be opened */
    if (state == SYMBOLS_FOUND || open_cached(s, m, e) == SYMBOLS_FOUND)
        return SYMBOLS_FOUND;
    if (m->kind == MODULE_VDSO)
        return open_own_vdso(s, m, e);
    if (may_try && open_in_process(s, m, e))
        return SYMBOLS_FOUND;
    bool fetched = fetch(s, DEBUGINFOD_PROGRAM, &m->id) && open_image(s, m, e) == SYMBOLS_FOUND;
    return fetched ? SYMBOLS_FOUND : state;
}

/* ---- the file with its symbols -------------------------------------------------------------- */

/* Opens the image at s->path if it has the symbols of the loaded one: the same build id, or the
 * checksum in its .gnu_debuglink. */
static bool try_debug(symbols *s, symbol_source *of, bool by_checksum)
{
    brz_related_file file;
    elf_image *e = &of->symbols;
    if (!symbol_path_open(s, &file) || !elf_image_open(e, s->ctx, file.data, file.len))
        return false;
    e->path = file.path;
    const elf_image *loaded = &of->loaded;
    bool same = loaded->build_id.len > 0 && loaded->build_id.len == e->build_id.len &&
                memcmp(loaded->build_id.data, e->build_id.data, e->build_id.len) == 0;
    bool unknown = loaded->build_id.len == 0 || e->build_id.len == 0;
    if (!same && unknown && by_checksum)
        same = elf_image_checksum(file.data, file.len) == loaded->debug_crc;
    if (same && e->has_symbols) {
        of->symbols_path = brz_text_keep(s->ctx, brz_text_str(&s->path));
        return true;
    }
    of->has_other_debug |= !same;
    elf_image_close(e);
    memset(e, 0, sizeof *e);
    return false;
}

/* Looks for the file that .gnu_debuglink names: in the folder of the module, in .debug there, and
 * in the folder of debugging information. */
static bool try_debug_link(symbols *s, symbol_source *of, brz_str folder)
{
    static const char *const before[] = {"", "", DEBUG_ROOT}, *const after[] = {"", ".debug/", ""};
    brz_str link = of->loaded.debug_link;
    if (link.len == 0 || memchr(link.data, '/', link.len) != NULL)
        return false;
    for (size_t i = 0; i < 3; i++) {
        symbol_path_start(s, brz_str_of_text(before[i]));
        symbol_path_add(s, folder);
        symbol_path_add(s, brz_str_of_text(after[i]));
        symbol_path_add(s, link);
        if (try_debug(s, of, true))
            return true;
    }
    return false;
}

/* Looks for the file that has the symbols of a stripped module. */
static bool find_debug(symbols *s, const module *m, symbol_source *of)
{
    build_id id = {.len = 0};
    brz_str name = modules_path(m);
    if (of->loaded.build_id.len > 1 && of->loaded.build_id.len <= BUILD_ID_MAX) {
        id.len = (uint32_t)of->loaded.build_id.len;
        memcpy(id.bytes, of->loaded.build_id.data, id.len);
    }
    if (m->kind == MODULE_FILE && try_debug_link(s, of, path_folder(name)))
        return true;
    if (id.len > 0 && s->build_id_dir.len > 0) {
        start_cached_path(s, &id, BRZ_STR("/debug"));
        if (try_debug(s, of, false))
            return true;
    }
    if (id.len > 0) {
        start_debug_path(s, &id);
        if (try_debug(s, of, false))
            return true;
    }
    symbol_path_start(s, BRZ_STR(DEBUG_ROOT));
    symbol_path_add(s, name);
    symbol_path_add(s, BRZ_STR(".debug"));
    if (m->kind == MODULE_FILE && try_debug(s, of, false))
        return true;
    return fetch(s, DEBUGINFOD_DEBUG, &id) && try_debug(s, of, false);
}

/* ---- the file with the shared parts of DWARF ------------------------------------------------ */

/* Opens the image at s->path if it has the build id that the link demands. */
static bool try_shared(symbols *s, symbol_source *of, brz_str id)
{
    brz_related_file file;
    elf_image *e = &of->shared;
    if (!symbol_path_open(s, &file) || !elf_image_open(e, s->ctx, file.data, file.len))
        return false;
    e->path = file.path;
    if (e->has_debug && brz_str_equal(e->build_id, id))
        return true;
    elf_image_close(e);
    memset(e, 0, sizeof *e);
    return false;
}

/* Starts the path of a link that is relative to a folder; "../" at its beginning leads upwards. */
static void start_relative(symbols *s, brz_str folder, brz_str link)
{
    while (brz_starts_with(link, BRZ_STR("../")) && folder.len > 1) {
        folder = path_folder(brz_str_of(folder.data, folder.len - 1));
        link = brz_str_of(link.data + 3, link.len - 3);
    }
    symbol_path_start(s, folder);
    symbol_path_add(s, link);
}

/* Looks for the file that .gnu_debugaltlink of an image names: there, relative to the folder of the
 * image's path, or by its build id. */
static bool find_shared(symbols *s, brz_str path, symbol_source *of, const elf_image *e)
{
    build_id id = {.len = (uint32_t)e->alt_id.len};
    if (e->alt_link.len == 0 || e->alt_id.len < 2 || e->alt_id.len > BUILD_ID_MAX)
        return false;
    memcpy(id.bytes, e->alt_id.data, id.len);
    start_relative(s, e->alt_link.data[0] == '/' ? BRZ_STR("") : path_folder(path), e->alt_link);
    if (try_shared(s, of, e->alt_id))
        return true;
    start_debug_path(s, &id);
    return try_shared(s, of, e->alt_id) ||
           (fetch(s, DEBUGINFOD_DEBUG, &id) && try_shared(s, of, e->alt_id));
}

/* ---- symbols -------------------------------------------------------------------------------- */

/* Looks for the symbols of a stripped file: in the file with its debugging information or, without
 * one, those that it has in packed form. */
static void find_separate_symbols(symbols *s, const module *m, symbol_source *of)
{
    if (find_debug(s, m, of))
        return;
    switch (mini_debug_open(&of->loaded, s->ctx, &of->mini)) {
    case MINI_DEBUG_UNPACKED:
        break;
    case MINI_DEBUG_PACKED:
        of->state = SYMBOLS_PACKED;
        break;
    default:
        of->state = of->loaded.mini_debug_len > 0 ? SYMBOLS_DAMAGED : SYMBOLS_STRIPPED;
        break;
    }
}

/* Reads the symbols of the files that were found. */
static void add_symbols(const symbols *s, symbol_source *of)
{
    elf_symbols *to = &of->elf;
    elf_symbols_add(to, &of->loaded);
    if (of->symbols.elf != NULL)
        elf_symbols_add(to, &of->symbols);
    else if (of->mini.elf != NULL)
        elf_symbols_add(to, &of->mini);
    else if ((of->state == SYMBOLS_STRIPPED || of->state == SYMBOLS_DAMAGED) && !s->by_perf_script)
        elf_symbols_add_go(to);
    elf_symbols_finish(to);
}

/* Opens the ELF files of a module. */
static void load_elf(symbols *s, module *m, symbol_source *of)
{
    of->state = open_loaded(s, m, &of->loaded);
    if (of->state != SYMBOLS_FOUND)
        return;
    temporary_memory_begin(&of->memory, s->ctx);
    elf_symbols_init(&of->elf, &of->memory.ctx, &of->loaded, s->by_perf_script);
    if (!of->loaded.has_symbols)
        find_separate_symbols(s, m, of);
    add_symbols(s, of);
}

/* Begins to use the symbols of a module's files, which may have been released. */
static void use_elf(symbols *s, symbol_source *of)
{
    symbol_memory_use(s, of);
    if (!of->is_released)
        return;
    symbol_memory_reread(s, of);
    add_symbols(s, of);
}

/* ---- modules -------------------------------------------------------------------------------- */

static void load(symbols *s, module *m)
{
    symbol_source *of = s->ctx->host->alloc(s->ctx, sizeof *of, 0);
    m->symbols = of;
    if (m->kind == MODULE_FILE || m->kind == MODULE_VDSO) {
        load_elf(s, m, of);
        of->next = s->all;
        s->all = of;
    } else if (m->kind == MODULE_JIT) {
        compiler_map_read(s, m, of);
    }
}

symbol_source *symbols_of(symbols *s, module *m)
{
    if (m->symbols != NULL)
        return m->symbols;
    if (m->kind == MODULE_KERNEL || m->kind == MODULE_KERNEL_MODULE) {
        if (s->kernel == NULL)
            s->kernel = kernel_symbols_load(s);
        m->symbols = s->kernel;
    } else {
        load(s, m);
    }
    return m->symbols;
}

void symbols_look_again(symbols *s)
{
    s->look++;
}

void symbols_refresh(symbols *s, module *m)
{
    bool is_new = m->symbols == NULL;
    symbol_source *of = symbols_of(s, m);
    if (!is_new && of->look != s->look && m->kind == MODULE_JIT)
        compiler_map_read(s, m, of);
    of->look = s->look;
}

const symbol *symbols_find(symbols *s, module *m, uint64_t address)
{
    symbol_source *of = symbols_of(s, m);
    bool is_kernel = m->kind == MODULE_KERNEL || m->kind == MODULE_KERNEL_MODULE;
    if (m->kind == MODULE_KERNEL_MODULE && s->shift != 0)
        return NULL; /* the kernel moves each module by a distance of its own */
    if (m->kind == MODULE_FILE || m->kind == MODULE_VDSO) {
        use_elf(s, of);
        return elf_symbols_find(&of->elf, address);
    }
    address -= is_kernel ? s->shift : 0;
    if (is_kernel && !s->by_perf_script && of->state == SYMBOLS_FOUND)
        return symbol_list_find(&of->list, address);
    return symbol_table_find(&of->table, address);
}

/* Passes what open_unit() needs. */
typedef struct unit_files {
    symbols *symbols;
    brz_str path; /* of the file with the debugging information */
} unit_files;

/* Opens the file with the rest of a unit: at its name, in the folder of the file that names it, and
 * in the file that has all of them, FILE.dwp. A relative folder, which hides where the compiler
 * ran, begins there, too. */
static bool open_unit(void *context, size_t place, brz_str folder, brz_str name, elf_image *e)
{
    const unit_files *u = context;
    symbols *s = u->symbols;
    brz_related_file file;
    symbol_path_start(s, brz_str_of("", 0));
    if (place == 0 && name.data[0] != '/') {
        start_relative(
            s, brz_starts_with(folder, BRZ_STR("/")) ? BRZ_STR("") : path_folder(u->path), folder);
        symbol_path_add(s, BRZ_STR("/"));
    } else if (place == 1) {
        symbol_path_add(s, path_folder(u->path));
    } else if (place > 1) {
        symbol_path_add(s, u->path);
        name = BRZ_STR(".dwp");
    }
    symbol_path_add(s, name);
    if (!symbol_path_open(s, &file) || !elf_image_open(e, s->ctx, file.data, file.len))
        e->elf = NULL;
    return place < 2;
}

/* Opens the DWARF of a module. */
static void find_inlines(symbols *s, const module *m, symbol_source *of)
{
    bool is_separate = of->symbols.has_debug;
    const elf_image *e = is_separate ? &of->symbols : &of->loaded;
    brz_str path = is_separate ? of->symbols_path : modules_path(m);
    of->looked_for_inlines = true;
    if (e->elf == NULL || !e->has_debug)
        return;
    if (e->is_shared && of->shared.elf == NULL)
        of->lacks_shared = !find_shared(s, path, of, e);
    brz_ctx *memory = &of->memory.ctx;
    unit_files *files = memory->host->alloc(memory, sizeof *files, 0);
    *files = (unit_files){s, path};
    of->inlines = inlines_open(e, &of->shared, &(inline_files){open_unit, files},
                               (inline_budgets){&s->packed, &s->lines}, &of->needed, memory);
}

size_t symbols_inlines(symbols *s, module *m, uint64_t address, inline_call calls[INLINES_MAX])
{
    uint64_t there;
    symbol_source *of = symbols_of(s, m);
    if (m->kind != MODULE_FILE && m->kind != MODULE_VDSO)
        return 0;
    if (elf_symbols_jumps_at(&of->elf, address) != NULL)
        return 0;
    use_elf(s, of);
    if (!of->looked_for_inlines)
        find_inlines(s, m, of);
    if (of->inlines == NULL || !elf_image_address(&of->loaded, address, &there))
        return 0;
    return inlines_find(of->inlines, &of->memory.ctx, there, calls);
}

void symbols_close(symbols *s)
{
    debuginfod_close(&s->servers);
    for (symbol_source *of = s->all; of != NULL; of = of->next) {
        symbol_memory_release(of);
        elf_image_close(&of->loaded);
        elf_image_close(&of->symbols);
        elf_image_close(&of->mini);
        elf_image_close(&of->shared);
    }
    s->all = NULL;
}

/* SPDX-License-Identifier: MIT */
/* Reads the symbols of the kernel and its modules. */
#include "kernel_symbols.h"

#include "symbol_path.h"
#include "../../../common/words.h"

#include "../../../common/symbols/symbol_lines.h"

#include <brazier/symbol.h>

/* The list of the running kernel. */
#define RUNNING_LIST "/proc/kallsyms"

/* Names of this machine and of the release of its kernel. */
#define RUNNING_HOST    "/proc/sys/kernel/hostname"
#define RUNNING_RELEASE "/proc/sys/kernel/osrelease"

#define NOTE_BUILD_ID 3

/* Takes the build id of the running kernel from its notes. */
static bool take_running_id(brz_bytes b, build_id *id)
{
    while (brz_bytes_left(&b) >= 12) {
        uint32_t name = brz_bytes_u32(&b), size = brz_bytes_u32(&b), type = brz_bytes_u32(&b);
        brz_str owner = brz_bytes_text(&b, ((uint64_t)name + 3) / 4 * 4);
        brz_str content = brz_bytes_text(&b, ((uint64_t)size + 3) / 4 * 4);
        bool is_id = type == NOTE_BUILD_ID && size <= BUILD_ID_MAX && b.error == NULL &&
                     brz_str_equal(owner, BRZ_STR("GNU\0"));
        if (!is_id)
            continue;
        id->len = size;
        memcpy(id->bytes, content.data, size);
        return true;
    }
    return false;
}

/* Returns whether the recorded kernel is the running one, as far as both are known. */
static bool is_running(symbols *s, bool otherwise)
{
    brz_related_file file;
    build_id running = {.len = 0};
    symbol_path_start_own(s, BRZ_STR("/sys/kernel/notes"));
    if (s->kernel_id.len == 0 || !symbol_path_open(s, &file))
        return otherwise;
    brz_bytes b = brz_bytes_of(file.data, file.len);
    b.order = NATIVE_ORDER;
    if (!take_running_id(b, &running))
        return otherwise;
    return running.len == s->kernel_id.len &&
           memcmp(running.bytes, s->kernel_id.bytes, running.len) == 0;
}

/* Returns whether a file of the kernel has this line. */
static bool has_line(symbols *s, brz_str path, brz_str line)
{
    brz_related_file file;
    symbol_path_start_own(s, path);
    return line.len > 0 && symbol_path_open(s, &file) && file.len == line.len + 1 &&
           memcmp(file.data, line.data, line.len) == 0 && file.data[line.len] == '\n';
}

/* Returns whether the recording has no build id of the kernel, as one of a pipe or with compressed
 * records, but the names of this machine and release. */
static bool seems_running(symbols *s)
{
    return s->kernel_id.len == 0 && has_line(s, BRZ_STR(RUNNING_HOST), s->host) &&
           has_line(s, BRZ_STR(RUNNING_RELEASE), s->release);
}

bool kernel_symbols_is_running(symbols *s)
{
    return is_running(s, false) || seems_running(s);
}

/* Returns whether the list of the running kernel has the recorded symbols. Without a build id, the
 * address of the reference shows whether the machine has been started since. */
static bool has_running_symbols(symbols *s)
{
    return (s->kernel_id.len > 0 || s->reference_at != 0) && kernel_symbols_is_running(s);
}

/* Opens the list in the build-id cache. */
static bool open_cached(symbols *s, brz_related_file *file)
{
    if (s->kernel_id.len == 0 || s->build_id_dir.len == 0)
        return false;
    symbol_path_start_own(s, s->build_id_dir);
    symbol_path_add(s, BRZ_STR("/[kernel.kallsyms]/"));
    symbol_path_add_digits(s, &s->kernel_id, 0, s->kernel_id.len);
    symbol_path_add(s, BRZ_STR("/kallsyms"));
    return symbol_path_open(s, file);
}

/* Opens the list of the running kernel. */
static bool open_running(symbols *s, brz_related_file *file)
{
    symbol_path_start_own(s, BRZ_STR(RUNNING_LIST));
    return symbol_path_open(s, file);
}

/* Opens the list of the kernel's symbols: the one that the user names, that of the build-id cache,
 * or that of the running kernel if it is the recorded one. */
static bool open_list(symbols *s, brz_related_file *file)
{
    if (s->kallsyms.len == 0)
        return open_cached(s, file) || (has_running_symbols(s) && open_running(s, file));
    symbol_path_start_own(s, s->kallsyms);
    return symbol_path_open(s, file);
}

static void warn_of_list(symbols *s, const char *why)
{
    s->path.len = 0;
    symbol_path_add(s, brz_str_of_text(why));
    symbol_path_add(s, s->kallsyms);
    if (s->kallsyms.len > 0)
        brz_report(s->ctx, BRZ_WARNING, "perf-data.kallsyms", NULL, 0, brz_text_str(&s->path));
}

/* Reads a list. Sets *at to the address of the reference in it. Returns false if the list has no
 * addresses. */
static bool read_list(symbols *s, symbol_source *of, brz_str text, uint64_t *at)
{
    if (!s->by_perf_script) {
        symbol_list_open(&of->list, s->ctx, text, s->reference, at);
        return of->list.has_addresses;
    }
    bool has_addresses = symbol_lines_kallsyms(&of->table, s->ctx, text, s->reference, at);
    if (has_addresses)
        symbol_table_finish_unsized(&of->table);
    else
        of->table.n = 0;
    return has_addresses;
}

symbol_source *kernel_symbols_load(symbols *s)
{
    symbol_source *of = s->ctx->host->alloc(s->ctx, sizeof *of, 0);
    brz_related_file file;
    uint64_t at = 0;
    of->state = SYMBOLS_NO_FILE;
    if (brz_str_equal(s->kallsyms, BRZ_STR(RUNNING_LIST)) && !is_running(s, true)) {
        warn_of_list(s, "the list is that of the running kernel, which is not the recorded one: ");
        return of;
    }
    if (!open_list(s, &file)) {
        warn_of_list(s, "the list of the kernel's symbols cannot be read: ");
        return of;
    }
    brz_str text = brz_str_of((const char *)file.data, file.len);
    if (!read_list(s, of, text, &at)) {
        warn_of_list(
            s, "the list of the kernel's symbols has no addresses, since root did not make it: ");
        return of;
    }
    if (s->kallsyms.len == 0 && s->kernel_id.len == 0 && at != s->reference_at) {
        of->table.n = 0;
        return of;
    }
    s->shift = at != 0 && s->reference_at != 0 ? s->reference_at - at : 0;
    of->state = SYMBOLS_FOUND;
    return of;
}

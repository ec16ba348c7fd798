/* SPDX-License-Identifier: MIT */
/* Reads the names that compilers at run time give to their code. */
#include "compiler_map.h"

#include "symbol_path.h"
#include "threads.h"

#include "../../../common/file_path.h"
#include "../../../common/symbols/symbol_lines.h"

#include <brazier/symbol.h>

#include <stdio.h>

/* Returns the number in the name of a dump, jit-NUMBER.dump, or 0. */
static uint32_t number_of_dump(brz_str path)
{
    uint64_t number = 0;
    brz_str name = path_base(path);
    for (size_t i = 4; i < name.len && name.data[i] >= '0' && name.data[i] <= '9'; i++)
        number = number > UINT32_MAX ? 0 : number * 10 + (uint64_t)(name.data[i] - '0');
    return number > UINT32_MAX ? 0 : (uint32_t)number;
}

/* Returns the value of a line "KEY:\tVALUE" of /proc/PID/status, or an empty text. */
static brz_str line_of(brz_str status, const char *key)
{
    size_t at = brz_str_find(status, brz_str_of_text(key), 0);
    if (at == SIZE_MAX)
        return brz_str_of("", 0);
    const char *start = status.data + at + strlen(key);
    size_t left = status.len - at - strlen(key);
    const char *end = memchr(start, '\n', left);
    return brz_str_of(start, end == NULL ? left : (size_t)(end - start));
}

/* Returns the number that a process has in its own namespace, if it still runs: the last one of a
 * line. Returns 0 if it has ended. Another process may have its number by now, but hardly its name,
 * too. */
static uint32_t number_inside(symbols *s, uint32_t pid)
{
    char path[32];
    brz_related_file file;
    int n = snprintf(path, sizeof path, "/proc/%u/status", pid);
    symbol_path_start(s, brz_str_of(path, (size_t)n));
    if (!symbol_path_open(s, &file))
        return 0;
    brz_str status = brz_str_of((const char *)file.data, file.len);
    brz_str name = threads_process_name(s->threads, pid), numbers = line_of(status, "\nNSpid:\t");
    if (name.len > 0 && !brz_str_equal(name, line_of(status, "Name:\t")))
        return 0;
    uint64_t number = 0;
    for (size_t i = 0; i < numbers.len; i++)
        number = numbers.data[i] == '\t' ? 0 : number * 10 + (uint64_t)(numbers.data[i] - '0');
    return number > UINT32_MAX ? 0 : (uint32_t)number;
}

/* Returns whether the functions of a file are those that were read last. Otherwise removes these.
 */
static bool is_as_read(symbol_source *of, const brz_related_file *file, bool has_changed)
{
    if (!has_changed && of->map == file->data)
        return true;
    of->map = file->data;
    of->table.n = 0;
    return false;
}

/* Reads the dump that a process has mapped, below a root folder. */
static bool load_dump(symbols *s, const module *m, symbol_source *of, const char *root)
{
    brz_related_file file;
    bool has_changed;
    symbol_path_start(s, brz_str_of_text(root));
    symbol_path_add(s, m->dump);
    if (m->dump.len == 0 || !symbol_path_open_again(s, &file, &has_changed))
        return false;
    if (is_as_read(of, &file, has_changed))
        return true;
    s->jit_unwinding -= of->dump.n_unwinding;
    bool good = jit_dump_read(&of->dump, &of->table, s->ctx, file.data, file.len);
    s->jit_unwinding += of->dump.n_unwinding;
    if (good)
        symbol_table_finish_in_order(&of->table, s->ctx);
    else
        of->map = NULL;
    return good;
}

/* Reads the map of the process with a number, below a root folder. */
static bool load_perf_map(symbols *s, symbol_source *of, const char *root, uint32_t number)
{
    char name[64];
    brz_related_file file;
    bool has_changed;
    int n = snprintf(name, sizeof name, "/tmp/perf-%u.map", number);
    symbol_path_start(s, brz_str_of_text(root));
    symbol_path_add(s, brz_str_of(name, (size_t)n));
    if (number == 0 || !symbol_path_open_again(s, &file, &has_changed))
        return false;
    if (!is_as_read(of, &file, has_changed))
        symbol_lines_map(&of->table, s->ctx, brz_str_of((const char *)file.data, file.len));
    return true;
}

void compiler_map_read(symbols *s, const module *m, symbol_source *of)
{
    uint32_t pid = m->mapped.pid, live = number_inside(s, pid);
    const process_roots roots = containers_roots(&s->containers, pid);
    const inside *in = containers_find(&s->containers, pid);
    uint32_t own = live > 0                    ? live
                   : in != NULL && in->own > 0 ? in->own
                   : m->dump.len > 0           ? number_of_dump(m->dump)
                                               : pid;
    of->state = SYMBOLS_FOUND;
    for (size_t i = live > 0 ? 0 : 1; i < roots.n; i++) {
        const char *root = roots.names[i];
        if (load_dump(s, m, of, root) || load_perf_map(s, of, root, root[0] == '\0' ? pid : own))
            return;
    }
    of->state = SYMBOLS_NO_FILE;
}

/* SPDX-License-Identifier: MIT */
/* The modules that processes and the kernel map. */
#include "modules.h"

#include "../../../common/file_path.h"

#include <brazier/symbol.h>

/* Maximum length of names; paths of files are shorter. */
#define NAME_MAX_LENGTH 4096

void modules_init(modules *m, brz_ctx *ctx)
{
    memset(m, 0, sizeof *m);
    brz_frame_cache_init(&m->by_name, ctx);
    brz_frame_cache_init(&m->ids, ctx);
}

/* ---- build ids ------------------------------------------------------------------------------- */

/* Returns a build id as digits. */
static brz_str digits_of(modules *m, brz_ctx *ctx, const build_id *id)
{
    static const char digits[] = "0123456789abcdef";
    m->scratch.len = 0;
    for (uint32_t i = 0; i < id->len; i++) {
        const char two[2] = {digits[id->bytes[i] >> 4], digits[id->bytes[i] & 15]};
        brz_text_append(&m->scratch, ctx, brz_str_of(two, sizeof two));
    }
    return id->len > 0 ? brz_text_keep(ctx, brz_text_str(&m->scratch)) : brz_str_of("", 0);
}

/* Sets the build id of a module that is mapped already, unless its symbols were looked for. Its
 * name is in m->scratch. */
static void complete(modules *m, brz_ctx *ctx, enum module_kind kind, const build_id *id)
{
    brz_frame_key key =
        brz_frame_key_of(&m->by_name, m->scratch.data, m->scratch.len, (uint32_t)kind << 8);
    uint32_t i = brz_frame_cache_find(&m->by_name, &key);
    if (i == BRZ_CACHE_MISS || m->items[i].symbols != NULL)
        return;
    m->items[i].id = *id;
    m->items[i].hex = digits_of(m, ctx, id);
}

void modules_add_build_id(modules *m, brz_ctx *ctx, brz_str name, const build_id *id)
{
    if (id->len == 0 || name.len == 0 || name.len > NAME_MAX_LENGTH)
        return;
    m->scratch.len = 0;
    brz_text_append(&m->scratch, ctx, name);
    brz_text_room(&m->scratch, ctx, 0);
    brz_frame_key key = brz_frame_key_of(&m->ids, m->scratch.data, m->scratch.len, 0);
    if (brz_frame_cache_find(&m->ids, &key) != BRZ_CACHE_MISS)
        return;
    m->build_ids = brz_list_room(ctx, m->build_ids, m->n_ids, &m->cap_ids, sizeof *m->build_ids);
    brz_frame_cache_put(&m->ids, ctx, &key, (uint32_t)m->n_ids);
    m->build_ids[m->n_ids++] = *id;
    complete(m, ctx, MODULE_FILE, id);
}

/* Returns the build id that the recording lists for a name in m->scratch. */
static build_id listed_id(const modules *m)
{
    brz_frame_key key = brz_frame_key_of(&m->ids, m->scratch.data, m->scratch.len, 0);
    uint32_t i = brz_frame_cache_find(&m->ids, &key);
    if (i == BRZ_CACHE_MISS)
        return (build_id){.len = 0};
    return m->build_ids[i];
}

bool modules_has_build_id(modules *m, brz_ctx *ctx, brz_str name)
{
    m->scratch.len = 0;
    brz_text_append(&m->scratch, ctx, name);
    return listed_id(m).len > 0;
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool contains(brz_str s, const char *part)
{
    return brz_str_find(s, brz_str_of_text(part), 0) != SIZE_MAX;
}

enum module_kind modules_kind_of(brz_str name)
{
    static const char *const anonymous[] = {"//anon", "/dev/zero", "/anon_hugepage", "[stack",
                                            "/SYSV",  "[heap]",    "[anon"};
    for (size_t i = 0; i < BRZ_COUNT_OF(anonymous); i++)
        if (brz_starts_with(name, brz_str_of_text(anonymous[i])))
            return MODULE_JIT;
    if (brz_starts_with(name, BRZ_STR("[vdso")))
        return MODULE_VDSO;
    if (name.len == 0 || name.data[0] != '/' || brz_starts_with(name, BRZ_STR("//")))
        return MODULE_NONE;
    return brz_starts_with(name, BRZ_STR("/memfd:")) ? MODULE_MEMORY : MODULE_FILE;
}

bool modules_is_dump(brz_str name)
{
    return brz_starts_with(path_base(name), BRZ_STR("jit-")) &&
           brz_ends_with(name, BRZ_STR(".dump"));
}

brz_str modules_name_in_kernel(brz_str name)
{
    const char *end = name.len > 0 && name.data[0] == '[' ? memchr(name.data, ']', name.len) : NULL;
    return end == NULL ? name : brz_str_of(name.data, (size_t)(end + 1 - name.data));
}

enum module_kind modules_kind_in_kernel(brz_str name)
{
    return contains(name, "kernel.kallsyms]") || contains(name, "vmlinux") ||
                   contains(name, "[kernel]")
               ? MODULE_KERNEL
               : MODULE_KERNEL_MODULE;
}

brz_str modules_path(const module *m)
{
    bool is_deleted = brz_ends_with(m->name, BRZ_STR(" (deleted)"));
    return brz_str_of(m->name.data, m->name.len - (is_deleted ? 10 : 0));
}

/* Returns the label of code without a symbol: the last component of the path, in brackets. */
static brz_str make_label(modules *m, brz_ctx *ctx, brz_str name)
{
    m->scratch.len = 0;
    brz_text_append(&m->scratch, ctx, BRZ_STR("["));
    brz_text_append(&m->scratch, ctx, path_base(name));
    brz_text_append(&m->scratch, ctx, BRZ_STR("]"));
    return brz_text_keep(ctx, brz_text_str(&m->scratch));
}

static uint32_t add(modules *m, brz_ctx *ctx, brz_str name, enum module_kind kind,
                    const build_id *id)
{
    m->items = brz_list_room(ctx, m->items, m->n, &m->cap, sizeof *m->items);
    module *item = &m->items[m->n];
    memset(item, 0, sizeof *item);
    item->name = brz_text_keep(ctx, name);
    item->label = name.len > 0 ? make_label(m, ctx, modules_path(item)) : BRZ_STR("[unknown]");
    item->kind = kind;
    item->id = *id;
    item->hex = digits_of(m, ctx, id);
    return (uint32_t)m->n++;
}

/* Returns the position of a module. Those of one name and kind differ in `more`. */
static uint32_t find_or_add(modules *m, brz_ctx *ctx, brz_str name, enum module_kind kind,
                            const build_id *id, brz_str more)
{
    m->scratch.len = 0;
    brz_text_append(&m->scratch, ctx, name);
    brz_text_append(&m->scratch, ctx, more);
    brz_frame_key key = brz_frame_key_of(&m->by_name, m->scratch.data, m->scratch.len,
                                         (uint32_t)kind << 8 | (uint32_t)more.len);
    uint32_t position = brz_frame_cache_find(&m->by_name, &key);
    if (position != BRZ_CACHE_MISS)
        return position;
    brz_frame_cache_put(&m->by_name, ctx, &key, (uint32_t)m->n);
    return add(m, ctx, name, kind, id);
}

static brz_str shortened(brz_str name)
{
    return brz_str_of(name.data, name.len < NAME_MAX_LENGTH ? name.len : NAME_MAX_LENGTH);
}

uint32_t modules_get(modules *m, brz_ctx *ctx, brz_str name, enum module_kind kind,
                     const build_id *id)
{
    name = shortened(name);
    m->scratch.len = 0;
    brz_text_append(&m->scratch, ctx, name);
    build_id known = id != NULL && id->len > 0 ? *id : listed_id(m);
    return find_or_add(m, ctx, name, kind, &known,
                       brz_str_of((const char *)known.bytes, known.len));
}

uint32_t modules_get_memory(modules *m, brz_ctx *ctx, brz_str name, uint32_t map)
{
    const build_id none = {.len = 0};
    brz_str process = brz_str_of((const char *)&map, sizeof map);
    uint32_t position = find_or_add(m, ctx, shortened(name), MODULE_MEMORY, &none, process);
    m->items[position].map = map;
    return position;
}

/* SPDX-License-Identifier: MIT */
/* Finds the code of functions. */
#include "module_code.h"

#include <brazier/symbol.h>

/* Returns the module of a frame, if it is a file with a build id, or NULL. */
static module *find_module(const modules *m, const brz_frame_info *at)
{
    for (size_t i = 0; i < m->n; i++) {
        module *x = &m->items[i];
        bool is_file = x->kind == MODULE_FILE || x->kind == MODULE_VDSO;
        if (is_file && x->id.len > 0 && brz_str_equal(x->hex, at->build_id) &&
            brz_str_equal(modules_path(x), at->module))
            return x;
    }
    return NULL;
}

static bool has_recorded_id(const module *m, const elf_image *e)
{
    return e->elf != NULL && e->build_id.len == m->id.len &&
           memcmp(e->build_id.data, m->id.bytes, m->id.len) == 0;
}

/* Returns whether a range of offsets lies in the file and is loaded in one piece. Stores where the
 * file has it loaded. */
static bool is_loaded(const elf_image *e, uint64_t start, uint64_t end, uint64_t *address)
{
    uint64_t last;
    return start < end && end <= e->len && elf_image_address(e, start, address) &&
           elf_image_address(e, end - 1, &last) && last - *address == end - 1 - start;
}

bool module_code_find(const modules *m, symbols *s, const brz_frame_info *at, brz_code *code)
{
    module *of = find_module(m, at);
    if (of == NULL)
        return false;
    const symbol *function = symbols_find(s, of, at->address);
    const elf_image *e = &symbols_of(s, of)->loaded;
    if (function == NULL || !has_recorded_id(of, e))
        return false;
    uint64_t start = function->start, end = function->end;
    if (at->address < start || at->address >= end || end - start > BRZ_CODE_MAX ||
        !is_loaded(e, start, end, &code->shown))
        return false;
    code->machine = e->machine;
    code->flags = elf_image_order(e) == BRZ_BIG_ENDIAN ? BRZ_CODE_BIG_ENDIAN : 0;
    code->address = start;
    code->bytes = brz_str_of((const char *)e->data + start, (size_t)(end - start));
    return true;
}

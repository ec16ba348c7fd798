/* Stores the code of functions. */
#include "profile/codes.h"

#include <brazier/symbol.h>

#include <stdlib.h>

#include "base/mem.h"

bool brz_module_code_contains(const brz_module_code *c, const brz_frame_info *at)
{
    return at->address - c->code.address < c->code.bytes.len &&
           brz_str_equal(c->module, at->module) && brz_str_equal(c->build_id, at->build_id);
}

const brz_code *brz_codes_find(const brz_codes *c, const brz_frame_info *at)
{
    for (size_t i = 0; i < c->n; i++)
        if (brz_module_code_contains(&c->items[i], at))
            return &c->items[i].code;
    return NULL;
}

/* Returns whether there is code, whose addresses are numbers of 64 bits. */
static bool is_valid(const brz_code *code)
{
    size_t len = code->bytes.len;
    return len > 0 && len <= BRZ_CODE_MAX && code->address <= UINT64_MAX - len &&
           code->shown <= UINT64_MAX - len;
}

bool brz_codes_add(brz_codes *c, const brz_module_code *added)
{
    const brz_frame_info at = {
        .module = added->module, .build_id = added->build_id, .address = added->code.address};
    if (!is_valid(&added->code) || brz_codes_find(c, &at) != NULL)
        return true;
    if (c->n == BRZ_CODES_MAX || added->code.bytes.len > BRZ_CODES_BYTES - c->n_bytes)
        return false;
    c->items = brz_grow(c->items, c->n, &c->cap, sizeof *c->items);
    brz_module_code *m = &c->items[c->n++];
    *m = *added;
    m->module = brz_arena_str(&c->memory, added->module);
    m->build_id = brz_arena_str(&c->memory, added->build_id);
    m->code.struct_size = sizeof m->code;
    m->code.bytes = brz_arena_str(&c->memory, added->code.bytes);
    c->n_bytes += added->code.bytes.len;
    return true;
}

void brz_codes_absorb(brz_codes *c, const brz_codes *from)
{
    for (size_t i = 0; i < from->n; i++)
        brz_codes_add(c, &from->items[i]);
}

void brz_codes_finish(brz_codes *c)
{
    free(c->items);
    brz_arena_finish(&c->memory);
    *c = (brz_codes){.n = 0};
}

/* SPDX-License-Identifier: MIT */
/* Stores the code of functions. */
#include "profile/codes.h"

#include <brazier/symbol.h>

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Returns whether code begins in a file and at an address that follow those of a frame. */
static bool is_after(const brz_module_code *m, const brz_frame_info *at)
{
    int order = brz_str_compare(m->module, at->module);
    order = order != 0 ? order : brz_str_compare(m->build_id, at->build_id);
    return order != 0 ? order > 0 : m->code.address > at->address;
}

/* Returns the index of the first code after a frame. */
static size_t index_after(const brz_codes *c, const brz_frame_info *at)
{
    size_t low = 0, high = c->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_after(&c->items[middle], at))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static bool is_in_file(const brz_module_code *m, const brz_frame_info *at)
{
    return brz_str_equal(m->module, at->module) && brz_str_equal(m->build_id, at->build_id);
}

static bool covers(const brz_code *code, uint64_t address)
{
    return address - code->address < code->bytes.len;
}

bool brz_module_code_contains(const brz_module_code *m, const brz_frame_info *at)
{
    return covers(&m->code, at->address) && is_in_file(m, at);
}

const brz_code *brz_codes_find(const brz_codes *c, const brz_frame_info *at)
{
    for (size_t i = index_after(c, at); i-- > 0 && is_in_file(&c->items[i], at);) {
        const brz_code *code = &c->items[i].code;
        if (covers(code, at->address))
            return code;
        if (at->address - code->address >= c->longest)
            return NULL;
    }
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
    brz_module_code *m = &c->items[index_after(c, &at)];
    memmove(m + 1, m, (size_t)(c->items + c->n++ - m) * sizeof *m);
    *m = *added;
    m->module = brz_arena_str(&c->memory, added->module);
    m->build_id = brz_arena_str(&c->memory, added->build_id);
    m->code.struct_size = sizeof m->code;
    m->code.bytes = brz_arena_str(&c->memory, added->code.bytes);
    c->n_bytes += added->code.bytes.len;
    c->longest = added->code.bytes.len > c->longest ? added->code.bytes.len : c->longest;
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

/* SPDX-License-Identifier: MIT */
/* The trampoline of CPython. */
#include "trampoline.h"

#include <gelf.h>
#include <string.h>

/* CPython fills areas of this size with copies, each directly after the previous one (3.12) or at
 * the next multiple of ALIGNMENT (3.13). The kernel joins adjacent areas to one mapping. */
#define AREA      65536
#define ALIGNMENT 16

/* Larger code is not a trampoline. */
#define CODE_MAX 64

/* Code up to the end of its call. */
typedef struct known_code {
    const char *bytes;
    size_t n;
    bool has_pointer;
} known_code;

/* Each leaves a word between its return address and the stack pointer. */
static const known_code on_x86_64[] = {
    {"\x48\x83\xec\x08\xff\xd1", 6, false}, /* sub $8, %rsp; call *%rcx */
    {"\x55\x48\x89\xe5\xff\xd1", 6, true},  /* push %rbp; mov %rsp, %rbp; call *%rcx */
    {"\xf3\x0f\x1e\xfa\x48\x83\xec\x08\xff\xd1", 10, false}, /* the same after endbr64 */
    {"\xf3\x0f\x1e\xfa\x55\x48\x89\xe5\xff\xd1", 10, true},
};

/* ---- reading -------------------------------------------------------------------------------- */

/* Returns the name of a symbol for linking, or an empty text. */
static const char *name_of(const elf_image *e, const GElf_Shdr *table, const GElf_Sym *s)
{
    const char *name = elf_strptr(e->elf, table->sh_link, s->st_name);
    return name != NULL && s->st_shndx != SHN_UNDEF ? name : "";
}

/* Finds the addresses of the two symbols. */
static bool find_code(const elf_image *e, uint64_t *start, uint64_t *end)
{
    GElf_Shdr h;
    GElf_Sym s;
    Elf_Scn *section = elf_image_section(e, ".dynsym");
    Elf_Data *d = section == NULL ? NULL : elf_getdata(section, NULL);
    if (d == NULL || gelf_getshdr(section, &h) == NULL)
        return false;
    *start = *end = 0;
    for (int i = 1; (*start == 0 || *end == 0) && gelf_getsym(d, i, &s) != NULL; i++) {
        const char *name = name_of(e, &h, &s);
        if (strcmp(name, "_Py_trampoline_func_start") == 0)
            *start = s.st_value;
        else if (strcmp(name, "_Py_trampoline_func_end") == 0)
            *end = s.st_value;
    }
    return *start != 0 && *end > *start && *end - *start <= CODE_MAX;
}

static const known_code *find_known(const uint8_t *code, size_t size)
{
    for (size_t i = 0; i < BRZ_COUNT_OF(on_x86_64); i++)
        if (size > on_x86_64[i].n && memcmp(code, on_x86_64[i].bytes, on_x86_64[i].n) == 0)
            return &on_x86_64[i];
    return NULL;
}

/* Returns the rules after the call: above the stack pointer are a word and the return address. */
static frame_rule rule_after(const unwind_machine *m, bool has_pointer)
{
    frame_rule r = {.is_known = true, .base = (int32_t)m->sp, .offset = 16};
    r.ip = (rule){.kind = RULE_AT_CFA, .offset = -8};
    r.fp = has_pointer ? (rule){.kind = RULE_AT_CFA, .offset = -16} : (rule){.kind = RULE_SAME};
    r.saved.kind = RULE_SAME;
    return r;
}

/* The trampoline of arm64 has a frame pointer, which needs no rules. */
bool trampoline_read(trampoline *t, const elf_image *e, const unwind_machine *m)
{
    uint64_t start, end, offset;
    if (m != &unwind_x86_64 || !find_code(e, &start, &end) || !elf_image_offset(e, start, &offset))
        return false;
    uint64_t size = end - start;
    if (offset > e->len || size > e->len - offset)
        return false;
    const known_code *known = find_known(e->data + offset, (size_t)size);
    if (known == NULL)
        return false;
    *t = (trampoline){.size = size, .after = known->n, .has_pointer = known->has_pointer};
    t->rule = rule_after(m, known->has_pointer);
    return true;
}

/* ---- finding -------------------------------------------------------------------------------- */

bool trampoline_may_be_at(const trampoline *t, uint64_t distance)
{
    uint64_t after = distance % AREA;
    if (after < t->after)
        return false;
    uint64_t start = after - t->after;
    return start % t->size == 0 || start % ALIGNMENT == 0;
}

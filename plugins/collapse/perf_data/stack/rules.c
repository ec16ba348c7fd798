/* SPDX-License-Identifier: MIT */
/* Keeps the rules by which modules are unwound. */
#include "rules.h"

#include <brazier/symbol.h>

#include <elf.h>
#include <string.h>

#include "../../../common/symbols/elf/jumps.h"
#include "../../../common/symbols/unwind/frame_rule.h"
#include "call_frames.h"
#include "frames.h"

/* Maximum size of the code at which a program begins. */
#define ENTRY_SIZE 64

/* Distance to the system call in a function that makes threads. */
#define CLONE_NEAR 48

/* ---- jumps ----------------------------------------------------------------------------------- */

/* Returns whether a jump begins with these bytes. */
static bool begins(const uint8_t *jump, const char *bytes, size_t n)
{
    return memcmp(jump, bytes, n) == 0;
}

/* Returns the number of words that were pushed after the return address. */
static int64_t pushed_words(const uint8_t *jump, size_t position)
{
    if (begins(jump, "\xff\x35", 2)) /* push word; jmp *linker */
        return position < 6 ? 1 : 2;
    if (begins(jump, "\xff\x25", 2) && jump[6] == 0x68) /* jmp *function; push number; jmp first */
        return position < 11 ? 0 : 1;
    if (begins(jump, "\xf3\x0f\x1e\xfa\x68", 5)) /* endbr64; push number; jmp first */
        return position < 9 ? 0 : 1;
    return 0;
}

/* Returns the rules within a jump, whose JUMP_SIZE bytes are at `jump`. `position` is that of the
 * instruction in it. The rules have no end. */
static frame_rule jump_rule(const unwind_machine *m, const uint8_t *jump, size_t position)
{
    frame_rule r = {.is_known = true, .base = (int32_t)m->sp};
    r.ip.kind = r.fp.kind = r.saved.kind = RULE_SAME;
    if (m->has_link)
        return r;
    r.offset = 8 + 8 * pushed_words(jump, position);
    r.ip = (rule){.kind = RULE_AT_CFA, .offset = -8};
    return r;
}

/* ---- rules of addresses ---------------------------------------------------------------------- */

/* The trampoline of a module. */
typedef struct module_trampoline {
    trampoline trampoline;
    uint32_t module;
    const struct module_trampoline *next;
} module_trampoline;

void rules_init(recording *p)
{
    pair_map_init(&p->rules.equal, p->ctx);
}

void rules_prepare(recording *p)
{
    rules *r = &p->rules;
    if (r->ranges == NULL)
        r->ranges = p->ctx->host->alloc(p->ctx, RULE_RANGES * sizeof *r->ranges, 64);
}

/* Returns kept rules that are equal. */
static const frame_rule *keep_rule(rules *r, brz_ctx *ctx, const frame_rule *read)
{
    uint64_t packed[2];
    bool is_packed = frame_rule_pack(read, packed);
    uint32_t i = is_packed ? pair_map_find(&r->equal, packed[0], packed[1]) : PAIR_MISS;
    if (i != PAIR_MISS)
        return r->items[i];
    frame_rule *kept = ctx->host->alloc(ctx, sizeof *kept, 0);
    *kept = *read;
    if (!is_packed)
        return kept;
    r->items = brz_list_room(ctx, r->items, r->n, &r->cap, sizeof *r->items);
    pair_map_put(&r->equal, ctx, packed[0], packed[1], (uint32_t)r->n);
    return r->items[r->n++] = kept;
}

/* Returns where the range of an offset in a module is kept once it was read. */
static _Atomic(const rule_range *) *range_slot(const rules *r, uint32_t number, uint64_t offset)
{
    return &r->ranges[(offset >> RULE_BITS ^ offset >> 18 ^ (uint64_t)number << 5) % RULE_RANGES];
}

/* Returns the range of an offset in a module, or NULL if it is not known. Those of a function are
 * the same after its first few instructions. */
static const rule_range *find_range(const rules *r, uint32_t number, uint64_t offset)
{
    if (r->ranges == NULL)
        return NULL;
    const rule_range *range =
        atomic_load_explicit(range_slot(r, number, offset), memory_order_acquire);
    bool is_found =
        range != NULL && range->module == number && offset >= range->start && offset < range->end;
    return is_found ? range : NULL;
}

/* Keeps a range for the offsets up to its end, as far as they have places of their own. */
static void keep_range(recording *p, const rule_range *read)
{
    rule_range *range = p->ctx->host->alloc(p->ctx, sizeof *range, 0);
    rules_prepare(p);
    *range = *read;
    uint64_t at = read->start;
    for (size_t i = 0; i < RULE_PLACES && at < read->end; i++) {
        atomic_store_explicit(range_slot(&p->rules, read->module, at), range, memory_order_release);
        at = ((at >> RULE_BITS) + 1) << RULE_BITS;
    }
}

/* Sets the rules of a jump to a library for which the file has none. */
static void add_jump_rule(frame_rule *r, const module *m, const unwind_machine *machine,
                          uint64_t offset, uint64_t address)
{
    const jumps_extent *jumps = elf_symbols_jumps_at(&m->symbols->elf, offset);
    if (r->is_known || jumps == NULL)
        return;
    uint64_t position = (offset - jumps->start) % JUMP_SIZE, start = offset - position;
    const elf_image *e = &m->symbols->loaded;
    if (start > e->len || e->len - start < JUMP_SIZE)
        return;
    *r = jump_rule(machine, e->data + start, (size_t)position);
    r->end = address + 1;
}

/* Returns whether code is that of main(). */
static bool is_main(recording *p, uint32_t number, uint64_t offset)
{
    const symbol *s = symbols_find(&p->symbols, &p->modules.items[number], offset);
    return s != NULL && brz_str_is(s->name, "main");
}

/* Returns whether code without a name has the system call clone3 nearby, as C libraries for x86-64
 * make it: mov $435, %eax; syscall. */
static bool has_clone(const elf_image *e, uint64_t offset)
{
    uint64_t from = offset < CLONE_NEAR ? 0 : offset - CLONE_NEAR;
    if (e->machine != EM_X86_64 || offset > e->len || e->len - offset < CLONE_NEAR)
        return false;
    brz_str near = brz_str_of((const char *)e->data + from, (size_t)(offset - from) + CLONE_NEAR);
    return brz_str_find(near, brz_str_of("\xb8\xb3\x01\0\0\x0f\x05", 7), 0) != SIZE_MAX;
}

/* Returns whether code makes threads or executes programs: functions of C libraries, by name or by
 * the system call. */
static bool leaves_stack(recording *p, uint32_t number, uint64_t offset)
{
    static const char *const names[] = {"clone3", "__clone3", "clone",         "__clone",
                                        "execve", "__execve", "__GI___execve", "execveat"};
    const symbol *s = symbols_find(&p->symbols, &p->modules.items[number], offset);
    bool found = false;
    for (size_t i = 0; s != NULL && i < BRZ_COUNT_OF(names); i++)
        found |= brz_str_is(s->name, names[i]);
    return found || (s == NULL && has_clone(&p->modules.items[number].symbols->loaded, offset));
}

/* Returns whether code is where a file begins to run: a few instructions up to the first call,
 * which libraries like the dynamic linker have, too. */
static bool is_entry(const elf_image *e, uint64_t address)
{
    return e->entry != 0 && address >= e->entry && address - e->entry < ENTRY_SIZE;
}

/* Reads the rules at an address in the file of a module, which is at `offset`. */
static const frame_rule *read_rule(recording *p, const module *m, frame_source *f, uint32_t number,
                                   uint64_t offset, uint64_t address)
{
    frame_rule read = call_frames_read(p, f, address);
    add_jump_rule(&read, m, f->machine, offset, address);
    read.begins_after = !read.is_known && call_frames_read(p, f, address + 1).is_known;
    read.is_main = read.is_known && is_main(p, number, offset);
    read.is_entry = !read.is_known && is_entry(&m->symbols->loaded, address);
    read.leaves_stack = leaves_stack(p, number, offset);
    const frame_rule *kept = keep_rule(&p->rules, p->ctx, &read);
    uint64_t last;
    if (address >= read.end)
        return kept;
    uint64_t end = offset + (read.end - address);
    bool is_linear = elf_image_address(&m->symbols->loaded, end - 1, &last) && last == read.end - 1;
    keep_range(p, &(rule_range){offset, is_linear ? end : offset + 1, number, kept});
    return kept;
}

/* Keeps the trampoline of a module, if it has one. */
static void keep_trampoline(recording *p, module *m, const unwind_machine *machine, uint32_t number)
{
    rules *r = &p->rules;
    trampoline read;
    bool is_new = !m->looked_for_trampoline;
    m->looked_for_trampoline = true;
    if (!is_new || !trampoline_read(&read, &m->symbols->loaded, machine))
        return;
    module_trampoline *kept = p->ctx->host->alloc(p->ctx, sizeof *kept, 0);
    const module_trampoline *next = atomic_load_explicit(&r->trampolines, memory_order_relaxed);
    *kept = (module_trampoline){read, number, next};
    atomic_store_explicit(&r->trampolines, kept, memory_order_release);
}

const trampoline *rules_trampoline(const tracer *t, uint32_t number)
{
    const module_trampoline *m =
        atomic_load_explicit(&t->p->rules.trampolines, memory_order_acquire);
    while (m != NULL && m->module != number)
        m = m->next;
    return m == NULL ? NULL : &m->trampoline;
}

/* Reads the rules at an offset in the file of a module. */
static const frame_rule *find_rule(recording *p, const unwind_machine *machine, uint32_t number,
                                   uint64_t offset)
{
    module *m = &p->modules.items[number];
    bool has_file = m->kind == MODULE_FILE || m->kind == MODULE_VDSO;
    frame_source *f = has_file ? call_frames_of(p, m) : NULL;
    uint64_t address;
    if (f == NULL || f->machine != machine)
        return keep_rule(&p->rules, p->ctx, &(frame_rule){.is_known = false});
    keep_trampoline(p, m, machine, number);
    if (elf_image_address(&m->symbols->loaded, offset, &address))
        return read_rule(p, m, f, number, offset, address);
    return keep_rule(&p->rules, p->ctx, &(frame_rule){.is_known = false});
}

const frame_rule *rules_find(tracer *t, const unwind_machine *machine, const traced_code *at)
{
    const frame_rule *r = NULL;
    uint32_t number = (uint32_t)(at->context >> KNOWN_MODULE);
    const rule_range *range = find_range(&t->p->rules, number, at->address);
    if (range != NULL)
        r = range->rule;
    else if (t->reader != NULL)
        r = find_rule(t->reader, machine, number, at->address);
    if (r != NULL && at->known != NULL)
        atomic_store_explicit(&at->known->rule, r, memory_order_release);
    return r;
}

/* Returns whether the rules at an address in a module are known. */
static bool is_known(const recording *p, uint64_t context, uint32_t number, uint64_t address)
{
    if (find_range(&p->rules, number, address) != NULL)
        return true;
    context |= (uint64_t)number << KNOWN_MODULE | KNOWN_MAPPED;
    const recent_code *r = code_table_find(&p->frames.known, p->frames.recent, address, context);
    return r != NULL && atomic_load_explicit(&r->known->rule, memory_order_relaxed) != NULL;
}

void rules_read_ahead(recording *p, const unwind_machine *machine, maps *of, bool is_java,
                      uint64_t ip)
{
    maps_view view = maps_own_view(of);
    const map_range *r = maps_view_find(&view, ip);
    if (r == NULL || machine == NULL)
        return;
    const symbol_source *s = p->modules.items[r->module].symbols;
    uint64_t address = ip + r->offset - r->start;
    uint64_t context = frames_context(BRZ_KIND_USER, is_java, false);
    if (s != NULL && s->frames != NULL && !is_known(p, context, r->module, address))
        find_rule(p, machine, r->module, address);
}

void rules_close(recording *p)
{
    for (symbol_source *of = p->symbols.all; of != NULL; of = of->next)
        if (of->frames != NULL)
            frame_source_close(of->frames);
}

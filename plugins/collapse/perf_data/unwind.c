/* Unwinds copies of user stacks, on x86-64. */
#include "unwind.h"

#include "../../common/unwind/frame_rule.h"

#include <elfutils/libdw.h>
#include <gelf.h>

/* Maximum number of frames. */
#define DEPTH_MAX 1024

/* Marks samples of 64-bit programs. */
#define ABI_64 2

/* Registers in the numbering of perf. */
enum { PERF_BP = 6, PERF_SP = 7, PERF_IP = 8 };

static void *allocate(void *context, size_t size)
{
    brz_ctx *ctx = context;
    return ctx->host->alloc(ctx, size, 0);
}

/* ---- rules ------------------------------------------------------------------------------------
 */

/* Returns the call-frame information of a module, or NULL. */
static Dwarf_CFI *cfi_of(recording *p, module *m)
{
    symbol_source *of = symbols_of(&p->symbols, m);
    GElf_Ehdr h;
    if (of->looked_for_frames)
        return of->frames;
    of->looked_for_frames = true;
    if (of->loaded.elf != NULL && !of->loaded.has_packed_frames &&
        gelf_getehdr(of->loaded.elf, &h) != NULL && h.e_machine == EM_X86_64)
        of->frames = dwarf_getcfi_elf(of->loaded.elf);
    return of->frames;
}

/* Returns the rules at an offset in the file of a module. */
static const frame_rule *rule_at(recording *p, uint32_t number, uint64_t offset)
{
    rules *r = &p->rules;
    uint32_t i = pair_map_find(&r->cache, offset, number);
    if (i != PAIR_MISS)
        return &r->items[i];
    module *m = &p->modules.items[number];
    frame_rule read = {.is_known = false};
    uint64_t address;
    if (m->kind == MODULE_FILE || m->kind == MODULE_VDSO) {
        Dwarf_CFI *cfi = cfi_of(p, m);
        if (cfi != NULL && elf_image_address(&m->symbols->loaded, offset, &address))
            read = frame_rule_read(cfi, address, allocate, p->ctx);
    }
    r->items = brz_list_room(p->ctx, r->items, r->n, &r->cap, sizeof *r->items);
    r->items[r->n] = read;
    pair_map_put(&r->cache, p->ctx, offset, number, (uint32_t)r->n);
    return &r->items[r->n++];
}

/* ---- samples ----------------------------------------------------------------------------------
 */

/* Loads a register. Returns false if the event does not record it. */
static bool take_register(unwind_state *u, const event *v, const sample *s, unsigned perf,
                          int number)
{
    uint64_t bit = UINT64_C(1) << perf;
    if (!(v->user_registers & bit))
        return false;
    int index = __builtin_popcountll(v->user_registers & (bit - 1));
    u->registers[number] = word_u64(s->registers + 8 * index, u->order);
    u->known |= 1u << number;
    return true;
}

/* Returns whether an event records the registers of x86-64, of which there are 24. */
static bool has_known_registers(const recording *p, const event *v)
{
    return p->machine == MACHINE_UNKNOWN ? v->user_registers >> 24 == 0
                                         : p->machine == MACHINE_X86_64;
}

static bool start(unwind_state *u, const recording *p, const event *v, const sample *s)
{
    memset(u, 0, sizeof *u);
    u->order = p->header.order;
    if (s->stack == NULL || s->registers == NULL || s->abi != ABI_64 || !has_known_registers(p, v))
        return false;
    take_register(u, v, s, PERF_BP, REGISTER_BP);
    u->stack = s->stack;
    u->stack_size = s->stack_size;
    if (!take_register(u, v, s, PERF_SP, REGISTER_SP) ||
        !take_register(u, v, s, PERF_IP, REGISTER_IP))
        return false;
    u->stack_start = u->registers[REGISTER_SP];
    return true;
}

/* Continues in the caller by rules or, without any, by the frame pointer. */
static bool step(recording *p, const thread *of, unwind_state *u, bool *is_caller)
{
    const maps *m = threads_maps(&p->threads, of);
    uint64_t ip = u->registers[REGISTER_IP] - *is_caller;
    const map_range *r = maps_find(m, ip);
    if (r == NULL)
        return false;
    const frame_rule *known = rule_at(p, r->module, ip - r->start + r->offset);
    bool good = known->is_known ? frame_rule_apply(known, u) : unwind_by_frame_pointer(u);
    *is_caller = !known->is_signal;
    return good && (known->is_known || maps_find(m, u->registers[REGISTER_IP] - 1) != NULL);
}

bool unwind_sample(recording *p, const thread *of, const event *v, const sample *s,
                   unwind_visit *visit)
{
    unwind_state u;
    bool is_caller = false;
    if (!start(&u, p, v, s))
        return false;
    size_t n = 0;
    do
        visit(p, of, u.registers[REGISTER_IP], is_caller);
    while (++n < DEPTH_MAX && step(p, of, &u, &is_caller));
    return true;
}

void unwind_close(recording *p)
{
    for (symbol_source *of = p->symbols.all; of != NULL; of = of->next)
        if (of->frames != NULL)
            dwarf_cfi_end(of->frames);
}

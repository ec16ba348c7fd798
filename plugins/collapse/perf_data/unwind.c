/* Unwinds copies of user stacks, on x86-64 and arm64. */
#include "unwind.h"

#include "chain.h"
#include "frames.h"

#include "../../common/unwind/frame_source.h"

/* Maximum number of frames. */
#define DEPTH_MAX 1024

/* Addresses from here on above the stack pointer are not of the same stack. */
#define STACK_MAX (UINT64_C(1) << 26)

/* Marks samples of 64-bit programs. */
#define ABI_64 2

/* Numbers of bits of addresses on arm64, with and without large virtual addresses. */
#define ARM64_BITS       48
#define ARM64_BITS_LARGE 52

static void *allocate(void *context, size_t size)
{
    brz_ctx *ctx = context;
    return ctx->host->alloc(ctx, size, 0);
}

/* ---- rules ---------------------------------------------------------------------------------- */

/* Returns the call-frame information of a module. */
static frame_source *frames_in(recording *p, module *m)
{
    symbol_source *of = symbols_of(&p->symbols, m);
    if (of->frames == NULL) {
        of->frames = p->ctx->host->alloc(p->ctx, sizeof *of->frames, 0);
        frame_source_open(of->frames, &of->loaded, &of->symbols);
    }
    return of->frames;
}

/* Adds rules, unless equal ones are there. Returns their position. */
static uint32_t keep_rule(rules *r, brz_ctx *ctx, const frame_rule *read)
{
    uint64_t packed[2];
    bool is_packed = frame_rule_pack(read, packed);
    uint32_t i = is_packed ? pair_map_find(&r->equal, packed[0], packed[1]) : PAIR_MISS;
    if (i != PAIR_MISS)
        return i;
    r->items = brz_list_room(ctx, r->items, r->n, &r->cap, sizeof *r->items);
    r->items[r->n] = *read;
    if (is_packed)
        pair_map_put(&r->equal, ctx, packed[0], packed[1], (uint32_t)r->n);
    return (uint32_t)r->n++;
}

/* Returns where the range of an address in the file of a module is kept once it was read. */
static rule_range *range_of(recording *p, uint32_t number, uint64_t address)
{
    rules *r = &p->rules;
    if (r->ranges == NULL)
        r->ranges = p->ctx->host->alloc(p->ctx, RULE_RANGES * sizeof *r->ranges, 64);
    return &r->ranges[(address >> 8 ^ address >> 18 ^ (uint64_t)number << 5) % RULE_RANGES];
}

/* Returns the position of the rules at an address in the file of a module. Those of a function are
 * the same behind its first few instructions. */
static uint32_t read_rule(recording *p, frame_source *f, uint32_t number, uint64_t address)
{
    rule_range *range = range_of(p, number, address);
    if (range->module == number && address >= range->start && address < range->end)
        return range->rule;
    frame_rule read = frame_source_read(f, address, allocate, p->ctx);
    uint32_t i = keep_rule(&p->rules, p->ctx, &read);
    if (address < read.end)
        *range = (rule_range){address, read.end, number, i};
    return i;
}

/* Returns the position of the rules at an offset in the file of a module. */
static uint32_t find_rule(recording *p, const unwind_machine *machine, uint32_t number,
                          uint64_t offset)
{
    rules *r = &p->rules;
    uint32_t i = pair_map_find(&r->cache, offset, number);
    if (i != PAIR_MISS)
        return i;
    module *m = &p->modules.items[number];
    bool has_file = m->kind == MODULE_FILE || m->kind == MODULE_VDSO;
    frame_source *f = has_file ? frames_in(p, m) : NULL;
    uint64_t address;
    if (f != NULL && f->machine == machine &&
        elf_image_address(&m->symbols->loaded, offset, &address))
        i = read_rule(p, f, number, address);
    else
        i = keep_rule(r, p->ctx, &(frame_rule){.is_known = false});
    pair_map_put(&r->cache, p->ctx, offset, number, i);
    return i;
}

/* Returns the rules at an address in a module. */
static const frame_rule *rule_of(recording *p, const unwind_machine *machine, known_code *k)
{
    if (k->rule == 0)
        k->rule = 1 + find_rule(p, machine, (uint32_t)(k->context >> KNOWN_MODULE), k->address);
    return &p->rules.items[k->rule - 1];
}

/* ---- samples -------------------------------------------------------------------------------- */

/* The registers of a machine in the numbering of perf, and in that of DWARF. */
typedef struct register_pair {
    uint8_t perf, dwarf;
} register_pair;

static const register_pair on_x86_64[] = {{1, 3}, {6, 6}, {7, 7}, {8, 16}};
static const register_pair on_arm64[] = {{19, 19}, {29, 29}, {30, 30}, {31, 31}, {32, 32}};

/* Loads the registers that the event records. */
static void take_registers(unwind_state *u, const event *v, const sample *s,
                           const register_pair *pairs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t bit = UINT64_C(1) << pairs[i].perf;
        if (!(v->user_registers & bit))
            continue;
        size_t index = (size_t)__builtin_popcountll(v->user_registers & (bit - 1));
        u->registers[pairs[i].dwarf] = word_u64(s->registers + 8 * index, u->order);
        u->known |= UINT64_C(1) << pairs[i].dwarf;
    }
}

/* Returns the machine whose registers an event records, or NULL. x86-64 has 24 of them and arm64
 * has 33, which tells them apart if the recording does not name its machine. */
static const unwind_machine *machine_of(const recording *p, const event *v)
{
    switch (p->machine) {
    case MACHINE_X86_64:
        return &unwind_x86_64;
    case MACHINE_ARM64:
        return &unwind_arm64;
    case MACHINE_UNKNOWN:
        if (v->user_registers >> 24 == 0)
            return &unwind_x86_64;
        return v->user_registers == (UINT64_C(1) << 33) - 1 ? &unwind_arm64 : NULL;
    default:
        return NULL;
    }
}

/* Returns the bits of an address of code. On arm64, the bits above may hold a signature. */
static uint64_t code_mask(const unwind_state *u)
{
    const unwind_machine *m = u->machine;
    if (!m->has_link)
        return UINT64_MAX;
    uint64_t used = u->registers[m->sp] | u->registers[m->ip];
    int bits = used >> ARM64_BITS == 0 ? ARM64_BITS : ARM64_BITS_LARGE;
    return (UINT64_C(1) << bits) - 1;
}

static bool start(unwind_state *u, const recording *p, const event *v, const sample *s)
{
    memset(u, 0, sizeof *u);
    u->order = p->header.order;
    u->machine = machine_of(p, v);
    if (s->registers == NULL || s->abi != ABI_64 || u->machine == NULL)
        return false;
    if (u->machine == &unwind_x86_64)
        take_registers(u, v, s, on_x86_64, sizeof on_x86_64 / sizeof *on_x86_64);
    else
        take_registers(u, v, s, on_arm64, sizeof on_arm64 / sizeof *on_arm64);
    u->stack = s->stack;
    u->stack_size = s->stack_size;
    u->stack_start = u->lowest = u->registers[u->machine->sp];
    u->code_mask = code_mask(u);
    return unwind_knows(u, u->machine->sp) && unwind_knows(u, u->machine->ip);
}

/* Returns whether the register that a rule needs is known. After a step by the frame pointer on
 * arm64, the stack pointer is not. */
static bool can_apply(const frame_rule *r, const unwind_state *u)
{
    return !u->machine->has_link || r->base < 0 || unwind_knows(u, (uint64_t)r->base);
}

/* ---- ends ----------------------------------------------------------------------------------- */

/* Returns whether the copy of a stack has a word at an address, and the word. */
static bool has_word(const unwind_state *u, uint64_t address, uint64_t *word)
{
    uint64_t offset = address - u->stack_start;
    if (address < u->stack_start || u->stack_size < 8 || offset > u->stack_size - 8)
        return false;
    *word = word_u64(u->stack + offset, u->order);
    return true;
}

/* Returns why the return address at an address could not be used. */
static enum unwind_end end_at(const unwind_state *u, uint64_t address, enum unwind_end otherwise)
{
    uint64_t word;
    if (has_word(u, address, &word))
        return word == 0 ? UNWIND_COMPLETE : otherwise;
    bool is_above = address >= u->stack_start && address - u->stack_start < STACK_MAX;
    return is_above ? UNWIND_CUT : otherwise;
}

/* Returns why rules did not lead to a caller. */
static enum unwind_end end_by_rules(const frame_rule *r, const unwind_state *u)
{
    uint32_t caller = u->machine->caller;
    if (r->ip.kind == RULE_UNDEFINED)
        return UNWIND_COMPLETE;
    if (r->ip.kind == RULE_SAME)
        return unwind_knows(u, caller) && u->registers[caller] == 0 ? UNWIND_COMPLETE
                                                                    : UNWIND_BAD_STACK;
    if (r->base < 0 || r->ip.kind != RULE_AT_CFA || !unwind_knows(u, (uint64_t)r->base))
        return UNWIND_BAD_STACK;
    uint64_t base = u->registers[r->base] + (uint64_t)r->offset;
    return end_at(u, base + (uint64_t)r->ip.offset, UNWIND_BAD_STACK);
}

/* Returns why the frame pointer did not lead to a caller. */
static enum unwind_end end_by_pointer(const unwind_state *u)
{
    if (!unwind_knows(u, u->machine->fp))
        return UNWIND_NO_RULES;
    uint64_t fp = u->registers[u->machine->fp];
    return fp == 0 ? UNWIND_COMPLETE : end_at(u, fp + 8, UNWIND_NO_RULES);
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* Returns whether something maps the call before an address. */
static bool is_mapped(const recording *p, const thread *of, uint64_t address)
{
    return maps_find(threads_maps(&p->threads, of), address - 1) != NULL;
}

/* Continues in the caller of code by rules or, without any, by the frame pointer. Sets *end if
 * there is no caller. */
static bool step(recording *p, const thread *of, known_code *at, unwind_state *u, bool *is_caller,
                 enum unwind_end *end)
{
    *end = UNWIND_UNMAPPED;
    if (!(at->context & KNOWN_MAPPED))
        return false;
    const frame_rule *known = rule_of(p, u->machine, at);
    bool by_rule = known->is_known && can_apply(known, u);
    *is_caller = !known->is_signal;
    if (by_rule ? frame_rule_apply(known, u) : unwind_by_frame_pointer(u)) {
        *end = UNWIND_NO_RULES;
        return by_rule || is_mapped(p, of, u->registers[u->machine->ip]);
    }
    *end = by_rule ? end_by_rules(known, u) : end_by_pointer(u);
    return false;
}

enum unwind_end unwind_sample(recording *p, const thread *of, const event *v, const sample *s)
{
    unwind_state u;
    bool is_caller = false;
    enum unwind_end end;
    if (!start(&u, p, v, s))
        return UNWIND_IMPOSSIBLE;
    for (size_t n = 0; n < DEPTH_MAX; n++) {
        /* Here, perf script names callers by the call, too. */
        uint64_t ip = u.registers[u.machine->ip] - is_caller;
        known_code *at = chain_push_address(p, of, MODE_USER, ip, false);
        if (!step(p, of, at, &u, &is_caller, &end))
            return end;
    }
    return UNWIND_DEEP;
}

void unwind_close(recording *p)
{
    for (symbol_source *of = p->symbols.all; of != NULL; of = of->next)
        if (of->frames != NULL)
            frame_source_close(of->frames);
}

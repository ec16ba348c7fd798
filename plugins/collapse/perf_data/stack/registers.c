/* SPDX-License-Identifier: MIT */
/* Takes the registers that samples have. */
#include "registers.h"

/* Marks samples of 64-bit programs. */
#define ABI_64 2

/* The register of arm64 into which calls put the return address, as perf numbers it. */
#define ARM64_LINK (UINT64_C(1) << 30)

/* The registers of a machine in the numbering of perf, and in that of DWARF. */
typedef struct register_pair {
    uint8_t perf, dwarf;
} register_pair;

/* Lists all general registers, since the rules of a leaf may use any of them. */
static const register_pair on_x86_64[] = {{0, 0},   {1, 3},   {2, 2},   {3, 1},   {4, 4},  {5, 5},
                                          {6, 6},   {7, 7},   {8, 16},  {16, 8},  {17, 9}, {18, 10},
                                          {19, 11}, {20, 12}, {21, 13}, {22, 14}, {23, 15}};
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

/* x86-64 has 24 registers. arm64 has 33, or records its return address alone. The number identifies
 * the machine if the recording does not name it. */
const unwind_machine *registers_machine(const recording *p, const event *v)
{
    switch (p->machine) {
    case MACHINE_X86_64:
        return &unwind_x86_64;
    case MACHINE_ARM64:
        return &unwind_arm64;
    case MACHINE_UNKNOWN:
        if (v->user_registers >> 24 == 0)
            return &unwind_x86_64;
        return v->user_registers == (UINT64_C(1) << 33) - 1 || v->user_registers == ARM64_LINK
                   ? &unwind_arm64
                   : NULL;
    default:
        return NULL;
    }
}

/* Returns the bits of an address of code. On arm64, the bits above those that the address space
 * uses may hold a signature; it uses 36 to 52 bits, and its stacks and libraries lie at its end. */
static uint64_t code_mask(const tracer *t, const unwind_state *u)
{
    const unwind_machine *m = u->machine;
    if (!m->has_link)
        return UINT64_MAX;
    uint64_t used = u->registers[m->sp] | u->registers[m->ip] | maps_end(t->user.maps) | 1;
    return UINT64_MAX >> __builtin_clzll(used);
}

bool registers_start(unwind_state *u, const tracer *t, const event *v, const sample *s)
{
    const recording *p = t->p;
    memset(u, 0, sizeof *u);
    u->order = p->header.order;
    u->machine = registers_machine(p, v);
    if (s->registers == NULL || s->abi != ABI_64 || u->machine == NULL)
        return false;
    if (u->machine == &unwind_x86_64)
        take_registers(u, v, s, on_x86_64, BRZ_COUNT_OF(on_x86_64));
    else
        take_registers(u, v, s, on_arm64, BRZ_COUNT_OF(on_arm64));
    u->stack = s->stack;
    u->stack_size = s->stack_size;
    u->stack_start = u->lowest = u->registers[u->machine->sp];
    u->code_mask = code_mask(t, u);
    return unwind_knows(u, u->machine->sp) && unwind_knows(u, u->machine->ip);
}

bool registers_have_link(const recording *p, const event *v, const sample *s)
{
    return s->registers != NULL && s->abi == ABI_64 && (v->user_registers & ARM64_LINK) != 0 &&
           (v->sample_type & SAMPLE_STACK_USER) == 0 && registers_machine(p, v) == &unwind_arm64;
}

uint64_t registers_link(tracer *t, const event *v, const sample *s, uint64_t ip,
                        const traced_code *at)
{
    unwind_state u = {.machine = &unwind_arm64, .order = t->p->header.order};
    if (!(at->context & KNOWN_MAPPED))
        return 0;
    const frame_rule *r = rules_at(t, u.machine, at);
    t->to->is_incomplete |= r == NULL;
    if (r == NULL || !r->is_known || r->is_signal || r->ip.kind != RULE_SAME)
        return 0;
    take_registers(&u, v, s, on_arm64, BRZ_COUNT_OF(on_arm64));
    u.registers[u.machine->ip] = ip;
    uint64_t caller = u.registers[u.machine->caller] & code_mask(t, &u);
    bool is_mapped = t->user.maps != NULL && maps_view_find(&t->user, caller - 1) != NULL;
    return is_mapped ? caller : 0;
}

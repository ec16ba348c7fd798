/* SPDX-License-Identifier: MIT */
/* Rules by which the registers of a caller follow from those of its callee. */
#include "frame_rule.h"

#include "../../words.h"

#include <brazier/binary.h>

#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

/* Limits of an expression. */
#define OPS_MAX   64
#define DEPTH_MAX 32

const unwind_machine unwind_x86_64 = {
    .elf = EM_X86_64, .fp = 6, .sp = 7, .ip = 16, .saved = 3, .caller = 16};
const unwind_machine unwind_arm64 = {
    .elf = EM_AARCH64, .fp = 29, .sp = 31, .ip = 32, .saved = 19, .caller = 30, .has_link = true};

/* ---- reading -------------------------------------------------------------------------------- */

static rule_expression copy_expression(const Dwarf_Op *ops, size_t n, rule_alloc *alloc,
                                       void *context)
{
    rule_expression e = {NULL, 0};
    if (n == 0 || n > OPS_MAX)
        return e;
    rule_op *copy = alloc(context, n * sizeof *copy);
    for (size_t i = 0; i < n; i++)
        copy[i] = (rule_op){ops[i].atom, ops[i].number, ops[i].number2};
    e.ops = copy;
    e.n = n;
    return e;
}

static rule read_register(Dwarf_Frame *f, int number, rule_alloc *alloc, void *context)
{
    Dwarf_Op memory[3], *ops;
    size_t n;
    rule r = {.kind = RULE_UNDEFINED};
    if (dwarf_frame_register(f, number, memory, &ops, &n) != 0)
        return r;
    if (n == 0) {
        r.kind = ops == NULL ? RULE_SAME : RULE_UNDEFINED;
        return r;
    }
    if (n == 1 && ops[0].atom == DW_OP_regx && ops[0].number < N_REGISTERS) {
        r.kind = RULE_REGISTER;
        r.offset = (int64_t)ops[0].number;
        return r;
    }
    bool at_cfa = ops[0].atom == DW_OP_call_frame_cfa &&
                  (n == 1 || (n == 2 && ops[1].atom == DW_OP_plus_uconst));
    r.kind = at_cfa ? RULE_AT_CFA : RULE_EXPRESSION;
    r.offset = at_cfa && n == 2 ? (int64_t)ops[1].number : 0;
    if (!at_cfa)
        r.expression = copy_expression(ops, n, alloc, context);
    return r;
}

/* Reads the rule by which the frame's address is computed. */
static bool read_base(Dwarf_Frame *f, frame_rule *r, rule_alloc *alloc, void *context)
{
    Dwarf_Op *ops;
    size_t n;
    if (dwarf_frame_cfa(f, &ops, &n) != 0 || n == 0)
        return false;
    r->base = -1;
    if (n == 1 && ops[0].atom == DW_OP_bregx) {
        r->base = ops[0].number < N_REGISTERS ? (int32_t)ops[0].number : -1;
        r->offset = (int64_t)ops[0].number2;
        return r->base >= 0;
    }
    r->expression = copy_expression(ops, n, alloc, context);
    return r->expression.n > 0;
}

frame_rule frame_rule_read(void *cfi, const unwind_machine *m, uint64_t address, rule_alloc *alloc,
                           void *context)
{
    frame_rule r = {.is_known = false};
    Dwarf_Frame *f = NULL;
    Dwarf_Addr start, end;
    bool is_signal = false;
    if (cfi == NULL || dwarf_cfi_addrframe(cfi, address, &f) != 0)
        return r;
    int caller = dwarf_frame_info(f, &start, &end, &is_signal);
    if (caller == (int)m->caller && read_base(f, &r, alloc, context)) {
        r.ip = read_register(f, caller, alloc, context);
        r.fp = read_register(f, (int)m->fp, alloc, context);
        r.saved = read_register(f, (int)m->saved, alloc, context);
        r.is_signal = is_signal;
        r.is_known = true;
        r.end = end; /* after DW_CFA_restore_state, `start` is that of the restored rules */
    }
    free(f);
    return r;
}

/* ---- packing -------------------------------------------------------------------------------- */

/* Appends the kind and the offset of a rule to a number. Returns false if they do not fit. */
static bool pack_rule(const rule *r, uint64_t *packed)
{
    if (r->kind == RULE_EXPRESSION || r->offset != (int16_t)r->offset)
        return false;
    *packed = *packed << 18 | (uint64_t)r->kind << 16 | (uint16_t)r->offset;
    return true;
}

bool frame_rule_pack(const frame_rule *r, uint64_t packed[2])
{
    packed[0] = (uint64_t)r->is_entry << 6 | (uint64_t)r->leaves_stack << 5 |
                (uint64_t)r->is_main << 4 | (uint64_t)r->begins_after << 3 |
                (uint64_t)r->changes_stack << 2 | (uint64_t)r->is_known << 1 | r->is_signal;
    packed[1] = 0;
    if (r->base < 0 || r->offset != (int32_t)r->offset)
        return false;
    packed[0] = packed[0] << 40 | (uint64_t)r->base << 32 | (uint32_t)r->offset;
    return pack_rule(&r->ip, &packed[1]) && pack_rule(&r->fp, &packed[1]) &&
           pack_rule(&r->saved, &packed[1]);
}

/* ---- memory --------------------------------------------------------------------------------- */

/* Loads a word from the copy of the stack. */
static bool load(const unwind_state *s, uint64_t address, uint64_t *value)
{
    if (address < s->stack_start || s->stack_size < 8 ||
        address - s->stack_start > s->stack_size - 8)
        return false;
    memcpy(value, s->stack + (address - s->stack_start), sizeof *value);
    if (s->order != NATIVE_ORDER)
        *value = __builtin_bswap64(*value);
    return true;
}

static bool get_register(const unwind_state *s, uint64_t number, uint64_t *value)
{
    if (!unwind_knows(s, number))
        return false;
    *value = s->registers[number];
    return true;
}

/* ---- expressions ---------------------------------------------------------------------------- */

typedef struct evaluation {
    const unwind_state *state;
    uint64_t stack[DEPTH_MAX];
    size_t n;
    bool failed;
    bool is_value; /* the result is the value itself, not its address */
} evaluation;

static void push(evaluation *e, uint64_t value)
{
    if (e->n == DEPTH_MAX)
        e->failed = true;
    else
        e->stack[e->n++] = value;
}

static uint64_t pop(evaluation *e)
{
    if (e->n == 0) {
        e->failed = true;
        return 0;
    }
    return e->stack[--e->n];
}

static void push_register(evaluation *e, uint64_t number, uint64_t offset)
{
    uint64_t value = 0;
    e->failed |= !get_register(e->state, number, &value);
    push(e, value + offset);
}

static void dereference(evaluation *e)
{
    uint64_t value = 0;
    e->failed |= !load(e->state, pop(e), &value);
    push(e, value);
}

/* Applies an operation on two values. Returns false for other operations. */
static bool apply_binary(evaluation *e, uint8_t code)
{
    static const uint8_t codes[] = {DW_OP_plus, DW_OP_minus, DW_OP_and, DW_OP_or, DW_OP_mul,
                                    DW_OP_shl,  DW_OP_shr,   DW_OP_eq,  DW_OP_ne, DW_OP_ge,
                                    DW_OP_gt,   DW_OP_le,    DW_OP_lt};
    if (memchr(codes, code, sizeof codes) == NULL)
        return false;
    uint64_t b = pop(e), a = pop(e);
    int64_t x = (int64_t)a, y = (int64_t)b;
    switch (code) {
    case DW_OP_plus:
        push(e, a + b);
        break;
    case DW_OP_minus:
        push(e, a - b);
        break;
    case DW_OP_and:
        push(e, a & b);
        break;
    case DW_OP_or:
        push(e, a | b);
        break;
    case DW_OP_mul:
        push(e, a * b);
        break;
    case DW_OP_shl:
        push(e, b < 64 ? a << b : 0);
        break;
    case DW_OP_shr:
        push(e, b < 64 ? a >> b : 0);
        break;
    case DW_OP_eq:
        push(e, a == b);
        break;
    case DW_OP_ne:
        push(e, a != b);
        break;
    case DW_OP_ge:
        push(e, x >= y);
        break;
    case DW_OP_gt:
        push(e, x > y);
        break;
    case DW_OP_le:
        push(e, x <= y);
        break;
    default:
        push(e, x < y);
        break;
    }
    return true;
}

static void apply_op(evaluation *e, const rule_op *op)
{
    if (op->code >= DW_OP_lit0 && op->code <= DW_OP_lit31)
        push(e, (uint64_t)(op->code - DW_OP_lit0));
    else if (op->code >= DW_OP_breg0 && op->code <= DW_OP_breg31)
        push_register(e, (uint64_t)(op->code - DW_OP_breg0), op->number);
    else if (op->code == DW_OP_bregx)
        push_register(e, op->number, op->number2);
    else if (op->code >= DW_OP_const1u && op->code <= DW_OP_consts)
        push(e, op->number);
    else if (op->code == DW_OP_plus_uconst)
        push(e, pop(e) + op->number);
    else if (op->code == DW_OP_deref)
        dereference(e);
    else if (op->code == DW_OP_stack_value)
        e->is_value = true;
    else if (!apply_binary(e, op->code))
        e->failed = true;
}

/* Evaluates an expression; `first` is on the stack if it is not NULL. */
static bool evaluate(const rule_expression *x, const unwind_state *s, const uint64_t *first,
                     uint64_t *value, bool *is_value)
{
    evaluation e = {.state = s};
    if (first != NULL)
        push(&e, *first);
    for (size_t i = 0; i < x->n && !e.failed; i++)
        if (x->ops[i].code == DW_OP_call_frame_cfa && first != NULL)
            push(&e, *first);
        else
            apply_op(&e, &x->ops[i]);
    *value = pop(&e);
    *is_value = e.is_value;
    return x->n > 0 && !e.failed;
}

/* ---- applying ------------------------------------------------------------------------------- */

static bool frame_address(const frame_rule *r, const unwind_state *s, uint64_t *cfa)
{
    bool is_value;
    if (r->base < 0)
        return evaluate(&r->expression, s, NULL, cfa, &is_value);
    if (!get_register(s, (uint64_t)r->base, cfa))
        return false;
    *cfa += (uint64_t)r->offset;
    return true;
}

/* Computes a register of the caller. Returns false if it is unknown. */
static bool find_value(const rule *r, const unwind_state *s, uint64_t cfa, uint32_t number,
                       uint64_t *value)
{
    bool is_value = false;
    switch (r->kind) {
    case RULE_SAME:
        return get_register(s, number, value);
    case RULE_AT_CFA:
        return load(s, cfa + (uint64_t)r->offset, value);
    case RULE_REGISTER:
        return get_register(s, (uint64_t)r->offset, value);
    case RULE_EXPRESSION:
        return evaluate(&r->expression, s, &cfa, value, &is_value) &&
               (is_value || load(s, *value, value));
    default:
        return false;
    }
}

/* Keeps a register of the caller, if it is known. */
static void keep_register(unwind_state *s, uint32_t number, const uint64_t *value)
{
    if (value == NULL)
        return;
    s->registers[number] = *value;
    s->known |= UINT64_C(1) << number;
}

/* Returns whether a frame may be empty: that of a function that calls nothing, or that is about to
 * jump to the code after a call. Its return address is in a register then, which is known only
 * once. */
static bool may_be_empty(const frame_rule *r, const unwind_state *s)
{
    const unwind_machine *m = s->machine;
    if (m->has_link && unwind_knows(s, m->caller))
        return true;
    uint64_t from = (uint64_t)r->ip.offset;
    return r->ip.kind == RULE_REGISTER && from != m->fp && from != m->sp && from != m->saved;
}

/* Continues in the caller, whose stack pointer is `sp`, or not known but above `sp`. The stack has
 * to shrink, so no copy of a stack can make a circle, unless its frame may be empty. */
static bool enter_caller(unwind_state *s, uint64_t ip, uint64_t sp, const uint64_t *fp,
                         bool knows_sp, bool is_empty)
{
    const unwind_machine *m = s->machine;
    ip &= s->code_mask;
    if (ip == 0 || sp < s->lowest || (sp == s->lowest && !is_empty))
        return false;
    s->known = UINT64_C(1) << m->ip | (uint64_t)knows_sp << m->sp;
    s->registers[m->ip] = ip;
    s->registers[m->sp] = s->lowest = sp;
    keep_register(s, m->fp, fp);
    return true;
}

bool frame_rule_apply(const frame_rule *r, unwind_state *s)
{
    const unwind_machine *m = s->machine;
    uint64_t cfa, ip, fp, saved;
    if (!frame_address(r, s, &cfa) || !find_value(&r->ip, s, cfa, m->caller, &ip))
        return false;
    bool has_fp = find_value(&r->fp, s, cfa, m->fp, &fp);
    bool has_saved = find_value(&r->saved, s, cfa, m->saved, &saved);
    if (r->is_signal && cfa < s->stack_start)
        s->lowest = 0; /* the handler ran on a stack above that of the code */
    if (!enter_caller(s, ip, cfa, has_fp ? &fp : NULL, true, may_be_empty(r, s)))
        return false;
    keep_register(s, m->saved, has_saved ? &saved : NULL);
    return true;
}

bool unwind_by_frame_pointer(unwind_state *s)
{
    const unwind_machine *m = s->machine;
    uint64_t fp, ip, next;
    if (!get_register(s, m->fp, &fp) || fp < s->lowest || !load(s, fp, &next) ||
        !load(s, fp + 8, &ip))
        return false;
    /* On arm64, the rest of the frame may lie above both words. */
    return enter_caller(s, ip, fp + 16, &next, !m->has_link, false);
}

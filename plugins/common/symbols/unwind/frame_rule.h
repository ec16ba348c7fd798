/* SPDX-License-Identifier: MIT */
/* Rules by which the registers of a caller follow from those of its callee, on x86-64 and arm64,
 * decoded by libdw from the call-frame information of an ELF file. */
#ifndef UNWIND_FRAME_RULE_H
#define UNWIND_FRAME_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Number of registers, in DWARF's numbering, as far as unwinding needs them. */
#define N_REGISTERS 33

/* The registers of a machine. */
typedef struct unwind_machine {
    uint32_t elf;    /* EM_* */
    uint32_t fp, sp; /* frame pointer, stack pointer */
    uint32_t ip;     /* instruction pointer */
    uint32_t saved;  /* register that callees keep, from which a few functions count their frame */
    uint32_t caller; /* register that stands for the return address; on arm64, where calls put it */
    bool has_link;   /* calls put the return address into a register, not on the stack */
} unwind_machine;

extern const unwind_machine unwind_x86_64, unwind_arm64;

/* Sources of a value. */
enum rule_kind {
    RULE_SAME,       /* the register keeps its value */
    RULE_UNDEFINED,  /* unknown; for the return address: this is the outermost frame */
    RULE_AT_CFA,     /* it was stored at the frame's address plus an offset */
    RULE_REGISTER,   /* another register has it, whose number is the offset */
    RULE_EXPRESSION, /* an expression of DWARF computes it, or its address */
};

/* An operation of an expression. */
typedef struct rule_op {
    uint8_t code;
    uint64_t number, number2;
} rule_op;

typedef struct rule_expression {
    const rule_op *ops;
    size_t n;
} rule_expression;

typedef struct rule {
    enum rule_kind kind;
    int64_t offset;
    rule_expression expression;
} rule;

/* The rules at an address. */
typedef struct frame_rule {
    bool is_known;  /* false: the file has no rules for the address */
    bool is_signal; /* the caller was interrupted: it is at the address itself, not after a call */
    bool begins_after;  /* likewise, but for the code after it: no call returns there */
    bool changes_stack; /* a call may be on another stack than the frame, which no rule finds */
    bool is_entry;      /* the code has no rules since the program, or the linker, begins there */
    bool leaves_stack; /* the code makes a thread, which begins there on an empty stack, or executes
                        * a program, which takes its stack away */
    bool is_main;      /* the code is main(), whose caller begins the program */
    int32_t base;      /* the frame's address is this register plus an offset; -1: an expression */
    int64_t offset;
    rule_expression expression;
    rule ip, fp, saved;
    uint64_t end; /* the rules hold from the address where they were read up to this one */
} frame_rule;

/* Memory and registers of the thread that is unwound. */
typedef struct unwind_state {
    const unwind_machine *machine;
    uint64_t registers[N_REGISTERS];
    uint64_t known;       /* bits of the registers that are known */
    uint64_t code_mask;   /* bits of an address of code: the others may hold a signature */
    uint64_t lowest;      /* the frames of callers begin at or above this address */
    const uint8_t *stack; /* bytes from stack_start on */
    uint64_t stack_start, stack_size;
    uint32_t order; /* BRZ_LITTLE_ENDIAN or BRZ_BIG_ENDIAN */
} unwind_state;

/* Allocates memory that lives as long as the rules. */
typedef void *rule_alloc(void *context, size_t size);

/* Reads the rules at an address of a file. `cfi` is a Dwarf_CFI of libdw. */
frame_rule frame_rule_read(void *cfi, const unwind_machine *m, uint64_t address, rule_alloc *alloc,
                           void *context);

/* Packs rules into two numbers, which are equal for equal rules only, at whatever addresses.
 * Returns false for rules with expressions or large offsets. */
bool frame_rule_pack(const frame_rule *r, uint64_t packed[2]);

/* Returns whether a register is known. */
static inline bool unwind_knows(const unwind_state *s, uint64_t number)
{
    return number < N_REGISTERS && (s->known >> number & 1) != 0;
}

/* Replaces the registers by those of the caller. The frames of signals may lead to another stack:
 * the copy has no caller after that. Returns false at the outermost frame and where the
 * copy of the stack does not have what is needed. */
bool frame_rule_apply(const frame_rule *r, unwind_state *s);

/* Does the same by the frame pointer, for code without rules. */
bool unwind_by_frame_pointer(unwind_state *s);

#endif

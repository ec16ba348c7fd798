/* SPDX-License-Identifier: MIT */
/* Expressions that options contain: PCRE2, matched against a line without its line end.
 *
 * An expression is compiled once for each instance, to machine code if possible. It matches bytes,
 * unless it has characters beyond ASCII or names them: it then matches characters, and no line that
 * is not UTF-8. So both engines of PCRE2 find the same. Steps and memory are limited: a
 * match that exceeds the limits of the machine code is repeated by PCRE2's interpreter, and fails
 * if it exceeds those of the interpreter, too.
 */
#ifndef TEXT_EXPRESSION_H
#define TEXT_EXPRESSION_H

#include <brazier/collapser.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "groups.h"

/* Longest description of a fault. */
#define EXPRESSION_FAULT 256

/* A named group. */
typedef struct expression_group {
    brz_str name;
    text_group means;
    uint32_t number;
} expression_group;

typedef struct expression {
    pcre2_code *code;
    brz_str prefix; /* each match begins with this text */
    bool anchored;  /* a match begins with the line */
    bool has_first; /* it begins with one of the bytes of `first`, a bit for each */
    uint8_t first[32];
    bool machine;             /* it is compiled to machine code */
    bool utf;                 /* it matches characters, not bytes */
    uint32_t means;           /* a bit for each meaning that a group has */
    expression_group *groups; /* sorted by meaning */
    size_t n_groups;
    uint32_t begin[N_GROUPS + 1]; /* where the groups of each meaning begin */
} expression;

/* Memory for one match at a time, and its limits. */
typedef struct matcher {
    pcre2_match_data *match;
    const PCRE2_SIZE *offsets; /* of the groups, in `match` */
    pcre2_match_context *limits;
    pcre2_jit_stack *stack; /* NULL without machine code */
} matcher;

/* Allocates memory for expressions and matchers: that of an instance, which is freed with it, or
 * the C library's if `ctx` is NULL. */
typedef struct expression_memory {
    brz_ctx *ctx;
    pcre2_general_context *general;
    pcre2_compile_context *compile;
} expression_memory;

/* Prepares memory. Returns false if the C library has none. */
bool expression_memory_init(expression_memory *m, brz_ctx *ctx);
void expression_memory_finish(expression_memory *m);

/* Allocates zeroed memory, or returns NULL likewise. */
void *expression_memory_take(const expression_memory *m, size_t size);
/* Frees it, unless it is an instance's. */
void expression_memory_give(const expression_memory *m, void *block);

/* Compiles an expression, whose text stays valid. Returns false and describes the fault if it is
 * wrong. */
bool expression_compile(expression *e, brz_str text, brz_str weight, const expression_memory *m,
                        char fault[EXPRESSION_FAULT]);
void expression_finish(expression *e, const expression_memory *m);

/* Compiles an expression to machine code, if possible. */
void expression_to_machine_code(expression *e);

/* Returns whether an expression has a group of this meaning. */
static inline bool expression_has(const expression *e, text_group means)
{
    return (e->means >> means & 1) != 0;
}

/* Returns the text of a number that a group has in the last match; its data is NULL if the group
 * took no part. */
brz_str expression_group_text(const matcher *m, brz_str line, uint32_t number);

/* Returns the text that the first group of a meaning has in the last match; its data is NULL
 * without one. */
brz_str expression_text(const expression *e, const matcher *m, brz_str line, text_group means);

bool matcher_init(matcher *m, const expression_memory *memory, bool machine);
void matcher_finish(matcher *m);

/* Lowers the limit on the steps of a match. */
void matcher_limit(const matcher *m, uint32_t steps);

typedef enum match_result { MATCH_NONE, MATCH_FOUND, MATCH_FAILED } match_result;

/* Searches a line. MATCH_FAILED: the result is unknown, and `error` is PCRE2's number of the
 * reason. */
match_result expression_search(const expression *e, const matcher *m, brz_str line, int *error);

/* Describes why a match failed. */
void expression_describe_failure(const expression *e, int error, char fault[EXPRESSION_FAULT]);

#endif

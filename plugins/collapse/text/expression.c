/* SPDX-License-Identifier: MIT */
/* Compiles and matches expressions. */
#include "expression.h"

#include <brazier/symbol.h>
#include <brazier/text/integer.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits of one match. Expressions come with the configuration of a project, lines with its input.
 */
#define MATCH_LIMIT     10000000    /* steps */
#define HEAP_LIMIT      (128 << 10) /* KiB, for the interpreter */
#define JIT_STACK_FIRST (32 << 10)
#define JIT_STACK_MOST  (64 << 20) /* address space; pages are allocated on demand */

/* Groups of an expression for which a match has room. */
#define MOST_GROUPS 250

/* ---- memory ---------------------------------------------------------------------------------- */

static void *allocate(PCRE2_SIZE size, void *ctx)
{
    return ((brz_ctx *)ctx)->host->alloc(ctx, size, 0);
}

/* The host frees everything with the instance. */
static void forget(void *memory, void *ctx)
{
    (void)memory;
    (void)ctx;
}

/* Allocates memory from the C library. Ends the process if memory is exhausted, as the host does:
 * otherwise that would look like a mistake in an expression, or like an input of another format. */
static void *allocate_plain(PCRE2_SIZE size, void *ctx)
{
    (void)ctx;
    void *memory = calloc(1, size);
    if (memory == NULL)
        abort();
    return memory;
}

static void free_plain(void *memory, void *ctx)
{
    (void)ctx;
    free(memory);
}

bool expression_memory_init(expression_memory *m, brz_ctx *ctx)
{
    m->ctx = ctx;
    m->general = ctx == NULL ? pcre2_general_context_create(allocate_plain, free_plain, NULL)
                             : pcre2_general_context_create(allocate, forget, ctx);
    m->compile = m->general == NULL ? NULL : pcre2_compile_context_create(m->general);
    return m->compile != NULL;
}

void expression_memory_finish(expression_memory *m)
{
    pcre2_compile_context_free(m->compile);
    pcre2_general_context_free(m->general);
}

void *expression_memory_take(const expression_memory *m, size_t size)
{
    return m->ctx == NULL ? allocate_plain(size, NULL) : allocate(size, m->ctx);
}

void expression_memory_give(const expression_memory *m, void *block)
{
    if (m->ctx == NULL)
        free(block);
}

/* ---- prefixes -------------------------------------------------------------------------------- */

/* Returns whether a backslash in front of the character makes it literal. */
static bool is_escaped_literal(char c)
{
    return c > ' ' && c < 0x7f && !brz_is_digit(c) && !((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* Returns whether an expression has alternatives that are not in brackets, or brackets that this
 * look does not understand. */
static bool has_alternatives(brz_str text)
{
    size_t depth = 0;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.data[i];
        if (c == '[' || (c == '\\' && (i + 1 == text.len || text.data[i + 1] == 'Q')))
            return memchr(text.data + i, '|', text.len - i) != NULL;
        i += c == '\\';
        depth += c == '(';
        if (c == '|' && depth == 0)
            return true;
        depth -= c == ')' && depth > 0;
    }
    return false;
}

/* Takes a literal character off the front of an expression. */
static bool take_literal(brz_str *text, char *c)
{
    size_t n = 1;
    if (text->len == 0)
        return false;
    *c = text->data[0];
    if (*c == '\\') {
        if (text->len < 2 || !is_escaped_literal(text->data[1]))
            return false;
        *c = text->data[1];
        n = 2;
    } else if (strchr("^$.[]|()?*+{}", *c) != NULL || (unsigned char)*c >= 0x80) {
        return false;
    }
    if (text->len > n && strchr("?*+{", text->data[n]) != NULL)
        return false;
    *text = brz_str_from(*text, n);
    return true;
}

/* Finds the literal text with which each match begins. */
static bool find_prefix(expression *e, brz_str text, const expression_memory *m)
{
    char *prefix = expression_memory_take(m, text.len + 1);
    if (prefix == NULL)
        return false;
    e->prefix = brz_str_of(prefix, 0);
    if (has_alternatives(text))
        return true;
    e->anchored = brz_str_take(&text, "^");
    while (take_literal(&text, prefix + e->prefix.len))
        e->prefix.len++;
    return true;
}

/* ---- compiling ------------------------------------------------------------------------------- */

static uint32_t info(const expression *e, uint32_t what)
{
    uint32_t value = 0;
    pcre2_pattern_info(e->code, what, &value);
    return value;
}

/* Reads an entry of PCRE2's table of groups. */
static expression_group read_group(PCRE2_SPTR entry, brz_str weight)
{
    expression_group g = {.number = (uint32_t)entry[0] << 8 | entry[1]};
    g.name = brz_str_of_text((const char *)entry + 2);
    g.means = text_group_of(g.name, weight);
    return g;
}

/* Reads the table of groups, sorted by meaning, those of one meaning in the order of the table. */
static bool read_groups(expression *e, brz_str weight, const expression_memory *m)
{
    PCRE2_SPTR table = NULL;
    size_t n = info(e, PCRE2_INFO_NAMECOUNT), size = info(e, PCRE2_INFO_NAMEENTRYSIZE);
    uint32_t next[N_GROUPS];
    pcre2_pattern_info(e->code, PCRE2_INFO_NAMETABLE, &table);
    e->groups = expression_memory_take(m, (n + 1) * sizeof *e->groups);
    if (e->groups == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        e->begin[read_group(table + i * size, weight).means + 1]++;
    for (size_t k = 0; k < N_GROUPS; k++) {
        e->means |= (uint32_t)(e->begin[k + 1] > 0) << k;
        e->begin[k + 1] += e->begin[k];
        next[k] = e->begin[k];
    }
    for (; e->n_groups < n; e->n_groups++) {
        expression_group g = read_group(table + e->n_groups * size, weight);
        e->groups[next[g.means]++] = g;
    }
    return true;
}

/* Returns the number of characters in the first `n` bytes. */
static size_t count_characters(brz_str s, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n && i < s.len; i++)
        count += ((unsigned char)s.data[i] & 0xc0) != 0x80;
    return count;
}

static void describe_fault(char fault[EXPRESSION_FAULT], brz_str text, size_t at, int code)
{
    PCRE2_UCHAR why[160];
    pcre2_get_error_message(code, why, sizeof why);
    snprintf(fault, EXPRESSION_FAULT, "at character %zu of the expression: %s",
             count_characters(text, at) + 1, (const char *)why);
}

/* Returns whether an expression has characters beyond ASCII, or may name them. */
static bool needs_characters(brz_str text)
{
    static const char *const escapes[] = {"\\x{", "\\o{", "\\p", "\\P", "\\X", "\\N{"};
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.data[i] >= 0x80)
            return true;
    for (size_t i = 0; i < BRZ_COUNT_OF(escapes); i++)
        if (brz_str_has(text, brz_str_of_text(escapes[i])))
            return true;
    return false;
}

/* Finds the bytes with which lines that match begin. PCRE2 finds them only for expressions that may
 * match anywhere, so the one after the "^" is compiled for that. */
static void find_first(expression *e, brz_str text, const expression_memory *m)
{
    const uint8_t *bits = NULL;
    int code;
    PCRE2_SIZE at;
    bool begins = (info(e, PCRE2_INFO_ALLOPTIONS) & PCRE2_ANCHORED) != 0;
    if (e->prefix.len > 0 || !begins || !brz_str_take(&text, "^") || text.len == 0 ||
        strchr("*+?{", text.data[0]) != NULL)
        return;
    pcre2_code *rest =
        pcre2_compile((PCRE2_SPTR)text.data, text.len,
                      PCRE2_DUPNAMES | PCRE2_NEVER_BACKSLASH_C | (e->utf ? PCRE2_UTF : 0), &code,
                      &at, m->compile);
    if (rest == NULL)
        return;
    pcre2_pattern_info(rest, PCRE2_INFO_FIRSTBITMAP, &bits);
    e->has_first = bits != NULL;
    if (bits != NULL)
        memcpy(e->first, bits, sizeof e->first);
    pcre2_code_free(rest);
}

bool expression_compile(expression *e, brz_str text, brz_str weight, const expression_memory *m,
                        char fault[EXPRESSION_FAULT])
{
    int code;
    PCRE2_SIZE at;
    *e = (expression){0};
    snprintf(fault, EXPRESSION_FAULT, "there is not enough memory for the expression");
    e->code = pcre2_compile((PCRE2_SPTR)text.data, text.len,
                            PCRE2_DUPNAMES | PCRE2_NEVER_BACKSLASH_C |
                                (needs_characters(text) ? PCRE2_UTF : 0),
                            &code, &at, m->compile);
    if (e->code == NULL) {
        if (code != PCRE2_ERROR_HEAP_FAILED)
            describe_fault(fault, text, at, code);
        return false;
    }
    e->utf = (info(e, PCRE2_INFO_ALLOPTIONS) & PCRE2_UTF) != 0;
    if (info(e, PCRE2_INFO_CAPTURECOUNT) >= MOST_GROUPS) {
        snprintf(fault, EXPRESSION_FAULT, "more than %d groups", MOST_GROUPS - 1);
        return false;
    }
    if (!read_groups(e, weight, m) || !find_prefix(e, text, m))
        return false;
    find_first(e, text, m);
    return true;
}

void expression_to_machine_code(expression *e)
{
    e->machine = pcre2_jit_compile(e->code, PCRE2_JIT_COMPLETE) == 0;
}

void expression_finish(expression *e, const expression_memory *m)
{
    pcre2_code_free(e->code);
    expression_memory_give(m, e->groups);
    expression_memory_give(m, (void *)(uintptr_t)e->prefix.data);
    *e = (expression){0};
}

/* ---- matching -------------------------------------------------------------------------------- */

bool matcher_init(matcher *m, const expression_memory *memory, bool machine)
{
    *m = (matcher){0};
    m->match = pcre2_match_data_create(MOST_GROUPS, memory->general);
    m->limits = pcre2_match_context_create(memory->general);
    if (m->match == NULL || m->limits == NULL)
        return false;
    m->offsets = pcre2_get_ovector_pointer(m->match);
    pcre2_set_match_limit(m->limits, MATCH_LIMIT);
    pcre2_set_depth_limit(m->limits, MATCH_LIMIT); /* the heap's limit comes first */
    pcre2_set_heap_limit(m->limits, HEAP_LIMIT);
    if (machine)
        m->stack = pcre2_jit_stack_create(JIT_STACK_FIRST, JIT_STACK_MOST, memory->general);
    if (m->stack != NULL)
        pcre2_jit_stack_assign(m->limits, NULL, m->stack);
    return true;
}

void matcher_finish(matcher *m)
{
    pcre2_match_data_free(m->match);
    pcre2_match_context_free(m->limits);
    pcre2_jit_stack_free(m->stack);
    *m = (matcher){0};
}

void matcher_limit(const matcher *m, uint32_t steps)
{
    pcre2_set_match_limit(m->limits, steps < MATCH_LIMIT ? steps : MATCH_LIMIT);
}

/* Returns where a match can begin, or SIZE_MAX. */
static size_t first_place(const expression *e, brz_str line)
{
    if (e->has_first) {
        uint8_t byte = line.len > 0 ? (uint8_t)line.data[0] : 0;
        return line.len > 0 && (e->first[byte / 8] >> byte % 8 & 1) != 0 ? 0 : SIZE_MAX;
    }
    if (e->prefix.len == 0)
        return 0;
    if (e->anchored)
        return brz_starts_with(line, e->prefix) ? 0 : SIZE_MAX;
    return brz_str_find(line, e->prefix, 0);
}

/* Returns whether the interpreter may succeed where machine code failed. */
static bool is_worth_interpreting(int rc)
{
    return rc == PCRE2_ERROR_JIT_STACKLIMIT || rc == PCRE2_ERROR_MATCHLIMIT ||
           rc == PCRE2_ERROR_NOMEMORY;
}

/* Matches with machine code. An expression for characters has the line checked first. */
static int match_quickly(const expression *e, const matcher *m, PCRE2_SPTR data, size_t len,
                         size_t from)
{
    return e->utf ? pcre2_match(e->code, data, len, from, 0, m->match, m->limits)
                  : pcre2_jit_match(e->code, data, len, from, 0, m->match, m->limits);
}

/* Returns whether the line is not UTF-8. */
static bool is_invalid(int rc)
{
    return rc <= PCRE2_ERROR_UTF8_ERR1 && rc >= PCRE2_ERROR_UTF8_ERR21;
}

match_result expression_search(const expression *e, const matcher *m, brz_str line, int *error)
{
    size_t from = first_place(e, line);
    PCRE2_SPTR data = (PCRE2_SPTR)(line.len > 0 ? line.data : "");
    bool machine = e->machine && m->stack != NULL;
    int rc = PCRE2_ERROR_MATCHLIMIT;
    if (from == SIZE_MAX)
        return MATCH_NONE;
    if (machine)
        rc = match_quickly(e, m, data, line.len, from);
    if (!machine || is_worth_interpreting(rc))
        rc = pcre2_match(e->code, data, line.len, from, PCRE2_NO_JIT, m->match, m->limits);
    *error = rc;
    if (rc >= 0)
        return MATCH_FOUND;
    return rc == PCRE2_ERROR_NOMATCH || is_invalid(rc) ? MATCH_NONE : MATCH_FAILED;
}

brz_str expression_group_text(const matcher *m, brz_str line, uint32_t number)
{
    const PCRE2_SIZE *at = m->offsets + 2 * (size_t)number;
    if (at[0] == PCRE2_UNSET || at[0] > at[1] || at[1] > line.len)
        return brz_str_of(NULL, 0);
    return brz_str_of(line.data + at[0], at[1] - at[0]);
}

brz_str expression_text(const expression *e, const matcher *m, brz_str line, text_group means)
{
    for (uint32_t i = e->begin[means]; i < e->begin[means + 1]; i++) {
        brz_str text = expression_group_text(m, line, e->groups[i].number);
        if (text.data != NULL)
            return text;
    }
    return brz_str_of(NULL, 0);
}

/* Returns the limit in force: an expression may begin with a lower one, as in "(*LIMIT_MATCH=99)".
 */
static uint32_t limit_in_force(const expression *e, uint32_t what, uint32_t limit)
{
    uint32_t own;
    return pcre2_pattern_info(e->code, what, &own) == 0 && own < limit ? own : limit;
}

void expression_describe_failure(const expression *e, int error, char fault[EXPRESSION_FAULT])
{
    PCRE2_UCHAR why[160];
    if (error == PCRE2_ERROR_MATCHLIMIT) {
        snprintf(fault, EXPRESSION_FAULT, "exceeds the match limit of %u steps",
                 limit_in_force(e, PCRE2_INFO_MATCHLIMIT, MATCH_LIMIT));
    } else if (error == PCRE2_ERROR_HEAPLIMIT) {
        snprintf(fault, EXPRESSION_FAULT, "exceeds the heap limit of %u KiB",
                 limit_in_force(e, PCRE2_INFO_HEAPLIMIT, HEAP_LIMIT));
    } else if (error == PCRE2_ERROR_DEPTHLIMIT) {
        snprintf(fault, EXPRESSION_FAULT, "exceeds the depth limit of %u nested steps",
                 limit_in_force(e, PCRE2_INFO_DEPTHLIMIT, MATCH_LIMIT));
    } else {
        pcre2_get_error_message(error, why, sizeof why);
        snprintf(fault, EXPRESSION_FAULT, "fails (%s)", (const char *)why);
    }
}

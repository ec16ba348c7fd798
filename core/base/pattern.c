/* SPDX-License-Identifier: MIT */
/* Regular expressions written by users.
 *
 * Compiled code runs first, on its own stack. A match that exceeds that stack or the match limit is
 * repeated by PCRE2's interpreter, which keeps its frames on the heap. If it exceeds the
 * interpreter's limits, too, the result is unknown, which is reported to the caller: such a text
 * must not be treated as one without a match.
 */
#include "base/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <stdlib.h>

#include "base/diag.h"
#include "base/mem.h"

/* Limits of one match. Expressions come from the project's configuration, names from its input. A
 * name of 100 KB that an expression matches character by character stays far below the limits. */
#define MATCH_LIMIT     10000000    /* steps */
#define HEAP_LIMIT      (128 << 10) /* KiB, for the interpreter */
#define JIT_STACK_FIRST (32 << 10)
#define JIT_STACK_MOST  (64 << 20) /* address space; pages are allocated on demand */

/* `\C` is forbidden: it matches part of a character, of which a replacement would leave the
 * rest. */
#define COMPILE_OPTIONS (PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C)

struct brz_pattern {
    pcre2_code *code;
    brz_buf or_nothing; /* "|" and the expression, which also matches empty text */
    pcre2_match_data *match;
    pcre2_match_context *limits;
    pcre2_jit_stack *stack; /* NULL without compiled code */
};

static void add_message(brz_buf *b, int code)
{
    PCRE2_UCHAR text[200];
    pcre2_get_error_message(code, text, sizeof text);
    brz_buf_add_text(b, (const char *)text);
}

/* Returns the number of characters in the first `n` bytes. */
static size_t count_characters(brz_str s, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n && i < s.len; i++)
        count += ((unsigned char)s.data[i] & 0xc0) != 0x80;
    return count;
}

/* ---- life cycle ----------------------------------------------------------------------------- */

/* Compiles the pattern to machine code, if possible; otherwise only the interpreter is used. */
static void compile_to_machine_code(brz_pattern *p)
{
    if (pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE) != 0)
        return;
    p->stack = pcre2_jit_stack_create(JIT_STACK_FIRST, JIT_STACK_MOST, NULL);
    if (p->stack != NULL)
        pcre2_jit_stack_assign(p->limits, NULL, p->stack);
}

brz_pattern *brz_pattern_create(brz_str expression, brz_buf *error)
{
    int code;
    PCRE2_SIZE at;
    pcre2_code *compiled = pcre2_compile((PCRE2_SPTR)expression.data, expression.len,
                                         COMPILE_OPTIONS, &code, &at, NULL);
    if (compiled == NULL && code == PCRE2_ERROR_HEAP_FAILED)
        brz_out_of_memory(0);
    if (compiled == NULL) {
        brz_buf_printf(error, "in the expression '%.*s', at character %zu: ", (int)expression.len,
                       expression.data, count_characters(expression, at) + 1);
        add_message(error, code);
        return NULL;
    }
    brz_pattern *p = brz_calloc(1, sizeof *p);
    p->code = compiled;
    brz_buf_add_char(&p->or_nothing, '|');
    brz_buf_add_str(&p->or_nothing, expression);
    p->match = pcre2_match_data_create_from_pattern(compiled, NULL);
    p->limits = pcre2_match_context_create(NULL);
    if (p->match == NULL || p->limits == NULL)
        brz_out_of_memory(0);
    pcre2_set_match_limit(p->limits, MATCH_LIMIT);
    pcre2_set_depth_limit(p->limits, MATCH_LIMIT); /* the heap limit is reached first */
    pcre2_set_heap_limit(p->limits, HEAP_LIMIT);
    compile_to_machine_code(p);
    return p;
}

brz_str brz_pattern_text(const brz_pattern *p)
{
    return brz_str_of(p->or_nothing.data + 1, p->or_nothing.len - 1);
}

void brz_pattern_destroy(brz_pattern *p)
{
    if (p == NULL)
        return;
    pcre2_code_free(p->code);
    brz_buf_finish(&p->or_nothing);
    pcre2_match_data_free(p->match);
    pcre2_match_context_free(p->limits);
    pcre2_jit_stack_free(p->stack);
    free(p);
}

/* ---- failures ------------------------------------------------------------------------------ */

/* Appends a text in quotes, made printable and truncated to fit into a message. */
static void add_quoted(brz_buf *b, brz_str s)
{
    enum { SHOWN = 60 };
    size_t n = s.len;
    if (n > SHOWN)
        for (n = SHOWN; n > SHOWN - 4 && ((unsigned char)s.data[n] & 0xc0) == 0x80;)
            n--;
    brz_buf_add_char(b, '\'');
    brz_add_printable(b, brz_str_of(s.data, n));
    brz_buf_add_text(b, n < s.len ? "...'" : "'");
    if (n < s.len)
        brz_buf_printf(b, " (%zu bytes)", s.len);
}

/* Returns the effective limit: an expression may set a lower one, as in "(*LIMIT_MATCH=99)". */
static uint32_t limit_in_force(const brz_pattern *p, uint32_t what, uint32_t limit)
{
    uint32_t own;
    return pcre2_pattern_info(p->code, what, &own) == 0 && own < limit ? own : limit;
}

static void add_cause(brz_buf *b, const brz_pattern *p, int code)
{
    switch (code) {
    case PCRE2_ERROR_MATCHLIMIT:
        brz_buf_printf(b, "exceeds the match limit of %u steps",
                       limit_in_force(p, PCRE2_INFO_MATCHLIMIT, MATCH_LIMIT));
        break;
    case PCRE2_ERROR_HEAPLIMIT:
        brz_buf_printf(b, "exceeds the heap limit of %u KiB",
                       limit_in_force(p, PCRE2_INFO_HEAPLIMIT, HEAP_LIMIT));
        break;
    case PCRE2_ERROR_DEPTHLIMIT:
        brz_buf_printf(b, "exceeds the depth limit of %u nested steps",
                       limit_in_force(p, PCRE2_INFO_DEPTHLIMIT, MATCH_LIMIT));
        break;
    default:
        brz_buf_add_text(b, "fails (");
        add_message(b, code);
        brz_buf_add_char(b, ')');
    }
}

static brz_match report_failure(const brz_pattern *p, brz_str name, int code, brz_buf *error)
{
    brz_str expression = brz_buf_str(&p->or_nothing);
    brz_buf_add_text(error, "the expression ");
    add_quoted(error, brz_str_of(expression.data + 1, expression.len - 1));
    brz_buf_add_char(error, ' ');
    add_cause(error, p, code);
    brz_buf_add_text(error, " on the frame ");
    add_quoted(error, name);
    brz_buf_add_text(error, "; simplify its repetitions");
    return BRZ_MATCH_FAILED;
}

/* Returns whether the interpreter may succeed where compiled code failed. */
static bool is_worth_interpreting(const brz_pattern *p, int code)
{
    return p->stack != NULL && (code == PCRE2_ERROR_JIT_STACKLIMIT ||
                                code == PCRE2_ERROR_MATCHLIMIT || code == PCRE2_ERROR_NOMEMORY);
}

/* ---- matching ------------------------------------------------------------------------------ */

static int match(const brz_pattern *p, brz_str name, uint32_t options)
{
    return pcre2_match(p->code, (PCRE2_SPTR)name.data, name.len, 0, PCRE2_NO_UTF_CHECK | options,
                       p->match, p->limits);
}

brz_match brz_pattern_search(const brz_pattern *p, brz_str name, brz_buf *error)
{
    int rc = match(p, name, 0);
    if (is_worth_interpreting(p, rc))
        rc = match(p, name, PCRE2_NO_JIT);
    if (rc >= 0)
        return BRZ_MATCH_FOUND;
    return rc == PCRE2_ERROR_NOMATCH ? BRZ_MATCH_NONE : report_failure(p, name, rc, error);
}

static int substitute(const brz_pattern *p, const pcre2_code *code, brz_str name, brz_str with,
                      char *to, PCRE2_SIZE *len, uint32_t options)
{
    return pcre2_substitute(code, (PCRE2_SPTR)name.data, name.len, 0,
                            PCRE2_SUBSTITUTE_GLOBAL | PCRE2_SUBSTITUTE_OVERFLOW_LENGTH |
                                PCRE2_SUBSTITUTE_UNSET_EMPTY | options,
                            p->match, p->limits, (PCRE2_SPTR)with.data, with.len, (PCRE2_UCHAR *)to,
                            len);
}

/* Returns the maximum length of the result. Chains of replacements could otherwise double a name
 * with each step. */
static size_t longest_result(brz_str name)
{
    return name.len > BRZ_PATTERN_RESULT_MAX ? name.len : BRZ_PATTERN_RESULT_MAX;
}

static brz_match report_length(const brz_pattern *p, brz_str name, size_t len, brz_buf *error)
{
    brz_str expression = brz_buf_str(&p->or_nothing);
    brz_buf_add_text(error, "replacing the expression ");
    add_quoted(error, brz_str_of(expression.data + 1, expression.len - 1));
    brz_buf_add_text(error, " in the frame ");
    add_quoted(error, name);
    brz_buf_printf(error, " gives a name of %zu bytes, more than the limit of %zu", len,
                   longest_result(name));
    return BRZ_MATCH_FAILED;
}

/* Appends the result to `out` and stores its length. Appends nothing if it is too long. */
static int substitute_into(const brz_pattern *p, brz_str name, brz_str with, brz_buf *out,
                           PCRE2_SIZE *len, uint32_t options)
{
    *len = name.len + with.len + 64;
    int rc = substitute(p, p->code, name, with, brz_buf_room(out, *len), len, options);
    if (rc == PCRE2_ERROR_NOMEMORY && *len <= longest_result(name) + 1) /* the required size */
        rc = substitute(p, p->code, name, with, brz_buf_room(out, *len), len, options);
    return rc;
}

brz_match brz_pattern_replace(const brz_pattern *p, brz_str name, brz_str with, brz_buf *out,
                              brz_buf *error)
{
    PCRE2_SIZE len;
    int rc = substitute_into(p, name, with, out, &len, 0);
    bool is_too_long = rc == PCRE2_ERROR_NOMEMORY && len != PCRE2_UNSET;
    if (!is_too_long && is_worth_interpreting(p, rc)) {
        rc = substitute_into(p, name, with, out, &len, PCRE2_NO_JIT);
        is_too_long = rc == PCRE2_ERROR_NOMEMORY && len != PCRE2_UNSET;
    }
    if (is_too_long)
        len--; /* without the terminator */
    if (is_too_long || (rc > 0 && len > longest_result(name))) {
        out->data[out->len] = '\0';
        return report_length(p, name, len, error);
    }
    if (rc > 0)
        out->len += len;
    out->data[out->len] = '\0'; /* data may have been written after the end */
    if (rc < 0)
        return report_failure(p, name, rc, error);
    return rc > 0 ? BRZ_MATCH_FOUND : BRZ_MATCH_NONE;
}

/* Checks a replacement on empty text, because PCRE2 parses it only when something matches. */
bool brz_pattern_check_replacement(const brz_pattern *p, brz_str with, brz_buf *error)
{
    char to[256];
    int code, rc = 0;
    PCRE2_SIZE len = sizeof to, at;
    pcre2_code *compiled = pcre2_compile((PCRE2_SPTR)p->or_nothing.data, p->or_nothing.len,
                                         COMPILE_OPTIONS, &code, &at, NULL);
    if (compiled != NULL) /* NULL if the expression begins with a verb such as (*UCP) */
        rc = substitute(p, compiled, BRZ_STR(""), with, to, &len, 0);
    pcre2_code_free(compiled);
    if (rc >= 0 || rc == PCRE2_ERROR_NOMEMORY)
        return true;
    brz_buf_printf(error, "in the replacement '%.*s': ", (int)with.len, with.data);
    add_message(error, rc);
    return false;
}

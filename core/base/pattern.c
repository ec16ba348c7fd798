/* Regular expressions that users write. */
#include "base/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <stdlib.h>

#include "base/mem.h"

/* Steps after which a match is given up: expressions come with the configuration of a project,
 * names with its input. */
#define MATCH_LIMIT 200000

struct brz_pattern {
    pcre2_code *code;
    brz_buf or_nothing; /* "|" and the expression, which matches the empty text too */
    pcre2_match_data *match;
    pcre2_match_context *limits;
};

static void add_message(brz_buf *b, int code)
{
    PCRE2_UCHAR text[200];
    pcre2_get_error_message(code, text, sizeof text);
    brz_buf_add_text(b, (const char *)text);
}

/* How many characters there are in the first n bytes. */
static size_t count_characters(brz_str s, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n && i < s.len; i++)
        count += ((unsigned char)s.data[i] & 0xc0) != 0x80;
    return count;
}

brz_pattern *brz_pattern_create(brz_str expression, brz_buf *error)
{
    int code;
    PCRE2_SIZE at;
    pcre2_code *compiled =
        pcre2_compile((PCRE2_SPTR)expression.data, expression.len, PCRE2_UTF, &code, &at, NULL);
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
    pcre2_jit_compile(compiled, PCRE2_JIT_COMPLETE); /* without it, it is interpreted */
    return p;
}

void brz_pattern_destroy(brz_pattern *p)
{
    if (p == NULL)
        return;
    pcre2_code_free(p->code);
    brz_buf_finish(&p->or_nothing);
    pcre2_match_data_free(p->match);
    pcre2_match_context_free(p->limits);
    free(p);
}

bool brz_pattern_matches(const brz_pattern *p, brz_str text)
{
    return pcre2_match(p->code, (PCRE2_SPTR)text.data, text.len, 0, PCRE2_NO_UTF_CHECK, p->match,
                       p->limits) >= 0;
}

static int substitute(const brz_pattern *p, const pcre2_code *code, brz_str text, brz_str with,
                      char *to, PCRE2_SIZE *len)
{
    return pcre2_substitute(
        code, (PCRE2_SPTR)text.data, text.len, 0,
        PCRE2_SUBSTITUTE_GLOBAL | PCRE2_SUBSTITUTE_OVERFLOW_LENGTH | PCRE2_SUBSTITUTE_UNSET_EMPTY,
        p->match, p->limits, (PCRE2_SPTR)with.data, with.len, (PCRE2_UCHAR *)to, len);
}

bool brz_pattern_replace(const brz_pattern *p, brz_str text, brz_str with, brz_buf *out)
{
    PCRE2_SIZE len = text.len + with.len + 64;
    int rc = substitute(p, p->code, text, with, brz_buf_room(out, len), &len);
    if (rc == PCRE2_ERROR_NOMEMORY)
        rc = substitute(p, p->code, text, with, brz_buf_room(out, len), &len);
    if (rc <= 0) {
        out->data[out->len] = '\0'; /* something may have been written behind it */
        return false;
    }
    out->len += len;
    out->data[out->len] = '\0';
    return true;
}

/* PCRE2 looks at a replacement only when something matches. */
bool brz_pattern_check_replacement(const brz_pattern *p, brz_str with, brz_buf *error)
{
    char to[256];
    int code, rc = 0;
    PCRE2_SIZE len = sizeof to, at;
    pcre2_code *compiled = pcre2_compile((PCRE2_SPTR)p->or_nothing.data, p->or_nothing.len,
                                         PCRE2_UTF, &code, &at, NULL);
    if (compiled != NULL) /* not so if the expression begins with a verb such as (*UCP) */
        rc = substitute(p, compiled, BRZ_STR(""), with, to, &len);
    pcre2_code_free(compiled);
    if (rc >= 0 || rc == PCRE2_ERROR_NOMEMORY)
        return true;
    brz_buf_printf(error, "in the replacement '%.*s': ", (int)with.len, with.data);
    add_message(error, rc);
    return false;
}

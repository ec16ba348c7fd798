/* Matches the regular expressions of rules: PCRE2's interpreter, in memory of the host.
 *
 * Machine code is not compiled: a palette has no last call in which to free it.
 */
#include "matcher.h"

#include <stdio.h>

/* Limits of one match: expressions come with the configuration of a project, names with its input.
 */
#define MATCH_LIMIT 10000000    /* steps */
#define HEAP_LIMIT  (128 << 10) /* KiB */

static void *allocate(PCRE2_SIZE size, void *ctx)
{
    return ((brz_palette_ctx *)ctx)->host->alloc(ctx, size, 0);
}

/* The host frees everything with the instance. */
static void forget(void *memory, void *ctx)
{
    (void)memory;
    (void)ctx;
}

void matcher_init(matcher *m, brz_palette_ctx *ctx)
{
    pcre2_general_context *memory = pcre2_general_context_create(allocate, forget, ctx);
    m->compiling = pcre2_compile_context_create(memory);
    m->match = pcre2_match_data_create(1, memory);
    m->limits = pcre2_match_context_create(memory);
    pcre2_set_match_limit(m->limits, MATCH_LIMIT);
    pcre2_set_depth_limit(m->limits, MATCH_LIMIT); /* the heap's limit comes first */
    pcre2_set_heap_limit(m->limits, HEAP_LIMIT);
}

pcre2_code *matcher_compile(const matcher *m, brz_str expression, char *why, size_t size)
{
    int error;
    size_t at;
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)expression.data, expression.len, PCRE2_UTF, &error,
                                     &at, m->compiling);
    if (code == NULL)
        pcre2_get_error_message(error, (PCRE2_UCHAR *)why, size);
    return code;
}

/* Returns the limit in force: an expression may begin with a lower one, as in "(*LIMIT_MATCH=99)".
 */
static uint32_t limit_in_force(const pcre2_code *code, uint32_t what, uint32_t limit)
{
    uint32_t own;
    return pcre2_pattern_info(code, what, &own) == 0 && own < limit ? own : limit;
}

static void describe(const pcre2_code *code, int error, char *why, size_t size)
{
    char message[120];
    if (error == PCRE2_ERROR_MATCHLIMIT) {
        snprintf(why, size, "exceeds the match limit of %u steps",
                 limit_in_force(code, PCRE2_INFO_MATCHLIMIT, MATCH_LIMIT));
    } else if (error == PCRE2_ERROR_HEAPLIMIT) {
        snprintf(why, size, "exceeds the heap limit of %u KiB",
                 limit_in_force(code, PCRE2_INFO_HEAPLIMIT, HEAP_LIMIT));
    } else if (error == PCRE2_ERROR_DEPTHLIMIT) {
        snprintf(why, size, "exceeds the depth limit of %u nested steps",
                 limit_in_force(code, PCRE2_INFO_DEPTHLIMIT, MATCH_LIMIT));
    } else {
        pcre2_get_error_message(error, (PCRE2_UCHAR *)message, sizeof message);
        snprintf(why, size, "fails (%s)", message);
    }
}

matcher_result matcher_search(const matcher *m, const pcre2_code *code, brz_str text, char *why,
                              size_t size)
{
    const char *data = text.len > 0 ? text.data : "";
    int rc = pcre2_match(code, (PCRE2_SPTR)data, text.len, 0, 0, m->match, m->limits);
    if (rc >= 0)
        return MATCHER_FOUND;
    if (rc == PCRE2_ERROR_NOMATCH)
        return MATCHER_NONE;
    describe(code, rc, why, size);
    return MATCHER_FAILED;
}

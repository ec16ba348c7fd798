/* Matches the regular expressions of rules with texts of frames, within limits. */
#ifndef PALETTES_MATCHER_H
#define PALETTES_MATCHER_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <brazier/palette.h>

/* PCRE2's memory and limits, which live as long as the palette's instance. */
typedef struct matcher {
    pcre2_compile_context *compiling;
    pcre2_match_context *limits;
    pcre2_match_data *match;
} matcher;

/* Prepares a matcher. */
void matcher_init(matcher *m, brz_palette_ctx *ctx);

/* Compiles an expression. Returns NULL with the reason in `why`. */
pcre2_code *matcher_compile(const matcher *m, brz_str expression, char *why, size_t size);

typedef enum matcher_result { MATCHER_NONE, MATCHER_FOUND, MATCHER_FAILED } matcher_result;

/* Searches a text, which is UTF-8. Returns MATCHER_FAILED, with the cause in `why`, if the search
 * hits a limit. */
matcher_result matcher_search(const matcher *m, const pcre2_code *code, brz_str text, char *why,
                              size_t size);

#endif

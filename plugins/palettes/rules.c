/* SPDX-License-Identifier: MIT */
/* Defines the palette "rules": colours frames by user-defined rules on names, modules, files, kinds
 * and annotations. The first matching rule applies. */
#include "rule.h"

#include <brazier/palette.h>
#include <brazier/symbol.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>

#include "../common/shipped.h"
#include "frame_module.h"

/* ---- expressions ----------------------------------------------------------------------------- */

/* Matches the regular expressions of rules: PCRE2's interpreter, in memory of the host.
 *
 * Machine code is not compiled: a palette has no last call in which to free it. */

/* PCRE2's memory and limits, which live as long as the palette's instance. */
typedef struct matcher {
    pcre2_compile_context *compiling;
    pcre2_match_context *limits;
    pcre2_match_data *match;
} matcher;

typedef enum matcher_result { MATCHER_NONE, MATCHER_FOUND, MATCHER_FAILED } matcher_result;

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

/* Prepares a matcher. */
static void matcher_init(matcher *m, brz_palette_ctx *ctx)
{
    pcre2_general_context *memory = pcre2_general_context_create(allocate, forget, ctx);
    m->compiling = pcre2_compile_context_create(memory);
    m->match = pcre2_match_data_create(1, memory);
    m->limits = pcre2_match_context_create(memory);
    pcre2_set_match_limit(m->limits, MATCH_LIMIT);
    pcre2_set_depth_limit(m->limits, MATCH_LIMIT); /* the heap's limit comes first */
    pcre2_set_heap_limit(m->limits, HEAP_LIMIT);
}

/* Compiles an expression, in memory of the host unless `memory` is NULL. Returns NULL with the
 * reason in `why` and PCRE2's number of it in `error`. */
static pcre2_code *compile_expression(brz_str expression, pcre2_compile_context *memory, int *error,
                                      char *why, size_t size)
{
    size_t at;
    pcre2_code *code =
        pcre2_compile((PCRE2_SPTR)expression.data, expression.len, PCRE2_UTF, error, &at, memory);
    if (code == NULL)
        pcre2_get_error_message(*error, (PCRE2_UCHAR *)why, size);
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

/* Searches a text, which is UTF-8. Returns MATCHER_FAILED, with the cause in `why`, if the search
 * hits a limit. */
static matcher_result matcher_search(const matcher *m, const pcre2_code *code, brz_str text,
                                     char *why, size_t size)
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

/* ---- rules ----------------------------------------------------------------------------------- */

typedef struct options {
    brz_strlist rules;
    brz_str otherwise;
    int32_t numbers;
} options;

/* A rule with compiled patterns. */
typedef struct ready_rule {
    brz_str text;
    rule rule;
    pcre2_code *patterns[RULE_N_PATTERNS]; /* NULL: matches anything */
} ready_rule;

typedef struct rules {
    ready_rule *items;
    size_t n;
    rule_color otherwise;
    matcher matcher;
    brz_palette_ctx *ctx; /* for errors */
    bool failed;          /* a match hit a limit: reported, and matching has stopped */
} rules;

/* ---- messages ------------------------------------------------------------------------------ */

/* Shortens a text for a message, between two characters. */
static brz_str shortened(brz_str s, size_t most)
{
    if (s.len <= most)
        return s;
    size_t n = most;
    while (n > most - 4 && ((unsigned char)s.data[n] & 0xc0) == 0x80)
        n--;
    return brz_str_of(s.data, n);
}

/* Longest message about a rule. */
#define LONGEST_LINE 512

/* Writes a message about a rule, of one line. Returns a view of it. */
static brz_str describe_fault(brz_str text, const char *what, char line[LONGEST_LINE])
{
    while (text.len > 0 && text.data[text.len - 1] == '\n')
        text.len--;
    brz_str shown = shortened(text, 200);
    int n = snprintf(line, LONGEST_LINE, "rule '%.*s%s': %s", (int)shown.len, shown.data,
                     shown.len < text.len ? "..." : "", what);
    n = n < LONGEST_LINE ? n : LONGEST_LINE - 1;
    for (int i = 0; i < n; i++)
        if (line[i] == '\n')
            line[i] = ' ';
    return brz_str_of(line, (size_t)n);
}

/* Reports an error about a rule; the host makes the line printable. */
static void complain(brz_palette_ctx *ctx, brz_str text, const char *what)
{
    char line[LONGEST_LINE];
    brz_palette_report(ctx, BRZ_FATAL, "rules.rule", describe_fault(text, what, line));
}

/* ---- rules --------------------------------------------------------------------------------- */

/* Returns the fault of a rule, or NULL. prepare() reports a lack of memory. */
static const char *find_fault(brz_str text, char *why, size_t size)
{
    rule r;
    int error;
    const char *wrong = rule_parse(text, &r);
    for (size_t i = 0; i < RULE_N_PATTERNS && wrong == NULL; i++) {
        pcre2_code *code = NULL;
        if (r.patterns[i].data == NULL)
            continue;
        code = compile_expression(r.patterns[i], NULL, &error, why, size);
        wrong = code == NULL && error != PCRE2_ERROR_HEAP_FAILED ? why : NULL;
        pcre2_code_free(code);
    }
    return wrong;
}

static void validate(const void *cfg, brz_option_faults *faults)
{
    char why[160], line[LONGEST_LINE];
    const options *o = cfg;
    rule_color ignored;
    for (size_t i = 0; i < o->rules.count; i++) {
        const char *wrong = find_fault(o->rules.items[i], why, sizeof why);
        if (wrong != NULL)
            faults->add(faults, "rules", i, describe_fault(o->rules.items[i], wrong, line));
    }
    const char *wrong = rule_parse_color(o->otherwise, &ignored);
    if (wrong != NULL)
        faults->add(faults, "otherwise", 0, brz_str_of_text(wrong));
}

/* Compiles the patterns of a rule. Returns whether there was memory for them. */
static bool compile_patterns(rules *r, ready_rule *item)
{
    int error;
    char why[160];
    for (size_t i = 0; i < RULE_N_PATTERNS; i++) {
        if (item->rule.patterns[i].data == NULL)
            continue;
        item->patterns[i] = compile_expression(item->rule.patterns[i], r->matcher.compiling, &error,
                                               why, sizeof why);
        if (item->patterns[i] != NULL)
            continue;
        complain(r->ctx, item->text, why);
        return false;
    }
    return true;
}

/* Prepares the rules, which `validate` has found good. */
static brz_rc prepare(brz_palette_ctx *ctx, const brz_tree *tree)
{
    (void)tree;
    const options *o = ctx->cfg;
    rules *r = ctx->inst;
    r->ctx = ctx;
    matcher_init(&r->matcher, ctx);
    r->items = ctx->host->alloc(ctx, o->rules.count * sizeof *r->items, 0);
    for (; r->n < o->rules.count; r->n++) {
        ready_rule *item = &r->items[r->n];
        item->text = o->rules.items[r->n];
        rule_parse(item->text, &item->rule);
        if (!compile_patterns(r, item))
            return BRZ_ERROR;
    }
    rule_parse_color(o->otherwise, &r->otherwise);
    return BRZ_OK;
}

/* Fails the run: it is unknown which rule is for the frame. */
static void fail(rules *r, const ready_rule *item, size_t which, brz_str text, const char *why)
{
    static const char *const parts[RULE_N_PATTERNS] = {
        [RULE_NAME] = "frame", [RULE_MODULE] = "module", [RULE_FILE] = "file"};
    char what[256];
    brz_str shown = shortened(text, 60);
    int n = snprintf(what, sizeof what, "the expression %s on the %s '%.*s", why, parts[which],
                     (int)shown.len, shown.data);
    if (shown.len < text.len)
        snprintf(what + n, sizeof what - (size_t)n, "...' (%zu bytes)", text.len);
    else
        snprintf(what + n, sizeof what - (size_t)n, "'");
    r->failed = true;
    complain(r->ctx, item->text, what);
}

/* True if the rule has no such pattern, or it matches. */
static bool matches(rules *r, const ready_rule *item, size_t which, brz_str text)
{
    char why[160];
    if (item->patterns[which] == NULL)
        return true;
    if (r->failed)
        return false;
    matcher_result m = matcher_search(&r->matcher, item->patterns[which], text, why, sizeof why);
    if (m == MATCHER_FAILED)
        fail(r, item, which, text, why);
    return m == MATCHER_FOUND;
}

static bool is_for(rules *r, const ready_rule *item, const brz_frame_info *f)
{
    if (item->rule.has_kind && item->rule.kind != brz_frame_category(f->kind, f->flags))
        return false;
    if (item->rule.annotation != 0 && item->rule.annotation != brz_name_annotation(f->name))
        return false;
    return matches(r, item, RULE_NAME, f->name) &&
           (item->patterns[RULE_MODULE] == NULL ||
            matches(r, item, RULE_MODULE, frame_module(f))) &&
           matches(r, item, RULE_FILE, f->file);
}

/* Returns the index of the first rule for a frame, or SIZE_MAX. */
static size_t rule_for(rules *r, const brz_frame_info *f)
{
    for (size_t i = 0; i < r->n; i++)
        if (is_for(r, &r->items[i], f))
            return i;
    return SIZE_MAX;
}

static uint32_t color(const brz_palette_ctx *ctx, const brz_color_in *in)
{
    rules *r = ctx->inst;
    size_t i = rule_for(r, in->frame);
    const rule_color *c = i == SIZE_MAX ? &r->otherwise : &r->items[i].rule.color;
    if (c->type != RULE_RAMP)
        return c->type == RULE_COLOR ? c->color : BRZ_COLOR_NONE;
    /* not random: each frame is coloured only once */
    brz_numbers n = ramp_numbers(NUMBERS_HASH + ((const options *)ctx->cfg)->numbers, in);
    return ramp_color(c->ramp, &n);
}

/* ---- legend: rules used in the picture ------------------------------------------------------- */

static brz_str legend_text(const rule *r)
{
    if (r->legend.len > 0)
        return r->legend;
    for (size_t i = 0; i < RULE_N_PATTERNS; i++)
        if (r->patterns[i].data != NULL)
            return r->patterns[i];
    return brz_str_of(NULL, 0);
}

static void tell_legend(brz_palette_ctx *ctx, const brz_tree *tree, brz_legend *legend)
{
    static const brz_numbers middle = {{0.5f, 0.5f, 0.5f}};
    rules *r = ctx->inst;
    bool *used = ctx->host->alloc(ctx, r->n, 0);
    for (uint32_t i = 0; i < tree->n_frames; i++) {
        size_t which = rule_for(r, brz_frame_at(tree, i));
        if (which != SIZE_MAX)
            used[which] = true;
    }
    for (size_t i = 0; i < r->n; i++) {
        const rule *one = &r->items[i].rule;
        brz_str text = legend_text(one);
        if (!used[i] || one->color.type == RULE_NEXT || text.len == 0)
            continue;
        legend->add(legend,
                    one->color.type == RULE_COLOR ? one->color.color
                                                  : ramp_color(one->color.ramp, &middle),
                    text);
    }
}

/* ---- plug-in ------------------------------------------------------------------------------- */

static const char *const numbers_choices[] = {"hash", "deterministic", NULL};

static const brz_option option_table[] = {
    BRZ_OPTION(options, "rules", LIST, rules, NULL,
               "PATTERN = COLOUR, or maps of match, module, file, kind, annotation; color, legend",
               .flags = BRZ_OPTION_MAPS),
    BRZ_OPTION(options, "otherwise", STR, otherwise, "next",
               "colour of other frames; next: use the next palette"),
    BRZ_OPTION(options, "numbers", ENUM, numbers, "hash",
               "source of variation within ramps: ends of the name, or the whole name",
               .choices = numbers_choices),
};

static const brz_palette palette = {
    .struct_size = sizeof palette,
    .depends = BRZ_ON_NAME | BRZ_ON_MODULE | BRZ_ON_KIND | BRZ_ON_SOURCE,
    .inst_size = sizeof(rules),
    .prepare = prepare,
    .color = color,
    .legend = tell_legend,
};

SHIPPED_PLUGIN(
    "rules", BRZ_PALETTE, &palette,
    .summary = "colours by user-defined rules: regular expressions on names, modules, files",
    BRZ_OPTIONS(option_table, options), .validate = validate)

/* Defines the palette "rules": colours frames by user-defined rules on names, modules, files, kinds
 * and annotations. The first matching rule applies. */
#include "rule.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <brazier/symbol.h>

#include <stdio.h>

#include "frame_module.h"

typedef struct options {
    brz_strlist rules;
    brz_str otherwise;
    int32_t numbers;
} options;

/* A rule with compiled patterns. */
typedef struct ready_rule {
    rule rule;
    pcre2_code *patterns[RULE_N_PATTERNS]; /* NULL: matches anything */
} ready_rule;

typedef struct rules {
    ready_rule *items;
    size_t n;
    rule_color otherwise;
    pcre2_match_data *match;
    pcre2_match_context *limits;
} rules;

/* ---- patterns ------------------------------------------------------------------------------ */

static void *allocate(PCRE2_SIZE size, void *ctx)
{
    return ((brz_ctx *)ctx)->host->alloc(ctx, size, 0);
}

/* Frees nothing: the host frees all memory with the instance. */
static void forget(void *memory, void *ctx)
{
    (void)memory;
    (void)ctx;
}

static brz_rc complain(brz_ctx *ctx, brz_str text, const char *what)
{
    char line[512];
    while (text.len > 0 && text.data[text.len - 1] == '\n')
        text.len--;
    size_t shown = text.len < 200 ? text.len : 200;
    int n = snprintf(line, sizeof line, "rule '%.*s': %s", (int)shown, text.data, what);
    for (int i = 0; i < n && i < (int)sizeof line; i++)
        if (line[i] == '\n')
            line[i] = ' ';
    n = n < (int)sizeof line ? n : (int)sizeof line - 1;
    brz_report(ctx, BRZ_FATAL, "rules.rule", NULL, 0, brz_str_of(line, (size_t)n));
    return BRZ_ERROR;
}

/* Patterns that exceed this limit do not match. */
#define MATCH_LIMIT 200000

static void prepare_matching(brz_ctx *ctx, rules *r, pcre2_general_context *memory)
{
    (void)ctx;
    r->match = pcre2_match_data_create(1, memory);
    r->limits = pcre2_match_context_create(memory);
    pcre2_set_match_limit(r->limits, MATCH_LIMIT);
}

static brz_rc compile(brz_ctx *ctx, ready_rule *r, brz_str text, pcre2_compile_context *memory)
{
    for (size_t i = 0; i < RULE_N_PATTERNS; i++) {
        brz_str pattern = r->rule.patterns[i];
        int error;
        size_t at;
        char why[160];
        if (pattern.data == NULL)
            continue;
        r->patterns[i] =
            pcre2_compile((PCRE2_SPTR)pattern.data, pattern.len, PCRE2_UTF, &error, &at, memory);
        if (r->patterns[i] != NULL)
            continue;
        pcre2_get_error_message(error, (PCRE2_UCHAR *)why, sizeof why);
        return complain(ctx, text, why);
    }
    return BRZ_OK;
}

static bool matches(const rules *r, const pcre2_code *pattern, brz_str text)
{
    if (pattern == NULL)
        return true;
    const char *data = text.len > 0 ? text.data : "";
    return pcre2_match(pattern, (PCRE2_SPTR)data, text.len, 0, 0, r->match, r->limits) >= 0;
}

/* ---- rules --------------------------------------------------------------------------------- */

static brz_rc prepare(brz_ctx *ctx, const brz_tree *tree)
{
    (void)tree;
    const options *o = ctx->cfg;
    rules *r = ctx->inst;
    pcre2_general_context *memory = pcre2_general_context_create(allocate, forget, ctx);
    pcre2_compile_context *compiling = pcre2_compile_context_create(memory);
    prepare_matching(ctx, r, memory);
    r->items = ctx->host->alloc(ctx, o->rules.count * sizeof *r->items, 0);
    for (; r->n < o->rules.count; r->n++) {
        brz_str text = o->rules.items[r->n];
        const char *wrong = rule_parse(text, &r->items[r->n].rule);
        if (wrong != NULL)
            return complain(ctx, text, wrong);
        brz_rc rc = compile(ctx, &r->items[r->n], text, compiling);
        if (rc != BRZ_OK)
            return rc;
    }
    const char *wrong = rule_parse_color(o->otherwise, &r->otherwise);
    return wrong == NULL ? BRZ_OK : complain(ctx, BRZ_STR("otherwise"), wrong);
}

static char annotation_of(brz_str name)
{
    if (brz_display_name(name).len == name.len)
        return '\0';
    return name.data[name.len - 2];
}

static bool is_for(const rules *r, const ready_rule *item, const brz_frame_info *f)
{
    if (item->rule.has_kind && item->rule.kind != f->kind)
        return false;
    if (item->rule.annotation != 0 && item->rule.annotation != annotation_of(f->name))
        return false;
    return matches(r, item->patterns[RULE_NAME], f->name) &&
           (item->patterns[RULE_MODULE] == NULL ||
            matches(r, item->patterns[RULE_MODULE], frame_module(f))) &&
           matches(r, item->patterns[RULE_FILE], f->file);
}

/* Returns the index of the first rule for a frame, or SIZE_MAX. */
static size_t rule_for(const rules *r, const brz_frame_info *f)
{
    for (size_t i = 0; i < r->n; i++)
        if (is_for(r, &r->items[i], f))
            return i;
    return SIZE_MAX;
}

static uint32_t color(const brz_ctx *ctx, const brz_color_in *in)
{
    const rules *r = ctx->inst;
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

static void tell_legend(brz_ctx *ctx, const brz_tree *tree, brz_legend *legend)
{
    static const brz_numbers middle = {{0.5f, 0.5f, 0.5f}};
    const rules *r = ctx->inst;
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
    {.name = "rules",
     .type = BRZ_OPTION_LIST,
     .flags = BRZ_OPTION_MAPS,
     .offset = offsetof(options, rules),
     .help = "PATTERN = COLOUR, or maps of match, module, file, kind, annotation; color, legend"},
    {.name = "otherwise",
     .type = BRZ_OPTION_STR,
     .offset = offsetof(options, otherwise),
     .dflt = "next",
     .help = "colour of other frames; next: use the next palette"},
    {.name = "numbers",
     .type = BRZ_OPTION_ENUM,
     .offset = offsetof(options, numbers),
     .dflt = "hash",
     .help = "source of variation within ramps: ends of the name, or the whole name",
     .choices = numbers_choices},
};

static const brz_palette palette = {
    .struct_size = sizeof palette,
    .depends = BRZ_ON_NAME | BRZ_ON_MODULE | BRZ_ON_KIND | BRZ_ON_SOURCE,
    .inst_size = sizeof(rules),
    .prepare = prepare,
    .color = color,
    .legend = tell_legend,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_PALETTE,
    .id = "rules",
    .summary = "colours by user-defined rules: regular expressions on names, modules, files",
    .options = option_table,
    .n_options = BRZ_COUNT_OF(option_table),
    .option_size = sizeof(brz_option),
    .cfg_size = sizeof(options),
    .vtable = &palette,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("rules", BRZ_SHIPPED_VERSION, "MIT", BRZ_SHIPPED_URL, components)

/* A transform that groups stacks by the owners of their code. A file says who owns what:
 *
 *     # a pattern, and an owner; the last line that matches decides
 *     src/net*         network
 *     libcrypto.so*    security
 *     tokio::*         runtime
 *
 * A pattern matches the source file, the module or the name of a frame; '*' stands for any text.
 * The innermost frame that has an owner decides about its stack, which gets the owner as its root.
 *
 * SPDX-License-Identifier: MIT
 */
#include <brazier/new_stack.h>
#include <brazier/plugin.h>

typedef struct config {
    brz_str file;
    brz_str nobody;
} config;

typedef struct rule {
    brz_str pattern;
    brz_frame owner;
} rule;

/* Stands for the owner of a frame that has not been looked up, and of one that has none. */
#define UNKNOWN 0u
#define NOBODY  BRZ_NO_FRAME

typedef struct state {
    rule *rules;
    size_t n_rules;
    brz_frame *owners; /* by frame of the tree: UNKNOWN, NOBODY, or the frame of its owner + 1 */
    brz_frame nobody;  /* root of stacks without an owner */
    brz_new_stack stack;
} state;

/* ---- the file ------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Takes the next word of a line; an empty one at its end. */
static brz_str take_word(brz_str *line)
{
    size_t n = 0;
    while (line->len > 0 && is_blank(line->data[0]))
        *line = brz_str_from(*line, 1);
    while (n < line->len && !is_blank(line->data[n]))
        n++;
    brz_str word = brz_str_of(line->data, n);
    *line = brz_str_from(*line, n);
    return word;
}

/* Adds the rule of a line. Returns false if the line is no rule. */
static bool add_rule(brz_transform_ctx *ctx, state *s, brz_str line)
{
    brz_str pattern = take_word(&line), owner = take_word(&line), more = take_word(&line);
    if (pattern.len == 0 || pattern.data[0] == '#')
        return true;
    if (owner.len == 0 || more.len > 0)
        return false;
    s->rules[s->n_rules++] = (rule){pattern, ctx->host->intern(ctx, owner.data, owner.len)};
    return true;
}

static brz_rc fail(brz_transform_ctx *ctx, brz_str msg)
{
    brz_transform_report(ctx, BRZ_FATAL, "owners.file", msg);
    return BRZ_ERROR;
}

/* Reads the rules. Their patterns are in the file, which stays mapped. */
static brz_rc read_rules(brz_transform_ctx *ctx, state *s, brz_str text)
{
    size_t lines = 1;
    for (size_t i = 0; i < text.len; i++)
        lines += text.data[i] == '\n';
    s->rules = ctx->host->alloc(ctx, lines * sizeof *s->rules, 0);
    while (text.len > 0) {
        const char *newline = memchr(text.data, '\n', text.len);
        size_t n = newline == NULL ? text.len : (size_t)(newline - text.data);
        if (!add_rule(ctx, s, brz_str_of(text.data, n)))
            return fail(ctx, BRZ_STR("a line of the file of owners is not a pattern and an owner"));
        text = brz_str_from(text, newline == NULL ? n : n + 1);
    }
    return BRZ_OK;
}

static brz_rc open_owners(brz_transform_ctx *ctx, const brz_tree *tree)
{
    const config *cfg = ctx->cfg;
    state *s = ctx->inst;
    brz_related_file file = {.struct_size = sizeof file};
    s->owners = ctx->host->alloc(ctx, tree->n_frames * sizeof *s->owners, 0);
    s->nobody = ctx->host->intern(ctx, cfg->nobody.data, cfg->nobody.len);
    if (cfg->file.len == 0)
        return BRZ_OK;
    int32_t found = ctx->host->open_related(ctx, cfg->file, 0, &file);
    if (found != BRZ_RELATED_OPENED)
        return fail(ctx, BRZ_STR("the file of owners cannot be read"));
    return read_rules(ctx, s, brz_str_of((const char *)file.data, file.len));
}

/* ---- owners --------------------------------------------------------------------------------- */

/* Returns whether a pattern matches a text. Only the last '*' need be tried again. */
static bool matches(brz_str pattern, brz_str text)
{
    size_t p = 0, t = 0, star = SIZE_MAX, from = 0;
    while (t < text.len) {
        if (p < pattern.len && pattern.data[p] == '*') {
            star = p++;
            from = t;
        } else if (p < pattern.len && pattern.data[p] == text.data[t]) {
            p++;
            t++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            t = ++from;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.data[p] == '*')
        p++;
    return p == pattern.len;
}

static brz_frame find_owner(const state *s, const brz_frame_info *f)
{
    for (size_t i = s->n_rules; i-- > 0;) {
        const rule *r = &s->rules[i];
        if (matches(r->pattern, f->name) || (f->file.len > 0 && matches(r->pattern, f->file)) ||
            (f->module.len > 0 && matches(r->pattern, f->module)))
            return r->owner + 1;
    }
    return NOBODY;
}

/* Returns the owner of a frame. Patterns are tried once per frame. */
static brz_frame owner_of(const state *s, const brz_tree *tree, brz_frame frame)
{
    if (s->owners[frame] == UNKNOWN)
        s->owners[frame] = find_owner(s, brz_frame_at(tree, frame));
    return s->owners[frame];
}

static brz_rc apply(brz_transform_ctx *ctx, const brz_tree *tree, brz_stack_edit *edit)
{
    state *s = ctx->inst;
    brz_frame owner = NOBODY;
    for (uint32_t i = edit->n; i-- > 0 && owner == NOBODY;)
        owner = owner_of(s, tree, edit->frames[i]);
    s->stack.n = 0;
    brz_new_stack_push(ctx, &s->stack, owner == NOBODY ? s->nobody : owner - 1);
    for (uint32_t i = 0; i < edit->n; i++)
        brz_new_stack_push(ctx, &s->stack, edit->frames[i]);
    brz_new_stack_use(&s->stack, edit);
    return BRZ_OK;
}

static const brz_transform owners = {
    .struct_size = sizeof owners,
    .inst_size = sizeof(state),
    .open = open_owners,
    .apply = apply,
};

static const brz_option options[] = {
    BRZ_OPTION(config, "owners", STR, file, NULL, "file with a pattern and an owner on each line",
               .flags = BRZ_OPTION_PATH),
    BRZ_OPTION(config, "nobody", STR, nobody, "(nobody)", "root of stacks without an owner"),
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_TRANSFORM,
    .id = "owners",
    .summary = "group stacks by the owners of their code",
    .vtable = &owners,
    BRZ_OPTIONS(options, config),
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("owners", "1.0", "MIT", "https://example.org/owners/issues", components)

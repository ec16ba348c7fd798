/* SPDX-License-Identifier: MIT */
/* Parses rules. */
#include "rule.h"

#include <brazier/color.h>
#include <brazier/symbol.h>

static brz_str trimmed(brz_str s)
{
    while (s.len > 0 && (s.data[0] == ' ' || s.data[0] == '\t'))
        s = brz_str_of(s.data + 1, s.len - 1);
    while (s.len > 0 && (s.data[s.len - 1] == ' ' || s.data[s.len - 1] == '\t'))
        s.len--;
    return s;
}

const char *rule_parse_color(brz_str text, rule_color *color)
{
    *color = (rule_color){.type = RULE_NEXT};
    if (brz_str_is(text, "next"))
        return NULL;
    if (brz_parse_color(text, &color->color)) {
        color->type = RULE_COLOR;
        color->color |= 0xff;
        return NULL;
    }
    color->type = RULE_RAMP;
    return ramp_find(text, &color->ramp)
               ? NULL
               : "a colour is #rrggbb, next, or one of hot, mem, io, red, green, blue, yellow, "
                 "purple, aqua, orange";
}

/* ---- PATTERN = COLOUR ---------------------------------------------------------------------- */

static const char *parse_short(brz_str text, rule *r)
{
    size_t equals = text.len;
    while (equals > 0 && text.data[equals - 1] != '=')
        equals--;
    if (equals == 0)
        return "a rule is PATTERN = COLOUR, or a map with match and color";
    r->patterns[RULE_NAME] = trimmed(brz_str_of(text.data, equals - 1));
    if (r->patterns[RULE_NAME].len == 0)
        return "no pattern in front of '='";
    return rule_parse_color(trimmed(brz_str_of(text.data + equals, text.len - equals)), &r->color);
}

/* ---- maps ---------------------------------------------------------------------------------- */

static const char *parse_kind(brz_str value, rule *r)
{
    static const struct {
        const char *name;
        uint32_t kind;
    } kinds[] = {
        {"user", BRZ_CATEGORY_USER},   {"kernel", BRZ_CATEGORY_KERNEL},
        {"jit", BRZ_CATEGORY_JIT},     {"inlined", BRZ_CATEGORY_INLINED},
        {"waker", BRZ_CATEGORY_WAKER}, {"process", BRZ_CATEGORY_PROCESS},
        {"other", BRZ_CATEGORY_OTHER},
    };
    r->has_kind = true;
    for (size_t i = 0; i < BRZ_COUNT_OF(kinds); i++) {
        r->kind = kinds[i].kind;
        if (brz_str_is(value, kinds[i].name))
            return NULL;
    }
    return "a kind is user, kernel, jit, inlined, waker, process or other";
}

static const char *parse_annotation(brz_str value, rule *r)
{
    char letter = '\0';
    if (value.len == 1)
        letter = value.data[0];
    if (letter != 'k' && letter != 'i' && letter != 'j' && letter != 'w')
        return "an annotation is one letter: k, i, j or w";
    r->annotation = letter;
    return NULL;
}

static const char *take_pattern(brz_str value, brz_str *pattern)
{
    *pattern = value;
    return value.len == 0 ? "a pattern is empty" : NULL;
}

static const char *parse_key(brz_str key, brz_str value, rule *r, bool *colored)
{
    if (brz_str_is(key, "match"))
        return take_pattern(value, &r->patterns[RULE_NAME]);
    if (brz_str_is(key, "module"))
        return take_pattern(value, &r->patterns[RULE_MODULE]);
    if (brz_str_is(key, "file"))
        return take_pattern(value, &r->patterns[RULE_FILE]);
    if (brz_str_is(key, "kind"))
        return parse_kind(value, r);
    if (brz_str_is(key, "annotation"))
        return parse_annotation(value, r);
    if (brz_str_is(key, "legend")) {
        r->legend = value;
        return NULL;
    }
    if (!brz_str_is(key, "color"))
        return "a rule has match, module, file, kind, annotation, color and legend";
    *colored = true;
    return rule_parse_color(value, &r->color);
}

static bool has_condition(const rule *r)
{
    for (size_t i = 0; i < RULE_N_PATTERNS; i++)
        if (r->patterns[i].data != NULL)
            return true;
    return r->has_kind || r->annotation != 0;
}

static const char *parse_lines(brz_str text, rule *r)
{
    bool colored = false;
    while (text.len > 0) {
        size_t end = brz_str_find(text, BRZ_STR("\n"), 0);
        brz_str line = brz_str_of(text.data, end == SIZE_MAX ? text.len : end);
        size_t colon = brz_str_find(line, BRZ_STR(": "), 0);
        if (colon == SIZE_MAX)
            return "a line of a rule is KEY: VALUE";
        brz_str value = brz_str_of(line.data + colon + 2, line.len - colon - 2);
        const char *wrong = parse_key(brz_str_of(line.data, colon), value, r, &colored);
        if (wrong != NULL)
            return wrong;
        size_t used = end == SIZE_MAX ? text.len : end + 1;
        text = brz_str_of(text.data + used, text.len - used);
    }
    if (!has_condition(r))
        return "a rule needs match, module, file, kind or annotation";
    return colored ? NULL : "it has no color";
}

const char *rule_parse(brz_str text, rule *r)
{
    *r = (rule){.color = {.type = RULE_NEXT}};
    if (text.len > 0 && text.data[text.len - 1] == '\n')
        return parse_lines(text, r);
    return parse_short(text, r);
}

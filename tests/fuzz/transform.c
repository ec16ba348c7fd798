/* SPDX-License-Identifier: MIT */
/* A fuzz target around transforms: expressions, replacements and names come from the input.
 *
 *     input := step* empty-line profile           (the profile as profile.h has it)
 *     step  := kind [" " argument]                (names with "," between; PATTERN=>TEXT)
 *
 * Whatever the input, the steps are refused with a reason, or fail with a message that a terminal
 * can show, or give a profile that is sound. Stacks are left out or kept, their values stay, and
 * `keep` and `drop` of one expression divide the stacks between them.
 */
#include "fuzz.h"

#include <brazier/symbol.h>

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "profile.h"
#include "profile/call_tree.h"
#include "profile/transform.h"

/* Low limits, so that an input does not take long: the lowest one of an expression counts. */
#define LIMITS "(*LIMIT_MATCH=1000)(*LIMIT_HEAP=1000)"

#define MOST_STEPS 6
#define MOST_ARGS  8

/* ---- steps --------------------------------------------------------------------------------- */

static bool takes_expression(const brz_transform_kind *kind)
{
    return kind->args == BRZ_TRANSFORM_PATTERN || kind->args == BRZ_TRANSFORM_REPLACE;
}

/* Cuts an argument into those that the kind takes. An expression gets its limits, in `memory`. */
static size_t cut_args(const brz_transform_kind *kind, brz_str text, brz_buf *memory,
                       brz_str args[MOST_ARGS])
{
    brz_str separator = kind->args == BRZ_TRANSFORM_REPLACE ? BRZ_STR("=>") : BRZ_STR(",");
    bool is_list = kind->args == BRZ_TRANSFORM_REPLACE || kind->args == BRZ_TRANSFORM_NAMES;
    size_t n = 0;
    while (n < MOST_ARGS) {
        size_t at = is_list ? brz_str_find(text, separator, 0) : SIZE_MAX;
        args[n++] = brz_str_of(text.data, at == SIZE_MAX ? text.len : at);
        if (at == SIZE_MAX)
            break;
        text = brz_str_of(text.data + at + separator.len, text.len - at - separator.len);
    }
    if (takes_expression(kind)) {
        brz_buf_add_text(memory, LIMITS);
        brz_buf_add_str(memory, args[0]);
        args[0] = brz_buf_str(memory);
    }
    return n;
}

static void check_message(const brz_buf *error)
{
    FUZZ_REQUIRE(error->len > 0, "refused without a reason");
}

/* Adds a step, if it is right. */
static void add_step(brz_transforms *list, const brz_transform_kind *kind, brz_str argument)
{
    brz_str args[MOST_ARGS];
    brz_buf memory = {0}, error = {0};
    size_t n = kind->args == BRZ_TRANSFORM_NONE ? 0 : cut_args(kind, argument, &memory, args);
    if (!brz_transforms_add(list, kind, args, n, &error))
        check_message(&error);
    brz_buf_finish(&memory);
    brz_buf_finish(&error);
}

static const brz_transform_kind *find_kind(brz_str word)
{
    brz_buf error = {0};
    const brz_transform_kind *kind = brz_transform_find(word, &error);
    if (kind == NULL)
        check_message(&error);
    brz_buf_finish(&error);
    return kind;
}

/* Takes a line off the input. */
static brz_str take_line(brz_str *rest)
{
    size_t end = brz_str_find(*rest, BRZ_STR("\n"), 0);
    brz_str line = brz_str_of(rest->data, end == SIZE_MAX ? rest->len : end);
    size_t used = line.len + (end != SIZE_MAX);
    *rest = brz_str_of(rest->data + used, rest->len - used);
    return line;
}

/* Takes the steps off the input. Stores the argument of the first `keep`, if any. */
static void take_steps(brz_str *rest, brz_transforms *list, brz_str *expression)
{
    *expression = brz_str_of(NULL, 0);
    for (brz_str line; (line = take_line(rest)).len > 0 && list->n < MOST_STEPS;) {
        size_t blank = brz_str_find(line, BRZ_STR(" "), 0);
        size_t n = blank == SIZE_MAX ? line.len : blank, used = n + (blank != SIZE_MAX);
        brz_str argument = brz_str_of(line.data + used, line.len - used);
        const brz_transform_kind *kind = find_kind(brz_str_of(line.data, n));
        if (kind == NULL)
            continue;
        add_step(list, kind, argument);
        if (strcmp(kind->name, "keep") == 0 && expression->data == NULL)
            *expression = argument;
    }
}

/* ---- properties ---------------------------------------------------------------------------- */

/* A message goes to a terminal. */
static void check_failure(const brz_buf *error)
{
    FUZZ_REQUIRE(error->len > 0, "failed without a message");
    FUZZ_REQUIRE(brz_utf8_valid(brz_buf_str(error)), "the message is not UTF-8");
    for (size_t i = 0; i < error->len; i++)
        FUZZ_REQUIRE((unsigned char)error->data[i] >= 0x20, "the message has control characters");
}

static bool leaves_out(const brz_transforms *list)
{
    static const char *const kinds[] = {"keep", "drop", "hide", "base"};
    for (size_t i = 0; i < list->n; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
            if (strcmp(brz_transforms_name(list, i), kinds[k]) == 0)
                return true;
    return false;
}

/* The call tree of what is left weighs what is left. */
static void check_tree(brz_profile *p)
{
    brz_call_tree t;
    bool saturated = false;
    const brz_call_tree_options options = {
        .before = BRZ_NO_COLUMN, .after = BRZ_NO_COLUMN, .nodes = true};
    int64_t sum = fuzz_profile_sum(p, 0, &saturated);
    saturated |= brz_call_tree_init(&t, p, &options);
    FUZZ_REQUIRE(saturated || brz_node_at(&t.tree, 0)->total == sum, "the root weighs less");
    brz_call_tree_finish(&t);
}

static void check_result(brz_profile *p, const brz_transforms *list, size_t before, size_t left_out,
                         int64_t sum, bool saturated)
{
    FUZZ_REQUIRE(p->n_stacks + left_out == before, "stacks are lost");
    FUZZ_REQUIRE(left_out == 0 || leaves_out(list), "stacks are left out");
    for (uint32_t w = 0; w < p->n_weights && left_out == 0; w++)
        FUZZ_REQUIRE(fuzz_profile_sum(p, 0, &saturated) == sum || saturated, "weights are lost");
    for (size_t i = 0; i < p->samples.n; i++)
        FUZZ_REQUIRE(p->samples.items[i].stack < p->n_stacks, "a sample of no stack");
    fuzz_profile_check_texts(p);
    if (p->n_stacks > 0)
        check_tree(p);
}

static void apply(const brz_transforms *list, brz_str text)
{
    bool saturated = false;
    size_t left_out;
    brz_buf error = {0};
    brz_profile *p = fuzz_profile_read(text.data, text.len);
    size_t before = p->n_stacks;
    int64_t sum = p->n_weights > 0 ? fuzz_profile_sum(p, 0, &saturated) : 0;
    if (brz_transforms_apply(list, p, NULL, NULL, &left_out, &error))
        check_result(p, list, before, left_out, sum, saturated);
    else
        check_failure(&error);
    brz_buf_finish(&error);
    brz_profile_destroy(p);
}

/* Returns the number of stacks that a step leaves out; SIZE_MAX: it was refused, or failed. */
static size_t count_left_out(const char *step, brz_str expression, brz_str text)
{
    size_t left_out = SIZE_MAX;
    brz_buf error = {0};
    brz_transforms list = {0};
    brz_profile *p = fuzz_profile_read(text.data, text.len);
    add_step(&list, find_kind(brz_str_of(step, strlen(step))), expression);
    if (list.n == 0 || !brz_transforms_apply(&list, p, NULL, NULL, &left_out, &error))
        left_out = SIZE_MAX;
    brz_buf_finish(&error);
    brz_transforms_finish(&list);
    brz_profile_destroy(p);
    return left_out;
}

/* Each stack is dropped or kept. */
static void check_division(brz_str expression, brz_str text)
{
    brz_profile *p = fuzz_profile_read(text.data, text.len);
    size_t all = p->n_stacks, dropped = count_left_out("drop", expression, text);
    size_t not_kept = count_left_out("keep", expression, text);
    FUZZ_REQUIRE((dropped == SIZE_MAX) == (not_kept == SIZE_MAX), "one of keep and drop fails");
    FUZZ_REQUIRE(dropped == SIZE_MAX || dropped + not_kept == all, "%zu dropped, %zu not kept, %zu",
                 dropped, not_kept, all);
    brz_profile_destroy(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    brz_str rest = brz_str_of((const char *)data, size), expression;
    brz_transforms list = {0};
    take_steps(&rest, &list, &expression);
    apply(&list, rest);
    if (expression.data != NULL)
        check_division(expression, rest);
    brz_transforms_finish(&list);
    return 0;
}

bool fuzz_variant(unsigned i, fuzz_settings *s)
{
    (void)i;
    (void)s;
    return false;
}

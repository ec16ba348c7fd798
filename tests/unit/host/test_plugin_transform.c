/* SPDX-License-Identifier: MIT */
/* Tests how transforms of plug-ins are applied to profiles. */
#include "unit.h"

#include <brazier/new_stack.h>

#include "host/plugin_transform.h"

/* ---- profiles as text ---------------------------------------------------------------------- */

static brz_frame frame_of(brz_profile *p, const char *name, size_t len)
{
    brz_frame_desc d = {.name = {name, len}};
    return brz_profile_add_frame(p, &d);
}

/* Adds stacks such as "ab 3\nabc 4\n" whose frames have one letter. One that begins with the stack
 * before shares its frames. */
static brz_profile *profile_of(const char *text)
{
    brz_profile *p = brz_profile_create();
    const char *before = "";
    size_t n_before = 0;
    brz_profile_add_weight(p, BRZ_STR("one"), BRZ_STR(""), 0, 0);
    while (*text != '\0') {
        brz_frame ids[64];
        size_t n = strcspn(text, " "), both = n < n_before ? n : n_before;
        for (size_t i = 0; i < n; i++)
            ids[i] = frame_of(p, text + i, 1);
        bool is_nested = both > 0 && memcmp(before, text, both) == 0;
        brz_stack s = brz_profile_add_stack(p, ids, n, is_nested ? BRZ_NESTED : 0);
        brz_profile_add_value(p, s, 0, strtol(text + n, NULL, 10));
        before = text;
        n_before = n;
        text = strchr(text, '\n') + 1;
    }
    return p;
}

/* Returns the stacks as text, in storage order; "-" stands for one that is left out. */
static char *text_of(const brz_profile *p)
{
    brz_buf b = {0};
    brz_buf_add_text(&b, "");
    for (brz_stack s = 0; s < p->n_stacks; s++) {
        const brz_profile_stack *stack = &p->stacks[s];
        if (stack->frames == NULL)
            brz_buf_add_char(&b, '-');
        for (uint32_t i = 0; i < stack->n; i++)
            brz_buf_add_str(&b, brz_profile_frame_info(p, stack->frames[i]).name);
        brz_buf_printf(&b, " %lld\n", (long long)brz_profile_value(p, s, 0));
    }
    return b.data;
}

/* ---- transforms ---------------------------------------------------------------------------- */

static bool is_letter(const brz_tree *tree, brz_frame frame, char letter)
{
    return brz_frame_at(tree, frame)->name.data[0] == letter;
}

/* Cuts stacks before an 'x', leaves out those with a 'y', and puts "new" before those with a 'z'.
 */
static brz_rc edit_letters(brz_transform_ctx *ctx, const brz_tree *tree, brz_stack_edit *edit)
{
    brz_new_stack *s = ctx->inst;
    s->n = 0;
    brz_new_stack_push(ctx, s, ctx->host->intern(ctx, "new", 3));
    for (uint32_t i = 0; i < edit->n; i++) {
        brz_new_stack_push(ctx, s, edit->frames[i]);
        if (is_letter(tree, edit->frames[i], 'y'))
            edit->n = 0;
        else if (is_letter(tree, edit->frames[i], 'x'))
            edit->n = i;
    }
    for (uint32_t i = 0; i < edit->n; i++)
        if (is_letter(tree, edit->frames[i], 'z')) {
            brz_new_stack_use(s, edit);
            break;
        }
    return BRZ_OK;
}

/* Exchanges the case of all letters. */
static brz_rc rename_letters(brz_transform_ctx *ctx, const brz_tree *tree, brz_stack_edit *edit)
{
    brz_new_stack *s = ctx->inst;
    s->n = 0;
    for (uint32_t i = 0; i < edit->n; i++) {
        char other = brz_frame_at(tree, edit->frames[i])->name.data[0] ^ 0x20;
        brz_new_stack_push(ctx, s, ctx->host->intern(ctx, &other, 1));
    }
    brz_new_stack_use(s, edit);
    return BRZ_OK;
}

/* Leaves out stacks that weigh less than 5. */
static brz_rc leave_out_light(brz_transform_ctx *ctx, const brz_tree *tree, brz_stack_edit *edit)
{
    (void)ctx;
    assert_int_equal(tree->n_columns, 1);
    if (edit->values[0] < 5)
        edit->n = 0;
    return BRZ_OK;
}

/* Counts the stacks whose number of shared frames is wrong, as the weight of nothing. */
static brz_rc check_shared(brz_transform_ctx *ctx, const brz_tree *tree, brz_stack_edit *edit)
{
    brz_new_stack *before = ctx->inst;
    uint32_t n = 0;
    (void)tree;
    while (n < edit->n && n < before->n && before->frames[n] == edit->frames[n])
        n++;
    if (n != edit->n_common)
        return BRZ_ERROR;
    before->n = 0;
    for (uint32_t i = 0; i < edit->n; i++)
        brz_new_stack_push(ctx, before, edit->frames[i]);
    return BRZ_OK;
}

static brz_rc invent_frames(brz_transform_ctx *ctx, const brz_tree *tree, brz_stack_edit *edit)
{
    static const brz_frame frames[] = {4711};
    (void)ctx;
    (void)tree;
    edit->frames = frames;
    edit->n = 1;
    return BRZ_OK;
}

static brz_rc lengthen(brz_transform_ctx *ctx, const brz_tree *tree, brz_stack_edit *edit)
{
    (void)ctx;
    (void)tree;
    edit->n++;
    return BRZ_OK;
}

static brz_rc complain(brz_transform_ctx *ctx, const brz_tree *tree, brz_stack_edit *edit)
{
    (void)tree;
    (void)edit;
    brz_transform_report(ctx, BRZ_WARNING, "test.odd", BRZ_STR("an odd stack ({count})"));
    return BRZ_OK;
}

/* ---- applying ------------------------------------------------------------------------------ */

static void hear(void *to, const brz_notice *n)
{
    brz_buf *b = to;
    brz_notice_add_message(b, n);
    brz_buf_add_char(b, '\n');
}

/* Applies a transform. Returns whether it succeeded, and adds messages to `said`. */
static bool apply(brz_transform transform, unsigned threads, brz_profile *p, brz_buf *said)
{
    brz_component component = {.kind = BRZ_TRANSFORM, .id = "test"};
    brz_loaded loaded = {.component = &component, .vtable = &transform, .path = "test.so"};
    brz_options options = {.component = &component};
    brz_console console = {.report = hear, .to = said};
    brz_run run = {.console = &console};
    brz_transforming how = {.run = &run, .threads = threads};
    brz_use use = {&loaded, &options};
    transform.inst_size = sizeof(brz_new_stack);
    return brz_plugin_transform(&how, &use, p);
}

static void assert_becomes(brz_transform transform, const char *in, const char *out)
{
    brz_buf said = {0};
    brz_profile *p = profile_of(in);
    assert_true(apply(transform, 1, p, &said));
    char *got = text_of(p);
    assert_string_equal(got, out);
    assert_string_equal(brz_buf_text(&said), "");
    free(got);
    brz_profile_destroy(p);
    brz_buf_finish(&said);
}

static void assert_fails(brz_transform transform, const char *message)
{
    brz_buf said = {0};
    brz_profile *p = profile_of("abc 1\n");
    assert_false(apply(transform, 1, p, &said));
    assert_string_equal(brz_buf_text(&said), message);
    brz_profile_destroy(p);
    brz_buf_finish(&said);
}

static void stacks_are_kept_cut_replaced_and_left_out(void **state)
{
    (void)state;
    assert_becomes((brz_transform){.apply = edit_letters}, "abc 1\nabx 2\naby 3\nabz 4\nx 5\n 6\n",
                   "abc 1\nab 2\n- 3\nnewabz 4\n- 5\n 6\n");
    assert_becomes((brz_transform){.apply = rename_letters}, "ab 1\nBa 2\n", "AB 1\nbA 2\n");
}

static void stacks_that_share_frames_are_changed_one_by_one(void **state)
{
    (void)state;
    assert_becomes((brz_transform){.apply = edit_letters}, "a 1\nab 2\nabx 3\nabxz 4\nab 5\n",
                   "a 1\nab 2\nab 3\nab 4\nab 5\n");
    assert_becomes((brz_transform){.apply = rename_letters}, "a 1\nab 2\nabc 3\nd 4\nab 5\n",
                   "A 1\nAB 2\nABC 3\nD 4\nAB 5\n");
}

static void stacks_that_share_frames_still_do_so_afterwards(void **state)
{
    (void)state;
    enum { DEEP = 3000 };
    brz_buf said = {0};
    brz_profile *p = brz_profile_create();
    brz_frame frames[DEEP];
    brz_profile_add_weight(p, BRZ_STR("one"), BRZ_STR(""), 0, 0);
    for (size_t i = 0; i < DEEP; i++) {
        frames[i] = frame_of(p, &"abc"[i % 3], 1);
        brz_profile_add_value(p, brz_profile_add_stack(p, frames, i + 1, BRZ_NESTED), 0, 1);
    }
    size_t before = p->n_ids;
    assert_true(apply((brz_transform){.apply = rename_letters}, 1, p, &said));
    assert_true(p->n_ids <= before + DEEP);
    for (size_t i = 0; i < DEEP; i++)
        assert_int_equal(p->stacks[i].n, i + 1);
    assert_int_equal(brz_profile_frame_info(p, p->stacks[DEEP - 1].frames[1]).name.data[0], 'B');
    brz_profile_destroy(p);
}

static void the_number_of_shared_frames_is_that_of_the_previous_call(void **state)
{
    (void)state;
    static const char stacks[] = "abc 1\nabcd 2\nabd 3\nx 4\nxa 5\n";
    assert_becomes((brz_transform){.apply = check_shared}, stacks, stacks);
}

static void equal_stacks_are_added_up_for_transforms_that_read_values(void **state)
{
    (void)state;
    assert_becomes((brz_transform){.flags = BRZ_TRANSFORM_VALUES, .apply = leave_out_light},
                   "ab 3\nc 4\nab 3\nd 9\n", "ab 6\n- 4\nd 9\n");
}

static void results_do_not_depend_on_the_number_of_threads(void **state)
{
    (void)state;
    brz_buf text = {0}, said = {0};
    char *one = NULL;
    for (unsigned i = 0; i < 20000; i++)
        brz_buf_printf(&text, "%c%c%c%c %u\n", 'a' + i % 26, 'a' + i / 26 % 26, 'a' + i / 7 % 26,
                       'a' + i / 676 % 26, i);
    for (unsigned threads = 1; threads <= 16; threads *= 4) {
        brz_profile *p = profile_of(brz_buf_text(&text));
        assert_true(apply((brz_transform){.apply = edit_letters}, threads, p, &said));
        char *got = text_of(p);
        if (one != NULL)
            assert_string_equal(got, one);
        free(one);
        one = got;
        brz_profile_destroy(p);
    }
    free(one);
    brz_buf_finish(&text);
}

static void invalid_results_fail(void **state)
{
    (void)state;
    assert_fails((brz_transform){.apply = invent_frames},
                 "apply: a frame that the host did not give out\n");
    assert_fails((brz_transform){.apply = lengthen}, "apply: more frames than the stack had\n");
}

static brz_rc fail_silently(brz_transform_ctx *ctx, const brz_tree *tree)
{
    (void)ctx;
    (void)tree;
    return BRZ_ERROR;
}

static void a_failure_without_a_reason_is_reported(void **state)
{
    (void)state;
    assert_fails((brz_transform){.open = fail_silently, .apply = complain},
                 "transform 'test' failed\n");
}

static void equal_messages_of_all_instances_are_counted(void **state)
{
    (void)state;
    brz_buf text = {0}, said = {0};
    for (unsigned i = 0; i < 5000; i++)
        brz_buf_add_text(&text, "ab 1\n");
    brz_profile *p = profile_of(brz_buf_text(&text));
    assert_true(apply((brz_transform){.apply = complain}, 4, p, &said));
    assert_string_equal(brz_buf_text(&said), "an odd stack (5000)\n");
    brz_profile_destroy(p);
    brz_buf_finish(&text);
    brz_buf_finish(&said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_are_kept_cut_replaced_and_left_out),
        cmocka_unit_test(stacks_that_share_frames_are_changed_one_by_one),
        cmocka_unit_test(stacks_that_share_frames_still_do_so_afterwards),
        cmocka_unit_test(the_number_of_shared_frames_is_that_of_the_previous_call),
        cmocka_unit_test(equal_stacks_are_added_up_for_transforms_that_read_values),
        cmocka_unit_test(results_do_not_depend_on_the_number_of_threads),
        cmocka_unit_test(invalid_results_fail),
        cmocka_unit_test(a_failure_without_a_reason_is_reported),
        cmocka_unit_test(equal_messages_of_all_instances_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

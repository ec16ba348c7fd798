/* SPDX-License-Identifier: MIT */
/* Tests transforms, which map stacks to stacks and keep their weights. */
#include "unit.h"

#include "profile/transform.h"

/* ---- profiles as text ---------------------------------------------------------------------- */

/* Adds a line such as "a;b;c 3"; "3/4" sets two columns. */
static void add_line(brz_profile *p, const char *line)
{
    brz_frame ids[16] = {0};
    size_t n = 0;
    const char *at = line, *end = strrchr(line, ' ');
    while (at < end) {
        size_t len = strcspn(at, ";");
        len = len < (size_t)(end - at) ? len : (size_t)(end - at);
        brz_frame_desc d = {.name = {at, len}};
        ids[n++] = brz_profile_add_frame(p, &d);
        at += len + 1;
    }
    brz_stack s = brz_profile_add_stack(p, ids, n, 0);
    const char *slash = strchr(end, '/');
    brz_profile_add_value(p, s, 0, strtol(end, NULL, 10));
    if (slash != NULL)
        brz_profile_add_value(p, s, 1, strtol(slash + 1, NULL, 10));
}

static brz_profile *profile_of(const char *text)
{
    brz_profile *p = brz_profile_create();
    brz_profile_add_weight(p, BRZ_STR("one"), BRZ_STR(""), 0, 0);
    brz_profile_add_weight(p, BRZ_STR("two"), BRZ_STR(""), 0, 1);
    while (*text != '\0') {
        char line[200];
        size_t n = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, text);
        add_line(p, line);
        text += n + (text[n] == '\n');
    }
    return p;
}

/* Returns the stacks as text, in storage order. */
static char *text_of(const brz_profile *p)
{
    brz_buf b = {0};
    brz_buf_add_text(&b, "");
    for (brz_stack s = 0; s < p->n_stacks; s++) {
        const brz_profile_stack *stack = &p->stacks[s];
        for (uint32_t i = 0; i < stack->n; i++) {
            brz_str name = brz_profile_frame_info(p, stack->frames[i]).name;
            brz_buf_printf(&b, "%s%.*s", i > 0 ? ";" : "", (int)name.len, name.data);
        }
        brz_buf_printf(&b, " %lld", (long long)brz_profile_value(p, s, 0));
        if (brz_profile_value(p, s, 1) != 0)
            brz_buf_printf(&b, "/%lld", (long long)brz_profile_value(p, s, 1));
        brz_buf_add_char(&b, '\n');
    }
    return b.data;
}

/* ---- steps as text ------------------------------------------------------------------------- */

/* Adds steps such as "drop ^x|reverse|rename a=b|base m,n". */
static void add_steps(brz_transforms *list, const char *steps)
{
    char copy[200], *rest = copy, *outer;
    snprintf(copy, sizeof copy, "%s", steps);
    for (char *step = strtok_r(rest, "|", &outer); step != NULL;
         step = strtok_r(NULL, "|", &outer)) {
        brz_str args[8];
        size_t n = 0;
        char *blank = strchr(step, ' '), *inner;
        if (blank != NULL)
            *blank = '\0';
        for (char *arg = blank == NULL ? NULL : strtok_r(blank + 1, ",=", &inner); arg != NULL;
             arg = strtok_r(NULL, ",=", &inner))
            args[n++] = str_of(arg);
        brz_buf error = {0};
        const brz_transform_kind *kind = brz_transform_find(str_of(step), &error);
        if (kind == NULL || !brz_transforms_add(list, kind, args, n, &error))
            fail_msg("%s: %s", step, brz_buf_text(&error));
        brz_buf_finish(&error);
    }
}

/* Applies steps that must not fail. Returns the number of dropped stacks. */
static size_t apply(const brz_transforms *list, brz_profile *p)
{
    size_t left_out;
    brz_buf error = {0};
    if (!brz_transforms_apply(list, p, NULL, NULL, &left_out, &error))
        fail_msg("%s", brz_buf_text(&error));
    return left_out;
}

static void assert_transformed(const char *steps, const char *in, const char *want,
                               size_t want_left_out)
{
    brz_transforms list = {0};
    brz_profile *p = profile_of(in);
    add_steps(&list, steps);
    size_t left_out = apply(&list, p);
    char *got = text_of(p);
    if (strcmp(got, want) != 0)
        print_error("%s: ", steps);
    assert_string_equal(got, want);
    assert_int_equal(left_out, want_left_out);
    free(got);
    brz_profile_destroy(p);
    brz_transforms_finish(&list);
}

static void each_kind_of_step_transforms_stacks(void **state)
{
    (void)state;
    static const struct {
        const char *steps, *in, *out;
        size_t left_out;
    } cases[] = {
        {"keep ^b", "a;b 1\nab 2\nbc;x 3", "a;b 1\nbc;x 3\n", 1},
        {"keep nothing", "a 1\nb 2", "", 2},
        {"drop b$", "a;b 1\nab;c 2\nba 3", "ba 3\n", 2},
        {"hide ^x", "x;a;xy;b 1\nx 2\na 3", "a;b 1\na 3\n", 1},
        {"skip-after m", "p;m;a;m;b 1\np;a 2\nm 3\np;m 4", "m;b 1\np;a 2\nm 3\nm 4\n", 0},
        {"skip-after m,n", "m;n;a 1\nn;m;a 2", "n;a 1\nm;a 2\n", 0},
        {"skip-after m", "mm;m2 1", "mm;m2 1\n", 0}, /* names, not expressions */
        {"base m", "p;m;a;m;b 1\np;a 2\nm 3\np;m 4", "m;b 1\nm 3\nm 4\n", 1},
        {"base m,n", "m;n;a 1\nx 2\nn;m;a 3", "n;a 1\nm;a 3\n", 1},
        {"reverse", "a;b;c 1\na 2\na;b 3", "c;b;a 1\na 2\nb;a 3\n", 0},
        {"merge-recursion", "a;r;r;r;h 1\nr;r 2\na;b;a;b 3", "a;r;h 1\nr 2\na;b;a;b 3\n", 0},
        {"rename ^std::=S.", "std::a;b;std::c 1", "S.a;b;S.c 1\n", 0},
        {"rename <.*>=<T>", "v<int>;v<v<x>> 1", "v<T>;v<T> 1\n", 0},
        {"strip-module", "libc`malloc;`x;a`;a`b`c 1", "malloc;`x;a`;b`c 1\n", 0},
        {"reverse|reverse", "a;b;c 1", "a;b;c 1\n", 0},
        {"split-packages", "java;java/util/Arrays$List:::add 1",
         "java;java;util;Arrays$List;::add 1\n", 0},
        {"split-packages", "a.b.C.d(e/f);x.Y;z 1", "a;b;C.d(e/f);x.Y;z 1\n", 0},
        {"split-packages", "net/http.(*S).f;[/lib/a];/bin/b;c/;d//e 1",
         "net;http.(*S).f;[/lib/a];/bin/b;c/;d;/e 1\n", 0},
        {"split-packages|merge-recursion", "a/b/f;a/b/g 1\na/a/h 2", "a;b;f;a;b;g 1\na;h 2\n", 0},
        {"split-packages|split-packages", "x;a/b;c 1", "x;a;b;c 1\n", 0},
        {"split-packages|drop ^b$", "a/b/c 1\na/c 2", "a;c 2\n", 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_transformed(cases[i].steps, cases[i].in, cases[i].out, cases[i].left_out);
}

static void steps_are_done_in_order(void **state)
{
    (void)state;
    assert_transformed("rename a=b|drop a", "a;x 1", "b;x 1\n", 0);
    assert_transformed("drop a|rename a=b", "a;x 1", "", 1);
    assert_transformed("hide x|merge-recursion", "r;x;r 1", "r 1\n", 0);
    assert_transformed("merge-recursion|hide x", "r;x;r 1", "r;r 1\n", 0);
    assert_transformed("base m|reverse", "p;m;a 1", "a;m 1\n", 0);
    assert_transformed("reverse|base m", "p;m;a 1", "m;p 1\n", 0);
    assert_transformed("rename 1=2|rename 2=3", "f1 1", "f3 1\n", 0);
    assert_transformed("strip-module|merge-recursion", "m`r;n`r 1", "r 1\n", 0);
}

static void no_steps_change_nothing(void **state)
{
    (void)state;
    assert_transformed("", "a;b 1\nc 2/3", "a;b 1\nc 2/3\n", 0);
}

static void stacks_without_frames_are_stacks(void **state)
{
    (void)state;
    assert_transformed("reverse|merge-recursion|skip-after m|drop x", " 5\na 1", " 5\na 1\n", 0);
    assert_transformed("base m", " 5", "", 1);
    assert_transformed("keep .", " 5", "", 1);
}

/* ---- values and samples -------------------------------------------------------------------- */

static void values_and_samples_stay_with_their_stacks(void **state)
{
    (void)state;
    brz_transforms list = {0};
    brz_profile *p = profile_of("a 1/10\nx 2/20\nb 3/30\nx;y 4/40\nc 5/50");
    static const brz_stack order[] = {4, 1, 0, 3, 2, 4};
    p->samples.items = calloc(COUNT_OF(order), sizeof *p->samples.items);
    for (size_t i = 0; i < COUNT_OF(order); i++)
        p->samples.items[p->samples.n++] =
            (brz_profile_sample){.time = (int64_t)i, .value = (int64_t)i, .stack = order[i]};
    add_steps(&list, "drop x");
    assert_int_equal(apply(&list, p), 2);
    char *text = text_of(p);
    assert_string_equal(text, "a 1/10\nb 3/30\nc 5/50\n");
    static const brz_profile_sample want[] = {
        {0, 0, 2, 0, 0, 0}, {2, 2, 0, 0, 0, 0}, {4, 4, 1, 0, 0, 0}, {5, 5, 2, 0, 0, 0}};
    assert_int_equal(p->samples.n, COUNT_OF(want));
    for (size_t i = 0; i < COUNT_OF(want); i++) {
        assert_int_equal(p->samples.items[i].time, want[i].time);
        assert_int_equal(p->samples.items[i].stack, want[i].stack);
        assert_int_equal(p->samples.items[i].value, want[i].value);
    }
    free(text);
    brz_profile_destroy(p);
    brz_transforms_finish(&list);
}

/* A column ends with the last stack that has a value in it. */
static void a_short_column_gives_no_values_to_stacks_after_it(void **state)
{
    (void)state;
    for (size_t with = 0; with < 40; with++) {
        brz_transforms list = {0};
        brz_profile *p = profile_of("x 1");
        char line[32];
        for (size_t i = 0; i < 60; i++) {
            snprintf(line, sizeof line, "s%zu %zu%s", i, i, i < with ? "/7" : "");
            add_line(p, line);
        }
        add_steps(&list, "drop x");
        apply(&list, p);
        assert_int_equal(p->n_stacks, 60);
        for (brz_stack s = 0; s < 60; s++) {
            assert_int_equal(brz_profile_value(p, s, 0), s);
            assert_int_equal(brz_profile_value(p, s, 1), s < with ? 7 : 0);
        }
        add_line(p, "new 1");
        assert_int_equal(brz_profile_value(p, 60, 0), 1);
        assert_int_equal(brz_profile_value(p, 60, 1), 0);
        brz_profile_destroy(p);
        brz_transforms_finish(&list);
    }
}

static void a_renamed_frame_keeps_the_rest_of_what_it_is(void **state)
{
    (void)state;
    brz_transforms list = {0};
    brz_profile *p = profile_of("");
    brz_frame_desc d = {.kind = BRZ_KIND_KERNEL,
                        .name = BRZ_STR("m`old"),
                        .module = BRZ_STR("m"),
                        .file = BRZ_STR("f.c"),
                        .line = 9};
    brz_frame f = brz_profile_add_frame(p, &d);
    brz_profile_add_value(p, brz_profile_add_stack(p, &f, 1, 0), 0, 1);
    add_steps(&list, "rename old=new");
    apply(&list, p);
    brz_frame_info info = brz_profile_frame_info(p, p->stacks[0].frames[0]);
    assert_text(info.name, "m`new");
    assert_text(info.module, "m");
    assert_text(info.file, "f.c");
    assert_int_equal(info.line, 9);
    assert_int_equal(info.kind, BRZ_KIND_KERNEL);
    add_steps(&list, "strip-module");
    apply(&list, p);
    info = brz_profile_frame_info(p, p->stacks[0].frames[0]);
    assert_text(info.name, "new");
    assert_text(info.module, "");
    assert_text(info.file, "f.c");
    brz_profile_destroy(p);
    brz_transforms_finish(&list);
}

static void a_list_may_be_applied_to_one_profile_after_another(void **state)
{
    (void)state;
    brz_transforms list = {0};
    add_steps(&list, "rename a=A|drop ^x");
    brz_profile *one = profile_of("a 1\nb 2\nx 3"), *two = profile_of("x 1\na 2\nb 3");
    assert_int_equal(apply(&list, one), 1);
    assert_int_equal(apply(&list, two), 1);
    char *text = text_of(two);
    assert_string_equal(text, "A 2\nb 3\n");
    free(text);
    brz_profile_destroy(one);
    brz_profile_destroy(two);
    brz_transforms_finish(&list);
}

static void stacks_can_be_interned_afterwards(void **state)
{
    (void)state;
    brz_transforms list = {0};
    brz_profile *p = profile_of("");
    brz_frame_desc a = {.name = BRZ_STR("a")}, b = {.name = BRZ_STR("b")};
    brz_frame ids[] = {brz_profile_add_frame(p, &a), brz_profile_add_frame(p, &b)};
    brz_profile_intern_stack(p, ids, 1, 0);
    brz_profile_intern_stack(p, ids, 2, 0);
    add_steps(&list, "hide a");
    apply(&list, p);
    brz_stack s = brz_profile_intern_stack(p, ids, 1, 0);
    assert_int_equal(p->stacks[s].n, 1);
    assert_int_equal(p->stacks[s].frames[0], ids[0]);
    brz_profile_destroy(p);
    brz_transforms_finish(&list);
}

/* Adds stacks that mostly begin with the previous one, or are its first frames. */
static void add_chains(brz_profile *p, uint32_t nested)
{
    static const char *const names[] = {"a", "b", "m`c", "d", "e", "x"};
    brz_frame ids[40] = {0};
    unsigned random = 1;
    for (size_t s = 0, n = 0, last = 0; s < 400; s++, last = n) {
        bool is_other = s == 0 || s % 17 == 0;
        random = random * 1103515245 + 12345;
        n = is_other ? 0 : random >> 16 & 3 ? (n + 1 + (random >> 20 & 1)) % 40 : n / 2;
        for (size_t i = n < last ? n : last; i < n; i++) {
            random = random * 1103515245 + 12345;
            brz_frame_desc d = {.name = str_of(names[(random >> 16) % (i < 4 ? 5 : 6)])};
            ids[i] = brz_profile_add_frame(p, &d);
        }
        brz_stack stack = brz_profile_add_stack(p, ids, n, is_other ? 0 : nested);
        brz_profile_add_value(p, stack, 0, (int64_t)s);
    }
}

static void stacks_that_share_frames_give_the_same(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "keep x",
        "drop x",
        "keep x|rename a=b",
        "rename x=e|keep a",
        "rename a=b",
        "strip-module",
        "rename a=b|drop d|keep x",
        "drop x|rename b=x|rename x=y",
        "keep x|hide a",
        "rename a=b|merge-recursion|keep x",
        "drop d|reverse|skip-after b",
        "hide b",
        "reverse",
        "reverse|hide a|reverse",
        "base x|keep a",
        "skip-after b,d|drop e",
        "rename a=b|merge-recursion",
        "rename b=p/q/b|split-packages|hide q|reverse|split-packages",
        "base b|merge-recursion|hide b",
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_transforms list = {0};
        brz_profile *shared = profile_of(""), *own = profile_of("");
        add_chains(shared, BRZ_NESTED);
        add_chains(own, 0);
        add_steps(&list, cases[i]);
        assert_int_equal(apply(&list, shared), apply(&list, own));
        char *got = text_of(shared), *want = text_of(own);
        assert_string_equal(got, want);
        free(got);
        free(want);
        brz_profile_destroy(shared);
        brz_profile_destroy(own);
        brz_transforms_finish(&list);
    }
}

static void selecting_stacks_and_renaming_frames_keeps_frames_shared(void **state)
{
    (void)state;
    static const char *const cases[] = {"keep b", "drop x", "rename a=b|keep b", "strip-module",
                                        "demangle auto"};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_transforms list = {0};
        brz_profile *p = profile_of("");
        brz_frame ids[300] = {0};
        for (size_t n = 0; n < COUNT_OF(ids); n++)
            ids[n] = brz_profile_add_frame(
                p, &(brz_frame_desc){.name = str_of(n % 3 == 1 ? "b" : "_ZN3foo1aEv")});
        for (size_t n = 1; n <= COUNT_OF(ids); n++)
            brz_profile_add_stack(p, ids, n, BRZ_NESTED);
        add_steps(&list, cases[i]);
        assert_in_range(apply(&list, p), 0, 1);
        assert_true(p->n_ids < 4 * COUNT_OF(ids));
        size_t n_nested = 0;
        for (size_t s = 1; s < p->n_stacks; s++)
            n_nested += brz_profile_n_nested(p, s) > 0;
        assert_true(n_nested > COUNT_OF(ids) - 20);
        brz_profile_destroy(p);
        brz_transforms_finish(&list);
    }
}

/* Returns how many frames are stored for n nested stacks after transforms. */
static size_t frames_of_nested(const char *steps, size_t n)
{
    brz_transforms list = {0};
    brz_profile *p = profile_of("");
    brz_frame *ids = calloc(n, sizeof *ids);
    for (size_t i = 0; i < n; i++) {
        char name[] = {"abca"[i % 4], 0};
        ids[i] = brz_profile_add_frame(p, &(brz_frame_desc){.name = str_of(name)});
        brz_profile_add_stack(p, ids, i + 1, BRZ_NESTED);
    }
    add_steps(&list, steps);
    apply(&list, p);
    size_t stored = p->n_ids;
    brz_profile_destroy(p);
    brz_transforms_finish(&list);
    free(ids);
    return stored;
}

static void nested_stacks_take_no_more_frames_than_they_are(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "hide b",
        "skip-after c",
        "base b",
        "merge-recursion",
        "rename b=x/y|split-packages",
        "reverse",
        "reverse|hide b|reverse|merge-recursion",
        "reverse|skip-after b|rename a=p/q/r|split-packages",
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        size_t n = frames_of_nested(cases[i], 1000), twice = frames_of_nested(cases[i], 2000),
               more = frames_of_nested(cases[i], 4000);
        assert_in_range(more - twice, 0, 2 * (twice - n) + 100);
    }
}

static void many_frames_are_all_tested(void **state)
{
    (void)state;
    brz_transforms list = {0};
    brz_profile *p = profile_of("");
    char line[64];
    for (int i = 0; i < 2000; i++) {
        snprintf(line, sizeof line, "f%d;g%d 1", i, i % 7);
        add_line(p, line);
    }
    add_steps(&list, "rename ^f(\\d+)=h$1|drop ^h.*5$|hide ^g3$");
    assert_int_equal(apply(&list, p), 200);
    for (size_t s = 0; s < p->n_stacks; s++) {
        brz_str name = brz_profile_frame_info(p, p->stacks[s].frames[0]).name;
        assert_int_equal(name.data[0], 'h');
        assert_int_not_equal(name.data[name.len - 1], '5');
        assert_int_equal(p->stacks[s].n, strtol(name.data + 1, NULL, 10) % 7 == 3 ? 1 : 2);
    }
    brz_profile_destroy(p);
    brz_transforms_finish(&list);
}

/* Applies a step whose expression exceeds the match limit. */
static void assert_limited(const char *step)
{
    size_t left_out;
    brz_str args[] = {BRZ_STR("(*LIMIT_MATCH=9)^(a+)+$"), BRZ_STR("y")};
    brz_transforms list = {0};
    brz_buf error = {0};
    const brz_transform_kind *kind = brz_transform_find(str_of(step), &error);
    size_t n_args = kind->args == BRZ_TRANSFORM_REPLACE ? 2 : 1;
    brz_profile *p = profile_of("m;aaaaaaaaaaaaaaaaaaaaaaaab;aaaaaaaaaaaaaaaaaaaaac 1\nx 2");
    assert_true(brz_transforms_add(&list, kind, args, n_args, &error));
    assert_false(brz_transforms_apply(&list, p, NULL, NULL, &left_out, &error));
    assert_contains(brz_buf_text(&error), "exceeds the match limit of 9 steps on the frame 'aaaa");
    assert_null(strstr(brz_buf_text(&error), "aaac")); /* a single message */
    brz_profile_destroy(p);
    brz_buf_finish(&error);
    brz_transforms_finish(&list);
}

/* A match without result would keep a stack that should be dropped. */
static void a_match_that_hits_a_limit_fails_the_run(void **state)
{
    (void)state;
    assert_limited("keep");
    assert_limited("drop");
    assert_limited("hide");
    assert_limited("rename");
}

/* ---- lists --------------------------------------------------------------------------------- */

static void names_are_added_to_the_last_step_of_their_kind(void **state)
{
    (void)state;
    brz_transforms list = {0};
    brz_buf error = {0};
    const brz_transform_kind *base = brz_transform_find(BRZ_STR("base"), &error);
    const brz_transform_kind *drop = brz_transform_find(BRZ_STR("drop"), &error);
    assert_false(brz_transforms_extend(&list, base, BRZ_STR("m")));
    add_steps(&list, "base m");
    assert_true(brz_transforms_extend(&list, base, BRZ_STR("n")));
    assert_int_equal(list.n, 1);
    add_steps(&list, "drop x");
    assert_false(brz_transforms_extend(&list, base, BRZ_STR("o")));
    assert_false(brz_transforms_extend(&list, drop, BRZ_STR("o")));
    assert_string_equal(brz_transforms_name(&list, 0), "base");
    assert_string_equal(brz_transforms_name(&list, 1), "drop");
    brz_profile *p = profile_of("a;n;b 1\na;o 2");
    apply(&list, p);
    char *text = text_of(p);
    assert_string_equal(text, "n;b 1\n");
    free(text);
    brz_profile_destroy(p);
    brz_buf_finish(&error);
    brz_transforms_finish(&list);
}

static void errors_in_steps_are_described(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const char *args[3];
        const char *message;
    } cases[] = {
        {"dorp", {"x"}, "no transform 'dorp'; did you mean 'drop'?"},
        {"nothing-like-it", {"x"}, "no transform 'nothing-like-it'"},
        {"drop", {NULL}, "'drop' takes an expression"},
        {"drop", {"a", "b"}, "'drop' takes an expression"},
        {"reverse", {"a"}, "'reverse' takes nothing"},
        {"base", {NULL}, "'base' takes a name or a list of names"},
        {"rename", {"a"}, "'rename' takes an expression and a replacement"},
        {"keep", {"("}, "in the expression '(', at character 2: "},
        {"rename", {"(", "x"}, "in the expression '(', at character 2: "},
        {"rename", {"a", "$5"}, "in the replacement '$5': "},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_transforms list = {0};
        brz_buf error = {0};
        brz_str args[3];
        size_t n = 0;
        for (; n < 3 && cases[i].args[n] != NULL; n++)
            args[n] = str_of(cases[i].args[n]);
        const brz_transform_kind *kind = brz_transform_find(str_of(cases[i].name), &error);
        assert_true(kind == NULL || !brz_transforms_add(&list, kind, args, n, &error));
        assert_contains(brz_buf_text(&error), cases[i].message);
        assert_int_equal(list.n, 0);
        brz_buf_finish(&error);
        brz_transforms_finish(&list);
    }
}

static void every_kind_is_listed_and_found(void **state)
{
    (void)state;
    size_t n = 0;
    for (const brz_transform_kind *k; (k = brz_transform_kind_at(n)) != NULL; n++) {
        brz_buf error = {0};
        assert_ptr_equal(brz_transform_find(str_of(k->name), &error), k);
        assert_true(strlen(k->help) > 10 && strchr(k->help, '\n') == NULL);
        brz_buf_finish(&error);
    }
    assert_true(n >= 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_of_step_transforms_stacks),
        cmocka_unit_test(steps_are_done_in_order),
        cmocka_unit_test(no_steps_change_nothing),
        cmocka_unit_test(stacks_without_frames_are_stacks),
        cmocka_unit_test(values_and_samples_stay_with_their_stacks),
        cmocka_unit_test(a_short_column_gives_no_values_to_stacks_after_it),
        cmocka_unit_test(a_renamed_frame_keeps_the_rest_of_what_it_is),
        cmocka_unit_test(a_list_may_be_applied_to_one_profile_after_another),
        cmocka_unit_test(stacks_can_be_interned_afterwards),
        cmocka_unit_test(stacks_that_share_frames_give_the_same),
        cmocka_unit_test(selecting_stacks_and_renaming_frames_keeps_frames_shared),
        cmocka_unit_test(nested_stacks_take_no_more_frames_than_they_are),
        cmocka_unit_test(many_frames_are_all_tested),
        cmocka_unit_test(a_match_that_hits_a_limit_fails_the_run),
        cmocka_unit_test(names_are_added_to_the_last_step_of_their_kind),
        cmocka_unit_test(errors_in_steps_are_described),
        cmocka_unit_test(every_kind_is_listed_and_found),
    };
    return cmocka_run_group_tests_name("transform", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Tests chains of palettes on small trees, with palettes written for the test. */
#include "unit.h"

#include <brazier/numbers.h>

#include "draw/coloring.h"

/* ---- tree ---------------------------------------------------------------------------------- */

enum { ROOT, A, B, A_AGAIN, DASHES, DASH, N_NODES };

static const brz_frame_info frames[] = {
    {.name = {"", 0}},   {.name = {"a", 1}}, {.name = {"b", 1}},
    {.name = {"--", 2}}, {.name = {"-", 1}},
};

/* all(100) > a(25) > b(4); the second node of a has weight 0. */
static const brz_node nodes[N_NODES] = {
    [ROOT] = {.frame = 0, .subtree = N_NODES, .total = 100, .self = 75},
    [A] = {.frame = 1, .subtree = 2, .depth = 1, .total = 25, .self = 21},
    [B] = {.frame = 2, .parent = A, .subtree = 1, .depth = 2, .total = 4, .self = 4},
    [A_AGAIN] = {.frame = 1, .subtree = 1, .depth = 1},
    [DASHES] = {.frame = 3, .subtree = 1, .depth = 1},
    [DASH] = {.frame = 4, .subtree = 1, .depth = 1},
};

static const brz_tree tree = {
    .struct_size = sizeof tree,
    .frame_size = sizeof(brz_frame_info),
    .node_size = sizeof(brz_node),
    .n_frames = COUNT_OF(frames),
    .n_nodes = N_NODES,
    .max_depth = 2,
    .before = BRZ_NO_COLUMN,
    .after = BRZ_NO_COLUMN,
    .frames = frames,
    .nodes = nodes,
};

/* ---- palettes ------------------------------------------------------------------------------ */

#define RED   BRZ_RGB(200, 0, 0)
#define GREEN BRZ_RGB(0, 200, 40)

static int calls; /* number of calls of a palette */

static uint32_t red(const brz_palette_ctx *ctx, const brz_color_in *in)
{
    (void)ctx;
    (void)in;
    calls++;
    return RED;
}

static uint32_t green_b(const brz_palette_ctx *ctx, const brz_color_in *in)
{
    (void)ctx;
    return in->frame->name.len == 1 && in->frame->name.data[0] == 'b' ? GREEN : BRZ_COLOR_NONE;
}

static uint32_t by_seed(const brz_palette_ctx *ctx, const brz_color_in *in)
{
    (void)ctx;
    return (uint32_t)(in->seed << 8) | 0xff;
}

static brz_rc refuse(brz_palette_ctx *ctx, const brz_tree *t)
{
    (void)ctx;
    (void)t;
    return BRZ_ERROR;
}

static int closed;

static void count_close(brz_palette_ctx *ctx)
{
    (void)ctx;
    closed++;
}

static void tell_red(brz_palette_ctx *ctx, const brz_tree *t, brz_legend *legend)
{
    (void)ctx;
    (void)t;
    legend->add(legend, RED, BRZ_STR("red"));
}

static void tell_green(brz_palette_ctx *ctx, const brz_tree *t, brz_legend *legend)
{
    (void)ctx;
    (void)t;
    legend->add(legend, GREEN, BRZ_STR("green"));
}

#define PALETTE(name_, ...)                                                                        \
    static const brz_palette name_ = {.struct_size = sizeof name_, __VA_ARGS__};                   \
    static const brz_component name_##_component = {.kind = BRZ_PALETTE, .id = #name_};            \
    static const brz_loaded name_##_loaded = {.component = &name_##_component, .vtable = &name_}

PALETTE(plain, .depends = BRZ_ON_NAME, .color = red, .background = {RED, GREEN},
        .legend = tell_red);
PALETTE(valued, .depends = BRZ_ON_NAME | BRZ_ON_VALUE, .color = red);
PALETTE(picky, .depends = BRZ_ON_NAME, .color = green_b, .legend = tell_green);
PALETTE(seeded, .depends = BRZ_ON_SEED, .color = by_seed);
PALETTE(unwilling, .color = red, .prepare = refuse, .close = count_close);

/* ---- colouring ----------------------------------------------------------------------------- */

typedef struct scene {
    ear ear;
    brz_run run;
    brz_chain_item palettes[3];
    brz_options no_options; /* options of all palettes */
    brz_chain chain;
    brz_coloring_options options;
    brz_coloring *coloring;
} scene;

static void scene_open(scene *s)
{
    memset(s, 0, sizeof *s);
    ear_open(&s->ear);
    s->run.console = &s->ear.console;
    s->chain.items = s->palettes;
    s->options.chain = &s->chain;
    calls = 0;
}

static void use(scene *s, const brz_loaded *loaded)
{
    s->palettes[s->chain.n++].use = (brz_use){loaded, &s->no_options};
}

static void start(scene *s)
{
    s->coloring = brz_coloring_create(&s->options, &s->run, &tree);
    assert_non_null(s->coloring);
}

static uint32_t color(scene *s, uint32_t node)
{
    return brz_coloring_color(s->coloring, &tree, node);
}

static void scene_close(scene *s)
{
    brz_coloring_destroy(s->coloring);
    ear_close(&s->ear);
}

/* ---- tests --------------------------------------------------------------------------------- */

static void the_first_palette_that_answers_counts(void **state)
{
    (void)state;
    scene s;
    scene_open(&s);
    use(&s, &picky_loaded);
    use(&s, &plain_loaded);
    start(&s);
    assert_int_equal(color(&s, B), GREEN);
    assert_int_equal(color(&s, A), RED);
    scene_close(&s);
}

static void a_frame_without_a_colour_is_grey(void **state)
{
    (void)state;
    scene s;
    scene_open(&s);
    use(&s, &picky_loaded);
    start(&s);
    assert_int_equal(color(&s, A), BRZ_COLOR_OTHERWISE);
    assert_int_equal(color(&s, A), BRZ_COLOR_OTHERWISE);
    scene_close(&s);
}

static void separators_are_coloured_by_no_palette(void **state)
{
    (void)state;
    scene s;
    scene_open(&s);
    use(&s, &plain_loaded);
    s.options.diffusion = true;
    start(&s);
    assert_int_equal(color(&s, DASHES), BRZ_RGB(160, 160, 160));
    assert_int_equal(color(&s, DASH), BRZ_RGB(200, 200, 200));
    assert_int_equal(calls, 0);
    scene_close(&s);
}

static void a_palette_of_names_is_asked_once_for_each(void **state)
{
    (void)state;
    scene s;
    scene_open(&s);
    use(&s, &plain_loaded);
    start(&s);
    color(&s, A);
    color(&s, A_AGAIN);
    color(&s, A);
    assert_int_equal(calls, 1);
    scene_close(&s);
}

static void a_palette_of_weights_is_asked_for_each_node(void **state)
{
    (void)state;
    scene s;
    scene_open(&s);
    use(&s, &valued_loaded);
    start(&s);
    color(&s, A);
    color(&s, A_AGAIN);
    assert_int_equal(calls, 2);
    scene_close(&s);
}

static void the_random_sequence_moves_on_with_colours_that_use_it(void **state)
{
    (void)state;
    scene s;
    scene_open(&s);
    use(&s, &picky_loaded);
    use(&s, &seeded_loaded);
    start(&s);
    uint64_t next = BRZ_FIRST_SEED;
    assert_int_equal(color(&s, A), (uint32_t)(next << 8) | 0xff);
    assert_int_equal(color(&s, B), GREEN); /* takes no number */
    color(&s, DASH);                       /* nor does this */
    for (int i = 0; i < 3; i++)
        next = brz_next_seed(next);
    assert_int_equal(color(&s, A), (uint32_t)(next << 8) | 0xff);
    scene_close(&s);
}

static void a_palette_can_be_for_some_names_only(void **state)
{
    (void)state;
    scene s;
    brz_buf error = {0};
    brz_pattern *only = brz_pattern_create(BRZ_STR("^a$"), &error);
    scene_open(&s);
    use(&s, &plain_loaded);
    s.palettes[0].only = only;
    use(&s, &picky_loaded);
    start(&s);
    assert_int_equal(color(&s, A), RED);
    assert_int_equal(color(&s, A_AGAIN), RED);
    assert_int_equal(color(&s, B), GREEN);
    assert_int_equal(color(&s, ROOT), BRZ_COLOR_OTHERWISE);
    scene_close(&s);
    brz_pattern_destroy(only);
}

static void diffusion_reduces_saturation(void **state)
{
    (void)state;
    scene s;
    scene_open(&s);
    use(&s, &picky_loaded);
    use(&s, &plain_loaded);
    s.options.diffusion = true;
    start(&s);
    assert_int_equal(color(&s, ROOT), RED);                 /* the whole picture */
    assert_int_equal(color(&s, A), BRZ_RGB(200, 100, 100)); /* the root of a quarter: half */
    assert_int_equal(color(&s, B), BRZ_RGB(160, 200, 168)); /* the root of 4 %: a fifth */
    assert_int_equal(color(&s, A_AGAIN), BRZ_RGB(200, 200, 200));
    scene_close(&s);
}

static void a_map_comes_before_palettes_of_names_and_learns(void **state)
{
    (void)state;
    scene s;
    brz_palette_map *m = brz_palette_map_create();
    brz_palette_map_parse(m, BRZ_STR("a->rgb(1,2,3)\n"));
    scene_open(&s);
    use(&s, &plain_loaded);
    s.options.map = m;
    start(&s);
    assert_int_equal(color(&s, A), BRZ_RGB(1, 2, 3));
    assert_int_equal(calls, 0);
    assert_int_equal(color(&s, B), RED);
    color(&s, DASH);
    scene_close(&s);
    brz_buf b = {0};
    brz_palette_map_print(m, &b);
    assert_string_equal(brz_buf_text(&b), "a->rgb(1,2,3)\nb->rgb(200,0,0)\n");
    brz_buf_finish(&b);
    brz_palette_map_destroy(m);
}

static void a_map_is_not_for_palettes_of_weights(void **state)
{
    (void)state;
    scene s;
    brz_palette_map *m = brz_palette_map_create();
    brz_palette_map_parse(m, BRZ_STR("a->rgb(1,2,3)\n"));
    scene_open(&s);
    use(&s, &valued_loaded);
    use(&s, &plain_loaded);
    s.options.map = m;
    start(&s);
    assert_int_equal(color(&s, A), RED);
    assert_int_equal(color(&s, B), RED);
    scene_close(&s);
    assert_int_equal(brz_palette_map_color(m, brz_palette_map_number(m, BRZ_STR("b"))),
                     BRZ_COLOR_NONE);
    brz_palette_map_destroy(m);
}

static void a_map_does_not_move_the_random_sequence(void **state)
{
    (void)state;
    scene s;
    brz_palette_map *m = brz_palette_map_create();
    brz_palette_map_parse(m, BRZ_STR("a->rgb(1,2,3)\n"));
    scene_open(&s);
    use(&s, &seeded_loaded);
    s.options.map = m;
    start(&s);
    color(&s, A);
    assert_int_equal(color(&s, B), (uint32_t)(BRZ_FIRST_SEED << 8) | 0xff);
    scene_close(&s);
    brz_palette_map_destroy(m);
}

static void the_background_is_that_of_the_first_palette_with_one(void **state)
{
    (void)state;
    scene s;
    uint32_t b[2];
    scene_open(&s);
    use(&s, &picky_loaded);
    use(&s, &plain_loaded);
    start(&s);
    brz_coloring_background(s.coloring, b);
    assert_int_equal(b[0], RED);
    assert_int_equal(b[1], GREEN);
    scene_close(&s);
    scene_open(&s);
    use(&s, &plain_loaded);
    s.palettes[0].background[0] = s.palettes[0].background[1] = BRZ_RGB(9, 9, 9);
    start(&s);
    brz_coloring_background(s.coloring, b);
    assert_int_equal(b[0], BRZ_RGB(9, 9, 9));
    scene_close(&s);
    scene_open(&s);
    use(&s, &picky_loaded);
    start(&s);
    brz_coloring_background(s.coloring, b);
    assert_int_equal(b[0], BRZ_COLOR_NONE);
    scene_close(&s);
}

typedef struct heard_legend {
    brz_legend legend;
    brz_buf text;
} heard_legend;

static void hear(brz_legend *legend, uint32_t c, brz_str name)
{
    heard_legend *h = (heard_legend *)legend;
    (void)c;
    brz_buf_add_str(&h->text, name);
    brz_buf_add_char(&h->text, ' ');
}

static void assert_legend(scene *s, const char *want)
{
    heard_legend h = {.legend = {.struct_size = sizeof(brz_legend), .add = hear}};
    brz_coloring_legend(s->coloring, &tree, &h.legend);
    assert_string_equal(brz_buf_text(&h.text), want);
    brz_buf_finish(&h.text);
}

static void the_legend_lists_palettes_that_coloured_frames(void **state)
{
    (void)state;
    scene s;
    scene_open(&s);
    use(&s, &picky_loaded);
    use(&s, &plain_loaded);
    start(&s);
    assert_legend(&s, "green red ");
    scene_close(&s);
    scene_open(&s);
    use(&s, &valued_loaded); /* colours all frames, has no legend */
    use(&s, &plain_loaded);
    start(&s);
    assert_legend(&s, "");
    scene_close(&s);
}

static void asking_for_the_legend_shows_nowhere(void **state)
{
    (void)state;
    scene s;
    scene_open(&s);
    use(&s, &picky_loaded);
    use(&s, &seeded_loaded);
    start(&s);
    assert_legend(&s, "green ");
    assert_int_equal(color(&s, A), (uint32_t)(BRZ_FIRST_SEED << 8) | 0xff);
    scene_close(&s);
}

static void a_palette_that_cannot_prepare_is_named(void **state)
{
    (void)state;
    scene s;
    scene_open(&s);
    use(&s, &unwilling_loaded);
    closed = 0;
    assert_null(brz_coloring_create(&s.options, &s.run, &tree));
    assert_int_equal(closed, 1);
    assert_contains(ear_heard(&s.ear), "palette 'unwilling' failed");
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_palette_that_answers_counts),
        cmocka_unit_test(a_frame_without_a_colour_is_grey),
        cmocka_unit_test(separators_are_coloured_by_no_palette),
        cmocka_unit_test(a_palette_of_names_is_asked_once_for_each),
        cmocka_unit_test(a_palette_of_weights_is_asked_for_each_node),
        cmocka_unit_test(the_random_sequence_moves_on_with_colours_that_use_it),
        cmocka_unit_test(a_palette_can_be_for_some_names_only),
        cmocka_unit_test(diffusion_reduces_saturation),
        cmocka_unit_test(a_map_comes_before_palettes_of_names_and_learns),
        cmocka_unit_test(a_map_is_not_for_palettes_of_weights),
        cmocka_unit_test(a_map_does_not_move_the_random_sequence),
        cmocka_unit_test(the_background_is_that_of_the_first_palette_with_one),
        cmocka_unit_test(the_legend_lists_palettes_that_coloured_frames),
        cmocka_unit_test(asking_for_the_legend_shows_nowhere),
        cmocka_unit_test(a_palette_that_cannot_prepare_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

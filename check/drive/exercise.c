/* SPDX-License-Identifier: MIT */
/* Uses all components of a plug-in in typical ways. */
#include "exercise.h"

#include <stdlib.h>

#include "check/inputs/foreign.h"
#include "collapse/guess.h"
#include "run_palette.h"
#include "run_collapser.h"
#include "run_output.h"
#include "run_transform.h"

/* Maximum number of samples; more would add little. */
#define MOST_CASES 12

static void show(check *c, const check_case *k)
{
    static const check_collapser_options ways[] = {{.seed = 1}, {.seed = 2, .step = 50, .cuts = 3}};
    check_collapse_result o;
    check_doing(c, "using %s", k->label);
    for (size_t i = 0; i < 2; i++) {
        check_run_collapser(c, k, &ways[i], &o);
        check_collapse_result_finish(&o);
    }
}

static void sniff(const brz_loaded *l, const uint8_t *data, size_t len)
{
    uint8_t *copy = brz_slack_buffer(len);
    brz_head head = {sizeof head, BRZ_CHUNK_LAST,   copy + BRZ_SLACK_FRONT,
                     len,         BRZ_STR("input"), copy + BRZ_SLACK_FRONT,
                     len};
    for (size_t i = 0; i < len; i++)
        copy[BRZ_SLACK_FRONT + i] = data[i];
    brz_guess_score(l, &head, NULL);
    free(copy);
}

static void use_collapser(check *c, size_t component)
{
    const check_component *k = &c->subject->components[component];
    check_case x;
    check_foreign f;
    if (!check_case_bare(c, component, &x))
        return;
    for (size_t i = 0; i < k->n_samples && i < MOST_CASES; i++) {
        check_case with = check_case_with(&x, k->samples[i].data, k->samples[i].len);
        sniff(x.loaded, with.data, with.len < 65536 ? with.len : 65536);
        show(c, &with);
    }
    for (size_t i = 0; check_foreign_at(check_minor_of(c), i, &f); i++) {
        check_case with = check_case_with(&x, f.data, f.len);
        sniff(x.loaded, f.data, f.len);
        show(c, &with);
    }
}

static void paint(check *c, size_t component, const brz_tree *tree, const char *name)
{
    (void)name;
    free(check_palette_colors(c, component, tree, 0));
}

static void put(check *c, size_t component, const brz_tree *tree, const char *name)
{
    check_output_result w;
    (void)name;
    check_run_output(c, component, tree, &check_default_output_options, &w);
    check_output_result_finish(&w);
}

static void change(check *c, size_t component, const brz_tree *tree, const char *name)
{
    (void)name;
    check_transform_results_free(check_transform_results(c, component, tree, CHECK_ALL_STACKS, 0),
                                 tree);
}

void check_exercise(check *c)
{
    for (size_t i = 0; i < c->file.n_components; i++)
        if (c->file.components[i].component->kind == BRZ_COLLAPSER)
            use_collapser(c, i);
    check_for_each_palette(c, true, paint);
    check_for_each_output(c, true, put);
    check_for_each_transform(c, true, change);
}

/* SPDX-License-Identifier: MIT */
/* Finds code without names in a profile: frames that are called [unknown], or [MODULE] after the
 * last component of their module's path. */
#include "report/unnamed.h"

#include <stdlib.h>
#include <string.h>

#include <brazier/symbol.h>

#include "base/mem.h"

/* Number of modules that are listed. */
#define LISTED_MAX 16

static brz_str last_component(brz_str path)
{
    size_t i = path.len;
    while (i > 0 && path.data[i - 1] != '/')
        i--;
    return brz_str_of(path.data + i, path.len - i);
}

static bool is_unnamed(const brz_profile *p, const brz_profile_frame *f)
{
    brz_str name = brz_strings_at(&p->strings, f->name);
    brz_str module = last_component(brz_strings_at(&p->strings, f->module));
    if (name.len < 3 || name.data[0] != '[' || name.data[name.len - 1] != ']')
        return false;
    brz_str inside = brz_str_of(name.data + 1, name.len - 2);
    return brz_str_is(inside, "unknown") || brz_str_equal(inside, module);
}

/* Returns the percentage of the first column's weight at leaves without a name. */
static unsigned share_of(const brz_profile *p, const bool *unnamed)
{
    double all = 0, without = 0;
    const brz_profile_weight *w = &p->weights[0];
    for (size_t s = 0; s < p->n_stacks && s < w->n_values; s++) {
        const brz_profile_stack *stack = &p->stacks[s];
        if (stack->n == 0 || w->values[s] < 0)
            continue;
        all += (double)w->values[s];
        if (unnamed[stack->frames[stack->leaf_first ? 0 : stack->n - 1]])
            without += (double)w->values[s];
    }
    return all > 0 ? (unsigned)(100 * without / all + 0.5) : 0;
}

static void add(brz_notices *to, int32_t severity, const char *code, uint64_t count,
                const brz_buf *text)
{
    brz_notices_add(to, &(brz_notice){.severity = severity,
                                      .code = code,
                                      .msg = brz_buf_str(text),
                                      .offset = BRZ_NO_OFFSET,
                                      .count = count});
}

static void add_details(const brz_profile *p, const bool *unnamed, brz_notices *to)
{
    brz_buf text = {0};
    size_t n = 0;
    for (size_t i = 0; i < p->n_frames && n < LISTED_MAX; i++) {
        if (!unnamed[i])
            continue;
        brz_str module = brz_strings_at(&p->strings, p->frames[i].module);
        brz_buf_clear(&text);
        brz_buf_add_str(&text, module.len > 0 ? module : BRZ_STR("no module"));
        brz_buf_add_text(&text, ": the profiler found no symbols of it");
        add(to, BRZ_DEBUG, "quality.unknown.module", 1, &text);
        n++;
    }
    brz_buf_finish(&text);
}

/* Returns whether the collapser reports findings. */
static bool is_reported(const brz_notices *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (brz_notice_is_finding(&r->items[i]))
            return true;
    return false;
}

void brz_unnamed_report(const brz_profile *p, brz_notices *to)
{
    uint64_t n = 0;
    if (p == NULL || p->n_weights == 0 || is_reported(to))
        return;
    bool *unnamed = brz_calloc(p->n_frames + 1, sizeof *unnamed);
    for (size_t i = 0; i < p->n_frames; i++) {
        unnamed[i] = is_unnamed(p, &p->frames[i]);
        n += unnamed[i];
    }
    if (n > 0) {
        brz_buf text = {0};
        brz_buf_printf(
            &text,
            "{count} {frame stands|frames stand} for code without names, with %u %% of the weight: "
            "install the symbols of their modules where the profiler looks for them",
            share_of(p, unnamed));
        add(to, BRZ_NOTE, "quality.unknown", n, &text);
        add_details(p, unnamed, to);
        brz_buf_finish(&text);
    }
    free(unnamed);
}

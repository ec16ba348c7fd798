/* SPDX-License-Identifier: MIT */
/* Tests the results of outputs, and their handling of write errors. */
#include <stdlib.h>
#include <string.h>

#include "tests.h"
#include "check/drive/well_formed.h"
#include "check/drive/run_output.h"

/* ---- determinism --------------------------------------------------------------------------- */

static brz_str bytes_from(const brz_buf *b, size_t at)
{
    size_t from = at > 30 ? at - 30 : 0, n = b->len - from < 100 ? b->len - from : 100;
    return brz_str_of(brz_buf_text(b) + from, n);
}

static size_t first_difference(const brz_buf *a, const brz_buf *b)
{
    size_t n = a->len < b->len ? a->len : b->len, at = 0;
    while (at < n && a->data[at] == b->data[at])
        at++;
    return at;
}

static void look_at_two(check *c, size_t component, const brz_tree *tree, const char *name)
{
    check_output_result one, two;
    check_run_output(c, component, tree, &check_default_output_options, &one);
    check_run_output(c, component, tree, &check_default_output_options, &two);
    size_t at = first_difference(&one.bytes, &two.bytes);
    if (at < one.bytes.len || one.bytes.len != two.bytes.len)
        check_fail(c, 22, bytes_from(&one.bytes, at), bytes_from(&two.bytes, at),
                   "%s: %s is written otherwise a second time, from byte %zu on",
                   check_id_of(c, component), name, at);
    check_output_result_finish(&one);
    check_output_result_finish(&two);
}

void check_output_twice(check *c)
{
    check_for_each_output(c, true, look_at_two);
}

/* ---- well-formedness ----------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *ending)
{
    size_t n = strlen(text), k = strlen(ending);
    return n >= k && strcmp(text + n - k, ending) == 0;
}

/* Checks each line as JSON. */
static check_flaw walk_lines(brz_str text)
{
    check_flaw flaw = {0, NULL};
    for (size_t at = 0, n; at < text.len && flaw.what == NULL; at += n + 1) {
        const char *end = memchr(text.data + at, '\n', text.len - at);
        n = end != NULL ? (size_t)(end - text.data) - at : text.len - at;
        flaw = check_well_formed_json(brz_str_of(text.data + at, n));
        flaw.at += at;
    }
    return flaw;
}

/* Checks a text of a media type and stores its first flaw. Returns the name of the form that was
 * checked, or "" if the type is unknown. */
static const char *walk(const char *type, brz_str text, check_flaw *flaw)
{
    bool xml = ends_with(type, "+xml") || ends_with(type, "/xml");
    bool json = ends_with(type, "+json") || ends_with(type, "/json");
    bool lines = ends_with(type, "-ndjson");
    bool plain = strncmp(type, "text/", 5) == 0;
    *flaw = xml     ? check_well_formed_xml(text)
            : json  ? check_well_formed_json(text)
            : lines ? walk_lines(text)
                    : (plain ? check_well_formed_utf8(text) : (check_flaw){0, NULL});
    return xml ? "XML" : json ? "JSON" : lines ? "lines of JSON" : plain ? "text" : "";
}

static void look_at_form(check *c, size_t component, const brz_tree *tree, const char *name)
{
    const brz_output *output = c->file.components[component].vtable;
    check_output_result w;
    check_flaw flaw;
    if (output->media_type == NULL)
        return;
    check_run_output(c, component, tree, &check_default_output_options, &w);
    const char *form = walk(output->media_type, brz_buf_str(&w.bytes), &flaw);
    if (w.rc == BRZ_OK && flaw.what != NULL)
        check_fail(c, 48, CHECK_NOTHING, bytes_from(&w.bytes, flaw.at),
                   "%s: %s is written as %s that is not well-formed: %s, at byte %zu",
                   check_id_of(c, component), name, form, flaw.what, flaw.at);
    check_output_result_finish(&w);
}

static void tell_forms(check *c)
{
    check_flaw ignored;
    for (size_t i = 0; i < c->file.n_components; i++) {
        const brz_output *output = c->file.components[i].vtable;
        if (c->file.components[i].component->kind != BRZ_OUTPUT)
            continue;
        const char *type = output->media_type == NULL ? "" : output->media_type;
        const char *form = walk(type, CHECK_NOTHING, &ignored);
        if (form[0] == '\0')
            check_tell(c, "no check exists for %s", type[0] == '\0' ? "its media type" : type);
        else
            check_tell(c, "as %s", form);
    }
}

void check_output_well_formed(check *c)
{
    tell_forms(c);
    check_for_each_output(c, false, look_at_form);
}

/* ---- odd trees ----------------------------------------------------------------------------- */

/* Writes an unusual tree. The output may reject it if it gives a reason (console.errors counts
 * these). */
static void look_at_odd(check *c, size_t component, const brz_tree *tree, const char *name)
{
    const check_output_options how = {.limit = SIZE_MAX, .drops = true};
    check_output_result w;
    size_t errors = c->console.errors;
    check_run_output(c, component, tree, &how, &w);
    if (w.rc != BRZ_OK && c->console.errors == errors)
        check_fail(c, 49, CHECK_NOTHING, CHECK_NOTHING,
                   "%s: %s is not written, and nothing says why: write returned %d",
                   check_id_of(c, component), name, (int)w.rc);
    check_output_result_finish(&w);
}

void check_output_odd(check *c)
{
    check_for_each_output(c, false, look_at_odd);
}

/* ---- a sink that fails --------------------------------------------------------------------- */

/* Byte counts at which the sink fails: each of the first ones, and some of the others. */
#define EVERY 64
#define SOME  100

static void fail_at(check *c, size_t component, const brz_tree *tree, const char *name,
                    size_t limit)
{
    check_output_result w;
    check_output_options how = {.limit = limit};
    check_doing(c, "writing %s with %s to a sink that fails after %zu bytes", name,
                check_id_of(c, component), limit);
    check_run_output(c, component, tree, &how, &w);
    if (w.sink_failed && w.rc == BRZ_OK)
        check_fail(c, 47, CHECK_NOTHING, CHECK_NOTHING,
                   "%s: the sink failed after %zu bytes of %s, and write returned BRZ_OK",
                   check_id_of(c, component), limit, name);
    check_output_result_finish(&w);
}

static void look_at_sink(check *c, size_t component, const brz_tree *tree, const char *name)
{
    check_output_result w;
    check_run_output(c, component, tree, &check_default_output_options, &w);
    size_t len = w.bytes.len;
    check_output_result_finish(&w);
    for (size_t limit = 0; limit < len && limit < EVERY && !check_is_over(c); limit++)
        fail_at(c, component, tree, name, limit);
    for (size_t i = 0; i < SOME && len > EVERY && !check_is_over(c); i++)
        fail_at(c, component, tree, name, check_random_below(&c->random, len));
    if (len > 0 && !check_is_over(c))
        fail_at(c, component, tree, name, len - 1);
}

void check_output_sink(check *c)
{
    check_for_each_output(c, true, look_at_sink);
}

/* ---- requested data ------------------------------------------------------------------------ */

/* Checks the output's calls to the host (host_monitor.c), also when it writes to a terminal. */
static void look_at_calls(check *c, size_t component, const brz_tree *tree, const char *name)
{
    const check_output_options file = {.limit = SIZE_MAX, .drops = true};
    const check_output_options terminal = {.limit = SIZE_MAX, .drops = true, .columns = 80};
    check_output_result w;
    (void)name;
    check_run_output(c, component, tree, &file, &w);
    check_output_result_finish(&w);
    check_run_output(c, component, tree, &terminal, &w);
    check_output_result_finish(&w);
}

void check_output_asked(check *c)
{
    check_for_each_output(c, false, look_at_calls);
}

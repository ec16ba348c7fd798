/* SPDX-License-Identifier: MIT */
/* Reports how good a profile is. */
#include "report/quality.h"

#include <brazier/symbol.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "report/package.h"

/* Number of findings that the line names. */
#define NAMED_MAX 4

/* A finding or a detail, with the sum of its occurrences. */
typedef struct finding {
    const brz_notice *notice;
    uint64_t count;
    brz_str input; /* to be named; or empty */
    bool is_detail;
    brz_str name;         /* the code without "quality." */
    brz_buf text;         /* the message, printable */
    brz_str head, remedy; /* its parts in front of and after ": " */
    brz_buf package;      /* package that has symbols for a detail; empty: none */
} finding;

typedef struct findings {
    finding *items;
    size_t n, cap;
    bool by_input; /* there are several, and each has its own */
} findings;

/* ---- collecting ---------------------------------------------------------------------------- */

/* Divides a text at the first ": ". */
static void divide(brz_str text, brz_str *head, brz_str *rest)
{
    size_t at = brz_str_find(text, BRZ_STR(": "), 0);
    *head = at == SIZE_MAX ? text : brz_str_of(text.data, at);
    *rest = at == SIZE_MAX ? brz_str_of("", 0) : brz_str_of(text.data + at + 2, text.len - at - 2);
}

/* Returns whether two notices are the same finding, in the same input if `of_input` says so. */
static bool is_same(const brz_notice *a, const brz_notice *b, bool of_input)
{
    return a->code != NULL && b->code != NULL && strcmp(a->code, b->code) == 0 &&
           brz_str_equal(a->msg, b->msg) && (!of_input || brz_str_equal(a->input, b->input));
}

/* Returns how often an input has a finding. */
static uint64_t count_in_input(const brz_notices *r, const brz_notice *n)
{
    uint64_t count = 0;
    for (size_t i = 0; i < r->n; i++)
        count += is_same(&r->items[i], n, true) ? r->items[i].count : 0;
    return count;
}

static bool is_repeated(const brz_notices *r, size_t i, bool of_input)
{
    for (size_t k = 0; k < i; k++)
        if (is_same(&r->items[i], &r->items[k], of_input))
            return true;
    return false;
}

static void add(findings *all, const brz_notices *r, const brz_notice *n)
{
    bool by_input = all->by_input;
    all->items = brz_grow(all->items, all->n, &all->cap, sizeof *all->items);
    finding *f = &all->items[all->n++];
    *f = (finding){.notice = n, .count = by_input ? count_in_input(r, n) : brz_notices_count(r, n)};
    f->input = by_input ? n->input : brz_str_of("", 0);
    f->name = brz_str_of(n->code + strlen(BRZ_FINDING), strlen(n->code) - strlen(BRZ_FINDING));
    f->is_detail = memchr(f->name.data, '.', f->name.len) != NULL;
    brz_notice summed = *n;
    summed.count = f->count;
    brz_notice_add_message(&f->text, &summed);
    divide(brz_buf_str(&f->text), &f->head, &f->remedy);
}

/* Orders findings by severity, then by their number of occurrences. */
static int compare(const void *a, const void *b)
{
    const finding *x = a, *y = b;
    if (x->notice->severity != y->notice->severity)
        return x->notice->severity < y->notice->severity ? -1 : 1;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    int names = brz_str_compare(x->name, y->name);
    int texts = brz_str_compare(brz_buf_str(&x->text), brz_buf_str(&y->text));
    if (names != 0 || texts != 0)
        return names != 0 ? names : texts;
    return brz_str_compare(x->notice->input, y->notice->input);
}

static findings collect(const brz_notices *r, bool by_input)
{
    findings all = {.by_input = by_input};
    for (size_t i = 0; i < r->n; i++)
        if (brz_notice_is_finding(&r->items[i]) && !is_repeated(r, i, all.by_input))
            add(&all, r, &r->items[i]);
    if (all.n > 1)
        qsort(all.items, all.n, sizeof *all.items, compare);
    return all;
}

static void finish(findings *all)
{
    for (size_t i = 0; i < all->n; i++) {
        brz_buf_finish(&all->items[i].text);
        brz_buf_finish(&all->items[i].package);
    }
    free(all->items);
}

/* Appends the input of a finding if there are several. */
static void add_input(brz_buf *b, const finding *f)
{
    if (f->input.len > 0)
        brz_buf_printf(b, "%.*s: ", (int)f->input.len, f->input.data);
}

/* Returns whether a detail belongs to a finding. */
static bool belongs_to(const finding *detail, const finding *f)
{
    return brz_str_equal(detail->input, f->input) && detail->is_detail && !f->is_detail &&
           detail->name.len > f->name.len &&
           memcmp(detail->name.data, f->name.data, f->name.len) == 0 &&
           detail->name.data[f->name.len] == '.';
}

/* Finds the packages with the symbols of stripped files. */
static void find_packages(findings *all, const char *sysroot)
{
    for (size_t i = 0; i < all->n; i++) {
        finding *f = &all->items[i];
        brz_buf package = {0};
        brz_str path, rest;
        divide(f->notice->msg, &path, &rest);
        if (brz_str_is(f->name, "unknown.stripped") &&
            brz_package_find(sysroot == NULL ? "" : sysroot, path, &package))
            brz_package_add_symbols(&f->package, brz_buf_str(&package));
        brz_buf_finish(&package);
    }
}

/* ---- a line -------------------------------------------------------------------------------- */

static bool is_named(const finding *f)
{
    return !f->is_detail && f->notice->severity < BRZ_DEBUG;
}

/* Appends the first findings, and the number of the others. Returns the highest severity of the
 * first. */
static int32_t add_heads(brz_buf *b, const findings *all)
{
    size_t n = 0;
    int32_t severity = BRZ_NOTE;
    for (size_t i = 0; i < all->n; i++) {
        const finding *f = &all->items[i];
        if (!is_named(f) || n++ >= NAMED_MAX)
            continue;
        brz_buf_add_text(b, n > 1 ? "; " : "");
        add_input(b, f);
        brz_buf_add_str(b, f->head);
        severity = f->notice->severity < severity ? f->notice->severity : severity;
    }
    if (n > NAMED_MAX)
        brz_buf_printf(b, "; and %zu more", n - NAMED_MAX);
    return severity;
}

static void say_line(brz_console *c, const findings *all)
{
    brz_buf b = {0};
    int32_t severity = add_heads(&b, all);
    if (b.len > 0)
        brz_say_code(c, severity, BRZ_SAYS_QUALITY, "quality: %s (--quality tells what helps)",
                     brz_buf_text(&b));
    brz_buf_finish(&b);
}

/* ---- a text -------------------------------------------------------------------------------- */

static void add_details(brz_buf *b, const findings *all, const finding *of)
{
    for (size_t i = 0; i < all->n; i++) {
        const finding *f = &all->items[i];
        if (!belongs_to(f, of))
            continue;
        brz_buf_printf(b, "\n        %s", brz_buf_text(&f->text));
        if (f->package.len > 0)
            brz_buf_printf(b, "; install %s", brz_buf_text(&f->package));
    }
}

static void add_text(brz_buf *b, const findings *all)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++)
        n += !all->items[i].is_detail;
    brz_buf_printf(b, "quality: %zu finding%s%s", n, n == 1 ? "" : "s",
                   n > 0 ? ", explained in docs/quality.md" : "");
    for (size_t i = 0; i < all->n; i++) {
        const finding *f = &all->items[i];
        if (f->is_detail)
            continue;
        brz_buf_printf(b, "\n  %.*s: %.*s", (int)f->name.len, f->name.data,
                       f->notice->severity == BRZ_WARNING ? 9 : 0, "warning: ");
        add_input(b, f);
        brz_buf_add_str(b, f->head);
        if (f->remedy.len > 0)
            brz_buf_printf(b, "\n      %.*s", (int)f->remedy.len, f->remedy.data);
        add_details(b, all, f);
    }
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void add_member(brz_buf *b, const char *name, brz_str value)
{
    brz_buf_printf(b, ",\"%s\":", name);
    brz_json_string(b, value);
}

static void add_json_details(brz_buf *b, const findings *all, const finding *of)
{
    size_t n = 0;
    brz_buf_add_text(b, ",\"details\":[");
    for (size_t i = 0; i < all->n; i++) {
        const finding *f = &all->items[i];
        if (!belongs_to(f, of))
            continue;
        brz_buf_printf(b, "%s{\"count\":%llu", n++ > 0 ? "," : "", (unsigned long long)f->count);
        add_member(b, "subject", f->head);
        add_member(b, "text", f->remedy);
        if (f->package.len > 0)
            add_member(b, "package", brz_buf_str(&f->package));
        brz_buf_add_char(b, '}');
    }
    brz_buf_add_char(b, ']');
}

static void add_json(brz_buf *b, const findings *all)
{
    size_t n = 0;
    brz_buf_add_text(b, "quality as JSON:\n{\"findings\":[");
    for (size_t i = 0; i < all->n; i++) {
        const finding *f = &all->items[i];
        if (f->is_detail)
            continue;
        brz_buf_printf(b, "%s{\"count\":%llu", n++ > 0 ? "," : "", (unsigned long long)f->count);
        add_member(b, "code", f->name);
        if (f->input.len > 0)
            add_member(b, "input", f->input);
        add_member(b, "severity",
                   f->notice->severity == BRZ_WARNING ? BRZ_STR("warning") : BRZ_STR("note"));
        add_member(b, "finding", f->head);
        add_member(b, "remedy", f->remedy);
        add_json_details(b, all, f);
        brz_buf_add_char(b, '}');
    }
    brz_buf_add_text(b, "]}");
}

/* ---- reporting ----------------------------------------------------------------------------- */

static void say_each(brz_console *c, const findings *all)
{
    for (size_t i = 0; i < all->n; i++) {
        brz_notice n = *all->items[i].notice;
        n.count = all->items[i].count;
        brz_say_notice(c, &n);
    }
}

/* Reports all findings with their details. The user requested them, so --quiet does not hide
 * them. */
static void say_all(brz_console *c, findings *all, brz_quality how, const char *sysroot)
{
    brz_buf b = {0};
    int verbosity = c->verbosity;
    find_packages(all, sysroot);
    if (how == BRZ_QUALITY_JSON)
        add_json(&b, all);
    else
        add_text(&b, all);
    c->verbosity = verbosity < 0 ? 0 : verbosity;
    brz_say_lines(c, BRZ_NOTE, BRZ_SAYS_QUALITY, brz_buf_str(&b));
    c->verbosity = verbosity;
    brz_buf_finish(&b);
}

void brz_quality_add_findings(brz_buf *b, const brz_notices *r, bool names_inputs)
{
    findings all = collect(r, names_inputs);
    add_heads(b, &all);
    finish(&all);
}

const char *brz_quality_report(brz_console *c, const brz_notices *r, brz_quality how,
                               const char *sysroot, bool names_inputs)
{
    findings all = collect(r, names_inputs);
    const char *first = all.n > 0 && is_named(&all.items[0]) ? all.items[0].notice->code : NULL;
    if (how == BRZ_QUALITY_EACH)
        say_each(c, &all);
    else if (how == BRZ_QUALITY_LINE)
        say_line(c, &all);
    else
        say_all(c, &all, how, sysroot);
    finish(&all);
    return first;
}

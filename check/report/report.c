/* SPDX-License-Identifier: MIT */
/* Prints the results of all tests for people. */
#include "report.h"

#include <brazier/text/pieces.h>

#include <stdlib.h>
#include <string.h>

#include "check/contract/check.h"
#include "check/contract/clauses.h"
#include "base/mem.h"
#include "base/diag.h"

void check_report_add(check_report *r, check_result result)
{
    r->results = brz_grow(r->results, r->n, &r->cap, sizeof *r->results);
    r->results[r->n++] = result;
}

void check_report_finish(check_report *r)
{
    for (size_t i = 0; i < r->n; i++)
        check_result_finish(&r->results[i]);
    free(r->results);
}

size_t check_report_count(const check_report *r, check_status status)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        n += r->results[i].status == status;
    return n;
}

/* ---- text ---------------------------------------------------------------------------------- */

#define RED    "\033[31m"
#define GREEN  "\033[32m"
#define YELLOW "\033[33m"
#define PLAIN  "\033[0m"

void check_text_begin(FILE *out, const check_runner *runner)
{
    const check_subject *s = runner->subject;
    fprintf(out, "%s, seed %llu\n", s->path, (unsigned long long)runner->settings.seed);
}

/* Prints a text with a margin in front of each line. */
static void print_lines(FILE *out, const char *heading, brz_str text)
{
    brz_buf b = {0};
    brz_str line;
    while (brz_take_line(&text, &line)) {
        brz_buf_clear(&b);
        brz_add_printable(&b, line);
        fprintf(out, "        %-9s %s\n", heading, brz_buf_text(&b));
        heading = "";
    }
    brz_buf_finish(&b);
}

static void print_failure(FILE *out, const check_failure *f)
{
    brz_buf what = {0};
    brz_add_printable(&what, brz_buf_str(&f->what));
    fprintf(out, "      %s\n", brz_buf_text(&what));
    print_lines(out, "expected", brz_buf_str(&f->expected));
    print_lines(out, "seen", brz_buf_str(&f->seen));
    if (f->clause > 0)
        fprintf(out, "      BRZ-C%u: %s\n", f->clause, check_clause(f->clause));
    brz_buf_finish(&what);
}

/* Prints the command that repeats a test. */
static void print_again(FILE *out, const check_runner *runner, const check_result *result)
{
    const check_subject *s = runner->subject;
    fprintf(out, "      again: brazier plugin check %s --in-process %s --seed %llu", s->path,
            result->test->name, (unsigned long long)runner->settings.seed);
    if (s->samples != NULL)
        fprintf(out, " --samples %s", s->samples);
    for (size_t i = 0; i < s->n_also_read; i++)
        fprintf(out, " --reads %s", s->also_read[i]);
    fputc('\n', out);
}

void check_text_result(FILE *out, const check_runner *runner, const check_result *result,
                       bool color, bool quiet)
{
    static const char *const words[] = {"ok  ", "FAIL", "skip"};
    static const char *const colors[] = {GREEN, RED, YELLOW};
    brz_buf detail = {0};
    if (quiet && result->status != CHECK_FAILED)
        return;
    brz_add_printable(&detail, brz_buf_str(&result->detail));
    fprintf(out, "%s%s%s  %s%s%s\n", color ? colors[result->status] : "", words[result->status],
            color ? PLAIN : "", result->test->name, detail.len > 0 ? ": " : "",
            brz_buf_text(&detail));
    for (size_t i = 0; i < result->n_failures; i++)
        print_failure(out, &result->failures[i]);
    if (result->status == CHECK_FAILED)
        print_again(out, runner, result);
    fflush(out);
    brz_buf_finish(&detail);
}

void check_text_end(FILE *out, const check_report *r, bool color)
{
    size_t failed = check_report_count(r, CHECK_FAILED);
    fprintf(out, "%s%zu tests, %zu failed%s, %zu skipped\n",
            !color       ? ""
            : failed > 0 ? RED
                         : GREEN,
            r->n, failed, color ? PLAIN : "", check_report_count(r, CHECK_SKIPPED));
    if ((check_subject_kinds(r->runner->subject) & CHECK_COLLAPSERS) &&
        check_subject_samples(r->runner->subject) == 0)
        fprintf(out, "There are no samples of its format, so little of it was tried: "
                     "put some beside it, or name --samples DIR.\n");
}

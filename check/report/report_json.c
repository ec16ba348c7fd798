/* SPDX-License-Identifier: MIT */
/* Writes the results of all tests: as JSON for programs, and as JUnit XML for test result
 * collectors. */
#include <brazier/symbol.h>
#include <brazier/xml.h>

#include <string.h>

#include "check/contract/check.h"
#include "check/contract/clauses.h"
#include "base/json.h"
#include "report.h"
#include "base/utf8.h"
#include "base/diag.h"

static const char *const status_names[] = {"passed", "failed", "skipped"};

/* Appends a text, which may contain bytes of samples; only printable UTF-8 is written. */
static void add_json(brz_buf *b, const char *key, brz_str value)
{
    brz_buf printable = {0};
    brz_buf_printf(b, "\"%s\":", key);
    for (const char *at = value.data, *end = at + value.len; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t n = newline == NULL ? (size_t)(end - at) : (size_t)(newline - at);
        brz_add_printable(&printable, brz_str_of(at, n));
        at += n;
        if (newline == NULL)
            break;
        brz_buf_add_char(&printable, '\n');
        at++;
    }
    brz_json_string(b, brz_buf_str(&printable));
    brz_buf_finish(&printable);
}

static void add_failure_json(brz_buf *b, const check_failure *f)
{
    if (f->clause > 0)
        brz_buf_printf(b, "{\"clause\":\"BRZ-C%u\",", f->clause);
    else
        brz_buf_add_text(b, "{\"clause\":null,");
    add_json(b, "rule", brz_str_of_text(f->clause > 0 ? check_clause(f->clause) : ""));
    brz_buf_add_char(b, ',');
    add_json(b, "what", brz_buf_str(&f->what));
    brz_buf_add_char(b, ',');
    add_json(b, "expected", brz_buf_str(&f->expected));
    brz_buf_add_char(b, ',');
    add_json(b, "seen", brz_buf_str(&f->seen));
    brz_buf_add_char(b, '}');
}

static void add_result_json(brz_buf *b, const check_result *r)
{
    brz_buf_add_char(b, '{');
    add_json(b, "name", brz_str_of_text(r->test->name));
    brz_buf_printf(b, ",\"status\":\"%s\",\"seconds\":%.3f,", status_names[r->status], r->seconds);
    add_json(b, "detail", brz_buf_str(&r->detail));
    brz_buf_add_text(b, ",\"failures\":[");
    for (size_t i = 0; i < r->n_failures; i++) {
        brz_buf_add_text(b, i > 0 ? "," : "");
        add_failure_json(b, &r->failures[i]);
    }
    brz_buf_add_text(b, "]}");
}

void check_report_json(const check_report *r, brz_buf *b)
{
    const check_subject *s = r->runner->subject;
    brz_buf_add_char(b, '{');
    add_json(b, "file", brz_str_of_text(s->path));
    brz_buf_printf(b,
                   ",\"seed\":%llu,\"samples\":%zu,\"passed\":%zu,\"failed\":%zu,\"skipped\":%zu,",
                   (unsigned long long)r->runner->settings.seed, check_subject_samples(s),
                   check_report_count(r, CHECK_PASSED), check_report_count(r, CHECK_FAILED),
                   check_report_count(r, CHECK_SKIPPED));
    brz_buf_add_text(b, "\"tests\":[");
    for (size_t i = 0; i < r->n; i++) {
        brz_buf_add_text(b, i > 0 ? ",\n" : "\n");
        add_result_json(b, &r->results[i]);
    }
    brz_buf_add_text(b, "]}\n");
}

/* ---- JUnit --------------------------------------------------------------------------------- */

static void add_xml(brz_buf *b, brz_str text)
{
    brz_buf printable = {0};
    brz_add_printable(&printable, text);
    for (size_t i = 0; i < printable.len; i++) {
        char utf8[4];
        const char *p = printable.data + i;
        size_t n = brz_utf8_length(p, printable.len - i);
        n = n == 0 ? 1 : n;
        const char *instead = brz_xml_substitute(p, n, utf8);
        if (instead != NULL)
            brz_buf_add_text(b, instead);
        else
            brz_buf_add(b, p, n);
        i += n - 1;
    }
    brz_buf_finish(&printable);
}

static void add_failure_xml(brz_buf *b, const check_failure *f)
{
    if (f->clause > 0)
        brz_buf_printf(b, "<failure type=\"BRZ-C%u\" message=\"", f->clause);
    else
        brz_buf_add_text(b, "<failure message=\"");
    add_xml(b, brz_buf_str(&f->what));
    brz_buf_add_text(b, "\">");
    if (f->clause > 0)
        add_xml(b, brz_str_of_text(check_clause(f->clause)));
    if (f->expected.len > 0)
        brz_buf_add_text(b, "\nexpected: ");
    add_xml(b, brz_buf_str(&f->expected));
    if (f->seen.len > 0)
        brz_buf_add_text(b, "\nseen: ");
    add_xml(b, brz_buf_str(&f->seen));
    brz_buf_add_text(b, "</failure>");
}

static void add_result_xml(brz_buf *b, const check_result *r)
{
    const char *name = strchr(r->test->name, '/');
    brz_buf_printf(b, "<testcase classname=\"%.*s\" name=\"%s\" time=\"%.3f\">",
                   (int)(name - r->test->name), r->test->name, name + 1, r->seconds);
    if (r->status == CHECK_SKIPPED) {
        brz_buf_add_text(b, "<skipped message=\"");
        add_xml(b, brz_buf_str(&r->detail));
        brz_buf_add_text(b, "\"/>");
    }
    for (size_t i = 0; i < r->n_failures; i++)
        add_failure_xml(b, &r->failures[i]);
    brz_buf_add_text(b, "</testcase>\n");
}

void check_report_junit(const check_report *r, brz_buf *b)
{
    double seconds = 0;
    for (size_t i = 0; i < r->n; i++)
        seconds += r->results[i].seconds;
    brz_buf_add_text(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"");
    add_xml(b, brz_str_of_text(r->runner->subject->path));
    brz_buf_printf(b, "\" tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n", r->n,
                   check_report_count(r, CHECK_FAILED), check_report_count(r, CHECK_SKIPPED),
                   seconds);
    brz_buf_printf(b, "<properties><property name=\"seed\" value=\"%llu\"/></properties>\n",
                   (unsigned long long)r->runner->settings.seed);
    for (size_t i = 0; i < r->n; i++)
        add_result_xml(b, &r->results[i]);
    brz_buf_add_text(b, "</testsuite>\n");
}

/* SPDX-License-Identifier: MIT */
/* Writes drafts. */
#include "draft_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void cli_draft_add(cli_drafts *to, unsigned confidence, const char *format, ...)
{
    va_list args;
    if (to->n == CLI_DRAFTS_MOST)
        return;
    cli_draft *d = &to->items[to->n++];
    d->confidence = confidence;
    va_start(args, format);
    brz_buf_vprintf(&d->text, format, args);
    va_end(args);
}

void cli_drafts_finish(cli_drafts *d)
{
    for (size_t i = 0; i < d->n; i++)
        brz_buf_finish(&d->items[i].text);
}

void cli_draft_escape(brz_buf *b, brz_str text)
{
    for (size_t i = 0; i < text.len && text.data[i] >= ' ' && text.data[i] < 0x7f; i++) {
        if (strchr("\\^$.[]|()?*+{}", text.data[i]) != NULL)
            brz_buf_add_char(b, '\\');
        if (text.data[i] == '\'')
            brz_buf_add_char(b, '\'');
        brz_buf_add_char(b, text.data[i]);
    }
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void add(cli_pattern *p, const char *text)
{
    size_t n = strlen(p->text);
    snprintf(p->text + n, sizeof p->text - n, "%s", text);
}

/* Adds the units that the numbers have. */
static void add_units(cli_pattern *p, const cli_numbers *n)
{
    size_t kinds = 0;
    if (n->with_unit == 0)
        return;
    for (size_t i = 0; i < CLI_UNITS; i++)
        kinds += n->units[i] > 0;
    bool is_alone = kinds == 1 && n->with_unit == n->lines;
    bool is_converted = cli_unit_of(n) != NULL && !is_alone;
    add(p, is_converted ? " *(?<unit>" : is_alone ? " *" : " *(?:");
    for (size_t i = 0, k = 0; i < CLI_UNITS; i++)
        if (n->units[i] > 0) {
            add(p, k++ > 0 ? "|" : "");
            add(p, cli_units[i]);
        }
    add(p, is_alone ? "" : n->with_unit < n->lines ? ")?" : ")");
}

static void add_number(cli_pattern *p, const cli_numbers *n)
{
    add(p, "(?<weight>");
    if (n->compound > 0)
        add(p, "(?:\\d++[hm](?=\\d))*+");
    add(p, n->with_commas > 0 ? "\\d[\\d.,]*" : n->decimal > 0 ? "\\d[\\d.]*" : "\\d+");
    add(p, ")");
    add_units(p, n);
}

/* Adds an expression of a share of the whole, such as "(12.5%)". */
static void add_share(cli_pattern *p, const cli_numbers *n)
{
    if (n->shares > 0)
        add(p, n->shares < n->lines ? "(?:\\([\\d. ]+%\\) *)?" : "\\([\\d. ]+%\\) *");
}

cli_pattern cli_draft_trailing(const cli_numbers *n)
{
    cli_pattern p = {.text = ""};
    add(&p, n->marked > 0 ? "[ \\t=:(\\[]+" : "\\s+");
    add_number(&p, n);
    add(&p, n->marked > 0 ? "[)\\]]?" : "");
    add(&p, n->shares > 0 ? " *" : "");
    add_share(&p, n);
    add(&p, "$");
    return p;
}

cli_pattern cli_draft_leading(const cli_numbers *n)
{
    cli_pattern p = {.text = ""};
    add(&p, n->marked > 0 ? "[\\[(]? *" : "");
    add_number(&p, n);
    add(&p, n->marked > 0 ? "%?[\\])]?:?\\s+" : "\\s+");
    add_share(&p, n);
    return p;
}

cli_pattern cli_draft_unit_lines(const char *unit)
{
    cli_pattern p = {.text = ""};
    if (unit != NULL)
        snprintf(p.text, sizeof p.text, "  weight: {unit: %s}\n", unit);
    return p;
}

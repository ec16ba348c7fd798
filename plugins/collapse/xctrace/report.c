/* SPDX-License-Identifier: MIT */
/* Reports problems of an input. */
#include "reader.h"

/* Sets the position of a report: the current tag, if it is in the text being fed. */
static void set_here(const xctrace *x, brz_diag *d)
{
    if (x->here.data != NULL) {
        d->at = x->here.data;
        d->len = x->here.len;
        return;
    }
    int64_t index = (int64_t)XML_GetCurrentByteIndex(x->parser); /* -1 before the first byte */
    int64_t at = (index < 0 ? 0 : index) - x->base;
    int count = XML_GetCurrentByteCount(x->parser);
    bool inside = at >= 0 && at <= (int64_t)x->len;
    d->at = inside ? x->data + at : NULL;
    d->len = inside && count > 0 ? (size_t)count : 0;
}

void report_here(xctrace *x, const char *code, brz_str msg)
{
    report_rows_here(x, code, msg, 0);
}

void report_rows_here(xctrace *x, const char *code, brz_str msg, uint64_t rows)
{
    brz_diag d = brz_diag_of(BRZ_WARNING, code, NULL, 0, msg);
    set_here(x, &d);
    d.records = d.weighed = rows;
    d.missing = (int64_t)rows;
    x->ctx->host->diag(x->ctx, &d);
}

static void note_other_tables(xctrace *x)
{
    brz_report_count(
        x->ctx, BRZ_NOTE, "xctrace.other-schema", x->n_other_rows, 0,
        BRZ_STR("rows of other tables than the first left out: {count} (schema chooses one)"));
}

static void note_frameless(xctrace *x)
{
    brz_diag d =
        brz_diag_of(BRZ_NOTE, "xctrace.frameless", NULL, 0,
                    BRZ_STR("rows without a backtrace left out: {count} (frameless counts them)"));
    d.count = d.records = d.weighed = x->n_frameless;
    d.missing = (int64_t)x->n_frameless;
    if (d.count > 0)
        x->ctx->host->diag(x->ctx, &d);
}

void report_left_out(xctrace *x)
{
    note_frameless(x);
    note_other_tables(x);
}

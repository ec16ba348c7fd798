/* Reports problems of an input. */
#include "xctrace.h"

void report_here(xctrace *x, const char *code, brz_str msg)
{
    if (x->here.data != NULL) {
        brz_report(x->ctx, BRZ_WARNING, code, x->here.data, x->here.len, msg);
        return;
    }
    int64_t index = (int64_t)XML_GetCurrentByteIndex(x->parser); /* -1 before the first byte */
    int64_t at = (index < 0 ? 0 : index) - x->base;
    int count = XML_GetCurrentByteCount(x->parser);
    bool inside = at >= 0 && at <= (int64_t)x->len;
    brz_report(x->ctx, BRZ_WARNING, code, inside ? x->data + at : NULL,
               inside && count > 0 ? (size_t)count : 0, msg);
}

static void note(xctrace *x, const char *code, brz_str msg, uint64_t count)
{
    brz_diag d = {.struct_size = sizeof d, .severity = BRZ_NOTE, .code = code, .msg = msg};
    d.count = count;
    if (count > 0)
        x->ctx->host->diag(x->ctx, &d);
}

void report_left_out(xctrace *x)
{
    note(x, "xctrace.frameless",
         BRZ_STR("rows without a backtrace left out: {count} (frameless counts them)"),
         x->n_frameless);
    note(x, "xctrace.other-schema",
         BRZ_STR("rows of other tables than the first left out: {count} (schema chooses one)"),
         x->n_other_rows);
}

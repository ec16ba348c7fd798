/* The state of a recording that is being read. */
#include "recording.h"

/* ---- messages ---------------------------------------------------------------------------------
 */

/* Returns a place in the input, or NULL. */
static const uint8_t *place_in(const recording *p, const uint8_t *at)
{
    return at >= p->data && at <= p->data + p->len ? at : NULL;
}

void recording_warn(recording *p, const char *code, const uint8_t *at, brz_str text)
{
    brz_report(p->ctx, BRZ_WARNING, code, place_in(p, at), 0, text);
}

void recording_lost(recording *p, const char *code, const uint8_t *at, brz_str text)
{
    brz_report_lost(p->ctx, code, place_in(p, at), 0, text);
}

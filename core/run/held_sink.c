/* Holds back the first bytes of an output. */
#include "run/held_sink.h"

bool brz_held_sink_release(brz_held_sink *s, brz_sink *to)
{
    s->to = to;
    bool good = s->held.len == 0 || to->write(to, s->held.data, s->held.len) == BRZ_OK;
    brz_held_sink_finish(s);
    return good;
}

/* Implements brz_sink. */
static brz_rc write_held(brz_sink *sink, const void *data, size_t len)
{
    brz_held_sink *s = (brz_held_sink *)sink;
    if (s->to == NULL && len <= s->most - s->held.len) {
        brz_buf_add(&s->held, data, len);
        return BRZ_OK;
    }
    if (s->to == NULL) {
        brz_sink *to = s->release(s->context);
        if (to == NULL || !brz_held_sink_release(s, to))
            return BRZ_ERROR;
    }
    return s->to->write(s->to, data, len);
}

void brz_held_sink_init(brz_held_sink *s, size_t most, brz_sink *(*release)(void *), void *context)
{
    *s = (brz_held_sink){.sink = {.struct_size = sizeof s->sink, .write = write_held},
                         .most = most,
                         .release = release,
                         .context = context};
}

void brz_held_sink_finish(brz_held_sink *s)
{
    brz_buf_finish(&s->held);
}

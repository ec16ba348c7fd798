/* Makes frames of V8's call frames. */
#ifndef COMMON_V8_FRAME_H
#define COMMON_V8_FRAME_H

#include <brazier/json.h>

/* Members of a call frame, as written. */
typedef struct call_frame {
    brz_json_token name, url, line, column, module, kind;
} call_frame;

/* Decoded texts; reused from frame to frame. */
typedef struct frame_texts {
    brz_text name, url, module;
} frame_texts;

/* Stores a member of a call frame. Ignores unknown ones. */
void frame_member(call_frame *f, brz_str key, const brz_json_token *value);

brz_frame frame_of(frame_texts *t, brz_ctx *ctx, const call_frame *f);

#endif

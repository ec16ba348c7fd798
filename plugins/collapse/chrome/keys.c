/* SPDX-License-Identifier: MIT */
/* Numbers the threads, processes, names and profiles of a trace, and describes threads as tags. */
#include <brazier/symbol.h>
#include <brazier/text/integer.h>

#include "../../common/json/text.h"
#include "trace.h"

/* Joins the parts of a key. Their lengths come first, so that no two keys are equal. */
static brz_str join(trace *t, brz_ctx *ctx, const brz_str parts[3])
{
    t->key.len = 0;
    for (size_t i = 0; i < 3; i++)
        brz_text_append(&t->key, ctx, brz_str_of((const char *)&parts[i].len, sizeof parts[i].len));
    for (size_t i = 0; i < 3; i++)
        brz_text_append(&t->key, ctx, parts[i]);
    return brz_text_str(&t->key);
}

uint32_t trace_key(trace *t, brz_ctx *ctx, uint32_t kind, const brz_str parts[3], size_t next,
                   bool *is_new)
{
    brz_str text = join(t, ctx, parts);
    brz_frame_key key = brz_frame_key_of(&t->keys, text.data, text.len, kind);
    uint32_t found = brz_frame_cache_find(&t->keys, &key);
    *is_new = found == BRZ_CACHE_MISS;
    if (!*is_new)
        return found;
    brz_frame_cache_put(&t->keys, ctx, &key, (uint32_t)next);
    return (uint32_t)next;
}

static size_t find_process(trace *t, brz_ctx *ctx, brz_str id)
{
    bool is_new;
    brz_str parts[3] = {id};
    uint32_t found = trace_key(t, ctx, KEY_PROCESS, parts, t->n_processes, &is_new);
    if (is_new) {
        t->processes = brz_list_room(ctx, t->processes, t->n_processes, &t->processes_cap,
                                     sizeof *t->processes);
        t->processes[t->n_processes++] = (process){.name = {NULL, 0}};
    }
    return found;
}

uint32_t trace_track(trace *t, brz_ctx *ctx, const brz_json_token *parts, bool async)
{
    brz_str pid = parts[EVENT_PROCESS].text, tid = parts[EVENT_THREAD].text;
    const track *last = t->n_tracks > 0 ? &t->tracks[t->last_track] : NULL;
    if (!async && last != NULL && !last->async && brz_str_equal(last->thread, tid) &&
        brz_str_equal(last->process, pid))
        return t->last_track;
    brz_str id = parts[EVENT_ID].text.len > 0 ? parts[EVENT_ID].text : parts[EVENT_ID2].text;
    brz_str key[3] = {pid, async ? id : tid,
                      async ? parts[EVENT_CATEGORY].text : brz_str_of(NULL, 0)};
    bool is_new;
    uint32_t found = trace_key(t, ctx, async ? KEY_ASYNC : KEY_THREAD, key, t->n_tracks, &is_new);
    if (is_new) {
        track new_track = {.process = pid, .thread = tid, .async = async};
        new_track.of = find_process(t, ctx, pid);
        t->tracks = brz_list_room(ctx, t->tracks, t->n_tracks, &t->tracks_cap, sizeof new_track);
        t->tracks[t->n_tracks++] = new_track;
    }
    t->last_track = found;
    return found;
}

/* ---- tags ---------------------------------------------------------------------------------- */

/* Reads an id, which is a number or a text that is one. */
static uint32_t read_id(brz_str text, int64_t *id, uint32_t flag)
{
    return brz_parse_i64(text, id) ? flag : 0;
}

static brz_str decoded(brz_ctx *ctx, brz_str text)
{
    brz_json_token token = {BRZ_JSON_STRING, text};
    return json_text(ctx, &token);
}

static brz_str process_name(brz_ctx *ctx, process *p)
{
    if (p->decoded.len == 0)
        p->decoded = decoded(ctx, p->name);
    return p->decoded;
}

static brz_tag make_tag(trace *t, brz_ctx *ctx, const track *of)
{
    const brz_json_token *origin = of->origin;
    brz_tag_desc d = {.struct_size = sizeof d, .label_size = sizeof(brz_label)};
    if (t->own) {
        d.flags |= read_id(origin[ORIGIN_PROCESS_ID].text, &d.process, BRZ_TAG_PROCESS);
        d.flags |= read_id(origin[ORIGIN_THREAD_ID].text, &d.thread, BRZ_TAG_THREAD);
        d.process_name = json_text(ctx, &origin[ORIGIN_PROCESS]);
        d.thread_name = json_text(ctx, &origin[ORIGIN_THREAD]);
        return ctx->host->tag(ctx, &d);
    }
    d.flags |= read_id(of->process, &d.process, BRZ_TAG_PROCESS);
    d.flags |= read_id(of->thread, &d.thread, BRZ_TAG_THREAD);
    d.process_name = process_name(ctx, &t->processes[of->of]);
    d.thread_name = decoded(ctx, of->name);
    return ctx->host->tag(ctx, &d);
}

brz_tag trace_tag(trace *t, brz_ctx *ctx, uint32_t track_index)
{
    track *of = &t->tracks[track_index];
    if ((ctx->flags & BRZ_CTX_WANTS_TAGS) == 0 || (t->own && of->origin == NULL))
        return BRZ_NO_TAG;
    if (!of->is_tagged)
        of->tag = make_tag(t, ctx, of);
    of->is_tagged = true;
    return of->tag;
}

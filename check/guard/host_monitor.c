/* SPDX-License-Identifier: MIT */
/* Implements host services that check the arguments of a plug-in's calls. */
#include "host_monitor.h"

#include <stdio.h>
#include <string.h>

static check_host_monitor *monitor_of(const brz_ctx *ctx)
{
    return (check_host_monitor *)(uintptr_t)ctx->host;
}

static check_host_monitor *monitor_of_output(const brz_output_ctx *ctx)
{
    return (check_host_monitor *)(uintptr_t)ctx->host;
}

static check_host_monitor *monitor_of_palette(const brz_palette_ctx *ctx)
{
    return (check_host_monitor *)(uintptr_t)ctx->host;
}

static check_host_monitor *monitor_of_transform(const brz_transform_ctx *ctx)
{
    return (check_host_monitor *)(uintptr_t)ctx->host;
}

static void find_fault(check_host_monitor *w, unsigned clause, const char *what, brz_str text)
{
    if (w->clause != 0)
        return;
    w->clause = clause;
    snprintf(w->fault, sizeof w->fault, "%s%s%.*s%s", what, text.len > 0 ? ": \"" : "",
             (int)(text.len < 80 ? text.len : 80), text.len > 0 ? text.data : "",
             text.len > 0 ? "\"" : "");
}

/* ---- messages ------------------------------------------------------------------------------ */

static bool is_one_line(brz_str s)
{
    return s.len > 0 && memchr(s.data, '\n', s.len) == NULL;
}

/* Returns whether the position of a message lies in the chunk or at its end, and its text does not
 * exceed the chunk. */
static bool is_inside(const brz_instance *i, const brz_diag *d)
{
    if (i->chunk == NULL)
        return false;
    const uint8_t *at = d->at, *end = i->chunk + i->chunk_len;
    return at >= i->chunk && at <= end && d->len <= (size_t)(end - at);
}

static void look_at_diag(check_host_monitor *w, const brz_instance *i, const brz_diag *d)
{
    if (!BRZ_HAS(d, brz_diag, count))
        return;
    if (d->at != NULL && !is_inside(i, d))
        find_fault(w, 19, "diag: `at` and `len` are not within the chunk being parsed", d->msg);
    if (BRZ_HAS(d, brz_diag, byte_number) && d->byte_number > 1 + i->chunk_byte + i->chunk_len)
        find_fault(w, 19, "diag: `earlier` is after the chunk being parsed", d->msg);
    if (d->code == NULL || d->code[0] == '\0')
        find_fault(w, 19, "diag: there is no `code`", d->msg);
    if (!is_one_line(d->msg))
        find_fault(w, 19, "diag: `msg` is not one line", d->msg);
    else if (d->msg.data[d->msg.len - 1] == '.')
        find_fault(w, 19, "diag: `msg` ends in a full stop", d->msg);
}

static void monitor_diag(brz_ctx *ctx, const brz_diag *d)
{
    look_at_diag(monitor_of(ctx), (brz_instance *)ctx, d);
    monitor_of(ctx)->real.collapser->diag(ctx, d);
}

static void monitor_palette_diag(brz_palette_ctx *ctx, const brz_diag *d)
{
    look_at_diag(monitor_of_palette(ctx), (brz_instance *)ctx, d);
    monitor_of_palette(ctx)->real.palette->diag(ctx, d);
}

static void monitor_output_diag(brz_output_ctx *ctx, const brz_diag *d)
{
    look_at_diag(monitor_of_output(ctx), (brz_instance *)ctx, d);
    monitor_of_output(ctx)->real.output->diag(ctx, d);
}

static void monitor_transform_diag(brz_transform_ctx *ctx, const brz_diag *d)
{
    look_at_diag(monitor_of_transform(ctx), (brz_instance *)ctx, d);
    monitor_of_transform(ctx)->real.transform->diag(ctx, d);
}

/* ---- samples ------------------------------------------------------------------------------- */

/* Returns the result of a call that emits samples, given the host's own result. */
static brz_rc emitted(brz_ctx *ctx, brz_rc rc)
{
    check_host_monitor *w = monitor_of(ctx);
    w->emissions++;
    if (w->stop_at == 0 || w->emissions < w->stop_at)
        return rc;
    w->after_stop += w->emissions > w->stop_at;
    return BRZ_STOP;
}

static brz_rc monitor_emit(brz_ctx *ctx, const brz_frame *frames, size_t n, int64_t value,
                           uint32_t flags)
{
    return emitted(ctx, monitor_of(ctx)->real.collapser->emit(ctx, frames, n, value, flags));
}

/* Examines the tag and the time of a count or a sample. */
static void look_at_place(check_host_monitor *w, brz_tag tag, uint32_t flags)
{
    w->tagged += tag != BRZ_NO_TAG;
    w->timed += (flags & BRZ_TIMED) != 0;
}

/* Examines the values of a sample or an event. */
static void look_at_values(check_host_monitor *w, const brz_values *v)
{
    if (v != NULL && BRZ_HAS(v, brz_values, reserved))
        look_at_place(w, v->tag, v->flags);
}

static brz_rc monitor_sample(brz_ctx *ctx, const brz_frame *frames, size_t n, uint32_t flags,
                             const brz_values *v)
{
    look_at_values(monitor_of(ctx), v);
    return emitted(ctx, monitor_of(ctx)->real.collapser->sample(ctx, frames, n, flags, v));
}

static brz_rc monitor_add(brz_ctx *ctx, const brz_count *counts, size_t n, size_t size)
{
    for (size_t i = 0; i < n && counts != NULL && size >= sizeof *counts; i++) {
        const brz_count *k = (const brz_count *)((const char *)counts + i * size);
        look_at_place(monitor_of(ctx), k->tag, k->flags);
    }
    return emitted(ctx, monitor_of(ctx)->real.collapser->add(ctx, counts, n, size));
}

/* Examines a stack that is to share frames with the last one. */
static void look_at_nested(check_host_monitor *w, const brz_frame *frames, size_t n)
{
    size_t both = n < w->n_stored ? n : w->n_stored;
    if (both > 0 && memcmp(frames, w->stored, both * sizeof *frames) != 0)
        find_fault(w, 56, "host->stack: BRZ_NESTED, but neither stack begins with the other",
                   brz_str_of("", 0));
}

static brz_stack monitor_stack(brz_ctx *ctx, const brz_frame *frames, size_t n, uint32_t flags,
                               const brz_frame **stored)
{
    check_host_monitor *w = monitor_of(ctx);
    const brz_frame *copy = stored == NULL ? NULL : *stored;
    if ((flags & BRZ_NESTED) && frames != NULL && copy != NULL && copy == w->stored)
        look_at_nested(w, frames, n);
    brz_stack s = w->real.collapser->stack(ctx, frames, n, flags, &copy);
    w->stored = flags & BRZ_LEAF_FIRST ? NULL : copy;
    w->n_stored = frames == NULL ? 0 : n;
    if (stored != NULL)
        *stored = copy;
    return s;
}

static brz_rc monitor_enter(brz_ctx *ctx, uint64_t track, brz_frame frame, const brz_values *at)
{
    look_at_values(monitor_of(ctx), at);
    return emitted(ctx, monitor_of(ctx)->real.collapser->enter(ctx, track, frame, at));
}

static brz_rc monitor_leave(brz_ctx *ctx, uint64_t track, const brz_values *at)
{
    look_at_values(monitor_of(ctx), at);
    return emitted(ctx, monitor_of(ctx)->real.collapser->leave(ctx, track, at));
}

static bool monitor_stopped(brz_ctx *ctx)
{
    const check_host_monitor *w = monitor_of(ctx);
    return w->stop_at > 0 && w->emissions >= w->stop_at;
}

/* ---- files --------------------------------------------------------------------------------- */

/* Answers as the monitor is set to. An open file is empty. */
static int32_t monitor_open_related(brz_ctx *ctx, brz_str name, uint32_t flags,
                                    brz_related_file *file)
{
    static const uint8_t slack[BRZ_SLACK_FRONT + BRZ_SLACK_BACK];
    check_host_monitor *w = monitor_of(ctx);
    w->related_calls++;
    if (w->related < 0 || file == NULL || !BRZ_HAS(file, brz_related_file, path))
        return w->real.collapser->open_related(ctx, name, flags, file);
    bool is_open = w->related == BRZ_RELATED_OPENED;
    file->data = is_open ? slack + BRZ_SLACK_FRONT : NULL;
    file->len = 0;
    file->path = is_open ? BRZ_STR("/empty") : brz_str_of(NULL, 0);
    return w->related;
}

/* ---- colours ------------------------------------------------------------------------------- */

/* Returns a colour that differs from node to node. */
static uint32_t monitor_color(brz_output_ctx *ctx, const brz_tree *tree, uint32_t node)
{
    check_host_monitor *w = monitor_of_output(ctx);
    w->colors++;
    if (node >= tree->n_nodes || node >= w->n_nodes) {
        find_fault(w, 50, "host->color was asked for a node that is not there", brz_str_of("", 0));
        return BRZ_COLOR_NONE;
    }
    if (!w->wants_color)
        find_fault(w, 50, "host->color was called without BRZ_OUTPUT_COLOR", brz_str_of("", 0));
    return BRZ_RGB(200 + node % 50, 80 + node % 97, node % 61);
}

static void monitor_background(brz_output_ctx *ctx, uint32_t colors[2])
{
    (void)ctx;
    colors[0] = BRZ_RGB(0xee, 0xee, 0xee);
    colors[1] = BRZ_RGB(0xee, 0xee, 0xb0);
}

/* Adds an entry whose name contains markup, as a palette's may. */
static void monitor_legend(brz_output_ctx *ctx, const brz_tree *tree, brz_legend *legend)
{
    (void)ctx;
    (void)tree;
    legend->add(legend, BRZ_RGB(1, 2, 3), BRZ_STR("kernel & <others>"));
    legend->add(legend, BRZ_RGB(4, 5, 6), BRZ_STR("\"quoted\""));
}

/* ---- life cycle ---------------------------------------------------------------------------- */

static void init_collapser(check_host_monitor *w, brz_instance *i)
{
    w->real.collapser = i->ctx.host;
    w->collapser = *w->real.collapser;
    w->collapser.diag = monitor_diag;
    w->collapser.emit = monitor_emit;
    w->collapser.sample = monitor_sample;
    w->collapser.stack = monitor_stack;
    w->collapser.add = monitor_add;
    w->collapser.enter = monitor_enter;
    w->collapser.leave = monitor_leave;
    w->collapser.stopped = monitor_stopped;
    w->collapser.open_related = monitor_open_related;
    i->ctx.host = &w->collapser;
}

static void init_palette(check_host_monitor *w, brz_instance *i)
{
    w->real.palette = i->palette_ctx.host;
    w->palette = *w->real.palette;
    w->palette.diag = monitor_palette_diag;
    i->palette_ctx.host = &w->palette;
}

static void init_output(check_host_monitor *w, brz_instance *i)
{
    w->real.output = i->output_ctx.host;
    w->output = *w->real.output;
    w->output.diag = monitor_output_diag;
    w->output.color = monitor_color;
    w->output.background = monitor_background;
    w->output.legend = monitor_legend;
    i->output_ctx.host = &w->output;
}

static void init_transform(check_host_monitor *w, brz_instance *i)
{
    w->real.transform = i->transform_ctx.host;
    w->transform = *w->real.transform;
    w->transform.diag = monitor_transform_diag;
    i->transform_ctx.host = &w->transform;
}

void check_host_monitor_init(check_host_monitor *w, brz_instance *i, unsigned newer)
{
    uint32_t kind = i->loaded->component->kind;
    memset(w, 0, sizeof *w);
    memset(w->bytes, 0xa5, sizeof w->bytes);
    w->related = -1;
    if (kind == BRZ_COLLAPSER)
        init_collapser(w, i);
    else if (kind == BRZ_PALETTE)
        init_palette(w, i);
    else if (kind == BRZ_OUTPUT)
        init_output(w, i);
    else
        init_transform(w, i);
    if (kind == BRZ_COLLAPSER && (newer & CHECK_ODD_FLAGS))
        i->ctx.flags |= CHECK_ODD_FLAG;
    if (!(newer & CHECK_LONGER))
        return;
    w->collapser.struct_size += 64; /* the tables begin with the same members */
    w->collapser.abi_minor = 99;
    i->ctx.struct_size += 64; /* the memory there belongs to the instance */
    if (kind == BRZ_COLLAPSER)
        i->ctx.reserved = 0xa5a5a5a5u;
}

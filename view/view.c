/* SPDX-License-Identifier: MIT */
/* The viewer as an output of a run. */
#include "view/view.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/version.h"
#include "view/changes.h"
#include "view/help.h"
#include "view/keys.h"
#include "view/memory.h"
#include "view/picture.h"
#include "view/table_screen.h"
#include "view/terminal.h"
#include "view/terminal_guard.h"

/* Milliseconds after which the viewer looks whether the run is to stop. */
#define PATIENCE 200

/* The same while a change is being made. */
#define SHORT_PATIENCE 20

static void paint_flame_graph(viewer *v)
{
    viewer_lay_out(v);
    view_paint_picture(v);
}

static void paint(viewer *v)
{
    view_screen_clear(v->screen);
    if (v->is_helping)
        view_paint_help(v);
    else if (v->mode == VIEW_TABLE)
        view_paint_table(v);
    else
        paint_flame_graph(v);
    if (!v->is_helping)
        view_paint_status(v);
    view_screen_show(v->screen);
}

/* Returns whether a newer profile is to be shown. A change that is being made comes first. */
static bool is_due(const viewer *v)
{
    const brz_view_live *live = v->live;
    return live != NULL && live->is_due(live->context, v->is_paused) &&
           v->prompt == VIEW_PROMPT_NONE && v->making == NULL;
}

/* Returns the next key, VIEW_KEY_CLOSED if the run is to stop, or VIEW_KEY_CHANGED if a change is
 * complete. Returns VIEW_KEY_NONE if a newer profile is due. */
static uint32_t wait_for_key(viewer *v)
{
    uint32_t key = VIEW_KEY_NONE;
    while (key == VIEW_KEY_NONE && !is_due(v)) {
        key = view_screen_key(v->screen, v->making != NULL ? SHORT_PATIENCE : PATIENCE);
        if (v->ctx->host->stopped(v->ctx))
            return VIEW_KEY_CLOSED;
        if (key == VIEW_KEY_NONE && view_change_is_due(v))
            return VIEW_KEY_CHANGED;
    }
    return key;
}

/* Shows a profile until the user quits, or a newer one is due. */
static void show(viewer *v)
{
    uint32_t key;
    do {
        view_change_complete(v);
        paint(v);
        key = wait_for_key(v);
        if (key != VIEW_KEY_NONE && key != VIEW_KEY_CHANGED)
            view_key(v, key);
    } while (!v->ends && key != VIEW_KEY_NONE);
}

static void finish(viewer *v)
{
    view_change_cancel(v);
    view_screen_close(v->screen);
    view_search_clear(&v->search);
    view_table_finish(&v->table);
    view_layout_finish(&v->layout);
    view_layout_finish(&v->other_layout);
    view_places_finish(&v->places);
    brz_buf_finish(&v->input);
    brz_buf_finish(&v->message);
    brz_arena_finish(&v->memory);
}

/* Opens the terminal. Returns false after reporting that it cannot be opened. */
static bool open_screen(viewer *v, brz_output_ctx *ctx)
{
    brz_buf error = {0};
    v->screen = view_screen_open(&error);
    if (v->screen == NULL)
        brz_output_report(ctx, BRZ_FATAL, "view.terminal", brz_str_of(error.data, error.len));
    brz_buf_finish(&error);
    return v->screen != NULL;
}

/* Shows the first profile. */
static void begin(viewer *v, brz_output_ctx *ctx, const brz_tree *tree)
{
    v->ctx = ctx;
    short_names_init(&v->names, ctx);
    view_places_init(&v->places, view_graph_create(tree));
    view_search_clear(&v->search);
    view_change_begin(v);
}

static brz_rc view_tree(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    viewer v = {0};
    (void)sink;
    if (!open_screen(&v, ctx))
        return BRZ_ERROR;
    begin(&v, ctx, tree);
    show(&v);
    finish(&v);
    return BRZ_OK;
}

/* ---- profiles that grow -------------------------------------------------------------------- */

/* The viewer between two profiles. */
typedef struct live_viewer {
    viewer v; /* must be first */
    view_memory memory;
} live_viewer;

/* Ends the viewer; it shows no profile. */
static void close_live(brz_view_live *live)
{
    live_viewer *l = (live_viewer *)live->viewer;
    if (l == NULL)
        return;
    finish(&l->v);
    view_memory_finish(&l->memory);
    free(l);
    live->viewer = NULL;
}

/* Returns the viewer after it has shown the first profile, or opens it. Returns NULL after an
 * error. */
static live_viewer *open_live(brz_view_live *live, brz_output_ctx *ctx, const brz_tree *tree)
{
    live_viewer *l = (live_viewer *)live->viewer;
    if (l != NULL) {
        l->v.ctx = ctx;
        short_names_init(&l->v.names, ctx);
        brz_buf_clear(&l->v.message); /* it was about the picture before */
        view_memory_restore(&l->memory, &l->v, tree);
        return l;
    }
    l = brz_calloc(1, sizeof *l);
    if (!open_screen(&l->v, ctx)) {
        free(l);
        return NULL;
    }
    l->v.live = live;
    live->viewer = &l->v;
    begin(&l->v, ctx, tree);
    return l;
}

static brz_rc view_live_tree(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    brz_view_live *live = *(brz_view_live *const *)ctx->cfg;
    live_viewer *l = open_live(live, ctx, tree);
    (void)sink;
    if (l == NULL) {
        live->is_closed = true;
        return BRZ_ERROR;
    }
    show(&l->v);
    view_change_cancel(&l->v);
    view_memory_keep(&l->memory, &l->v);
    live->is_closed = l->v.ends;
    return BRZ_OK;
}

static const char *const endings[] = {NULL};

static const brz_output output = {
    .struct_size = sizeof output,
    .flags = BRZ_OUTPUT_NODES | BRZ_OUTPUT_STACKS | BRZ_OUTPUT_COLOR | BRZ_OUTPUT_FUNCTIONS,
    .media_type = "text/plain",
    .endings = endings,
    .write = view_tree,
};

static const brz_output live_output = {
    .struct_size = sizeof live_output,
    .flags = BRZ_OUTPUT_NODES | BRZ_OUTPUT_STACKS | BRZ_OUTPUT_COLOR | BRZ_OUTPUT_FUNCTIONS,
    .media_type = "text/plain",
    .endings = endings,
    .write = view_live_tree,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_OUTPUT,
    .id = "view",
    .summary = "a flame graph in the terminal",
    .option_size = sizeof(brz_option),
    .vtable = &output,
};

static const brz_loaded loaded = {
    .component = &component,
    .vtable = &output,
    .plugin = "view",
    .version = "",
    .path = "brazier",
    .is_shipped = true,
};

static const brz_component live_component = {
    .struct_size = sizeof live_component,
    .kind = BRZ_OUTPUT,
    .id = "view",
    .summary = "a flame graph in the terminal that grows",
    .option_size = sizeof(brz_option),
    .vtable = &live_output,
};

static const brz_loaded loaded_live = {
    .component = &live_component,
    .vtable = &live_output,
    .plugin = "view",
    .version = "",
    .path = "brazier",
    .is_shipped = true,
};

const brz_view *brz_view_linked(void)
{
    static const brz_view view = {
        .version = BRZ_VERSION,
        .output = &loaded,
        .live_output = &loaded_live,
        .close_live = close_live,
        .check = view_terminal_check,
        .guard = view_terminal_guard,
        .set_out_of_memory = brz_set_out_of_memory,
    };
    return &view;
}

/* The viewer as an output of a run. */
#include "view/view.h"

#include "base/version.h"
#include "view/help.h"
#include "view/keys.h"
#include "view/picture.h"
#include "view/table_screen.h"
#include "view/terminal.h"

/* Milliseconds after which the viewer looks whether the run is to stop. */
#define PATIENCE 200

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

/* Returns the next key, or VIEW_KEY_CLOSED if the run is to stop. */
static uint32_t wait_for_key(viewer *v)
{
    uint32_t key = VIEW_KEY_NONE;
    while (key == VIEW_KEY_NONE) {
        key = view_screen_key(v->screen, PATIENCE);
        if (v->ctx->host->stopped(v->ctx))
            return VIEW_KEY_CLOSED;
    }
    return key;
}

static void show(viewer *v)
{
    while (!v->ends) {
        paint(v);
        view_key(v, wait_for_key(v));
    }
}

static void finish(viewer *v)
{
    view_screen_close(v->screen);
    view_search_clear(&v->search);
    view_table_finish(&v->table);
    view_layout_finish(&v->layout);
    view_layout_finish(&v->other_layout);
    view_places_finish(&v->places);
    brz_buf_finish(&v->input);
    brz_buf_finish(&v->message);
}

static brz_rc view_tree(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    viewer v = {.ctx = ctx};
    brz_buf error = {0};
    (void)sink;
    v.screen = view_screen_open(&error);
    if (v.screen == NULL) {
        brz_output_report(ctx, BRZ_FATAL, "view.terminal", brz_str_of(error.data, error.len));
        brz_buf_finish(&error);
        return BRZ_ERROR;
    }
    short_names_init(&v.names, ctx);
    view_places_init(&v.places, view_graph_create(tree));
    view_search_clear(&v.search);
    show(&v);
    finish(&v);
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

const brz_view *brz_view_linked(void)
{
    static const brz_view view = {
        .version = BRZ_VERSION,
        .output = &loaded,
        .check = view_terminal_check,
    };
    return &view;
}

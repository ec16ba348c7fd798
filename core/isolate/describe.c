/* SPDX-License-Identifier: MIT */
/* Describes plug-ins without running their code in this process.
 *
 * One child loads several plug-ins, since a process costs more than loading. For each plug-in, it
 * sends a record for each step, a 1 with the result and the detail, then a 0 and, if all steps
 * passed, the description. A plug-in that fails in company is loaded once more by a child of its
 * own, which decides: another one may be the reason.
 */
#include "isolate/describe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "isolate/description.h"
#include "isolate/isolate.h"

/* Limit on what a child sends about a plug-in. */
#define MOST_BYTES ((uint64_t)16 << 20)

/* Memory of a child, in addition to that of this process. */
#define MEMORY ((uint64_t)1 << 30)

/* Seconds for several plug-ins, after which those that remain get another child. */
#define SECONDS_IN_COMPANY 2

/* The state in both processes. */
typedef struct work {
    brz_describing *const *items;
    size_t n;
    brz_arena *memory;
    size_t at;     /* the item that the parent reads */
    size_t n_done; /* steps that the child did for it */
    bool is_refused;
} work;

/* ---- in the child --------------------------------------------------------------------------- */

static void send_step(void *out, const brz_step *step)
{
    brz_wire_put_u32(out, 1);
    brz_wire_put_u32(out, step->passed);
    brz_wire_put_str(out, brz_buf_str(&step->detail));
    brz_wire_flush(out); /* the next step may end the process */
}

static void load_and_describe(void *context, brz_run *run, brz_wire_out *out)
{
    const work *w = context;
    brz_arena memory = {0};
    (void)run;
    for (size_t i = 0; i < w->n; i++) {
        brz_steps steps = {.end = send_step, .watcher = out};
        bool good = brz_plugin_open(&w->items[i]->file, &memory, &steps);
        brz_wire_put_u32(out, 0);
        if (good)
            brz_description_put(out, &w->items[i]->file);
    }
}

/* ---- in the parent -------------------------------------------------------------------------- */

/* Reads the record of a step. Returns false after the last one, or after a fault. */
static bool take_step(work *w, brz_wire_in *in)
{
    uint32_t more, passed;
    const char *name = brz_plugin_open_step(w->n_done);
    if (!brz_wire_take_u32(in, &more) || more == 0 || !brz_wire_take_u32(in, &passed))
        return false;
    if (name == NULL || more != 1)
        return brz_wire_reject(in, "a step too many");
    brz_buf detail = {0};
    if (brz_wire_take_str(in, &detail)) {
        brz_buf plain = {0};
        brz_add_printable(&plain, brz_buf_str(&detail));
        brz_steps_add(&w->items[w->at]->steps, name, passed != 0, brz_buf_str(&plain));
        brz_buf_finish(&plain);
        w->n_done++;
    }
    brz_buf_finish(&detail);
    w->is_refused = passed == 0;
    return in->fault == NULL && passed != 0;
}

/* Checks the description as if the plug-in were loaded here. */
static bool check_description(work *w, const brz_plugin *entry)
{
    brz_buf why = {0};
    brz_describing *item = w->items[w->at];
    item->good = brz_plugin_accept_description(&item->file, entry, w->memory, &why);
    if (!item->good)
        brz_steps_add(&item->steps, "description", false, brz_buf_str(&why));
    w->is_refused = !item->good;
    brz_buf_finish(&why);
    return item->good;
}

/* Reads what the child says about a plug-in. Returns whether that is good. */
static bool take_item(work *w, brz_wire_in *in)
{
    const char *left_out;
    w->n_done = 0;
    w->is_refused = false;
    in->left = MOST_BYTES;
    while (take_step(w, in))
        ;
    if (in->fault == NULL && !w->is_refused && brz_plugin_open_step(w->n_done) != NULL)
        brz_wire_reject(in, "a step is missing");
    if (in->fault != NULL || w->is_refused)
        return false;
    const brz_plugin *entry = brz_description_take(in, w->memory, &left_out);
    if (entry == NULL || !check_description(w, entry))
        return false;
    w->items[w->at]->file.left_out = left_out;
    return true;
}

static void take_items(void *context, brz_wire_in *in)
{
    work *w = context;
    while (w->at < w->n && take_item(w, in))
        w->at++;
}

/* Removes " in plug-in PATH, STEP" from the end of a message about a crash. */
static void shorten(brz_buf *why, const char *path, const char *step)
{
    brz_buf tail = {0};
    brz_buf_printf(&tail, " in plug-in %s, %s", path, step);
    if (why->len > tail.len && memcmp(why->data + why->len - tail.len, tail.data, tail.len) == 0) {
        why->len -= tail.len;
        why->data[why->len] = '\0';
    }
    brz_buf_finish(&tail);
}

/* Records that the child ended during a step. */
static void add_end(work *w, brz_buf *why)
{
    brz_describing *item = w->items[w->at];
    const char *step = brz_plugin_open_step(w->n_done);
    step = step != NULL ? step : "components";
    shorten(why, item->path, step);
    brz_steps_add(&item->steps, step, false, brz_buf_str(why));
}

/* Returns the folders of the items, a list that ends with NULL, and their texts in memory of the
 * arena. The caller frees the list. */
static const char **folders_of(const work *w)
{
    const char **folders = brz_calloc(w->n + 1, sizeof(const char *));
    size_t n = 0;
    for (size_t i = 0; i < w->n; i++) {
        const char *path = w->items[i]->path, *slash = strrchr(path, '/');
        brz_str folder = brz_str_of(path, (size_t)(slash - path) + 1);
        if (n == 0 || !brz_str_is(folder, folders[n - 1]))
            folders[n++] = brz_arena_str(w->memory, folder).data;
    }
    return folders;
}

/* Runs a child until the first item that is not good, at which w->at is then. */
static void run_child(work *w, unsigned seconds, brz_buf *why)
{
    brz_console console = {.out = NULL};
    brz_run run = {.console = &console};
    const char **folders = folders_of(w);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const brz_isolated task = {.run = &run,
                               .name = w->items[0]->path,
                               .input = nothing,
                               .threads = 1,
                               .memory = MEMORY,
                               .load = load_and_describe,
                               .folders = folders,
                               .take = take_items,
                               .context = w,
                               .seconds = seconds,
                               .why = why};
    errno = 0;
    brz_isolate(&task);
    if (w->at < w->n)
        w->items[w->at]->steps.error = brz_system_failure(errno);
    if (nothing >= 0)
        close(nothing);
    free(folders);
}

/* Describes as many plug-ins as possible, in order, by one child. Returns their number. What it
 * says about the next one does not count. */
static size_t describe_in_company(brz_describing *const *items, size_t n, brz_arena *memory)
{
    work w = {.items = items, .n = n, .memory = memory};
    brz_buf why = {0};
    run_child(&w, SECONDS_IN_COMPANY, &why);
    brz_buf_finish(&why);
    if (w.at < n)
        brz_steps_keep(&items[w.at]->steps, BRZ_STEPS_INSPECTING);
    return w.at;
}

/* Describes a plug-in by a child of its own. */
static void describe_alone(brz_describing *const *item, brz_arena *memory)
{
    work w = {.items = item, .n = 1, .memory = memory};
    brz_buf why = {0};
    run_child(&w, BRZ_DESCRIBE_SECONDS, &why);
    if (w.at == 0 && !w.is_refused)
        add_end(&w, &why);
    brz_buf_finish(&why);
}

void brz_describe_plugins(brz_describing *items, size_t n, brz_tier tier, brz_program *program,
                          brz_arena *memory)
{
    brz_describing **inspected = brz_calloc(n, sizeof(brz_describing *));
    size_t n_inspected = 0;
    for (size_t i = 0; i < n; i++)
        if (brz_plugin_inspect(items[i].path, tier, program, memory, &items[i].file,
                               &items[i].steps))
            inspected[n_inspected++] = &items[i];
    for (size_t i = 0; i < n_inspected; i++) {
        if (n_inspected - i > 1)
            i += describe_in_company(inspected + i, n_inspected - i, memory);
        if (i < n_inspected)
            describe_alone(inspected + i, memory);
    }
    free(inspected);
}

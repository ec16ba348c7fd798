/* Describes a plug-in without running its code in this process.
 *
 * The child sends a record for each step, a 1 with the result and the detail, then a 0 and, if all
 * steps passed, the description.
 */
#include "isolate/describe.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "isolate/description.h"
#include "isolate/isolate.h"

/* Limit on what a child sends. */
#define MOST_BYTES ((uint64_t)16 << 20)

/* Memory of a child, in addition to that of this process. */
#define MEMORY ((uint64_t)1 << 30)

/* The state in both processes. */
typedef struct work {
    brz_plugin_file *file;
    brz_arena *memory;
    brz_steps *steps;
    size_t n_done; /* steps that the child did, in the parent */
    bool is_refused;
    const brz_plugin *entry;
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
    brz_steps steps = {.end = send_step, .watcher = out};
    (void)run;
    bool good = brz_plugin_open(w->file, &memory, &steps);
    brz_wire_put_u32(out, 0);
    if (good)
        brz_description_put(out, w->file);
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
        brz_steps_add(w->steps, name, passed != 0, brz_buf_str(&plain));
        brz_buf_finish(&plain);
        w->n_done++;
    }
    brz_buf_finish(&detail);
    w->is_refused = passed == 0;
    return in->fault == NULL && passed != 0;
}

static void take_description(void *context, brz_wire_in *in)
{
    work *w = context;
    in->left = MOST_BYTES;
    while (take_step(w, in))
        ;
    if (in->fault == NULL && !w->is_refused && brz_plugin_open_step(w->n_done) != NULL)
        brz_wire_reject(in, "a step is missing");
    if (in->fault == NULL && !w->is_refused)
        w->entry = brz_description_take(in, w->memory);
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
    const char *step = brz_plugin_open_step(w->n_done);
    step = step != NULL ? step : "components";
    shorten(why, w->file->path, step);
    brz_steps_add(w->steps, step, false, brz_buf_str(why));
}

/* Runs the child. Returns whether it described the plug-in. */
static bool run_child(work *w, const char *folder, int input)
{
    brz_buf why = {0};
    brz_console console = {.out = NULL};
    brz_run run = {.console = &console};
    const char *const folders[] = {folder, NULL};
    const brz_isolated task = {.run = &run,
                               .name = w->file->path,
                               .input = input,
                               .threads = 1,
                               .memory = MEMORY,
                               .load = load_and_describe,
                               .folders = folders,
                               .take = take_description,
                               .context = w,
                               .seconds = BRZ_DESCRIBE_SECONDS,
                               .why = &why};
    errno = 0;
    bool good = brz_isolate(&task) == BRZ_ISOLATED_DONE && w->entry != NULL;
    w->steps->error = good ? 0 : brz_system_failure(errno);
    if (!good && !w->is_refused)
        add_end(w, &why);
    brz_buf_finish(&why);
    return good;
}

/* Checks the description as if the plug-in were loaded here. */
static bool check_description(work *w)
{
    brz_buf why = {0};
    bool good = brz_plugin_accept_description(w->file, w->entry, w->memory, &why);
    if (!good)
        brz_steps_add(w->steps, "description", false, brz_buf_str(&why));
    brz_buf_finish(&why);
    return good;
}

static bool describe_in_child(work *w)
{
    const char *path = w->file->path, *slash = strrchr(path, '/');
    brz_buf folder = {0};
    brz_buf_add(&folder, path, (size_t)(slash - path) + 1);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    bool good = run_child(w, brz_buf_text(&folder), nothing);
    if (nothing >= 0)
        close(nothing);
    brz_buf_finish(&folder);
    return good;
}

bool brz_describe_plugin(const char *path, brz_tier tier, brz_program *program, brz_arena *memory,
                         brz_plugin_file *file, brz_steps *steps)
{
    work w = {.file = file, .memory = memory, .steps = steps};
    return brz_plugin_inspect(path, tier, program, memory, file, steps) && describe_in_child(&w) &&
           check_description(&w);
}

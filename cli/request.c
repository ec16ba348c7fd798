/* How a request is put together from words. */
#include "cli.h"
#include "interrupt.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "progress_line.h"
#include "base/suggest.h"
#include "collapse/collapse_options.h"
#include "plugin/options.h"

enum {
    OPT_FROM = 100,
    OPT_JOBS,
    OPT_CHUNK_SIZE,
    OPT_AS_IT_WAS,
    OPT_RANGE_SIZE,
    OPT_ISOLATE,
    OPT_NO_ISOLATE,
    OPT_MAX_MEMORY,
    OPT_MAX_TIME,
    OPT_OUTPUT,
    OPT_TO,
    OPT_PALETTE,
    OPT_PALETTE_MAP,
    OPT_CP,
    OPT_DIFFUSION,
    OPT_NO_DIFFUSION,
    OPT_NEGATE,
    OPT_SET,
    OPT_WEIGHT,
    OPT_TRANSFORM,
    OPT_DEMANGLE,
    OPT_BASE_ON,
    OPT_DELTAS,
    OPT_FLAMECHART,
    OPT_FLAMECHART_BACK,
};

const cli_option cli_input_options[] = {
    {"from", 'f', "FORMAT", "the input's format [guess]", OPT_FROM},
    {"jobs", 'j', "N", "threads [one per processor]", OPT_JOBS},
    {"isolate", 0, NULL, "read each input in a process of its own that can do no harm",
     OPT_ISOLATE},
    {"no-isolate", 0, NULL, NULL, OPT_NO_ISOLATE},
    {"max-memory", 0, "SIZE", "end the run when it takes more memory, such as 512M",
     OPT_MAX_MEMORY},
    {"max-time", 0, "DURATION", "end the run when it takes longer, such as 90s", OPT_MAX_TIME},
    {"as-it-was", 0, NULL, NULL, OPT_AS_IT_WAS},
    {"chunk-size", 0, "SIZE", NULL, OPT_CHUNK_SIZE},
    {"range-size", 0, "SIZE", NULL, OPT_RANGE_SIZE},
    {NULL, 0, NULL, NULL, 0},
};

const cli_option cli_transform_options[] = {
    {"demangle", 0, "MODE", "Rust and C++ names: auto, full (with parameters), none [auto]",
     OPT_DEMANGLE},
    {"keep", 0, "REGEX", "keep only stacks with a frame that matches", OPT_TRANSFORM},
    {"drop", 0, "REGEX", "leave out stacks with a frame that matches", OPT_TRANSFORM},
    {"hide", 0, "REGEX", "take frames that match out of their stacks", OPT_TRANSFORM},
    {"skip-after", 0, "NAME", "make the innermost frame of that name the root", OPT_TRANSFORM},
    {"base", 0, "NAME", "the same, and leave out stacks without it", OPT_TRANSFORM},
    {"reverse", 0, NULL, "turn stacks over: leaves become roots", OPT_TRANSFORM},
    {"merge-recursion", 0, NULL, "make one frame of a function that calls itself", OPT_TRANSFORM},
    {"rename", 0, "REGEX=>TEXT", "replace what matches in names", OPT_TRANSFORM},
    {"strip-module", 0, NULL, "take modules off names (libc`malloc)", OPT_TRANSFORM},
    {NULL, 0, NULL, NULL, 0},
};

const cli_option cli_output_options[] = {
    {"output", 'o', "FILE", "where to write; its ending chooses the format; - is stdout",
     OPT_OUTPUT},
    {"to", 't', "FORMAT", "the output's format, whatever the ending", OPT_TO},
    {"palette", 'p', "NAME[,NAME...]", "the palettes, the first with an opinion counts [hot]",
     OPT_PALETTE},
    {"palette-map", 0, "FILE", "keep colours of names there, from picture to picture",
     OPT_PALETTE_MAP},
    {"cp", 0, NULL, "the same, in palette.map", OPT_CP},
    {"diffusion", 0, NULL, "make narrow frames pale, whatever the palette", OPT_DIFFUSION},
    {"no-diffusion", 0, NULL, NULL, OPT_NO_DIFFUSION},
    {"flamechart", 0, NULL, "in the order of the input: time from left to right", OPT_FLAMECHART},
    {"flamechart-back", 0, NULL, "the same, with time from right to left", OPT_FLAMECHART_BACK},
    {"weight", 'w', "NAME", "which of the input's weights to show [the first]", OPT_WEIGHT},
    {"set", 's', "COMPONENT.OPTION=VALUE", "set an option of a component", OPT_SET},
    {NULL, 0, NULL, NULL, 0},
};

const cli_option cli_compare_options[] = {
    {"base-on", 0, "SIDE", "whose weights say how wide frames are: after, before, both [after]",
     OPT_BASE_ON},
    {"negate", 0, NULL, "show in pictures what became lighter as if it became heavier", OPT_NEGATE},
    {"deltas", 0, "OF", "differences of a frame and what it calls: total; of itself: self [total]",
     OPT_DELTAS},
    {NULL, 0, NULL, NULL, 0},
};

void cli_print_section(FILE *out, const char *heading, const cli_option *table)
{
    fprintf(out, "\n%s:\n", heading);
    cli_print_options(out, table);
}

/* ---- collecting ---------------------------------------------------------------------------- */

void cli_request_input(cli_request *r, const char *file)
{
    r->inputs = brz_grow(r->inputs, r->n_inputs, &r->inputs_cap, sizeof *r->inputs);
    r->inputs[r->n_inputs++] = file;
}

static void add_output(cli_request *r, const char *file)
{
    r->outputs = brz_grow(r->outputs, r->n_outputs, &r->outputs_cap, sizeof *r->outputs);
    r->outputs[r->n_outputs++] = file;
}

void cli_request_transform(cli_request *r, cli_transform t)
{
    r->transforms = brz_grow(r->transforms, r->n_transforms, &r->transforms_cap, sizeof t);
    r->transforms[r->n_transforms++] = t;
}

static const char *keep_text(cli_request *r, const char *text, size_t len)
{
    return brz_arena_str(&r->text, brz_str_of(text, len)).data;
}

/* A copy of both in one. */
static const char *keep_joined(cli_request *r, const char *first, const char *second)
{
    brz_buf b = {0};
    brz_buf_printf(&b, "%s%s", first, second);
    const char *kept = keep_text(r, b.data, b.len);
    brz_buf_finish(&b);
    return kept;
}

/* `option` and `origin` are kept already, `value` is a word. */
static void add_setting(cli_request *r, const char *option, const char *value, const char *origin)
{
    r->settings = brz_grow(r->settings, r->n_settings, &r->settings_cap, sizeof *r->settings);
    r->settings[r->n_settings++] = (cli_setting){option, value, origin};
}

bool cli_request_setting(cli_request *r, const char *text, brz_console *console)
{
    const char *equals = strchr(text, '=');
    const char *dot = equals == NULL ? NULL : memchr(text, '.', (size_t)(equals - text));
    if (dot == NULL || dot == text || dot + 1 == equals) {
        brz_say(console, BRZ_FATAL, "--set takes COMPONENT.OPTION=VALUE, not '%s'", text);
        return false;
    }
    add_setting(r, keep_text(r, text, (size_t)(equals - text)), equals + 1,
                keep_joined(r, "--set ", text));
    return true;
}

static bool add_requested_transform(cli_request *r, const cli_args *a)
{
    cli_transform t = {.name = a->option->name, .origin = keep_joined(r, "--", a->option->name)};
    t.n_args = a->option->value != NULL;
    t.args[0] = a->value;
    if (strcmp(t.name, "rename") == 0) {
        const char *arrow = strstr(a->value, "=>");
        if (arrow == NULL) {
            brz_say(a->console, BRZ_FATAL, "--rename takes REGEX=>TEXT, not '%s'", a->value);
            return false;
        }
        t.args[0] = keep_text(r, a->value, (size_t)(arrow - a->value));
        t.args[1] = arrow + 2;
        t.n_args = 2;
    }
    cli_request_transform(r, t);
    return true;
}

static bool take_number(const cli_args *a, unsigned long least, unsigned long most,
                        unsigned long *n)
{
    bool digits = a->value[0] != '\0' && strspn(a->value, "0123456789") == strlen(a->value);
    *n = digits ? strtoul(a->value, NULL, 10) : 0;
    if (digits && *n >= least && *n <= most)
        return true;
    brz_say(a->console, BRZ_FATAL, "--%s takes a number from %lu to %lu, not '%s'", a->option->name,
            least, most, a->value);
    return false;
}

static bool take_jobs(cli_request *r, const cli_args *a)
{
    unsigned long n;
    bool good = take_number(a, 0, 1024, &n);
    r->options.threads = good && n == 0 ? 1 : (uint32_t)n;
    return good;
}

static bool take_size(const cli_args *a, uint64_t *size)
{
    unsigned long n = 0;
    bool good = take_number(a, 1, BRZ_LARGEST_CHUNK, &n);
    *size = n;
    return good;
}

/* Takes a limit; false after a message if the value is none. */
static bool take_limit(const cli_args *a, bool (*parse)(brz_str, uint64_t *), const char *what,
                       uint64_t *limit)
{
    if (parse(brz_str_of(a->value, strlen(a->value)), limit) && *limit > 0)
        return true;
    brz_say(a->console, BRZ_FATAL, "--%s takes %s, not '%s'", a->option->name, what, a->value);
    return false;
}

/* The index of a value among the words it may be; -1 after saying which there are. */
static int take_choice(const cli_args *a, const char *const *words)
{
    brz_suggestion near = {.typed = brz_str_of(a->value, strlen(a->value))};
    brz_buf b = {0};
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], a->value) == 0) {
            brz_buf_finish(&b);
            return i;
        }
        brz_suggestion_offer(&near, words[i]);
        brz_buf_printf(&b, "%s%s", i > 0 ? ", " : "", words[i]);
    }
    brz_buf_printf(&b, "; not '%s'", a->value);
    brz_suggestion_add(&near, &b);
    brz_say(a->console, BRZ_FATAL, "--%s takes one of %s", a->option->name, brz_buf_text(&b));
    brz_buf_finish(&b);
    return -1;
}

static bool take_base_on(cli_request *r, const cli_args *a)
{
    static const char *const sides[] = {"after", "before", "both", NULL};
    int side = take_choice(a, sides);
    r->options.base_on = side < 0 ? BRAZIER_BASE_ON_AFTER : (uint32_t)side;
    return side >= 0;
}

static bool take_deltas(cli_request *r, const cli_args *a)
{
    static const char *const deltas[] = {"total", "self", NULL};
    int of = take_choice(a, deltas);
    if (of == 1)
        r->options.flags |= BRAZIER_SELF_DELTAS;
    return of >= 0;
}

/* The last one counts. */
static void set_diffusion(cli_request *r, uint32_t flag)
{
    r->options.flags &= ~(BRAZIER_DIFFUSION | BRAZIER_NO_DIFFUSION);
    r->options.flags |= flag;
}

static void set_isolate(cli_request *r, uint32_t flag)
{
    r->options.flags &= ~(BRAZIER_ISOLATE | BRAZIER_NO_ISOLATE);
    r->options.flags |= flag;
}

/* NOLINTNEXTLINE(readability-function-size): a few lines for each option */
bool cli_request_option(cli_request *r, const cli_args *a)
{
    switch (a->option->id) {
    case OPT_FROM:
        r->options.from = a->value;
        return true;
    case OPT_JOBS:
        return take_jobs(r, a);
    case OPT_CHUNK_SIZE:
        return take_size(a, &r->options.chunk_size);
    case OPT_RANGE_SIZE:
        return take_size(a, &r->options.range_size);
    case OPT_ISOLATE:
        set_isolate(r, BRAZIER_ISOLATE);
        return true;
    case OPT_NO_ISOLATE:
        set_isolate(r, BRAZIER_NO_ISOLATE);
        return true;
    case OPT_MAX_MEMORY:
        return take_limit(a, brz_parse_size, "a size, such as 512M", &r->options.max_memory);
    case OPT_MAX_TIME:
        return take_limit(a, brz_parse_duration, "a duration, such as 90s", &r->options.max_time);
    case OPT_OUTPUT:
        add_output(r, a->value);
        return true;
    case OPT_TO:
        r->options.to = a->value;
        return true;
    case OPT_PALETTE:
        r->options.palette = a->value;
        return true;
    case OPT_PALETTE_MAP:
        r->options.palette_map = a->value;
        return true;
    case OPT_CP:
        r->options.palette_map = "palette.map";
        return true;
    case OPT_DIFFUSION:
        set_diffusion(r, BRAZIER_DIFFUSION);
        return true;
    case OPT_NO_DIFFUSION:
        set_diffusion(r, BRAZIER_NO_DIFFUSION);
        return true;
    case OPT_NEGATE:
        r->options.flags |= BRAZIER_NEGATE;
        return true;
    case OPT_WEIGHT:
        r->options.weight = a->value;
        return true;
    case OPT_AS_IT_WAS:
        r->options.demangle = "none";
        r->options.flags |= BRAZIER_ALLOW_EMPTY;
        return true;
    case OPT_DEMANGLE:
        r->options.demangle = a->value;
        return true;
    case OPT_BASE_ON:
        return take_base_on(r, a);
    case OPT_FLAMECHART:
        r->options.order = BRAZIER_ORDER_TIME;
        return true;
    case OPT_FLAMECHART_BACK:
        r->options.order = BRAZIER_ORDER_TIME_BACK;
        return true;
    case OPT_DELTAS:
        return take_deltas(r, a);
    case OPT_SET:
        return cli_request_setting(r, a->value, a->console);
    default:
        return add_requested_transform(r, a);
    }
}

void cli_suggest_component(brz_session *s, brz_str typed, brz_buf *b)
{
    const brz_loaded *l;
    brz_tier tier;
    bool shadowed;
    brz_suggestion near = {.typed = typed};
    brz_registry_load_all(s->registry, 0);
    for (size_t i = 0; (l = brz_registry_at(s->registry, i, &tier, &shadowed)) != NULL; i++)
        brz_suggestion_offer(&near, l->component->id);
    brz_suggestion_add(&near, b);
}

/* ---- words --------------------------------------------------------------------------------- */

void cli_request_set(cli_request *r, const brz_component *c, const char *option, const char *value,
                     bool if_there, const cli_args *a)
{
    const char *component = keep_joined(r, if_there ? "?" : "", c->id);
    add_setting(r, keep_joined(r, keep_joined(r, component, "."), option), value,
                keep_joined(r, "--", keep_text(r, a->name, a->name_len)));
}

/* ---- terminals ------------------------------------------------------------------------------ */

/* Says that somebody is expected to type, where standard input is named and is a terminal. */
static void say_waiting(brz_session *s, const cli_request *r)
{
    for (size_t i = 0; i < r->n_inputs; i++)
        if (strcmp(r->inputs[i], "-") == 0 && isatty(STDIN_FILENO)) {
            brz_say(&s->console, BRZ_NOTE, "reading from the terminal; Ctrl-D ends the input");
            return;
        }
}

bool cli_check_input(brz_session *s, size_t n_inputs, const char *pipeline)
{
    if (n_inputs > 0 || pipeline != NULL || !isatty(STDIN_FILENO))
        return true;
    brz_say(&s->console, BRZ_FATAL,
            "nothing to read: name a file, or pipe a profile in (- reads what is typed)");
    return false;
}

/* ---- running ------------------------------------------------------------------------------- */

void cli_request_finish(cli_request *r)
{
    free(r->inputs);
    free(r->outputs);
    free(r->settings);
    free(r->transforms);
    brz_arena_finish(&r->text);
}

/* What the words asked for, as a pipeline of the library. */
static brazier_pipeline *make_pipeline(brz_session *s, cli_request *r)
{
    r->options.struct_size = sizeof r->options;
    r->options.flags |=
        BRAZIER_STANDARD_STREAMS | BRAZIER_MAP_FILES | BRAZIER_CHECK_STDOUT | BRAZIER_STRICT_LIMITS;
    brazier_pipeline *p = brazier_pipeline_create(brz_lib_session(s), &r->options);
    for (size_t i = 0; i < r->n_inputs; i++)
        brazier_pipeline_add_input_file(p, r->inputs[i]);
    for (size_t i = 0; i < r->n_outputs; i++)
        brazier_pipeline_add_output_file(p, NULL, r->outputs[i]);
    for (size_t i = 0; i < r->n_settings; i++)
        brazier_pipeline_set(p, r->settings[i].option, r->settings[i].value, r->settings[i].origin);
    for (size_t i = 0; i < r->n_transforms; i++) {
        const cli_transform *t = &r->transforms[i];
        brazier_pipeline_add_transform(p, t->name, t->args, t->n_args, t->origin);
    }
    return p;
}

int cli_request_run(brz_session *s, cli_request *r)
{
    cli_progress_line line;
    bool shown = s->console.verbosity >= 0 && isatty(STDERR_FILENO);
    if (shown) {
        cli_progress_line_init(&line);
        r->options.on_progress = cli_progress_line_show;
        r->options.context = &line;
    }
    brazier_pipeline *p = make_pipeline(s, r);
    say_waiting(s, r);
    cli_interruptible(brz_lib_run(p));
    brazier_status status = brazier_pipeline_run(p);
    cli_interruptible(NULL);
    if (shown)
        cli_progress_line_finish(&line);
    brazier_pipeline_destroy(p);
    return status == BRAZIER_OK ? CLI_OK : status == BRAZIER_MISUSED ? CLI_USAGE : CLI_FAILED;
}

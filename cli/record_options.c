/* SPDX-License-Identifier: MIT */
/* Parses the options of `brazier record`. */
#include "record_options.h"

#include <brazier/symbol.h>
#include <brazier/text/pieces.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/suggest.h"
#include "continuous.h"
#include "interval_names.h"
#include "plugin/options.h"
#include "record/call_graph.h"
#include "record/event.h"

enum {
    OPT_FREQUENCY = 300,
    OPT_PERIOD,
    OPT_EVENT,
    OPT_CALL_GRAPH,
    OPT_PID,
    OPT_TID,
    OPT_ALL,
    OPT_CGROUP,
    OPT_DURATION,
    OPT_DELAY,
    OPT_EVERY,
    OPT_KEEP_FOR,
    OPT_UNTIL_EXIT,
    OPT_OFF_CPU,
    OPT_WAKEUP,
    OPT_KERNEL,
    OPT_SAVE,
    OPT_OPEN,
    OPT_ROOT,
    OPT_RECORDER,
    OPT_STREAMED,
    OPT_READ_ALONG,
    OPT_VIEWED,
    OPT_KEEP_FILES,
    OPT_CHECK_ONLY,
    OPT_POST_PROCESS,
    OPT_LIVE,
    OPT_RECENT,
    OPT_IGNORE_STATUS,
};

const cli_option cli_record_options[] = {
    {"freq", 'F', "HZ", "samples per second and processor, or max [997]", OPT_FREQUENCY},
    {"period", 'c', "N", "a sample for every N events instead", OPT_PERIOD},
    {"event", 'e', "NAME[,NAME...]",
     "what to count: cycles, cpu-clock, page-faults, context-switches, sched:sched_switch, ... "
     "[cycles, or cpu-clock without hardware counters]",
     OPT_EVENT},
    {"call-graph", 'g', "METHOD",
     "how to find callers: fp (frame pointers), dwarf[,SIZE] (copies of stacks), auto, none [auto]",
     OPT_CALL_GRAPH},
    {"pid", 'p', "PID[,PID...]", "record running processes", OPT_PID},
    {"tid", 't', "TID[,TID...]", "record running threads", OPT_TID},
    {"all-cpus", 'a', NULL, "record all processes", OPT_ALL},
    {"cgroup", 0, "NAME", "record the processes of a control group", OPT_CGROUP},
    {"duration", 0, "TIME", "end the recording after this time, such as 10s", OPT_DURATION},
    {"delay", 0, "TIME", "begin the recording after this time", OPT_DELAY},
    {"every", 0, "TIME",
     "record continuously, and write a file for each such interval: -o 'host-{time}.pb.gz'",
     OPT_EVERY},
    {"keep-for", 0, "TIME", "with --every: remove files that are older, such as 24h; also --keep",
     OPT_KEEP_FOR},
    {"until-exit", 0, NULL, "wait until all processes of the command have ended", OPT_UNTIL_EXIT},
    {"off-cpu", 0, NULL, "also record when threads wait, and draw that", OPT_OFF_CPU},
    {"wakeup", 0, NULL, "also record who wakes threads up, and draw that", OPT_WAKEUP},
    {"kernel", 0, "yes|no|auto", "record code of the kernel [auto: if that is permitted]",
     OPT_KERNEL},
    {"root", 0, NULL, "record through sudo; the command and the files stay yours", OPT_ROOT},
    {"recorder", 0, "PID", NULL, OPT_RECORDER},
    {"streamed", 0, NULL, NULL, OPT_STREAMED},
    {"read-along", 0, NULL, NULL, OPT_READ_ALONG},
    {"viewed", 0, NULL, NULL, OPT_VIEWED},
    {"check-only", 0, NULL, NULL, OPT_CHECK_ONLY},
    {"save", 0, "FILE", "keep the recording, for perf and for brazier run", OPT_SAVE},
    {"keep-files", 0, NULL, "with --save: copy programs of containers to ~/.debug", OPT_KEEP_FILES},
    {"post-process", 0, "COMMAND", "pass the folded stacks through a command", OPT_POST_PROCESS},
    {"open", 0, NULL, "show the picture in the browser", OPT_OPEN},
    {"live", 0, NULL, "show the flame graph in the terminal while it is recorded", OPT_LIVE},
    {"recent", 0, "TIME", "with --live: the time that the key a shows [10s]", OPT_RECENT},
    {"ignore-status", 0, NULL, "end with status 0 even if the command fails", OPT_IGNORE_STATUS},
    {NULL, 0, NULL, NULL, 0},
};

/* ---- values ---------------------------------------------------------------------------------- */

static bool refuse_value(const cli_args *a, const char *name, const char *wanted)
{
    brz_say(a->console, BRZ_FATAL, "--%s: '%s' is not %s", name, a->value, wanted);
    return false;
}

static bool refuse(const cli_args *a, const char *wanted)
{
    return refuse_value(a, a->option->name, wanted);
}

/* Parses a whole number, from 1 on. */
static bool parse_number(const cli_args *a, uint64_t *to)
{
    char *end;
    unsigned long long n = strtoull(a->value, &end, 10);
    if (a->value[0] < '0' || a->value[0] > '9' || *end != '\0' || n == 0 || n > INT64_MAX)
        return false;
    *to = n;
    return true;
}

static bool take_number(const cli_args *a, uint64_t *to)
{
    return parse_number(a, to) || refuse(a, "a number from 1 on");
}

static bool take_frequency(const cli_args *a, uint64_t *to)
{
    *to = BRZ_FREQUENCY_MAX;
    return strcmp(a->value, "max") == 0 || parse_number(a, to) ||
           refuse(a, "a number of samples from 1 on, or max");
}

/* Parses a duration; a number alone is one of seconds. */
static bool take_duration(const cli_args *a, uint64_t *to)
{
    size_t n = strlen(a->value);
    brz_buf text = {0};
    brz_buf_add_text(&text, a->value);
    if (strspn(a->value, "0123456789.") == n)
        brz_buf_add_char(&text, 's');
    bool good = brz_parse_duration(brz_buf_str(&text), to) && *to > 0;
    brz_buf_finish(&text);
    return good || refuse(a, "a duration, such as 10s");
}

/* Refuses a value that is not a number. Letters of this command mean other things in others. */
static bool refuse_ids(const cli_args *a)
{
    bool is_thread = a->option->id == OPT_TID;
    if (!a->is_letter || strspn(a->value, "0123456789,") > 0)
        return refuse(a, "a number, or several separated by commas");
    brz_say(a->console, BRZ_FATAL, "-%c is --%s here and takes a number, not '%s'; %s",
            a->option->letter, a->option->name, a->value,
            is_thread ? "the format of the output is --to FORMAT"
                      : "pgrep NAME prints one, and palettes are --palette NAME");
    return false;
}

/* Parses numbers of processes or threads, separated by commas. */
static bool take_ids(const cli_args *a, pid_t **list, size_t *n, size_t *cap)
{
    for (const char *at = a->value;; at++) {
        char *end;
        long id = strtol(at, &end, 10);
        if (*at < '0' || *at > '9' || (*end != ',' && *end != '\0') || id < 1 || id > INT32_MAX)
            return refuse_ids(a);
        *list = brz_grow(*list, *n, cap, sizeof **list);
        (*list)[(*n)++] = (pid_t)id;
        at = end;
        if (*end == '\0')
            return true;
    }
}

static bool take_kernel(const cli_args *a, brz_kernel_mode *to)
{
    static const char *const words[] = {"auto", "yes", "no"};
    for (size_t i = 0; i < 3; i++)
        if (strcmp(words[i], a->value) == 0) {
            *to = (brz_kernel_mode)i;
            return true;
        }
    return refuse(a, "yes, no or auto");
}

/* perf's option has no value, so that another option or the command follows. */
static bool take_call_graph(const cli_args *a, brz_record_request *r)
{
    if (a->value[0] == '-') {
        brz_say(a->console, BRZ_FATAL,
                "--call-graph needs fp, dwarf, dwarf,SIZE, auto or none; callers are recorded "
                "without it, too");
        return false;
    }
    return brz_call_graph_parse(a->value, &r->call_graph, &r->stack_size) ||
           refuse(a, "fp, dwarf, dwarf,SIZE (up to 65528 bytes), auto or none");
}

static bool take_event(const cli_args *a, brz_record_request *r)
{
    r->events = brz_grow(r->events, r->n_events, &r->events_cap, sizeof *r->events);
    r->events[r->n_events++] = a->value;
    return true;
}

/* Takes a text. An empty one comes from a variable that is not set, and "--" from a forgotten value
 * in front of the command. */
static bool take_text(const cli_args *a, const char **to, const char *wanted)
{
    *to = a->value;
    return (a->value[0] != '\0' && strcmp(a->value, "--") != 0) || refuse(a, wanted);
}

/* Takes the name of a file. A recording cannot go to standard output: some of it is written
 * twice. */
static bool take_file(const cli_args *a, const char **to)
{
    static const char wanted[] = "the name of a file";
    return take_text(a, to, wanted) && (strcmp(a->value, "-") != 0 || refuse(a, wanted));
}

/* Takes an option that stands alone. */
static bool take_simple(const cli_args *a, cli_record *c)
{
    brz_record_request *r = &c->request;
    r->all |= a->option->id == OPT_ALL;
    r->until_exit |= a->option->id == OPT_UNTIL_EXIT;
    r->off_cpu |= a->option->id == OPT_OFF_CPU;
    r->wakeup |= a->option->id == OPT_WAKEUP;
    c->opens |= a->option->id == OPT_OPEN;
    c->is_live |= a->option->id == OPT_LIVE;
    r->as_root |= a->option->id == OPT_ROOT;
    r->is_streamed |= a->option->id == OPT_STREAMED;
    r->is_read_along |= a->option->id == OPT_READ_ALONG;
    r->is_viewed |= a->option->id == OPT_VIEWED;
    c->keeps_files |= a->option->id == OPT_KEEP_FILES;
    c->only_checks |= a->option->id == OPT_CHECK_ONLY;
    c->ignores_status |= a->option->id == OPT_IGNORE_STATUS;
    return true;
}

static bool take_own(const cli_args *a, cli_record *c)
{
    brz_record_request *r = &c->request;
    switch (a->option->id) {
    case OPT_FREQUENCY:
        return take_frequency(a, &r->frequency);
    case OPT_PERIOD:
        return take_number(a, &r->period);
    case OPT_EVENT:
        return take_event(a, r);
    case OPT_CALL_GRAPH:
        return take_call_graph(a, r);
    case OPT_PID:
        return take_ids(a, &r->processes, &r->n_processes, &r->processes_cap);
    case OPT_TID:
        return take_ids(a, &r->threads, &r->n_threads, &r->threads_cap);
    case OPT_DURATION:
        return take_duration(a, &r->duration);
    case OPT_DELAY:
        return take_duration(a, &r->delay);
    case OPT_EVERY:
        return take_duration(a, &c->every);
    case OPT_KEEP_FOR:
        return take_duration(a, &c->keep);
    case OPT_KERNEL:
        return take_kernel(a, &r->kernel);
    case OPT_CGROUP:
        return take_text(a, &r->cgroup, "the name of a control group");
    case OPT_SAVE:
        r->is_saved = true;
        return take_file(a, &c->save);
    case OPT_RECENT:
        return take_duration(a, &c->recent);
    case OPT_POST_PROCESS:
        return take_text(a, &c->post_process, "a command");
    case OPT_RECORDER:
        r->is_controlled = true;
        r->waiting = (pid_t)strtol(a->value, NULL, 10);
        return true;
    default:
        return take_simple(a, c);
    }
}

/* Returns whether --keep has a time and so means --keep-for: no function has such a name. */
static bool is_keep_for(const cli_args *a)
{
    uint64_t time;
    return strcmp(a->run_option->name, "keep") == 0 && strspn(a->value, "0123456789.") > 0 &&
           brz_parse_duration(brz_str_of_text(a->value), &time);
}

/* Returns false for the other names of options of components. */
static bool is_own(const cli_option *o)
{
    return o->id >= OPT_FREQUENCY && o->id <= OPT_IGNORE_STATUS;
}

/* Returns the name of a list that an option has, or NULL. */
static const char *find_name(const char *const *names, const cli_args *a)
{
    for (; *names != NULL; names++)
        if (strlen(*names) == a->name_len && memcmp(*names, a->name, a->name_len) == 0)
            return *names;
    return NULL;
}

/* Returns whether an option of a run is left to the other request. */
static bool is_for_other(cli_record_part part, const cli_args *a)
{
    static const char *const written[] = {"output",  "to",          "palette-map",    "split-by",
                                          "fail-if", "fail-report", "fail-unmatched", NULL};
    const brz_run_option *o = a->run_option;
    bool about_stacks = (o->flags & (BRZ_RUN_ABOUT_TRANSFORMS | BRZ_RUN_ABOUT_INPUT)) != 0 ||
                        strcmp(o->name, "weight") == 0;
    if (strcmp(o->name, "set") == 0)
        about_stacks = strncmp(a->value + (a->value[0] == '?'), "perf-data.", 10) == 0;
    if (part == CLI_RECORD_VIEW)
        return find_name(written, a) != NULL;
    if (part == CLI_RECORD_DRAW && (o->flags & BRZ_RUN_GUARD) != 0)
        return false;
    return (part == CLI_RECORD_FOLD && !about_stacks) || (part == CLI_RECORD_DRAW && about_stacks);
}

/* Notes options of the collapser that have no effect unless the scheduler is recorded. */
static void note_component(cli_record *c, const cli_args *a)
{
    static const char *const waits[] = {
        "wall-clock", "states", "off-cpu-min", "off-cpu-max", "off-cpu-open", "off-cpu-unit", NULL};
    static const char *const wakers[] = {"wakers", "wakeup-depth", NULL};
    bool is_on = true;
    if (a->value != NULL && brz_parse_bool(brz_str_of_text(a->value), &is_on) && !is_on)
        return;
    if (c->waits == NULL)
        c->waits = find_name(waits, a);
    if (c->wakers == NULL)
        c->wakers = find_name(wakers, a);
    c->counts_wakers |= find_name((const char *const[]){"wakers", NULL}, a) != NULL;
    c->counts_wall_clock |= find_name((const char *const[]){"wall-clock", NULL}, a) != NULL;
}

/* Refuses other formats than that of recordings. */
static bool check_format(const cli_args *a)
{
    return strcmp(a->value, "perf-data") == 0 || strcmp(a->value, "guess") == 0 ||
           refuse_value(a, a->run_option->name, "perf-data, the format of recordings");
}

cli_taken cli_record_take(cli_request *r, cli_token token, const cli_args *a)
{
    cli_record *c = r->own;
    if (token == CLI_UNKNOWN) {
        note_component(c, a);
        return CLI_TAKE_DEFAULT;
    }
    if (token == CLI_OPTION && !is_own(a->option))
        return c->part == CLI_RECORD_FOLD ? CLI_TAKE_DONE : CLI_TAKE_DEFAULT;
    if (token == CLI_OPTION)
        return c->part != CLI_RECORD_WHOLE || take_own(a, c) ? CLI_TAKE_DONE : CLI_TAKE_FAILED;
    const char *name = a->run_option->name;
    if (strcmp(name, "from") == 0 && !check_format(a))
        return CLI_TAKE_FAILED;
    if (is_keep_for(a))
        return take_duration(a, &c->keep) ? CLI_TAKE_DONE : CLI_TAKE_FAILED;
    if (is_for_other(c->part, a))
        return CLI_TAKE_DONE;
    if (strcmp(name, "output") == 0 && c->part == CLI_RECORD_WHOLE) {
        c->outputs = brz_grow(c->outputs, c->n_outputs, &c->outputs_cap, sizeof *c->outputs);
        c->outputs[c->n_outputs++] = a->value;
    }
    if (strcmp(name, "to") == 0)
        c->to = a->value;
    if (strcmp(name, "weight") == 0)
        c->weight = a->value;
    if (strcmp(name, "split-by") == 0)
        c->split_by = a->value;
    if (strcmp(name, "isolate") == 0)
        c->isolates = !a->is_off;
    return CLI_TAKE_DEFAULT;
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* Checks the name of an event. A tracepoint that this process may not see is checked when it is
 * opened. */
static bool check_event(brz_str word, brz_console *console)
{
    brz_buf error = {0};
    bool good = brz_event_may_exist(word, &error);
    if (!good)
        brz_say(console, BRZ_FATAL, "%s", brz_buf_text(&error));
    brz_buf_finish(&error);
    return good;
}

/* Checks names of events that are separated by commas. */
static bool check_events(const char *words, brz_console *console)
{
    brz_str rest = brz_str_of_text(words), word;
    while (brz_take_piece(&rest, ',', &word))
        if (!check_event(word, console))
            return false;
    return true;
}

/* Returns a fault in the choice of what to record, or NULL. */
static const char *problem_of_targets(const brz_record_request *r)
{
    int n = (r->n_processes + r->n_threads > 0) + r->all + (r->cgroup != NULL);
    if (n == 0 && r->command == NULL)
        return "nothing to record: name a command after --, or use -p PID, -t TID, -a, --cgroup";
    if (n > 1)
        return "record either processes (-p, -t), or all (-a), or a control group (--cgroup)";
    if (r->until_exit && r->command == NULL)
        return "--until-exit needs a command, whose processes it waits for";
    return NULL;
}

/* Returns the contradiction between options, or NULL. */
static const char *problem_of_options(const cli_record *c)
{
    const brz_record_request *r = &c->request;
    if (r->frequency > 0 && r->period > 0)
        return "--freq and --period exclude each other";
    if (c->keeps_files && c->save == NULL)
        return "--keep-files needs --save, whose recording needs the files later";
    if (c->keeps_files && r->as_root)
        return "--keep-files and --root exclude each other: record as root instead";
    if (c->opens && c->n_outputs > 0 && strcmp(c->outputs[0], "-") == 0)
        return "--open needs a file to show, not standard output";
    return NULL;
}

/* Returns a fault in the names of the files of continuous recording, or NULL. */
static const char *problem_of_files(const cli_record *c)
{
    if (c->n_outputs == 0)
        return "--every needs -o with {time} in the name, such as -o 'host-{time}.pb.gz'";
    for (size_t i = 0; i < c->n_outputs; i++)
        if (!cli_interval_name_is_good(c->outputs[i]))
            return "--every needs {time} once in the name of the file of each -o, after its "
                   "folder: an interval would "
                   "replace the one before";
    if (c->save != NULL && !cli_interval_name_is_good(c->save))
        return "--every needs {time} once in the name of --save, after its folder";
    return c->keep > 0 && c->split_by != NULL ? "--keep-for cannot find the files of --split-by"
                                              : NULL;
}

/* Returns the contradiction between --every and other options, or NULL. */
static const char *problem_of_continuous(const cli_record *c)
{
    const brz_record_request *r = &c->request;
    if (c->every == 0)
        return c->keep > 0
                   ? "--keep-for (or --keep with a time) needs --every, whose files it removes"
                   : NULL;
    if (c->every < CLI_INTERVAL_LEAST)
        return "--every: an interval has at least 1s";
    if (!brz_records_running(r) || r->command != NULL)
        return "--every records what runs already: use -a, -p PID, -t TID or --cgroup, without a "
               "command";
    if (c->opens || r->delay > 0 || c->post_process != NULL || r->as_root)
        return "--every excludes --open, --delay, --post-process and --root";
    return problem_of_files(c);
}

/* Returns the contradiction between --live and other options, or NULL. */
static const char *problem_of_live(const cli_record *c)
{
    if (!c->is_live)
        return c->recent > 0 ? "--recent needs --live" : NULL;
    if (c->recent > 3600 * UINT64_C(1000000000))
        return "--recent: at most 1h";
    return c->every > 0 || c->post_process != NULL || c->isolates
               ? "--live excludes --every, --post-process and --isolate"
               : NULL;
}

/* Checks that the recording has the events that options of the collapser need. */
static bool check_waits(const cli_record *c, brz_console *console)
{
    const brz_record_request *r = &c->request;
    if (c->wakers != NULL && !r->wakeup)
        brz_say(console, BRZ_FATAL, "--%s needs --wakeup, which records who wakes threads up",
                c->wakers);
    else if (c->waits != NULL && !r->off_cpu && !r->wakeup)
        brz_say(console, BRZ_FATAL, "--%s needs --off-cpu, which records when threads wait",
                c->waits);
    else
        return true;
    return false;
}

/* Returns whether a name is one of those that are separated by commas. */
static bool has_name(const char *words, const char *name)
{
    brz_str rest = brz_str_of_text(words), word;
    while (brz_take_piece(&rest, ',', &word))
        if (brz_str_is(word, name))
            return true;
    return false;
}

/* Returns the option without which a time of the scheduler is not counted, or NULL. */
static const char *option_of_weight(const cli_record *c)
{
    const brz_record_request *r = &c->request;
    bool has_waits = r->off_cpu || r->wakeup;
    if (c->weight == NULL || !has_waits)
        return NULL;
    if (strcmp(c->weight, "wakers") == 0 && !c->counts_wakers)
        return r->wakeup ? "--wakers" : "--wakeup --wakers";
    return strcmp(c->weight, "wall-clock") == 0 && !c->counts_wall_clock ? "--wall-clock" : NULL;
}

/* Checks that the weight to show is recorded: an event, or a time of the scheduler. */
static bool check_weight(const cli_record *c, brz_console *console)
{
    const brz_record_request *r = &c->request;
    bool has_waits = r->off_cpu || r->wakeup;
    bool good = c->weight == NULL ||
                (r->n_events == 0 && has_name("cycles,cpu-clock", c->weight)) ||
                (has_waits && has_name("off-cpu,wall-clock,wakers,context-switches,sched:"
                                       "sched_switch,sched:sched_waking,sched:sched_wakeup_new",
                                       c->weight));
    const char *option = option_of_weight(c);
    for (size_t i = 0; i < r->n_events && !good; i++)
        good = has_name(r->events[i], c->weight);
    if (option != NULL)
        brz_say(console, BRZ_FATAL, "--weight %s needs %s, which counts it", c->weight, option);
    if (option != NULL)
        return false;
    if (!good)
        brz_say(console, BRZ_FATAL, "--weight: '%s' is not recorded; -e names the events%s",
                c->weight, r->n_events == 0 ? ", by default cycles or cpu-clock" : "");
    return good;
}

/* Checks that no output is meant to be the recording, as it is with perf. */
static bool check_outputs(const cli_record *c, brz_console *console)
{
    for (size_t i = 0; i < c->n_outputs && c->to == NULL; i++) {
        const char *name = c->outputs[i];
        if (!brz_ends_with(brz_str_of_text(name), BRZ_STR(".data")))
            continue;
        brz_say(console, BRZ_FATAL, "-o %s would be a picture; --save %s keeps the recording", name,
                name);
        return false;
    }
    return true;
}

bool cli_record_check(cli_record *c, brz_console *console)
{
    const brz_record_request *r = &c->request;
    if (r->cgroup != NULL) /* on all processors, with -a (as perf wants it) or without */
        c->request.all = false;
    const char *problem = problem_of_targets(r);
    if (problem == NULL)
        problem = problem_of_options(c);
    if (problem == NULL)
        problem = problem_of_continuous(c);
    if (problem == NULL)
        problem = problem_of_live(c);
    if (problem != NULL)
        brz_say(console, BRZ_FATAL, "%s", problem);
    bool good = problem == NULL && check_waits(c, console);
    for (size_t i = 0; i < r->n_events && good; i++)
        good = check_events(r->events[i], console);
    return good && check_weight(c, console) && check_outputs(c, console);
}

void cli_record_finish(cli_record *c)
{
    free(c->request.processes);
    free(c->request.threads);
    free(c->request.events);
    free(c->outputs);
}

/* The names and options of the tools that brazier replaces: inferno's and FlameGraph's programs.
 *
 * Called by such a name, the program takes that tool's options and exits as it does, so that a
 * script needs no more than another PATH. Each tool is a row here: which command of ours does its
 * work, and what its options are called with us. No configuration is read, for the tools have none.
 */
#include "compat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/suggest.h"

/* An option of theirs. */
typedef struct their_option {
    const char *name; /* without dashes; NULL: it has a letter only */
    char letter;      /* 0: none */
    bool takes_value;
    const char *ours[3]; /* our words for it; "%" in the last one stands for the value; what is
                            behind it is its unit, if it has none; none: it is taken and does
                            nothing */
} their_option;

/* A tool of theirs. */
typedef struct their_tool {
    const char *name;
    const char *command[12]; /* ours */
    const their_option *const *options;
    size_t most_files;
    bool one_dash; /* -name is as good as --name */
} their_tool;

/* ---- options ------------------------------------------------------------------------------- */

#define END                                                                                        \
    {                                                                                              \
        NULL, 0, false,                                                                            \
        {                                                                                          \
            NULL                                                                                   \
        }                                                                                          \
    }

static const their_option help_option[] = {{"help", 'h', false, {"--help"}}, END};
static const their_option logging[] = {
    {"quiet", 'q', false, {"--quiet"}}, {"verbose", 'v', false, {"--verbose"}}, END};
static const their_option threads[] = {{"nthreads", 'n', true, {"--jobs=%"}}, END};
static const their_option perf[] = {
    {"addrs", 0, false, {"--addrs"}},
    {"all", 0, false, {"--all"}},
    {"jit", 0, false, {"--jit"}},
    {"kernel", 0, false, {"--kernel"}},
    {"pid", 0, false, {"--pid"}},
    {"tid", 0, false, {"--tid"}},
    {"event-filter", 0, true, {"--event-filter=%"}},
    END,
};
static const their_option skip_after[] = {{"skip-after", 0, true, {"--skip-after=%"}}, END};
static const their_option perf_pl[] = {
    {"inline", 0, false, {NULL}}, /* perf script prints inlined functions itself */
    {"context", 0, false, {"--srcline"}},
    {"srcline", 0, false, {"--srcline"}},
    END,
};
static const their_option dtrace[] = {{"includeoffset", 0, false, {"--includeoffset"}}, END};
static const their_option modules[] = {{"no-modules", 0, false, {"--no-modules"}}, END};
static const their_option ghcprof[] = {
    {"bytes", 0, false, {"--bytes"}},
    {"ticks", 0, false, {"--ticks"}},
    {"time", 0, false, {"--time"}},
    END,
};
static const their_option xdebug[] = {
    {NULL, 't', false, {"--weight=time"}}, {NULL, 'c', false, {"--weight=calls"}}, END};
static const their_option diff[] = {{"normalize", 'n', false, {"--normalize-down"}},
                                    {"strip-hex", 's', false, {"--strip-hex"}},
                                    END};
static const their_option diff_pl[] = {
    {NULL, 'n', false, {"--normalize-down"}}, {NULL, 's', false, {"--strip-hex"}}, END};

static const their_option flamegraph[] = {
    {"title", 0, true, {"--title=%"}},
    {"subtitle", 0, true, {"--subtitle=%"}},
    {"nameattr", 0, true, {"--nameattr=%"}},
    {"notes", 0, true, {"--notes=%"}},
    {"width", 0, true, {"--width=%"}},
    {"height", 0, true, {"--height=%"}},
    {"fontsize", 0, true, {"--fontsize=%"}},
    {"fonttype", 0, true, {"--fonttype=%"}},
    {"fontwidth", 0, true, {"--fontwidth=%"}},
    {"countname", 0, true, {"--countname=%"}},
    {"factor", 0, true, {"--factor=%"}},
    {"nametype", 0, true, {"--nametype=%"}},
    {"bgcolors", 0, true, {"--bgcolors=%"}},
    {"inverted", 'i', false, {"--inverted"}},
    {"hash", 0, false, {"--hash"}},
    {"cp", 0, false, {"--cp"}},
    {"negate", 0, false, {"--negate"}},
    {"reverse", 0, false, {"--reverse"}},
    END,
};
static const their_option flamegraph_inferno[] = {
    {"colors", 'c', true, {"--palette=%"}},
    {"minwidth", 0, true, {"--minwidth=%"}},
    {"base", 0, true, {"--base=%"}},
    {"uicolor", 0, true, {"--uicolor=%"}},
    {"search-color", 0, true, {"--search-color=%"}},
    {"stroke-color", 0, true, {"--stroke-color=%"}},
    {"colordiffusion", 0, false, {"--colordiffusion"}},
    {"deterministic", 0, false, {"--deterministic"}},
    {"truncate-text-right", 0, false, {"--truncate-text-right"}},
    {"no-javascript", 0, false, {"--no-javascript"}},
    {"pretty-xml", 0, false, {"--pretty-xml"}},
    {"flamechart", 0, false, {"--flamechart-back"}},
    {"no-sort", 0, false, {NULL}}, /* sorted already, or it is sorted */
    END,
};
static const their_option flamegraph_pl[] = {
    {"colors", 0, true, {"--palette=%"}},
    {"minwidth", 0, true, {"--minwidth=%px"}},
    {"total", 0, true, {"--total=%"}},
    {"random", 0, false, {"--random"}},
    {"flamechart", 0, false, {"--flamechart"}},
    {"encoding", 0, true, {NULL}}, /* UTF-8 is all that is written */
    END,
};

#define OPTIONS(...)                                                                               \
    (const their_option *const[])                                                                  \
    {                                                                                              \
        __VA_ARGS__ help_option, NULL                                                              \
    }
#define COLLAPSE(...)                                                                              \
    {                                                                                              \
        "collapse", __VA_ARGS__, NULL                                                              \
    }
#define ANY_NUMBER SIZE_MAX
#define FLAMEGRAPH "flamegraph", "--output=-", "--no-legend", "--deltas=self", "--demangle=none"

static const their_tool tools[] = {
    {"inferno-collapse-perf", COLLAPSE("perf"), OPTIONS(perf, skip_after, threads, logging, ), 1,
     false},
    {"inferno-collapse-dtrace", COLLAPSE("dtrace"), OPTIONS(dtrace, threads, logging, ), 1, false},
    {"inferno-collapse-sample", COLLAPSE("sample"), OPTIONS(modules, logging, ), 1, false},
    {"inferno-collapse-vtune", COLLAPSE("vtune", "--round"), OPTIONS(modules, logging, ), 1, false},
    {"inferno-collapse-vsprof", COLLAPSE("vsprof"), OPTIONS(logging, ), 1, false},
    {"inferno-collapse-ghcprof", COLLAPSE("ghcprof"), OPTIONS(ghcprof, logging, ), 1, false},
    {"inferno-collapse-xctrace", COLLAPSE("xctrace"), OPTIONS(logging, ), 1, false},
    {"inferno-collapse-recursive", COLLAPSE("recursive"), OPTIONS(threads, ), 1, false},
    {"inferno-collapse-guess", COLLAPSE("guess", "--set=?vtune.round=true"),
     OPTIONS(threads, logging, ), 1, false},
    {"inferno-diff-folded", {"diff", NULL}, OPTIONS(diff, logging, ), 2, false},
    {"inferno-flamegraph",
     {FLAMEGRAPH, NULL},
     OPTIONS(flamegraph, flamegraph_inferno, logging, ),
     ANY_NUMBER,
     false},
    {"flamegraph.pl",
     {FLAMEGRAPH, "--width=1200", "--fonttype=Verdana", "--truncate-text-right", "--minwidth=0.1px",
      "--deterministic", NULL},
     OPTIONS(flamegraph, flamegraph_pl, ),
     ANY_NUMBER,
     true},
    {"stackcollapse-perf.pl", COLLAPSE("perf"), OPTIONS(perf, perf_pl, ), ANY_NUMBER, true},
    {"stackcollapse.pl", COLLAPSE("dtrace"), OPTIONS(), ANY_NUMBER, true},
    {"stackcollapse-bpftrace.pl", COLLAPSE("bpftrace", "--offsets", "--addrs"), OPTIONS(),
     ANY_NUMBER, true},
    {"stackcollapse-recursive.pl", COLLAPSE("recursive"), OPTIONS(), ANY_NUMBER, true},
    {"stackcollapse-vtune.pl", COLLAPSE("vtune", "--round"), OPTIONS(), ANY_NUMBER, true},
    {"stackcollapse-vsprof.pl", COLLAPSE("vsprof"), OPTIONS(), 1, true},
    {"stackcollapse-sample.awk", COLLAPSE("sample"), OPTIONS(modules, ), ANY_NUMBER, true},
    {"stackcollapse-xdebug.php", COLLAPSE("xdebug"), OPTIONS(xdebug, ), 1, true},
    {"difffolded.pl", {"diff", NULL}, OPTIONS(diff_pl, ), 2, true},
};

#define N_TOOLS (sizeof tools / sizeof tools[0])

/* ---- the words being made ------------------------------------------------------------------ */

typedef struct words {
    const their_tool *tool;
    brz_console *console;
    brz_arena *text;
    char **list;
    size_t n, cap, n_files;
    bool only_files; /* "--" was seen */
} words;

static void add(words *w, const char *word)
{
    w->list = brz_grow(w->list, w->n + 1, &w->cap, sizeof *w->list);
    w->list[w->n++] = (char *)(uintptr_t)word;
    w->list[w->n] = NULL;
}

/* Adds a word that was put together, and takes the buffer. */
static void add_copy(words *w, brz_buf *b)
{
    add(w, brz_arena_str(w->text, brz_buf_str(b)).data);
    brz_buf_finish(b);
}

static const their_option *find(const their_tool *t, const char *name, size_t len, char letter)
{
    for (size_t i = 0; t->options[i] != NULL; i++)
        for (const their_option *o = t->options[i]; o->name != NULL || o->letter != 0; o++)
            if ((letter != 0 && o->letter == letter) ||
                (letter == 0 && o->name != NULL && strlen(o->name) == len &&
                 /* cppcheck-suppress nullPointer ; there is a name unless there is a letter */
                 memcmp(o->name, name, len) == 0))
                return o;
    return NULL;
}

/* What is to stand behind a value: a unit, unless it has one. */
static const char *unit_for(const char *value, const char *unit)
{
    size_t len = strlen(value);
    return len > 0 && strchr("0123456789.", value[len - 1]) == NULL ? "" : unit;
}

/* Adds our words for an option. */
static void add_option(words *w, const their_option *o, const char *value)
{
    for (size_t i = 0; i < 3 && o->ours[i] != NULL; i++) {
        const char *percent = strchr(o->ours[i], '%');
        if (percent == NULL || value == NULL) {
            add(w, o->ours[i]);
            continue;
        }
        brz_buf b = {0};
        brz_buf_printf(&b, "%.*s%s%s", (int)(percent - o->ours[i]), o->ours[i], value,
                       unit_for(value, percent + 1));
        add_copy(w, &b);
    }
}

static bool complain(const words *w, const char *what, const char *word)
{
    brz_say(w->console, BRZ_FATAL, "%s: %s '%s'", w->tool->name, what, word);
    return false;
}

static bool say_unknown(const words *w, const char *word, const char *name)
{
    brz_suggestion near = {.typed = brz_str_of(name, strlen(name))};
    brz_buf b = {0};
    for (size_t i = 0; w->tool->options[i] != NULL; i++)
        for (const their_option *o = w->tool->options[i]; o->name != NULL || o->letter != 0; o++)
            if (o->name != NULL)
                brz_suggestion_offer(&near, o->name);
    brz_suggestion_add(&near, &b);
    brz_say(w->console, BRZ_FATAL, "%s: no option '%s'%s", w->tool->name, word, brz_buf_text(&b));
    brz_buf_finish(&b);
    return false;
}

/* ---- taking theirs ------------------------------------------------------------------------- */

/* "--name", "--name=value", "--name value". */
static bool take_long(words *w, char ***argv, const char *name)
{
    const char *word = **argv, *equals = strchr(name, '=');
    size_t len = equals != NULL ? (size_t)(equals - name) : strlen(name);
    const their_option *o = find(w->tool, name, len, 0);
    if (o == NULL)
        return say_unknown(w, word, name);
    const char *value = equals != NULL ? equals + 1 : NULL;
    if (!o->takes_value && value != NULL)
        return complain(w, "this takes no value:", word);
    if (o->takes_value && value == NULL) {
        value = (*argv)[1];
        if (value == NULL)
            return complain(w, "this needs a value:", word);
        (*argv)++;
    }
    add_option(w, o, value);
    return true;
}

/* "-n4", "-n 4", "-qv". */
static bool take_letters(words *w, char ***argv)
{
    const char *word = **argv;
    for (const char *p = word + 1; *p != '\0'; p++) {
        const their_option *o = find(w->tool, NULL, 0, *p);
        if (o == NULL)
            return say_unknown(w, word, word + 1);
        if (!o->takes_value) {
            add_option(w, o, NULL);
            continue;
        }
        const char *value = p[1] == '=' ? p + 2 : p + 1;
        if (*value == '\0') {
            value = (*argv)[1];
            if (value == NULL)
                return complain(w, "this needs a value:", word);
            (*argv)++;
        }
        add_option(w, o, value);
        return true;
    }
    return true;
}

/* awk takes variables among the files. */
static bool take_variable(words *w, const char *word)
{
    if (strcmp(w->tool->name, "stackcollapse-sample.awk") != 0 || strncmp(word, "MODULES=", 8) != 0)
        return false;
    if (strcmp(word, "MODULES=0") == 0)
        add(w, "--no-modules");
    return true;
}

static bool take_file(words *w, const char *word)
{
    if (++w->n_files > w->tool->most_files)
        return complain(w, "one file too many:", word);
    if (word[0] == '-' && word[1] != '\0') { /* a file of such a name */
        brz_buf b = {0};
        brz_buf_printf(&b, "./%s", word);
        add_copy(w, &b);
        return true;
    }
    add(w, word);
    return true;
}

static bool take_word(words *w, char ***argv)
{
    const char *word = **argv;
    if (w->only_files || word[0] != '-' || word[1] == '\0')
        return take_variable(w, word) || take_file(w, word);
    if (strcmp(word, "--") == 0) {
        w->only_files = true;
        return true;
    }
    if (word[1] == '-')
        return take_long(w, argv, word + 2);
    size_t len = strcspn(word + 1, "=");
    if (w->tool->one_dash && len > 1 && find(w->tool, word + 1, len, 0) != NULL)
        return take_long(w, argv, word + 1);
    return take_letters(w, argv);
}

/* ---- the tool ------------------------------------------------------------------------------ */

static const their_tool *find_tool(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    for (size_t i = 0; i < N_TOOLS; i++)
        if (strcmp(tools[i].name, name) == 0)
            return &tools[i];
    return NULL;
}

static bool wants_help(const words *w)
{
    for (size_t i = 0; i < w->n; i++)
        if (strcmp(w->list[i], "--help") == 0)
            return true;
    return false;
}

static void print_help(const their_tool *t)
{
    printf(
        "usage: %s [OPTION...] [FILE%s]\n\nThis is brazier %s %s under another name. It takes:\n\n",
        t->name, t->most_files > 1 ? "..." : "", t->command[0],
        t->command[1] == NULL ? "" : t->command[1]);
    for (size_t i = 0; t->options[i] != NULL; i++)
        for (const their_option *o = t->options[i]; o->name != NULL || o->letter != 0; o++) {
            char letter[] = {'-', o->letter, '\0'};
            printf("  %2s%c %s%s%s\n", o->letter != 0 ? letter : "",
                   o->letter != 0 && o->name != NULL ? ',' : ' ', o->name != NULL ? "--" : "",
                   o->name != NULL ? o->name : "", o->takes_value ? " VALUE" : "");
        }
}

int cli_compat_init(cli_compat *c, char **argv, brz_console *console)
{
    *c = (cli_compat){.words = NULL};
    words w = {
        .tool = argv[0] == NULL ? NULL : find_tool(argv[0]), .console = console, .text = &c->text};
    bool good = true;
    if (w.tool == NULL)
        return -1;
    for (size_t i = 0; w.tool->command[i] != NULL; i++)
        add(&w, w.tool->command[i]);
    add(&w, "--no-config");
    if (strcmp(w.tool->command[0], "flamegraph") != 0) /* nothing is no picture */
        add(&w, "--as-it-was");
    for (char **at = argv + 1; *at != NULL && good; at++)
        good = take_word(&w, &at);
    c->words = w.list;
    if (good && !wants_help(&w))
        return -1;
    if (good)
        print_help(w.tool);
    return good ? 0 : 2;
}

void cli_compat_finish(cli_compat *c)
{
    free(c->words);
    brz_arena_finish(&c->text);
}

int cli_compat_status(const char *path, int status)
{
    const their_tool *t = path == NULL ? NULL : find_tool(path);
    return status == 1 && t != NULL && strcmp(t->name, "flamegraph.pl") == 0 ? 2 : status;
}

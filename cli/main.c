/* The program: finds the command, creates its session, runs it, and cleans up. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli.h"
#include "interrupt.h"
#include "process_state.h"
#include "compat/compat.h"
#include "base/mem.h"
#include "base/memory_use.h"
#include "plugin/budget.h"
#include "plugin/crash.h"
#include "base/suggest.h"

static const cli_command *const commands[] = {&cmd_run,        &cmd_record, &cmd_collapse,
                                              &cmd_flamegraph, &cmd_diff,   &cmd_merge,
                                              &cmd_guess,      &cmd_plugin, &cmd_config};

#define N_COMMANDS (sizeof commands / sizeof commands[0])

/* ---- options that every command has -------------------------------------------------------- */

enum {
    OPT_HELP = 1,
    OPT_VERSION,
    OPT_QUIET,
    OPT_VERBOSE,
    OPT_CONFIG,
    OPT_NO_CONFIG,
    OPT_TRUST_CONFIG,
    OPT_PLUGIN,
    OPT_PLUGIN_DIR,
    OPT_NO_PLUGINS,
};

const cli_option cli_global_options[] = {
    {"help", 'h', NULL, "describe the command", OPT_HELP},
    {"version", 'V', NULL, "print the version", OPT_VERSION},
    {"quiet", 'q', NULL, "show only errors", OPT_QUIET},
    {"verbose", 'v', NULL, "show more; twice: for debugging", OPT_VERBOSE},
    {"config", 0, "FILE", "use this configuration instead of the project's", OPT_CONFIG},
    {"no-config", 0, NULL, "use only the shipped configuration", OPT_NO_CONFIG},
    {"trust-config", 0, NULL, "trust a configuration that was found like a named one",
     OPT_TRUST_CONFIG},
    {"plugin", 0, "FILE", "use this plug-in", OPT_PLUGIN},
    {"plugin-dir", 0, "DIR", "search for plug-ins in this folder first", OPT_PLUGIN_DIR},
    {"no-plugins", 0, NULL, "use only shipped plug-ins", OPT_NO_PLUGINS},
    {NULL, 0, NULL, NULL, 0},
};

static void add_word(const char ***list, size_t *n, const char *word)
{
    *list = brz_realloc(*list, *n + 1, sizeof **list);
    (*list)[(*n)++] = word;
}

static void take_global(cli_globals *g, int id, const char *value)
{
    switch (id) {
    case OPT_HELP:
        g->help = true;
        break;
    case OPT_VERSION:
        g->version = true;
        break;
    case OPT_QUIET:
        g->verbosity = -1;
        break;
    case OPT_VERBOSE:
        g->verbosity = g->verbosity < 0 ? 1 : g->verbosity + 1;
        break;
    case OPT_CONFIG:
        g->config.file = value;
        break;
    case OPT_NO_CONFIG:
        g->config.none = true;
        break;
    case OPT_TRUST_CONFIG:
        g->config.trust = true;
        break;
    case OPT_PLUGIN:
        add_word(&g->plugin_files, &g->registry.n_files, value);
        break;
    case OPT_PLUGIN_DIR:
        add_word(&g->plugin_dirs, &g->registry.n_dirs, value);
        break;
    default:
        g->registry.shipped_only = true;
    }
}

static const cli_option *global_called(const char *word, size_t len)
{
    for (const cli_option *o = cli_global_options; o->name != NULL; o++)
        if (strlen(o->name) == len && memcmp(o->name, word, len) == 0)
            return o;
    return NULL;
}

/* Removes global options from the beginning of a word of letters, such as "-vj2", and returns the
 * rest ("-j2"), or NULL. */
static char *take_letters(cli_globals *g, char *word)
{
    size_t n = 0;
    while (word[n + 1] != '\0' && strchr("hVqv", word[n + 1]) != NULL)
        n++;
    for (size_t i = 1; i <= n; i++)
        for (const cli_option *o = cli_global_options; o->name != NULL; o++)
            if (o->letter == word[i])
                take_global(g, o->id, NULL);
    word[n] = '-';
    return word[n + 1] != '\0' ? word + n : NULL;
}

bool cli_globals_take(cli_globals *g, char **words, brz_console *console)
{
    char **kept = words;
    for (; *words != NULL && strcmp(*words, "--") != 0; words++) {
        char *word = *words;
        bool one_dash = word[0] == '-' && word[1] != '-' && word[1] != '\0';
        const cli_option *whole = one_dash ? global_called(word + 1, strlen(word + 1)) : NULL;
        if (whole != NULL && whole->value == NULL) { /* -help */
            take_global(g, whole->id, NULL);
            continue;
        }
        if (one_dash && (word = take_letters(g, word)) == NULL)
            continue;
        size_t len =
            strncmp(word, "--", 2) == 0 ? (size_t)(strchrnul(word + 2, '=') - word - 2) : 0;
        const cli_option *o = len > 0 ? global_called(word + 2, len) : NULL;
        if (o == NULL) {
            *kept++ = word;
            continue;
        }
        const char *value = word[2 + len] == '=' ? word + 3 + len : NULL;
        if (o->value != NULL && value == NULL)
            value = words[1] != NULL ? *++words : NULL;
        if ((o->value != NULL) != (value != NULL)) {
            brz_say(console, BRZ_FATAL, "--%s %s", o->name,
                    o->value != NULL ? "needs a value" : "takes no value");
            return false;
        }
        take_global(g, o->id, value);
    }
    while (*words != NULL)
        *kept++ = *words++;
    *kept = NULL;
    g->registry.files = g->plugin_files;
    g->registry.dirs = g->plugin_dirs;
    return true;
}

/* ---- help ---------------------------------------------------------------------------------- */

static void print_help(FILE *out)
{
    fputs("brazier turns any profiler's output into flame graphs.\n\n"
          "    brazier run perf.txt -o flame.svg\n"
          "    brazier perf.txt -o flame.svg           the same\n"
          "    perf script | brazier run -o flame.svg\n\n"
          "Commands:\n",
          out);
    for (size_t i = 0; i < N_COMMANDS; i++)
        fprintf(out, "  %-12s %s\n", commands[i]->name, commands[i]->summary);
    fputs("\nbrazier COMMAND --help describes a command.\n", out);
    cli_print_section(out, "All commands", cli_global_options);
}

static int print_command_help(brz_session *s, const cli_command *c, char **words)
{
    printf("usage: brazier %s %s\n\n", c->name, c->usage);
    if (c->help != NULL)
        c->help(s, words, stdout);
    cli_print_section(stdout, "All commands", cli_global_options);
    return s->console.errors == 0 ? CLI_OK : CLI_USAGE;
}

/* ---- running ------------------------------------------------------------------------------- */

/* Maps words of other programs to the corresponding command. */
static const struct {
    const char *word, *here;
} elsewhere[] = {
    {"view", "run"},          {"show", "run"},
    {"draw", "run"},          {"render", "run"},
    {"plot", "run"},          {"report", "run"},
    {"convert", "run"},       {"open", "run"},
    {"fold", "collapse"},     {"compare", "diff"},
    {"add", "merge"},         {"sum", "merge"},
    {"combine", "merge"},     {"detect", "guess"},
    {"identify", "guess"},    {"profile", "record"},
    {"sample", "record"},     {"init", "config init"},
    {"list", "plugin list"},  {"formats", "plugin list"},
    {"version", "--version"},
};

static const cli_command *command_called(const char *name)
{
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

/* Returns the command that a word probably means, or NULL. */
static const char *nearest_command(const char *word)
{
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++)
        if (strcmp(elsewhere[i].word, word) == 0)
            return elsewhere[i].here;
    brz_suggestion near = {.typed = brz_str_of(word, strlen(word))};
    for (size_t i = 0; i < N_COMMANDS; i++)
        brz_suggestion_offer(&near, commands[i]->name);
    return near.best;
}

static void say_no_command(const char *word, brz_console *console)
{
    const char *near = nearest_command(word);
    if (near != NULL)
        brz_say(console, BRZ_FATAL, "no command '%s'; did you mean '%s'?", word, near);
    else
        brz_say(console, BRZ_FATAL,
                "no command and no file '%s' (brazier --help lists the commands)", word);
}

/* Returns `run`, whose name is optional, for words that begin with an option: if one of them is a
 * file, or all are options. Returns NULL after reporting an error. */
static const cli_command *find_behind_option(char **words, brz_console *console)
{
    bool has_file;
    const char *first = cli_run_first_word(words, &has_file);
    const cli_command *c = first == NULL ? NULL : command_called(first);
    if (c == NULL && (first == NULL || has_file))
        return &cmd_run;
    if (c != NULL)
        brz_say(console, BRZ_FATAL, "'%s' precedes the command; write brazier %s [OPTION...]",
                words[0], c->name);
    else
        say_no_command(first, console);
    return NULL;
}

/* Finds the command of the words, and advances *words beyond its name. Returns NULL after reporting
 * an error. */
static const cli_command *find_command(char ***words, brz_console *console)
{
    const char *word = (*words)[0];
    const cli_command *c = command_called(word);
    if (c != NULL) {
        ++*words;
        return c;
    }
    if (word[0] == '-' && word[1] != '\0')
        return find_behind_option(*words, console);
    if (cli_is_file(word))
        return &cmd_run;
    say_no_command(word, console);
    return NULL;
}

/* Returns true if standard output is a pipe or socket whose reader has closed it. */
static bool is_stdout_closed(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & (POLLERR | POLLHUP)) != 0;
}

/* Ends the program by SIGPIPE, as a closed pipe ends a script. */
static void die_of_pipe(void)
{
    brazier_discard_unfinished();
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
}

/* Prints a message of the library in the same way as the program's own. */
static void print_diagnostic(void *context, const brazier_diagnostic *d)
{
    const cli_globals *g = context;
    const brz_console *console = g->console;
    if (g->dies_of_pipe && d->code != NULL && strcmp(d->code, BRZ_SAYS_WRITE) == 0 &&
        is_stdout_closed())
        die_of_pipe();
    size_t n = brazier_diagnostic_text(d, console->verbosity, console->color, NULL, 0) + 1;
    char *text = brz_malloc(n);
    brazier_diagnostic_text(d, console->verbosity, console->color, text, n);
    fwrite(text, 1, n - 1, console->out);
    free(text);
}

static brazier_status open_session(cli_globals *g, brz_console *console, brazier_session **s)
{
    const brazier_session_options options = {
        .struct_size = sizeof options,
        .flags = (g->config.none ? 0 : BRAZIER_FIND_CONFIG) |
                 (g->config.trust ? BRAZIER_TRUST_CONFIG : 0) |
                 (g->config.distrust ? BRAZIER_DISTRUST_CONFIG : 0) |
                 (g->config.keeps_mistakes ? BRAZIER_KEEP_MISTAKES : 0) |
                 (g->registry.shipped_only ? BRAZIER_SHIPPED_ONLY : 0),
        .verbosity = console->verbosity,
        .config_file = g->config.file,
        .plugin_files = g->registry.files,
        .n_plugin_files = g->registry.n_files,
        .plugin_dirs = g->registry.dirs,
        .n_plugin_dirs = g->registry.n_dirs,
        .on_diagnostic = print_diagnostic,
        .context = g,
    };
    return brazier_session_open(&options, s);
}

static int run_command(brz_console *console, cli_globals *g, const cli_command *c, char **words)
{
    brazier_session *s;
    int status = CLI_USAGE;
    if (c->prepare != NULL)
        c->prepare(g, words);
    bool good = open_session(g, console, &s) == BRAZIER_OK;
    if (!good && g->help) { /* help also works with a broken configuration */
        brazier_session_close(s);
        g->config = (brz_config_options){.none = true};
        good = open_session(g, console, &s) == BRAZIER_OK;
    }
    if (good && g->help)
        brz_registry_describe(s->core.registry, true);
    if (good)
        status = g->help ? print_command_help(&s->core, c, words) : c->run(&s->core, words);
    if (good && status != CLI_FAILED && brz_registry_is_incomplete(s->core.registry))
        status = CLI_FAILED;
    brazier_session_close(s);
    return status;
}

/* Reports exhausted memory and ends the program at once: another thread may hold a lock that exit()
 * needs. */
static void say_out_of_memory(size_t wanted)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&said))
        pause(); /* another thread reports it */
    fputs("brazier: error: out of memory", stderr);
    unsigned long long limit = brz_memory_limit();
    if (wanted > 0 && limit > 0)
        fprintf(stderr, " (%zu bytes wanted, max-memory is %llu)", wanted, limit);
    else if (wanted > 0)
        fprintf(stderr, " (%zu bytes wanted)", wanted);
    else if (limit > 0)
        fprintf(stderr, " (max-memory is %llu)", limit);
    fputs("\n", stderr);
    brazier_discard_unfinished();
    _exit(CLI_FAILED);
}

/* Opens standard descriptors that the parent process closed. Otherwise a file opened later would
 * take their number, and messages would go to an output. Using such a descriptor fails like using a
 * closed one. */
static void hold_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Returns a number of milliseconds that a variable of the environment sets in seconds, or a
 * default. */
static unsigned milliseconds_of(const char *variable, unsigned usual)
{
    const char *wish = getenv(variable);
    double seconds = wish == NULL ? 0 : strtod(wish, NULL);
    return seconds >= 0.001 && seconds <= 1e6 ? (unsigned)(seconds * 1000 + 0.5) : usual;
}

/* Time limit of a sniffer in milliseconds: ten thousand times the limit of the contract. */
#define SNIFF_TIME 10000

/* Time that a run has to stop, in milliseconds. */
#define STOP_TIME 500

static struct timeval stop_time(void)
{
    unsigned time = milliseconds_of("BRAZIER_STOP_SECONDS", STOP_TIME);
    return (struct timeval){.tv_sec = time / 1000, .tv_usec = time % 1000 * 1000L};
}

/* Installs handlers. Returns true if the parent process expects SIGPIPE to end this program. */
static bool install_handlers(void)
{
    cli_interrupt_install(stop_time());
    brazier_on_out_of_memory(say_out_of_memory);
    atexit(brazier_discard_unfinished); /* for every kind of exit */
    brazier_catch_crashes();
    brz_crash_claim_process();
    cli_process_state_record();
    brz_budget_install(milliseconds_of("BRAZIER_SNIFF_SECONDS", SNIFF_TIME),
                       brazier_discard_unfinished);
    signal(SIGXFSZ, SIG_IGN); /* a file that is too large is an error of write() */
    return signal(SIGPIPE, SIG_IGN) != SIG_IGN; /* so is a closed pipe */
}

/* Flushes standard output. Returns `status`, or a failure after reporting an error, since lost
 * output must not look like success. */
static int flush_stdout(const cli_globals *g, int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (g->has_pipe_signal && is_stdout_closed())
        die_of_pipe();
    brz_say(g->console, BRZ_FATAL, "stdout: cannot be written");
    return CLI_FAILED;
}

/* Runs the command that the words name, after removing global options. */
static int run_words(brz_console *console, cli_globals *g, char **words)
{
    for (; words[0] != NULL && strcmp(words[0], "help") == 0; words++)
        g->help = true;
    if (g->version) {
        printf("brazier %s\n", brazier_version());
        return CLI_OK;
    }
    if (words[0] == NULL) {
        print_help(g->help ? stdout : stderr);
        return g->help ? CLI_OK : CLI_USAGE;
    }
    const cli_command *c = find_command(&words, console);
    return c == NULL ? CLI_USAGE : run_command(console, g, c, words);
}

/* Bytes at the beginning of the heap that every run uses. */
#define HEAP_BEGINNING ((size_t)96 << 10)

/* Fills in the pages of the beginning of the heap with one system call, which takes less time than
 * a fault for each of them. */
static void prepare_heap(void)
{
#ifdef MADV_POPULATE_WRITE
    char *first = malloc(1);
    uintptr_t start = (uintptr_t)first & ~(uintptr_t)4095; /* larger pages stay as they are */
    if (first != NULL && start + HEAP_BEGINNING <= (uintptr_t)sbrk(0))
        madvise((void *)start, HEAP_BEGINNING, MADV_POPULATE_WRITE);
    free(first);
#endif
}

int main(int argc, char **argv)
{
    (void)argc;
    prepare_heap();
    brz_console console = {.out = stderr, .color = isatty(STDERR_FILENO) != 0};
    cli_globals g = {.console = &console};
    hold_standard_streams();
    g.has_pipe_signal = install_handlers();
    cli_compat compat;
    int status = cli_compat_init(&compat, argv, &console);
    if (status < 0)
        status = cli_compat_prepare(&compat);
    g.dies_of_pipe = g.has_pipe_signal && cli_compat_is_script(&compat);
    char **words = compat.words != NULL ? compat.words : argv + 1;
    if (status >= 0) {
        status = flush_stdout(&g, status);
    } else {
        status = CLI_USAGE;
        if (cli_globals_take(&g, words, &console)) {
            console.verbosity = g.verbosity;
            status = flush_stdout(&g, run_words(&console, &g, words));
        }
        status = cli_compat_complete(&compat, status);
    }
    cli_compat_finish(&compat);
    free(g.plugin_files);
    free(g.plugin_dirs);
    return cli_interrupt_status(status);
}

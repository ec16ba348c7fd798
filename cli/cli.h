/* SPDX-License-Identifier: MIT */
/* The session and the requests that all commands share. */
#ifndef BRZ_CLI_CLI_H
#define BRZ_CLI_CLI_H

#include "args.h"
#include "library.h"
#include "progress_line.h"

/* Exit statuses. */
#define CLI_OK       0
#define CLI_FAILED   1
#define CLI_USAGE    2
#define CLI_EXCEEDED 3 /* a threshold of --fail-if */

/* The options of all commands. They are removed from the words before the command parses them. */
typedef struct cli_globals {
    brazier_session_options session;
    int verbosity;
    bool help, version;
    const char **plugin_files, **plugin_dirs; /* used by `session` */
    brz_console *console;                     /* receives messages */
    bool has_pipe_signal; /* the parent expects SIGPIPE to end this program, as in `brazier --help |
                             head` */
    bool dies_of_pipe;    /* the same for an output, which otherwise is reported as incomplete */
} cli_globals;

/* Runs a command with its words, without its name. Returns the exit status. */
typedef struct cli_command {
    const char *name;
    const char *usage;   /* words after "brazier NAME" */
    const char *summary; /* one line */
    int (*run)(brz_session *s, char **words);
    void (*help)(brz_session *s, char **words,
                 FILE *out); /* printed after the usage line; or NULL */
    void (*prepare)(cli_globals *g,
                    char **words); /* called before the session is created; or NULL */
} cli_command;

/* A subcommand, such as `list` of `brazier plugin list`. A table ends with a NULL name. */
typedef struct cli_subcommand {
    const char *name;
    int (*run)(brz_session *s, char **words);
} cli_subcommand;

/* Runs the subcommand that the first word names. */
int cli_run_subcommand(brz_session *s, const char *command, const cli_subcommand *table,
                       char **words);

extern const cli_command cmd_run, cmd_record, cmd_collapse, cmd_flamegraph, cmd_diff, cmd_merge,
    cmd_guess, cmd_plugin, cmd_config, cmd_format, cmd_view;

/* Returns true if a word is an existing file, or standard input. */
bool cli_is_file(const char *word);

/* Returns false after reporting an error if an output whose name the user has not given is a
 * symbolic link: a stranger's folder may contain one. */
bool cli_may_write_default(const char *file, brz_console *console);

/* Returns the first word of `run` that is not an option, or NULL; sets *has_file if one of the
 * words is a file. Counts an option of a component as a switch. */
const char *cli_run_first_word(char **words, bool *has_file);

/* Removes the global options from `words`, in place. Returns false after reporting an error. */
bool cli_globals_take(cli_globals *g, char **words, brz_console *console);

/* Lets the session use the shipped configuration only. */
void cli_globals_drop_config(cli_globals *g);

/* ---- requests ---------------------------------------------------------------------------- */

/* A pipeline built from words. The pipeline receives its inputs when it runs: until all words are
 * parsed, the first one may be the name of a pipeline. */
typedef struct cli_request {
    brazier_pipeline *pipeline;
    const char **inputs;
    size_t n_inputs, inputs_cap;
    char **command; /* words of a command to execute; NULL: none */
    void *own;      /* data of cli_syntax.take */
    bool lenient;   /* options of components that the run does not have are ignored */
    bool shows_progress;
    cli_progress_line progress;
} cli_request;

/* The result of taking an option. */
typedef enum cli_taken {
    CLI_TAKE_FAILED, /* an error was reported */
    CLI_TAKE_DONE,
    CLI_TAKE_DEFAULT, /* an option of a run has its usual effect */
} cli_taken;

/* Takes an option of the command's tables, or of a run. */
typedef cli_taken cli_take_fn(cli_request *r, cli_token token, const cli_args *a);

/* The syntax of a command that runs a pipeline. */
typedef struct cli_syntax {
    const cli_option *const *tables; /* options of this command only */
    unsigned sections;               /* options of a run: BRZ_RUN_ABOUT_OUTPUT and others */
    const char *output;              /* the output's format without -o and --to */
    const char *format;              /* the format of the inputs without --from; NULL: guessed */
    bool names_format;               /* the first word is the format of the inputs */
    bool names_pipeline;             /* the first word may be a pipeline's name */
    bool compares;                   /* two inputs */
    bool updates;                    /* an output may replace an input */
    bool runs_command;               /* the first word begins a command to execute */
    bool lacks_output;               /* `output` only helps to find palettes: no option sets it */
    cli_take_fn *take; /* NULL: the tables have the other names of components' options */
} cli_syntax;

/* Creates the pipeline. The request must not move afterwards. */
void cli_request_begin(cli_request *r, brz_session *s, const cli_syntax *syntax);

/* Sets an option of the run, or COMPONENT.OPTION, for the option last parsed. Returns false after
 * reporting an error. */
bool cli_request_set(cli_request *r, const char *option, const char *value, const cli_args *a);

/* Sets the option of the run last parsed. Returns false after reporting an error. */
bool cli_request_option(cli_request *r, const cli_args *a);

/* Returns false after reporting an error if the only input is a terminal: no files are named, nor a
 * pipeline that may name them. */
bool cli_check_input(brz_session *s, size_t n_inputs, const char *pipeline);

void cli_request_input(cli_request *r, const char *file);

/* Parses all words of a command: options of its tables and of the components that it uses, and
 * inputs. Returns false after reporting an error. */
bool cli_request_words(brz_session *s, const cli_syntax *syntax, char **words, cli_request *r);

/* Returns true if a word is the name of a pipeline. (A file of that name is written with its
 * folder.) */
bool cli_is_pipeline(brz_session *s, const char *word);

/* Sets an option of a component, for the option of the command last parsed. `if_there`: ignore it
 * if the run does not use the component. */
void cli_request_set_component(cli_request *r, const brz_component *c, const char *option,
                               const char *value, bool if_there, const cli_args *a);

/* Sets it for one of the formats that may be guessed: the guessed one must have such an option. */
void cli_request_set_for_guessed(cli_request *r, const brz_component *c, const char *option,
                                 const char *value, const cli_args *a);

/* Appends the nearest component of any kind as a suggestion, if there is one. */
void cli_suggest_component(brz_session *s, brz_str typed, brz_buf *b);

void cli_request_finish(cli_request *r);

/* Builds the pipeline and runs it. Returns the exit status. */
int cli_request_run(brz_session *s, cli_request *r);

/* Prints lists of options under a heading. */
void cli_print_section(FILE *out, const char *heading, const cli_option *table);
void cli_print_run_section(FILE *out, const char *heading, unsigned sections);

/* Prints options of a run beside those of `table`, whose letters mean something else, and without
 * those that the command refuses; see cli_print_run_options(). */
void cli_print_run_section_beside(FILE *out, const char *heading, unsigned sections,
                                  const cli_option *table, const char *const *refused);

#endif

/* What the commands share: the session they run in, and how a request is put together from words.
 */
#ifndef BRZ_CLI_CLI_H
#define BRZ_CLI_CLI_H

#include "args.h"
#include "library.h"
#include "progress_line.h"

/* Exit statuses. */
#define CLI_OK     0
#define CLI_FAILED 1
#define CLI_USAGE  2

/* Options that every command has; they are taken out of the words before the command sees them. */
typedef struct cli_globals {
    brz_registry_options registry;
    brz_config_options config;
    int verbosity;
    bool help, version;
    const char **plugin_files, **plugin_dirs; /* behind registry.files and .dirs */
    brz_console *console;                     /* for messages */
    bool dies_of_pipe;                        /* SIGPIPE ends the program, without a message */
} cli_globals;

/* A command: its words (without its name), and the session. Returns the exit status. */
typedef struct cli_command {
    const char *name;
    const char *usage;   /* what follows "brazier NAME" */
    const char *summary; /* one line */
    int (*run)(brz_session *s, char **words);
    void (*help)(brz_session *s, char **words, FILE *out); /* behind the usage line; or NULL */
    void (*prepare)(cli_globals *g, char **words);         /* before there is a session; or NULL */
} cli_command;

/* A command of a command: `brazier plugin list`. A table of them ends with a NULL name. */
typedef struct cli_subcommand {
    const char *name;
    int (*run)(brz_session *s, char **words);
} cli_subcommand;

/* Runs the one that the first word names. */
int cli_run_subcommand(brz_session *s, const char *command, const cli_subcommand *table,
                       char **words);

extern const cli_command cmd_run, cmd_collapse, cmd_flamegraph, cmd_diff, cmd_merge, cmd_guess,
    cmd_plugin, cmd_config;

/* True if a word is a file that is there, or standard input. */
bool cli_is_file(const char *word);

/* Returns the first of the words of `run` that is no option, or NULL; *has_file: one of them is a
 * file. An option that only a component has counts as a switch. */
const char *cli_run_first_word(char **words, bool *has_file);

/* Takes the global options out of `words`, in place. False after saying what is wrong. */
bool cli_globals_take(cli_globals *g, char **words, brz_console *console);

/* ---- requests ---------------------------------------------------------------------------- */

/* A pipeline that is put together from words. The pipeline receives its inputs when it runs: until
 * all words are taken, the first one may turn out to be the name of a pipeline. */
typedef struct cli_request {
    brazier_pipeline *pipeline;
    const char **inputs;
    size_t n_inputs, inputs_cap;
    bool shows_progress;
    cli_progress_line progress;
} cli_request;

/* The words of a command that runs a pipeline. */
typedef struct cli_syntax {
    const cli_option *const *tables; /* options of the command alone */
    unsigned sections;               /* options of a run: BRZ_RUN_ABOUT_OUTPUT and others */
    const char *output;              /* the format of what is written without -o and --to */
    const char *format;              /* the format of the inputs without --from; NULL: guessed */
    bool names_format;               /* the first word is the format of the inputs */
    bool names_pipeline;             /* the first word may be a pipeline's name */
    bool compares;                   /* two inputs */
} cli_syntax;

/* Creates the pipeline. The request must stay where it is. */
void cli_request_begin(cli_request *r, brz_session *s, const cli_syntax *syntax);

/* Sets an option of the run, or COMPONENT.OPTION, as the option last taken says. Returns false
 * after reporting an error. */
bool cli_request_set(cli_request *r, const char *option, const char *value, const cli_args *a);

/* Sets the option of the run last taken. Returns false after reporting an error. */
bool cli_request_option(cli_request *r, const cli_args *a);

/* False, said so, if there is nothing to read but what somebody types: no files are named, nor a
 * pipeline that may name them. */
bool cli_check_input(brz_session *s, size_t n_inputs, const char *pipeline);

void cli_request_input(cli_request *r, const char *file);

/* Takes all words of a command: options of its tables and of the components that it uses, the rest
 * as inputs. False after saying what is wrong. */
bool cli_request_words(brz_session *s, const cli_syntax *syntax, char **words, cli_request *r);

/* True if a word is the name of a pipeline; a file of that name is written with its folder. */
bool cli_is_pipeline(brz_session *s, const char *word);

/* Sets an option of a component, as the option of the command last taken says; `if_there`: unless
 * the run turns out not to have the component. */
void cli_request_set_component(cli_request *r, const brz_component *c, const char *option,
                               const char *value, bool if_there, const cli_args *a);

/* Appends which component of any kind was probably meant, if one is near. */
void cli_suggest_component(brz_session *s, brz_str typed, brz_buf *b);

void cli_request_finish(cli_request *r);

/* Builds the pipeline and runs it. Returns the exit status. */
int cli_request_run(brz_session *s, cli_request *r);

/* Prints lists of options under a heading. */
void cli_print_section(FILE *out, const char *heading, const cli_option *table);
void cli_print_run_section(FILE *out, const char *heading, unsigned sections);

#endif

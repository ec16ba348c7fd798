/* Inputs whose names are in a file, for more of them than a command line holds. */
#ifndef BRZ_CLI_FILE_LIST_H
#define BRZ_CLI_FILE_LIST_H

#include "cli.h"

/* The lists that a command line names, in its cli_request.own. Initialise it with zeros and the
 * console. */
typedef struct cli_file_list {
    brz_console *console;
    const char **lists; /* names of files; "-" is standard input */
    size_t n_lists, lists_cap;
    const char **outputs; /* paths that the command line names */
    size_t n_outputs, outputs_cap;
    brz_buf *texts; /* content of each list, which the names of the inputs point to */
} cli_file_list;

/* --files-from. */
extern const cli_option cli_file_list_options[];

/* Takes --files-from, and notes the outputs; a cli_take_fn. */
cli_taken cli_file_list_take(cli_request *r, cli_token token, const cli_args *a);

/* Checks that no output replaces a list. Returns false after reporting an error. */
bool cli_file_list_check(const cli_file_list *l);

/* Adds the names in all lists to the inputs of the request: separated by NUL if the list contains
 * one, or else by newlines. Returns false after reporting an error if a list cannot be read or
 * contains no name. */
bool cli_file_list_read(cli_file_list *l, cli_request *r);

/* Releases the names; the request must not be used afterwards. */
void cli_file_list_finish(cli_file_list *l);

#endif

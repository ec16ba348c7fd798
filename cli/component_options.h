/* Options of the components that a command's words make it use, which are options of the command.
 */
#ifndef BRZ_CLI_COMPONENT_OPTIONS_H
#define BRZ_CLI_COMPONENT_OPTIONS_H

#include "cli.h"

#define CLI_MAX_COMPONENTS 64

/* The components of a run: outputs, the format unless it is guessed, palettes. */
typedef struct cli_components {
    const brz_component *list[CLI_MAX_COMPONENTS];
    size_t n;
} cli_components;

/* Finds the components that the words of a command make it use. False after saying which of them
 * does not exist. */
bool cli_components_find(brz_session *s, const cli_syntax *syntax, char **words, cli_components *c);

/* Adds "--name" or "--name=value" as a setting of the components that have such an option;
 * "--no-name" turns one off. If components of several kinds have it, it is the output's, then the
 * format's, then the palette's; a format that the command names goes first. False, said so, if none
 * has it or its value is missing. */
bool cli_components_set(brz_session *s, const cli_syntax *syntax, const cli_components *c,
                        cli_args *a, cli_request *r);

/* Returns the format; NULL if it is guessed. */
const brz_component *cli_components_format(const cli_components *c);

/* True if the format has an option of this name. */
bool cli_components_format_has(const cli_components *c, const char *name, size_t len);

/* Options that inferno and FlameGraph have under other names. */
extern const cli_option cli_other_names[];

/* Adds what one of these asks for. Returns false after reporting an error. */
bool cli_components_other_name(const cli_components *c, const cli_args *a, cli_request *r);

/* Prints the options of each component under a heading. */
void cli_components_print(FILE *out, const cli_components *c);

/* The same for those that the words of a command make it use. */
void cli_components_help(brz_session *s, const cli_syntax *syntax, char **words, FILE *out);

#endif

/* SPDX-License-Identifier: MIT */
/* Options of the components that a command uses, which are also options of the command. */
#ifndef BRZ_CLI_COMPONENT_OPTIONS_H
#define BRZ_CLI_COMPONENT_OPTIONS_H

#include "cli.h"

#define CLI_MAX_COMPONENTS 64

/* The components of a run: outputs, the format unless it is guessed, palettes, transforms. */
typedef struct cli_components {
    const brz_component *list[CLI_MAX_COMPONENTS];
    size_t n;
} cli_components;

/* Finds the components that the words of a command select. Returns false after reporting a
 * component that does not exist. */
bool cli_components_find(brz_session *s, const cli_syntax *syntax, char **words, cli_components *c);

/* Adds "--name" or "--name=value" as a setting of the components that have such an option; "--no-
 * name" turns one off. If components of several kinds have it, the output's wins over the format's,
 * that over the palette's, and that over the transform's; a format that the command names comes
 * first. If no component has it and the format is guessed, the option is set in each format that
 * has it. Returns false after reporting an error if no component has it or its value is missing. */
bool cli_components_set(brz_session *s, const cli_syntax *syntax, const cli_components *c,
                        cli_args *a, cli_request *r);

/* Returns the format, or NULL if it is guessed. */
const brz_component *cli_components_format(const cli_components *c);

/* Returns true if the format has an option with this name. */
bool cli_components_format_has(const cli_components *c, const char *name, size_t len);

/* The options that inferno and FlameGraph have under other names. */
extern const cli_option cli_other_names[];

/* Adds the setting of such an option. Returns false after reporting an error. */
bool cli_components_other_name(const cli_components *c, const cli_args *a, cli_request *r);

/* Prints the options of each component under a heading, without those that
 * cli_print_component_options() leaves out. */
void cli_components_print(FILE *out, const cli_components *c, const cli_option *const *tables);

/* Prints the options of the components that the words of a command select. */
void cli_components_help(brz_session *s, const cli_syntax *syntax, char **words, FILE *out);

#endif

/* SPDX-License-Identifier: MIT */
/* brazier run: runs a pipeline of the configuration, or writes outputs of the inputs. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "component_options.h"
#include "config/named_pipeline.h"

/* The picture of perf.data, if the command line names nothing. */
#define PICTURE "flame.svg"

static const cli_option *const tables[] = {cli_other_names, NULL};

static const cli_syntax syntax = {.tables = tables,
                                  .sections = BRZ_RUN_ABOUT_OUTPUT | BRZ_RUN_ABOUT_INPUT |
                                              BRZ_RUN_ABOUT_TRANSFORMS | BRZ_RUN_ABOUT_COMPARISON |
                                              BRZ_RUN_ABOUT_SUM,
                                  .names_pipeline = true};

static void see_file(void *context, cli_token token, const cli_args *a)
{
    bool *has_file = context;
    *has_file |= token == CLI_WORD && cli_is_file(a->value);
}

const char *cli_run_first_word(char **words, bool *has_file)
{
    *has_file = false;
    const cli_args a = {.words = words, .tables = tables, .sections = syntax.sections};
    return cli_look_ahead(a, see_file, has_file);
}

/* Returns true after reporting an error if a word is no file but similar to a pipeline's name.
 */
static bool is_mistyped_pipeline(brz_session *s, const char *word)
{
    if (strchr(word, '/') != NULL || cli_is_file(word))
        return false;
    const char *nearest = brz_named_pipeline_suggest(s->config, word).best;
    if (nearest != NULL)
        brz_say(&s->console, BRZ_FATAL, "no file and no pipeline '%s'; did you mean '%s'?", word,
                nearest);
    return nearest != NULL;
}

/* Notes that a first word is neither a file nor a pipeline, unless it looks like a file. */
static void say_no_pipeline(brz_session *s, const char *word)
{
    if (word[strcspn(word, "./-")] == '\0' && !cli_is_file(word))
        brz_say(&s->console, BRZ_NOTE,
                "there is no file '%s', and no pipeline of this name (brazier config show lists "
                "pipelines)",
                word);
}

/* Returns true after reporting an error if a word is not a file but probably an output. */
static bool is_output(brz_session *s, const char *word)
{
    const char *dot = strrchr(word, '.');
    if (dot == NULL || cli_is_file(word) || (strcmp(dot, ".svg") != 0 && strcmp(dot, ".html") != 0))
        return false;
    brz_say(&s->console, BRZ_FATAL, "no file '%s' to read; to write it: -o %s", word, word);
    return true;
}

/* Makes the first word the pipeline if it is a pipeline's name. Returns that name, or NULL. */
static const char *find_pipeline(brz_session *s, cli_request *r)
{
    if (r->n_inputs == 0 || !cli_is_pipeline(s, r->inputs[0]))
        return NULL;
    const char *name = r->inputs[0];
    brazier_pipeline_set(r->pipeline, "pipeline", name, NULL);
    r->n_inputs--;
    memmove(r->inputs, r->inputs + 1, r->n_inputs * sizeof *r->inputs);
    return name;
}

/* Returns whether standard input has nothing to read: it is a terminal, or the null device, which
 * scripts and services give to the programs that they start. */
static bool has_no_stdin(void)
{
    struct stat in, null;
    if (isatty(STDIN_FILENO))
        return true;
    return fstat(STDIN_FILENO, &in) == 0 && S_ISCHR(in.st_mode) && stat("/dev/null", &null) == 0 &&
           in.st_rdev == null.st_rdev;
}

/* Reads the file that perf writes by default, if nothing names an input and none can be piped in.
 */
static void find_recording(brz_session *s, cli_request *r)
{
    if (r->n_inputs > 0 || !has_no_stdin() || !cli_is_file("perf.data"))
        return;
    brz_say(&s->console, BRZ_NOTE, "reading perf.data");
    r->inputs = brz_grow(r->inputs, r->n_inputs, &r->inputs_cap, sizeof *r->inputs);
    r->inputs[r->n_inputs++] = "perf.data";
}

/* Returns a value of the pipeline that runs if none is named, or NULL. */
static const brz_yaml *find_in_default(brz_session *s, const char *key)
{
    return brz_yaml_get(brz_config_find(s->config, "pipelines", BRZ_STR("default")), key);
}

/* Returns false after reporting an error if there is no input. */
static bool check(brz_session *s, cli_request *r)
{
    const char *pipeline = find_pipeline(s, r);
    if (pipeline == NULL && r->n_inputs > 0 && is_mistyped_pipeline(s, r->inputs[0]))
        return false;
    if (pipeline == NULL && r->n_inputs > 0)
        say_no_pipeline(s, r->inputs[0]);
    for (size_t i = 0; i < r->n_inputs; i++)
        if (is_output(s, r->inputs[i]))
            return false;
    if (pipeline == NULL && r->n_inputs == 0 && isatty(STDIN_FILENO) &&
        find_in_default(s, "inputs") != NULL)
        pipeline = "default";
    if (pipeline == NULL)
        find_recording(s, r);
    return cli_check_input(s, r->n_inputs, pipeline);
}

/* Returns whether there is at most one word, which is a file of the name that perf gives. */
static bool is_recording_alone(char **words)
{
    if (words[0] == NULL)
        return true;
    return words[1] == NULL && strcmp(basename(words[0]), "perf.data") == 0;
}

/* Returns true if the user has named no output: the input is the only word, there is no pipeline,
 * and standard output is a terminal. */
static bool lacks_output(brz_session *s, char **words)
{
    return is_recording_alone(words) && isatty(STDOUT_FILENO) &&
           find_in_default(s, "outputs") == NULL;
}

/* Draws perf.data into a file, since the user has named no output. Returns the exit status. */
static int draw_recording(brz_session *s, cli_request *r)
{
    if (!cli_may_write_default(PICTURE, &s->console))
        return CLI_FAILED;
    brazier_pipeline_add_output_file(r->pipeline, NULL, PICTURE);
    int status = cli_request_run(s, r);
    if (status == CLI_OK)
        brz_say(&s->console, BRZ_NOTE, PICTURE " is written");
    return status;
}

static int run(brz_session *s, char **words)
{
    cli_request r = {0};
    int status = CLI_USAGE;
    if (cli_request_words(s, &syntax, words, &r) && check(s, &r))
        status = r.n_inputs > 0 && lacks_output(s, words) ? draw_recording(s, &r)
                                                          : cli_request_run(s, &r);
    cli_request_finish(&r);
    return status;
}

static void help(brz_session *s, char **words, FILE *out)
{
    fputs("Reads profiles and writes flame graphs and other outputs, in one pass. PIPELINE\n"
          "is a pipeline of the configuration (see brazier config show). Without one,\n"
          "brazier guesses the input's format and chooses the output by its file's ending.\n"
          "Without an input, on a terminal or with /dev/null as standard input, it reads\n"
          "perf.data; alone on a terminal, it draws that into flame.svg, as it does\n"
          "with perf.data as its only word.\n\n"
          "    brazier run perf.txt -o flame.svg\n"
          "    perf script | brazier run -o flame.svg -o stacks.folded\n"
          "    brazier run cpu\n",
          out);
    cli_print_run_section(out, "Output", BRZ_RUN_ABOUT_OUTPUT);
    cli_components_help(s, &syntax, words, out);
    cli_print_run_section(out, "Input", BRZ_RUN_ABOUT_INPUT);
    cli_print_run_section(out, "Several inputs", BRZ_RUN_ABOUT_SUM);
    cli_print_run_section(out, "Comparisons: inputs with two counts", BRZ_RUN_ABOUT_COMPARISON);
    cli_print_run_section(out, "Transforms, in the order given", BRZ_RUN_ABOUT_TRANSFORMS);
}

const cli_command cmd_run = {
    "run",
    "[PIPELINE] [INPUT...] [-o FILE]... [OPTION...]",
    "read profiles and write flame graphs",
    run,
    help,
    NULL,
};

/* SPDX-License-Identifier: MIT */
/* brazier merge: adds up profiles. */
#include "component_options.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli.h"
#include "draw/places.h"

/* ---- lists of files -------------------------------------------------------------------------- */

/* The lists that a command line names, in its cli_request.own. Initialise it with zeros and the
 * console. */
typedef struct file_list {
    brz_console *console;
    const char **lists; /* names of files; "-" is standard input */
    size_t n_lists, lists_cap;
    const char **outputs; /* paths that the command line names */
    size_t n_outputs, outputs_cap;
    brz_buf *texts; /* content of each list, which the names of the inputs point to */
} file_list;

static const cli_option file_list_options[] = {
    {"files-from", 0, "FILE",
     "also read the files that this one names, a line each or ended by NUL", 1},
    {NULL, 0, NULL, NULL, 0},
};

/* Takes --files-from, and notes the outputs; a cli_take_fn. */
static cli_taken file_list_take(cli_request *r, cli_token token, const cli_args *a)
{
    file_list *l = r->own;
    if (token == CLI_RUN_OPTION && a->run_option->type == BRZ_RUN_OUTPUT) {
        l->outputs = brz_grow(l->outputs, l->n_outputs, &l->outputs_cap, sizeof *l->outputs);
        l->outputs[l->n_outputs++] = a->value;
    }
    if (token != CLI_OPTION)
        return CLI_TAKE_DEFAULT;
    l->lists = brz_grow(l->lists, l->n_lists, &l->lists_cap, sizeof *l->lists);
    l->lists[l->n_lists++] = a->value;
    return CLI_TAKE_DONE;
}

/* Checks that no output replaces a list. Returns false after reporting an error. */
static bool file_list_check(const file_list *l)
{
    brz_input *lists = brz_calloc(l->n_lists + 1, sizeof *lists);
    brz_input_places places = {.inputs = lists, .n = l->n_lists};
    const brz_input *list = NULL;
    for (size_t i = 0; i < l->n_lists; i++)
        lists[i].name = l->lists[i];
    for (size_t i = 0; i < l->n_outputs && list == NULL; i++)
        list = brz_input_places_find(&places, l->outputs[i]);
    if (list != NULL)
        brz_say_code(l->console, BRZ_FATAL, BRZ_SAYS_PIPELINE,
                     "--files-from %s would be replaced by an output; write to another file",
                     list->name);
    brz_input_places_finish(&places);
    free(lists);
    return list == NULL;
}

static bool read_list(const char *name, brz_buf *text, brz_console *console)
{
    bool is_stdin = strcmp(name, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    bool good = fd >= 0 && brz_buf_read(text, fd, SIZE_MAX);
    if (!good)
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_OPEN, "--files-from %s: cannot be read: %s", name,
                     strerror(errno));
    if (fd >= 0 && !is_stdin)
        close(fd);
    return good;
}

/* Adds the names of a list, and ends each with NUL. Returns their number. */
static size_t add_names(cli_request *r, brz_buf *text)
{
    size_t n = 0;
    char separator = text->len > 0 && memchr(text->data, 0, text->len) != NULL ? 0 : '\n';
    brz_buf_add_char(text, separator);
    for (char *name = text->data, *end = name + text->len; name < end;) {
        char *stop = memchr(name, separator, (size_t)(end - name));
        *stop = 0;
        if (stop > name) {
            cli_request_input(r, name);
            n++;
        }
        name = stop + 1;
    }
    return n;
}

/* Adds the names in all lists to the inputs of the request: separated by NUL if the list contains
 * one, or else by newlines. Returns false after reporting an error if a list cannot be read or
 * contains no name. */
static bool file_list_read(file_list *l, cli_request *r)
{
    l->texts = brz_calloc(l->n_lists + 1, sizeof *l->texts);
    for (size_t i = 0; i < l->n_lists; i++) {
        if (!read_list(l->lists[i], &l->texts[i], l->console))
            return false;
        if (add_names(r, &l->texts[i]) > 0)
            continue;
        brz_say_code(l->console, BRZ_FATAL, BRZ_SAYS_EMPTY, "--files-from %s: no names in it",
                     l->lists[i]);
        return false;
    }
    return true;
}

/* Releases the names; the request must not be used afterwards. */
static void file_list_finish(file_list *l)
{
    for (size_t i = 0; l->texts != NULL && i < l->n_lists; i++)
        brz_buf_finish(&l->texts[i]);
    free(l->texts);
    free(l->lists);
    free(l->outputs);
}

/* ---- the command ----------------------------------------------------------------------------- */

static const cli_option *const tables[] = {file_list_options, NULL};

static const cli_syntax syntax = {.tables = tables,
                                  .sections = BRZ_RUN_ABOUT_OUTPUT | BRZ_RUN_ABOUT_INPUT |
                                              BRZ_RUN_ABOUT_TRANSFORMS | BRZ_RUN_ABOUT_SUM,
                                  .output = "folded",
                                  .updates = true,
                                  .take = file_list_take};

static int run(brz_session *s, char **words)
{
    file_list list = {.console = &s->console};
    cli_request r = {.own = &list};
    int status = CLI_USAGE;
    if (cli_request_words(s, &syntax, words, &r) && file_list_check(&list)) {
        if (!file_list_read(&list, &r))
            status = CLI_FAILED;
        else if (cli_check_input(s, r.n_inputs, NULL))
            status = cli_request_run(s, &r);
    }
    cli_request_finish(&r);
    file_list_finish(&list);
    return status;
}

static void help(brz_session *s, char **words, FILE *out)
{
    fputs("Adds up profiles of any format and writes folded stacks to standard output,\n"
          "unless -o names another output. The result does not depend on the order of the\n"
          "files, or on merging some of them first. Folded stacks in order, as brazier\n"
          "writes them, take little memory; other profiles take more for each distinct\n"
          "stack.\n\n"
          "    brazier merge host1.folded host2.folded.gz host3.perf.txt > all.folded\n"
          "    find . -name '*.folded' -print0 | brazier merge --files-from - -o all.folded\n",
          out);
    cli_print_section(out, "Many files", file_list_options);
    cli_print_run_section(out, "Output", BRZ_RUN_ABOUT_OUTPUT);
    cli_components_help(s, &syntax, words, out);
    cli_print_run_section(out, "Input", BRZ_RUN_ABOUT_INPUT);
    cli_print_run_section(out, "Several inputs", BRZ_RUN_ABOUT_SUM);
    cli_print_run_section(out, "Transforms, in the order given", BRZ_RUN_ABOUT_TRANSFORMS);
}

const cli_command cmd_merge = {
    "merge", "[FILE...] [-o FILE]... [OPTION...]", "add up profiles", run, help, NULL,
};

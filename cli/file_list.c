/* Reads the names of inputs from files. */
#include "file_list.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "draw/places.h"

const cli_option cli_file_list_options[] = {
    {"files-from", 0, "FILE", "also read the files that are listed in this one: lines, or NUL", 1},
    {NULL, 0, NULL, NULL, 0},
};

cli_taken cli_file_list_take(cli_request *r, cli_token token, const cli_args *a)
{
    cli_file_list *l = r->own;
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

bool cli_file_list_check(const cli_file_list *l)
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
    bool good = fd >= 0 && brz_buf_read(text, fd);
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

bool cli_file_list_read(cli_file_list *l, cli_request *r)
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

void cli_file_list_finish(cli_file_list *l)
{
    for (size_t i = 0; l->texts != NULL && i < l->n_lists; i++)
        brz_buf_finish(&l->texts[i]);
    free(l->texts);
    free(l->lists);
    free(l->outputs);
}

/* SPDX-License-Identifier: MIT */
/* Checks for unsuitable uses of standard output: a terminal that would receive a picture, or a file
 * whose ending names another format. */
#include "run/plan.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "draw/sink.h"

/* Returns whether a media type is text, including formats for programs. */
static bool is_text(const char *media_type)
{
    static const char *const marks[] = {"json", "xml", "javascript", "yaml"};
    if (media_type == NULL || strncmp(media_type, "text/", 5) == 0)
        return true;
    for (size_t i = 0; i < BRZ_COUNT_OF(marks); i++)
        if (strstr(media_type, marks[i]) != NULL)
            return true;
    return false;
}

/* Returns whether a media type is text for people. */
static bool is_for_people(const char *media_type)
{
    return media_type == NULL ||
           (strncmp(media_type, "text/", 5) == 0 && strcmp(media_type, "text/html") != 0);
}

static bool check_terminal(const brz_pipeline *p, const brz_output_use *o)
{
    const brz_output *output = o->use.loaded->vtable;
    bool text = is_text(output->media_type);
    const char *id = o->use.loaded->component->id;
    return is_for_people(output->media_type) || (text && o->is_sent) || !brz_is_terminal(o->to) ||
           brz_pipeline_refuse(
               p, NULL, "%s%s would go to the terminal; add -o flame.%s, or --to table%s", id,
               text ? "" : " is binary and", output->endings[0] != NULL ? output->endings[0] : id,
               text ? " (-o - sends it there all the same)" : "");
}

/* Stores the path of the regular file that standard output is redirected to. Returns false if it is
 * redirected to no such file, or if the path is unknown. */
static bool find_redirect(char *path, size_t size)
{
    struct stat st, named;
    ssize_t n = -1;
    if (fstat(STDOUT_FILENO, &st) == 0 && S_ISREG(st.st_mode))
        n = readlink("/proc/self/fd/1", path, size - 1);
    if (n < 0)
        return false;
    path[n] = '\0';
    return stat(path, &named) == 0 && named.st_dev == st.st_dev && named.st_ino == st.st_ino;
}

/* Warns about the ending of the file. Considers only an output with the same name as the ending,
 * because knowing the endings of all outputs would require loading them. */
static void warn_of_ending(const brz_pipeline *p, const brz_output_use *o)
{
    char path[PATH_MAX];
    const char *id = o->use.loaded->component->id;
    if (!find_redirect(path, sizeof path))
        return;
    const char *name = strrchr(path, '/') + 1, *dot = strrchr(name, '.');
    if (dot == NULL || brz_resolve_ending_length(o->use.loaded, name) > 0 ||
        brz_registry_find(p->session->registry, BRZ_OUTPUT, brz_str_of_text(dot + 1), NULL) == NULL)
        return;
    brz_say_code(&p->session->console, BRZ_WARNING, BRZ_SAYS_PIPELINE,
                 "standard output is %s, but the output is %s; -o in place of > writes "
                 "%s, --to %s removes this warning",
                 name, id, dot + 1, id);
}

/* Returns why an output cannot change the file at its destination in place, or NULL. */
static const char *update_problem(const brz_output_use *o)
{
    if (o->write != NULL)
        return "it goes to the program";
    if (o->inside.folder != NULL)
        return "a configuration that was found may not ask for it; name the file with -o";
    if (!brz_file_sink_appears_whole(&o->inside, o->to))
        return "it is no file; name one with -o";
    return brz_resolve_packing(o->use.loaded, o->to) != BRZ_PACKED_NOT ? "it is compressed" : NULL;
}

static bool check_update(const brz_pipeline *p, const brz_output_use *o)
{
    const char *problem = o->updates ? update_problem(o) : NULL;
    return problem == NULL ||
           brz_pipeline_refuse(p, NULL, "%s: %s cannot add to it: %s",
                               strcmp(o->to, "-") == 0 ? "standard output" : o->to,
                               o->use.loaded->component->id, problem);
}

bool brz_pipeline_check_destinations(const brz_pipeline *p)
{
    for (size_t i = 0; i < p->n_outputs; i++)
        if (!check_update(p, &p->outputs[i]))
            return false;
    for (size_t i = 0; i < p->n_outputs && p->request->check_stdout; i++) {
        const brz_output_use *o = &p->outputs[i];
        if (o->write != NULL)
            continue;
        if (!check_terminal(p, o))
            return false;
        if (o->is_default)
            warn_of_ending(p, o);
    }
    return true;
}

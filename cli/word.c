/* SPDX-License-Identifier: MIT */
/* Determines the meaning of a word that is not an option: a file or a pipeline. */
#include "cli.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool cli_is_file(const char *word)
{
    return strcmp(word, "-") == 0 || access(word, F_OK) == 0;
}

bool cli_may_write_default(const char *file, brz_console *console)
{
    struct stat st;
    if (lstat(file, &st) != 0 || !S_ISLNK(st.st_mode))
        return true;
    brz_say_code(console, BRZ_FATAL, BRZ_SAYS_WRITE,
                 "refused: '%s' is a symbolic link, and only -o FILE follows links", file);
    return false;
}

bool cli_is_pipeline(brz_session *s, const char *word)
{
    if (strchr(word, '/') != NULL)
        return false;
    if (strchr(word, '.') == NULL)
        return brz_config_find(s->config, "pipelines", brz_str_of_text(word)) != NULL;
    /* most files have an ending, unlike shipped pipelines: do not read the shipped configuration */
    return brz_yaml_get(brz_config_near_section(s->config, "pipelines"), word) != NULL;
}

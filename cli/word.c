/* Determines the meaning of a word that is not an option: a file or a pipeline. */
#include "cli.h"

#include <string.h>
#include <unistd.h>

bool cli_is_file(const char *word)
{
    return strcmp(word, "-") == 0 || access(word, F_OK) == 0;
}

bool cli_is_pipeline(brz_session *s, const char *word)
{
    if (strchr(word, '/') != NULL)
        return false;
    if (strchr(word, '.') == NULL)
        return brz_config_find(s->config, "pipelines", brz_str_of(word, strlen(word))) != NULL;
    /* most files have an ending, unlike shipped pipelines: do not read the shipped configuration */
    return brz_yaml_get(brz_config_near_section(s->config, "pipelines"), word) != NULL;
}

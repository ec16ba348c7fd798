/* SPDX-License-Identifier: MIT */
/* Finds pipelines of the configuration by name. */
#include "config/named_pipeline.h"

#include <string.h>

brz_suggestion brz_named_pipeline_suggest(brz_config *c, const char *name)
{
    const brz_yaml *section = brz_config_section(c, "pipelines");
    brz_suggestion near = {.typed = brz_str_of_text(name)};
    for (const brz_yaml *n = section == NULL ? NULL : section->first; n != NULL; n = n->next)
        if (n->key != NULL)
            brz_suggestion_offer(&near, n->key->text.data);
    return near;
}

static void say_no_pipeline(brz_session *s, const char *name)
{
    brz_suggestion near = brz_named_pipeline_suggest(s->config, name);
    brz_buf b = {0};
    brz_suggestion_add(&near, &b);
    if (near.best == NULL)
        brz_buf_add_text(&b, " (brazier config show lists them)");
    brz_say_code(&s->console, BRZ_FATAL, BRZ_SAYS_PIPELINE,
                 "no pipeline '%s' in the configuration%s", name, brz_buf_text(&b));
    brz_buf_finish(&b);
}

bool brz_named_pipeline_find(brz_session *s, const brz_request *r, const brz_yaml **node)
{
    const char *wanted = r->pipeline == NULL ? "default" : r->pipeline;
    *node = NULL;
    if (r->pipeline == NULL &&
        (r->no_pipeline || brz_config_near_section(s->config, "pipelines") == NULL))
        return true;
    *node = brz_config_find(s->config, "pipelines", brz_str_of_text(wanted));
    if (*node != NULL || r->pipeline == NULL)
        return true;
    say_no_pipeline(s, wanted);
    return false;
}

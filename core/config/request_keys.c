/* SPDX-License-Identifier: MIT */
/* Reads the keys of a pipeline that are options of a run, and layers the request over them. */
#include "config/request_keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "request/run_option.h"

/* Parses the value of a key into a request. Returns false if it is invalid. */
static bool parse(const brz_run_option *o, const brz_yaml *node, brz_request *r)
{
    *r = (brz_request){0};
    return node->type == BRZ_YAML_SCALAR && node->text.len > 0 &&
           brz_run_option_set(o, r, node->text.data, o->name, NULL);
}

/* Returns whether a value permits more than another one. An invalid value counts as looser, so that
 * it is reported. */
static bool is_looser(const void *context, const brz_yaml *value, const brz_yaml *than)
{
    brz_request a, b;
    const brz_run_option *o = context;
    return !parse(o, value, &a) || !parse(o, than, &b) || brz_run_option_is_looser(o, &a, &b);
}

/* Returns the key's value that applies, or NULL. A file that was found can only tighten a guard. */
static const brz_yaml *find_key(brz_session *s, const brz_yaml *pipeline, const brz_run_option *o)
{
    const brz_yaml *node = brz_yaml_get(pipeline, o->name);
    if (!(o->flags & BRZ_RUN_GUARD) || node == NULL)
        return node;
    brz_buf unless = {0};
    brz_buf_printf(&unless, "--%s", o->off != NULL ? o->off : o->name);
    node = brz_config_strictest(&s->console, node, is_looser, o, brz_buf_text(&unless));
    brz_buf_finish(&unless);
    return node;
}

/* Tightens the value of a guard to that of the user's pipeline "default", which *node then is.
 * Ignores untrusted files. A pipeline of an untrusted file is at least as strict, because such a
 * file may name a pipeline like an input. */
static void tighten(const brz_session *s, const brz_run_option *o, brz_request *value,
                    const brz_yaml **node)
{
    brz_request wished;
    const brz_yaml *wish = brz_yaml_get(
        brz_yaml_get(brz_config_near_section(s->config, "pipelines"), "default"), o->name);
    while (wish != NULL && wish->file->beneath != NULL)
        wish = wish->farther;
    if (wish == NULL || !parse(o, wish, &wished) || !brz_run_option_is_looser(o, value, &wished))
        return;
    brz_run_option_copy(o, value, &wished);
    *node = wish;
}

/* Joins the items of a list, as if the command line had them one by one. Returns NULL if an item is
 * not a text. */
static const char *join_items(brz_arena *texts, const brz_yaml *list)
{
    brz_buf b = {0};
    const char *joined = NULL;
    const brz_yaml *n = list->first;
    for (; n != NULL && n->type == BRZ_YAML_SCALAR && n->text.len > 0; n = n->next)
        brz_buf_printf(&b, "%s%s", b.len > 0 ? "\n" : "", n->text.data);
    if (n == NULL && b.len > 0)
        joined = brz_arena_str(texts, brz_buf_str(&b)).data;
    brz_buf_finish(&b);
    return joined;
}

/* Parses the value of a key, which may be a list of texts. Returns false if it is invalid. */
static bool parse_key(brz_arena *texts, const brz_run_option *o, const brz_yaml *node,
                      brz_request *value)
{
    if (!(o->flags & BRZ_RUN_ADDS) || node->type != BRZ_YAML_LIST)
        return parse(o, node, value);
    const char *joined = join_items(texts, node);
    *value = (brz_request){0};
    return joined != NULL && brz_run_option_set(o, value, joined, o->name, NULL);
}

static void say_invalid(brz_session *s, const brz_yaml *node, const brz_run_option *o)
{
    brz_buf b = {0};
    brz_run_option_add_values(o, &b);
    brz_yaml_say(&s->console, BRZ_FATAL, node, "%s is %s", o->name, brz_buf_text(&b));
    brz_buf_finish(&b);
}

/* Sets an option if the request leaves it to the configuration, and stores its key. Checks the key
 * in any case. */
static bool set_key(brz_session *s, const brz_yaml *pipeline, const brz_run_option *o,
                    brz_arena *texts, brz_request *request, const brz_yaml **key)
{
    brz_request value = {0};
    const brz_yaml *node = find_key(s, pipeline, o);
    if (node != NULL && !parse_key(texts, o, node, &value)) {
        say_invalid(s, node, o);
        return false;
    }
    if ((o->flags & BRZ_RUN_GUARD) && pipeline != NULL && pipeline->file->beneath != NULL)
        tighten(s, o, &value, &node);
    if (brz_run_option_is_set(o, request))
        return true;
    brz_run_option_copy(o, request, &value);
    *key = node;
    return true;
}

bool brz_request_set_keys(brz_session *s, const brz_yaml *pipeline, brz_arena *texts,
                          brz_request *request, const brz_yaml ***keys)
{
    const brz_run_option *o;
    bool good = true;
    size_t n = 0;
    while (brz_run_option_at(n) != NULL)
        n++;
    *keys = brz_calloc(n, sizeof **keys);
    for (size_t i = 0; (o = brz_run_option_at(i)) != NULL; i++)
        if (o->flags & BRZ_RUN_KEY)
            good &= set_key(s, pipeline, o, texts, request, &(*keys)[i]);
    return good;
}

/* ---- all keys ----------------------------------------------------------------------------- */

static const char **add_key(const char **keys, size_t *n, size_t *cap, const char *key)
{
    keys = brz_grow(keys, *n, cap, sizeof *keys);
    keys[(*n)++] = key;
    return keys;
}

bool brz_request_check_keys(brz_console *console, const brz_yaml *node)
{
    static const char *const structured[] = {"inputs", "collapse", "transform", "palette",
                                             "outputs"};
    const char **keys = NULL;
    size_t n = 0, cap = 0;
    const brz_run_option *o;
    for (size_t i = 0; i < BRZ_COUNT_OF(structured); i++)
        keys = add_key(keys, &n, &cap, structured[i]);
    for (size_t i = 0; (o = brz_run_option_at(i)) != NULL; i++)
        if (o->flags & BRZ_RUN_KEY)
            keys = add_key(keys, &n, &cap, o->name);
    keys = add_key(keys, &n, &cap, NULL);
    bool good = brz_config_check_keys(console, node, "a pipeline has no key", keys);
    free(keys);
    return good;
}

/* Determines the limits of a pipeline from the command line or the configuration. */
#include "run/pipeline_parts.h"

#include "plugin/options.h"
#include "run/config.h"

typedef bool parse_fn(brz_str s, uint64_t *value);

typedef struct limit_key {
    const char *key, *option; /* names in a configuration and on the command line */
    const char *what;         /* description of its values */
    parse_fn *parse;
    brz_config_looser_fn *is_looser;
} limit_key;

/* Parses the value of a key. Returns false if it is invalid or zero. */
static bool parse_limit(const brz_yaml *node, parse_fn *parse, uint64_t *value)
{
    *value = 0;
    return node->type == BRZ_YAML_SCALAR && parse(node->text, value) && *value > 0;
}

/* Returns whether a value is larger than another one. An invalid value counts as larger, so that it
 * is reported. */
static bool is_larger(const brz_yaml *value, const brz_yaml *than, parse_fn *parse)
{
    uint64_t a, b;
    return !parse_limit(value, parse, &a) || !parse_limit(than, parse, &b) || a > b;
}

static bool is_more_memory(const brz_yaml *value, const brz_yaml *than)
{
    return is_larger(value, than, brz_parse_size);
}

static bool is_more_time(const brz_yaml *value, const brz_yaml *than)
{
    return is_larger(value, than, brz_parse_duration);
}

static const limit_key memory_key = {"max-memory", "--max-memory", "a size, such as 512M",
                                     brz_parse_size, is_more_memory};
static const limit_key time_key = {"max-time", "--max-time", "a duration, such as 90s",
                                   brz_parse_duration, is_more_time};

/* Returns the limit of the user's pipeline "default", or 0 if it has none. Ignores untrusted
 * files. */
static uint64_t usual_limit(const brz_pipeline *p, const limit_key *k)
{
    uint64_t value = 0;
    const brz_yaml *usual =
        brz_yaml_get(brz_config_near_section(p->session->config, "pipelines"), "default");
    const brz_yaml *wish = brz_yaml_get(usual, k->key);
    while (wish != NULL && wish->file->beneath != NULL)
        wish = wish->farther;
    if (wish != NULL)
        parse_limit(wish, k->parse, &value);
    return value;
}

/* Sets a limit of the pipeline at `node`, which may be NULL. The limit of an untrusted file is at
 * least as strict as the user's default. */
static bool set_limit(const brz_pipeline *p, const brz_yaml *node, const limit_key *k,
                      uint64_t asked, uint64_t *limit)
{
    brz_console *console = &p->session->console;
    const brz_yaml *wish =
        brz_config_strictest(console, brz_yaml_get(node, k->key), k->is_looser, k->option);
    *limit = 0;
    if (wish != NULL && !parse_limit(wish, k->parse, limit)) {
        brz_yaml_say(console, BRZ_FATAL, wish, "%s is %s", k->key, k->what);
        return false;
    }
    if (node != NULL && node->file->beneath != NULL) {
        uint64_t usual = usual_limit(p, k);
        *limit = usual > 0 && (*limit == 0 || *limit > usual) ? usual : *limit;
    }
    *limit = asked > 0 ? asked : *limit;
    return true;
}

bool brz_pipeline_set_limits(brz_pipeline *p, const brz_yaml *node)
{
    const brz_limits *asked = &p->request->limits;
    p->limits.is_strict = asked->is_strict;
    p->limits.threads = p->request->threads;
    bool good = set_limit(p, node, &memory_key, asked->memory, &p->limits.memory);
    good &= set_limit(p, node, &time_key, asked->time, &p->limits.time);
    return good;
}

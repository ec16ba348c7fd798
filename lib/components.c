/* Describes components and their options, and guesses formats. */
#include "library.h"

#include <string.h>

#include "base/number_locale.h"
#include "collapse/guess.h"
#include "input/feed.h"
#include "plugin/options.h"

/* ---- components ---------------------------------------------------------------------------- */

static const char *type_word(uint32_t type)
{
    static const char *const words[] = {
        [BRZ_OPTION_BOOL] = "bool",         [BRZ_OPTION_INT] = "int",
        [BRZ_OPTION_REAL] = "real",         [BRZ_OPTION_STR] = "text",
        [BRZ_OPTION_ENUM] = "choice",       [BRZ_OPTION_SIZE] = "size",
        [BRZ_OPTION_DURATION] = "duration", [BRZ_OPTION_COLOR] = "color",
        [BRZ_OPTION_LIST] = "list",
    };
    return type >= BRZ_OPTION_BOOL && type <= BRZ_OPTION_LIST ? words[type] : "text";
}

static brazier_option *describe_option(brazier_session *s, const brz_option *o)
{
    brazier_option *d = brz_arena_alloc(&s->memory, sizeof *d, 0);
    *d = (brazier_option){
        .struct_size = sizeof *d,
        .flags = (o->flags & BRZ_OPTION_REQUIRED ? BRAZIER_OPTION_REQUIRED : 0) |
                 (o->flags & BRZ_OPTION_DEPRECATED ? BRAZIER_OPTION_DEPRECATED : 0),
        .name = o->name,
        .type = type_word(o->type),
        .default_value = o->dflt,
        .help = o->help,
        .choices = o->choices,
        .range = o->range,
    };
    return d;
}

static const brazier_option **describe_options(brazier_session *s, const brz_component *c)
{
    size_t n = 0;
    const brazier_option **list =
        brz_arena_alloc(&s->memory, ((size_t)c->n_options + 1) * sizeof(const brazier_option *), 0);
    for (uint32_t i = 0; i < c->n_options; i++) {
        const brz_option *o = brz_option_at(c, i);
        if (!(o->flags & BRZ_OPTION_HIDDEN))
            list[n++] = describe_option(s, o);
    }
    return list;
}

static brazier_component describe(brazier_session *s, const brz_loaded *l, brz_tier tier,
                                  bool shadowed)
{
    const brz_component *c = l->component;
    return (brazier_component){
        .struct_size = sizeof(brazier_component),
        .kind = c->kind,
        .kind_name = brz_component_kind_name(c->kind),
        .id = c->id,
        .plugin = l->plugin,
        .version = l->version,
        .summary = c->summary,
        .help = c->help,
        .path = l->path,
        .found_in = brz_tier_name(tier),
        .shadowed = shadowed,
        .endings = c->kind == BRZ_OUTPUT ? ((const brz_output *)l->vtable)->endings : NULL,
        .options = describe_options(s, c),
    };
}

static void load_components(brazier_session *s)
{
    const brz_registry *r = s->core.registry;
    brz_tier tier;
    bool shadowed;
    size_t n = 0;
    brz_number_locale locale = brz_number_locale_enter();
    brz_registry_load_all(s->core.registry, 0);
    brz_number_locale_leave(&locale);
    while (brz_registry_at(r, n, &tier, &shadowed) != NULL)
        n++;
    s->components = brz_arena_alloc(&s->memory, (n + 1) * sizeof *s->components, 0);
    s->n_components = n;
    for (size_t i = 0; i < n; i++) {
        const brz_loaded *l = brz_registry_at(r, i, &tier, &shadowed);
        s->components[i] = describe(s, l, tier, shadowed);
    }
}

const brazier_component *brazier_session_component(brazier_session *session, size_t i)
{
    if (session->core.config == NULL)
        return NULL;
    if (session->components == NULL)
        load_components(session);
    return i < session->n_components ? &session->components[i] : NULL;
}

/* ---- formats ------------------------------------------------------------------------------- */

/* Guesses the format of a source and closes it. */
static const char *guess(brazier_session *s, brz_source *source, int *score)
{
    brz_feed feed;
    brz_feed_init(&feed, source);
    brz_number_locale l = brz_number_locale_enter();
    brz_guess g = brz_guess_format(s->core.registry, &feed);
    brz_number_locale_leave(&l);
    const char *format = g.winner == NULL ? NULL : g.winner->component->id;
    if (score != NULL)
        *score = format == NULL ? 0 : (int)g.items[0].score;
    if (format == NULL) {
        brz_buf why = {0};
        brz_guess_explain(&g, feed.source->name, &why);
        brz_say_code(&s->core.console, BRZ_FATAL, BRZ_SAYS_FORMAT, "%s", brz_buf_text(&why));
        brz_buf_finish(&why);
    }
    brz_guess_finish(&g);
    brz_feed_finish(&feed);
    brz_source_close(source);
    return format;
}

static bool is_open(brazier_session *s)
{
    if (s->core.config == NULL)
        BRZ_MISUSE(s, "this session could not be opened");
    return s->core.config != NULL;
}

const char *brazier_guess_file(brazier_session *session, const char *path, int *score)
{
    brz_buf error = {0};
    if (score != NULL)
        *score = 0;
    if (!is_open(session))
        return NULL;
    brz_source *source = brz_source_open(path, false, &error);
    if (source == NULL)
        brz_say_code(&session->core.console, BRZ_FATAL, BRZ_SAYS_OPEN, "%s", brz_buf_text(&error));
    brz_buf_finish(&error);
    return source == NULL ? NULL : guess(session, source, score);
}

const char *brazier_guess_memory(brazier_session *session, const char *name, const void *data,
                                 size_t size, int *score)
{
    if (score != NULL)
        *score = 0;
    if (!is_open(session))
        return NULL;
    brz_stream *bytes = brz_stream_of_memory(data, size);
    return guess(session, brz_source_of_stream(name, bytes, size, false), score);
}

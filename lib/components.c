/* SPDX-License-Identifier: MIT */
/* Describes components and their options, and guesses formats. */
#include "library.h"

#include <string.h>

#include "base/number_locale.h"
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
    bool describes = brz_registry_describe(s->core.registry, true);
    brz_registry_load_all(s->core.registry, 0);
    brz_registry_describe(s->core.registry, describes);
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

const char *brz_lib_guess(brazier_session *s, const brz_input_reader *reader, brz_reading reading,
                          int *score)
{
    brz_guess g;
    const brz_input *input = reading.input;
    reading.registry = s->core.registry;
    bool is_stdin = input->kind == BRZ_INPUT_FILE && strcmp(input->name, "-") == 0;
    brz_number_locale l = brz_number_locale_enter();
    bool is_read = reader->guess(&reading, &g);
    brz_number_locale_leave(&l);
    *score = 0;
    if (!is_read)
        return NULL;
    const char *format = g.winner == NULL ? NULL : g.winner->component->id;
    if (format == NULL) {
        brz_buf why = {0};
        brz_guess_explain(&g, is_stdin ? "stdin" : input->name, "--from", &why);
        brz_say_code(&s->core.console, BRZ_FATAL, brz_guess_code(&g), "%s", brz_buf_text(&why));
        brz_buf_finish(&why);
    } else {
        *score = (int)g.items[0].score;
    }
    brz_guess_finish(&g);
    return format;
}

/* Guesses the format of an input in this process. */
static const char *guess(brazier_session *s, brz_input input, int *score)
{
    int unwanted;
    brz_run run = {.console = &s->core.console};
    if (score == NULL)
        score = &unwanted;
    *score = 0;
    if (s->core.config == NULL) {
        BRZ_MISUSE(s, "this session could not be opened");
        return NULL;
    }
    return brz_lib_guess(s, &brz_local_reader, (brz_reading){.run = &run, .input = &input}, score);
}

const char *brazier_guess_file(brazier_session *session, const char *path, int *score)
{
    return guess(session, (brz_input){.kind = BRZ_INPUT_FILE, .name = path}, score);
}

const char *brazier_guess_memory(brazier_session *session, const char *name, const void *data,
                                 size_t size, int *score)
{
    return guess(session,
                 (brz_input){.kind = BRZ_INPUT_MEMORY, .name = name, .data = data, .len = size},
                 score);
}

/* Builds a pipeline from the configuration and the command line. */
#include "profile/input_labels.h"
#include "run/plan.h"

#include <stdlib.h>
#include <string.h>

#include "config/palette_chain_build.h"
#include "run/destination.h"
#include "base/mem.h"
#include "base/text.h"
#include "draw/sink.h"
#include "config/confinement.h"
#include "config/request_keys.h"
#include "request/run_option.h"

brz_resolver brz_pipeline_resolver(const brz_pipeline *p)
{
    return (brz_resolver){.session = p->session, .request = p->request, .used = p->used};
}

static char *copy(const char *s)
{
    return brz_memdup(s, strlen(s));
}

static void complain(const brz_pipeline *p, const brz_yaml *at, const char *what)
{
    brz_yaml_say(&p->session->console, BRZ_FATAL, at, "%s", what);
}

/* ---- the collapser ------------------------------------------------------------------------- */

static const char *const use_keys[] = {"use", "options", NULL};

/* Checks that a map has no keys other than these. */
static bool check_keys(const brz_pipeline *p, const brz_yaml *map, const char *what,
                       const char *const *keys)
{
    bool good = true;
    for (const brz_yaml *n = map->first; n != NULL; n = n->next) {
        size_t i = 0;
        while (keys[i] != NULL && !brz_yaml_is(n->key, keys[i]))
            i++;
        if (keys[i] != NULL)
            continue;
        brz_config_say_unknown(&p->session->console, n, what, keys);
        good = false;
    }
    return good;
}

/* Returns whether the keys of `{use: NAME, ...}`, if it is that, are among these. */
static bool check_use(const brz_pipeline *p, const brz_yaml *node, const char *what,
                      const char *const *keys)
{
    return node->type != BRZ_YAML_MAP || check_keys(p, node, what, keys);
}

/* Returns the name in `NAME` or `{use: NAME, ...}`, or NULL after reporting an error. */
static const brz_yaml *used_name(const brz_pipeline *p, const brz_yaml *node)
{
    const brz_yaml *name = node->type == BRZ_YAML_MAP ? brz_yaml_get(node, "use") : node;
    if (name != NULL && name->type == BRZ_YAML_SCALAR && name->text.len > 0)
        return name;
    complain(p, node, "write the name of a plug-in here, or {use: NAME, options: {…}}");
    return NULL;
}

static bool set_collapse(brz_pipeline *p, const brz_yaml *node)
{
    brz_resolver r = brz_pipeline_resolver(p);
    const brz_yaml *at = NULL;
    brz_str name = BRZ_STR("guess");
    bool good = node == NULL || check_use(p, node, "a collapser has no key", use_keys);
    if (node != NULL) {
        at = used_name(p, node);
        if (at == NULL)
            return false;
        name = at->text;
        p->collapse_options = brz_yaml_get(node, "options");
    }
    const char *wanted = brz_request_from(p->request);
    if (wanted != NULL) {
        brz_str from = brz_str_of(wanted, strlen(wanted));
        if (at == NULL || !brz_str_equal(from, name))
            p->collapse_options = NULL;
        name = from;
        at = NULL;
    }
    p->guess = brz_str_is(name, "guess");
    return (p->guess ||
            brz_resolve(&r, BRZ_COLLAPSER, name, at, p->collapse_options, &p->collapse)) &&
           good;
}

/* Returns the place of a node, "FILE:LINE", as long as the pipeline. */
static const char *origin_of(brz_pipeline *p, const brz_yaml *node)
{
    brz_buf b = {0};
    brz_buf_printf(&b, "%s:%zu", node->file->name, node->line);
    const char *origin = brz_arena_str(&p->texts, brz_buf_str(&b)).data;
    brz_buf_finish(&b);
    return origin;
}

/* ---- transforms ---------------------------------------------------------------------------- */

static bool add_arg(const brz_pipeline *p, const brz_yaml *node, brz_str *args, size_t *n)
{
    if (node->type != BRZ_YAML_SCALAR) {
        complain(p, node, "write a text here");
        return false;
    }
    args[(*n)++] = node->text;
    return true;
}

/* Collects the arguments of `- drop: RE`, `- base: [a, b]` or `- rename: {match: RE, with: TEXT}`.
 * `args` has room for one more than the node has children. */
static bool transform_args(const brz_pipeline *p, const brz_yaml *node, brz_str *args, size_t *n)
{
    static const char *const keys[] = {"match", "with", NULL};
    bool good = true;
    if (node->type == BRZ_YAML_MAP) {
        good = check_keys(p, node, "a transform has no key", keys);
        for (size_t i = 0; i < 2 && good; i++) {
            const brz_yaml *v = brz_yaml_get(node, keys[i]);
            good = v == NULL || add_arg(p, v, args, n);
        }
    } else if (node->type == BRZ_YAML_LIST) {
        for (const brz_yaml *v = node->first; v != NULL; v = v->next)
            good &= add_arg(p, v, args, n);
    } else if (!node->is_null && !brz_yaml_is(node, "true")) {
        args[(*n)++] = node->text;
    }
    return good;
}

static bool add_transform(brz_pipeline *p, const brz_yaml *node)
{
    brz_buf error = {0};
    size_t n = 0;
    const brz_yaml *value = node->type == BRZ_YAML_MAP ? node->first : node;
    const brz_yaml *name = node->type == BRZ_YAML_MAP && value != NULL ? value->key : node;
    if (name->type != BRZ_YAML_SCALAR || (node->type == BRZ_YAML_MAP && node->n_children != 1)) {
        complain(p, node, "write one transform here: a name, or {name: argument}");
        return false;
    }
    brz_str *args = brz_calloc(value->n_children + 1, sizeof *args);
    const brz_transform_kind *kind = brz_transform_find(name->text, &error);
    bool good = kind != NULL && (value == node || transform_args(p, value, args, &n));
    good = good && brz_transforms_add(&p->transforms, kind, args, n, &error);
    if (good)
        brz_transforms_set_origin(&p->transforms, origin_of(p, node));
    else if (error.len > 0)
        complain(p, kind == NULL ? name : value, brz_buf_text(&error));
    brz_buf_finish(&error);
    free(args);
    return good;
}

/* Returns whether a list of transforms contains a demangling step. */
static bool has_demangle(const brz_yaml *list)
{
    for (const brz_yaml *n = list == NULL ? NULL : list->first; n != NULL; n = n->next)
        if (brz_yaml_get(n, "demangle") != NULL)
            return true;
    return false;
}

/* Adds a demangling step first, so that other transforms apply to readable names. */
static bool add_demangle(brz_pipeline *p, const brz_yaml *list)
{
    const char *mode = p->request->demangle;
    brz_buf error = {0};
    if (mode == NULL && has_demangle(list))
        return true;
    brz_str arg = mode == NULL ? BRZ_STR("auto") : brz_str_of(mode, strlen(mode));
    bool good = brz_transforms_add(&p->transforms, brz_transform_find(BRZ_STR("demangle"), &error),
                                   &arg, 1, &error);
    if (!good)
        brz_say_code(&p->session->console, BRZ_FATAL, BRZ_SAYS_OPTION, "demangle: %s",
                     brz_buf_text(&error));
    brz_buf_finish(&error);
    return good;
}

static bool add_config_transforms(brz_pipeline *p, const brz_yaml *list)
{
    if (list == NULL)
        return true;
    if (list->type != BRZ_YAML_LIST) {
        complain(p, list, "transforms are a list");
        return false;
    }
    bool good = true;
    for (const brz_yaml *n = list->first; n != NULL; n = n->next)
        good &= add_transform(p, n);
    return good;
}

/* Adds the transforms of the command line. Combines consecutive ones of a kind that takes names,
 * without changing those of the pipeline. */
static bool add_requested_transforms(brz_pipeline *p)
{
    size_t of_pipeline = p->transforms.n;
    for (size_t i = 0; i < p->request->n_transforms; i++) {
        const brz_transform_request *t = &p->request->transforms[i];
        brz_buf error = {0};
        brz_str args[BRZ_MAX_TRANSFORM_ARGS];
        for (size_t k = 0; k < t->n_args; k++)
            args[k] = brz_str_of(t->args[k], strlen(t->args[k]));
        const brz_transform_kind *kind =
            brz_transform_find(brz_str_of(t->name, strlen(t->name)), &error);
        bool good =
            kind != NULL && ((t->n_args == 1 && p->transforms.n > of_pipeline &&
                              brz_transforms_extend(&p->transforms, kind, args[0])) ||
                             brz_transforms_add(&p->transforms, kind, args, t->n_args, &error));
        if (!good)
            brz_say_code(&p->session->console, BRZ_FATAL, BRZ_SAYS_OPTION, "%s: %s", t->origin,
                         brz_buf_text(&error));
        brz_buf_finish(&error);
        if (!good)
            return false;
    }
    return true;
}

/* ---- outputs ------------------------------------------------------------------------------- */

/* Returns whether the command line sets an option of a component. */
static bool has_setting(const brz_pipeline *p, const char *component)
{
    for (size_t i = 0; i < p->request->n_settings; i++)
        if (strcmp(p->request->settings[i].component, component) == 0)
            return true;
    return false;
}

/* Checks names of palettes that no output uses. Returns false after reporting an error. */
static bool are_palettes(const brz_resolver *r, const char *names)
{
    brz_chain chain = {NULL, 0};
    bool good = brz_chain_add_names(r, names, &chain);
    brz_chain_finish(&chain);
    return good;
}

static bool add_palettes(brz_pipeline *p, const brz_yaml *node, brz_output_use *o)
{
    brz_resolver r = brz_pipeline_resolver(p);
    o->diffusion = p->request->diffusion > 0;
    if (!(((const brz_output *)o->use.loaded->vtable)->flags & BRZ_OUTPUT_COLOR))
        return p->request->palette == NULL || are_palettes(&r, p->request->palette);
    if (p->request->palette != NULL)
        return brz_chain_add_names(&r, p->request->palette, &o->palettes);
    if (node != NULL)
        return brz_chain_add(&r, node, &o->palettes);
    o->palettes_are_default = !has_setting(p, BRZ_COMPARING_PALETTE) && !p->request->is_survey;
    return (o->palettes_are_default ||
            brz_chain_add_named(&r, BRZ_STR(BRZ_COMPARING_PALETTE), NULL, &o->palettes)) &&
           brz_chain_add_default(&r, &o->palettes);
}

static brz_output_use *new_output(brz_pipeline *p)
{
    p->outputs = brz_realloc(p->outputs, p->n_outputs + 1, sizeof *p->outputs);
    p->outputs[p->n_outputs] = (brz_output_use){0};
    return &p->outputs[p->n_outputs++];
}

/* Appends the endings of an output: ".svg, .html". */
static void add_endings(brz_buf *b, const brz_loaded *output)
{
    const brz_output *o = output->vtable;
    if (o->endings[0] == NULL)
        brz_buf_add_text(b, "no ending selects it");
    for (const char *const *e = o->endings; *e != NULL; e++)
        brz_buf_printf(b, "%s.%s", e == o->endings ? "" : ", ", *e);
}

/* Checks the name of an output in a file that was found: it must end like the output's files, so
 * that nothing else uses the file, and must not be an input. */
static bool check_config_name(brz_pipeline *p, const brz_yaml *to, const brz_output_use *o)
{
    brz_buf why = {0};
    if (o->inside.folder == NULL)
        return true;
    if (brz_resolve_ending_length(o->use.loaded, o->inside.path) == 0) {
        brz_buf_printf(&why, "does not end like a file of '%s' (", o->use.loaded->component->id);
        add_endings(&why, o->use.loaded);
        brz_buf_add_text(&why, ")");
    }
    for (size_t i = 0; i < p->n_inputs && why.len == 0; i++)
        if (p->inputs[i].kind == BRZ_INPUT_FILE && brz_is_same_place(o->to, p->inputs[i].name))
            brz_buf_add_text(&why, "is an input too");
    bool good = why.len == 0;
    if (!good)
        brz_confine_refuse(&p->session->console, to, brz_buf_text(&why));
    brz_buf_finish(&why);
    return good;
}

static bool add_config_output(brz_pipeline *p, const brz_yaml *node, const brz_yaml *palette)
{
    static const char *const keys[] = {"use", "to", "options", "palette", NULL};
    brz_resolver r = brz_pipeline_resolver(p);
    bool good = check_use(p, node, "an output has no key", keys);
    const brz_yaml *name = used_name(p, node);
    if (name == NULL)
        return false;
    const brz_yaml *to = brz_yaml_get(node, "to"), *own = brz_yaml_get(node, "palette");
    if (to != NULL && (to->type != BRZ_YAML_SCALAR || to->text.len == 0)) {
        complain(p, to, "where to write is the name of a file, or '-'");
        good = false;
        to = NULL;
    }
    brz_output_use *o = new_output(p);
    o->to = copy(to != NULL ? to->text.data : "-");
    o->origin = origin_of(p, node);
    if (p->request->no_standard_streams && strcmp(o->to, "-") == 0) {
        complain(p, node,
                 "this program keeps standard output for itself: write {use: …, to: FILE}");
        return false;
    }
    if (to != NULL && !brz_confine_output(&p->session->console, to, &o->inside))
        return false;
    good &= brz_resolve(&r, BRZ_OUTPUT, name->text, name, brz_yaml_get(node, "options"), &o->use);
    if (o->use.loaded == NULL)
        return false;
    good &= check_config_name(p, to, o);
    return add_palettes(p, own != NULL ? own : palette, o) && good;
}

static const char *default_output(const brz_request *r)
{
    return r->otherwise_to != NULL ? r->otherwise_to : "svg";
}

/* Returns the name of the output: that of the request, or the one for the file's ending. Returns
 * NULL after reporting an error. */
static const char *requested_format(const brz_pipeline *p, const brz_output_request *wanted)
{
    brz_resolver r = brz_pipeline_resolver(p);
    if (wanted->format != NULL)
        return wanted->format;
    if (p->request->to != NULL)
        return p->request->to;
    bool has_ending = wanted->name != NULL && strcmp(wanted->name, "-") != 0;
    return has_ending ? brz_resolve_ending(&r, wanted->name) : default_output(p->request);
}

/* The default output. */
static const brz_output_request standard_output = {.name = "-"};

static bool add_requested_output(brz_pipeline *p, const brz_output_request *wanted,
                                 const brz_yaml *palette)
{
    brz_resolver r = brz_pipeline_resolver(p);
    if (wanted->name != NULL && wanted->name[0] == '\0') {
        brz_say_code(&p->session->console, BRZ_FATAL, BRZ_SAYS_PIPELINE,
                     "an output has the name of a file, or '-'");
        return false;
    }
    const char *name = requested_format(p, wanted);
    if (name == NULL)
        return false;
    brz_output_use *o = new_output(p);
    o->to = copy(wanted->name != NULL ? wanted->name : name);
    o->is_sent = wanted != &standard_output;
    o->is_default = !o->is_sent && p->request->to == NULL;
    o->write = wanted->write;
    o->context = wanted->context;
    bool good = brz_resolve(&r, BRZ_OUTPUT, brz_str_of(name, strlen(name)), NULL, NULL, &o->use);
    return o->use.loaded != NULL && add_palettes(p, palette, o) && good;
}

static bool add_standard_output(brz_pipeline *p, const brz_yaml *palette)
{
    if (!p->request->no_standard_streams)
        return add_requested_output(p, &standard_output, palette);
    brz_say_code(&p->session->console, BRZ_FATAL, BRZ_SAYS_PIPELINE,
                 "nothing to write: there is no output");
    return false;
}

/* Adds the outputs of the command line, or else those of the configuration. Adds standard output if
 * neither has outputs, or if the command line sets only a format. */
static bool set_outputs(brz_pipeline *p, const brz_yaml *list, const brz_yaml *palette)
{
    bool good = true;
    bool names_format = p->request->to != NULL && !p->request->no_standard_streams;
    for (size_t i = 0; i < p->request->n_outputs; i++)
        good &= add_requested_output(p, &p->request->outputs[i], palette);
    if (p->request->n_outputs > 0)
        return good;
    if (list == NULL || names_format)
        return add_standard_output(p, palette);
    if (list->type != BRZ_YAML_LIST || list->first == NULL) {
        complain(p, list, "outputs are a list of at least one");
        return false;
    }
    for (const brz_yaml *n = list->first; n != NULL; n = n->next)
        good &= add_config_output(p, n, palette);
    return good;
}

static bool check_destinations(const brz_pipeline *p)
{
    brz_resolver r = brz_pipeline_resolver(p);
    bool good = true;
    for (size_t i = 0; i < p->n_outputs && good; i++)
        good = brz_destination_check(&r, &p->outputs[i]);
    return good;
}

/* ---- building ------------------------------------------------------------------------------ */

static bool add_config_input(brz_pipeline *p, const brz_yaml *node)
{
    if (node->type != BRZ_YAML_SCALAR || node->text.len == 0) {
        complain(p, node, "an input is the name of a file, or '-'");
        return false;
    }
    brz_input *input = &p->inputs[p->n_inputs++];
    *input = (brz_input){.name = node->text.data};
    return p->request->n_inputs > 0 ||
           brz_confine_input(&p->session->console, node, &input->inside);
}

static bool add_config_inputs(brz_pipeline *p, const brz_yaml *list)
{
    bool good = true;
    if (list == NULL || list->type != BRZ_YAML_LIST)
        return list == NULL || add_config_input(p, list);
    for (const brz_yaml *v = list->first; v != NULL; v = v->next)
        good &= add_config_input(p, v);
    return good;
}

/* Reads the file that stands for a folder, where an input is one. */
static void enter_folders(brz_pipeline *p)
{
    brz_buf file = {0};
    for (size_t i = 0; i < p->n_inputs; i++) {
        brz_input *input = &p->inputs[i];
        if (input->kind == BRZ_INPUT_FILE && input->inside.folder == NULL &&
            brz_source_in_folder(input->name, &file))
            input->name = brz_arena_str(&p->texts, brz_buf_str(&file)).data;
    }
    brz_buf_finish(&file);
}

/* Sets the inputs: those of the command line, or else those of the configuration, or else standard
 * input. Returns false after reporting an error if the pipeline must not read that. */
static bool set_inputs(brz_pipeline *p, const brz_yaml *list)
{
    size_t from_config = list == NULL ? 0 : list->n_children + 1;
    p->inputs = brz_calloc(p->request->n_inputs + from_config + 1, sizeof *p->inputs);
    if (!add_config_inputs(p, list))
        return false;
    if (p->request->n_inputs > 0) {
        p->n_inputs = p->request->n_inputs;
        memcpy(p->inputs, p->request->inputs, p->n_inputs * sizeof *p->inputs);
        enter_folders(p);
        return true;
    }
    enter_folders(p);
    if (p->n_inputs == 0)
        p->inputs[p->n_inputs++] = (brz_input){.name = "-"};
    for (size_t i = 0; i < p->n_inputs && p->request->no_standard_streams; i++)
        if (strcmp(p->inputs[i].name, "-") == 0) {
            brz_say_code(&p->session->console, BRZ_FATAL, BRZ_SAYS_PIPELINE,
                         "nothing to read: there is no input");
            return false;
        }
    return true;
}

/* Sets the palette map. A path of the configuration is relative to its file and restricted. */
static bool set_palette_map(brz_pipeline *p, const brz_request *asked, const brz_yaml *node)
{
    const char *file = p->request->palette_map;
    if (file != NULL && file[0] == '\0') {
        brz_say_code(&p->session->console, BRZ_FATAL, BRZ_SAYS_PIPELINE,
                     "a palette map is the name of a file");
        return false;
    }
    if (file != NULL && asked->palette_map == NULL) {
        p->palette_map = brz_config_path(node);
        if (!brz_confine_updated_file(&p->session->console, node, ".map", &p->palette_map_inside))
            return false;
    } else if (file != NULL) {
        p->palette_map = copy(file);
    }
    if (p->palette_map == NULL || strcmp(p->palette_map, "-") != 0)
        return true;
    brz_say_code(&p->session->console, BRZ_FATAL, BRZ_SAYS_PIPELINE,
                 "a palette map must be a file, not '-'");
    return false;
}

const char *brz_pipeline_input_name(const brz_pipeline *p)
{
    if (p->n_inputs > 1)
        return "input";
    return strcmp(p->inputs[0].name, "-") == 0 ? "stdin" : p->inputs[0].name;
}

static size_t add_component(const brz_component *c, const brz_component **list, size_t n,
                            size_t max)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == c)
            return n;
    if (n < max)
        list[n++] = c;
    return n;
}

size_t brz_pipeline_components(const brz_pipeline *p, const brz_component **list, size_t max)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n_outputs; i++)
        n = add_component(p->outputs[i].use.loaded->component, list, n, max);
    if (p->collapse.loaded != NULL)
        n = add_component(p->collapse.loaded->component, list, n, max);
    for (size_t i = 0; i < p->n_outputs; i++)
        for (size_t k = 0; k < p->outputs[i].palettes.n; k++)
            n = add_component(p->outputs[i].palettes.items[k].use.loaded->component, list, n, max);
    return n;
}

/* Returns the component of the run that a setting names, or NULL. */
static const brz_component *used_component(const brz_pipeline *p, const brz_loaded *collapser,
                                           const brz_setting *s)
{
    const char *id = s->component;
    if (strcmp(collapser->component->id, id) == 0)
        return collapser->component;
    for (size_t i = 0; i < p->n_outputs && !s->for_guessed; i++) {
        const brz_output_use *o = &p->outputs[i];
        if (strcmp(o->use.loaded->component->id, id) == 0)
            return o->use.loaded->component;
        for (size_t k = 0; k < o->palettes.n; k++)
            if (strcmp(o->palettes.items[k].use.loaded->component->id, id) == 0)
                return o->palettes.items[k].use.loaded->component;
    }
    return NULL;
}

/* Reports settings that no component used: their component or option is wrong. */
bool brz_pipeline_check_settings(const brz_pipeline *p, const brz_loaded *collapser,
                                 const bool *used)
{
    bool good = true;
    for (size_t i = 0; i < p->request->n_settings; i++) {
        const brz_setting *s = &p->request->settings[i];
        const brz_component *c = used_component(p, collapser, s);
        if (used[i] || (s->if_there && c == NULL))
            continue;
        brz_buf error = {0};
        if (c == NULL)
            brz_buf_printf(&error, "this run has no component '%s'", s->component);
        else
            brz_option_find(c, brz_str_of(s->option, strlen(s->option)), &error);
        brz_say_code(&p->session->console, BRZ_FATAL, BRZ_SAYS_OPTION, "%s: %s", s->origin,
                     brz_buf_text(&error));
        brz_buf_finish(&error);
        good = false;
    }
    return good;
}

const brz_limits *brz_pipeline_limits(const brz_pipeline *p)
{
    return &p->request->limits;
}

bool brz_pipeline_check_outputs(const brz_pipeline *p)
{
    bool good = true;
    for (size_t i = 0; i < p->n_outputs && good; i++)
        good = p->outputs[i].write != NULL || p->outputs[i].inside.folder != NULL ||
               brz_file_sink_check(p->outputs[i].to, &p->session->console);
    return good;
}

brz_suggestion brz_pipeline_suggest(brz_session *s, const char *name)
{
    const brz_yaml *section = brz_config_section(s->config, "pipelines");
    brz_suggestion near = {.typed = brz_str_of(name, strlen(name))};
    for (const brz_yaml *n = section == NULL ? NULL : section->first; n != NULL; n = n->next)
        if (n->key != NULL)
            brz_suggestion_offer(&near, n->key->text.data);
    return near;
}

static void say_no_pipeline(brz_session *s, const char *name)
{
    brz_suggestion near = brz_pipeline_suggest(s, name);
    brz_buf b = {0};
    brz_suggestion_add(&near, &b);
    brz_say_code(&s->console, BRZ_FATAL, BRZ_SAYS_PIPELINE,
                 "no pipeline '%s' in the configuration%s", name, brz_buf_text(&b));
    brz_buf_finish(&b);
}

/* Finds the pipeline that the request names. Returns false after reporting an error if no pipeline
 * has that name. */
static bool find_pipeline(brz_session *s, const brz_request *r, const brz_yaml **node)
{
    const char *wanted = r->pipeline == NULL ? "default" : r->pipeline;
    *node = NULL;
    if (r->pipeline == NULL &&
        (r->no_pipeline || brz_config_near_section(s->config, "pipelines") == NULL))
        return true;
    *node = brz_config_find(s->config, "pipelines", brz_str_of(wanted, strlen(wanted)));
    if (*node != NULL || r->pipeline == NULL)
        return true;
    say_no_pipeline(s, wanted);
    return false;
}

/* Reports an error for a flame chart of data without an order in time. */
static bool check_time(const brz_pipeline *p)
{
    const brz_request *r = p->request;
    const char *what = NULL;
    if (r->drawing.time != BRZ_TIME_MERGED && r->compare)
        what = "two profiles have no common order in time: draw a flame chart of each, or compare "
               "them without one";
    else if (r->drawing.time != BRZ_TIME_MERGED && r->normalize != BRZ_NORMALIZE_NO)
        what = "a flame chart shows counts as they are: it is not normalized";
    if (what != NULL)
        brz_say_code(&p->session->console, BRZ_FATAL, BRZ_SAYS_PIPELINE, "%s", what);
    return what == NULL;
}

static const char **add_key(const char **keys, size_t *n, size_t *cap, const char *key)
{
    keys = brz_grow(keys, *n, cap, sizeof *keys);
    keys[(*n)++] = key;
    return keys;
}

/* Checks the keys of a pipeline: those with structure, and options of a run. */
static bool check_pipeline_keys(const brz_pipeline *p, const brz_yaml *node)
{
    static const char *const structured[] = {"inputs", "collapse", "transform", "palette",
                                             "outputs"};
    const char **keys = NULL;
    size_t n = 0, cap = 0;
    const brz_run_option *o;
    for (size_t i = 0; i < sizeof structured / sizeof structured[0]; i++)
        keys = add_key(keys, &n, &cap, structured[i]);
    for (size_t i = 0; (o = brz_run_option_at(i)) != NULL; i++)
        if (o->flags & BRZ_RUN_KEY)
            keys = add_key(keys, &n, &cap, o->name);
    keys = add_key(keys, &n, &cap, NULL);
    bool good = check_keys(p, node, "a pipeline has no key", keys);
    free(keys);
    return good;
}

/* Returns the value of a key that the request does not set, or NULL. */
static const brz_yaml *key_that_applies(const char *requested, const brz_yaml *pipeline,
                                        const char *key)
{
    return requested == NULL ? brz_yaml_get(pipeline, key) : NULL;
}

/* Parses an option that selects or groups samples; `at` is its place in the configuration, or NULL.
 * Returns false after reporting an error. */
static bool set_selection(brz_pipeline *p, const char *text, const brz_yaml *at,
                          bool (*set)(brz_selection *, brz_str, brz_buf *))
{
    brz_buf error = {0};
    bool good = text == NULL || set(&p->selection, brz_str_of(text, strlen(text)), &error);
    if (!good && at != NULL)
        complain(p, at, brz_buf_text(&error));
    else if (!good)
        brz_say_code(&p->session->console, BRZ_FATAL, BRZ_SAYS_PIPELINE, "%s",
                     brz_buf_text(&error));
    brz_buf_finish(&error);
    return good;
}

static bool set_selections(brz_pipeline *p, const brz_request *asked, const brz_yaml *node)
{
    const brz_request *r = p->request;
    bool good = set_selection(p, r->group_by, key_that_applies(asked->group_by, node, "group-by"),
                              brz_selection_set_by);
    good &= set_selection(p, r->only, key_that_applies(asked->only, node, "only"),
                          brz_selection_set_only);
    return set_selection(p, r->time_range, key_that_applies(asked->time_range, node, "time-range"),
                         brz_selection_set_time) &&
           good;
}

/* Checks that no option about thresholds is set, since there are none. A survey has no thresholds
 * of its own. */
static bool check_no_thresholds(const brz_pipeline *p)
{
    const brz_request *r = p->request;
    const char *option = r->fail_unmatched                        ? "fail-unmatched"
                         : r->fail_report != BRZ_FAIL_REPORT_TEXT ? "fail-report"
                                                                  : NULL;
    if (option == NULL || r->is_survey)
        return true;
    brz_say_code(&p->session->console, BRZ_FATAL, BRZ_SAYS_PIPELINE,
                 "--%s: there is no threshold; add one with --fail-if 'total(REGEX) > +5%%'",
                 option);
    return false;
}

/* Parses the thresholds of a comparison. Returns false after reporting an error. */
static bool set_thresholds(brz_pipeline *p)
{
    const brz_request *r = p->request;
    brz_buf error = {0};
    if (r->fail_if == NULL)
        return check_no_thresholds(p);
    if (r->is_survey)
        return true;
    bool good =
        brz_thresholds_parse(&p->thresholds, brz_str_of(r->fail_if, strlen(r->fail_if)), &error);
    if (good && !r->compare)
        brz_buf_add_text(&error, "thresholds belong to comparisons: see 'brazier diff'");
    else if (good && r->split_by != NULL)
        brz_buf_add_text(&error, "a threshold is about the whole profile: leave out --split-by");
    good = error.len == 0;
    if (!good)
        brz_say_code(&p->session->console, BRZ_FATAL, BRZ_SAYS_PIPELINE, "--fail-if: %s",
                     brz_buf_text(&error));
    brz_buf_finish(&error);
    return good;
}

/* Returns whether the labels of inputs have an effect: an output has room for them, or the run uses
 * tags itself. */
static bool uses_labels(const brz_pipeline *p)
{
    const brz_selection *s = &p->selection;
    if (s->n_by > 0 || s->n_only > 0 || p->request->split_by != NULL)
        return true;
    for (size_t i = 0; i < p->n_outputs; i++) {
        const brz_output *o = p->outputs[i].use.loaded->vtable;
        if (o->flags & (BRZ_OUTPUT_TAGS | BRZ_OUTPUT_TIME))
            return true;
    }
    return false;
}

/* Checks the labels of inputs. Returns false after reporting an error. */
static bool check_labels(const brz_pipeline *p)
{
    const char *labels = p->request->labels;
    brz_buf error = {0};
    if (labels == NULL || p->request->is_survey)
        return true;
    bool good = brz_input_labels_check(brz_str_of(labels, strlen(labels)), &error);
    if (good && !uses_labels(p))
        brz_buf_printf(&error,
                       "%s has no place for labels; write pprof, as in -o all.pb.gz, or add "
                       "--group-by %.*s to make them frames",
                       p->outputs[0].use.loaded->component->id, (int)strcspn(labels, "="), labels);
    good = error.len == 0;
    if (!good)
        brz_say_code(&p->session->console, BRZ_FATAL, BRZ_SAYS_PIPELINE, "--label: %s",
                     brz_buf_text(&error));
    brz_buf_finish(&error);
    return good;
}

static bool build(brz_pipeline *p, const brz_request *asked, const brz_yaml *node)
{
    if (node != NULL && node->type != BRZ_YAML_MAP) {
        complain(p, node, "a pipeline is a map: collapse, transform, palette, outputs, …");
        return false;
    }
    bool good = node == NULL || check_pipeline_keys(p, node);
    good &= set_inputs(p, brz_yaml_get(node, "inputs"));
    good &= brz_request_set_keys(p->session, node, &p->texts, &p->effective, &p->key_nodes);
    if (brz_pipeline_isolates(p))
        brz_registry_describe(p->session->registry, true);
    good &= set_selections(p, asked, node);
    good &= brz_pipeline_set_sides(p);
    good &= set_thresholds(p);
    good &= set_palette_map(p, asked, brz_yaml_get(node, "palette-map"));
    good &= set_collapse(p, brz_yaml_get(node, "collapse"));
    good &= add_demangle(p, brz_yaml_get(node, "transform"));
    good &= add_config_transforms(p, brz_yaml_get(node, "transform"));
    good &= add_requested_transforms(p);
    good &= set_outputs(p, brz_yaml_get(node, "outputs"), brz_yaml_get(node, "palette"));
    return good && check_time(p) && brz_pipeline_check_places(p) && check_labels(p) &&
           brz_pipeline_check_split(p, key_that_applies(asked->split_by, node, "split-by")) &&
           check_destinations(p) &&
           (p->guess || brz_pipeline_check_settings(p, p->collapse.loaded, p->used));
}

brz_pipeline *brz_pipeline_create(brz_session *s, const brz_request *request, brz_verdict *verdict)
{
    const brz_yaml *node;
    *verdict = BRZ_VERDICT_USAGE;
    if (!find_pipeline(s, request, &node))
        return NULL;
    brz_pipeline *p = brz_calloc(1, sizeof *p);
    p->session = s;
    p->node = node;
    p->effective = *request;
    p->request = &p->effective;
    p->used = brz_calloc(request->n_settings, sizeof *p->used);
    bool describes = brz_registry_describes(s->registry);
    bool good = build(p, request, node);
    brz_registry_describe(s->registry, describes);
    bool incomplete = brz_registry_is_incomplete(s->registry);
    if (good && !incomplete) {
        *verdict = BRZ_VERDICT_OK;
        return p;
    }
    if (incomplete) /* something missing may not be the user's mistake */
        *verdict = BRZ_VERDICT_FAILED;
    brz_pipeline_destroy(p);
    return NULL;
}

void brz_pipeline_destroy(brz_pipeline *p)
{
    if (p == NULL)
        return;
    for (size_t i = 0; i < p->n_outputs; i++) {
        brz_chain_finish(&p->outputs[i].palettes);
        brz_use_finish(&p->outputs[i].use);
        free(p->outputs[i].to);
        brz_inside_finish(&p->outputs[i].inside);
    }
    brz_use_finish(&p->collapse);
    brz_transforms_finish(&p->transforms);
    brz_selection_finish(&p->selection);
    brz_thresholds_finish(&p->thresholds);
    for (size_t i = 0; i < p->n_inputs; i++)
        brz_inside_finish(&p->inputs[i].inside);
    brz_inside_finish(&p->palette_map_inside);
    free(p->outputs);
    free(p->inputs);
    free(p->used);
    free(p->key_nodes);
    free(p->palette_map);
    brz_arena_finish(&p->texts);
    free(p);
}

/* SPDX-License-Identifier: MIT */
/* Builds the outputs of a run. */
#include "config/output_build.h"

#include <stdlib.h>
#include <string.h>

#include "base/defaults.h"
#include "base/mem.h"
#include "config/confinement.h"
#include "config/palette_chain_build.h"

/* ---- palettes ------------------------------------------------------------------------------ */

/* Returns whether the command line sets an option of a component. */
static bool has_setting(const brz_request *r, const char *component)
{
    for (size_t i = 0; i < r->n_settings; i++)
        if (strcmp(r->settings[i].component, component) == 0)
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

static bool add_palettes(const brz_resolver *r, const brz_yaml *node, brz_output_use *o)
{
    o->diffusion = r->request->diffusion > 0;
    if (!(((const brz_output *)o->use.loaded->vtable)->flags & BRZ_OUTPUT_COLOR))
        return r->request->palette == NULL || are_palettes(r, r->request->palette);
    if (r->request->palette != NULL)
        return brz_chain_add_names(r, r->request->palette, &o->palettes);
    if (node != NULL)
        return brz_chain_add(r, node, &o->palettes);
    o->palettes_are_default =
        !has_setting(r->request, BRZ_COMPARING_PALETTE) && !r->request->is_survey;
    return o->palettes_are_default ? brz_chain_add_default(r, &o->palettes)
                                   : brz_chain_add_comparing(r, &o->palettes);
}

/* ---- updates ------------------------------------------------------------------------------- */

/* Stores what can update the file of an output, and whether its options ask for that. */
static void find_updater(brz_output_use *o)
{
    const brz_output *output = o->use.loaded->vtable;
    const brz_updater *u = output->offer == NULL ? NULL : output->offer(BRZ_UPDATE_ID);
    if (u == NULL || !BRZ_HAS(u, brz_updater, update))
        return;
    o->updater = u;
    o->updates = u->is_wanted(o->use.options->cfg);
}

/* ---- outputs ------------------------------------------------------------------------------- */

static char *copy(const char *s)
{
    return brz_memdup(s, strlen(s));
}

static void complain(const brz_output_builder *b, const brz_yaml *at, const char *what)
{
    brz_yaml_say(&b->resolver->session->console, BRZ_FATAL, at, "%s", what);
}

static brz_output_use *new_output(brz_output_builder *b)
{
    b->outputs = brz_realloc(b->outputs, b->n_outputs + 1, sizeof *b->outputs);
    b->outputs[b->n_outputs] = (brz_output_use){0};
    return &b->outputs[b->n_outputs++];
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
static bool check_config_name(brz_output_builder *b, const brz_yaml *to, const brz_output_use *o)
{
    brz_buf why = {0};
    if (o->inside.folder == NULL)
        return true;
    if (brz_resolve_ending_length(o->use.loaded, o->inside.path) == 0) {
        brz_buf_printf(&why, "does not end like a file of '%s' (", o->use.loaded->component->id);
        add_endings(&why, o->use.loaded);
        brz_buf_add_text(&why, ")");
    }
    for (size_t i = 0; i < b->n_inputs && why.len == 0; i++)
        if (b->inputs[i].kind == BRZ_INPUT_FILE && brz_is_same_place(o->to, b->inputs[i].name))
            brz_buf_add_text(&why, "is an input too");
    bool good = why.len == 0;
    if (!good)
        brz_confine_refuse(&b->resolver->session->console, to, brz_buf_text(&why));
    brz_buf_finish(&why);
    return good;
}

/* Returns whether a path is below the working directory, as text. */
static bool is_below_working(const char *path)
{
    for (const char *p = path; *p != '\0'; p += strspn(p, "/")) {
        size_t n = strcspn(p, "/");
        if (n == 0 || (n == 2 && p[0] == '.' && p[1] == '.'))
            return false;
        p += n;
    }
    return true;
}

static bool add_config_output(brz_output_builder *b, const brz_yaml *node, const brz_yaml *palette)
{
    brz_console *console = &b->resolver->session->console;
    static const char *const keys[] = {"use", "to", "options", "palette", NULL};
    bool good = brz_config_check_keys(console, node, "an output has no key", keys);
    const brz_yaml *name = brz_config_used_name(console, node);
    if (name == NULL)
        return false;
    const brz_yaml *to = brz_yaml_get(node, "to"), *own = brz_yaml_get(node, "palette");
    if (to != NULL && (to->type != BRZ_YAML_SCALAR || to->text.len == 0)) {
        complain(b, to, "where to write is the name of a file, or '-'");
        good = false;
        to = NULL;
    }
    brz_output_use *o = new_output(b);
    o->to = copy(to != NULL ? to->text.data : "-");
    o->origin = brz_yaml_origin(node, b->texts);
    if (b->resolver->request->no_standard_streams && strcmp(o->to, "-") == 0) {
        complain(b, node,
                 "this program keeps standard output for itself: write {use: …, to: FILE}");
        return false;
    }
    if (to != NULL && !brz_confine_output(console, to, &o->inside))
        return false;
    o->makes_folder = o->inside.folder == NULL && is_below_working(o->to);
    good &= brz_resolve(b->resolver, BRZ_OUTPUT, name->text, name, brz_yaml_get(node, "options"),
                        &o->use);
    if (o->use.loaded == NULL)
        return false;
    find_updater(o);
    good &= check_config_name(b, to, o);
    return add_palettes(b->resolver, own != NULL ? own : palette, o) && good;
}

static const char *default_output(const brz_request *r)
{
    return r->otherwise_to != NULL ? r->otherwise_to : BRZ_DEFAULT_OUTPUT;
}

/* Returns the name of the output: that of the request, or the one for the file's ending. Returns
 * NULL after reporting an error. */
static const char *requested_format(const brz_resolver *r, const brz_output_request *wanted)
{
    if (wanted->format != NULL)
        return wanted->format;
    if (r->request->to != NULL)
        return r->request->to;
    bool has_ending = wanted->name != NULL && strcmp(wanted->name, "-") != 0;
    return has_ending ? brz_resolve_ending(r, wanted->name) : default_output(r->request);
}

/* The default output. */
static const brz_output_request standard_output = {.name = "-"};

static bool add_requested_output(brz_output_builder *b, const brz_output_request *wanted,
                                 const brz_yaml *palette)
{
    if (wanted->name != NULL && wanted->name[0] == '\0') {
        brz_say_code(&b->resolver->session->console, BRZ_FATAL, BRZ_SAYS_PIPELINE,
                     "an output has the name of a file, or '-'");
        return false;
    }
    const char *name =
        wanted->own != NULL ? wanted->own->component->id : requested_format(b->resolver, wanted);
    if (name == NULL)
        return false;
    brz_output_use *o = new_output(b);
    o->to = copy(wanted->name != NULL ? wanted->name : name);
    o->is_sent = wanted != &standard_output;
    o->is_default = !o->is_sent && b->resolver->request->to == NULL;
    o->write = wanted->write;
    o->context = wanted->context;
    o->cfg = wanted->own_cfg;
    bool good =
        wanted->own != NULL
            ? brz_resolve_loaded(b->resolver, wanted->own, NULL, NULL, &o->use)
            : brz_resolve(b->resolver, BRZ_OUTPUT, brz_str_of_text(name), NULL, NULL, &o->use);
    if (o->use.loaded == NULL)
        return false;
    find_updater(o);
    return add_palettes(b->resolver, palette, o) && good;
}

static bool add_standard_output(brz_output_builder *b, const brz_yaml *palette)
{
    if (!b->resolver->request->no_standard_streams)
        return add_requested_output(b, &standard_output, palette);
    brz_say_code(&b->resolver->session->console, BRZ_FATAL, BRZ_SAYS_PIPELINE,
                 "nothing to write: there is no output");
    return false;
}

bool brz_outputs_build(brz_output_builder *b, const brz_yaml *list, const brz_yaml *palette)
{
    const brz_request *r = b->resolver->request;
    bool good = true;
    bool names_format = r->to != NULL && !r->no_standard_streams;
    for (size_t i = 0; i < r->n_outputs; i++)
        good &= add_requested_output(b, &r->outputs[i], palette);
    if (r->n_outputs > 0)
        return good;
    if (list == NULL || names_format)
        return add_standard_output(b, palette);
    if (list->type != BRZ_YAML_LIST || list->first == NULL) {
        complain(b, list, "outputs are a list of at least one");
        return false;
    }
    for (const brz_yaml *n = list->first; n != NULL; n = n->next)
        good &= add_config_output(b, n, palette);
    return good;
}

void brz_outputs_finish(brz_output_use *outputs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        brz_chain_finish(&outputs[i].palettes);
        brz_use_finish(&outputs[i].use);
        free(outputs[i].to);
        brz_inside_finish(&outputs[i].inside);
    }
    free(outputs);
}

/* brazier flamegraph: the second half of a run, from folded stacks to a picture. */
#include <string.h>

#include "cli.h"
#include "run/resolve.h"

#define DEFAULT_OUTPUT "svg"

/* Options that inferno and FlameGraph have under other names. */
enum { OPT_COLORS = 1, OPT_COLORDIFFUSION, OPT_HASH, OPT_DETERMINISTIC, OPT_RANDOM };

static const cli_option other_names[] = {
    {"colors", 0, "NAME", NULL, OPT_COLORS}, {"colordiffusion", 0, NULL, NULL, OPT_COLORDIFFUSION},
    {"hash", 0, NULL, NULL, OPT_HASH},       {"deterministic", 0, NULL, NULL, OPT_DETERMINISTIC},
    {"random", 0, NULL, NULL, OPT_RANDOM},   {NULL, 0, NULL, NULL, 0},
};

static const cli_option *const tables[] = {cli_output_options,    cli_input_options,
                                           cli_transform_options, cli_compare_options,
                                           other_names,           NULL};

/* The components of this call, whose options are flags. */
typedef struct components {
    brz_session *session;
    const brz_component *list[8];
    size_t n;
    bool has_output, has_palette;
} components;

static void add(components *c, uint32_t kind, brz_str name)
{
    const brz_loaded *l = brz_registry_find(c->session->registry, kind, name, NULL);
    for (size_t i = 0; l != NULL && i < c->n; i++)
        if (c->list[i] == l->component)
            return;
    if (l != NULL && c->n < sizeof c->list / sizeof c->list[0])
        c->list[c->n++] = l->component;
}

static void add_output(components *c, const char *name)
{
    c->has_output = true;
    add(c, BRZ_OUTPUT, brz_str_of(name, strlen(name)));
}

static void add_one(components *c, const brz_yaml *node)
{
    const brz_yaml *uses = node->type == BRZ_YAML_MAP ? brz_yaml_get(node, "use") : node;
    if (uses != NULL && uses->type == BRZ_YAML_SCALAR)
        add(c, BRZ_PALETTE, uses->text);
}

/* The palettes that a configuration's palette is made of. */
static void add_configured(components *c, const brz_yaml *node)
{
    add_one(c, node);
    for (const brz_yaml *n = node->type == BRZ_YAML_LIST ? node->first : NULL; n != NULL;
         n = n->next)
        add_one(c, n);
}

/* Names with commas between them, of plug-ins or of the configuration's palettes. */
static void add_palettes(components *c, const char *names)
{
    c->has_palette = true;
    for (const char *p = names; p != NULL;) {
        size_t n = strcspn(p, ",");
        brz_str name = brz_str_of(p, n);
        const brz_yaml *node = brz_config_find(c->session->config, "palettes", name);
        if (node != NULL)
            add_configured(c, node);
        else
            add(c, BRZ_PALETTE, name);
        p = p[n] == ',' ? p + n + 1 : NULL;
    }
}

static void see(void *context, const cli_option *option, const char *value)
{
    components *c = context;
    if (strcmp(option->name, "to") == 0)
        add_output(c, value);
    if (strcmp(option->name, "palette") == 0 || strcmp(option->name, "colors") == 0)
        add_palettes(c, value);
    if (strcmp(option->name, "colordiffusion") == 0)
        add_palettes(c, "diffusion");
}

/* Files' endings choose the output, if --to does not. */
static void see_file(void *context, const cli_option *option, const char *value)
{
    components *c = context;
    brz_request request = {.otherwise_to = DEFAULT_OUTPUT};
    brz_resolver r = {.session = c->session, .request = &request};
    if (strcmp(option->name, "output") == 0 && strcmp(value, "-") != 0)
        add_output(c, brz_resolve_ending(&r, value));
}

static components find_components(brz_session *s, char **words)
{
    components c = {.session = s};
    cli_look_ahead(words, tables, see, &c);
    if (!c.has_output)
        cli_look_ahead(words, tables, see_file, &c);
    if (!c.has_output)
        add_output(&c, DEFAULT_OUTPUT);
    if (!c.has_palette)
        add_palettes(&c, "hot");
    return c;
}

/* Sets where the numbers of each palette come from that has any. */
static bool set_numbers(const components *c, const char *numbers, cli_request *r,
                        brz_console *console)
{
    for (size_t i = 0; i < c->n; i++) {
        brz_buf text = {0};
        if (c->list[i]->kind != BRZ_PALETTE ||
            brz_option_find(c->list[i], BRZ_STR("numbers"), NULL) == NULL)
            continue;
        brz_buf_printf(&text, "%s.numbers=%s", c->list[i]->id, numbers);
        const char *kept = brz_arena_str(&r->text, brz_buf_str(&text)).data;
        brz_buf_finish(&text);
        if (!cli_request_setting(r, kept, console))
            return false;
    }
    return true;
}

static bool take_option(const components *c, cli_request *r, const cli_args *a)
{
    switch (a->option->id) {
    case OPT_COLORS:
        r->options.palette = a->value;
        return true;
    case OPT_COLORDIFFUSION:
        r->options.palette = "diffusion";
        return true;
    case OPT_HASH:
        return set_numbers(c, "hash", r, a->console);
    case OPT_DETERMINISTIC:
        return set_numbers(c, "deterministic", r, a->console);
    case OPT_RANDOM:
        return set_numbers(c, "random", r, a->console);
    default:
        return cli_request_option(r, a);
    }
}

static bool take_words(brz_session *s, char **words, cli_request *r)
{
    components c = find_components(s, words);
    cli_args a = {.words = words, .tables = tables, .console = &s->console};
    for (;;) {
        switch (cli_args_next(&a)) {
        case CLI_END:
            return true;
        case CLI_WORD:
            cli_request_input(r, a.value);
            break;
        case CLI_OPTION:
            if (!take_option(&c, r, &a))
                return false;
            break;
        case CLI_UNKNOWN:
            if (!cli_request_component_option(r, &a, c.list, c.n))
                return false;
            break;
        default:
            return false;
        }
    }
}

static int run(brz_session *s, char **words)
{
    cli_request r = {0};
    int status = CLI_USAGE;
    r.options.from = "folded";
    r.options.otherwise_to = DEFAULT_OUTPUT;
    if (take_words(s, words, &r) && cli_check_input(s, r.n_inputs, NULL))
        status = cli_request_run(s, &r);
    cli_request_finish(&r);
    return status;
}

static void help(brz_session *s, char **words, FILE *out)
{
    components c = find_components(s, words);
    fputs("Reads folded stacks and draws them: an SVG on standard output, unless -o or\n"
          "--to say otherwise. --from reads another format.\n\n"
          "    brazier flamegraph stacks.folded > flame.svg\n",
          out);
    for (size_t i = 0; i < c.n; i++) {
        fprintf(out, "\nOptions of the %s %s:\n", brz_kind_name(c.list[i]->kind), c.list[i]->id);
        cli_print_component_options(out, c.list[i]);
    }
    cli_print_section(out, "Output", cli_output_options);
    cli_print_section(out, "Input", cli_input_options);
    cli_print_section(out, "Comparisons: lines with two counts", cli_compare_options);
    cli_print_section(out, "Transforms, in the order given", cli_transform_options);
}

const cli_command cmd_flamegraph = {
    "flamegraph", "[FILE...] [OPTION...]", "draw folded stacks", run, help, NULL,
};

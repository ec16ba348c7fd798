/* SPDX-License-Identifier: MIT */
/* brazier plugin: lists, describes, checks and creates plug-ins. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "plugin_check.h"
#include "cli.h"
#include "plugin/sdk_version.h"
#include "base/json.h"
#include "isolate/describe.h"
#include "plain.h"
#include "plugin_new.h"
#include "config/schema.h"

static const cli_option no_options[] = {{NULL, 0, NULL, NULL, 0}};

/* ---- list ---------------------------------------------------------------------------------- */

static const cli_option list_options[] = {
    {"json", 0, NULL, "print JSON", 1},
    {NULL, 0, NULL, NULL, 0},
};

static void print_row(const brazier_component *c)
{
    brz_buf plugin = {0}, version = {0}, summary = {0};
    printf("%-10s %-14s %-16s %-8s %-12s %s%s\n", c->kind_name, c->id,
           cli_add_plain(&plugin, c->plugin), cli_add_plain(&version, c->version), c->found_in,
           c->shadowed ? "(shadowed by an earlier one) " : "", cli_add_plain(&summary, c->summary));
    brz_buf_finish(&plugin);
    brz_buf_finish(&version);
    brz_buf_finish(&summary);
}

static void print_table(brazier_session *s)
{
    const brazier_component *c;
    printf("%-10s %-14s %-16s %-8s %-12s %s\n", "KIND", "ID", "PLUG-IN", "VERSION", "FROM",
           "SUMMARY");
    for (size_t i = 0; (c = brazier_session_component(s, i)) != NULL; i++)
        print_row(c);
}

static void add_member(brz_buf *b, const char *key, const char *value)
{
    brz_buf_printf(b, ",\"%s\":", key);
    brz_json_string(b, brz_str_of_text(value));
}

static void print_json(brazier_session *s)
{
    brz_buf b = {0};
    const brazier_component *c;
    brz_buf_add_text(&b, "[");
    for (size_t i = 0; (c = brazier_session_component(s, i)) != NULL; i++) {
        brz_buf_printf(&b, "%s\n{\"kind\":\"%s\"", i > 0 ? "," : "", c->kind_name);
        add_member(&b, "id", c->id);
        add_member(&b, "plugin", c->plugin);
        add_member(&b, "version", c->version);
        add_member(&b, "from", c->found_in);
        add_member(&b, "path", c->path);
        add_member(&b, "summary", c->summary);
        brz_buf_printf(&b, ",\"shadowed\":%s}", c->shadowed ? "true" : "false");
    }
    brz_buf_add_text(&b, "]\n");
    fputs(brz_buf_text(&b), stdout);
    brz_buf_finish(&b);
}

static int list(brz_session *s, char **words)
{
    const cli_option *const tables[] = {list_options, NULL};
    cli_args a = {.words = words, .tables = tables, .console = &s->console};
    bool json = false;
    for (cli_token t; (t = cli_args_next(&a)) != CLI_END;) {
        if (t == CLI_WORD)
            brz_say(&s->console, BRZ_FATAL, "plugin list takes no '%s'", a.value);
        if (t == CLI_UNKNOWN)
            cli_args_say_unknown(&a, NULL, 0);
        if (t != CLI_OPTION)
            return CLI_USAGE;
        json = true;
    }
    if (json)
        print_json(brz_lib_session(s));
    else
        print_table(brz_lib_session(s));
    return CLI_OK;
}

/* ---- info ---------------------------------------------------------------------------------- */

static const cli_option info_options[] = {
    {"schema", 0, NULL, "print its options as JSON Schema", 1},
    {NULL, 0, NULL, NULL, 0},
};

static void print_endings(const brz_output *o)
{
    fputs(o->endings[0] != NULL ? "Endings:  " : "Endings:   none", stdout);
    for (const char *const *e = o->endings; *e != NULL; e++)
        printf(" .%s", *e);
    putchar('\n');
}

/* Prints what a component is for. */
static void print_purpose(const brz_component *c)
{
    brz_buf summary = {0}, help = {0};
    printf("%s %s: %s\n", brz_component_kind_name(c->kind), c->id,
           cli_add_plain(&summary, c->summary));
    if (c->help != NULL)
        puts(cli_add_plain_lines(&help, c->help));
    brz_buf_finish(&summary);
    brz_buf_finish(&help);
}

/* Prints the description of a plug-in. */
static void print_plugin(const brz_loaded *l)
{
    char sdk[BRZ_SDK_TEXT];
    brz_buf name = {0}, version = {0}, path = {0}, url = {0};
    printf("\nPlug-in:   %s %s\nSDK:       %s\nFile:      %s\nReports:   %s\n",
           cli_add_plain(&name, l->plugin), cli_add_plain(&version, l->version),
           brz_sdk_version_text(l->sdk_version, sdk), cli_add_plain(&path, l->path),
           cli_add_plain(&url, l->bugs_url));
    brz_buf_finish(&name);
    brz_buf_finish(&version);
    brz_buf_finish(&path);
    brz_buf_finish(&url);
}

/* Prints a text of a format under a heading of ten letters. */
static void print_text(const char *heading, const char *text)
{
    brz_buf plain = {0};
    printf("%s %s\n", heading, cli_add_plain(&plain, text));
    brz_buf_finish(&plain);
}

/* Prints the definition of a format. */
static void print_format(const brz_format *f)
{
    print_text("Uses:     ", f->base->component->id);
    for (brz_text_list t = f->files; t != NULL && *t != NULL; t++)
        print_text("Files:    ", *t);
    for (brz_text_list t = f->contains; t != NULL && *t != NULL; t++)
        print_text("Contains: ", *t);
}

static void print_info(const brz_loaded *l)
{
    const brz_component *c = l->component;
    print_purpose(c);
    print_plugin(l);
    if (l->format != NULL)
        print_format(l->format);
    if (c->kind == BRZ_OUTPUT)
        print_endings(l->vtable);
    if (c->n_options == 0)
        return;
    puts("\nOptions:");
    cli_print_component_options(stdout, c, NULL);
}

static void print_schema(const brz_loaded *l)
{
    brz_buf b = {0};
    brz_schema_write_options(l->component, &b);
    puts(brz_buf_text(&b));
    brz_buf_finish(&b);
}

/* Returns the text after "WORD.", or NULL. */
static const char *after_word(const char *id, const char *word)
{
    size_t n = strlen(word);
    return strncmp(id, word, n) == 0 && id[n] == '.' ? id + n + 1 : NULL;
}

/* Returns the text after the name of a kind, as in "collapse.perf" and "collapser.perf", which
 * lists show, or the whole text. */
static const char *without_kind(const char *id, uint32_t kind)
{
    static const char *const words[] = {"", "collapse", "palette", "output", "transform"};
    const char *rest = after_word(id, words[kind]);
    rest = rest != NULL ? rest : after_word(id, brz_component_kind_name(kind));
    return rest != NULL ? rest : id;
}

/* Returns true for "perf", "perf@perf", "collapse.perf" and "collapse.perf@perf". */
static bool is_meant(const brz_loaded *l, const char *id)
{
    return brz_loaded_is_called(l, brz_str_of_text(without_kind(id, l->component->kind)));
}

/* Loads the components that an id may mean: those of all kinds that have it, and third-party
 * ones. */
static void load_meant(brz_session *s, const char *id)
{
    for (uint32_t kind = BRZ_COLLAPSER; kind <= BRZ_TRANSFORM; kind++) {
        const char *name = without_kind(id, kind);
        if (name == id && kind != BRZ_COLLAPSER)
            continue; /* has no kind, and is loaded */
        brz_registry_load_called(s->registry, brz_str_of(name, strcspn(name, "@")));
    }
}

static void say_no_component(brz_session *s, const char *id)
{
    brz_buf b = {0};
    cli_suggest_component(s, brz_str_of_text(id), &b);
    brz_say(&s->console, BRZ_FATAL, "no component '%s'%s", id,
            b.len > 0 ? brz_buf_text(&b) : " (brazier plugin list shows all components)");
    brz_buf_finish(&b);
}

/* Finds all components with the id, of any kind, even two that a run could not distinguish. */
static int info_of(brz_session *s, const char *id, bool schema)
{
    const brz_loaded *l;
    brz_tier tier;
    bool shadowed, found = false;
    brz_registry_describe(s->registry, true);
    load_meant(s, id);
    for (size_t i = 0; (l = brz_registry_at(s->registry, i, &tier, &shadowed)) != NULL; i++) {
        if (!is_meant(l, id) || (shadowed && strchr(id, '@') == NULL))
            continue;
        if (found)
            putchar('\n');
        found = true;
        if (schema)
            print_schema(l);
        else
            print_info(l);
    }
    if (!found)
        say_no_component(s, id);
    return found ? CLI_OK : CLI_USAGE;
}

static int info(brz_session *s, char **words)
{
    const cli_option *const tables[] = {info_options, NULL};
    cli_args a = {.words = words, .tables = tables, .console = &s->console};
    const char *id = NULL;
    bool schema = false;
    for (cli_token t; (t = cli_args_next(&a)) != CLI_END;) {
        if (t == CLI_WORD && id != NULL) {
            brz_say(&s->console, BRZ_FATAL, "one ID is enough, '%s' is too many", a.value);
            return CLI_USAGE;
        }
        if (t == CLI_WORD)
            id = a.value;
        else if (t == CLI_OPTION)
            schema = true;
        else if (t == CLI_UNKNOWN)
            cli_args_say_unknown(&a, NULL, 0);
        if (t != CLI_WORD && t != CLI_OPTION)
            return CLI_USAGE;
    }
    if (id != NULL)
        return info_of(s, id, schema);
    brz_say(&s->console, BRZ_FATAL, "which one? brazier plugin info ID");
    return CLI_USAGE;
}

/* ---- why ----------------------------------------------------------------------------------- */

static void print_step(void *watcher, const brz_step *step)
{
    brz_buf b = {0};
    (void)watcher;
    brz_add_printable(&b, brz_buf_str(&step->detail));
    printf("%-4s %-*s%s\n", step->passed ? "ok" : "NO", b.len > 0 ? 12 : 0, step->name,
           brz_buf_text(&b));
    brz_buf_finish(&b);
    fflush(stdout);
}

/* Prints which file to rename, if its name is that of another component. Returns false if all of
 * its components can be found. */
static bool print_hidden(const char *path, const brz_plugin_file *file)
{
    bool found = false;
    for (size_t i = 0; i < file->n_components; i++) {
        const brz_component *c = file->components[i].component;
        brz_buf name = {0};
        if (!brz_file_hides(path, c))
            continue;
        found = true;
        brz_file_add_name(c, &name);
        printf("It can be used with --plugin only, since its name promises another component than "
               "%s %s; rename it to %s.\n",
               brz_component_kind_name(c->kind), c->id, brz_buf_text(&name));
        brz_buf_finish(&name);
    }
    return found;
}

/* Prints each step of loading a file, which a confined child process does. */
static int why_file(brz_session *s, const char *given)
{
    char path[PATH_MAX];
    if (realpath(given, path) == NULL) {
        brz_say(&s->console, BRZ_FATAL, "%s: %s", given, strerror(errno));
        return CLI_FAILED;
    }
    puts(path);
    fflush(stdout);
    brz_arena memory = {0};
    brz_describing item = {.path = path, .steps = {.end = print_step}};
    brz_program program = {.path = brz_registry_program(s->registry)};
    brz_describe_plugins(&item, 1, brz_registry_tier_of_file(s->registry, path), &program, &memory);
    bool good = item.good && item.file.n_components > 0;
    if (!good || !print_hidden(path, &item.file))
        puts(good ? "It can be used." : "It is not used.");
    brz_steps_finish(&item.steps);
    brz_arena_finish(&memory);
    return good ? CLI_OK : CLI_FAILED;
}

static int why(brz_session *s, char **words)
{
    const cli_option *const tables[] = {no_options, NULL};
    cli_args a = {.words = words, .tables = tables, .console = &s->console};
    int status = CLI_USAGE;
    for (cli_token t; (t = cli_args_next(&a)) != CLI_END;) {
        if (t == CLI_UNKNOWN)
            cli_args_say_unknown(&a, NULL, 0);
        if (t != CLI_WORD)
            return CLI_USAGE;
        int one = why_file(s, a.value);
        status = status == CLI_USAGE || one > status ? one : status;
    }
    if (status == CLI_USAGE)
        brz_say(&s->console, BRZ_FATAL, "which one? brazier plugin why FILE");
    return status;
}

/* ---- the command --------------------------------------------------------------------------- */

static int run(brz_session *s, char **words)
{
    static const cli_subcommand subcommands[] = {
        {"list", list},           {"info", info},          {"why", why},
        {"check", check_command}, {"new", cli_plugin_new}, {NULL, NULL}};
    return cli_run_subcommand(s, "plugin", subcommands, words);
}

static bool is_command(char **words, const char *name)
{
    return words[0] != NULL && strcmp(words[0], name) == 0;
}

/* Describes all commands, and the options of the one that `words` names. */
static void help(brz_session *s, char **words, FILE *out)
{
    bool is_any = words[0] == NULL || words[0][0] == '-';
    (void)s;
    fputs("list [--json]       show all components and their files\n"
          "info ID [--schema]  describe a component and its options\n"
          "why FILE            load a file step by step, and report the step that fails\n"
          "check FILE          test a plug-in against the contract, or a format by its name\n"
          "new NAME            create a working project for a plug-in\n",
          out);
    if (is_any || is_command(words, "new"))
        fputs("\nThe guide: share/doc/brazier/plugin-guide.md below the installation's prefix\n",
              out);
    if (is_command(words, "list"))
        cli_print_section(out, "For list", list_options);
    if (is_command(words, "info"))
        cli_print_section(out, "For info", info_options);
    if (is_any || is_command(words, "check"))
        cli_print_section(out, "For check", check_options);
    if (is_any || is_command(words, "new"))
        cli_print_section(out, "For new", cli_plugin_new_options);
}

/* Ignores the folder's configuration for `new`, which does not depend on it. */
static void prepare(cli_globals *g, char **words)
{
    if (is_command(words, "new"))
        cli_globals_drop_config(g);
}

const cli_command cmd_plugin = {
    "plugin",
    "list | info ID | why FILE | check FILE | new NAME",
    "list, inspect, check and create plug-ins",
    run,
    help,
    prepare,
};

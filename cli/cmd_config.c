/* SPDX-License-Identifier: MIT */
/* brazier config: checks, shows, describes and creates configurations. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assets.h"
#include "config/palette_chain_build.h"
#include "cli.h"
#include "base/json.h"
#include "config/project_file.h"
#include "config/resolve.h"
#include "config/schema.h"
#include "format/format_examples.h"

static const cli_option no_options[] = {{NULL, 0, NULL, NULL, 0}};

/* Parses at most one word. Returns false after reporting an error. */
static bool take_word(brz_session *s, char **words, const char **word)
{
    const cli_option *const tables[] = {no_options, NULL};
    cli_args a = {.words = words, .tables = tables, .console = &s->console};
    *word = NULL;
    for (cli_token t; (t = cli_args_next(&a)) != CLI_END;) {
        if (t == CLI_UNKNOWN)
            cli_args_say_unknown(&a, NULL, 0);
        if (t == CLI_WORD && *word != NULL)
            brz_say(&s->console, BRZ_FATAL, "one word is enough, '%s' is too many", a.value);
        if (t != CLI_WORD || *word != NULL)
            return false;
        *word = a.value;
    }
    return true;
}

/* ---- check --------------------------------------------------------------------------------- */

/* Returns a request for a pipeline. One with thresholds is for comparisons, whose inputs the
 * command line names. */
static brz_request request_of(const brz_yaml *node, const char *name)
{
    brz_request r = {.pipeline = name, .compare = brz_yaml_get(node, "fail-if") != NULL};
    for (size_t i = 0; i < 2 && r.compare && brz_yaml_get(node, "inputs") == NULL; i++)
        brz_request_add_input(&r, (brz_input){.kind = BRZ_INPUT_MEMORY, .name = "input"});
    return r;
}

static bool check_pipeline(brz_session *s, const brz_yaml *node)
{
    brz_verdict verdict;
    brz_request request = request_of(node, node->key->text.data);
    brz_pipeline_destroy(brz_pipeline_create(s, &request, &verdict));
    brz_request_finish(&request);
    return verdict == BRZ_VERDICT_OK;
}

static bool check_palette(brz_session *s, const brz_yaml *node)
{
    brz_request request = {0};
    brz_resolver r = {.session = s, .request = &request};
    brz_chain chain = {NULL, 0};
    bool good = brz_chain_add_named(&r, node->key->text, node, &chain);
    brz_chain_finish(&chain);
    return good;
}

/* Checks a format of the configuration. A mistake in its definition is reported. */
static bool check_format(brz_session *s, const brz_yaml *node)
{
    return brz_registry_find(s->registry, BRZ_COLLAPSER, node->key->text, NULL) != NULL;
}

/* Checks the examples of a format without mistakes. */
static bool check_examples(brz_session *s, const brz_yaml *node)
{
    const brz_loaded *l = brz_registry_find(s->registry, BRZ_COLLAPSER, node->key->text, NULL);
    return l == NULL || l->format == NULL || brz_format_check_examples(s, l);
}

static void say_no_component(brz_session *s, const brz_yaml *name)
{
    brz_buf b = {0};
    cli_suggest_component(s, name->text, &b);
    brz_yaml_say(&s->console, BRZ_FATAL, name, "no component '%s'%s", name->text.data,
                 brz_buf_text(&b));
    brz_buf_finish(&b);
}

/* Checks the options that a configuration sets for all uses of a component. */
static bool check_options(brz_session *s, const brz_yaml *node)
{
    brz_request request = {0};
    brz_resolver r = {.session = s, .request = &request};
    bool good = true, found = false;
    for (uint32_t kind = BRZ_COLLAPSER; kind <= BRZ_TRANSFORM; kind++) {
        brz_use use;
        if (brz_registry_find(s->registry, kind, node->key->text, NULL) == NULL)
            continue;
        found = true;
        good &= brz_resolve(&r, kind, node->key->text, node->key, NULL, &use);
        brz_use_finish(&use);
    }
    if (!found)
        say_no_component(s, node->key);
    return good && found;
}

static bool check_section(brz_session *s, const char *name,
                          bool (*check)(brz_session *, const brz_yaml *))
{
    const brz_yaml *section = brz_config_section(s->config, name);
    bool good = true;
    bool is_map = section != NULL && section->type == BRZ_YAML_MAP;
    for (const brz_yaml *n = is_map ? section->first : NULL; n != NULL; n = n->next)
        good &= check(s, n);
    return good;
}

/* Checks a name of `allow` or `deny`, which may be the component of a plug-in that is not
 * installed. */
static void check_limit_name(brz_session *s, const brz_yaml *name)
{
    brz_buf near = {0};
    if (!brz_registry_knows(s->registry, name->text, &near))
        brz_yaml_say(&s->console, BRZ_WARNING, name, "there is no component '%s'%s",
                     name->text.data, brz_buf_text(&near));
    brz_buf_finish(&near);
}

static void check_limits(brz_session *s)
{
    const brz_yaml *list;
    for (size_t i = 0; (list = brz_config_limit(s->config, i)) != NULL; i++) {
        if (list->type == BRZ_YAML_SCALAR)
            check_limit_name(s, list);
        for (const brz_yaml *n = list->first; n != NULL; n = n->next)
            check_limit_name(s, n);
    }
}

static bool check_sections(brz_session *s)
{
    bool good = check_section(s, "options", check_options);
    good &= check_section(s, "formats", check_format);
    good &= check_section(s, "palettes", check_palette);
    good &= check_section(s, "pipelines", check_pipeline);
    return good;
}

/* Checks the session's configuration. Mistakes in the file itself were reported when it was read:
 * prepare() makes the file to check the session's configuration, and lets it have mistakes. */
static int check(brz_session *s, char **words)
{
    const char *file;
    if (!take_word(s, words, &file))
        return CLI_USAGE;
    check_limits(s);
    bool good = check_sections(s) && !brz_config_has_mistakes(s->config);
    good &= check_section(s, "formats", check_examples);
    const brz_yaml_file *f;
    for (size_t i = 0; (f = brz_config_file(s->config, i)) != NULL && good; i++)
        printf("%s: good\n", f->name);
    return good ? CLI_OK : CLI_USAGE;
}

/* ---- show ---------------------------------------------------------------------------------- */

/* Prints text line by line, with visible control characters, since a configuration may be a
 * stranger's. */
static void print_lines(const brz_buf *text)
{
    brz_buf b = {0};
    for (const char *p = brz_buf_text(text); *p != '\0'; p += *p == '\n') {
        size_t n = strcspn(p, "\n");
        brz_add_printable(&b, brz_str_of(p, n));
        brz_buf_add_char(&b, '\n');
        p += n;
    }
    fputs(brz_buf_text(&b), stdout);
    brz_buf_finish(&b);
}

/* Appends a key, quoted unless it is a plain word. */
static void add_key(brz_buf *b, brz_str key)
{
    bool is_plain = key.len > 0;
    for (size_t i = 0; i < key.len && is_plain; i++)
        is_plain =
            (unsigned char)key.data[i] > ' ' && strchr("\"'#:{}[]\\\x7f", key.data[i]) == NULL;
    if (is_plain)
        brz_buf_add_str(b, key);
    else
        brz_json_string(b, key);
}

static void add_file_name(brz_buf *b, const brz_yaml_file *f)
{
    brz_add_printable(b, brz_str_of_text(f->name));
}

static void add_scalar(brz_buf *b, const brz_yaml *n)
{
    brz_buf_add_char(b, ' ');
    if (n->is_null)
        brz_buf_add_text(b, "~");
    else
        brz_json_string(b, n->text);
    brz_buf_add_text(b, "  # ");
    add_file_name(b, n->file);
    brz_buf_printf(b, ":%zu\n", n->line);
}

/* Appends the children of a list or map, each scalar with its origin. The depth of the tree is at
 * most BRZ_YAML_MAX_DEPTH. */
static void add_children(brz_buf *b, const brz_yaml *parent, int indent)
{
    for (const brz_yaml *n = parent->first; n != NULL; n = n->next) {
        brz_buf_printf(b, "%*s", indent, "");
        if (parent->type == BRZ_YAML_MAP)
            add_key(b, n->key->text);
        brz_buf_add_char(b, parent->type == BRZ_YAML_MAP ? ':' : '-');
        if (n->type == BRZ_YAML_SCALAR) {
            add_scalar(b, n);
            continue;
        }
        brz_buf_add_char(b, '\n');
        add_children(b, n, indent + 2);
    }
}

static int show_pipeline(brz_session *s, const char *name)
{
    brz_verdict verdict;
    brz_buf b = {0};
    const brz_yaml *node = brz_config_find(s->config, "pipelines", brz_str_of_text(name));
    brz_request request = request_of(node, name);
    brz_pipeline *p = brz_pipeline_create(s, &request, &verdict);
    if (p != NULL)
        brz_pipeline_describe(p, name, &b);
    print_lines(&b);
    brz_pipeline_destroy(p);
    brz_request_finish(&request);
    brz_buf_finish(&b);
    return verdict == BRZ_VERDICT_OK ? CLI_OK : CLI_USAGE;
}

static void add_section(brz_buf *b, const char *key, const brz_yaml *node)
{
    brz_buf_printf(b, "%s:", key);
    if (node->type == BRZ_YAML_SCALAR) {
        add_scalar(b, node);
        return;
    }
    brz_buf_add_char(b, '\n');
    add_children(b, node, 2);
}

/* Appends the lists of all files, since all of them apply. */
static void add_limits(brz_buf *b, const brz_session *s)
{
    const brz_yaml *list;
    for (size_t i = 0; (list = brz_config_limit(s->config, i)) != NULL; i++)
        add_section(b, list->key->text.data, list);
}

static bool is_limit(const char *key)
{
    return strcmp(key, "allow") == 0 || strcmp(key, "deny") == 0;
}

/* Appends the names of all files. */
static void add_files(brz_buf *b, const brz_session *s)
{
    const brz_yaml_file *f;
    for (size_t i = 0; (f = brz_config_file(s->config, i)) != NULL; i++) {
        brz_buf_add_text(b, "# ");
        add_file_name(b, f);
        brz_buf_add_char(b, '\n');
        if (f->beneath != NULL)
            brz_buf_add_text(b, "#   found, not named: it reads and writes below its folder, and "
                                "loads no plug-ins\n");
    }
}

/* Prints the configuration, then reports the mistakes in it and, for a file that was found, the
 * settings that it may not have. */
static int show(brz_session *s, char **words)
{
    const char *name, *key;
    brz_buf b = {0};
    if (!take_word(s, words, &name))
        return CLI_USAGE;
    if (name != NULL)
        return show_pipeline(s, name);
    if (!brz_config_complete(s->config))
        return CLI_USAGE;
    add_files(&b, s);
    for (size_t i = 0; (key = brz_config_key(i)) != NULL; i++) {
        const brz_yaml *section = brz_config_section(s->config, key);
        if (section != NULL && !is_limit(key))
            add_section(&b, key, section);
    }
    add_limits(&b, s);
    print_lines(&b);
    brz_buf_finish(&b);
    fflush(stdout);
    return check_sections(s) ? CLI_OK : CLI_USAGE;
}

/* ---- schema, init -------------------------------------------------------------------------- */

static int schema(brz_session *s, char **words)
{
    const char *word;
    brz_buf b = {0};
    if (!take_word(s, words, &word))
        return CLI_USAGE;
    if (word != NULL) {
        brz_say(&s->console, BRZ_FATAL, "config schema takes no '%s'", word);
        return CLI_USAGE;
    }
    brz_schema_write(s->registry, &b);
    fputs(brz_buf_text(&b), stdout);
    brz_buf_finish(&b);
    return CLI_OK;
}

/* Writes a commented configuration as a starting point, but never overwrites a file. "-" is
 * standard output. */
static int init(brz_session *s, char **words)
{
    const char *file;
    if (!take_word(s, words, &file))
        return CLI_USAGE;
    file = file != NULL ? file : ".brazier.yaml";
    if (strcmp(file, "-") == 0) {
        fwrite(starter_config, 1, starter_config_size, stdout);
        return CLI_OK;
    }
    int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno == EEXIST)
        brz_say(&s->console, BRZ_FATAL,
                "%s exists and is not overwritten; name another file, or - for standard output",
                file);
    else if (fd < 0)
        brz_say(&s->console, BRZ_FATAL, "%s: %s", file, strerror(errno));
    if (fd < 0)
        return CLI_FAILED;
    ssize_t n = write(fd, starter_config, starter_config_size);
    if (close(fd) != 0 || n != (ssize_t)starter_config_size) {
        brz_say(&s->console, BRZ_FATAL, "%s: cannot be written", file);
        unlink(file);
        return CLI_FAILED;
    }
    printf("%s: written; brazier config check reports mistakes in it\n", file);
    return CLI_OK;
}

/* ---- the command --------------------------------------------------------------------------- */

static int run(brz_session *s, char **words)
{
    static const cli_subcommand subcommands[] = {
        {"check", check}, {"show", show}, {"schema", schema}, {"init", init}, {NULL, NULL}};
    return cli_run_subcommand(s, "config", subcommands, words);
}

/* Treats a file with the name of a project's configuration as a found one: it will be found in use,
 * and inspecting a stranger's file must not load code. */
static void distrust_as_found(cli_globals *g, const char *file)
{
    g->session.config_file = file;
    if (brz_project_file_is_named(file))
        g->session.flags |= BRAZIER_DISTRUST_CONFIG;
}

/* Chooses the configuration of the session: `check FILE` uses only that file, and `init` none,
 * since the one that would be found may be broken. */
static void prepare(cli_globals *g, char **words)
{
    if (words[0] == NULL || g->help)
        return;
    bool checks = strcmp(words[0], "check") == 0;
    if (checks)
        g->session.flags |= BRAZIER_KEEP_MISTAKES;
    if (checks && words[1] != NULL && words[1][0] != '-' && words[2] == NULL)
        distrust_as_found(g, words[1]);
    if (strcmp(words[0], "init") == 0)
        cli_globals_drop_config(g);
}

static void help(brz_session *s, char **words, FILE *out)
{
    (void)s;
    (void)words;
    fputs("check [FILE]      report mistakes in the configuration\n"
          "show              print the configuration, with file and line\n"
          "show PIPELINE     print every setting of a pipeline, with its origin\n"
          "schema            print a JSON Schema, for completion and checks in editors\n"
          "init [FILE]       write a commented .brazier.yaml as a starting point\n",
          out);
}

const cli_command cmd_config = {
    "config",
    "check [FILE] | show [PIPELINE] | schema | init [FILE]",
    "check, show and create the configuration",
    run,
    help,
    prepare,
};

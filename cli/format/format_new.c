/* brazier format new: writes a first guess at the format of a file.
 *
 * Each draft becomes a configuration, which reads the beginning of the file. The one in which the
 * most lines fit is printed.
 */
#include "format_new.h"

#include <brazier/text/pieces.h>

#include <string.h>

#include "base/ids.h"
#include "base/json.h"
#include "collapse/format_score.h"
#include "format_draft.h"
#include "fold_input.h"
#include "plain_words.h"
#include "text_file.h"

/* Number of bytes that are tried. */
#define BEGINNING ((size_t)256 << 10)

/* Percentage of the lines that must fit. */
#define LEAST_FIT 60

typedef struct new_request {
    const char *name, *file;
} new_request;

/* ---- trying drafts --------------------------------------------------------------------------- */

static void ignore(void *context, const brazier_diagnostic *d)
{
    (void)context;
    (void)d;
}

/* The number of lines that fit, and of those that do not. */
typedef struct fit {
    brz_text_lines lines; /* first: the collapser's view */
    size_t good, bad, stacks;
} fit;

static bool take_line(brz_text_lines *to, const brz_text_line *line)
{
    fit *f = (fit *)to;
    f->bad += line->role == BRZ_LINE_UNMATCHED;
    f->good += line->role != BRZ_LINE_UNMATCHED && line->role != BRZ_LINE_BLANK &&
               line->role != BRZ_LINE_IGNORED;
    return true;
}

/* Appends a draft as a definition, indented. */
static void add_definition(brz_buf *b, const char *name, brz_str draft)
{
    brz_buf_printf(b, "formats:\n  %s:\n", name);
    for (brz_str line; brz_take_line(&draft, &line);)
        brz_buf_printf(b, "    %.*s\n", (int)line.len, line.data);
}

/* Measures how a format of a session fits a text. */
static void measure(brz_session *s, const char *name, brz_str text, fit *f, brz_buf *folded)
{
    const brz_loaded *l =
        brz_registry_find(s->registry, BRZ_COLLAPSER, brz_str_of_text(name), NULL);
    const brz_text_format *format = l == NULL ? NULL : brz_text_format_of(l);
    if (format == NULL || l->format->cfg == NULL)
        return;
    const brz_input input = {
        .kind = BRZ_INPUT_MEMORY, .name = "input", .data = text.data, .len = text.len};
    brz_format_explain(l, text, &f->lines);
    const brz_fold_way usual = {0};
    brz_fold_input(s, name, &input, &usual, &s->console, folded);
}

/* Returns how many of 1000 lines fit, or 0 if the text has no stacks in this format. */
static size_t try_definition(const char *definition, const char *name, brz_str text,
                             brz_buf *folded)
{
    fit f = {.lines = {.struct_size = sizeof f.lines, .take = take_line}};
    brazier_session *session;
    const brazier_session_options o = {.struct_size = sizeof o,
                                       .config_text = definition,
                                       .flags = BRAZIER_SHIPPED_ONLY,
                                       .on_diagnostic = ignore};
    brz_buf_clear(folded);
    if (brazier_session_open(&o, &session) == BRAZIER_OK)
        measure(&session->core, name, text, &f, folded);
    brazier_session_close(session);
    return folded->len == 0 || f.good + f.bad == 0 ? 0 : f.good * 1000 / (f.good + f.bad);
}

/* Finds the draft that fits best. Returns false if none fits. */
static bool find_best(const char *name, brz_str text, brz_buf *best)
{
    cli_drafts drafts = {.n = 0};
    size_t most = LEAST_FIT * 10 - 1;
    cli_format_draft(text, &drafts);
    for (size_t i = 0; i < drafts.n; i++) {
        brz_buf definition = {0}, folded = {0};
        add_definition(&definition, name, brz_buf_str(&drafts.items[i]));
        size_t fits = try_definition(brz_buf_text(&definition), name, text, &folded);
        if (fits > most) {
            most = fits;
            brz_buf_clear(best);
            brz_buf_add_str(best, brz_buf_str(&definition));
        }
        brz_buf_finish(&definition);
        brz_buf_finish(&folded);
    }
    cli_drafts_finish(&drafts);
    return best->len > 0;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Limits on the example that is written. */
#define EXAMPLE_LINES 12
#define EXAMPLE_BYTES ((size_t)2000)

/* Returns the first lines of a text, up to a blank one after enough of them. */
static brz_str first_lines(brz_str text)
{
    size_t at = 0, lines = 0;
    while (at < text.len && lines < EXAMPLE_LINES) {
        const char *nl = memchr(text.data + at, '\n', text.len - at);
        size_t next = nl == NULL ? text.len : (size_t)(nl + 1 - text.data);
        if (next > EXAMPLE_BYTES)
            break;
        at = next;
        lines++;
    }
    return brz_str_of(text.data, at);
}

/* Returns whether a text can be a block of YAML as it is. */
static bool is_plain(brz_str text)
{
    brz_buf spaced = {0}, shown = {0};
    for (size_t i = 0; i < text.len; i++) {
        bool is_blank = text.data[i] == '\n' || text.data[i] == '\t';
        brz_buf_add(&spaced, is_blank ? " " : text.data + i, 1);
    }
    brz_add_printable(&shown, brz_buf_str(&spaced));
    bool plain = shown.len == spaced.len && text.len > 0 && text.data[text.len - 1] == '\n' &&
                 memcmp(brz_buf_text(&shown), brz_buf_text(&spaced), shown.len) == 0;
    brz_buf_finish(&spaced);
    brz_buf_finish(&shown);
    return plain;
}

/* Appends a text as a block of indented lines or, if it cannot be one, in quotes. */
static void add_block(brz_buf *b, brz_str text)
{
    if (!is_plain(text)) {
        brz_json_string(b, text);
        brz_buf_add_char(b, '\n');
        return;
    }
    brz_buf_add_text(b, "|2\n");
    for (brz_str line; brz_take_line(&text, &line);) {
        brz_buf_add_text(b, line.len > 0 ? "          " : "");
        brz_buf_add_str(b, line);
        brz_buf_add_char(b, '\n');
    }
}

/* Appends the definition's example: the first lines and their stacks. */
static void add_example(brz_buf *b, const char *name, brz_str text)
{
    brz_buf folded = {0};
    brz_str example = first_lines(text);
    if (try_definition(brz_buf_text(b), name, example, &folded) > 0) {
        brz_buf_add_text(b, "    examples:\n      - text: ");
        add_block(b, example);
        brz_buf_add_text(b, "        folded: ");
        add_block(b, brz_buf_str(&folded));
    }
    brz_buf_finish(&folded);
}

/* Writes the definition to standard output, and says what to do next. */
static int write_draft(brz_session *s, const new_request *r, brz_str text)
{
    brz_buf b = {0};
    bool found = find_best(r->name, text, &b);
    if (found) {
        add_example(&b, r->name, text);
        fputs(brz_buf_text(&b), stdout);
        fflush(stdout);
        brz_say(&s->console, BRZ_NOTE,
                "a first guess; save it as FORMATS and see the role of each line: brazier format "
                "try %s -f FORMATS",
                r->file);
    } else {
        brz_say(
            &s->console, BRZ_FATAL,
            "%s: no shape was found: neither stacks in lines, nor blocks, nor a tree, nor calls; "
            "man 5 brazier.yaml shows how to write one",
            r->file);
    }
    brz_buf_finish(&b);
    return found ? CLI_OK : CLI_FAILED;
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool take_words(brz_session *s, char **words, new_request *r)
{
    cli_plain_words plain = {.most = 2};
    if (!cli_take_plain_words(s, words, NULL, NULL, NULL, &plain))
        return false;
    *r = (new_request){plain.items[0], plain.items[1]};
    if (r->file == NULL)
        brz_say(&s->console, BRZ_FATAL, "which name, and which file? brazier format new NAME FILE");
    return r->file != NULL;
}

static bool check_name(brz_session *s, const char *name)
{
    bool good = brz_is_id(name) && strcmp(name, "guess") != 0;
    if (!good)
        brz_say(&s->console, BRZ_FATAL,
                "the name of a format is " BRZ_ID_RULE ", and not 'guess': '%s'", name);
    return good;
}

int cli_format_new(brz_session *s, char **words)
{
    new_request r = {.name = NULL};
    cli_text_file f;
    if (!take_words(s, words, &r) || !check_name(s, r.name))
        return CLI_USAGE;
    int status = CLI_FAILED;
    if (cli_text_file_read(s, r.file, BEGINNING, &f))
        status = write_draft(s, &r, f.text);
    cli_text_file_finish(&f);
    return status;
}

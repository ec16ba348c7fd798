/* SPDX-License-Identifier: MIT */
/* brazier format new: writes a first guess at the format of a file.
 *
 * Each draft becomes a configuration, which reads the beginning of the file. The one in which the
 * most lines fit is printed, or added to a file.
 */
#include "format_new.h"

#include <brazier/symbol.h>
#include <brazier/text/pieces.h>

#include <string.h>

#include "base/ids.h"
#include "base/json.h"
#include "base/utf8.h"
#include "collapse/format_score.h"
#include "format_draft.h"
#include "fold_input.h"
#include "format_insert.h"
#include "plain_words.h"
#include "text_file.h"

/* Number of bytes that are tried. */
#define BEGINNING ((size_t)256 << 10)

/* Percentage of the lines that must fit. */
#define LEAST_FIT 60

enum { OPT_FILE = 1 };

const cli_option cli_format_new_options[] = {
    {"formats", 'f', "FORMATS", "add the format to this configuration, instead of printing it",
     OPT_FILE},
    {NULL, 0, NULL, NULL, 0},
};

typedef struct new_request {
    const char *name, *file, *formats;
} new_request;

/* ---- trying drafts --------------------------------------------------------------------------- */

/* The result of a draft for a text: the number of lines that fit it, of lines that do not, and of
 * rows that weigh more than what is left of the row above. */
typedef struct fit {
    brz_text_lines lines; /* first: the collapser's view */
    size_t good, bad, excess;
    brz_buf folded;
} fit;

static void take_diagnostic(void *context, const brazier_diagnostic *d)
{
    fit *f = context;
    f->excess += d->code != NULL && strcmp(d->code, "text.total") == 0;
}

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
static void measure(brz_session *s, const char *name, brz_str text, fit *f)
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
    brz_fold_input(s, name, &input, &usual, &s->console, &f->folded);
}

/* Reads a text with a definition. The caller frees the stacks. */
static fit try_definition(const char *definition, const char *name, brz_str text)
{
    fit f = {.lines = {.struct_size = sizeof f.lines, .take = take_line}};
    brazier_session *session;
    const brazier_session_options o = {.struct_size = sizeof o,
                                       .config_text = definition,
                                       .flags = BRAZIER_SHIPPED_ONLY,
                                       .on_diagnostic = take_diagnostic,
                                       .context = &f};
    if (brazier_session_open(&o, &session) == BRAZIER_OK)
        measure(&session->core, name, text, &f);
    brazier_session_close(session);
    return f;
}

/* ---- choosing -------------------------------------------------------------------------------- */

/* The best draft so far. */
typedef struct best {
    brz_buf definition;
    size_t score, good, bad;
    long roots;
} best;

/* Returns how many of 1000 lines fit, less if the draft is vague, or 0 if it has no stacks, or too
 * few lines fit, or its amounts do not add up. */
static size_t score_of(const cli_draft *d, const fit *f)
{
    size_t lines = f->good + f->bad;
    if (f->folded.len == 0 || lines == 0 || f->good * 100 < lines * LEAST_FIT)
        return 0;
    if (d->adds_up && f->excess * 20 > f->good)
        return 0;
    return f->good * 10 * d->confidence / lines;
}

/* Returns whether a frame is one with which threads begin. */
static bool is_root(brz_str frame)
{
    static const char *const names[] = {"main", "_start",   "start_thread",      "clone",
                                        "run",  "<module>", "__libc_start_main", "Main"};
    brz_str before;
    brz_cut_first(frame, '(', &frame, &before);
    for (size_t i = 0; i < BRZ_COUNT_OF(names); i++)
        if (brz_str_is(frame, names[i]))
            return true;
    return false;
}

/* Returns how many more of the stacks begin than end with such a frame. */
static long count_roots(brz_str folded)
{
    long n = 0;
    for (brz_str line, first, last, rest; brz_take_line(&folded, &line);) {
        brz_cut_last(line, ' ', &line, &rest);
        first = last = line;
        brz_cut_first(line, ';', &first, &rest);
        brz_cut_last(line, ';', &rest, &last);
        n += (long)is_root(first) - (long)is_root(last);
    }
    return n;
}

/* Keeps a definition if it is the best. */
static void offer(best *b, const cli_draft *d, const brz_buf *definition, const fit *f)
{
    size_t score = score_of(d, f);
    if (score <= b->score)
        return;
    b->score = score;
    b->good = f->good;
    b->bad = f->bad;
    b->roots = count_roots(brz_buf_str(&f->folded));
    brz_buf_clear(&b->definition);
    brz_buf_add_str(&b->definition, brz_buf_str(definition));
}

/* Turns the order of frames in blocks if more stacks end than begin with a root. */
static void turn_blocks(best *b)
{
    bool is_blocks = strstr(brz_buf_text(&b->definition), "\n    use: blocks\n") != NULL;
    if (is_blocks && b->roots < 0)
        brz_buf_add_text(&b->definition, "      order: root-first\n");
}

/* Finds the draft that fits best. Returns false if none fits. */
static bool find_best(const char *name, brz_str text, best *b)
{
    cli_drafts drafts = {.n = 0};
    cli_format_draft(text, &drafts);
    for (size_t i = 0; i < drafts.n; i++) {
        brz_buf definition = {0};
        add_definition(&definition, name, brz_buf_str(&drafts.items[i].text));
        fit f = try_definition(brz_buf_text(&definition), name, text);
        offer(b, &drafts.items[i], &definition, &f);
        brz_buf_finish(&f.folded);
        brz_buf_finish(&definition);
    }
    cli_drafts_finish(&drafts);
    if (b->score > 0)
        turn_blocks(b);
    return b->score > 0;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Limits on the example that is written. */
#define EXAMPLE_LINES 12
#define EXAMPLE_BYTES ((size_t)2000)

/* Appends the first lines of a text that are UTF-8, as YAML is. */
static void add_first_lines(brz_buf *b, brz_str text)
{
    size_t lines = 0;
    for (brz_str line; lines < EXAMPLE_LINES && brz_take_line(&text, &line);) {
        if (!brz_utf8_valid(line))
            continue;
        if (b->len + line.len + 1 > EXAMPLE_BYTES)
            return;
        brz_buf_add_str(b, line);
        brz_buf_add_char(b, '\n');
        lines++;
    }
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
    brz_buf lines = {0};
    add_first_lines(&lines, text);
    fit f = try_definition(brz_buf_text(b), name, brz_buf_str(&lines));
    if (f.folded.len > 0) {
        brz_buf_add_text(b, "    examples:\n      - text: ");
        add_block(b, brz_buf_str(&lines));
        brz_buf_add_text(b, "        folded: ");
        add_block(b, brz_buf_str(&f.folded));
    }
    brz_buf_finish(&f.folded);
    brz_buf_finish(&lines);
}

/* Says what to do next. */
static void say_next(brz_session *s, const new_request *r, const best *b)
{
    const char *formats = r->formats == NULL ? "FORMATS" : r->formats;
    if (b->bad > 0)
        brz_say(&s->console, BRZ_NOTE,
                "%zu of the first %zu lines fit nothing: brazier format try %s marks them with '?'",
                b->bad, b->good + b->bad, r->file);
    brz_say(&s->console, BRZ_NOTE,
            "a first guess; %ssee the role of each line: brazier format try %s -f %s --format %s",
            r->formats == NULL ? "save it as FORMATS and " : "", r->file, formats, r->name);
}

/* Prints the definition, or adds it to the file. */
static bool put_draft(brz_session *s, const new_request *r, brz_str definition)
{
    const cli_definition d = {r->name, definition};
    if (r->formats != NULL)
        return cli_format_insert(s, r->formats, &d);
    fwrite(definition.data, 1, definition.len, stdout);
    fflush(stdout);
    return true;
}

static bool write_draft(brz_session *s, const new_request *r, brz_str text)
{
    best b = {.score = 0};
    bool good = find_best(r->name, text, &b);
    if (good) {
        add_example(&b.definition, r->name, text);
        good = put_draft(s, r, brz_buf_str(&b.definition));
    } else {
        brz_say(
            &s->console, BRZ_FATAL,
            "%s: no shape was found: neither stacks in lines, nor blocks, nor a tree, nor calls; "
            "man 5 brazier.yaml shows how to write one",
            r->file);
    }
    if (good)
        say_next(s, r, &b);
    brz_buf_finish(&b.definition);
    return good;
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool take_option(brz_session *s, void *request, const cli_args *a)
{
    new_request *r = request;
    (void)s;
    r->formats = a->value;
    return true;
}

static bool take_words(brz_session *s, char **words, new_request *r)
{
    cli_plain_words plain = {.most = 2};
    if (!cli_take_plain_words(s, words, cli_format_new_options, take_option, r, &plain))
        return false;
    r->name = plain.items[0];
    r->file = plain.items[1];
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
    bool good = cli_text_file_read(s, r.file, BEGINNING, &f) && write_draft(s, &r, f.text);
    cli_text_file_finish(&f);
    return good ? CLI_OK : CLI_FAILED;
}

/* SPDX-License-Identifier: MIT */
/* brazier format try: shows the role of each line of a file in a format.
 *
 * The collapser explains the lines with the same expressions by which it reads them. The samples
 * come from a run.
 */
#include "format_try.h"

#include <brazier/text/pieces.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "collapse/format_score.h"
#include "plain.h"
#include "plain_words.h"
#include "plugin/options.h"
#include "fold_input.h"
#include "format_choice.h"
#include "text_file.h"

enum { OPT_FORMAT = 1, OPT_FILE, OPT_JSON, OPT_LINES };

const cli_option cli_format_try_options[] = {
    {"format", 0, "NAME", "the format; otherwise the only one of FORMATS, or the one that fits",
     OPT_FORMAT},
    {"formats", 'f', "FORMATS",
     "a configuration with the format, instead of the project's; - is standard input", OPT_FILE},
    {"lines", 0, "N", "how many lines to show [40]", OPT_LINES},
    {"json", 0, NULL, "print JSON", OPT_JSON},
    {NULL, 0, NULL, NULL, 0},
};

/* Default number of lines to show, and limits on samples and on places of lines that fit nothing.
 */
#define LINES_SHOWN   40
#define SAMPLES_SHOWN 10
#define PLACES_SHOWN  5

/* Limit on the bytes that are shown of a line, a group and a stack. */
#define BYTES_SHOWN 1000

/* The roles, in the order of their counts. */
static const struct role {
    char letter;
    const char *color, *meaning, *about;
} roles[] = {
    {BRZ_LINE_HEADER, "36", "header", "has values for all samples"},
    {BRZ_LINE_SECTION, "34", "sections", "has values for the blocks that follow"},
    {BRZ_LINE_BEGIN, "32", "begin", "begins a block or a call"},
    {BRZ_LINE_WHOLE, "32", "samples", "is a whole sample or call"},
    {BRZ_LINE_FRAME, "33", "frames", "is a frame, or a row of a tree"},
    {BRZ_LINE_FIELD, "35", "more", "has further values of a block or a frame"},
    {BRZ_LINE_END, "32", "end", "ends a block or a call"},
    {BRZ_LINE_TOTAL, "36", "totals", "has the sum of the samples above"},
    {BRZ_LINE_IGNORED, "2", "ignored", "is ignored"},
    {BRZ_LINE_BLANK, "2", "blank", NULL},
    {BRZ_LINE_UNMATCHED, "31", "fit nothing", "fits nothing: accept it, or ignore it"},
};

#define N_ROLES BRZ_COUNT_OF(roles)

typedef struct try_request {
    const char *file, *format, *formats;
    uint64_t lines;
    bool json;
} try_request;

/* The state of explaining the lines of a file. */
typedef struct explanation {
    brz_text_lines lines; /* first: the collapser's view */
    const try_request *request;
    brz_buf *out;
    bool color;
    uint64_t number; /* of the last line */
    uint64_t counts[N_ROLES];
    uint64_t places[PLACES_SHOWN]; /* of lines that fit nothing */
} explanation;

static bool is_stdin(const char *file)
{
    return file != NULL && strcmp(file, "-") == 0;
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* Appends a text with visible control characters. Cuts a long one, and says by how much. */
static void add_text(brz_buf *b, brz_str text)
{
    size_t n = text.len < BYTES_SHOWN ? text.len : BYTES_SHOWN;
    while (n > 0 && n < text.len && ((unsigned char)text.data[n] & 0xc0) == 0x80)
        n--;
    brz_add_printable(b, brz_str_of(text.data, n));
    if (n < text.len)
        brz_buf_printf(b, "… (%zu bytes more)", text.len - n);
}

/* Appends a stack with its weight. Cuts a long one before the weight. */
static void add_stack(brz_buf *b, brz_str line)
{
    size_t at = line.len;
    while (at > 0 && line.data[at - 1] != ' ')
        at--;
    if (line.len <= BYTES_SHOWN || at == 0) {
        add_text(b, line);
        return;
    }
    add_text(b, brz_str_of(line.data, at - 1));
    brz_buf_add_char(b, ' ');
    add_text(b, brz_str_of(line.data + at, line.len - at));
}

/* ---- lines ----------------------------------------------------------------------------------- */

static size_t role_index(int32_t role)
{
    size_t i = 0;
    while (i + 1 < N_ROLES && roles[i].letter != role)
        i++;
    return i;
}

/* Appends a text as JSON; bytes that are no UTF-8 are escaped first. */
static void add_json_text(brz_buf *b, brz_str text)
{
    brz_buf plain = {0};
    brz_add_printable(&plain, text);
    brz_json_string(b, brz_buf_str(&plain));
    brz_buf_finish(&plain);
}

static const brz_text_group *group_at(const brz_text_line *line, uint64_t i)
{
    return (const brz_text_group *)(const void *)((const char *)line->groups +
                                                  i * line->group_size);
}

static void add_line_json(explanation *e, const brz_text_line *line, char letter)
{
    brz_buf *b = e->out;
    brz_buf_printf(b, "%s\n{\"line\":%llu,\"role\":\"%c\",\"text\":", e->number > 1 ? "," : "",
                   (unsigned long long)e->number, letter);
    add_json_text(b, line->line);
    brz_buf_add_text(b, ",\"groups\":[");
    for (uint64_t i = 0; i < line->n_groups; i++) {
        brz_buf_add_text(b, i > 0 ? ",{\"name\":" : "{\"name\":");
        add_json_text(b, group_at(line, i)->name);
        brz_buf_add_text(b, ",\"text\":");
        add_json_text(b, group_at(line, i)->text);
        brz_buf_add_char(b, '}');
    }
    brz_buf_add_text(b, "]}");
}

static void begin_color(const explanation *e, const char *color)
{
    if (e->color)
        brz_buf_printf(e->out, "\x1b[%sm", color);
}

static void end_color(const explanation *e)
{
    if (e->color)
        brz_buf_add_text(e->out, "\x1b[0m");
}

/* Appends a line with its letter and, below it, its groups. */
static void add_line_text(explanation *e, const brz_text_line *line, size_t role)
{
    begin_color(e, roles[role].color);
    brz_buf_printf(e->out, "%c %5llu  ", roles[role].letter == 'N' ? ' ' : roles[role].letter,
                   (unsigned long long)e->number);
    add_text(e->out, line->line);
    end_color(e);
    brz_buf_add_char(e->out, '\n');
    if (line->n_groups == 0)
        return;
    begin_color(e, "2");
    brz_buf_add_text(e->out, "         ");
    for (uint64_t i = 0; i < line->n_groups; i++) {
        brz_buf_add_text(e->out, i > 0 ? ", " : "");
        brz_add_printable(e->out, group_at(line, i)->name);
        brz_buf_add_text(e->out, ": ");
        add_text(e->out, group_at(line, i)->text);
    }
    end_color(e);
    brz_buf_add_char(e->out, '\n');
}

static bool take_line(brz_text_lines *to, const brz_text_line *line)
{
    explanation *e = (explanation *)to;
    size_t role = role_index(line->role);
    e->number++;
    if (roles[role].letter == BRZ_LINE_UNMATCHED && e->counts[role] < PLACES_SHOWN)
        e->places[e->counts[role]] = e->number;
    e->counts[role]++;
    if (e->number > e->request->lines)
        return true;
    if (e->request->json)
        add_line_json(e, line, roles[role].letter);
    else
        add_line_text(e, line, role);
    return true;
}

/* ---- results --------------------------------------------------------------------------------- */

static size_t count_lines(brz_str text)
{
    size_t n = 0;
    brz_str line;
    while (brz_take_line(&text, &line))
        n++;
    return n;
}

static void add_samples_text(brz_buf *b, brz_str folded)
{
    brz_str line;
    size_t n = count_lines(folded);
    brz_buf_printf(b, "\nStacks: %zu%s\n", n, n > SAMPLES_SHOWN ? ", the first ones:" : "");
    for (size_t i = 0; i < SAMPLES_SHOWN && brz_take_line(&folded, &line); i++) {
        brz_buf_add_text(b, "  ");
        add_stack(b, line);
        brz_buf_add_char(b, '\n');
    }
}

/* Appends the counts of the roles, and the first places of lines that fit nothing. */
static void add_counts_text(const explanation *e)
{
    brz_buf_printf(e->out, "\nLines: %llu\n", (unsigned long long)e->number);
    for (size_t i = 0; i < N_ROLES; i++)
        if (e->counts[i] > 0)
            brz_buf_printf(e->out, "  %c %8llu  %s\n",
                           roles[i].letter == 'N' ? ' ' : roles[i].letter,
                           (unsigned long long)e->counts[i], roles[i].meaning);
    uint64_t n = e->counts[N_ROLES - 1];
    for (uint64_t i = 0; i < n && i < PLACES_SHOWN; i++)
        brz_buf_printf(e->out, "%s%llu", i == 0 ? "  fit nothing: line " : ", ",
                       (unsigned long long)e->places[i]);
    if (n > 0)
        brz_buf_add_text(e->out, n > PLACES_SHOWN ? ", …\n" : "\n");
}

static void add_result_json(const explanation *e, brz_str folded)
{
    brz_buf *b = e->out;
    bool first = true;
    brz_buf_printf(b, "\n],\"count\":%llu,\"roles\":{", (unsigned long long)e->number);
    for (size_t i = 0; i < N_ROLES; i++) {
        brz_buf_printf(b, "%s\"%c\":%llu", first ? "" : ",", roles[i].letter,
                       (unsigned long long)e->counts[i]);
        first = false;
    }
    brz_buf_printf(b, "},\"stacks\":%zu,\"samples\":[", count_lines(folded));
    brz_str line;
    for (size_t i = 0; i < SAMPLES_SHOWN && brz_take_line(&folded, &line); i++) {
        brz_buf_add_text(b, i > 0 ? ",\n" : "\n");
        add_json_text(b, line);
    }
    brz_buf_add_text(b, "]}\n");
}

/* ---- the format ------------------------------------------------------------------------------ */

/* Returns whether a format explains lines. Reports one that does not. */
static bool can_explain(brz_session *s, const brz_loaded *l)
{
    const brz_text_format *text = brz_text_format_of(l);
    bool can = text != NULL && text->explain != NULL && l->format != NULL;
    if (!can)
        brz_say(&s->console, BRZ_FATAL,
                "the collapser of the format '%s' does not say which lines it uses; format try is "
                "for formats in YAML",
                l->component->id);
    return can;
}

/* ---- trying ---------------------------------------------------------------------------------- */

static brz_buf fold(brz_session *s, const brz_loaded *l, const cli_text_file *f)
{
    brz_buf folded = {0};
    const brz_input input = {.kind = BRZ_INPUT_MEMORY,
                             .name = f->source->name,
                             .data = f->text.data,
                             .len = f->text.len};
    brz_console console = s->console;
    const brz_fold_way usual = {0};
    brz_fold_input(s, l->component->id, &input, &usual, &console, &folded);
    return folded;
}

/* Explains the lines and prints everything. Returns whether the file has samples. */
static bool show(brz_session *s, const try_request *r, const brz_loaded *l, const cli_text_file *f)
{
    brz_buf out = {0};
    explanation e = {.lines = {.struct_size = sizeof e.lines, .take = take_line},
                     .request = r,
                     .out = &out,
                     .color = isatty(STDOUT_FILENO) && getenv("NO_COLOR") == NULL};
    if (r->json) {
        brz_buf_add_text(&out, "{\"format\":");
        brz_json_string(&out, brz_str_of_text(l->component->id));
        brz_buf_add_text(&out, ",\"lines\":[");
    }
    brz_format_explain(l, f->text, &e.lines);
    brz_buf folded = fold(s, l, f);
    if (r->json) {
        add_result_json(&e, brz_buf_str(&folded));
    } else {
        add_samples_text(&out, brz_buf_str(&folded));
        add_counts_text(&e);
    }
    fflush(stderr);
    fwrite(brz_buf_text(&out), 1, out.len, stdout);
    bool has_samples = folded.len > 0;
    brz_buf_finish(&out);
    brz_buf_finish(&folded);
    return has_samples;
}

static int try_file(brz_session *s, const try_request *r)
{
    const char *formats = is_stdin(r->formats) ? "stdin" : r->formats;
    cli_text_file f;
    int status = CLI_FAILED;
    if (cli_text_file_read(s, r->file, CLI_TEXT_MOST, &f)) {
        const cli_format_choice choice = {is_stdin(r->file) ? "stdin" : r->file, r->format,
                                          formats};
        const brz_loaded *l = cli_format_choose(s, &choice, &f);
        bool can = l != NULL && can_explain(s, l);
        status = !can ? CLI_USAGE : show(s, r, l, &f) ? CLI_OK : CLI_FAILED;
        if (can && f.is_cut)
            brz_say(&s->console, BRZ_NOTE, "only the first 256 MiB were read");
    }
    cli_text_file_finish(&f);
    return status;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Sets an option. Returns false after reporting an invalid value. */
static bool take_option(brz_session *s, void *request, const cli_args *a)
{
    try_request *r = request;
    char *end;
    switch (a->option->id) {
    case OPT_FORMAT:
        r->format = a->value;
        return true;
    case OPT_FILE:
        r->formats = a->value;
        return true;
    case OPT_LINES:
        r->lines = strtoull(a->value, &end, 10);
        if (*end == '\0' && a->value[0] >= '0' && a->value[0] <= '9')
            return true;
        brz_say(&s->console, BRZ_FATAL, "--lines is a whole number, not '%s'", a->value);
        return false;
    default:
        r->json = true;
        return true;
    }
}

static bool take_words(brz_session *s, char **words, try_request *r)
{
    cli_plain_words plain = {.most = 1};
    if (!cli_take_plain_words(s, words, cli_format_try_options, take_option, r, &plain))
        return false;
    r->file = plain.items[0];
    if (r->file == NULL)
        brz_say(&s->console, BRZ_FATAL, "which file? brazier format try FILE --format NAME");
    bool is_both = is_stdin(r->file) && is_stdin(r->formats);
    if (is_both)
        brz_say(&s->console, BRZ_FATAL,
                "standard input is either the file or its formats: '-' stands for both");
    return r->file != NULL && !is_both;
}

void cli_format_try_letters(FILE *out)
{
    fputs("\nLetters of try, in front of a line that:\n", out);
    for (size_t i = 0; i < N_ROLES; i++)
        if (roles[i].about != NULL)
            fprintf(out, "  %c  %s\n", roles[i].letter, roles[i].about);
}

const char *cli_format_try_config(char **words)
{
    brz_session none = {.config = NULL};
    try_request r = {.lines = LINES_SHOWN};
    take_words(&none, words, &r);
    return r.formats;
}

int cli_format_try(brz_session *s, char **words)
{
    try_request r = {.lines = LINES_SHOWN};
    return take_words(s, words, &r) ? try_file(s, &r) : CLI_USAGE;
}

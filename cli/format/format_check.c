/* SPDX-License-Identifier: MIT */
/* brazier format check: tests a format of a configuration like a plug-in.
 *
 * The inputs are the texts of its examples, and files. Their stacks must not depend on how an input
 * is divided, also if it is damaged, and no expression may reach its limit on long lines.
 */
#include "format_check.h"

#include <brazier/text/pieces.h>

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "plugin/format.h"
#include "fold_input.h"
#include "format_examples.h"
#include "plain_words.h"
#include "text_file.h"

/* Limits on the files, the bytes of each, and on damaged variants of an input. */
#define MOST_FILES    (CLI_PLAIN_WORDS - 1)
#define MOST_BYTES    ((size_t)64 << 10)
#define MOST_VARIANTS 48

/* Length of hostile lines. */
#define LONG_LINE ((size_t)16 << 10)

enum { OPT_FORMATS = 1 };

const cli_option cli_format_check_options[] = {
    {"formats", 'f', "FORMATS", "a configuration with the format, instead of the project's",
     OPT_FORMATS},
    {NULL, 0, NULL, NULL, 0},
};

typedef struct check_request {
    const char *name, *formats;
    const char *files[MOST_FILES];
    size_t n_files;
} check_request;

/* An input: an example or the beginning of a file. */
typedef struct check_input {
    brz_buf name, text;
} check_input;

/* A check of a format, and its inputs. */
typedef struct check {
    brz_session *session;
    const char *name;
    const brz_yaml *definition;
    check_input *inputs;
    size_t n, cap;
    bool good;
} check;

/* ---- running --------------------------------------------------------------------------------- */

/* Removes what names the format from the end of an error: add_place() does so in front of it. */
static void drop_format(brz_buf *error)
{
    const char *text = brz_buf_text(error), *at = strstr(text, " (format '");
    if (at == NULL)
        return;
    error->len = (size_t)(at - text);
    error->data[error->len] = '\0';
}

/* Records the first error of a run. An input without samples is no error: it may be damaged. */
static void hear(void *to, const brz_notice *notice)
{
    brz_buf *error = to;
    if (notice->code != NULL && strcmp(notice->code, BRZ_SAYS_EMPTY) == 0)
        return;
    if (notice->severity != BRZ_FATAL || error->len > 0)
        return;
    brz_notice_add_message(error, notice);
    drop_format(error);
}

/* Collapses a text. Appends an error to `error`. */
static void fold(const check *c, brz_str text, brz_fold_way way, brz_buf *folded, brz_buf *error)
{
    const brz_console console = {.report = hear, .to = error};
    const brz_input input = {
        .kind = BRZ_INPUT_MEMORY, .name = "input", .data = text.data, .len = text.len};
    brz_fold_input(c->session, c->name, &input, &way, &console, folded);
}

/* Returns whether two ways of dividing a text give the same stacks. */
static bool is_same(const check *c, brz_str text, brz_fold_way a, brz_fold_way b)
{
    brz_buf one = {0}, other = {0}, error = {0};
    fold(c, text, a, &one, &error);
    fold(c, text, b, &other, &error);
    bool same =
        one.len == other.len && memcmp(brz_buf_text(&one), brz_buf_text(&other), one.len) == 0;
    brz_buf_finish(&one);
    brz_buf_finish(&other);
    brz_buf_finish(&error);
    return same;
}

/* Appends where the format is defined, its name and the input. */
static void add_place(const check *c, const check_input *input, brz_buf *to)
{
    const brz_yaml *at = c->definition->key != NULL ? c->definition->key : c->definition;
    brz_buf_printf(to, "%s:%zu: format '%s', %s: ", at->file->name, at->line, c->name,
                   brz_buf_text(&input->name));
}

/* Prints the result of a test. */
static void tell(check *c, const char *test, bool good, const char *detail)
{
    brz_buf plain = {0};
    brz_add_printable(&plain, brz_str_of_text(detail));
    printf("%-4s  %-9s %s\n", good ? "ok" : "FAIL", test, brz_buf_text(&plain));
    brz_buf_finish(&plain);
    c->good &= good;
}

/* Prints the result of a test: its fault, if that is not empty. Frees the fault. */
static void tell_fault(check *c, const char *test, brz_buf *fault, const char *otherwise)
{
    tell(c, test, fault->len == 0, fault->len > 0 ? brz_buf_text(fault) : otherwise);
    brz_buf_finish(fault);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void check_division(check *c)
{
    static const brz_fold_way ways[] = {{.chunk_size = 1},
                                        {.chunk_size = 7},
                                        {.chunk_size = 64},
                                        {.chunk_size = 4096},
                                        {.range_size = 1, .threads = 3},
                                        {.range_size = 50, .threads = 2}};
    const brz_fold_way whole = {0};
    brz_buf fault = {0};
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; k < BRZ_COUNT_OF(ways) && fault.len == 0; k++)
            if (!is_same(c, brz_buf_str(&c->inputs[i].text), whole, ways[k])) {
                add_place(c, &c->inputs[i], &fault);
                brz_buf_add_text(&fault, "the stacks depend on how the input is divided");
            }
    tell_fault(c, "division", &fault, "the stacks do not depend on how an input is divided");
}

/* Returns the next number of a sequence that is the same each time. */
static uint64_t next_number(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* Appends a damaged copy of a text: cut off, with other bytes, or with a part twice. */
static void add_damaged(brz_buf *to, brz_str text, uint64_t *state)
{
    size_t at = text.len == 0 ? 0 : (size_t)(next_number(state) % text.len);
    uint64_t kind = next_number(state) % 4;
    brz_buf_add(to, text.data, at);
    if (kind == 0)
        return;
    if (kind == 1)
        brz_buf_add_char(to, (char)next_number(state));
    if (kind == 2)
        brz_buf_add(to, text.data, text.len);
    if (kind == 3)
        brz_buf_add_text(to, "\n\xff\xfe(;;) 99999999999999999999\n");
    brz_buf_add(to, text.data + at, text.len - at);
}

static void check_damage(check *c)
{
    uint64_t state = 1;
    brz_buf fault = {0};
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; k < MOST_VARIANTS && fault.len == 0; k++) {
            brz_buf damaged = {0};
            add_damaged(&damaged, brz_buf_str(&c->inputs[i].text), &state);
            if (!is_same(c, brz_buf_str(&damaged), (brz_fold_way){0},
                         (brz_fold_way){.chunk_size = 13})) {
                add_place(c, &c->inputs[i], &fault);
                brz_buf_add_text(&fault, "the stacks of a damaged copy depend on its division");
            }
            brz_buf_finish(&damaged);
        }
    tell_fault(c, "damage", &fault, "the stacks of damaged inputs do not depend on it, either");
}

/* Appends a line that repeats the first `n` bytes of a text, after those and before its last. */
static void add_long_line(brz_buf *to, brz_str line, size_t n)
{
    for (size_t len = 0; len < LONG_LINE; len += n)
        brz_buf_add(to, line.data, n);
    brz_buf_add_str(to, line);
    brz_buf_add_text(to, "\x01\n");
}

/* Appends long lines made of those of an input. */
static void add_hostile(brz_buf *to, brz_str text)
{
    brz_str line;
    for (size_t i = 0; i < 8 && brz_take_line(&text, &line); i++) {
        if (line.len == 0)
            continue;
        add_long_line(to, line, 1);
        add_long_line(to, line, line.len / 2 + 1);
        add_long_line(to, line, line.len);
    }
}

/* Collapses long lines made of an input. Appends the place and the reason if that fails. */
static void check_long_lines(const check *c, const check_input *input, brz_buf *fault)
{
    brz_buf hostile = {0}, folded = {0}, error = {0};
    add_hostile(&hostile, brz_buf_str(&input->text));
    fold(c, brz_buf_str(&hostile), (brz_fold_way){0}, &folded, &error);
    if (error.len > 0) {
        add_place(c, input, fault);
        brz_buf_add_text(fault, "with long lines: ");
        brz_buf_add_str(fault, brz_buf_str(&error));
    }
    brz_buf_finish(&hostile);
    brz_buf_finish(&folded);
    brz_buf_finish(&error);
}

static void check_limits(check *c)
{
    brz_buf fault = {0};
    for (size_t i = 0; i < c->n && fault.len == 0; i++)
        check_long_lines(c, &c->inputs[i], &fault);
    tell_fault(c, "limits", &fault, "no expression reaches its limit on long lines");
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static check_input *add_input(check *c, brz_str text)
{
    c->inputs = brz_grow(c->inputs, c->n, &c->cap, sizeof *c->inputs);
    check_input *input = &c->inputs[c->n++];
    *input = (check_input){0};
    brz_buf_add_str(&input->text, text);
    return input;
}

static void add_examples(check *c)
{
    size_t number = 0;
    const brz_yaml *list = brz_yaml_get(c->definition, "examples");
    for (const brz_yaml *e = list == NULL ? NULL : list->first; e != NULL; e = e->next) {
        const brz_yaml *text = brz_yaml_get(e, "text");
        number++;
        if (text != NULL)
            brz_buf_printf(&add_input(c, text->text)->name, "example %zu", number);
    }
}

/* Adds the beginnings of files. Returns false after reporting an error. */
static bool add_files(check *c, const check_request *r)
{
    bool good = true;
    for (size_t i = 0; i < r->n_files && good; i++) {
        cli_text_file f;
        good = cli_text_file_read(c->session, r->files[i], MOST_BYTES, &f);
        if (good)
            brz_buf_add_text(&add_input(c, f.text)->name, r->files[i]);
        cli_text_file_finish(&f);
    }
    return good;
}

static const brz_loaded *find_format(brz_session *s, const char *name)
{
    brz_buf error = {0};
    const brz_loaded *l =
        brz_registry_find(s->registry, BRZ_COLLAPSER, brz_str_of_text(name), &error);
    if (l != NULL && l->format == NULL)
        brz_buf_printf(&error, "'%s' is a plug-in's: brazier plugin check FILE tests it", name);
    if (error.len > 0)
        brz_say(&s->console, BRZ_FATAL, "%s", brz_buf_text(&error));
    brz_buf_finish(&error);
    return l == NULL || l->format == NULL ? NULL : l;
}

static int run_checks(check *c, const brz_loaded *l, const check_request *r)
{
    add_examples(c);
    if (!add_files(c, r))
        return CLI_FAILED;
    if (c->n == 0) {
        brz_say(&c->session->console, BRZ_FATAL,
                "the format '%s' has no examples; name files: brazier format check %s FILE",
                c->name, c->name);
        return CLI_USAGE;
    }
    tell(c, "examples", brz_format_check_examples(c->session, l),
         "the stacks of the examples are right");
    check_division(c);
    check_damage(c);
    check_limits(c);
    return c->good ? CLI_OK : CLI_FAILED;
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool take_option(brz_session *s, void *request, const cli_args *a)
{
    check_request *r = request;
    (void)s;
    r->formats = a->value;
    return true;
}

static bool take_words(brz_session *s, char **words, check_request *r)
{
    cli_plain_words plain = {.most = 1 + MOST_FILES};
    if (!cli_take_plain_words(s, words, cli_format_check_options, take_option, r, &plain))
        return false;
    r->name = plain.items[0];
    for (size_t i = 1; i < plain.n; i++)
        r->files[r->n_files++] = plain.items[i];
    if (r->name == NULL)
        brz_say(&s->console, BRZ_FATAL, "which one? brazier format check NAME [FILE...]");
    return r->name != NULL;
}

const char *cli_format_check_config(char **words)
{
    brz_session none = {.config = NULL};
    check_request r = {.name = NULL};
    take_words(&none, words, &r);
    return r.formats;
}

int cli_format_check(brz_session *s, char **words)
{
    check_request r = {.name = NULL};
    if (!take_words(s, words, &r))
        return CLI_USAGE;
    const brz_loaded *l = find_format(s, r.name);
    check c = {.session = s, .name = r.name, .good = true};
    c.definition = l == NULL ? NULL : l->format->definition;
    int status = l == NULL ? CLI_USAGE : run_checks(&c, l, &r);
    for (size_t i = 0; i < c.n; i++) {
        brz_buf_finish(&c.inputs[i].name);
        brz_buf_finish(&c.inputs[i].text);
    }
    free(c.inputs);
    return status;
}

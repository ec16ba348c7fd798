/* SPDX-License-Identifier: MIT */
/* Makes frames of the rows of frame tables.
 *
 * A frame of a processed profile refers to a function, which has a name, a file and a library. One
 * of Gecko has a location instead:
 *
 *     location := FUNCTION " (" FILE ":" line (":" column)? ")"       JavaScript
 *               | FILE ":" line (":" column)?                         JavaScript without a name
 *               | "0x" address | text                                 native code
 *
 * FILE may be "loader -> file".
 */
#include "document.h"

#include <brazier/symbol.h>
#include <brazier/text/integer.h>

/* A frame being described, with facts that its members lack. */
typedef struct description {
    brz_frame_desc d;
    bool is_script;
} description;

static brz_str decoded(brz_text *to, brz_ctx *ctx, brz_str text)
{
    to->len = 0;
    if (text.len > 0)
        brz_json_decode(to, ctx, text);
    return brz_text_str(to);
}

static uint32_t small(int64_t n)
{
    return n > 0 && n < UINT32_MAX ? (uint32_t)n : 0;
}

/* ---- locations of Gecko -------------------------------------------------------------------- */

/* Removes ":" and a number from the end of a text. Returns false if the text ends otherwise. */
static bool take_number(brz_str *s, uint32_t *number)
{
    size_t at = s->len;
    uint64_t n;
    while (at > 0 && brz_is_digit(s->data[at - 1]))
        at--;
    if (at < 2 || s->data[at - 1] != ':' ||
        !brz_parse_u64(brz_str_of(s->data + at, s->len - at), &n))
        return false;
    *number = n < UINT32_MAX ? (uint32_t)n : 0;
    s->len = at - 1;
    return true;
}

/* Divides "FILE:line:column". Returns false for other texts. */
static bool take_place(brz_str *s, uint32_t *line)
{
    uint32_t last;
    if (!take_number(s, &last))
        return false;
    if (!take_number(s, line))
        *line = last;
    return true;
}

/* Returns the offset of the last " (", or s.len. */
static size_t last_bracket(brz_str s)
{
    for (size_t i = s.len; i-- > 1;)
        if (s.data[i] == '(' && s.data[i - 1] == ' ')
            return i - 1;
    return s.len;
}

/* Returns the part of a file's name after the scripts that loaded it. */
static brz_str after_loaders(brz_str file)
{
    for (size_t i = file.len; i-- > 3;)
        if (memcmp(file.data + i - 3, " -> ", 4) == 0)
            return brz_str_of(file.data + i + 1, file.len - i - 1);
    return file;
}

static void describe_location(description *f, brz_str location)
{
    brz_str name = {0}, file = location;
    size_t bracket = last_bracket(location);
    uint32_t line = 0;
    f->d.name = location;
    if (brz_ends_with(location, BRZ_STR(")")) && bracket < location.len) {
        name = brz_str_of(location.data, bracket);
        file = brz_str_of(location.data + bracket + 2, location.len - bracket - 3);
    } else if (brz_str_find(location, BRZ_STR("://"), 0) == SIZE_MAX) {
        return;
    }
    if (!take_place(&file, &line))
        return;
    f->is_script = true;
    f->d.name = name.len > 0 ? name : BRZ_STR("(anonymous)");
    f->d.file = after_loaders(file);
    f->d.first_line = line;
}

/* ---- functions of processed profiles ------------------------------------------------------- */

/* Returns the name of a frame's library, as written. */
static brz_str library_of(firefox *f, brz_ctx *ctx, thread *t, const scope *frames, int64_t row,
                          int64_t resource)
{
    process *p = &f->processes[t->process];
    const scope *resources = scope_part(&t->scope, &p->shared, ctx, RESOURCES);
    const table *r = resources->tables[RESOURCES];
    int64_t library = table_at(frames->tables[FRAMES], FRAME_LIBRARY, row);
    if (library >= 0 && (uint64_t)library < p->n_libraries)
        return p->libraries[library];
    if (table_at(r, RESOURCE_LIBRARY, resource) == NO_VALUE)
        return brz_str_of(NULL, 0);
    return scope_string(scope_part(&t->scope, &p->shared, ctx, STRINGS),
                        table_at(r, RESOURCE_NAME, resource));
}

static void describe_function(firefox *f, brz_ctx *ctx, thread *t, const scope *frames, int64_t row,
                              description *to)
{
    scope *shared = &f->processes[t->process].shared;
    const scope *strings = scope_part(&t->scope, shared, ctx, STRINGS);
    const table *functions = scope_part(&t->scope, shared, ctx, FUNCTIONS)->tables[FUNCTIONS];
    const table *sources = scope_part(&t->scope, shared, ctx, SOURCES)->tables[SOURCES];
    int64_t function = table_at(frames->tables[FRAMES], FRAME_FUNCTION, row);
    int64_t source = table_at(functions, FUNCTION_SOURCE, function);
    int64_t file = table_at(functions, FUNCTION_FILE, function);
    int64_t resource = table_at(functions, FUNCTION_RESOURCE, function);
    if (file == NO_VALUE)
        file = table_at(sources, SOURCE_FILE, source);
    to->d.name =
        decoded(&f->name, ctx, scope_string(strings, table_at(functions, FUNCTION_NAME, function)));
    to->d.file = decoded(&f->file, ctx, scope_string(strings, file));
    to->d.module = decoded(&f->module, ctx, library_of(f, ctx, t, frames, row, resource));
    to->d.first_line = small(table_at(functions, FUNCTION_LINE, function));
    to->is_script = table_at(functions, FUNCTION_JS, function) == 1;
}

/* ---- frames -------------------------------------------------------------------------------- */

/* Returns whether the code was compiled at run time; the word is that of SpiderMonkey. */
static bool is_compiled(brz_str implementation)
{
    return brz_ends_with(implementation, BRZ_STR("ion")) ||
           brz_ends_with(implementation, BRZ_STR("baseline"));
}

static void set_kind(const firefox *f, const process *p, const table *frames, int64_t row,
                     brz_str implementation, description *to)
{
    int64_t of = table_at(frames, FRAME_CATEGORY, row);
    if (of >= 0 && (uint64_t)of < p->n_categories) {
        to->d.kind = p->categories[of].kind;
        to->d.flags = p->categories[of].flags;
    }
    if (table_at(frames, FRAME_DEPTH, row) > 0)
        to->d.flags |= BRZ_FRAME_INLINED;
    if (is_compiled(implementation))
        to->d.flags |= BRZ_FRAME_JIT;
    if (!f->own && !to->is_script && to->d.kind == BRZ_KIND_OTHER && to->d.module.len > 0)
        to->d.kind = BRZ_KIND_USER;
}

static brz_frame make_frame(firefox *f, brz_ctx *ctx, thread *t, const scope *frames, int64_t row)
{
    description to = {.d = {.struct_size = sizeof to.d}};
    process *p = &f->processes[t->process];
    const table *rows = frames->tables[FRAMES];
    const scope *strings = scope_part(&t->scope, &p->shared, ctx, STRINGS);
    int64_t location = table_at(rows, FRAME_LOCATION, row);
    int64_t address = table_at(rows, FRAME_ADDRESS, row);
    process_read(p, ctx);
    if (location != NO_VALUE)
        describe_location(&to, decoded(&f->name, ctx, scope_string(strings, location)));
    else
        describe_function(f, ctx, t, frames, row, &to);
    if (to.d.name.len == 0 && to.is_script) {
        to.d.name = BRZ_STR("(anonymous)");
    } else if (to.d.name.len == 0) {
        to.d.name = BRZ_STR("[unknown]");
        BRZ_WARN(ctx, "firefox.frame", NULL, 0, "a frame without a name: [unknown]");
    }
    to.d.line = small(table_at(rows, FRAME_LINE, row));
    to.d.column = small(table_at(rows, FRAME_COLUMN, row));
    to.d.address = address > 0 ? (uint64_t)address : 0;
    set_kind(f, p, rows, row, scope_string(strings, table_at(rows, FRAME_JIT, row)), &to);
    brz_frame frame = ctx->host->frame(ctx, &to.d);
    if (!f->own && brz_str_is(to.d.name, "(root)"))
        f->root = frame;
    return frame;
}

brz_frame frame_of(firefox *f, brz_ctx *ctx, thread *t, int64_t row)
{
    scope *frames = scope_part(&t->scope, &f->processes[t->process].shared, ctx, FRAMES);
    if (row < 0 || (uint64_t)row >= scope_frames(frames))
        return BRZ_NO_FRAME;
    if (frames->ids[row] == BRZ_NO_FRAME)
        frames->ids[row] = make_frame(f, ctx, t, frames, row);
    return frames->ids[row];
}

/* SPDX-License-Identifier: MIT */
/* Writes the tables of a profile: stacks, frames, functions, libraries, sources and texts.
 *
 * Tables are stored as columns of equal length: stacks refer to stacks and frames, frames to
 * functions, functions to libraries (through resources), sources and strings. The prefixOffset of
 * a stack is the distance back to its caller, 0 for a root.
 */
#include "../common/frame_kind.h"
#include "profile.h"

/* ---- columns ------------------------------------------------------------------------------- */

/* Writes the value of row i of a column. */
typedef void put_value(profile *p, uint32_t i);

/* Writes "name":[ */
static void begin_column(profile *p, const char *name)
{
    brz_put_char(&p->w, '"');
    brz_put_text(&p->w, name);
    BRZ_PUT(&p->w, "\":[");
}

/* Writes "name":[value, …]. */
static void put_column(profile *p, const char *name, uint32_t n, put_value *value)
{
    begin_column(p, name);
    for (uint32_t i = 0; i < n && p->w.rc == BRZ_OK; i++) {
        if (i > 0)
            brz_put_char(&p->w, ',');
        value(p, i);
    }
    BRZ_PUT(&p->w, "],\n");
}

/* Writes a column whose rows all have the same value. */
static void put_constant(profile *p, const char *name, uint32_t n, const char *value)
{
    begin_column(p, name);
    for (uint32_t i = 0; i < n && p->w.rc == BRZ_OK; i++) {
        if (i > 0)
            brz_put_char(&p->w, ',');
        brz_put_text(&p->w, value);
    }
    BRZ_PUT(&p->w, "],\n");
}

static void put_length(profile *p, uint32_t n)
{
    BRZ_PUT(&p->w, "\"length\":");
    brz_put_u64(&p->w, n);
    brz_put_char(&p->w, '}');
}

/* ---- tables -------------------------------------------------------------------------------- */

static void put_stack_frame(profile *p, uint32_t i)
{
    brz_put_u64(&p->w, path_frame(&p->paths, i));
}

static void put_prefix_offset(profile *p, uint32_t i)
{
    uint32_t caller = path_caller(&p->paths, i);
    brz_put_u64(&p->w, caller == 0 ? 0 : i + 1 - caller);
}

static void put_stack_table(profile *p)
{
    uint32_t n = p->paths.items.n;
    BRZ_PUT(&p->w, "\"stackTable\":{");
    put_column(p, "frame", n, put_stack_frame);
    put_column(p, "prefixOffset", n, put_prefix_offset);
    put_length(p, n);
}

/* Writes the category of a frame; unknown kinds belong to the first category. */
static void put_category(profile *p, uint32_t i)
{
    const brz_frame_info *f = brz_frame_at(p->tree, i);
    brz_put_u64(&p->w, brz_frame_category(f->kind, f->flags));
}

static void put_frame_function(profile *p, uint32_t i)
{
    brz_put_u64(&p->w, p->functions.of_frame[i]);
}

/* Writes a number that counts from 1; 0 means that it is unknown. */
static void put_position(profile *p, uint32_t number)
{
    if (number > 0)
        brz_put_u64(&p->w, number);
    else
        BRZ_PUT(&p->w, "null");
}

static void put_frame_line(profile *p, uint32_t i)
{
    put_position(p, brz_frame_at(p->tree, i)->line);
}

static void put_frame_column(profile *p, uint32_t i)
{
    put_position(p, brz_frame_at(p->tree, i)->column);
}

static void put_frame_address(profile *p, uint32_t i)
{
    uint64_t address = brz_frame_at(p->tree, i)->address;
    if (address > 0)
        brz_put_u64(&p->w, address);
    else
        BRZ_PUT(&p->w, "-1");
}

/* Writes 1 for inlined calls at a known address. Frames do not know how deep their calls are. */
static void put_inline_depth(profile *p, uint32_t i)
{
    const brz_frame_info *f = brz_frame_at(p->tree, i);
    brz_put_char(&p->w, (f->flags & BRZ_FRAME_INLINED) && f->address > 0 ? '1' : '0');
}

static void put_frame_table(profile *p)
{
    uint32_t n = p->functions.n > 0 ? p->tree->n_frames : 0;
    BRZ_PUT(&p->w, ",\n\"frameTable\":{");
    put_column(p, "address", n, put_frame_address);
    put_column(p, "inlineDepth", n, put_inline_depth);
    put_column(p, "category", n, put_category);
    put_constant(p, "subcategory", n, "0");
    put_column(p, "func", n, put_frame_function);
    put_constant(p, "nativeSymbol", n, "null");
    put_constant(p, "innerWindowID", n, "null");
    put_column(p, "line", n, put_frame_line);
    put_column(p, "column", n, put_frame_column);
    put_constant(p, "originalLocation", n, "null");
    put_length(p, n);
}

static void put_function_name(profile *p, uint32_t i)
{
    brz_put_u64(&p->w, p->functions.items[i].name);
}

static void put_function_resource(profile *p, uint32_t i)
{
    uint32_t module = p->functions.items[i].module;
    if (module == 0)
        BRZ_PUT(&p->w, "-1");
    else
        brz_put_u64(&p->w,
                    keys_add(&p->modules, key_of_two(p->functions.items[i].build_id, module)));
}

static void put_function_source(profile *p, uint32_t i)
{
    uint32_t file = p->functions.items[i].file;
    if (file == 0)
        BRZ_PUT(&p->w, "null");
    else
        brz_put_u64(&p->w, keys_add(&p->files, file));
}

static void put_function_line(profile *p, uint32_t i)
{
    put_position(p, p->functions.items[i].first_line);
}

static void put_function_table(profile *p)
{
    uint32_t n = p->functions.n;
    BRZ_PUT(&p->w, ",\n\"funcTable\":{");
    put_column(p, "name", n, put_function_name);
    put_constant(p, "isJS", n, "false");
    put_constant(p, "relevantForJS", n, "false");
    put_column(p, "resource", n, put_function_resource);
    put_column(p, "source", n, put_function_source);
    put_column(p, "lineNumber", n, put_function_line);
    put_constant(p, "columnNumber", n, "null");
    put_constant(p, "originalLocation", n, "null");
    put_length(p, n);
}

static void put_number(profile *p, uint32_t i)
{
    brz_put_u64(&p->w, i);
}

static void put_module_name(profile *p, uint32_t i)
{
    brz_put_u64(&p->w, key_second(p->modules.items[i]));
}

static void put_file_name(profile *p, uint32_t i)
{
    brz_put_u64(&p->w, p->files.items[i]);
}

/* Writes the resource table. A resource of type 1 is a library and has the same number as its
 * library in `libs`. */
static void put_resource_table(profile *p)
{
    uint32_t n = p->modules.n;
    BRZ_PUT(&p->w, ",\n\"resourceTable\":{");
    put_column(p, "lib", n, put_number);
    put_column(p, "name", n, put_module_name);
    put_constant(p, "host", n, "null");
    put_constant(p, "type", n, "1");
    put_length(p, n);
}

static void put_source_table(profile *p)
{
    uint32_t n = p->files.n;
    BRZ_PUT(&p->w, ",\n\"sources\":{");
    put_constant(p, "id", n, "null");
    put_column(p, "filename", n, put_file_name);
    put_constant(p, "startLine", n, "1");
    put_constant(p, "startColumn", n, "1");
    put_constant(p, "sourceMapURL", n, "null");
    put_constant(p, "content", n, "null");
    put_length(p, n);
}

static void put_text(profile *p, uint32_t i)
{
    brz_put_json(&p->w, p->functions.texts.items[i]);
}

/* Writes the tables shared by all threads. Functions come before resources and sources, since
 * writing them numbers both. */
void put_tables(profile *p)
{
    BRZ_PUT(&p->w, "\"shared\":{");
    put_column(p, "stringArray", p->functions.texts.n, put_text);
    put_stack_table(p);
    put_frame_table(p);
    put_function_table(p);
    put_resource_table(p);
    put_source_table(p);
    BRZ_PUT(&p->w, ",\n\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],"
                   "\"functionSize\":[],\"length\":0},\n"
                   "\"sourceLocationTable\":{\"source\":[],\"line\":[],\"column\":[],"
                   "\"length\":0}}");
}

/* ---- libraries ----------------------------------------------------------------------------- */

static char digit_at(brz_str hex, size_t i)
{
    char c = hex.data[i];
    if (c >= 'a' && c <= 'f')
        return "ABCDEF"[c - 'a'];
    return c;
}

/* Writes a build id as symbol servers name it: 16 bytes as a GUID, whose first parts have the byte
 * order of little-endian integers, and an age of 0. */
static void put_breakpad_id(brz_writer *w, brz_str build_id)
{
    static const uint8_t order[16] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
    if (build_id.len < 32 || !brz_all_hex(build_id.data, build_id.len))
        return;
    for (size_t i = 0; i < 16; i++) {
        brz_put_char(w, digit_at(build_id, 2 * (size_t)order[i]));
        brz_put_char(w, digit_at(build_id, 2 * (size_t)order[i] + 1));
    }
    brz_put_char(w, '0');
}

static void put_library(profile *p, brz_str name, brz_str build_id)
{
    static const char *const keys_of_name[] = {
        "{\"name\":", ",\"path\":", ",\"debugName\":", ",\"debugPath\":"};
    for (size_t k = 0; k < BRZ_COUNT_OF(keys_of_name); k++) {
        brz_put_text(&p->w, keys_of_name[k]);
        brz_put_json(&p->w, name);
    }
    BRZ_PUT(&p->w, ",\"breakpadId\":\"");
    put_breakpad_id(&p->w, build_id);
    BRZ_PUT(&p->w, "\",\"codeId\":");
    if (build_id.len > 0)
        brz_put_json(&p->w, build_id);
    else
        BRZ_PUT(&p->w, "null");
    BRZ_PUT(&p->w, ",\"arch\":null}");
}

void put_libraries(profile *p)
{
    const brz_str *items = p->functions.texts.items;
    BRZ_PUT(&p->w, ",\n\"libs\":[");
    for (uint32_t i = 0; i < p->modules.n; i++) {
        brz_put_text(&p->w, i > 0 ? ",\n" : "\n");
        put_library(p, items[key_second(p->modules.items[i])],
                    items[key_first(p->modules.items[i])]);
    }
    brz_put_char(&p->w, ']');
}

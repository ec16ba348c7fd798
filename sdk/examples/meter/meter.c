/* A collapser for messages of Protocol Buffers, whose definition is in meter.proto.
 *
 * SPDX-License-Identifier: MIT
 */
#include <brazier/binary.h>
#include <brazier/plugin.h>
#include <brazier/text/buffer.h>

#define MAX_COLUMNS 8u

/* Numbers of fields. */
enum { PROFILE_NAME = 1, PROFILE_FRAME = 2, PROFILE_COLUMN = 3, PROFILE_SAMPLE = 4 };
enum { FRAME_NAME = 1, FRAME_MODULE = 2, FRAME_LINE = 3 };
enum { COLUMN_NAME = 1, COLUMN_UNIT = 2 };
enum { SAMPLE_FRAMES = 1, SAMPLE_VALUES = 2, SAMPLE_TIME = 3, SAMPLE_THREAD = 4 };

typedef struct meter {
    brz_str *names; /* texts in the input */
    size_t n_names, names_cap;
    brz_frame_list frames; /* the profile's frames by their numbers */
    uint32_t n_columns;
    brz_frame_list stack; /* of the sample being read, as the next members */
    int64_t numbers[MAX_COLUMNS];
    brz_values values;
} meter;

/* ---- tables ---------------------------------------------------------------------------------- */

static void add_name(meter *m, brz_ctx *ctx, brz_str name)
{
    m->names = (brz_str *)brz_list_room(ctx, m->names, m->n_names, &m->names_cap, sizeof *m->names);
    m->names[m->n_names++] = name;
}

/* Returns the name of a number, which is 0 for no name. */
static brz_str name_of(const meter *m, uint64_t number)
{
    return number > 0 && number <= m->n_names ? m->names[number - 1] : BRZ_STR("");
}

static void add_frame(meter *m, brz_ctx *ctx, brz_bytes b)
{
    brz_frame_desc frame = {.struct_size = sizeof frame};
    brz_proto_field f;
    while (brz_proto_next(&b, &f))
        if (f.number == FRAME_NAME)
            frame.name = name_of(m, f.value);
        else if (f.number == FRAME_MODULE)
            frame.module = name_of(m, f.value);
        else if (f.number == FRAME_LINE && f.value <= UINT32_MAX)
            frame.line = (uint32_t)f.value;
    brz_bytes_warn(ctx, &b, "meter.frame"); /* it keeps its number */
    if (frame.name.len == 0)
        frame.name = BRZ_STR("[unknown]");
    brz_frame_list_push(&m->frames, ctx, ctx->host->frame(ctx, &frame));
}

static void add_column(meter *m, brz_ctx *ctx, brz_bytes b)
{
    brz_column_desc column = {.struct_size = sizeof column};
    brz_proto_field f;
    while (brz_proto_next(&b, &f))
        if (f.number == COLUMN_NAME)
            column.name = brz_proto_text(&f);
        else if (f.number == COLUMN_UNIT)
            column.unit = brz_proto_text(&f);
    brz_bytes_warn(ctx, &b, "meter.column");
    if (m->n_columns < MAX_COLUMNS && ctx->host->column(ctx, &column) == m->n_columns)
        m->n_columns++;
}

/* Reads all that samples refer to: names first, since frames may precede them. */
static void read_tables(meter *m, brz_ctx *ctx, brz_bytes b)
{
    brz_bytes again = b;
    brz_proto_field f;
    while (brz_proto_next(&b, &f))
        if (f.number == PROFILE_NAME)
            add_name(m, ctx, brz_proto_text(&f));
    while (brz_proto_next(&again, &f))
        if (f.number == PROFILE_FRAME)
            add_frame(m, ctx, f.part);
        else if (f.number == PROFILE_COLUMN)
            add_column(m, ctx, f.part);
}

/* ---- samples --------------------------------------------------------------------------------- */

static bool read_stack(meter *m, brz_ctx *ctx, brz_proto_field *f)
{
    uint32_t taken = 0;
    uint64_t number;
    while (brz_proto_next_number(f, BRZ_PROTO_VARINT, &taken, &number)) {
        if (number == 0 || number > m->frames.n)
            return false;
        brz_frame_list_push(&m->stack, ctx, m->frames.ids[number - 1]);
    }
    return f->part.error == NULL;
}

static bool read_values(meter *m, brz_proto_field *f)
{
    uint32_t taken = 0;
    uint64_t number;
    for (; brz_proto_next_number(f, BRZ_PROTO_FIXED64, &taken, &number); m->values.n_values++)
        if (m->values.n_values < m->n_columns)
            m->numbers[m->values.n_values] = (int64_t)number;
    return f->part.error == NULL && m->values.n_values <= m->n_columns;
}

static void set_thread(meter *m, brz_ctx *ctx, uint64_t thread)
{
    brz_tag_desc tag = brz_tag_of_thread((int64_t)thread, BRZ_STR(""));
    if (ctx->flags & BRZ_CTX_WANTS_TAGS)
        m->values.tag = ctx->host->tag(ctx, &tag);
}

/* Reads a sample. Returns false if it is damaged. */
static bool read_sample(meter *m, brz_ctx *ctx, brz_bytes b)
{
    brz_proto_field f;
    bool is_whole = true;
    m->stack.n = 0;
    m->values = (brz_values){.struct_size = sizeof m->values, .values = m->numbers};
    while (is_whole && brz_proto_next(&b, &f))
        if (f.number == SAMPLE_FRAMES)
            is_whole = read_stack(m, ctx, &f);
        else if (f.number == SAMPLE_VALUES)
            is_whole = read_values(m, &f);
        else if (f.number == SAMPLE_THREAD)
            set_thread(m, ctx, f.value);
        else if (f.number == SAMPLE_TIME) {
            m->values.time = (int64_t)f.value;
            m->values.flags = BRZ_TIMED;
        }
    return is_whole && b.error == NULL && m->stack.n > 0;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    meter *m = (meter *)ctx->inst;
    brz_bytes b = brz_bytes_of(chunk->data, chunk->len);
    brz_proto_field f;
    brz_rc rc = BRZ_OK;
    *used = chunk->len;
    read_tables(m, ctx, b);
    while (rc == BRZ_OK && brz_proto_next(&b, &f))
        if (f.number == PROFILE_SAMPLE && read_sample(m, ctx, f.part))
            rc = ctx->host->sample(ctx, m->stack.ids, m->stack.n, BRZ_LEAF_FIRST, &m->values);
        else if (f.number == PROFILE_SAMPLE)
            brz_report_lost(ctx, "meter.sample", f.part.at, 0, BRZ_STR("damaged: left out"));
    brz_bytes_warn(ctx, &b, "meter.profile");
    return rc;
}

/* ---- descriptors ----------------------------------------------------------------------------- */

static const brz_magic magics[] = {{.len = 5, .bytes = "\x7dMETR", .score = BRZ_SNIFF_MAGIC}};

static const brz_collapser collapser = {
    .struct_size = sizeof collapser,
    .flags = BRZ_BINARY | BRZ_WHOLE_INPUT,
    .inst_size = sizeof(meter),
    .magics = magics,
    .n_magics = BRZ_COUNT_OF(magics),
    .magic_size = sizeof(brz_magic),
    .parse = parse,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_COLLAPSER,
    .id = "meter",
    .summary = "profiles of meter, messages of Protocol Buffers",
    .vtable = &collapser,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("meter", "1.0", "MIT", "https://example.org/brazier-meter/issues", components)

/* SPDX-License-Identifier: MIT */
/* Collapses the heap profiles of Valgrind's DHAT, and of the Rust crate dhat:
 *
 *     profile := {"dhatFileVersion": 2, ..., "bklt": bool, "bkacc": bool, "bu": unit,
 *                 "pps": [{"tb": n, "tbk": n, ..., "fs": [index*]}*], "ftbl": [text*]}
 *
 * A program point has the frames of a stack, from leaf to root, as indices of the table of frames.
 * Its numbers are columns: bytes and blocks in total, at the peak of the heap, at the end, at most
 * at a time; bytes read and written. Some are only there if a flag says so.
 */
#include "../common/dump/valgrind_frame.h"
#include "../common/json/members.h"
#include "../common/json/text.h"

#include <brazier/text/integer.h>

enum { PPS, FTBL, BKLT, BKACC, UNIT, COMMAND, N_MEMBERS };

static const char *const member_keys[N_MEMBERS] = {"pps", "ftbl", "bklt", "bkacc", "bu", "cmd"};

/* A number of a program point. */
typedef struct measure {
    const char *name;
    int32_t flag; /* the member that must be true, or -1 */
    bool blocks;  /* counts blocks, not bytes */
} measure;

static const measure measures[] = {
    {"total_bytes", -1, false},      {"total_blocks", -1, true}, {"peak_bytes", BKLT, false},
    {"peak_blocks", BKLT, true},     {"end_bytes", BKLT, false}, {"end_blocks", BKLT, true},
    {"max_bytes", BKLT, false},      {"max_blocks", BKLT, true}, {"read_bytes", BKACC, false},
    {"written_bytes", BKACC, false},
};

enum { N_MEASURES = BRZ_COUNT_OF(measures), STACK = N_MEASURES, N_KEYS };

/* The keys of the measures, and of the stack. */
static const char *const point_keys[N_KEYS] = {"tb", "tbk", "gb", "gbk", "eb", "ebk",
                                               "mb", "mbk", "rb", "wb",  "fs"};

typedef struct dhat {
    dump dump;
    brz_json_token members[N_MEMBERS];
    brz_frame_list frames;
    uint32_t weights[N_MEASURES];
    bool has[N_MEASURES];
} dhat;

/* ---- the document ---------------------------------------------------------------------------- */

static void state_metadata(const dhat *d)
{
    brz_ctx *ctx = d->dump.ctx;
    brz_metadata m = {.struct_size = sizeof m, .pair_size = sizeof(brz_pair)};
    m.producer = BRZ_STR("DHAT");
    m.command = json_text(ctx, &d->members[COMMAND]);
    ctx->host->metadata(ctx, &m);
}

static void declare_weights(dhat *d)
{
    brz_str unit = json_text(d->dump.ctx, &d->members[UNIT]);
    if (unit.len == 0 || brz_str_is(unit, "byte"))
        unit = BRZ_STR("bytes");
    for (size_t i = 0; i < N_MEASURES; i++) {
        const measure *m = &measures[i];
        d->has[i] = m->flag < 0 || d->members[m->flag].kind == BRZ_JSON_TRUE;
        if (d->has[i])
            d->weights[i] = dump_declare(d->dump.ctx, brz_str_of_text(m->name),
                                         m->blocks ? BRZ_STR("blocks") : unit);
    }
}

static void read_frames(dhat *d)
{
    brz_ctx *ctx = d->dump.ctx;
    brz_text text = {0};
    cursor c;
    if (!members_open(&c, ctx, &d->members[FTBL], BRZ_JSON_ARRAY))
        return;
    while (cursor_element(&c)) {
        brz_frame_desc f = {0};
        brz_str frame = json_text_into(&text, ctx, &c.token);
        d->dump.text.len = 0;
        if (!valgrind_frame_describe(&d->dump, frame, &f))
            f.name = frame;
        cursor_skip(&c);
        brz_frame_list_push(&d->frames, ctx, dump_frame(&d->dump, &f));
    }
}

/* ---- program points -------------------------------------------------------------------------- */

/* Reads the numbers of a program point. Returns false if one of them is not a number. */
static bool read_values(const dhat *d, const brz_json_token *tokens, int64_t *values)
{
    for (size_t i = 0; i < N_MEASURES; i++) {
        values[i] = 0;
        if (d->has[i] && (!members_integer(d->dump.ctx, &tokens[i], &values[i]) || values[i] < 0))
            return false;
    }
    return true;
}

/* Counts a program point, which begins at `place`. */
static brz_rc count_point(dhat *d, const brz_json_token *tokens, brz_str place)
{
    int64_t values[N_MEASURES];
    brz_rc rc = BRZ_OK;
    brz_path *path = d->dump.stacks.path;
    brz_path_cut(path, 0);
    if (!read_values(d, tokens, values) ||
        !members_push_frames(d->dump.ctx, &tokens[STACK], &d->frames, path)) {
        brz_report_lost(d->dump.ctx, "dhat.point", place.data, place.len,
                        BRZ_STR("a program point without all numbers or frames: left out"));
        return BRZ_OK;
    }
    brz_stacks_begin_sample(&d->dump.stacks);
    for (size_t i = 0; i < N_MEASURES && rc == BRZ_OK; i++)
        if (values[i] != 0)
            rc = brz_stacks_count(&d->dump.stacks, d->dump.ctx, d->weights[i], values[i]);
    brz_stacks_end_sample(&d->dump.stacks);
    return rc;
}

static brz_rc count_points(dhat *d)
{
    brz_rc rc = BRZ_OK;
    cursor c;
    if (!members_open(&c, d->dump.ctx, &d->members[PPS], BRZ_JSON_ARRAY))
        return BRZ_OK;
    while (rc == BRZ_OK && cursor_element(&c)) {
        brz_json_token tokens[N_KEYS] = {{0}};
        brz_str place = c.token.text;
        members_enter(&c, point_keys, N_KEYS, tokens);
        if (c.cut || c.failed)
            break;
        rc = count_point(d, tokens, place);
    }
    return rc;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    static const char *const codes[] = {"dhat.json", "dhat.cut-off"};
    dhat *d = ctx->inst;
    *used = chunk->len;
    members_of_input(ctx, chunk, codes, member_keys, N_MEMBERS, d->members);
    state_metadata(d);
    declare_weights(d);
    read_frames(d);
    return count_points(d);
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    static const char *const paths[] = {"dhatFileVersion", NULL};
    return cursor_paths(head, paths) != 0 ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

static const char *const globs[] = {"dhat.out.*", "dhat-heap.json", NULL};

SHIPPED_READER(dhat, .flags = BRZ_WHOLE_INPUT, .open = dump_open, .finish = dump_finish,
               .globs = globs)

BRZ_HINTS(BRZ_IF_NAME("dhat.out.*") BRZ_IF_NAME("dhat-heap.json") BRZ_IF_CONTAINS("dhatFileVersion")
              BRZ_IF_CONTAINS("\\u00"))

SHIPPED_COLLAPSER("dhat", .summary = "heap profiles of Valgrind's DHAT and of Rust's dhat",
                  .help = "Record with `valgrind --tool=dhat PROGRAM`, which writes dhat.out.PID. "
                          "Bytes and blocks are weights: see --weight.")

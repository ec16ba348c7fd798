/* Collapses profiles of pprof: messages of Protocol Buffers, plain or compressed.
 *
 * tables.c divides the profile into its tables, ids.c finds entries of these, frames.c makes frames
 * of locations, samples.c counts, labels.c makes tags, metadata.c states facts, sniff.c recognises.
 * legacy_text.c, legacy_java.c and legacy_binary.c read the profiles of older programs. */
#include <brazier/plugin.h>

#include <brazier/text.h>

#include "legacy.h"
#include "../../common/shipped.h"
#include "metadata.h"
#include "samples.h"
#include "sniff.h"

typedef struct options {
    bool addrs;
} options;

typedef struct pprof {
    tables tables;
    frames frames;
    samples samples;
    legacy legacy;
} pprof;

typedef brz_rc read_legacy(legacy *l, brz_str text);

/* Returns the reader for a profile of an older program, or NULL for a message. */
static read_legacy *legacy_reader(brz_str text)
{
    if (legacy_binary_sniff(text) > BRZ_SNIFF_NO)
        return legacy_binary_read;
    if (legacy_java_sniff(text) > BRZ_SNIFF_NO)
        return legacy_java_read;
    return legacy_text_sniff(text) > BRZ_SNIFF_NO ? legacy_text_read : NULL;
}

/* Returns whether a line begins a profile. Those of samples begin with digits or blanks. */
static bool is_title(brz_str line)
{
    bool may_be = line.len > 0 && (line.data[0] == '-' || line.data[0] >= 'A');
    return may_be && (legacy_text_begins(line) || legacy_java_begins(line));
}

/* Takes a profile from the front of a text: up to the next line that begins one. */
static brz_str take_profile(brz_str *text)
{
    brz_str whole = *text, line, rest = whole;
    bool any = false;
    while (brz_take_line(&rest, &line)) {
        if (any && is_title(line))
            break;
        any = any || brz_trim(line).len > 0;
        *text = rest;
    }
    return brz_str_of(whole.data, whole.len - text->len);
}

/* Reads a profile in text form. One with a damaged title, which no reader recognises, costs no
 * other one. */
static brz_rc read_text_profile(legacy *l, brz_str text)
{
    read_legacy *reader = legacy_reader(text);
    brz_str rest = text, title = BRZ_STR("");
    if (reader != NULL)
        return reader(l, text);
    brz_take_line(&rest, &title);
    brz_report_lost(l->ctx, "pprof.profile", title.data, title.len,
                    BRZ_STR("a profile of an unknown form begins here: its samples are left out"));
    return BRZ_OK;
}

/* Reads the profiles of older programs. Those in text form may be appended to each other. */
static brz_rc read_profiles(legacy *l, brz_str text)
{
    brz_rc rc = BRZ_OK;
    if (legacy_binary_sniff(text) > BRZ_SNIFF_NO)
        return legacy_binary_read(l, text);
    for (; rc == BRZ_OK && brz_trim(text).len > 0; legacy_restart(l)) {
        rc = read_text_profile(l, take_profile(&text));
    }
    return rc;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    pprof *p = ctx->inst;
    const options *o = ctx->cfg;
    brz_str text = brz_str_of((const char *)chunk->data, chunk->len);
    *used = chunk->len;
    if (legacy_reader(text) != NULL) {
        legacy_init(&p->legacy, ctx, o->addrs);
        return read_profiles(&p->legacy, text);
    }
    if (!tables_read(&p->tables, ctx, chunk->data, chunk->len))
        return BRZ_ERROR;
    metadata_state(&p->tables);
    if (!frames_init(&p->frames, ctx, &p->tables, chunk->len, o->addrs))
        return BRZ_ERROR;
    samples_init(&p->samples, ctx, &p->tables, &p->frames);
    return samples_read(&p->samples);
}

static int32_t sniff(const brz_head *head)
{
    brz_str text = brz_str_of((const char *)head->data, head->len);
    return legacy_reader(text) != NULL ? BRZ_SNIFF_HEADER : pprof_sniff(head);
}

static const char *const globs[] = {"*.pprof", "*.pb.gz", "*.pb", NULL};

static const brz_option option_table[] = {
    BRZ_OPTION(options, "addrs", BOOL, addrs, "false",
               "name unresolved frames by their address, not by their module"),
};

SHIPPED_BINARY_READER(pprof, .sniff = sniff)

SHIPPED_COLLAPSER(
    "pprof", .summary = "profiles of pprof: of Go programs and of most continuous profilers",
    .help = "Each sample type is a weight of its own: see -w. Record with `curl -o FILE "
            "http://HOST/debug/pprof/profile?seconds=10`, for example.",
    BRZ_OPTIONS(option_table, options))

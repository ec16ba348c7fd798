/* Reads the description of a recording. */
#include "metadata.h"

#include <brazier/symbol.h>
#include <brazier/text/integer.h>
#include <brazier/text/trim.h>

/* ---- values --------------------------------------------------------------------------------- */

/* Returns the text after a key and its colon, or an empty text. */
static brz_str behind(brz_str text, brz_str key)
{
    size_t at = brz_str_find(text, key, 0);
    if (at >= text.len)
        return brz_str_of(NULL, 0);
    at += key.len;
    brz_str rest = brz_trim_start(brz_str_of(text.data + at, text.len - at));
    if (rest.len == 0 || rest.data[0] != ':')
        return brz_str_of(NULL, 0);
    return brz_trim_start(brz_str_of(rest.data + 1, rest.len - 1));
}

static bool number_behind(brz_str text, brz_str key, int64_t *number)
{
    brz_str rest = behind(text, key);
    uint64_t n;
    if (!brz_take_u64(&rest, &n) || n > INT64_MAX)
        return false;
    *number = (int64_t)n;
    return true;
}

/* Appends the character that an escape stands for. */
static void append_escaped(brz_text *to, brz_ctx *ctx, char c)
{
    char means = (char)(c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c);
    if (c == 'u' || c == 'x') /* rare: stays as it is */
        brz_text_append(to, ctx, BRZ_STR("\\"));
    brz_text_append(to, ctx, brz_str_of(&means, 1));
}

/* Decodes a text in quotes. Sets *rest to what follows it. */
static brz_str decode_quoted(brz_str text, brz_ctx *ctx, brz_str *rest)
{
    brz_text to = {0};
    size_t i = 1;
    *rest = text;
    if (text.len == 0 || text.data[0] != '"')
        return brz_str_of(NULL, 0);
    for (; i < text.len && text.data[i] != '"'; i++) {
        if (text.data[i] == '\\' && i + 1 < text.len)
            append_escaped(&to, ctx, text.data[++i]);
        else
            brz_text_append(&to, ctx, brz_str_of(&text.data[i], 1));
    }
    *rest = brz_str_of(text.data + i, text.len - i);
    return brz_text_str(&to);
}

/* ---- the recording -------------------------------------------------------------------------- */

/* Returns the name of the crate that a command compiles, or "rustc". */
static brz_str crate_of(brz_str command)
{
    static const char option[] = "--crate-name ";
    size_t at = brz_str_find(command, BRZ_STR("--crate-name "), 0) + sizeof option - 1, end = at;
    while (end < command.len && command.data[end] != ' ')
        end++;
    return end > at ? brz_str_of(command.data + at, end - at) : BRZ_STR("rustc");
}

static void state(const metadata *m, brz_ctx *ctx)
{
    brz_pair pair = {BRZ_STR("counter"), m->counter};
    brz_metadata d = {.struct_size = sizeof d, .pair_size = sizeof pair, .pairs = &pair};
    d.n_pairs = m->counter.len > 0;
    d.start = m->start;
    d.producer = BRZ_STR("rustc -Z self-profile");
    d.command = m->command;
    ctx->host->metadata(ctx, &d);
}

bool metadata_read(metadata *m, brz_ctx *ctx, texts *t)
{
    brz_text text = {0};
    uint64_t unknown = t->unknown;
    if (!texts_get(t, METADATA_ID, false, &text))
        return false;
    if (t->unknown > unknown)
        BRZ_WARN(ctx, "measureme.metadata", NULL, 0,
                 "the description of the recording is missing: values are taken for nanoseconds");
    t->unknown = unknown;
    brz_str all = brz_text_str(&text), rest;
    m->process.has_id = number_behind(all, BRZ_STR("\"process_id\""), &m->process.id);
    if (!number_behind(all, BRZ_STR("\"start_time\""), &m->start))
        m->start = 0;
    m->command = decode_quoted(behind(all, BRZ_STR("\"cmd\"")), ctx, &rest);
    rest = behind(m->command.data != NULL ? rest : all, BRZ_STR("\"counter\""));
    m->counter = decode_quoted(behind(rest, BRZ_STR("\"name\"")), ctx, &rest);
    m->process.timed = m->counter.len == 0 || brz_str_equal(m->counter, BRZ_STR("wall-time"));
    m->process.name = crate_of(m->command);
    state(m, ctx);
    return true;
}

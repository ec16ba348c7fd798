/* SPDX-License-Identifier: MIT */
/* Reads a file of text as a whole, decoded. */
#include "text_file.h"

#include "collapse/condition.h"

/* Number of bytes that show whether a file is binary. */
#define BEGINNING ((size_t)64 << 10)

static bool fail(brz_session *s, const cli_text_file *f, const char *why)
{
    brz_say(&s->console, BRZ_FATAL, "%s: %s", f->source->name, why);
    return false;
}

/* Returns false after reporting an error if the text is not complete, empty or binary. */
static bool check(brz_session *s, const cli_text_file *f)
{
    const brz_stream *stream = f->source->stream;
    brz_str beginning = brz_str_of(f->text.data, f->text.len < BEGINNING ? f->text.len : BEGINNING);
    if (stream->state == BRZ_STREAM_FAILED || stream->state == BRZ_STREAM_DAMAGED)
        return fail(s, f, brz_buf_text(&stream->error));
    if (f->text.len == 0)
        return fail(s, f, "the input is empty");
    return !brz_is_binary(beginning) ||
           fail(s, f, "is binary; formats in YAML are formats of text");
}

bool cli_text_file_read(brz_session *s, const char *path, size_t most, cli_text_file *f)
{
    brz_buf error = {0};
    *f = (cli_text_file){.source = brz_source_open(path, BRZ_DECODE_TEXT, &error)};
    if (f->source == NULL)
        brz_say(&s->console, BRZ_FATAL, "%s", brz_buf_text(&error));
    brz_buf_finish(&error);
    if (f->source == NULL)
        return false;
    brz_feed_init(&f->feed, f->source);
    brz_feed_fill(&f->feed, most);
    size_t n = brz_feed_len(&f->feed);
    f->is_cut = !f->feed.ended;
    f->text = brz_str_of((const char *)brz_feed_data(&f->feed), n < most ? n : most);
    return check(s, f);
}

void cli_text_file_finish(cli_text_file *f)
{
    if (f->source == NULL)
        return;
    brz_feed_finish(&f->feed);
    brz_source_close(f->source);
}

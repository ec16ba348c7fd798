/* SPDX-License-Identifier: MIT */
/* Opens and collapses inputs, as both readers do. */
#include "isolate/input_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/beneath.h"
#include "collapse/mismatch.h"
#include "input/progress.h"

/* ---- opening ------------------------------------------------------------------------------- */

/* Opens a file at its location. Returns false and appends the reason to `error` if that fails. */
static bool find_file(const brz_input *i, brz_found *found, brz_buf *error)
{
    brz_refusal why;
    if (i->inside.folder == NULL)
        return brz_source_find(i->name, found, error);
    int fd = brz_beneath_open_file(i->inside.folder, i->inside.path, &why);
    if (fd >= 0)
        brz_source_found(i->name, fd, found);
    else
        brz_buf_printf(error, "cannot open '%s': %s%s", i->name,
                       why == BRZ_REFUSED_ABSENT ? "" : "it ", brz_refusal_text(why));
    return fd >= 0;
}

/* Finds the file of a descriptor, from its beginning. Returns false and appends the reason to
 * `error` if that fails. */
static bool find_descriptor(const brz_input *i, brz_found *found, brz_buf *error)
{
    int fd = fcntl(i->fd, F_DUPFD_CLOEXEC, 0);
    if (fd >= 0 && (lseek(fd, 0, SEEK_SET) == 0 || errno == ESPIPE)) {
        brz_source_found(i->name, fd, found);
        return true;
    }
    brz_buf_printf(error, "cannot open '%s': %s", i->name, strerror(errno));
    if (fd >= 0)
        close(fd);
    return false;
}

/* Opens an input that is a file. */
static bool find(const brz_input *i, brz_found *found, brz_buf *error)
{
    if (i->kind == BRZ_INPUT_DESCRIPTOR)
        return find_descriptor(i, found, error);
    return i->kind != BRZ_INPUT_FILE || find_file(i, found, error);
}

bool brz_reading_find(const brz_reading *r, brz_found *found)
{
    brz_buf error = {0};
    *found = (brz_found){.name = r->input->name, .fd = -1};
    bool good = find(r->input, found, &error);
    if (!good)
        brz_say_code(r->run->console, BRZ_FATAL, BRZ_SAYS_OPEN, "%s", brz_buf_text(&error));
    brz_buf_finish(&error);
    return good;
}

static brz_decoding decoding_of(const brz_loaded *l)
{
    return brz_decoding_of(((const brz_collapser *)l->vtable)->flags);
}

brz_source *brz_reading_open(const brz_reading *r, const brz_found *found)
{
    const brz_input *i = r->input;
    brz_decoding decoding = r->named == NULL ? BRZ_DECODE_UNKNOWN : decoding_of(r->named->loaded);
    if (i->kind == BRZ_INPUT_MEMORY)
        return brz_source_of_stream(i->name, brz_stream_of_memory(i->data, i->len), i->len,
                                    decoding);
    if (i->kind == BRZ_INPUT_FUNCTION) {
        brz_stream *stream = brz_stream_of_function(i->read, i->context);
        stream->is_live = i->is_live;
        return brz_source_of_stream(i->name, stream, 0, decoding);
    }
    brz_source *s = brz_source_read(found, decoding);
    s->no_map = r->no_map;
    return s;
}

const char *brz_reading_name(const brz_reading *r)
{
    bool is_stdin = r->input->kind == BRZ_INPUT_FILE && strcmp(r->input->name, "-") == 0;
    return is_stdin ? "stdin" : r->input->name;
}

brz_related_found brz_reading_find_related(const brz_reading *r, const brz_related_rules *rules,
                                           brz_str name, uint32_t flags)
{
    brz_related_found found = brz_related_find(rules, name, flags);
    if (found.status == BRZ_RELATED_REFUSED || !(flags & BRZ_RELATED_AGAIN))
        brz_related_say(r->run->console, brz_reading_name(r), name, &found);
    return found;
}

/* ---- collapsing ---------------------------------------------------------------------------- */

/* Reports an error if the only input is empty; several inputs may include empty ones. */
static bool check_not_empty(const brz_reading *r, brz_feed *feed, brz_console *console)
{
    bool is_empty = r->is_only && brz_guess_head(feed).len == 0 && brz_feed_is_complete(feed);
    if (is_empty)
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_EMPTY, "%s: the input is empty",
                     feed->source->name);
    return !is_empty;
}

/* Checks the format of an input that was named, with brz_check_format(). If an empty output is
 * allowed, an input in another format is parsed nevertheless and only recorded: it matters if there
 * are no samples. */
static bool check_format(const brz_reading *r, brz_expected_format *expected, brz_feed *feed,
                         brz_console *console, brz_collected *collected)
{
    if (r->allow_empty)
        collected->is_foreign |= brz_is_foreign(r->named->loaded, feed);
    else if (!check_not_empty(r, feed, console))
        return false;
    return brz_check_format(expected, feed, console);
}

static size_t count_stacks(const brz_collected *c)
{
    return c->profile == NULL ? 0 : c->profile->n_stacks;
}

/* Collapses an input in the format that was named. Reports an error if it contains stacks although
 * another collapser recognises it; an input without stacks is reported later. */
static bool collapse_expected(const brz_reading *r, brz_expected_format *expected,
                              const brz_collapse_options *options, brz_feed *feed, brz_run *run,
                              brz_collected *into)
{
    if (!check_format(r, expected, feed, run->console, into))
        return false;
    const brz_loaded *surer = brz_find_surer(expected, feed);
    if (expected->lacks_others)
        return false;
    size_t before = count_stacks(into);
    brz_head head;
    uint8_t *memory = brz_keep_head(feed, &head);
    bool good = brz_collapse(feed, r->named->loaded, r->named->options->cfg, run, options, into);
    if (good && r->is_only && count_stacks(into) == 0)
        into->looks_like = brz_find_format(expected, &head, feed);
    free(memory);
    if (!good)
        return false;
    if (surer == NULL || count_stacks(into) == before)
        return true;
    brz_say_surer(expected, surer, feed->source->name, run->console);
    return false;
}

static bool collapse_named(const brz_reading *r, const brz_collapse_options *options,
                           brz_feed *feed, brz_run *run, brz_others others, brz_collected *into)
{
    brz_expected_format expected = {.registry = r->registry,
                                    .collapser = r->named->loaded,
                                    .is_chosen = !r->is_default || r->allow_empty,
                                    .others = others};
    bool good = collapse_expected(r, &expected, options, feed, run, into);
    into->lacks_others = expected.lacks_others;
    return good;
}

/* Collapses an input whose format was guessed, decoded as the collapser demands. */
static bool collapse_guessed(const brz_use *use, const brz_collapse_options *options,
                             brz_feed *feed, brz_run *run, brz_collected *into)
{
    if (brz_source_settle(feed->source, decoding_of(use->loaded)))
        brz_feed_restart(feed);
    return brz_collapse(feed, use->loaded, use->options->cfg, run, options, into);
}

bool brz_reading_collapse(const brz_reading *r, const brz_use *use, brz_feed *feed, brz_run *run,
                          brz_related *related, brz_others others, brz_collected *into)
{
    brz_collapse_options options = r->options;
    options.related = related;
    bool good = r->named != NULL ? collapse_named(r, &options, feed, run, others, into)
                                 : collapse_guessed(use, &options, feed, run, into);
    if (good || !into->lacks_others) /* otherwise it will be read again */
        brz_progress_tick(r->options.progress, feed->source);
    return good;
}

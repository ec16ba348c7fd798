/* SPDX-License-Identifier: MIT */
/* Parses event lines that only the stack after them identifies: options of perf left out the event,
 * and the time as well (`-F comm,ip,sym`).
 *
 *     line := comm [ids [cpu] [mode | period]] | comm [cpu] label | …
 */
#include "event_line.h"
#include "event_words.h"
#include "../../common/names/frame_line.h"

#include <brazier/symbol.h>
#include <brazier/text/find.h>
#include <brazier/text/trim.h>

#include <string.h>

/* Removes a period from the end, which follows "pid/tid" or has the columns of one. `line` begins
 * with the blanks in front of `comm`. */
static brz_str take_last_period(brz_str line, brz_str comm, event_line *out)
{
    size_t at = word_last(comm);
    brz_str before = brz_trim_end(brz_str_of(comm.data, at)), period = brz_str_from(comm, at);
    brz_str ids = brz_str_from(before, word_last(before));
    const char *from = before.len > 0 ? before.data + before.len : line.data;
    bool has_columns = word_has_period_columns(from, period);
    bool is_after_ids = brz_rfind(ids, '/') != NULL && word_parse_ids(ids, out);
    if (!word_is_digits(period) || (!has_columns && !is_after_ids))
        return comm;
    out->has_period = true;
    out->period = word_period(period);
    return before;
}

static bool begins_with_letter(brz_str s)
{
    return s.len > 0 && word_is_letter(s.data[0]);
}

/* Removes ids, and a cpu, mode or period after them, from the end of the process name. */
static bool take_last_ids(brz_str line, event_line *out)
{
    brz_str comm = out->comm = words_without_cpu(take_last_period(line, out->comm, out));
    size_t at = word_last(comm);
    if (at > 0 && word_is_mode(brz_str_from(comm, at))) {
        comm = brz_trim_end(brz_str_of(comm.data, at));
        at = word_last(comm);
    }
    if (comm.len > 0 && !word_parse_ids(brz_str_from(comm, at), out))
        return false;
    out->comm = brz_trim_end(brz_str_of(comm.data, at));
    return true;
}

/* Removes an event without payload from the end of the process name. */
static bool take_last_event(event_line *out)
{
    brz_str comm = out->comm;
    size_t at = word_last(comm);
    brz_str label = brz_str_from(comm, at);
    if (!word_is_event(label) || word_is_time(label))
        return false;
    event_line_set(label, brz_str_of(comm.data, 0), out);
    out->comm = words_without_cpu(brz_str_of(comm.data, at));
    return true;
}

/* Returns whether a word is a tracepoint, which has a colon between its two names as well. */
static bool is_tracepoint(brz_str w)
{
    const char *colon = w.len > 2 ? memchr(w.data + 1, ':', w.len - 2) : NULL;
    return colon != NULL && colon[1] != ':' && word_is_event(w) && !word_is_time(w);
}

/* Parses a line that begins with an event and a payload instead of a process name. */
static bool take_first_event(brz_str line, event_line *out)
{
    brz_str rest = line, label = word_next(&rest);
    if (!is_tracepoint(label))
        return false;
    event_line_set(label, rest, out);
    out->comm = brz_str_of(line.data, 0);
    return true;
}

/* A space, and the 16 columns in which perf prints an address. */
#define ADDRESS_COLUMNS 17

bool event_line_parse_flat(brz_str line, event_line *out)
{
    brz_str rest = line, w;
    frame_line frame;
    const char *end = line.data;
    while ((w = word_next(&rest)).len > 0 && end - line.data <= LONGEST_COMM) {
        size_t columns = (size_t)(w.data + w.len - end), head = (size_t)(end - line.data);
        end = w.data + w.len;
        if (columns < ADDRESS_COLUMNS || (head == 0 && columns > ADDRESS_COLUMNS))
            continue;
        if (head > 0 && end[-ADDRESS_COLUMNS] == '\t') /* a line of a stack, joined with another */
            return false;
        brz_str stack = brz_str_from(line, (size_t)(w.data - line.data));
        if (!brz_all_hex(w.data, w.len) || !frame_line_parse_in_line(stack, &frame))
            continue;
        event_line_guess(brz_str_of(line.data, head), out);
        out->comm = out->comm.len > 0 ? out->comm : BRZ_STR("[unknown]");
        out->rest = stack;
        return true;
    }
    return false;
}

void event_line_guess(brz_str line, event_line *out)
{
    memset(out, 0, sizeof *out);
    out->period = 1;
    out->comm = brz_trim(line);
    brz_str rest = line, label = brz_str_of(line.data, 0);
    if (take_first_event(line, out) || take_last_ids(line, out) || take_last_event(out) ||
        out->has_period)
        return;
    if (line.len > 0 && !word_is_gap(line.data[0]))
        word_next(&rest);
    for (brz_str w; (w = word_next(&rest)).len > 0;) {
        brz_str before = brz_str_of(line.data, (size_t)(w.data - line.data));
        if (!begins_with_letter(brz_trim_start(rest)) && word_parse_ids(w, out)) {
            out->comm = brz_trim(before);
            break;
        }
        if (word_is_event(w) && brz_trim(before).len > 0) {
            out->comm = words_without_cpu(before);
            label = word_is_time(w) ? label : w;
            break;
        }
    }
    if (label.len > 0)
        event_line_set(label, rest, out);
}

bool event_line_is_numbers(brz_str line)
{
    event_line e;
    event_line_guess(line, &e);
    return e.comm.len == 0 && e.tid.len > 0;
}

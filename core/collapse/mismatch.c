/* Inputs that are not in the format that they are to be read as. */
#include "collapse/mismatch.h"

#include <sys/stat.h>

#include "collapse/file_kind.h"

/* False, said so, if another collapser is sure of the input. */
static bool check_others(const brz_expected_format *e, brz_feed *feed, brz_console *console)
{
    brz_guess g =
        e->are_loaded ? brz_guess_loaded(e->registry, feed) : brz_guess_format(e->registry, feed);
    bool good = g.winner == NULL || g.winner == e->collapser;
    if (!good)
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_FORMAT,
                     "%s: looks like %s, not like %s; add --from %s, or use brazier run, which "
                     "guesses the format",
                     feed->source->name, g.winner->component->id, e->collapser->component->id,
                     g.winner->component->id);
    brz_guess_finish(&g);
    return good;
}

static bool say_binary(const brz_feed *feed, const brz_head *head, brz_console *console)
{
    brz_buf what = {0};
    brz_file_kind_add(brz_str_of((const char *)head->data, head->len), &what);
    brz_say_code(console, BRZ_FATAL, BRZ_SAYS_FORMAT, "%s: %s", feed->source->name,
                 brz_buf_text(&what));
    brz_buf_finish(&what);
    return false;
}

bool brz_check_format(const brz_expected_format *e, brz_feed *feed, brz_console *console)
{
    if (((const brz_collapser *)e->collapser->vtable)->flags & BRZ_RAW)
        return true;
    brz_head head = brz_guess_head(feed);
    bool is_binary = brz_is_binary(brz_str_of((const char *)head.data, head.len));
    if (e->is_chosen && !is_binary)
        return true;
    int32_t score = brz_guess_score(e->collapser, &head, feed->source->name);
    if (score >= BRZ_GUESS_LEAST)
        return true;
    if (is_binary && (score == 0 || !e->is_chosen))
        return say_binary(feed, &head, console);
    return e->is_chosen || check_others(e, feed, console);
}

/* True if the head has nothing but blank lines and comments. */
static bool is_blank(const brz_head *head)
{
    bool in_comment = false, at_start = true;
    for (size_t i = 0; i < head->len; i++) {
        uint8_t c = head->data[i];
        in_comment = c != '\n' && (in_comment || (at_start && c == '#'));
        at_start = c == '\n' || (at_start && (c == ' ' || c == '\t' || c == '\r'));
        if (!at_start && !in_comment)
            return false;
    }
    return true;
}

bool brz_is_foreign(const brz_loaded *collapser, brz_feed *feed)
{
    brz_head head = brz_guess_head(feed);
    head.name = BRZ_STR("");
    return !is_blank(&head) && brz_guess_score(collapser, &head, feed->source->name) <= 0;
}

const char *brz_find_format(brz_registry *registry, const brz_loaded *collapser, const char *path)
{
    struct stat st;
    brz_buf error = {0};
    brz_feed feed;
    bool can_be_read = stat(path, &st) == 0 && S_ISREG(st.st_mode);
    brz_source *source = can_be_read ? brz_source_open(path, false, &error) : NULL;
    brz_buf_finish(&error);
    if (source == NULL)
        return NULL;
    brz_feed_init(&feed, source);
    brz_guess g = brz_guess_format(registry, &feed);
    const char *id = g.winner != NULL && g.winner != collapser ? g.winner->component->id : NULL;
    brz_guess_finish(&g);
    brz_feed_finish(&feed);
    brz_source_close(source);
    return id;
}

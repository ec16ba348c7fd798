/* Recognises foreign formats that have no fixed signature. */
#include "collapse/foreign_shape.h"

#include <string.h>

/* ---- text ---------------------------------------------------------------------------------- */

static brz_str text_of(const char *s)
{
    return brz_str_of(s, strlen(s));
}

static bool begins_with(brz_str s, const char *start)
{
    size_t n = strlen(start);
    return s.len >= n && memcmp(s.data, start, n) == 0;
}

static bool ends_with(brz_str s, const char *end)
{
    size_t n = strlen(end);
    return s.len >= n && memcmp(s.data + s.len - n, end, n) == 0;
}

static bool contains(brz_str s, brz_str part)
{
    for (size_t i = 0; part.len <= s.len && i <= s.len - part.len; i++) {
        const char *at = memchr(s.data + i, part.data[0], s.len - part.len - i + 1);
        if (at == NULL)
            return false;
        i = (size_t)(at - s.data);
        if (memcmp(at, part.data, part.len) == 0)
            return true;
    }
    return false;
}

static brz_str without_front(brz_str s, size_t n)
{
    return brz_str_of(s.data + n, s.len - n);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool brz_foreign_next_line(brz_str *text, brz_str *line)
{
    if (text->len == 0)
        return false;
    const char *newline = memchr(text->data, '\n', text->len);
    size_t n = newline == NULL ? text->len : (size_t)(newline - text->data);
    *line = brz_str_of(text->data, n);
    *text = without_front(*text, newline == NULL ? n : n + 1);
    if (line->len > 0 && line->data[line->len - 1] == '\r')
        line->len--;
    return true;
}

bool brz_foreign_has_line(brz_str head, const char *start)
{
    brz_str line;
    for (size_t i = 0; i < BRZ_FOREIGN_LINES && brz_foreign_next_line(&head, &line); i++)
        if (begins_with(line, start))
            return true;
    return false;
}

bool brz_foreign_has_text(brz_str head, const char *part)
{
    brz_str line;
    for (size_t i = 0; i < BRZ_FOREIGN_LINES && brz_foreign_next_line(&head, &line); i++)
        if (contains(line, text_of(part)))
            return true;
    return false;
}

/* ---- JSON and XML -------------------------------------------------------------------------- */

/* Returns true if the text contains the key in quotes. */
static bool has_key(brz_str head, brz_str key)
{
    for (brz_str rest = head; rest.len > key.len + 2;) {
        const char *quote = memchr(rest.data, '"', rest.len - key.len - 1);
        if (quote == NULL)
            return false;
        if (memcmp(quote + 1, key.data, key.len) == 0 && quote[1 + key.len] == '"')
            return true;
        rest = without_front(rest, (size_t)(quote + 1 - rest.data));
    }
    return false;
}

bool brz_foreign_has_keys(brz_str head, const char *keys)
{
    for (brz_str rest = text_of(keys); rest.len > 0;) {
        const char *blank = memchr(rest.data, ' ', rest.len);
        size_t n = blank == NULL ? rest.len : (size_t)(blank - rest.data);
        if (!has_key(head, brz_str_of(rest.data, n)))
            return false;
        rest = without_front(rest, blank == NULL ? n : n + 1);
    }
    return true;
}

/* Recognises the root element <svg>, optionally after a declaration, comments and a document
 * type. */
bool brz_foreign_is_svg(brz_str head)
{
    while (head.len > 0) {
        if (head.data[0] == '<' && !begins_with(head, "<?") && !begins_with(head, "<!"))
            return begins_with(head, "<svg");
        bool comment = begins_with(head, "<!--");
        size_t n = 1;
        while (n < head.len &&
               !(comment ? ends_with(brz_str_of(head.data, n), "-->") : head.data[n] == '<'))
            n++;
        head = without_front(head, n);
    }
    return false;
}

/* ---- others -------------------------------------------------------------------------------- */

/* Counts commas outside of quotes. */
static size_t count_commas(brz_str line)
{
    size_t n = 0;
    bool quoted = false;
    for (size_t i = 0; i < line.len; i++) {
        quoted ^= line.data[i] == '"';
        n += line.data[i] == ',' && !quoted;
    }
    return n;
}

/* Recognises columns of Windows Performance Analyzer, and events of xperf's dumper. */
bool brz_foreign_is_windows_table(brz_str head)
{
    brz_str line;
    if (!brz_foreign_next_line(&head, &line))
        return false;
    if (brz_foreign_has_line(line, "BeginHeader"))
        return brz_foreign_has_text(head, ", TimeStamp,");
    bool stack = contains(line, BRZ_STR("Stack")), process = contains(line, BRZ_STR("Process"));
    bool weight = contains(line, BRZ_STR("Weight")) || contains(line, BRZ_STR("TimeStamp")) ||
                  contains(line, BRZ_STR("Count"));
    return count_commas(line) >= 3 && stack && process && weight;
}

bool brz_foreign_is_trace_without_calls(brz_str head)
{
    return brz_foreign_has_line(head, "cpus=") && !contains(head, BRZ_STR(": funcgraph_entry:")) &&
           !contains(head, BRZ_STR(": function:"));
}

/* Recognises a line of titles followed by rows with the same number of columns. */
bool brz_foreign_is_table(brz_str head)
{
    brz_str line;
    if (!brz_foreign_next_line(&head, &line) || line.len == 0 || is_digit(line.data[line.len - 1]))
        return false;
    size_t columns = count_commas(line), rows = 0;
    while (columns >= 2 && rows < BRZ_FOREIGN_LINES && brz_foreign_next_line(&head, &line)) {
        if (head.len == 0 || line.len == 0) /* the last line may be cut off */
            continue;
        if (count_commas(line) < columns)
            return false;
        rows++;
    }
    return rows >= 2;
}

/* Limits for binary files: at least one control character in this many bytes, and at least this
 * many. */
#define TEXT_PER_CONTROL 32
#define LEAST_CONTROLS   32

bool brz_foreign_is_binary(brz_str head)
{
    size_t controls = 0;
    if (head.len == 0 || memchr(head.data, '\0', head.len) == NULL)
        return false;
    for (size_t i = 0; i < head.len; i++) {
        unsigned char c = (unsigned char)head.data[i];
        controls += c < ' ' && (c < '\a' || c > '\r') && c != '\033';
    }
    return controls >= LEAST_CONTROLS && controls >= head.len / TEXT_PER_CONTROL;
}

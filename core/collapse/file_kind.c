/* Files that are no profile. */
#include "collapse/file_kind.h"

#include <string.h>

/* Text has fewer control characters than one in so many bytes; and a short one may be odd. */
#define TEXT_PER_CONTROL 32
#define LEAST_CONTROLS   32

static const struct {
    const char *magic;
    size_t len;
    const char *what;
} kinds[] = {
    {"PERFILE2", 8,
     "a recording of perf; perf script -i FILE prints it, and brazier reads what that prints"},
    {"2ELIFREP", 8,
     "a recording of perf of another byte order; perf script -i FILE prints it, and brazier reads "
     "what that prints"},
    {"FLR\0", 4,
     "a recording of Java Flight Recorder; async-profiler's jfrconv makes collapsed stacks of it, "
     "which brazier reads"},
    {"\177ELF", 4,
     "an ELF file (a program, a library or a core dump), no profile; perf record -g -- PROGRAM "
     "and perf script make one"},
    {"\211PNG", 4, "a PNG picture, no profile"},
    {"%PDF-", 5, "a PDF document, no profile"},
    {"PK\003\004", 4, "a ZIP archive; brazier reads the files in it, once they are extracted"},
    {"SQLite format 3", 16, "an SQLite database, no profile that brazier reads"},
};

static bool begins(brz_str head, const char *magic, size_t len)
{
    return head.len >= len && memcmp(head.data, magic, len) == 0;
}

/* Returns what a file with a magic number is, or NULL. */
static const char *find_kind(brz_str head)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (begins(head, kinds[i].magic, kinds[i].len))
            return kinds[i].what;
    return NULL;
}

bool brz_is_binary(brz_str head)
{
    size_t controls = 0;
    if (find_kind(head) != NULL)
        return true;
    if (head.len == 0 || memchr(head.data, '\0', head.len) == NULL)
        return false;
    for (size_t i = 0; i < head.len; i++) {
        unsigned char c = (unsigned char)head.data[i];
        controls += c < ' ' && (c < '\a' || c > '\r') && c != '\033';
    }
    return controls >= LEAST_CONTROLS && controls >= head.len / TEXT_PER_CONTROL;
}

void brz_file_kind_add(brz_str head, brz_buf *b)
{
    static const char svg[] = "<svg", html[] = "<html";
    size_t front = head.len < 2048 ? head.len : 2048;
    const char *what = find_kind(head);
    if (what != NULL)
        brz_buf_add_text(b, what);
    else if (brz_is_binary(head))
        brz_buf_add_text(b, "a binary file in no format that is known here "
                            "(brazier plugin list shows the formats)");
    else if (begins(head, "<", 1) && memmem(head.data, front, svg, sizeof svg - 1) != NULL)
        brz_buf_add_text(b, "an SVG picture, no profile (-o FILE names what is written)");
    else if (begins(head, "<", 1) && memmem(head.data, front, html, sizeof html - 1) != NULL)
        brz_buf_add_text(b, "an HTML page, no profile (-o FILE names what is written)");
}

/* SPDX-License-Identifier: MIT */
/* Stores colours of names that are the same in every picture. */
#include "draw/palette_map.h"

#include <brazier/palette.h>
#include <brazier/symbol.h>
#include <brazier/text/pieces.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/string_table.h"

struct brz_palette_map {
    brz_strings names;
    uint32_t *colors; /* by number of the name */
    size_t n_colors, colors_cap;
};

brz_palette_map *brz_palette_map_create(void)
{
    return brz_calloc(1, sizeof(brz_palette_map));
}

void brz_palette_map_destroy(brz_palette_map *m)
{
    if (m == NULL)
        return;
    brz_strings_finish(&m->names);
    free(m->colors);
    free(m);
}

uint32_t brz_palette_map_number(brz_palette_map *m, brz_str name)
{
    uint32_t number = brz_strings_intern(&m->names, name);
    while (m->n_colors <= number) {
        m->colors = brz_grow(m->colors, m->n_colors, &m->colors_cap, sizeof *m->colors);
        m->colors[m->n_colors++] = BRZ_COLOR_NONE;
    }
    return number;
}

uint32_t brz_palette_map_color(const brz_palette_map *m, uint32_t number)
{
    return m->colors[number];
}

void brz_palette_map_set(brz_palette_map *m, uint32_t number, uint32_t color)
{
    m->colors[number] = color;
}

/* ---- reading ------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void skip_blanks(brz_str *s)
{
    while (s->len > 0 && is_blank(s->data[0]))
        *s = brz_str_of(s->data + 1, s->len - 1);
}

/* Removes a number up to 255 and the blanks around it from the beginning of the text. */
static bool take_byte(brz_str *s, uint32_t *byte)
{
    size_t digits = 0;
    *byte = 0;
    skip_blanks(s);
    for (; s->len > 0 && s->data[0] >= '0' && s->data[0] <= '9' && *byte <= 255; digits++) {
        *byte = *byte * 10 + (uint32_t)(s->data[0] - '0');
        *s = brz_str_of(s->data + 1, s->len - 1);
    }
    skip_blanks(s);
    return digits > 0 && *byte <= 255;
}

/* Parses rgb(r,g,b), with blanks around it. */
static bool parse_rgb(brz_str s, uint32_t *color)
{
    uint32_t r, g, b;
    skip_blanks(&s);
    if (!brz_str_take(&s, "rgb(") || !take_byte(&s, &r) || !brz_str_take(&s, ",") ||
        !take_byte(&s, &g) || !brz_str_take(&s, ",") || !take_byte(&s, &b) ||
        !brz_str_take(&s, ")"))
        return false;
    skip_blanks(&s);
    *color = BRZ_RGB(r, g, b);
    return s.len == 0;
}

static bool parse_line(brz_palette_map *m, brz_str line)
{
    size_t arrow = line.len;
    uint32_t color;
    while (arrow >= 2 && (line.data[arrow - 2] != '-' || line.data[arrow - 1] != '>'))
        arrow--;
    if (arrow < 2 || !parse_rgb(brz_str_of(line.data + arrow, line.len - arrow), &color))
        return false;
    uint32_t number = brz_palette_map_number(m, brz_str_of(line.data, arrow - 2));
    brz_palette_map_set(m, number, color);
    return true;
}

size_t brz_palette_map_parse(brz_palette_map *m, brz_str text)
{
    size_t bad = 0;
    brz_str line;
    while (brz_take_line(&text, &line)) {
        line.len -= line.len > 0 && line.data[line.len - 1] == '\r';
        bad += !parse_line(m, line);
    }
    return bad;
}

/* Opens a regular file. Returns -1 with the reason in errno if that fails. */
static int open_anywhere(const char *path)
{
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) { /* a pipe may have no end */
        errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
        return -1;
    }
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* Opens a regular file below a folder, likewise. */
static int open_inside(const brz_inside *inside)
{
    brz_refusal why;
    int fd = brz_beneath_open_file(inside->folder, inside->path, &why);
    if (fd < 0)
        errno = why == BRZ_REFUSED_LINK ? ELOOP : why == BRZ_REFUSED_ABSENT ? errno : EINVAL;
    return fd;
}

/* Reads and closes a file. Returns false with the reason in errno if it cannot be read or if `fd`
 * is -1. */
static bool read_file(int fd, brz_buf *b)
{
    bool good = fd >= 0 && brz_buf_read(b, fd, SIZE_MAX);
    int why = errno;
    if (fd >= 0)
        close(fd);
    errno = why;
    return good;
}

static bool is_all_blank(brz_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (strchr(" \t\r\n", text.data[i]) == NULL || text.data[i] == '\0')
            return false;
    return true;
}

/* Warns about invalid lines. Returns false after reporting an error if no line is valid: a file of
 * another kind must not be overwritten. */
static bool check_lines(const brz_palette_map *m, brz_str text, size_t bad, const char *path,
                        brz_console *console)
{
    if (bad > 0 && m->n_colors == 0 && !is_all_blank(text)) {
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_OPEN,
                     "%s is not a palette map with lines 'NAME->rgb(R,G,B)': left unchanged", path);
        return false;
    }
    if (bad > 0)
        brz_say(console, BRZ_WARNING, "%s: %zu %s not 'NAME->rgb(R,G,B)': left out", path, bad,
                bad == 1 ? "line is" : "lines are");
    return true;
}

bool brz_palette_map_read(brz_palette_map *m, const char *path, const brz_inside *inside,
                          brz_console *console)
{
    brz_buf b = {0};
    bool is_confined = inside != NULL && inside->folder != NULL;
    bool good =
        read_file(is_confined ? open_inside(inside) : open_anywhere(path), &b) || errno == ENOENT;
    if (!good)
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_OPEN, "%s: %s", path, strerror(errno));
    size_t bad = good ? brz_palette_map_parse(m, brz_buf_str(&b)) : 0;
    good = good && check_lines(m, brz_buf_str(&b), bad, path, console);
    brz_buf_finish(&b);
    return good;
}

/* ---- writing ------------------------------------------------------------------------------- */

typedef struct entry {
    brz_str name;
    uint32_t color;
} entry;

static int compare_entries(const void *a, const void *b)
{
    return brz_str_compare(((const entry *)a)->name, ((const entry *)b)->name);
}

static bool can_be_kept(brz_str name)
{
    return name.len == 0 ||
           (memchr(name.data, '\n', name.len) == NULL && memchr(name.data, '\r', name.len) == NULL);
}

void brz_palette_map_print(const brz_palette_map *m, brz_buf *b)
{
    entry *entries = brz_calloc(m->n_colors, sizeof *entries);
    size_t n = 0;
    for (size_t i = 0; i < m->n_colors; i++) {
        brz_str name = brz_strings_at(&m->names, (uint32_t)i);
        if (m->colors[i] != BRZ_COLOR_NONE && can_be_kept(name))
            entries[n++] = (entry){name, m->colors[i]};
    }
    qsort(entries, n, sizeof *entries, compare_entries);
    for (size_t i = 0; i < n; i++) {
        uint32_t c = entries[i].color;
        brz_buf_add_str(b, entries[i].name);
        brz_buf_printf(b, "->rgb(%u,%u,%u)\n", c >> 24, c >> 16 & 0xff, c >> 8 & 0xff);
    }
    free(entries);
}

/* SPDX-License-Identifier: MIT */
/* Profiles that fuzz targets make of their inputs. */
#include "profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "fuzz.h"
#include "profile/compare.h"

/* Inputs beyond these limits would only take long. */
#define MOST_COLUMNS 6
#define MOST_DEPTH   2000
#define MOST_FRAMES  20000 /* of all stacks together */

#define DECIMALS 3

typedef struct reader {
    brz_profile *profile;
    uint32_t columns[MOST_COLUMNS];
    uint32_t n_columns;
    size_t n_frames; /* so far */
    brz_frame frames[MOST_DEPTH];
} reader;

/* Cuts a text at the first `c`, or takes all of it. */
static brz_str cut(brz_str *s, char c)
{
    const char *at = s->len == 0 ? NULL : memchr(s->data, c, s->len);
    brz_str front = brz_str_of(s->data, at == NULL ? s->len : (size_t)(at - s->data));
    size_t used = front.len + (at != NULL);
    s->data += used;
    s->len -= used;
    return front;
}

/* ---- columns ------------------------------------------------------------------------------- */

static void add_column(reader *r, brz_str name, brz_str unit)
{
    uint32_t n = r->n_columns;
    if (n == MOST_COLUMNS)
        return;
    r->columns[n] = brz_profile_add_weight(r->profile, name, unit, 0, n);
    r->n_columns++;
}

static void read_header(reader *r, brz_str line)
{
    cut(&line, ' ');
    while (line.len > 0) {
        brz_str word = cut(&line, ' '), name = cut(&word, '/');
        add_column(r, name, word);
    }
}

/* Takes a number off the end of a line: its digits, and *fraction if it has a point. */
static bool take_number(brz_str *line, int64_t *value, bool *fraction)
{
    size_t at = line->len;
    *value = 0;
    *fraction = false;
    while (at > 0 && line->data[at - 1] != ' ')
        at--;
    if (at == 0 || at == line->len)
        return false;
    bool negative = line->data[at] == '-', saturated = false;
    for (size_t i = at + negative; i < line->len; i++) {
        char c = line->data[i];
        *fraction |= c == '.';
        if (c == '.')
            continue;
        if (c < '0' || c > '9')
            return false;
        *value = *value > INT64_MAX / 10 ? INT64_MAX : *value * 10;
        *value = brz_add_saturated(*value, c - '0', &saturated);
    }
    *value = negative ? -*value : *value;
    line->len = at - 1;
    return true;
}

/* Without a header, the first line says how many counts there are. */
static void choose_columns(reader *r, brz_str line)
{
    int64_t value;
    bool fraction;
    if (r->n_columns > 0)
        return;
    bool has_one = take_number(&line, &value, &fraction);
    if (has_one && take_number(&line, &value, &fraction)) {
        add_column(r, BRZ_STR("before"), BRZ_STR("samples"));
        add_column(r, BRZ_STR("after"), BRZ_STR("samples"));
        brz_mark_compared(r->profile, r->columns[0], BRZ_COLUMN_BEFORE);
        brz_mark_compared(r->profile, r->columns[1], BRZ_COLUMN_AFTER);
    } else {
        add_column(r, BRZ_STR("samples"), BRZ_STR("samples"));
    }
}

/* ---- frames -------------------------------------------------------------------------------- */

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void unescape(brz_str s, brz_buf *b)
{
    for (size_t i = 0; i < s.len; i++) {
        bool escaped = s.data[i] == '\\' && i + 3 < s.len && s.data[i + 1] == 'x' &&
                       digit(s.data[i + 2]) >= 0 && digit(s.data[i + 3]) >= 0;
        char c = s.data[i];
        if (escaped)
            c = (char)(digit(s.data[i + 2]) * 16 + digit(s.data[i + 3]));
        brz_buf_add_char(b, c);
        i += escaped ? 3 : 0;
    }
}

static uint32_t line_of(brz_str s)
{
    uint32_t n = 0;
    for (size_t i = 0; i < s.len; i++)
        n = n * 10 + (uint32_t)(unsigned char)s.data[i] % 10;
    return n;
}

static brz_frame read_frame(reader *r, brz_str text)
{
    brz_buf name = {0};
    brz_frame_desc d = {.struct_size = sizeof d};
    unescape(cut(&text, '{'), &name);
    d.name = brz_buf_str(&name);
    d.module = cut(&text, '|');
    d.file = cut(&text, '|');
    d.line = line_of(cut(&text, '|'));
    uint32_t category = line_of(cut(&text, '}')) % (BRZ_CATEGORY_WAKER + 1);
    d.kind = category <= BRZ_KIND_KERNEL ? category : BRZ_KIND_OTHER;
    d.flags = category > BRZ_KIND_KERNEL ? 1u << (category - BRZ_CATEGORY_JIT) : 0;
    brz_frame f = brz_profile_add_frame(r->profile, &d);
    brz_buf_finish(&name);
    return f;
}

/* ---- lines --------------------------------------------------------------------------------- */

static void count(reader *r, brz_stack stack, uint32_t column, int64_t value)
{
    brz_profile *p = r->profile;
    brz_profile_add_value(p, stack, column, value);
    p->samples.items =
        brz_grow(p->samples.items, p->samples.n, &p->samples.cap, sizeof *p->samples.items);
    p->samples.items[p->samples.n++] = (brz_profile_sample){
        .time = BRZ_NO_TIME, .value = value, .stack = stack, .weight = column & 0xff};
}

static void read_line(reader *r, brz_str line)
{
    int64_t values[MOST_COLUMNS] = {0};
    bool fraction;
    size_t n = 0;
    choose_columns(r, line);
    for (uint32_t w = r->n_columns; w-- > 0;) {
        if (take_number(&line, &values[w], &fraction) && fraction)
            brz_profile_set_decimals(r->profile, r->columns[w], DECIMALS);
    }
    while (line.len > 0 && n < MOST_DEPTH && r->n_frames++ < MOST_FRAMES)
        r->frames[n++] = read_frame(r, cut(&line, ';'));
    brz_stack stack = brz_profile_intern_stack(r->profile, r->frames, n, 0);
    for (uint32_t w = 0; w < r->n_columns; w++)
        if (values[w] != 0 || w == 0)
            count(r, stack, r->columns[w], values[w]);
}

brz_profile *fuzz_profile_read(const char *data, size_t size)
{
    static reader r;
    brz_str rest = brz_str_of(data, size);
    r = (reader){.profile = brz_profile_create()};
    if (size >= 8 && memcmp(data, "weights:", 8) == 0)
        read_header(&r, cut(&rest, '\n'));
    while (rest.len > 0 && r.n_frames < MOST_FRAMES)
        read_line(&r, cut(&rest, '\n'));
    return r.profile;
}

/* ---- properties ---------------------------------------------------------------------------- */

int64_t fuzz_profile_sum(const brz_profile *p, uint32_t weight, bool *saturated)
{
    int64_t sum = 0;
    for (size_t s = 0; s < p->n_stacks; s++)
        sum = brz_add_saturated(sum, brz_profile_value(p, (brz_stack)s, weight), saturated);
    return sum;
}

void fuzz_profile_check_texts(const brz_profile *p)
{
    for (size_t s = 0; s < p->n_stacks; s++)
        for (uint32_t i = 0; i < p->stacks[s].n; i++) {
            brz_frame_info f = brz_profile_frame_info(p, p->stacks[s].frames[i]);
            FUZZ_REQUIRE(brz_utf8_valid(f.name) && brz_utf8_valid(f.module) &&
                             brz_utf8_valid(f.file),
                         "a text is not UTF-8");
        }
}

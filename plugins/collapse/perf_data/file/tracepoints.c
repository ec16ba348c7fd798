/* SPDX-License-Identifier: MIT */
/* Reads the layouts of tracepoints.
 *
 *     description := magic "tracing" version 0 endian:u8 long-size:u8 page-size:u32
 *                    "header_page" 0 text  "header_event" 0 text
 *                    n:u32 text*  systems:u32 (name 0 n:u32 text*)*  ...
 *     text        := size:u64 bytes
 *
 * The text of a tracepoint has lines such as
 *
 *     ID: 372
 *     	field:pid_t prev_pid;	offset:24;	size:4;	signed:1;
 *     print fmt: "...", ... __print_flags(..., "|", { 0x00000001, "S" }, { 0x00000002, "D" }) ...
 */
#include "tracepoints.h"

#include <brazier/plugin.h>
#include <brazier/symbol.h>
#include <brazier/text.h>

/* Maximum number of tracepoints: the kernel has one of each name. */
#define TRACEPOINTS_MAX 16

static const uint8_t magic[] = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g'};

/* ---- words ----------------------------------------------------------------------------------- */

/* Parses a number at the front of a text, decimal or with 0x in front. */
static uint64_t number_of(brz_str s)
{
    uint64_t n = 0;
    bool is_hex = s.len > 2 && s.data[0] == '0' && s.data[1] == 'x';
    for (size_t i = is_hex ? 2 : 0; i < s.len && i < 18; i++) {
        char c = s.data[i];
        if (c >= '0' && c <= '9')
            n = n * (is_hex ? 16 : 10) + (uint64_t)(c - '0');
        else if (is_hex && brz_is_hex(c))
            n = n * 16 + (uint64_t)((c | 32) - 'a' + 10);
        else
            break;
    }
    return n;
}

/* Returns the text after a word, which is empty if the word does not occur. */
static brz_str after(brz_str s, brz_str word)
{
    size_t at = brz_str_find(s, word, 0);
    if (at == SIZE_MAX)
        return brz_str_of("", 0);
    return brz_str_of(s.data + at + word.len, s.len - at - word.len);
}

/* Returns the text in front of a character, or all of it. */
static brz_str before(brz_str s, char c)
{
    const char *at = s.len > 0 ? memchr(s.data, c, s.len) : NULL;
    return at == NULL ? s : brz_str_of(s.data, (size_t)(at - s.data));
}

/* Returns the name that a declaration in C declares. */
static brz_str declared(brz_str declaration)
{
    brz_str s = before(declaration, '[');
    size_t start = s.len;
    while (start > 0 && s.data[start - 1] != ' ' && s.data[start - 1] != '*')
        start--;
    return brz_str_of(s.data + start, s.len - start);
}

/* ---- lines of a description ------------------------------------------------------------------ */

bool tracepoints_field(brz_str line, described_field *out)
{
    if (!brz_starts_with(line, BRZ_STR("\tfield:")))
        return false;
    brz_str declaration = before(after(line, BRZ_STR("field:")), ';');
    out->name = declared(declaration);
    out->offset = number_of(after(line, BRZ_STR("offset:")));
    out->size = number_of(after(line, BRZ_STR("size:")));
    out->is_signed = number_of(after(line, BRZ_STR("signed:"))) != 0;
    out->is_array = brz_str_find(declaration, BRZ_STR("["), 0) != SIZE_MAX;
    return true;
}

brz_str tracepoints_line(brz_str *text)
{
    brz_str line = before(*text, '\n');
    size_t used = line.len + (line.len < text->len);
    *text = brz_str_from(*text, used);
    return line;
}

/* Keeps a field if it matters. */
static void take_field(tracepoint *t, const described_field *f)
{
    const struct {
        const char *name;
        payload_field *field;
    } wanted[] = {{"common_flags", &t->flags},
                  {"prev_pid", &t->prev_pid},
                  {"prev_state", &t->state},
                  {"next_pid", &t->next_pid},
                  {"pid", &t->pid}};
    for (size_t i = 0; i < BRZ_COUNT_OF(wanted); i++)
        if (brz_str_is(f->name, wanted[i].name) && f->offset <= UINT16_MAX && f->size <= 8)
            *wanted[i].field = (payload_field){(uint32_t)f->offset, (uint32_t)f->size};
}

/* Keeps the letters of states: pairs after __print_flags. */
static void take_letters(tracepoint *t, brz_str line)
{
    brz_str rest = before(after(line, BRZ_STR("__print_flags(")), '?');
    while (t->n_letters < STATE_LETTERS_MAX) {
        rest = after(rest, BRZ_STR("{ "));
        brz_str text = after(rest, BRZ_STR("\""));
        if (text.len == 0)
            return;
        t->letters[t->n_letters++] = (state_letter){number_of(rest), text.data[0]};
    }
}

static void take_line(tracepoint *t, brz_str line)
{
    described_field field;
    if (brz_starts_with(line, BRZ_STR("ID: ")))
        t->id = number_of(after(line, BRZ_STR("ID: ")));
    else if (tracepoints_field(line, &field))
        take_field(t, &field);
    else if (brz_starts_with(line, BRZ_STR("print fmt: ")))
        take_letters(t, line);
}

static enum tracepoint_kind kind_of(brz_str name)
{
    if (brz_str_is(name, "sched_switch"))
        return TRACEPOINT_SWITCH;
    bool wakes = brz_str_is(name, "sched_waking") || brz_str_is(name, "sched_wakeup") ||
                 brz_str_is(name, "sched_wakeup_new");
    return wakes ? TRACEPOINT_WAKE : TRACEPOINT_OTHER;
}

/* Adds a tracepoint from its text, if it is one that matters. */
static void take_tracepoint(tracepoints *all, brz_ctx *ctx, brz_str text)
{
    tracepoint t = {.kind = kind_of(before(after(text, BRZ_STR("name: ")), '\n'))};
    if (t.kind == TRACEPOINT_OTHER || all->n == TRACEPOINTS_MAX)
        return;
    while (text.len > 0)
        take_line(&t, tracepoints_line(&text));
    all->items = brz_list_room(ctx, all->items, all->n, &all->cap, sizeof *all->items);
    all->items[all->n++] = t;
}

/* ---- the description of a recording ---------------------------------------------------------- */

static brz_str take_text(brz_bytes *b)
{
    return brz_bytes_text(b, brz_bytes_u64(b));
}

/* Skips a text with its name in front. */
static void skip_named(brz_bytes *b)
{
    brz_bytes_text_to_zero(b);
    take_text(b);
}

static void read_system(tracepoints *t, brz_ctx *ctx, brz_bytes *b)
{
    bool matters = brz_str_is(brz_bytes_text_to_zero(b), "sched");
    uint32_t n = brz_bytes_u32(b);
    for (uint32_t i = 0; i < n && b->error == NULL; i++) {
        brz_str text = take_text(b);
        if (matters && b->error == NULL)
            take_tracepoint(t, ctx, text);
    }
}

bool tracepoints_read(tracepoints *t, brz_ctx *ctx, brz_bytes b)
{
    brz_str head = brz_bytes_text(&b, sizeof magic);
    if (head.len != sizeof magic || memcmp(head.data, magic, sizeof magic) != 0)
        return false;
    brz_bytes_text_to_zero(&b);
    b.order = brz_bytes_u8(&b) == 1 ? BRZ_BIG_ENDIAN : BRZ_LITTLE_ENDIAN;
    brz_bytes_skip(&b, 1 + 4);
    skip_named(&b);
    skip_named(&b);
    uint32_t n = brz_bytes_u32(&b);
    for (uint32_t i = 0; i < n && b.error == NULL; i++)
        take_text(&b);
    n = brz_bytes_u32(&b);
    for (uint32_t i = 0; i < n && b.error == NULL; i++)
        read_system(t, ctx, &b);
    return b.error == NULL;
}

const tracepoint *tracepoints_find(const tracepoints *t, uint64_t id)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->items[i].id == id)
            return &t->items[i];
    return NULL;
}

/* ---- payloads -------------------------------------------------------------------------------- */

bool payload_value(brz_bytes payload, payload_field field, uint64_t *value)
{
    if (field.size == 0)
        return false;
    brz_bytes_skip(&payload, field.offset);
    *value = brz_bytes_uint(&payload, field.size);
    return payload.error == NULL;
}

char tracepoint_letter(const tracepoint *t, uint64_t state)
{
    for (uint32_t i = 0; i < t->n_letters; i++)
        if (state & t->letters[i].bit)
            return t->letters[i].letter;
    return 'R';
}

/* SPDX-License-Identifier: MIT */
/* Recognises formats by signatures: the table. */
#include "collapse/foreign.h"

#include <brazier/symbol.h>
#include <brazier/text/pieces.h>

#include "collapse/condition.h"
#include "collapse/signatures.h"

/* A format of the table. */
typedef struct format {
    uint32_t number; /* from 1; 0: no format */
    brz_str name;    /* with its article: "a picture, not a profile" */
    brz_str advice;  /* what to do next; FILE stands for the input's name */
    brz_str reader;  /* id of the shipped collapser that is certain of the format */
    bool vague, sure;
} format;

/* A position in the table: after a signature of a format. */
typedef struct position {
    brz_str rest;
    format format;
} position;

static position table_start(void)
{
    return (position){.rest = brz_str_of((const char *)signatures, signatures_size)};
}

/* Advances to the next signature, and stores its conditions. Returns false at the end. */
static bool take_signature(position *p, brz_str *conditions)
{
    format *f = &p->format;
    brz_str line;
    while (brz_take_line(&p->rest, &line)) {
        if (brz_str_take(&line, "    if ")) {
            *conditions = line;
            return true;
        }
        if (brz_str_take(&line, "    do "))
            f->advice = line;
        else if (brz_str_take(&line, "    reader "))
            f->reader = line;
        else if (brz_str_take(&line, "    family"))
            f->vague = true;
        else if (brz_str_take(&line, "    sure"))
            f->sure = true;
        else if (line.len > 0 && line.data[0] != '#')
            *f = (format){.number = f->number + 1, .name = line};
    }
    *f = (format){0};
    return false;
}

/* Skips a byte order mark and blank lines. */
static brz_str without_blank_front(brz_str s)
{
    brz_str_take(&s, "\xef\xbb\xbf");
    while (s.len > 0 && (s.data[0] == '\n' || s.data[0] == '\r'))
        s = brz_str_of(s.data + 1, s.len - 1);
    return s;
}

/* Returns the first format with a signature of an input: a foreign one, or one with a reader. */
static format find(brz_str head, bool is_foreign)
{
    brz_beginning beginning = {head, without_blank_front(head)};
    position p = table_start();
    brz_str conditions;
    while (take_signature(&p, &conditions))
        if ((is_foreign ? p.format.advice : p.format.reader).len > 0 &&
            brz_conditions_hold(conditions, &beginning))
            break;
    return p.format;
}

brz_foreign brz_foreign_find(brz_str head)
{
    return find(head, true).name.data;
}

brz_str brz_foreign_reader(brz_str head)
{
    return find(head, false).reader;
}

/* Returns the entry of a format in the table. */
static format look_up(brz_foreign wanted)
{
    position p = table_start();
    brz_str conditions;
    while (take_signature(&p, &conditions) && p.format.name.data != wanted)
        continue;
    return p.format;
}

bool brz_foreign_is_vague(brz_foreign wanted)
{
    return look_up(wanted).vague;
}

bool brz_foreign_is_sure(brz_foreign wanted)
{
    return look_up(wanted).sure;
}

void brz_foreign_add(brz_foreign wanted, brz_buf *b)
{
    format f = look_up(wanted);
    brz_buf_add_text(b, "this is ");
    brz_buf_add_str(b, f.name);
    brz_buf_add_text(b, "; ");
    brz_buf_add_str(b, f.advice);
}

brz_foreign brz_foreign_at(uint32_t i)
{
    position p = table_start();
    brz_str conditions;
    while (take_signature(&p, &conditions) && p.format.number != i)
        continue;
    return p.format.name.data;
}

uint32_t brz_foreign_number(brz_foreign wanted)
{
    return look_up(wanted).number;
}

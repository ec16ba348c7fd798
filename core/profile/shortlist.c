/* SPDX-License-Identifier: MIT */
/* Collects the first of many texts, in their order, to list them in a message. */
#include "profile/shortlist.h"

#include <brazier/symbol.h>
#include <string.h>

/* Bytes of a text in a message. */
#define LONGEST 60

void brz_shortlist_add(brz_shortlist *l, brz_str text)
{
    size_t at = 0;
    int order = 1;
    while (at < l->n && (order = brz_str_compare(brz_buf_str(&l->texts[at]), text)) < 0)
        at++;
    if (at < l->n && order == 0)
        return;
    l->has_more |= l->n == l->most;
    if (at == l->most)
        return;
    if (l->n == l->most)
        brz_buf_finish(&l->texts[--l->n]);
    memmove(l->texts + at + 1, l->texts + at, (l->n - at) * sizeof *l->texts);
    l->texts[at] = (brz_buf){0};
    brz_buf_add_str(&l->texts[at], text);
    l->n++;
}

void brz_shortlist_print(const brz_shortlist *l, brz_buf *b)
{
    for (size_t i = 0; i < l->n; i++) {
        brz_str text = brz_buf_str(&l->texts[i]);
        brz_buf_add_text(b, i > 0 ? ", " : "");
        brz_buf_add(b, text.data, text.len > LONGEST ? LONGEST : text.len);
        brz_buf_add_text(b, text.len > LONGEST ? "..." : "");
    }
    brz_buf_add_text(b, l->has_more ? ", ..." : "");
}

void brz_shortlist_finish(brz_shortlist *l)
{
    for (size_t i = 0; i < l->n; i++)
        brz_buf_finish(&l->texts[i]);
    l->n = 0;
}

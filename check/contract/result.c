/* SPDX-License-Identifier: MIT */
/* Transfers the result of a test to the process that reports it.
 *
 *     message := kind number number text text text      each text: length bytes
 */
#include "result.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "check/inputs/subject.h"

#define N_TEXTS 3

typedef struct message {
    uint32_t kind, numbers[2];
    uint32_t lengths[N_TEXTS];
} message;

enum { FAILURE = 1, SKIP, DETAIL, COMPONENT, END };

/* Maximum length of a text; more would not help the reader. */
#define MOST_TEXT ((size_t)4 << 10)

static void write_all(int to, const char *data, size_t n)
{
    while (n > 0) {
        ssize_t done = write(to, data, n);
        if (done <= 0)
            return;
        data += done;
        n -= (size_t)done;
    }
}

static void send(int to, uint32_t kind, uint32_t number, uint32_t other, const brz_str *texts)
{
    message m = {.kind = kind, .numbers = {number, other}};
    brz_buf b = {0};
    for (size_t i = 0; i < N_TEXTS; i++)
        m.lengths[i] = (uint32_t)(texts[i].len < MOST_TEXT ? texts[i].len : MOST_TEXT);
    brz_buf_add(&b, (const char *)&m, sizeof m);
    for (size_t i = 0; i < N_TEXTS; i++)
        brz_buf_add(&b, texts[i].data, m.lengths[i]);
    write_all(to, b.data, b.len);
    brz_buf_finish(&b);
}

void check_send_failure(int to, unsigned clause, brz_str what, brz_str expected, brz_str seen)
{
    send(to, FAILURE, clause, 0, (brz_str[N_TEXTS]){what, expected, seen});
}

void check_send_skip(int to, brz_str why)
{
    send(to, SKIP, 0, 0, (brz_str[N_TEXTS]){why});
}

void check_send_detail(int to, brz_str detail)
{
    send(to, DETAIL, 0, 0, (brz_str[N_TEXTS]){detail});
}

void check_send_component(int to, uint32_t kind, uint32_t flags, brz_str id)
{
    send(to, COMPONENT, kind, flags, (brz_str[N_TEXTS]){id});
}

void check_send_end(int to)
{
    send(to, END, 0, 0, (brz_str[N_TEXTS]){((brz_str){"", 0})});
}

/* ---- receiving ----------------------------------------------------------------------------- */

static void add_failure(check_result *r, unsigned clause, const brz_str *texts)
{
    r->failures = brz_grow(r->failures, r->n_failures, &r->failures_cap, sizeof *r->failures);
    check_failure *f = &r->failures[r->n_failures++];
    memset(f, 0, sizeof *f);
    f->clause = clause;
    brz_buf_add_str(&f->what, texts[0]);
    brz_buf_add_str(&f->expected, texts[1]);
    brz_buf_add_str(&f->seen, texts[2]);
    r->status = CHECK_FAILED;
}

static void add_detail(check_result *r, brz_str text)
{
    brz_buf_add_text(&r->detail, r->detail.len > 0 ? "; " : "");
    brz_buf_add_str(&r->detail, text);
}

static void take(const message *m, const brz_str *texts, check_result *r, check_subject *subject)
{
    switch (m->kind) {
    case FAILURE:
        add_failure(r, m->numbers[0], texts);
        break;
    case SKIP:
        r->status = r->status == CHECK_PASSED ? CHECK_SKIPPED : r->status;
        add_detail(r, texts[0]);
        break;
    case DETAIL:
        add_detail(r, texts[0]);
        break;
    case COMPONENT:
        check_subject_add(subject, m->numbers[0], m->numbers[1], texts[0]);
        break;
    default:
        r->over = true;
    }
}

/* Returns the length of the message at the front, or 0 if it is incomplete. */
static size_t whole_message(const brz_buf *in, size_t at, message *m, brz_str *texts)
{
    if (in->len - at < sizeof *m)
        return 0;
    memcpy(m, in->data + at, sizeof *m);
    size_t len = sizeof *m;
    for (size_t i = 0; i < N_TEXTS; i++) {
        texts[i] = brz_str_of(in->data + at + len, m->lengths[i]);
        len += m->lengths[i];
    }
    return len <= in->len - at ? len : 0;
}

void check_receive(brz_buf *in, check_result *r, check_subject *subject)
{
    message m;
    brz_str texts[N_TEXTS];
    size_t at = 0, len;
    while ((len = whole_message(in, at, &m, texts)) > 0) {
        take(&m, texts, r, subject);
        at += len;
    }
    if (at > 0)
        memmove(in->data, in->data + at, in->len - at);
    in->len -= at;
}

void check_result_fail(check_result *r, unsigned clause, brz_str what, brz_str seen)
{
    add_failure(r, clause, (brz_str[N_TEXTS]){what, ((brz_str){"", 0}), seen});
}

void check_result_finish(check_result *r)
{
    for (size_t i = 0; i < r->n_failures; i++) {
        brz_buf_finish(&r->failures[i].what);
        brz_buf_finish(&r->failures[i].expected);
        brz_buf_finish(&r->failures[i].seen);
    }
    free(r->failures);
    brz_buf_finish(&r->detail);
}

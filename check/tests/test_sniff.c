/* SPDX-License-Identifier: MIT */
/* Tests format detection: a collapser recognises its own format and no other. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sanitized.h"
#include "plugin/crash.h"
#include "check/inputs/foreign.h"
#include "check/inputs/mutants.h"
#include "check/guard/guarded_buffer.h"
#include "collapse/guess.h"
#include "collapse/hints.h"
#include "plugin/elf_note.h"
#include "base/mem.h"
#include "tests.h"

#define HEAD_SIZE ((size_t)64 << 10)

static brz_head head_of(const uint8_t *data, size_t len, size_t whole, brz_str name)
{
    return (brz_head){
        sizeof(brz_head), len == whole ? BRZ_CHUNK_LAST : 0, data, len, name, data, len};
}

static int32_t sniff(const brz_loaded *l, const brz_head *head)
{
    brz_call_enter(l, "sniff", NULL, 0, head->len);
    int32_t score = ((const brz_collapser *)l->vtable)->sniff(head);
    brz_call_leave();
    return score;
}

static const brz_loaded *collapser_at(const check *c, size_t i)
{
    const brz_loaded *l = &c->file.components[i];
    return l->component->kind == BRZ_COLLAPSER ? l : NULL;
}

/* ---- own format ---------------------------------------------------------------------------- */

static void sniff_sample(check *c, const brz_loaded *l, const check_sample *s,
                         check_guarded_buffer *g)
{
    size_t len = s->len < HEAD_SIZE ? s->len : HEAD_SIZE;
    const uint8_t *data = check_guarded_buffer_set(g, s->data, len, 0, false);
    brz_head head = head_of(data, len, s->len, brz_str_of_text(s->name));
    check_doing(c, "sniffing %s", s->name);
    int32_t score = brz_guess_score(l, &head, NULL);
    if (score < BRZ_SNIFF_RECORDS && !s->odd)
        check_fail(c, 29, CHECK_NOTHING, CHECK_NOTHING,
                   "%s: its own sample %s scores %d, less than 70", l->component->id, s->name,
                   (int)score);
}

void check_sniff_own(check *c)
{
    size_t n = 0;
    check_guarded_buffer g;
    check_guarded_buffer_init(&g, &c->guarded);
    for (size_t i = 0; i < c->subject->n; i++) {
        const check_component *k = &c->subject->components[i];
        const brz_loaded *l = collapser_at(c, i);
        if (l != NULL && !brz_collapser_recognises(l->vtable)) {
            check_tell(c, "%s has neither sniff nor magics: users name it", l->component->id);
            continue;
        }
        for (size_t s = 0; s < k->n_samples; s++, n++)
            sniff_sample(c, &c->file.components[i], &k->samples[s], &g);
    }
    if (n == 0)
        check_skip(c, "there are no samples of a format that it can recognise");
    check_guarded_buffer_finish(&g);
}

/* ---- other formats ------------------------------------------------------------------------- */

static bool is_own(const check *c, const brz_loaded *l, const char *format)
{
    if (format == NULL)
        return false;
    for (size_t i = 0; i < c->subject->n_also_read; i++)
        if (strcmp(c->subject->also_read[i], format) == 0)
            return true;
    return strcmp(format, l->component->id) == 0;
}

/* Appends the plug-in's scores for inputs of other formats to `scores`. */
static void sniff_foreign(check *c, const brz_loaded *l, check_guarded_buffer *g, brz_buf *scores)
{
    check_foreign f;
    for (size_t i = 0; check_foreign_at(check_minor_of(c), i, &f); i++) {
        if (is_own(c, l, f.format))
            continue;
        const uint8_t *data = check_guarded_buffer_set(g, f.data, f.len, 0, false);
        brz_head head = head_of(data, f.len, f.len, brz_str_of_text(f.name));
        check_doing(c, "sniffing %s", f.name);
        int32_t score = brz_guess_score(l, &head, NULL);
        const char *format = f.format == NULL ? "no profile" : f.format;
        if (score >= BRZ_GUESS_LEAST)
            check_fail(c, 30, CHECK_NOTHING,
                       brz_str_of((const char *)f.data, f.len < 200 ? f.len : 200),
                       "%s: %s (%s) scores %d, not less than 40", l->component->id, f.name, format,
                       (int)score);
        if (score > 0)
            brz_buf_printf(scores, "%s%s %d", scores->len > 0 ? ", " : "", f.name, (int)score);
    }
}

void check_sniff_foreign(check *c)
{
    check_guarded_buffer g;
    brz_buf scores = {0};
    check_guarded_buffer_init(&g, &c->guarded);
    for (size_t i = 0; i < c->file.n_components; i++)
        if (collapser_at(c, i) != NULL)
            sniff_foreign(c, collapser_at(c, i), &g, &scores);
    check_tell(c, "%s", scores.len > 0 ? brz_buf_text(&scores) : "0 for all");
    brz_buf_finish(&scores);
    check_guarded_buffer_finish(&g);
}

/* ---- prefixes ------------------------------------------------------------------------------ */

/* Checks that the score does not depend on the slack or the address of the bytes. */
static void sniff_twice(check *c, const brz_loaded *l, const uint8_t *data, size_t len,
                        size_t whole, const char *name, check_guarded_buffer *g)
{
    brz_str shown_as = brz_str_of_text(name);
    int32_t scores[3];
    check_doing(c, "sniffing the first %zu bytes of %s", len, name);
    for (int i = 0; i < 3; i++) {
        const uint8_t slack[] = {0, 0, '\n'};
        brz_head head =
            head_of(check_guarded_buffer_set(g, data, len, slack[i], i == 1), len, whole, shown_as);
        scores[i] = sniff(l, &head);
    }
    if (scores[0] < BRZ_SNIFF_NO || scores[0] > BRZ_SNIFF_MAGIC)
        check_fail(c, 26, CHECK_NOTHING, CHECK_NOTHING,
                   "%s: sniff answers %d to the first %zu bytes of %s, which is no score",
                   l->component->id, (int)scores[0], len, name);
    else if (scores[0] != scores[1] || scores[0] != scores[2])
        check_fail(c, 26, CHECK_NOTHING, CHECK_NOTHING,
                   "%s: sniff answers %d, %d and %d to the same first %zu bytes of %s",
                   l->component->id, (int)scores[0], (int)scores[1], (int)scores[2], len, name);
}

#define MOST_PREFIX ((size_t)4096)

static void sniff_prefixes(check *c, const brz_loaded *l, const uint8_t *data, size_t whole,
                           const char *name, check_guarded_buffer *g)
{
    size_t most = whole < MOST_PREFIX ? whole : MOST_PREFIX;
    for (size_t len = 0; len <= most && !check_is_over(c); len++)
        sniff_twice(c, l, data, len, whole, name, g);
    if (whole > MOST_PREFIX)
        sniff_twice(c, l, data, whole < HEAD_SIZE ? whole : HEAD_SIZE, whole, name, g);
}

/* Checks inputs that repeat a single byte. */
static void sniff_monotony(check *c, const brz_loaded *l, check_guarded_buffer *g)
{
    static const char bytes[] = {'\0', '\n', ' ', ';', '0', 'a', '\t', '"', '<', '{', '\xff', '['};
    uint8_t *data = brz_malloc(HEAD_SIZE);
    for (size_t i = 0; i < sizeof bytes; i++) {
        memset(data, bytes[i], HEAD_SIZE);
        sniff_twice(c, l, data, HEAD_SIZE, HEAD_SIZE, "64 KiB of one byte", g);
    }
    free(data);
}

void check_sniff_prefixes(check *c)
{
    check_guarded_buffer g;
    check_foreign f;
    check_guarded_buffer_init(&g, &c->guarded);
    for (size_t i = 0; i < c->file.n_components; i++) {
        const brz_loaded *l = collapser_at(c, i);
        const check_component *k = &c->subject->components[i];
        if (l == NULL)
            continue;
        for (size_t s = 0; s < k->n_samples; s++)
            if (s == 0 || check_goes_on(c, s))
                sniff_prefixes(c, l, k->samples[s].data, k->samples[s].len, k->samples[s].name, &g);
        for (size_t n = 0; check_foreign_at(check_minor_of(c), n, &f); n++)
            sniff_twice(c, l, f.data, f.len, f.len, f.name, &g);
        for (size_t n = 0; check_goes_on(c, n) && check_foreign_at(check_minor_of(c), n, &f); n++)
            sniff_prefixes(c, l, f.data, f.len, f.name, &g);
        sniff_monotony(c, l, &g);
    }
    check_guarded_buffer_finish(&g);
}

/* ---- time ---------------------------------------------------------------------------------- */

/* Limits of a sniffer's time. One millisecond is allowed; the tolerance accounts for builds without
 * optimisation and busy machines. */
#define QUICK    0.001
#define FORGIVEN 0.005

/* Measures the least of several times, since other processes may use the machine. */
static void time_sniffer(check *c, const brz_loaded *l, const uint8_t *data, const char *name)
{
    brz_head head = head_of(data, HEAD_SIZE, SIZE_MAX, brz_str_of_text(name));
    double least = 1e9;
    check_doing(c, "sniffing 64 KiB of %s", name);
    for (int i = 0; i < 5 && least > QUICK; i++) {
        double before = check_processor_time();
        sniff(l, &head);
        double took = check_processor_time() - before;
        least = took < least ? took : least;
    }
    if (least > FORGIVEN)
        check_fail(c, 28, CHECK_NOTHING, CHECK_NOTHING,
                   "%s: sniffing 64 KiB of %s takes %.2f ms, far more than 1 ms", l->component->id,
                   name, 1000 * least);
}

/* Fills a head by repeating some bytes. */
static void repeat(uint8_t *to, const uint8_t *data, size_t len)
{
    for (size_t at = 0; at < HEAD_SIZE; at += len)
        memcpy(to + at, data, len < HEAD_SIZE - at ? len : HEAD_SIZE - at);
}

static void time_on_all(check *c, size_t i, uint8_t *buffer)
{
    static const char *const patterns[] = {"a", "\n", " ", ";", "a b;", "1\n", "\"", "(("};
    const check_component *k = &c->subject->components[i];
    const brz_loaded *l = &c->file.components[i];
    for (size_t s = 0; s < k->n_samples && !check_is_over(c); s++) {
        if (k->samples[s].len == 0)
            continue;
        repeat(buffer, k->samples[s].data, k->samples[s].len);
        time_sniffer(c, l, buffer, k->samples[s].name);
    }
    for (size_t p = 0; p < BRZ_COUNT_OF(patterns) && !check_is_over(c); p++) {
        repeat(buffer, (const uint8_t *)patterns[p], strlen(patterns[p]));
        time_sniffer(c, l, buffer, patterns[p][0] == '\n' ? "empty lines" : patterns[p]);
    }
}

void check_sniff_quick(check *c)
{
#if BRZ_SANITIZED
    check_skip(c, "a sanitizer takes its time");
    return;
#endif
    uint8_t *memory = brz_calloc(1, BRZ_SLACK_FRONT + HEAD_SIZE + BRZ_SLACK_BACK);
    for (size_t i = 0; i < c->file.n_components; i++)
        if (collapser_at(c, i) != NULL)
            time_on_all(c, i, memory + BRZ_SLACK_FRONT);
    free(memory);
}

/* ---- hints --------------------------------------------------------------------------------- */

/* The plug-in's hints, and memory for an input. */
typedef struct hinting {
    char hints[1024];
    size_t n;
    brz_hinted *input;
    check_guarded_buffer buffer;
} hinting;

static bool read_hints(const check *c, hinting *h)
{
    int fd = open(c->subject->path, O_RDONLY | O_CLOEXEC);
    bool found = fd >= 0 && brz_elf_hints_read(fd, h->hints, sizeof h->hints, &h->n);
    if (fd >= 0)
        close(fd);
    return found;
}

/* Checks an input, or a corrupted one. */
static void compare_hints(check *c, const brz_loaded *l, hinting *h, const uint8_t *data,
                          size_t len, const char *name, const char *how)
{
    size_t n = len < HEAD_SIZE ? len : HEAD_SIZE;
    data = check_guarded_buffer_set(&h->buffer, data, n, 0, false);
    brz_head head = head_of(data, n, len, brz_str_of_text(name));
    memset(h->input, 0, sizeof *h->input);
    brz_hinted_init(h->input, head.name);
    brz_hinted_add(h->input, brz_str_of((const char *)data, n));
    check_doing(c, "sniffing %s%s", name, how);
    int32_t score = brz_guess_score(l, &head, NULL);
    if (score > 0 && !brz_hints_hold(h->input, brz_str_of(h->hints, h->n)))
        check_fail(c, 59, CHECK_NOTHING, brz_str_of((const char *)data, n < 200 ? n : 200),
                   "%s: %s%s scores %d, but no hint is true", l->component->id, name, how,
                   (int)score);
}

/* Checks names and beginnings that the component recognises without its functions. */
static void compare_with_data(check *c, const brz_loaded *l, hinting *h)
{
    const brz_collapser *v = l->vtable;
    for (const char *const *glob = v->globs; glob != NULL && *glob != NULL; glob++)
        if (strpbrk(*glob, "?[\\") == NULL) {
            brz_buf name = {0};
            for (const char *at = *glob; *at != '\0'; at++)
                if (*at == '*')
                    brz_buf_add_char(&name, 'x');
                else
                    brz_buf_add_char(&name, *at);
            compare_hints(c, l, h, (const uint8_t *)"", 0, brz_buf_text(&name), "");
            brz_buf_finish(&name);
        }
    for (uint32_t i = 0; i < v->n_magics; i++) {
        const brz_magic *m = brz_at(v->magics, v->magic_size, i);
        uint8_t *data = brz_calloc(1, HEAD_SIZE);
        if (m->offset < HEAD_SIZE && m->len <= HEAD_SIZE - m->offset) {
            memcpy(data + m->offset, m->bytes, m->len);
            compare_hints(c, l, h, data, m->offset + m->len, "a magic number", "");
        }
        free(data);
    }
}

/* Checks an input, then corrupted ones as long as there is time. */
static void compare_variants(check *c, const brz_loaded *l, hinting *h, const check_sample *s)
{
    static check_mutate *const all[] = {check_mutate_bytes, check_mutate_lines, check_mutate_nuls,
                                        check_mutate_utf8, check_mutate_line_ends};
    compare_hints(c, l, h, s->data, s->len, s->name, "");
    for (size_t n = 0; n < (size_t)10 * BRZ_COUNT_OF(all) && check_goes_on(c, n); n++) {
        brz_buf to = {0}, how = {0};
        brz_buf_add_char(&how, ' ');
        all[n % BRZ_COUNT_OF(all)](s->data, s->len, &c->random, &to, &how);
        compare_hints(c, l, h, (const uint8_t *)to.data, to.len, s->name, brz_buf_text(&how));
        brz_buf_finish(&to);
        brz_buf_finish(&how);
    }
}

static void compare_all(check *c, size_t i, hinting *h)
{
    const brz_loaded *l = &c->file.components[i];
    const check_component *k = &c->subject->components[i];
    compare_with_data(c, l, h);
    for (size_t s = 0; s < k->n_samples; s++)
        compare_variants(c, l, h, &k->samples[s]);
}

void check_sniff_hints(check *c)
{
    hinting h = {.n = 0};
    if (!read_hints(c, &h)) {
        check_skip(c, "the plug-in has no hints");
        return;
    }
    h.input = brz_calloc(1, sizeof *h.input);
    check_guarded_buffer_init(&h.buffer, &c->guarded);
    for (size_t i = 0; i < c->file.n_components; i++)
        if (collapser_at(c, i) != NULL)
            compare_all(c, i, &h);
    check_guarded_buffer_finish(&h.buffer);
    free(h.input);
}

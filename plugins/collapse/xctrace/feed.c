/* SPDX-License-Identifier: MIT */
/* Converts bytes to elements with expat.
 *
 * Broken XML costs its row: the parser restarts at the next row and keeps the ids. A document that
 * follows another one has ids of its own.
 *
 * Protection against hostile documents: declarations of entities are rejected, so none is ever
 * expanded; the depth of elements is limited; tokens are no larger than the bytes fed at once,
 * which the host limits.
 */
#include "reader.h"

#include <brazier/symbol.h>

/* XML that surrounds rows. */
static const char around_rows[] = "<trace-query-result><node>";

/* ---- callbacks of expat
 * ----------------------------------------------------------------------- */

static void refuse(xctrace *x)
{
    x->refused = true;
    XML_StopParser(x->parser, XML_FALSE);
}

/* Returns whether a row is open that would be counted and has not been reported. */
static bool has_open_row(const xctrace *x)
{
    for (size_t i = 0; i < x->depth; i++)
        if (x->open[i].kind == ELEMENT_ROW)
            return !x->row.bad && is_wanted_table(x);
    return false;
}

static bool is_in_row(const xctrace *x)
{
    for (size_t i = 0; i < x->depth; i++)
        if (x->open[i].kind == ELEMENT_ROW)
            return true;
    return false;
}

/* Returns whether the innermost open element is a backtrace. */
static bool in_backtrace(const xctrace *x)
{
    return x->depth > 0 && x->open[x->depth - 1].kind == ELEMENT_BACKTRACE;
}

/* Returns whether a name is "frame" with a byte that is damaged or missing. */
static bool is_damaged_frame(brz_str name)
{
    static const char frame[] = "frame";
    size_t n = sizeof frame - 1, same = 0;
    while (same < name.len && name.data[same] == frame[same])
        same++;
    if (name.len == n && same < n)
        return memcmp(name.data + same + 1, frame + same + 1, n - same - 1) == 0;
    return name.len + 1 == n && memcmp(name.data + same, frame + same + 1, n - same - 1) == 0;
}

/* Reports an element of a backtrace whose name is damaged. */
static void check_name(xctrace *x, brz_str name)
{
    if (!in_backtrace(x) || !is_damaged_frame(name))
        return;
    report_here(x, "xctrace.frame", BRZ_STR("an element that is no frame: left out"));
    if (is_in_row(x))
        rows_choose_table(x);
}

static void XMLCALL on_start(void *user, const XML_Char *name, const XML_Char **pairs)
{
    xctrace *x = user;
    if (x->refused || x->is_nested || x->rc != BRZ_OK)
        return;
    if (x->depth == DEPTH_MAX) {
        report_rows_here(x, "xctrace.depth",
                         BRZ_STR("elements are nested more than 256 deep: left out"),
                         has_open_row(x));
        refuse(x);
        return;
    }
    element_attributes a = {.id = {NULL, 0}};
    element_kind kind = element_kind_of(brz_str_of_text(name));
    if ((kind == ELEMENT_ROW || kind == ELEMENT_NODE) && is_in_row(x)) {
        x->is_nested = true;
        x->nested_at = (int64_t)XML_GetCurrentByteIndex(x->parser);
        XML_StopParser(x->parser, XML_FALSE);
        return;
    }
    if (kind == ELEMENT_OTHER)
        check_name(x, brz_str_of_text(name));
    for (; element_matters(x, kind) && pairs[0] != NULL; pairs += 2) {
        brz_str *to = element_attribute(&a, brz_str_of_text(pairs[0]));
        if (to != NULL)
            *to = brz_str_of_text(pairs[1]);
    }
    element_start(x, kind, &a);
}

static void XMLCALL on_end(void *user, const XML_Char *name)
{
    xctrace *x = user;
    (void)name;
    if (x->refused || x->is_nested || x->rc != BRZ_OK)
        return;
    element_end(x);
    int64_t end = (int64_t)XML_GetCurrentByteIndex(x->parser) + XML_GetCurrentByteCount(x->parser);
    x->row_ended = end == x->base + (int64_t)x->len;
}

static void XMLCALL on_text(void *user, const XML_Char *s, int n)
{
    xctrace *x = user;
    brz_str text = brz_str_of(s, (size_t)n);
    if (x->refused || x->is_nested || x->rc != BRZ_OK)
        return;
    if (in_backtrace(x) && brz_trim(text).len > 0)
        report_here(x, "xctrace.text",
                    BRZ_STR("text among the frames of a backtrace: a frame may be missing"));
    element_text(x, text);
}

/* NOLINTNEXTLINE(readability-function-size): expat's signature */
static void XMLCALL on_entity(void *user, const XML_Char *name, int is_parameter,
                              const XML_Char *value, int value_length, const XML_Char *base,
                              const XML_Char *system_id, const XML_Char *public_id,
                              const XML_Char *notation)
{
    xctrace *x = user;
    (void)name, (void)is_parameter, (void)value, (void)value_length, (void)base;
    (void)system_id, (void)public_id, (void)notation;
    if (x->refused)
        return;
    report_here(x, "xctrace.entity", BRZ_STR("the document declares an entity: refused"));
    refuse(x);
}

static void set_up(xctrace *x)
{
    XML_SetUserData(x->parser, x);
    XML_SetElementHandler(x->parser, on_start, on_end);
    XML_SetCharacterDataHandler(x->parser, on_text);
    XML_SetEntityDeclHandler(x->parser, on_entity);
    XML_SetHashSalt(x->parser, (unsigned long)x->ctx->seed | 1);
    x->depth = 0;
    x->refused = x->is_nested = false;
}

void feed_init(xctrace *x)
{
    x->parser = XML_ParserCreate("UTF-8"); /* the host's encoding, whatever the document declares */
    if (x->parser == NULL) {
        brz_report(x->ctx, BRZ_FATAL, "xctrace.memory", NULL, 0, BRZ_STR("out of memory"));
        x->rc = BRZ_ERROR;
        return;
    }
    set_up(x);
}

/* ---- restarting ------------------------------------------------------------------------------ */

static void restart(xctrace *x)
{
    XML_ParserReset(x->parser, "UTF-8");
    set_up(x);
    x->base = 0;
    x->lost = false;
}

/* Changes the table to the last one that begins in the skipped text [from, at), if any. */
static void find_table(xctrace *x, const uint8_t *from, const uint8_t *at)
{
    static const char tag[] = "<schema name=\"";
    const size_t n = sizeof tag - 1;
    const uint8_t *name = NULL, *p = from;
    while ((p = memmem(p, (size_t)(at - p), tag, n)) != NULL)
        name = p += n;
    const uint8_t *quote = name == NULL ? NULL : memchr(name, '"', (size_t)(at - name));
    if (quote == NULL)
        return;
    x->schema.len = 0;
    brz_text_append(&x->schema, x->ctx, brz_str_of((const char *)name, (size_t)(quote - name)));
}

/* Restarts the parser at a row in the middle of a document, after the skipped text [from, at). */
static void restart_at_row(xctrace *x, const uint8_t *from, const uint8_t *at)
{
    const int n = (int)sizeof around_rows - 1;
    size_t schema_len = x->schema.len;
    restart(x);
    x->len = 0; /* no reports refer to these bytes */
    XML_Parse(x->parser, around_rows, n, XML_FALSE);
    x->base = n;
    x->schema.len = schema_len; /* `around_rows` has no schema */
    find_table(x, from, at);
}

static bool is_at(const uint8_t *p, const uint8_t *end, const char *what, size_t n)
{
    return (size_t)(end - p) >= n && memcmp(p, what, n) == 0;
}

static bool is_document(const uint8_t *p, const uint8_t *end)
{
    return is_at(p, end, "<?xml ", 6);
}

/* Recognises a row without attributes, the only form that xctrace writes. */
static bool is_row(const uint8_t *p, const uint8_t *end)
{
    return is_at(p, end, "<row>", 5);
}

/* Returns the next row or document, or NULL. */
static const uint8_t *find_beginning(const uint8_t *from, const uint8_t *end)
{
    for (const uint8_t *p = from; p < end; p++) {
        p = memchr(p, '<', (size_t)(end - p));
        if (p == NULL || is_row(p, end) || is_document(p, end))
            return p;
    }
    return NULL;
}

/* Restarts at the next row or document, from `from` on, and returns its position, or NULL without
 * one. The parser stopped at `stop`. */
static const uint8_t *recover(xctrace *x, const uint8_t *stop, const uint8_t *from,
                              const uint8_t *end)
{
    const uint8_t *at = find_beginning(from, end);
    if (at == NULL) {
        x->lost = true;
    } else if (is_document(at, end)) {
        restart(x);
        elements_forget(x);
    } else {
        restart_at_row(x, stop, at);
    }
    return at;
}

/* ---- lost rows ------------------------------------------------------------------------------- */

static const char end_of_row[] = "</row>";

/* Recognises a piece that ends with a row. */
static bool ends_row(const uint8_t *at, const uint8_t *end)
{
    const size_t n = sizeof end_of_row - 1;
    return (size_t)(end - at) >= n && memcmp(end - n, end_of_row, n) == 0;
}

/* Returns the number of rows of the piece [at, end) that are lost when the parser stops at `stop`:
 * the open row, or the one whose beginning is broken, too. */
static uint64_t count_lost(const xctrace *x, const uint8_t *at, const uint8_t *stop,
                           const uint8_t *end)
{
    for (size_t i = 0; i < x->depth; i++)
        if (x->open[i].kind == ELEMENT_ROW)
            return has_open_row(x);
    return stop < end && ends_row(at, end) && is_wanted_table(x) &&
           find_beginning(stop + 1, end) == NULL;
}

/* Reports the end of a row whose beginning is lost. */
static void report_lost_end(xctrace *x, const uint8_t *at, const uint8_t *end)
{
    const size_t n = sizeof end_of_row - 1;
    if (ends_row(at, end) && is_wanted_table(x))
        brz_report_lost_weight(x->ctx, "xctrace.row", end - n, n,
                               BRZ_STR("end of a row without its beginning: left out"), 1);
}

/* ---- feeding --------------------------------------------------------------------------------- */

/* True if the input ended without an element. */
static bool is_without_elements(const xctrace *x)
{
    return XML_GetErrorCode(x->parser) == XML_ERROR_NO_ELEMENTS;
}

/* Reports why the parser stopped, and the number of rows that are lost. */
static void report_stop(xctrace *x, uint64_t rows)
{
    enum XML_Error error = XML_GetErrorCode(x->parser);
    if (x->refused)
        return;
    if (x->is_nested) {
        int64_t at = x->nested_at - x->base;
        bool inside = at >= 0 && at <= (int64_t)x->len;
        brz_diag d = brz_diag_of(BRZ_WARNING, "xctrace.row", inside ? x->data + at : NULL, 0,
                                 BRZ_STR("the row above has no end: left out"));
        d.records = d.weighed = rows;
        d.missing = (int64_t)rows;
        x->ctx->host->diag(x->ctx, &d);
        return;
    }
    if (error == XML_ERROR_NO_MEMORY) {
        brz_report(x->ctx, BRZ_FATAL, "xctrace.memory", NULL, 0, BRZ_STR("out of memory"));
        x->rc = BRZ_ERROR;
        return;
    }
    if (is_without_elements(x)) { /* where expat stands then depends on its patch level */
        brz_report(x->ctx, BRZ_WARNING, "xctrace.xml", x->data + x->len, 0,
                   BRZ_STR("broken XML (no element found): left out up to the next row"));
        return;
    }
    brz_text *t = &x->scratch;
    const char *reason = XML_ErrorString(error);
    t->len = 0;
    brz_text_append(t, x->ctx, BRZ_STR("broken XML ("));
    brz_text_append(t, x->ctx, brz_str_of_text(reason));
    brz_text_append(t, x->ctx, BRZ_STR("): left out up to the next row"));
    report_rows_here(x, "xctrace.xml", brz_text_str(t), rows);
}

/* Returns whether the parser stopped at the beginning of another document, as in concatenated
 * exports. */
static bool is_at_document(const xctrace *x, const uint8_t *stop, const uint8_t *end)
{
    enum XML_Error error = XML_GetErrorCode(x->parser);
    bool follows = error == XML_ERROR_JUNK_AFTER_DOC_ELEMENT || error == XML_ERROR_MISPLACED_XML_PI;
    return follows && is_document(stop, end);
}

/* Chooses the table of an open row that is lost, if the row has a backtrace. */
static void choose_table(xctrace *x)
{
    bool has_backtrace = x->row.backtrace != NO_VALUE && x->row.backtrace != 0;
    for (size_t i = 0; i < x->depth; i++)
        has_backtrace |= x->open[i].kind == ELEMENT_BACKTRACE;
    if (is_in_row(x) && has_backtrace)
        rows_choose_table(x);
}

/* Returns whether a row is empty because it is a damaged "</row>": another tag follows that can
 * stand only after a row. */
static bool is_damaged_end(const uint8_t *row, const uint8_t *end)
{
    const uint8_t *p = row + strlen("<row>");
    while (p < end && brz_is_blank((char)*p))
        p++;
    return is_row(row, end) && (is_row(p, end) || is_at(p, end, "</", 2));
}

/* Size of the first slice given to the parser; each further slice is twice as long. expat copies
 * its input, so a piece in which every row is broken must not be passed as a whole for each of
 * them. */
#define FIRST_SLICE ((size_t)1 << 10)
#define LAST_SLICE  ((size_t)1 << 30)

/* Parses [at, end) in slices. Returns false if the parser stops within. */
static bool parse_slices(const xctrace *x, const uint8_t *at, const uint8_t *end, bool last)
{
    size_t slice = FIRST_SLICE;
    do {
        size_t left = (size_t)(end - at), n = left < slice ? left : slice;
        if (XML_Parse(x->parser, (const char *)at, (int)n, last && n == left) != XML_STATUS_OK)
            return false;
        at += n;
        slice = slice < LAST_SLICE ? 2 * slice : slice;
    } while (at < end);
    return true;
}

/* Feeds [at, end) up to the position at which the parser stops. Returns the position to continue
 * from, or NULL. */
static const uint8_t *feed_some(xctrace *x, const uint8_t *at, const uint8_t *end, bool last)
{
    x->data = at;
    x->len = (size_t)(end - at);
    x->row_ended = false;
    if (parse_slices(x, at, end, last)) {
        x->base += (int64_t)x->len;
        return NULL;
    }
    if (x->rc != BRZ_OK)
        return NULL;
    int64_t index = x->is_nested ? x->nested_at : (int64_t)XML_GetCurrentByteIndex(x->parser);
    int64_t stopped = index - x->base;
    if (is_without_elements(x))
        stopped = end - at;
    const uint8_t *stop = stopped < 0 || stopped > end - at ? at : at + stopped;
    if (is_at_document(x, stop, end))
        return recover(x, stop, stop, end);
    choose_table(x);
    report_stop(x, count_lost(x, at, stop, end));
    if (x->rc != BRZ_OK)
        return NULL;
    if (x->is_nested && is_damaged_end(stop, end))
        return recover(x, stop, stop + 1, end);
    if (x->is_nested || (stop > at && is_row(stop, end))) /* the damage is in front of this row */
        return recover(x, stop, stop, end);
    return recover(x, stop, stop < end ? stop + 1 : end, end);
}

/* Feeds a piece; the division into pieces does not depend on that of the input. */
static void feed_piece(xctrace *x, const uint8_t *at, const uint8_t *end, bool last)
{
    if (x->row_ended && fast_path_row(x, at, end))
        return;
    if (x->lost) {
        const uint8_t *found = recover(x, at, at, end);
        if (found == NULL)
            report_lost_end(x, at, end);
        at = found;
    }
    while (x->rc == BRZ_OK && at != NULL)
        at = feed_some(x, at, end, last);
}

/* Text after a position that a report about it may show. */
#define SHOWN 256

size_t feed_rows(xctrace *x, const uint8_t *data, size_t len, bool last)
{
    const size_t n = sizeof end_of_row - 1;
    const uint8_t *at = data, *end = data + len, *stop;
    for (; x->rc == BRZ_OK; at = stop) {
        if (x->row_ended && is_among_rows(x))
            at = row_templates_read(x, at, end, SHOWN);
        stop = memmem(at, (size_t)(end - at), end_of_row, n);
        if (x->rc != BRZ_OK || stop == NULL)
            break;
        stop += n;
        if (!last && end - stop < SHOWN && memchr(stop, '\n', (size_t)(end - stop)) == NULL)
            break;
        feed_piece(x, at, stop, false);
    }
    return (size_t)(at - data);
}

void feed_rest(xctrace *x, const uint8_t *data, size_t len)
{
    if (x->rc == BRZ_OK)
        feed_piece(x, data, data + len, true);
}

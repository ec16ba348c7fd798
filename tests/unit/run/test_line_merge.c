/* Tests the merge of sorted texts line by line: reading in pieces, long lines, texts that are not
 * plain. */
#include "unit.h"

#include "run/folded_lines.h"
#include "run/line_merge.h"

#define TEXTS_MAX 4

/* Texts that are read in pieces, and the result. */
typedef struct source {
    const char *texts[TEXTS_MAX];
    size_t at[TEXTS_MAX], size[TEXTS_MAX];
    size_t piece; /* largest number of bytes to give at a time; 0: reading fails */
} source;

typedef struct target {
    brz_sink sink; /* must be first */
    char text[512];
    size_t n;
    bool fails;
} target;

static size_t read_piece(void *context, uint32_t i, char *to, size_t n, bool *is_ended)
{
    source *s = context;
    size_t left = s->size[i] - s->at[i];
    n = n < s->piece ? n : s->piece;
    n = n < left ? n : left;
    memcpy(to, s->texts[i] + s->at[i], n);
    s->at[i] += n;
    *is_ended = s->piece > 0 && s->at[i] == s->size[i];
    return n;
}

static brz_rc write_text(brz_sink *sink, const void *data, size_t len)
{
    target *t = (target *)sink;
    if (t->fails)
        return BRZ_ERROR;
    assert_true(len < sizeof t->text - t->n);
    memcpy(t->text + t->n, data, len);
    t->n += len;
    t->text[t->n] = '\0';
    return BRZ_OK;
}

/* Merges the texts. Returns whether they can be read and are plain. */
static bool merge(source *s, target *t, bool compares, uint64_t most)
{
    brz_line_merge m;
    atomic_bool stop = false;
    uint32_t n = 0;
    bool is_written = true;
    t->sink.write = write_text;
    t->n = 0;
    t->text[0] = '\0';
    while (n < TEXTS_MAX && s->texts[n] != NULL)
        n++;
    brz_line_merge_init(&m, n);
    m.reader = (brz_line_reader){.read = read_piece, .context = s};
    m.stop = &stop;
    m.checks = true;
    m.most = most;
    m.compares = compares;
    for (uint32_t i = 0; i < n; i++) {
        s->at[i] = 0;
        s->size[i] = strlen(s->texts[i]);
        brz_line_merge_add_read(&m, i, 2);
    }
    bool good = brz_line_merge_write(&m, &t->sink, &is_written);
    assert_int_equal(is_written, !t->fails);
    brz_line_merge_finish(&m);
    return good;
}

static void counts_are_added_for_any_size_of_pieces(void **state)
{
    (void)state;
    target t = {.n = 0};
    source s = {.texts = {"a 1\na;b 2\nc;d;e 3\n", "a;b 5\n", "a;bb 7\nc;d 1\nc;d;e 10\n"}};
    for (s.piece = 1; s.piece < 30; s.piece++) {
        assert_true(merge(&s, &t, false, UINT64_MAX));
        assert_string_equal(t.text, "a 1\na;b 7\na;bb 7\nc;d 1\nc;d;e 13\n");
    }
}

static void counts_of_two_texts_are_compared(void **state)
{
    (void)state;
    target t = {.n = 0};
    source s = {.texts = {"a 1\nb 2\n", "b 5\nc 9\n"}, .piece = 3};
    assert_true(merge(&s, &t, true, UINT64_MAX));
    assert_string_equal(t.text, "a 1 0\nb 2 5\nc 0 9\n");
}

static void lines_that_are_not_plain_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"a 1\nb 2\na 3\n", "a 1\na 1\n",  "a 1\nb",      "a 1\nb 1",
                                      "a 1\nb x\n",      "a 1\n;b 1\n", "\n",          "a 1\n\n",
                                      "a 1\nb;;c 1\n",   "a 1\nb 0\n",  "a 1\nb 1.5\n"};
    target t = {.n = 0};
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        for (size_t piece = 1; piece < 12; piece++) {
            source s = {.texts = {"a 1\nz 1\n", bad[i]}, .piece = piece};
            assert_false(merge(&s, &t, false, UINT64_MAX));
        }
}

static void a_sum_that_is_too_large_is_refused(void **state)
{
    (void)state;
    target t = {.n = 0};
    source s = {.texts = {"a 5\n", "a 6\n"}, .piece = 9};
    assert_true(merge(&s, &t, false, 11));
    assert_string_equal(t.text, "a 11\n");
    assert_false(merge(&s, &t, false, 10));
}

static void errors_end_the_merge(void **state)
{
    (void)state;
    target t = {.n = 0};
    source s = {.texts = {"a 5\n"}, .piece = 0};
    assert_false(merge(&s, &t, false, UINT64_MAX));
    s.piece = 9;
    t.fails = true;
    assert_true(merge(&s, &t, false, UINT64_MAX));
    assert_int_equal(t.n, 0);
}

static void a_merge_that_is_to_end_reads_nothing(void **state)
{
    (void)state;
    target t = {.sink = {.write = write_text}};
    atomic_bool stop = true;
    bool is_written = true;
    source s = {.texts = {"a 5\n"}, .size = {4}, .piece = 9};
    brz_line_merge m;
    brz_line_merge_init(&m, 1);
    m.reader = (brz_line_reader){.read = read_piece, .context = &s};
    m.stop = &stop;
    brz_line_merge_add_read(&m, 0, 9);
    assert_false(brz_line_merge_write(&m, &t.sink, &is_written));
    assert_int_equal(s.at[0], 0);
    assert_int_equal(t.n, 0);
    brz_line_merge_finish(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_added_for_any_size_of_pieces),
        cmocka_unit_test(counts_of_two_texts_are_compared),
        cmocka_unit_test(lines_that_are_not_plain_are_refused),
        cmocka_unit_test(a_sum_that_is_too_large_is_refused),
        cmocka_unit_test(errors_end_the_merge),
        cmocka_unit_test(a_merge_that_is_to_end_reads_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Tests the text kit, <brazier/text.h>: vector code gives the results of byte-by-byte code and
 * reads nothing beyond the slack. Built twice, the second time without vector instructions. */
#include "unit.h"

#include <brazier/output.h>
#include <brazier/palette.h>
#include <brazier/text.h>
#include <brazier/xml.h>

/* ---- chunks ---------------------------------------------------------------------------------- */

typedef struct piece {
    char *memory, *text;
    size_t len;
} piece;

static piece piece_of(const char *text, size_t len)
{
    piece p = {.memory = calloc(BRZ_SLACK_FRONT + len + BRZ_SLACK_BACK, 1), .len = len};
    assert_non_null(p.memory);
    memset(p.memory, ';', BRZ_SLACK_FRONT); /* these bytes must not matter */
    memset(p.memory + BRZ_SLACK_FRONT + len, ';', BRZ_SLACK_BACK);
    p.text = p.memory + BRZ_SLACK_FRONT;
    memcpy(p.text, text, len);
    return p;
}

static piece random_piece(dice *d, const char *alphabet, size_t longest)
{
    char *text = malloc(longest + 1);
    piece p = piece_of(text, roll_text(d, alphabet, longest, text));
    free(text);
    return p;
}

/* ---- newlines and lines ---------------------------------------------------------------------- */

static void newlines_are_found_wherever_they_are(void **state)
{
    (void)state;
    dice d = {11};
    for (int round = 0; round < 400; round++) {
        piece p = random_piece(&d, round % 2 ? "a\n" : "abcdefghijklmnop\n", 600);
        uint32_t *want = calloc(p.len + BRZ_NEWLINE_SPARE, sizeof *want),
                 *got = calloc(p.len + BRZ_NEWLINE_SPARE, sizeof *got);
        size_t n = 0;
        for (size_t i = 0; i < p.len; i++)
            if (p.text[i] == '\n')
                want[n++] = (uint32_t)i;
        assert_int_equal(brz_newlines_best()((const uint8_t *)p.text, p.len, got), n);
        assert_memory_equal(got, want, n * sizeof *want);
        assert_int_equal(brz_newlines_portable((const uint8_t *)p.text, p.len, got), n);
        assert_memory_equal(got, want, n * sizeof *want);
        free(want);
        free(got);
        free(p.memory);
    }
}

/* Tests lines of all lengths, some longer than a block of the index. */
static void lines_come_one_by_one_and_the_rest_has_no_newline(void **state)
{
    (void)state;
    bench b;
    dice d = {12};
    bench_open(&b);
    for (int round = 0; round < 30; round++) {
        size_t longest = round % 3 == 0 ? 300000 : 5000;
        piece p =
            random_piece(&d, round % 2 ? "abc\n" : "abcdefghijklmnopqrstuvwxyz0123456789", longest);
        brz_lines lines;
        brz_str line;
        const char *at = p.text, *end = p.text + p.len;
        brz_lines_init(&lines, b.ctx);
        brz_lines_start(&lines, (const uint8_t *)p.text, p.len);
        while (brz_lines_next(&lines, &line)) {
            const char *stop = memchr(at, '\n', (size_t)(end - at));
            assert_non_null(stop);
            assert_ptr_equal(line.data, at);
            assert_int_equal(line.len, stop - at);
            at = stop + 1;
        }
        assert_null(at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL);
        assert_int_equal(brz_lines_rest(&lines).len, end - at);
        free(p.memory);
    }
    bench_close(&b);
}

/* Tests runs of empty lines of any length, across blocks of the index and up to the end. */
static void empty_lines_are_passed_over(void **state)
{
    (void)state;
    static const size_t runs[] = {0,     1, 2, 63, 64, 65, BRZ_LINES_BLOCK - 2, BRZ_LINES_BLOCK,
                                  150000};
    bench b;
    bench_open(&b);
    for (size_t r = 0; r < COUNT_OF(runs); r++)
        for (int ended = 0; ended < 2; ended++) {
            size_t n = runs[r];
            char *text = malloc(n + 6);
            memcpy(text, "a\n", 2);
            memset(text + 2, '\n', n);
            memcpy(text + 2 + n, "bc\n", 3);
            piece p = piece_of(text, 2 + n + (ended ? 0 : 3));
            brz_lines lines;
            brz_str line;
            brz_lines_init(&lines, b.ctx);
            brz_lines_start(&lines, (const uint8_t *)p.text, p.len);
            assert_true(brz_lines_next(&lines, &line));
            brz_lines_skip_empty(&lines);
            assert_ptr_equal(brz_lines_rest(&lines).data, p.text + 2 + n);
            assert_int_equal(brz_lines_next(&lines, &line), !ended);
            if (!ended)
                assert_text(line, "bc");
            free(text);
            free(p.memory);
        }
    bench_close(&b);
}

static void a_sniffer_gets_whole_lines_and_the_last_one_only_if_it_is_all_there(void **state)
{
    (void)state;
    static const struct {
        const char *text, *whole;
    } cases[] = {
        {"a\nb\n", "a\nb\n"}, {"a\nb", "a\n"}, {"a", ""}, {"", ""}, {"\n", "\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_head head = {.struct_size = sizeof head,
                         .data = (const uint8_t *)cases[i].text,
                         .len = strlen(cases[i].text)};
        assert_text(brz_head_lines(&head), cases[i].whole);
        head.flags = BRZ_CHUNK_LAST;
        assert_text(brz_head_lines(&head), cases[i].text);
    }
}

static void a_line_begins_at_the_start_and_after_each_newline(void **state)
{
    (void)state;
    static const char text[] = "ab\n\ncd";
    static const size_t starts[] = {0, 3, 3, 3, 4, 6, 6, 6};
    for (size_t from = 0; from < COUNT_OF(starts); from++)
        assert_int_equal(brz_line_start((const uint8_t *)text, 6, from), starts[from]);
    assert_int_equal(brz_line_start(NULL, 0, 0), 0);
}

/* ---- beginnings and ends ----------------------------------------------------------------- */

static void common_beginnings_and_ends_are_measured(void **state)
{
    (void)state;
    dice d = {13};
    for (int round = 0; round < 3000; round++) {
        piece a = random_piece(&d, "ab", 150), b = random_piece(&d, "ab", 150);
        size_t n = a.len < b.len ? a.len : b.len, alike = roll_below(&d, n + 1);
        if (round % 2 == 0)
            memcpy(b.text, a.text, alike);
        else
            memcpy(b.text + b.len - alike, a.text + a.len - alike, alike);
        size_t begins = 0, ends = 0;
        while (begins < n && a.text[begins] == b.text[begins])
            begins++;
        while (ends < n && a.text[a.len - 1 - ends] == b.text[b.len - 1 - ends])
            ends++;
        const char *a_end = a.text + a.len, *b_end = b.text + b.len;
        assert_int_equal(brz_prefix_best()(a.text, b.text, n), begins);
        assert_int_equal(brz_prefix_portable(a.text, b.text, n), begins);
        assert_int_equal(brz_suffix_best()(a_end, b_end, n), ends);
        assert_int_equal(brz_suffix_portable(a_end, b_end, n), ends);
        free(a.memory);
        free(b.memory);
    }
}

static void the_last_of_a_byte_is_found(void **state)
{
    (void)state;
    dice d = {14};
    for (int round = 0; round < 2000; round++) {
        piece p = random_piece(&d, "abcdefgh;", 200);
        const char *end = p.text + p.len;
        const char *want = brz_rfind(brz_str_of(p.text, p.len), ';');
        assert_ptr_equal(brz_rfind_near(p.text, end, ';'), want);
        size_t from = roll_below(&d, p.len + 1);
        const char *near = want != NULL && want >= p.text + from ? want : NULL;
        assert_ptr_equal(brz_rfind_near(p.text + from, end, ';'), near);
        free(p.memory);
    }
}

static void hex_digits_are_distinguished_from_all_other_bytes(void **state)
{
    (void)state;
    for (int c = 0; c < 256; c++)
        for (size_t at = 0; at < 18; at++) {
            char text[18];
            memset(text, 'f', sizeof text);
            text[at] = (char)c;
            bool is_hex = c != 0 && strchr("0123456789abcdefABCDEF", c) != NULL;
            piece p = piece_of(text, sizeof text);
            for (size_t n = 0; n <= sizeof text; n++)
                assert_int_equal(brz_all_hex_near(p.text, n), n <= at || is_hex);
            free(p.memory);
        }
}

static void blanks_are_trimmed_at_both_ends(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", ""},
        {" ", ""},
        {"                    ", ""},
        {"a", "a"},
        {"  a b  ", "a b"},
        {"\t\r\na\v\f", "a"},
        {"                 a                 ", "a"},
        {"\302\240a\302\205", "a"},
        {"\343\200\200\342\200\203a\342\200\250\341\232\200", "a"},
        {"\342\200\213a", "\342\200\213a"},
        {"a\240", "a\240"},
        {"        \303\244        ", "\303\244"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char *text = exact_copy(cases[i][0], strlen(cases[i][0]));
        assert_text(brz_trim(brz_str_of(text, strlen(cases[i][0]))), cases[i][1]);
        free(text);
    }
}

/* ---- names in XML ------------------------------------------------------------------------ */

static void names_that_xml_must_escape_are_recognised(void **state)
{
    (void)state;
    for (int c = 0; c < 256; c++)
        for (size_t len = 1; len < 40; len++)
            for (size_t at = 0; at < len; at++) {
                char name[40];
                memset(name, 'x', len);
                name[at] = (char)c;
                char *exact = exact_copy(name, len);
                bool clean = c >= 0x20 && c != 0x7f && c != 0xef &&
                             (c >= 0x80 || strchr("&<>\"'", c) == NULL);
                assert_int_equal(brz_is_xml_clean(brz_str_of(exact, len)), clean);
                assert_int_equal(brz_is_xml_clean_portable(brz_str_of(exact, len)), clean);
                for (size_t from = 0; from <= len; from += 5)
                    assert_int_equal(brz_xml_clean_end(brz_str_of(exact, len), from),
                                     clean || from > at ? len : at);
                free(exact);
            }
}

/* ---- numbers ----------------------------------------------------------------------------- */

static void numbers_are_written_as_printf_writes_them(void **state)
{
    (void)state;
    dice d = {15};
    char got[2 * BRZ_NUMBER_ROOM], want[2 * BRZ_NUMBER_ROOM];
    for (int round = 0; round < 200000; round++) {
        uint64_t v = round < 12000 ? (uint64_t)round : roll(&d) >> roll_below(&d, 64);
        *brz_format_u64(got, v) = '\0';
        snprintf(want, sizeof want, "%llu", (unsigned long long)v);
        assert_string_equal(got, want);
        *brz_format_i64(got, -(int64_t)(v >> 1)) = '\0';
        snprintf(want, sizeof want, "%lld", -(long long)(v >> 1));
        assert_string_equal(got, want);
        double share = (double)(v % 3000000) / (round % 2 ? 30000.0 : 7777.0);
        for (uint32_t decimals = 0; decimals <= 9; decimals++) {
            *brz_format_fixed(got, share, decimals) = '\0';
            snprintf(want, sizeof want, "%.*f", (int)decimals, share);
            assert_string_equal(got, want);
        }
    }
}

/* ---- frames ------------------------------------------------------------------------------ */

/* Tests names of all lengths, many more than the first table can hold. */
static void the_cache_of_frames_gives_back_what_was_put_under_the_same_text_and_context(
    void **state)
{
    (void)state;
    enum { N = 6000 };
    bench b;
    brz_frame_cache cache;
    bench_open(&b);
    brz_frame_cache_init(&cache, b.ctx);
    for (int pass = 0; pass < 2; pass++) {
        dice d = {16};
        for (uint32_t i = 0; i < N; i++) {
            char name[200];
            int n = snprintf(name, sizeof name, "%u:", i / 2);
            size_t len = (size_t)n + roll_below(&d, i % 5 == 0 ? 150 : 40);
            memset(name + n, 'x', len - (size_t)n);
            piece p = piece_of(name, len);
            brz_frame_key key = brz_frame_key_of(&cache, p.text, len, i % 2);
            uint32_t found = brz_frame_cache_find(&cache, &key);
            assert_int_equal(found, pass == 0 ? BRZ_CACHE_MISS : i);
            if (pass == 0)
                brz_frame_cache_put(&cache, b.ctx, &key, i);
            if (len >
                33) { /* a different byte in the middle or at the end makes a different text */
                p.text[len - 1 - roll_below(&d, len - 33)] ^= 1;
                key = brz_frame_key_of(&cache, p.text, len, i % 2);
                assert_int_equal(brz_frame_cache_find(&cache, &key), BRZ_CACHE_MISS);
            }
            free(p.memory);
        }
    }
    bench_close(&b);
}

/* ---- growing texts and lists ------------------------------------------------------------- */

static void a_text_keeps_what_it_has_when_it_grows_and_can_be_read_past_its_end(void **state)
{
    (void)state;
    bench b;
    brz_text text = {0};
    char want[4000] = "";
    bench_open(&b);
    for (int i = 0; i < 500; i++) {
        char word[20];
        snprintf(word, sizeof word, "%d;", i);
        strcat(want, word);
        brz_text_append(&text, b.ctx, str_of(word));
        brz_text_append(&text, b.ctx, brz_str_of(NULL, 0));
        assert_true(text.cap - text.len >= 32);
    }
    assert_text(brz_text_str(&text), want);
    bench_close(&b);
}

static void a_kept_text_is_a_terminated_copy(void **state)
{
    (void)state;
    bench b;
    char word[] = "word and more";
    bench_open(&b);
    brz_str kept = brz_text_keep(b.ctx, brz_str_of(word, 4));
    memset(word, 'x', sizeof word);
    assert_text(kept, "word");
    assert_int_equal(kept.data[4], '\0');
    kept = brz_text_keep(b.ctx, brz_str_of(NULL, 0));
    assert_int_equal(kept.len, 0);
    assert_string_equal(kept.data, "");
    bench_close(&b);
}

static void a_list_keeps_its_elements_when_it_grows(void **state)
{
    (void)state;
    bench b;
    uint64_t *items = NULL;
    brz_frame_list frames = {0};
    size_t cap = 0;
    bench_open(&b);
    for (uint32_t i = 0; i < 3000; i++) {
        items = brz_list_room(b.ctx, items, i, &cap, sizeof *items);
        assert_true(cap > i);
        items[i] = UINT64_C(7) * i;
        brz_frame_list_push(&frames, b.ctx, i);
    }
    for (uint32_t i = 0; i < 3000; i++)
        if (items[i] != UINT64_C(7) * i || frames.ids[i] != i)
            fail_msg("%u", i);
    assert_int_equal(frames.n, 3000);
    bench_close(&b);
}

/* Memory of an output's instance. */
static unsigned char memory_of_output[1 << 16];
static size_t used_of_output;

static void *alloc_for_output(brz_output_ctx *ctx, size_t size, size_t align)
{
    void *block = memory_of_output + used_of_output;
    (void)ctx;
    (void)align;
    used_of_output += (size + 15) / 16 * 16;
    assert_true(used_of_output <= sizeof memory_of_output);
    return block;
}

static void outputs_have_lists_and_copies_of_texts(void **state)
{
    (void)state;
    brz_output_host of_output = {.alloc = alloc_for_output};
    brz_output_ctx output = {.host = &of_output};
    uint32_t *drawn = NULL;
    size_t cap_drawn = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        drawn = brz_output_list_room(&output, drawn, i, &cap_drawn, sizeof *drawn);
        drawn[i] = i;
    }
    for (uint32_t i = 0; i < 1000; i++)
        if (drawn[i] != i)
            fail_msg("%u", i);
    assert_string_equal("ab", brz_output_keep(&output, brz_str_of("abc", 2)).data);
}

static void counts_between_begin_and_end_are_one_sample(void **state)
{
    (void)state;
    brz_count batch[5];
    brz_stacks s = {.batch = batch};
    const brz_stacks_entry e = {.n = 0};
    brz_stacks_place(&s, 3, BRZ_TIMED, -1);
    brz_stacks_send(&s, NULL, &e, 1);
    brz_stacks_begin_sample(&s);
    brz_stacks_send(&s, NULL, &e, 2);
    brz_stacks_send(&s, NULL, &e, 3);
    brz_stacks_send(&s, NULL, &e, 4);
    brz_stacks_end_sample(&s);
    brz_stacks_send(&s, NULL, &e, 5);
    const uint32_t same = BRZ_TIMED | BRZ_SAME_SAMPLE;
    const uint32_t flags[] = {BRZ_TIMED, BRZ_TIMED, same, same, BRZ_TIMED};
    for (size_t i = 0; i < COUNT_OF(flags); i++)
        assert_true(batch[i].flags == flags[i] && batch[i].time == -1 && batch[i].tag == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newlines_are_found_wherever_they_are),
        cmocka_unit_test(lines_come_one_by_one_and_the_rest_has_no_newline),
        cmocka_unit_test(empty_lines_are_passed_over),
        cmocka_unit_test(a_sniffer_gets_whole_lines_and_the_last_one_only_if_it_is_all_there),
        cmocka_unit_test(a_line_begins_at_the_start_and_after_each_newline),
        cmocka_unit_test(common_beginnings_and_ends_are_measured),
        cmocka_unit_test(the_last_of_a_byte_is_found),
        cmocka_unit_test(hex_digits_are_distinguished_from_all_other_bytes),
        cmocka_unit_test(blanks_are_trimmed_at_both_ends),
        cmocka_unit_test(names_that_xml_must_escape_are_recognised),
        cmocka_unit_test(numbers_are_written_as_printf_writes_them),
        cmocka_unit_test(a_text_keeps_what_it_has_when_it_grows_and_can_be_read_past_its_end),
        cmocka_unit_test(a_kept_text_is_a_terminated_copy),
        cmocka_unit_test(a_list_keeps_its_elements_when_it_grows),
        cmocka_unit_test(
            the_cache_of_frames_gives_back_what_was_put_under_the_same_text_and_context),
        cmocka_unit_test(outputs_have_lists_and_copies_of_texts),
        cmocka_unit_test(counts_between_begin_and_end_are_one_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests the sink that holds back the first bytes of an output. */
#include "unit.h"

#include "run/held_sink.h"

/* Stores what is written to it, unless it refuses or fails. */
typedef struct target {
    brz_sink sink; /* must be first */
    char text[64];
    size_t n;
    unsigned n_released;
    bool refuses, fails;
} target;

static brz_rc write_text(brz_sink *sink, const void *data, size_t len)
{
    target *t = (target *)sink;
    if (t->fails)
        return BRZ_ERROR;
    assert_true(len <= sizeof t->text - t->n);
    memcpy(t->text + t->n, data, len);
    t->n += len;
    return BRZ_OK;
}

static brz_sink *release(void *context)
{
    target *t = context;
    t->n_released++;
    return t->refuses ? NULL : &t->sink;
}

static brz_rc put(brz_held_sink *s, const char *text)
{
    return s->sink.write(&s->sink, text, strlen(text));
}

static void bytes_are_held_back_up_to_the_limit(void **state)
{
    (void)state;
    target t = {.sink = {.write = write_text}};
    brz_held_sink s;
    brz_held_sink_init(&s, 4, release, &t);
    assert_int_equal(put(&s, "ab"), BRZ_OK);
    assert_int_equal(put(&s, "cd"), BRZ_OK);
    assert_int_equal(t.n, 0);
    assert_int_equal(t.n_released, 0);
    assert_true(brz_held_sink_release(&s, &t.sink));
    assert_int_equal(put(&s, "e"), BRZ_OK);
    assert_int_equal(t.n, 5);
    assert_memory_equal(t.text, "abcde", 5);
    assert_int_equal(t.n_released, 0);
    brz_held_sink_finish(&s);
}

static void more_bytes_release_them_once(void **state)
{
    (void)state;
    target t = {.sink = {.write = write_text}};
    brz_held_sink s;
    brz_held_sink_init(&s, 4, release, &t);
    assert_int_equal(put(&s, "abc"), BRZ_OK);
    assert_int_equal(put(&s, "de"), BRZ_OK);
    assert_int_equal(put(&s, "f"), BRZ_OK);
    assert_int_equal(t.n_released, 1);
    assert_int_equal(t.n, 6);
    assert_memory_equal(t.text, "abcdef", 6);
    brz_held_sink_finish(&s);
}

static void refused_bytes_are_not_written(void **state)
{
    (void)state;
    target t = {.sink = {.write = write_text}, .refuses = true};
    brz_held_sink s;
    brz_held_sink_init(&s, 4, release, &t);
    assert_int_equal(put(&s, "abcde"), BRZ_ERROR);
    assert_int_equal(t.n, 0);
    brz_held_sink_finish(&s);
}

static void a_sink_that_fails_is_reported(void **state)
{
    (void)state;
    target t = {.sink = {.write = write_text}, .fails = true};
    brz_held_sink s;
    brz_held_sink_init(&s, 4, release, &t);
    assert_int_equal(put(&s, "abc"), BRZ_OK);
    assert_int_equal(put(&s, "de"), BRZ_ERROR);
    assert_non_null(s.to);
    brz_held_sink_finish(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_held_back_up_to_the_limit),
        cmocka_unit_test(more_bytes_release_them_once),
        cmocka_unit_test(refused_bytes_are_not_written),
        cmocka_unit_test(a_sink_that_fails_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

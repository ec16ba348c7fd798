/* SPDX-License-Identifier: MIT */
/* Tests allocation functions, which return memory or end the program. */
#include "unit.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"

static void allocating_zero_bytes_returns_memory(void **state)
{
    (void)state;
    void *p = brz_calloc(0, 0);
    assert_non_null(p);
    free(p);
    assert_null(brz_realloc(NULL, 0, 8));
    assert_null(brz_realloc(malloc(4), 0, 8));
    p = brz_malloc(0);
    assert_non_null(p);
    free(p);
}

static void pages_are_zeroed_whatever_their_number(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 4096, 100000, (size_t)4 << 20, ((size_t)9 << 20) + 1};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        unsigned char *p = brz_pages_alloc(sizes[i]);
        assert_int_equal(p[0] + p[sizes[i] / 2] + p[sizes[i] - 1], 0);
        p[0] = p[sizes[i] - 1] = 1;
        brz_pages_free(p, sizes[i]);
        unsigned char *q = brz_calloc(sizes[i], 1);
        assert_int_equal(q[0] + q[sizes[i] - 1], 0);
        q = brz_realloc(q, 2 * sizes[i], 1);
        assert_int_equal(q[0], 0);
        free(q);
    }
}

static void a_table_is_zeroed_whatever_its_size(void **state)
{
    (void)state;
    static const size_t sizes[] = {8, 16383, 16384, 20001, ((size_t)9 << 20) + 1};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        unsigned char *p = brz_table_alloc(sizes[i]);
        for (size_t at = 0; at < sizes[i]; at++)
            assert_int_equal(p[at], 0);
        memset(p, 1, sizes[i]);
        brz_table_free(p, sizes[i]);
    }
    brz_table_free(NULL, 0);
}

static void a_growing_array_keeps_its_elements(void **state)
{
    (void)state;
    uint32_t *array = NULL;
    size_t cap = 0;
    for (uint32_t i = 0; i < 10000; i++) {
        array = brz_grow(array, i, &cap, sizeof *array);
        assert_true(cap > i);
        array[i] = i * 7;
    }
    for (uint32_t i = 0; i < 10000; i++)
        assert_int_equal(array[i], i * 7);
    free(array);
}

static void a_copy_is_terminated(void **state)
{
    (void)state;
    char *copy = brz_memdup("abc", 2);
    assert_string_equal(copy, "ab");
    free(copy);
    copy = brz_memdup(NULL, 0);
    assert_string_equal(copy, "");
    free(copy);
}

/* Runs `work` in a child with stderr in a pipe. Returns its exit status, or the negative number of
 * the signal that ended it, and stores its message. */
static int exit_status(void (*work)(void), char *message, size_t size)
{
    int status, ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        signal(SIGABRT, SIG_DFL);
        work();
        _exit(0);
    }
    close(ends[1]);
    ssize_t n = read(ends[0], message, size - 1);
    message[n > 0 ? n : 0] = '\0';
    if (strncmp(message, "qemu: ", 6) == 0) /* the emulator reports the signal */
        message[0] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void ask_for_too_many(void)
{
    free(brz_realloc(NULL, SIZE_MAX / 2, 3));
}

static void a_product_that_overflows_ends_the_program(void **state)
{
    (void)state;
    char message[200];
    assert_int_equal(exit_status(ask_for_too_many, message, sizeof message), -SIGABRT);
    assert_string_equal(message, "");
}

static void leave(size_t wanted)
{
    _exit(wanted == SIZE_MAX ? 42 : 1);
}

static void ask_for_too_many_and_leave(void)
{
    brz_set_out_of_memory(leave);
    ask_for_too_many();
}

static void the_program_can_set_a_handler_for_exhausted_memory(void **state)
{
    (void)state;
    char message[200];
    assert_int_equal(exit_status(ask_for_too_many_and_leave, message, sizeof message), 42);
    assert_string_equal(message, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocating_zero_bytes_returns_memory),
        cmocka_unit_test(pages_are_zeroed_whatever_their_number),
        cmocka_unit_test(a_table_is_zeroed_whatever_its_size),
        cmocka_unit_test(a_growing_array_keeps_its_elements),
        cmocka_unit_test(a_copy_is_terminated),
        cmocka_unit_test(a_product_that_overflows_ends_the_program),
        cmocka_unit_test(the_program_can_set_a_handler_for_exhausted_memory),
    };
    return cmocka_run_group_tests_name("mem", tests, NULL, NULL);
}

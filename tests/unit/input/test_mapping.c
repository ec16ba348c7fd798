/* SPDX-License-Identifier: MIT */
/* Tests mapped files: slack around them, and files that become shorter. */
#include "unit.h"

#include <brazier/collapser.h>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "input/mapping.h"

typedef struct place {
    char *folder, *path;
    int fd;
    size_t page;
    brz_mapping mapping;
} place;

/* Maps a file of `n` bytes 'x'. */
static void place_make(place *p, size_t n)
{
    p->page = (size_t)sysconf(_SC_PAGESIZE);
    p->folder = folder_make();
    p->path = path_in(p->folder, "file");
    FILE *f = fopen(p->path, "w");
    for (size_t i = 0; i < n; i++)
        fputc('x', f);
    assert_int_equal(fclose(f), 0);
    p->fd = open(p->path, O_RDONLY);
    assert_true(p->fd >= 0);
    assert_true(brz_mapping_init(&p->mapping, p->fd, n));
    assert_int_equal(n, p->mapping.len);
}

static void place_remove(place *p)
{
    brz_mapping_finish(&p->mapping);
    close(p->fd);
    free(p->path);
    folder_remove(p->folder);
}

static void rescue(int sig, siginfo_t *info, void *context)
{
    (void)sig;
    (void)context;
    if (!brz_mapping_rescue(info->si_addr))
        _exit(1);
}

static void bytes_around_the_file_are_readable(void **state)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t sizes[] = {1, page - 64, page - 63, page - 1, page, page + 1, 3 * page};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        place p;
        volatile uint8_t sum = 0;
        place_make(&p, sizes[i]);
        for (const uint8_t *at = p.mapping.data - BRZ_SLACK_FRONT;
             at < p.mapping.data + p.mapping.len + BRZ_SLACK_BACK; at++)
            sum = (uint8_t)(sum + *at);
        assert_int_equal('x', p.mapping.data[0]);
        assert_int_equal('x', p.mapping.data[sizes[i] - 1]);
        assert_false(brz_mapping_is_cut(&p.mapping, p.fd));
        place_remove(&p);
    }
}

/* Skips a test under valgrind, which repeats a faulting instruction with registers of its own
 * unless it runs with --vex-iropt-register-updates=allregs-at-mem-access. */
static void need_exact_faults(void)
{
    skip_under_valgrind();
}

static void a_file_that_becomes_shorter_is_rescued(void **state)
{
    struct sigaction action = {.sa_sigaction = rescue, .sa_flags = SA_SIGINFO}, before;
    place p, other;
    (void)state;
    need_exact_faults();
    place_make(&p, 4 * (size_t)sysconf(_SC_PAGESIZE));
    place_make(&other, 10);
    sigaction(SIGBUS, &action, &before);
    assert_int_equal(0, truncate(p.path, (off_t)p.page));
    assert_int_equal(0, p.mapping.data[2 * p.page]);
    assert_int_equal(0, p.mapping.data[4 * p.page - 1]);
    assert_int_equal('x', p.mapping.data[p.page - 1]);
    sigaction(SIGBUS, &before, NULL);
    assert_true(brz_mapping_is_cut(&p.mapping, -1));
    assert_false(brz_mapping_is_cut(&other.mapping, other.fd));
    place_remove(&p);
    place_remove(&other);
}

static void an_end_within_the_last_page_is_noticed(void **state)
{
    place p;
    (void)state;
    place_make(&p, 1000);
    assert_int_equal(0, truncate(p.path, 999));
    assert_false(brz_mapping_is_cut(&p.mapping, -1));
    assert_true(brz_mapping_is_cut(&p.mapping, p.fd));
    place_remove(&p);
}

static void other_addresses_are_not_rescued(void **state)
{
    place p;
    int somewhere = 0;
    (void)state;
    place_make(&p, 100);
    const uint8_t *old = p.mapping.data;
    assert_false(brz_mapping_rescue(&somewhere));
    assert_false(brz_mapping_rescue(p.mapping.data - 1));
    place_remove(&p);
    assert_false(brz_mapping_rescue(old));
}

static void what_cannot_be_mapped_is_refused(void **state)
{
    brz_mapping m;
    int fds[2];
    (void)state;
    assert_int_equal(0, pipe(fds));
    assert_false(brz_mapping_init(&m, fds[0], 10));
    assert_false(brz_mapping_init(&m, fds[0], 0));
    assert_false(brz_mapping_init(&m, fds[0], UINT64_MAX));
    brz_mapping_finish(&m);
    close(fds[0]);
    close(fds[1]);
}

static void as_many_files_are_mapped_as_there_are_slots(void **state)
{
    static brz_mapping all[BRZ_MAPPINGS_MAX];
    place p;
    size_t n = 0;
    (void)state;
    place_make(&p, 100);
    while (n < BRZ_MAPPINGS_MAX && brz_mapping_init(&all[n], p.fd, 100))
        n++;
    assert_int_equal(BRZ_MAPPINGS_MAX - 1, n);
    brz_mapping_finish(&all[0]);
    assert_true(brz_mapping_init(&all[0], p.fd, 100));
    while (n > 0)
        brz_mapping_finish(&all[--n]);
    place_remove(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_around_the_file_are_readable),
        cmocka_unit_test(a_file_that_becomes_shorter_is_rescued),
        cmocka_unit_test(an_end_within_the_last_page_is_noticed),
        cmocka_unit_test(other_addresses_are_not_rescued),
        cmocka_unit_test(what_cannot_be_mapped_is_refused),
        cmocka_unit_test(as_many_files_are_mapped_as_there_are_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

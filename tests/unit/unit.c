/* SPDX-License-Identifier: MIT */
/* Implements the helpers of all unit tests. */
#include "unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "host/instance_create.h"

/* ---- text ---------------------------------------------------------------------------------- */

brz_str str_of(const char *text)
{
    return brz_str_of(text, strlen(text));
}

void assert_text_at(brz_str got, const char *want, const char *file, int line)
{
    if (got.len == strlen(want) && (got.len == 0 || memcmp(got.data, want, got.len) == 0))
        return;
    print_error("\"%.*s\" is not \"%s\"\n", (int)got.len, got.len > 0 ? got.data : "", want);
    _fail(file, line);
}

void assert_contains_at(const char *text, const char *part, bool wanted, const char *file, int line)
{
    if ((strstr(text, part) != NULL) == wanted)
        return;
    print_error("\"%s\" is %s \"%s\"\n", part, wanted ? "not in" : "in", text);
    _fail(file, line);
}

char *exact_copy(const void *data, size_t n)
{
    char *copy = malloc(n > 0 ? n : 1);
    assert_non_null(copy);
    if (n > 0)
        memcpy(copy, data, n);
    return copy;
}

/* ---- random numbers ------------------------------------------------------------------------ */

/* splitmix64 */
uint64_t roll(dice *d)
{
    uint64_t z = d->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

size_t roll_below(dice *d, size_t n)
{
    return (size_t)(roll(d) % n);
}

size_t roll_text(dice *d, const char *alphabet, size_t longest, char *to)
{
    size_t n = roll_below(d, longest + 1);
    for (size_t i = 0; i < n; i++)
        to[i] = alphabet[roll_below(d, strlen(alphabet))];
    to[n] = '\0';
    return n;
}

/* ---- a console ----------------------------------------------------------------------------- */

void ear_open(ear *e)
{
    memset(e, 0, sizeof *e);
    e->console.out = open_memstream(&e->text, &e->len);
    assert_non_null(e->console.out);
}

const char *ear_heard(ear *e)
{
    fflush(e->console.out);
    return e->text;
}

void ear_forget(ear *e)
{
    ear_close(e);
    int verbosity = e->console.verbosity;
    bool color = e->console.color;
    ear_open(e);
    e->console.verbosity = verbosity;
    e->console.color = color;
}

void ear_close(ear *e)
{
    fclose(e->console.out);
    free(e->text);
}

void skip_under_valgrind(void)
{
    if (getenv("BRAZIER_UNDER_VALGRIND") != NULL)
        skip();
}

/* ---- files --------------------------------------------------------------------------------- */

char *folder_make(void)
{
    const char *tmp = getenv("TMPDIR");
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/brz-unit-XXXXXX", tmp != NULL ? tmp : "/tmp");
    assert_non_null(mkdtemp(path));
    assert_int_equal(chmod(path, 0755), 0); /* for run_unprivileged */
    char *real = realpath(path, NULL);
    assert_non_null(real);
    return real;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

void folder_remove(char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(path);
}

char *path_in(const char *folder, const char *name)
{
    brz_buf b = {0};
    brz_buf_printf(&b, "%s/%s", folder, name);
    return b.data;
}

void file_write(const char *path, const void *data, size_t n)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

void file_write_text(const char *path, const char *text)
{
    file_write(path, text, strlen(text));
}

char *file_read(const char *path, size_t *n)
{
    FILE *f = fopen(path, "r");
    brz_buf b = {0};
    if (f == NULL)
        print_error("%s cannot be opened\n", path);
    assert_non_null(f);
    for (size_t got = 1; got > 0; b.len += got)
        got = fread(brz_buf_room(&b, 65536), 1, 65536, f);
    fclose(f);
    b.data[b.len] = '\0';
    if (n != NULL)
        *n = b.len;
    return b.data;
}

void file_copy(const char *from, const char *to)
{
    size_t n;
    char *data = file_read(from, &n);
    file_write(to, data, n);
    assert_int_equal(chmod(to, 0755), 0);
    free(data);
}

void folders_make(const char *path)
{
    char *copy = brz_memdup(path, strlen(path));
    for (char *slash = strchr(copy + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(copy, 0755);
        *slash = '/';
    }
    mkdir(copy, 0755);
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    free(copy);
}

size_t folder_count(const char *path)
{
    size_t n = 0;
    DIR *dir = opendir(path);
    assert_non_null(dir);
    for (const struct dirent *e; (e = readdir(dir)) != NULL;)
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(dir);
    return n;
}

#define NOBODY 65534

int run_unprivileged(int (*work)(void *), void *arg)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        bool privileged = geteuid() == 0;
        if (privileged && (setgroups(0, NULL) != 0 || setresgid(NOBODY, NOBODY, NOBODY) != 0 ||
                           setresuid(NOBODY, NOBODY, NOBODY) != 0))
            _exit(99);
        _exit(work(arg));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* ---- an instance --------------------------------------------------------------------------- */

void bench_open(bench *b)
{
    memset(b, 0, sizeof *b);
    ear_open(&b->ear);
    b->run.console = &b->ear.console;
    b->component = (brz_component){.struct_size = sizeof b->component,
                                   .kind = BRZ_COLLAPSER,
                                   .id = "bench",
                                   .summary = "does nothing"};
    b->loaded = (brz_loaded){.component = &b->component,
                             .plugin = "bench",
                             .version = "1",
                             .bugs_url = "nowhere",
                             .path = "/nowhere/bench.so"};
    b->instance = brz_instance_create(&b->loaded, &b->run, NULL, NULL, 64, 0);
    brz_instance_collect(b->instance, "bench.txt", 0);
    b->ctx = &b->instance->ctx;
    brz_instance_enter(b->instance, "test", NULL, 0, 0);
}

void bench_close(bench *b)
{
    brz_instance_leave(b->instance);
    brz_instance_destroy(b->instance);
    ear_close(&b->ear);
}

static brz_rc keep(brz_sink *base, const void *data, size_t n)
{
    keeper *k = (keeper *)base;
    k->calls++;
    if (k->text.len + n > k->limit)
        return BRZ_ERROR;
    brz_buf_add(&k->text, data, n);
    return BRZ_OK;
}

void keeper_init(keeper *k)
{
    memset(k, 0, sizeof *k);
    k->base.struct_size = sizeof k->base;
    k->base.write = keep;
    k->limit = SIZE_MAX;
}

void keeper_finish(keeper *k)
{
    brz_buf_finish(&k->text);
}

/* SPDX-License-Identifier: MIT */
/* Implements the helpers of all libbrazier tests. */
#include "api.h"

#include <dirent.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- text ---------------------------------------------------------------------------------- */

void text_add(text *t, const void *data, size_t len)
{
    if (t->room < t->len + len + 1) {
        t->room = 2 * (t->len + len + 1);
        t->data = realloc(t->data, t->room);
        assert_non_null(t->data);
    }
    memcpy(t->data + t->len, data, len);
    t->len += len;
    t->data[t->len] = '\0';
}

int text_write(void *context, const void *data, size_t len)
{
    text *t = context;
    t->calls++;
    if (t->limit > 0 && t->len + len > t->limit)
        return 1;
    text_add(t, data, len);
    return 0;
}

void text_free(text *t)
{
    free(t->data);
    memset(t, 0, sizeof *t);
}

text many_stacks(size_t n)
{
    text t = {.data = NULL};
    char line[128];
    t.data = malloc(n * 64 + 1);
    assert_non_null(t.data);
    for (size_t i = 0; i < n; i++) {
        int len = snprintf(line, sizeof line, "main;phase %zu;step %zu;leaf_%zu %zu\n", i % 7,
                           i % 131, i % 5003, i % 11 + 1);
        assert_true(len > 0 && len < 64);
        memcpy(t.data + t.len, line, (size_t)len);
        t.len += (size_t)len;
    }
    t.data[t.len] = '\0';
    return t;
}

void assert_contains_at(const char *whole, const char *part, const char *file, int line)
{
    if (whole != NULL && strstr(whole, part) != NULL)
        return;
    print_error("\"%s\" is not in \"%s\"\n", part, whole == NULL ? "(null)" : whole);
    _fail(file, line);
}

/* ---- sessions and pipelines ---------------------------------------------------------------- */

brazier_session *session_open(void)
{
    brazier_session *s;
    const brazier_session_options o = {.struct_size = sizeof o, .flags = BRAZIER_SHIPPED_ONLY};
    brazier_status status = brazier_session_open(&o, &s);
    assert_status(s, status, BRAZIER_OK);
    return s;
}

void pipeline_set(brazier_pipeline *p, const char *options)
{
    char *copy = strdup(options), *rest = copy, *word;
    assert_non_null(copy);
    while ((word = strsep(&rest, " ")) != NULL) {
        char *equals = strchr(word, '=');
        if (equals != NULL)
            *equals++ = '\0';
        if (word[0] != '\0')
            assert_int_equal(brazier_pipeline_set(p, word, equals, NULL), BRAZIER_OK);
    }
    free(copy);
}

const brazier_diagnostic *first_error(const brazier_session *s)
{
    const brazier_diagnostic *d;
    for (size_t i = 0; (d = brazier_session_diagnostic(s, i)) != NULL; i++)
        if (d->severity == BRAZIER_ERROR)
            return d;
    print_error("there is no error\n");
    assert_non_null(d);
    return NULL;
}

size_t diagnostics(const brazier_session *s)
{
    size_t n = 0;
    while (brazier_session_diagnostic(s, n) != NULL)
        n++;
    return n;
}

void assert_status_at(const brazier_session *s, brazier_status got, brazier_status want,
                      const char *file, int line)
{
    const brazier_diagnostic *d;
    if (got == want)
        return;
    print_error("status %d, not %d\n", (int)got, (int)want);
    for (size_t i = 0; (d = brazier_session_diagnostic(s, i)) != NULL; i++)
        print_error("%s\n", d->message);
    _fail(file, line);
}

void assert_output(const brazier_pipeline *p, size_t output, const char *data, size_t len)
{
    size_t size;
    const char *got = brazier_pipeline_output(p, output, &size);
    assert_non_null(got);
    assert_int_equal(size, len);
    assert_memory_equal(got, data, len);
    assert_int_equal(got[len], 0);
}

/* ---- isolation ----------------------------------------------------------------------------- */

void needs_isolation(void)
{
    if (getenv("BRAZIER_UNDER_VALGRIND") != NULL)
        skip();
}

/* ---- an input ------------------------------------------------------------------------------ */

int64_t pieces_read(void *context, void *to, size_t size)
{
    pieces *p = context;
    if (p->at == p->len && p->endless)
        p->at = 0;
    p->dice = p->dice * 1664525u + 1013904223u;
    size_t n = (p->dice >> 8) % p->largest + 1, left = p->len - p->at;
    n = n < left ? n : left;
    n = n < size ? n : size;
    if (p->fail_at > 0 && p->at >= p->fail_at)
        return -1;
    memcpy(to, p->data + p->at, n);
    p->at += n;
    return (int64_t)n;
}

/* ---- signals ------------------------------------------------------------------------------- */

void on(int sig, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    assert_int_equal(sigaction(sig, &action, NULL), 0);
}

/* ---- files and the program ----------------------------------------------------------------- */

char *folder_make(void)
{
    char path[] = "/tmp/brz-api-XXXXXX";
    assert_non_null(mkdtemp(path));
    return strdup(path);
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

void folder_remove(char *folder)
{
    nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(folder);
}

size_t folder_count(const char *folder)
{
    size_t n = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (const struct dirent *e; (e = readdir(dir)) != NULL;)
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(dir);
    return n;
}

char *path_in(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    assert_non_null(path);
    snprintf(path, size, "%s/%s", folder, name);
    return path;
}

void file_write(const char *path, const void *data, size_t len)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
}

text file_read(const char *path)
{
    text t = {.data = NULL};
    char piece[4096];
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    text_add(&t, "", 0);
    for (size_t n; (n = fread(piece, 1, sizeof piece, f)) > 0;)
        text_add(&t, piece, n);
    fclose(f);
    return t;
}

/* Replaces a forked process by the program, with input and output redirected to files. */
_Noreturn static void become_program(const char *from, const char *to, const char *const *words)
{
    if (words[0] == NULL || freopen(from, "r", stdin) == NULL || freopen(to, "w", stdout) == NULL)
        _exit(98);
    execv(words[0], (char *const *)words);
    _exit(99);
}

text program_run(const char *input, size_t len, const char *const *words)
{
    const char *all[32] = {getenv("BRAZIER"), "--no-config"};
    char *folder = folder_make(), *from = path_in(folder, "in"), *to = path_in(folder, "out");
    int status;
    for (size_t i = 0; i + 3 < COUNT_OF(all) && words[i] != NULL; i++)
        all[i + 2] = words[i];
    if (all[0] == NULL)
        fail_msg("BRAZIER does not say where the program is");
    file_write(from, input, len);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        become_program(from, to, all);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    text t = file_read(to);
    free(from);
    free(to);
    folder_remove(folder);
    return t;
}

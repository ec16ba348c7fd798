/* Runs a fuzz target over files without libFuzzer: unchanged, and with each of the target's
 * settings appended. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"

/* Passes a copy in memory of exactly this size to the target, so that a sanitizer detects reads
 * beyond it. */
static void try_bytes(const char *data, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    if (copy == NULL)
        exit(1);
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void try_file(const brz_buf *bytes, const char *path)
{
    fuzz_settings s = {0};
    brz_buf input = {0};
    fprintf(stderr, "%s\n", path);
    try_bytes(brz_buf_text(bytes), bytes->len);
    for (unsigned i = 0; fuzz_variant(i, &s); i++) {
        const uint8_t after[] = {s.way, s.size, s.option, s.value, FUZZ_MARK};
        input.len = 0;
        brz_buf_add_str(&input, brz_buf_str(bytes));
        brz_buf_add(&input, (const char *)after, sizeof after);
        fprintf(stderr, "%s way %u size %u option %u value %u\n", path, s.way, s.size, s.option,
                s.value);
        try_bytes(input.data, input.len);
        s = (fuzz_settings){0};
    }
    brz_buf_finish(&input);
}

static size_t replay_file(const char *path)
{
    brz_buf bytes = {0};
    FILE *f = fopen(path, "r");
    if (f == NULL) {
        perror(path);
        exit(1);
    }
    for (size_t got = 1; got > 0; bytes.len += got)
        got = fread(brz_buf_room(&bytes, 65536), 1, 65536, f);
    fclose(f);
    try_file(&bytes, path);
    brz_buf_finish(&bytes);
    return 1;
}

static int is_visible(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

static size_t replay(const char *path);

static size_t replay_folder(const char *path)
{
    struct dirent **entries;
    size_t files = 0;
    int n = scandir(path, &entries, is_visible, alphasort);
    for (int i = 0; i < n; i++) {
        brz_buf b = {0};
        brz_buf_printf(&b, "%s/%s", path, entries[i]->d_name);
        files += replay(b.data);
        brz_buf_finish(&b);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return files;
}

/* Runs the target over a file or folder. Returns the number of files. */
static size_t replay(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return 0;
    return S_ISDIR(st.st_mode) ? replay_folder(path) : replay_file(path);
}

int fuzz_replay(char *const *paths)
{
    size_t files = 0;
    for (; *paths != NULL; paths++)
        files += replay(*paths);
    printf("%zu files\n", files);
    return files > 0 ? 0 : 1;
}

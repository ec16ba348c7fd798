/* SPDX-License-Identifier: MIT */
/* Runs a fuzz target over files without libFuzzer: unchanged, and with the target's settings
 * appended. Each file has every third of the settings, and the next file the next third: those of a
 * target with several files are all tried. With a sanitizer and with all repeats, each file has all
 * of them. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"

#define PARTS 3 /* of the settings of a target, of which a file has one */

/* A replay: how many parts the settings have, and how many files were read. */
typedef struct replay {
    unsigned parts;
    size_t files;
} replay;

/* Returns whether each file has all settings. */
static bool is_whole(void)
{
    const char *sanitizer = getenv("BRAZIER_SANITIZE"), *repeats = getenv("BRAZIER_EXHAUSTIVE");
    return (sanitizer != NULL && *sanitizer != '\0') ||
           (repeats != NULL && strcmp(repeats, "1") == 0);
}

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

static void try_file(const replay *r, const brz_buf *bytes, const char *path)
{
    fuzz_settings s = {0};
    brz_buf input = {0};
    fprintf(stderr, "%s\n", path);
    try_bytes(brz_buf_text(bytes), bytes->len);
    for (unsigned i = 0; fuzz_variant(i, &s); i++, s = (fuzz_settings){0}) {
        if ((i + r->files) % r->parts != 0)
            continue;
        const uint8_t after[] = {s.way, s.size, s.option, s.value, FUZZ_MARK};
        input.len = 0;
        brz_buf_add_str(&input, brz_buf_str(bytes));
        brz_buf_add(&input, (const char *)after, sizeof after);
        fprintf(stderr, "%s way %u size %u option %u value %u\n", path, s.way, s.size, s.option,
                s.value);
        try_bytes(input.data, input.len);
    }
    brz_buf_finish(&input);
}

static void replay_file(replay *r, const char *path)
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
    try_file(r, &bytes, path);
    brz_buf_finish(&bytes);
    r->files++;
}

static int is_visible(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

static void replay_path(replay *r, const char *path);

static void replay_folder(replay *r, const char *path)
{
    struct dirent **entries;
    int n = scandir(path, &entries, is_visible, alphasort);
    for (int i = 0; i < n; i++) {
        brz_buf b = {0};
        brz_buf_printf(&b, "%s/%s", path, entries[i]->d_name);
        replay_path(r, b.data);
        brz_buf_finish(&b);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
}

/* Runs the target over a file or folder. */
static void replay_path(replay *r, const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return;
    if (S_ISDIR(st.st_mode))
        replay_folder(r, path);
    else
        replay_file(r, path);
}

int fuzz_replay(char *const *paths)
{
    replay r = {.parts = is_whole() ? 1 : PARTS};
    for (; *paths != NULL; paths++)
        replay_path(&r, *paths);
    printf("%zu files\n", r.files);
    return r.files > 0 ? 0 : 1;
}

/* SPDX-License-Identifier: MIT */
/* Runs the unit tests of one file of a room.
 *
 *     unit_ROOM FILE      without the folder, "test_" and ".c"; no FILE: lists them
 *
 * The program has those of all files: to link the host's code once for each takes longer than most
 * of them. The build gives the `main` of each file another name, and lists the files in files.h. */
#include <stdio.h>
#include <string.h>

#define FILE_OF_TESTS(name) int test_##name(void);
#include "files.h"
#undef FILE_OF_TESTS

static const struct {
    const char *name;
    int (*run)(void);
} files[] = {
#define FILE_OF_TESTS(name) {#name, test_##name},
#include "files.h"
#undef FILE_OF_TESTS
};

#define N_FILES (sizeof files / sizeof files[0])

int main(int argc, char **argv)
{
    for (size_t i = 0; i < N_FILES; i++)
        if (argc < 2)
            puts(files[i].name);
        else if (strcmp(argv[1], files[i].name) == 0)
            return files[i].run();
    return argc < 2 ? 0 : 2;
}

/* Where this code is: in the program's file, or in libbrazier.so. What was installed with it is
 * found from there, the same in a build tree, where it was installed to, and where that was moved
 * to. */
#ifndef BRZ_HOME_H
#define BRZ_HOME_H

#include <limits.h>
#include <stdbool.h>

typedef struct brz_home {
    char file[PATH_MAX]; /* the program or the library itself; absolute */
    bool is_library;
} brz_home;

/* Fills it in. */
void brz_home_find(brz_home *h);

/* The folders of shipped plug-ins and of the shipped configuration; absolute and without links. */
void brz_home_plugin_dir(const brz_home *h, char dir[PATH_MAX]);
void brz_home_config_dir(const brz_home *h, char dir[PATH_MAX]);

#endif

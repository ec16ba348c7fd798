/* Where this code is: in the program's file, or in libbrazier.so. What was installed with it is
 * found from there, the same in a build tree, where it was installed to, and where that was moved
 * to. */
#ifndef BRZ_INSTALLATION_H
#define BRZ_INSTALLATION_H

#include <limits.h>
#include <stdbool.h>

typedef struct brz_installation {
    char file[PATH_MAX]; /* the program or the library itself; absolute */
    bool is_library;
} brz_installation;

/* Fills it in. */
void brz_installation_find(brz_installation *h);

/* The folders of shipped plug-ins and of the shipped configuration; absolute and without links. */
void brz_installation_plugin_dir(const brz_installation *h, char dir[PATH_MAX]);
void brz_installation_config_dir(const brz_installation *h, char dir[PATH_MAX]);

#endif

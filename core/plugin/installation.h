/* SPDX-License-Identifier: MIT */
/* Locates the file that contains this code, the program or libbrazier.so, and from there the files
 * installed with it. Works in a build tree, after installation, and after the installation was
 * moved. */
#ifndef BRZ_INSTALLATION_H
#define BRZ_INSTALLATION_H

#include <limits.h>
#include <stdbool.h>

typedef struct brz_installation {
    char file[PATH_MAX]; /* absolute path of the program or library */
    bool is_library;
    bool is_plain; /* the path contains no links */
} brz_installation;

/* Determines the installation. */
void brz_installation_find(brz_installation *h);

/* Store the folders of shipped plug-ins and of the shipped configuration, absolute and without
 * links. */
void brz_installation_plugin_dir(const brz_installation *h, char dir[PATH_MAX]);
void brz_installation_config_dir(const brz_installation *h, char dir[PATH_MAX]);

#endif

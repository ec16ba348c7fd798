/* SPDX-License-Identifier: MIT */
/* Finds the packages that files belong to, in the database of dpkg. */
#ifndef BRZ_PACKAGE_H
#define BRZ_PACKAGE_H

#include <brazier/base.h>

#include "base/buf.h"

/* Appends the name of the Debian package that has a file, as found below `root`. Returns false if
 * no package has the file, or the system has no such database. */
bool brz_package_find(const char *root, brz_str path, brz_buf *name);

/* Appends the name of the package with the debugging symbols of a package. */
void brz_package_add_symbols(brz_buf *b, brz_str package);

#endif

/* SPDX-License-Identifier: MIT */
/* Reads numbers in files of /proc and /sys. */
#ifndef BRZ_RECORD_SMALL_FILE_H
#define BRZ_RECORD_SMALL_FILE_H

/* Returns the number in a file, or `otherwise` for a file without one. */
long brz_small_file_number(const char *path, long otherwise);

#endif

/* SPDX-License-Identifier: MIT */
/* Reads numbers in files of the kernel. */
#include "record/small_file.h"

#include <stdlib.h>

#include "base/buf.h"

long brz_small_file_number(const char *path, long otherwise)
{
    brz_buf text = {0};
    char *end = NULL;
    long value = brz_buf_read_file(&text, path) ? strtol(brz_buf_text(&text), &end, 10) : otherwise;
    if (end == brz_buf_text(&text))
        value = otherwise;
    brz_buf_finish(&text);
    return value;
}

/* Finds the files of a recording that consists of a folder. */
#ifndef PERF_DATA_DIRECTORY_H
#define PERF_DATA_DIRECTORY_H

#include "recording.h"

/* Adds the input, and the files data.N beside it if it is a part of a directory, to the streams. */
void directory_open(recording *p);

#endif

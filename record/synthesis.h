/* Records of what existed before a recording: the kernel's code, processes, threads, mappings. */
#ifndef BRZ_RECORD_SYNTHESIS_H
#define BRZ_RECORD_SYNTHESIS_H

#include "record/kernel.h"
#include "record/perf_file.h"

/* Adds the kernel and its modules. `sample_type` is that of the first event, on which the ends of
 * records depend. */
void brz_synthesize_kernel(brz_perf_file *f, uint64_t sample_type, const brz_kernel_map *map);

/* Adds a process: its mappings of code, and the names of its threads. A process that has ended or
 * that may not be read is left out. */
void brz_synthesize_process(brz_perf_file *f, uint64_t sample_type, pid_t pid);

/* Adds all processes. */
void brz_synthesize_all(brz_perf_file *f, uint64_t sample_type);

/* Calls `take` for each number among the names in a folder, such as /proc. Returns false if the
 * folder cannot be read. */
typedef void brz_number_fn(void *context, pid_t number);
bool brz_numbers_in(const char *folder, brz_number_fn *take, void *context);

#endif

/* Finds the files of a recording that is a folder, as `perf record --threads` writes it.
 *
 *     perf.data/data      header, events and features, and some records
 *               data.N    records of some processors, without a header
 *               kcore_dir copies of the kernel's memory and symbols
 */
#include "directory.h"

#include "features.h"

#include <brazier/symbol.h>

#include <stdio.h>

/* Files beyond this number are not read: perf writes one per processor at most. */
#define FILES_MAX 4096

static void add(recording *p, const uint8_t *data, size_t len, uint32_t number)
{
    p->streams =
        brz_list_room(p->ctx, p->streams, p->n_streams, &p->cap_streams, sizeof *p->streams);
    stream *s = &p->streams[p->n_streams++];
    *s = (stream){.data = data, .len = len, .at = data, .end = data + len, .number = number};
}

/* Opens the file data.N. Returns false if it cannot be read. */
static bool add_file(recording *p, uint32_t number)
{
    char name[32];
    brz_related_file file = {.struct_size = sizeof file};
    int n = snprintf(name, sizeof name, "data.%u", number);
    int32_t status = p->ctx->host->open_related(p->ctx, brz_str_of(name, (size_t)n), 0, &file);
    if (status == BRZ_RELATED_OPENED && file.len > 0)
        add(p, file.data, file.len, number);
    return status == BRZ_RELATED_OPENED;
}

/* Returns whether the input is a part of a directory. A recorder that was killed did not say so. */
static bool is_directory(const recording *p)
{
    if (p->header.is_pipe)
        return false;
    return header_has(&p->header, FEATURE_DIR_FORMAT) ||
           (p->header.is_cut && brz_ends_with(p->ctx->input->name, BRZ_STR("/data")));
}

/* Adds the files beside the input. */
static void add_files(recording *p)
{
    uint32_t n = 0;
    while (n < FILES_MAX && add_file(p, n))
        n++;
    if (n == FILES_MAX)
        recording_warn(p, "perf-data.directory", NULL,
                       BRZ_STR("files of the recording beyond data.4095 are not read"));
    if (n == 0 && !p->header.is_cut)
        recording_warn(p, "perf-data.directory", NULL,
                       BRZ_STR("this is one file of a recording that is a folder, and the others, "
                               "data.0 and so on, are not beside it: their samples are missing"));
}

void directory_open(recording *p)
{
    add(p, p->data, p->len, 0);
    p->streams[0].at = p->data + p->header.data.offset;
    p->streams[0].end = p->streams[0].at + p->header.data.size;
    if (is_directory(p))
        add_files(p);
    for (size_t i = 0; i < p->n_streams; i++)
        unpack_stream_init(&p->streams[i].packed, p->n_streams);
}

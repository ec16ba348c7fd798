/* SPDX-License-Identifier: MIT */
/* Draws flame graphs of data that is in memory. See README.md. */
#include <brazier.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The data that a sampler within this program might have collected; one line is invalid. */
static const char profile[] = "server;accept 2\n"
                              "server;request;parse 11\n"
                              "server;request;render;draw 23\n"
                              "server;request;render\n"
                              "server;log 5\n";

/* Prints a diagnostic. */
static void tell(void *context, const brazier_diagnostic *d)
{
    static const char *const severities[] = {"error", "warning", "note", "debug"};
    (void)context;
    fprintf(stderr, "%s: ", severities[d->severity]);
    if (d->line > 0)
        fprintf(stderr, "line %" PRIu64 " of %s: ", d->line, d->input);
    fprintf(stderr, "%s\n", d->message);
}

/* Receives an output as it is written. */
static int print(void *file, const void *data, size_t size)
{
    return fwrite(data, 1, size, file) == size ? 0 : -1;
}

static int draw(brazier_session *session)
{
    brazier_pipeline *p = brazier_pipeline_create(session, NULL);
    brazier_pipeline_set(p, "from", "folded", NULL);
    brazier_pipeline_set(p, "palette", "aqua", NULL);
    brazier_pipeline_add_input_memory(p, "the server", profile, strlen(profile));
    size_t svg = brazier_pipeline_add_output_memory(p, "svg", NULL);
    brazier_pipeline_add_output_stream(p, "folded", NULL, print, stdout);
    brazier_pipeline_set(p, "svg.title", "Where the server spends its time", NULL);
    brazier_status status = brazier_pipeline_run(p);
    if (status == BRAZIER_OK) {
        size_t size;
        const char *picture = brazier_pipeline_output(p, svg, &size);
        fprintf(stderr, "a picture of %s\n", size > 1000 && picture[0] == '<' ? "some kB" : "?");
    }
    brazier_pipeline_destroy(p);
    return status == BRAZIER_OK;
}

/* Returns an endless input, such as the data from a socket. */
static int64_t give(void *context, void *to, size_t size)
{
    size_t n = size < strlen(profile) ? size : strlen(profile);
    (void)context;
    memcpy(to, profile, n);
    return (int64_t)n;
}

/* Cancels after a megabyte. */
static int enough(void *context, const brazier_progress *progress)
{
    (void)context;
    return progress->bytes > 1000000;
}

static int sip(brazier_session *session)
{
    const brazier_pipeline_options options = {.struct_size = sizeof options, .on_progress = enough};
    brazier_pipeline *p = brazier_pipeline_create(session, &options);
    brazier_pipeline_set(p, "from", "folded", NULL);
    brazier_pipeline_add_input_stream(p, "the socket", give, NULL);
    brazier_pipeline_add_output_memory(p, "svg", NULL);
    brazier_status status = brazier_pipeline_run(p);
    if (status == BRAZIER_CANCELLED)
        fprintf(stderr, "cancelled\n");
    brazier_pipeline_destroy(p);
    return status == BRAZIER_CANCELLED;
}

int main(void)
{
    const brazier_session_options options = {.struct_size = sizeof options, .on_diagnostic = tell};
    brazier_session *session;
    int good = brazier_session_open(&options, &session) == BRAZIER_OK && draw(session);
    good = good && sip(session);
    brazier_session_close(session);
    return good ? 0 : 1;
}

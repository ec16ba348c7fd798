/* SPDX-License-Identifier: MIT */
/* Folds many files in one process, each as a format that it may have or not.
 *
 * Each line of standard input is a format and a file, separated by a tab. Each is answered by a
 * line: the status of the run, the number of bytes written and of messages, and the first message
 * that is an error, or else the first of all; a violation of the contract comes first. Without an
 * answer to a line, the process crashed with it.
 *
 * usage: fold_many */
#include <brazier.h>

#include <stdio.h>
#include <string.h>

#define LONGEST_LINE 8192

/* The messages of a run: their number, and the most important one. */
struct said {
    unsigned messages;
    int weight; /* of the text */
    char text[1000];
};

/* Returns how much a message matters: most if a collapser violated the contract. */
static int weight_of(const brazier_diagnostic *d)
{
    if (d->code != NULL && strcmp(d->code, "host.contract") == 0)
        return 3;
    return d->severity == BRAZIER_ERROR ? 2 : 1;
}

static void listen(void *context, const brazier_diagnostic *d)
{
    struct said *said = context;
    int weight = weight_of(d);
    said->messages++;
    if (weight <= said->weight)
        return;
    said->weight = weight;
    size_t n = (size_t)snprintf(said->text, sizeof said->text, "%s: ", weight == 3 ? d->code : "");
    brazier_diagnostic_text(d, 0, 0, said->text + n, sizeof said->text - n);
}

static int count_bytes(void *context, const void *data, size_t size)
{
    size_t *written = context;
    (void)data;
    *written += size;
    return 0;
}

static brazier_status fold(brazier_session *s, const char *format, const char *file,
                           size_t *written)
{
    const brazier_pipeline_options options = {.struct_size = sizeof options,
                                              .flags = BRAZIER_MAP_FILES};
    brazier_pipeline *p = brazier_pipeline_create(s, &options);
    brazier_status status = brazier_pipeline_set(p, "from", format, NULL);
    brazier_pipeline_add_input_file(p, file);
    brazier_pipeline_add_output_stream(p, "folded", NULL, count_bytes, written);
    if (status == BRAZIER_OK)
        status = brazier_pipeline_run(p);
    brazier_pipeline_destroy(p);
    return status;
}

/* Replaces characters that would divide the answer. */
static const char *one_line(char *text)
{
    for (char *at = text; *at != '\0'; at++)
        if (*at == '\n' || *at == '\t')
            *at = ' ';
    return text;
}

int main(void)
{
    struct said said;
    const brazier_session_options options = {.struct_size = sizeof options,
                                             .flags = BRAZIER_SHIPPED_ONLY,
                                             .on_diagnostic = listen,
                                             .context = &said};
    char line[LONGEST_LINE];
    brazier_session *s;
    if (brazier_session_open(&options, &s) != BRAZIER_OK)
        return 2;
    while (fgets(line, sizeof line, stdin) != NULL) {
        char *rest = line, *format = strsep(&rest, "\t");
        size_t written = 0;
        memset(&said, 0, sizeof said);
        if (rest == NULL)
            return 2;
        rest[strcspn(rest, "\n")] = '\0';
        brazier_status status = fold(s, format, rest, &written);
        printf("%d\t%zu\t%u\t%s\n", (int)status, written, said.messages, one_line(said.text));
        fflush(stdout);
    }
    brazier_session_close(s);
    return 0;
}

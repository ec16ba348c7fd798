/* Runs pipelines, each in a process of its own that is forked when everything has been loaded, so
 * that a profiler that counts the instructions of a process, cachegrind, tells the cost of each.
 *
 * usage: measure LIST
 *
 * A line of the list is a run: "FROM TO FILE [TRANSFORM [ARGUMENT...]]", separated by tabs; FROM is
 * a format, with options of it behind commas. Prints
 * a line per run: the number of bytes written, the id of its process, and the id of a process that
 * was forked at the same point and does nothing. The difference of both is the cost of the run. */
#include <brazier.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_WORDS 16

static int count_bytes(void *context, const void *data, size_t size)
{
    size_t *written = context;
    (void)data;
    *written += size;
    return 0;
}

/* Sets the format and its options: "perf,off-cpu,states". */
static void set_format(brazier_pipeline *p, const char *from)
{
    char text[64], *rest = text, option[160];
    snprintf(text, sizeof text, "%s", from);
    const char *format = strsep(&rest, ",");
    brazier_pipeline_set(p, "from", format, NULL);
    for (const char *word; (word = strsep(&rest, ",")) != NULL;) {
        snprintf(option, sizeof option, "%s.%s", format, word);
        brazier_pipeline_set(p, option, "true", NULL);
    }
}

static brazier_pipeline *pipeline_of(brazier_session *s, const char *const *words, size_t n,
                                     size_t *written)
{
    brazier_pipeline *p = brazier_pipeline_create(s, NULL);
    brazier_pipeline_set(p, "allow-empty", "true", NULL);
    set_format(p, words[0]);
    brazier_pipeline_set(p, "jobs", "1", NULL);
    brazier_pipeline_add_output_stream(p, words[1], NULL, count_bytes, written);
    if (n > 3)
        brazier_pipeline_add_transform(p, words[3], words + 4, n - 4, NULL);
    return p;
}

/* Loads the plug-ins of a run, and whatever else happens only the first time. */
static void warm_up(brazier_session *s, const char *const *words, size_t n)
{
    size_t written = 0;
    brazier_pipeline *p = pipeline_of(s, words, n, &written);
    brazier_pipeline_add_input_file(p, words[2]);
    brazier_pipeline_run(p);
    brazier_pipeline_destroy(p);
}

/* True if a run is of another kind than the one before it, of which `last` has the words. */
static bool is_new(const char *const *words, size_t n, char last[64])
{
    char kind[64];
    snprintf(kind, sizeof kind, "%s %s %s", words[0], words[1], n > 3 ? words[3] : "");
    bool other = strcmp(kind, last) != 0;
    memcpy(last, kind, sizeof kind);
    return other;
}

/* Runs a pipeline in a child process, or nothing if it is NULL. Returns the id of the process. */
static pid_t run_in_child(brazier_pipeline *p, const size_t *written)
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0 && p != NULL) {
        brazier_pipeline_run(p);
        printf("%zu ", *written);
        fflush(stdout);
    }
    if (child == 0)
        _exit(0);
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        exit(1);
    return child;
}

static void run(brazier_session *s, const char *const *words, size_t n, char last[64])
{
    size_t written = 0;
    if (is_new(words, n, last))
        warm_up(s, words, n);
    brazier_pipeline *p = pipeline_of(s, words, n, &written);
    brazier_pipeline_add_input_file(p, words[2]);
    pid_t idle = run_in_child(NULL, &written), busy = run_in_child(p, &written);
    brazier_pipeline_destroy(p);
    printf("%ld %ld\n", (long)busy, (long)idle);
}

static size_t split(char *line, const char **words)
{
    size_t n = 0;
    line[strcspn(line, "\n")] = '\0';
    for (char *word = strtok(line, "\t"); word != NULL && n < MOST_WORDS; word = strtok(NULL, "\t"))
        words[n++] = word;
    return n;
}

int main(int argc, char **argv)
{
    const brazier_session_options o = {.struct_size = sizeof o, .flags = BRAZIER_SHIPPED_ONLY};
    brazier_session *s;
    const char *words[MOST_WORDS];
    char line[4096], last[64] = "";
    FILE *list = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (list == NULL || brazier_session_open(&o, &s) != BRAZIER_OK)
        return 2;
    while (fgets(line, sizeof line, list) != NULL) {
        size_t n = split(line, words);
        if (n >= 3)
            run(s, words, n, last);
    }
    fclose(list);
    brazier_session_close(s);
    return 0;
}

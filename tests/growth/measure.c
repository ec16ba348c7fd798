/* SPDX-License-Identifier: MIT */
/* Runs pipelines, so that a program that counts what a process executes, valgrind, tells the cost
 * of each.
 *
 * Standard input consists of batches. The first line of a batch is a configuration in YAML, which
 * may allow only some components, so that no others look at the inputs. Each further line is a
 * pipeline and some inputs of it: "FROM TO COUNT SMALL FILE... [TRANSFORM [ARGUMENT...]]",
 * separated by tabs; FROM is a format, with options of it after commas, or "guess". An empty line
 * ends a batch. All lines of a batch are first run with their small inputs, so that valgrind
 * translates their code only once. Then each line prints, for a run of nothing and for each of its
 * files, the number of bytes written and where the cost is. An empty line follows.
 *
 * The cost of the run "#N" is the difference between the counts 2N and 2N + 1 that valgrind writes
 * to its log. Tools of valgrind that tell a count only at the end of a process need --fork: each
 * run then has a process of its own, whose id is printed; the difference to the run of nothing is
 * the cost.
 *
 * usage: measure [--fork] [PLUGIN] */
#include <brazier.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__has_include)
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif
#endif

#define MOST_WORDS   20
#define MOST_JOBS    1000
#define LONGEST_LINE 4096

/* A line of the list. */
struct job {
    const char *words[MOST_WORDS];
    size_t n, files;
};

static int count_bytes(void *context, const void *data, size_t size)
{
    size_t *written = context;
    (void)data;
    *written += size;
    return 0;
}

/* Sets the format, options of it, and options of the pipeline: "perf,off-cpu,group-by=thread". */
static void set_format(brazier_pipeline *p, const char *from)
{
    char text[64], *rest = text, option[160];
    snprintf(text, sizeof text, "%s", from);
    const char *format = strsep(&rest, ",");
    brazier_pipeline_set(p, "from", format, NULL);
    for (char *value; (value = strsep(&rest, ",")) != NULL;) {
        const char *name = strsep(&value, "=");
        if (value == NULL)
            snprintf(option, sizeof option, "%s.%s", format, name);
        else
            snprintf(option, sizeof option, "%s", name);
        brazier_pipeline_set(p, option, value == NULL ? "true" : value, NULL);
    }
}

/* Runs a job with one of its files, of which the small one is the first. Returns the number of
 * bytes written. */
static size_t run(brazier_session *s, const struct job *job, size_t file)
{
    size_t written = 0, transform = 4 + job->files;
    brazier_pipeline *p = brazier_pipeline_create(s, NULL);
    brazier_pipeline_set(p, "allow-empty", "true", NULL);
    set_format(p, job->words[0]);
    brazier_pipeline_set(p, "jobs", "1", NULL);
    brazier_pipeline_add_output_stream(p, job->words[1], NULL, count_bytes, &written);
    if (job->n > transform)
        brazier_pipeline_add_transform(p, job->words[transform], job->words + transform + 1,
                                       job->n - transform - 1, NULL);
    brazier_pipeline_add_input_file(p, job->words[3 + file]);
    if (brazier_pipeline_run(p) == BRAZIER_MISUSED)
        exit(1);
    brazier_pipeline_destroy(p);
    return written;
}

/* Makes valgrind write what it has counted so far to its log. */
static void write_counts(void)
{
#ifdef VALGRIND_MONITOR_COMMAND
    if (VALGRIND_MONITOR_COMMAND("v.info stats") != 0)
        exit(1);
#endif
}

static bool can_write_counts(void)
{
#ifdef VALGRIND_MONITOR_COMMAND
    return true;
#else
    return false;
#endif
}

/* Runs a job with one of its files, or nothing if `job` is NULL. Prints the number of bytes written
 * and the number of the run. */
static void measure_here(brazier_session *s, const struct job *job, size_t file, unsigned number)
{
    size_t written = 0;
    write_counts();
    if (job != NULL)
        written = run(s, job, file);
    write_counts();
    brazier_session_forget_diagnostics(s);
    printf(" %zu #%u", written, number);
}

/* Does the same in a child process, and prints its id instead. */
static void measure_in_child(brazier_session *s, const struct job *job, size_t file)
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        printf(" %zu", job == NULL ? 0 : run(s, job, file));
        fflush(stdout);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        exit(1);
    printf(" %ld", (long)child);
}

/* Splits a line, whose text the job refers to. Returns false for a line that ends a batch. */
static bool split(char *line, struct job *job)
{
    *job = (struct job){0};
    line[strcspn(line, "\n")] = '\0';
    for (char *word = strtok(line, "\t"); word != NULL && job->n < MOST_WORDS;
         word = strtok(NULL, "\t"))
        job->words[job->n++] = word;
    job->files = job->n > 2 ? strtoul(job->words[2], NULL, 10) : 0;
    return job->files > 0 && job->n >= 4 + job->files;
}

/* Reads the jobs of a batch. Returns their number. */
static size_t read_jobs(char lines[MOST_JOBS][LONGEST_LINE], struct job *jobs)
{
    size_t n = 0;
    while (n < MOST_JOBS && fgets(lines[n], LONGEST_LINE, stdin) != NULL &&
           split(lines[n], &jobs[n]))
        n++;
    return n;
}

static void measure_batch(brazier_session *s, const struct job *jobs, size_t n, bool forks)
{
    unsigned number = 0;
    for (size_t i = 0; i < n; i++)
        run(s, &jobs[i], 0);
    for (size_t i = 0; i < n; i++) {
        for (size_t file = 0; file <= jobs[i].files; file++) {
            const struct job *job = file == 0 ? NULL : &jobs[i];
            if (forks)
                measure_in_child(s, job, file);
            else
                measure_here(s, job, file, number++);
        }
        printf("\n");
    }
    printf("\n");
    fflush(stdout);
}

/* Reads a batch and measures it. Returns the exit status of the program, or -1 to go on. */
static int do_batch(const char *plugin, bool forks)
{
    static struct job jobs[MOST_JOBS];
    static char config[LONGEST_LINE], lines[MOST_JOBS][LONGEST_LINE];
    brazier_session *s;
    brazier_session_options o = {.struct_size = sizeof o,
                                 .flags = plugin == NULL ? BRAZIER_SHIPPED_ONLY : 0,
                                 .config_text = config,
                                 .plugin_files = &plugin,
                                 .n_plugin_files = plugin != NULL};
    if (fgets(config, sizeof config, stdin) == NULL)
        return 0;
    size_t n = read_jobs(lines, jobs);
    bool good = brazier_session_open(&o, &s) == BRAZIER_OK;
    if (good)
        measure_batch(s, jobs, n, forks);
    brazier_session_close(s);
    return good ? -1 : 2;
}

int main(int argc, char **argv)
{
    bool must_fork = argc > 1 && strcmp(argv[1], "--fork") == 0;
    bool forks = must_fork || !can_write_counts();
    const char *plugin = argc > 1 + must_fork ? argv[1 + must_fork] : NULL;
    int status;
    do
        status = do_batch(plugin, forks);
    while (status < 0);
    return status;
}

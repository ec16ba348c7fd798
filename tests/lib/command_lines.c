/* SPDX-License-Identifier: MIT */
/* Runs many command lines of brazier in one process, as the program runs one.
 *
 * A request is a line with three numbers, the words of the command line, the working directory and
 * the variables of the environment, each with a zero byte after it, and the bytes of standard
 * input, which come through a pipe. The numbers are the counts of words, of variables and of bytes;
 * without a variable, there is no directory either, and both stay as they are; -1 bytes stand for
 * the null device. Each request is answered by one byte: the exit status, or 255 if no pipe holds
 * the bytes. Standard output and standard error are files, which are truncated for each request. If
 * the process crashes, there is no answer.
 *
 * usage: command_lines REQUESTS ANSWERS (descriptors) */
#include <brazier.h>

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "command_line.h"

#define MOST_WORDS 1000
#define USUAL_PIPE 65536
#define NO_PIPE    255

typedef struct request {
    char *words[MOST_WORDS + 1]; /* after the name of the program */
    size_t sizes[MOST_WORDS + 1];
    size_t n_words;
    size_t n_variables;
    char *setting; /* the directory or a variable */
    size_t setting_size;
    long n_bytes; /* of standard input; -1: the null device */
} request;

/* Reads the directory and the variables of a request, and makes them those of the process. */
static bool read_settings(FILE *from, request *r)
{
    if (r->n_variables == 0)
        return true;
    if (getdelim(&r->setting, &r->setting_size, '\0', from) < 0 || chdir(r->setting) != 0)
        return false;
    clearenv();
    for (size_t i = 0; i < r->n_variables; i++) {
        if (getdelim(&r->setting, &r->setting_size, '\0', from) < 0)
            return false;
        char *value = strchr(r->setting, '=');
        if (value == NULL)
            return false;
        *value++ = '\0';
        setenv(r->setting, value, 1);
    }
    return true;
}

/* Reads the numbers of a request, its words, which reuse the memory of earlier ones, and its
 * settings. Returns false at the end. */
static bool read_request(FILE *from, request *r)
{
    if (fscanf(from, "%zu %zu %ld", &r->n_words, &r->n_variables, &r->n_bytes) != 3 ||
        fgetc(from) != '\n' || r->n_words > MOST_WORDS)
        return false;
    for (size_t i = 1; i <= r->n_words; i++)
        if (getdelim(&r->words[i], &r->sizes[i], '\0', from) < 0)
            return false;
    return read_settings(from, r);
}

/* Puts bytes into a pipe, and returns its end, or -1 if it does not hold as many. */
static int filled_pipe(const char *bytes, size_t n)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return -1;
#ifdef F_SETPIPE_SZ
    if (n > USUAL_PIPE)
        fcntl(ends[1], F_SETPIPE_SZ, (int)n);
#endif
    bool good = write(ends[1], bytes, n) == (ssize_t)n;
    close(ends[1]);
    fcntl(ends[0], F_SETFL, 0);
    if (good)
        return ends[0];
    close(ends[0]);
    return -1;
}

/* Opens what a request has for standard input. Returns -1 if no pipe holds it. */
static int open_input(FILE *from, long n_bytes)
{
    if (n_bytes < 0)
        return open("/dev/null", O_RDONLY | O_CLOEXEC);
    char *bytes = malloc((size_t)n_bytes + 1);
    if (bytes == NULL || fread(bytes, 1, (size_t)n_bytes, from) != (size_t)n_bytes)
        abort();
    int fd = filled_pipe(bytes, (size_t)n_bytes);
    free(bytes);
    return fd;
}

/* Empties the file of an output. */
static void begin_anew(int fd)
{
    if (ftruncate(fd, 0) != 0 || lseek(fd, 0, SEEK_SET) != 0)
        abort();
}

/* Runs the words of a request, in a list of its own, which the command line changes. */
static int run(const request *r)
{
    char *argv[MOST_WORDS + 2];
    brz_console console = {.out = stderr};
    memcpy(argv, r->words, (r->n_words + 1) * sizeof *argv);
    argv[r->n_words + 1] = NULL;
    clearerr(stdin);
    clearerr(stdout);
    int status = cli_command_line_run(argv, &console, false);
    fflush(stdout);
    return status;
}

/* Answers a request. */
static int answer(FILE *from, const request *r)
{
    int input = open_input(from, r->n_bytes);
    if (input < 0)
        return NO_PIPE;
    dup2(input, STDIN_FILENO);
    close(input);
    begin_anew(STDOUT_FILENO);
    begin_anew(STDERR_FILENO);
    return run(r);
}

int main(int argc, char **argv)
{
    static char program[] = "brazier";
    static request r = {.words = {program}};
    FILE *requests = argc == 3 ? fdopen(atoi(argv[1]), "r") : NULL;
    int answers = argc == 3 ? atoi(argv[2]) : -1;
    if (requests == NULL || fcntl(answers, F_SETFD, FD_CLOEXEC) != 0)
        return 2;
    fcntl(fileno(requests), F_SETFD, FD_CLOEXEC);
    signal(SIGPIPE, SIG_IGN);
    brazier_catch_crashes();
    while (read_request(requests, &r)) {
        unsigned char status = (unsigned char)answer(requests, &r);
        if (write(answers, &status, 1) != 1)
            return 2;
    }
    fclose(requests);
    return 0;
}

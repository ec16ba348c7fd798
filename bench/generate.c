/* Makes inputs out of a real recording:
 *
 *     generate repeat FILE BYTES       the file over and over, at least so many bytes
 *     generate unique FILE BYTES       samples of the file's stack lines in random order: hardly
 * any stack comes twice generate folded FILE FRAMES      folded stacks of the file's symbols whose
 * call tree has so many frames generate dtrace FILE BYTES       the file's stacks as DTrace prints
 * them
 *
 * Random numbers are the same in every run.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUFFER ((size_t)1 << 20)

/* The recording, and the stack lines in it. */
typedef struct recording {
    char *text;
    size_t len;
    char **lines; /* not terminated: up to the newline */
    size_t n_lines, cap;
} recording;

static uint64_t state = 88172645463325252u;

static size_t random_below(size_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state % n);
}

static void *must(void *p)
{
    if (p == NULL) {
        perror("generate");
        exit(1);
    }
    return p;
}

static recording read_recording(const char *path)
{
    recording r = {0};
    FILE *in = must(fopen(path, "rb"));
    size_t cap = 0;
    for (size_t n = 1; n > 0; r.len += n) {
        if (cap - r.len < BUFFER)
            r.text = must(realloc(r.text, cap = 2 * cap + BUFFER));
        n = fread(r.text + r.len, 1, BUFFER - 1, in);
    }
    fclose(in);
    for (char *p = r.text, *end = r.text + r.len; p < end;) {
        char *newline = memchr(p, '\n', (size_t)(end - p));
        if (newline == NULL)
            break;
        if (*p == '\t' && r.n_lines == r.cap)
            r.lines = must(realloc(r.lines, (r.cap = 2 * r.cap + 1024) * sizeof *r.lines));
        if (*p == '\t')
            r.lines[r.n_lines++] = p;
        p = newline + 1;
    }
    return r;
}

static void put(const char *text, size_t n)
{
    if (n > 0 && fwrite(text, 1, n, stdout) != n)
        exit(1);
}

static size_t line_length(const char *line)
{
    return (size_t)(strchr(line, '\n') - line);
}

static void repeat(const recording *r, size_t bytes)
{
    for (size_t done = 0; done < bytes; done += r->len)
        put(r->text, r->len);
}

static void unique(const recording *r, size_t bytes)
{
    char head[100];
    for (size_t done = 0, sample = 0; done < bytes; sample++) {
        int n = snprintf(head, sizeof head, "app %zu [000] %zu.%06zu:    1003009 cpu-clock: \n",
                         sample % 8 + 100, sample / 1000, sample % 1000);
        put(head, (size_t)n);
        done += (size_t)n;
        for (size_t depth = 24 + random_below(16); depth > 0; depth--) {
            const char *line = r->lines[random_below(r->n_lines)];
            size_t len = line_length(line) + 1;
            put(line, len);
            done += len;
        }
        put("\n", 1);
        done++;
    }
}

/* A stack line as DTrace prints it: the last part of the module's name, symbol and offset. */
static size_t dtrace_line(const char *line, size_t n)
{
    const char *end = line + n - 1, *module = end;
    while (module > line && module[-1] != '(')
        module--;
    const char *name = end;
    while (name > module && name[-1] != '/')
        name--;
    put("              ", 14);
    put(name, (size_t)(end - name));
    put("`", 1);
    put(line + 18, (size_t)(module - 2 - line) - 18);
    put("\n", 1);
    return 16 + (size_t)(end - name) + (size_t)(module - 2 - line) - 18;
}

static void dtrace(const recording *r, size_t bytes)
{
    static const char header[] = "CPU     ID                    FUNCTION:NAME\n"
                                 "  0  64091                        :tick-60s \n\n";
    put(header, sizeof header - 1);
    for (size_t done = 0; done < bytes;) {
        bool stack = false;
        for (const char *p = r->text, *end = r->text + r->len; p < end;) {
            size_t n = line_length(p);
            if (n > 20 && *p == '\t') {
                done += dtrace_line(p, n);
                stack = true;
            } else if (n == 0 && stack) {
                printf("%17d\n\n", (int)(1 + random_below(40)));
                done += 19;
                stack = false;
            }
            p += n + 1;
        }
    }
}

/* The symbol of a stack line: between the address and the offset. */
static size_t symbol_of(const char *line, const char **symbol)
{
    *symbol = line + 18;
    size_t n = line_length(line) - 18, i = 0;
    while (i < n && (*symbol)[i] != '+' && (*symbol)[i] != ' ' && (*symbol)[i] != ';')
        i++;
    return i > 0 ? i : 1;
}

/* A call tree grown at random: each stack goes on from a prefix of the one before. A new frame has
 * one of the recording's symbols and, so that siblings differ, a letter. */
static void folded(const recording *r, size_t frames)
{
    enum { DEEPEST = 60 };
    static char text[DEEPEST][400];
    size_t depth = 0, made = 0;
    while (made < frames) {
        depth = depth > 0 ? random_below(depth + 1) : 0;
        for (size_t grow = 1 + random_below(4); grow > 0 && depth < DEEPEST && made < frames;
             grow--) {
            const char *symbol;
            size_t n = symbol_of(r->lines[random_below(r->n_lines)], &symbol);
            n = n < 80 ? n : 80;
            snprintf(text[depth++], sizeof text[0], "%.*s%c", (int)n, symbol,
                     (int)('a' + made++ % 26));
        }
        for (size_t i = 0; i < depth; i++) {
            put(i > 0 ? ";" : "", i > 0);
            put(text[i], strlen(text[i]));
        }
        printf(" %zu\n", 1 + random_below(1000));
    }
}

int main(int argc, char **argv)
{
    static char buffer[BUFFER];
    if (argc != 4)
        return 2;
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    recording r = read_recording(argv[2]);
    size_t n = strtoull(argv[3], NULL, 10);
    if (strcmp(argv[1], "repeat") == 0)
        repeat(&r, n);
    else if (strcmp(argv[1], "unique") == 0)
        unique(&r, n);
    else if (strcmp(argv[1], "folded") == 0)
        folded(&r, n);
    else if (strcmp(argv[1], "dtrace") == 0)
        dtrace(&r, n);
    else
        return 2;
    return fflush(stdout) == 0 ? 0 : 1;
}

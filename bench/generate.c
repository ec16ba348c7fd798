/* SPDX-License-Identifier: MIT */
/* Generates inputs from a real recording: generate KIND FILE SIZE. Writes at least SIZE bytes of
 *
 *     repeat     the file over and over
 *     unique     samples of the file's stack lines in random order: hardly any stack comes twice
 *     stacks     the file's stacks as folded lines
 *     dtrace     the same as DTrace prints them; sample, ghcprof: likewise
 *     bpftrace   the same as keys of a map
 *     gdb        the same as threads of gdb; jstack: of Java; massif: as rows of heaps
 *     callgrind  the same as costs of functions and calls
 *     xdebug     the calls between one stack and the next
 *
 * or lines of folded text whose call tree has about SIZE frames:
 *
 *     tree       of the file's symbols
 *     folded     of many times as many symbols
 *
 * or SIZE lines of folded text, in random order:
 *
 *     distinct   stacks of 20 frames, of which hardly any two are equal
 *     shuffled   the same, but frames do not depend on their callers
 *
 * Random numbers are the same in every run.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUFFER ((size_t)1 << 20)

/* The recording and its stack lines. */
typedef struct recording {
    char *text;
    size_t len;
    char **lines; /* not terminated; each extends to its newline */
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

/* Writes a stack line as DTrace prints it: file name of the module, symbol and offset. */
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

/* ---- stacks of the recording, for other formats --------------------------------------------- */

enum { MOST_LINES = 512 };

/* The lines of a stack, leaf first. */
typedef struct stack {
    const char *lines[MOST_LINES];
    size_t n;
} stack;

/* Reads the next stack at or after `p`. Returns its end, or NULL after the last stack. */
static const char *next_stack(const recording *r, const char *p, stack *s)
{
    const char *end = r->text + r->len;
    for (s->n = 0; p < end && (s->n == 0 || *p == '\t'); p += line_length(p) + 1)
        if (*p == '\t' && line_length(p) > 20 && s->n < MOST_LINES)
            s->lines[s->n++] = p;
    return s->n > 0 ? p : NULL;
}

/* Calls `print` for each stack, over and over, until it has printed `bytes` bytes; `print` returns
 * the number of bytes it printed. */
static void for_stacks(const recording *r, size_t bytes, size_t (*print)(const stack *))
{
    static stack s;
    for (size_t done = 0; done < bytes;)
        for (const char *p = r->text; (p = next_stack(r, p, &s)) != NULL;)
            done += print(&s);
}

/* Finds the name between the address and the module, and its offset. Returns the name's length. */
static int name_of(const char *line, const char **name, unsigned long *offset)
{
    const char *end = line + line_length(line);
    *name = line + 18;
    while (end > *name && !(end[0] == ' ' && end[1] == '('))
        end--;
    const char *plus = end;
    while (plus > *name && *plus != '+')
        plus--;
    *offset = plus > *name ? strtoul(plus + 1, NULL, 16) : 0;
    return (int)((plus > *name ? plus : end) - *name);
}

/* Writes an entry of a map keyed by kernel stack, user stack and process. */
static size_t bpftrace_entry(const stack *s)
{
    const char *name;
    unsigned long offset;
    bool kernel = strncmp(s->lines[0] + 1, "ffff", 4) == 0, user = !kernel;
    int done = printf(kernel ? "@[\n" : "@[, \n");
    for (size_t i = 0; i < s->n; i++) {
        if (!user && strncmp(s->lines[i] + 1, "ffff", 4) != 0) {
            done += printf(", \n");
            user = true;
        }
        int n = name_of(s->lines[i], &name, &offset);
        done += printf("    %.*s+%lu\n", n, name, offset);
    }
    return (size_t)(done + printf(", node]: %zu\n", 1 + random_below(40)));
}

/* Writes the calls that lead from one stack to the next, as if nothing happened between samples. */
static size_t xdebug_calls(const stack *s)
{
    static struct {
        const char *name;
        int n;
        size_t number;
    } open[MOST_LINES];
    static size_t depth, calls, time;
    size_t same = 0;
    const char *name;
    unsigned long offset;
    int done = 0;
    for (; same < depth && same < s->n; same++) {
        int n = name_of(s->lines[s->n - 1 - same], &name, &offset);
        if (n != open[same].n || memcmp(name, open[same].name, (size_t)n) != 0)
            break;
    }
    for (; depth > same; depth--, time += 3)
        done += printf("%zu\t%zu\t1\t%zu.%06zu\t%zu\n", depth, open[depth - 1].number,
                       time / 1000000, time % 1000000, 400000 + time % 4096);
    for (; depth < s->n; depth++, time += 5) {
        int n = name_of(s->lines[s->n - 1 - depth], &name, &offset);
        open[depth].name = name;
        open[depth].n = n;
        open[depth].number = calls++;
        done += printf("%zu\t%zu\t0\t%zu.%06zu\t%zu\t%.*s\t1\t\t/srv/app/index.php\t%lu\t0\n",
                       depth + 1, open[depth].number, time / 1000000, time % 1000000,
                       400000 + time % 4096, n, name, offset);
    }
    return (size_t)done;
}

static void xdebug(const recording *r, size_t bytes)
{
    printf("Version: 3.2.0\nFile format: 4\nTRACE START [2026-01-01 00:00:00.000000]\n");
    for_stacks(r, bytes, xdebug_calls);
}

/* ---- dumps of threads, and costs of calls --------------------------------------------------- */

/* Writes a stack as a thread of gdb. */
static size_t gdb_thread(const stack *s)
{
    const char *name;
    unsigned long offset;
    size_t id = random_below(64);
    int done =
        printf("Thread %zu (Thread 0x7f3c1800%04zx (LWP %zu) \"worker\"):\n", id, id, id + 1);
    for (size_t i = 0; i < s->n; i++) {
        int n = name_of(s->lines[i], &name, &offset);
        done += printf("#%-2zu 0x%016lx in %.*s () from /usr/lib/libnode.so\n", i,
                       0x7f3c20000000 + offset, n, name);
    }
    return (size_t)(done + printf("\n"));
}

/* Returns a number for a name. */
static unsigned number_of(const char *name, int n)
{
    unsigned hash = 2166136261u;
    for (int i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return hash >> 12;
}

/* Writes a stack as a thread of Java. */
static size_t java_thread(const stack *s)
{
    const char *name;
    unsigned long offset;
    size_t id = random_below(64);
    int done = printf("\"worker-%zu\" #%zu prio=5 os_prio=0 cpu=1.00ms elapsed=2.00s "
                      "tid=0x00007f3c1800 nid=0x%zx runnable  [0x00007f3c1000]\n"
                      "   java.lang.Thread.State: RUNNABLE\n",
                      id, id, id);
    for (size_t i = 0; i < s->n; i++) {
        int n = name_of(s->lines[i], &name, &offset);
        unsigned number = number_of(name, n);
        done += printf("\tat com.example.app%u.Worker%u.run%u(Worker.java:%u)\n", number % 7,
                       number % 31, number % 1009, number % 400);
    }
    return (size_t)(done + printf("\n"));
}

/* Writes the functions of a stack, each with costs of its own and a call of the next one. */
static size_t callgrind_stack(const stack *s)
{
    const char *name;
    unsigned long offset;
    int done = 0;
    for (size_t i = s->n; i-- > 0;) {
        int n = name_of(s->lines[i], &name, &offset);
        done += printf("fn=(%u)\n+%lu 5\n+1 12\n-3 105\n", number_of(name, n), offset % 50);
        if (i == 0)
            break;
        n = name_of(s->lines[i - 1], &name, &offset);
        done +=
            printf("cfn=(%u)\ncalls=1 %lu \n* %zu\n", number_of(name, n), offset % 1000, 122 * i);
    }
    return (size_t)(done + printf("\n"));
}

/* Writes the functions over and over, after their names. */
static void callgrind(const recording *r, size_t bytes)
{
    const char *name;
    unsigned long offset;
    printf("# callgrind format\npositions: line\nevents: Ir\nfl=(1) node.c\n");
    for (size_t i = 0; i < r->n_lines; i++) {
        int n = name_of(r->lines[i], &name, &offset);
        printf("fn=(%u) %.*s\n", number_of(name, n), n, name);
    }
    for_stacks(r, bytes, callgrind_stack);
}

/* Finds the symbol of a stack line, between address and offset. Returns its length. */
static size_t symbol_of(const char *line, const char **symbol)
{
    *symbol = line + 18;
    size_t n = line_length(line) - 18, i = 0;
    while (i < n && (*symbol)[i] != '+' && (*symbol)[i] != ' ' && (*symbol)[i] != ';')
        i++;
    return i > 0 ? i : 1;
}

/* Writes stacks of a random call tree: each stack continues a prefix of the previous one. Each new
 * frame is a symbol of the recording followed by one of `letters` letters (0: no letter). */
static void tree(const recording *r, size_t frames, size_t letters)
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
            const char letter[2] = {letters > 0 ? (char)('a' + (int)(made % letters)) : '\0', '\0'};
            snprintf(text[depth++], sizeof text[0], "%.*s%s", (int)n, symbol, letter);
            made++;
        }
        for (size_t i = 0; i < depth; i++) {
            put(i > 0 ? ";" : "", i > 0);
            put(text[i], strlen(text[i]));
        }
        printf(" %zu\n", 1 + random_below(1000));
    }
}

/* Writes stacks of 20 frames. A frame is one of `callees` symbols that depend on its caller, or any
 * symbol if `callees` is 0. */
static void distinct(const recording *r, size_t stacks, size_t callees)
{
    enum { DEPTH = 20, LONGEST = 17 };
    for (size_t i = 0; i < stacks; i++) {
        uint64_t path = 0;
        for (size_t depth = 0; depth < DEPTH; depth++) {
            const char *symbol;
            size_t callee = random_below(callees > 0 ? callees : r->n_lines);
            path = (path + callee + 1) * 0x9e3779b97f4a7c15u;
            size_t line = callees > 0 ? (size_t)(path >> 20) % r->n_lines : callee;
            size_t n = symbol_of(r->lines[line], &symbol);
            put(";", depth > 0);
            put(symbol, n < LONGEST ? n : LONGEST);
        }
        printf(" %zu\n", 1 + random_below(1000));
    }
}

/* ---- stacks as folded lines ---- */

/* Writes the frames of a sample with the stack lines first[0 .. n). */
static size_t folded_sample(char *const *first, size_t n)
{
    size_t done = 4;
    put("node", 4);
    while (n-- > 0) {
        const char *symbol, *line = first[n];
        size_t len = symbol_of(line, &symbol);
        put(";", 1);
        put(symbol, len);
        done += len + 1;
    }
    put(" 1\n", 3);
    return done + 3;
}

static void stacks(const recording *r, size_t bytes)
{
    for (size_t done = 0; done < bytes;)
        for (size_t i = 0, n; i < r->n_lines; i += n) {
            for (n = 1; i + n < r->n_lines; n++)
                if (r->lines[i + n - 1] + line_length(r->lines[i + n - 1]) + 1 != r->lines[i + n])
                    break;
            done += folded_sample(r->lines + i, n);
        }
}

/* ---- call trees ---- */

/* Prints a row of a tree and returns its length. */
typedef size_t row_fn(const char *symbol, int n, size_t depth, size_t count);

/* Prints the rows of a call that has `count` samples. */
static size_t grow(const recording *r, row_fn *row, size_t depth, size_t count)
{
    enum { DEEPEST = 50 };
    const char *symbol;
    size_t n = symbol_of(r->lines[random_below(r->n_lines)], &symbol);
    size_t done = row(symbol, (int)(n < 60 ? n : 60), depth, count);
    while (count > 1 && depth < DEEPEST) {
        size_t part = random_below(3) > 0 ? count : 1 + random_below(count);
        done += grow(r, row, depth + 1, part);
        count -= part;
    }
    return done;
}

static size_t sample_row(const char *symbol, int n, size_t depth, size_t count)
{
    static const char indent[] = "+ ! : | + ! : | + ! : | + ! : | + ! : | + ! : | + ! : | + ! : | "
                                 "+ ! : | + ! : | + ! : | + ! : | + ! : | + ! : | + ! : | + ! : | ";
    return (size_t)printf("    %.*s%zu %.*s  (in libnode.dylib) + %zu  [0x%zx]\n", (int)(2 * depth),
                          indent, count, n, symbol, count * 7 % 4096, 0x104a51000 + count * 64);
}

static size_t massif_row(const char *symbol, int n, size_t depth, size_t count)
{
    return (size_t)printf("%*sn1: %zu 0x%zx: %.*s (node.c:%zu)\n", (int)depth, "", count,
                          0x104a51000 + count * 64, n, symbol, count % 500);
}

static size_t ghcprof_row(const char *symbol, int n, size_t depth, size_t count)
{
    int at = symbol[n / 2] % 32; /* each cost centre has a fixed line */
    return (size_t)printf("%*s%-*.*s Data.Module%-10d src/Data/Module.hs:(%d,1)-(%d,20) %9zu %11zu "
                          "%6.1f %6.1f %7.1f %6.1f %6zu %9zu\n",
                          (int)depth, "", (int)(120 - depth), n, symbol, at, 10 * n + at,
                          11 * n + at, count, count * 3, (double)(count % 7) / 10, 0.1, 0.5, 0.5,
                          count % 5, count * 48);
}

/* Writes a tree over and over, with `before` and `after` around it. */
static void trees(const recording *r, size_t bytes, row_fn *row, const char *before,
                  const char *after)
{
    const uint64_t start = state;
    for (size_t done = 0; done < bytes;) {
        state = start;
        put(before, strlen(before));
        done += grow(r, row, 0, 6000);
        put(after, strlen(after));
    }
}

static void sample(const recording *r, size_t bytes)
{
    trees(r, bytes, sample_row,
          "Analysis of sampling node (pid 1) every 1 millisecond\n\nCall graph:\n",
          "\nTotal number in stack (recursive counted multiple, when >=5):\n\n");
}

static void massif(const recording *r, size_t bytes)
{
    trees(r, bytes, massif_row,
          "#-----------\nsnapshot=1\n#-----------\ntime=1\nheap_tree=detailed\n", "");
}

static void ghcprof(const recording *r, size_t bytes)
{
    char header[400];
    snprintf(header, sizeof header, "%-120s %-21s %-28s %9s %11s %6s %6s %7s %6s %6s %9s\n\n",
             "COST CENTRE", "MODULE", "SRC", "no.", "entries", "%time", "%alloc", "%time", "%alloc",
             "ticks", "bytes");
    trees(r, bytes, ghcprof_row, header, "\n");
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
        tree(&r, n, 26);
    else if (strcmp(argv[1], "tree") == 0)
        tree(&r, n, 0);
    else if (strcmp(argv[1], "distinct") == 0)
        distinct(&r, n, 4);
    else if (strcmp(argv[1], "shuffled") == 0)
        distinct(&r, n, 0);
    else if (strcmp(argv[1], "stacks") == 0)
        stacks(&r, n);
    else if (strcmp(argv[1], "dtrace") == 0)
        dtrace(&r, n);
    else if (strcmp(argv[1], "bpftrace") == 0)
        for_stacks(&r, n, bpftrace_entry);
    else if (strcmp(argv[1], "gdb") == 0)
        for_stacks(&r, n, gdb_thread);
    else if (strcmp(argv[1], "jstack") == 0)
        for_stacks(&r, n, java_thread);
    else if (strcmp(argv[1], "massif") == 0)
        massif(&r, n);
    else if (strcmp(argv[1], "callgrind") == 0)
        callgrind(&r, n);
    else if (strcmp(argv[1], "xdebug") == 0)
        xdebug(&r, n);
    else if (strcmp(argv[1], "sample") == 0)
        sample(&r, n);
    else if (strcmp(argv[1], "ghcprof") == 0)
        ghcprof(&r, n);
    else
        return 2;
    return fflush(stdout) == 0 ? 0 : 1;
}

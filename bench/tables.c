/* SPDX-License-Identifier: MIT */
/* Generates tables of call trees from the symbols of a real recording:
 *
 *     tables vtune FILE BYTES      a top-down report of VTune
 *     tables vsprof FILE BYTES     a call tree of Visual Studio, of samples
 *     tables xctrace FILE BYTES    a time profile of Instruments
 *
 * Repeats a tree of some ten thousand rows, as the stacks of a long recording repeat. Random
 * numbers are the same in every run.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SYMBOLS 20000
#define LONGEST 120
#define TREE    10000 /* number of rows of the tree */
#define DEEPEST 60

static char names[SYMBOLS][LONGEST];
static size_t n_names;
static size_t written;

static uint64_t state;

static size_t random_below(size_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state % n);
}

static void begin_again(void)
{
    state = 88172645463325252u;
}

/* Reads the symbols between address and offset from the stack lines of a recording. */
static bool read_names(const char *path)
{
    char line[4096];
    FILE *in = fopen(path, "r");
    if (in == NULL)
        return false;
    while (n_names < SYMBOLS && fgets(line, sizeof line, in) != NULL) {
        if (line[0] != '\t' || strlen(line) < 20)
            continue;
        size_t n = strcspn(line + 18, "+\"<>&\n");
        n = n < LONGEST - 1 ? n : LONGEST - 1;
        if (n == 0)
            continue;
        memcpy(names[n_names], line + 18, n);
        names[n_names++][n] = '\0';
    }
    fclose(in);
    return n_names > 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Removes duplicate names. */
static void make_distinct(void)
{
    size_t n = 0;
    qsort(names, n_names, sizeof names[0], by_text);
    for (size_t i = 0; i < n_names; i++)
        if (i == 0 || strcmp(names[i], names[n - 1]) != 0)
            memmove(names[n++], names[i], sizeof names[0]);
    n_names = n;
}

/* Returns a random name; some are much more frequent than others. */
static size_t random_name(void)
{
    return random_below(random_below(n_names) + 1);
}

static const char *module_of(size_t name)
{
    static const char *const modules[] = {"node", "libc.so.6", "libstdc++.so.6",
                                          "[kernel.kallsyms]"};
    return modules[name % 4];
}

/* ---- rows of a tree -------------------------------------------------------------------------- */

typedef struct tree_row {
    size_t depth, name, own, all;
} tree_row;

static tree_row rows_of_tree[TREE];

/* Grows a random tree: each row continues a prefix of the previous stack. A third of the rows have
 * samples of their own. */
static void grow_tree(void)
{
    static size_t path[DEEPEST + 1];
    size_t depth = 0;
    begin_again();
    for (size_t i = 0; i < TREE; i++) {
        size_t own = random_below(3) == 0 ? 1 + random_below(900) : 0;
        rows_of_tree[i] = (tree_row){depth, random_name(), own, 0};
        path[depth] = i;
        for (size_t k = 0; k <= depth; k++)
            rows_of_tree[path[k]].all += own;
        depth = random_below(3) > 0 && depth < DEEPEST ? depth + 1 : random_below(depth + 2);
        depth = depth < DEEPEST ? depth : DEEPEST;
    }
}

static void vtune_row(const tree_row *r)
{
    const char *quote = strchr(names[r->name], ',') != NULL ? "\"" : "";
    int n = printf("%*s%s%s%s,%zu.%06zu,%s\n", (int)r->depth, "", quote, names[r->name], quote,
                   r->own / 1000, r->own % 1000 * 1000, module_of(r->name));
    written += (size_t)(n > 0 ? n : 0);
}

static void put_count(size_t count)
{
    int n =
        count < 1000 ? printf("%zu,", count) : printf("\"%zu,%03zu\",", count / 1000, count % 1000);
    written += (size_t)(n > 0 ? n : 0);
}

static void vsprof_row(const tree_row *r)
{
    int n = printf("%zu,\"%s\",", r->depth + 1, names[r->name]);
    put_count(r->all % 1000000);
    put_count(r->own);
    n += printf("%zu.%02zu,0.%02zu,\"%s\",\n", r->all % 100, r->own % 100, r->own / 10,
                module_of(r->name));
    written += (size_t)(n > 0 ? n : 0);
}

static void tree(const char *header, void (*row)(const tree_row *), size_t bytes)
{
    grow_tree();
    while (written < bytes) {
        written += (size_t)(puts(header) >= 0) + strlen(header);
        for (size_t i = 0; i < TREE && written < bytes; i++)
            row(&rows_of_tree[i]);
    }
}

/* ---- rows that refer to others --------------------------------------------------------------- */

#define BACKTRACES 10000

static size_t backtraces[BACKTRACES], n_backtraces; /* their ids */
static size_t frames[SYMBOLS];                      /* ids indexed by symbol; 0: not yet written */
static size_t last_id;

static void put(const char *text)
{
    written += strlen(text);
    fputs(text, stdout);
}

static void put_frame(size_t name)
{
    char text[512];
    bool is_new = frames[name] == 0 || random_below(20) == 0;
    if (is_new)
        frames[name] = ++last_id;
    if (is_new)
        snprintf(text, sizeof text,
                 "<frame id=\"%zu\" name=\"%s\" addr=\"0x%zx\"><binary ref=\"8\"/></frame>",
                 frames[name], names[name], 0x18d000000 + 16 * last_id);
    else
        snprintf(text, sizeof text, "<frame ref=\"%zu\"/>", frames[name]);
    put(text);
}

static void put_backtrace(void)
{
    static size_t stack[DEEPEST], depth;
    char text[64];
    if (n_backtraces == BACKTRACES || (n_backtraces > 100 && random_below(5) > 0)) {
        snprintf(text, sizeof text, "<backtrace ref=\"%zu\"/>",
                 backtraces[random_below(random_below(n_backtraces) + 1)]);
        put(text);
        return;
    }
    depth = random_below(depth + 1);
    while (depth < 8 || (depth < DEEPEST && random_below(8) > 0))
        stack[depth++] = random_name();
    backtraces[n_backtraces++] = ++last_id;
    snprintf(text, sizeof text, "<backtrace id=\"%zu\">", last_id);
    put(text);
    for (size_t i = depth; i-- > 0;)
        put_frame(stack[i]);
    put("</backtrace>");
}

static void xctrace(size_t bytes)
{
    char text[256];
    begin_again();
    put("<?xml version=\"1.0\"?>\n<trace-query-result>\n<node><schema "
        "name=\"time-profile\"></schema>"
        "<row><thread id=\"1\" fmt=\"main\"><process id=\"2\" fmt=\"app (7)\"/></thread>"
        "<core id=\"3\" fmt=\"CPU 0\">0</core><core id=\"4\" fmt=\"CPU 1\">1</core>"
        "<thread-state id=\"5\" fmt=\"Running\">Running</thread-state>"
        "<weight id=\"6\" fmt=\"1.00 ms\">1000000</weight><backtrace id=\"7\">"
        "<frame name=\"start\"><binary id=\"8\" name=\"app\" path=\"/bin/app\"/></frame>"
        "</backtrace></row>\n");
    last_id = 8;
    for (size_t rows = 0; written < bytes; rows++) {
        size_t id = ++last_id;
        snprintf(
            text, sizeof text,
            "<row><sample-time id=\"%zu\" fmt=\"00:%02zu.%03zu.%03zu\">%zu</sample-time>"
            "<thread ref=\"1\"/><process ref=\"2\"/><core ref=\"%zu\"/><thread-state ref=\"5\"/>"
            "<weight ref=\"6\"/>",
            id, rows / 1000000 % 100, rows / 1000 % 1000, rows % 1000, rows * 1000, 3 + rows % 2);
        put(text);
        put_backtrace();
        put("</row>\n");
    }
    put("</node></trace-query-result>\n");
}

int main(int argc, char **argv)
{
    static char buffer[1 << 20];
    if (argc != 4 || !read_names(argv[2]))
        return 2;
    make_distinct();
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    size_t bytes = strtoull(argv[3], NULL, 10);
    if (strcmp(argv[1], "vtune") == 0)
        tree("Function Stack,CPU Time:Self,Module", vtune_row, bytes);
    else if (strcmp(argv[1], "vsprof") == 0)
        tree("Level,Function Name,Inclusive Samples,Exclusive Samples,Inclusive Samples %,"
             "Exclusive Samples %,Module Name,",
             vsprof_row, bytes);
    else if (strcmp(argv[1], "xctrace") == 0)
        xctrace(bytes);
    else
        return 2;
    return fflush(stdout) == 0 ? 0 : 1;
}

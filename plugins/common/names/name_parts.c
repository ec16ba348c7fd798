/* SPDX-License-Identifier: MIT */
/* Divides the name of a function. */
#include "name_parts.h"

#include <string.h>

#include <brazier/symbol.h>
#include <brazier/text/find.h>
#include <brazier/text/integer.h>

static bool is_upper(char c)
{
    return (unsigned)(c - 'A') < 26;
}

/* Returns whether a character may be part of an identifier: a letter, a digit, "_", "$", or any
 * that is not ASCII. A bit stands for each character. */
static bool is_word(char c)
{
    static const uint64_t words[4] = {UINT64_C(0x3ff) << '0' | UINT64_C(1) << '$',
                                      UINT64_C(0x3ffffff) << ('A' - 64) |
                                          UINT64_C(0x3ffffff) << ('a' - 64) |
                                          UINT64_C(1) << ('_' - 64),
                                      UINT64_MAX, UINT64_MAX};
    unsigned char code = (unsigned char)c;
    return (words[code >> 6] >> (code & 63) & 1) != 0;
}

/* Returns the end of the identifier at `at`, or `at` if none is there. */
static size_t word_end(brz_str s, size_t at, size_t end)
{
    const char *c = s.data + at, *stop = s.data + end;
    while (c < stop && is_word(*c))
        c++;
    return (size_t)(c - s.data);
}

static brz_str rest_at(brz_str s, size_t at, size_t end)
{
    return brz_str_of(s.data + at, end - at);
}

static bool is_at(brz_str s, size_t at, size_t end, brz_str what)
{
    return brz_starts_with(rest_at(s, at, end), what);
}

/* ---- brackets and separators --------------------------------------------------------------- */

size_t name_group_end(name_reader *r)
{
    const char *s = r->text.data;
    long depth = 0;
    if (r->is_unbalanced || r->at >= r->end || brz_bracket(s[r->at]) <= 0)
        return r->at;
    for (size_t i = r->at; i < r->end; i++) {
        bool is_arrow = s[i] == '>' && i > r->at && (s[i - 1] == '-' || s[i - 1] == '=');
        depth += is_arrow ? 0 : brz_bracket(s[i]);
        if (depth == 0)
            return i + 1;
    }
    r->is_unbalanced = true;
    return r->at;
}

/* Returns whether a compiler's suffix such as ".isra.0", or the ending of a file, is at `at`,
 * after the dot. */
static bool is_suffix(brz_str s, size_t at, size_t end)
{
    static const char *const words[] = {
        "isra", "part", "constprop", "cold", "llvm", "lto_priv", "clone", "_omp_fn", "plt", "so",
        "dll",  "exe",  "dylib",     "jar",  "py",   "js",       "mjs",   "ts",      "rb",  "php"};
    for (size_t i = 0; i < BRZ_COUNT_OF(words); i++) {
        size_t n = strlen(words[i]);
        if (is_at(s, at, end, brz_str_of(words[i], n)) &&
            (at + n == end || !is_word(s.data[at + n])))
            return true;
    }
    return false;
}

static bool is_mark(char c)
{
    return c == '*' || c == '~' || c == '^' || c == '+';
}

/* Returns the length of the separator ":" or "::" at the position. V8's marks of compiled code
 * belong to it: "LazyCompile:*". */
static size_t colon_length(const name_reader *r)
{
    const char *s = r->text.data;
    size_t n = 1;
    while (n < 3 && r->at + n < r->end && s[r->at + n] == ':')
        n++;
    if (n == 1 && r->at + 1 < r->end && is_mark(s[r->at + 1]))
        n = 2;
    if (r->at == 0 || r->at + n >= r->end || (n == 1 && !is_word(s[r->at + 1])))
        return 0;
    return (n == 1 && brz_is_digit(s[r->at + 1])) || s[r->at + n] == ' ' ? 0 : n;
}

size_t name_separator(const name_reader *r)
{
    char c = r->text.data[r->at];
    if (c == ':')
        return colon_length(r);
    if (c != '.' && c != '/' && c != '`' && c != '!' && c != '#' && c != '\\')
        return 0;
    if (r->at == 0 || r->at + 1 >= r->end)
        return 0;
    char next = r->text.data[r->at + 1];
    bool begins = is_word(next) || brz_bracket(next) > 0 || next == '~' || next == '*';
    if (!begins || brz_is_digit(next))
        return 0;
    return c == '.' && is_suffix(r->text, r->at + 1, r->end) ? 0 : 1;
}

/* ---- places -------------------------------------------------------------------------------- */

/* Returns the end of a text without line and column, as in "file:12:3". */
static size_t without_line(brz_str s, size_t from, size_t end)
{
    for (int numbers = 0; numbers < 2; numbers++) {
        size_t at = end;
        while (at > from && brz_is_digit(s.data[at - 1]))
            at--;
        if (at == end || at < from + 2 || s.data[at - 1] != ':')
            break;
        end = at - 1;
    }
    return end;
}

static bool has_any(brz_str s, size_t from, size_t end, const char *characters)
{
    for (size_t i = from; i < end; i++)
        if (s.data[i] != '\0' && strchr(characters, s.data[i]) != NULL)
            return true;
    return false;
}

/* Returns whether a part of a name is a file, with or without a line. */
static bool is_place(brz_str s, size_t from, size_t end)
{
    size_t file = without_line(s, from, end);
    if (file < end)
        return file > from && has_any(s, from, file, "/.:\\");
    return is_at(s, from, end, BRZ_STR("/")) || is_at(s, from, end, BRZ_STR("file://")) ||
           is_at(s, from, end, BRZ_STR("node:"));
}

static bool has_blank(brz_str s, size_t end)
{
    return end > 0 && memchr(s.data, ' ', end) != NULL;
}

static size_t last_of(brz_str s, size_t end, char c)
{
    while (end > 0 && s.data[end - 1] != c)
        end--;
    return end;
}

/* Finds the place after the function's part: "f (file:12)" or "f file:12:3". */
static void find_place(brz_str s, name_parts *p)
{
    bool closed = s.len > 0 && s.data[s.len - 1] == ')';
    size_t end = s.len - closed, blank = has_blank(s, end) ? last_of(s, end, ' ') : 0, from = blank;
    p->function_end = s.len;
    p->place = (name_range){s.len, s.len};
    if (blank < 2)
        return;
    if (closed) {
        if (blank >= end || s.data[blank] != '(' || without_line(s, blank + 1, end) == end)
            return;
        from = blank + 1;
    }
    if (from >= end || !is_place(s, from, end))
        return;
    p->place = (name_range){from, end};
    p->function_end = blank - 1;
}

/* Returns the end of a file, a line and " - " in front of a function, or 0. */
static size_t line_in_front(brz_str s)
{
    static const char dash[] = " - ";
    const char *blank = s.len == 0 ? NULL : memchr(s.data, ' ', s.len);
    size_t end = blank == NULL ? s.len : (size_t)(blank - s.data);
    bool has_dash = end + 3 < s.len && is_at(s, end, s.len, brz_str_of(dash, 3));
    return has_dash && (s.data[0] == ':' || without_line(s, 0, end) < end) ? end + 3 : 0;
}

#define LONGEST_ENDING 6

/* Returns whether a file's name ends like one of code. */
static bool has_code_ending(brz_str file)
{
    static const char *const endings[] = {
        ".py", ".js", ".mjs", ".cjs", ".ts",  ".tsx", ".rb",  ".php", ".c",    ".cc",  ".cpp",
        ".h",  ".rs", ".go",  ".so",  ".dll", ".exe", ".jar", ".pl",  ".html", ".css", ".dylib"};
    size_t dot = file.len, least = file.len > LONGEST_ENDING ? file.len - LONGEST_ENDING : 0;
    while (dot > least && file.data[dot - 1] != '.')
        dot--;
    if (dot == least)
        return false;
    brz_str ending = rest_at(file, dot - 1, file.len);
    return BRZ_IS_AMONG(ending, endings);
}

/* Returns whether a name has blanks, parameters or arguments. */
static bool has_more_than_path(brz_str s, size_t end)
{
    return has_blank(s, end) || memchr(s.data, '(', end) != NULL ||
           memchr(s.data, '<', end) != NULL;
}

/* Returns the beginning of the file's name if the whole name is a path, or else the end. */
static size_t file_of_path(brz_str s, size_t end)
{
    size_t file = without_line(s, 0, end), slash = file;
    if (file == 0 || (s.data[0] != '/' && !has_code_ending(rest_at(s, 0, file))) ||
        has_more_than_path(s, end))
        return end;
    while (slash > 0 && s.data[slash - 1] != '/' && s.data[slash - 1] != '\\')
        slash--;
    return slash == file ? end : slash;
}

/* ---- the function's part ------------------------------------------------------------------- */

/* Returns the position after which no blank separates a return type: that of the last "::" or of
 * the last list of parameters. */
static size_t last_code(brz_str s, size_t end)
{
    name_reader r = {.text = s, .end = end};
    size_t last = 0;
    if (!has_blank(s, end))
        return 0;
    while (r.at < end) {
        if (is_word(s.data[r.at])) {
            r.at++;
            continue;
        }
        size_t group = name_group_end(&r);
        bool has_parameters = group > r.at && s.data[r.at] == '(' && r.at > 0 &&
                              (is_word(s.data[r.at - 1]) || s.data[r.at - 1] == '>');
        if (has_parameters || is_at(s, r.at, end, BRZ_STR("::")))
            last = r.at;
        r.at = group > r.at ? group : r.at + 1;
    }
    return last;
}

/* Returns the end of an operator's name, such as "operator()" or "operator new", or `from` if no
 * operator is there. */
static size_t operator_end(brz_str s, size_t from, size_t end)
{
    size_t at = from + 8;
    if (!is_at(s, from, end, BRZ_STR("operator")) || at >= end || is_word(s.data[at]))
        return from;
    if (is_at(s, at, end, BRZ_STR("()")))
        return at + 2;
    while (at < end && s.data[at] != '(')
        at++;
    return at;
}

/* Returns whether a component stands for code within the function before it: a closure. */
static bool is_closure(brz_str s, size_t from, size_t to)
{
    if (from >= to || brz_bracket(s.data[from]) > 0 || (to - from == 1 && s.data[from] == '_'))
        return true;
    return to - from > 4 && is_at(s, from, to, BRZ_STR("func")) && brz_is_digit(s.data[from + 4]);
}

/* Takes a component as the function's own name, unless it is a closure within the one before. */
static void take_component(brz_str s, name_range c, name_parts *p)
{
    while (c.to > c.from + 1 && s.data[c.to - 1] == ' ')
        c.to--;
    if (p->own.to == p->own.from || !is_closure(s, c.from, c.to))
        p->own = c;
}

/* Finds the function's own name: the last component, up to its brackets. */
static void find_own(brz_str s, name_parts *p)
{
    name_reader r = {.text = s, .at = p->line_end, .end = p->function_end};
    size_t code = last_code(s, r.end), start = r.at, stop = SIZE_MAX;
    bool is_over = false;
    while (r.at < r.end && !is_over) {
        if (r.at > start || s.data[r.at] != 'o') /* no operator */
            r.at = word_end(s, r.at, r.end);
        if (r.at == r.end)
            break;
        size_t group = r.at == start ? operator_end(s, start, r.end) : r.at, n;
        if (group == r.at)
            group = name_group_end(&r);
        if (group > r.at) {
            bool opens = brz_bracket(s.data[r.at]) > 0 && r.at > start;
            stop = opens && stop == SIZE_MAX ? r.at : stop;
            r.at = group;
        } else if ((n = name_separator(&r)) > 0) {
            take_component(s, (name_range){start, stop < r.at ? stop : r.at}, p);
            start = r.at += n;
            stop = SIZE_MAX;
        } else if (s.data[r.at] == ' ' && r.at < code) {
            start = p->qualified = ++r.at;
            p->own = (name_range){0, 0};
            stop = SIZE_MAX;
        } else {
            if (s.data[r.at] == '@' && stop == SIZE_MAX && r.at > start)
                stop = r.at;
            is_over = s.data[r.at] == ' ' && stop != SIZE_MAX;
            r.at += !is_over;
        }
    }
    take_component(s, (name_range){start, stop < r.at ? stop : r.at}, p);
}

/* Makes a file the function's own name if there is no other: "Script:~ /app/main.js:1:1". */
static bool take_file(brz_str s, name_parts *p)
{
    char last = ' ';
    if (p->function_end > 0)
        last = s.data[p->function_end - 1];
    if (p->place.to == p->place.from || p->place.to < s.len || (!is_mark(last) && last != ':'))
        return false;
    size_t from = p->place.to;
    while (from > p->place.from && s.data[from - 1] != '/' && s.data[from - 1] != '\\')
        from--;
    if (from == p->place.to) /* a folder */
        return false;
    p->own = (name_range){from, s.len};
    p->qualified = p->place.from;
    p->function_end = s.len;
    p->place = (name_range){s.len, s.len};
    return true;
}

name_parts name_parts_of(brz_str name)
{
    name_parts p = {.own = {0, 0}};
    find_place(name, &p);
    if (take_file(name, &p))
        return p;
    size_t file = p.place.from == p.place.to ? file_of_path(name, name.len) : name.len;
    if (file < name.len) {
        p.own = (name_range){file, name.len};
        return p;
    }
    p.qualified = p.line_end = p.place.from == p.place.to ? line_in_front(name) : 0;
    find_own(name, &p);
    if (p.own.from == p.own.to)
        p.own = (name_range){p.line_end, p.function_end};
    return p;
}

/* ---- packages ------------------------------------------------------------------------------ */

/* Returns the end of a folder of Python's library that begins at a position, such as "python3.11/"
 * or "site-packages/", or the position itself. */
static size_t python_library_end(brz_str file, size_t at)
{
    size_t to = at;
    if (is_at(file, at, file.len, BRZ_STR("site-packages/")) ||
        is_at(file, at, file.len, BRZ_STR("dist-packages/")))
        return at + strlen("site-packages/");
    if (!is_at(file, at, file.len, BRZ_STR("python")))
        return at;
    for (to += strlen("python");
         to < file.len && (brz_is_digit(file.data[to]) || file.data[to] == '.');)
        to++;
    bool has_version = to > at + strlen("python") && to < file.len && file.data[to] == '/';
    return has_version ? to + 1 : at;
}

/* Returns the package of a file of a library of Python, "json" for
 * /usr/lib/python3.11/json/scanner.py; an empty text for another file. */
static brz_str package_of_python(brz_str file)
{
    static const char frozen[] = "<frozen ";
    size_t from = 0, to;
    if (brz_starts_with(file, BRZ_STR("<frozen ")))
        from = sizeof frozen - 1;
    else if (!brz_ends_with(file, BRZ_STR(".py")))
        return rest_at(file, 0, 0);
    for (size_t at = 0; at < file.len; at++)
        if (at == 0 || file.data[at - 1] == '/')
            from = python_library_end(file, at) > at ? python_library_end(file, at) : from;
    for (to = from; to < file.len && strchr("/.>", file.data[to]) == NULL;)
        to++;
    return rest_at(file, from, from > 0 ? to : from);
}

brz_str name_package_of_file(brz_str place)
{
    static const char modules[] = "node_modules/", scheme[] = "file://";
    if (brz_starts_with(place, brz_str_of(scheme, sizeof scheme - 1)))
        place = rest_at(place, sizeof scheme - 1, place.len);
    size_t end = without_line(place, 0, place.len), from = 0, at;
    place.len = end;
    while ((at = brz_str_find(place, brz_str_of(modules, sizeof modules - 1), from)) != SIZE_MAX)
        from = at + sizeof modules - 1;
    if (from > 0) {
        size_t slashes = from < end && place.data[from] == '@' ? 2 : 1, to = from;
        for (; to < end && slashes > 0; to++)
            slashes -= place.data[to] == '/';
        return rest_at(place, from, slashes == 0 ? to - 1 : to);
    }
    brz_str python = package_of_python(place);
    if (python.len > 0)
        return python;
    size_t slash = end;
    while (slash > 0 && place.data[slash - 1] != '/' && place.data[slash - 1] != '\\')
        slash--;
    if (brz_starts_with(place, BRZ_STR("node:"))) {
        size_t first = brz_str_find(place, BRZ_STR("/"), 0);
        return rest_at(place, 0, first != SIZE_MAX ? first : end);
    }
    return rest_at(place, 0, slash > 1 ? slash - 1 : end);
}

/* Returns the package of a path of packages: "java/util" for java/util/Map.put, "a.org/b/pkg" for
 * a.org/b/pkg.f. */
static brz_str package_of_path(brz_str head, size_t slash)
{
    size_t to = slash;
    if (is_upper(head.data[slash]))
        return brz_str_of(head.data, slash - 1);
    while (to < head.len && head.data[to] != '.')
        to++;
    return brz_str_of(head.data, to);
}

/* Returns up to three packages in front of a class: "org.apache.spark" for
 * org.apache.spark.sql.Row. */
static brz_str package_of_dots(brz_str head)
{
    size_t to = 0, dots = 0;
    for (size_t from = 0; from < head.len && dots < 3; dots++) {
        const char *dot = memchr(head.data + from, '.', head.len - from);
        size_t end = dot == NULL ? head.len : (size_t)(dot - head.data);
        if (dots > 0 && (is_upper(head.data[from]) || brz_bracket(head.data[from]) > 0))
            break;
        to = end;
        from = end + 1;
    }
    return brz_str_of(head.data, to);
}

brz_str name_package_of_go(brz_str name)
{
    size_t slash = 0, at = 0;
    for (; at < name.len && brz_bracket(name.data[at]) == 0; at++)
        slash = name.data[at] == '/' ? at : slash;
    while (slash < at && name.data[slash] != '.')
        slash++;
    return brz_str_of(name.data, slash < at ? slash : 0);
}

/* Returns whether the rest of a name after its first '<' is the type in "<u8>::from_str": one of
 * Rust's core library. */
static bool is_core_type(brz_str type)
{
    static const char *const words[] = {"u8",  "u16",   "u32",  "u64",  "u128", "i8",
                                        "i16", "i32",   "i64",  "i128", "f32",  "f64",
                                        "str", "usize", "bool", "char", "isize"};
    if (type.len > 0 && strchr("[(*&", type.data[0]) != NULL)
        return true;
    return BRZ_IS_AMONG(type, words);
}

/* Returns the text in front of the name that the JVM gives a class that it generates, which has a
 * number and an address: java/util/Map for java/util/Map$$Lambda$14+0x00007f/123. */
static brz_str without_hidden_class(brz_str head)
{
    size_t lambda = brz_str_find(head, BRZ_STR("$$Lambda"), 0);
    size_t address = brz_str_find(head, BRZ_STR("+0x"), 0);
    size_t to = lambda < address ? lambda : address;
    return to < head.len ? brz_str_of(head.data, to) : head;
}

/* Returns the package of Python's functions in C, such as "<method 'match' of 're.Pattern'
 * objects>". */
static brz_str package_of_builtin(brz_str name)
{
    bool is_builtin =
        brz_starts_with(name, BRZ_STR("<built-in ")) || brz_starts_with(name, BRZ_STR("<method '"));
    return is_builtin ? BRZ_STR("built-in") : brz_str_of(name.data, 0);
}

/* Returns whether a character separates a package or a place from a function. */
static inline bool is_separator(char c)
{
    return c == ':' || c == '.' || c == '/' || c == '`' || c == '!' || c == '#' || c == '\\';
}

#if BRZ_HAVE_SSE2
/* Returns nonzero if one of the 16 bytes at `p` is a separator. '.' and '/' differ in one bit, and
 * so do '!' and '#'. */
static inline int find_separators16(const char *p)
{
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
    __m128i found = _mm_cmpeq_epi8(_mm_or_si128(v, _mm_set1_epi8(1)), _mm_set1_epi8('/'));
    __m128i marks = _mm_cmpeq_epi8(_mm_or_si128(v, _mm_set1_epi8(2)), _mm_set1_epi8('#'));
    found = _mm_or_si128(found, marks);
    found = _mm_or_si128(found, _mm_cmpeq_epi8(v, _mm_set1_epi8(':')));
    found = _mm_or_si128(found, _mm_cmpeq_epi8(v, _mm_set1_epi8('`')));
    found = _mm_or_si128(found, _mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
    return _mm_movemask_epi8(found);
}
#endif

static bool has_separator(brz_str name)
{
    size_t i = 0;
#if BRZ_HAVE_SSE2
    if (name.len >= 16) {
        int found = find_separators16(name.data + name.len - 16);
        for (; i + 16 < name.len; i += 16)
            found |= find_separators16(name.data + i);
        return found != 0;
    }
#endif
    while (i < name.len && !is_separator(name.data[i]))
        i++;
    return i < name.len;
}

/* Finds the first place outside of brackets where a text is. Returns the place, or SIZE_MAX, and
 * stores the beginning of the word in front of it. */
static size_t find_outside(brz_str s, brz_str what, size_t *word)
{
    name_reader r = {.text = s, .end = s.len};
    *word = 0;
    for (size_t group; r.at<s.len; r.at = group> r.at ? group : r.at + 1) {
        group = name_group_end(&r);
        if (is_at(s, r.at, s.len, what))
            return r.at;
        if (s.data[r.at] == ' ')
            *word = r.at + 1;
    }
    return SIZE_MAX;
}

/* Returns a namespace or class without its arguments: "vec" for vec<int, va_gc>. Returns an empty
 * text for a function around a closure. */
static brz_str without_arguments(brz_str name)
{
    size_t to = 0;
    while (to < name.len && name.data[to] != '<' && name.data[to] != '>' &&
           (to == 0 || name.data[to] != '('))
        to++;
    if (to < name.len && name.data[to] == '(')
        return rest_at(name, 0, 0);
    return to > 0 ? rest_at(name, 0, to) : name;
}

/* Returns the outermost namespace in front of a separator, or an empty text without one. */
static brz_str package_in_front(brz_str head, brz_str separator)
{
    size_t word, at = brz_str_find(head, separator, 0);
    if (at == SIZE_MAX)
        return rest_at(head, 0, 0);
    if (head.data[0] == '[') /* a slice of a type, which may have a crate */
        word = last_of(head, at, ' ');
    else
        at = find_outside(head, separator, &word);
    if (at == SIZE_MAX || at == 0)
        return rest_at(head, 0, 0);
    if (head.data[at - 1] == '>' && is_core_type(rest_at(head, word, at - 1)))
        return BRZ_STR("core"); /* in "<u8 as core::Clone>", the trait's crate */
    word += head.data[word] == '[' && word + 1 < at;
    return without_arguments(rest_at(head, word, at));
}

/* Returns the package in a name with separators. */
__attribute__((noinline)) static brz_str package_of_separated(brz_str name)
{
    name_parts p = {.own = {0, 0}};
    find_place(name, &p);
    if (p.place.to > p.place.from)
        return name_package_of_file(rest_at(name, p.place.from, p.place.to));
    p = name_parts_of(name);
    size_t from = p.qualified, to = p.own.from;
    while (from < to &&
           (name.data[from] == '<' || name.data[from] == '&' || name.data[from] == '*'))
        from++;
    brz_str head = rest_at(name, from, to > from ? to : from);
    size_t pointer = head.len == 0 ? brz_str_find(name, BRZ_STR(" (*"), 0) : SIZE_MAX;
    if (pointer != SIZE_MAX) /* void (*ns::get(int))(char) */
        head = rest_at(name, pointer + 3, name.len);
    static const char *const firsts[] = {"`", "!", "::"};
    for (size_t i = 0; i < 3; i++) {
        brz_str package = package_in_front(head, brz_str_of_text(firsts[i]));
        if (package.len > 0)
            return package;
    }
    if (brz_str_find(head, BRZ_STR("::"), 0) != SIZE_MAX)
        return rest_at(name, 0, 0);
    brz_str visible = without_hidden_class(head);
    bool is_hidden = visible.len < head.len;
    head = visible;
    size_t slash = last_of(head, head.len, '/');
    if (slash > 1 && slash < head.len)
        return package_of_path(head, slash);
    if (slash > 1)
        return brz_str_of(head.data, slash - 1);
    bool has_dots = head.len > 0 && memchr(head.data, '.', head.len) != NULL;
    return has_dots || is_hidden ? package_of_dots(head) : brz_str_of(name.data, 0);
}

brz_str name_package(brz_str name)
{
    brz_str package = brz_str_of(name.data, 0);
    if (name.len > 0 && name.data[0] == '<')
        package = package_of_builtin(name);
    return package.len > 0 || !has_separator(name) ? package : package_of_separated(name);
}

/* Demangles symbol names of D with libiberty.
 *
 * A name may refer to types further in front, and these to others, so that a hundred bytes stand
 * for gigabytes. libiberty writes the result to memory of its own, as long as it may be. Names are
 * therefore left as they are if their references stand for too many bytes of the name.
 */
#include "profile/demangle_d.h"

#include <stdlib.h>
#include <string.h>

#include "base/built_with.h"

#if BRZ_HAVE_LIBIBERTY
#include <demangle.h>
#endif

#define LONGEST_NAME   ((size_t)2048) /* libiberty's functions call themselves for each type */
#define REFERENCES_MAX 512
#define LONGEST_RESULT UINT64_C(65536)

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

bool brz_may_be_d(brz_str name)
{
    return name.len > 3 && memcmp(name.data, "_D", 2) == 0 && is_digit(name.data[2]);
}

#if BRZ_HAVE_LIBIBERTY

/* ---- references ----------------------------------------------------------------------------- */

/* A reference, and the bytes of the name for which it stands at most. */
typedef struct reference {
    size_t at;
    uint64_t bytes;
} reference;

/* Reads a reference: a distance with the base 26, whose last digit is a lower-case letter. Returns
 * false if there is none. */
static bool read_distance(brz_str name, size_t at, size_t *distance)
{
    *distance = 0;
    for (at++; at < name.len && *distance < LONGEST_NAME; at++) {
        char c = name.data[at];
        if (is_lower(c)) {
            *distance = *distance * 26 + (size_t)(c - 'a');
            return true;
        }
        if (!is_upper(c))
            return false;
        *distance = *distance * 26 + (size_t)(c - 'A');
    }
    return false;
}

/* Returns the bytes from `start` up to a reference, with those for which the references there
 * stand. */
static uint64_t bytes_between(const reference *all, size_t n, size_t start, size_t at)
{
    uint64_t sum = at - start;
    for (size_t i = n; i > 0 && all[i - 1].at >= start && sum <= LONGEST_RESULT; i--)
        sum += all[i - 1].bytes;
    return sum;
}

/* Returns whether the references of a name do not stand for too many bytes. */
static bool is_bounded(brz_str name)
{
    reference all[REFERENCES_MAX];
    size_t n = 0, distance;
    for (size_t at = 0; at < name.len; at++) {
        if (name.data[at] != 'Q' || !read_distance(name, at, &distance) || distance > at)
            continue;
        if (n == REFERENCES_MAX)
            return false;
        all[n] = (reference){at, bytes_between(all, n, at - distance, at)};
        n++;
    }
    return bytes_between(all, n, 0, name.len) <= LONGEST_RESULT;
}

/* ---- parameters ----------------------------------------------------------------------------- */

/* Returns the end of a group of brackets that begins here. Text in quotation marks has none. */
static const char *end_of_group(const char *at)
{
    int depth = 0;
    bool is_quoted = false;
    for (; *at != '\0'; at++) {
        if (*at == '\\' && is_quoted && at[1] != '\0')
            at++;
        else if (*at == '"')
            is_quoted = !is_quoted;
        else if (!is_quoted && (*at == '(' || *at == ')'))
            depth += *at == '(' ? 1 : -1;
        if (depth == 0)
            return at + 1;
    }
    return at;
}

/* Appends a name without the parameters of its functions, and what stands behind them up to the
 * next dot, such as "const". The arguments of templates, which begin with "!(", stay. */
static void add_without_parameters(const char *at, brz_buf *out)
{
    while (*at != '\0') {
        const char *end = at + strcspn(at, "(");
        brz_buf_add(out, at, (size_t)(end - at));
        if (*end == '\0')
            return;
        at = end_of_group(end);
        if (out->len > 0 && out->data[out->len - 1] == '!')
            brz_buf_add(out, end, (size_t)(at - end));
        else
            at += strcspn(at, ".");
    }
}

/* ---- names ---------------------------------------------------------------------------------- */

static void replace(char *text, char c, char by)
{
    for (char *at = text; (at = strchr(at, c)) != NULL;)
        *at = by;
}

/* Compilers append to the names of copies of a function: ".constprop.0". */
bool brz_d_demangle(brz_str name, bool has_parameters, brz_buf *out)
{
    char mangled[LONGEST_NAME + 1];
    const char *dot = name.len == 0 ? NULL : memchr(name.data, '.', name.len);
    size_t n = dot == NULL ? name.len : (size_t)(dot - name.data);
    if (n > LONGEST_NAME || !is_bounded(brz_str_of(name.data, n)))
        return false;
    memcpy(mangled, name.data, n);
    mangled[n] = '\0';
    char *readable = dlang_demangle(mangled, DMGL_PARAMS);
    if (readable == NULL)
        return false;
    bool is_good = strlen(readable) <= LONGEST_RESULT;
    replace(readable, ';', ':');
    if (is_good && has_parameters)
        brz_buf_add(out, readable, strlen(readable));
    else if (is_good)
        add_without_parameters(readable, out);
    free(readable);
    return is_good;
}

#else

bool brz_d_demangle(brz_str name, bool has_parameters, brz_buf *out)
{
    (void)name;
    (void)has_parameters;
    (void)out;
    return false;
}

#endif

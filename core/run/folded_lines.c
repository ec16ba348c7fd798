/* Reads plain folded text line by line. */
#include "run/folded_lines.h"

#include <string.h>

#include "profile/demangle.h"

/* Limits of plain lines, which are far longer than usual ones. */
#define MOST_DIGITS  15
#define LONGEST_LINE ((size_t)1 << 20)

/* ---- lines -------------------------------------------------------------------------------------
 */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Parses the count at the end of a line, which a blank separates from the stack. */
static bool take_count(brz_str line, brz_folded_line *out)
{
    size_t i = line.len;
    int64_t power = 1;
    out->count = 0;
    for (; i > 0 && line.len - i < MOST_DIGITS && is_digit(line.data[i - 1]); i--, power *= 10)
        out->count += (line.data[i - 1] - '0') * power;
    if (i < 2 || i == line.len || line.data[i - 1] != ' ' || line.data[i] == '0')
        return false;
    out->stack = brz_str_of(line.data, i - 1);
    return true;
}

bool brz_folded_next(brz_str *text, brz_folded_line *line)
{
    const char *end = text->len == 0 ? NULL : memchr(text->data, '\n', text->len);
    if (end == NULL)
        return false;
    size_t n = (size_t)(end - text->data);
    brz_str whole = brz_str_of(text->data, n);
    *text = brz_str_of(end + 1, text->len - n - 1);
    return take_count(whole, line);
}

int brz_folded_compare(brz_str a, brz_str b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int d = memcmp(a.data, b.data, n);
    return d != 0 ? d : (a.len > b.len) - (a.len < b.len);
}

/* ---- bytes -------------------------------------------------------------------------------------
 */

typedef signed char block __attribute__((vector_size(16)));

#define ALL(c)                                                                                     \
    {                                                                                              \
        c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c                                             \
    }

static inline block load(const char *at)
{
    block b;
    memcpy(&b, at, sizeof b);
    return b;
}

static inline bool any(block b)
{
    uint64_t halves[2];
    memcpy(halves, &b, sizeof halves);
    return (halves[0] | halves[1]) != 0;
}

/* The properties of the bytes of a stack. */
typedef struct findings {
    block bad; /* bytes that plain text does not have */
    block odd; /* a name may be mangled */
} findings;

/* Examines 16 bytes, each with the next one. Bytes above 127 are negative. */
static inline void check_block(const char *at, findings *f)
{
    static const block blank = ALL(' '), del = ALL(127), quote = ALL('"'), end = ALL(';'),
                       low = ALL('_'), tick = ALL('`');
    block c = load(at), d = load(at + 1), is_end = (block)(c == end);
    f->bad |= (block)(c < blank) | (block)(c == del) | (block)(c == quote);
    /* empty names, and blanks around names */
    f->bad |= (is_end | (block)(c == blank)) & ((block)(d == end) | (block)(d == blank));
    f->odd |= (is_end & (block)(d == low)) | (block)(c == tick);
}

/* Does the same byte by byte. Returns false if a byte is bad. */
static bool check_bytes(const char *at, size_t n, bool *is_odd)
{
    for (size_t i = 0; i < n; i++) {
        char c = at[i], d = at[i + 1];
        if (c < ' ' || c > '~' || c == '"' || ((c == ';' || c == ' ') && (d == ';' || d == ' ')))
            return false;
        *is_odd |= (c == ';' && d == '_') || c == '`';
    }
    return true;
}

/* Checks the bytes of a stack from an offset on; those before are known. */
static bool check_stack(brz_str stack, size_t from, bool *is_odd)
{
    findings f = {.bad = ALL(0), .odd = ALL(0)};
    size_t at = from;
    for (; at + sizeof(block) <= stack.len; at += sizeof(block))
        check_block(stack.data + at, &f);
    if (at < stack.len && stack.len >= sizeof(block)) { /* some bytes again */
        check_block(stack.data + stack.len - sizeof(block), &f);
        at = stack.len;
    }
    *is_odd |= any(f.odd);
    return !any(f.bad) && check_bytes(stack.data + at, stack.len - at, is_odd);
}

/* Returns whether a name of a stack may be mangled. */
static bool has_mangled(brz_str stack)
{
    while (stack.len > 0) {
        const char *end = memchr(stack.data, ';', stack.len);
        size_t n = end == NULL ? stack.len : (size_t)(end - stack.data);
        if (brz_may_be_mangled(brz_str_of(stack.data, n)))
            return true;
        n += end != NULL;
        stack = brz_str_of(stack.data + n, stack.len - n);
    }
    return false;
}

/* Returns whether the last word of a stack may be another count. */
static bool may_have_count(brz_str stack)
{
    char last = stack.data[stack.len - 1];
    if (!is_digit(last) && last != '.')
        return false;
    const char *blank = memrchr(stack.data, ' ', stack.len);
    return blank != NULL && (is_digit(blank[1]) || blank[1] == '.');
}

/* ---- text --------------------------------------------------------------------------------------
 */

/* Returns the number of bytes that two stacks have in common. */
static size_t common_prefix(brz_str a, brz_str b)
{
    size_t n = a.len < b.len ? a.len : b.len, i = 0;
    for (; i + 2 * sizeof(block) <= n; i += 2 * sizeof(block)) {
        const char *x = a.data + i, *y = b.data + i;
        if (any((load(x) ^ load(y)) | (load(x + sizeof(block)) ^ load(y + sizeof(block)))))
            break;
    }
    for (uint64_t x, y; i + sizeof x <= n; i += sizeof x) {
        memcpy(&x, a.data + i, sizeof x);
        memcpy(&y, b.data + i, sizeof y);
        if (x != y)
            break;
    }
    while (i < n && a.data[i] == b.data[i])
        i++;
    return i;
}

/* Returns the offset of the ';' in front of the name at the end of the first `n` bytes of a stack;
 * 0 if they are a part of the first name. */
static size_t before_name(brz_str stack, size_t n)
{
    const char *end = n == 0 ? NULL : memrchr(stack.data, ';', n);
    return end == NULL ? 0 : (size_t)(end - stack.data);
}

/* Checks a stack that follows another one. The name in which they differ is checked as a whole,
 * because what follows the common bytes may make it a mangled one. */
static bool is_plain_stack(brz_str before, brz_str stack)
{
    bool is_odd = stack.data[0] == '_';
    size_t same = common_prefix(before, stack), from = before_name(stack, same);
    if (same == stack.len || stack.len > LONGEST_LINE ||
        (same < before.len && (unsigned char)before.data[same] > (unsigned char)stack.data[same]))
        return false;
    return stack.data[0] != '#' && stack.data[0] != ';' && stack.data[0] != ' ' &&
           check_stack(stack, from, &is_odd) && !may_have_count(stack) &&
           (!is_odd || !has_mangled(brz_str_of(stack.data + from, stack.len - from)));
}

bool brz_folded_check(brz_str *text, brz_str *before)
{
    brz_folded_line line;
    while (text->len > 0) {
        if (!brz_folded_next(text, &line) || !is_plain_stack(*before, line.stack))
            return false;
        *before = line.stack;
    }
    return true;
}

bool brz_folded_is_plain(brz_str text)
{
    brz_str before = BRZ_STR("");
    return text.len > 0 && brz_folded_check(&text, &before);
}

/* Reads lines that are in order.
 *
 * A line is plain if it is printable ASCII with one whole count above 0, and if its names need no
 * look at quotes, blanks or other counts. Only the bytes that it does not share with the line
 * before are examined.
 */
#include "sorted.h"

#include <brazier/text/find.h>

#include <string.h>

#include "frame.h"

/* Longer counts are not plain. */
#define MOST_DIGITS 15

/* ---- counts --------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Parses the count at the end of a line, and stores the length of the stack in front of it. Returns
 * false if that is not a blank and a plain count. */
static bool parse_count(const char *line, const char *end, brz_sorted_stack *to)
{
    const char *at = end;
    uint64_t count = 0, power = 1;
    for (; at > line && end - at < MOST_DIGITS && is_digit(at[-1]); at--, power *= 10)
        count += (uint64_t)(at[-1] - '0') * power;
    if (at - line < 2 || at == end || at[-1] != ' ' || *at == '0')
        return false;
    to->names = line;
    to->len = (uint32_t)(at - 1 - line);
    to->count = count;
    return true;
}

static bool may_be_in_count(char c)
{
    return is_digit(c) || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
}

/* Returns whether the last word of a stack may be another count. */
static bool may_have_count(const char *names, size_t n)
{
    if (!is_digit(names[n - 1]) && names[n - 1] != '.')
        return false;
    while (n > 0 && may_be_in_count(names[n - 1]))
        n--;
    return n > 0 && names[n - 1] == ' ';
}

/* ---- bytes ---------------------------------------------------------------------------------- */

/* The rest of a line after the bytes that it shares with the line before. */
typedef struct rest_of_line {
    const char *end; /* its newline */
    bool is_bad;     /* it has bytes that a plain line does not have */
    bool is_odd;     /* a name may be mangled */
} rest_of_line;

/* Examines the bytes from `at` on up to the newline. Returns false if that is not in front of
 * `stop`. May read 64 bytes from there on. */
typedef bool scan_fn(const char *at, const char *stop, rest_of_line *r);

/* Examines a byte other than a newline, together with the next one: names are not empty and have no
 * blanks around them. */
static void scan_byte(char c, char next, rest_of_line *r)
{
    bool may_end = c == ';' || c == ' ';
    r->is_bad |= c < ' ' || c > '~' || c == '"' || (may_end && (next == ';' || next == ' '));
    r->is_odd |= (c == '_' && (next == 'Z' || next == 'R')) || (c == 'm' && next == 'l');
}

static bool scan_portable(const char *at, const char *stop, rest_of_line *r)
{
    for (; at < stop && *at != '\n'; at++)
        scan_byte(*at, at[1], r);
    r->end = at;
    return at < stop;
}

#if BRZ_HAVE_AVX2
/* Returns a vector of the bytes at `p` whose elements are all bits if the byte is `c`. */
__attribute__((target("avx2"))) static inline brz_vec32 equal(brz_vec32 bytes, char c)
{
    return (brz_vec32)(bytes == brz_fill32(c));
}

__attribute__((target("avx2"))) static inline uint32_t mask_of(brz_vec32 bytes)
{
    return (uint32_t)__builtin_ia32_pmovmskb256(bytes);
}

/* Returns the bytes, each with the next one in `d`, that a plain line does not have. */
__attribute__((target("avx2"))) static inline brz_vec32 bad_bytes(brz_vec32 c, brz_vec32 d)
{
    brz_vec32 may_end = equal(c, ';') | equal(c, ' ');
    return equal(c, 127) | equal(c, '"') | (may_end & (equal(d, ';') | equal(d, ' ')));
}

/* Returns the bytes, each with the next one in `d`, that mangled names have. */
__attribute__((target("avx2"))) static inline brz_vec32 odd_bytes(brz_vec32 c, brz_vec32 d)
{
    return (equal(c, '_') & (equal(d, 'Z') | equal(d, 'R'))) | (equal(c, 'm') & equal(d, 'l'));
}

__attribute__((target("avx2,bmi"))) static bool scan_avx2(const char *at, const char *stop,
                                                          rest_of_line *r)
{
    for (; at < stop; at += 32) {
        brz_vec32 c = brz_load32(at), d = brz_load32(at + 1);
        /* control characters, and bytes above 127, which are negative */
        uint32_t low = mask_of((brz_vec32)(c < brz_fill32(' ')));
        uint32_t bad = mask_of(bad_bytes(c, d)), odd = mask_of(odd_bytes(c, d));
        if (low == 0) {
            r->is_bad |= bad != 0;
            r->is_odd |= odd != 0;
            continue;
        }
        uint32_t first = low & (0 - low), line = first - 1; /* the bytes before it */
        r->end = at + __builtin_ctz(low);
        r->is_bad |= (bad & line) != 0 || *r->end != '\n';
        r->is_odd |= (odd & line) != 0;
        return r->end < stop;
    }
    return false;
}
#endif

/* ---- lines ---------------------------------------------------------------------------------- */

/* The functions that suit this processor, and what they have found. */
typedef struct scanner {
    scan_fn *scan;
    brz_prefix_fn *common_prefix;
    bool has_odd; /* a line before had names that may be mangled */
} scanner;

static scanner best_scanner(void)
{
#if BRZ_HAVE_AVX2
    if (brz_cpu_has_avx2())
        return (scanner){.scan = scan_avx2, .common_prefix = brz_prefix_avx2};
#endif
    return (scanner){.scan = scan_portable, .common_prefix = brz_prefix_portable};
}

/* Returns the offset from which on a line is examined that shares `same` bytes with the line
 * before: that of the last one, together with which the next one may be bad, or that of a whole
 * name, which may become mangled by what follows. */
static size_t first_examined(const scanner *s, const char *line, size_t same)
{
    if (same == 0)
        return 0;
    const char *separator = s->has_odd ? brz_rfind_near(line, line + same, ';') : line + same - 1;
    return separator == NULL ? 0 : (size_t)(separator - line);
}

/* Returns whether a stack comes after `before`, with which it shares `same` bytes. */
static bool is_in_order(const brz_sorted_stack *s, brz_str before, size_t same)
{
    return same < s->len &&
           (same == before.len || (unsigned char)before.data[same] < (unsigned char)s->names[same]);
}

/* Returns whether a line may begin with a byte: the line is no comment, and its first name is not
 * empty and does not begin with a blank. */
static bool begins_plainly(char c)
{
    return c != '#' && c != ';' && c != ' ';
}

typedef enum taken { TAKEN, INCOMPLETE, NOT_PLAIN } taken;

/* Takes the line at *at, and advances that to the next one. */
static taken take_line(scanner *s, const char **at, const char *stop, brz_str before,
                       brz_sorted_stack *to)
{
    const char *line = *at;
    size_t left = (size_t)(stop - line), most = before.len < left ? before.len : left;
    size_t same = most == 0 ? 0 : s->common_prefix(before.data, line, most);
    rest_of_line r = {.is_odd = false};
    if (!s->scan(line + first_examined(s, line, same), stop, &r))
        return left > BRZ_SORTED_LONGEST ? NOT_PLAIN : INCOMPLETE;
    if (r.is_bad || r.end - line > BRZ_SORTED_LONGEST || !parse_count(line, r.end, to) ||
        !is_in_order(to, before, same) || !begins_plainly(*line) ||
        may_have_count(to->names, to->len))
        return NOT_PLAIN;
    s->has_odd |= r.is_odd;
    to->shared = (uint32_t)same;
    to->flags = r.is_odd ? BRZ_SORTED_ODD : 0;
    to->state = s->has_odd;
    *at = r.end + 1;
    return TAKEN;
}

/* Implements brz_sorted_reader.take. */
static bool take(brz_str *text, const brz_sorted_stack *before, brz_sorted_stack *to, size_t *n)
{
    scanner s = best_scanner();
    const char *at = text->data, *stop = at + text->len;
    size_t most = *n;
    brz_str last = before == NULL ? BRZ_STR("") : brz_str_of(before->names, before->len);
    taken how = TAKEN;
    s.has_odd = before != NULL && before->state != 0;
    for (*n = 0; *n < most && at < stop; (*n)++) {
        how = take_line(&s, &at, stop, last, &to[*n]);
        if (how != TAKEN)
            break;
        last = brz_str_of(to[*n].names, to[*n].len);
    }
    *text = brz_str_of(at, (size_t)(stop - at));
    return how != NOT_PLAIN;
}

static void weight(brz_weight_desc *d)
{
    d->name = d->unit = BRZ_STR("samples");
}

const brz_sorted_reader folded_sorted_reader = {
    .struct_size = sizeof folded_sorted_reader,
    .stack_size = sizeof(brz_sorted_stack),
    .take = take,
    .describe = folded_frame_classify,
    .weight = weight,
};

/* SPDX-License-Identifier: MIT */
/* Reads lines that are in order.
 *
 * A line is plain if it is printable ASCII with one whole count above 0, and if its names need no
 * look at quotes, blanks or other counts. Only the bytes that it does not share with the line
 * before are examined.
 */
#include "sorted.h"

#include <brazier/text/find.h>
#include <brazier/text/hash.h>

#include <string.h>

#include "frame.h"

/* Longer counts are not plain. */
#define MOST_DIGITS 15

/* ---- counts --------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Parses the digits before `end`, up to MOST_DIGITS. Returns their number. */
static size_t parse_long(const char *end, uint64_t *count)
{
    uint64_t power = 1;
    size_t n = 0;
    *count = 0;
    for (; n < MOST_DIGITS && is_digit(end[-1 - (ptrdiff_t)n]); n++, power *= 10)
        *count += (uint64_t)(end[-1 - (ptrdiff_t)n] - '0') * power;
    return n;
}

/* Does the same faster for up to seven digits, in one word. 64 bytes before a text are readable. */
static inline size_t parse_digits(const char *end, uint64_t *count)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t each = UINT64_C(0x0101010101010101);
    uint64_t word = brz_load64(end - 8) ^ each * '0';
    uint64_t others = (word | (word + each * 6)) & each * 0xf0; /* digits have 0 there */
    if (others == 0)
        return parse_long(end, count);
    size_t n = (size_t)__builtin_clzll(others) / 8;
    word = n == 0 ? 0 : word >> (64 - 8 * n) << (64 - 8 * n);
    word = (word * 10 + (word >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    word = (word * 100 + (word >> 16)) & UINT64_C(0x0000ffff0000ffff);
    *count = (word * 10000 + (word >> 32)) & UINT32_MAX;
    return n;
#else
    return parse_long(end, count);
#endif
}

/* Parses the count at the end of a line, and stores the length of the stack in front of it. Returns
 * false if that is not a blank and a plain count. */
static inline bool parse_count(const char *line, const char *end, brz_sorted_stack *to)
{
    size_t n = parse_digits(end, &to->count);
    const char *at = end - n;
    if (n == 0 || at - line < 2 || at[-1] != ' ' || *at == '0')
        return false;
    to->names = line;
    to->len = (uint32_t)(at - 1 - line);
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
    const char *end; /* its newline, or a byte that a plain line does not have */
    bool is_bad;     /* it has bytes that a plain line does not have */
    bool is_odd;     /* a name may be mangled */
} rest_of_line;

/* Examines the bytes from `at` on up to the end of the line. Returns false if that is not in front
 * of `stop`. May read 64 bytes from there on. */
typedef bool scan_fn(const char *at, const char *stop, rest_of_line *r);

/* Returns whether two bytes are odd: mangled names have them. */
static bool is_odd(char c, char next)
{
    return (c == '_' && (next == 'Z' || next == 'R')) || (c == 'm' && next == 'l');
}

/* Examines a byte in a line, together with the next one: names are not empty and have no blanks
 * around them. */
static void scan_byte(char c, char next, rest_of_line *r)
{
    bool may_end = c == ';' || c == ' ';
    r->is_bad |= may_end && (next == ';' || next == ' ');
    r->is_odd |= is_odd(c, next);
}

static bool ends_line(char c)
{
    return c < ' ' || c > '~' || c == '"';
}

static bool scan_portable(const char *at, const char *stop, rest_of_line *r)
{
    for (; at < stop && !ends_line(*at); at++)
        scan_byte(*at, at[1], r);
    r->end = at;
    return at < stop;
}

#if BRZ_HAVE_AVX2
/* A table by the lower or the upper half of a byte. */
#define HALVES(...)                                                                                \
    {                                                                                              \
        __VA_ARGS__, __VA_ARGS__                                                                   \
    }

/* Bits of a byte and the next one, of which those of both together show what they are. */
enum {
    AFTER_SEMICOLON = 3, /* one bit for each byte that may not follow */
    AFTER_BLANK = 12,
    SEMICOLON = 1 | 4,
    BLANK = 2 | 8,
    MAY_END = 15,
    UNDERSCORE_ZR = 16, /* "_Z" or "_R" */
    ML = 32,
    QUOTE = 64,
    DELETE = -128,
    ANY = QUOTE | DELETE,
};

typedef unsigned short words32 __attribute__((vector_size(32)));

__attribute__((target("avx2"))) static inline brz_vec32 upper_halves(brz_vec32 bytes)
{
    return (brz_vec32)((words32)bytes >> 4) & brz_fill32(15);
}

/* Returns the entries of a table by the lower half of each byte: 0 for those above 127. */
__attribute__((target("avx2"))) static inline brz_vec32 look_up(brz_vec32 table, brz_vec32 halves)
{
    return __builtin_ia32_pshufb256(table, halves);
}

/* Returns bytes that are negative where a byte is below ' ' or above 127. */
__attribute__((target("avx2"))) static inline brz_vec32 find_controls(brz_vec32 upper)
{
    const brz_vec32 table = HALVES(-1, -1, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1);
    return look_up(table, upper);
}

/* Returns the bits that the tables of both halves of a byte have, and those for the next byte. */
__attribute__((target("avx2"))) static inline brz_vec32 find_reasons(brz_vec32 bytes,
                                                                     brz_vec32 upper,
                                                                     brz_vec32 next)
{
    const brz_vec32 low = HALVES(AFTER_BLANK, 0, QUOTE, 0, 0, 0, 0, 0, 0, 0, 0, AFTER_SEMICOLON, 0,
                                 ML, 0, UNDERSCORE_ZR | DELETE);
    const brz_vec32 high = HALVES(0, 0, AFTER_BLANK | QUOTE, AFTER_SEMICOLON, 0, UNDERSCORE_ZR, ML,
                                  DELETE, 0, 0, 0, 0, 0, 0, 0, 0);
    const brz_vec32 next_low =
        HALVES(ANY | BLANK, ANY, ANY | UNDERSCORE_ZR, ANY, ANY, ANY, ANY, ANY, ANY, ANY,
               ANY | UNDERSCORE_ZR, ANY | SEMICOLON, ANY | ML, ANY, ANY, ANY);
    const brz_vec32 next_high =
        HALVES(ANY, ANY, ANY | BLANK, ANY | SEMICOLON, ANY, ANY | UNDERSCORE_ZR, ANY | ML, ANY, ANY,
               ANY, ANY, ANY, ANY, ANY, ANY, ANY);
    return look_up(low, bytes) & look_up(high, upper) & look_up(next_low, next) &
           look_up(next_high, upper_halves(next));
}

/* Returns a mask of the bytes with some of these bits. */
__attribute__((target("avx2"))) static inline uint32_t with(brz_vec32 reasons, char bits)
{
    const brz_vec32 none = {0};
    return ~brz_equal_mask32(reasons & brz_fill32(bits), none);
}

__attribute__((target("avx2,bmi"))) static inline bool scan_avx2(const char *at, const char *stop,
                                                                 rest_of_line *r)
{
    for (; at < stop; at += 32) {
        brz_vec32 bytes = brz_load32(at), upper = upper_halves(bytes);
        brz_vec32 controls = find_controls(upper);
        brz_vec32 reasons = find_reasons(bytes, upper, brz_load32(at + 1));
        if (brz_is_zero32(controls | reasons))
            continue;
        uint32_t ends = (uint32_t)__builtin_ia32_pmovmskb256(controls);
        if (!brz_is_zero32(reasons)) {
            ends |= with(reasons, ANY);
            uint32_t line = (ends & (0 - ends)) - 1; /* the bytes before the first end, or all */
            r->is_bad |= (with(reasons, MAY_END) & line) != 0;
            r->is_odd |= (with(reasons, UNDERSCORE_ZR | ML) & line) != 0;
        }
        if (ends != 0) {
            r->end = at + __builtin_ctz(ends);
            return r->end < stop;
        }
    }
    return false;
}
#endif

/* ---- lines ---------------------------------------------------------------------------------- */

/* The functions that suit a processor. */
typedef struct scanner {
    scan_fn *scan;
    brz_prefix_fn *common_prefix;
} scanner;

/* Returns the state of a line, of which the bytes from `from` on are odd: 1 more than the offset of
 * the first ones. The state of other lines is 0. */
static uint32_t state_of(const char *line, size_t from)
{
    while (!is_odd(line[from], line[from + 1]))
        from++;
    return (uint32_t)from + 1;
}

/* Returns whether some of the bytes that a line shares with the one before are odd. A state of 0
 * becomes more than any length. */
static inline bool shares_odd(const brz_sorted_stack *before, size_t same)
{
    return before->state - 1 < same;
}

/* Returns the offset from which on a line is examined that shares `same` bytes with the line
 * before: that of the last one, together with which the next one may be bad, or that of a whole
 * name, which may become mangled by what follows if shared bytes are odd. */
static inline size_t first_examined(const char *line, size_t same, bool has_odd)
{
    if (same == 0)
        return 0;
    const char *separator = has_odd ? brz_rfind_near(line, line + same, ';') : line + same - 1;
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
__attribute__((always_inline)) static inline taken take_line(scanner s, const char **at,
                                                             const char *stop,
                                                             const brz_sorted_stack *before,
                                                             brz_sorted_stack *to)
{
    const char *line = *at;
    size_t left = (size_t)(stop - line), most = before->len < left ? before->len : left;
    size_t same = most == 0 ? 0 : s.common_prefix(before->names, line, most);
    bool has_odd = shares_odd(before, same);
    size_t first = first_examined(line, same, has_odd);
    rest_of_line r = {.is_odd = false};
    if (!s.scan(line + first, stop, &r))
        return left > BRZ_SORTED_LONGEST ? NOT_PLAIN : INCOMPLETE;
    if (r.is_bad || *r.end != '\n' || r.end - line > BRZ_SORTED_LONGEST ||
        !parse_count(line, r.end, to) ||
        !is_in_order(to, brz_str_of(before->names, before->len), same) || !begins_plainly(*line) ||
        may_have_count(to->names, to->len))
        return NOT_PLAIN;
    to->shared = (uint32_t)same;
    to->flags = r.is_odd ? BRZ_SORTED_ODD : 0;
    to->state = has_odd ? before->state : r.is_odd ? state_of(line, first) : 0;
    *at = r.end + 1;
    return TAKEN;
}

/* Takes up to *n lines, and sets *n to their number. */
__attribute__((always_inline)) static inline bool take_lines(scanner s, brz_str *text,
                                                             const brz_sorted_stack *before,
                                                             brz_sorted_stack *to, size_t *n)
{
    static const brz_sorted_stack none = {.names = ""};
    const char *at = text->data, *stop = at + text->len;
    const brz_sorted_stack *end = to + *n, *last = before == NULL ? &none : before;
    taken how = TAKEN;
    *n = 0;
    while (to < end && at < stop && how == TAKEN) {
        how = take_line(s, &at, stop, last, to);
        *n += how == TAKEN;
        last = to++;
    }
    *text = brz_str_of(at, (size_t)(stop - at));
    return how != NOT_PLAIN;
}

static bool take_portable(brz_str *text, const brz_sorted_stack *before, brz_sorted_stack *to,
                          size_t *n)
{
    const scanner s = {.scan = scan_portable, .common_prefix = brz_prefix_portable};
    return take_lines(s, text, before, to, n);
}

#if BRZ_HAVE_AVX2
__attribute__((target("avx2,bmi"))) static bool take_avx2(brz_str *text,
                                                          const brz_sorted_stack *before,
                                                          brz_sorted_stack *to, size_t *n)
{
    const scanner s = {.scan = scan_avx2, .common_prefix = brz_prefix_avx2};
    return take_lines(s, text, before, to, n);
}
#endif

/* Implements brz_sorted_reader.take. */
static bool take(brz_str *text, const brz_sorted_stack *before, brz_sorted_stack *to, size_t *n)
{
    return BRZ_CPU_BEST(take_avx2, take_portable)(text, before, to, n);
}

static void weight(brz_column_desc *d)
{
    d->name = d->unit = BRZ_STR("samples");
    d->flags = BRZ_COLUMN_SAMPLES;
}

const brz_sorted_reader folded_sorted_reader = {
    .struct_size = sizeof folded_sorted_reader,
    .stack_size = sizeof(brz_sorted_stack),
    .take = take,
    .describe = folded_frame_classify,
    .column = weight,
};

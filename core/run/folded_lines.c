/* Reads plain folded text line by line. */
#include "run/folded_lines.h"

#include <string.h>

#include <brazier/text/cpu.h>

#if BRZ_HAVE_AVX2
#include <immintrin.h>
#endif

#include "profile/demangle.h"

/* Longer counts are not plain. */
#define MOST_DIGITS 15

/* ---- lines ---------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool brz_folded_parse(brz_str line, brz_folded_line *parsed)
{
    size_t i = line.len;
    int64_t power = 1;
    parsed->count = 0;
    for (; i > 0 && line.len - i < MOST_DIGITS && is_digit(line.data[i - 1]); i--, power *= 10)
        parsed->count += (line.data[i - 1] - '0') * power;
    if (i < 2 || i == line.len || line.data[i - 1] != ' ' || line.data[i] == '0')
        return false;
    parsed->stack = brz_str_of(line.data, i - 1);
    return true;
}

bool brz_folded_next_from(brz_str *text, size_t from, brz_folded_line *line)
{
    const char *end = text->len == from ? NULL : memchr(text->data + from, '\n', text->len - from);
    if (end == NULL)
        return false;
    size_t n = (size_t)(end - text->data);
    brz_str whole = brz_str_of(text->data, n);
    *text = brz_str_of(end + 1, text->len - n - 1);
    return brz_folded_parse(whole, line);
}

bool brz_folded_next(brz_str *text, brz_folded_line *line)
{
    return brz_folded_next_from(text, 0, line);
}

/* Bytes that brz_prefix_fn may read behind a text. */
#define READ_BEHIND 31

/* Implements brz_prefix_fn for the ends of texts: reads nothing behind them. */
static size_t prefix_at_end(const char *a, const char *b, size_t n)
{
    size_t same = 0;
    for (uint64_t x, y; same + sizeof x <= n; same += sizeof x) {
        memcpy(&x, a + same, sizeof x);
        memcpy(&y, b + same, sizeof y);
        if (x != y)
            break;
    }
    return same + brz_prefix_portable(a + same, b + same, n - same);
}

size_t brz_folded_shared(brz_prefix_fn *f, brz_str a, brz_str b)
{
    size_t n = a.len < b.len ? a.len : b.len, fast = n > READ_BEHIND ? n - READ_BEHIND : 0;
    size_t same = fast > 0 ? f(a.data, b.data, fast) : 0;
    return same < fast ? same : same + prefix_at_end(a.data + same, b.data + same, n - same);
}

/* ---- bytes ---------------------------------------------------------------------------------- */

/* The rest of a line behind the bytes that it shares with the previous one. */
typedef struct rest_of_line {
    const char *end;   /* its newline */
    bool is_bad;       /* it has bytes that plain text does not have */
    bool is_odd;       /* a name may be mangled */
    size_t separators; /* number of ';' */
} rest_of_line;

/* Examines the bytes from `at` on up to the newline. Returns false if it does not come before
 * `stop`. Adds to what is known of the line. */
typedef bool scan_fn(const char *at, const char *stop, rest_of_line *r);

/* Examines a byte other than a newline, together with the next one: names are not empty and have no
 * blanks around them. */
static void scan_byte(char c, char next, rest_of_line *r)
{
    bool is_separator = c == ';', may_end = is_separator || c == ' ';
    r->is_bad |= c < ' ' || c > '~' || c == '"' || (may_end && (next == ';' || next == ' '));
    r->is_odd |= c == '_' && (next == 'Z' || next == 'R');
    r->separators += is_separator;
}

static bool scan_portable(const char *at, const char *stop, rest_of_line *r)
{
    for (; at < stop && *at != '\n'; at++)
        scan_byte(*at, *(at + 1 < stop ? at + 1 : "\n"), r);
    r->end = at;
    return at < stop;
}

#if BRZ_HAVE_AVX2
/* Masks of 32 bytes, with a bit set for each byte that has the property. */
typedef struct masks {
    uint32_t low; /* control characters, and bytes above 127, which are negative */
    uint32_t bad, odd, separators;
} masks;

__attribute__((target("avx2"))) static inline uint32_t mask_of(__m256i bytes)
{
    return (uint32_t)_mm256_movemask_epi8(bytes);
}

__attribute__((target("avx2"))) static inline __m256i equal(__m256i bytes, char c)
{
    return _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(c));
}

/* Examines 32 bytes, each with the next one. */
__attribute__((target("avx2"))) static inline masks masks_at(const char *at)
{
    __m256i c = _mm256_loadu_si256((const __m256i *)(const void *)at);
    __m256i d = _mm256_loadu_si256((const __m256i *)(const void *)(at + 1));
    __m256i separator = equal(c, ';');
    __m256i may_end = _mm256_or_si256(separator, equal(c, ' '));
    __m256i begins_badly = _mm256_or_si256(equal(d, ';'), equal(d, ' '));
    __m256i bad = _mm256_or_si256(equal(c, 127), equal(c, '"'));
    __m256i odd = _mm256_and_si256(equal(c, '_'), _mm256_or_si256(equal(d, 'Z'), equal(d, 'R')));
    return (masks){.low = mask_of(_mm256_cmpgt_epi8(_mm256_set1_epi8(' '), c)),
                   .bad = mask_of(_mm256_or_si256(bad, _mm256_and_si256(may_end, begins_badly))),
                   .odd = mask_of(odd),
                   .separators = mask_of(separator)};
}

__attribute__((target("avx2,bmi,popcnt"))) static bool scan_avx2(const char *at, const char *stop,
                                                                 rest_of_line *r)
{
    uint32_t bad = 0, odd = 0;
    for (; stop - at > 32; at += 32) {
        masks m = masks_at(at);
        uint32_t line = m.low == 0 ? UINT32_MAX : _blsmsk_u32(m.low) >> 1; /* bytes before it */
        bad |= m.bad & line;
        odd |= m.odd & line;
        r->separators += (size_t)__builtin_popcount(m.separators & line);
        if (m.low == 0)
            continue;
        r->end = at + __builtin_ctz(m.low);
        r->is_bad |= bad != 0 || *r->end != '\n';
        r->is_odd |= odd != 0;
        return true;
    }
    r->is_bad |= bad != 0;
    r->is_odd |= odd != 0;
    return scan_portable(at, stop, r);
}
#endif

/* The functions that suit this processor. */
typedef struct scanner {
    scan_fn *scan;
    brz_prefix_fn *common_prefix;
} scanner;

static scanner best_scanner(void)
{
#if BRZ_HAVE_AVX2
    if (brz_cpu_has_avx2())
        return (scanner){scan_avx2, brz_prefix_avx2};
#endif
    return (scanner){scan_portable, brz_prefix_portable};
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
    return blank != NULL && (is_digit(blank[1]) || blank[1] == '.' || blank[1] == '-');
}

/* ---- text ----------------------------------------------------------------------------------- */

/* Returns the offset of the ';' in front of the name at the end of the first `n` bytes of a stack;
 * 0 if they are a part of the first name. */
static size_t before_name(brz_str stack, size_t n)
{
    const char *end = n == 0 ? NULL : memrchr(stack.data, ';', n);
    return end == NULL ? 0 : (size_t)(end - stack.data);
}

/* Takes the first line off a text, of which it checks what the stack `before` does not have. The
 * name in which they differ is checked as a whole, because what follows the common bytes may make
 * it a mangled one. Returns the number of names that the stack before does not have, or 0 if the
 * line is not plain. */
static size_t take_plain(const scanner *s, brz_str *text, brz_str before, brz_folded_line *line)
{
    size_t same = brz_folded_shared(s->common_prefix, before, *text),
           from = before_name(*text, same);
    rest_of_line r = {.is_odd = false};
    const char *start = text->data,
               *stop = start + (text->len < BRZ_FOLDED_LONGEST ? text->len : BRZ_FOLDED_LONGEST);
    if (!s->scan(start + from, stop, &r) || r.is_bad ||
        !brz_folded_parse(brz_str_of(start, (size_t)(r.end - start)), line))
        return 0;
    brz_str stack = line->stack;
    *text = brz_str_of(r.end + 1, text->len - (size_t)(r.end + 1 - start));
    if (same >= stack.len ||
        (same < before.len && (unsigned char)before.data[same] > (unsigned char)stack.data[same]))
        return 0;
    bool is_good = stack.data[0] != '#' && stack.data[0] != ';' && stack.data[0] != ' ' &&
                   !may_have_count(stack) &&
                   (!r.is_odd || !has_mangled(brz_str_of(stack.data + from, stack.len - from)));
    bool extends = same == before.len && same > 0 && stack.data[same] == ';';
    return is_good ? r.separators + (from == 0) - extends : 0;
}

/* Returns whether the line of a stack sorts before that of the previous stack: a blank and a digit
 * follow there. */
static bool sorts_before_as_line(brz_str before, brz_str stack)
{
    return stack.len > before.len + 1 && stack.data[before.len] == ' ' &&
           stack.data[before.len + 1] < '0' && memcmp(stack.data, before.data, before.len) == 0;
}

bool brz_folded_check(brz_str *text, brz_str *before, brz_folded_totals *totals)
{
    scanner s = best_scanner();
    brz_folded_line line;
    while (text->len > 0) {
        size_t names = take_plain(&s, text, *before, &line);
        if (names == 0)
            return false;
        totals->misplaced += sorts_before_as_line(*before, line.stack);
        *before = line.stack;
        totals->lines++;
        totals->names += names;
        if (__builtin_add_overflow(totals->count, (uint64_t)line.count, &totals->count))
            totals->count = UINT64_MAX;
    }
    return true;
}

bool brz_folded_is_plain(brz_str text)
{
    brz_str before = BRZ_STR("");
    brz_folded_totals totals = {0};
    return text.len > 0 && brz_folded_check(&text, &before, &totals);
}

/* Times, sizes and numbers in traces. */
#include "xdebug.h"

bool parse_number(brz_str s, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < s.len; i++) {
        unsigned digit = (unsigned)(s.data[i] - '0');
        if (digit > 9 || __builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, digit, number))
            return false;
    }
    return s.len > 0;
}

bool parse_bytes(brz_str s, int64_t *bytes)
{
    uint64_t number;
    if (!parse_number(s, &number) || number > INT64_MAX)
        return false;
    *bytes = (int64_t)number;
    return true;
}

/* Seconds with decimals, of which nine count: "0.000254". A locale may write a comma. */
bool parse_seconds(brz_str s, int64_t *nanoseconds)
{
    size_t point = 0;
    uint64_t whole, fraction = 0;
    while (point < s.len && s.data[point] != '.' && s.data[point] != ',')
        point++;
    if (!parse_number(brz_str_of(s.data, point), &whole) || whole > INT64_MAX / 1000000000 - 1)
        return false;
    size_t digits = s.len > point ? s.len - point - 1 : 0;
    size_t used = digits < 9 ? digits : 9;
    if (digits > 0 && !parse_number(brz_str_of(s.data + point + 1, used), &fraction))
        return false;
    for (; used < 9; used++)
        fraction *= 10;
    *nanoseconds = (int64_t)(whole * 1000000000 + fraction);
    return true;
}

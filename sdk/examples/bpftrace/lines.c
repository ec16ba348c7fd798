/* SPDX-License-Identifier: MIT */
/* Recognises the lines of the text output. */
#include "reader.h"

#include <brazier/symbol.h>

/* Recognises bpftrace's own messages, the first of which may be damaged at either end. */
bool line_is_noise(brz_str line)
{
    return brz_starts_with(line, BRZ_STR("Attaching")) ||
           brz_starts_with(line, BRZ_STR("Attached ")) ||
           brz_ends_with(line, BRZ_STR(" probe...")) ||
           brz_ends_with(line, BRZ_STR(" probes...")) ||
           (brz_starts_with(line, BRZ_STR("Lost ")) && line.len > 5 && brz_is_digit(line.data[5]));
}

/* Returns whether a line begins a new record: it starts an entry or an event, or lies between them,
 * independent of the lines before it. */
bool line_begins_record(brz_str line, bool plain)
{
    brz_str name, rest;
    line = brz_trim_end(line);
    if (plain)
        return map_begins(line, &name, &rest);
    if (line.len == 0 || brz_is_blank(line.data[0]) || strchr(",]([", line.data[0]) != NULL)
        return false;
    size_t hex = 0;
    while (hex < line.len && brz_is_hex(line.data[hex]))
        hex++;
    return hex < 16 && hex < line.len && !line_is_noise(line) && !stack_line_is_flat(line);
}

/* Returns the position of the "]:" that ends a key; SIZE_MAX: not on this line. A name in the key
 * may contain "]:" too, so the last one counts. */
size_t key_end(brz_str line)
{
    for (size_t i = line.len; i-- > 1;)
        if (line.data[i] == ':' && line.data[i - 1] == ']' &&
            (i + 1 == line.len || line.data[i + 1] == ' '))
            return i - 1;
    return SIZE_MAX;
}

/* Returns whether a line outside of a key continues in one: its beginning is damaged or missing. */
bool line_is_rest_of_key(brz_str line)
{
    size_t end = key_end(line);
    int64_t value;
    if (line.data[0] == ',' && (end != SIZE_MAX || brz_trim(line).len == 1))
        return true;
    if (line.data[0] == ']')
        return line.len > 1 && line.data[1] == ':';
    brz_str name, rest;
    return end != SIZE_MAX && !map_begins(line, &name, &rest) &&
           brz_parse_i64(brz_trim(brz_str_from(line, end + 2)), &value);
}

/* Recognises a line of a histogram: "[4, 8)   12 |@@@@   |". */
static bool is_histogram(brz_str line)
{
    return (line.data[0] == '[' || line.data[0] == '(') && line.data[line.len - 1] == '|';
}

/* Recognises a map without keys: "@total: 5". */
bool line_is_scalar_map(brz_str line)
{
    size_t colon = brz_str_find(line, BRZ_STR(": "), 0);
    if (line.data[0] != '@' || colon == SIZE_MAX)
        return false;
    for (size_t i = 1; i < colon; i++)
        if (brz_is_blank(line.data[i]))
            return false;
    return true;
}

/* Returns whether a line that is neither empty nor indented, nor a stack line, may be the header of
 * an event. */
bool line_may_be_header(brz_str line)
{
    brz_str text = brz_trim(line);
    return !line_is_scalar_map(line) && !line_is_rest_of_key(line) && !line_is_noise(text) &&
           !is_histogram(text);
}

/* Returns whether the stack lines in the keys of `text` are neither indented nor have offsets. */
bool keys_are_plain(brz_str text)
{
    brz_str line, name, rest;
    bool in_key = false, plain = false;
    while (brz_take_line(&text, &line)) {
        if (map_begins(line, &name, &rest)) {
            in_key = key_end(rest) == SIZE_MAX;
            plain = false;
        } else if (in_key && key_end(line) != SIZE_MAX) {
            if (plain)
                return true;
            in_key = false;
        } else if (in_key && line.len > 0 && brz_is_blank(line.data[0])) {
            in_key = false;
        } else if (in_key && line_begins_record(line, false)) {
            plain = true;
        }
    }
    return false;
}

/* SPDX-License-Identifier: MIT */
/* Parses stack lines in the formats of kstack and ustack:
 *
 *     bpftrace   ["[inlined] "] symbol ["+" offset] ["@" file ":" line]  |  "0x" address
 *     perf       address " " symbol ["+" offset] [" (inlined)" | " (" module ")"]
 *     raw        address
 *
 * Symbols may contain spaces, '+' and '@' (operators, templates, symbol versions); offsets are
 * decimal in bpftrace and hexadecimal, with 0x, in tools that imitate it.
 */
#include "reader.h"

#include <brazier/symbol.h>

static size_t hex_run(brz_str s)
{
    size_t n = 0;
    while (n < s.len && brz_is_hex(s.data[n]))
        n++;
    return n;
}

static bool is_hex(brz_str s)
{
    return s.len > 0 && hex_run(s) == s.len;
}

/* Minimum length of an address that could also be a name: "add", "face". */
#define SHORTEST_ADDRESS 6

/* Recognises a line of perf mode by the module at its end. */
static bool has_module(brz_str s)
{
    return s.len > 0 && s.data[s.len - 1] == ')' && brz_str_find(s, BRZ_STR(" ("), 0) != SIZE_MAX;
}

/* Removes "address " from the front, or the whole line if it is just an address. */
static void take_address(brz_str *s, stack_line *l)
{
    size_t n = hex_run(*s);
    if (n < (has_module(*s) ? 1 : SHORTEST_ADDRESS) || (n < s->len && !brz_is_blank(s->data[n])))
        return;
    l->address = brz_str_of(s->data, n);
    *s = brz_trim_start(brz_str_from(*s, n));
}

/* Returns the position of the "(" after a space that the ")" at the end closes, or 0. Modules may
 * contain parentheses: "(/opt/app (deleted))". */
static size_t module_start(brz_str s)
{
    size_t depth = 0;
    for (size_t i = s.len; i-- > 1;) {
        depth += s.data[i] == ')';
        if (s.data[i] == '(' && --depth == 0)
            return s.data[i - 1] == ' ' ? i : 0;
    }
    return 0;
}

/* Removes " (…)" from the end of a line with an address. */
static void take_module(brz_str *s, stack_line *l)
{
    if (l->address.len == 0 || s->len < 3 || s->data[s->len - 1] != ')')
        return;
    size_t i = module_start(*s);
    if (i == 0)
        return;
    l->module = brz_str_of(s->data + i + 1, s->len - i - 2);
    *s = brz_trim_end(brz_str_of(s->data, i - 1));
    if (brz_ends_with(l->module, BRZ_STR(" (deleted)")))
        l->module.len -= 10;
    if (brz_str_is(l->module, "inlined")) {
        l->inlined = true;
        l->module.len = 0;
    }
}

/* Returns the length of a "+offset" at the end, or 0. */
static size_t offset_length(brz_str s)
{
    size_t i = s.len;
    while (i > 0 && brz_is_hex(s.data[i - 1]))
        i--;
    size_t digits = s.len - i;
    bool hex = i > 2 && s.data[i - 1] == 'x' && s.data[i - 2] == '0' && s.data[i - 3] == '+';
    if (digits > 0 && hex)
        return digits + 3;
    if (digits == 0 || i == 0 || s.data[i - 1] != '+')
        return 0;
    for (size_t k = i; k < s.len; k++)
        if (s.data[k] > '9')
            return 0;
    return digits + 1;
}

/* Removes "@file:line" from the end. It follows the offset, while the '@' of a symbol version
 * precedes it. */
static void take_source(brz_str *s, stack_line *l)
{
    size_t digits = 0;
    uint64_t number = 0;
    while (digits < s->len && s->data[s->len - 1 - digits] >= '0' &&
           s->data[s->len - 1 - digits] <= '9')
        digits++;
    if (digits == 0 || digits > 9 || digits == s->len || s->data[s->len - 1 - digits] != ':')
        return;
    brz_str rest = brz_str_of(s->data, s->len - 1 - digits);
    const char *at = brz_rfind(rest, '@');
    while (at != NULL && offset_length(brz_str_of(s->data, (size_t)(at - s->data))) == 0)
        at = brz_rfind(brz_str_of(s->data, (size_t)(at - s->data)), '@');
    if (at == NULL)
        return;
    for (size_t i = s->len - digits; i < s->len; i++)
        number = number * 10 + (uint64_t)(s->data[i] - '0');
    l->line = (uint32_t)number;
    l->file = brz_str_of(at + 1, (size_t)(rest.data + rest.len - at - 1));
    s->len = (size_t)(at - s->data);
}

static void take_unresolved(brz_str *s, stack_line *l)
{
    bool address = brz_starts_with(*s, BRZ_STR("0x")) && is_hex(brz_str_from(*s, 2));
    l->unresolved = address || brz_str_is(*s, "[unknown]");
    if (address && l->address.len == 0)
        l->address = brz_str_from(*s, 2);
}

/* Parses a trimmed line. In raw mode, the name is empty. */
void stack_line_parse(brz_str text, stack_line *l)
{
    memset(l, 0, sizeof *l);
    if (brz_starts_with(text, BRZ_STR("[inlined] "))) {
        l->inlined = true;
        text = brz_str_from(text, 10);
    }
    take_address(&text, l);
    take_module(&text, l);
    take_source(&text, l);
    size_t n = offset_length(text);
    if (n < text.len) {
        l->offset = brz_str_of(text.data + text.len - n, n);
        text.len -= n;
    }
    take_unresolved(&text, l);
    l->name = text;
}

/* Returns whether a trimmed line is certainly a stack line. */
bool stack_line_is(brz_str text)
{
    stack_line l;
    if (text.len == 0)
        return false;
    stack_line_parse(text, &l);
    return l.offset.len > 0 || l.address.len > 0;
}

/* Returns whether all bytes of a text but one at most pass a test. */
static bool passes_but_one(brz_str s, bool (*test)(char))
{
    size_t others = 0;
    for (size_t i = 0; i < s.len; i++)
        others += !test(s.data[i]);
    return others <= 1;
}

/* Returns whether a word ends in digits after a byte that is in no name, in place of the '+'. */
static bool has_odd_offset(brz_str text)
{
    size_t n = text.len;
    while (n > 0 && brz_is_digit(text.data[n - 1]))
        n--;
    if (n < 2 || n == text.len)
        return false;
    for (size_t i = 0; i < n; i++)
        if (brz_is_blank(text.data[i]))
            return false;
    unsigned char c = (unsigned char)text.data[n - 1];
    return c < ' ' || memchr("#;@!%&?", c, 7) != NULL;
}

/* Recognises a trimmed line that is no stack line, but would be one with another byte in its offset
 * or its address. */
bool stack_line_is_damaged(brz_str text)
{
    brz_str name, offset;
    if (brz_starts_with(text, BRZ_STR("0x")))
        return text.len > 3 && passes_but_one(brz_str_from(text, 2), brz_is_hex);
    if (brz_cut_last(text, '+', &name, &offset))
        return name.len > 0 && passes_but_one(offset, brz_is_digit);
    return has_odd_offset(text);
}

/* Recognises a line of raw mode, which is not indented: an address too long for a process id. */
bool stack_line_is_raw(brz_str text)
{
    return text.len >= 8 && text.len <= 16 && is_hex(text);
}

/* Returns whether a trimmed line is a stack line although it is not indented. An address followed
 * by words may be a header, as in "123456 cat". */
bool stack_line_is_flat(brz_str text)
{
    stack_line l;
    if (text.len == 0)
        return false;
    if (stack_line_is_raw(text))
        return true;
    stack_line_parse(text, &l);
    return l.name.len > 0 && (l.offset.len > 0 || (l.unresolved && l.address.len > 0));
}

/* ---- sides ---------------------------------------------------------------------------------- */

/* Names of kernel functions; "*" stands for any end. */
static const char *const kernel_names[] = {
    "entry_SYSCALL_*",
    "entry_SYSENTER_*",
    "entry_INT80_*",
    "asm_exc_*",
    "asm_sysvec_*",
    "asm_common_interrupt",
    "ret_from_fork*",
    "ret_from_kernel_thread",
    "start_secondary",
    "secondary_startup_64*",
    "common_startup_64",
    "x86_64_start_kernel",
    "start_kernel",
    "do_syscall_64",
    "__x64_sys_*",
    "__arm64_sys_*",
    "__ia32_sys_*",
    "__se_sys_*",
    "ksys_*",
    "exc_page_fault",
    "kthread",
    "worker_thread",
    "cpu_startup_entry",
    "do_idle",
    "el0t_64_sync*",
    "el0_svc*",
    "el1h_64_*",
    "invoke_syscall",
    "ret_to_user",
    "ret_fast_syscall",
};
static const char *const user_names[] = {
    "_start", "main",           "__libc_start_*", "start_thread", "__clone*",       "clone",
    "clone3", "runtime.goexit", "runtime.main",   "thread_start", "_dl_start_user",
};

static bool is_among(brz_str name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        brz_str known = brz_str_of_text(names[i]);
        bool any_end = known.data[known.len - 1] == '*';
        known.len -= any_end;
        if (any_end ? brz_starts_with(name, known) : brz_str_equal(name, known))
            return true;
    }
    return false;
}

/* Returns whether an address lies in the upper end of the address space, 0xffff…, which belongs to
 * the kernel. */
static bool is_kernel_address(brz_str digits)
{
    return digits.len == 16 &&
           (memcmp(digits.data, "ffff", 4) == 0 || memcmp(digits.data, "FFFF", 4) == 0);
}

uint32_t stack_line_evidence(const stack_line *l)
{
    if (l->address.len > 0)
        return is_kernel_address(l->address) ? KERNEL_ADDRESS : USER_ADDRESS;
    brz_str name = l->name, damaged;
    if (l->offset.len == 0)
        brz_cut_last(l->name, '+', &name, &damaged); /* in front of a damaged offset */
    if (is_among(name, kernel_names, BRZ_COUNT_OF(kernel_names)))
        return KERNEL_NAME;
    if (is_among(name, user_names, BRZ_COUNT_OF(user_names)))
        return USER_NAME;
    return 0;
}

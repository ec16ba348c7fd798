/* SPDX-License-Identifier: MIT */
/* Parses the lines of ftrace's reports:
 *
 *     graph    := [time "|"] cpu ")" (field "|")* body
 *     field    := task | flags | [mark] number "us" | nothing
 *     body     := function "(" … ")" ("{" | ";") | "}" | comment
 *     switch   := cpu ")" task "=>" task
 *     function := task "[" cpu "]" [flags] time ":" ["function:"] function ("<-" | "<--") caller
 *     recorded := task "[" cpu "]" [flags] time ":" ("funcgraph_entry:" | "funcgraph_exit:")
 *                 [duration] "|" body
 *
 * `trace-cmd report` prints "recorded" and "function:".
 */
#include "line.h"

#include "../../common/table/decimal.h"

/* ---- fields ---------------------------------------------------------------------------------- */

/* Parses "+ 10.198 us". */
static bool read_duration(brz_str field, int64_t *nanoseconds)
{
    decimal d;
    if (field.len > 0 && memchr("+!#*@$", field.data[0], 6) != NULL)
        field = brz_trim_start(brz_str_from(field, 1));
    return decimal_take(&field, false, &d) && brz_str_is(brz_trim(field), "us") &&
           decimal_scale(&d, 3, nanoseconds);
}

/* Recognises "bash-1234". */
static bool is_task(brz_str field)
{
    brz_str name, pid;
    uint64_t number;
    return brz_cut_last(field, '-', &name, &pid) && name.len > 0 && brz_parse_u64(pid, &number);
}

/* Recognises the letters and dots of "d..1". */
static bool is_flags(brz_str field)
{
    for (size_t i = 0; i < field.len; i++)
        if (memchr(" ;(){}", field.data[i], 6) != NULL)
            return false;
    return field.len >= 3 && field.len <= 8 && !brz_is_digit(field.data[0]);
}

static bool is_interrupt(brz_str field)
{
    return brz_str_is(field, "==========>") || brz_str_is(field, "<==========");
}

/* Parses a field. Returns false if the text belongs to the body. */
static bool read_field(brz_str field, trace_line *l)
{
    field = brz_trim(field);
    if (field.len == 0 || read_duration(field, &l->duration))
        return true;
    if (is_interrupt(field)) {
        l->kind = LINE_NONE;
        return true;
    }
    if (is_task(field)) {
        l->task = field;
        return true;
    }
    return is_flags(field);
}

/* ---- beginnings of lines --------------------------------------------------------------------- */

/* Removes "7238523.638008 |" from the front. */
static void take_time(brz_str *text)
{
    brz_str rest = *text;
    uint64_t number;
    if (brz_take_u64(&rest, &number) && brz_str_take(&rest, ".") && brz_take_u64(&rest, &number) &&
        dump_take_blanks(&rest) > 0 && brz_str_take(&rest, "|")) {
        dump_take_blanks(&rest);
        *text = rest;
    }
}

/* Removes "0)" from the front. */
static bool take_cpu(brz_str *text, brz_str *cpu)
{
    brz_str rest = *text;
    uint64_t number;
    if (!brz_take_u64(&rest, &number))
        return false;
    *cpu = brz_str_of(text->data, text->len - rest.len);
    if (!brz_str_take(&rest, ")"))
        return false;
    *text = rest;
    return true;
}

/* Removes time and processor from the front. */
static bool line_begins(brz_str *text, brz_str *cpu)
{
    take_time(text);
    return take_cpu(text, cpu);
}

/* ---- bodies ---------------------------------------------------------------------------------- */

/* Removes a comment from the end, such as the name of the function that ends. */
static brz_str without_comment(brz_str body)
{
    size_t at = brz_str_find(body, BRZ_STR("/*"), 0);
    return at == SIZE_MAX ? body : brz_trim_end(brz_str_of(body.data, at));
}

/* Returns whether a text is a function, which may have a module after it: "vcpu_run [kvm]". */
static bool is_function(brz_str text)
{
    brz_str name = text, module;
    if (brz_cut_first(text, ' ', &name, &module) && !brz_starts_with(module, BRZ_STR("[")))
        return false;
    return name.len > 0 && (name.data[0] < '0' || name.data[0] > '9');
}

/* Returns whether a text is a whole body. */
static bool ends_body(brz_str text)
{
    return brz_ends_with(text, BRZ_STR("}")) || brz_ends_with(text, BRZ_STR(");")) ||
           brz_ends_with(text, BRZ_STR(") {")) || brz_ends_with(text, BRZ_STR("*/"));
}

/* Removes another line from a body that lost its line end: after the end of the body and one more
 * byte, it has a processor. */
static void take_joined(brz_str *body, trace_line *l)
{
    for (size_t i = 0; i + 1 < body->len; i++) {
        bool is_end = ends_body(brz_str_of(body->data, i + 1));
        brz_str rest = brz_str_from(*body, i + 1), cpu;
        brz_str_take(&rest, "\r");
        rest = brz_trim_start(brz_str_from(rest, rest.len > 0));
        brz_str line = rest;
        if (!is_end || !line_begins(&rest, &cpu))
            continue;
        l->joined = line;
        body->len = i + 1;
        return;
    }
}

static void read_body(brz_str text, trace_line *l)
{
    brz_str body = text, arguments;
    l->indent = dump_take_blanks(&body);
    take_joined(&body, l);
    body = brz_trim_end(body);
    bool is_cut = body.len == 0;
    body = without_comment(body);
    if (body.len == 0)
        l->kind = is_cut ? LINE_ODD : LINE_NONE;
    else if (body.data[0] == '}')
        l->kind = LINE_LEAVE;
    else if (!brz_cut_first(body, '(', &l->function, &arguments) || !is_function(l->function))
        l->kind = LINE_ODD;
    else if (brz_ends_with(body, BRZ_STR("{")))
        l->kind = LINE_ENTER;
    else
        l->kind = brz_ends_with(body, BRZ_STR(";")) ? LINE_LEAF : LINE_ODD;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Parses "bash-1234  =>  sleep-5678". */
static bool read_switch(brz_str text, trace_line *l)
{
    size_t at = brz_str_find(text, BRZ_STR("=>"), 0);
    if (at == SIZE_MAX)
        return false;
    l->task = brz_trim(brz_str_of(text.data, at));
    l->next_task = brz_trim(brz_str_from(text, at + 2));
    l->kind = LINE_SWITCH;
    return is_task(l->task) && is_task(l->next_task);
}

static void read_graph(brz_str text, trace_line *l)
{
    brz_str field, rest;
    if (read_switch(text, l))
        return;
    l->task.len = l->next_task.len = 0;
    l->kind = LINE_ODD;
    while (brz_cut_first(text, '|', &field, &rest) && read_field(field, l))
        text = rest;
    if (l->kind == LINE_ODD)
        read_body(text, l);
}

/* Returns whether a line has two of the parts that those with a function have: a processor, a time
 * with a colon, and an arrow. */
static bool is_like_function(brz_str text)
{
    size_t at = brz_str_find(text, BRZ_STR(" ["), 0);
    brz_str rest = brz_str_from(text, at == SIZE_MAX ? text.len : at + 2);
    uint64_t number;
    bool has_cpu = brz_take_u64(&rest, &number) && brz_str_take(&rest, "]");
    size_t colon = brz_str_find(text, BRZ_STR(": "), 0);
    size_t arrow = brz_str_find(text, BRZ_STR(" <-"), 0);
    return has_cpu + (colon != SIZE_MAX) + (arrow != SIZE_MAX) >= 2;
}

/* Parses "bash-1234 [001] .... 6413283.729520: do_nanosleep <-hrtimer_nanosleep". */
static void read_function(brz_str text, trace_line *l)
{
    size_t at = brz_str_find(text, BRZ_STR(" <-"), 0);
    l->kind = LINE_ODD;
    l->is_damaged = is_like_function(text);
    if (at == SIZE_MAX) /* as in most lines of other formats */
        return;
    size_t cpu = brz_str_find(text, BRZ_STR(" ["), 0);
    size_t end = brz_str_find(text, BRZ_STR(": "), 0);
    if (cpu == SIZE_MAX || end == SIZE_MAX || cpu > end || at < end + 2)
        return;
    l->task = brz_trim(brz_str_of(text.data, cpu));
    l->function = brz_trim(brz_str_of(text.data + end + 2, at - end - 2));
    l->caller = brz_trim(brz_str_from(text, at + 3));
    if (brz_str_take(&l->function, "function:") && brz_str_take(&l->caller, "-")) {
        dump_take_blanks(&l->function);
        dump_take_blanks(&l->caller);
    }
    if (is_task(l->task) && l->function.len > 0 && l->caller.len > 0)
        l->kind = LINE_FUNCTION;
}

/* Parses "bash-1234 [001] 100.000000: funcgraph_entry: 0.500 us | getname();". Returns false for
 * other lines. */
static bool read_recorded(brz_str text, trace_line *l)
{
    static const brz_str mark = {": funcgraph_", 12};
    size_t at = brz_str_find(text, mark, 0), cpu = brz_str_find(text, BRZ_STR(" ["), 0);
    if (at == SIZE_MAX || cpu == SIZE_MAX || cpu > at)
        return false;
    brz_str task = brz_trim(brz_str_of(text.data, cpu)), body = brz_str_from(text, at + mark.len);
    bool is_call = brz_str_take(&body, "entry:") || brz_str_take(&body, "exit:");
    if (!is_call || !is_task(task))
        return false;
    read_graph(body, l);
    brz_str digits = brz_str_from(text, cpu + 2), rest;
    brz_cut_first(digits, ']', &l->cpu, &rest);
    l->task = task;
    return true;
}

/* Recognises the rule above and below a switch, and the headings of `trace-cmd report`. */
static bool is_heading(brz_str text)
{
    return brz_starts_with(text, BRZ_STR("----")) || brz_starts_with(text, BRZ_STR("cpus=")) ||
           (brz_starts_with(text, BRZ_STR("CPU ")) && brz_ends_with(text, BRZ_STR(" is empty")));
}

trace_line line_read(brz_str text)
{
    trace_line l = {.kind = LINE_NONE, .duration = -1};
    text = brz_trim(text);
    if (brz_starts_with(text, BRZ_STR("# tracer: ")))
        l.kind = LINE_START;
    if (text.len == 0 || text.data[0] == '#' || is_heading(text))
        return l;
    brz_str line = text;
    if (line_begins(&line, &l.cpu))
        read_graph(line, &l);
    else if (!read_recorded(text, &l))
        read_function(text, &l);
    return l;
}

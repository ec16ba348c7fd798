/* SPDX-License-Identifier: MIT */
/* Tests the file before any of its functions are called. */
#include <ctype.h>
#include <string.h>

#include <brazier/symbol.h>

#include "base/sanitized.h"
#include "isolate/describe.h"
#include "check/inputs/object.h"
#include "plugin/component_use.h"
#include "tests.h"

/* ---- loading ------------------------------------------------------------------------------- */

static uint32_t flags_of(const brz_loaded *l)
{
    switch (l->component->kind) {
    case BRZ_COLLAPSER:
        return ((const brz_collapser *)l->vtable)->flags;
    case BRZ_PALETTE:
        return ((const brz_palette *)l->vtable)->depends;
    case BRZ_TRANSFORM:
        return ((const brz_transform *)l->vtable)->flags;
    default:
        return ((const brz_output *)l->vtable)->flags;
    }
}

/* Loads the plug-in and reports its components; all other tests depend on this one. */
void check_static_load(check *c)
{
    if (!check_load(c))
        return;
    for (size_t i = 0; i < c->file.n_components; i++) {
        const brz_loaded *l = &c->file.components[i];
        const char *id = l->component->id;
        check_send_component(c->to, l->component->kind, flags_of(l), brz_str_of_text(id));
        check_tell(c, "%s %s", brz_component_kind_name(l->component->kind), id);
    }
    if (c->file.left_out != NULL)
        check_tell(c, "%s", c->file.left_out);
    else if (c->file.n_components == 0)
        check_fail(c, 6, CHECK_NOTHING, CHECK_NOTHING, "there is no component in it");
}

/* Limit of the cost of loading; even slow machines do not need that long. */
#define QUICK 0.010

void check_static_quick(check *c)
{
    double before = check_processor_time();
    if (!check_load(c))
        return;
    double took = check_processor_time() - before;
#if BRZ_SANITIZED
    check_skip(c, "a sanitizer takes its time");
    return;
#endif
    if (took > QUICK)
        check_fail(c, 8, CHECK_NOTHING, CHECK_NOTHING,
                   "loading takes %.1f ms of processor time, more than 10 ms", 1000 * took);
}

/* The host lists a plug-in, and describes it to an isolated run, without running its code. */
void check_static_confined(check *c)
{
    brz_program program = {.path = c->subject->program};
    brz_describing item = {.path = c->subject->path};
    brz_describe_plugins(&item, 1, c->subject->tier, &program, &c->memory);
    const brz_step *last = item.steps.n > 0 ? &item.steps.items[item.steps.n - 1] : NULL;
    c->file = item.file;
    if (!item.good && last != NULL)
        check_fail(c, 55, CHECK_NOTHING, CHECK_NOTHING, "it is refused in isolation: %s: %s",
                   last->name, brz_buf_text(&last->detail));
    brz_steps_finish(&item.steps);
}

/* ---- symbols and libraries ----------------------------------------------------------------- */

/* Returns whether a symbol is an entry, of this host's major or of another one. */
static bool is_entry(brz_str symbol)
{
    static const char stem[] = "brz_plugin_v";
    size_t n = sizeof stem - 1;
    if (symbol.len <= n || memcmp(symbol.data, stem, n) != 0)
        return false;
    for (; n < symbol.len; n++)
        if (symbol.data[n] < '0' || symbol.data[n] > '9')
            return false;
    return true;
}

/* Returns whether words are entries alone, with this host's major among them. */
static bool are_entries(const char *words)
{
    bool has_own = false;
    while (*words != '\0') {
        brz_str word = brz_str_of(words, strcspn(words, " "));
        if (!is_entry(word))
            return false;
        has_own = has_own || brz_str_is(word, BRZ_PLUGIN_SYMBOL);
        words += word.len;
        words += strspn(words, " ");
    }
    return has_own;
}

void check_static_symbols(check *c)
{
    check_object o = check_object_read(c->subject->path);
    if (!o.known)
        check_skip(c, "the file has no table of its sections");
    else if (!are_entries(brz_buf_text(&o.exported)))
        check_fail(
            c, 1, BRZ_STR(BRZ_PLUGIN_SYMBOL), brz_buf_str(&o.exported),
            "it exports %zu symbols (build it with -fvisibility=hidden and the map of the SDK)",
            o.n_exported);
    check_object_finish(&o);
}

void check_static_object(check *c)
{
    check_object o = check_object_read(c->subject->path);
    if (!o.known)
        check_skip(c, "the file has no table of its sections");
    if (o.text_relocations)
        check_fail(c, 3, CHECK_NOTHING, CHECK_NOTHING,
                   "it has text relocations (compile all of it with -fPIC)");
    if (o.executable_stack)
        check_fail(c, 3, CHECK_NOTHING, CHECK_NOTHING,
                   "it wants an executable stack (link it with -Wl,-z,noexecstack)");
    if (o.path.len > 0)
        check_fail(c, 3, CHECK_NOTHING, brz_buf_str(&o.path),
                   "it has a search path for libraries (RPATH or RUNPATH)");
    check_tell(c, "%s%s", o.needed.len > 0 ? "needs " : "needs no library",
               brz_buf_text(&o.needed));
    check_object_finish(&o);
}

/* ---- texts --------------------------------------------------------------------------------- */

static void look_at_line(check *c, const char *whose, const char *name, const char *text)
{
    if (text[strspn(text, " \t\r\n")] == '\0')
        check_fail(c, 6, CHECK_NOTHING, CHECK_NOTHING, "%s: its %s is empty", whose, name);
    else if (strpbrk(text, "\r\n") != NULL)
        check_fail(c, 6, CHECK_NOTHING, brz_str_of_text(text), "%s: its %s is more than one line",
                   whose, name);
}

void check_static_texts(check *c)
{
    const brz_plugin *p = c->file.plugin;
    look_at_line(c, p->name, "version", p->version);
    look_at_line(c, p->name, "license", p->license);
    look_at_line(c, p->name, "bugs_url", p->bugs_url);
    for (size_t i = 0; i < c->file.n_components; i++)
        look_at_line(c, c->file.components[i].component->id, "summary",
                     c->file.components[i].component->summary);
}

/* ---- options ------------------------------------------------------------------------------- */

static void look_for_overlaps(check *c, const brz_component *k, uint32_t i)
{
    const brz_option *o = brz_option_at(k, i);
    size_t end = o->offset + brz_option_size(o);
    for (uint32_t n = 0; n < i; n++) {
        const brz_option *other = brz_option_at(k, n);
        if (o->offset < other->offset + brz_option_size(other) && other->offset < end)
            check_fail(c, 7, CHECK_NOTHING, CHECK_NOTHING,
                       "%s: the options '%s' and '%s' overlap in the configuration struct", k->id,
                       other->name, o->name);
    }
}

static void look_at_help(check *c, const brz_component *k, const brz_option *o)
{
    size_t n = o->help == NULL ? 0 : strlen(o->help);
    brz_str help = brz_str_of(n > 0 ? o->help : "", n);
    if (n == 0 || strpbrk(o->help, "\r\n") != NULL)
        check_fail(c, 7, BRZ_STR("one line"), help, "%s: the help of '%s'", k->id, o->name);
    else if (o->help[n - 1] == '.' && (n < 2 || o->help[n - 2] != '.'))
        check_fail(c, 7, BRZ_STR("no full stop"), help, "%s: the help of '%s'", k->id, o->name);
}

static void try_value(check *c, brz_options *set, const brz_option *o, brz_str value)
{
    brz_buf error = {0};
    if (!brz_options_set(set, o, value, BRZ_LAYER_COMMAND_LINE, BRZ_STR("check"), &error))
        check_fail(c, 7, CHECK_NOTHING, brz_buf_str(&error),
                   "%s: '%s' does not take its own '%.*s'", set->component->id, o->name,
                   (int)value.len, value.data);
    brz_buf_finish(&error);
}

/* Checks that choices and the limits of ranges are valid values. */
static void try_values(check *c, brz_options *set, const brz_option *o)
{
    const char *dots = o->range == NULL ? NULL : strstr(o->range, "..");
    for (size_t i = 0; o->type == BRZ_OPTION_ENUM && o->choices[i] != NULL; i++)
        try_value(c, set, o, brz_str_of_text(o->choices[i]));
    if (dots == NULL)
        return;
    if (dots > o->range)
        try_value(c, set, o, brz_str_of(o->range, (size_t)(dots - o->range)));
    if (dots[2] != '\0')
        try_value(c, set, o, brz_str_of_text(dots + 2));
}

/* Adds an option that a command takes for its own. */
static void look_at_name(const check *c, const brz_component *k, const brz_option *o,
                         brz_buf *taken)
{
    bool (*is_taken)(const char *) = c->settings->is_command_option;
    if (is_taken != NULL && is_taken(o->name))
        brz_buf_printf(taken, "%s'%s' of %s",
                       taken->len > 0 ? ", "
                                      : "warning: brazier has options "
                                        "of the same names, which commands take instead: ",
                       o->name, k->id);
}

void check_static_options(check *c)
{
    brz_buf taken = {0};
    for (size_t i = 0; i < c->file.n_components; i++) {
        const brz_component *k = c->file.components[i].component;
        for (uint32_t n = 0; n < k->n_options; n++) {
            look_for_overlaps(c, k, n);
            look_at_help(c, k, brz_option_at(k, n));
            look_at_name(c, k, brz_option_at(k, n), &taken);
            try_values(c, c->options[i], brz_option_at(k, n));
        }
    }
    if (taken.len > 0)
        check_tell(c, "%s", brz_buf_text(&taken));
    brz_buf_finish(&taken);
}

/* ---- rules that span options ---------------------------------------------------------------- */

/* The faults of one call of `validate`. */
typedef struct found_faults {
    check *check;
    const brz_component *component;
    brz_buf text; /* a line for each */
    bool malformed;
} found_faults;

static void note_fault(void *to, brz_str origin, const char *option, uint64_t item, brz_str msg)
{
    found_faults *f = to;
    (void)origin;
    (void)item;
    brz_buf_printf(&f->text, "%s: %.*s\n", option, (int)msg.len, msg.data);
    bool known = brz_option_find(f->component, brz_str_of_text(option), NULL) != NULL;
    bool line = msg.len > 0 && memchr(msg.data, '\n', msg.len) == NULL;
    if ((known && line) || f->malformed)
        return;
    f->malformed = true;
    check_fail(f->check, 52, CHECK_NOTHING, msg, "%s: validate %s '%s'", f->component->id,
               known ? "does not report a single line on" : "names an unknown option", option);
}

/* Calls `validate` twice. Returns whether it found no fault. */
static bool validate_twice(check *c, const brz_use *use)
{
    const brz_component *k = use->loaded->component;
    found_faults a = {.check = c, .component = k}, b = a;
    bool good = brz_use_validate(use, note_fault, &a);
    brz_use_validate(use, note_fault, &b);
    if (strcmp(brz_buf_text(&a.text), brz_buf_text(&b.text)) != 0)
        check_fail(c, 52, brz_buf_str(&a.text), brz_buf_str(&b.text),
                   "%s: validate finds other faults in the same options", k->id);
    brz_buf_finish(&a.text);
    brz_buf_finish(&b.text);
    return good;
}

/* Sets each text and list to words that are hardly valid, and lets the component check them. */
static void validate_odd_values(check *c, const brz_use *use)
{
    static const char *const odd[] = {"", "\"", "a,b", "=", "\xff\n(", "99999999999999999999"};
    const brz_component *k = use->loaded->component;
    for (uint32_t i = 0; i < k->n_options; i++)
        for (size_t w = 0; w < BRZ_COUNT_OF(odd); w++) {
            brz_buf error = {0};
            if (brz_options_set(use->options, brz_option_at(k, i), brz_str_of_text(odd[w]),
                                BRZ_LAYER_COMMAND_LINE, BRZ_STR("check"), &error))
                validate_twice(c, use);
            brz_buf_finish(&error);
        }
}

void check_static_validate(check *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->file.n_components; i++) {
        brz_buf error = {0};
        const brz_loaded *l = &c->file.components[i];
        if (l->component->validate == NULL)
            continue;
        brz_use use = {l, brz_options_create(l->component, &error)};
        n++;
        if (brz_options_check(use.options, &error) && !validate_twice(c, &use))
            check_fail(c, 52, CHECK_NOTHING, CHECK_NOTHING, "%s: validate rejects the defaults",
                       l->component->id);
        validate_odd_values(c, &use);
        brz_use_finish(&use);
        brz_buf_finish(&error);
    }
    if (n == 0)
        check_skip(c, "no component has it");
}

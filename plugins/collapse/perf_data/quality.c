/* Reports which addresses have no names. */
#include "quality.h"

#include <stdio.h>

static const char *kernel_reason(const recording *p)
{
    if (p->symbols.kernel != NULL && p->symbols.kernel->state == SYMBOLS_FOUND)
        return "the kernel's list does not have them";
    return "`--from perf-data --kallsyms FILE` names a list of the kernel's symbols";
}

/* Returns why a module has no symbols, or too few, and what would help. */
static const char *reason_of(const recording *p, const module *m)
{
    if (m->kind == MODULE_KERNEL_MODULE && p->symbols.shift != 0)
        return "the kernel's list is of another boot, in which its modules were elsewhere";
    if (m->kind == MODULE_KERNEL || m->kind == MODULE_KERNEL_MODULE)
        return kernel_reason(p);
    if (m->kind == MODULE_JIT)
        return m->symbols != NULL && m->symbols->state == SYMBOLS_FOUND
                   ? "the map of its compiled code does not name them"
                   : "there is no map of its compiled code";
    if (m->kind != MODULE_FILE && m->kind != MODULE_VDSO && m->name.len > 0)
        return "it has no file with symbols";
    if (m->kind != MODULE_FILE && m->kind != MODULE_VDSO)
        return "nothing is mapped there; code without frame pointers needs --call-graph dwarf";
    switch (m->symbols == NULL ? SYMBOLS_NO_FILE : m->symbols->state) {
    case SYMBOLS_NO_FILE:
        return "its file is not here; --sysroot DIR names a copy of the recorded machine";
    case SYMBOLS_OTHER_ID:
        return "its file is another one than the recorded one";
    case SYMBOLS_NOT_ELF:
        return "its file is not an ELF file";
    case SYMBOLS_STRIPPED:
        return m->symbols->has_other_debug
                   ? "its file is stripped, and its debugging symbols are those of another build"
                   : "its file is stripped, and its debugging symbols are not installed";
    case SYMBOLS_PACKED:
        return "its symbols are packed, and this build of brazier lacks liblzma";
    default:
        return "its file does not name them";
    }
}

static void say(recording *p, int32_t severity, const char *code, uint64_t count)
{
    brz_diag d = {.struct_size = sizeof d, .severity = severity, .code = code, .count = count};
    d.msg = brz_text_str(&p->frames.scratch);
    p->ctx->host->diag(p->ctx, &d);
}

static void start(recording *p, const char *text, brz_str name)
{
    brz_text *t = &p->frames.scratch;
    t->len = 0;
    brz_text_append(t, p->ctx, brz_str_of(text, strlen(text)));
    brz_text_append(t, p->ctx, name);
}

static void add(recording *p, const char *text)
{
    brz_text_append(&p->frames.scratch, p->ctx, brz_str_of(text, strlen(text)));
}

static void report_other_files(recording *p)
{
    for (size_t i = 0; i < p->modules.n; i++) {
        const module *m = &p->modules.items[i];
        if (m->symbols == NULL || m->symbols->state != SYMBOLS_OTHER_ID)
            continue;
        start(p, "not the file that was recorded, so its symbols are not used: ", m->name);
        say(p, BRZ_WARNING, "perf-data.build-id", 1);
    }
}

/* Reports debugging information that refers to files that are not here. */
static void report_missing_parts(recording *p)
{
    const module *one = NULL;
    uint64_t n = 0;
    for (size_t i = 0; i < p->modules.n; i++) {
        const module *m = &p->modules.items[i];
        if (m->symbols == NULL ||
            (!m->symbols->lacks_shared && inlines_missing(m->symbols->inlines) == 0))
            continue;
        one = one == NULL ? m : one;
        n++;
    }
    if (n == 0)
        return;
    start(p,
          "the debugging information of modules needs a file that is not here, so their inlined "
          "functions and lines are missing: {count}, such as ",
          one->name);
    say(p, BRZ_NOTE, "perf-data.shared-debug", n);
}

/* Reports what servers of debugging information have found. */
static void report_servers(recording *p)
{
    const debuginfod *d = &p->symbols.servers;
    char text[128];
    if (d->failure != NULL) {
        start(p,
              "--debuginfod fetches no more files: ", brz_str_of(d->failure, strlen(d->failure)));
        say(p, BRZ_WARNING, "perf-data.debuginfod", 1);
    }
    if (d->asked == 0)
        return;
    snprintf(text, sizeof text, "files that servers of debugging information have: %llu of %llu",
             (unsigned long long)d->found, (unsigned long long)d->asked);
    start(p, text, brz_str_of("", 0));
    say(p, BRZ_NOTE, "perf-data.debuginfod", d->found);
}

void quality_report(recording *p)
{
    const module *most = NULL;
    uint64_t sum = 0, n = 0;
    report_other_files(p);
    report_missing_parts(p);
    report_servers(p);
    if (p->symbols.jit_unwinding > 0) {
        start(p, "unwinding information of compiled code is not used: {count}", brz_str_of("", 0));
        say(p, BRZ_NOTE, "perf-data.jit-unwinding", p->symbols.jit_unwinding);
    }
    for (size_t i = 0; i < p->modules.n; i++) {
        const module *m = &p->modules.items[i];
        sum += m->unknown;
        n += m->unknown > 0;
        if (m->unknown > 0 && (most == NULL || m->unknown > most->unknown))
            most = m;
    }
    if (most == NULL)
        return;
    char text[64];
    snprintf(text, sizeof text, ", in %llu modules, most of them in ", (unsigned long long)n);
    start(p, "addresses without a symbol: {count}", brz_str_of("", 0));
    add(p, n > 1 ? text : ", in ");
    brz_text_append(&p->frames.scratch, p->ctx,
                    most->name.len > 0 ? most->name : BRZ_STR("no module"));
    add(p, ": ");
    add(p, reason_of(p, most));
    say(p, BRZ_NOTE, "perf-data.unknown", sum);
}

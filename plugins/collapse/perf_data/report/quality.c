/* SPDX-License-Identifier: MIT */
/* Reports which code has no names, and why: findings about the quality of the profile. Their
 * messages state the finding, then ": " and the remedy. */
#include "quality.h"

#include "../process/symbol_memory.h"
#include "../stack/frames.h"

#include "../../../common/symbols/unwind/frame_source.h"

#include <brazier/draft/file_age.h>
#include <brazier/symbol.h>

#include <stdio.h>
#include <stdlib.h>

/* Number of modules that are listed. */
#define LISTED_MAX 16

#define KERNEL_HIDDEN                                                                              \
    "the kernel hid its addresses; record as root, or after `sysctl kernel.kptr_restrict=0 "       \
    "kernel.perf_event_paranoid=1`"

static bool is_kernel(const module *m)
{
    return m->kind == MODULE_KERNEL || m->kind == MODULE_KERNEL_MODULE;
}

static const char *kernel_reason(const recording *p)
{
    if (p->symbols.kernel != NULL && p->symbols.kernel->state == SYMBOLS_FOUND)
        return "the kernel's list does not have them";
    if (p->symbols.reference.len > 0 && p->symbols.reference_at == 0)
        return KERNEL_HIDDEN;
    return "`--from perf-data --kallsyms FILE` names a list of the kernel's symbols, such as a "
           "copy of /proc/kallsyms made as root on the recorded machine";
}

/* Returns whether stacks are copied, rather than followed by frame pointers. */
static bool copies_stacks(const recording *p)
{
    return events_stack_copied(&p->events) > 0;
}

/* Returns the reason for which compiled code has no names. A virtual machine of Java writes its map
 * when it is asked to, too. */
static const char *reason_of_compiled(const recording *p, const module *m)
{
    if (m->symbols != NULL && m->symbols->state == SYMBOLS_FOUND)
        return "the map of its compiled code does not name them";
    if (brz_str_is(threads_process_name(&p->threads, m->mapped.pid), "java"))
        return "there is no map of it; while the program runs, `jcmd PID Compiler.perfmap` writes "
               "one (17 and later), or start it with java -XX:+UnlockDiagnosticVMOptions "
               "-XX:+DumpPerfMapAtExit";
    return "there is no map of it; run the program so that it writes one: java "
           "-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit (or `jcmd PID Compiler.perfmap` "
           "while it runs), node --perf-basic-prof, python -X perf, erl +JPperf true, mono "
           "--jitmap, or DOTNET_PerfMapEnabled=1";
}

/* Returns the reason for which a module has no symbols, or too few, with the remedy. */
static const char *reason_of(const recording *p, const module *m)
{
    if (m->kind == MODULE_KERNEL_MODULE && p->symbols.shift != 0)
        return "the kernel's list is of another boot, in which its modules were elsewhere";
    if (m->kind == MODULE_KERNEL || m->kind == MODULE_KERNEL_MODULE)
        return kernel_reason(p);
    if (m->kind == MODULE_JIT)
        return reason_of_compiled(p, m);
    if (m->kind == MODULE_MEMORY)
        return "it is memory without a file of symbols, and no map of compiled code names it "
               "(.NET: "
               "DOTNET_PerfMapEnabled=1)";
    if (m->kind != MODULE_FILE && m->kind != MODULE_VDSO && m->name.len > 0)
        return "it has no file with symbols";
    if (m->kind != MODULE_FILE && m->kind != MODULE_VDSO)
        return copies_stacks(p) ? "nothing is mapped there: a mapping was lost"
                                : "nothing is mapped there; code without frame pointers needs "
                                  "--call-graph dwarf";
    switch (m->symbols == NULL ? SYMBOLS_NO_FILE : m->symbols->state) {
    case SYMBOLS_NO_FILE:
        return "its file is not here; --sysroot DIR names a copy of the recorded machine";
    case SYMBOLS_OTHER_ID:
        return "its file is not the recorded one";
    case SYMBOLS_NOT_ELF:
        return "its file is not an ELF file";
    case SYMBOLS_STRIPPED:
        return m->symbols->has_other_debug
                   ? "its file is stripped, and its debugging symbols are those of another build"
                   : "its file is stripped, and its debugging symbols are not installed";
    case SYMBOLS_DAMAGED:
        return "its file is stripped, and its packed symbols are damaged or unpack to many times "
               "their size";
    case SYMBOLS_PACKED:
        return "its symbols are packed, and this build of brazier lacks liblzma";
    default:
        return "its file does not name them";
    }
}

static void say(recording *p, int32_t severity, const char *code, uint64_t count)
{
    brz_diag d = brz_diag_of(severity, code, NULL, 0, brz_text_str(&p->frames.scratch));
    d.count = count;
    p->ctx->host->diag(p->ctx, &d);
}

static void start(recording *p, const char *text, brz_str name)
{
    brz_text *t = &p->frames.scratch;
    t->len = 0;
    brz_text_append(t, p->ctx, brz_str_of_text(text));
    brz_text_append(t, p->ctx, name);
}

static void add(recording *p, const char *text)
{
    brz_text_append(&p->frames.scratch, p->ctx, brz_str_of_text(text));
}

/* Returns whether debugging information of a module is in a file that is not here. */
static bool lacks_files(const symbol_source *s)
{
    return s->lacks_shared || symbol_memory_gaps(s).missing > 0;
}

static bool lacks_memory(const symbol_source *s)
{
    return symbol_memory_gaps(s).left_out > 0;
}

static bool lacks_ranges(const symbol_source *s)
{
    return symbol_memory_gaps(s).has_too_many_ranges;
}

/* Reports modules that lack debugging information; `text` precedes the name of one of them. */
static void report_lacking(recording *p, bool lacks(const symbol_source *), const char *code,
                           const char *text)
{
    const module *one = NULL;
    uint64_t n = 0;
    for (size_t i = 0; i < p->modules.n; i++) {
        const module *m = &p->modules.items[i];
        if (m->symbols == NULL || !lacks(m->symbols))
            continue;
        one = one == NULL ? m : one;
        n++;
    }
    if (n == 0)
        return;
    start(p, text, one->name);
    say(p, BRZ_NOTE, code, n);
}

/* Returns the bytes that debugging information of a module unpacks to, if it is not used because
 * they are too many; otherwise 0. */
static uint64_t needed_by(const symbol_source *s)
{
    uint64_t needed = s->needed, of_units = symbol_memory_gaps(s).needed;
    uint64_t of_frames = s->frames == NULL ? 0 : s->frames->needed;
    needed = of_units > needed ? of_units : needed;
    return of_frames > needed ? of_frames : needed;
}

/* Reports compressed debugging information that is not unpacked. Names the module that needs most
 * memory. */
static void report_packed(recording *p)
{
    const module *most = NULL;
    uint64_t n = 0, max = 0;
    char text[64];
    for (size_t i = 0; i < p->modules.n; i++) {
        const module *m = &p->modules.items[i];
        uint64_t needed = m->symbols == NULL ? 0 : needed_by(m->symbols);
        most = needed > max ? m : most;
        max = needed > max ? needed : max;
        n += needed > 0;
    }
    if (n == 0)
        return;
    start(p,
          "{count} {module lacks|modules lack} inlined functions, lines or unwind tables, since ",
          brz_str_of("", 0));
    add(p, "compressed debugging information unpacks to many times its size, such as that of ");
    brz_text_append(&p->frames.scratch, p->ctx, most->name);
    unsigned long long megabytes = max / 1048576 + (max % 1048576 > 0);
    snprintf(text, sizeof text, ", which needs %llu MiB", megabytes);
    add(p, text);
    add(p, ": if you trust the files, `objcopy --decompress-debug-sections FILE` unpacks them");
    say(p, BRZ_NOTE, "quality.debug-size", n);
}

/* Reports debugging information that is not used. */
static void report_missing_parts(recording *p)
{
    report_lacking(p, lacks_files, "perf-data.shared-debug",
                   "the debugging information of modules needs a file that is not here, so their "
                   "inlined functions and lines are missing: {count}, such as ");
    report_lacking(p, lacks_memory, "perf-data.split-debug",
                   "the split debugging information of modules takes more than 1 GiB of memory, so "
                   "some of their inlined functions and lines are missing: {count}, such as ");
    report_lacking(
        p, lacks_ranges, "perf-data.debug-ranges",
        "the debugging information of modules has more ranges of addresses than its size "
        "allows, so some of their inlined functions and lines are missing: {count}, such "
        "as ");
}

/* Reports how many files servers of debugging information have found. */
static void report_servers(recording *p)
{
    const debuginfod *d = &p->symbols.servers;
    char text[128];
    if (d->failure != NULL) {
        start(p, "--debuginfod fetches no more files: ", brz_str_of_text(d->failure));
        say(p, BRZ_WARNING, "perf-data.debuginfod", 1);
    }
    if (d->asked == 0)
        return;
    snprintf(text, sizeof text, "files that servers of debugging information have: %llu of %llu",
             (unsigned long long)d->found, (unsigned long long)d->asked);
    start(p, text, brz_str_of("", 0));
    say(p, BRZ_NOTE, "perf-data.debuginfod", d->found);
}

/* ---- modules -------------------------------------------------------------------------------- */

/* A group of modules whose code lacks names for the same kind of reason. */
typedef struct group {
    const char *code, *what;
    bool (*has)(const module *m);
    enum frame_class class;
} group;

static bool is_jit(const module *m)
{
    return m->kind == MODULE_JIT;
}

static bool is_other(const module *m)
{
    return !is_kernel(m) && !is_jit(m);
}

static const group groups[] = {
    {"quality.unknown", "{address has|addresses have} no name", is_other, CLASS_UNNAMED},
    {"quality.kernel", "{address of the kernel has|addresses of the kernel have} no name",
     is_kernel, CLASS_KERNEL},
    {"quality.jit", "{address of compiled code has|addresses of compiled code have} no name",
     is_jit, CLASS_JIT},
};

/* Orders modules by their addresses without a name. */
static int compare(const void *a, const void *b)
{
    const module *x = *(const module *const *)a, *y = *(const module *const *)b;
    if (x->unknown != y->unknown)
        return x->unknown > y->unknown ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* Returns whether code without names is the consequence of what another finding states: files that
 * are not the recorded ones, and callers by frame pointers that the code lacks. */
static bool is_consequence(const recording *p, const module *m)
{
    bool is_nowhere = m->kind == MODULE_NONE && m->name.len == 0;
    return (is_nowhere && p->sampling.n_unmapped > 0 && !copies_stacks(p)) ||
           (m->symbols != NULL && m->symbols->state == SYMBOLS_OTHER_ID);
}

/* Lists the modules of a group that lack names, the one that lacks most first. Returns their
 * number. */
static size_t list(recording *p, const group *g, const module **to)
{
    size_t n = 0;
    for (size_t i = 0; i < p->modules.n; i++) {
        const module *m = &p->modules.items[i];
        if (m->unknown > 0 && g->has(m) && !is_consequence(p, m))
            to[n++] = m;
    }
    qsort(to, n, sizeof *to, compare);
    return n;
}

static void add_name(recording *p, const module *m)
{
    brz_text_append(&p->frames.scratch, p->ctx, m->name.len > 0 ? m->name : BRZ_STR("no module"));
}

/* Reports a module as a detail. */
static void report_module(recording *p, const module *m)
{
    bool is_stripped =
        is_other(m) && m->symbols != NULL &&
        (m->symbols->state == SYMBOLS_STRIPPED || m->symbols->state == SYMBOLS_DAMAGED);
    start(p, "", brz_str_of("", 0));
    add_name(p, m);
    add(p, ": {count} {address|addresses}: ");
    add(p, reason_of(p, m));
    say(p, BRZ_DEBUG, is_stripped ? "quality.unknown.stripped" : "quality.unknown.module",
        m->unknown);
}

/* Reports addresses of the kernel that are in no module. A kernel that hides its addresses has
 * none.
 */
static void report_unmapped_kernel(recording *p)
{
    bool is_hidden = p->symbols.reference.len == 0;
    start(p, "{count} {address of the kernel has|addresses of the kernel have} no name: ",
          is_hidden ? BRZ_STR(KERNEL_HIDDEN)
                    : BRZ_STR("the recording names no module there, such as a BPF program"));
    say(p, BRZ_NOTE, "quality.kernel", p->frames.unmapped_kernel);
}

static void report_group(recording *p, const group *g, const module **found)
{
    uint64_t unmapped = g->has == is_kernel ? p->frames.unmapped_kernel : 0, sum = unmapped;
    char text[64];
    size_t n = list(p, g, found), n_places = n + (unmapped > 0);
    if (n == 0 && unmapped > 0)
        report_unmapped_kernel(p);
    if (n == 0)
        return;
    for (size_t i = 0; i < n; i++)
        sum += found[i]->unknown;
    snprintf(text, sizeof text, ", in %zu modules, most of them in ", n_places);
    start(p, "{count} ", brz_str_of_text(g->what));
    add(p, n_places > 1 ? text : ", in ");
    add_name(p, found[0]);
    add(p, ": ");
    add(p, reason_of(p, found[0]));
    say(p, frames_are_many(p, g->class) ? BRZ_NOTE : BRZ_DEBUG, g->code, sum);
    for (size_t i = 0; i < n && i < LISTED_MAX && g->has == is_other; i++)
        report_module(p, found[i]);
}

/* Reports files that are not used, because their build ids are not the recorded ones. */
static void report_other_files(recording *p)
{
    uint64_t n = 0;
    for (size_t i = 0; i < p->modules.n; i++) {
        const module *m = &p->modules.items[i];
        if (m->symbols == NULL || m->symbols->state != SYMBOLS_OTHER_ID)
            continue;
        start(p, "", m->name);
        add(p, ": its build id is not the recorded one");
        say(p, BRZ_DEBUG, "quality.build-id.file", 1);
        n += 1;
    }
    if (n == 0)
        return;
    start(p,
          "{count} {file is not the one that was|files are not those that were} recorded, so "
          "{its|their} symbols are not used: put the recorded ones into perf's build-id cache "
          "(perf buildid-cache --add FILE), or all recorded files below a folder, and name that "
          "with --sysroot DIR",
          brz_str_of("", 0));
    say(p, BRZ_WARNING, "quality.build-id", n);
}

/* ---- interpreters ---------------------------------------------------------------------------- */

/* An interpreter whose functions have no frames, and what records them. */
typedef struct interpreter {
    enum frame_class class;
    const char *language, *remedy;
} interpreter;

static const interpreter interpreters[] = {
    {CLASS_PYTHON, "Python",
     "record python 3.12 or later with -X perf, or let py-spy record: py-spy record -f raw"},
    {CLASS_PHP, "PHP", "Xdebug (xdebug.mode=trace) and Excimer record them"},
    {CLASS_PERL, "Perl", "perl -d:NYTProf and nytprofcalls record them"},
    {CLASS_RUBY, "Ruby", "the gem stackprof, or rbspy record --format collapsed, records them"},
};

/* Reports interpreters that take a part of the time without frames of their functions. If they take
 * most of it, the picture shows the interpreter, and nothing else helps. */
static void report_interpreters(recording *p)
{
    const frames *f = &p->frames;
    char text[64];
    for (size_t i = 0; i < BRZ_COUNT_OF(interpreters); i++) {
        const interpreter *of = &interpreters[i];
        uint64_t n = f->samples_of[of->class];
        if (n * 20 < f->n_counted || n == 0 || (of->class == CLASS_PYTHON && f->has_python))
            continue;
        snprintf(text, sizeof text, "{count} of %llu samples {is|are} in the interpreter of ",
                 (unsigned long long)f->n_counted);
        start(p, text, brz_str_of_text(of->language));
        add(p, ", whose functions have no frames: ");
        add(p, of->remedy);
        say(p, n * 2 < f->n_counted ? BRZ_NOTE : BRZ_WARNING, "quality.interpreter", n);
    }
}

/* ---- files that are used without a check ----------------------------------------------------- */

/* Returns whether the file of a module is used, although the recording has no build id of it. */
static bool is_unchecked(const module *m)
{
    return m->kind == MODULE_FILE && m->id.len == 0 && m->symbols != NULL &&
           (m->symbols->state == SYMBOLS_FOUND || m->symbols->state == SYMBOLS_STRIPPED ||
            m->symbols->state == SYMBOLS_DAMAGED);
}

/* Returns whether the recording has the build id of any file. */
static bool has_build_ids(const recording *p)
{
    bool has = p->modules.n_ids > 0;
    for (size_t i = 0; i < p->modules.n && !has; i++)
        has = p->modules.items[i].kind == MODULE_FILE && p->modules.items[i].id.len > 0;
    return has;
}

/* Returns whether the file of a module was changed after the recording was written, which the host
 * may not be able to tell. */
static bool is_newer(const recording *p, const brz_file_age *age, const module *m)
{
    return age != NULL && m->symbols->loaded.path.len > 0 &&
           age->is_newer(p->ctx, m->symbols->loaded.path);
}

/* Reports files that cannot be the recorded ones, although no build id says so. */
static void report_newer(recording *p, const brz_file_age *age)
{
    uint64_t n = 0;
    for (size_t i = 0; i < p->modules.n; i++) {
        const module *m = &p->modules.items[i];
        if (!is_unchecked(m) || !is_newer(p, age, m))
            continue;
        start(p, "", m->name);
        add(p, ": it was changed after the recording");
        say(p, BRZ_DEBUG, "quality.newer.file", 1);
        n++;
    }
    if (n == 0)
        return;
    start(p,
          "{count} {file was|files were} changed after the recording, so {its|their} names are "
          "probably wrong: record again, with `brazier record` or `perf record --buildid-mmap`, "
          "whose build ids let brazier find the recorded files; or put the recorded ones below a "
          "folder, and name that with --sysroot DIR",
          brz_str_of("", 0));
    say(p, BRZ_WARNING, "quality.newer", n);
}

static void report_unchecked_file(recording *p, const module *m)
{
    start(p, "", m->name);
    add(p, m->symbols->loaded.build_id.len > 0
               ? ": the recording lacks its build id"
               : ": it has no build id; linkers write one with --build-id");
    say(p, BRZ_DEBUG, "quality.unchecked.file", 1);
}

/* Appends why files are not checked, with the remedy. `n_with_id` of them have a build id. */
static void add_unchecked_reason(recording *p, uint64_t n_with_id)
{
    add(p, n_with_id > 0
               ? "the recording has no build id of {it|them}: record with `brazier record`, "
                 "or `perf record --buildid-mmap`"
               : "{it has|they have} no build id: let the linker write one (gcc, clang: "
                 "-Wl,--build-id, Go 1.22: -ldflags=-B=gobuildid)");
    add(p, "; until then, do not build or update programs between the recording and this run");
}

/* Reports files that may be others than the recorded ones. A recording often lacks the build ids of
 * some files, since perf lists those with samples of their own: only the full report has these. */
static void report_unchecked(recording *p, const brz_file_age *age)
{
    uint64_t n = 0, n_with_id = 0;
    for (size_t i = 0; i < p->modules.n; i++) {
        const module *m = &p->modules.items[i];
        if (!is_unchecked(m) || is_newer(p, age, m))
            continue;
        if (n++ < LISTED_MAX)
            report_unchecked_file(p, m);
        n_with_id += m->symbols->loaded.build_id.len > 0;
    }
    if (n == 0)
        return;
    start(
        p,
        "{count} {file|files} may differ from {the one that was|those that were} recorded, since ",
        brz_str_of("", 0));
    add_unchecked_reason(p, n_with_id);
    say(p, n_with_id > 0 && !has_build_ids(p) ? BRZ_NOTE : BRZ_DEBUG, "quality.unchecked", n);
}

void quality_report(recording *p)
{
    const module **found = p->ctx->host->alloc(p->ctx, (p->modules.n + 1) * sizeof *found, 0);
    const brz_file_age *age = p->ctx->host->extension(p->ctx, BRZ_FILE_AGE_ID);
    report_other_files(p);
    report_newer(p, age);
    report_unchecked(p, age);
    report_missing_parts(p);
    report_packed(p);
    report_servers(p);
    if (p->symbols.jit_unwinding > 0) {
        start(p, "unwinding information of compiled code is not used: {count}", brz_str_of("", 0));
        say(p, BRZ_NOTE, "perf-data.jit-unwinding", p->symbols.jit_unwinding);
    }
    for (size_t i = 0; i < BRZ_COUNT_OF(groups); i++)
        report_group(p, &groups[i], found);
    report_interpreters(p);
}

bool quality_lacks_files(const recording *p)
{
    bool lacks = false;
    for (size_t i = 0; i < p->modules.n; i++) {
        const module *m = &p->modules.items[i];
        bool has_file = m->kind == MODULE_FILE || m->kind == MODULE_JIT;
        lacks |= has_file && m->unknown > 0 && m->symbols != NULL &&
                 (m->symbols->state == SYMBOLS_NO_FILE || m->symbols->state == SYMBOLS_OTHER_ID);
    }
    return lacks;
}

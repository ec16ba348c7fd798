/* SPDX-License-Identifier: MIT */
/* Reads inputs in a sandboxed child process, which sends its results to this one.
 *
 * The child of an input whose format is named has only that collapser, because loading all takes
 * longer than many inputs. If it must ask others, a second child that has them reads the input
 * again; a pipe, which cannot be read again, has a child with all collapsers.
 */
#include "isolate/input_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "isolate/isolate.h"

/* The state of reading an input, in both processes. */
typedef struct work {
    const brz_reading *reading;
    brz_found found;
    brz_collected *into;
    brz_guess *guess;            /* of the parent, if only the guess is wanted */
    bool good;                   /* in the parent: the child's result */
    bool misused;                /* likewise: options were invalid */
    const brz_loaded *collapser; /* in the parent, once it is known */
    brz_others others;           /* of the child */
    bool lacks_others;           /* in the parent: the child would have asked them */
    brz_related_elsewhere elsewhere;
} work;

/* ---- in the child -------------------------------------------------------------------------- */

/* The functions of the child free nothing, because it is about to end. */

/* Returns true if collapsers other than the named one may be asked about the input. */
static bool asks_others(const brz_reading *r)
{
    return r->named == NULL || r->is_default || brz_registry_ships(r->registry, r->named->loaded);
}

/* Loads the collapsers that the parent only described. */
static void load_collapsers(void *context, brz_run *run, brz_wire_out *out)
{
    const work *w = context;
    const brz_reading *r = w->reading;
    bool all = w->others == BRZ_OTHERS_LOADED && asks_others(r);
    (void)run;
    (void)out;
    brz_registry_load_described(r->registry, all ? NULL : r->named->loaded);
}

static brz_feed open_feed(const work *w)
{
    brz_feed feed;
    brz_reading reading = *w->reading;
    reading.no_map = false; /* a crash in isolation loses nothing else */
    brz_feed_init(&feed, brz_reading_open(&reading, &w->found));
    return feed;
}

static void guess_and_give(void *context, brz_run *run, brz_wire_out *out)
{
    const work *w = context;
    brz_feed feed = open_feed(w);
    (void)run;
    brz_guess_give(w->reading->registry, &feed, out);
}

/* Guesses the format. The parent reaches the same conclusion and reports it. */
static bool choose(const brz_reading *r, brz_run *run, brz_feed *feed, brz_wire_out *out,
                   brz_use *use)
{
    brz_guess g = brz_guess_give(r->registry, feed, out);
    brz_isolated_mute(run, true);
    bool good = r->accept(r->context, &g, feed->source->name, true, use);
    brz_isolated_mute(run, false);
    return good;
}

/* Returns the number of a collapser in the registry, for collapser_at(). Parent and child have
 * loaded the same collapsers. */
static uint32_t collapser_number(const brz_registry *registry, const brz_loaded *collapser)
{
    const brz_loaded *l;
    brz_tier tier;
    bool shadowed;
    uint32_t i = 0;
    while ((l = brz_registry_at(registry, i, &tier, &shadowed)) != NULL && l != collapser)
        i++;
    return i;
}

static void collapse_and_give(void *context, brz_run *run, brz_wire_out *out)
{
    const work *w = context;
    const brz_reading *r = w->reading;
    brz_use use = {0};
    brz_collected collected = {.offset = w->into->offset};
    brz_feed feed = open_feed(w);
    if (r->named == NULL && !choose(r, run, &feed, out, &use))
        return;
    brz_related *related = brz_related_create(brz_isolated_find, out, run->console);
    brz_related_leave_out_identities(related);
    bool valid = brz_isolated_validate(r->named != NULL ? r->named : &use, run->console);
    bool good = valid && brz_reading_collapse(r, &use, &feed, run, related, w->others, &collected);
    brz_wire_put_profile(out, collected.profile);
    brz_wire_put_notices(out, &collected.reports);
    brz_wire_put_u64(out, collected.offset);
    brz_wire_put_u32(out, collected.is_foreign);
    brz_wire_put_u32(out, collapser_number(r->registry, collected.looks_like));
    brz_wire_put_u32(out, collected.lacks_others);
    brz_wire_put_u32(out, good);
    brz_wire_put_u32(out, valid);
}

/* ---- in the parent ------------------------------------------------------------------------- */

static void take_guess(void *context, brz_wire_in *in)
{
    work *w = context;
    w->good = brz_guess_take(w->reading->registry, in, w->guess);
}

/* Receives a guess and decides on it. Returns false if the rest is not needed. */
static bool take_choice(work *w, brz_wire_in *in)
{
    const brz_reading *r = w->reading;
    brz_guess g;
    brz_use use = {0};
    if (!brz_guess_take(r->registry, in, &g))
        return false;
    bool good = r->accept(r->context, &g, w->found.name, false, &use);
    w->collapser = good ? use.loaded : NULL;
    brz_use_finish(&use);
    brz_guess_finish(&g);
    return good;
}

/* Copies a code: codes are constants of plug-ins, except those received from the child. */
static const char *keep_code(brz_notices *r, const char *code)
{
    return code == NULL ? NULL : brz_arena_str(&r->text, brz_str_of_text(code)).data;
}

/* Adds the reports of the child, with its collapser as their component. */
static void take_reports(const work *w, brz_notices *reports)
{
    brz_notices *all = &w->into->reports;
    for (size_t i = 0; i < reports->n; i++) {
        reports->items[i].component = w->collapser->component;
        reports->items[i].code = keep_code(all, reports->items[i].code);
    }
    for (size_t i = 0; i < reports->n_tallies; i++)
        reports->tallies[i].code = keep_code(all, reports->tallies[i].code);
    brz_notices_absorb(all, reports);
    brz_notices_finish(reports);
}

/* Returns the collapser with this number. Returns NULL for any other number. */
static const brz_loaded *collapser_at(const brz_registry *registry, uint32_t number)
{
    brz_tier tier;
    bool shadowed;
    const brz_loaded *l = brz_registry_at(registry, number, &tier, &shadowed);
    return l != NULL && l->component->kind == BRZ_COLLAPSER ? l : NULL;
}

/* Receives the results. Discards incomplete ones. */
static void take_input(void *context, brz_wire_in *in)
{
    work *w = context;
    brz_collected *c = w->into;
    brz_profile *profile = NULL;
    brz_notices reports = {0};
    uint64_t offset;
    uint32_t is_foreign, format, lacks, good, valid;
    if (w->reading->named == NULL && !take_choice(w, in))
        return;
    if (brz_wire_take_profile(in, &profile) && brz_wire_take_notices(in, &reports) &&
        brz_wire_take_u64(in, &offset) && brz_wire_take_u32(in, &is_foreign) &&
        brz_wire_take_u32(in, &format) && brz_wire_take_u32(in, &lacks) &&
        brz_wire_take_u32(in, &good) && brz_wire_take_u32(in, &valid)) {
        brz_profile_destroy(c->profile);
        c->profile = profile;
        take_reports(w, &reports);
        c->offset = offset > c->offset ? offset : c->offset;
        c->is_foreign |= is_foreign != 0;
        c->looks_like = collapser_at(w->reading->registry, format);
        w->lacks_others = lacks != 0;
        w->good = good != 0;
        w->misused = valid == 0;
        return;
    }
    brz_profile_destroy(profile);
    brz_notices_finish(&reports);
}

/* Finds a file for the child, which may run the input's code. Those outside of the sysroot, of
 * which a profile may name hundreds, are reported together. */
static brz_related_found find_for_child(void *context, brz_str name, uint32_t flags)
{
    work *w = context;
    brz_console *console = w->reading->run->console;
    brz_related_rules rules = w->reading->rules;
    rules.only_sysroot = true;
    brz_related_found found = brz_related_find(&rules, name, flags);
    if (found.is_elsewhere && console->verbosity <= 0)
        brz_related_elsewhere_add(&w->elsewhere, name, flags);
    else
        brz_related_say(console, brz_reading_name(w->reading), name, &found);
    return found;
}

/* Opens an input for the child. Returns false after reporting an error. */
static bool find(work *w)
{
    const brz_input *i = w->reading->input;
    if (!brz_reading_find(w->reading, &w->found))
        return false;
    if (i->kind == BRZ_INPUT_FUNCTION)
        brz_say_code(w->reading->run->console, BRZ_FATAL, BRZ_SAYS_PIPELINE,
                     "%s: input from a function cannot be read in isolation", i->name);
    else if (i->kind == BRZ_INPUT_MEMORY) /* the child has it and needs no descriptor */
        w->found.fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return w->found.fd >= 0;
}

/* Does the work in a child. */
static brz_isolated_end isolate(work *w, brz_isolated task)
{
    const brz_reading *r = w->reading;
    bool before = brz_registry_describe(r->registry, true);
    if (w->others == BRZ_OTHERS_LOADED && asks_others(r)) /* the child finds no other files */
        brz_registry_load_all(r->registry, BRZ_COLLAPSER);
    const char **folders = brz_registry_described_dirs(r->registry);
    task.run = r->run;
    task.progress = r->options.progress;
    task.name = w->found.name;
    task.input = w->found.fd;
    task.threads = r->options.threads;
    task.memory = r->memory;
    task.plugin = &w->collapser;
    task.load = folders != NULL ? load_collapsers : NULL;
    task.folders = folders;
    task.context = w;
    brz_isolated_end end = brz_isolate(&task);
    free(folders);
    brz_registry_describe(r->registry, before);
    return end;
}

static bool guess_isolated(const brz_reading *r, brz_guess *g)
{
    work w = {.reading = r, .guess = g, .others = BRZ_OTHERS_LOADED};
    if (!find(&w))
        return false;
    brz_isolated_end end = isolate(&w, (brz_isolated){.work = guess_and_give, .take = take_guess});
    brz_found_close(&w.found);
    if (w.good && end != BRZ_ISOLATED_DONE)
        brz_guess_finish(g);
    return w.good && end == BRZ_ISOLATED_DONE;
}

/* Returns whether a second child can read the input from its beginning. */
static bool can_read_again(const work *w)
{
    return w->found.whole || w->reading->input->kind == BRZ_INPUT_MEMORY;
}

static brz_isolated_end collapse_once(work *w, bool is_again)
{
    brz_related_elsewhere_finish(&w->elsewhere);
    return isolate(w, (brz_isolated){.work = collapse_and_give,
                                     .take = take_input,
                                     .find = find_for_child,
                                     .is_again = is_again});
}

/* Finds the format of an input without stacks. */
static brz_isolated_end find_format(work *w)
{
    brz_guess g = {0};
    work other = {
        .reading = w->reading, .found = w->found, .guess = &g, .others = BRZ_OTHERS_LOADED};
    brz_isolated_end end = isolate(
        &other, (brz_isolated){.work = guess_and_give, .take = take_guess, .is_again = true});
    w->into->looks_like = g.winner != w->collapser ? g.winner : NULL;
    brz_guess_finish(&g);
    return end;
}

/* Reads the input again in a child that has all collapsers, if the first one lacked some. */
static brz_isolated_end ask_others(work *w)
{
    if (w->found.whole && lseek(w->found.fd, 0, SEEK_SET) != 0) {
        w->good = false;
        brz_say_code(w->reading->run->console, BRZ_FATAL, BRZ_SAYS_READ,
                     "%s cannot be read again: %s", w->found.name, strerror(errno));
        return BRZ_ISOLATED_DONE;
    }
    if (w->good)
        return find_format(w);
    w->others = BRZ_OTHERS_LOADED;
    return collapse_once(w, true);
}

static brz_input_end collapse_isolated(const brz_reading *r, brz_collected *into)
{
    work w = {.reading = r, .into = into, .collapser = r->named == NULL ? NULL : r->named->loaded};
    if (!find(&w))
        return BRZ_INPUT_FAILED;
    bool lazy = r->named != NULL && can_read_again(&w);
    w.others = lazy ? BRZ_OTHERS_MISSING : BRZ_OTHERS_LOADED;
    brz_isolated_end end = collapse_once(&w, false);
    if (end == BRZ_ISOLATED_DONE && lazy && w.lacks_others)
        end = ask_others(&w);
    brz_found_close(&w.found);
    brz_related_elsewhere_say(&w.elsewhere, r->run->console, brz_reading_name(r));
    brz_related_elsewhere_finish(&w.elsewhere);
    switch (end) {
    case BRZ_ISOLATED_LOST:
        return BRZ_INPUT_LOST;
    case BRZ_ISOLATED_DONE:
        return w.misused ? BRZ_INPUT_MISUSED : w.good ? BRZ_INPUT_READ : BRZ_INPUT_FAILED;
    default:
        return BRZ_INPUT_FAILED;
    }
}

const brz_input_reader brz_isolated_reader = {guess_isolated, collapse_isolated};

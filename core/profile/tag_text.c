/* SPDX-License-Identifier: MIT */
/* Describes the parts of tags as text. */
#include "profile/tag_text.h"

#include "base/mem.h"
#include "base/suggest.h"

#include <brazier/symbol.h>
#include <stdlib.h>
#include <string.h>

/* ---- parts --------------------------------------------------------------------------------- */

brz_tag_part brz_tag_part_of(brz_str name)
{
    brz_tag_part p = {BRZ_PART_LABEL, name};
    if (brz_str_is(name, "process"))
        p.kind = BRZ_PART_PROCESS;
    else if (brz_str_is(name, "thread"))
        p.kind = BRZ_PART_THREAD;
    else if (brz_str_is(name, "cpu"))
        p.kind = BRZ_PART_CPU;
    return p;
}

void brz_tag_part_add_none(brz_buf *b, const brz_tag_part *part)
{
    brz_buf_printf(b, "no %.*s", (int)part->name.len, part->name.data);
}

/* Collects the parts that tags have; `labels` are only the keys of labels. */
static void list_parts(const brz_profile *p, brz_shortlist *parts, brz_shortlist *labels)
{
    uint32_t flags = 0;
    for (size_t i = 0; i < p->tags.n; i++) {
        const brz_tag_entry *e = &p->tags.items[i];
        flags |= e->flags | (e->process_name != 0 ? BRZ_TAG_PROCESS : 0u) |
                 (e->thread_name != 0 ? BRZ_TAG_THREAD : 0u);
        for (size_t k = 0; k < e->n_labels; k++)
            brz_shortlist_add(labels,
                              brz_strings_at(&p->strings, p->tags.labels[e->first_label + k].key));
    }
    if (flags & BRZ_TAG_PROCESS)
        brz_shortlist_add(parts, BRZ_STR("process"));
    if (flags & BRZ_TAG_THREAD)
        brz_shortlist_add(parts, BRZ_STR("thread"));
    if (flags & BRZ_TAG_CPU)
        brz_shortlist_add(parts, BRZ_STR("cpu"));
}

/* Appends the parts that tags have, and the label that is nearest to the name of one. */
static void add_known(brz_buf *error, const brz_tag_part *part, const brz_profile *p)
{
    brz_shortlist parts = {.most = 3}, labels = {.most = BRZ_SHORTLIST_MOST};
    list_parts(p, &parts, &labels);
    if (parts.n + labels.n > 0)
        brz_buf_add_text(error, "; it has ");
    brz_shortlist_print(&parts, error);
    if (labels.n > 0)
        brz_buf_printf(error, "%sthe label%s ", parts.n > 0 ? " and " : "",
                       labels.n > 1 ? "s" : "");
    brz_shortlist_print(&labels, error);
    if (part->kind == BRZ_PART_LABEL) {
        brz_suggestion near = {.typed = part->name};
        for (size_t i = 0; i < labels.n; i++)
            brz_suggestion_offer(&near, brz_buf_text(&labels.texts[i]));
        brz_suggestion_add(&near, error);
    }
    brz_shortlist_finish(&parts);
    brz_shortlist_finish(&labels);
}

void brz_tag_part_explain(brz_buf *error, const brz_tag_part *part, const brz_profile *p)
{
    static const char *const words[] = {"process", "thread", "processor", NULL};
    const char *word = words[part->kind];
    if (word != NULL)
        brz_buf_printf(error, "the input does not say to which %s samples belong", word);
    else
        brz_buf_printf(error, "no sample of the input has the label '%.*s'", (int)part->name.len,
                       part->name.data);
    add_known(error, part, p);
}

/* ---- texts --------------------------------------------------------------------------------- */

static int compare_processes(const void *a, const void *b)
{
    const brz_named_process *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return brz_str_compare(x->name, y->name);
}

void brz_tag_texts_init(brz_tag_texts *t, const brz_profile *p)
{
    *t = (brz_tag_texts){.profile = p,
                         .processes = brz_calloc(p->tags.n + 1, sizeof(brz_named_process))};
    for (size_t i = 0; i < p->tags.n; i++) {
        const brz_tag_entry *e = &p->tags.items[i];
        if ((e->flags & BRZ_TAG_PROCESS) && e->process_name != 0)
            t->processes[t->n++] =
                (brz_named_process){e->process, brz_strings_at(&p->strings, e->process_name)};
    }
    qsort(t->processes, t->n, sizeof *t->processes, compare_processes);
}

/* Returns the name that a tag gives its process: it changes when a process runs another program.
 * Without one, returns the first name that any tag gives it. */
static brz_str process_name(const brz_tag_texts *t, const brz_tag_entry *e)
{
    size_t from = 0, to = t->n;
    if (e->process_name != 0 || !(e->flags & BRZ_TAG_PROCESS))
        return brz_strings_at(&t->profile->strings, e->process_name);
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (t->processes[middle].id < e->process)
            from = middle + 1;
        else
            to = middle;
    }
    bool found = from < t->n && t->processes[from].id == e->process;
    return found ? t->processes[from].name : BRZ_STR("");
}

/* Appends "NAME ID". Returns false if neither is known. */
static bool add_name(brz_buf *b, brz_str name, bool has_id, int64_t id)
{
    brz_buf_add_str(b, name);
    if (has_id)
        brz_buf_printf(b, "%s%lld", name.len > 0 ? " " : "", (long long)id);
    return name.len > 0 || has_id;
}

/* Appends the values of a label, separated by commas. Returns false if the tag has no such label.
 */
static bool add_label(brz_buf *b, const brz_profile *p, const brz_tag_entry *e, brz_str key)
{
    bool any = false;
    for (size_t i = 0; i < e->n_labels; i++) {
        const brz_tag_label *l = &p->tags.labels[e->first_label + i];
        brz_str name = brz_strings_at(&p->strings, l->key);
        if (!brz_str_equal(name, key))
            continue;
        brz_buf_add_text(b, any ? "," : "");
        any = true;
        brz_buf_add_str(b, brz_strings_at(&p->strings, l->text));
        if (l->flags & BRZ_LABEL_NUMBER)
            brz_buf_add_scaled(b, l->number, l->decimals);
        if (l->unit != 0) {
            brz_buf_add_char(b, ' ');
            brz_buf_add_str(b, brz_strings_at(&p->strings, l->unit));
        }
    }
    return any;
}

bool brz_tag_texts_add(const brz_tag_texts *t, brz_buf *b, brz_tag tag, const brz_tag_part *part)
{
    const brz_profile *p = t->profile;
    if (tag >= p->tags.n)
        return false;
    const brz_tag_entry *e = &p->tags.items[tag];
    switch (part->kind) {
    case BRZ_PART_PROCESS:
        return add_name(b, process_name(t, e), (e->flags & BRZ_TAG_PROCESS) != 0, e->process);
    case BRZ_PART_THREAD:
        return add_name(b, brz_strings_at(&p->strings, e->thread_name),
                        (e->flags & BRZ_TAG_THREAD) != 0, e->thread);
    case BRZ_PART_CPU:
        return (e->flags & BRZ_TAG_CPU) != 0 && add_name(b, BRZ_STR(""), true, e->cpu);
    default:
        return add_label(b, p, e, part->name);
    }
}

void brz_tag_texts_list(const brz_tag_texts *t, brz_shortlist *l, const brz_tag_part *part)
{
    brz_buf text = {0};
    for (size_t tag = 0; tag < t->profile->tags.n; tag++) {
        brz_buf_clear(&text);
        if (brz_tag_texts_add(t, &text, (brz_tag)tag, part))
            brz_shortlist_add(l, brz_buf_str(&text));
    }
    brz_buf_finish(&text);
}

void brz_tag_texts_finish(brz_tag_texts *t)
{
    free(t->processes);
    memset(t, 0, sizeof *t);
}

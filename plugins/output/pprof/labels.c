/* Makes labels of tags. */
#include "labels.h"

#include <brazier/symbol.h>

#include <string.h>

/* Labels that stand for members of a tag. The first word is the label to write; a label with any of
 * these keys says the same. */
static const char *const process_keys[] = {"pid", "process_id", NULL};
static const char *const process_name_keys[] = {"process_name", NULL};
static const char *const thread_keys[] = {"tid", "thread_id", "thread id", NULL};
static const char *const thread_name_keys[] = {"thread_name", "thread name", NULL};
static const char *const cpu_keys[] = {"cpu", NULL};

static brz_str str_of(const char *text)
{
    return brz_str_of(text, strlen(text));
}

static bool has_label(const brz_tag_info *tag, const char *const *words)
{
    for (uint32_t i = 0; i < tag->n_labels; i++)
        for (const char *const *word = words; *word != NULL; word++)
            if (brz_str_equal(brz_label_at(tag, i)->key, str_of(*word)))
                return true;
    return false;
}

/* Makes room for `n` labels. */
static void reserve(labels *l, brz_output_ctx *ctx, size_t n)
{
    if (n <= l->cap)
        return;
    l->cap = 2 * n;
    l->items = ctx->host->alloc(ctx, l->cap * sizeof *l->items, 0);
    l->list = ctx->host->alloc(ctx, l->cap * sizeof *l->list, 0);
    for (size_t i = 0; i < l->cap; i++)
        l->list[i] = &l->items[i];
}

static Label *add(labels *l, texts *t, brz_str key)
{
    Label *label = &l->items[l->n++];
    *label = (Label)BRAZIER__PPROF__LABEL__INIT;
    label->key = texts_add(t, key);
    return label;
}

static void add_number(labels *l, texts *t, const char *const *words, int64_t number)
{
    add(l, t, str_of(words[0]))->num = number;
}

static void add_text(labels *l, texts *t, const char *const *words, brz_str text)
{
    add(l, t, str_of(words[0]))->str = texts_add(t, text);
}

static void add_label(labels *l, texts *t, const brz_label *from)
{
    Label *to = add(l, t, from->key);
    if (from->flags & BRZ_LABEL_NUMBER) {
        to->num = from->number;
        to->num_unit = texts_add(t, from->unit);
    } else {
        to->str = texts_add(t, from->text);
    }
}

void labels_fill(labels *l, brz_output_ctx *ctx, texts *t, const brz_tag_info *tag)
{
    l->n = 0;
    reserve(l, ctx, (size_t)tag->n_labels + 5);
    for (uint32_t i = 0; i < tag->n_labels; i++)
        add_label(l, t, brz_label_at(tag, i));
    if ((tag->flags & BRZ_TAG_PROCESS) && !has_label(tag, process_keys))
        add_number(l, t, process_keys, tag->process);
    if (tag->process_name.len > 0 && !has_label(tag, process_name_keys))
        add_text(l, t, process_name_keys, tag->process_name);
    if ((tag->flags & BRZ_TAG_THREAD) && !has_label(tag, thread_keys))
        add_number(l, t, thread_keys, tag->thread);
    if (tag->thread_name.len > 0 && !has_label(tag, thread_name_keys))
        add_text(l, t, thread_name_keys, tag->thread_name);
    if ((tag->flags & BRZ_TAG_CPU) && !has_label(tag, cpu_keys))
        add_number(l, t, cpu_keys, tag->cpu);
}

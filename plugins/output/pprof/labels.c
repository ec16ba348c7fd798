/* SPDX-License-Identifier: MIT */
/* Makes labels of tags. */
#include "labels.h"

#include "../../common/pprof_fields.h"
#include "sample_type.h"

#include <brazier/symbol.h>

#include <string.h>

/* Labels that stand for members of a tag. The first word is the label to write; a label with any of
 * these keys says the same. */
static const char *const process_keys[] = {"pid", "process_id", NULL};
static const char *const process_name_keys[] = {"process_name", NULL};
static const char *const thread_keys[] = {"tid", "thread_id", "thread id", NULL};
static const char *const thread_name_keys[] = {"thread_name", "thread name", NULL};
static const char *const cpu_keys[] = {"cpu", NULL};

static bool has_label(const brz_tag_info *tag, const char *const *words)
{
    for (uint32_t i = 0; i < tag->n_labels; i++)
        for (const char *const *word = words; *word != NULL; word++)
            if (brz_str_is(brz_label_at(tag, i)->key, *word))
                return true;
    return false;
}

/* The labels of one sample. */
typedef struct labels {
    brz_output_ctx *ctx;
    message *sample, *label;
    texts *texts;
} labels;

/* Adds a label with a number; `key` and `unit` are texts of the table. */
static void add_number(labels *l, uint32_t key, int64_t number, uint32_t unit)
{
    message_number(l->label, LABEL_KEY, key);
    message_number(l->label, LABEL_NUM, (uint64_t)number);
    message_number(l->label, LABEL_NUM_UNIT, unit);
    message_part(l->sample, SAMPLE_LABEL, l->label);
}

static void add_text(labels *l, uint32_t key, uint32_t text)
{
    message_number(l->label, LABEL_KEY, key);
    message_number(l->label, LABEL_STR, text);
    message_part(l->sample, SAMPLE_LABEL, l->label);
}

/* Adds a label with a number that has decimals, in units of the last one. */
static void add_fraction(labels *l, const brz_label *from)
{
    const brz_column_info amount = {
        .name = from->key, .unit = from->unit, .decimals = from->decimals};
    sample_type t = sample_type_of(l->ctx, &amount);
    uint32_t key = texts_add(l->texts, t.name);
    add_number(l, key, sample_type_value(&t, from->number), texts_add(l->texts, t.unit));
}

static void add_label(labels *l, const brz_label *from)
{
    uint32_t key = from->decimals > 0 ? 0 : texts_add(l->texts, from->key);
    if (from->decimals > 0)
        add_fraction(l, from);
    else if (from->flags & BRZ_LABEL_NUMBER)
        add_number(l, key, from->number, texts_add(l->texts, from->unit));
    else
        add_text(l, key, texts_add(l->texts, from->text));
}

/* Adds a member of the tag, unless a label says the same. */
static void add_member(labels *l, const brz_tag_info *tag, const char *const *words, int64_t number)
{
    if (!has_label(tag, words))
        add_number(l, texts_add(l->texts, brz_str_of_text(words[0])), number, 0);
}

static void add_name(labels *l, const brz_tag_info *tag, const char *const *words, brz_str name)
{
    if (name.len == 0 || has_label(tag, words))
        return;
    uint32_t text = texts_add(l->texts, name);
    add_text(l, texts_add(l->texts, brz_str_of_text(words[0])), text);
}

void labels_add(brz_output_ctx *ctx, message *sample, message *label, texts *t,
                const brz_tag_info *tag)
{
    labels l = {ctx, sample, label, t};
    for (uint32_t i = 0; i < tag->n_labels; i++)
        add_label(&l, brz_label_at(tag, i));
    if (tag->flags & BRZ_TAG_PROCESS)
        add_member(&l, tag, process_keys, tag->process);
    add_name(&l, tag, process_name_keys, tag->process_name);
    if (tag->flags & BRZ_TAG_THREAD)
        add_member(&l, tag, thread_keys, tag->thread);
    add_name(&l, tag, thread_name_keys, tag->thread_name);
    if (tag->flags & BRZ_TAG_CPU)
        add_member(&l, tag, cpu_keys, tag->cpu);
}

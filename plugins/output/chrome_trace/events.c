/* SPDX-License-Identifier: MIT */
/* Writes the parts of events, and the facts about the recording. */
#include "trace.h"

#include "../common/frame_kind.h"

void put_name(trace *t, const char *what, int64_t process, int64_t id, brz_str name)
{
    BRZ_PUT(&t->w, "\n{\"ph\":\"M\",\"pid\":");
    brz_put_i64(&t->w, process);
    BRZ_PUT(&t->w, ",\"tid\":");
    brz_put_i64(&t->w, id);
    BRZ_PUT(&t->w, ",\"name\":\"");
    brz_put_text(&t->w, what);
    BRZ_PUT(&t->w, "\",\"args\":{\"name\":");
    brz_put_json(&t->w, name);
    BRZ_PUT(&t->w, "}}");
}

static bool put_detail(brz_writer *w, bool first, const char *key, brz_str value)
{
    if (value.len == 0)
        return first;
    brz_put_text(w, first ? ",\"args\":{" : ",");
    brz_put_text(w, key);
    brz_put_json(w, value);
    return false;
}

static bool put_number_detail(brz_writer *w, bool first, const char *key, uint64_t number)
{
    if (number == 0)
        return first;
    brz_put_text(w, first ? ",\"args\":{" : ",");
    brz_put_text(w, key);
    brz_put_u64(w, number);
    return false;
}

static bool put_labels(brz_writer *w, bool first, const brz_tag_info *labels)
{
    if (labels == NULL)
        return first;
    brz_put_text(w, first ? ",\"args\":{" : ",");
    BRZ_PUT(w, "\"labels\":");
    label_set_put(w, labels);
    return false;
}

static void put_details(brz_writer *w, const brz_frame_info *f, const brz_tag_info *labels)
{
    bool first = put_detail(w, true, "\"module\":", f->module);
    first = put_detail(w, first, "\"file\":", f->file);
    first = put_number_detail(w, first, "\"line\":", f->line);
    first = put_number_detail(w, first, "\"column\":", f->column);
    first = put_number_detail(w, first, "\"address\":", f->address);
    first = put_labels(w, first, labels);
    if (!first)
        brz_put_char(w, '}');
}

void put_frame(trace *t, uint32_t frame, const brz_tag_info *labels)
{
    const brz_frame_info *f = brz_frame_at(t->tree, frame);
    brz_str kind = frame_kind_word(brz_frame_category(f->kind, f->flags));
    BRZ_PUT(&t->w, ",\"name\":");
    brz_put_json(&t->w, brz_display_name(f));
    BRZ_PUT(&t->w, ",\"cat\":");
    brz_put_json(&t->w, kind.len > 0 ? kind : BRZ_STR("frame"));
    if (t->options->details)
        put_details(&t->w, f, labels);
    brz_put_char(&t->w, '}');
}

/* ---- facts --------------------------------------------------------------------------------- */

static void put_number_fact(brz_writer *w, const char *key, int64_t value)
{
    if (value == 0)
        return;
    brz_put_text(w, key);
    brz_put_i64(w, value);
}

static void put_lists(brz_writer *w, const brz_metadata *m)
{
    for (uint64_t i = 0; i < m->n_comments; i++) {
        brz_put_text(w, i == 0 ? ",\"comments\":[" : ",");
        brz_put_json(w, m->comments[i]);
    }
    brz_put_text(w, m->n_comments > 0 ? "]" : "");
    for (uint64_t i = 0; i < m->n_pairs; i++) {
        brz_put_text(w, i == 0 ? ",\"facts\":{" : ",");
        brz_put_json(w, brz_pair_at(m, i)->key);
        brz_put_char(w, ':');
        brz_put_json(w, brz_pair_at(m, i)->value);
    }
    brz_put_text(w, m->n_pairs > 0 ? "}" : "");
}

void put_facts(trace *t)
{
    const brz_metadata *m = t->tree->metadata;
    brz_put_member(&t->w, ",\"producer\":", m->producer);
    brz_put_member(&t->w, ",\"command\":", m->command);
    brz_put_member(&t->w, ",\"host\":", m->host);
    brz_put_member(&t->w, ",\"architecture\":", m->architecture);
    put_number_fact(&t->w, ",\"start\":", m->start);
    put_number_fact(&t->w, ",\"clockStart\":", m->clock_start);
    put_number_fact(&t->w, ",\"duration\":", m->duration);
    put_number_fact(&t->w, ",\"period\":", m->period);
    brz_put_member(&t->w, ",\"periodName\":", m->period_name);
    brz_put_member(&t->w, ",\"periodUnit\":", m->period_unit);
    put_lists(&t->w, m);
}

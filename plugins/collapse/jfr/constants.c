/* SPDX-License-Identifier: MIT */
/* Finds the constants of a chunk.
 *
 *     checkpoint := start duration distance flags n pool{n}
 *     pool       := type n (id value){n}
 */
#include "constants.h"

#include <brazier/symbol.h>

/* The most constants that one refers to through another: a class has a symbol, which has a text. */
#define MAX_REFERENCES 8

/* ---- reading ------------------------------------------------------------------------------- */

static void read_constant(chunk *c, uint32_t type, brz_bytes *b)
{
    constants *k = &c->constants;
    k->items = brz_list_room(c->reader.ctx, k->items, k->n, &k->cap, sizeof *k->items);
    constant *made = &k->items[k->n];
    memset(made, 0, sizeof *made);
    made->type = type;
    made->id = reader_int(&c->reader, b, LONG_SIZE);
    made->at = b->at;
    object_skip(c, type, b);
    made->end = b->at;
    k->n += b->error == NULL;
}

static void read_pool(chunk *c, brz_bytes *b)
{
    const uint8_t *start = b->at;
    uint32_t type = types_find(&c->types, reader_int(&c->reader, b, LONG_SIZE));
    uint64_t n = reader_int(&c->reader, b, INT_SIZE);
    if (type == NO_TYPE && n > 0)
        brz_bytes_fail_at(b, start, "constants of a type that the metadata lacks");
    for (uint64_t i = 0; i < n && b->error == NULL; i++)
        read_constant(c, type, b);
}

static void read_checkpoint(chunk *c, brz_bytes b)
{
    for (int i = 0; i < 3; i++) /* start, duration, distance */
        reader_int(&c->reader, &b, LONG_SIZE);
    brz_bytes_skip(&b, 1); /* flags */
    uint64_t n = reader_int(&c->reader, &b, INT_SIZE);
    for (uint64_t i = 0; i < n && b.error == NULL; i++)
        read_pool(c, &b);
    if (b.error != NULL)
        BRZ_WARN(c->reader.ctx, "jfr.constants", b.error_at, 0,
                 "damaged constants: those from here on are missing");
}

void constants_read(chunk *c)
{
    constants *k = &c->constants;
    k->n = 0;
    for (size_t i = 0; i < c->n_checkpoints; i++) {
        brz_bytes b = c->bytes;
        b.at = b.start + c->checkpoints[i].from;
        b.end = b.start + c->checkpoints[i].to;
        read_checkpoint(c, b);
    }
    pair_map_reset(&k->index, c->reader.ctx, k->n);
    for (size_t i = 0; i < k->n; i++)
        pair_map_put(&k->index, c->reader.ctx, k->items[i].type, k->items[i].id, (uint32_t)i);
}

/* ---- looking up ---------------------------------------------------------------------------- */

constant *constants_find(const chunk *c, uint32_t type, uint64_t id)
{
    uint32_t i = type == NO_TYPE ? PAIR_MISS : pair_map_find(&c->constants.index, type, id);
    return i == PAIR_MISS ? NULL : &c->constants.items[i];
}

bool constants_object(chunk *c, const constant *k, object *o)
{
    brz_bytes b = chunk_at(c, k->at);
    object_read(c, o, k->type, &b);
    return b.error == NULL;
}

/* Takes the value that names a constant: of its fields, the first one that is a name or a text. */
static bool naming_value(chunk *c, const constant *k, field_value *v)
{
    object o;
    o.keeps_extras = false;
    if (c->types.items[k->type].basic == BASIC_STRING) {
        brz_bytes b = chunk_at(c, k->at);
        memset(v, 0, sizeof *v);
        v->text = reader_take_text(&c->reader, &b);
        return b.error == NULL;
    }
    if (!constants_object(c, k, &o) || (!object_has(&o, ROLE_NAME) && !object_has(&o, ROLE_TEXT)))
        return false;
    *v = o.of[object_has(&o, ROLE_NAME) ? ROLE_NAME : ROLE_TEXT];
    return true;
}

/* Takes the constant that a value refers to. */
static bool referred(const chunk *c, const field_value *v, uint32_t *type, uint64_t *id)
{
    bool pooled = v->field != NULL && v->field->is_pooled && !v->field->is_array;
    *type = pooled ? v->field->type : c->types.string_type;
    *id = pooled ? v->number : v->text.id;
    return pooled || v->text.is_id;
}

brz_str value_text(chunk *c, const field_value *v)
{
    field_value at = *v;
    uint32_t type;
    uint64_t id;
    for (int i = 0; i < MAX_REFERENCES && referred(c, &at, &type, &id); i++) {
        const constant *k = constants_find(c, type, id);
        if (k == NULL || !naming_value(c, k, &at))
            return brz_str_of("", 0);
    }
    brz_str text = at.text.text;
    if (text.data == NULL || referred(c, &at, &type, &id) || !reader_spend(&c->reader, text.len))
        return brz_str_of("", 0);
    return text;
}

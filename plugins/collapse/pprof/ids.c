/* Maps ids to positions in a table. */
#include "ids.h"

static uint64_t read_id(brz_str entry)
{
    brz_bytes b = tables_message(entry);
    brz_proto_field f;
    uint64_t id = 0;
    while (brz_proto_next(&b, &f))
        if (f.number == 1 && f.type == BRZ_PROTO_VARINT) {
            id = f.value;
            break; /* writers begin with the id */
        }
    return id;
}

static size_t *slot_of(const ids *map, uint64_t id)
{
    size_t mask = map->n_slots - 1;
    size_t at = (size_t)brz_hash_pair(&map->keys, id, id) & mask;
    while (map->sparse[at] != 0 && map->sparse_ids[at] != id)
        at = (at + 1) & mask;
    return &map->sparse[at];
}

/* Creates the hash table at the first id that needs it. */
static void need_slots(ids *map, brz_ctx *ctx)
{
    if (map->n_slots > 0)
        return;
    map->n_slots = 16;
    while (map->n_slots < 2 * map->n_dense)
        map->n_slots *= 2;
    map->keys = brz_hash_keys_of(ctx->seed);
    map->sparse = ctx->host->alloc(ctx, map->n_slots * sizeof *map->sparse, 0);
    map->sparse_ids = ctx->host->alloc(ctx, map->n_slots * sizeof *map->sparse_ids, 0);
}

/* Returns where the position of an id is stored. */
static size_t *place_of(ids *map, brz_ctx *ctx, uint64_t id)
{
    if (id < map->n_dense)
        return &map->dense[id];
    need_slots(map, ctx);
    size_t *place = slot_of(map, id);
    map->sparse_ids[place - map->sparse] = id;
    return place;
}

bool ids_read(ids *map, brz_ctx *ctx, const table *entries, const char *code)
{
    size_t known = 0;
    map->n_dense = entries->n + 1;
    map->dense = ctx->host->alloc(ctx, map->n_dense * sizeof *map->dense, 0);
    for (size_t i = 0; i < entries->n; i++) {
        const brz_str entry = entries->items[i];
        uint64_t id = read_id(entry);
        size_t *place = id == 0 ? NULL : place_of(map, ctx, id);
        if (place == NULL)
            BRZ_WARN(ctx, code, entry.data, 0, "an entry without an id: left out");
        else if (*place != 0)
            BRZ_WARN(ctx, code, entry.data, 0, "an earlier entry has this id: left out");
        else
            *place = i + 1;
        known += place != NULL;
    }
    if (known > 0 || entries->n == 0)
        return true;
    brz_report(ctx, BRZ_FATAL, "pprof.ids", entries->items[0].data, 0,
               BRZ_STR("no entry of this table has an id: the stacks cannot be read"));
    return false;
}

size_t ids_find(const ids *map, uint64_t id)
{
    if (id == 0)
        return NO_ENTRY;
    if (id < map->n_dense)
        return map->dense[id] - 1; /* 0 becomes NO_ENTRY */
    return map->n_slots == 0 ? NO_ENTRY : *slot_of(map, id) - 1;
}

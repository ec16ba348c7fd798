/* SPDX-License-Identifier: MIT */
/* Checks components of plug-ins and copies their structs. */
#include "plugin/component_copy.h"

#include <string.h>

#include "base/ids.h"
#include "plugin/options.h"

/* Sizes of structs that the host needs: their required members. */
#define UP_TO(type, member) (offsetof(type, member) + sizeof(((type *)0)->member))
#define COMPONENT_LEAST     UP_TO(brz_component, vtable)
#define OPTION_LEAST        UP_TO(brz_option, range)
#define MAGIC_LEAST         UP_TO(brz_magic, flags)

/* Limits; larger numbers are uninitialised ones. */
#define MANY     4096
#define MOST_CFG ((size_t)1 << 20)

const char *brz_component_kind_name(uint32_t kind)
{
    static const char *const names[] = {"component", "collapser", "palette", "output", "transform"};
    return names[kind <= BRZ_TRANSFORM ? kind : 0];
}

bool brz_component_is_whole(const brz_component *theirs)
{
    return theirs->struct_size >= COMPONENT_LEAST;
}

size_t brz_component_least(void)
{
    return COMPONENT_LEAST;
}

/* ---- copies -------------------------------------------------------------------------------- */

static void *copy_struct(brz_arena *memory, const void *theirs, size_t their_size, size_t our_size)
{
    void *copy = brz_arena_alloc(memory, our_size, 0);
    memcpy(copy, theirs, their_size < our_size ? their_size : our_size);
    return copy;
}

static void *copy_array(brz_arena *memory, const void *theirs, size_t n, size_t stride, size_t size)
{
    char *copy = brz_arena_alloc(memory, n * size, 0);
    for (size_t i = 0; i < n; i++)
        memcpy(copy + i * size, (const char *)theirs + i * stride, stride < size ? stride : size);
    return copy;
}

/* ---- collapsers ---------------------------------------------------------------------------- */

/* Stands for a missing `sniff`. */
static int32_t recognise_nothing(const brz_head *head)
{
    (void)head;
    return BRZ_SNIFF_NO;
}

bool brz_collapser_recognises(const brz_collapser *c)
{
    return c->sniff != recognise_nothing || c->n_magics > 0;
}

static const char *collapser_fault(const brz_collapser *c)
{
    if (c->parse == NULL)
        return "lacks parse";
    if ((c->flags & BRZ_SPLITTABLE) && c->boundary == NULL)
        return "is SPLITTABLE and lacks boundary";
    if ((c->flags & BRZ_SPLITTABLE) && (c->flags & BRZ_WHOLE_INPUT))
        return "is both SPLITTABLE and WHOLE_INPUT";
    if ((c->flags & BRZ_SPLITTABLE) && (c->flags & BRZ_WHOLE_FILE))
        return "is both SPLITTABLE and WHOLE_FILE";
    if (c->n_magics > 0 && (c->magics == NULL || c->n_magics > MANY || c->magic_size < MAGIC_LEAST))
        return "declares magics, but their address, number or size is invalid";
    return NULL;
}

static const char *magics_fault(const brz_collapser *c)
{
    for (uint32_t i = 0; i < c->n_magics; i++)
        if (c->magics[i].bytes == NULL || c->magics[i].len == 0)
            return "has a magic without bytes";
    return NULL;
}

static const char *complete_collapser(brz_collapser *c, brz_arena *memory)
{
    const char *fault = collapser_fault(c);
    if (fault != NULL)
        return fault;
    c->magics = copy_array(memory, c->magics, c->n_magics, c->magic_size, sizeof(brz_magic));
    c->magic_size = sizeof(brz_magic);
    if (c->sniff == NULL)
        c->sniff = recognise_nothing;
    return magics_fault(c);
}

/* ---- vtables ------------------------------------------------------------------------------- */

size_t brz_vtable_size(uint32_t kind)
{
    switch (kind) {
    case BRZ_COLLAPSER:
        return sizeof(brz_collapser);
    case BRZ_PALETTE:
        return sizeof(brz_palette);
    case BRZ_OUTPUT:
        return sizeof(brz_output);
    default:
        return sizeof(brz_transform);
    }
}

/* Replaces missing endings by an empty list. */
static const char *complete_output(brz_output *o)
{
    static const char *const no_endings[] = {NULL};
    if (o->endings == NULL)
        o->endings = no_endings;
    return o->write == NULL ? "lacks write" : NULL;
}

/* Returns the size of a vtable of a known kind up to the function that it cannot lack. */
static size_t vtable_least(uint32_t kind)
{
    switch (kind) {
    case BRZ_COLLAPSER:
        return UP_TO(brz_collapser, parse);
    case BRZ_PALETTE:
        return UP_TO(brz_palette, color);
    case BRZ_OUTPUT:
        return UP_TO(brz_output, write);
    default:
        return UP_TO(brz_transform, apply);
    }
}

/* Returns a vtable's struct_size, with which each begins. */
static uint32_t vtable_size(const brz_component *c)
{
    uint32_t size;
    memcpy(&size, c->vtable, sizeof size);
    return size;
}

/* Copies a vtable. Returns NULL, or a description of the missing part. */
static const char *copy_vtable(const brz_component *c, brz_arena *memory, void **own)
{
    uint32_t size = vtable_size(c);
    *own = copy_struct(memory, c->vtable, size, brz_vtable_size(c->kind));
    if (c->kind == BRZ_COLLAPSER)
        return complete_collapser(*own, memory);
    if (c->kind == BRZ_PALETTE)
        return ((const brz_palette *)*own)->color == NULL ? "lacks color" : NULL;
    if (c->kind == BRZ_TRANSFORM)
        return ((const brz_transform *)*own)->apply == NULL ? "lacks apply" : NULL;
    return complete_output(*own);
}

/* ---- components ---------------------------------------------------------------------------- */

static const char *component_fault(const brz_component *c)
{
    if (c->summary == NULL)
        return "lacks summary";
    if (c->vtable == NULL)
        return "lacks vtable";
    if (c->cfg_size > MOST_CFG)
        return "has a configuration of more than a megabyte";
    if (c->n_options == 0)
        return NULL;
    if (c->options == NULL || c->n_options > MANY)
        return "declares options, but their address or number is invalid";
    return c->option_size < OPTION_LEAST ? "has options that are too short" : NULL;
}

/* Checks the size of a vtable. Appends the reason for a refusal. */
static bool check_vtable_size(const brz_component *c, brz_buf *error)
{
    size_t least = vtable_least(c->kind);
    uint32_t size = vtable_size(c);
    if (size >= least)
        return true;
    brz_buf_printf(error,
                   "%s '%s' has a vtable of %u bytes, by its struct_size, fewer than the %zu that "
                   "it needs",
                   brz_component_kind_name(c->kind), c->id, size, least);
    return false;
}

static bool copy_options(brz_component *c, brz_arena *memory, brz_buf *error)
{
    c->options = copy_array(memory, c->options, c->n_options, c->option_size, sizeof(brz_option));
    c->option_size = sizeof(brz_option);
    return brz_options_are_valid(c, error);
}

bool brz_component_copy(const brz_component *theirs, brz_arena *memory, brz_loaded *own,
                        brz_buf *error)
{
    if (theirs->id == NULL) {
        brz_buf_add_text(error, "a component lacks its id");
        return false;
    }
    if (!brz_is_id(theirs->id)) {
        brz_buf_printf(error, "'%s' is not a valid id: %s", theirs->id, BRZ_ID_RULE);
        return false;
    }
    brz_component *c = copy_struct(memory, theirs, theirs->struct_size, sizeof *c);
    void *vtable = NULL;
    const char *fault = component_fault(c);
    if (fault == NULL && !check_vtable_size(c, error))
        return false;
    fault = fault == NULL ? copy_vtable(c, memory, &vtable) : fault;
    if (fault != NULL) {
        brz_buf_printf(error, "%s '%s' %s", brz_component_kind_name(c->kind), c->id, fault);
        return false;
    }
    own->component = c;
    own->vtable = vtable;
    return copy_options(c, memory, error);
}

/* SPDX-License-Identifier: MIT */
/* Bounds the memory that compressed debugging information unpacks to. */
#include "packed_budget.h"

#include "../capped_sum.h"

#include <brazier/binary.h>
#include <brazier/symbol.h>
#include <brazier/text/hash.h>

#include <string.h>

#include <gelf.h>

/* Maximum number of sections that are examined. */
#define PARTS_MAX 100000

/* Beginning of sections in the old form of compression: these letters, and the size, big-endian. */
#define OLD_MAGIC  "ZLIB"
#define OLD_HEADER 12

void packed_budget_init(packed_budget *b)
{
    b->reserve = PACKED_RESERVE;
    b->n = 0;
}

/* ---- sizes ---------------------------------------------------------------------------------- */

void packed_sizes_add(packed_sizes *s, uint64_t packed, uint64_t unpacked)
{
    s->packed = capped_sum(s->packed, packed);
    s->unpacked = capped_sum(s->unpacked, unpacked);
}

/* Returns the size of a section in the old form of compression when it is unpacked; 0: it is in
 * another form. */
static uint64_t old_size(Elf_Scn *section)
{
    Elf_Data *d = elf_rawdata(section, NULL);
    bool is_old = d != NULL && d->d_buf != NULL && d->d_size >= OLD_HEADER &&
                  memcmp(d->d_buf, OLD_MAGIC, sizeof OLD_MAGIC - 1) == 0;
    return is_old ? brz_load_u64((const uint8_t *)d->d_buf + 4, BRZ_BIG_ENDIAN) : 0;
}

packed_sizes packed_sizes_of(const elf_image *e)
{
    packed_sizes s = {0, 0};
    Elf_Scn *section = NULL;
    for (size_t i = 0; i < PARTS_MAX && (section = elf_nextscn(e->elf, section)) != NULL; i++) {
        GElf_Shdr h;
        GElf_Chdr packed;
        if (gelf_getshdr(section, &h) == NULL || h.sh_type == SHT_NOBITS)
            continue;
        bool is_packed = (h.sh_flags & SHF_COMPRESSED) != 0;
        if (is_packed && gelf_getchdr(section, &packed) != NULL)
            packed_sizes_add(&s, h.sh_size, packed.ch_size);
        else if (brz_starts_with(elf_image_name(e, section), BRZ_STR(".z")))
            packed_sizes_add(&s, h.sh_size, old_size(section));
    }
    return s;
}

/* ---- files ---------------------------------------------------------------------------------- */

/* Number of bytes at the beginning and at the end of a file by which it is recognised. */
#define SEEN_BYTES 4096

/* Returns a number that equal files share. It is not 0. */
static uint64_t hash_of(const elf_image *e)
{
    const char *bytes = (const char *)e->data;
    size_t n = e->len < SEEN_BYTES ? e->len : SEEN_BYTES;
    const brz_hash_keys k = brz_hash_keys_of(e->len);
    uint64_t begin = brz_hash_str(&k, brz_str_of(bytes, n));
    uint64_t end = brz_hash_str(&k, brz_str_of(bytes + (e->len - n), n));
    uint64_t h = brz_hash_pair(&k, begin, end);
    return h == 0 ? 1 : h;
}

/* Adds a file to those with memory of their own. Returns false if it has been added too often. */
static bool add_file(packed_budget *b, uint64_t file)
{
    size_t copies = 0;
    for (size_t i = 0; i < b->n; i++)
        copies += b->files[i] == file;
    if (copies == PACKED_COPIES || b->n == PACKED_FILES)
        return false;
    b->files[b->n++] = file;
    return true;
}

static void remove_file(packed_budget *b, uint64_t file)
{
    size_t i = 0;
    while (i < b->n && b->files[i] != file)
        i++;
    if (i < b->n)
        b->files[i] = b->files[--b->n];
}

/* ---- budget --------------------------------------------------------------------------------- */

/* Returns the memory that an image has of its own. Sections may overlap, so it counts once. */
static uint64_t own_memory(const elf_image *e, packed_sizes s)
{
    return PACKED_GROWTH * (s.packed < e->len ? s.packed : e->len);
}

bool packed_budget_take(packed_budget *b, const elf_image *e, packed_sizes s, packed_claim *claim)
{
    uint64_t file = hash_of(e);
    *claim = (packed_claim){0, add_file(b, file) ? file : 0};
    uint64_t own = claim->file == 0 ? 0 : own_memory(e, s);
    claim->taken = s.unpacked > own ? s.unpacked - own : 0;
    if (claim->taken <= b->reserve) {
        b->reserve -= claim->taken;
        return true;
    }
    claim->taken = 0;
    packed_budget_return(b, claim);
    return false;
}

void packed_budget_return(packed_budget *b, packed_claim *claim)
{
    b->reserve += claim->taken;
    if (claim->file != 0)
        remove_file(b, claim->file);
    *claim = (packed_claim){0, 0};
}

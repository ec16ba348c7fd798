/* Bounds the memory that compressed debugging information unpacks to. */
#include "packed_budget.h"

#include <brazier/binary.h>
#include <brazier/symbol.h>

#include <string.h>

#include <gelf.h>

/* Maximum number of sections that are looked at. */
#define PARTS_MAX 100000

/* Beginning of sections in the old form of compression: these letters, and the size, big-endian. */
#define OLD_MAGIC  "ZLIB"
#define OLD_HEADER 12

void packed_budget_init(packed_budget *b)
{
    b->reserve = PACKED_RESERVE;
}

/* ---- sizes ---------------------------------------------------------------------------------- */

static uint64_t sum(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

void packed_sizes_add(packed_sizes *s, uint64_t packed, uint64_t unpacked)
{
    s->packed = sum(s->packed, packed);
    s->unpacked = sum(s->unpacked, unpacked);
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

/* ---- budget --------------------------------------------------------------------------------- */

bool packed_budget_take(packed_budget *b, packed_sizes s, uint64_t *taken)
{
    uint64_t own = s.packed > UINT64_MAX / PACKED_GROWTH ? UINT64_MAX : s.packed * PACKED_GROWTH;
    uint64_t excess = s.unpacked > own ? s.unpacked - own : 0;
    if (excess > b->reserve)
        return false;
    b->reserve -= excess;
    *taken += excess;
    return true;
}

void packed_budget_return(packed_budget *b, uint64_t *taken)
{
    b->reserve += *taken;
    *taken = 0;
}

/* SPDX-License-Identifier: MIT */
/* Maps whole files for reading.
 *
 * The mappings of the process are listed in slots of atomic numbers, because a signal handler has
 * no other way to find them and may take no lock. A slot is in use while its length is not 0, and
 * does not change while a thread reads the mapping.
 */
#include "input/mapping.h"

#include <brazier/collapser.h>

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct slot {
    atomic_uintptr_t start; /* of the file */
    atomic_size_t len;      /* 0: the slot is free */
    atomic_bool cut;
} slot;

static slot slots[BRZ_MAPPINGS_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of taking and freeing slots */

static bool take_slot(brz_mapping *m)
{
    bool found = false;
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < BRZ_MAPPINGS_MAX && !found; i++) {
        if (atomic_load(&slots[i].len) != 0)
            continue;
        found = true;
        m->slot = i;
        atomic_store(&slots[i].cut, false);
        atomic_store(&slots[i].start, (uintptr_t)m->data);
        atomic_store(&slots[i].len, m->len);
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static void free_slot(const brz_mapping *m)
{
    pthread_mutex_lock(&lock);
    atomic_store(&slots[m->slot].len, 0);
    pthread_mutex_unlock(&lock);
}

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Reserves addresses for the file and a page or more on either side. */
static bool reserve(brz_mapping *m, uint64_t len)
{
    size_t page = page_size(), front = (BRZ_SLACK_FRONT + page - 1) / page * page;
    if (len == 0 || len > SIZE_MAX / 2)
        return false;
    m->len = (size_t)len;
    m->region_len = front + (m->len + page - 1) / page * page + page;
    void *p =
        mmap(NULL, m->region_len, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return false;
    m->region = p;
    m->data = m->region + front;
    return true;
}

bool brz_mapping_init(brz_mapping *m, int fd, uint64_t len)
{
    memset(m, 0, sizeof *m);
    if (!reserve(m, len)) {
        memset(m, 0, sizeof *m);
        return false;
    }
    void *to = m->region + (m->data - m->region);
    bool good = mmap(to, m->len, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) != MAP_FAILED;
    if (good && take_slot(m))
        return true;
    munmap(m->region, m->region_len);
    memset(m, 0, sizeof *m);
    return false;
}

void brz_mapping_finish(brz_mapping *m)
{
    if (m->region == NULL)
        return;
    free_slot(m);
    munmap(m->region, m->region_len);
    memset(m, 0, sizeof *m);
}

void brz_mapping_let_go(const brz_mapping *m)
{
    size_t front = (size_t)(m->data - m->region);
    if (m->region != NULL)
        (void)madvise(m->region + front, m->len, MADV_DONTNEED);
}

bool brz_mapping_is_cut(const brz_mapping *m, int fd)
{
    char byte;
    return atomic_load(&slots[m->slot].cut) ||
           (fd >= 0 && pread(fd, &byte, 1, (off_t)(m->len - 1)) == 0);
}

bool brz_mapping_rescue(const void *address)
{
    uintptr_t at = (uintptr_t)address;
    for (unsigned i = 0; i < BRZ_MAPPINGS_MAX; i++) {
        size_t len = atomic_load(&slots[i].len);
        uintptr_t start = atomic_load(&slots[i].start);
        if (len == 0 || at < start || at - start >= len || atomic_load(&slots[i].len) != len)
            continue;
        size_t page = page_size(), offset = (at - start) / page * page;
        atomic_store(&slots[i].cut, true);
        return mmap((void *)(start + offset), len - offset, PROT_READ,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
    }
    return false;
}

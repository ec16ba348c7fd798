/* SPDX-License-Identifier: MIT */
/* Finds the libraries that a program needs. */
#include "record/libraries.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__aarch64__)
#define MULTIARCH "aarch64-linux-gnu"
#else
#define MULTIARCH "x86_64-linux-gnu"
#endif

/* Folders of the system, in the usual order of the dynamic linker. */
static const char system_folders[] =
    "/lib/" MULTIARCH ":/usr/lib/" MULTIARCH ":/lib64:/usr/lib64:/lib:/usr/lib:/usr/local/lib";

/* Appends a folder, in which $ORIGIN stands for that of the program. */
static void add_folder(brz_buf *to, const char *folder, size_t len, const char *origin)
{
    static const char *const names[] = {"$ORIGIN", "${ORIGIN}"};
    for (size_t i = 0; i < BRZ_COUNT_OF(names); i++) {
        size_t n = strlen(names[i]);
        if (len >= n && memcmp(folder, names[i], n) == 0) {
            brz_buf_add_text(to, origin);
            folder += n;
            len -= n;
        }
    }
    brz_buf_add(to, folder, len);
}

/* Appends the file of a library in a list of folders. Returns false if none has it. */
static bool find_in(const char *folders, const char *origin, const char *name, brz_buf *path)
{
    for (const char *at = folders; at != NULL && *at != '\0';) {
        size_t n = strcspn(at, ":");
        brz_buf_clear(path);
        add_folder(path, at, n, origin);
        brz_buf_printf(path, "/%s", name);
        if (n > 0 && access(brz_buf_text(path), R_OK) == 0)
            return true;
        at += n + (at[n] == ':');
    }
    return false;
}

/* The entries of a program for the dynamic linker. */
typedef struct dynamic {
    brz_elf_section entries, texts;
    const char *folders; /* that the program names; NULL: none */
} dynamic;

static const char *text_of(const brz_elf_file *e, const dynamic *d, const brz_elf_dynamic *entry)
{
    return brz_elf_text(e, d->texts.sh_offset + entry->d_un.d_val);
}

static bool entry_at(const brz_elf_file *e, const dynamic *d, size_t i, brz_elf_dynamic *entry)
{
    return brz_elf_entry_at(e, &d->entries, i, entry, sizeof *entry) && entry->d_tag != DT_NULL;
}

static bool open_dynamic(const brz_elf_file *e, dynamic *d)
{
    brz_elf_dynamic entry;
    *d = (dynamic){.folders = NULL};
    if (!brz_elf_find_section(e, ".dynamic", &d->entries) ||
        !brz_elf_section_at(e, d->entries.sh_link, &d->texts))
        return false;
    for (size_t i = 0; entry_at(e, d, i, &entry); i++)
        if (entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH)
            d->folders = text_of(e, d, &entry);
    return true;
}

void brz_libraries_needed(const brz_elf_file *e, const char *path, brz_library_fn *take,
                          void *context)
{
    dynamic d;
    brz_elf_dynamic entry;
    brz_buf file = {0};
    char *origin = realpath(path, NULL), *slash = origin == NULL ? NULL : strrchr(origin, '/');
    if (slash != NULL)
        *slash = '\0';
    bool more = open_dynamic(e, &d);
    for (size_t i = 0; more && entry_at(e, &d, i, &entry); i++) {
        const char *name = entry.d_tag == DT_NEEDED ? text_of(e, &d, &entry) : NULL;
        const char *from = origin == NULL ? "" : origin;
        if (name != NULL && strchr(name, '/') == NULL &&
            (find_in(d.folders, from, name, &file) ||
             find_in(getenv("LD_LIBRARY_PATH"), from, name, &file) ||
             find_in(system_folders, from, name, &file)))
            more = take(context, name, brz_buf_text(&file));
    }
    brz_buf_finish(&file);
    free(origin);
}

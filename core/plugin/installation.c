/* Locates the file that contains this code. */
#include "plugin/installation.h"

#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/version.h"

/* A search for the object that contains an address; the name of the program itself is "". */
typedef struct search {
    uintptr_t address;
    const char *name;
} search;

static int check_object(struct dl_phdr_info *info, size_t size, void *context)
{
    search *s = context;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD || s->address - info->dlpi_addr - p->p_vaddr >= p->p_memsz)
            continue;
        s->name = info->dlpi_name;
        return 1;
    }
    return 0;
}

static void find_program(char path[PATH_MAX])
{
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (n >= 0)
        path[n] = '\0';
    else
        snprintf(path, PATH_MAX, "%s", BRZ_INSTALLED_PROGRAM);
}

/* Finds the library. Returns false if this code is part of the program, to which some loaders give
 * a name, too. */
static bool find_library(const char *program, char path[PATH_MAX])
{
    search s = {.address = (uintptr_t)&check_object};
    dl_iterate_phdr(check_object, &s);
    return s.name != NULL && s.name[0] != '\0' && realpath(s.name, path) != NULL &&
           strcmp(path, program) != 0;
}

/* Stores the folder `there`, relative to the folder of this code, or the installation path if it
 * does not exist. */
static void find_dir(const brz_installation *h, const char *there, const char *installed,
                     char dir[PATH_MAX])
{
    char joined[PATH_MAX + 256];
    const char *slash = strrchr(h->file, '/');
    snprintf(joined, sizeof joined, "%.*s/%s", slash == NULL ? 0 : (int)(slash - h->file), h->file,
             there);
    if (realpath(joined, dir) == NULL)
        snprintf(dir, PATH_MAX, "%s", installed);
}

void brz_installation_find(brz_installation *h)
{
    char program[PATH_MAX];
    find_program(program);
    h->is_library = find_library(program, h->file);
    if (!h->is_library)
        memcpy(h->file, program, strlen(program) + 1);
}

void brz_installation_plugin_dir(const brz_installation *h, char dir[PATH_MAX])
{
    find_dir(h, h->is_library ? BRZ_PLUGIN_DIR_FROM_LIBRARY : BRZ_PLUGIN_DIR_FROM_PROGRAM,
             BRZ_INSTALLED_PLUGIN_DIR, dir);
}

void brz_installation_config_dir(const brz_installation *h, char dir[PATH_MAX])
{
    find_dir(h, h->is_library ? BRZ_CONFIG_DIR_FROM_LIBRARY : BRZ_CONFIG_DIR_FROM_PROGRAM,
             BRZ_INSTALLED_CONFIG_DIR, dir);
}

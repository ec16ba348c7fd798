/* SPDX-License-Identifier: MIT */
/* Locates the file that contains this code. */
#include "plugin/installation.h"

#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif
#include <unistd.h>

#include "base/buf.h"
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

/* Finds the program by the name with which it was started, for systems without /proc. */
static bool find_started(char path[PATH_MAX])
{
#ifdef AT_EXECFN
    const char *name = (const char *)(uintptr_t)getauxval(AT_EXECFN);
    return getauxval(AT_SECURE) == 0 && name != NULL && realpath(name, path) != NULL;
#else
    (void)path;
    return false;
#endif
}

/* Finds the program. Returns false if its path may contain links. */
static bool find_program(char path[PATH_MAX])
{
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (n >= 0) {
        path[n] = '\0';
        return true;
    }
    if (find_started(path))
        return true;
    snprintf(path, PATH_MAX, "%s", BRZ_INSTALLED_PROGRAM);
    return false;
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

/* Appends the name of a folder to the `n` bytes of a path. Returns its new length, or 0 if the
 * folder is a link or cannot be found. */
static size_t enter(char dir[PATH_MAX], size_t n, const char *name, size_t len)
{
    char target[1];
    if (n + len + 2 > PATH_MAX)
        return 0;
    dir[n++] = '/';
    memcpy(dir + n, name, len);
    dir[n + len] = '\0';
    return readlink(dir, target, sizeof target) < 0 && errno == EINVAL ? n + len : 0;
}

/* Stores the folder `there`, relative to the folder of `file`, whose path contains no links. Needs
 * fewer system calls than realpath(), which looks for links in the whole path. Returns false if
 * that is not enough. */
static bool join(const char *file, const char *there, char dir[PATH_MAX])
{
    const char *slash = strrchr(file, '/');
    size_t n = slash == NULL ? 0 : (size_t)(slash - file);
    memcpy(dir, file, n);
    for (; strncmp(there, "../", 3) == 0 && n > 0; there += 3)
        while (dir[--n] != '/')
            continue;
    if (strstr(there, "..") != NULL)
        return false;
    for (size_t len; *there != '\0'; there += len + (there[len] == '/')) {
        len = (size_t)(strchrnul(there, '/') - there);
        n = enter(dir, n, there, len);
        if (n == 0)
            return false;
    }
    return n > 0;
}

/* Does the same for any path. */
static bool resolve(const char *file, const char *there, char dir[PATH_MAX])
{
    brz_buf joined = {0};
    const char *slash = strrchr(file, '/');
    brz_buf_add(&joined, file, slash == NULL ? 0 : (size_t)(slash - file));
    brz_buf_add_char(&joined, '/');
    brz_buf_add_text(&joined, there);
    bool found = realpath(brz_buf_text(&joined), dir) != NULL;
    brz_buf_finish(&joined);
    return found;
}

/* Stores the folder `there`, relative to the folder of this code, or the installation path if it
 * does not exist. */
static void find_dir(const brz_installation *h, const char *there, const char *installed,
                     char dir[PATH_MAX])
{
    if (h->is_plain && join(h->file, there, dir))
        return;
    if (!resolve(h->file, there, dir))
        snprintf(dir, PATH_MAX, "%s", installed);
}

void brz_installation_find(brz_installation *h)
{
    char program[PATH_MAX];
    h->is_plain = find_program(program);
    h->is_library = find_library(program, h->file);
    h->is_plain |= h->is_library;
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

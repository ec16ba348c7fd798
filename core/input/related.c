/* SPDX-License-Identifier: MIT */
/* Opens files that belong to an input. */
#include "input/related.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/memory_use.h"
#include "input/file_cache.h"
#include "input/kernel_file.h"
#include "input/mapping.h"
#include "input/slack.h"

#include <brazier/symbol.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reason to refuse files that are not below the sysroot. */
#define ELSEWHERE "with --isolate, only files below --sysroot DIR are read"

/* Size of mapped files in memory from which on it is let go, in bytes. */
#define RESIDENT_MAX ((uint64_t)16 << 20)

/* Number of such files whose names are shown. */
#define NAMES_SHOWN 3

/* Reason to refuse files of the kernel. */
#define KERNEL_REFUSAL "it is a file that the kernel makes"

/* Maximum size of a file of the kernel. */
#define KERNEL_FILE_MAX ((size_t)256 << 20)

/* ---- finding ------------------------------------------------------------------------------- */

static void refuse(brz_related_found *f, const char *why)
{
    f->status = BRZ_RELATED_REFUSED;
    brz_buf_clear(&f->why);
    brz_buf_add_text(&f->why, why);
}

/* Returns true if nothing has been found or refused so far. */
static bool is_open_question(const brz_related_found *f)
{
    return f->status == BRZ_RELATED_ABSENT;
}

/* Returns the length of "/proc/NUMBER" at the beginning of a path, or 0. */
static size_t process_length(const char *path)
{
    size_t n = strncmp(path, "/proc/", 6) == 0 ? 6 + strspn(path + 6, "0123456789") : 0;
    return n > 6 ? n : 0;
}

/* Returns the length of the root folder of a process at the beginning of a path, or 0: that is
 * "/proc/NUMBER/root" or, if the process has it open, "/proc/NUMBER/fd/NUMBER". */
static size_t process_root_length(const char *path)
{
    size_t n = process_length(path), digits = 0;
    if (n == 0)
        return 0;
    if (strncmp(path + n, "/root/", 6) == 0)
        return n + 5;
    if (strncmp(path + n, "/fd/", 4) == 0)
        digits = strspn(path + n + 4, "0123456789");
    return digits > 0 && path[n + 4 + digits] == '/' ? n + 4 + digits : 0;
}

/* Returns true if a file lies in the root folder of a process of the file's owner, who could lie
 * about that process anyway. */
static bool is_of_process(const char *path, const struct stat *st)
{
    struct stat process;
    brz_buf name = {0};
    if (process_root_length(path) == 0)
        return false;
    brz_buf_add(&name, path, process_length(path));
    bool is = stat(brz_buf_text(&name), &process) == 0 && process.st_uid == st->st_uid;
    brz_buf_finish(&name);
    return is;
}

/* Returns true for a file of another user in a folder where anybody may create files. */
static bool is_planted(const char *path, const struct stat *st)
{
    struct stat folder;
    const char *slash = strrchr(path, '/');
    brz_buf parent = {0};
    if (st->st_uid == 0 || st->st_uid == geteuid() || slash == NULL || is_of_process(path, st))
        return false;
    brz_buf_add(&parent, path, slash == path ? 1 : (size_t)(slash - path));
    bool open = stat(brz_buf_text(&parent), &folder) == 0 && (folder.st_mode & S_IWOTH) != 0;
    brz_buf_finish(&parent);
    return open;
}

/* Returns true for a file that the kernel makes when it is read, and that collapsers need: its size
 * is 0. Opening or reading other files of that kind may have effects or wait. */
static bool is_made_by_kernel(const char *path)
{
    static const char *const paths[] = {"/proc/kallsyms", "/proc/sys/kernel/hostname",
                                        "/proc/sys/kernel/osrelease", "/sys/kernel/notes"};
    bool found = false;
    for (size_t i = 0; i < BRZ_COUNT_OF(paths); i++)
        found |= strcmp(path, paths[i]) == 0;
    size_t n = process_length(path);
    return found || (n > 0 && strcmp(path + n, "/status") == 0);
}

/* Accepts an opened file, or refuses and closes it. */
static void accept_file(brz_related_found *f, int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        refuse(f, strerror(errno));
    else if (!S_ISREG(st.st_mode))
        refuse(f, "it is not a regular file");
    else if (!is_made_by_kernel(brz_buf_text(&f->path)) && brz_is_kernel_file(fd))
        refuse(f, KERNEL_REFUSAL);
    else if ((uint64_t)st.st_size > BRZ_RELATED_SIZE_MAX)
        refuse(f, "it is larger than 8 GiB");
    else if (is_planted(brz_buf_text(&f->path), &st))
        refuse(f, "it belongs to another user, in a folder that everybody can write to");
    else
        f->status = BRZ_RELATED_OPENED;
    if (f->status == BRZ_RELATED_OPENED) {
        f->fd = fd;
        f->size = (uint64_t)st.st_size;
    } else {
        close(fd);
    }
}

/* Returns whether the file of a process cannot be opened because the process has ended or belongs
 * to another user: it counts as absent. */
static bool is_hidden(const char *path, int error)
{
    return strncmp(path, "/proc/", 6) == 0 && (error == EACCES || error == EPERM || error == ESRCH);
}

/* Refuses devices and files of the kernel, which may have effects when they are opened. */
static void check_path(brz_related_found *f)
{
    struct stat st;
    const char *path = brz_buf_text(&f->path);
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        refuse(f, "it is not a regular file");
    else if (!is_made_by_kernel(path) && brz_is_kernel_path(path))
        refuse(f, KERNEL_REFUSAL);
}

/* Opens a file below the root folder of a process: links in it lead to places below it. Returns
 * false if the path is elsewhere, or if the kernel cannot do that. */
static bool open_in_process(brz_related_found *f)
{
    const char *path = brz_buf_text(&f->path);
    size_t n = process_root_length(path);
    brz_buf root = {0};
    if (n == 0)
        return false;
    brz_buf_add(&root, path, n);
    int fd = brz_beneath_open_in_process(brz_buf_text(&root), path + n);
    int error = errno;
    brz_buf_finish(&root);
    if (fd >= 0)
        accept_file(f, fd);
    else if (error == EINVAL)
        refuse(f, "it is not a regular file");
    else if (error != ENOENT && error != ENOTDIR && error != ENOSYS && !is_hidden(path, error))
        refuse(f, strerror(error));
    return fd >= 0 || error != ENOSYS;
}

/* Opens the file at f->path. */
static void open_path(brz_related_found *f)
{
    const char *path = brz_buf_text(&f->path);
    if (open_in_process(f))
        return;
    check_path(f);
    if (!is_open_question(f))
        return;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd >= 0)
        accept_file(f, fd);
    else if (errno != ENOENT && errno != ENOTDIR && !is_hidden(path, errno))
        refuse(f, strerror(errno));
}

/* Opens a file below a folder; links in it are not followed. `path` is absolute, or relative to the
 * folder. */
static void open_beneath(brz_related_found *f, const brz_beneath *b, const char *path)
{
    char *inside = NULL;
    brz_refusal why = brz_beneath_resolve(b, b->path, path, &inside);
    int fd = inside == NULL ? -1 : brz_beneath_open_file(b, inside, &why);
    if (fd >= 0)
        accept_file(f, fd);
    else if (why == BRZ_REFUSED_OUTSIDE)
        refuse(f, "it lies outside of the folder of the configuration that was found");
    else if (why != BRZ_REFUSED_ABSENT)
        refuse(f, brz_refusal_text(why));
    else if (errno != ENOENT && errno != ENOTDIR)
        refuse(f, strerror(errno));
    free(inside);
}

/* Searches the sysroot for an absolute path; a link in it leads to a place in it. */
static void search_sysroot(brz_related_found *f, const char *sysroot, const char *path)
{
    brz_buf_clear(&f->path);
    brz_buf_printf(&f->path, "%s%s", sysroot, path);
    int fd = brz_beneath_open_in_root(sysroot, path, false);
    if (fd >= 0)
        accept_file(f, fd);
    else if (errno == EINVAL)
        refuse(f, "it is not a regular file");
    else if (errno != ENOENT && errno != ENOTDIR)
        refuse(f, strerror(errno));
}

/* Appends the absolute path of a name. Returns false if the input has no folder. */
static bool add_absolute(brz_buf *b, const brz_related_rules *rules, brz_str name)
{
    char *input = NULL;
    if (name.data[0] != '/') {
        input = rules->input == NULL ? NULL : realpath(rules->input, NULL);
        if (input == NULL)
            return false;
        brz_buf_add(b, input, (size_t)(strrchr(input, '/') + 1 - input));
    }
    brz_buf_add_str(b, name);
    free(input);
    return true;
}

/* Returns the part of an absolute path after the sysroot, or NULL if the path is elsewhere. */
static char *below_sysroot(const char *sysroot, const char *path)
{
    char *root = realpath(sysroot, NULL), *rest = NULL;
    size_t n = root == NULL ? 0 : strlen(root);
    n -= n == 1;
    if (root != NULL && strncmp(path, root, n) == 0 && path[n] == '/')
        rest = brz_memdup(path + n, strlen(path + n));
    free(root);
    return rest;
}

/* Returns true if a component of the path is "..". */
static bool goes_up(brz_str path)
{
    for (size_t i = 0; i + 2 <= path.len; i++)
        if (memcmp(path.data + i, "..", 2) == 0 && (i == 0 || path.data[i - 1] == '/') &&
            (i + 2 == path.len || path.data[i + 2] == '/'))
            return true;
    return false;
}

/* Opens a file elsewhere than below the sysroot, if the rules permit it. `was_searched` says that
 * the sysroot does not have a file of this name. */
static void search_elsewhere(brz_related_found *f, const brz_related_rules *rules,
                             const char *absolute, bool was_searched)
{
    char *rest = rules->sysroot == NULL ? NULL : below_sysroot(rules->sysroot, absolute);
    brz_buf_clear(&f->path);
    brz_buf_add_text(&f->path, absolute);
    if (rest != NULL) {
        search_sysroot(f, rules->sysroot, rest);
    } else if (rules->only_sysroot && was_searched) {
        brz_buf_clear(&f->path);
    } else if (rules->only_sysroot) {
        refuse(f, ELSEWHERE);
        f->is_elsewhere = true;
    } else if (rules->beneath != NULL) {
        open_beneath(f, rules->beneath, absolute);
    } else {
        open_path(f);
    }
    free(rest);
}

brz_related_found brz_related_find(const brz_related_rules *rules, brz_str name, uint32_t flags)
{
    brz_related_found f = {.status = BRZ_RELATED_ABSENT, .fd = -1};
    brz_buf absolute = {0};
    bool valid = name.len > 0 && name.len < BRZ_RELATED_PATH_MAX &&
                 memchr(name.data, '\0', name.len) == NULL;
    if (!valid)
        refuse(&f, "its name is not valid");
    else if (goes_up(name))
        refuse(&f, "its name has '..' in it");
    else if (!add_absolute(&absolute, rules, name))
        refuse(&f, "its name is relative, and the input is not in a folder");
    bool in_sysroot = valid && rules->sysroot != NULL && name.data[0] == '/';
    if (is_open_question(&f) && in_sysroot)
        search_sysroot(&f, rules->sysroot, brz_buf_text(&absolute));
    brz_related_rules others = *rules;
    others.only_sysroot |= in_sysroot && (flags & BRZ_RELATED_BY_INPUT) != 0;
    if (is_open_question(&f))
        search_elsewhere(&f, &others, brz_buf_text(&absolute), in_sysroot);
    brz_buf_finish(&absolute);
    return f;
}

void brz_related_say(brz_console *console, const char *input, brz_str name,
                     const brz_related_found *f)
{
    if (f->status == BRZ_RELATED_REFUSED)
        brz_say_code(console, BRZ_WARNING, BRZ_SAYS_OPEN, "%s: '%.*s' is not read: %s", input,
                     (int)name.len, name.data, brz_buf_text(&f->why));
    else if (console->verbosity > 0 && f->status == BRZ_RELATED_OPENED)
        brz_say(console, BRZ_NOTE, "%s: opened %s, %llu bytes", input, brz_buf_text(&f->path),
                (unsigned long long)f->size);
    else if (console->verbosity > 0)
        brz_say(console, BRZ_NOTE, "%s: there is no '%.*s'", input, (int)name.len, name.data);
}

void brz_related_elsewhere_add(brz_related_elsewhere *e, brz_str name, uint32_t flags)
{
    bool is_named = (flags & BRZ_RELATED_BY_INPUT) != 0;
    size_t n = is_named ? e->n_named++ : e->n_tried++;
    if (n < NAMES_SHOWN)
        brz_buf_printf(is_named ? &e->named : &e->tried, "%s'%.*s'", n > 0 ? ", " : "",
                       (int)name.len, name.data);
}

/* Places where a file could be are of interest only if the input names no files: most of them have
 * none. */
void brz_related_elsewhere_say(const brz_related_elsewhere *e, brz_console *console,
                               const char *input)
{
    size_t n = e->n_named > 0 ? e->n_named : e->n_tried;
    const brz_buf *names = e->n_named > 0 ? &e->named : &e->tried;
    brz_buf more = {0};
    if (n == 0)
        return;
    if (n > NAMES_SHOWN)
        brz_buf_printf(&more, " and %zu more", n - NAMES_SHOWN);
    brz_say_code(console, BRZ_WARNING, BRZ_SAYS_OPEN, "%s: %s%s %s not read: " ELSEWHERE, input,
                 brz_buf_text(names), brz_buf_text(&more), n == 1 ? "is" : "are");
    brz_buf_finish(&more);
}

void brz_related_elsewhere_finish(brz_related_elsewhere *e)
{
    brz_buf_finish(&e->named);
    brz_buf_finish(&e->tried);
    *e = (brz_related_elsewhere){0};
}

void brz_related_found_finish(brz_related_found *f)
{
    if (f->fd >= 0)
        close(f->fd);
    brz_buf_finish(&f->path);
    brz_buf_finish(&f->why);
    *f = (brz_related_found){.fd = -1};
}

/* ---- the files of an input ----------------------------------------------------------------- */

typedef struct file {
    char *name, *path;
    size_t name_len;
    uint32_t flags; /* of the question */
    int32_t status;
    brz_mapping mapping;        /* zeroed if the file is empty, not opened or not mapped */
    brz_buf bytes;              /* of a file of the kernel, with slack around them; else empty */
    brz_file_identity identity; /* of a mapped file */
} file;

/* An entry of the cache that was loaded for a file. */
typedef struct kept {
    char *name; /* for messages */
    char *key;
    brz_str content;
    brz_mapping mapping;
} kept;

struct brz_related {
    brz_related_fn *find;
    void *context;
    brz_console *console;
    pthread_mutex_t lock;
    file **files;
    size_t n, cap;
    uint32_t *slots; /* positions in `files` + 1, by their names; 0: free */
    size_t n_slots;  /* a power of two, more than twice `n`; or 0 */
    kept *kept;
    size_t n_kept, cap_kept;
    bool uses_cache;
    bool lacks_identities;   /* this process may not ask for identities of files */
    brz_file_identity input; /* zeros: unknown */
    size_t n_opened;
    uint64_t mapped; /* bytes of files that were mapped since the memory of all was let go */
    uint64_t others; /* bytes of other files in memory then; 0: unknown */
    bool full;       /* a file was refused because there are too many */
};

brz_related *brz_related_create(brz_related_fn *find, void *context, brz_console *console)
{
    brz_related *r = brz_calloc(1, sizeof *r);
    r->find = find;
    r->context = context;
    r->console = console;
    pthread_mutex_init(&r->lock, NULL);
    return r;
}

void brz_related_leave_out_identities(brz_related *r)
{
    r->lacks_identities = true;
}

/* Reads a file until its end. Returns false if that is not possible. */
static bool read_bytes(brz_buf *to, int fd)
{
    static const char slack[BRZ_SLACK_FRONT + BRZ_SLACK_BACK];
    brz_buf_add(to, slack, BRZ_SLACK_FRONT);
    bool good = brz_buf_read(to, fd, KERNEL_FILE_MAX) && to->len > BRZ_SLACK_FRONT &&
                to->len < KERNEL_FILE_MAX;
    brz_buf_add(to, slack, BRZ_SLACK_BACK);
    if (!good)
        brz_buf_finish(to);
    return good;
}

/* Maps an opened file, or reads one of the kernel. Returns false if that is not possible. */
static bool take_bytes(file *f, const brz_related_found *found)
{
    if (is_made_by_kernel(f->path))
        return read_bytes(&f->bytes, found->fd);
    return found->size == 0 || brz_mapping_init(&f->mapping, found->fd, found->size);
}

/* Returns the slot of a request: its own, or the free one where it belongs. */
static uint32_t *slot_of(const brz_related *r, brz_str name, uint32_t flags)
{
    size_t mask = r->n_slots - 1, i = (size_t)brz_hash(name) & mask;
    for (; r->slots[i] != 0; i = (i + 1) & mask) {
        const file *f = r->files[r->slots[i] - 1];
        if (f->name_len == name.len && f->flags == flags &&
            (name.len == 0 || memcmp(f->name, name.data, name.len) == 0))
            break;
    }
    return &r->slots[i];
}

static uint32_t *slot_of_file(const brz_related *r, const file *f)
{
    return slot_of(r, brz_str_of(f->name, f->name_len), f->flags);
}

static file *known_file(const brz_related *r, brz_str name, uint32_t flags)
{
    uint32_t i = r->n_slots == 0 ? 0 : *slot_of(r, name, flags);
    return i == 0 ? NULL : r->files[i - 1];
}

/* Doubles the number of slots when half of them are used. */
static void make_slots(brz_related *r)
{
    if (2 * (r->n + 1) < r->n_slots)
        return;
    free(r->slots);
    r->n_slots = r->n_slots == 0 ? 64 : 2 * r->n_slots;
    r->slots = brz_calloc(r->n_slots, sizeof *r->slots);
    for (size_t i = 0; i < r->n; i++)
        *slot_of_file(r, r->files[i]) = (uint32_t)(i + 1);
}

static void add_file(brz_related *r, file *f)
{
    make_slots(r);
    *slot_of_file(r, f) = (uint32_t)(r->n + 1);
    r->files = brz_grow(r->files, r->n, &r->cap, sizeof(file *));
    r->files[r->n++] = f;
    r->n_opened += f->status == BRZ_RELATED_OPENED;
}

/* Returns how many bytes of files this process has in memory, or 0 if it may not ask. */
static uint64_t size_in_memory(const brz_related *r)
{
    brz_memory_use use;
    return !r->lacks_identities && brz_memory_use_read(&use) ? use.files : 0;
}

/* Returns whether files may have much memory. */
static bool have_much(brz_related *r)
{
    uint64_t now = size_in_memory(r);
    if (now == 0)
        return r->mapped >= RESIDENT_MAX;
    if (r->others == 0 || now < r->others)
        r->others = now;
    return now - r->others >= RESIDENT_MAX;
}

/* Lets go of the memory of files if they may have much. Most of a file with symbols is read once.
 */
static void let_go(brz_related *r)
{
    if (!have_much(r))
        return;
    for (size_t i = 0; i < r->n; i++)
        brz_mapping_let_go(&r->files[i]->mapping);
    for (size_t i = 0; i < r->n_kept; i++)
        brz_mapping_let_go(&r->kept[i].mapping);
    r->mapped = 0;
    r->others = size_in_memory(r);
}

void brz_related_rest(brz_related *r)
{
    if (r == NULL)
        return;
    pthread_mutex_lock(&r->lock);
    if (r->n > 0)
        let_go(r);
    pthread_mutex_unlock(&r->lock);
}

static file *open_file(brz_related *r, brz_str name, uint32_t flags)
{
    brz_related_found found = r->find(r->context, name, flags);
    file *f = brz_calloc(1, sizeof *f);
    f->name = brz_memdup(name.len > 0 ? name.data : "", name.len);
    f->name_len = name.len;
    f->flags = flags;
    f->path = brz_memdup(brz_buf_text(&found.path), found.path.len);
    f->status = found.status;
    if (f->status == BRZ_RELATED_OPENED && !r->lacks_identities)
        f->identity = brz_file_identity_of(found.fd);
    if (f->status == BRZ_RELATED_OPENED && !take_bytes(f, &found)) {
        f->status = BRZ_RELATED_REFUSED;
        brz_say_code(r->console, BRZ_WARNING, BRZ_SAYS_OPEN,
                     "'%s' is not read: it cannot be mapped", f->path);
    }
    brz_related_found_finish(&found);
    if (f->mapping.len > 0)
        let_go(r);
    r->mapped += f->mapping.len;
    add_file(r, f);
    return f;
}

/* Returns whether a file is still the one that was opened. */
static bool is_same(const file *f, const brz_file_identity *id)
{
    return f->status == BRZ_RELATED_OPENED && memcmp(id, &f->identity, sizeof *id) == 0;
}

/* Opens a file once more. Returns whether its bytes are others now. */
static bool open_once_more(brz_related *r, file *f)
{
    brz_str name = brz_str_of(f->name, f->name_len);
    brz_related_found found = r->find(r->context, name, f->flags | BRZ_RELATED_AGAIN);
    file now = {.path = NULL};
    if (found.status == BRZ_RELATED_OPENED) /* before its bytes: it may grow meanwhile */
        now.identity = brz_file_identity_of(found.fd);
    bool is_other = found.status == BRZ_RELATED_OPENED && !is_same(f, &now.identity);
    now.path = is_other ? brz_memdup(brz_buf_text(&found.path), found.path.len) : NULL;
    is_other = is_other && take_bytes(&now, &found);
    if (is_other) {
        brz_mapping_finish(&f->mapping);
        brz_buf_finish(&f->bytes);
        free(f->path);
        r->n_opened += f->status != BRZ_RELATED_OPENED;
        f->path = now.path;
        f->mapping = now.mapping;
        f->bytes = now.bytes;
        f->identity = now.identity;
        f->status = BRZ_RELATED_OPENED;
    } else {
        free(now.path);
        f->status = found.status == BRZ_RELATED_REFUSED ? BRZ_RELATED_REFUSED : f->status;
    }
    brz_related_found_finish(&found);
    return is_other;
}

/* Warns once that further files are not read. */
static void say_full(brz_related *r)
{
    bool by_tries = r->n_opened < BRZ_RELATED_MAX;
    if (!r->full)
        brz_say_code(r->console, BRZ_WARNING, BRZ_SAYS_OPEN,
                     "the input %s more than %d other files: the rest are not read",
                     by_tries ? "asks for" : "has", by_tries ? BRZ_RELATED_TRIES : BRZ_RELATED_MAX);
    r->full = true;
}

/* Returns a file that was looked for, now or before; NULL, after a warning, if there are too many.
 */
static file *ask(brz_related *r, brz_str name, uint32_t flags)
{
    pthread_mutex_lock(&r->lock);
    file *f = known_file(r, name, flags);
    if (f == NULL && r->n_opened < BRZ_RELATED_MAX && r->n < BRZ_RELATED_TRIES)
        f = open_file(r, name, flags);
    if (f == NULL)
        say_full(r);
    pthread_mutex_unlock(&r->lock);
    return f;
}

/* Describes a file for a collapser. Returns its status. */
static int32_t describe(const file *f, brz_related_file *to)
{
    static const uint8_t nothing[BRZ_SLACK_FRONT + BRZ_SLACK_BACK];
    to->data = nothing + BRZ_SLACK_FRONT;
    to->len = 0;
    to->path = brz_str_of("", 0);
    if (f == NULL)
        return BRZ_RELATED_REFUSED;
    if (f->status == BRZ_RELATED_OPENED)
        to->path = brz_str_of_text(f->path);
    if (f->status == BRZ_RELATED_OPENED && f->mapping.len > 0) {
        to->data = f->mapping.data;
        to->len = f->mapping.len;
    } else if (f->bytes.len > 0) {
        to->data = (const uint8_t *)f->bytes.data + BRZ_SLACK_FRONT;
        to->len = f->bytes.len - BRZ_SLACK_FRONT - BRZ_SLACK_BACK;
    }
    return f->status;
}

int32_t brz_related_open(brz_related *r, brz_str name, uint32_t flags, brz_related_file *to)
{
    file *f = r == NULL ? NULL : ask(r, name, flags & BRZ_RELATED_BY_INPUT);
    int32_t status = describe(f, to);
    return r == NULL ? BRZ_RELATED_ABSENT : status;
}

static int32_t open_again(brz_related *r, brz_str name, uint32_t flags, brz_related_file *to,
                          bool *has_changed)
{
    flags &= BRZ_RELATED_BY_INPUT;
    *has_changed = false;
    if (r == NULL || r->lacks_identities)
        return brz_related_open(r, name, flags, to);
    pthread_mutex_lock(&r->lock);
    file *f = known_file(r, name, flags);
    bool is_known = f != NULL && f->status != BRZ_RELATED_REFUSED;
    *has_changed = is_known && r->n_opened < BRZ_RELATED_MAX && open_once_more(r, f);
    pthread_mutex_unlock(&r->lock);
    if (f != NULL)
        return describe(f, to);
    int32_t status = brz_related_open(r, name, flags, to);
    *has_changed = status == BRZ_RELATED_OPENED;
    return status;
}

int32_t brz_related_open_again(brz_related *r, brz_str name, uint32_t flags, brz_related_file *to,
                               bool *has_changed)
{
    bool ignored;
    return open_again(r, name, flags, to, has_changed != NULL ? has_changed : &ignored);
}

/* ---- ages ----------------------------------------------------------------------------------- */

/* Looks up the identity of a mapped file by its path. Returns false if there is no such file. */
static bool find_identity(brz_related *r, brz_str path, brz_file_identity *id)
{
    bool found = false;
    pthread_mutex_lock(&r->lock);
    for (size_t i = 0; i < r->n && !found; i++) {
        const file *f = r->files[i];
        found = f->mapping.len > 0 && brz_str_is(path, f->path);
        *id = f->identity;
    }
    pthread_mutex_unlock(&r->lock);
    return found;
}

void brz_related_set_input(brz_related *r, int fd)
{
    r->input = brz_file_identity_of(fd);
}

static bool is_later(const int64_t a[2], const int64_t b[2])
{
    return a[0] != b[0] ? a[0] > b[0] : a[1] > b[1];
}

bool brz_related_is_newer(brz_related *r, brz_str path)
{
    brz_file_identity id;
    bool is_known = r != NULL && r->input.inode != 0 && find_identity(r, path, &id);
    return is_known && is_later(id.modified, r->input.modified);
}

/* ---- what was kept -------------------------------------------------------------------------- */

void brz_related_use_cache(brz_related *r)
{
    r->uses_cache = true;
}

/* Finds an entry that was loaded before. */
static bool find_kept(brz_related *r, brz_str key, const brz_buf *name, brz_str *content)
{
    const kept *found = NULL;
    pthread_mutex_lock(&r->lock);
    for (size_t i = 0; i < r->n_kept && found == NULL; i++)
        if (brz_str_is(key, r->kept[i].key) && strcmp(r->kept[i].name, brz_buf_text(name)) == 0)
            found = &r->kept[i];
    if (found != NULL)
        *content = found->content;
    pthread_mutex_unlock(&r->lock);
    return found != NULL;
}

/* Loads an entry for a file. */
static bool load_kept(brz_related *r, brz_str path, brz_str key, const brz_buf *name,
                      brz_str *content)
{
    brz_file_identity id;
    kept k = {.name = NULL};
    if (!find_identity(r, path, &id) || !brz_file_cache_load(&id, key, &k.mapping, content))
        return false;
    k.name = brz_memdup(brz_buf_text(name), name->len);
    k.key = brz_memdup(key.data, key.len);
    k.content = *content;
    pthread_mutex_lock(&r->lock);
    r->kept = brz_grow(r->kept, r->n_kept, &r->cap_kept, sizeof *r->kept);
    r->kept[r->n_kept++] = k;
    pthread_mutex_unlock(&r->lock);
    return true;
}

bool brz_related_load(brz_related *r, brz_str path, brz_str key, brz_str *content)
{
    brz_buf name = {0};
    if (r == NULL || !r->uses_cache)
        return false;
    brz_buf_printf(&name, "%.*s, as it was kept for later runs", (int)path.len, path.data);
    bool found = find_kept(r, key, &name, content) || load_kept(r, path, key, &name, content);
    brz_buf_finish(&name);
    return found;
}

void brz_related_save(brz_related *r, brz_str path, brz_str key, brz_str content)
{
    brz_file_identity id;
    if (r != NULL && r->uses_cache && find_identity(r, path, &id))
        brz_file_cache_save(&id, key, content);
}

/* ---- the end -------------------------------------------------------------------------------- */

const char *brz_related_cut(const brz_related *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->files[i]->mapping.len > 0 && brz_mapping_is_cut(&r->files[i]->mapping, -1))
            return r->files[i]->path;
    for (size_t i = 0; i < r->n_kept; i++)
        if (brz_mapping_is_cut(&r->kept[i].mapping, -1))
            return r->kept[i].name;
    return NULL;
}

void brz_related_destroy(brz_related *r)
{
    if (r == NULL)
        return;
    for (size_t i = 0; i < r->n; i++) {
        brz_mapping_finish(&r->files[i]->mapping);
        brz_buf_finish(&r->files[i]->bytes);
        free(r->files[i]->name);
        free(r->files[i]->path);
        free(r->files[i]);
    }
    for (size_t i = 0; i < r->n_kept; i++) {
        brz_mapping_finish(&r->kept[i].mapping);
        free(r->kept[i].name);
        free(r->kept[i].key);
    }
    free(r->kept);
    free(r->files);
    free(r->slots);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

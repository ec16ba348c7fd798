/* SPDX-License-Identifier: MIT */
/* Copies a folder of template files. */
#include "base/template.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns the word whose mark is at the beginning of a text, or NULL. */
static const brz_template_word *mark_at(const char *p, size_t n, const brz_template_word *words)
{
    for (; words->mark != NULL; words++) {
        size_t len = strlen(words->mark);
        if (len <= n && memcmp(p, words->mark, len) == 0)
            return words;
    }
    return NULL;
}

void brz_template_fill(brz_str text, const brz_template_word *words, brz_buf *out)
{
    size_t done = 0, i = 0;
    while (i < text.len) {
        const brz_template_word *word = mark_at(text.data + i, text.len - i, words);
        if (word == NULL) {
            i++;
            continue;
        }
        brz_buf_add(out, text.data + done, i - done);
        brz_buf_add_text(out, word->text);
        done = i += strlen(word->mark);
    }
    brz_buf_add(out, text.data + done, text.len - done);
}

static bool say_errno(brz_console *console, const char *path)
{
    brz_say(console, BRZ_FATAL, "%s: %s", path, strerror(errno));
    return false;
}

static bool write_new(const char *path, brz_str text, mode_t mode)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd < 0)
        return false;
    ssize_t n = write(fd, text.data, text.len);
    return close(fd) == 0 && n == (ssize_t)text.len;
}

static bool copy_file(const char *from, const char *to, const brz_template_word *words, bool runs,
                      brz_console *console)
{
    brz_buf text = {0}, filled = {0};
    bool good = brz_buf_read_file(&text, from);
    if (!good)
        say_errno(console, from);
    brz_template_fill(brz_buf_str(&text), words, &filled);
    if (good && !write_new(to, brz_buf_str(&filled), runs ? 0755 : 0644))
        good = say_errno(console, to);
    brz_buf_finish(&text);
    brz_buf_finish(&filled);
    return good;
}

/* Copies the entry `name` of a folder. Recursion is safe because templates are small. */
static bool copy_entry(const char *from_dir, const char *to_dir, const char *name,
                       const brz_template_word *words, brz_console *console)
{
    brz_buf from = {0}, to = {0};
    struct stat st;
    bool good;
    brz_buf_printf(&from, "%s/%s", from_dir, name);
    brz_buf_printf(&to, "%s/", to_dir);
    brz_template_fill(brz_str_of_text(name), words, &to);
    if (stat(brz_buf_text(&from), &st) != 0)
        good = say_errno(console, brz_buf_text(&from));
    else if (S_ISDIR(st.st_mode))
        good = brz_template_copy(brz_buf_text(&from), brz_buf_text(&to), words, console);
    else
        good = copy_file(brz_buf_text(&from), brz_buf_text(&to), words, (st.st_mode & S_IXUSR) != 0,
                         console);
    brz_buf_finish(&from);
    brz_buf_finish(&to);
    return good;
}

bool brz_template_copy(const char *from, const char *to, const brz_template_word *words,
                       brz_console *console)
{
    if (mkdir(to, 0755) != 0 && errno != EEXIST)
        return say_errno(console, to);
    DIR *dir = opendir(from);
    if (dir == NULL)
        return say_errno(console, from);
    bool good = true;
    const struct dirent *entry;
    while (good && (entry = readdir(dir)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            good = copy_entry(from, to, entry->d_name, words, console);
    closedir(dir);
    return good;
}

/* SPDX-License-Identifier: MIT */
/* Names of files of continuous recording. */
#include "interval_names.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TIME_LENGTH 16 /* of 20260131T235900Z */

/* Returns the part of a path after its folder. */
static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

bool cli_interval_name_is_good(const char *name)
{
    const char *time = strstr(name, CLI_INTERVAL_TIME);
    return time != NULL && time >= last_part(name) &&
           strstr(time + strlen(CLI_INTERVAL_TIME), CLI_INTERVAL_TIME) == NULL;
}

void cli_interval_name_add(brz_buf *to, const char *word, time_t begin)
{
    char text[TIME_LENGTH + 1] = "";
    struct tm utc;
    const char *at;
    if (gmtime_r(&begin, &utc) != NULL)
        strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &utc);
    for (; (at = strstr(word, CLI_INTERVAL_TIME)) != NULL; word = at + strlen(CLI_INTERVAL_TIME)) {
        brz_buf_add(to, word, (size_t)(at - word));
        brz_buf_add_text(to, text);
    }
    brz_buf_add_text(to, word);
}

/* Returns whether a text begins with a time. All times have the same length, so that they are in
 * the order of their bytes. */
static bool begins_with_time(const char *text)
{
    static const char form[] = "00000000T000000Z";
    for (size_t i = 0; i < TIME_LENGTH; i++)
        if (form[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return false;
    return true;
}

/* Returns whether a file's name is that of an interval that began earlier than the one that `limit`
 * names. */
static bool is_older(const char *file, const char *form, const char *limit)
{
    size_t front = (size_t)(strstr(form, CLI_INTERVAL_TIME) - form);
    const char *back = form + front + strlen(CLI_INTERVAL_TIME);
    return strncmp(file, form, front) == 0 && begins_with_time(file + front) &&
           strcmp(file + front + TIME_LENGTH, back) == 0 &&
           memcmp(file + front, limit + front, TIME_LENGTH) < 0;
}

static void remove_file(int folder, const char *file, brz_console *console)
{
    struct stat st;
    if (fstatat(folder, file, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode))
        return;
    if (unlinkat(folder, file, 0) != 0)
        brz_say(console, BRZ_WARNING, "cannot remove '%s': %s", file, strerror(errno));
}

void cli_interval_remove(const char *name, time_t before, brz_console *console)
{
    const char *form = last_part(name);
    brz_buf folder = {0}, limit = {0};
    brz_buf_add(&folder, name, (size_t)(form - name));
    cli_interval_name_add(&limit, form, before);
    DIR *files = opendir(form == name ? "." : brz_buf_text(&folder));
    for (const struct dirent *e; files != NULL && (e = readdir(files)) != NULL;)
        if (is_older(e->d_name, form, brz_buf_text(&limit)))
            remove_file(dirfd(files), e->d_name, console);
    if (files == NULL)
        brz_say(console, BRZ_WARNING, "cannot look for old files in '%s': %s",
                brz_buf_text(&folder), strerror(errno));
    else
        closedir(files);
    brz_buf_finish(&folder);
    brz_buf_finish(&limit);
}

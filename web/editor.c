/* SPDX-License-Identifier: MIT */
/* Chooses the address that opens an editor. */
#include "web/editor.h"

#include <string.h>
#include <strings.h>

typedef struct editor {
    const char *name, *address;
} editor;

static const editor editors[] = {
    {"vscode", "vscode://file{file}:{line}"},
    {"vscodium", "vscodium://file{file}:{line}"},
    {"cursor", "cursor://file{file}:{line}"},
    {"zed", "zed://file{file}:{line}"},
    {"idea", "idea://open?file={file}&line={line}"},
    {"clion", "clion://open?file={file}&line={line}"},
    {"txmt", "txmt://open?url=file://{file}&line={line}"},
};

/* Schemes that run a script in the page, or show something in place of it. */
static const char *const refused[] = {"javascript", "data", "vbscript", "blob", "about"};

/* Returns the length of the scheme at the beginning of an address; 0 if it has none. */
static size_t scheme_length(const char *word)
{
    size_t n = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");
    bool begins_well = (word[0] | 0x20) >= 'a' && (word[0] | 0x20) <= 'z';
    return begins_well && word[n] == ':' ? n : 0;
}

static bool is_refused(const char *word, size_t scheme)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (strlen(refused[i]) == scheme && strncasecmp(refused[i], word, scheme) == 0)
            return true;
    return false;
}

/* Returns whether all bytes may be in an address. */
static bool is_plain(const char *word)
{
    for (; *word != '\0'; word++)
        if (*word <= ' ' || *word == 0x7f || *word == '"' || *word == '<' || *word == '>')
            return false;
    return true;
}

const char *brz_web_editor(const char *word)
{
    for (size_t i = 0; i < sizeof editors / sizeof *editors; i++)
        if (strcmp(editors[i].name, word) == 0)
            return editors[i].address;
    size_t scheme = scheme_length(word);
    bool good = scheme > 0 && !is_refused(word, scheme) && is_plain(word) &&
                strstr(word, "{file}") != NULL && strlen(word) <= 1024;
    return good ? word : NULL;
}

const char *brz_web_editor_name(size_t i)
{
    return i < sizeof editors / sizeof *editors ? editors[i].name : NULL;
}

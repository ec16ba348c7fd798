/* SPDX-License-Identifier: MIT */
/* Decides what a request gets. */
#include "web/request.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#ifdef __APPLE__
#include <unistd.h>
#endif

bool brz_web_make_token(char token[BRZ_WEB_TOKEN + 1])
{
    static const char digits[] = "0123456789abcdef";
    unsigned char random[BRZ_WEB_TOKEN / 2];
    if (getentropy(random, sizeof random) != 0)
        return false;
    for (size_t i = 0; i < sizeof random; i++) {
        token[2 * i] = digits[random[i] >> 4];
        token[2 * i + 1] = digits[random[i] & 15];
    }
    token[BRZ_WEB_TOKEN] = '\0';
    return true;
}

/* Returns whether a host is this machine by one of its own names, with the port. */
static bool is_own_host(const char *host, uint16_t port)
{
    char own[32];
    static const char *const names[] = {"127.0.0.1", "localhost"};
    for (size_t i = 0; host != NULL && i < sizeof names / sizeof *names; i++) {
        snprintf(own, sizeof own, "%s:%u", names[i], port);
        if (strcasecmp(own, host) == 0)
            return true;
    }
    return false;
}

/* Compares all digits, wherever the first difference is. */
static bool is_token(const char *digits, const char *token)
{
    volatile unsigned char difference = 0;
    for (size_t i = 0; i < BRZ_WEB_TOKEN; i++)
        difference = (unsigned char)(difference | (digits[i] ^ token[i]));
    return difference == 0;
}

/* Returns the part of a path "/TOKEN/NAME" after the token, or NULL if the token is another one. */
static const char *name_after_token(const char *path, const char *token)
{
    if (path == NULL || strnlen(path, BRZ_WEB_TOKEN + 2) < BRZ_WEB_TOKEN + 2 || path[0] != '/' ||
        path[BRZ_WEB_TOKEN + 1] != '/' || !is_token(path + 1, token))
        return NULL;
    return path + BRZ_WEB_TOKEN + 2;
}

brz_web_item brz_web_item_of(const brz_web_request *r, const char token[BRZ_WEB_TOKEN + 1],
                             uint16_t port)
{
    static const char *const names[BRZ_WEB_ITEMS] = {"",         "shell.js", "shell.css",
                                                     "settings", "page",     "events"};
    if (!is_own_host(r->host, port))
        return BRZ_WEB_FOREIGN;
    if (r->method == NULL || (strcmp(r->method, "GET") != 0 && strcmp(r->method, "HEAD") != 0))
        return BRZ_WEB_METHOD;
    const char *name = name_after_token(r->path, token);
    for (unsigned i = 0; name != NULL && i < BRZ_WEB_ITEMS; i++)
        if (strcmp(name, names[i]) == 0)
            return (brz_web_item)i;
    return BRZ_WEB_UNKNOWN;
}

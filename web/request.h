/* SPDX-License-Identifier: MIT */
/* Decides what a request of a browser gets: only who knows the token, on this machine and by an
 * address of this machine, gets something.
 *
 * A page of a stranger in the same browser cannot read the answers, but could send requests: it
 * does not know the token. With DNS rebinding it could read them under its own name: the Host
 * header then has this name.
 */
#ifndef BRZ_WEB_REQUEST_H
#define BRZ_WEB_REQUEST_H

#include <brazier/base.h>

#define BRZ_WEB_TOKEN 32 /* hexadecimal digits: 128 bits */

/* The items that the server has, and the reasons of refusals. */
typedef enum brz_web_item {
    BRZ_WEB_SHELL,    /* "": the page around the page */
    BRZ_WEB_SCRIPT,   /* "shell.js" */
    BRZ_WEB_STYLE,    /* "shell.css" */
    BRZ_WEB_SETTINGS, /* "settings" */
    BRZ_WEB_PAGE,     /* "page" */
    BRZ_WEB_EVENTS,   /* "events" */
    BRZ_WEB_ITEMS,
    BRZ_WEB_UNKNOWN = BRZ_WEB_ITEMS, /* status 404 */
    BRZ_WEB_FOREIGN,                 /* another host: status 421 */
    BRZ_WEB_METHOD,                  /* another method: status 405 */
} brz_web_item;

/* A request: texts are NULL if it lacks them. */
typedef struct brz_web_request {
    const char *method, *path, *host;
} brz_web_request;

/* Makes a random token: digits and a terminator. Returns false if the system has no random numbers.
 */
bool brz_web_make_token(char token[BRZ_WEB_TOKEN + 1]);

/* Returns what a request to the port gets. The time does not depend on how much of the token is
 * right. */
brz_web_item brz_web_item_of(const brz_web_request *r, const char token[BRZ_WEB_TOKEN + 1],
                             uint16_t port);

#endif

/* SPDX-License-Identifier: MIT */
/* Serves a page to browsers of this machine, and tells them when it has changed.
 *
 * The server listens on the loopback address only, at a port that the system chooses, and answers
 * only requests with its token: see web/request.h. It reads no files.
 */
#ifndef BRZ_WEB_SERVER_H
#define BRZ_WEB_SERVER_H

#include "base/buf.h"

typedef struct brz_web_server brz_web_server;

/* The settings of the page around the page. */
typedef struct brz_web_settings {
    const char *editor; /* address that opens an editor; NULL: none */
    const char *folder; /* folder of files whose names are relative */
} brz_web_settings;

/* Starts a server, which has threads of its own. Returns NULL and appends the reason to `error` on
 * failure. */
brz_web_server *brz_web_server_start(const brz_web_settings *settings, brz_buf *error);

/* Replaces the page. Copies the bytes. */
void brz_web_server_show(brz_web_server *s, const void *data, size_t size);

/* Returns the address of the page, with the token. */
const char *brz_web_server_address(const brz_web_server *s);

/* Returns whether pages were open, and all of them have been closed for some seconds. */
bool brz_web_server_is_left(brz_web_server *s);

/* Ends all connections and threads. */
void brz_web_server_stop(brz_web_server *s);

#endif

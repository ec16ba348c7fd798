/* SPDX-License-Identifier: MIT */
/* Stands for the server in builds without libmicrohttpd. */
#include "web/server.h"

brz_web_server *brz_web_server_start(const brz_web_settings *settings, brz_buf *error)
{
    (void)settings;
    brz_buf_add_text(error, "this build of brazier serves no pages, which needs libmicrohttpd");
    return NULL;
}

void brz_web_server_show(brz_web_server *s, const void *data, size_t size)
{
    (void)s;
    (void)data;
    (void)size;
}

const char *brz_web_server_address(const brz_web_server *s)
{
    (void)s;
    return "";
}

bool brz_web_server_is_left(brz_web_server *s)
{
    (void)s;
    return true;
}

void brz_web_server_stop(brz_web_server *s)
{
    (void)s;
}

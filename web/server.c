/* SPDX-License-Identifier: MIT */
/* Serves pages by libmicrohttpd. */
#include "web/server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/json.h"
#include "base/mem.h"
#include "web/events.h"
#include "web/microhttpd.h"
#include "web/request.h"
#include "web_assets.h"

/* Bounds of what a stranger on this machine can take. */
#define CONNECTIONS_MOST 64
#define REQUEST_MOST     (16u << 10) /* bytes of a request with its headers, and of buffers */
#define IDLE_MOST        15u         /* seconds */

#define ADDRESS_ROOM 96

struct brz_web_server {
    brz_microhttpd http;
    struct MHD_Daemon *daemon;
    brz_events events;
    pthread_mutex_t lock;                          /* protects `page` */
    struct MHD_Response *page;                     /* NULL: none yet */
    struct MHD_Response *fixed[BRZ_WEB_ITEMS + 3]; /* the other answers; NULL: made per request */
    uint16_t port;
    char token[BRZ_WEB_TOKEN + 1], address[ADDRESS_ROOM];
};

/* ---- answers ------------------------------------------------------------------------------- */

#define SHELL_POLICY                                                                               \
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; " \
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/* The page repeats most of this itself; its scripts are in it. */
#define PAGE_POLICY                                                                                \
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "   \
    "worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

/* Adds the headers that all answers have. */
static struct MHD_Response *with_headers(const brz_microhttpd *m, struct MHD_Response *r,
                                         const char *type, const char *policy)
{
    const char *const headers[][2] = {
        {"Content-Type", type},
        {"Content-Security-Policy", policy},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cache-Control", "no-store"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
    };
    for (size_t i = 0; r != NULL && i < sizeof headers / sizeof *headers; i++)
        m->add_response_header(r, headers[i][0], headers[i][1]);
    return r;
}

static struct MHD_Response *copy_of(const brz_microhttpd *m, const void *data, size_t size,
                                    const char *type, const char *policy)
{
    struct MHD_Response *r =
        m->create_response_from_buffer(size, (void *)(uintptr_t)data, MHD_RESPMEM_MUST_COPY);
    return with_headers(m, r, type, policy);
}

static struct MHD_Response *make_settings(const brz_microhttpd *m, const brz_web_settings *settings)
{
    brz_buf b = {0};
    brz_buf_add_text(&b, "{\"editor\":");
    brz_json_string(&b, brz_str_of_text(settings->editor == NULL ? "" : settings->editor));
    brz_buf_add_text(&b, ",\"folder\":");
    brz_json_string(&b, brz_str_of_text(settings->folder));
    brz_buf_add_text(&b, "}\n");
    struct MHD_Response *r = copy_of(m, b.data, b.len, "application/json", SHELL_POLICY);
    brz_buf_finish(&b);
    return r;
}

static void make_answers(brz_web_server *s, const brz_web_settings *settings)
{
    static const char unknown[] = "There is nothing here.\n";
    static const char foreign[] = "This server has another name.\n";
    static const char method[] = "Only GET and HEAD are possible.\n";
    const brz_microhttpd *m = &s->http;
    s->fixed[BRZ_WEB_SHELL] =
        copy_of(m, shell_html, shell_html_size, "text/html; charset=utf-8", SHELL_POLICY);
    s->fixed[BRZ_WEB_SCRIPT] =
        copy_of(m, shell_script, shell_script_size, "text/javascript; charset=utf-8", SHELL_POLICY);
    s->fixed[BRZ_WEB_STYLE] =
        copy_of(m, shell_style, shell_style_size, "text/css; charset=utf-8", SHELL_POLICY);
    s->fixed[BRZ_WEB_SETTINGS] = make_settings(m, settings);
    s->fixed[BRZ_WEB_UNKNOWN] =
        copy_of(m, unknown, sizeof unknown - 1, "text/plain; charset=utf-8", SHELL_POLICY);
    s->fixed[BRZ_WEB_FOREIGN] =
        copy_of(m, foreign, sizeof foreign - 1, "text/plain; charset=utf-8", SHELL_POLICY);
    s->fixed[BRZ_WEB_METHOD] =
        copy_of(m, method, sizeof method - 1, "text/plain; charset=utf-8", SHELL_POLICY);
    if (s->fixed[BRZ_WEB_METHOD] != NULL)
        m->add_response_header(s->fixed[BRZ_WEB_METHOD], "Allow", "GET, HEAD");
}

static unsigned status_of(brz_web_item item)
{
    switch (item) {
    case BRZ_WEB_UNKNOWN:
        return MHD_HTTP_NOT_FOUND;
    case BRZ_WEB_FOREIGN:
        return MHD_HTTP_MISDIRECTED_REQUEST;
    case BRZ_WEB_METHOD:
        return MHD_HTTP_METHOD_NOT_ALLOWED;
    default:
        return MHD_HTTP_OK;
    }
}

/* ---- requests ------------------------------------------------------------------------------ */

static ssize_t read_events(void *stream, uint64_t at, char *to, size_t max)
{
    (void)at;
    ssize_t n = brz_event_stream_read(stream, to, max);
    return n < 0 ? MHD_CONTENT_READER_END_OF_STREAM : n;
}

static void close_events(void *stream)
{
    brz_event_stream_close(stream);
}

static enum MHD_Result send_events(brz_web_server *s, struct MHD_Connection *c)
{
    const brz_microhttpd *m = &s->http;
    brz_event_stream *stream = brz_event_stream_open(&s->events);
    if (stream == NULL)
        return MHD_NO;
    struct MHD_Response *r =
        m->create_response_from_callback(MHD_SIZE_UNKNOWN, 256, read_events, stream, close_events);
    if (r == NULL) {
        brz_event_stream_close(stream);
        return MHD_NO;
    }
    with_headers(m, r, "text/event-stream", SHELL_POLICY);
    enum MHD_Result result = m->queue_response(c, MHD_HTTP_OK, r);
    m->destroy_response(r);
    return result;
}

static enum MHD_Result send_page(brz_web_server *s, struct MHD_Connection *c)
{
    pthread_mutex_lock(&s->lock);
    enum MHD_Result result =
        s->page == NULL ? MHD_NO : s->http.queue_response(c, MHD_HTTP_OK, s->page);
    pthread_mutex_unlock(&s->lock);
    return result;
}

static enum MHD_Result answer(void *server, struct MHD_Connection *c, const char *path,
                              const char *method, const char *version, const char *data,
                              size_t *size, void **state)
{
    brz_web_server *s = server;
    (void)version, (void)data, (void)size, (void)state;
    const brz_web_request r = {
        method, path, s->http.lookup_connection_value(c, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST)};
    brz_web_item item = brz_web_item_of(&r, s->token, s->port);
    if (item == BRZ_WEB_EVENTS)
        return send_events(s, c);
    if (item == BRZ_WEB_PAGE)
        return send_page(s, c);
    return s->fixed[item] == NULL ? MHD_NO
                                  : s->http.queue_response(c, status_of(item), s->fixed[item]);
}

/* Hides what libmicrohttpd reports, such as a connection that a browser cut. */
static void hide_message(void *context, const char *format, va_list values)
{
    (void)context, (void)format, (void)values;
}

/* Keeps the text of a path as it was sent. Returns its length. */
static size_t keep_escapes(void *context, struct MHD_Connection *c, char *text)
{
    (void)context, (void)c;
    return strlen(text);
}

/* ---- the server ---------------------------------------------------------------------------- */

/* Starts listening. Signals are for the main thread. */
static bool listen_to_browsers(brz_web_server *s)
{
    struct sockaddr_in loopback = {.sin_family = AF_INET};
    loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    s->daemon = s->http.start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL |
            MHD_USE_ERROR_LOG,
        0, NULL, NULL, answer, s, MHD_OPTION_EXTERNAL_LOGGER, hide_message, NULL,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&loopback, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)CONNECTIONS_MOST, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)REQUEST_MOST,
        MHD_OPTION_CONNECTION_TIMEOUT, IDLE_MOST, MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL,
        MHD_OPTION_END);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    const union MHD_DaemonInfo *info =
        s->daemon == NULL ? NULL : s->http.get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT);
    s->port = info == NULL ? 0 : info->port;
    return s->port != 0;
}

brz_web_server *brz_web_server_start(const brz_web_settings *settings, brz_buf *error)
{
    brz_web_server *s = brz_calloc(1, sizeof *s);
    brz_events_init(&s->events);
    pthread_mutex_init(&s->lock, NULL);
    if (!brz_microhttpd_load(&s->http, error))
        goto failed;
    make_answers(s, settings);
    if (!brz_web_make_token(s->token) || !listen_to_browsers(s)) {
        brz_buf_add_text(error, "no port of 127.0.0.1 can be opened");
        goto failed;
    }
    snprintf(s->address, sizeof s->address, "http://127.0.0.1:%u/%s/", s->port, s->token);
    return s;
failed:
    brz_web_server_stop(s);
    return NULL;
}

void brz_web_server_show(brz_web_server *s, const void *data, size_t size)
{
    struct MHD_Response *page =
        copy_of(&s->http, data, size, "text/html; charset=utf-8", PAGE_POLICY);
    pthread_mutex_lock(&s->lock);
    struct MHD_Response *before = s->page;
    s->page = page;
    pthread_mutex_unlock(&s->lock);
    if (before != NULL)
        s->http.destroy_response(before);
    brz_events_change(&s->events);
}

const char *brz_web_server_address(const brz_web_server *s)
{
    return s->address;
}

bool brz_web_server_is_left(brz_web_server *s)
{
    return brz_events_are_left(&s->events);
}

void brz_web_server_stop(brz_web_server *s)
{
    brz_events_end(&s->events);
    if (s->daemon != NULL)
        s->http.stop_daemon(s->daemon);
    for (size_t i = 0; i < sizeof s->fixed / sizeof *s->fixed; i++)
        if (s->fixed[i] != NULL)
            s->http.destroy_response(s->fixed[i]);
    if (s->page != NULL)
        s->http.destroy_response(s->page);
    brz_events_finish(&s->events);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

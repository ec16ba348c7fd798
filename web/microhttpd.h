/* SPDX-License-Identifier: MIT */
/* The functions of libmicrohttpd that the server uses, loaded when they are needed. */
#ifndef BRZ_WEB_MICROHTTPD_H
#define BRZ_WEB_MICROHTTPD_H

#include <microhttpd.h>

#include "base/buf.h"

typedef struct brz_microhttpd {
    void *library;
    struct MHD_Daemon *(*start_daemon)(unsigned flags, uint16_t port, MHD_AcceptPolicyCallback,
                                       void *, MHD_AccessHandlerCallback, void *, ...);
    void (*stop_daemon)(struct MHD_Daemon *);
    const union MHD_DaemonInfo *(*get_daemon_info)(struct MHD_Daemon *, enum MHD_DaemonInfoType,
                                                   ...);
    const char *(*lookup_connection_value)(struct MHD_Connection *, enum MHD_ValueKind,
                                           const char *);
    struct MHD_Response *(*create_response_from_buffer)(size_t, void *,
                                                        enum MHD_ResponseMemoryMode);
    struct MHD_Response *(*create_response_from_callback)(uint64_t size, size_t block,
                                                          MHD_ContentReaderCallback, void *,
                                                          MHD_ContentReaderFreeCallback);
    enum MHD_Result (*add_response_header)(struct MHD_Response *, const char *, const char *);
    enum MHD_Result (*queue_response)(struct MHD_Connection *, unsigned, struct MHD_Response *);
    void (*destroy_response)(struct MHD_Response *);
} brz_microhttpd;

/* Loads the library. Returns false and appends the reason to `error` on failure. */
bool brz_microhttpd_load(brz_microhttpd *m, brz_buf *error);

#endif

// The system's libmicrohttpd, with three calls of a variadic function, which Swift does not import.
#pragma once
#include <microhttpd.h>

// Returns the descriptor of a connection, or -1.
static inline int cmicrohttpd_descriptor(struct MHD_Connection *_Nonnull connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

// Returns the pointer that the callback of MHD_OPTION_NOTIFY_CONNECTION has stored for a connection.
static inline void *_Nullable cmicrohttpd_context(struct MHD_Connection *_Nonnull connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : 0;
}

// Returns the number of bytes of a request's header.
static inline size_t cmicrohttpd_header_size(struct MHD_Connection *_Nonnull connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

// The system's libmicrohttpd, with calls of variadic functions, which Swift does not import.
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

// Lets a response of unknown size end with its connection instead of a last chunk.
static inline void cmicrohttpd_use_no_chunks(struct MHD_Response *_Nonnull response) {
    MHD_set_response_options(response, MHD_RF_HTTP_VERSION_1_0_ONLY, MHD_RO_END);
}

// Returns the size of the header of the current request in bytes, from its first line to the empty line at its end.
static inline size_t cmicrohttpd_header_size(struct MHD_Connection *_Nonnull connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

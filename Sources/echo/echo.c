// Serves a Unix socket, and returns all bytes that it receives: echo SOCKET. Exits when its standard input ends.
//
// The benchmark compares round trips to the host with round trips to this program, which does almost no work.
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int add(int epoll, int descriptor) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

int main(int argc, char **argv) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (argc != 2 || strlen(argv[1]) >= sizeof address.sun_path) return 64;
    strcpy(address.sun_path, argv[1]);
    int listening = socket(AF_UNIX, SOCK_STREAM, 0), epoll = epoll_create1(0);
    if (bind(listening, (struct sockaddr *)&address, sizeof address) || listen(listening, 128)) return 74;
    if (add(epoll, listening) || add(epoll, STDIN_FILENO)) return 74;
    for (;;) {
        struct epoll_event event;
        if (epoll_wait(epoll, &event, 1, -1) != 1) continue;
        if (event.data.fd == STDIN_FILENO) return 0;
        if (event.data.fd == listening) {
            add(epoll, accept(listening, 0, 0));
            continue;
        }
        char bytes[4096];
        ssize_t count = read(event.data.fd, bytes, sizeof bytes);
        // The benchmark reads each answer before it writes again, so an answer always fits into the socket's buffer.
        if (count <= 0 || write(event.data.fd, bytes, count) != count) close(event.data.fd);
    }
}

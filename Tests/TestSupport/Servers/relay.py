"""A relay between clients and a server on Unix sockets, which can lose messages.

    python3 relay.py SOCKET SERVER

accepts clients at SOCKET and connects each to SERVER. Each line of standard input arms one loss, which hits what a client
sends next, and is answered with "armed":

    answer   the server gets it, and the client loses the connection instead of getting the answer
    request  the server never gets it, and the client loses the connection
    delay    the client loses the connection; the server gets it after the line "go", which is answered with "done"
    refuse   as "answer", and no later client is accepted
"""

import socket
import sys
import threading

armed = None
refuses = False
go = threading.Event()
done = threading.Event()


def close(end):
    try:
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    end.close()


def pass_answers(server, client, is_lost):
    try:
        while part := server.recv(1 << 16):
            if not is_lost.is_set():
                client.sendall(part)
    except OSError:
        pass
    if not is_lost.is_set():
        close(client)


def serve(client):
    global armed, refuses
    server = socket.socket(socket.AF_UNIX)
    server.connect(sys.argv[2])
    is_lost = threading.Event()
    answers = threading.Thread(target=pass_answers, args=(server, client, is_lost), daemon=True)
    answers.start()
    try:
        while part := client.recv(1 << 20):
            loss, armed = armed, None
            if not loss:
                server.sendall(part)
                continue
            is_lost.set()
            if loss == "delay":
                close(client)
                go.wait()
            if loss != "request":
                server.sendall(part)
                # The server executes everything, and then sees the end.
                server.shutdown(socket.SHUT_WR)
                answers.join()
            refuses = loss == "refuse"
            break
    except OSError:
        pass
    close(client)
    close(server)
    done.set()


def accept(listener):
    while True:
        client, _ = listener.accept()
        if refuses:
            client.close()
        else:
            threading.Thread(target=serve, args=(client,), daemon=True).start()


listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
listener.listen(64)
threading.Thread(target=accept, args=(listener,), daemon=True).start()
print("ready", flush=True)
for line in sys.stdin:
    if line.strip() == "go":
        done.clear()
        go.set()
        done.wait()
        print("done", flush=True)
    else:
        armed = line.strip()
        print("armed", flush=True)

"""The common part of the test servers.

A server prints its port, and appends a line for each request to the file in the first argument. With a second argument,
a file with a certificate and its key, it serves https. A server exits at the end of its standard input, so it never
outlives the test that started it.
"""

import http.server
import os
import ssl
import sys
import threading


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # With Nagle's algorithm the body waits 40 ms for the client to acknowledge the header.
    disable_nagle_algorithm = True

    def parse_request(self):
        parsed = super().parse_request()
        if parsed:
            length = int(self.headers.get("Content-Length") or 0)
            self.body = self.rfile.read(length)
            with open(sys.argv[1], "a") as log:
                log.write(f"{self.command} {self.path} {self.body.decode('utf-8', 'replace')}".strip() + "\n")
        return parsed

    def answer(self, status, body=b"", content_type="application/json"):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *words):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, address):
        # Some tests disconnect early on purpose.
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, address)


def serve(handler):
    def end_with_input():
        sys.stdin.read()
        os._exit(0)

    server = Server(("127.0.0.1", 0), handler)
    if len(sys.argv) > 2:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[2])
        # The handshake happens at the first read, in the connection's thread.
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    print(server.server_address[1], flush=True)
    threading.Thread(target=end_with_input, daemon=True).start()
    server.serve_forever()

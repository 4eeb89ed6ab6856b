"""Simulates the failures between a client and a server. The path selects the failure.

`raw` writes bytes without change. The connection is closed after the response.
"""

import gzip
import time
from urllib.parse import parse_qs, urlsplit

from server import Handler, serve


class Trouble(Handler):
    # The number of clients that disconnected during an endless response.
    left = 0

    def raw(self, *parts):
        self.close_connection = True
        for part in parts:
            self.wfile.write(part if isinstance(part, bytes) else part.encode())
            self.wfile.flush()

    def endless(self, piece, pause=0):
        try:
            while True:
                self.raw(piece)
                time.sleep(pause)
        except OSError:
            Trouble.left += 1

    def do_any(self):
        url = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(url.query).items()}
        match url.path:
            case "/echo":
                lines = [f"{self.command} {self.path}"] + [f"{name.lower()}: {value}" for name, value in self.headers.items()]
                self.answer(200, "\n".join(lines).encode() + b"\n\n" + self.body, "text/plain")
            case "/status":
                self.answer(int(asked["code"]), asked.get("text", "").encode(), "text/plain")
            case "/empty":
                self.answer(200)
            case "/no-content":
                self.raw("HTTP/1.1 204 No Content\r\n\r\n")
            case "/not-modified":
                self.raw("HTTP/1.1 304 Not Modified\r\nContent-Length: 99999999\r\n\r\n")
            case "/size":
                self.answer(200, b"x" * int(asked["bytes"]), "text/plain")
            case "/promise":
                # Announces more bytes than it sends.
                self.raw("HTTP/1.1 200 OK\r\nContent-Length: ", asked["bytes"], "\r\n\r\nonly this")
            case "/less":
                self.raw("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nonly this")
            case "/until-close":
                self.raw("HTTP/1.1 200 OK\r\n\r\nuntil the line closes")
            case "/chunked":
                self.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "3\r\none\r\n", "3\r\ntwo\r\n", "0\r\n\r\n")
            case "/chunked-cut":
                self.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "3\r\none\r\n", "9\r\ntw")
            case "/chunked-garbage":
                self.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "zzz\r\none\r\n")
            case "/gzip":
                body = gzip.compress(b"x" * int(asked["bytes"]))
                self.raw(f"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {len(body)}\r\n\r\n", body)
            case "/gzip-garbage":
                self.raw("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\n\r\nno gzip !")
            case "/flood":
                self.raw("HTTP/1.1 200 OK\r\n\r\n")
                self.endless("x" * 65536)
            case "/header-flood":
                self.raw("HTTP/1.1 200 OK\r\n")
                self.endless("x: " + "x" * 4096 + "\r\n")
            case "/headers":
                self.raw("HTTP/1.1 200 OK\r\n", *[f"x-{n}: {'y' * 1000}\r\n" for n in range(int(asked["count"]))], "\r\n")
            case "/slow" | "/slow/todos":
                time.sleep(float(asked.get("seconds", "60")))
                self.answer(200, b"at last", "text/plain")
            case "/drip":
                # Sends a byte every 10 ms and never completes.
                self.raw("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
                self.endless("x", pause=0.01)
            case "/nothing":
                self.raw("")
            case "/header-cut":
                self.raw(asked.get("after", "HTTP/1.1 200 OK\r\nContent-Le"))
            case "/garbage":
                self.raw("hello")
            case "/bad-status":
                self.raw("HTTP/1.1 abc OK\r\n\r\nxx")
            case "/bad-header":
                self.raw("HTTP/1.1 200 OK\r\nno colon\r\n\r\nxx")
            case "/early-hints":
                self.raw("HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nxx")
            case "/challenge":
                scheme = asked["scheme"]
                self.raw(f'HTTP/1.1 401 No\r\nWWW-Authenticate: {scheme} realm="x"\r\nContent-Length: 11\r\n\r\nwho are you')
            case "/cookies":
                cookies = "Set-Cookie: a=1, x\r\nX-One: y\r\nset-cookie:\t b=2 \t\r\nSet-Cookie:\r\n"
                self.raw(f"HTTP/1.1 200 OK\r\n{cookies}Content-Length: 0\r\n\r\n")
            case "/left":
                self.answer(200, str(Trouble.left).encode(), "text/plain")
            case "/redirect-nowhere":
                self.raw("HTTP/1.1 302 Found\r\nContent-Length: 2\r\n\r\nxx")
            case "/redirect-flood":
                self.raw("HTTP/1.1 302 Found\r\nLocation: /echo\r\n\r\n")
                self.endless("x" * 65536)
            case "/redirect":
                self.raw(f"HTTP/1.1 {asked.get('code', '302')} Elsewhere\r\nLocation: {asked['to']}\r\nSet-Cookie: moved=1\r\nContent-Length: 0\r\n\r\n")
            case "/loop":
                self.raw("HTTP/1.1 302 Found\r\nLocation: /loop\r\nContent-Length: 0\r\n\r\n")
            case _:
                self.answer(404, b"no such trouble", "text/plain")

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = do_PURGE = do_any


serve(Trouble)

"""Serves POST /login for the user ada with the password lovelace, and GET /todos for those who have logged in.

The first path component selects a failure. Each login returns another token, and the server accepts the token for one
request below /brief.
"""

import json
import threading
import time

from server import Handler, serve

TOKEN = "t0ken-of-ada"


class Login(Handler):
    tokens = []
    spent = set()

    def do_GET(self):
        token = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
        is_accepted = token in Login.tokens and token not in Login.spent
        if self.path.startswith("/brief/"):
            Login.spent.add(token)
        todo = {"userId": 1, "id": 1, "title": "delectus aut autem", "completed": False}
        if not is_accepted:
            self.answer(401, b"you sent " + token.encode(), "text/plain")
        elif self.path.endswith("/todos"):
            self.answer(200, json.dumps([todo]).encode())
        else:
            self.answer(200, json.dumps(todo).encode())

    def do_POST(self):
        # Simulates a careless server, whose responses echo the request.
        echo = b"you sent " + self.body
        match self.path:
            case "/login":
                self.answer_login()
            case "/slow/login":
                time.sleep(1)
                self.answer_login()
            case "/never/login":
                threading.Event().wait()
            case "/garbage/login":
                self.answer(200, echo, "text/plain")
            case "/untyped/login":
                self.answer(200, json.dumps({"token": [self.body.decode()]}).encode())
            case "/broken/login":
                self.answer(500, echo, "text/plain")
            case "/forbidden/login":
                self.answer(403, echo, "text/plain")
            case "/cut/login":
                self.send_response(200)
                self.send_header("Content-Length", "1000")
                self.end_headers()
                self.wfile.write(b'{"token": "')
                self.close_connection = True
            case _:
                self.answer(404, b"no such page", "text/plain")

    def answer_login(self):
        try:
            is_known = json.loads(self.body) == {"userName": "ada", "password": "lovelace"}
        except ValueError:
            is_known = False
        if is_known and self.headers.get("Content-Type") == "application/json":
            token = f"{TOKEN}-{len(Login.tokens)}"
            Login.tokens.append(token)
            self.answer(200, json.dumps({"token": token}).encode())
        else:
            self.answer(401, b"you sent " + self.body, "text/plain")


serve(Login)

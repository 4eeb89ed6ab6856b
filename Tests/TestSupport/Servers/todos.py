"""Serves GET /todos and /todos/ID with two records of JSONPlaceholder, and PATCH /todos/1, which changes nothing. The
first path component selects a failure."""

import json
import time

from server import Handler, serve

TODOS = [
    {"userId": 1, "id": 1, "title": "delectus aut autem", "completed": False},
    {"userId": 1, "id": 2, "title": "quis ut nam facilis", "completed": True},
]


class Todos(Handler):
    failures = 0

    def do_GET(self):
        body = json.dumps(TODOS).encode()
        match self.path:
            case "/todos":
                self.answer(200, body)
            case "/todos/1":
                self.answer(200, json.dumps(TODOS[0]).encode())
            case "/empty/todos":
                self.answer(200, b"[]")
            case "/hostile/todos":
                self.answer(200, json.dumps([{**TODOS[0], "title": "\x1b[2J\r\nroot"}]).encode())
            case "/slow/todos":
                time.sleep(1)
                self.answer(200, body)
            case "/once-failing/todos" if Todos.failures == 0:
                Todos.failures += 1
                self.answer(503, b"come back later", "text/plain")
            case "/once-failing/todos":
                self.answer(200, body)
            case path if path.startswith("/to-http/"):
                # Redirects to plain HTTP on another server's port.
                self.send_response(302)
                self.send_header("Location", f"http://127.0.0.1:{path.split('/')[2]}/todos")
                self.send_header("Content-Length", "0")
                self.end_headers()
            case "/garbage/todos":
                self.answer(200, b"<html>no todos</html>", "text/html")
            case _:
                self.answer(404, b"no such page", "text/plain")

    def do_PATCH(self):
        # JSONPlaceholder, too, only answers with the changed record.
        if self.path == "/todos/1":
            self.answer(200, json.dumps({**TODOS[0], **json.loads(self.body)}).encode())
        else:
            self.answer(404, b"no such page", "text/plain")


serve(Todos)

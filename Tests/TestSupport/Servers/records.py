"""Keeps records in memory for Plugins/HTTPProvider. The first path component names the store.

A store name may end with a colon and a failure mode. For example, `x:lost` applies changes to store x and closes the
connection without a response.
"""

import json
import threading
import time
import urllib.parse

from server import Handler, serve

STORES = {}
LOCK = threading.Lock()


class Failure(Exception):
    def __init__(self, status, **answer):
        self.status, self.answer = status, answer


def checked(record):
    if not isinstance(record, dict) or not isinstance(record.get("id"), str) or not record["id"]:
        raise Failure(422, error="a record is an object with an id")
    if record.get("text") == "not for this server":
        raise Failure(422, error="this server has its own rules")
    return record


def change(store, op, collection, id, record):
    """Applies one change. The dictionary keeps the insertion order, also when a record is replaced."""
    if op != "delete" and checked(record)["id"] != id:
        raise Failure(422, error="the record has another id")
    records = store.setdefault(collection, {})
    match op:
        case "insert":
            if id in records:
                raise Failure(409, error="it exists")
            records[id] = record
        case "replace" | "delete" if id not in records:
            raise Failure(404, error="it is missing")
        case "replace":
            records[id] = record
        case "delete":
            del records[id]
        case _:
            raise Failure(400, error="no such op")


class Records(Handler):
    def handle_request(self):
        names = self.path.split("/")[1:]
        name, _, trouble = urllib.parse.unquote(names[0]).partition(":")
        if self.trouble(trouble):
            return
        try:
            names = [urllib.parse.unquote_to_bytes(part).decode() for part in names[1:]]
            body = json.loads(self.body) if self.body else None
            with LOCK:
                status, answer = self.ask(name, names, body)
        except Failure as failure:
            status, answer = failure.status, failure.answer
        except ValueError as error:
            status, answer = 400, {"error": str(error)}
        body = b"" if answer is None else json.dumps(answer, ensure_ascii=False).encode("utf-8", "surrogatepass")
        if trouble == "lost" and self.command != "GET":
            self.close_connection = True
            return
        self.answer(status, body)

    def ask(self, name, names, body):
        store = STORES.setdefault(name, {})
        match self.command, names:
            case "GET", [collection]:
                return 200, list(store.get(collection, {}).values())
            case "GET", [collection, id] if id in store.get(collection, {}):
                return 200, store[collection][id]
            case "POST", [collection]:
                change(store, "insert", collection, checked(body)["id"], body)
                return 201, None
            case "PUT", [collection, id]:
                change(store, "replace", collection, id, body)
                return 204, None
            case "DELETE", [collection, id]:
                change(store, "delete", collection, id, None)
                return 204, None
            case "PATCH", []:
                copy = {collection: dict(records) for collection, records in store.items()}
                for index, step in enumerate(body):
                    try:
                        change(copy, step["op"], step["collection"], step["id"], step.get("record"))
                    except Failure as failure:
                        raise Failure(failure.status, index=index, id=step["id"])
                STORES[name] = copy
                return 204, None
        raise Failure(404, error="no such page")

    def trouble(self, name):
        match name:
            case "full":
                self.answer(500, b"the disk is full", "text/plain")
            case "garbage":
                self.answer(201 if self.command == "POST" else 200, b"<html>no records</html>", "text/html")
            case "empty":
                self.answer(200)
            case "object":
                self.answer(200, b'{"records": []}')
            case "other":
                self.answer(200, b'{"id": "another"}')
            case "accepted":
                self.answer(202, b"later", "text/plain")
            case "cut":
                # Sends less than the announced length.
                self.send_response(201 if self.command == "POST" else 200)
                self.send_header("Content-Length", "100")
                self.end_headers()
                self.wfile.write(b'[{"id": "1"}, {"id"')
                self.close_connection = True
            case "slow":
                time.sleep(60)
            case "nowhere":
                self.answer(404, b"no such page", "text/plain")
            case _:
                return False
        return True

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = handle_request


serve(Records)

"""A server that gives the replies it was told and records what it was asked."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Optional

# Closes the connection without a response.
RESET: Optional[tuple[int, dict[str, str], Any]] = None


class FailingServer:
    """The replies in their order, as (status, headers, body); the last one is repeated."""

    def __init__(self, *replies: Any) -> None:
        self.received: list[tuple[str, str, dict[str, str], Any]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def _reply(self) -> None:
                text = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                reply = replies[min(len(outer.received), len(replies) - 1)]
                body = json.loads(text) if text else None
                outer.received.append((self.command, self.path, dict(self.headers), body))
                if reply is RESET:
                    self.close_connection = True
                    return
                status, headers, document = reply
                sent = json.dumps(document).encode()
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(sent))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(sent)

            do_GET = do_POST = do_PATCH = _reply

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def __enter__(self) -> FailingServer:
        return self

    def __exit__(self, *_: Any) -> None:
        self._server.shutdown()
        self._server.server_close()


def problem(status: int, code: str, **members: Any) -> tuple[int, dict[str, str], Any]:
    return (status, {}, {"status": status, "code": code, "detail": "It is so.", **members})

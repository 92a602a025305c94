"""The event stream as an iterator."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Iterator
from typing import Any, Optional

from .errors import HeliographError
from .transport import Transport, backoff, is_temporary

# The server sends a comment every 20 seconds.
SILENCE_SECONDS = 50.0


def stream_events(transport: Transport, last_id: Optional[str]) -> Iterator[dict[str, Any]]:
    failures = 0
    while True:
        retry_after = None
        try:
            for message in _connect(transport, last_id):
                failures = 0
                last_id = message.get("id", last_id)
                yield _event(message)
        except HeliographError as error:
            if not is_temporary(error):
                raise
            retry_after = error.retry_after
        time.sleep(backoff(failures) if retry_after is None else retry_after)
        failures += 1


def _event(message: dict[str, str]) -> dict[str, Any]:
    if message.get("event") == "reset":
        return {"type": "reset", "id": message.get("id")}
    return json.loads(message["data"])


def _connect(transport: Transport, last_id: Optional[str]) -> Iterator[dict[str, str]]:
    headers = {"Accept": "text/event-stream"}
    if last_id is not None:
        headers["Last-Event-ID"] = last_id
    with transport.open("GET", "/events", None, headers, SILENCE_SECONDS) as response:
        fields: dict[str, str] = {}
        while True:
            try:
                line = response.readline()
            except (OSError, http.client.HTTPException) as error:
                raise transport.unreachable(error) from error
            if not line:
                return
            if line == b"\n":
                if "data" in fields:
                    yield fields
                fields = {}
                continue
            # A comment has an empty name.
            name, _, value = line.decode().rstrip("\n").partition(":")
            fields[name] = value.lstrip(" ")

"""The verbs: send, ask, alert, activity, widget, events."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Iterator
from typing import Any, Optional

from .activity import Activity
from .errors import HeliographError
from .events import stream_events
from .transport import Transport, backoff, is_temporary
from .widget import Widget

LONGEST_POLL_SECONDS = 25
# Beyond the seconds that the server holds the request.
RESPONSE_SECONDS = 15.0

Document = dict[str, Any]


class Client:
    """A server and a key (`hlk_…`) or token (`hla_…`); by default those of HELIOGRAPH_URL and HELIOGRAPH_TOKEN."""

    def __init__(
        self, url: Optional[str] = None, token: Optional[str] = None, *, timeout: float = 30.0, retries: int = 4
    ) -> None:
        url = url or os.environ.get("HELIOGRAPH_URL")
        token = token or os.environ.get("HELIOGRAPH_TOKEN")
        if not url or not token:
            raise ValueError("Give url and token, or set HELIOGRAPH_URL and HELIOGRAPH_TOKEN.")
        self.transport = Transport(url, token, timeout=timeout, retries=retries)
        self.request = self.transport.request

    def send(self, title: str, body: str, *, idempotency_key: Optional[str] = None, **members: Any) -> Document:
        """Sends a notification; `members` are those of the API, such as level="time-sensitive"."""
        return self._post({"title": title, "body": body, **members}, idempotency_key)

    def ask(
        self,
        title: str,
        body: str,
        actions: list[Document],
        *,
        timeout: float = 3600.0,
        idempotency_key: Optional[str] = None,
        **members: Any,
    ) -> Document:
        """Asks, and waits for the answer. Without one in time its status is "pending"; answer() can wait again."""
        question = {"title": title, "body": body, "actions": actions, **members}
        return self.answer(self._post(question, idempotency_key)["id"], timeout=timeout)

    def answer(self, notification_id: int, *, timeout: float = 3600.0) -> Document:
        """Waits over as many long polls as it takes. A server that restarts in the meantime is asked again."""
        deadline = time.monotonic() + timeout
        failures = 0
        while True:
            remaining = max(0.0, deadline - time.monotonic())
            wait = min(int(remaining + 0.999), LONGEST_POLL_SECONDS)
            path = f"/notifications/answers/{notification_id}?wait={wait}"
            try:
                answer = self.request("GET", path, timeout=wait + RESPONSE_SECONDS, retries=0)
                if answer["status"] == "answered" or remaining == 0:
                    return answer
                failures = 0
            except HeliographError as error:
                if not is_temporary(error) or remaining == 0:
                    raise
                delay = backoff(failures) if error.retry_after is None else error.retry_after
                time.sleep(min(delay, remaining))
                failures += 1

    def alert(self, title: str, body: str, *, idempotency_key: Optional[str] = None, **members: Any) -> Document:
        """Sends a notification that repeats on the devices until somebody acknowledges."""
        return self._post({"title": title, "body": body, "acknowledge": {}, **members}, idempotency_key)

    def receipt(self, notification_id: int) -> Document:
        return self.request("GET", f"/notifications/receipts/{notification_id}")

    def cancel_alert(self, notification_id: int) -> Document:
        return self.request("POST", f"/notifications/receipts/{notification_id}/cancel")

    def activity(self, slug: str, **content: Any) -> Activity:
        """A handle with update() and end(), which is also a context manager and a decorator."""
        return Activity(self.transport, slug, content)

    def widget(self, slug: str) -> Widget:
        return Widget(self.transport, slug)

    def events(self, after: Optional[str] = None) -> Iterator[Document]:
        """Every event of the account; needs a token (`hla_…`). Resumes behind the last event when the connection breaks.
        An event of type "reset" says that events since `after` are gone: read the current state again."""
        return stream_events(self.transport, after)

    def _post(self, notification: Document, idempotency_key: Optional[str]) -> Document:
        key = idempotency_key or uuid.uuid4().hex
        return self.request("POST", "/notifications", notification, idempotency_key=key)

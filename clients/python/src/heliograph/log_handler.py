"""A logging.Handler that sends errors as notifications."""

from __future__ import annotations

import logging
import queue
import threading
import time
from typing import Any, Optional

from .client import Client

CLOSE_SECONDS = 5.0


class HeliographHandler(logging.Handler):
    """Sends at most one notification per `interval` seconds, the first one at once; what is logged in between is counted
    and reported with the next one. A thread sends, so logging never waits for the network, and a failure to send is
    never raised into the program."""

    def __init__(
        self, client: Client, *, level: int = logging.ERROR, interval: float = 60.0, source: Optional[str] = None
    ) -> None:
        super().__init__(level)
        self._client = client
        self._interval = interval
        self._members: dict[str, Any] = {} if source is None else {"source": source}
        # One record waits; more are only counted.
        self._waiting: queue.Queue[Optional[tuple[str, str]]] = queue.Queue(maxsize=1)
        self._suppressed = 0
        self._count_lock = threading.Lock()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._send_all, name="heliograph-log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        # urllib and this package may log while the thread sends.
        if threading.current_thread() is self._thread:
            return
        try:
            title = f"{record.levelname}: {record.name}"[:256]
            self._waiting.put_nowait((title, self.format(record)))
        except queue.Full:
            with self._count_lock:
                self._suppressed += 1
        except Exception:
            self.handleError(record)

    def close(self) -> None:
        """Sends the record that waits, without the pause, and gives up after five seconds."""
        self._closing.set()
        try:
            self._waiting.put_nowait(None)
        except queue.Full:
            pass
        self._thread.join(CLOSE_SECONDS)
        super().close()

    def _send_all(self) -> None:
        while True:
            try:
                entry = self._waiting.get(timeout=0.0 if self._closing.is_set() else None)
            except queue.Empty:
                return
            if entry is None:
                return
            self._send(*entry)
            self._closing.wait(self._interval)

    def _send(self, title: str, text: str) -> None:
        with self._count_lock:
            suppressed, self._suppressed = self._suppressed, 0
        more = f"\n({suppressed} more since the last message)" if suppressed else ""
        try:
            self._client.send(title, text[: 4000 - len(more)] + more, level="active", **self._members)
        except Exception:
            # There is nobody to tell: to log it would call this handler again.
            with self._count_lock:
                self._suppressed += suppressed + 1

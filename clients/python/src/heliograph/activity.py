"""A live activity: progress of a long task on the lock screen."""

from __future__ import annotations

import functools
import threading
import time
from types import TracebackType
from typing import Any, Callable, Optional, TypeVar
from urllib.parse import quote

from .errors import HeliographError
from .merge_patch import combine_patches
from .transport import Transport

Function = TypeVar("Function", bound=Callable[..., Any])


class Activity:
    """update() sends at once, but at most one request per `interval` seconds: changes in between are merged, and a
    thread sends them when the interval is over. end() sends what is left. As a context manager or a decorator it ends with the task, also when the task raises;
    it then never raises itself, because a report must not break what it reports on."""

    def __init__(self, transport: Transport, slug: str, content: dict[str, Any], interval: float = 1.0) -> None:
        self.slug = slug
        self._transport = transport
        self._content = {"template": "generic", **content}
        self._interval = interval
        self._lock = threading.Lock()
        self._unsent: dict[str, Any] = {}
        self._next_at = 0.0
        self._timer: Optional[threading.Timer] = None
        self._is_started = False

    def update(self, **content: Any) -> None:
        """Starts the activity if it is not ongoing; creates it if there is none."""
        with self._lock:
            first = {} if self._is_started else self._content
            self._unsent = combine_patches(self._unsent, combine_patches(first, content))
            self._is_started = True
            pause = self._next_at - time.monotonic()
            if pause <= 0:
                self._send("ongoing")
            elif self._timer is None:
                self._timer = threading.Timer(pause, self._send_unsent)
                self._timer.daemon = True
                self._timer.start()

    def end(self, *, sound: Optional[str] = None, **content: Any) -> None:
        with self._lock:
            first = {} if self._is_started else self._content
            self._unsent = combine_patches(self._unsent, combine_patches(first, content))
            self._is_started = False
            self._send("ended", sound)

    def __enter__(self) -> Activity:
        self._quietly(self.update)
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        _: Optional[TracebackType],
    ) -> None:
        if error is None:
            self._quietly(self.end, state="Done", progress=1.0)
        else:
            self._quietly(self.end, state=f"Failed: {error or kind.__name__}"[:100])

    def __call__(self, function: Function) -> Function:
        @functools.wraps(function)
        def run(*args: Any, **named: Any) -> Any:
            with Activity(self._transport, self.slug, self._content, self._interval):
                return function(*args, **named)

        return run  # type: ignore[return-value]

    @staticmethod
    def _quietly(call: Callable[..., None], **named: Any) -> None:
        try:
            call(**named)
        except HeliographError:
            pass

    # In the thread of the timer, which has nobody to raise to: the next update or the end shows the same.
    def _send_unsent(self) -> None:
        with self._lock:
            if self._timer is not None and self._unsent:
                self._quietly(self._send, state="ongoing")

    # Called with the lock, so that requests arrive in the order of the calls.
    def _send(self, state: str, sound: Optional[str] = None) -> None:
        patch: dict[str, Any] = {"state": state, "content": self._unsent}
        if sound is not None:
            patch["sound"] = sound
        self._unsent = {}
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        try:
            self._transport.request("PATCH", f"/activities/{quote(self.slug, safe='')}?upsert=true", patch)
        finally:
            self._next_at = time.monotonic() + self._interval

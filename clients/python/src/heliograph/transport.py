"""Requests to the API, repeated where that is safe."""

from __future__ import annotations

import http.client
import json
import random
import time
import urllib.error
import urllib.request
from typing import Any, Optional

from .errors import HeliographError

# A longer Retry-After, such as that of a used-up quota, is the caller's decision.
LONGEST_DELAY_SECONDS = 60.0
FIRST_BACKOFF_SECONDS = 0.5
LONGEST_BACKOFF_SECONDS = 15.0
# The server gives an attempt that broke off up ten seconds after it began, and asks to come back every second until then.
IN_PROGRESS = "idempotency.in_progress"
IN_PROGRESS_REPEATS = 20
# A repeated request would get the same answer.
LASTING = ("quota.exceeded", "widget.limit_exceeded", "file.limit_exceeded")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect could send the token to another server."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Transport:
    def __init__(self, url: str, token: str, *, timeout: float = 30.0, retries: int = 4) -> None:
        self.url = url.rstrip("/")
        self.timeout = timeout
        self.retries = retries
        self._token = token
        self._opener = urllib.request.build_opener(_NoRedirects)

    def request(
        self,
        method: str,
        path: str,
        body: Optional[dict[str, Any]] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Any:
        """Returns the document of the response, or None for a 204. A POST is repeated only with an idempotency key."""
        headers = {} if idempotency_key is None else {"Idempotency-Key": idempotency_key}
        is_repeatable = method != "POST" or idempotency_key is not None
        repeats = 0
        while True:
            try:
                return self._once(method, path, body, headers, self.timeout if timeout is None else timeout)
            except HeliographError as error:
                delay = retry_delay(error, is_repeatable, repeats)
                if delay is None or repeats >= most_repeats(error, self.retries if retries is None else retries):
                    raise
            time.sleep(delay)
            repeats += 1

    def open(self, method: str, path: str, body: Any, headers: dict[str, str], timeout: float) -> Any:
        """Returns the response once its head has arrived. The connection fails if it is silent for `timeout`."""
        sent = None if body is None else json.dumps(body).encode()
        every = {"Authorization": f"Bearer {self._token}", "User-Agent": "heliograph-python"}
        if sent is not None:
            every["Content-Type"] = "application/json"
        request = urllib.request.Request(self.url + path, sent, {**every, **headers}, method=method)
        try:
            return self._opener.open(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            raise _refusal(self.url, error) from None
        except (OSError, http.client.HTTPException) as error:
            raise self.unreachable(error) from error

    def unreachable(self, error: Exception) -> HeliographError:
        reason = getattr(error, "reason", None) or error
        return HeliographError(0, "client.unreachable", f"{self.url} cannot be reached: {reason}")

    def _once(self, method: str, path: str, body: Any, headers: dict[str, str], timeout: float) -> Any:
        with self.open(method, path, body, headers, timeout) as response:
            try:
                text = response.read()
            except (OSError, http.client.HTTPException) as error:
                raise self.unreachable(error) from error
            if response.status == 204:
                return None
            try:
                return json.loads(text)
            except ValueError:
                raise _not_heliograph(self.url, response.status) from None


def most_repeats(error: HeliographError, retries: int) -> int:
    return max(retries, IN_PROGRESS_REPEATS) if retries > 0 and error.code == IN_PROGRESS else retries


def retry_delay(error: HeliographError, is_repeatable: bool, repeats: int) -> Optional[float]:
    """None: do not repeat. A 429 was refused before anything was done; after 503 or a broken connection the request may
    have been carried out, so only what may happen twice is repeated. The repeat is told that the first attempt is in progress
    until the server knows how it ended."""
    if error.code in LASTING or error.code.endswith(".not_enabled"):
        return None
    if error.status != 429 and not (is_repeatable and (error.status in (0, 503) or error.code == IN_PROGRESS)):
        return None
    if error.retry_after is None:
        return backoff(repeats)
    return error.retry_after if error.retry_after <= LONGEST_DELAY_SECONDS else None


def backoff(repeats: int) -> float:
    """With jitter, so that clients of a server that restarts do not come back all at once."""
    return min(FIRST_BACKOFF_SECONDS * 2 ** min(repeats, 10), LONGEST_BACKOFF_SECONDS) * random.uniform(0.5, 1.0)


def is_temporary(error: HeliographError) -> bool:
    """A proxy answers 502 or 504 while the server restarts."""
    return error.status in (0, 429, 502, 503, 504)


def _refusal(url: str, error: urllib.error.HTTPError) -> HeliographError:
    with error:
        try:
            problem = json.loads(error.read())
        except (ValueError, OSError, http.client.HTTPException):
            problem = None
    if not isinstance(problem, dict) or not isinstance(problem.get("code"), str):
        return _not_heliograph(url, error.code, _seconds(error.headers.get("Retry-After")))
    after_ms = problem.get("retry_after_ms")
    retry_after = after_ms / 1000 if isinstance(after_ms, (int, float)) else _seconds(error.headers.get("Retry-After"))
    message = f"{problem.get('detail') or problem.get('title')} ({problem['code']})"
    return HeliographError(error.code, problem["code"], message, retry_after, problem)


def _not_heliograph(url: str, status: int, retry_after: Optional[float] = None) -> HeliographError:
    message = f"{url} answered {status}, not as Heliograph does"
    return HeliographError(status, "client.not_heliograph", message, retry_after)


def _seconds(header: Optional[str]) -> Optional[float]:
    return float(header) if header is not None and header.isdigit() else None

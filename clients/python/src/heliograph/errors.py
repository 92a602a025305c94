"""The one exception that the client raises for a request that did not succeed."""

from __future__ import annotations

from typing import Any, Optional


class HeliographError(Exception):
    """`status` is 0 if there was no response. `code` is stable: match on it."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        retry_after: Optional[float] = None,
        problem: Optional[dict[str, Any]] = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.retry_after = retry_after
        self.problem = problem

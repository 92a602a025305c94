"""A widget on the home screen."""

from __future__ import annotations

from typing import Any, Optional
from urllib.parse import quote

from .errors import HeliographError
from .transport import Transport


class Widget:
    def __init__(self, transport: Transport, slug: str) -> None:
        self.slug = slug
        self._transport = transport
        self._path = f"/widgets/{quote(slug, safe='')}"

    def update(self, *, name: Optional[str] = None, **content: Any) -> dict[str, Any]:
        """Creates the widget if there is none; the content must then name its template."""
        named = {} if name is None else {"name": name}
        try:
            return self._transport.request("PATCH", self._path, {"content": content, **named})
        except HeliographError as error:
            if error.code != "widget.not_found":
                raise
        return self._transport.request("POST", "/widgets", {"slug": self.slug, "name": name or self.slug, "content": content})

    def get(self) -> dict[str, Any]:
        return self._transport.request("GET", self._path)
